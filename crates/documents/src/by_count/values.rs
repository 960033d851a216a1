//! Computes the value of a round at each count under a chart with index plays.

use super::batches::{BATCHES, Batches};
use super::reading::DeckReading;
use super::surface::Terms;
use super::{ByCount, CountValue, DepthCell, NET, SQUARE};
use exact::game::{Strategy, figures};
use exact::given::CompleteChart;
use exact::vocabulary::RANKS;
use program::chart::{Chart, Index};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

/// An index play of the chart, and the weight of the second count for it.
struct Departure<'a> {
    index: &'a Index,
    weight: f64,
}

/// The rounds of one depth cell that the player plays.
///
/// `share` is their fraction of all rounds that the player plays, and `batches` their number in each batch.
struct Rounds<'a> {
    share: f64,
    batches: &'a [u32; BATCHES],
}

impl ByCount {
    /// Returns the value of a round at each count for a player who follows a chart with index plays.
    ///
    /// `insured` is the gain from insurance for each element of [`ByCount::depth_cells`], or `None` without
    /// insurance. The player estimates the decks left for bets and index plays, but knows them for insurance.
    /// `weights` has the weight of the second count for each index play of the chart.
    pub fn values_by_count(
        &self,
        chart: &Chart,
        weights: &[f64],
        insured: Option<&[f64]>,
        reading: &DeckReading,
    ) -> Vec<CountValue> {
        let departures: Vec<Departure<'_>> = chart
            .indices
            .iter()
            .enumerate()
            .map(|(at, index)| Departure { index, weight: weights.get(at).copied().unwrap_or_default() })
            .collect();
        let betting = self.second.as_ref().map_or(0.0, |second| second.betting);
        let mut sums: BTreeMap<i32, Sum> = BTreeMap::new();
        // the squared deviations of the surfaces used for departures from the chart, by count
        let mut deviations: BTreeMap<i32, f64> = BTreeMap::new();
        for (error, weight) in reading.errors() {
            let values = self.values(&departures, insured, (reading, error), &mut deviations);
            for (depth_cell, value) in self.depth_cells.iter().zip(&values) {
                let count = match reading.is_exact() {
                    true => depth_cell.count,
                    false => self.count_read(depth_cell, &[0.0; RANKS], (reading, error), betting).1,
                };
                sums.entry(count).or_default().add((depth_cell, &self.rounds_of(depth_cell)), weight, *value);
            }
        }
        sums.retain(|_, sum| sum.share > 0.0);
        let frequencies: Vec<(i32, f64)> = sums.iter().map(|(count, sum)| (*count, sum.share)).collect();
        let squares = self.squares(chart, &frequencies);
        let values = sums.into_iter().map(|(count, sum)| {
            let ev = sum.value / sum.share;
            let terms = sum.terms.divided(sum.share);
            let departures = deviations.get(&count).copied().unwrap_or_default();
            let deviation = (self.surfaces.deviation(NET).powi(2) + departures).sqrt();
            let square = self.surfaces.at(SQUARE, &terms) + self.split_square + between(&squares, count);
            let fit_error = deviation * self.surfaces.reach(&terms);
            CountValue {
                count,
                frequency: sum.share,
                ev,
                ev_error: fit_error.hypot(sum.batches.error(ev)),
                fit_error,
                variance: self.variance_ratio * (square - ev * ev).max(0.0),
                batches: sum.batches,
            }
        });
        values.collect()
    }

    /// Returns the value of a round for each element of [`ByCount::depth_cells`], under a chart with index plays.
    ///
    /// For every index play in use, adds the squared deviation of its surface to the entry of `deviations` for the
    /// count.
    fn values(
        &self,
        departures: &[Departure<'_>],
        insured: Option<&[f64]>,
        read: (&DeckReading, f64),
        deviations: &mut BTreeMap<i32, f64>,
    ) -> Vec<f64> {
        let mut values: Vec<f64> =
            self.depth_cells.iter().map(|depth_cell| self.surfaces.at(NET, &depth_cell.terms)).collect();
        values.iter_mut().zip(insured.into_iter().flatten()).for_each(|(value, gain)| *value += gain);
        for (cell, (key, full, at)) in self.layout.keys.iter().enumerate() {
            let (row, column, _) = key;
            let here: Vec<&Departure<'_>> =
                departures.iter().filter(|d| d.index.row == *row && d.index.column == *column).collect();
            if here.is_empty() {
                continue;
            }
            let mut seen: BTreeSet<(i32, usize)> = BTreeSet::new();
            for (depth_cell, value) in self.depth_cells.iter().zip(&mut values) {
                let applies = |departure: &&&Departure<'_>| {
                    let Departure { index, weight } = **departure;
                    let (_, count) = self.count_read(depth_cell, &full.seen, read, *weight);
                    (count >= index.from) != index.below
                };
                let active = here.iter().filter(applies).flat_map(|departure| &departure.index.play.0);
                let play = active.map(|&play| exact::given::from_rules(play));
                let action = play.into_iter().find(|action| full.values.contains_key(action));
                let Some(figure) = action.and_then(|action| self.layout.figure(cell, action)) else {
                    continue;
                };
                *value +=
                    self.surfaces.at(figure, &depth_cell.terms) - self.surfaces.at(at + 1, &depth_cell.terms);
                seen.insert((depth_cell.count, figure));
            }
            // every error of the estimate reads the same surfaces: they count once
            for (count, figure) in seen.into_iter().filter(|_| read.1 == 0.0) {
                *deviations.entry(count).or_default() += self.surfaces.deviation(figure).powi(2);
            }
        }
        values
    }

