//! How the dealer's hand ends: the results that settlement tells apart, their chances, and what they are worth together.

use crate::num::Real;
use crate::seen::{Row, constant};

/// Dealer's results: 17 to 21, 22, over 22, blackjack.
pub const RESULTS: usize = 8;
/// The result 22, told apart where the game pushes on it.
pub const TWENTY_TWO: usize = 5;
/// Over 22 (over 21 where 22 is not told apart).
pub const OVER: usize = 6;
/// Blackjack: ace and ten-value in two cards.
pub const BLACKJACK: usize = 7;

/// Whether a dealer's 22 is a result of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At22 {
    /// It is: Switch and Triple Attack push on it.
    Apart,
    /// It is over, like 23.
    Over,
}

/// Chances of each dealer's result, by what is seen of the dealer's hand.
pub type Chances<R, const U: usize> = [[R; U]; RESULTS];

/// How the dealer's hand ends.
pub trait Ends<R, const U: usize> {
    /// The value of a hand whose net depends on the dealer's result alone, by visible state.
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U>;
}

impl<R: Real, const U: usize> Ends<R, U> for Chances<R, U> {
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U> {
        let mut sum = constant(&R::zero());
        for (pay, chance) in pay.iter().zip(self).filter(|(pay, _)| **pay != R::zero()) {
            for u in 0..U {
                sum[u] = sum[u].clone() + chance[u].clone() * pay.clone();
            }
        }
        sum
    }
}
