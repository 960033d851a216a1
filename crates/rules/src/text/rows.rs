//! The rows of permitted values that follow from other parts of a regulation.
//!
//! These rows are for the limits, the cut card, own procedures and side bets. If a regulation states its own row
//! for a key, that row replaces the row derived here.

use super::Text;
use super::values::{KeyValues, Reason, Rejection, Value};
use super::why;
use crate::choice::{Choices, OwnProcedure};
use crate::clause::Clause;
use crate::message::Message;
use crate::wager::{Amounts, Pays, Side, SideWager, own};

/// The callback that receives each row of permitted values.
type Visit<'a> = &'a mut dyn FnMut(&KeyValues<'_>);

impl Text {
    /// Calls `visit` with the permitted values of each table file key.
    ///
    /// The rows are those for a table with these choices, because paytables depend on the number of decks.
    pub fn rows(&self, choices: &Choices, visit: Visit<'_>) {
        self.permits().for_each(&mut *visit);
        let derived: Visit<'_> = &mut |row| {
            if !self.permits().any(|own| own.key == row.key) {
                visit(row);
            }
        };
        limits(self, derived);
        cards(self, derived);
        // one that no listed text has is not permitted, but needs no row where nobody offers it
        let own = Some(&SideWager::Own);
        let own = own.filter(|&&own| self.side(own).is_some() || choices.offer(own).is_some());
        for &wager in SideWager::ALL.iter().chain(own) {
            match self.side(wager) {
                Some(side) => side_wager(choices, side, derived),
                None => foreign(self, wager, derived),
            }
        }
    }
}

/// The clause and reason for rejecting every value that is not permitted, or `None` to reject nothing.
type RejectRest<'a> = Option<(Clause, Reason<'a>)>;

fn row(visit: Visit<'_>, keys: &[&str], values: &[(&str, Clause)], reject_rest: RejectRest<'_>) {
    let values: Vec<Value<'_>> = values.iter().map(|&(is, by)| Value { is, by, asks: &[] }).collect();
    let rejects: Vec<Rejection<'_>> =
        reject_rest.iter().map(|&(by, why)| Rejection { is: "", by, why }).collect();
    visit(&KeyValues { key: keys[0], keys, values: &values, rejects: &rejects });
}

/// The range of amounts above zero, as a pattern of permitted values.
const ABOVE_ZERO: &str = "0.01..";

/// Visits the rows for the limits of the required bet, shared boxes and the number of bets in multiple action.
fn limits(text: &Text, visit: Visit<'_>) {
    let by = text.wagers.required;
    for (key, by, why) in [
        ("minimum", by, why::MINIMUM_ABOVE_ZERO),
        ("maximum", by, why::MAXIMUM_ABOVE_ZERO),
        ("chip", text.wagers.chips, why::CHIP_ABOVE_ZERO),
    ] {
        row(visit, &[key], &[(ABOVE_ZERO, by)], Some((by, why)));
    }
    row(visit, &["multiple_action.required"], &[("0..", by)], None);
    let limited = text.sharing.limited;
    row(visit, &["shared_boxes"], &[("all", limited), ("0..", limited)], None);
}

/// Visits the rows for the place of the cut card and for the licensee's own procedures.
fn cards(text: &Text, visit: Visit<'_>) {
    let (least, why) = match text.cut.behind {
        3 => ("0.333..=1", why::THIRD_BEHIND_CUT_CARD),
        _ => ("0.25..=1", why::QUARTER_BEHIND_CUT_CARD),
    };
    row(visit, &["cut_behind"], &[(least, text.cut.place)], Some((text.cut.place, why)));
    let none = Value { is: "[]", by: text.shuffle.by, asks: &[] };
    let own = |&own: &OwnProcedure, by| Value { is: own.word(), by, asks: &[] };
    let of_text = text.shuffle.own.into_iter();
    let values: Vec<Value<'_>> = [none]
        .into_iter()
        .chain(of_text.flat_map(|by| OwnProcedure::ALL.iter().map(move |procedure| own(procedure, by))))
        .collect();
    let rejects: Vec<Rejection<'_>> = OwnProcedure::ALL
        .iter()
        .filter(|_| text.shuffle.own.is_none())
        .map(|own| Rejection { is: own.word(), by: departs_from(text, *own), why: why::NO_OWN_PROCEDURES })
        .collect();
    let keys = &["own_procedures"];
    visit(&KeyValues { key: keys[0], keys, values: &values, rejects: &rejects });
    row(visit, &["approval"], &[("*", text.shuffle.own.unwrap_or(text.shuffle.by))], None);
}

/// Returns the clause from which one of the licensee's own procedures departs.
fn departs_from(text: &Text, own: OwnProcedure) -> Clause {
    match own {
        OwnProcedure::NoCutCard | OwnProcedure::CutCardPlacement => text.cut.place,
        OwnProcedure::NoBurn => text.deal.burn,
        OwnProcedure::Shuffle => text.shuffle.by,
    }
}

