//! Computes the value of a round for a player who knows every card left.
//!
//! No counting system can exceed this value. The compositions of cards left come from a simulation.

pub mod efficiency;
mod output;
pub mod second_count;

pub use output::*;

use crate::Failure;
use crate::progress::{OnStep, map_with_progress};
use crate::system_tags::weighted_correlation;
use exact::cards::{Shoe, plus, shoe_size};
use exact::dealers::Dealers;
use exact::game::{Strategy, value_at};
use exact::given::{CompleteChart, Followed};
use exact::offers::total_dependent_chart;
use exact::removal::{PlayAfterRemoval, removal};
use exact::table::{Attacked, Table};
use exact::threads::at_once;
use exact::vocabulary::{ACE, RANKS, Rank, TEN};
use program::chart::{Chart, Take};
use program::{CompileOptions, Program, compile};
use rules::Choices;
use sim::chunk::LaneSource;
use sim::count::System;
use sim::isa::Isa;
use sim::rng::{LANES, shoe_seed};
use sim::round::Player;
use sim::shoe::Shoes;
use std::collections::BTreeMap;

/// The number of simulated rounds from one sampled round to the next sampled round.
///
/// With so long an interval, two sampled rounds hardly ever come from the same shoe.
pub const SAMPLE_INTERVAL: u64 = 101;
/// The bin width of the EV distribution, in units of the initial bet.
const BIN_WIDTH: f64 = 0.005;

/// The options for computing perfect play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerfectOptions {
    /// The number of rounds to solve, one for each sampled composition of the shoe.
    pub rounds: u64,
    pub seed: u64,
    pub min_bet: u32,
    pub max_bet: u32,
}

/// A solved composition, with the value of a round dealt from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValuedShoe {
    pub shoe: Shoe,
    /// The fraction of all rounds that this composition represents.
    pub weight: f64,
    /// The expected net win of a round under perfect play, insurance included.
    pub ev: f64,
    /// The part of `ev` that comes from insurance.
    pub insured: f64,
    /// The expected net win of a player who follows the full shoe's chart, without insurance.
    pub charted: f64,
}

/// Simulates rounds, and calls `visit` at the start of each round until `visit` returns `false`.
///
/// `visit` gets the cards that nobody has seen, and the number of cards that have left the stack.
pub fn each_round(program: &Program, seed: u64, mut visit: impl FnMut(&Shoe, usize) -> bool) {
    let full = full_shoe(program);
    if program.stack.fresh {
        visit(&full, program.stack.burned);
        return;
    }
    let mut shoes = Shoes::new(program, Isa::best());
    let mut player = Player::new(program, None, 1);
    for shoe in 0.. {
        shoes.shuffle(shoe_seed(seed, 0, shoe));
        for lane in 0..LANES {
            let mut source = LaneSource::new(&mut shoes, lane, program.stack.burned);
            let mut seen_to = program.stack.burned;
            let mut left = full;
            player.shuffled();
            while source.at <= program.stack.before_cut {
                if !visit(&left, source.at) {
                    return;
                }
                source.at += program.stack.burned_each_round;
                seen_to += program.stack.burned_each_round;
                player.play(&mut source);
                if source.at > program.stack.cards {
                    break;
                }
                for at in seen_to..source.at {
                    let face = source.shoes.card(at, lane);
                    let rank = Rank::of(program.faces.faces[usize::from(face)].0);
                    left[rank] = left[rank].saturating_sub(1);
                }
                seen_to = source.at;
            }
        }
    }
}

/// Returns the unseen cards at the start of `rounds` rounds, sampled from a simulation at regular intervals.
pub fn compositions(program: &Program, rounds: u64, seed: u64) -> Vec<Shoe> {
    every(program, SAMPLE_INTERVAL, rounds, seed).into_iter().map(|(shoe, _)| shoe).collect()
}

/// Returns the unseen cards at the start of `rounds` rounds, each with the number of its shuffle.
///
/// Takes one of every `apart` simulated rounds.
fn every(program: &Program, apart: u64, rounds: u64, seed: u64) -> Vec<(Shoe, usize)> {
    let (mut met, mut passed) = (Vec::new(), 0_u64);
    let (full, mut shuffles) = (full_shoe(program), 0_usize);
    // a seed may start anywhere within the first interval
    let first = if program.stack.fresh { 0 } else { shoe_seed(seed, 1, 1) % apart };
    each_round(program, seed, |left, _| {
        // the first round of a shuffle has seen nothing
        shuffles += usize::from(*left == full);
        if passed % apart == first {
            met.push((*left, shuffles));
        }
        passed += 1;
        (met.len() as u64) < rounds
    });
    met
}

