//! Tests any shoe against values that a recursion over single cards finds in exact fractions.
//!
//! The recursion is crates/cli/tests/cli/thin_shoes.py. Also tests properties of the effects of removal.

use crate::cards::Shoe;
use crate::ev::{Question, ev_from};
use crate::game::{Strategy, value_at};
use crate::judge::{Ended, EndedAs};
use crate::removal::{PlayAfterRemoval, removal};
use crate::results::{results, results_at};
use crate::stack::{Stack, read_cards};
use crate::table::{Attacked, Table};
use crate::vocabulary::Rank;
use rules::Choices;
use rules::preset::preset;

fn reader() -> Choices {
    Choices { decks: 1, split_hands: 2, ..preset("nj-blackjack-reader").unwrap() }
}

fn stack(choices: &Choices, left: Shoe) -> Stack {
    let mut stack = Stack::full(choices);
    Rank::ALL.into_iter().for_each(|r| stack.leave(r, u32::from(left[r])).unwrap());
    stack
}

const SHOES: [Shoe; 3] =
    [[2, 0, 0, 0, 2, 3, 0, 2, 3, 8], [4, 0, 0, 0, 0, 0, 3, 0, 0, 12], [1, 1, 2, 0, 0, 2, 2, 2, 2, 9]];

#[test]
fn rounds_from_thin_shoes() {
    let choices = reader();
    let values = [(8_166_397, 79_361_100), (82_183, 293_930), (450_852_991, 6_666_332_400_i64)];
    for (shoe, (n, d)) in SHOES.into_iter().zip(values) {
        let table = Table::new(&choices, Attacked::No).with_stack(&stack(&choices, shoe)).unwrap();
        let found = value_at(&table, &Strategy::CompositionDependent);
        assert!((found - n as f64 / d as f64).abs() < 1e-13, "{shoe:?}: {found} {n}/{d}");
    }
}

/// An ending of a round: its way, its net as a fraction, and its chance as a fraction.
type Known = (EndedAs, (i64, i64), (i64, i64));

#[test]
fn results_from_thin_shoes() {
    use EndedAs::{Blackjack, Busted, Doubled, Stood};
    let choices = reader();
    let known: [(&[Known], (i64, i64)); 2] = [
        (
            &[
                (Doubled, (2, 1), (25_259_369, 634_888_800)),
                (Blackjack, (3, 2), (1168, 14_535)),
                (Stood, (1, 1), (211_457, 691_600)),
                (Blackjack, (0, 1), (56, 14_535)),
                (Doubled, (0, 1), (896_789, 211_629_600)),
                (Stood, (0, 1), (13_868_027, 211_629_600)),
                (Busted, (-1, 1), (153_949, 1_744_200)),
                (Stood, (-1, 1), (12_637_741, 37_346_400)),
                (Doubled, (-2, 1), (1_212_803, 79_361_100)),
            ],
            (851, 14_535),
        ),
        (
            &[
                (Doubled, (2, 1), (1381, 176_358)),
                (Blackjack, (3, 2), (206, 969)),
                (Stood, (1, 1), (26_177, 1_763_580)),
                (Blackjack, (0, 1), (22, 323)),
                (Doubled, (0, 1), (2209, 881_790)),
                (Stood, (0, 1), (5008, 146_965)),
                (Busted, (-1, 1), (3047, 352_716)),
                (Stood, (-1, 1), (8999, 25_935)),
                (Doubled, (-2, 1), (64, 62_985)),
            ],
            (98, 323),
        ),
    ];
    for (shoe, (lines, split)) in SHOES.into_iter().zip(known) {
        let table = Table::new(&choices, Attacked::No).with_stack(&stack(&choices, shoe)).unwrap();
        let found = results_at(&table, &Strategy::CompositionDependent);
        assert_eq!(found.lines.len(), lines.len(), "{found:?}");
        for &(way, net, (n, d)) in lines {
            let line = found.lines.iter().find(|line| line.ended == Ended { way, net });
            let hands = line.map_or(f64::NAN, |line| line.hands);
            assert!((hands - n as f64 / d as f64).abs() < 1e-13, "{shoe:?} {way:?} {net:?}: {hands}");
        }
        assert!((found.split - split.0 as f64 / split.1 as f64).abs() < 1e-13, "{}", found.split);
        let all: f64 = found.lines.iter().map(|line| line.hands * line.net()).sum();
        let value = value_at(&table, &Strategy::CompositionDependent);
        assert!((all + found.split_net - value).abs() < 1e-14);
    }
}

