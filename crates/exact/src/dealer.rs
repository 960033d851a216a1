//! The distribution of the dealer's final hand, for every upcard and for many player hands at once.
//!
//! The dealer makes no decisions. So the chance of ending with a given multiset of cards is the number of orders
//! that the drawing rule allows, times the chance of any one order (`sum`).

use crate::cards::{Counts, Index, NONE, Points, Shoe, each_card, plus, points, shoe_size, size};
use crate::lanes::{LANES, Lanes};
use crate::num::{Real, inverse};
use crate::result::{At22, Chances, ResultDistribution};
use crate::seen::{Groups, Row, Seen, constant, groups, seen_states};
use crate::sum::{BufferPool, Group, LastWeights, Sums, WeightTarget, at};
use crate::vocabulary::{ACE, BLACKJACK, DealerResult, OVER, RANKS, RESULTS, Rank, TEN, Upcard, by_result};
use std::sync::{Arc, OnceLock};

/// The finished hands that the dealer can have under one drawing rule.
pub struct DealerTree<R, const U: usize> {
    /// The dealer's visible cards in each state: the first card, and the second card if both are face up.
    visible: Vec<(Rank, Option<Rank>)>,
    parts: Vec<DealerGroup<R>>,
}

/// The finished hands that the dealer can reach from the visible states of one group.
///
/// The sum for a result and a state is at index `result * states.len()` plus the state's index in `states`.
struct DealerGroup<R> {
    group: usize,
    states: Vec<Upcard>,
    ends: Vec<(Counts, usize, R)>,
    sums: Sums<R>,
    pool: Arc<BufferPool<R>>,
    /// The same sums with other card values processed last, indexed as in `LAST`. Each is prepared on first use.
    ending_in: [OnceLock<Sums<R>>; LAST.len()],
}

/// The groups of card values that the sums in `DealerGroup::ending_in` process last, one group per sum.
///
/// Fewer groups need fewer prepared sums; a sum with a smaller group last is faster.
const LAST: [&[Rank]; 5] = {
    use Rank::*;
    [&[Two], &[Three], &[Four], &[Five, Six], &[Seven, Eight, Nine, Ten]]
};

impl<R: Real> DealerGroup<R> {
    fn ending_in(&self, last: Rank) -> &Sums<R> {
        let Some(at) = LAST.iter().position(|values| values.contains(&last)) else {
            return &self.sums;
        };
        let (ends, results) = (self.ends.iter().cloned(), RESULTS * self.states.len());
        self.ending_in[at].get_or_init(|| Sums::ending_in(LAST[at], ends, results, self.pool.clone()))
    }
}

/// A finished hand of the dealer. Its cards include the visible ones.
pub(crate) struct Finished<const U: usize> {
    pub cards: Counts,
    pub result: DealerResult,
    /// Number of orders in which the dealer can draw these cards, by visible state.
    pub orders: [u32; U],
}

impl<R: Real, const U: usize> DealerTree<R, U> {
    /// Lists the dealer's finished hands for all visible states.
    ///
    /// `stops` returns whether the dealer stands on a total under 22.
    pub fn new(seen: Seen, at_22: At22, stops: impl Fn(Points) -> bool) -> Self {
        Self::of_states(seen, at_22, |_| true, stops)
    }

    /// Lists the dealer's finished hands for the visible state `u` alone.
    ///
    /// All other states get a chance of zero.
    pub fn against(u: Upcard, seen: Seen, at_22: At22, stops: impl Fn(Points) -> bool) -> Self {
        Self::of_states(seen, at_22, |state| state == u, stops)
    }