fn full_shoe(program: &Program) -> Shoe {
    let mut full = [0; RANKS];
    for (card, n) in &program.faces.faces {
        full[Rank::of(*card)] += (n * program.decks) as u16;
    }
    full
}

/// Returns the gain from insurance per round for a player who knows every card left.
///
/// The player insures against an ace only if the cards left, without the player's own cards, make insurance
/// profitable.
pub fn insurance(table: &Table<'_>, chart: &Chart) -> f64 {
    let insured = Chart { insurance: Take::Always, ..chart.clone() };
    let followed = Followed::new(table, &insured);
    let (shoe, choices) = (table.shoe(), table.choices());
    let own = 2 * choices.hands_per_box();
    let mut sum = 0.0;
    let mut hand = vec![ACE; own];
    loop {
        let gone = hand.iter().fold(plus([0; RANKS], ACE), |gone, &r| plus(gone, r));
        // even money replaces the insurance of a blackjack, and is taken where it is better
        let paid = own == 2 && hand == [ACE, TEN] && choices.even_money.is_yes();
        let chance = if paid { 0.0 } else { dealt(&shoe, &hand) };
        if chance > 0.0 {
            sum += chance * followed.insurance::<f64>(0, &gone).max(0.0);
        }
        // the next hand in ascending order
        let above = |r: Rank| r.and_above().nth(1);
        let Some((at, next)) = (0..own).rev().find_map(|at| Some((at, above(hand[at])?))) else { return sum };
        hand[at..].fill(next);
    }
}

/// Returns the probability that the dealer gets an ace and a box gets the cards `hand`, given in ascending order.
fn dealt(shoe: &Shoe, hand: &[Rank]) -> f64 {
    let mut left = shoe.map(f64::from);
    let mut cards = shoe_size(shoe) as f64;
    let mut chance = 1.0;
    let mut alike = 0.0;
    for (nth, &r) in std::iter::once(&ACE).chain(hand).enumerate() {
        chance *= left[r].max(0.0) / cards;
        left[r] -= 1.0;
        cards -= 1.0;
        if nth > 0 {
            // times the number of orders of the cards
            alike = if nth > 1 && hand[nth - 2] == r { alike + 1.0 } else { 1.0 };
            chance *= nth as f64 / alike;
        }
    }
    chance
}

/// The sampled compositions of the shoe; some of them are solved and represent all others.
pub struct Sampled {
    pub solved: Vec<ValuedShoe>,
    /// The known features of each composition in `solved`, in the same order.
    terms: Vec<Features>,
    /// All sampled compositions with their known features, in ascending order of estimated value.
    pool: Vec<Pooled>,
}

/// A sampled composition with its known features.
#[derive(Clone, Copy)]
struct Pooled {
    shoe: Shoe,
    features: Features,
    /// The number of the shuffle in which the composition occurred.
    ///
    /// Rounds of one shuffle have much in common, so they count as one observation.
    shuffle: usize,
}

/// The number of groups of compositions that the jackknife leaves out, one group at a time.
const GROUPS: usize = 20;

/// The number of rounds that are sampled from the simulation.
const POOL: u64 = 60_000;
/// The number of simulated rounds from one sampled round to the next sampled round.
///
/// Sampling at regular intervals makes the sample represent all rounds.
const POOL_INTERVAL: u64 = 7;
/// The quantiles of the estimated value that divide the sampled compositions into groups.
///
/// The same number of compositions is solved in each group. Favorable compositions are rare but matter most, so
/// more of them are solved than their frequency suggests. The value is estimated from the effects of removal.
const POOL_QUANTILES: [f64; 9] = [0.0, 0.3, 0.5, 0.65, 0.78, 0.88, 0.95, 0.985, 1.0];

/// The number of features of a composition that are known without solving it.
///
/// The features are a constant, the advantage by the effects of removal and its square, the favorable part of
/// the advantage and its square, and the depth.
const TERMS: usize = 6;
type Features = [f64; TERMS];

