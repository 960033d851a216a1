//! Simulates rounds to find how often each count and depth occurs, and samples compositions there.

use super::second::SecondAtTable;
use super::{BackCountedRounds, DepthCell, counted};
use crate::Failure;
use crate::by_count::batches::BATCHES;
use crate::by_count::moments::{Left, Moments, moments};
use crate::by_count::reading::BackCounting;
use crate::by_count::surface::{Scene, Terms};
use crate::perfect::each_round;
use exact::cards::{Shoe, shoe_size};
use exact::vocabulary::RANKS;
use program::Program;
use sim::count::{System, count_of};
use sim::rng::shoe_seed;
use std::collections::BTreeMap;

/// The maximum number of sampled compositions to keep at each count.
const KEPT: usize = 40;
/// The frequency, as a fraction of all rounds, below which a count is pooled with other rare counts.
const RARE: f64 = 3e-4;
/// The maximum sum of the absolute tags of all cards in a full shoe.
///
/// The tags of a counting system with a larger sum are made coarser by division and rounding.
const MOST_TAGS: i32 = 4000;

/// The result of a simulation: the depth cells in which rounds start, and a sample of compositions at each count.
pub struct Sample {
    pub depth_cells: Vec<DepthCell>,
    pub compositions: BTreeMap<i32, Kept>,
    pub scene: Scene,
    pub back_counted: Option<BackCountedRounds>,
}

/// The counts of a player: the main count, and the second count if the player keeps one.
pub struct Counts<'a> {
    pub system: &'a System,
    pub second: Option<&'a SecondAtTable>,
}

/// The counts and the depth at the start of a round.
///
/// `tags` is the sum of the tags of the cards left, coarse and joint with the second count if there is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    cards: usize,
    tags: i32,
    running: i32,
    second: i32,
    dealt: usize,
}

/// The shoe of a simulation, and the tags by which its compositions are told apart.
struct Counted<'a> {
    counts: &'a Counts<'a>,
    full: &'a Shoe,
    /// The tags that tell the sums of both counts, coarse if there are too many sums.
    joint: [i32; RANKS],
    start: i32,
    stack: usize,
    deck: f64,
}

impl Counted<'_> {
    fn start(&self, left: &Shoe, dealt: usize) -> Start {
        let gone = |tags: &[i8; RANKS]| {
            let tags = tags.map(i32::from);
            dot(&tags, self.full) - dot(&tags, left)
        };
        Start {
            cards: shoe_size(left) as usize,
            tags: dot(&self.joint, left),
            running: self.start + gone(&self.counts.system.tags),
            second: self.counts.second.map_or(0, |second| gone(&second.system.tags)),
            dealt,
        }
    }

    /// Returns the rounded count that decides the bet.
    fn count(&self, at: Start) -> i32 {
        let (system, decks) = (self.counts.system, (self.stack - at.dealt).max(1) as f64 / self.deck);
        match self.counts.second {
            None => count_of(system, at.running, decks),
            Some(second) => {
                let gone = shoe_size(self.full) as f64 - at.cards as f64;
                let surplus = second.surplus(self.second(at), gone);
                let both = f64::from(at.running) + second.betting * surplus * f64::from(system.scale);
                counted(system, both, decks).1
            }
        }
    }

    /// Returns the running second count, in its own tags; 0 without a second count.
    fn second(&self, at: Start) -> f64 {
        self.counts.second.map_or(0.0, |second| f64::from(at.second) / f64::from(second.system.scale))
    }

    fn depth_cell(
        &self,
        at: Start,
        rounds: &Rounds,
        known: &Moments,
        scene: &Scene,
        begun: u64,
    ) -> DepthCell {
        let many: f64 = rounds.all.iter().map(|&rounds| f64::from(rounds)).sum();
        let after = |x: usize, y: usize| {
            let both = known.mean[x] * known.mean[y];
            let pairs = known.product[x][y] - if x == y { known.mean[x] } else { 0.0 };
            if both > 0.0 { (pairs / both).max(0.0) } else { 0.0 }
        };
        DepthCell {
            cards: at.cards,
            running: at.running,
            second: self.second(at),
            dealt: at.dealt,
            share: many / begun.max(1) as f64,
            batches: rounds.all,
            played: rounds.played,
            count: self.count(at),
            mean: known.mean,
            after: std::array::from_fn(|x| std::array::from_fn(|y| after(x, y))),
            terms: Terms::mean(known, at.cards as f64, scene),
        }
    }
}

/// The numbers of rounds that start in the same way, by batch: all of them, and those that the player plays.
#[derive(Default)]
struct Rounds {
    all: [u32; BATCHES],
    played: [u32; BATCHES],
}

