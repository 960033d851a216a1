//! What a round is worth at each count, and which play is best there: from exact solutions of compositions, weighed by how
//! likely each is when the count and the number of cards left are known.
//!
//! A simulation tells how often rounds begin with each pair of running count and depth. The compositions of such a pair
//! have exactly known means and products ([`moments`]). A few hundred compositions, met by the same simulation and taken
//! evenly from all counts, are solved exactly, and a surface of second order is drawn through what they are worth
//! ([`surface`]); its mean over a pair needs no sampling. The error of a count has two parts: how far solutions are from
//! the surface, and how much the depths at which the count was met differ between batches of the simulation.

pub mod batches;
pub mod insurance;
pub mod moments;
pub mod surface;

use crate::Failure;
use crate::perfect::each_round;
use crate::progress::{Tell, each_told};
use crate::simulate::Asked;
use batches::{BATCHES, Batches};
use exact::cards::{Shoe, shoe_size};
use exact::cells::{CellKey, CellValue, Hands, cells};
use exact::dealers::Dealers;
use exact::game::{Strategy, figures, net_and_square};
use exact::given::Given;
use exact::table::{Attacked, Table};
use exact::threads::at_once;
use exact::turn::Action;
use exact::vocabulary::RANKS;
use moments::{Left, moments};
use program::chart::{BadChart, Chart};
use program::{Program, Wish, compile};
use rules::Choices;
use sim::count::{Divisor, Rounding, System};
use sim::report::Stakes;
use sim::rng::shoe_seed;
use sim::{Hooks, simulate};
use std::collections::{BTreeMap, BTreeSet};
use surface::{FEWEST, Scene, Surfaces, Terms};

/// Compositions that are solved, but for games whose solution takes a second.
const SOLVED: usize = 220;
/// Compositions of each count that may be solved.
const KEPT: usize = 40;
/// Counts that come about less often than this are solved together with their neighbours.
const RARE: f64 = 3e-4;
/// Columns of tags that are told apart; wider counts are read more coarsely.
const MOST_TAGS: i32 = 4000;

/// The rounds that begin with a number of cards left and a running count.
pub struct Place {
    /// The number of unseen cards.
    pub cards: usize,
    /// The running count, as large as the tags were made.
    pub running: i32,
    /// The number of cards gone from the stack.
    pub dealt: usize,
    /// The part of all rounds.
    pub share: f64,
    /// The rounds of each batch of the simulation.
    batches: [u32; BATCHES],
    /// The count that stakes go by.
    pub count: i32,
    /// The mean of the compositions.
    pub mean: [f64; RANKS],
    /// By how much the cards of a value are fewer once one of another was dealt: of a count that is known, fewer.
    after: [[f64; RANKS]; RANKS],
    terms: Terms,
}

/// A count with what a round is worth there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct At {
    pub count: i32,
    pub frequency: f64,
    pub ev: f64,
    pub ev_error: f64,
    /// The part of the error that no longer simulation would reduce.
    pub fit_error: f64,
    pub variance: f64,
    /// The rounds of the simulation at this count.
    pub batches: Batches,
}

/// The figures of a solved composition: net and square of a round, then what every box is worth.
struct Book {
    keys: Vec<(CellKey, CellValue, usize)>,
    figures: usize,
}

const NET: usize = 0;
const SQUARE: usize = 1;

impl Book {
    /// Room for the boxes of the full shoe: how often each is asked, what its charted play and each action are worth.
    fn new(full: BTreeMap<CellKey, CellValue>) -> Book {
        let mut figures = 2;
        let mut keys = Vec::new();
        for (key, cell) in full {
            let at = figures;
            figures += 2 + cell.values.len();
            keys.push((key, cell, at));
        }
        Book { keys, figures }
    }

