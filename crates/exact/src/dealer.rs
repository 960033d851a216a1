//! Where the dealer's hand ends, for every up card at once and for many player hands at once.
//!
//! The dealer's hand is forced, so the chance that it ends as a given multiset of cards is the number of
//! orders that the drawing rule allows, times the chance of any one order: falling factorials of the counts
//! over a falling factorial of the shoe. The sum over all multisets is taken one value at a time, ten first
//! and ace last; what is left after each value is shared by all removed hands that agree so far, and `LANES` of
//! those that differ only in the value at hand are worked out side by side.

use crate::cards::{ACE, Counts, Points, RANKS, Shoe, TEN, plus, points, shoe_size, size};
use crate::hands::Index;
use crate::num::{Real, inverse};

/// Removed hands that are worked out side by side.
pub const LANES: usize = 4;
/// Dealer's results: 17 to 21, 22, over 22, blackjack.
pub const RESULTS: usize = 8;
/// The result 22, told apart where the game pushes on it.
pub const TWENTY_TWO: usize = 5;
/// Over 22 (over 21 where 22 is not told apart).
pub const OVER: usize = 6;
/// Blackjack: ace and ten-value in two cards.
pub const BLACKJACK: usize = 7;

/// Whether a dealer's 22 is a result of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At22 {
    /// It is: Switch and Triple Attack push on it.
    Apart,
    /// It is over, like 23.
    Over,
}

/// What the players see of the dealer's hand when they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// One card: ten states.
    UpCard,
    /// Both first cards, 2.6(k): fifty-five states.
    BothCards,
}

/// The states of `Seen`, each as the cards that are visible.
pub fn seen_states(seen: Seen) -> Vec<Counts> {
    let one = |r| plus([0; RANKS], r);
    match seen {
        Seen::UpCard => (0..RANKS).map(one).collect(),
        Seen::BothCards => (0..RANKS).flat_map(|a| (a..RANKS).map(move |b| plus(one(a), b))).collect(),
    }
}

/// Chances of each dealer's result, by what is seen of the dealer's hand.
pub type Chances<R, const U: usize> = [[R; U]; RESULTS];

/// The sum over one value of the dealer's cards. The partial sums before it are ordered by how many cards of the
/// value they have, and within that as the partial sums after it.
struct Stage {
    /// For each partial sum before, the one after that it adds to.
    into: Vec<u16>,
    /// The runs of partial sums with the same number of cards of the value: start, end, cards, hand's length.
    runs: Vec<Run>,
    /// How many partial sums there are after.
    after: usize,
}

struct Run {
    from: usize,
    to: usize,
    /// Cards of the value.
    cards: usize,
    /// Cards of the whole hand, where the last value is summed.
    length: usize,
}

/// The dealer's finished hands under one drawing rule, ready to be summed.
pub struct DealerTree<R, const U: usize> {
    states: Vec<Counts>,
    /// The number of orders of each finished hand from each state, in the order that the ten's stage reads.
    orders: Vec<[R; LANES]>,
    /// By value; the stage of the ace is last and ends in `result * U + state`.
    stages: Vec<Stage>,
}

struct Finished<const U: usize> {
    cards: Counts,
    result: usize,
    orders: [u32; U],
}

/// A finished hand as one number: cards of each value, ten highest, then its length, result and state.
type Slot = u64;
const FIELD: u32 = 4;
const BELOW: u32 = 16;

fn slot(cards: &Counts, result: usize, u: usize) -> Slot {
    let hand = (0..RANKS).rev().fold(0, |k: Slot, r| k << FIELD | Slot::from(cards[r].min(15)));
    hand << BELOW | Slot::from(size(cards)) << 10 | (result as Slot) << 6 | u as Slot
}

/// Where the cards of one value stand in a slot.
fn shift(rank: usize) -> u32 {
    BELOW + FIELD * rank as u32
}