fn features(shoe: &Shoe, full: &Shoe, (ev, effects): (f64, &[f64; RANKS])) -> Features {
    let (all, left) = (shoe_size(full) as f64, shoe_size(shoe) as f64);
    let moved: f64 =
        Rank::ALL.into_iter().map(|r| effects[r] * (f64::from(full[r]) - f64::from(shoe[r]))).sum();
    let about = 100.0 * (ev + moved * all / left);
    let good = (about + 0.1).max(0.0);
    [1.0, about, about * about, good, good * good, 52.0 / left]
}

/// Samples compositions from a simulation, and solves some of them.
///
/// The weights of the solved compositions make the means of their known features equal the means of all
/// sampled compositions. Returns an error if the chart does not fit the table.
pub fn compute(choices: &Choices, wanted: &PerfectOptions, on_step: OnStep<'_>) -> Result<Sampled, Failure> {
    let chart = total_dependent_chart(choices);
    let refused = |error: program::chart::BadChart| Failure::Refused(error.to_string());
    let program = compile(choices, &chart, &CompileOptions::default()).map_err(refused)?;
    let given = CompleteChart::new(choices, chart.clone()).map_err(refused)?;
    let given = Strategy::Given(Box::new(given));
    let dealers = Dealers::default();
    let whole = Table::new(choices, Attacked::No).sharing(&dealers);
    let full = whole.shoe();
    let effects = removal(&whole, PlayAfterRemoval::Fixed).map(|effect| effect.unwrap_or(0.0));
    let first = value_at(&whole, &given);
    let mut pool: Vec<Pooled> = every(&program, POOL_INTERVAL, POOL, wanted.seed)
        .into_iter()
        .map(|(shoe, shuffle)| Pooled { shoe, features: features(&shoe, &full, (first, &effects)), shuffle })
        .collect();
    pool.sort_by(|a, b| a.features[1].total_cmp(&b.features[1]));
    let chosen = chosen(pool.len(), wanted);
    let solve = |&(at, weight): &(usize, f64)| {
        let table = Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(pool[at].shoe);
        ValuedShoe { weight, ..valued(&table, &chart, &given) }
    };
    let mut met = map_with_progress(&chosen, at_once(choices), on_step, solve);
    let terms: Vec<Features> = chosen.iter().map(|(at, _)| pool[*at].features).collect();
    calibrate(&mut met, &terms, &mean_of(&pool));
    Ok(Sampled { solved: met, terms, pool })
}

/// Returns the indices of the compositions to solve, each with the fraction of all compositions that it
/// represents.
///
/// The indices refer to the `many` sampled compositions, ordered from the least to the most favorable.
fn chosen(many: usize, wanted: &PerfectOptions) -> Vec<(usize, f64)> {
    if many <= 1 {
        return vec![(0, 1.0); many];
    }
    let parts = POOL_QUANTILES.len() as u64 - 1;
    let mut chosen = Vec::new();
    for (nth, bounds) in POOL_QUANTILES.windows(2).enumerate() {
        let [from, to] = [bounds[0], bounds[1]].map(|bound| (bound * many as f64) as usize);
        // the first parts take the remainder
        let n = wanted.rounds / parts + u64::from((nth as u64) < wanted.rounds % parts);
        let weight = (bounds[1] - bounds[0]) / n.max(1) as f64;
        chosen.extend((0..n).map(|at| {
            let place = shoe_seed(wanted.seed, nth as u64 + 7, at) as usize % (to - from).max(1);
            (from + place, weight)
        }));
    }
    let all: f64 = chosen.iter().map(|(_, weight)| weight).sum();
    chosen.iter_mut().for_each(|(_, weight)| *weight /= all);
    chosen
}

fn mean_of(pool: &[Pooled]) -> Features {
    let n = pool.len().max(1) as f64;
    std::array::from_fn(|term| pool.iter().map(|one| one.features[term]).sum::<f64>() / n)
}

/// Returns the variance of a figure's mean over the sample, computed from the differences between shuffles.
///
/// The variance measures how the mean would differ in another simulation, which would have other shuffles.
fn between_shuffles(pool: &[Pooled], figure: impl Fn(&Features) -> f64) -> f64 {
    let n = pool.len().max(1) as f64;
    let mean = pool.iter().map(|one| figure(&one.features)).sum::<f64>() / n;
    let mut shuffles: std::collections::HashMap<usize, f64> = std::collections::HashMap::new();
    pool.iter().for_each(|one| *shuffles.entry(one.shuffle).or_default() += figure(&one.features) - mean);
    let many = shuffles.len() as f64;
    if many < 2.0 {
        return 0.0;
    }
    // sum in sorted order, so that the same seed gives the same bits
    let mut sums: Vec<f64> = shuffles.into_values().map(|sum| sum * sum).collect();
    sums.sort_by(f64::total_cmp);
    sums.iter().sum::<f64>() / (n * n) * many / (many - 1.0)
}

