//! Cards as the solver sees them: ten values, hands and shoes as counts of each.
//! Suits are absent here; the three odds that look at suits are averaged where the rules are compiled.

/// Number of card values: ace, 2 to 9, ten-value.
pub const RANKS: usize = 10;
/// Index of the ace.
pub const ACE: usize = 0;
/// Index of the ten-value cards.
pub const TEN: usize = 9;

/// How many cards of each value: ace first, ten-value last.
pub type Counts = [u8; RANKS];

/// The cards left in the dealing shoe, by value.
pub type Shoe = [u16; RANKS];

/// Index of a hand, or of a set of removed cards.
pub type Index = u32;
/// No such hand: the card busts it or is not in the shoe.
pub const NONE: Index = Index::MAX;

/// Point count of a hand; an ace counts 11 where that does not pass 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    /// The best count, 10 more than the hard count when soft.
    pub total: u8,
    /// Whether an ace counts 11.
    pub soft: bool,
}

/// The points of a hand.
pub fn points(hand: &Counts) -> Points {
    let hard: u32 = hand.iter().enumerate().map(|(r, &n)| (r as u32 + 1) * u32::from(n)).sum();
    let soft = hand[ACE] > 0 && hard <= 11;
    let total = if soft { hard + 10 } else { hard };
    Points { total: total.min(255) as u8, soft }
}

/// How many cards a hand has.
pub fn size(hand: &Counts) -> u8 {
    hand.iter().sum()
}

/// How many cards a shoe has.
pub fn shoe_size(shoe: &Shoe) -> i64 {
    shoe.iter().map(|&n| i64::from(n)).sum()
}

/// The cards of both.
pub fn together(a: &Counts, b: &Counts) -> Counts {
    std::array::from_fn(|r| a[r].saturating_add(b[r]))
}

/// Cards of a pair.
pub fn pair_of(rank: usize) -> Counts {
    plus(plus([0; RANKS], rank), rank)
}

/// The hand with one more card of value `rank`.
pub fn plus(mut hand: Counts, rank: usize) -> Counts {
    hand[rank] = hand[rank].saturating_add(1);
    hand
}

/// Whether all cards of `hand` can come from `shoe`.
pub fn fits(hand: &Counts, shoe: &Shoe) -> bool {
    hand.iter().zip(shoe).all(|(&h, &s)| u16::from(h) <= s)
}