impl<R: Real, const U: usize> DealerTree<R, U> {
    /// The tree for a drawing rule: `stops` says of a count under 22 whether the dealer stands on it.
    pub fn new(seen: Seen, at_22: At22, stops: impl Fn(Points) -> bool) -> Self {
        let states = seen_states(seen);
        let mut ends: Vec<(Slot, u32)> = Vec::new();
        for f in finished_hands::<U>(&states, if at_22 == At22::Apart { 22 } else { 21 }, stops) {
            let reached = f.orders.iter().enumerate().filter(|&(_, &n)| n > 0);
            ends.extend(reached.map(|(u, &n)| (slot(&f.cards, f.result, u), n)));
        }
        ends.sort_unstable();
        let orders = ends.iter().map(|&(_, n)| std::array::from_fn(|_| R::int(i64::from(n)))).collect();
        let mut slots: Vec<Slot> = ends.into_iter().map(|(s, _)| s).collect();
        let mut stages: Vec<Stage> = Vec::with_capacity(RANKS);
        for rank in (ACE + 1..RANKS).rev() {
            let (stage, after) = stage(&slots, rank);
            stages.push(stage);
            slots = after;
        }
        stages.push(last_stage(&slots, U));
        stages.reverse();
        DealerTree { states, orders, stages }
    }

    /// The chances for each of the `removed` hands, whose cards have left `shoe`. The visible cards of the
    /// dealer are still counted in `shoe`; a state that the shoe cannot show has all chances zero.
    pub fn chances(&self, shoe: &Shoe, removed: &[Counts]) -> Vec<Chances<R, U>> {
        let none = || -> Chances<R, U> { std::array::from_fn(|_| std::array::from_fn(|_| R::zero())) };
        let mut out: Vec<Chances<R, U>> = (0..removed.len()).map(|_| none()).collect();
        let mut rows: Vec<(Slot, Index)> =
            removed.iter().enumerate().map(|(i, cards)| (removal_key(cards), i as Index)).collect();
        rows.sort_unstable();
        let mut sums: Vec<Vec<[R; LANES]>> =
            self.stages.iter().map(|s| vec![lanes(|_| R::zero()); s.after]).collect();
        sums.push(self.orders.clone());
        let mut walk = Walk { tree: self, shoe, removed, out: &mut out };
        walk.descend(RANKS - 1, &rows, &mut sums, 0);
        out
    }

