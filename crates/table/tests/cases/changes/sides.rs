//! Mutants of the side bets of a text.

use super::{Found, NOWHERE, dearer};
use rules::wager::{
    Amounts, ButtonSteps, Cap, Extras, LostOn, MeterSteps, Moment, PayLine, PayTable, Pays, Side,
};
use rules::{Cents, Clause, Odds};
use std::fmt::Debug;

/// Changes the side bets: their citations, and every line of every paytable.
pub(super) fn sides(found: &mut Found) {
    let of = found.of;
    found.change("sides.refused", "a function", |text| text.sides.refused = |_| NOWHERE);
    // texts share this list: skip rows about a bet that this text does not have
    let has = |wager| of.side(wager).is_some();
    let own = of.sides.exclusions.iter().enumerate().filter(|(_, (one, other, _))| has(*one) && has(*other));
    for (at, (one, other, by)) in own {
        let mut rows = of.sides.exclusions.to_vec();
        rows.remove(at);
        let row = format!("sides.exclusions.{} and {}", one.word(), other.word());
        found.change(&row, by, |text| text.sides.exclusions = rows.leak());
        let mut rows = of.sides.exclusions.to_vec();
        rows[at].2 = NOWHERE;
        found.cite(row + ".by", *by, |text| text.sides.exclusions = rows.leak());
    }
    for (at, &side) in of.sides.rows.iter().enumerate() {
        let name = side.wager.word();
        let mut put = |row: &str, was: &dyn Debug, by: Option<Clause>, other: Side| {
            let mut rows = of.sides.rows.to_vec();
            rows[at] = other;
            found.change(format!("sides.{name}.{row}"), was, |text| text.sides.rows = rows.leak());
            if let Some(last) = found.mutants.last_mut() {
                last.by = by;
            }
        };
        let Side {
            wager: _,
            by,
            settles,
            paytables,
            no_table: _,
            at_least,
            beside_main,
            amounts,
            chips,
            least,
            within_main,
            most,
            lost,
            area,
            sign,
            highest_line_only,
            extras,
        } = side;
        for (row, by, other) in [
            ("by", by, Side { by: NOWHERE, ..side }),
            ("beside_main", beside_main, Side { beside_main: NOWHERE, ..side }),
            ("chips", chips, Side { chips: NOWHERE, ..side }),
            ("least", least, Side { least: NOWHERE, ..side }),
            ("most", most, Side { most: NOWHERE, ..side }),
            ("lost", lost, Side { lost: NOWHERE, ..side }),
            ("area", area, Side { area: NOWHERE, ..side }),
            ("sign", sign, Side { sign: NOWHERE, ..side }),
        ] {
            put(row, &by, Some(by), other);
        }
        if let Some(by) = within_main {
            put("within_main", &by, Some(by), Side { within_main: None, ..side });
            put("within_main.by", &by, Some(by), Side { within_main: Some(NOWHERE), ..side });
        }
        let with = |extras| Side { extras, ..side };
        if let &[row @ LostOn { by, .. }] = extras.lost_on {
            put("lost_on", &by, Some(by), with(Extras { lost_on: &[], ..extras }));
            let other = vec![LostOn { by: NOWHERE, ..row }].leak();
            put("lost_on.by", &by, Some(by), with(Extras { lost_on: other, ..extras }));
        }
        if let Some(by) = extras.one_of {
            put("one_of", &by, Some(by), with(Extras { one_of: None, ..extras }));
            put("one_of.by", &by, Some(by), with(Extras { one_of: Some(NOWHERE), ..extras }));
        }
        if let Some(by) = extras.approved {
            put("approved", &by, Some(by), with(Extras { approved: None, ..extras }));
            put("approved.by", &by, Some(by), with(Extras { approved: Some(NOWHERE), ..extras }));
        }
        if let Some(by) = extras.meter {
            let MeterSteps { light_on, counted, raised, cards, light, reset } = by;
            put("meter", &"there", None, with(Extras { meter: None, ..extras }));
            for (row, was, other) in [
                ("light_on", light_on, MeterSteps { light_on: NOWHERE, ..by }),
                ("counted", counted, MeterSteps { counted: NOWHERE, ..by }),
                ("raised", raised, MeterSteps { raised: NOWHERE, ..by }),
                ("cards", cards, MeterSteps { cards: NOWHERE, ..by }),
                ("light", light, MeterSteps { light: NOWHERE, ..by }),
                ("reset", reset, MeterSteps { reset: NOWHERE, ..by }),
            ] {
                put(&format!("meter.{row}"), &was, Some(was), with(Extras { meter: Some(other), ..extras }));
            }
        }
        if let Some(by) = extras.button {
            let ButtonSteps {
                cards_under_bet,
                placed,
                shown,
                listed,
                cards,
                amount,
                announced,
                paid,
                picked_up,
            } = by;
            put("button", &"there", None, with(Extras { button: None, ..extras }));
            for (row, was, other) in [
                ("cards_under_bet", cards_under_bet, ButtonSteps { cards_under_bet: NOWHERE, ..by }),
                ("placed", placed, ButtonSteps { placed: NOWHERE, ..by }),
                ("shown", shown, ButtonSteps { shown: NOWHERE, ..by }),
                ("listed", listed, ButtonSteps { listed: NOWHERE, ..by }),
                ("cards", cards, ButtonSteps { cards: NOWHERE, ..by }),
                ("amount", amount, ButtonSteps { amount: NOWHERE, ..by }),
                ("announced", announced, ButtonSteps { announced: NOWHERE, ..by }),
                ("paid", paid, ButtonSteps { paid: NOWHERE, ..by }),
                ("picked_up", picked_up, ButtonSteps { picked_up: NOWHERE, ..by }),
            ] {
                put(
                    &format!("button.{row}"),
                    &was,
                    Some(was),
                    with(Extras { button: Some(other), ..extras }),
                );
            }
        }
        if let Some(by) = extras.no_more_bets {
            put("no_more_bets", &by, Some(by), with(Extras { no_more_bets: None, ..extras }));
            put("no_more_bets.by", &by, Some(by), with(Extras { no_more_bets: Some(NOWHERE), ..extras }));
        }
        if let Some(Cap { line: by, .. }) = extras.cap {
            put("cap", &by, Some(by), with(Extras { cap: None, ..extras }));
        }
        if let Some(by) = highest_line_only {
            put("highest_line_only", &by, Some(by), Side { highest_line_only: None, ..side });
            put("highest_line_only.by", &by, Some(by), Side { highest_line_only: Some(NOWHERE), ..side });
        }
        if let Some(by) = at_least {
            put("at_least", &by, Some(by), Side { at_least: None, ..side });
            put("at_least.by", &by, Some(by), Side { at_least: Some(NOWHERE), ..side });
        }
        match amounts {
            Amounts::Any => {}
            Amounts::OneDollar(by, words) => {
                put("amounts", &by, Some(by), Side { amounts: Amounts::Any, ..side });
                put(
                    "amounts.by",
                    &by,
                    Some(by),
                    Side { amounts: Amounts::OneDollar(NOWHERE, words), ..side },
                );
            }
            Amounts::FromOneDollar(by, words) => {
                put("amounts", &by, Some(by), Side { amounts: Amounts::Any, ..side });
                put(
                    "amounts.by",
                    &by,
                    Some(by),
                    Side { amounts: Amounts::FromOneDollar(NOWHERE, words), ..side },
                );
            }
        }
        let later = if settles == Moment::End { Moment::Deal } else { Moment::End };
        put("settles", &settles, None, Side { settles: later, ..side });
        put("no_table", &"a function", None, Side { no_table: |_| NOWHERE, ..side });
        for (n, table) in paytables.iter().enumerate() {
            let decks = table.decks.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            let row = format!("{}[{decks}]", table.name);
            let mut tables = paytables.to_vec();
            tables.remove(n);
            put(&row, &table, None, Side { paytables: tables.leak(), ..side });
            for (number, &line) in table.lines.iter().enumerate() {
                let pays = match line.pays {
                    Pays::Odds(odds) => Pays::Odds(dearer(odds)),
                    Pays::Amount(amount) => Pays::Amount(Cents(amount.0 + 100)),
                    Pays::Meter | Pays::Award => Pays::Odds(Odds::EVEN),
                };
                for (what, other) in [
                    ("pays", PayLine { pays, ..line }),
                    ("by", PayLine { by: NOWHERE, ..line }),
                    ("hand", PayLine { hand: "another hand", ..line }),
                ] {
                    let mut lines = table.lines.to_vec();
                    lines[number] = other;
                    let mut tables = paytables.to_vec();
                    tables[n] = PayTable { lines: lines.leak(), ..*table };
                    put(
                        &format!("{row}.{number}.{what}"),
                        &line,
                        Some(line.by),
                        Side { paytables: tables.leak(), ..side },
                    );
                }
            }
        }
    }
}