/// Changes the weights of the solved compositions as little as possible, so that they represent the whole sample.
///
/// Afterwards, the weighted means of the known features `terms` equal `wanted`.
fn calibrate(met: &mut [ValuedShoe], terms: &[Features], wanted: &Features) {
    if met.len() < 4 * TERMS {
        return;
    }
    let mut right: Features = *wanted;
    for (met, known) in met.iter().zip(terms) {
        right.iter_mut().zip(known).for_each(|(sum, term)| *sum -= met.weight * term);
    }
    let by = solved(normal(met, terms), right);
    for (met, known) in met.iter_mut().zip(terms) {
        met.weight *= 1.0 + known.iter().zip(&by).map(|(term, by)| term * by).sum::<f64>();
    }
}

fn normal(met: &[ValuedShoe], terms: &[Features]) -> [Features; TERMS] {
    let mut normal = [[0.0; TERMS]; TERMS];
    for (met, known) in met.iter().zip(terms) {
        for (row, a) in normal.iter_mut().zip(known) {
            row.iter_mut().zip(known).for_each(|(sum, b)| *sum += met.weight * a * b);
        }
    }
    normal
}

/// Solves linear equations by Gaussian elimination with partial pivoting.
fn solved(mut rows: [Features; TERMS], mut right: Features) -> Features {
    for column in 0..TERMS {
        let best = (column..TERMS).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let best = best.unwrap_or(column);
        rows.swap(column, best);
        right.swap(column, best);
        if rows[column][column].abs() < 1e-30 {
            continue;
        }
        for row in (0..TERMS).filter(|&row| row != column) {
            let part = rows[row][column] / rows[column][column];
            let pivot = rows[column];
            for (value, from) in rows[row].iter_mut().zip(pivot).skip(column) {
                *value -= part * from;
            }
            right[row] -= part * right[column];
        }
    }
    std::array::from_fn(|at| if rows[at][at].abs() < 1e-30 { 0.0 } else { right[at] / rows[at][at] })
}

impl Sampled {
    /// Returns the mean of a figure of solved compositions over all rounds, and its standard error.
    ///
    /// The known features explain most of the figure. The error comes from the unexplained rest, and from the
    /// compositions that happened to occur in the simulation.
    fn mean(&self, figure: impl Fn(&ValuedShoe) -> f64) -> (f64, f64) {
        let mean: f64 = self.solved.iter().map(|met| met.weight * figure(met)).sum();
        let rest: f64 = match self.predicted(&figure, None) {
            Some(by) => {
                let off =
                    |(met, known): (&ValuedShoe, &Features)| met.weight * (figure(met) - dot(known, &by));
                let squares: f64 = self.solved.iter().zip(&self.terms).map(off).map(|off| off * off).sum();
                let n = self.solved.len() as f64;
                squares * n / (n - TERMS as f64) + between_shuffles(&self.pool, |known| dot(known, &by))
            }
            None => self.solved.iter().map(|met| (met.weight * (figure(met) - mean)).powi(2)).sum(),
        };
        (mean, rest.sqrt())
    }

    /// Returns the coefficients that fit a figure to the known features, or `None` if too few compositions
    /// are solved.
    ///
    /// `without` is the group of solved compositions to leave out, or `None` to use all.
    fn predicted(&self, figure: &impl Fn(&ValuedShoe) -> f64, without: Option<usize>) -> Option<Features> {
        if self.solved.len() < 4 * TERMS {
            return None;
        }
        let kept = (0..self.solved.len()).filter(|at| without != Some(at % GROUPS));
        let (met, terms): (Vec<ValuedShoe>, Vec<Features>) =
            kept.map(|at| (self.solved[at], self.terms[at])).unzip();
        let mut right = [0.0; TERMS];
        for (met, known) in met.iter().zip(&terms) {
            right.iter_mut().zip(known).for_each(|(sum, term)| *sum += met.weight * term * figure(met));
        }
        Some(solved(normal(&met, &terms), right))
    }