    /// Conditions one lane on each visible state; what is left over is the dealer going over.
    fn collect(
        &self,
        left: &[i64; RANKS],
        cards: i64,
        (sums, lane): (&[[R; LANES]], usize),
        chances: &mut Chances<R, U>,
    ) {
        let mut given: [R; U] = std::array::from_fn(|_| R::zero());
        let mut rest = given.clone();
        for (u, state) in self.states.iter().enumerate() {
            let (orders, out_of) = visible(state, left, cards);
            if orders > 0 {
                given[u] = R::int(out_of) / R::int(orders);
                rest[u] = R::one();
            }
        }
        for (o, row) in chances.iter_mut().enumerate() {
            for u in 0..U {
                if o != OVER {
                    row[u] = sums[o * U + u][lane].clone() * given[u].clone();
                    rest[u] = rest[u].clone() - row[u].clone();
                }
            }
        }
        chances[OVER] = rest;
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

/// The stage of a value above the ace, and the slots that it leaves.
fn stage(before: &[Slot], rank: usize) -> (Stage, Vec<Slot>) {
    let mask = (1 << shift(rank)) - 1;
    let mut after: Vec<Slot> = before.iter().map(|s| s & mask).collect();
    after.sort();
    after.dedup();
    let (mut into, mut runs) = (Vec::with_capacity(before.len()), Vec::new());
    for run in before.chunk_by(|a, b| a >> shift(rank) == b >> shift(rank)) {
        let (from, mut at) = (into.len(), 0);
        for s in run {
            while after[at] < s & mask {
                at += 1;
            }
            into.push(at as u16);
        }
        runs.push(Run { from, to: into.len(), cards: (run[0] >> shift(rank)) as usize, length: 0 });
    }
    (Stage { into, runs, after: after.len() }, after)
}

/// The stage of the ace, which ends in results and states.
fn last_stage(before: &[Slot], states: usize) -> Stage {
    let (mut into, mut runs) = (Vec::with_capacity(before.len()), Vec::new());
    for run in before.chunk_by(|a, b| a >> 10 == b >> 10) {
        let from = into.len();
        into.extend(run.iter().map(|s| ((s >> 6 & 15) as usize * states + (s & 63) as usize) as u16));
        let (cards, length) = ((run[0] >> shift(ACE)) as usize, (run[0] >> 10 & 63) as usize);
        runs.push(Run { from, to: into.len(), cards, length });
    }
    Stage { into, runs, after: RESULTS * states }
}

/// One pass over the removed hands, sorted so that those that agree in their high cards are together.
struct Walk<'a, R, const U: usize> {
    tree: &'a DealerTree<R, U>,
    shoe: &'a Shoe,
    removed: &'a [Counts],
    out: &'a mut [Chances<R, U>],
}

impl<R: Real, const U: usize> Walk<'_, R, U> {
    /// Sums over the dealer's cards of value `rank` for all `rows`, which agree in all higher values; their
    /// partial sums are in `lane` of the last of `sums`.
    fn descend(&mut self, rank: usize, rows: &[(Slot, Index)], sums: &mut [Vec<[R; LANES]>], lane: usize) {
        let groups: Vec<&[(Slot, Index)]> =
            rows.chunk_by(|a, b| removed_of(a.0, rank) == removed_of(b.0, rank)).collect();
        for side_by_side in groups.chunks(LANES) {
            let left: [i64; LANES] = lanes(|l| {
                let key = side_by_side.get(l).or(side_by_side.last()).map_or(0, |g| g[0].0);
                i64::from(self.shoe[rank]) - removed_of(key, rank) as i64
            });
            let Some((before, rest)) = sums.split_last_mut() else { return };
            let Some(after) = rest.last_mut() else { return };
            if rank > ACE {
                contract(&self.tree.stages[rank], before, lane, &falling(&left), after);
                for (l, group) in side_by_side.iter().enumerate() {
                    self.descend(rank - 1, group, rest, l);
                }
            } else {
                self.finish(side_by_side, &left, (before, lane), after);
            }
        }
    }

    /// The last value: the chances of up to `LANES` removed hands.
    fn finish(
        &mut self,
        side_by_side: &[&[(Slot, Index)]],
        left: &[i64; LANES],
        (before, lane): (&[[R; LANES]], usize),
        after: &mut [[R; LANES]],
    ) {
        let hand = |l: usize| {
            let group = side_by_side.get(l).or(side_by_side.last());
            group.map_or(0, |g| g[0].1 as usize)
        };
        let cards: [i64; LANES] = lanes(|l| shoe_size(self.shoe) - i64::from(size(&self.removed[hand(l)])));
        let aces: Vec<[R; LANES]> = falling(left);
        let mut per_order: Vec<[R; LANES]> = vec![lanes(|_| R::one())];
        for d in 0..MOST_CARDS {
            per_order.push(lanes(|l| per_order[d][l].clone() * inverse(cards[l] - d as i64)));
        }
        let stage = &self.tree.stages[ACE];
        after.fill(lanes(|_| R::zero()));
        for run in &stage.runs {
            let (orders, per) = (&aces[run.cards], &per_order[run.length]);
            let weight = lanes(|l| orders[l].clone() * per[l].clone());
            add_run(run, &stage.into, before, lane, &weight, after);
        }
        for (l, group) in side_by_side.iter().enumerate() {
            for &(_, i) in *group {
                let gone = &self.removed[i as usize];
                let left = std::array::from_fn(|r| i64::from(self.shoe[r]) - i64::from(gone[r]));
                self.tree.collect(&left, cards[l], (after, l), &mut self.out[i as usize]);
            }
        }
    }
}