    fn written(&self, (net, square): (f64, f64), cells: &BTreeMap<CellKey, CellValue>) -> Vec<f64> {
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

    /// Returns the index of the figure of an action in a chart cell.
    pub fn figure(&self, cell: usize, action: Action) -> Option<usize> {
        let (_, full, at) = &self.keys[cell];
        full.values.keys().position(|known| *known == action).map(|nth| at + 2 + nth)
    }
}

/// The values of a table by a count.
pub struct ByCount {
    pub system: System,
    pub places: Vec<Place>,
    deck: f64,
    stack: f64,
    book: Book,
    solved: Vec<Vec<f64>>,
    surfaces: Surfaces,
    choices: Choices,
    /// The expected square of a round from the full shoe.
    square: f64,
    /// What the hands of splits add to it by ending together.
    together: f64,
    /// How much larger the variance of a round with several dealer's hands is than that of one wager.
    rounds: f64,
}

/// One decision of the chart: a play against others, over the hands of some cells.
pub struct Choice {
    pub key: CellKey,
    pub play: Action,
    others: Vec<Action>,
    cells: Vec<usize>,
    seen: [f64; RANKS],
}

/// Rounds in which a decision is asked at a count: their terms, how many, and the mean of their counts before rounding.
#[derive(Clone)]
pub struct Bucket {
    terms: Terms,
    pub share: f64,
    pub exact: f64,
}

impl ByCount {
    /// Solves what is needed.
    pub fn new(choices: &Choices, chart: &Chart, asked: &Asked, tell: Tell<'_>) -> Result<ByCount, Failure> {
        let refused = |error: BadChart| Failure::Refused(error.to_string());
        let system = asked.options()?.system.ok_or_else(|| {
            Failure::NotUnderstood("index plays need a count; add --count hi-lo, or ten tags".into())
        })?;
        let program = compile(choices, chart, &Wish::default()).map_err(refused)?;
        let given = Given::new(choices, chart.clone()).map_err(refused)?;
        let given = Strategy::Given(Box::new(given));
        let full = Table::new(choices, Attacked::No).shoe();
        let Sample { places, met, scene } =
            met(&program, &system, &full, (asked.seed, asked.rounds.unwrap_or(ROUNDS)));
        let dealers = Dealers::default();
        let whole = Table::new(choices, Attacked::No).sharing(&dealers);
        let book = Book::new(cells(&whole, chart));
        let all = figures(choices, &given);
        let many = if choices.hands_per_box() > 1 { FEWEST } else { SOLVED };
        let shoes = evenly(met, many, &full);
        let solve = |shoe: &Shoe| {
            let table = Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(*shoe);
            let (net, square) = net_and_square(&table, &given);
            // where the square is not worked out it is that of the full shoe
            let square = square.unwrap_or(all.variance + all.ev * all.ev);
            book.written((net, square), &cells(&table, chart))
        };
        let solved = each_told(&shoes, at_once(choices), tell, solve);
        let points: Vec<Terms> = shoes.iter().map(|shoe| Terms::of(shoe, &scene)).collect();
        let weights: Vec<f64> = shoes.iter().map(|shoe| scene.weight(shoe)).collect();
        let at_first = net_and_square(&whole, &given).1;
        Ok(ByCount {
            surfaces: Surfaces::through(&points, &weights, &solved),
            choices: choices.clone(),
            square: all.variance + all.ev * all.ev,
            together: at_first.map_or(0.0, |square| all.variance + all.ev * all.ev - square),
            rounds: several_hands(choices, all.variance)?,
            deck: program.stack.cards as f64 / f64::from(program.decks),
            stack: program.stack.cards as f64,
            system,
            places,
            book,
            solved,
        })
    }

    /// Returns the frequency of each count at the beginning of a round.
    pub fn often(&self) -> BTreeMap<i32, f64> {
        let mut often = BTreeMap::new();
        self.places.iter().for_each(|place| *often.entry(place.count).or_default() += place.share);
        often
    }

    /// Returns the count of a player who has seen these cards of the round, exact and rounded.
    pub fn count_after(&self, place: &Place, seen: &[f64; RANKS]) -> (f64, i32) {
        let tags: f64 = seen.iter().zip(&self.system.tags).map(|(n, tag)| n * f64::from(*tag)).sum();
        let cards: f64 = seen.iter().sum();
        let left = (self.stack - place.dealt as f64 - cards).max(1.0) / self.deck;
        counted(&self.system, f64::from(place.running) + tags, left)
    }

