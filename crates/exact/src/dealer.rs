//! Where the dealer's hand ends, for every up card at once and for many player hands at once.
//!
//! The dealer's hand is forced, so the chance that it ends as a given multiset of cards is the number of
//! orders that the drawing rule allows, times the chance of any one order (`sum`).

use crate::cards::{ACE, Counts, Points, RANKS, Shoe, TEN, plus, points, shoe_size, size};
use crate::lanes::Lanes;
use crate::num::Real;
use crate::sum::Sums;

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
        Seen::BothCards => (0..RANKS)
            .flat_map(|a| (a..RANKS).map(move |b| plus(one(a), b)))
            .collect(),
    }
}

/// Chances of each dealer's result, by what is seen of the dealer's hand.
pub type Chances<R, const U: usize> = [[R; U]; RESULTS];

/// The dealer's finished hands under one drawing rule.
pub struct DealerTree<R, const U: usize> {
    states: Vec<Counts>,
    /// Results are `result * U + state`.
    sums: Sums<R>,
}

struct Finished<const U: usize> {
    cards: Counts,
    result: usize,
    orders: [u32; U],
}

impl<R: Real, const U: usize> DealerTree<R, U> {
    /// The finished hands under a drawing rule: `stops` says of a count under 22 whether the dealer stands on it.
    pub fn new(seen: Seen, at_22: At22, stops: impl Fn(Points) -> bool) -> Self {
        let states = seen_states(seen);
        let most = if at_22 == At22::Apart { 22 } else { 21 };
        let finished = finished_hands::<U>(&states, most, stops);
        let ends = finished.iter().flat_map(|f| {
            let reached = f.orders.iter().enumerate().filter(|&(_, &n)| n > 0);
            reached.map(|(u, &n)| (f.cards, f.result * U + u, R::int(i64::from(n))))
        });
        let sums = Sums::new(ends, RESULTS * U);
        DealerTree { states, sums }
    }

    /// The chances for each of the `removed` hands, whose cards have left `shoe`. The visible cards of the
    /// dealer are still counted in `shoe`; a state that the shoe cannot show has all chances zero.
    pub fn chances(&self, shoe: &Shoe, removed: &[Counts]) -> Vec<Chances<R, U>> {
        let none = || -> Chances<R, U> { std::array::from_fn(|_| std::array::from_fn(|_| R::zero())) };
        let mut out: Vec<Chances<R, U>> = (0..removed.len()).map(|_| none()).collect();
        let all = shoe_size(shoe);
        self.sums.each(shoe, removed, |i, sums, lane| {
            let left = std::array::from_fn(|r| i64::from(shoe[r]) - i64::from(removed[i][r]));
            self.collect(
                &left,
                all - i64::from(size(&removed[i])),
                (sums, lane),
                &mut out[i],
            );
        });
        out
    }

    /// Conditions one lane on each visible state; what is left over is the dealer going over.
    fn collect(
        &self,
        left: &[i64; RANKS],
        cards: i64,
        (sums, lane): (&[Lanes<R>], usize),
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
            let result = if natural {
                BLACKJACK
            } else {
                count.total.saturating_sub(17) as usize
            };
            finished.push(Finished {
                cards,
                result,
                orders,
            });
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
