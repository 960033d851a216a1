//! Checks the requirements on side bets that all regulations share.
//!
//! These requirements are about which side bets may be offered together, and about whether chips can make the
//! amounts. The rows of permitted values and the files of the regulations hold the further requirements.

use super::{Kind, Report, key};
use crate::choice::Choices;
use crate::wager::Side;

pub(super) fn check(choices: &Choices, report: &mut Report) {
    let text = choices.text();
    choices
        .side_wagers
        .keys()
        .filter_map(|&wager| text.side(wager))
        .for_each(|side| limits(choices, side, report));
    for side in choices.side_wagers.keys().filter_map(|&wager| text.side(wager)) {
        if let Some(by) = side.extras.same_paytable {
            let message = message!(
                "same-option-everywhere",
                "all tables with the same number of decks must use the same option"
            );
            report.warning(Kind::Notice, by, &[&key(side.wager), "decks"], message);
        }
    }
    for &(one, other, by) in text.sides.exclusions {
        if choices.offer(one).is_some() && choices.offer(other).is_some() {
            let keys = [key(one), key(other)];
            let message = message!(
                "side-bets-exclude-each-other",
                "{side_bet} and {other_bet} may not be offered at the same table",
                side_bet = one.word(),
                other_bet = other.word()
            );
            report.violation(by, &[&keys[0], &keys[1]], message);
        }
    }
    (text.sides.check)(choices, report);
}

/// Checks that a side bet's limits are consistent, and that chips can make a bet within the limits.
fn limits(choices: &Choices, side: &Side, report: &mut Report) {
    let Some(offer) = choices.offer(side.wager) else { return };
    let keys = [format!("{}.minimum", key(side.wager)), format!("{}.maximum", key(side.wager))];
    let keys = [keys[0].as_str(), keys[1].as_str()];
    report.require(
        offer.minimum <= offer.maximum,
        side.by,
        &keys,
        message!("minimum-above-maximum", "the minimum must not be above the maximum"),
    );
    let chip = choices.chip.0.max(1);
    if offer.minimum <= offer.maximum && offer.maximum.0 / chip * chip < offer.minimum.0 {
        let message = message!(
            "chips-cannot-make-bet",
            "no multiple of the {chip} chip is between the minimum and the maximum of this bet",
            chip = choices.chip
        );
        report.warning(Kind::Equipment, side.chips, &[keys[0], "chip"], message);
    }
}
