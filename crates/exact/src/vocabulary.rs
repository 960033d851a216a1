//! The basic types of the crate: card ranks, the dealer's face-up cards, and the results of the dealer's hand.
//!
//! Each is a type of its own, so that none is mistaken for another, and each indexes arrays of its own: a rank
//! `[T; RANKS]`, the face-up cards `[T; U]`, a result `[T; RESULTS]`.
//!
//! ```
//! use exact::vocabulary::{DealerResult, RESULTS};
//! let chances = [0.125; RESULTS];
//! assert_eq!(chances[DealerResult::Over], 0.125);
//! ```
//!
//! A rank is not a result, so this does not compile:
//!
//! ```compile_fail,E0277
//! use exact::vocabulary::{RESULTS, Rank};
//! let chances = [0.125; RESULTS];
//! assert_eq!(chances[Rank::Ace], 0.125);
//! ```

use rules::Card;
use std::ops::{Index, IndexMut};

/// The number of ranks: ace, 2 to 9, ten-value.
pub const RANKS: usize = 10;
/// The number of dealer results.
pub const RESULTS: usize = 8;

/// A card's rank for the solver.
///
/// All ten-value cards have the same rank. The regulation has thirteen ranks (`rules::Rank`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Ace,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    /// A ten, jack, queen or king.
    Ten,
}

/// The rank of aces, which are part of all blackjacks and of all soft hands.
pub const ACE: Rank = Rank::Ace;
/// The rank of all ten-value cards.
pub const TEN: Rank = Rank::Ten;

impl Rank {
    /// All ranks, the ace first.
    pub const ALL: [Rank; RANKS] = {
        use Rank::*;
        [Ace, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten]
    };

    /// Converts the rank of a `rules` card to the solver's rank.
    pub fn of(card: Card) -> Rank {
        Rank::ALL[usize::from(card.value()).saturating_sub(1).min(TEN.index())]
    }

    /// Converts this rank to one of the `rules` crate.
    ///
    /// All ten-value cards become kings, because games with 48-card decks have no tens.
    pub fn face(self) -> rules::Rank {
        use rules::Rank::*;
        [Ace, Two, Three, Four, Five, Six, Seven, Eight, Nine, King][self]
    }

    /// Returns the index of the rank among all ranks.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the points of the rank, with an ace as 1.
    #[inline(always)]
    pub const fn count(self) -> u8 {
        self as u8 + 1
    }

    /// Iterates over this rank and all ranks with more points, counting an ace as 1.
    pub fn and_above(self) -> impl Iterator<Item = Rank> + Clone {
        Rank::ALL.into_iter().skip(self.index())
    }

    /// Iterates over all unordered pairs of ranks, the lower rank first, including two equal ranks.
    pub fn twos() -> impl Iterator<Item = [Rank; 2]> {
        Rank::ALL.into_iter().flat_map(|low| low.and_above().map(move |high| [low, high]))
    }
}

/// The dealer's face-up cards at a decision, also called the visible state.
///
/// The number is an index into the visible states of a `Seen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Upcard(usize);

impl Upcard {
    /// Returns the state with one face-up card of this rank.
    #[inline(always)]
    pub const fn card(rank: Rank) -> Upcard {
        Upcard(rank.index())
    }

    /// Returns the state with these two cards face up, the lower first.
    ///
    /// There are fifty-five such states.
    pub const fn both([low, high]: [Rank; 2]) -> Upcard {
        Upcard(place_of_two(low, high))
    }

    /// The state of a table that has only one visible state.
    pub const ONLY: Upcard = Upcard(0);

    /// Iterates over all `U` visible states.
    #[inline(always)]
    pub fn all<const U: usize>() -> impl DoubleEndedIterator<Item = Upcard> + ExactSizeIterator + Clone {
        (0..U).map(Upcard)
    }

    /// Returns the index of the state among all states.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0
    }

    /// Returns the rank that labels the state's chart column, if the dealer shows one card.
    ///
    /// Returns `None` for a state with an index above the ten ranks.
    pub fn column(self) -> Option<Rank> {
        Rank::ALL.get(self.0).copied()
    }

    /// Returns the rank of the only face-up card.
    ///
    /// The state must have one face-up card.
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.0]
    }
}

