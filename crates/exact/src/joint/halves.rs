//! Halves of the hands of a split, each with one or two hands: the cards that a half draws, in how many orders.

use super::{Draws, add, both, nothing};
use crate::cards::{Counts, Index};
use crate::hands::ByKey;
use crate::num::Real;
use crate::vocabulary::by_rank;

/// Half of the hands of a split: combinations of one or two kinds of hands, each with a multiplicity.
pub(super) type Half = Vec<(Vec<usize>, i64)>;

/// The number of bits for the count of one value in packed cards.
const BITS: u32 = 6;

/// Packs the counts of cards into one number.
///
/// The sum of two hands' numbers stands for the cards of both hands. No hand draws so many cards of one value
/// that the counts of two hands overflow.
pub(super) fn packed(cards: &Counts) -> u64 {
    assert!(cards.iter().all(|&n| n < 1 << (BITS - 1)), "too many cards of one value for a hand: {cards:?}");
    cards.iter().rev().fold(0, |key, &n| key << BITS | u64::from(n))
}

pub(super) fn unpacked(key: u64) -> Counts {
    by_rank(|r| (key >> (BITS * r.index() as u32) & ((1 << BITS) - 1)) as u8)
}

/// Sorts the draws and merges those with the same cards.
pub(super) fn merged<R: Real, const K: usize>(mut draws: Draws<R, K>) -> Draws<R, K> {
    draws.sort_by_key(|d| d.0);
    draws.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            add(&mut sum.1, &next.1, &R::one());
        }
        same
    });
    draws
}

/// Returns the draws of a half with one hand. `single` holds the draws of a hand of each kind.
pub(super) fn ones<R: Real, const K: usize>(single: &[Draws<R, K>], half: &Half) -> Draws<R, K> {
    let mut all = Vec::new();
    for (kinds, times) in half {
        for kind in kinds {
            let times = R::int(*times);
            let ways = |ways: &[R; K]| ways.clone().map(|n| n * times.clone());
            all.extend(single[*kind].iter().map(|(cards, n)| (*cards, ways(n))));
        }
    }
    merged(all)
}

/// Returns the draws of each half with two hands.
///
/// All halves are computed together, so that the cards of two hands are looked up once for all halves and for both
/// orders of the hands. Cards that are not in the shoe have a chance of zero and are kept.
pub(super) fn twos<R: Real, const K: usize>(single: &[Draws<R, K>], halves: &[&Half]) -> Vec<Draws<R, K>> {
    let mut cards: Vec<u64> = single.iter().flatten().map(|draw| draw.0).collect();
    cards.sort_unstable();
    cards.dedup();
    let mut ways: Vec<Vec<[R; K]>> = vec![vec![nothing(); single.len()]; cards.len()];
    for (kind, draws) in single.iter().enumerate() {
        for (key, n) in draws {
            if let Ok(at) = cards.binary_search(key) {
                ways[at][kind] = n.clone();
            }
        }
    }
    let mut places: ByKey<Index> =
        ByKey::with_capacity_and_hasher(64 * cards.len(), std::hash::BuildHasherDefault::default());
    let mut keys: Vec<u64> = Vec::new();
    let mut sums: Vec<[R; K]> = Vec::new();
    for (i, first) in cards.iter().enumerate() {
        let [alike, apart] = [false, true].map(|apart| beside(&ways[i], halves, apart));
        for (j, second) in cards[..=i].iter().enumerate() {
            let at = *places.entry(first + second).or_insert_with(|| {
                keys.push(first + second);
                sums.extend(halves.iter().map(|_| nothing()));
                keys.len() as Index - 1
            });
            let beside = if i == j { &alike } else { &apart };
            add_products(&mut sums[at as usize * halves.len()..], beside, &ways[j]);
        }
    }
    let of = |half: usize| {
        let ways = sums.iter().skip(half).step_by(halves.len());
        let draws = keys.iter().copied().zip(ways.cloned());
        draws.filter(|(_, ways)| ways[0] != R::zero()).collect()
    };
    (0..halves.len()).map(of).collect()
}

/// Returns the factors for a second hand of each kind beside a first hand, half by half.
///
/// `apart` tells that the two hands differ, so that each may be the first.
fn beside<R: Real, const K: usize>(first: &[[R; K]], halves: &[&Half], apart: bool) -> Vec<[R; K]> {
    let mut beside = vec![nothing(); halves.len() * first.len()];
    for (half, by_kind) in halves.iter().zip(beside.chunks_mut(first.len())) {
        for (kinds, times) in half.iter() {
            let &[a, b] = &kinds[..] else { continue };
            add(&mut by_kind[b], &first[a], &R::int(*times));
            if apart {
                add(&mut by_kind[a], &first[b], &R::int(*times));
            }
        }
    }
    beside
}

fn add_products<R: Real, const K: usize>(sums: &mut [[R; K]], first: &[[R; K]], second: &[[R; K]]) {
    for (sum, by_kind) in sums.iter_mut().zip(first.chunks(second.len())) {
        for (a, b) in by_kind.iter().zip(second) {
            add(sum, &both(a, b), &R::one());
        }
    }
}
