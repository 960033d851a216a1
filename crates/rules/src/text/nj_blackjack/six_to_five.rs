//! The 6 to 5 variation of blackjack, with one or two decks that are dealt from the hand.
//!
//! Its clauses are 2.2(e), 2.3(d)-(e), 2.5(i), 2.6A, 2.8(c), 2.12(d).

use super::*;

pub static TEXT: Text = Text {
    preset,
    wagers: Wagers { unit: Some((Cents::dollars(5), clause!("19:47-2.3(d)#4"))), ..STANDARD.wagers },
    settle: Settling {
        compare: settle::compare_six_to_five,
        bust: clause!("19:47-2.6A(e)3"),
        takes_cards: true,
        holds_busted_added_bets: false,
        blackjack: Odds::new(6, 5),
        ..STANDARD.settle
    },
    results: &[
        (
            rule!("blackjack-pays-six-to-five", "A blackjack pays 6 to 5, other wins 1 to 1."),
            clause!("19:47-2.3(e)#4"),
        ),
        STANDARD.results[1],
        STANDARD.results[2],
    ],
    felt: &[
        Felt::new(rule!("felt-blackjack-six-to-five", "Blackjack pays 6 to 5"), clause!("19:47-2.3(e)#4")),
        Felt { by: clause!("19:47-2.12(d)"), ..FELT_HITS },
        FELT_INSURANCE,
    ],
    shuffle: Shuffling {
        swap: Some(clause!("19:47-2.2(e)#3")),
        swap_each_round: Some(clause!("19:47-2.5(i)#3")),
        device_only: Some(clause!("19:47-2.2(e)")),
        ..STANDARD.shuffle
    },
    cut: Cutting {
        place: clause!("19:47-2.5(i)#2"),
        behind: 3,
        card_out: clause!("19:47-2.6A(j)"),
        ..STANDARD.cut
    },
    deal: Dealing {
        first_card: clause!("19:47-2.6A(c)1"),
        up_card: clause!("19:47-2.6A(c)2"),
        next_card: clause!("19:47-2.6A(c)3"),
        face_down: Some(FaceDown {
            burned: clause!("19:47-2.6A(c)"),
            split: clause!("19:47-2.6A(e)1"),
            thrown_in: clause!("19:47-2.6A(e)2"),
            turned: clause!("19:47-2.6A(g)"),
        }),
        total: clause!("19:47-2.6A(d)"),
        decisions: clause!("19:47-2.6A(d)#2"),
        turns: clause!("19:47-2.6A(d)#2"),
        drawn: clause!("19:47-2.6A(e)"),
        new_total: None,
        second: Some(DealersSecond {
            by: clause!("19:47-2.6A(f)"),
            announced: clause!("19:47-2.6A(f)#2"),
            ..SECOND
        }),
        dealer_total: clause!("19:47-2.6A(f)#3"),
        reader: clause!("19:47-2.6A(h)"),
        pick_up: clause!("19:47-2.6A(i)"),
        ..STANDARD.deal
    },
    surrender: Some(surrender_unless(clause!("19:47-2.8(c)#3"))),
    double: Doubling { card: clause!("19:47-2.6A(e)"), ..STANDARD.double },
    draw: Drawing {
        bust: clause!("19:47-2.6A(e)2#2"),
        dealer_stands: clause!("19:47-2.12(d)"),
        dealer_hits: clause!("19:47-2.12(d)"),
        ..STANDARD.draw
    },
    irregular: Irregular {
        out_of_cards: clause!("19:47-2.15(f)#2"),
        reshuffle_burn: clause!("19:47-2.15(f)#2"),
        ..STANDARD.irregular
    },
    values: &[values::SIX_TO_FIVE, values::VALUES, sides::VALUES],
    ..STANDARD
};

fn preset() -> Choices {
    Choices {
        variation: Variation::SixToFive,
        decks: 2,
        soft_17: Soft17::Hit,
        split_hands: 2,
        shoe: Shoe::Hand,
        shuffle: Shuffle::Automated,
        cut_behind: Millionths(400_000),
        chip: Cents::dollars(5),
        ..super::preset()
    }
}
