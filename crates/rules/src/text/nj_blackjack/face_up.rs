//! Blackjack with the hole card dealt face up (2.6(k)).
//!
//! There is no insurance and no surrender, equal totals lose, and only 9 to 11 may be doubled.

use super::*;
use crate::hand::Total;
use crate::play::Refusal;
use crate::ruling::{FaceUpBlackjackV21, FaceUpSoftDoubles};

pub static TEXT: Text = Text {
    preset: || Choices { hole_card: HoleCard::Up, split_hands: 2, ..super::preset() },
    settle: Settling {
        compare: settle::compare_face_up,
        // 2.6(k)1: under that reading, a drawn 21 beats a blackjack
        dealer_can_change: |table, player| {
            let may_lose = table.rulings.face_up_blackjack_v_21 == FaceUpBlackjackV21::Loses;
            !player.is_blackjack() || may_lose
        },
        blackjack: Odds::EVEN,
        ..STANDARD.settle
    },
    results: &[
        (
            rule!("blackjack-pays-even", "Every win pays 1 to 1, including a blackjack."),
            clause!("19:47-2.6(k)2"),
        ),
        (
            rule!("equal-totals-lose", "Equal totals lose; a blackjack wins even against a blackjack."),
            clause!("19:47-2.6(k)1"),
        ),
    ],
    felt: &[
        Felt::new(rule!("felt-blackjack-even", "Blackjack pays 1 to 1"), clause!("19:47-2.6(k)2")),
        FELT_STANDS,
        FELT_HITS,
        Felt::new(rule!("felt-ties-lose", "Ties lose, except blackjack"), clause!("19:47-2.6(k)1")),
    ],
    deal: Dealing {
        script: |_| SCRIPT,
        second: Some(DealersSecond { by: clause!("19:47-2.6(k)"), ..SECOND }),
        sevens_card: Some(clause!("19:47-2.6(k)6#2")),
        blackjack_ends: clause!("19:47-2.6(k)6"),
        ..STANDARD.deal
    },
    surrender: Some(Surrender {
        if_not: (rule!("no-surrender", "There is no surrender."), clause!("19:47-2.6(k)3")),
        ..surrender_unless(clause!("19:47-2.6(k)3"))
    }),
    insurance: Insurance {
        by: clause!("19:47-2.6(k)3#2"),
        none: Some(message!("face-up-no-insurance", "with the hole card face up, there is no insurance")),
        sentence: (rule!("no-insurance", "There is no insurance."), clause!("19:47-2.6(k)3#2")),
        ..STANDARD.insurance
    },
    double: Doubling {
        totals: Some(nine_to_eleven),
        sentence: (
            rule!("double-nine-to-eleven", "You may double on a two-card total of 9, 10 or 11."),
            clause!("19:47-2.6(k)4"),
        ),
        ..STANDARD.double
    },
    split: Splitting {
        once: None,
        limit: clause!("19:47-2.6(k)5"),
        limit_at_seven: clause!("19:47-2.6(k)5"),
        aces_again: clause!("19:47-2.6(k)5"),
        ..STANDARD.split
    },
    values: &[values::FACE_UP, values::VALUES, sides::VALUES],
    ..STANDARD
};

/// Returns the clause that allows doubling a total of 9, 10 or 11 (2.6(k)4), or the refusal of another total.
fn nine_to_eleven(choices: &Choices, total: Total) -> Result<Clause, Refusal> {
    let by = clause!("19:47-2.6(k)4");
    match total {
        Total::Hard(9..=11) => Ok(by),
        Total::Soft(19..=20) if choices.rulings.face_up_soft_doubles == FaceUpSoftDoubles::Allowed => Ok(by),
        _ => Err(Refusal::new(
            by,
            message!("face-up-double-totals", "with the hole card face up, only 9, 10 or 11 may be doubled"),
        )),
    }
}

/// The script: as in 2.6(j), except that the hole card is face up and there is no insurance (2.6(k)).
const SCRIPT: &[Step] = {
    use crate::script::{Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Deal(Up),
        Deal(EachBox),
        InitialSideWagers,
        Deal(HoleUp),
        HoleCardSideWagers,
        OpenBlackjack,
        EarlyBlackjacks,
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        BonusButtons,
        PickUp,
    ]
};