    /// Returns every decision that some solved compositions answer differently from others.
    pub fn choices(&self) -> Vec<Choice> {
        let mut rows: BTreeMap<CellKey, Vec<usize>> = BTreeMap::new();
        for (at, (key, ..)) in self.book.keys.iter().enumerate() {
            // drawing or standing is one decision for all hands of a row
            let (row, column, hands) = key;
            let plain = if *hands == Hands::First { Hands::Later } else { *hands };
            rows.entry((*row, column.clone(), plain)).or_default().push(at);
        }
        let mut all: Vec<Choice> = Vec::new();
        for (key, cells) in rows {
            let first: Vec<usize> =
                cells.iter().copied().filter(|&at| self.book.keys[at].0.2 == Hands::First).collect();
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
        let open = |action: Action| cells.iter().all(|&at| self.book.figure(at, action).is_some());
        let others: Vec<Action> = others.iter().copied().filter(|&action| open(action)).collect();
        if cells.is_empty() || others.is_empty() || !open(play) {
            return None;
        }
        let chance: f64 = cells.iter().map(|&at| self.book.keys[at].1.chance).sum();
        let mut seen = [0.0; RANKS];
        for cell in cells.iter().map(|&at| &self.book.keys[at].1) {
            seen.iter_mut().zip(&cell.seen).for_each(|(sum, n)| *sum += cell.chance / chance * n);
        }
        Some(Choice { key: key.clone(), play, others, cells: cells.to_vec(), seen })
    }

    /// What the play adds to a round over the best of the others, and which that is.
    fn gain(&self, choice: &Choice, figure: impl Fn(usize) -> f64) -> (f64, Action) {
        let of = |action: Action| -> f64 {
            choice.cells.iter().filter_map(|&at| self.book.figure(at, action)).map(&figure).sum()
        };
        let others = choice.others.iter().map(|&action| (of(action), action));
        let best = others.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Action::Stand));
        (of(choice.play) - best.0, best.1)
    }

    /// Returns the gain of a decision in a bucket, over all of its rounds together.
    pub fn gain_in(&self, choice: &Choice, bucket: &Bucket) -> (f64, Action) {
        self.gain(choice, |figure| self.surfaces.at(figure, &bucket.terms))
    }

    /// Returns the standard error of the gain of a decision in a bucket.
    pub fn error_in(&self, choice: &Choice, bucket: &Bucket) -> f64 {
        let mean = bucket.terms.clone().divided(bucket.share);
        let others = choice.others.first().copied();
        let figures = choice.cells.iter().flat_map(|&at| {
            [Some(choice.play), others]
                .into_iter()
                .flatten()
                .filter_map(move |action| self.book.figure(at, action))
        });
        let squares: f64 = figures.map(|figure| self.surfaces.deviation(figure).powi(2)).sum();
        bucket.share * self.surfaces.reach(&mean) * squares.sqrt()
    }

    /// Returns the gain of a decision from the full shoe.
    pub fn gain_at_first(&self, choice: &Choice) -> f64 {
        let value = |action: Action| -> f64 {
            choice.cells.iter().filter_map(|&at| self.book.keys[at].1.values.get(&action)).sum()
        };
        let best = choice.others.iter().map(|&action| value(action)).fold(f64::MIN, f64::max);
        value(choice.play) - best
    }

    /// Returns the fraction of rounds in which a decision comes up, from the full shoe.
    pub fn chance(&self, choice: &Choice) -> f64 {
        choice.cells.iter().map(|&at| self.book.keys[at].1.chance).sum()
    }