/// Visits the row for a side bet that the regulation does not have.
fn foreign(text: &Text, wager: SideWager, visit: Visit<'_>) {
    let by = (text.sides.refused)(wager);
    let why = message!(
        "not-a-bet-of-this-game",
        "{side_bet} is not a bet of {game}",
        side_bet = wager.word(),
        game = text.game
    );
    row(visit, &[&crate::lawful::key(wager), "game"], &[("false", by)], Some((by, Reason::Message(&why))));
}

/// Visits the rows for a side bet of the regulation: whether it is offered, its limits, paytables and odds.
fn side_wager(choices: &Choices, side: &Side, visit: Visit<'_>) {
    let key = crate::lawful::key(side.wager);
    let offered = Value { is: "true", by: side.by, asks: side.extras.asks };
    let values = &[offered, Value { is: "false", by: side.by, asks: &[] }];
    visit(&KeyValues { key: &key, keys: &[&key], values, rejects: &[] });
    let (minimum, maximum, by, why) = match side.amounts {
        Amounts::Any => {
            let why = message!("limits-above-zero", "the minimum and the maximum must be above zero");
            (ABOVE_ZERO, ABOVE_ZERO, side.by, Message::from(why))
        }
        Amounts::OneDollar(by, name) => {
            let why = message!("side-bet-of-one-dollar", "{side_bet} must be one dollar", side_bet = name);
            ("1.00", "1.00", by, why.id("side_bet", side.wager.word()))
        }
        // the text lets the licensee set a maximum, but no other minimum
        Amounts::FromOneDollar(by, name) => {
            let why = message!(
                "side-bet-from-one-dollar",
                "{side_bet} must have a minimum of one dollar",
                side_bet = name
            );
            ("1.00", "1.00..", by, why.id("side_bet", side.wager.word()))
        }
    };
    for (end, is) in [("minimum", minimum), ("maximum", maximum)] {
        row(visit, &[&format!("{key}.{end}")], &[(is, by)], Some((by, Reason::Message(&why))));
    }
    paytables(choices, side, visit);
}

/// Visits the rows for a side bet's paytables at the table's number of decks, and for the odds of the paytable in
/// use.
///
/// If no paytable suits the number of decks, another check reports the violation.
fn paytables(choices: &Choices, side: &Side, visit: Visit<'_>) {
    let key = crate::lawful::key(side.wager);
    let by = (side.no_table)(choices.decks);
    let fits = |decks: &[u8]| decks.is_empty() || decks.contains(&choices.decks);
    let mut fitting = side.paytables.iter().filter(|table| fits(table.decks)).peekable();
    if fitting.peek().is_none() {
        return;
    }
    let tables: Vec<_> = fitting.collect();
    let names: Vec<(&str, Clause)> = tables.iter().map(|table| (table.name, by)).collect();
    let why = message!(
        "no-such-paytable",
        "{side_bet} does not have this paytable in a {decks}-deck game",
        side_bet = side.wager.word(),
        decks = choices.decks
    );
    row(visit, &[&format!("{key}.paytable"), "decks"], &names, Some((by, Reason::Message(&why))));
    let named = choices.offer(side.wager).and_then(|offer| offer.paytable.as_deref());
    let Some(table) = tables.iter().find(|table| named.is_none_or(|name| table.name == name)) else { return };
    for name in own::names(side.wager) {
        let line = table.lines.iter().find(|line| line.sum.is_empty() && own::key(line.hand) == name);
        let (values, by, why) = match (line.map(|line| (line, line.pays)), side.at_least) {
            (Some((line, Pays::Odds(least))), Some(_)) => {
                let offered = choices.offer(side.wager).and_then(|offer| offer.odds.get(&name));
                let why = match offered {
                    Some(odds) => message!(
                        "odds-below-least",
                        "{outcome} must pay at least {least_odds}, not {odds}",
                        outcome = line.hand,
                        least_odds = least,
                        odds
                    ),
                    None => message!(
                        "odds-at-least",
                        "{outcome} must pay at least {least_odds}",
                        outcome = line.hand,
                        least_odds = least
                    ),
                };
                (vec![format!("{least}..")], line.by, why)
            }
            (_, None) => {
                let bet = side.wager.word();
                (
                    vec![],
                    by,
                    message!(
                        "odds-set-by-law",
                        "the odds of {side_bet} are fixed by the regulation",
                        side_bet = bet
                    ),
                )
            }
            (_, Some(by)) => (
                vec![],
                by,
                message!("no-such-line", "the side bet's paytable has no line `{line}`", line = name),
            ),
        };
        let values: Vec<(&str, Clause)> = values.iter().map(|is| (is.as_str(), by)).collect();
        let (key, shown) = (format!("{key}.odds.{name}"), format!("{key}.odds"));
        let permitted: Vec<Value<'_>> = values.iter().map(|&(is, by)| Value { is, by, asks: &[] }).collect();
        let rejects = [Rejection { is: "", by, why: Reason::Message(&why) }];
        visit(&KeyValues { key: &key, keys: &[&shown], values: &permitted, rejects: &rejects });
    }
}
