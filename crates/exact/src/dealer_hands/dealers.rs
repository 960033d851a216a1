//! The joint probabilities of the results of two or three dealer hands that share one upcard.
//!
//! The dealer's cards go to the discard rack after each hand and not back to the shoe, so any order of the hands
//! has the same probability. The probability of a hand over 21 is one minus that of all others, so such hands need
//! not be listed.

use crate::cards::{Counts, Shoe, plus, size, together};
use crate::dealer::finished_hands;
use crate::hands::ByKey;
use crate::judge::Judge;
use crate::lanes::Lanes;
use crate::one_order::OneOrder;
use crate::sum::Sums;
use crate::vocabulary::{DealerResult, OVER, RANKS, RESULTS, Rank, by_rank};
use std::collections::BTreeMap;

/// Joint probabilities of the results of two dealer hands, indexed by the result of each hand.
///
/// `Three` holds those of three dealer hands.
pub(super) type Two = [[f64; RESULTS]; RESULTS];
pub(super) type Three = [Two; RESULTS];

/// The hands with which the dealer can finish from one upcard, singly and two at a time.
pub(super) struct Dealers {
    /// The finished hands that are not over 21: the cards drawn to the upcard, the result and the number of orders.
    ends: Vec<(Counts, DealerResult, f64)>,
    one: Sums<f64>,
    two: Sums<f64>,
}

/// The player's finished hands: for each set of cards, the indices of the hands' classes, each with the number
/// of card orders that lead to it.
pub(super) type Hands = BTreeMap<Counts, Vec<(usize, f64)>>;

impl Dealers {
    pub fn new(judge: &impl Judge, up: Rank) -> Self {
        let upcard = plus([0; RANKS], up);
        let all = finished_hands::<1>(&[upcard], |_| true, 21, |count| judge.dealer_stands(count));
        let mut ends: Vec<(Counts, DealerResult, f64)> = all
            .into_iter()
            .filter(|end| end.result != OVER)
            .map(|end| {
                let drawn = by_rank(|r| end.cards[r] - upcard[r]);
                (drawn, end.result, f64::from(end.orders[0]))
            })
            .collect();
        ends.sort_unstable_by_key(|end| (end.1, end.0));
        let one = ends.iter().map(|(cards, result, orders)| (*cards, result.index(), *orders));
        let mut two: ByKey<f64> = ByKey::default();
        for (cards, result, orders) in &ends {
            crate::cancel::check();
            for (others, other, more) in ends.iter().filter(|end| end.1 >= *result) {
                let both = key(&together(cards, others), place(*result, *other));
                *two.entry(both).or_insert(0.0) += orders * more;
            }
        }
        let of_two = two.into_iter().map(|(key, orders)| {
            let (cards, place) = unpacked(key);
            (cards, place, orders)
        });
        Dealers { one: Sums::new(one, RESULTS), two: Sums::new(of_two, RESULTS * RESULTS), ends }
    }

    /// Returns the joint probabilities of a player's class and the results of two dealer hands, indexed by class.
    ///
    /// `shoe` no longer contains the upcard.
    pub fn two(&self, shoe: &Shoe, hands: &Hands, classes: usize) -> Vec<Two> {
        let (orders, rows) = (OneOrder::<f64>::new(shoe), hands.keys().copied().collect::<Vec<_>>());
        let mut one = vec![[0.0; RESULTS]; rows.len()];
        self.one.each(shoe, &rows, |row, sums, lane| {
            one[row] = std::array::from_fn(|result| sums[result][lane]);
        });
        let mut found = vec![[[0.0; RESULTS]; RESULTS]; classes];
        let hands: Vec<&Vec<(usize, f64)>> = hands.values().collect();
        self.two.each(shoe, &rows, |row, sums, lane| {
            let (table, chance) = (with_busts(sums, lane, &one[row]), orders.chance(&rows[row]));
            for (class, ways) in hands[row] {
                let cells = found[*class].as_flattened_mut().iter_mut().zip(table.as_flattened());
                cells.for_each(|(sum, x)| *sum += chance * ways * x);
            }
        });
        found
    }