/// Returns the index of two cards among all fifty-five unordered pairs, with the lower card given first.
pub const fn place_of_two(low: Rank, high: Rank) -> usize {
    let (low, high) = (low.index(), high.index());
    low * RANKS - low * low.saturating_sub(1) / 2 - low + high
}

/// The final result of the dealer's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum DealerResult {
    Seventeen,
    Eighteen,
    Nineteen,
    Twenty,
    TwentyOne,
    /// A total of 22, in games that push on it.
    TwentyTwo,
    /// A total over 22, or over 21 in games that do not push on 22.
    Over,
    /// An ace and a ten-value card as the first two cards.
    Blackjack,
}

/// The result of a total over 22, or over 21 in games that do not push on 22.
pub const OVER: DealerResult = DealerResult::Over;
/// The result of a blackjack: an ace and a ten-value card as the first two cards.
pub const BLACKJACK: DealerResult = DealerResult::Blackjack;

impl DealerResult {
    /// All results: the totals in rising order, then blackjack.
    pub const ALL: [DealerResult; RESULTS] = {
        use DealerResult::*;
        [Seventeen, Eighteen, Nineteen, Twenty, TwentyOne, TwentyTwo, Over, Blackjack]
    };

    /// Returns the dealer's result for a final total of at least 17 that is not a blackjack.
    pub fn of_points(total: u8) -> DealerResult {
        DealerResult::ALL[usize::from(total.saturating_sub(17)).min(OVER.index())]
    }

    /// Returns the index of the result among all results.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Builds an array with one element per rank.
#[inline(always)]
pub fn by_rank<T>(mut f: impl FnMut(Rank) -> T) -> [T; RANKS] {
    Rank::ALL.map(&mut f)
}

/// Builds an array with one element per visible state.
#[inline(always)]
pub fn by_up<T, const U: usize>(mut f: impl FnMut(Upcard) -> T) -> [T; U] {
    std::array::from_fn(|u| f(Upcard(u)))
}

/// Builds an array with one element per result of the dealer.
#[inline(always)]
pub fn by_result<T>(mut f: impl FnMut(DealerResult) -> T) -> [T; RESULTS] {
    DealerResult::ALL.map(&mut f)
}

// A rank and a result are always less than the length of their tables, by their types, so nothing is checked at run
// time.
macro_rules! index {
    ($by:ty, $table:ty) => {
        impl<T> Index<$by> for $table {
            type Output = T;

            #[inline(always)]
            fn index(&self, at: $by) -> &T {
                &self[at.index()]
            }
        }

        impl<T> IndexMut<$by> for $table {
            #[inline(always)]
            fn index_mut(&mut self, at: $by) -> &mut T {
                &mut self[at.index()]
            }
        }
    };
}

index!(Rank, [T; RANKS]);
index!(DealerResult, [T; RESULTS]);
// the number of states depends on the table
index!(Upcard, [T]);
index!(Upcard, Vec<T>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_rules() {
        let suits = rules::Suit::ALL.into_iter();
        let cards = suits.flat_map(|suit| rules::Rank::ALL.map(|rank| Card::new(rank, suit)));
        cards.for_each(|card| assert_eq!(Rank::of(card).count(), card.value()));
        Rank::ALL.into_iter().for_each(|rank| assert_eq!(rank.face().value(), rank.count()));
    }

    #[test]
    fn two_cards_have_their_place() {
        assert_eq!(Rank::twos().count(), 55);
        for (at, [low, high]) in Rank::twos().enumerate() {
            assert_eq!(Upcard::both([low, high]).index(), at);
            assert_eq!(Upcard::card(low).rank(), low);
        }
    }

    #[test]
    fn points_have_their_result() {
        assert_eq!(
            [16, 17, 21, 22, 23, 26].map(DealerResult::of_points).map(DealerResult::index),
            [0, 0, 4, 5, 6, 6]
        );
        let at = |result: DealerResult| DealerResult::ALL.iter().position(|&r| r == result);
        assert!(DealerResult::ALL.into_iter().all(|result| at(result) == Some(result.index())));
    }
}
