//! Sums over multisets of cards drawn without replacement, for many sets of removed cards at once.
//!
//! A multiset `D` with weight `w` stands for `w` orders of its cards, each of which comes from a shoe of `n` cards with
//! the chance of a product of falling factorials of the counts over the falling factorial of `n`. The sum over all
//! multisets is taken one value at a time, ten first and ace last; what is left after each value is shared by all
//! removed hands that agree so far, and `LANES` sets of hands that do not agree are worked out side by side. What is
//! left of them branches at the next value: each branch reads the lane of what it comes from, so that the lanes are
//! filled anew at every value.

use crate::cards::{ACE, Counts, RANKS, Shoe, shoe_size, size};
use crate::hands::Index;
use crate::lanes::{Contraction, LANES, Lanes, Reach, Run};
use crate::num::{Real, inverse};
use std::sync::Mutex;

/// The sum over one value.
struct Stage {
    /// For each partial sum before, the one after that it adds to.
    into: Vec<u32>,
    runs: Vec<Run>,
    /// How many partial sums there are after.
    after: usize,
    /// Most cards of the value.
    most: usize,
}

/// A multiset as one number: cards of each value, ten highest, then its length and where its sum belongs.
pub type Slot = u64;
/// Bits of the count of one value.
const FIELD: u32 = 5;
/// Most cards of one value; more than that are too many for any hands that can be dealt together.
const MOST: u8 = 31;
/// Bits below the counts.
const BELOW: u32 = 14;

/// Where the cards of one value stand in a slot.
fn shift(rank: usize) -> u32 {
    BELOW + FIELD * rank as u32
}

/// Weighted multisets, ready to be summed; each adds to one of several results.
pub struct Sums<R> {
    /// The weights, in the order that the ten's stage reads.
    weights: Vec<Lanes<R>>,
    /// By value; the stage of the ace ends in the results.
    stages: Vec<Stage>,
    longest: usize,
    /// Room of walks that are over, for those to come.
    rooms: Mutex<Vec<Room<R>>>,
}

impl<R: Real> Sums<R> {
    /// Prepares the sum of `ends`: a multiset, its result, its weight. The same multiset and result come once.
    pub fn new(ends: impl IntoIterator<Item = (Counts, usize, R)>, results: usize) -> Self {
        let bits = usize::BITS - results.saturating_sub(1).leading_zeros();
        let mut longest = 0;
        let mut slots: Vec<(Slot, R)> = Vec::new();
        for (cards, result, weight) in ends {
            if cards.iter().all(|&n| n <= MOST) {
                let hand = (0..RANKS).rev().fold(0, |k: Slot, r| k << FIELD | Slot::from(cards[r]));
                let length = usize::from(size(&cards));
                longest = longest.max(length);
                slots.push((hand << BELOW | (length as Slot) << bits | result as Slot, weight));
            }
        }
        slots.sort_unstable_by_key(|s| s.0);
        let (mut level, weights): (Vec<Slot>, Vec<R>) = slots.into_iter().unzip();
        let mut links: Vec<Links> = Vec::with_capacity(RANKS);
        for rank in (ACE + 1..RANKS).rev() {
            let (link, after) = Links::summing(&level, rank);
            links.push(link);
            level = after;
        }
        links.push(Links::ending(&level, results, bits));
        // Each stage chooses the order of the partial sums that it reads; the one before it writes them so.
        let mut stages: Vec<Stage> = Vec::with_capacity(RANKS);
        let mut places: Vec<u32> = (0..results as u32).collect();
        for link in links.into_iter().rev() {
            let (stage, before) = link.stage(&places);
            stages.push(stage);
            places = before;
        }
        let mut placed: Vec<Lanes<R>> = vec![Lanes::new(|_| R::zero()); weights.len()];
        for (&at, weight) in places.iter().zip(weights) {
            placed[at as usize] = Lanes::new(|_| weight.clone());
        }
        Sums { weights: placed, stages, longest, rooms: Mutex::default() }
    }

    /// Works out the sums for each of the `removed` hands, whose cards have left `shoe`: `visit` gets the index of
    /// the hand, the sums of several hands and the lane that is its own.
    pub fn each(&self, shoe: &Shoe, removed: &[Counts], mut visit: impl FnMut(usize, &[Lanes<R>], usize)) {
        self.side_by_side(shoe, removed, |rows, sums| {
            for (lane, rows) in rows.iter().enumerate() {
                rows.iter().for_each(|&(_, row)| visit(row as usize, sums, lane));
            }
        });
    }

