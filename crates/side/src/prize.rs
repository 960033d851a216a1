//! Converts paytable lines into prizes, in units of the bet.

use crate::dealt::Dealt;
use crate::fraction::Fraction;
use crate::report::Prize;
use crate::tally::{Tally, tally_from};
use rules::ruling::ProgressivePays;
use rules::wager::Pays;
use rules::{Cents, Choices, SideBet, SideWager};

/// Returns the prizes of a side bet, best first, with the progressive meter at `meter`.
///
/// Returns no prizes for streak bets and for the awards of the bonus button, which have modules of their own.
pub(crate) fn prizes(dealt: &Dealt<'_>, bet: SideBet, meter: Cents) -> Vec<Prize> {
    tally_from(dealt, bet).map_or_else(Vec::new, |tally| of_tally(dealt, &tally, meter))
}

pub(crate) fn of_tally(choices: &Choices, tally: &Tally, meter: Cents) -> Vec<Prize> {
    let prize = |&(line, ways): &(rules::wager::PayLine, u128)| {
        let (net, pays) = match line.pays {
            Pays::Odds(odds) => (Fraction::of(odds.pays(), odds.per())?, odds.to_string()),
            Pays::Amount(amount) => (net_amount(choices, amount)?, format!("${amount}")),
            Pays::Meter => (net_amount(choices, meter)?, format!("the progressive meter, ${meter}")),
            Pays::Award => return None,
        };
        Some(Prize {
            outcome: line.hand.to_string(),
            chance: Fraction::of(ways, tally.of)?,
            pays,
            net,
            by: line.by,
        })
    };
    tally.lines.iter().filter_map(prize).collect()
}

/// Returns the net win, in dollars, of a one-dollar bet that is paid the fixed amount `amount` (2.19(a), (c)).
///
/// The ruling `progressive_pays` decides whether the amount includes the dollar bet.
fn net_amount(choices: &Choices, amount: Cents) -> Option<Fraction> {
    let won = Fraction::of(amount.0, Cents::dollars(1).0)?;
    Some(match choices.rulings.progressive_pays {
        ProgressivePays::ForOne => won - Fraction::one(),
        ProgressivePays::ToOne => won,
    })
}

/// Returns the name of the paytable in use for a side bet, or an empty string if there is none.
pub(crate) fn paytable_name(choices: &Choices, wager: SideWager) -> &'static str {
    rules::wager::paytable(choices, wager).map_or("", |table| table.name)
}
