//! Computes the value of side bets at each count.

use super::batches::Batches;
use super::sample::{Counts, Sample, evenly, sample_rounds};
use super::surface::{Surfaces, Terms};
use super::{CountValue, SOLVED};
use crate::Failure;
use exact::cards::Shoe;
use exact::threads::{each, threads};
use program::Program;
use sim::count::System;
use std::collections::BTreeMap;

/// The EV and the variance of a side bet, per unit bet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetValue {
    pub ev: f64,
    pub variance: f64,
}

/// The rounds of a simulation that counts the cards.
pub struct CountedRounds<'a> {
    pub program: &'a Program,
    pub system: &'a System,
    pub full: &'a Shoe,
    pub seed: u64,
    pub rounds: u64,
}

/// The sums over the rounds that begin at one count.
struct Sum {
    terms: Terms,
    share: f64,
    batches: Vec<Batches>,
}

/// Returns the values of each side bet at each count, as of the start of a round.
///
/// `price` returns the values of all side bets for the cards left. It also gets the number of the composition.
pub fn bets_by_count<P: Fn(&Shoe, u64) -> Vec<BetValue> + Sync>(
    of: &CountedRounds<'_>,
    price: &P,
) -> Result<Vec<Vec<CountValue>>, Failure> {
    let counts = Counts { system: of.system, second: None };
    let Sample { depth_cells, compositions, scene, .. } =
        sample_rounds(of.program, &counts, of.full, (of.seed, of.rounds), None)?;
    let shoes: Vec<(u64, Shoe)> = (0..).zip(evenly(compositions, SOLVED, of.full)).collect();
    let priced = each(&shoes, threads(), |(nth, shoe)| price(shoe, *nth));
    let bets = priced.first().map_or(0, Vec::len);
    let figures: Vec<Vec<f64>> = priced
        .iter()
        .map(|values| values.iter().flat_map(|value| [value.ev, value.variance]).collect())
        .collect();
    let points: Vec<Terms> = shoes.iter().map(|(_, shoe)| Terms::of(shoe, &scene)).collect();
    let weights: Vec<f64> = shoes.iter().map(|(_, shoe)| scene.weight(shoe)).collect();
    let surfaces = Surfaces::through(&points, &weights, &figures);
    let mut sums: BTreeMap<i32, Sum> = BTreeMap::new();
    for depth_cell in &depth_cells {
        let sum = sums.entry(depth_cell.count).or_insert_with(|| Sum {
            terms: Terms::zero(),
            share: 0.0,
            batches: vec![Batches::default(); bets],
        });
        sum.share += depth_cell.share;
        sum.terms.add(depth_cell.share, &depth_cell.terms);
        for (bet, batches) in sum.batches.iter_mut().enumerate() {
            batches.add(&depth_cell.batches, 1.0, surfaces.at(2 * bet, &depth_cell.terms));
        }
    }
    let value = |bet: usize, count: i32, sum: &Sum| {
        let terms = sum.terms.clone().divided(sum.share);
        let ev = surfaces.at(2 * bet, &terms);
        let fit_error = surfaces.deviation(2 * bet) * surfaces.reach(&terms);
        CountValue {
            count,
            frequency: sum.share,
            ev,
            ev_error: fit_error.hypot(sum.batches[bet].error(ev)),
            fit_error,
            variance: surfaces.at(2 * bet + 1, &terms).max(0.0),
            batches: sum.batches[bet],
        }
    };
    Ok((0..bets).map(|bet| sums.iter().map(|(count, sum)| value(bet, *count, sum)).collect()).collect())
}