    /// Returns the rounds of a depth cell that the player plays: their share of all rounds played, and their
    /// number by batch.
    fn rounds_of<'a>(&self, depth_cell: &'a DepthCell) -> Rounds<'a> {
        match self.back_counted {
            None => Rounds { share: depth_cell.share, batches: &depth_cell.batches },
            Some(back_counted) => {
                let rounds: f64 = depth_cell.played.iter().map(|&rounds| f64::from(rounds)).sum();
                Rounds { share: rounds / back_counted.played.max(1) as f64, batches: &depth_cell.played }
            }
        }
    }

    /// Returns how much the chart's index plays add to the expected square of a round's net win, at a few counts.
    ///
    /// Each increase is computed from the full shoe, and includes the products of split hands.
    fn squares(&self, chart: &Chart, frequencies: &[(i32, f64)]) -> Vec<(i32, f64)> {
        if chart.indices.is_empty() {
            return Vec::new();
        }
        let mut counts: Vec<i32> = Vec::new();
        let (mut below, mut quantiles) = (0.0, QUANTILES.iter().peekable());
        for &(count, share) in frequencies {
            below += share;
            while quantiles.next_if(|quantile| **quantile <= below).is_some() {
                counts.push(count);
            }
        }
        counts.dedup();
        let square = |count: i32| {
            // make this count's departures apply to a full shoe, whatever its count
            let mut there = chart.clone();
            there.insurance = program::chart::Take::Never;
            there.indices.retain(|index| (count >= index.from) != index.below);
            there.indices.iter_mut().for_each(|index| (index.from, index.below) = (0, false));
            let mut solved = self.squares.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, square)) = solved.iter().find(|(chart, _)| *chart == there) {
                return Some((count, square - self.square));
            }
            let given = CompleteChart::new(&self.choices, there.clone()).ok()?;
            let found = figures(&self.choices, &Strategy::Given(Box::new(given)));
            let square = found.variance + found.ev * found.ev;
            solved.push((there, square));
            Some((count, square - self.square))
        };
        counts.into_iter().filter_map(square).collect()
    }
}

/// The sums over all [`DepthCell`]s whose rounds begin at one count.
struct Sum {
    terms: Terms,
    share: f64,
    value: f64,
    batches: Batches,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { terms: Terms::zero(), share: 0.0, value: 0.0, batches: Batches::default() }
    }
}

impl Sum {
    fn add(&mut self, (depth_cell, rounds): (&DepthCell, &Rounds), weight: f64, value: f64) {
        let share = weight * rounds.share;
        self.terms.add(share, &depth_cell.terms);
        self.share += share;
        self.value += share * value;
        self.batches.add(rounds.batches, weight, value);
    }
}

/// The quantiles of the count for which the expected square with index plays is computed.
const QUANTILES: [f64; 8] = [0.003, 0.015, 0.06, 0.5, 0.8, 0.9, 0.96, 0.995];

/// Returns the value at `count`, interpolated linearly between the pairs of count and value in `known`.
///
/// Beyond the known counts, returns the value at the nearest known count. Returns 0 if no count is known.
fn between(known: &[(i32, f64)], count: i32) -> f64 {
    let after = known.partition_point(|(at, _)| *at < count);
    match (after.checked_sub(1).and_then(|at| known.get(at)), known.get(after)) {
        (Some(&(a, low)), Some(&(b, high))) => low + (high - low) * f64::from(count - a) / f64::from(b - a),
        (Some((_, only)), None) | (None, Some((_, only))) => *only,
        (None, None) => 0.0,
    }
}
