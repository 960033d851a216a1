//! Computes the value of a round, and the best decisions, at each count.
//!
//! A simulation gives the frequency of each pair of running count and depth at the start of a round. For the
//! compositions with such a pair, the mean number of cards left of each rank and the means of products of these
//! numbers are known exactly ([`moments`]). A few hundred compositions from the same simulation, spread evenly
//! over all counts, are solved exactly. A second-order surface is fitted through their values ([`surface`]); its
//! mean over the compositions of a pair needs no sampling. The error at a count has two parts: the distance of the
//! solved values from the surface, and how much the depths at which the count occurs vary from batch to batch.

pub mod batches;
pub mod bets;
pub mod boxes;
pub mod insurance;
pub mod moments;
pub mod reading;
mod sample;
pub mod second;
pub mod surface;
mod values;

use crate::Failure;
use crate::progress::{OnStep, map_with_progress};
use crate::simulate::SimulationOptions;
use batches::{BATCHES, Batches};
use boxes::several_hands;
use exact::cards::Shoe;
use exact::cells::{CellKey, CellValue, Hands, cells};
use exact::dealers::Dealers;
use exact::game::{Strategy, figures, net_and_square};
use exact::given::CompleteChart;
use exact::table::{Attacked, Table};
use exact::threads::at_once;
use exact::turn::Action;
use exact::vocabulary::RANKS;
use program::chart::{BadChart, Chart};
use program::{CompileOptions, compile};
use reading::{BackCounting, CountingPlayer, DeckReading};
use rules::Choices;
use sample::{Counts, Sample, evenly, sample_rounds};
use second::SecondAtTable;
use sim::count::{Divisor, Rounding, System};
use std::collections::BTreeMap;
use std::sync::Mutex;
use surface::{FEWEST, Surfaces, Terms};

/// The number of compositions to solve for a game with one hand per box.
///
/// Games with two hands per box take a second for each composition, so only [`FEWEST`] are solved for them.
const SOLVED: usize = 220;

/// The rounds that start at one depth in the shoe with one running count.
pub struct DepthCell {
    /// The number of cards that the players have not seen when the round starts.
    pub cards: usize,
    /// The running count at the start of the round, in the scaled tags of the counting system.
    pub running: i32,
    /// The running second count at the start of the round; 0 without a second count.
    pub second: f64,
    /// The number of cards already dealt or burned.
    pub dealt: usize,
    /// The fraction of all rounds that belong to this cell.
    pub share: f64,
    /// The number of this cell's rounds in each batch of the simulation.
    batches: [u32; BATCHES],
    /// The number of this cell's rounds that a back-counting player plays, in each batch.
    played: [u32; BATCHES],
    /// The rounded count that decides the player's bet.
    pub count: i32,
    /// The mean number of cards left of each rank, over all compositions with this depth and running count.
    pub mean: [f64; RANKS],
    /// The factor by which dealing one card changes the mean number of cards left of each rank.
    ///
    /// The first index is the rank of the dealt card, the second the rank of the cards left.
    after: [[f64; RANKS]; RANKS],
    terms: Terms,
}

/// The value of a round that starts at one count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CountValue {
    pub count: i32,
    pub frequency: f64,
    pub ev: f64,
    pub ev_error: f64,
    /// The standard error of `ev` due to the fit of the surface, which a longer simulation would not reduce.
    pub fit_error: f64,
    pub variance: f64,
    /// The simulated rounds at this count and the sum of their values, by batch.
    pub batches: Batches,
}

/// The position of each figure in the list of figures computed for a solved composition.
///
/// The EV of a round and the expected square of its net win come first. The frequency and the values of every
/// chart cell follow.
struct FigureLayout {
    keys: Vec<(CellKey, CellValue, usize)>,
    figures: usize,
}

const NET: usize = 0;
const SQUARE: usize = 1;

impl FigureLayout {
    /// Returns the positions of the figures for all chart cells that occur with a full shoe.
    ///
    /// Each cell has its frequency, the value of the chart's action, and the value of each possible action.
    fn new(full: BTreeMap<CellKey, CellValue>) -> FigureLayout {
        let mut figures = 2;
        let mut keys = Vec::new();
        for (key, cell) in full {
            let at = figures;
            figures += 2 + cell.values.len();
            keys.push((key, cell, at));
        }
        FigureLayout { keys, figures }
    }

