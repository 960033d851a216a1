//! The dealer's results that settlement distinguishes, their chances, and the value of a hand against all of them.

use crate::num::Real;
use crate::seen::{Row, constant};
use crate::vocabulary::{RESULTS, Upcard};

/// How a dealer's total of 22 is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At22 {
    /// A dealer's 22 is a result of its own, because Switch and Triple Attack push on it.
    Apart,
    /// A dealer's 22 counts as over 21, like 23.
    Over,
}

/// The chance of each result of the dealer, by visible state.
pub type Chances<R, const U: usize> = [[R; U]; RESULTS];

/// A distribution of the dealer's results, by visible state.
pub trait ResultDistribution<R, const U: usize> {
    /// Returns the expected value of `pay` over the dealer's results, by visible state.
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U>;
}

impl<R: Real, const U: usize> ResultDistribution<R, U> for Chances<R, U> {
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U> {
        let mut sum = constant(&R::zero());
        for (pay, chance) in pay.iter().zip(self).filter(|(pay, _)| **pay != R::zero()) {
            for u in Upcard::all::<U>() {
                sum[u] = sum[u].clone() + chance[u].clone() * pay.clone();
            }
        }
        sum
    }
}
