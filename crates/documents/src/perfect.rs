//! Perfect play as a bound: what a round is worth to somebody who knows every card that is left, from every composition
//! that a simulation meets. No count can do better.

use crate::counted::correlation_of;
use crate::progress::{Tell, each_told};
use crate::shoe::values_json;
use crate::{Failure, Of, Stamped};
use exact::cards::{Shoe, plus, shoe_size};
use exact::dealers::Dealers;
use exact::game::{Strategy, figures, value_at};
use exact::given::{Followed, Given};
use exact::offers::by_totals;
use exact::removal::{Replay, removal};
use exact::table::{Attacked, Table};
use exact::threads::at_once;
use exact::vocabulary::{ACE, RANKS, Rank, TEN};
use program::chart::{Chart, Take};
use program::{Program, Wish, compile};
use rules::Choices;
use serde_json::{Value, json};
use sim::chunk::LaneSource;
use sim::count::{SYSTEMS, System, count_of};
use sim::isa::Isa;
use sim::rng::{LANES, shoe_seed};
use sim::round::Player;
use sim::shoe::Shoes;

/// The distance between sampled rounds, so large that two of them are hardly ever of the same shoe.
pub const APART: u64 = 101;
/// The width of the classes of the distribution.
const CLASS: f64 = 0.005;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Compositions that are solved.
    pub rounds: u64,
    pub seed: u64,
    pub least: u32,
    pub most: u32,
}

/// A composition with what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    pub shoe: Shoe,
    /// The fraction of all rounds that the composition stands for.
    pub weight: f64,
    /// The expected value by perfect play, insurance included.
    pub ev: f64,
    /// What of that is insurance.
    pub insured: f64,
    /// The expected value by the chart of the full shoe.
    pub charted: f64,
}

/// Follows a simulation of the program: calls `visit` with the unseen cards and the number of cards gone at the
/// beginning of every round, until it says that this is enough.
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

/// Returns the unseen cards at the beginning of regularly sampled rounds of a simulation that follows a chart.
pub fn compositions(program: &Program, rounds: u64, seed: u64) -> Vec<Shoe> {
    every(program, APART, rounds, seed).into_iter().map(|(shoe, _)| shoe).collect()
}

/// The same of rounds that are so far apart, each with the number of the shuffle that it was met in.
fn every(program: &Program, apart: u64, rounds: u64, seed: u64) -> Vec<(Shoe, usize)> {
    let (mut met, mut passed) = (Vec::new(), 0_u64);
    let (full, mut shuffles) = (full_shoe(program), 0_usize);
    // a seed may begin anywhere within the first interval
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

/// Returns the gain from insurance per round for a player who knows all cards that are left, the own cards
/// included, and takes it against an ace where it gains.
pub fn insurance(table: &Table<'_>, chart: &Chart) -> f64 {
    let insured = Chart { insurance: Take::Always, ..chart.clone() };
    let followed = Followed::new(table, &insured);
    let (shoe, choices) = (table.shoe(), table.choices());
    let own = 2 * choices.hands_per_box();
    let mut sum = 0.0;
    let mut hand = vec![ACE; own];
    loop {
        let gone = hand.iter().fold(plus([0; RANKS], ACE), |gone, &r| plus(gone, r));
        // even money stands for the insurance of a blackjack, and is taken where it is better
        let paid = own == 2 && hand == [ACE, TEN] && choices.even_money.is_yes();
        let chance = if paid { 0.0 } else { dealt(&shoe, &hand) };
        if chance > 0.0 {
            sum += chance * followed.insurance::<f64>(0, &gone).max(0.0);
        }
        // the next hand in rising order
        let above = |r: Rank| r.and_above().nth(1);
        let Some((at, next)) = (0..own).rev().find_map(|at| Some((at, above(hand[at])?))) else { return sum };
        hand[at..].fill(next);
    }
}

/// The chance of an ace for the dealer and of these cards, in rising order, for a player.
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
            // as many orders as the cards have
            alike = if nth > 1 && hand[nth - 2] == r { alike + 1.0 } else { 1.0 };
            chance *= nth as f64 / alike;
        }
    }
    chance
}

