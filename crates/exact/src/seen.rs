//! The dealer's cards that the players see when they decide, and rows with one number per visible state.

use crate::cards::{Counts, plus};
use crate::num::Real;
use crate::vocabulary::{RANKS, Rank, Upcard};

/// Which of the dealer's cards the players see at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Only the upcard is seen, which gives ten visible states.
    UpCard,
    /// Both first cards are seen (2.6(k)), which gives fifty-five visible states.
    BothCards,
    /// Both first cards are seen, and only the state with these two cards is computed, which gives one visible
    /// state.
    TheseCards(Rank, Rank),
}

/// Returns the visible states of `seen` as sets of cards.
pub fn seen_states(seen: Seen) -> Vec<Counts> {
    let one = |r| plus([0; RANKS], r);
    match seen {
        Seen::UpCard => Rank::ALL.into_iter().map(one).collect(),
        Seen::BothCards => Rank::twos().map(|[a, b]| plus(one(a), b)).collect(),
        Seen::TheseCards(a, b) => vec![plus(one(a), b)],
    }
}

/// Returns the visible states of `seen`, as [`Upcard`]s.
pub fn ups(seen: Seen) -> Vec<Upcard> {
    match seen {
        Seen::UpCard => Rank::ALL.map(Upcard::card).to_vec(),
        Seen::BothCards => Rank::twos().map(Upcard::both).collect(),
        Seen::TheseCards(..) => vec![Upcard::ONLY],
    }
}

/// Returns the visible state with these cards face up, or `None` if `seen` has no such state.
pub fn up_of(seen: Seen, cards: &Counts) -> Option<Upcard> {
    ups(seen).into_iter().zip(seen_states(seen)).find(|(_, state)| state == cards).map(|(u, _)| u)
}

/// A set of groups of visible states from [`groups`], with one bit per group.
pub type Groups = u8;

/// The set of all groups.
pub const EVERY_GROUP: Groups = Groups::MAX;

/// Returns the visible states, grouped by similar best play.
///
/// For all states of a group, the dealer's chances are needed beside nearly the same player hands: against 2 to
/// 6, few hands draw beyond twelve; against the other upcards, most hands draw up to sixteen.
pub fn groups(seen: Seen) -> Vec<Vec<Upcard>> {
    match seen {
        Seen::UpCard => {
            let (low, high) =
                ups(seen).into_iter().partition(|u| (Rank::Two..=Rank::Six).contains(&u.rank()));
            vec![low, high]
        }
        Seen::BothCards | Seen::TheseCards(..) => vec![ups(seen)],
    }
}

/// One number for every visible state.
pub type Row<R, const U: usize> = [R; U];

/// Returns a row that repeats one number.
pub fn constant<R: Real, const U: usize>(x: &R) -> Row<R, U> {
    std::array::from_fn(|_| x.clone())
}

/// Returns the sum of a row.
pub fn sum<R: Real, const U: usize>(row: &Row<R, U>) -> R {
    row.iter().fold(R::zero(), |sum, x| sum + x.clone())
}
