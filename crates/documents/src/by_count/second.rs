//! Combines the count with a second count, such as a side count of aces.
//!
//! The player adds the surplus of the second count, times a weight, to the running count. Bets, insurance and every
//! index play have their own weight. The best weight is the one with which both counts together follow the effects
//! of removal best.

use crate::Failure;
use crate::system_tags::correlation;
use exact::cards::{Shoe, shoe_size};
use exact::cells::{CellKey, CellValue, cells};
use exact::dealers::Dealers;
use exact::removal::{PlayAfterRemoval, removal};
use exact::table::{Attacked, Table};
use exact::threads::{at_once, each};
use exact::vocabulary::{RANKS, Rank};
use program::chart::Chart;
use rules::Choices;
use serde::Serialize;
use side::removal::insurance_removal;
use sim::count::System;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The largest weight of the second count, for a decision that hardly depends on the main count.
const MOST_WEIGHT: f64 = 5.0;
/// The maximum number of entries in a table of ways to leave cards in the shoe.
const MOST_ENTRIES: usize = 40_000_000;

/// A second count that a player keeps beside the main count.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondCount {
    pub system: System,
    /// The weight of the second count for bets, or `None` for the best weight.
    pub weight: Option<f64>,
}

/// A second count with its weights at one table.
pub struct SecondAtTable {
    pub system: System,
    /// The weight of the second count for bets.
    pub betting: f64,
    /// The weight of the second count for insurance; `None` if the table does not offer insurance.
    pub insurance: Option<f64>,
    /// The correlation of both counts together with the effects of removal on the main game.
    pub betting_correlation: f64,
    counts: Counts,
    /// The mean tag of the second count, over all cards of the full shoe.
    mean: f64,
    /// The number of cards removed from each shoe of `without`.
    few: u16,
    full: BTreeMap<CellKey, CellValue>,
    /// The values of the chart cells for the full shoe without a few cards of each rank.
    without: Vec<BTreeMap<CellKey, CellValue>>,
}

/// The tags of the main count and of the second count, and the number of cards of each rank.
struct Counts {
    cards: [f64; RANKS],
    main: [f64; RANKS],
    second: [f64; RANKS],
}

impl Counts {
    /// Returns the weight of the second count with which both counts together follow `effects` best.
    ///
    /// The effects are those of removing one card of each rank. Returns 0 if the second count adds nothing to the
    /// main count.
    fn weight(&self, effects: &[f64; RANKS]) -> f64 {
        let all: f64 = self.cards.iter().sum();
        let mean = |of: &[f64; RANKS]| dot(&self.cards, of) / all;
        let means = [&self.main, &self.second, effects].map(mean);
        let product = |a: usize, b: usize| -> f64 {
            let of = [&self.main, &self.second, effects];
            (0..RANKS).map(|r| self.cards[r] * (of[a][r] - means[a]) * (of[b][r] - means[b])).sum()
        };
        let (aa, ab, bb, ae, be) =
            (product(0, 0), product(0, 1), product(1, 1), product(0, 2), product(1, 2));
        // the second count says nothing that the main count does not say
        if aa * bb - ab * ab <= 1e-9 * aa * bb {
            return 0.0;
        }
        let (by_main, by_second) = (bb * ae - ab * be, aa * be - ab * ae);
        let weight = by_second / by_main;
        if weight.is_nan() { 0.0 } else { weight.clamp(-MOST_WEIGHT, MOST_WEIGHT) }
    }

    /// Returns the tags of both counts together, if one point of the second count counts as `weight` points.
    fn together(&self, weight: f64) -> [f64; RANKS] {
        std::array::from_fn(|r| self.main[r] + weight * self.second[r])
    }
}

/// A second count, and the points that one point of its surplus adds to the main count.
///
/// The surplus is the running second count minus its normal value for the number of cards gone. It is divided like
/// the main count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SecondCountWeights {
    /// The correlation of both counts together with the effects of removal on the main game.
    pub betting_correlation: f64,
    /// The name of the second counting system, or its ten tags.
    pub count: String,
    /// The weight of the second count for insurance; null if insurance is not offered.
    #[schema(required)]
    pub insurance_weight: Option<f64>,
    /// The weight of the second count for bets.
    pub weight: f64,
}

impl SecondAtTable {
    /// Returns the weights of the second count as they stand in documents.
    pub fn weights(&self) -> SecondCountWeights {
        SecondCountWeights {
            betting_correlation: self.betting_correlation,
            count: self.system.name.clone(),
            insurance_weight: self.insurance,
            weight: self.betting,
        }
    }