/// Most cards of one value, and most cards in all, that a slot has room for.
const MOST_CARDS: usize = 16;

/// Falling factorials of the cards left: `[n][lane]` is the number of ordered draws of `n` cards.
fn falling<R: Real>(left: &[i64; LANES]) -> Vec<[R; LANES]> {
    let mut out: Vec<[R; LANES]> = Vec::with_capacity(MOST_CARDS + 1);
    out.push(lanes(|_| R::one()));
    for n in 0..MOST_CARDS {
        out.push(lanes(|l| out[n][l].clone() * R::int((left[l] - n as i64).max(0))));
    }
    out
}

fn contract<R: Real>(
    stage: &Stage,
    before: &[[R; LANES]],
    lane: usize,
    orders: &[[R; LANES]],
    after: &mut [[R; LANES]],
) {
    after.fill(lanes(|_| R::zero()));
    for run in &stage.runs {
        add_run(run, &stage.into, before, lane, &orders[run.cards], after);
    }
}

/// Adds the partial sums of one run, times a weight for each lane.
#[inline(always)]
fn add_run<R: Real>(
    run: &Run,
    into: &[u16],
    before: &[[R; LANES]],
    lane: usize,
    weight: &[R; LANES],
    after: &mut [[R; LANES]],
) {
    // A copy of its own, so that the compiler sees that writing the sums does not change it.
    let (lane, weight) = (lane % LANES, weight.clone());
    for (before, &into) in before[run.from..run.to].iter().zip(&into[run.from..run.to]) {
        let after = &mut after[into as usize];
        for l in 0..LANES {
            after[l] = after[l].clone() + before[lane].clone() * weight[l].clone();
        }
    }
}

#[inline(always)]
fn lanes<R>(f: impl FnMut(usize) -> R) -> [R; LANES] {
    std::array::from_fn(f)
}

/// The chance that the visible cards come in one given order, as a fraction.
fn visible(state: &Counts, left: &[i64; RANKS], cards: i64) -> (i64, i64) {
    let (mut orders, mut out_of, mut drawn) = (1, 1, 0);
    for r in 0..RANKS {
        for j in 0..i64::from(state[r]) {
            orders *= (left[r] - j).max(0);
            out_of *= cards - drawn;
            drawn += 1;
        }
    }
    (orders, out_of)
}

/// Every multiset that the dealer's hand can end as, up to the total `most`, with the number of orders from each state.
fn finished_hands<const U: usize>(
    states: &[Counts],
    most: u8,
    stops: impl Fn(Points) -> bool,
) -> Vec<Finished<U>> {
    let mut finished = Vec::new();
    let mut level: Vec<(Counts, [u32; U])> = Vec::new();
    for (u, state) in states.iter().enumerate().take(U) {
        let mut orders = [0; U];
        orders[u] = 1;
        level.push((*state, orders));
    }
    while !level.is_empty() {
        let mut next = Vec::new();
        for (cards, orders) in merged(level) {
            let count = points(&cards);
            if count.total > most {
                continue;
            }
            if count.total < 22 && !stops(count) {
                next.extend((0..RANKS).map(|r| (plus(cards, r), orders)));
                continue;
            }
            let natural = count.total == 21 && size(&cards) == 2 && cards[ACE] == 1 && cards[TEN] == 1;
            let result = if natural { BLACKJACK } else { count.total.saturating_sub(17) as usize };
            finished.push(Finished { cards, result, orders });
        }
        level = next;
    }
    finished
}

fn merged<const U: usize>(mut level: Vec<(Counts, [u32; U])>) -> Vec<(Counts, [u32; U])> {
    level.sort_by_key(|(cards, _)| *cards);
    let mut out: Vec<(Counts, [u32; U])> = Vec::with_capacity(level.len());
    for (cards, orders) in level {
        match out.last_mut() {
            Some(last) if last.0 == cards => last.1.iter_mut().zip(orders).for_each(|(a, b)| *a += b),
            _ => out.push((cards, orders)),
        }
    }
    out
}