    fn figures(&self, (net, square): (f64, f64), cells: &BTreeMap<CellKey, CellValue>) -> Vec<f64> {
        let mut figures = vec![0.0; self.figures];
        (figures[NET], figures[SQUARE]) = (net, square);
        for (key, full, at) in &self.keys {
            let Some(cell) = cells.get(key) else { continue };
            (figures[*at], figures[*at + 1]) = (cell.chance, cell.charted);
            for (nth, action) in full.values.keys().enumerate() {
                figures[*at + 2 + nth] = cell.values.get(action).copied().unwrap_or(cell.charted);
            }
        }
        figures
    }

    /// Returns the index of an action's value in a chart cell among all figures, or `None` if the cell has no such
    /// action.
    pub fn figure(&self, cell: usize, action: Action) -> Option<usize> {
        let (_, full, at) = &self.keys[cell];
        full.values.keys().position(|known| *known == action).map(|nth| at + 2 + nth)
    }
}

/// The values of a table's rounds and decisions at each count, for one counting system.
pub struct ByCount {
    pub system: System,
    pub depth_cells: Vec<DepthCell>,
    deck: f64,
    stack: f64,
    layout: FigureLayout,
    solved: Vec<Vec<f64>>,
    surfaces: Surfaces,
    choices: Choices,
    /// The expected square of a round's net win, dealt from the full shoe.
    square: f64,
    /// The expected squares of a round's net win computed so far, each with the chart that was followed.
    ///
    /// A chart's square is computed on first use, because the computation includes the products of split hands.
    squares: Mutex<Vec<(Chart, f64)>>,
    /// The increase in the expected square of a round's net win because all hands of a split meet the same dealer
    /// hand.
    split_square: f64,
    /// The variance of a round with several dealer hands, divided by the variance of a single bet; 1 for one
    /// dealer hand.
    variance_ratio: f64,
    /// The numbers of rounds that a back-counting player saw and played, or `None` if the player plays every
    /// round.
    pub back_counted: Option<BackCountedRounds>,
    /// The second count with its weights, or `None` if the player keeps only one count.
    pub second: Option<SecondAtTable>,
}

/// The numbers of rounds that a back-counting player saw and played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackCountedRounds {
    pub by: BackCounting,
    pub seen: u64,
    pub played: u64,
}

impl BackCountedRounds {
    /// Returns the fraction of the rounds seen that the player plays.
    pub fn share(&self) -> f64 {
        self.played as f64 / self.seen.max(1) as f64
    }
}

/// A decision of the player: whether to take the action `play` or the best alternative.
///
/// The decision covers the hands of one or more chart cells.
pub struct Choice {
    pub key: CellKey,
    pub play: Action,
    others: Vec<Action>,
    cells: Vec<usize>,
    seen: [f64; RANKS],
    /// The weight of the second count for this decision; 0 without a second count.
    pub weight: f64,
}

/// The rounds that have the same rounded count when the player faces a decision.
///
/// `share` is their fraction of all rounds, and `exact` their mean count before rounding. `terms` is the sum of
/// the polynomial terms of their compositions, weighted by frequency.
#[derive(Clone)]
pub struct Bucket {
    terms: Terms,
    pub share: f64,
    pub exact: f64,
}