    /// Returns the SCORE of a player who bets by the count `count`, and its standard error.
    ///
    /// The player sits out unfavorable counts. The value of a count is the mean of the predicted values of the
    /// sampled compositions with that count. The error is from a jackknife over groups of shuffles and solved
    /// compositions. Returns `None` if too few compositions are solved.
    fn score_of(&self, count: impl Fn(&Shoe) -> i32, variance: f64) -> Option<(f64, f64)> {
        let counts: Vec<i32> = self.pool.iter().map(|one| count(&one.shoe)).collect();
        let score = |without: Option<usize>| -> Option<f64> {
            let by = self.predicted(&|met: &ValuedShoe| met.ev, without)?;
            let mut sums: BTreeMap<i32, (f64, f64)> = BTreeMap::new();
            let kept = self.pool.iter().zip(&counts).filter(|(one, _)| without != Some(one.shuffle % GROUPS));
            let mut n = 0.0;
            for (one, count) in kept {
                let sum = sums.entry(*count).or_default();
                *sum = (sum.0 + 1.0, sum.1 + dot(&one.features, &by));
                n += 1.0;
            }
            let squares: f64 =
                sums.values().map(|(many, sum)| many / n * (sum / many).max(0.0).powi(2)).sum();
            Some(1e6 * squares / variance)
        };
        let whole = score(None)?;
        let without: Vec<f64> = (0..GROUPS).filter_map(|group| score(Some(group))).collect();
        let groups = without.len() as f64;
        let mean = without.iter().sum::<f64>() / groups;
        let spread: f64 = without.iter().map(|one| (one - mean).powi(2)).sum();
        Some((whole, (spread * (groups - 1.0) / groups).sqrt()))
    }
}

fn dot(a: &Features, b: &Features) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the composition in `table`, with the values of a round under perfect play and under a chart.
///
/// `given` is the strategy that follows `chart`. The weight of the result is 1.
fn valued(table: &Table<'_>, chart: &Chart, given: &Strategy) -> ValuedShoe {
    let insured = insurance(table, chart);
    let charted = value_at(table, given);
    // a chart is one way to play: knowing more does no worse
    let best = value_at(table, &Strategy::CompositionDependent).max(charted);
    ValuedShoe { shoe: table.shoe(), weight: 1.0, ev: best + insured, insured, charted }
}

/// The performance of a counting system, compared with perfect play.
///
/// `correlation` is the correlation of the count with the exact value of a round. Betting at the count `from` and
/// above wins most; `captured` is this win as a fraction of the win from betting on exactly the favorable rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct CountComparison {
    pub count: String,
    pub correlation: f64,
    pub from: f64,
    pub captured: f64,
}

/// Compares a counting system with perfect play over the solved compositions.
pub fn compare_count(met: &[ValuedShoe], system: &System, full: &Shoe, decks: f64) -> CountComparison {
    let start = f64::from(system.at_start(decks as i32));
    let deck = shoe_size(full) as f64 / decks;
    let count = |shoe: &Shoe| {
        let gone = |r: Rank| f64::from(system.tags[r]) * (f64::from(full[r]) - f64::from(shoe[r]));
        let running = (start + Rank::ALL.into_iter().map(gone).sum::<f64>()) / f64::from(system.scale);
        running / (shoe_size(shoe) as f64 / deck)
    };
    compare_by(met, system.name.clone(), count)
}

fn compare_by(met: &[ValuedShoe], name: String, count: impl Fn(&Shoe) -> f64) -> CountComparison {
    let mut pairs: Vec<(f64, f64, f64)> =
        met.iter().map(|met| (count(&met.shoe), met.ev, met.weight)).collect();
    let correlation = weighted_correlation(&pairs);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut sum, mut best, mut from) = (0.0, 0.0, f64::INFINITY);
    for (at, &(count, ev, weight)) in pairs.iter().enumerate() {
        sum += weight * ev;
        // equal counts are bet on together
        let ends = pairs.get(at + 1).is_none_or(|next| next.0 < count);
        if ends && sum > best {
            (best, from) = (sum, count);
        }
    }
    let all: f64 = pairs.iter().map(|(_, ev, weight)| weight * ev.max(0.0)).sum();
    let captured = if all > 0.0 { best / all } else { 0.0 };
    CountComparison { count: name, correlation, from, captured }
}

#[cfg(test)]
mod tests;
