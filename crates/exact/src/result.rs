//! How the dealer's hand ends: the results that settlement tells apart, their chances, and what they are worth together.

use crate::num::Real;
use crate::seen::{Row, constant};
use crate::vocabulary::{RESULTS, Up};

/// Whether a dealer's 22 is a result of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At22 {
    /// A dealer's 22 is a separate result: Switch and Triple Attack push on it.
    Apart,
    /// A dealer's 22 is over, like 23.
    Over,
}

/// Chances of each dealer's result, by what is seen of the dealer's hand.
pub type Chances<R, const U: usize> = [[R; U]; RESULTS];

/// How the dealer's hand ends.
pub trait Ends<R, const U: usize> {
    /// Returns the value of a hand whose net depends on the dealer's result alone, by visible state.
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U>;
}

impl<R: Real, const U: usize> Ends<R, U> for Chances<R, U> {
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U> {
        let mut sum = constant(&R::zero());
        for (pay, chance) in pay.iter().zip(self).filter(|(pay, _)| **pay != R::zero()) {
            for u in Up::all::<U>() {
                sum[u] = sum[u].clone() + chance[u].clone() * pay.clone();
            }
        }
        sum
    }
}