impl ByCount {
    /// Computes the values of a table's rounds and decisions at each count.
    ///
    /// Simulates rounds to find the frequency of each count, and solves a sample of compositions. Returns an error
    /// if `asked` names no counting system, if the chart does not fit the table, if a back-counting player never
    /// reaches the count at which to start playing, or if two counts have too many values together.
    pub fn new(
        choices: &Choices,
        chart: &Chart,
        asked: &SimulationOptions,
        player: &CountingPlayer,
        on_step: OnStep<'_>,
    ) -> Result<ByCount, Failure> {
        let refused = |error: BadChart| Failure::Refused(error.to_string());
        let system = asked.options()?.system.ok_or_else(|| {
            Failure::NotUnderstood("index plays need a count; add --count hi-lo, or ten tags".into())
        })?;
        let program = compile(choices, chart, &CompileOptions::default()).map_err(refused)?;
        let given = CompleteChart::new(choices, chart.clone()).map_err(refused)?;
        let given = Strategy::Given(Box::new(given));
        let full = Table::new(choices, Attacked::No).shoe();
        let wanted = (asked.seed, asked.rounds.unwrap_or(ROUNDS));
        let second = player.second.as_ref().map(|second| SecondAtTable::new(choices, chart, &system, second));
        let counts = Counts { system: &system, second: second.as_ref() };
        let Sample { depth_cells, compositions, scene, back_counted } =
            sample_rounds(&program, &counts, &full, wanted, player.back_counting)?;
        if back_counted.is_some_and(|back_counted| back_counted.played == 0) {
            return Err(Failure::Refused(
                "no round is played, because the count never reaches --enter".into(),
            ));
        }
        let dealers = Dealers::default();
        let whole = Table::new(choices, Attacked::No).sharing(&dealers);
        let layout = FigureLayout::new(cells(&whole, chart));
        let all = figures(choices, &given);
        let many = if choices.hands_per_box() > 1 { FEWEST } else { SOLVED };
        let shoes = evenly(compositions, many, &full);
        let solve = |shoe: &Shoe| {
            let table = Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(*shoe);
            let (net, square) = net_and_square(&table, &given);
            // use the square of the full shoe where none is computed
            let square = square.unwrap_or(all.variance + all.ev * all.ev);
            layout.figures((net, square), &cells(&table, chart))
        };
        let solved = map_with_progress(&shoes, at_once(choices), on_step, solve);
        let points: Vec<Terms> = shoes.iter().map(|shoe| Terms::of(shoe, &scene)).collect();
        let weights: Vec<f64> = shoes.iter().map(|shoe| scene.weight(shoe)).collect();
        let at_first = net_and_square(&whole, &given).1;
        Ok(ByCount {
            surfaces: Surfaces::through(&points, &weights, &solved),
            choices: choices.clone(),
            square: all.variance + all.ev * all.ev,
            squares: Mutex::default(),
            split_square: at_first.map_or(0.0, |square| all.variance + all.ev * all.ev - square),
            variance_ratio: several_hands(choices, &given, all.variance),
            deck: program.stack.cards as f64 / f64::from(program.decks),
            stack: program.stack.cards as f64,
            system,
            depth_cells,
            layout,
            solved,
            back_counted,
            second,
        })
    }

    /// Returns the frequency of every count at the start of a round.
    pub fn frequencies(&self) -> BTreeMap<i32, f64> {
        let mut frequencies = BTreeMap::new();
        self.depth_cells
            .iter()
            .for_each(|depth_cell| *frequencies.entry(depth_cell.count).or_default() += depth_cell.share);
        frequencies
    }

    /// Returns the count before and after rounding, once the player has seen the cards `seen` in a round.
    ///
    /// The round starts in `depth_cell`; `seen` has the number of cards seen of each rank.
    ///
    /// `weight` is the weight of the second count; it is ignored without a second count.
    pub fn count_after(&self, depth_cell: &DepthCell, seen: &[f64; RANKS], weight: f64) -> (f64, i32) {
        self.count_read(depth_cell, seen, (&DeckReading::default(), 0.0), weight)
    }

    /// Returns the count before and after rounding for a player who misjudges the decks left by `error` decks.
    fn count_read(
        &self,
        depth_cell: &DepthCell,
        seen: &[f64; RANKS],
        (reading, error): (&DeckReading, f64),
        weight: f64,
    ) -> (f64, i32) {
        let tags: f64 = seen.iter().zip(&self.system.tags).map(|(n, tag)| n * f64::from(*tag)).sum();
        let cards: f64 = seen.iter().sum();
        let left = (self.stack - depth_cell.dealt as f64 - cards).max(1.0) / self.deck;
        let read = reading.read(left, error);
        let surplus = self.second.as_ref().map_or(0.0, |second| {
            // who misjudges the cards left misjudges the cards gone by as many
            let gone = self.stack - depth_cell.cards as f64 + cards + (left - read) * self.deck;
            second.surplus(depth_cell.second + second.running(seen), gone)
        });
        let running = f64::from(depth_cell.running) + tags;
        counted(&self.system, running + weight * surplus * f64::from(self.system.scale), read)
    }