/// Simulates rounds, and returns the depth cells in which rounds start and a sample of compositions at each count.
///
/// Returns an error if the two counts have too many values together.
pub fn sample_rounds(
    program: &Program,
    counts: &Counts<'_>,
    full: &Shoe,
    (seed, rounds): (u64, u64),
    back_counting: Option<BackCounting>,
) -> Result<Sample, Failure> {
    let tags = counts.system.tags.map(i32::from);
    let all: i32 = tags.iter().zip(full).map(|(tag, n)| tag.abs() * i32::from(*n)).sum();
    // coarsen a count with many fine tags; the remainder is averaged
    let coarse = 1 + all / MOST_TAGS;
    let coarser = tags.map(|tag| (f64::from(tag) / f64::from(coarse)).round() as i32);
    let (joint, scene) = match counts.second {
        None => (coarser, Scene::new(full, &coarser.map(f64::from))),
        Some(second) => (second.joint_tags(&tags, full)?, Scene::new(full, &second.betting_tags())),
    };
    let counted = Counted {
        counts,
        full,
        joint,
        start: counts.system.at_start(program.decks as i32),
        stack: program.stack.cards,
        deck: program.stack.cards as f64 / f64::from(program.decks),
    };
    let mut rounds_at: BTreeMap<Start, Rounds> = BTreeMap::new();
    let (mut batch, mut plays, mut played) = (0, false, 0_u64);
    let mut kept: BTreeMap<i32, Kept> = BTreeMap::new();
    let mut begun = 0_u64;
    each_round(program, seed, |left, dealt| {
        let here = counted.start(left, dealt);
        let count = counted.count(here);
        if left == full {
            batch = (batch + 1) % BATCHES;
            plays = false;
        }
        plays = back_counting.is_some_and(|back_counting| back_counting.plays(plays, count));
        played += u64::from(plays);
        let rounds_here = rounds_at.entry(here).or_default();
        rounds_here.all[batch] += 1;
        rounds_here.played[batch] += u32::from(plays);
        kept.entry(count).or_default().add(left, seed, begun);
        begun += 1;
        begun < rounds
    });
    let wanted: Vec<Left> = rounds_at.keys().map(|at| (at.cards, at.tags)).collect();
    let known = moments(full, &joint, &wanted);
    let depth_cells = rounds_at
        .iter()
        .zip(known)
        .filter_map(|((&at, rounds), known)| Some(counted.depth_cell(at, rounds, &known?, &scene, begun)))
        .collect();
    let back_counted = back_counting.map(|by| BackCountedRounds { by, seen: begun, played });
    Ok(Sample { depth_cells, compositions: kept, scene, back_counted })
}

/// A sample of the compositions at one count, in which each composition is kept with equal probability.
#[derive(Default)]
pub struct Kept {
    /// The number of rounds that start at the count.
    rounds: u64,
    shoes: Vec<Shoe>,
}

impl Kept {
    /// Adds a composition to the sample (reservoir sampling). `seed` and `begun` decide which one it replaces.
    fn add(&mut self, left: &Shoe, seed: u64, begun: u64) {
        self.rounds += 1;
        if self.shoes.len() < KEPT {
            self.shoes.push(*left);
            return;
        }
        let slot = shoe_seed(seed, self.rounds, begun) % self.rounds;
        if let Some(shoe) = self.shoes.get_mut(slot as usize) {
            *shoe = *left;
        }
    }
}

fn dot(tags: &[i32; RANKS], shoe: &Shoe) -> i32 {
    tags.iter().zip(shoe).map(|(tag, n)| tag * i32::from(*n)).sum()
}

/// Returns the full shoe, followed by compositions taken evenly from all counts; at most `many` shoes in total.
///
/// Rare counts are pooled into a few groups.
pub fn evenly(compositions: BTreeMap<i32, Kept>, many: usize, full: &Shoe) -> Vec<Shoe> {
    let rounds: u64 = compositions.values().map(|kept| kept.rounds).sum();
    let mut classes: Vec<Vec<Shoe>> = Vec::new();
    let mut rare: Vec<Shoe> = Vec::new();
    for Kept { rounds: n, shoes } in compositions.into_values() {
        if (n as f64) < RARE * rounds as f64 { rare.extend(shoes) } else { classes.push(shoes) }
    }
    // rare counts are at both ends: they get a few classes
    let part = rare.len().div_ceil(4).max(1);
    classes.extend(rare.chunks(part).map(<[Shoe]>::to_vec));
    let mut found = vec![*full];
    for nth in 0..KEPT {
        let row: Vec<Shoe> = classes.iter().filter_map(|shoes| shoes.get(nth)).copied().collect();
        found.extend(row.into_iter().take(many.saturating_sub(found.len())));
    }
    found
}
