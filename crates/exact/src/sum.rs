//! Sums over multisets of cards drawn without replacement, for many sets of removed cards at once.
//!
//! A multiset `D` with weight `w` stands for `w` orders of its cards. From a shoe of `n` cards, each order has a chance
//! of a product of falling factorials of the counts over the falling factorial of `n`. The sum over all multisets is
//! taken place by place, where a place holds one or several values: ten first and ace last, unless other values are to
//! be last. The partial sums after each place are shared by all removed hands that agree so far, and `LANES` groups of
//! hands that do not agree are computed side by side. At the next place each group branches: every branch reads the
//! lane of its parent, so that the lanes are filled again at every place.

use crate::cards::{Counts, Index, Shoe, shoe_size, size};
use crate::lanes::{Contraction, LANES, Lanes, Run, WriteMode};
use crate::num::{Real, inverse};
use crate::vocabulary::{ACE, RANKS, Rank, by_rank};
use std::sync::{Arc, Mutex};

/// One stage of a sum, which sums over the values of one place.
struct Stage {
    /// The values that the stage sums over.
    values: Vec<Rank>,
    /// For each partial sum that the stage reads, the index of the partial sum to which the stage adds it.
    into: Vec<u32>,
    runs: Vec<Run>,
    /// For each run, what decides its weight: the numbers of cards of the values and, at the last place, the
    /// length of the whole multiset.
    weights: Vec<(Counts, usize)>,
    /// The number of partial sums that the stage writes.
    after: usize,
}

/// A multiset of cards and its result, packed into one number.
///
/// The counts of the values come first, with those summed first in the highest bits. Then come the number of cards
/// and the result to which the sum belongs.
pub type Slot = u64;
/// The number of bits for the count of one value in a slot.
const FIELD: u32 = 5;
/// The maximum number of cards of one value in a multiset.
///
/// Multisets with more are left out, so the shoe must not have that many.
const MOST: u8 = 31;
/// The number of bits of a slot that hold the length and the result, below the counts.
const BELOW: u32 = 14;
/// The index of the place that is summed last.
const LAST: usize = 0;
/// The lowest of the values that are summed together at one place.
///
/// Few hands have many of them, so sharing gains little.
const HIGH: Rank = Rank::Six;

/// Returns the values of each place, where the `last` values form the place that is summed last.
fn places(last: &[Rank]) -> Vec<Vec<Rank>> {
    let others = Rank::ALL.into_iter().filter(|r| !last.contains(r));
    let (singly, together): (Vec<Rank>, Vec<Rank>) = others.partition(|&r| r < HIGH);
    let places = [last.to_vec()].into_iter().chain(singly.into_iter().map(|r| vec![r])).chain([together]);
    places.filter(|values| !values.is_empty()).collect()
}

/// A prepared sum over weighted multisets of cards, by result.
pub struct Sums<R> {
    /// The weights of the multisets, in the order that the first stage reads.
    weights: Vec<Lanes<R>>,
    /// The stages by place. The last stage adds to the results.
    stages: Arc<[Stage]>,
    longest: usize,
    /// The maximum number of cards of each value.
    most: Counts,
    /// For each value, whether multisets with more cards of it than a slot can hold were left out.
    ///
    /// No shoe has that many cards.
    too_many: [bool; RANKS],
    pool: Arc<BufferPool<R>>,
}

/// Buffers of finished computations, for reuse by the same or other sums.
pub struct BufferPool<R>(Mutex<Vec<Buffers<R>>>);

impl<R> Default for BufferPool<R> {
    fn default() -> Self {
        BufferPool(Mutex::default())
    }
}

