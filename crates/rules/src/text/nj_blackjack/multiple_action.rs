//! Multiple action (2.18): two or three bets, each against its own dealer hand from one upcard.

use super::*;

pub static TEXT: Text = Text {
    preset,
    wagers: Wagers {
        required: clause!("19:47-2.18(b)"),
        below_minimum: clause!("19:47-2.18(b)"),
        dealer_hands: 3,
        several: Some(SeveralDealerHands {
            all: clause!("19:47-2.18(b)#2"),
            double_on_all: clause!("19:47-2.18(c)#3"),
            second: clause!("19:47-2.18(g)"),
            third: clause!("19:47-2.18(h)#3"),
        }),
        areas: &[
            Area { name: "1", by: clause!("19:47-2.18(b)") },
            Area { name: "2", by: clause!("19:47-2.18(b)") },
            Area { name: "3", by: clause!("19:47-2.18(b)") },
        ],
        ..STANDARD.wagers
    },
    settle: Settling {
        bust: clause!("19:47-2.18(f)#2"),
        takes_cards: true,
        holds_busted_added_bets: false,
        ..STANDARD.settle
    },
    deal: Dealing { script: |_| SCRIPT, pick_up: clause!("19:47-2.18(j)"), ..STANDARD.deal },
    surrender: Some(surrender_unless(clause!("19:47-2.8(c)#2"))),
    split: Splitting {
        once: None,
        limit: clause!("19:47-2.11(e)#4"),
        limit_at_seven: clause!("19:47-2.11(e)#4"),
        aces_again: clause!("19:47-2.11(e)#4"),
        ..STANDARD.split
    },
    values: &[values::MULTIPLE_ACTION, values::VALUES, sides::VALUES],
    ..STANDARD
};

/// The script with up to three dealer hands from one upcard (2.18(c)-(i)).
const SCRIPT: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Deal(Up),
        Deal(EachBox),
        InitialSideWagers,
        EarlyBlackjacks,
        Ask(Insurance),
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        NextDealerHand,
        PickUp,
    ]
};

fn preset() -> Choices {
    Choices {
        name: "nj-multiple-action".to_string(),
        variation: Variation::MultipleAction,
        split_hands: 2,
        ..super::preset()
    }
}