/// Compositions that were solved, among all that a simulation met.
pub struct Sampled {
    pub met: Vec<Met>,
    /// What is known of each of them.
    terms: Vec<Known>,
    /// What was met, with what the effects of removal make of each.
    pool: Vec<Pooled>,
}

/// A composition that was met.
#[derive(Clone, Copy)]
struct Pooled {
    shoe: Shoe,
    known: Known,
    /// The shuffle that it was met in: rounds of one shuffle have much in common.
    shuffle: usize,
}

/// Parts of shuffles and of solved compositions that are left out by turns, to see how far a figure moves.
const GROUPS: usize = 20;

/// Rounds that are looked at, one in so many, so that the sample stands for all of them.
const POOL: u64 = 60_000;
const POOL_APART: u64 = 7;
/// Compositions are solved in equal numbers from these parts of all, in the order of what the effects of removal make
/// of them: favourable ones, which are rare and matter most, more often than they come about.
const PARTS: [f64; 9] = [0.0, 0.3, 0.5, 0.65, 0.78, 0.88, 0.95, 0.985, 1.0];

/// What is known of a composition without solving it: one, the advantage by the effects of removal and its square, what
/// of it is favourable and its square, and how few cards are left.
const TERMS: usize = 6;
type Known = [f64; TERMS];

fn known(shoe: &Shoe, full: &Shoe, (ev, effects): (f64, &[f64; RANKS])) -> Known {
    let (all, left) = (shoe_size(full) as f64, shoe_size(shoe) as f64);
    let moved: f64 =
        Rank::ALL.into_iter().map(|r| effects[r] * (f64::from(full[r]) - f64::from(shoe[r]))).sum();
    let about = 100.0 * (ev + moved * all / left);
    let good = (about + 0.1).max(0.0);
    [1.0, about, about * about, good, good * good, 52.0 / left]
}

/// Solves compositions of what a simulation meets, and weighs them so that what is known of all is what they have.
pub fn work_out(choices: &Choices, wanted: &Wanted, tell: Tell<'_>) -> Result<Sampled, Failure> {
    let chart = by_totals(choices);
    let refused = |error: program::chart::BadChart| Failure::Refused(error.to_string());
    let program = compile(choices, &chart, &Wish::default()).map_err(refused)?;
    let given = Given::new(choices, chart.clone()).map_err(refused)?;
    let given = Strategy::Given(Box::new(given));
    let dealers = Dealers::default();
    let whole = Table::new(choices, Attacked::No).sharing(&dealers);
    let full = whole.shoe();
    let effects = removal(&whole, Replay::Fixed).map(|effect| effect.unwrap_or(0.0));
    let first = value_at::<f64>(&whole, &given);
    let mut pool: Vec<Pooled> = every(&program, POOL_APART, POOL, wanted.seed)
        .into_iter()
        .map(|(shoe, shuffle)| Pooled { shoe, known: known(&shoe, &full, (first, &effects)), shuffle })
        .collect();
    pool.sort_by(|a, b| a.known[1].total_cmp(&b.known[1]));
    let chosen = chosen(pool.len(), wanted);
    let solve = |&(at, weight): &(usize, f64)| {
        let table = Table::new(choices, Attacked::No).sharing(&dealers).with_shoe(pool[at].shoe);
        Met { weight, ..worth(&table, &chart, &given) }
    };
    let mut met = each_told(&chosen, at_once(choices), tell, solve);
    let terms: Vec<Known> = chosen.iter().map(|(at, _)| pool[*at].known).collect();
    calibrate(&mut met, &terms, &mean_of(&pool));
    Ok(Sampled { met, terms, pool })
}

