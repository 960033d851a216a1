//! The sevens wager: 2.17(a)3, (b)4, (e)3.

use super::{Line, PayTable};
use crate::card::{Card, Rank};
use crate::ruling::LoneSeven;

const LINES: [Line; 5] = [
    Line::odds(
        "three sevens of the same suit",
        5000,
        clause!("19:47-2.17(e)3 \"Three sevens of the same suit\""),
    ),
    Line::odds("three sevens of any suit", 500, clause!("19:47-2.17(e)3 \"Three sevens of any suit\"")),
    Line::odds("two sevens of the same suit", 100, clause!("19:47-2.17(e)3 \"Two sevens of the same suit\"")),
    Line::odds("two sevens of any suit", 50, clause!("19:47-2.17(e)3 \"Two sevens of any suit\"")),
    Line::odds("one seven", 3, clause!("19:47-2.17(e)3 \"One seven\"")),
];

/// 2.17(e)3.
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &LINES }];

/// Returns the highest line of a sevens wager, which is paid once: 2.17(e)3. The third card counts only after two
/// sevens, if the player took it.
pub fn sevens(lone_seven: LoneSeven, cards: &[Card]) -> Option<Line> {
    let seven = |card: &Card| card.rank() == Rank::Seven;
    let suited = |cards: &[Card]| cards.iter().all(|card| card.suit() == cards[0].suit());
    match cards {
        [first, second, third, ..] if [first, second, third].into_iter().all(seven) => {
            Some(LINES[if suited(&cards[..3]) { 0 } else { 1 }])
        }
        [first, second, ..] if seven(first) && seven(second) => {
            Some(LINES[if suited(&cards[..2]) { 2 } else { 3 }])
        }
        [first, ..] if seven(first) => Some(LINES[4]),
        [_, second, ..] if seven(second) && lone_seven == LoneSeven::Either => Some(LINES[4]),
        _ => None,
    }
}

/// Returns whether the wager waits for the player's decision: two sevens as the initial two cards, 2.17(e)#2.
pub fn waits(cards: &[Card]) -> bool {
    matches!(cards, [first, second] if first.rank() == Rank::Seven && second.rank() == Rank::Seven)
}