/// In every form of round, the listed endings and the split hands add up to the whole.
#[test]
fn results_add_up_in_every_form_of_round() {
    for name in ["nj-six-to-five", "nj-switch", "nj-double-attack", "nj-triple-attack"] {
        let choices = preset(name).unwrap();
        let found = results(&choices, &Strategy::CompositionDependent);
        assert!((0.01..0.12).contains(&found.split), "{name}: {}", found.split);
        let all: f64 = found.lines.iter().map(|line| line.hands * line.net()).sum();
        let value = crate::game::value(&choices, &Strategy::CompositionDependent);
        let hands = f64::from(found.dealt);
        assert!(((all + found.split_net) / hands - value).abs() < 1e-12, "{name}");
        let surrendered = found.lines.iter().any(|line| line.ended.way == EndedAs::Surrendered);
        assert_eq!(surrendered, choices.surrender.is_yes(), "{name}");
    }
    let choices = preset("nj-six-to-five").unwrap();
    let figures = crate::game::figures(&choices, &Strategy::CompositionDependent);
    let found = results(&choices, &Strategy::CompositionDependent);
    assert_eq!(figures.shares[0].0, "split");
    assert!((figures.shares[0].1 - found.split).abs() < 1e-12, "{figures:?}");
}

#[test]
fn actions_from_thin_shoes() {
    let choices = reader();
    let of = |shoe: Shoe, cards: &str, up: &str| {
        let stack = stack(&choices, shoe);
        let all = stack.with_suits(&read_cards(&format!("{cards} {up}")).unwrap()).unwrap();
        let (hand, up) = all.split_at(2);
        let question = Question { hand, other: &[], up, removed: &[], attacked: Attacked::No };
        ev_from(&choices, &question, &stack).unwrap().actions
    };
    let eights = of(SHOES[2], "88", "6");
    let aces = of(SHOES[1], "A A", "T");
    for (found, expected) in [
        (
            eights,
            [
                ("split", 1.3689153439153439),
                ("stand", 0.25694833488951135),
                ("hit", -0.6278711484593837),
                ("double", -1.2557422969187675),
            ],
        ),
        (
            aces,
            [
                ("split", 0.8380952380952381),
                ("hit", -0.7858712715855573),
                ("stand", -1.0),
                ("double", -1.8857142857142857),
            ],
        ),
    ] {
        for (found, (action, ev)) in found.iter().zip(expected) {
            assert!(found.action == action && (found.ev - ev).abs() < 1e-13, "{found:?}: {action} {ev}");
        }
    }
}

/// With fixed play, the effects of removal weighted by the number of cards of each value add up to zero.
///
/// A round from a shoe without one random card has the same EV as a round from the full shoe. Re-optimized play is
/// never worse.
#[test]
fn effects_of_fixed_play_add_up_to_nothing() {
    for name in ["nj-blackjack", "nj-double-attack", "nj-triple-attack"] {
        let choices = Choices { decks: 2, ..preset(name).unwrap() };
        let table = Table::new(&choices, Attacked::No);
        let (fixed, anew) =
            (removal(&table, PlayAfterRemoval::Fixed), removal(&table, PlayAfterRemoval::Reoptimized));
        let shoe = table.shoe();
        let sum: f64 = Rank::ALL.into_iter().map(|r| f64::from(shoe[r]) * fixed[r].unwrap()).sum();
        assert!(sum.abs() < 1e-12, "{name}: {sum}");
        for r in Rank::ALL {
            let (fixed, anew) = (fixed[r].unwrap(), anew[r].unwrap());
            assert!(fixed <= anew + 1e-14 && fixed > anew - 1e-3, "{name} {r:?}: {fixed} {anew}");
        }
    }
}
