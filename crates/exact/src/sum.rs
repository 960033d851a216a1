//! Sums over multisets of cards drawn without replacement, for many sets of removed cards at once.
//!
//! A multiset `D` with weight `w` stands for `w` orders of its cards, each of which comes from a shoe of `n` cards with
//! the chance of a product of falling factorials of the counts over the falling factorial of `n`. The sum over all
//! multisets is taken one value at a time, ten first and ace last; what is left after each value is shared by all
//! removed hands that agree so far, and `LANES` of those that differ only in the value at hand are worked out side
//! by side.

use crate::cards::{ACE, Counts, RANKS, Shoe, shoe_size, size};
use crate::hands::Index;
use crate::lanes::{Contraction, LANES, Lanes, Reach, Run};
use crate::num::{Real, inverse};

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

impl Stage {
    fn contract<R: Real>(
        &self,
        weights: &[Lanes<R>],
        (before, lane): (&[Lanes<R>], usize),
        after: &mut [Lanes<R>],
    ) {
        R::contract(&Contraction { runs: &self.runs, weights, into: &self.into, before, lane }, after);
    }
}

/// A multiset as one number: cards of each value, ten highest, then its length and where its sum belongs.
type Slot = u64;
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
        Sums { weights: placed, stages, longest }
    }

    /// Works out the sums for each of the `removed` hands, whose cards have left `shoe`: `visit` gets the index of
    /// the hand, the sums of several hands and the lane that is its own.
    pub fn each(&self, shoe: &Shoe, removed: &[Counts], visit: impl FnMut(usize, &[Lanes<R>], usize)) {
        let mut rows: Vec<(Slot, Index)> =
            removed.iter().enumerate().map(|(i, cards)| (removal_key(cards), i as Index)).collect();
        rows.sort_unstable();
        let mut sums: Vec<Vec<Lanes<R>>> =
            self.stages.iter().map(|s| vec![Lanes::new(|_| R::zero()); s.after]).collect();
        sums.push(self.weights.clone());
        Walk::new(self, shoe, removed, visit).descend(RANKS - 1, &rows, &mut sums, 0);
    }
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
    weights: Vec<Lanes<R>>,
    visit: F,
}

/// Removed hands that agree in all values that are summed already.
type Group<'a> = &'a [(Slot, Index)];

impl<'a, R: Real, F: FnMut(usize, &[Lanes<R>], usize)> Walk<'a, R, F> {
    fn new(sums: &'a Sums<R>, shoe: &Shoe, removed: &'a [Counts], visit: F) -> Self {
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
        Walk { sums, draws, per_order, removed, weights: Vec::new(), visit }
    }

    /// Sums over the cards of value `rank` for all `rows`, which agree in all higher values; their partial sums are
    /// in `lane` of the last of `sums`.
    fn descend(&mut self, rank: usize, rows: Group<'_>, sums: &mut [Vec<Lanes<R>>], lane: usize) {
        let mut groups = rows.chunk_by(|a, b| removed_of(a.0, rank) == removed_of(b.0, rank));
        let stage = &self.sums.stages[rank];
        loop {
            let mut side_by_side: [Group<'_>; LANES] = [&[]; LANES];
            let many = side_by_side.iter_mut().zip(&mut groups).map(|(place, group)| *place = group).count();
            if many == 0 {
                return;
            }
            let Some((before, rest)) = sums.split_last_mut() else {
                return;
            };
            let Some(after) = rest.last_mut() else { return };
            // A lane to spare repeats the first.
            let row = |l: usize| if l < many { side_by_side[l][0] } else { side_by_side[0][0] };
            let draws: [&[R]; LANES] =
                std::array::from_fn(|l| self.draws[rank][removed_of(row(l).0, rank) as usize].as_slice());
            let mut weights = std::mem::take(&mut self.weights);
            weights.clear();
            if rank > ACE {
                weights.extend(stage.runs.iter().map(|run| Lanes::new(|l| draws[l][run.cards].clone())));
                stage.contract(&weights, (before, lane), after);
                self.weights = weights;
                for (l, group) in side_by_side[..many].iter().enumerate() {
                    self.descend(rank - 1, group, rest, l);
                }
            } else {
                let per: [&[R]; LANES] = std::array::from_fn(|l| {
                    self.per_order[usize::from(size(&self.removed[row(l).1 as usize]))].as_slice()
                });
                weights.extend(
                    stage
                        .runs
                        .iter()
                        .map(|run| Lanes::new(|l| draws[l][run.cards].clone() * per[l][run.length].clone())),
                );
                stage.contract(&weights, (before, lane), after);
                self.weights = weights;
                for (l, group) in side_by_side[..many].iter().enumerate() {
                    for &(_, i) in *group {
                        (self.visit)(i as usize, after, l);
                    }
                }
            }
        }
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