    fn of_states(
        seen: Seen,
        at_22: At22,
        wanted: impl Fn(Upcard) -> bool,
        stops: impl Fn(Points) -> bool,
    ) -> Self {
        let states = seen_states(seen);
        let most = if at_22 == At22::Apart { 22 } else { 21 };
        let finished = finished_hands::<U>(&states, &wanted, most, stops);
        let pool: Arc<BufferPool<R>> = Arc::default();
        let part = |(group, mut states): (usize, Vec<Upcard>)| {
            states.retain(|&u| wanted(u));
            let ends = finished.iter().flat_map(|f| {
                let reached = states.iter().enumerate().filter(|&(_, &u)| f.orders[u] > 0);
                let at = |k| f.result.index() * states.len() + k;
                reached.map(move |(k, &u)| (f.cards, at(k), R::int(i64::from(f.orders[u]))))
            });
            let ends: Vec<(Counts, usize, R)> = ends.collect();
            let (all, pool) = (ends.iter().cloned(), pool.clone());
            let sums = Sums::ending_in(&[ACE], all, RESULTS * states.len(), pool.clone());
            DealerGroup { group, states, ends, sums, pool, ending_in: Default::default() }
        };
        let has_any = |(_, states): &(usize, Vec<Upcard>)| states.iter().any(|&u| wanted(u));
        let parts = groups(seen).into_iter().enumerate().filter(has_any).map(part).collect();
        let visible = states.iter().map(|state| {
            let mut cards = each_card(state);
            (cards.next().unwrap_or(ACE), cards.next())
        });
        DealerTree { visible: visible.collect(), parts }
    }

    /// Returns, for each hand in `removed`, the chances of the dealer's results once that hand is out of the shoe.
    ///
    /// `shoe` still contains the dealer's visible cards. A state that the shoe cannot show has chances of zero.
    pub fn chances(&self, shoe: &Shoe, removed: &[Counts]) -> Vec<Chances<R, U>> {
        let mut out: Vec<Chances<R, U>> = vec![no_chances(); removed.len()];
        for part in &self.parts {
            let states = &part.states;
            self.each(part, shoe, removed, |row, chances, lane| {
                for (by_state, chances) in out[row].iter_mut().zip(chances.chunks_exact(states.len())) {
                    for (&u, chance) in states.iter().zip(chances) {
                        by_state[u] = chance[lane].clone();
                    }
                }
            });
        }
        out
    }

    /// Returns a lookup table of the chances of the dealer's results, with one row for each hand in `removed`.
    ///
    /// In each row, that hand's cards are out of the shoe. `needed` holds, for each hand, the groups of visible
    /// states whose chances are computed.
    pub fn chances_for(&self, shoe: &Shoe, removed: &[Counts], needed: &[Groups]) -> ChanceTable<R> {
        let of_part = |part: &DealerGroup<R>| {
            let rows: Vec<usize> = (0..removed.len()).filter(|&i| needed[i] >> part.group & 1 == 1).collect();
            let hands: Vec<Counts> = rows.iter().map(|&i| removed[i]).collect();
            let each = RESULTS * part.states.len();
            let mut place = vec![NONE; removed.len()];
            let mut numbers: Vec<R> = Vec::with_capacity(rows.len() * each);
            self.each(part, shoe, &hands, |row, chances, lane| {
                place[rows[row]] = (numbers.len() / each) as Index;
                numbers.extend(chances.iter().map(|chance| chance[lane].clone()));
            });
            PartTable { states: part.states.clone(), place, numbers }
        };
        ChanceTable { parts: self.parts.iter().map(of_part).collect() }
    }