/// Which of so many compositions, the least favourable first, are solved, and what part of all each stands for.
fn chosen(many: usize, wanted: &Wanted) -> Vec<(usize, f64)> {
    if many <= 1 {
        return vec![(0, 1.0); many];
    }
    let parts = PARTS.len() as u64 - 1;
    let mut chosen = Vec::new();
    for (nth, bounds) in PARTS.windows(2).enumerate() {
        let [from, to] = [bounds[0], bounds[1]].map(|bound| (bound * many as f64) as usize);
        // the last of them make up the number
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

fn mean_of(pool: &[Pooled]) -> Known {
    let n = pool.len().max(1) as f64;
    std::array::from_fn(|term| pool.iter().map(|one| one.known[term]).sum::<f64>() / n)
}

/// The variance of the mean of a figure over what was met, shuffle by shuffle: another simulation meets other shuffles.
fn between_shuffles(pool: &[Pooled], figure: impl Fn(&Known) -> f64) -> f64 {
    let n = pool.len().max(1) as f64;
    let mean = pool.iter().map(|one| figure(&one.known)).sum::<f64>() / n;
    let mut shuffles: std::collections::HashMap<usize, f64> = std::collections::HashMap::new();
    pool.iter().for_each(|one| *shuffles.entry(one.shuffle).or_default() += figure(&one.known) - mean);
    let many = shuffles.len() as f64;
    if many < 2.0 {
        return 0.0;
    }
    // added in order, so that the same seed gives the same bits
    let mut sums: Vec<f64> = shuffles.into_values().map(|sum| sum * sum).collect();
    sums.sort_by(f64::total_cmp);
    sums.iter().sum::<f64>() / (n * n) * many / (many - 1.0)
}

/// Changes the weights as little as can be so that the weighed means of what is known are those of all that was met.
fn calibrate(met: &mut [Met], terms: &[Known], wanted: &Known) {
    if met.len() < 4 * TERMS {
        return;
    }
    let mut right: Known = *wanted;
    for (met, known) in met.iter().zip(terms) {
        right.iter_mut().zip(known).for_each(|(sum, term)| *sum -= met.weight * term);
    }
    let by = solved(normal(met, terms), right);
    for (met, known) in met.iter_mut().zip(terms) {
        met.weight *= 1.0 + known.iter().zip(&by).map(|(term, by)| term * by).sum::<f64>();
    }
}

fn normal(met: &[Met], terms: &[Known]) -> [Known; TERMS] {
    let mut normal = [[0.0; TERMS]; TERMS];
    for (met, known) in met.iter().zip(terms) {
        for (row, a) in normal.iter_mut().zip(known) {
            row.iter_mut().zip(known).for_each(|(sum, b)| *sum += met.weight * a * b);
        }
    }
    normal
}

/// The solution of linear equations, the largest element of each column first.
fn solved(mut rows: [Known; TERMS], mut right: Known) -> Known {
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
    /// The mean of a figure over all rounds, and its standard error: what is known of a composition tells most of the
    /// figure. Uncertain are the rest, and which compositions the simulation met.
    fn mean(&self, figure: impl Fn(&Met) -> f64) -> (f64, f64) {
        let mean: f64 = self.met.iter().map(|met| met.weight * figure(met)).sum();
        let rest: f64 = match self.predicted(&figure, None) {
            Some(by) => {
                let off = |(met, known): (&Met, &Known)| met.weight * (figure(met) - dot(known, &by));
                let squares: f64 = self.met.iter().zip(&self.terms).map(off).map(|off| off * off).sum();
                let n = self.met.len() as f64;
                squares * n / (n - TERMS as f64) + between_shuffles(&self.pool, |known| dot(known, &by))
            }
            None => self.met.iter().map(|met| (met.weight * (figure(met) - mean)).powi(2)).sum(),
        };
        (mean, rest.sqrt())
    }

    /// How a figure goes by what is known of a composition; one group of those that were solved may be left out.
    fn predicted(&self, figure: &impl Fn(&Met) -> f64, without: Option<usize>) -> Option<Known> {
        if self.met.len() < 4 * TERMS {
            return None;
        }
        let kept = (0..self.met.len()).filter(|at| without != Some(at % GROUPS));
        let (met, terms): (Vec<Met>, Vec<Known>) = kept.map(|at| (self.met[at], self.terms[at])).unzip();
        let mut right = [0.0; TERMS];
        for (met, known) in met.iter().zip(&terms) {
            right.iter_mut().zip(known).for_each(|(sum, term)| *sum += met.weight * term * figure(met));
        }
        Some(solved(normal(&met, &terms), right))
    }

    /// SCORE of somebody who stakes by a count alone, unfavourable counts sat out, and its standard error: what each count
    /// is worth is the mean of what is known of the compositions that were met there. The error is that of a jackknife,
    /// which leaves out a group of shuffles and of solved compositions by turns.
    fn score_of(&self, count: impl Fn(&Shoe) -> i32, variance: f64) -> Option<(f64, f64)> {
        let counts: Vec<i32> = self.pool.iter().map(|one| count(&one.shoe)).collect();
        let score = |without: Option<usize>| -> Option<f64> {
            let by = self.predicted(&|met: &Met| met.ev, without)?;
            let mut sums: std::collections::BTreeMap<i32, (f64, f64)> = std::collections::BTreeMap::new();
            let kept = self.pool.iter().zip(&counts).filter(|(one, _)| without != Some(one.shuffle % GROUPS));
            let mut n = 0.0;
            for (one, count) in kept {
                let sum = sums.entry(*count).or_default();
                *sum = (sum.0 + 1.0, sum.1 + dot(&one.known, &by));
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

fn dot(a: &Known, b: &Known) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// What the cards of a table are worth: to whoever knows them, and by the chart, which is given as such and as a strategy.
fn worth(table: &Table<'_>, chart: &Chart, given: &Strategy) -> Met {
    let insured = insurance(table, chart);
    let charted = value_at::<f64>(table, given);
    // a chart is one way to play: whoever knows more does no worse
    let best = value_at::<f64>(table, &Strategy::CompositionDependent).max(charted);
    Met { shoe: table.shoe(), weight: 1.0, ev: best + insured, insured, charted }
}

/// The performance of a count against the bound: its correlation with the exact value, and the fraction of the
/// possible win from favourable rounds that betting from the best count on achieves.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    pub count: String,
    pub correlation: f64,
    pub from: f64,
    pub captured: f64,
}

pub fn beside(met: &[Met], system: &System, full: &Shoe, decks: f64) -> Beside {
    let start = f64::from(system.at_start(decks as i32));
    let deck = shoe_size(full) as f64 / decks;
    let count = |shoe: &Shoe| {
        let gone = |r: Rank| f64::from(system.tags[r]) * (f64::from(full[r]) - f64::from(shoe[r]));
        let running = (start + Rank::ALL.into_iter().map(gone).sum::<f64>()) / f64::from(system.scale);
        running / (shoe_size(shoe) as f64 / deck)
    };
    let mut pairs: Vec<(f64, f64, f64)> =
        met.iter().map(|met| (count(&met.shoe), met.ev, met.weight)).collect();
    let correlation = correlation_of(&pairs);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut sum, mut best, mut from) = (0.0, 0.0, f64::INFINITY);
    for (at, &(count, ev, weight)) in pairs.iter().enumerate() {
        sum += weight * ev;
        // counts that are equal are wagered on together
        let ends = pairs.get(at + 1).is_none_or(|next| next.0 < count);
        if ends && sum > best {
            (best, from) = (sum, count);
        }
    }
    let all: f64 = pairs.iter().map(|(_, ev, weight)| weight * ev.max(0.0)).sum();
    let captured = if all > 0.0 { best / all } else { 0.0 };
    Beside { count: system.name.clone(), correlation, from, captured }
}

/// Returns the document of the sampled compositions.
pub fn document(choices: &Choices, wanted: &Wanted, sampled: &Sampled) -> Stamped<Value> {
    let met = &sampled.met;
    let full = Table::new(choices, Attacked::No).shoe();
    let variance = figures(choices, &Strategy::TotalDependent).variance;
    let told = |(mean, error): (f64, f64)| json!({ "ev": mean, "std_error": error });
    let positive = sampled.mean(|met| met.ev.max(0.0));
    let squares = sampled.mean(|met| met.ev.max(0.0).powi(2));
    let stake = |ev: f64| f64::from(if ev > 0.0 { wanted.most } else { wanted.least });
    let spread = sampled.mean(|met| met.ev * stake(met.ev));
    let n0 = (squares.0 > 0.0).then(|| variance / squares.0);
    let systems = SYSTEMS.iter().filter_map(|system| System::parse(system.0).ok());
    let decks = f64::from(choices.decks);
    let counts = systems.map(|system| {
        let (deck, start) = (shoe_size(&full) as f64 / decks, system.at_start(i32::from(choices.decks)));
        let rounded = |shoe: &Shoe| {
            let gone = |r: Rank| i32::from(system.tags[r]) * (i32::from(full[r]) - i32::from(shoe[r]));
            let running = start + Rank::ALL.into_iter().map(gone).sum::<i32>();
            count_of(&system, running, shoe_size(shoe) as f64 / deck)
        };
        (sampled.score_of(rounded, variance), beside(met, &system, &full, decks))
    });
    let counts = counts.map(|(score, beside)| {
        let from = if beside.from.is_finite() { json!(beside.from) } else { Value::Null };
        json!({
            "count": beside.count, "correlation": beside.correlation, "from": from, "captured": beside.captured,
            "score": score.map(|(score, _)| score), "score_error": score.map(|(_, error)| error),
        })
    });
    let of_met = |met: Option<&Met>| met.map(|met| json!({ "ev": met.ev, "shoe": values_json(&met.shoe) }));
    let document = json!({
        "rounds": met.len(),
        "flat": told(sampled.mean(|met| met.ev)),
        "chart": told(sampled.mean(|met| met.charted)),
        "playing": told(sampled.mean(|met| met.ev - met.insured - met.charted)),
        "insurance": told(sampled.mean(|met| met.insured)),
        "favourable": {
            "share": sampled.mean(|met| f64::from(u8::from(met.ev > 0.0))).0,
            "ev": positive.0, "std_error": positive.1,
        },
        "spread": format!("{}-{}", wanted.least, wanted.most),
        "win_per_100": 100.0 * spread.0, "win_per_100_error": 100.0 * spread.1,
        "score": n0.map(|n0| 1e6 / n0), "score_error": 1e6 * squares.1 / variance, "n0": n0, "std_dev": variance.sqrt(),
        "best": of_met(met.iter().max_by(|a, b| a.ev.total_cmp(&b.ev))),
        "worst": of_met(met.iter().min_by(|a, b| a.ev.total_cmp(&b.ev))),
        "distribution": distribution(met),
        "counts": counts.collect::<Vec<_>>(),
        "method": "exact values of compositions that a simulation meets, favourable ones more often, weighed by what the effects of removal say of all",
    });
    Stamped::new(
        document,
        Of::table(choices)
            .with("seed", wanted.seed)
            .with("spread", format!("{}-{}", wanted.least, wanted.most)),
    )
}

/// How often values lie in each class.
fn distribution(met: &[Met]) -> Vec<Value> {
    let mut classes = std::collections::BTreeMap::<i64, f64>::new();
    met.iter().for_each(|met| *classes.entry((met.ev / CLASS).floor() as i64).or_default() += met.weight);
    classes
        .into_iter()
        .map(|(at, part)| {
            json!({ "from": at as f64 * CLASS, "to": (at + 1) as f64 * CLASS, "frequency": part })
        })
        .collect()
}

#[cfg(test)]
mod tests;
