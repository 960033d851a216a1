//! The progressive blackjack bet (2.19).

use super::{Bet, Kind, PayLine, PayTable, Pays, Prize, Sees, SideBet, SideWager};
use crate::card::Card;
use crate::odds::Cents;

const LINES: [PayLine; 5] = [
    PayLine {
        hand: "four black or four red aces in the first four cards",
        pays: Pays::Meter,
        by: clause!("19:47-2.19(c) \"Four black or four red aces in the first four cards\""),
        sum: &[],
    },
    PayLine {
        hand: "three aces of the same suit in the first three cards",
        pays: Pays::Amount(Cents::dollars(2500)),
        by: clause!("19:47-2.19(c) \"Three aces of the same suit in the first three cards\""),
        sum: &[],
    },
    PayLine {
        hand: "any three aces in the first three cards",
        pays: Pays::Amount(Cents::dollars(250)),
        by: clause!("19:47-2.19(c) \"Any three aces in the first three cards\""),
        sum: &[],
    },
    PayLine {
        hand: "two aces of the same suit in the first two cards",
        pays: Pays::Amount(Cents::dollars(100)),
        by: clause!("19:47-2.19(c) \"Two aces of the same suit in the first two cards\""),
        sum: &[],
    },
    PayLine {
        hand: "any two aces in the first two cards",
        pays: Pays::Amount(Cents::dollars(25)),
        by: clause!("19:47-2.19(c) \"Any two aces in the first two cards\""),
        sum: &[],
    },
];

/// The paytable of the progressive bet (2.19(c)).
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &LINES }];

/// Returns the highest paytable line for the consecutive aces at the start of `cards`.
///
/// Returns `None`, a loss, for fewer than two aces (2.19(c), (e)).
pub fn progressive(cards: &[Card]) -> Option<PayLine> {
    let aces = cards.iter().take(4).take_while(|card| card.is_ace()).count();
    let suited = |n: usize| cards[..n].iter().all(|card| card.suit() == cards[0].suit());
    let one_colour =
        |n: usize| cards[..n].iter().all(|card| card.suit().colour() == cards[0].suit().colour());
    match aces {
        4 if one_colour(4) => Some(LINES[0]),
        3 | 4 if suited(3) => Some(LINES[1]),
        3 | 4 => Some(LINES[2]),
        2 if suited(2) => Some(LINES[3]),
        2 => Some(LINES[4]),
        _ => None,
    }
}

/// Returns the amount that `wagers` one-dollar bets add to the meter.
///
/// `rate` is the rate of progression in hundredths of a percent (2.19(i)).
pub const fn contribution(wagers: u32, rate: u32) -> Cents {
    Cents(wagers as i64 * rate as i64 / 100)
}

/// Returns a different number for the ace of each suit, and zero for any other card.
fn suited_ace(card: Card) -> u8 {
    if card.is_ace() { 1 + card.suit() as u8 } else { 0 }
}

/// The definition of the progressive bet, on a series of aces.
pub(super) const KIND: Kind = Kind {
    prize: Prize::Meter,
    keys: &["meter", "seed", "rate"],
    maximum: Cents::dollars(1),
    ..Kind::plain(
        SideWager::Progressive,
        "progressive",
        "Progressive",
        &[Bet {
            bet: SideBet::Progressive,
            name: "progressive",
            sees: Sees::Aces,
            line: |_, view| progressive(view.cards),
        }],
        suited_ace,
    )
};