    /// Computes the weights of a second count for a player who follows `chart`.
    pub fn new(choices: &Choices, chart: &Chart, main: &System, second: &SecondCount) -> SecondAtTable {
        let dealers = Dealers::default();
        let whole = Table::new(choices, Attacked::No).sharing(&dealers);
        let shoe = whole.shoe();
        let counts = Counts { cards: shoe.map(f64::from), main: tags(main), second: tags(&second.system) };
        let effects = removal(&whole, PlayAfterRemoval::Fixed).map(|effect| effect.unwrap_or(0.0));
        let betting = second.weight.unwrap_or_else(|| counts.weight(&effects));
        let insured = insurance_removal(choices).map(|effects| effects.map(|effect| effect.unwrap_or(0.0)));
        let few = u16::from(choices.decks);
        let shoes: Vec<Shoe> = Rank::ALL
            .into_iter()
            .map(|r| {
                let mut shoe = shoe;
                shoe[r] = shoe[r].saturating_sub(few);
                shoe
            })
            .collect();
        let solve =
            |shoe: &Shoe| cells(&Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(*shoe), chart);
        SecondAtTable {
            betting,
            insurance: insured.map(|effects| counts.weight(&effects)),
            betting_correlation: correlation(&counts.cards, &counts.together(betting), &effects),
            mean: dot(&counts.cards, &counts.second) / shoe_size(&shoe) as f64,
            few,
            full: cells(&whole, chart),
            without: each(&shoes, at_once(choices), solve),
            system: second.system.clone(),
            counts,
        }
    }

    /// Returns the best weight of the second count for a decision.
    ///
    /// `gain` returns the gain of one action over another per hand, given the values of all chart cells, or `None`
    /// if a chart cell lacks an action.
    pub fn decision(&self, gain: impl Fn(&BTreeMap<CellKey, CellValue>) -> Option<f64>) -> f64 {
        let first = gain(&self.full);
        let effect =
            |cells: &BTreeMap<CellKey, CellValue>| Some((gain(cells)? - first?) / f64::from(self.few));
        let effects: Vec<f64> = self.without.iter().map(|cells| effect(cells).unwrap_or(0.0)).collect();
        <[f64; RANKS]>::try_from(effects).map_or(0.0, |effects| self.counts.weight(&effects))
    }

    /// Returns the running second count after the cards `seen` of each rank, in the second count's own tags.
    pub fn running(&self, seen: &[f64; RANKS]) -> f64 {
        dot(&self.counts.second, seen)
    }

    /// Returns the surplus of the second count: its running count minus the normal value after `gone` cards.
    pub fn surplus(&self, running: f64, gone: f64) -> f64 {
        running - self.mean * gone
    }

    /// Returns the tags of both counts together, as they decide the bets.
    pub fn betting_tags(&self) -> [f64; RANKS] {
        self.counts.together(self.betting)
    }

    /// Returns whole tags whose sum over some cards tells the sums of the tags of both counts.
    ///
    /// `main` has the tags of the main count. Returns an error if the shoe has too many pairs of sums.
    pub fn joint_tags(&self, main: &[i32; RANKS], shoe: &Shoe) -> Result<[i32; RANKS], Failure> {
        let sum = |tags: &dyn Fn(usize) -> i32| -> i64 {
            (0..RANKS).map(|r| i64::from(tags(r).abs()) * i64::from(shoe[r])).sum()
        };
        let second = self.system.tags.map(i32::from);
        let step = sum(&|r| main[r]) + 1;
        let width = (step * (sum(&|r| second[r]) + 1)) as usize;
        if width.saturating_mul(shoe_size(shoe) as usize + 1) > MOST_ENTRIES {
            return Err(Failure::Refused(
                "the two counts have too many values together; use fewer decks, or smaller tags in the second count"
                    .into(),
            ));
        }
        Ok(std::array::from_fn(|r| main[r] + step as i32 * second[r]))
    }
}

fn tags(system: &System) -> [f64; RANKS] {
    system.tags.map(|tag| f64::from(tag) / f64::from(system.scale))
}

fn dot(a: &[f64; RANKS], b: &[f64; RANKS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(second: [f64; RANKS]) -> Counts {
        let cards = std::array::from_fn(|r| if r == 9 { 96.0 } else { 24.0 });
        Counts { cards, main: [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0], second }
    }

    /// Effects that follow from both counts give back the weight; a second count that adds nothing has none.
    #[test]
    fn the_weight_is_that_of_the_effects() {
        let aces = counts(std::array::from_fn(|r| if r == 0 { 1.0 } else { 0.0 }));
        let effects = std::array::from_fn(|r| 0.4 * (aces.main[r] - 1.25 * aces.second[r]) + 0.1);
        assert!((aces.weight(&effects) + 1.25).abs() < 1e-12, "{}", aces.weight(&effects));
        let both = aces.together(-1.25);
        assert!((correlation(&aces.cards, &both, &effects) - 1.0).abs() < 1e-12);
        assert_eq!(counts(aces.main).weight(&effects), 0.0);
        assert_eq!(counts([0.0; RANKS]).weight(&effects), 0.0);
        // a decision that depends on the second count alone has the largest weight
        assert_eq!(aces.weight(&aces.second).abs(), MOST_WEIGHT);
    }
}