    /// Returns the rounds by the count at which a decision is made.
    pub fn buckets(&self, choice: &Choice) -> BTreeMap<i32, Bucket> {
        let mut buckets: BTreeMap<i32, Bucket> = BTreeMap::new();
        for place in &self.places {
            let (exact, count) = self.count_after(place, &choice.seen);
            let bucket = buckets.entry(count).or_insert_with(|| Bucket {
                terms: Terms::zero(),
                share: 0.0,
                exact: 0.0,
            });
            bucket.terms.add(place.share, &place.terms);
            bucket.share += place.share;
            bucket.exact += place.share * exact;
        }
        buckets.values_mut().for_each(|bucket| bucket.exact /= bucket.share);
        buckets
    }

    /// Returns the value of a round at each count under a chart with index plays; `insured` is the gain from
    /// insurance at each place.
    pub fn worth(&self, chart: &Chart, insured: Option<&[f64]>) -> Vec<At> {
        let mut values: Vec<f64> =
            self.places.iter().map(|place| self.surfaces.at(NET, &place.terms)).collect();
        values.iter_mut().zip(insured.into_iter().flatten()).for_each(|(value, gain)| *value += gain);
        // the squared deviations of the surfaces that departures from the chart are read from, by count
        let mut deviations: BTreeMap<i32, f64> = BTreeMap::new();
        for (cell, (key, full, at)) in self.book.keys.iter().enumerate() {
            let (row, column, _) = key;
            let departures: Vec<_> =
                chart.indices.iter().filter(|index| index.row == *row && index.column == *column).collect();
            if departures.is_empty() {
                continue;
            }
            let mut read: BTreeSet<(i32, usize)> = BTreeSet::new();
            for (place, value) in self.places.iter().zip(&mut values) {
                let (_, count) = self.count_after(place, &full.seen);
                let active = departures.iter().filter(|index| (count >= index.from) != index.below);
                let play = active.flat_map(|index| &index.play.0).map(|&play| exact::given::from_rules(play));
                let action = play.into_iter().find(|action| full.values.contains_key(action));
                let Some(figure) = action.and_then(|action| self.book.figure(cell, action)) else { continue };
                *value += self.surfaces.at(figure, &place.terms) - self.surfaces.at(at + 1, &place.terms);
                read.insert((place.count, figure));
            }
            for (count, figure) in read {
                *deviations.entry(count).or_default() += self.surfaces.deviation(figure).powi(2);
            }
        }
        let mut sums: BTreeMap<i32, Sum> = BTreeMap::new();
        for (place, value) in self.places.iter().zip(&values) {
            sums.entry(place.count).or_default().add(place, *value);
        }
        let often: Vec<(i32, f64)> = sums.iter().map(|(count, sum)| (*count, sum.share)).collect();
        let squares = self.squares(chart, &often);
        let told = sums.into_iter().map(|(count, sum)| {
            let ev = sum.value / sum.share;
            let terms = sum.terms.divided(sum.share);
            let departures = deviations.get(&count).copied().unwrap_or_default();
            let deviation = (self.surfaces.deviation(NET).powi(2) + departures).sqrt();
            let square = self.surfaces.at(SQUARE, &terms) + self.together + between(&squares, count);
            let fit_error = deviation * self.surfaces.reach(&terms);
            At {
                count,
                frequency: sum.share,
                ev,
                ev_error: fit_error.hypot(sum.batches.error(ev)),
                fit_error,
                variance: self.rounds * (square - ev * ev).max(0.0),
                batches: sum.batches,
            }
        });
        told.collect()
    }
}

/// What the places of a count add up to.
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
    fn add(&mut self, place: &Place, value: f64) {
        self.terms.add(place.share, &place.terms);
        self.share += place.share;
        self.value += place.share * value;
        self.batches.add(&place.batches, value);
    }
}

/// The default number of rounds that are played to learn the frequency of each count.
pub const ROUNDS: u64 = 2_000_000;

/// Parts of all rounds with a lower count at which the square of a round by index plays is worked out.
const QUANTILES: [f64; 8] = [0.003, 0.015, 0.06, 0.5, 0.8, 0.9, 0.96, 0.995];

