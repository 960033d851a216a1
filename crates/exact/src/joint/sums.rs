//! Sums over the cards that the two halves of the hands of a split draw.

use super::halves::unpacked;
use super::{Draws, add, both, nothing};
use crate::cards::{Counts, Shoe};
use crate::num::Real;
use crate::one_order::OneOrder;
use crate::sum::Sums;
use crate::threads::{join, start};
use crate::vocabulary::Rank;
use std::thread::scope;

/// The cards from which the hands of a split draw.
pub(super) struct DrawPile<R> {
    /// The shoe without the split pair and the two cards of the dealer's blackjack.
    pub shoe: Shoe,
    pub orders: OneOrder<R>,
    /// The rank of the split pair.
    rank: Rank,
}

/// A group of arrangements: the number of further pair cards, and the draws of each half of the hands.
pub(super) type Group<R, const K: usize> = (usize, [Draws<R, K>; 2]);

/// The smallest number of card sets for which a sum gets its own thread. A shorter sum ends before a thread
/// starts.
const LONG: usize = 2_000;

impl<R: Real> DrawPile<R> {
    pub fn new(shoe: Shoe, rank: Rank) -> Self {
        DrawPile { shoe, orders: OneOrder::new(&shoe), rank }
    }

    /// Returns the chance of the draws of all groups of arrangements, and the joint net if `K` is 2.
    ///
    /// The largest group, which comes last and takes longest, runs in parallel with the others.
    pub fn summed<const K: usize>(&self, mut groups: Vec<Group<R, K>>) -> [R; K] {
        let most = groups.pop();
        let long = most.as_ref().is_some_and(|(_, [rows, _])| rows.len() >= LONG);
        let of = |groups: Vec<Group<R, K>>| {
            let mut sum = nothing();
            groups.iter().for_each(|group| add(&mut sum, &self.beside(group), &R::one()));
            sum
        };
        let (mut sum, fewer) = in_two(long, || of(most.into_iter().collect()), || of(groups));
        add(&mut sum, &fewer, &R::one());
        sum
    }

    /// Returns the sum over the draws of both halves, with the group's further pair cards removed.
    fn beside<const K: usize>(&self, (pairs, [rows, ends]): &Group<R, K>) -> [R; K] {
        let each = |(cards, ways): &(u64, [R; K])| {
            let cards = unpacked(*cards);
            ways.clone().into_iter().enumerate().map(move |(k, n)| (cards, k, n))
        };
        let sums = Sums::new(ends.iter().flat_map(each), K);
        let mut cards: Vec<(Counts, [R; K])> = Vec::with_capacity(rows.len());
        for (drawn, ways) in rows {
            let mut gone = unpacked(*drawn);
            gone[self.rank] += *pairs as u8;
            let chance = self.orders.chance(&gone);
            if chance != R::zero() {
                cards.push((gone, ways.clone().map(|n| n * chance.clone())));
            }
        }
        let sum = |part: &[(Counts, [R; K])]| {
            let gone: Vec<Counts> = part.iter().map(|(gone, _)| *gone).collect();
            let mut total = nothing();
            sums.each(&self.shoe, &gone, |i, sum, lane| {
                let sum: [R; K] = std::array::from_fn(|k| sum[k][lane].clone());
                add(&mut total, &both(&part[i].1, &sum), &R::one());
            });
            total
        };
        let (one, other) = cards.split_at(cards.len() / 2);
        let (mut total, more) = in_two(cards.len() >= LONG, || sum(one), || sum(other));
        add(&mut total, &more, &R::one());
        total
    }
}

/// Runs two computations, in parallel if `long` is true.
fn in_two<T: Send>(long: bool, one: impl FnOnce() -> T, other: impl FnOnce() -> T + Send) -> (T, T) {
    if !long {
        return (one(), other());
    }
    scope(|scope| {
        let other = start(scope, other);
        (one(), join(other))
    })
}