    /// The same, but `visit` gets several hands with their sums; the hands of one lane have the same cards.
    pub fn side_by_side(
        &self,
        shoe: &Shoe,
        removed: &[Counts],
        visit: impl FnMut(&[Group<'_>], &[Lanes<R>]),
    ) {
        let mut rows: Vec<Row> =
            removed.iter().enumerate().map(|(i, cards)| (removal_key(cards), i as Index)).collect();
        rows.sort_unstable();
        let kept = self.rooms.lock().ok().and_then(|mut rooms| rooms.pop());
        let Room { mut levels, draws, per_order } = kept.unwrap_or_else(|| self.room());
        let mut walk = Walk::new(self, shoe, removed, (draws, per_order), visit);
        walk.descend(RANKS - 1, &[&rows], &self.weights, &mut levels);
        let (draws, per_order) = walk.weights;
        if let Ok(mut rooms) = self.rooms.lock() {
            rooms.push(Room { levels, draws, per_order });
        }
    }

    fn room(&self) -> Room<R> {
        // What no multiset reaches stays zero, and the chance of no card at all stays one.
        let zero = |many: usize| vec![Lanes::new(|_| R::zero()); many];
        let most = self.stages.iter().map(|stage| stage.most).max().unwrap_or(0);
        let levels = self.stages.iter().map(|stage| zero(stage.after)).collect();
        let mut per_order = zero(self.longest + 1);
        per_order[0] = Lanes::new(|_| R::one());
        Room { levels, draws: zero(most + 1), per_order }
    }
}

/// Where a walk keeps its numbers.
struct Room<R> {
    /// By value, the partial sums after it.
    levels: Vec<Vec<Lanes<R>>>,
    /// The draws and the chances of the hands side by side, as in a contraction.
    draws: Vec<Lanes<R>>,
    per_order: Vec<Lanes<R>>,
}

/// The cards of a removed hand as one number, ten highest.
fn removal_key(cards: &Counts) -> Slot {
    (0..RANKS).rev().fold(0, |k: Slot, r| k << REMOVED | Slot::from(cards[r]))
}

/// Bits of one value in a removed hand.
const REMOVED: u32 = 6;

fn removed_of(key: Slot, rank: usize) -> u64 {
    key >> (REMOVED * rank as u32) & ((1 << REMOVED) - 1)
}

/// One stage before the order of its partial sums is chosen: slots in rising order, and where each adds.
struct Links {
    /// Cards of the value and length, by slot.
    weigh: Vec<(usize, usize)>,
    /// The slot after that each adds to.
    into: Vec<u32>,
    after: usize,
}

impl Links {
    /// The sum over a value above the ace, and the slots that it leaves.
    fn summing(before: &[Slot], rank: usize) -> (Links, Vec<Slot>) {
        let mask = (1 << shift(rank)) - 1;
        let mut after: Vec<Slot> = before.iter().map(|s| s & mask).collect();
        // The slots are few sorted runs, which a merging sort joins quickly.
        after.sort();
        after.dedup();
        let mut into = Vec::with_capacity(before.len());
        for run in before.chunk_by(|a, b| a >> shift(rank) == b >> shift(rank)) {
            let mut at = 0;
            for s in run {
                while after[at] < s & mask {
                    at += 1;
                }
                into.push(at as u32);
            }
        }
        let weigh = before.iter().map(|s| ((s >> shift(rank)) as usize, 0)).collect();
        (Links { weigh, into, after: after.len() }, after)
    }

    /// The sum over the ace, which ends in the results.
    fn ending(before: &[Slot], results: usize, bits: u32) -> Links {
        let result = (1 << bits) - 1;
        let length = |s: &Slot| ((s & ((1 << BELOW) - 1)) >> bits) as usize;
        Links {
            weigh: before.iter().map(|s| ((s >> shift(ACE)) as usize, length(s))).collect(),
            into: before.iter().map(|s| (s & result) as u32).collect(),
            after: results,
        }
    }

    /// Orders the partial sums by weight, in each weight those first that are the first to reach where they go:
    /// they set what the others add to. Returns the place of each slot.
    fn stage(self, after: &[u32]) -> (Stage, Vec<u32>) {
        let mut reached = vec![false; self.after];
        let first: Vec<bool> =
            self.into.iter().map(|&at| !std::mem::replace(&mut reached[at as usize], true)).collect();
        let mut order: Vec<u32> = (0..self.into.len() as u32).collect();
        // Slots come in order of their weight already.
        let mut from = 0;
        let mut runs = Vec::new();
        for alike in self.weigh.chunk_by(|a, b| a == b) {
            let to = from + alike.len();
            order[from..to].sort_by_key(|&i| !first[i as usize]);
            let turn = from + first[from..to].iter().filter(|&&f| f).count();
            let (cards, length) = alike[0];
            for (from, to, reach) in [(from, turn, Reach::Sets), (turn, to, Reach::Adds)] {
                if from < to {
                    runs.push(Run { from, to, cards, length, reach });
                }
            }
            from = to;
        }
        let mut places = vec![0; order.len()];
        let mut into = Vec::with_capacity(order.len());
        for (at, &i) in order.iter().enumerate() {
            places[i as usize] = at as u32;
            into.push(after[self.into[i as usize] as usize]);
        }
        let most = self.weigh.iter().map(|w| w.0).max().unwrap_or(0);
        (Stage { into, runs, after: self.after, most }, places)
    }
}

/// One pass over the removed hands, sorted so that those that agree in their high cards are together.
struct Walk<'a, R, F> {
    sums: &'a Sums<R>,
    /// By value and number of removed cards: the number of ordered draws of so many cards of what is left.
    draws: Vec<Vec<Vec<R>>>,
    /// By number of removed cards: the chance of one order of so many cards.
    per_order: Vec<Vec<R>>,
    removed: &'a [Counts],
    /// The draws and the chances of the hands side by side.
    weights: (Vec<Lanes<R>>, Vec<Lanes<R>>),
    visit: F,
}

/// Removed hands that agree in all values that are summed already.
pub type Group<'a> = &'a [Row];
/// A removed hand: its cards as one number, and which it is.
pub type Row = (Slot, Index);

impl<'a, R: Real, F: FnMut(&[Group<'_>], &[Lanes<R>])> Walk<'a, R, F> {
    fn new(
        sums: &'a Sums<R>,
        shoe: &Shoe,
        removed: &'a [Counts],
        weights: (Vec<Lanes<R>>, Vec<Lanes<R>>),
        visit: F,
    ) -> Self {
        let most = |r: usize| removed.iter().map(|cards| cards[r]).max().unwrap_or(0);
        let draws = (0..RANKS)
            .map(|r| {
                let left = |gone: u8| i64::from(shoe[r]) - i64::from(gone);
                (0..=most(r)).map(|gone| falling(left(gone), sums.stages[r].most)).collect()
            })
            .collect();
        let largest = removed.iter().map(size).max().unwrap_or(0);
        let per_order = (0..=largest)
            .map(|gone| {
                let cards = shoe_size(shoe) - i64::from(gone);
                let mut per = vec![R::one()];
                for d in 0..sums.longest {
                    per.push(per[d].clone() * inverse(cards - d as i64));
                }
                per
            })
            .collect();
        Walk { sums, draws, per_order, removed, weights, visit }
    }

    /// Sums over the cards of value `rank` for all rows of `parents`, each of which agree in all higher values; the
    /// partial sums of a parent are in its lane of `before`.
    fn descend<'g>(
        &mut self,
        rank: usize,
        parents: &[Group<'g>],
        before: &[Lanes<R>],
        levels: &mut [Vec<Lanes<R>>],
    ) {
        let Some((after, deeper)) = levels.split_last_mut() else { return };
        let stage = &self.sums.stages[rank];
        let alike = move |a: &Row, b: &Row| removed_of(a.0, rank) == removed_of(b.0, rank);
        let branches = |rows: Group<'g>| rows.chunk_by(alike);
        let mut groups =
            (0..).zip(parents).flat_map(|(lane, rows)| branches(rows).map(move |group| (lane, group)));
        loop {
            let (mut from, mut side_by_side, mut used) = ([0; LANES], [&[] as Group<'_>; LANES], 0);
            for (lane, group) in groups.by_ref().take(LANES) {
                (from[used], side_by_side[used]) = (lane, group);
                used += 1;
            }
            if used == 0 {
                return;
            }
            let (draws, per_order) = &mut self.weights;
            for (l, group) in side_by_side[..used].iter().enumerate() {
                let (key, i) = group[0];
                put(draws, l, &self.draws[rank][removed_of(key, rank) as usize]);
                // How long a multiset is matters where the last value is summed.
                if rank == ACE {
                    put(per_order, l, &self.per_order[usize::from(size(&self.removed[i as usize]))]);
                }
            }
            let (runs, into) = (&stage.runs, &stage.into);
            R::contract(&Contraction { runs, draws, per_order, into, before, from, used }, after);
            match rank {
                ACE => (self.visit)(&side_by_side[..used], after),
                _ => self.descend(rank - 1, &side_by_side[..used], after, deeper),
            }
        }
    }
}

/// Puts numbers into one lane.
#[inline(always)]
fn put<R: Real>(lanes: &mut [Lanes<R>], lane: usize, numbers: &[R]) {
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        lanes[lane] = number.clone();
    }
}

/// Falling factorials of the cards left: `[n]` is the number of ordered draws of `n` cards.
fn falling<R: Real>(left: i64, most: usize) -> Vec<R> {
    let mut out: Vec<R> = Vec::with_capacity(most + 1);
    out.push(R::one());
    for n in 0..most {
        out.push(out[n].clone() * R::int((left - n as i64).max(0)));
    }
    out
}
