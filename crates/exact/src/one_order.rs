//! The chance of drawing some cards in one particular order.

use crate::cards::{Counts, Shoe, shoe_size, size};
use crate::num::{Real, inverse};
use crate::vocabulary::{RANKS, Rank};

/// The chances of ordered draws from one shoe.
pub struct OneOrder<R> {
    /// The number of ordered draws of `n` cards of one value, by value and `n`.
    draws: [Vec<R>; RANKS],
    /// One divided by the number of ordered draws of `n` cards of any value, by `n`.
    per_order: Vec<R>,
}

impl<R: Real> OneOrder<R> {
    /// A number of cards that exceeds the cards of all hands together.
    const MOST: i64 = 64;

    /// Returns the chances of ordered draws from this shoe.
    pub fn new(shoe: &Shoe) -> Self {
        let falling = |left: u16| {
            let mut all = vec![R::one()];
            for n in 0..Self::MOST.min(i64::from(left)) {
                let last = all[n as usize].clone();
                all.push(last * R::int(i64::from(left) - n));
            }
            all
        };
        let all = shoe_size(shoe);
        let mut per_order = vec![R::one()];
        for n in 0..Self::MOST.min(all) {
            let last = per_order[n as usize].clone();
            per_order.push(last * inverse(all - n));
        }
        OneOrder { draws: shoe.map(falling), per_order }
    }

    /// Returns the chance of drawing `cards` in one particular order, or zero if the shoe has too few cards.
    pub fn chance(&self, cards: &Counts) -> R {
        let Some(per_order) = self.per_order.get(usize::from(size(cards))) else { return R::zero() };
        let mut chance = per_order.clone();
        for r in Rank::ALL.into_iter().filter(|&r| cards[r] > 0) {
            match self.draws[r].get(usize::from(cards[r])) {
                Some(draws) => chance = chance * draws.clone(),
                None => return R::zero(),
            }
        }
        chance
    }
}