/// A source of weights for the cards of the value that is summed last.
pub trait LastWeights<R> {
    /// Returns the card value that has its own weights.
    fn value(&self) -> Rank;
    /// Returns the number of kinds of weights.
    fn kinds(&self) -> usize;
    /// Writes the weights of one kind for the removed hands in `hands`, one lane per group of hands.
    ///
    /// `wanted` holds the cards and the length of each multiset whose weight is written.
    fn write(&self, hands: &[Group<'_>], kind: usize, wanted: &[(Counts, usize)], to: WeightTarget<'_, R>);
}

/// The lanes to write weights to, and scratch space.
pub type WeightTarget<'a, R> = (&'a mut [Lanes<R>], &'a mut Vec<Lanes<R>>);

/// Returns the index of the weight for multisets of `length` cards, `cards` of which have the last value.
pub(crate) const fn at(cards: usize, length: usize) -> usize {
    cards * LENGTHS + length
}

/// A number that exceeds the number of cards of all hands together.
const LENGTHS: usize = 64;

impl<R: Real> Sums<R> {
    /// Prepares a sum over the multisets in `ends`, each with its result and its weight.
    ///
    /// Each pair of multiset and result occurs only once.
    pub fn new(ends: impl IntoIterator<Item = (Counts, usize, R)>, results: usize) -> Self {
        Self::ending_in(&[ACE], ends, results, Arc::default())
    }

    /// Prepares a sum over the multisets in `ends`, with the values `last` summed last.
    pub fn ending_in(
        last: &[Rank],
        ends: impl IntoIterator<Item = (Counts, usize, R)>,
        results: usize,
        pool: Arc<BufferPool<R>>,
    ) -> Self {
        let ends = ends.into_iter().map(|(cards, result, weight)| (cards, result, [weight]));
        let [sums] = Self::with_weights(last, ends, results, pool);
        sums
    }

    /// Prepares `N` sums over the same multisets; each multiset has one weight per sum.
    pub fn alike<const N: usize>(
        ends: impl IntoIterator<Item = (Counts, usize, [R; N])>,
        results: usize,
    ) -> [Self; N] {
        Self::with_weights(&[ACE], ends, results, Arc::default())
    }

    fn with_weights<const N: usize>(
        last: &[Rank],
        ends: impl IntoIterator<Item = (Counts, usize, [R; N])>,
        results: usize,
        pool: Arc<BufferPool<R>>,
    ) -> [Self; N] {
        let places = places(last);
        let order: Vec<Rank> = places.iter().flatten().copied().collect();
        let mut most = [0; RANKS];
        let bits = usize::BITS - results.saturating_sub(1).leading_zeros();
        let (mut longest, mut too_many) = (0, [false; RANKS]);
        let mut slots: Vec<(Slot, [R; N])> = Vec::new();
        for (cards, result, weight) in ends {
            let mut fits = true;
            for (many, &n) in too_many.iter_mut().zip(&cards) {
                *many |= n > MOST;
                fits &= n <= MOST;
            }
            if fits {
                let hand = order.iter().rev().fold(0, |k: Slot, &r| k << FIELD | Slot::from(cards[r]));
                let length = usize::from(size(&cards));
                longest = longest.max(length);
                most = by_rank(|r| cards[r].max(most[r]));
                slots.push((hand << BELOW | (length as Slot) << bits | result as Slot, weight));
            }
        }
        assert!(
            longest < 1 << BELOW.saturating_sub(bits),
            "too many cards ({longest}) and results ({results}) to sum"
        );
        slots.sort_unstable_by_key(|s| s.0);
        let (mut level, weights): (Vec<Slot>, Vec<[R; N]>) = slots.into_iter().unzip();
        let mut links: Vec<Links> = Vec::with_capacity(RANKS);
        let mut below = BELOW + FIELD * RANKS as u32;
        for values in places[LAST + 1..].iter().rev() {
            below -= FIELD * values.len() as u32;
            let (link, after) = Links::summing(&level, below);
            links.push(link);
            level = after;
        }
        links.push(Links::ending(&level, results, bits));
        // Each stage chooses the order of the partial sums that it reads, and the stage before writes them in this
        // order.
        let mut stages: Vec<Stage> = Vec::with_capacity(RANKS);
        let mut order: Vec<u32> = (0..results as u32).collect();
        for (link, values) in links.into_iter().rev().zip(places) {
            let (stage, before) = link.stage(values, &order);
            stages.push(stage);
            order = before;
        }
        let stages: Arc<[Stage]> = stages.into();
        std::array::from_fn(|n| {
            let mut placed: Vec<Lanes<R>> = vec![zero(); weights.len()];
            for (&at, weight) in order.iter().zip(&weights) {
                placed[at as usize] = Lanes::new(|_| weight[n].clone());
            }
            let (stages, pool) = (stages.clone(), pool.clone());
            Sums { weights: placed, stages, longest, most, too_many, pool }
        })
    }