    /// Returns the joint probabilities of a player's class and the results of three dealer hands, indexed by
    /// class.
    ///
    /// `two` holds the probabilities for two dealer hands.
    pub fn three(&self, shoe: &Shoe, hands: &Hands, two: &[Two]) -> Vec<Three> {
        let orders = OneOrder::<f64>::new(shoe);
        let mut with_third: BTreeMap<Counts, BTreeMap<(usize, DealerResult), f64>> = BTreeMap::new();
        for (cards, ways) in hands {
            crate::cancel::check();
            for (drawn, result, more) in &self.ends {
                let both = with_third.entry(together(cards, drawn)).or_default();
                ways.iter().for_each(|(class, ways)| {
                    *both.entry((*class, *result)).or_insert(0.0) += ways * more;
                });
            }
        }
        let rows: Vec<Counts> = with_third.keys().copied().collect();
        let ways: Vec<_> = with_third.into_values().collect();
        let mut found = vec![[[[0.0; RESULTS]; RESULTS]; RESULTS]; two.len()];
        self.two.each(shoe, &rows, |row, sums, lane| {
            let chance = orders.chance(&rows[row]);
            for ((class, third), ways) in &ways[row] {
                for (a, b) in stands().flat_map(|a| stands().map(move |b| (a, b))) {
                    found[*class][*third][a][b] += chance * ways * sums[place(a, b)][lane];
                }
            }
        });
        found.iter_mut().zip(two).for_each(|(three, two)| complete(three, two));
        found
    }
}

/// Iterates over the dealer's results that are not over 21.
fn stands() -> impl Iterator<Item = DealerResult> + Clone {
    DealerResult::ALL.into_iter().filter(|result| *result != OVER)
}

/// Returns the index of the sum for two results of the dealer, in either order.
fn place(a: DealerResult, b: DealerResult) -> usize {
    a.min(b).index() * RESULTS + a.max(b).index()
}

/// Returns the joint probabilities of two results from the sums in one SIMD lane, and adds those with busts.
///
/// `one` holds the probabilities of the results of a single dealer hand.
fn with_busts(sums: &[Lanes<f64>], lane: usize, one: &[f64; RESULTS]) -> Two {
    let mut table = [[0.0; RESULTS]; RESULTS];
    let mut none = 1.0;
    for a in stands() {
        let mut over = one[a];
        for b in stands() {
            table[a][b] = sums[place(a, b)][lane];
            over -= table[a][b];
        }
        (table[a][OVER], table[OVER][a]) = (over, over);
        none -= one[a] + over;
    }
    table[OVER][OVER] = none;
    table
}

/// Fills in the probabilities of results in which one, two or all of three dealer hands bust.
fn complete(three: &mut Three, two: &Two) {
    for (a, b) in stands().flat_map(|a| stands().map(move |b| (a, b))) {
        let over = two[a][b] - stands().map(|c| three[c][a][b]).sum::<f64>();
        (three[a][b][OVER], three[a][OVER][b], three[OVER][a][b]) = (over, over, over);
    }
    for a in stands() {
        let over = two[a][OVER] - stands().map(|c| three[a][OVER][c]).sum::<f64>();
        (three[a][OVER][OVER], three[OVER][a][OVER], three[OVER][OVER][a]) = (over, over, over);
    }
    three[OVER][OVER][OVER] = two[OVER][OVER] - stands().map(|c| three[OVER][OVER][c]).sum::<f64>();
}

/// The number of bits for the count of one value in a packed key.
///
/// No two hands of the dealer have 32 cards of one value.
const FIELD: u32 = 5;
/// The number of bits for the index of two results in a packed key.
const PLACE: u32 = 6;

fn key(cards: &Counts, place: usize) -> u64 {
    debug_assert!(size(cards) < 64);
    cards.iter().rev().fold(0, |key, &n| key << FIELD | u64::from(n)) << PLACE | place as u64
}

fn unpacked(key: u64) -> (Counts, usize) {
    let field = |r: Rank| key >> (PLACE + FIELD * r.index() as u32) & ((1 << FIELD) - 1);
    (by_rank(|r| field(r) as u8), (key & ((1 << PLACE) - 1)) as usize)
}
