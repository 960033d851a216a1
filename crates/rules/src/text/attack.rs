//! What the two attack games ask of a table in the same words, each by a clause of its own.

use crate::choice::*;
use crate::clause::Clause;
use crate::lawful::Report;

/// 26.5(e), 36.5(e): wins pay 1 to 1, so no even money, no special odds and no 6 to 5.
pub(super) fn every_win_even(choices: &Choices, report: &mut Report, by: Clause) {
    report.require(choices.even_money == Offered::No, by, &["even_money"], "there is no even money option");
    report.require(choices.bonus_payouts.is_none(), by, &["bonus_payouts"], "every win is paid 1 to 1");
    report.require(
        choices.variation == Variation::Standard,
        by,
        &["variation"],
        "the variations of blackjack do not exist in this game",
    );
}

/// 26.4(a), 36.4(a): by hand, by a device, or pre-shuffled.
pub(super) fn own_shuffle(choices: &Choices, report: &mut Report, by: Clause) {
    report.require(
        choices.shuffle != Shuffle::BartCarter,
        by,
        &["shuffle"],
        "the Bart Carter shuffle belongs to blackjack and Blackjack Switch",
    );
}