    /// Computes weighted sums over the dealer's finished hands, by result, for each hand in `removed`.
    ///
    /// The weights of the dealer's cards of value `last` come from `weights`, by removed hand and by class of
    /// the visible state (see `sum::LastWeights`). `needed` holds, for each hand, the groups of visible states
    /// to compute. The sums are not yet divided by the chance of the visible cards. `visit` gets a hand's index
    /// and its sums for one group.
    pub fn each_weighed(
        &self,
        (last, shoe): (Rank, &Shoe),
        (removed, needed): (&[Counts], &[Groups]),
        (classes, weights): (&[usize; U], &impl StateWeights<R>),
        mut visit: impl FnMut(usize, &WeightedSums<'_, R>),
    ) {
        for part in &self.parts {
            let rows: Vec<usize> = (0..removed.len()).filter(|&i| needed[i] >> part.group & 1 == 1).collect();
            let hands: Vec<Counts> = rows.iter().map(|&i| removed[i]).collect();
            let mut kinds: Vec<usize> = part.states.iter().map(|&u| classes[u]).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let kind = |u: &Upcard| kinds.partition_point(|&class| class < classes[*u]);
            let states: Vec<(Upcard, usize)> = part.states.iter().map(|u| (*u, kind(u))).collect();
            let by_class = ClassWeights { last, kinds: &kinds, rows: &rows, weights };
            part.ending_in(last).weighed(shoe, &hands, &by_class, |groups, sums| {
                for (lane, group) in groups.iter().enumerate() {
                    let found = WeightedSums { states: &states, sums, lane };
                    group.iter().for_each(|&(_, row)| visit(rows[row as usize], &found));
                }
            });
        }
    }

    /// Returns whether the dealer shows only one card, so that the tree has few finished hands.
    ///
    /// A sum that processes another card value last must be prepared first. The preparation pays off in a small
    /// tree only.
    pub fn is_small(&self) -> bool {
        U <= RANKS
    }

    /// Returns the groups of visible states in which `row` has a nonzero entry.
    pub fn groups_of(&self, row: &Row<R, U>) -> Groups {
        let needed = |part: &DealerGroup<R>| part.states.iter().any(|&u| row[u] != R::zero());
        self.parts.iter().fold(0, |all, part| all | Groups::from(needed(part)) << part.group)
    }

    /// Computes the chances of the dealer's results for each hand in `removed`, given each visible state of one
    /// group.
    ///
    /// `visit` gets the index of a hand, the chances of several hands by result and state, and this hand's SIMD
    /// lane.
    fn each(
        &self,
        part: &DealerGroup<R>,
        shoe: &Shoe,
        removed: &[Counts],
        mut visit: impl FnMut(usize, &[Lanes<R>], usize),
    ) {
        let states = part.states.len();
        let cards = shoe_size(shoe);
        let most = shoe.iter().copied().max().unwrap_or(0);
        let one_of: Vec<R> = (0..=i64::from(most)).map(inverse).collect();
        let mut chances: Vec<Lanes<R>> = vec![Lanes::new(|_| R::zero()); RESULTS * states];
        let mut given = chances[..states].to_vec();
        part.sums.side_by_side(shoe, removed, |rows, sums| {
            for (lane, rows) in rows.iter().enumerate() {
                let hand = &removed[rows[0].1 as usize];
                let left = cards - i64::from(size(hand));
                for (given, &u) in given.iter_mut().zip(&part.states) {
                    given[lane] = self.given((shoe, hand), left, u, &one_of);
                }
            }
            for (k, given) in given.iter().enumerate() {
                let shown = |l: usize| if given[l] > R::zero() { R::one() } else { R::zero() };
                let mut rest: Lanes<R> = Lanes::new(shown);
                for o in DealerResult::ALL.into_iter().filter(|&o| o != OVER) {
                    let at = o.index() * states + k;
                    let (chance, sum) = (&mut chances[at], &sums[at]);
                    for l in 0..LANES {
                        chance[l] = sum[l].clone() * given[l].clone();
                        rest[l] = rest[l].clone() - chance[l].clone();
                    }
                }
                chances[OVER.index() * states + k] = rest;
            }
            for (lane, rows) in rows.iter().enumerate() {
                rows.iter().for_each(|&(_, row)| visit(row as usize, &chances, lane));
            }
        });
    }

    /// Returns one divided by the chance that the dealer shows state `u`, or zero if that is impossible.
    ///
    /// `cards` cards are left after `hand` is removed from the shoe.
    #[inline(always)]
    fn given(&self, (shoe, hand): (&Shoe, &Counts), cards: i64, u: Upcard, one_of: &[R]) -> R {
        let (first, second) = self.visible[u];
        let left = |r: Rank| usize::from(shoe[r]).saturating_sub(usize::from(hand[r]));
        let once = R::int(cards) * one_of[left(first)].clone();
        let Some(second) = second else { return once };
        let again = left(second).saturating_sub(usize::from(second == first));
        once * R::int(cards - 1) * one_of[again].clone()
    }
}

/// Returns chances of zero for every result and state.
fn no_chances<R: Real, const U: usize>() -> Chances<R, U> {
    std::array::from_fn(|_| std::array::from_fn(|_| R::zero()))
}

/// The weighted sums of each dealer result, for one hand removed from the shoe and one group of visible states.
///
/// The sums of several hands are computed side by side, each hand in its own SIMD lane.
pub struct WeightedSums<'a, R> {
    /// The visible states, each with the index of its kind of weights in `sums`.
    states: &'a [(Upcard, usize)],
    sums: &'a [Vec<Lanes<R>>],
    lane: usize,
}