    /// Computes the sums with one hand in `removed` after another out of the shoe.
    ///
    /// `visit` gets the index of the hand, the sums of several hands side by side, and the lane of this hand.
    pub fn each(&self, shoe: &Shoe, removed: &[Counts], mut visit: impl FnMut(usize, &[Lanes<R>], usize)) {
        self.side_by_side(shoe, removed, |rows, sums| {
            for (lane, rows) in rows.iter().enumerate() {
                rows.iter().for_each(|&(_, row)| visit(row as usize, sums, lane));
            }
        });
    }

    /// Computes the sums with each hand in `removed` out of the shoe, several hands at a time.
    ///
    /// `visit` gets several hands with their sums. The hands that share a lane have the same cards.
    pub fn side_by_side(
        &self,
        shoe: &Shoe,
        removed: &[Counts],
        mut visit: impl FnMut(&[Group<'_>], &[Lanes<R>]),
    ) {
        let last = PlainDraws::new(self, shoe, removed);
        self.weighed(shoe, removed, &last, |rows, sums| visit(rows, &sums[0]));
    }

    /// Computes the sums for the hands in `removed`, with custom weights for the value that is summed last.
    ///
    /// `last` supplies these weights. Hands that differ in their count of that value get separate weights, even
    /// if `last` uses the count for something else. `visit` gets the sums of each kind of weights.
    pub fn weighed(
        &self,
        shoe: &Shoe,
        removed: &[Counts],
        last: &impl LastWeights<R>,
        visit: impl FnMut(&[Group<'_>], &[Vec<Lanes<R>>]),
    ) {
        let possible = |(many, left): (&bool, &u16)| *many && *left > u16::from(MOST);
        assert!(
            !self.too_many.iter().zip(shoe).any(possible),
            "too many cards of one value to sum: {shoe:?}"
        );
        let key = Key::new(self.stages.iter().map(|stage| &stage.values[..]), last.value());
        let mut rows: Vec<Row> =
            removed.iter().enumerate().map(|(i, cards)| (key.of(cards), i as Index)).collect();
        rows.sort_unstable();
        let kept = self.pool.0.lock().ok().and_then(|mut pool| pool.pop());
        let Buffers { mut levels, mut weights } = kept.unwrap_or_default();
        levels.resize_with(levels.len().max(self.stages.len() - 1), Vec::new);
        for (level, stage) in levels.iter_mut().zip(&self.stages[LAST + 1..]) {
            level.resize_with(level.len().max(stage.after), zero);
        }
        let most = self.stages.iter().map(|stage| stage.weights.len()).max().unwrap_or(0);
        weights.resize_with(weights.len().max(most), zero);
        // Results that no multiset reaches stay zero.
        let ends = (0..last.kinds()).map(|_| vec![zero(); self.stages[LAST].after]).collect();
        let draws = |r| if r == last.value() { Vec::new() } else { self.draws(r, shoe, removed) };
        let draws = by_rank(draws);
        let mut walk = Walk {
            sums: self,
            removed,
            draws,
            masks: key.masks,
            weights,
            scratch: Vec::new(),
            ends,
            last,
            visit,
        };
        let places = self.stages.len() - 1;
        walk.descend(places, &[&rows], &self.weights, &mut levels[..places]);
        let weights = walk.weights;
        if let Ok(mut pool) = self.pool.0.lock() {
            pool.push(Buffers { levels, weights });
        }
    }

    /// Returns the numbers of ordered draws from the cards left of a value, indexed by number of removed cards.
    fn draws(&self, r: Rank, shoe: &Shoe, removed: &[Counts]) -> Vec<Vec<R>> {
        let most = removed.iter().map(|cards| cards[r]).max().unwrap_or(0);
        let left = |gone: u8| i64::from(shoe[r]) - i64::from(gone);
        (0..=most).map(|gone| falling(left(gone), usize::from(self.most[r]))).collect()
    }
}

fn zero<R: Real>() -> Lanes<R> {
    Lanes::new(|_| R::zero())
}

/// The buffers of one computation of sums.
struct Buffers<R> {
    /// The partial sums after each place.
    levels: Vec<Vec<Lanes<R>>>,
    /// The weights of the hands that are computed side by side, as in a contraction.
    weights: Vec<Lanes<R>>,
}

impl<R> Default for Buffers<R> {
    fn default() -> Self {
        Buffers { levels: Vec::new(), weights: Vec::new() }
    }
}

/// A packing of the cards of a removed hand into one number.
///
/// The cards of the values summed first are in the highest bits.
struct Key {
    /// The position of the lowest bit of each value's count.
    shifts: [u32; RANKS],
    /// For each place, a mask of the bits of its values.
    masks: Vec<Slot>,
    /// The value with its own weights.
    last: Rank,
}

/// The number of bits of one value in the key of a removed hand.
///
/// `REMOVED_LAST` is that of the value with its own weights.
const REMOVED: u32 = 6;
const REMOVED_LAST: u32 = 8;

impl Key {
    fn new<'a>(places: impl Iterator<Item = &'a [Rank]>, last: Rank) -> Self {
        let mut key = Key { shifts: [0; RANKS], masks: Vec::new(), last };
        let mut bits = REMOVED_LAST;
        for values in places {
            let mut mask = if key.masks.is_empty() { (1 << REMOVED_LAST) - 1 } else { 0 };
            for &r in values.iter().filter(|&&r| r != last) {
                key.shifts[r] = bits;
                mask |= ((1 << REMOVED) - 1) << bits;
                bits += REMOVED;
            }
            key.masks.push(mask);
        }
        key
    }

    fn of(&self, cards: &Counts) -> Slot {
        let most = Rank::ALL.into_iter().filter(|&r| r != self.last).fold(0, |all, r| all | cards[r]);
        assert!(most < 1 << REMOVED, "too many removed cards of one value for a key: {cards:?}");
        Rank::ALL.into_iter().fold(0, |key, r| key | Slot::from(cards[r]) << self.shifts[r])
    }
}

/// The weights of the value that is summed last, if its cards are drawn like all others.
struct PlainDraws<'a, R> {
    removed: &'a [Counts],
    rank: Rank,
    /// The numbers of ordered draws, by number of removed cards of the value.
    draws: Vec<Vec<R>>,
    /// The chance of one order of each number of cards, by number of removed cards.
    per_order: Vec<Vec<R>>,
}

impl<'a, R: Real> PlainDraws<'a, R> {
    fn new(sums: &Sums<R>, shoe: &Shoe, removed: &'a [Counts]) -> Self {
        let rank = sums.stages[LAST].values[0];
        let largest = removed.iter().map(size).max().unwrap_or(0);
        let per_order = |gone: u8| {
            let mut per = vec![R::one()];
            for d in 0..sums.longest {
                per.push(per[d].clone() * inverse(shoe_size(shoe) - i64::from(gone) - d as i64));
            }
            per
        };
        let draws = sums.draws(rank, shoe, removed);
        PlainDraws { removed, rank, draws, per_order: (0..=largest).map(per_order).collect() }
    }
}

impl<R: Real> LastWeights<R> for PlainDraws<'_, R> {
    fn value(&self) -> Rank {
        self.rank
    }

    fn kinds(&self) -> usize {
        1
    }

    fn write(
        &self,
        hands: &[Group<'_>],
        _: usize,
        wanted: &[(Counts, usize)],
        (to, scratch): WeightTarget<'_, R>,
    ) {
        let (draws, per_order) = (self.draws[0].len(), self.per_order[0].len());
        scratch.resize_with(scratch.len().max(draws + per_order), zero);
        for (lane, hands) in hands.iter().enumerate() {
            let gone = &self.removed[hands[0].1 as usize];
            let (own, all) = (usize::from(gone[self.rank]), usize::from(size(gone)));
            for (to, number) in scratch.iter_mut().zip(self.draws[own].iter().chain(&self.per_order[all])) {
                to[lane] = number.clone();
            }
        }
        let (draws, per_order) = scratch.split_at(draws);
        for (to, (cards, length)) in to.iter_mut().zip(wanted) {
            let (draws, per_order) = (&draws[usize::from(cards[self.rank])], &per_order[*length]);
            *to = Lanes::new(|l| draws[l].clone() * per_order[l].clone());
        }
    }
}

/// Returns the number of slots before `slot` in ascending order.
///
/// Uses exponential search, since the slot is near the beginning.
fn steps_to(slots: &[Slot], slot: Slot) -> usize {
    let (mut from, mut stride) = (0, 1);
    while slots.get(from + stride).is_some_and(|&s| s <= slot) {
        from += stride;
        stride *= 2;
    }
    let to = slots.len().min(from + stride);
    from + slots[from..to].partition_point(|&s| s < slot)
}

/// One stage of a sum, before the order of its partial sums is chosen.
///
/// It has slots in ascending order, and the target of each.
struct Links {
    /// For each slot, the cards of the stage's values, and the length.
    weigh: Vec<(Slot, usize)>,
    /// For each slot, the index of its target among the partial sums after the stage.
    into: Vec<u32>,
    after: usize,
}

impl Links {
    /// Returns the stage that sums over values other than the last, and the remaining slots.
    ///
    /// The bits of these values are the highest.
    fn summing(before: &[Slot], below: u32) -> (Links, Vec<Slot>) {
        let mask = (1 << below) - 1;
        let mut after: Vec<Slot> = before.iter().map(|s| s & mask).collect();
        // The slots consist of a few sorted runs, which a merge sort joins quickly.
        after.sort();
        after.dedup();
        let mut into = Vec::with_capacity(before.len());
        for run in before.chunk_by(|a, b| a >> below == b >> below) {
            let mut at = 0;
            for s in run {
                at += steps_to(&after[at..], s & mask);
                into.push(at as u32);
            }
        }
        let weigh = before.iter().map(|s| (s >> below, 0)).collect();
        (Links { weigh, into, after: after.len() }, after)
    }

    /// Returns the stage that sums over the last values and ends in the results.
    fn ending(before: &[Slot], results: usize, bits: u32) -> Links {
        let result = (1 << bits) - 1;
        let length = |s: &Slot| ((s & ((1 << BELOW) - 1)) >> bits) as usize;
        Links {
            weigh: before.iter().map(|s| (s >> BELOW, length(s))).collect(),
            into: before.iter().map(|s| (s & result) as u32).collect(),
            after: results,
        }
    }

    /// Returns the stage with its partial sums in order of their weight, and the position of each slot.
    ///
    /// Within each weight, the partial sums that are the first to reach their target come first: they set what the
    /// others add to.
    fn stage(self, values: Vec<Rank>, after: &[u32]) -> (Stage, Vec<u32>) {
        let mut reached = vec![false; self.after];
        let first: Vec<bool> =
            self.into.iter().map(|&at| !std::mem::replace(&mut reached[at as usize], true)).collect();
        let mut order: Vec<u32> = (0..self.into.len() as u32).collect();
        // Slots are already in order of their weight.
        let mut from = 0;
        let (mut runs, mut weights) = (Vec::new(), Vec::new());
        for alike in self.weigh.chunk_by(|a, b| a == b) {
            let to = from + alike.len();
            order[from..to].sort_by_key(|&i| !first[i as usize]);
            let turn = from + first[from..to].iter().filter(|&&f| f).count();
            for (from, to, mode) in [(from, turn, WriteMode::Set), (turn, to, WriteMode::Add)] {
                if from < to {
                    runs.push(Run { from, to, weight: weights.len(), mode });
                }
            }
            let (slot, length) = alike[0];
            let mut cards = [0; RANKS];
            for (k, &r) in values.iter().enumerate() {
                cards[r] = (slot >> (FIELD * k as u32)) as u8 & MOST;
            }
            weights.push((cards, length));
            from = to;
        }
        let mut places = vec![0; order.len()];
        let mut into = Vec::with_capacity(order.len());
        for (at, &i) in order.iter().enumerate() {
            places[i as usize] = at as u32;
            into.push(after[self.into[i as usize] as usize]);
        }
        (Stage { values, into, runs, weights, after: self.after }, places)
    }
}

/// A computation of the sums of many removed hands together.
struct Walk<'a, R, L, F> {
    sums: &'a Sums<R>,
    removed: &'a [Counts],
    /// The numbers of ordered draws from the remaining cards, by value and number of removed cards.
    draws: [Vec<Vec<R>>; RANKS],
    /// The bits of each place in the key of a row.
    masks: Vec<Slot>,
    /// The weights of the hands that are computed side by side.
    weights: Vec<Lanes<R>>,
    scratch: Vec<Lanes<R>>,
    ends: Vec<Vec<Lanes<R>>>,
    last: &'a L,
    visit: F,
}

/// A group of removed hands that agree in all values summed so far.
pub type Group<'a> = &'a [Row];
/// A hand whose cards are removed from the shoe: the cards packed into one number, and the hand's index.
pub type Row = (Slot, Index);

impl<'a, R: Real, L: LastWeights<R>, F: FnMut(&[Group<'_>], &[Vec<Lanes<R>>])> Walk<'a, R, L, F> {
    /// Sums over the values at a place for all rows of `parents`, each of which agrees in all values before.
    ///
    /// The partial sums of a parent are in its lane of `before`.
    fn descend<'g>(
        &mut self,
        place: usize,
        parents: &[Group<'g>],
        before: &[Lanes<R>],
        levels: &mut [Vec<Lanes<R>>],
    ) {
        let stage = &self.sums.stages[place];
        let mask = self.masks[place];
        let alike = move |a: &Row, b: &Row| (a.0 ^ b.0) & mask == 0;
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
            crate::cancel::check();
            let groups = &side_by_side[..used];
            let contract = |weights: &[Lanes<R>], after: &mut [Lanes<R>]| {
                let (runs, into) = (&stage.runs, &stage.into);
                R::contract(&Contraction { runs, weights, into, before, from, used }, after);
            };
            match levels.split_last_mut() {
                Some((after, deeper)) => {
                    for (lane, group) in groups.iter().enumerate() {
                        let gone = &self.removed[group[0].1 as usize];
                        for (weight, (cards, _)) in self.weights.iter_mut().zip(&stage.weights) {
                            weight[lane] = drawn(&self.draws, &stage.values, gone, cards);
                        }
                    }
                    contract(&self.weights, after);
                    self.descend(place - 1, groups, after, deeper);
                }
                None => {
                    let own = self.last.value();
                    for (kind, ends) in self.ends.iter_mut().enumerate() {
                        self.last.write(groups, kind, &stage.weights, (&mut self.weights, &mut self.scratch));
                        if stage.values.len() > 1 {
                            for (lane, group) in groups.iter().enumerate() {
                                let gone = &self.removed[group[0].1 as usize];
                                let others = || stage.values.iter().filter(|&&r| r != own);
                                for (weight, (cards, _)) in self.weights.iter_mut().zip(&stage.weights) {
                                    let more = others().filter(|&&r| cards[r] > 0);
                                    weight[lane] = more.fold(weight[lane].clone(), |all, &r| {
                                        all * self.draws[r][usize::from(gone[r])][usize::from(cards[r])]
                                            .clone()
                                    });
                                }
                            }
                        }
                        contract(&self.weights, ends);
                    }
                    (self.visit)(groups, &self.ends);
                }
            }
        }
    }
}

/// Returns the number of ordered draws of those `cards` that have one of the `values`.
#[inline(always)]
fn drawn<R: Real>(draws: &[Vec<Vec<R>>; RANKS], values: &[Rank], gone: &Counts, cards: &Counts) -> R {
    let of = |r: Rank| &draws[r][usize::from(gone[r])][usize::from(cards[r])];
    match values {
        [one] => of(*one).clone(),
        _ => values.iter().fold(R::one(), |all, &r| if cards[r] > 0 { all * of(r).clone() } else { all }),
    }
}

/// Returns falling factorials of the cards left: `[n]` is the number of ordered draws of `n` cards.
pub(crate) fn falling<R: Real>(left: i64, most: usize) -> Vec<R> {
    let mut out: Vec<R> = Vec::with_capacity(most + 1);
    out.push(R::one());
    for n in 0..most {
        out.push(out[n].clone() * R::int((left - n as i64).max(0)));
    }
    out
}
