//! Checks the legality of blackjack tables and their variations; `sides` checks the side bets.

use crate::choice::*;
use crate::lawful::{Kind, Report};

pub(super) fn check(choices: &Choices, report: &mut Report) {
    splits(choices, report);
    insurance(choices, report);
    special_odds(choices, report);
    shoes(choices, report);
    if choices.variation == Variation::SixToFive && choices.minimum.0 % 500 != 0 {
        report.warning(
            Kind::Equipment,
            clause!("19:47-2.3(d)#4"),
            &["minimum", "variation"],
            message!(
                "minimum-no-multiple-of-five",
                "bets must be multiples of five dollars, so nobody can bet the minimum"
            ),
        );
    }
}

/// Checks that a table with seven boxes does not let a hand be split into four (2.11(e)).
///
/// The clause allows four hands with up to six boxes and three hands with seven. It has no rule for more boxes
/// (Q33).
fn splits(choices: &Choices, report: &mut Report) {
    if choices.positions == 7 && choices.split_hands == 4 && choices.variation != Variation::MultipleAction {
        report.violation(
            clause!("19:47-2.11(e)#2"),
            &["split_hands", "positions"],
            message!(
                "seven-boxes-three-hands",
                "with seven boxes, a hand may be split into at most three hands"
            ),
        );
    }
}

/// Checks that insurance during the player's own turn is offered only without a card reader (2.9(b)).
fn insurance(choices: &Choices, report: &mut Report) {
    report.require(
        choices.late_insurance == Offered::No || choices.hole_card != HoleCard::Reader,
        clause!("19:47-2.9(b)#5"),
        &["late_insurance", "hole_card"],
        message!(
            "reader-no-late-insurance",
            "with a card reader, all insurance must be placed before the hole card is read"
        ),
    );
}

/// Checks that at most one blackjack is designated for special odds (2.3(e)3).
fn special_odds(choices: &Choices, report: &mut Report) {
    report.require(
        choices.bonus_payouts.blackjacks.len() <= 1,
        clause!("19:47-2.3(e)3"),
        &["bonus_payouts"],
        message!("one-designated-blackjack", "only one blackjack combination may be designated"),
    );
}

/// Checks the choices at a table with a continuous shuffler (2.21).
fn shoes(choices: &Choices, report: &mut Report) {
    if choices.shoe == Shoe::Continuous {
        report.require(
            choices.mid_shoe_entry.is_yes(),
            clause!("19:47-2.3(i)"),
            &["mid_shoe_entry", "shoe"],
            message!(
                "continuous-shuffler-entry",
                "a continuous shuffler never reshuffles, so players barred until the next reshuffle could never return"
            ),
        );
        report.require(
            choices.shuffle != Shuffle::BartCarter,
            clause!("19:47-2.21"),
            &["shuffle", "shoe"],
            message!(
                "continuous-shuffler-no-bart-carter",
                "the Bart Carter shuffle is impossible with a continuous shuffler, which leaves no discards to shuffle"
            ),
        );
    }
}