impl ByCount {
    /// What index plays add to the square of a round at some counts, from the full shoe with the products of split hands.
    fn squares(&self, chart: &Chart, often: &[(i32, f64)]) -> Vec<(i32, f64)> {
        if chart.indices.is_empty() {
            return Vec::new();
        }
        let mut counts: Vec<i32> = Vec::new();
        let (mut below, mut quantiles) = (0.0, QUANTILES.iter().peekable());
        for &(count, share) in often {
            below += share;
            while quantiles.next_if(|quantile| **quantile <= below).is_some() {
                counts.push(count);
            }
        }
        counts.dedup();
        let square = |count: i32| {
            // the departures of this count hold whatever the count of a full shoe is
            let mut there = chart.clone();
            there.insurance = program::chart::Take::Never;
            there.indices.retain(|index| (count >= index.from) != index.below);
            there.indices.iter_mut().for_each(|index| (index.from, index.below) = (0, false));
            let given = Given::new(&self.choices, there).ok()?;
            let found = figures(&self.choices, &Strategy::Given(Box::new(given)));
            Some((count, found.variance + found.ev * found.ev - self.square))
        };
        counts.into_iter().filter_map(square).collect()
    }
}

/// A figure that is known at some counts, in between by straight lines and beyond them as at the last.
fn between(known: &[(i32, f64)], count: i32) -> f64 {
    let after = known.partition_point(|(at, _)| *at < count);
    match (after.checked_sub(1).and_then(|at| known.get(at)), known.get(after)) {
        (Some(&(a, low)), Some(&(b, high))) => low + (high - low) * f64::from(count - a) / f64::from(b - a),
        (Some((_, only)), None) | (None, Some((_, only))) => *only,
        (None, None) => 0.0,
    }
}

/// The count before and after it is rounded, of a running count that may be a mean.
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

/// What a simulation met: where rounds begin, and some compositions of each count with how many there were.
struct Sample {
    places: Vec<Place>,
    met: BTreeMap<i32, (u64, Vec<Shoe>)>,
    scene: Scene,
}

/// The places where rounds of a simulation begin, and some compositions of each count, in the order met.
fn met(program: &Program, system: &System, full: &Shoe, (seed, rounds): (u64, u64)) -> Sample {
    let deck = program.stack.cards as f64 / f64::from(program.decks);
    let start = system.at_start(program.decks as i32);
    let tags = system.tags.map(i32::from);
    let all: i32 = tags.iter().zip(full).map(|(tag, n)| tag.abs() * i32::from(*n)).sum();
    // a count of many fine tags is read as one of fewer, where what is left is averaged
    let coarse = 1 + all / MOST_TAGS;
    let coarser = tags.map(|tag| (f64::from(tag) / f64::from(coarse)).round() as i32);
    let mut often: BTreeMap<(usize, i32, i32, usize), [u32; BATCHES]> = BTreeMap::new();
    let mut batch = 0;
    let mut kept: BTreeMap<i32, (u64, Vec<Shoe>)> = BTreeMap::new();
    let mut begun = 0_u64;
    let full_tags = dot(&tags, full);
    each_round(program, seed, |left, dealt| {
        let running = start + full_tags - dot(&tags, left);
        let count = sim::count::count_of(system, running, (program.stack.cards - dealt).max(1) as f64 / deck);
        if left == full {
            batch = (batch + 1) % BATCHES;
        }
        let here = (shoe_size(left) as usize, dot(&coarser, left), running, dealt);
        often.entry(here).or_default()[batch] += 1;
        let (many, shoes) = kept.entry(count).or_default();
        *many += 1;
        // each of them is kept with equal chance
        if shoes.len() < KEPT {
            shoes.push(*left);
        } else {
            let place = shoe_seed(seed, *many, begun) % *many;
            if let Some(shoe) = shoes.get_mut(place as usize) {
                *shoe = *left;
            }
        }
        begun += 1;
        begun < rounds
    });
    let wanted: Vec<Left> = often.keys().map(|(cards, tags, ..)| (*cards, *tags)).collect();
    let known = moments(full, &coarser, &wanted);
    let scene = Scene::new(full, &coarser);
    let places = often.iter().zip(known).filter_map(|((&(cards, _, running, dealt), &batches), known)| {
        let known = known?;
        let count = sim::count::count_of(system, running, (program.stack.cards - dealt).max(1) as f64 / deck);
        let terms = Terms::mean(&known, cards as f64, &scene);
        let rounds: f64 = batches.iter().map(|&rounds| f64::from(rounds)).sum();
        let share = rounds / begun.max(1) as f64;
        let after = |x: usize, y: usize| {
            let both = known.mean[x] * known.mean[y];
            let pairs = known.product[x][y] - if x == y { known.mean[x] } else { 0.0 };
            if both > 0.0 { (pairs / both).max(0.0) } else { 0.0 }
        };
        let after = std::array::from_fn(|x| std::array::from_fn(|y| after(x, y)));
        Some(Place { cards, running, dealt, share, batches, count, mean: known.mean, after, terms })
    });
    Sample { places: places.collect(), met: kept, scene }
}

