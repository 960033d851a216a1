//! Lawful side wagers, as far as every text asks the same: the wager is one of its own, with a pay table and limits that
//! the text has. What a text asks beyond that is in its own file.

use super::{Kind, Report, key};
use crate::choice::Choices;
use crate::odds::Cents;
use crate::wager::{self, Amounts, Pays, Side, own};

pub(super) fn check(choices: &Choices, report: &mut Report) {
    let text = choices.text();
    for &wager in choices.side_wagers.keys() {
        let Some(side) = text.side(wager) else {
            let message = format!("{} is not a wager of {}", wager.word(), text.game);
            report.violation((text.sides.refused)(wager), &[&key(wager), "game"], message);
            continue;
        };
        paytables(choices, side, report);
        own_odds(choices, side, report);
        limits(choices, side, report);
    }
    for &(one, other, by) in text.sides.exclusions {
        if choices.offer(one).is_some() && choices.offer(other).is_some() {
            let keys = [key(one), key(other)];
            let message = format!("{} and {} may not be offered at one table", one.word(), other.word());
            report.violation(by, &[&keys[0], &keys[1]], message);
        }
    }
    (text.sides.check)(choices, report);
}

/// The pay table must be one that the law has for the wager and the deck count.
fn paytables(choices: &Choices, side: &Side, report: &mut Report) {
    let known = wager::paytable(choices, side.wager).is_some();
    // a deck count without any pay table has its own violation
    let deck_bound = side.paytables.iter().all(|table| !table.decks.is_empty());
    let any = side.paytables.iter().any(|t| t.decks.is_empty() || t.decks.contains(&choices.decks));
    if known || (deck_bound && !any) {
        return;
    }
    let message = format!("{} has no such pay table at {} decks", side.wager.word(), choices.decks);
    let key = format!("{}.paytable", key(side.wager));
    report.violation((side.no_table)(choices.decks), &[&key, "decks"], message);
}

/// 2.22(j), 2.23(f), 2.24(f), 2A.6(c), MA 6(c): own odds are no less than those of the text, line by line.
fn own_odds(choices: &Choices, side: &Side, report: &mut Report) {
    let (Some(offer), Some(table)) = (choices.offer(side.wager), wager::paytable(choices, side.wager)) else {
        return;
    };
    let key = format!("{}.odds", key(side.wager));
    for (name, &odds) in &offer.odds {
        let line = table.lines.iter().find(|line| line.sum.is_empty() && own::key(line.hand) == *name);
        match (line, side.at_least) {
            (_, None) => {
                let message = format!("the odds of {} are those of the text", side.wager.word());
                report.violation((side.no_table)(choices.decks), &[&key], message);
            }
            (None, Some(by)) => {
                report.violation(by, &[&key], format!("its pay table has no line `{name}`"));
            }
            (Some(line), Some(_)) => {
                if let Pays::Odds(least) = line.pays
                    && odds < least
                {
                    let message = format!("{} pays no less than {least}, not {odds}", line.hand);
                    report.violation(line.by, &[&key], message);
                }
            }
        }
    }
}

/// The least and the most of each wager.
fn limits(choices: &Choices, side: &Side, report: &mut Report) {
    let Some(offer) = choices.offer(side.wager) else { return };
    let dollar = Cents::dollars(1);
    let keys = [format!("{}.minimum", key(side.wager)), format!("{}.maximum", key(side.wager))];
    let keys = [keys[0].as_str(), keys[1].as_str()];
    report.require(
        offer.minimum > Cents::ZERO && offer.minimum <= offer.maximum,
        side.by,
        &keys,
        "the minimum must be above zero and not above the maximum",
    );
    let chip = choices.chip.0.max(1);
    if offer.minimum <= offer.maximum && offer.maximum.0 / chip * chip < offer.minimum.0 {
        let message = format!("chips of {} cannot make this wager", choices.chip);
        report.warning(Kind::Equipment, side.chips, &[keys[0], "chip"], message);
    }
    match side.amounts {
        Amounts::Any => {}
        Amounts::OneDollar(by, name) => {
            let holds = offer.minimum == dollar && offer.maximum == dollar;
            report.require(holds, by, &keys, &format!("{name} is one dollar"));
        }
        Amounts::FromOneDollar(by, name) => {
            // the text lets the licensee set a maximum, not another minimum
            let message = format!("{name} is at least one dollar, and a dollar is enough");
            report.require(offer.minimum == dollar, by, &keys, &message);
        }
    }
}
