//! Cards as the solver sees them: ten values, with hands and shoes as counts of each value.
//!
//! Suits are absent here. The three payouts that depend on suits are averaged where the rules are compiled.

use crate::vocabulary::{ACE, RANKS, Rank, by_rank};

/// Numbers of cards by value, from ace to ten-value.
pub type Counts = [u8; RANKS];

/// Numbers of cards left in the shoe, by value.
pub type Shoe = [u16; RANKS];

/// The index of a hand in a list of hands, or of a set of removed cards in a list of such sets.
pub type Index = u32;
/// The index that stands for no hand or no set of cards: a card busts the hand, or the shoe lacks a card.
pub const NONE: Index = Index::MAX;

/// The point count of a hand.
///
/// An ace counts 11 unless the total would exceed 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    /// The total of the hand.
    ///
    /// An ace counts 11 if `soft` is true.
    pub total: u8,
    /// Whether an ace counts 11.
    pub soft: bool,
}

/// Returns the points of a hand.
pub fn points(hand: &Counts) -> Points {
    let hard: u32 = Rank::ALL.into_iter().map(|r| u32::from(r.count()) * u32::from(hand[r])).sum();
    let soft = hand[ACE] > 0 && hard <= 11;
    let total = if soft { hard + 10 } else { hard };
    Points { total: total.min(255) as u8, soft }
}

/// Returns the number of cards in a hand.
pub fn size(hand: &Counts) -> u8 {
    hand.iter().sum()
}

/// Returns the number of cards in a shoe.
pub fn shoe_size(shoe: &Shoe) -> i64 {
    shoe.iter().map(|&n| i64::from(n)).sum()
}

/// Returns the combined cards of two hands.
pub fn together(a: &Counts, b: &Counts) -> Counts {
    by_rank(|r| a[r].saturating_add(b[r]))
}

/// Returns a pair of two cards of value `rank`.
pub fn pair_of(rank: Rank) -> Counts {
    plus(plus([0; RANKS], rank), rank)
}

/// Returns the hand with one more card of value `rank`.
pub fn plus(mut hand: Counts, rank: Rank) -> Counts {
    hand[rank] = hand[rank].saturating_add(1);
    hand
}

/// Returns a hand of these two cards.
pub fn two_cards([a, b]: [Rank; 2]) -> Counts {
    plus(plus([0; RANKS], a), b)
}

/// Iterates over the ranks of the cards, aces first.
pub fn each_card(cards: &Counts) -> impl Iterator<Item = Rank> {
    Rank::ALL.into_iter().flat_map(|r| std::iter::repeat_n(r, usize::from(cards[r])))
}

/// Returns the lowest and the highest rank of the cards.
///
/// Returns `None` if there are no cards.
pub fn lowest_and_highest(cards: &Counts) -> Option<[Rank; 2]> {
    let mut ranks = Rank::ALL.into_iter().filter(|&r| cards[r] > 0);
    let low = ranks.next()?;
    Some([low, ranks.next_back().unwrap_or(low)])
}

/// Returns the lowest rank with exactly two cards in the hand.
///
/// Returns `None` if there is no such rank.
pub fn rank_of_pair(hand: &Counts) -> Option<Rank> {
    Rank::ALL.into_iter().find(|&r| hand[r] == 2)
}

/// Returns the counts in reverse order, ten-value first, as a key for sorting hands.
pub fn highest_first(cards: &Counts) -> Counts {
    let mut cards = *cards;
    cards.reverse();
    cards
}

/// Returns whether all cards of `hand` can come from `shoe`.
pub fn fits(hand: &Counts, shoe: &Shoe) -> bool {
    hand.iter().zip(shoe).all(|(&h, &s)| u16::from(h) <= s)
}