fn dot(tags: &[i32; RANKS], shoe: &Shoe) -> i32 {
    tags.iter().zip(shoe).map(|(tag, n)| tag * i32::from(*n)).sum()
}

/// So many compositions, evenly from all counts; those of rare counts from all of them together.
fn evenly(met: BTreeMap<i32, (u64, Vec<Shoe>)>, many: usize, full: &Shoe) -> Vec<Shoe> {
    let rounds: u64 = met.values().map(|(n, _)| n).sum();
    let mut classes: Vec<Vec<Shoe>> = Vec::new();
    let mut rare: Vec<Shoe> = Vec::new();
    for (n, shoes) in met.into_values() {
        if (n as f64) < RARE * rounds as f64 { rare.extend(shoes) } else { classes.push(shoes) }
    }
    // rare counts lie at both ends: they are worth a few classes
    let part = rare.len().div_ceil(4).max(1);
    classes.extend(rare.chunks(part).map(<[Shoe]>::to_vec));
    let mut found = vec![*full];
    for nth in 0..KEPT {
        let row: Vec<Shoe> = classes.iter().filter_map(|shoes| shoes.get(nth)).copied().collect();
        found.extend(row.into_iter().take(many.saturating_sub(found.len())));
    }
    found
}

/// Returns the ratio of the variance of a round of several dealer hands to that of one wager, from a short
/// simulation.
pub(crate) fn several_hands(choices: &Choices, one: f64) -> Result<f64, Failure> {
    if choices.spots() == 1 {
        return Ok(1.0);
    }
    let asked = Asked {
        rounds: Some(20_000_000),
        fresh_shoes: true,
        side_wagers: vec!["none".into()],
        ..Asked::default()
    };
    let ready = asked.ready(choices.clone(), Stakes::default())?;
    let played = simulate(ready.program()?, &ready.options, Hooks::default()).map_err(Failure::Refused)?;
    let deviation = ready.outcome(&played).document["std_dev"].as_f64().unwrap_or(one.sqrt());
    Ok(deviation * deviation / one)
}

/// Finds, among rows by count, the row from which betting wins most, and the exact count at which the win is zero.
/// Each row has a frequency, a mean count before rounding and a win. Returns `None` if that is always or never.
pub fn threshold(rows: &[(i32, f64, f64, f64)]) -> Option<(usize, f64)> {
    let won = |from: usize| rows[from..].iter().map(|row| row.3).sum::<f64>();
    let from = (0..=rows.len()).max_by(|a, b| won(*a).total_cmp(&won(*b)))?;
    if from == 0 || from == rows.len() {
        return None;
    }
    let (below, above) = (&rows[from - 1], &rows[from]);
    let (low, high) = (below.3 / below.1, above.3 / above.1);
    // between the two a straight line
    let exact = below.2 + (above.2 - below.2) * (-low / (high - low)).clamp(0.0, 1.0);
    Some((from, exact))
}

#[cfg(test)]
mod tests;