    /// Returns the decisions whose best action is not the same in all solved compositions.
    pub fn choices(&self) -> Vec<Choice> {
        let mut rows: BTreeMap<CellKey, Vec<usize>> = BTreeMap::new();
        for (at, (key, ..)) in self.layout.keys.iter().enumerate() {
            // hit or stand is one decision for all hands of a row
            let (row, column, hands) = key;
            let plain = if *hands == Hands::First { Hands::Later } else { *hands };
            rows.entry((*row, column.clone(), plain)).or_default().push(at);
        }
        let mut all: Vec<Choice> = Vec::new();
        for (key, cells) in rows {
            let first: Vec<usize> =
                cells.iter().copied().filter(|&at| self.layout.keys[at].0.2 == Hands::First).collect();
            use Action::{Double, Hit, Split, Stand, Surrender};
            let of: &[(&[usize], Action, &[Action])] = match key.2 {
                Hands::Pair => &[(&cells, Split, &[Stand, Hit, Double, Surrender])],
                _ => &[
                    (&cells, Stand, &[Hit]),
                    (&first, Double, &[Stand, Hit]),
                    (&first, Surrender, &[Stand, Hit, Double]),
                ],
            };
            for &(cells, play, others) in of {
                all.extend(self.choice(&key, cells, play, others));
            }
        }
        all.retain(|choice| {
            let gains = self.solved.iter().map(|figures| self.gain(choice, |figure| figures[figure]).0);
            let (low, high) =
                gains.fold((f64::MAX, f64::MIN), |(low, high), gain| (gain.min(low), gain.max(high)));
            low < 0.0 && high > 0.0
        });
        all
    }

    fn choice(&self, key: &CellKey, cells: &[usize], play: Action, others: &[Action]) -> Option<Choice> {
        let open = |action: Action| cells.iter().all(|&at| self.layout.figure(at, action).is_some());
        let others: Vec<Action> = others.iter().copied().filter(|&action| open(action)).collect();
        if cells.is_empty() || others.is_empty() || !open(play) {
            return None;
        }
        let chance: f64 = cells.iter().map(|&at| self.layout.keys[at].1.chance).sum();
        let mut seen = [0.0; RANKS];
        for cell in cells.iter().map(|&at| &self.layout.keys[at].1) {
            seen.iter_mut().zip(&cell.seen).for_each(|(sum, n)| *sum += cell.chance / chance * n);
        }
        let mut choice = Choice { key: key.clone(), play, others, cells: cells.to_vec(), seen, weight: 0.0 };
        if let Some(second) = &self.second {
            let value = |action: Action| -> f64 {
                choice.cells.iter().filter_map(|&at| self.layout.keys[at].1.values.get(&action)).sum()
            };
            let other = choice.others.iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b)))?;
            choice.weight = second.decision(|cells| self.gain_per_hand(&choice, other, cells));
        }
        Some(choice)
    }

    /// Returns the gain of a decision's action over the action `other`, per hand that faces the decision.
    ///
    /// Returns `None` if a chart cell in `cells` lacks one of the two actions.
    fn gain_per_hand(
        &self,
        choice: &Choice,
        other: Action,
        cells: &BTreeMap<CellKey, CellValue>,
    ) -> Option<f64> {
        let chance: f64 = choice
            .cells
            .iter()
            .filter_map(|&at| cells.get(&self.layout.keys[at].0))
            .map(|cell| cell.chance)
            .sum();
        Some(self.increase(choice, other, cells)? / chance).filter(|gain| gain.is_finite())
    }

    /// Returns the gain of a decision's action over its best alternative, and that alternative.
    ///
    /// `figure` returns the value of a figure, given its index.
    fn gain(&self, choice: &Choice, figure: impl Fn(usize) -> f64) -> (f64, Action) {
        let of = |action: Action| -> f64 {
            choice.cells.iter().filter_map(|&at| self.layout.figure(at, action)).map(&figure).sum()
        };
        let others = choice.others.iter().map(|&action| (of(action), action));
        let best = others.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Action::Stand));
        (of(choice.play) - best.0, best.1)
    }

    /// Returns the gain of a decision's action over its best alternative, summed over a bucket, and that
    /// alternative.
    pub fn bucket_gain(&self, choice: &Choice, bucket: &Bucket) -> (f64, Action) {
        self.gain(choice, |figure| self.surfaces.at(figure, &bucket.terms))
    }

    /// Returns the standard error of the gain that [`ByCount::bucket_gain`] returns.
    pub fn bucket_error(&self, choice: &Choice, bucket: &Bucket) -> f64 {
        let mean = bucket.terms.clone().divided(bucket.share);
        let actions = || [Some(choice.play), choice.others.first().copied()].into_iter().flatten();
        let figures = choice
            .cells
            .iter()
            .flat_map(|&at| actions().filter_map(move |action| self.layout.figure(at, action)));
        let squares: f64 = figures.map(|figure| self.surfaces.deviation(figure).powi(2)).sum();
        bucket.share * self.surfaces.reach(&mean) * squares.sqrt()
    }

    /// Returns the gain of a decision's action over its best alternative, with a full shoe.
    pub fn full_shoe_gain(&self, choice: &Choice) -> f64 {
        let value = |action: Action| -> f64 {
            choice.cells.iter().filter_map(|&at| self.layout.keys[at].1.values.get(&action)).sum()
        };
        let best = choice.others.iter().map(|&action| value(action)).fold(f64::MIN, f64::max);
        value(choice.play) - best
    }

    /// Returns how much a figure rises when the action of a decision replaces the action `other`.
    ///
    /// `figures` has the figure of each action in each chart cell. The result is summed over the decision's chart
    /// cells. Returns `None` if a chart cell lacks one of the two actions.
    pub fn increase(
        &self,
        choice: &Choice,
        other: Action,
        figures: &BTreeMap<CellKey, CellValue>,
    ) -> Option<f64> {
        let of = |cell: &usize, action: Action| {
            figures.get(&self.layout.keys[*cell].0).and_then(|cell| cell.values.get(&action)).copied()
        };
        choice.cells.iter().map(|cell| Some(of(cell, choice.play)? - of(cell, other)?)).sum()
    }

    /// Returns how often a decision comes up per round dealt from a full shoe.
    pub fn chance(&self, choice: &Choice) -> f64 {
        choice.cells.iter().map(|&at| self.layout.keys[at].1.chance).sum()
    }

    /// Groups all rounds by their rounded count when the player faces the decision `choice`.
    pub fn buckets(&self, choice: &Choice) -> BTreeMap<i32, Bucket> {
        let mut buckets: BTreeMap<i32, Bucket> = BTreeMap::new();
        for depth_cell in &self.depth_cells {
            let (exact, count) = self.count_after(depth_cell, &choice.seen, choice.weight);
            let bucket = buckets.entry(count).or_insert_with(|| Bucket {
                terms: Terms::zero(),
                share: 0.0,
                exact: 0.0,
            });
            bucket.terms.add(depth_cell.share, &depth_cell.terms);
            bucket.share += depth_cell.share;
            bucket.exact += depth_cell.share * exact;
        }
        buckets.values_mut().for_each(|bucket| bucket.exact /= bucket.share);
        buckets
    }
}

