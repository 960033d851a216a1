//! What the players see of the dealer's hand when they decide, and one number for each such state.

use crate::cards::{ACE, Counts, RANKS, plus};
use crate::num::Real;

/// What the players see of the dealer's hand when they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// One card: ten states.
    UpCard,
    /// Both first cards, 2.6(k): fifty-five states.
    BothCards,
    /// Both first cards, and which they are: one state.
    TheseCards(usize, usize),
}

/// The states of `Seen`, each as the cards that are visible.
pub fn seen_states(seen: Seen) -> Vec<Counts> {
    let one = |r| plus([0; RANKS], r);
    match seen {
        Seen::UpCard => (0..RANKS).map(one).collect(),
        Seen::BothCards => (0..RANKS).flat_map(|a| (a..RANKS).map(move |b| plus(one(a), b))).collect(),
        Seen::TheseCards(a, b) => vec![plus(one(a), b)],
    }
}

/// Sets of visible states, one bit for each of `groups`.
pub type Groups = u8;

/// All visible states.
pub const EVERY_GROUP: Groups = Groups::MAX;

/// The visible states in groups whose best play is much alike, so that they need the chances of much the same hands:
/// against 2 to 6 few hands draw beyond twelve, against the others most do up to sixteen.
pub fn groups(seen: Seen) -> Vec<Vec<usize>> {
    match seen {
        Seen::UpCard => vec![(1..=5).collect(), [ACE].into_iter().chain(6..RANKS).collect()],
        Seen::BothCards | Seen::TheseCards(..) => vec![(0..seen_states(seen).len()).collect()],
    }
}

/// One number for every visible state.
pub type Row<R, const U: usize> = [R; U];

/// A row of one number.
pub fn constant<R: Real, const U: usize>(x: &R) -> Row<R, U> {
    std::array::from_fn(|_| x.clone())
}

/// The sum of a row.
pub fn sum<R: Real, const U: usize>(row: &Row<R, U>) -> R {
    row.iter().fold(R::zero(), |sum, x| sum + x.clone())
}
