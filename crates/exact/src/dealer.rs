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
        Seen::BothCards => (0..RANKS).flat_map(|a| (a..RANKS).map(move |b| plus(one(a), b))).collect(),
    }
}

/// Chances of each dealer's result, by what is seen of the dealer's hand.
pub type Chances<R, const U: usize> = [[R; U]; RESULTS];

/// Sets of visible states, one bit for each of `groups`.
pub type Groups = u8;

/// All visible states.
pub const EVERY_GROUP: Groups = Groups::MAX;

/// The visible states in groups whose best play is much alike, so that they need the chances of much the same hands:
/// against 2 to 6 few hands draw beyond twelve, against the others most do up to sixteen.
pub fn groups(seen: Seen) -> Vec<Vec<usize>> {
    match seen {
        Seen::UpCard => vec![(1..=5).collect(), [ACE].into_iter().chain(6..RANKS).collect()],
        Seen::BothCards => vec![(0..seen_states(seen).len()).collect()],
    }
}

/// The dealer's finished hands under one drawing rule.
pub struct DealerTree<R, const U: usize> {
    /// The visible cards of each state.
    visible: Vec<(usize, Option<usize>)>,
    parts: Vec<Part<R>>,
}

/// The finished hands from the states of one group; their results are `result * states.len() + place in states`.
struct Part<R> {
    states: Vec<usize>,
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
        let part = |states: Vec<usize>| {
            let ends = finished.iter().flat_map(|f| {
                let reached = states.iter().enumerate().filter(|&(_, &u)| f.orders[u] > 0);
                let at = |k| f.result * states.len() + k;
                reached.map(move |(k, &u)| (f.cards, at(k), R::int(i64::from(f.orders[u]))))
            });
            let sums = Sums::new(ends, RESULTS * states.len());
            Part { states, sums }
        };
        let parts = groups(seen).into_iter().map(part).collect();
        let visible = states.iter().map(|state| {
            let mut cards = (0..RANKS).flat_map(|r| std::iter::repeat_n(r, usize::from(state[r])));
            (cards.next().unwrap_or(ACE), cards.next())
        });
        DealerTree { visible: visible.collect(), parts }
    }

    /// The chances for each of the `removed` hands, whose cards have left `shoe`. The visible cards of the
    /// dealer are still counted in `shoe`; a state that the shoe cannot show has all chances zero.
    pub fn chances(&self, shoe: &Shoe, removed: &[Counts]) -> Vec<Chances<R, U>> {
        self.chances_for(shoe, removed, &[])
    }

    /// The same, but each hand only for the states of the groups in which it is needed; all where `needed` is short.
    pub fn chances_for(&self, shoe: &Shoe, removed: &[Counts], needed: &[Groups]) -> Vec<Chances<R, U>> {
        let none = || -> Chances<R, U> { std::array::from_fn(|_| std::array::from_fn(|_| R::zero())) };
        let mut out: Vec<Chances<R, U>> = (0..removed.len()).map(|_| none()).collect();
        let all = shoe_size(shoe);
        for (group, part) in self.parts.iter().enumerate() {
            let in_group = |i: &usize| needed.get(*i).is_none_or(|groups| groups >> group & 1 == 1);
            let rows: Vec<usize> = (0..removed.len()).filter(in_group).collect();
            let hands: Vec<Counts> = rows.iter().map(|&i| removed[i]).collect();
            part.sums.each(shoe, &hands, |row, sums, lane| {
                let left = std::array::from_fn(|r| i64::from(shoe[r]) - i64::from(hands[row][r]));
                let cards = all - i64::from(size(&hands[row]));
                self.collect(part, (&left, cards), (sums, lane), &mut out[rows[row]]);
            });
        }
        out
    }

    /// Conditions one lane on each visible state of a group; what is left over is the dealer going over.
    fn collect(
        &self,
        part: &Part<R>,
        (left, cards): (&[i64; RANKS], i64),
        (sums, lane): (&[Lanes<R>], usize),
        chances: &mut Chances<R, U>,
    ) {
        for (k, &u) in part.states.iter().enumerate() {
            let (first, second) = self.visible[u];
            let (orders, out_of) = match second {
                None => (left[first], cards),
                Some(second) => {
                    let again = left[second] - i64::from(second == first);
                    (left[first] * again.max(0), cards * (cards - 1))
                }
            };
            if orders <= 0 {
                continue;
            }
            let given = R::int(out_of) / R::int(orders);
            let mut rest = R::one();
            for (o, row) in chances.iter_mut().enumerate() {
                if o != OVER {
                    row[u] = sums[o * part.states.len() + k][lane].clone() * given.clone();
                    rest = rest - row[u].clone();
                }
            }
            chances[OVER][u] = rest;
        }
    }
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
