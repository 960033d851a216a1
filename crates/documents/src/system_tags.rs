//! Computes the correlation of the tags of a counting system with the effects of removal.

use exact::cards::Shoe;
use exact::vocabulary::{RANKS, Rank};
use sim::count::System;

/// The tags of a counting system, and the number of cards of each rank in a table's full shoe.
#[derive(Clone, Debug)]
pub struct SystemTags {
    /// The tags, indexed by rank.
    pub tags: [f64; RANKS],
    full: [f64; RANKS],
}

impl SystemTags {
    pub fn new(system: &System, shoe: &Shoe) -> SystemTags {
        SystemTags {
            tags: system.tags.map(|tag| f64::from(tag) / f64::from(system.scale)),
            full: shoe.map(f64::from),
        }
    }

    /// Returns the correlation of the tags with some effects of removal, weighted by the number of cards of each
    /// rank.
    ///
    /// A missing effect counts as zero.
    pub fn correlation(&self, effects: &[Option<f64>; RANKS]) -> f64 {
        correlation(&self.full, &self.tags, &effects.map(|effect| effect.unwrap_or(0.0)))
    }
}

fn dot(a: &[f64; RANKS], b: &[f64; RANKS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the correlation of `a` and `b`, which have one value per rank, weighted by the number of cards of each
/// rank.
///
/// Returns zero if the values of `a` or of `b` are all equal.
pub fn correlation(cards: &[f64; RANKS], a: &[f64; RANKS], b: &[f64; RANKS]) -> f64 {
    let all: f64 = cards.iter().sum();
    let mean = |of: &[f64; RANKS]| dot(cards, of) / all;
    let (of_a, of_b) = (mean(a), mean(b));
    let product = |f: &dyn Fn(Rank) -> f64| Rank::ALL.into_iter().map(|r| cards[r] * f(r)).sum::<f64>();
    let covariance = product(&|r| (a[r] - of_a) * (b[r] - of_b));
    let spread = product(&|r| (a[r] - of_a).powi(2)) * product(&|r| (b[r] - of_b).powi(2));
    if spread > 0.0 { covariance / spread.sqrt() } else { 0.0 }
}

/// Returns the weighted correlation of two figures.
///
/// Each element of `pairs` has a value of the first figure, a value of the second figure, and their weight.
/// Returns zero if either figure has only equal values.
pub fn weighted_correlation(pairs: &[(f64, f64, f64)]) -> f64 {
    let sum = |f: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(a, b, weight)| weight * f(a, b)).sum::<f64>();
    let all = sum(&|_, _| 1.0);
    let (of_a, of_b) = (sum(&|a, _| a) / all, sum(&|_, b| b) / all);
    let spread = sum(&|a, _| (a - of_a).powi(2)) * sum(&|_, b| (b - of_b).powi(2));
    if spread > 0.0 { sum(&|a, b| (a - of_a) * (b - of_b)) / spread.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_those_of_all_cards() {
        let cards = [4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0];
        let tags = [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0];
        assert!((correlation(&cards, &tags, &tags.map(|t| 3.0 * t + 5.0)) - 1.0).abs() < 1e-12);
        // insurance: tens against all others; Hi-Lo has 0.76 (Griffin)
        let tens = std::array::from_fn(|r| if r == 9 { -9.0 } else { 4.0 });
        assert!((correlation(&cards, &tags, &tens) - 0.76).abs() < 0.01);
    }
}
