//! Checks what a text declares about its own comparison, for solvers and compilers, against the comparison itself:
//! whether a dealer's 22 differs from a higher total, and from how many cards on one more makes no difference.

use rules::card::{Card, parse_cards};
use rules::settle::{Stake, Verdict};
use rules::{Hand, Text};

/// Returns whether both declarations hold.
pub fn holds(text: &Text) -> bool {
    let compare =
        |player: &Hand, dealer: &Hand| (text.settle.compare)(&(text.preset)(), player, dealer, Stake::Main);
    let (at_22, over) = (hand(3, 22), hand(3, 23));
    let players = || (2..=7).flat_map(|cards| (4..=21).map(move |points| hand(cards, points))).flatten();
    let differs = |one: Verdict, other: Verdict| one.outcome != other.outcome;
    let apart = match (at_22, over) {
        (Some(at_22), Some(over)) => {
            players().any(|hand| differs(compare(&hand, &at_22), compare(&hand, &over)))
        }
        _ => false,
    };
    // against every dealer total: does one more card matter to a hand of this many?
    let matters = |cards: usize| {
        let dealers = || (17..=23).filter_map(|points| hand(3, points));
        (4..=21).filter_map(|points| Some((hand(cards, points)?, hand(cards + 1, points)?))).any(
            |(fewer, more)| {
                dealers().any(|dealer| differs(compare(&fewer, &dealer), compare(&more, &dealer)))
            },
        )
    };
    let most = text.settle.most_cards;
    apart == text.settle.at_22 && matters(most - 1) && !matters(most) && !matters(most + 1)
}

/// Returns a hand with this many cards and points; 21 points in two cards are an ace and a king.
fn hand(cards: usize, points: usize) -> Option<Hand> {
    if (cards, points) == (2, 21) {
        return Some(Hand::dealt(&parse_cards("As Kd").ok()?));
    }
    let mut left = points.checked_sub(2 * cards)?;
    let mut found: Vec<Card> = Vec::new();
    for at in 0..cards {
        let more = left.min(7);
        left -= more;
        let suit = ["c", "d", "h", "s"][at % 4];
        found.push(format!("{}{suit}", 2 + more).parse().ok()?);
    }
    (left == 0).then(|| Hand::dealt(&found))
}
