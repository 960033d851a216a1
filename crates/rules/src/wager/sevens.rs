//! The sevens bet (2.17(a)3, (b)4, (e)3).

use super::{Bet, Kind, PayLine, PayTable, Sees, SideBet, SideWager};
use crate::card::{Card, Rank};
use crate::odds::Cents;
use crate::ruling::LoneSeven;

const LINES: [PayLine; 5] = [
    PayLine::odds(
        "three sevens of the same suit",
        5000,
        clause!("19:47-2.17(e)3 \"Three sevens of the same suit\""),
    ),
    PayLine::odds("three sevens of any suit", 500, clause!("19:47-2.17(e)3 \"Three sevens of any suit\"")),
    PayLine::odds(
        "two sevens of the same suit",
        100,
        clause!("19:47-2.17(e)3 \"Two sevens of the same suit\""),
    ),
    PayLine::odds("two sevens of any suit", 50, clause!("19:47-2.17(e)3 \"Two sevens of any suit\"")),
    PayLine::odds("one seven", 3, clause!("19:47-2.17(e)3 \"One seven\"")),
];

/// The paytable of the sevens bet (2.17(e)3).
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &LINES }];

/// Returns the highest paytable line of a sevens bet, or `None` if the bet loses (2.17(e)3).
///
/// The third card counts only if the first two are sevens and the player took the third.
pub fn sevens(lone_seven: LoneSeven, cards: &[Card]) -> Option<PayLine> {
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

/// Returns whether the bet waits for the player's decision, that is, whether the first two cards are sevens
/// (2.17(e)#2).
pub fn waits(cards: &[Card]) -> bool {
    matches!(cards, [first, second] if first.rank() == Rank::Seven && second.rank() == Rank::Seven)
}

/// Returns a different number for the seven of each suit, and zero for any other card.
fn suited_seven(card: Card) -> u8 {
    if card.rank() == Rank::Seven { 1 + card.suit() as u8 } else { 0 }
}

/// The definition of the sevens bet, on the player's first three cards.
pub(super) const KIND: Kind = Kind {
    maximum: Cents::dollars(1),
    ..Kind::plain(
        SideWager::Sevens,
        "sevens",
        "Sevens",
        &[Bet {
            bet: SideBet::Sevens,
            name: "sevens",
            sees: Sees::Sevens,
            line: |choices, view| sevens(choices.rulings.lone_seven, view.cards),
        }],
        suited_seven,
    )
};