impl<R: Real> WeightedSums<'_, R> {
    /// Adds the sums, multiplied by `times`, to the chances of all results except `OVER`.
    ///
    /// The caller computes the chance of `OVER` as the remainder.
    pub fn add_to<const U: usize>(&self, to: &mut Chances<R, U>, times: &Row<R, U>) {
        for (o, to) in DealerResult::ALL.into_iter().zip(to).filter(|(o, _)| *o != OVER) {
            for (k, &(u, kind)) in self.states.iter().enumerate() {
                let sum = &self.sums[kind][o.index() * self.states.len() + k][self.lane];
                to[u] = to[u].clone() + times[u].clone() * sum.clone();
            }
        }
    }
}

/// A source of weights for the cards of one value, which are summed last.
///
/// The weights depend on the hand removed from the shoe and on the class of visible states.
pub trait StateWeights<R> {
    /// Returns the weights for the removed hand with index `row` and a class of visible states, indexed with
    /// `sum::at`.
    fn weights(&self, row: usize, class: usize) -> &[R];
}

/// The weights of the card value that is summed last, for some of the removed hands and some classes of states.
struct ClassWeights<'a, W> {
    last: Rank,
    kinds: &'a [usize],
    rows: &'a [usize],
    weights: &'a W,
}

impl<R: Real, W: StateWeights<R>> LastWeights<R> for ClassWeights<'_, W> {
    fn value(&self) -> Rank {
        self.last
    }

    fn kinds(&self) -> usize {
        self.kinds.len()
    }

    fn write(
        &self,
        hands: &[Group<'_>],
        kind: usize,
        wanted: &[(Counts, usize)],
        (to, _): WeightTarget<'_, R>,
    ) {
        for (lane, hands) in hands.iter().enumerate() {
            let weights = self.weights.weights(self.rows[hands[0].1 as usize], self.kinds[kind]);
            for (to, (cards, length)) in to.iter_mut().zip(wanted) {
                to[lane] = weights[at(usize::from(cards[self.last]), *length)].clone();
            }
        }
    }
}

/// A lookup table of the chances of the dealer's results, for many hands removed from the shoe.
///
/// For each hand it holds only the groups of visible states that were requested.
pub struct ChanceTable<R> {
    parts: Vec<PartTable<R>>,
}

/// The chances of the dealer's results for one hand removed from the shoe.
pub struct TableRow<'a, R> {
    table: &'a ChanceTable<R>,
    row: usize,
}

impl<R: Real> TableRow<'_, R> {
    /// Adds the chances, multiplied by `times`, to `sums`.
    ///
    /// Skips the groups of visible states that the lookup table does not hold for this hand.
    pub fn add_to<const U: usize>(&self, sums: &mut Chances<R, U>, times: &Row<R, U>) {
        for part in &self.table.parts {
            let (place, states) = (part.place[self.row], &part.states);
            if place != NONE {
                let numbers = &part.numbers[place as usize * RESULTS * states.len()..];
                for (sums, chances) in sums.iter_mut().zip(numbers.chunks_exact(states.len())) {
                    for (&u, chance) in states.iter().zip(chances) {
                        sums[u] = sums[u].clone() + times[u].clone() * chance.clone();
                    }
                }
            }
        }
    }
}

