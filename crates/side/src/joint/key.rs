//! Encodes multisets of cards as numbers, and combines the ways in which two hands end.

use super::ends::{End, KINDS};
use exact::cards::Counts;
use exact::vocabulary::{RANKS, by_rank};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A multiset of cards encoded as a number; adding the keys of several hands encodes all their cards.
pub(super) type Key = u64;
/// The number of bits for the count of one card value.
///
/// The best strategy never draws sixteen cards of one value to a hand, so the cards of two hands fit.
const FIELD: u32 = 5;
pub(super) const MOST_OF_ONE: u8 = 15;
/// The number of bits for the counts of all card values; the classes of two hands are stored above these bits.
const CARDS: u32 = FIELD * RANKS as u32;
/// The number of bits for the class of a hand.
const CLASS: u32 = 7;

pub(super) fn key(cards: &Counts) -> Key {
    cards.iter().rev().fold(0, |key, &n| key << FIELD | Key::from(n))
}

pub(super) fn cards_of(key: Key) -> Counts {
    by_rank(|r| (key >> (FIELD * r.index() as u32) & ((1 << FIELD) - 1)) as u8)
}

/// A hash map from encoded multisets of cards to sums.
pub(super) type ByKey<V> = HashMap<Key, V, Spread>;

/// Two split hands that have ended: the cards drawn to both, and their classes in ascending order.
pub(super) struct HandPair {
    pub cards: Key,
    pub classes: (u8, u8),
    /// The number of orders in which these cards are drawn, by the kind of the first hand and the kind of the
    /// second.
    pub orders: [[f64; KINDS]; KINDS],
}

/// Returns every combination of two ways in which split hands end, sorted by the cards of both hands.
///
/// Combinations with the same cards and classes are merged, and their numbers of card orders are added.
pub(super) fn products(ends: &[End]) -> Vec<HandPair> {
    let mut sums: ByKey<[[f64; KINDS]; KINDS]> =
        HashMap::with_capacity_and_hasher(32 * ends.len(), Spread::default());
    for (n, one) in ends.iter().enumerate() {
        for (m, other) in ends[..=n].iter().enumerate() {
            let (first, second) = if one.class <= other.class { (one, other) } else { (other, one) };
            let classes = (second.class << CLASS | first.class) as Key;
            let sum = sums.entry(classes << CARDS | (first.cards + second.cards)).or_default();
            let mut add = |first: &End, second: &End| {
                for (sum, first) in sum.iter_mut().zip(first.orders) {
                    sum.iter_mut().zip(second.orders).for_each(|(sum, second)| *sum += first * second);
                }
            };
            add(first, second);
            // within a class, either may be the first hand
            if n != m && first.class == second.class {
                add(second, first);
            }
        }
    }
    let class = |key: Key, at: u32| (key >> (CARDS + at) & ((1 << CLASS) - 1)) as u8;
    let mut two: Vec<HandPair> = sums
        .into_iter()
        .map(|(key, orders)| HandPair {
            cards: key & ((1 << CARDS) - 1),
            classes: (class(key, 0), class(key, CLASS)),
            orders,
        })
        .collect();
    // sort by all fields, so that floating-point sums are taken in the same order on every run
    two.sort_unstable_by_key(|two| (two.cards, two.classes));
    two
}

/// The hash function of keys: one multiplication, which mixes the bits of a key well enough.
type Spread = BuildHasherDefault<Multiply>;

#[derive(Default)]
pub(super) struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = u128::from(self.0 ^ key) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (mixed >> 64) as u64 ^ mixed as u64;
    }
}