/// The default number of rounds to simulate to find the frequency of each count.
pub const ROUNDS: u64 = 2_000_000;

/// Returns the count before and after rounding, computed from a running count and the number of decks left.
///
/// `running` may be the mean of several running counts, and so not a whole number.
fn counted(system: &System, running: f64, decks_left: f64) -> (f64, i32) {
    let running = running / f64::from(system.scale);
    let exact = match system.divisor {
        Divisor::None => running,
        Divisor::Decks => running / decks_left,
        Divisor::HalfDecks => running / (2.0 * decks_left),
    };
    let whole = match (system.divisor, system.rounding) {
        // the running counts of these hands are whole, and this is their mean
        (Divisor::None, _) | (_, Rounding::Nearest) => exact.round(),
        (_, Rounding::Down) => exact.floor(),
        (_, Rounding::TowardsZero) => exact.trunc(),
    };
    (exact, whole as i32)
}

/// Returns the index of the first row at which to bet, and the break-even count before rounding.
///
/// Betting on that row and on all later rows wins most. Each row is a count, its frequency, its mean count before
/// rounding, and its win. Returns `None` if betting on every row is best, or betting on none.
pub fn threshold(rows: &[(i32, f64, f64, f64)]) -> Option<(usize, f64)> {
    let won = |from: usize| rows[from..].iter().map(|row| row.3).sum::<f64>();
    let from = (0..=rows.len()).max_by(|a, b| won(*a).total_cmp(&won(*b)))?;
    if from == 0 || from == rows.len() {
        return None;
    }
    let (below, above) = (&rows[from - 1], &rows[from]);
    let (low, high) = (below.3 / below.1, above.3 / above.1);
    // interpolate linearly between the two
    let exact = below.2 + (above.2 - below.2) * (-low / (high - low)).clamp(0.0, 1.0);
    Some((from, exact))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod two_counts_tests;