impl<R: Real, const U: usize> ResultDistribution<R, U> for TableRow<'_, R> {
    /// Returns the expected value of `pay` over the dealer's results, or zero in groups that the lookup table does
    /// not hold.
    fn settled(&self, pay: &[R; RESULTS]) -> Row<R, U> {
        let mut all = constant(&R::zero());
        for part in &self.table.parts {
            let place = part.place[self.row];
            if place != NONE {
                let states = part.states.len().min(U);
                let numbers = &part.numbers[place as usize * RESULTS * states..];
                let mut sums: Row<R, U> = constant(&R::zero());
                let sums = &mut sums[..states];
                for (pay, chances) in pay.iter().zip(numbers.chunks_exact(states)) {
                    if *pay != R::zero() {
                        for (sum, chance) in sums.iter_mut().zip(chances) {
                            *sum = sum.clone() + chance.clone() * pay.clone();
                        }
                    }
                }
                part.states.iter().zip(sums).for_each(|(&u, sum)| all[u] = sum.clone());
            }
        }
        all
    }
}

/// The part of a `ChanceTable` for the visible states of one group.
struct PartTable<R> {
    states: Vec<Upcard>,
    /// The row of each removed hand in `numbers`, or `NONE` if its chances were not requested.
    place: Vec<Index>,
    /// The chances, indexed by the entry of `place`, then by result, then by state.
    numbers: Vec<R>,
}

impl<R: Real> ChanceTable<R> {
    /// Returns the chances for the removed hand with index `row`.
    pub fn of(&self, row: Index) -> TableRow<'_, R> {
        TableRow { table: self, row: row as usize }
    }

    /// Returns the chances for the removed hand with index `row` in visible state `u`.
    pub fn against(&self, row: Index, u: Upcard) -> [R; RESULTS] {
        for part in &self.parts {
            let (place, states) = (part.place[row as usize], part.states.len());
            if let (Some(k), true) = (part.states.iter().position(|&state| state == u), place != NONE) {
                let numbers = &part.numbers[place as usize * RESULTS * states + k..];
                return by_result(|o| numbers[o.index() * states].clone());
            }
        }
        std::array::from_fn(|_| R::zero())
    }

    /// Joins several lookup tables into one for `many` removed hands.
    ///
    /// Each table comes with the indices of its hands in the joined lookup table.
    pub fn joined(tables: Vec<(&[usize], ChanceTable<R>)>, many: usize) -> Self {
        let mut parts: Vec<PartTable<R>> = Vec::new();
        for (rows, table) in tables {
            for (at, part) in table.parts.into_iter().enumerate() {
                if at == parts.len() {
                    let states = part.states.clone();
                    parts.push(PartTable { states, place: vec![NONE; many], numbers: Vec::new() });
                }
                let all = &mut parts[at];
                let before = (all.numbers.len() / (RESULTS * part.states.len())) as Index;
                for (&row, &place) in rows.iter().zip(part.place.iter()).filter(|(_, place)| **place != NONE)
                {
                    all.place[row] = before + place;
                }
                all.numbers.extend(part.numbers);
            }
        }
        ChanceTable { parts }
    }
}

/// Returns the dealer's finished hands, each with the number of card orders that lead to it, by visible state.
///
/// Hands that total more than `most` are left out. States that are not `wanted` have no orders.
pub(crate) fn finished_hands<const U: usize>(
    states: &[Counts],
    wanted: impl Fn(Upcard) -> bool,
    most: u8,
    stops: impl Fn(Points) -> bool,
) -> Vec<Finished<U>> {
    let mut finished = Vec::new();
    let mut level: Vec<(Counts, [u32; U])> = Vec::new();
    for (u, state) in Upcard::all::<U>().zip(states).filter(|(u, _)| wanted(*u)) {
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
                next.extend(Rank::ALL.into_iter().map(|r| (plus(cards, r), orders)));
                continue;
            }
            let natural = count.total == 21 && size(&cards) == 2 && cards[ACE] == 1 && cards[TEN] == 1;
            let result = if natural { BLACKJACK } else { DealerResult::of_points(count.total) };
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
