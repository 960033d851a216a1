//! Superposed hands against sums taken in full, and split rounds against sampled ones.

use super::hands::Shape;
use super::key::Key;
use super::*;
use exact::cards::{plus, points, size};
use exact::solve::Solver;
use exact::split::{AfterSplit, pair_of};
use exact::table::{Attacked, Table};
use exact::turn::Action;
use rules::wager::streak::Record;
use rules::{Choices, preset::preset};
use std::collections::BTreeMap;

/// The chances of each record of three or four open hands with every product of their ends summed.
fn in_full(split: &Together, ends: &[End], hands: usize, further: usize) -> BTreeMap<(u8, u8), f64> {
    let mut sums: BTreeMap<(Key, Vec<usize>), f64> = BTreeMap::from([((0, Vec::new()), 1.0)]);
    for _ in 0..hands {
        let mut more = BTreeMap::new();
        for ((cards, classes), orders) in &sums {
            for end in ends {
                let mut classes = classes.clone();
                classes.push(end.class);
                classes.sort_unstable();
                *more.entry((cards + end.cards, classes)).or_insert(0.0) += orders * end.orders;
            }
        }
        sums = more;
    }
    let shoe = split.shoe_without(further);
    let mut cards: Vec<Key> = sums.keys().map(|(cards, _)| *cards).collect();
    cards.dedup();
    let rows: Vec<Counts> = cards.iter().map(|&cards| cards_of(cards)).collect();
    let mut dealer = vec![[0.0; RESULTS]; rows.len()];
    split.each_row(&shoe, &rows, |row, chances| dealer[row] = chances);
    let mut found = BTreeMap::new();
    for ((key, classes), orders) in &sums {
        let row = cards.binary_search(key).unwrap();
        for (result, chance) in dealer[row].iter().enumerate() {
            let against = |sign: i8| {
                classes.iter().filter(|&&class| split.classes[class].against[result] == sign).count() as u8
            };
            *found.entry((against(1), against(-1))).or_insert(0.0) += orders * chance;
        }
    }
    found
}

fn superposed(split: &Together, hands: usize, further: usize) -> BTreeMap<(u8, u8), f64> {
    let pairs = split.pairs(further);
    let mut found = BTreeMap::new();
    for result in 0..RESULTS {
        let shape = Shape { closed: 0, open: hands };
        Hands::new(&split.classes, &pairs, result).each(shape, |record, chance| {
            *found.entry((record.won, record.lost)).or_insert(0.0) += chance;
        });
    }
    found
}

/// Compares both, and returns the greatest difference of a chance.
fn difference(decks: u8, rank: usize, u: usize, hands: usize) -> f64 {
    let choices = Choices { decks, ..preset("nj-blackjack").unwrap() };
    let table = Table::new(&choices, Attacked::No);
    let dealer = table.dealer::<f64, 10>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
    let hand = solver.hands.find(&pair_of(rank)).unwrap();
    let books = books(&solved);
    let split = Together::new(&solved, &books, hand, (u, &plus([0; RANKS], u)));
    let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank).unwrap();
    let (_, ends) = finished(&solved, &books, plan, u);
    let full = in_full(&split, &ends, hands, hands - 2);
    let all: f64 = full.values().sum();
    assert!((all - 1.0).abs() < 1e-9, "all outcomes of {hands} hands add up to {all}");
    let near = superposed(&split, hands, hands - 2);
    let records = full.keys().chain(near.keys());
    let differ = |record| full.get(record).unwrap_or(&0.0) - near.get(record).unwrap_or(&0.0);
    records.map(|record| f64::abs(differ(record))).fold(0.0, f64::max)
}

#[test]
fn two_hands_are_exact() {
    assert!(difference(8, 7, 6, 2) < 1e-12);
    assert!(difference(1, 7, 4, 2) < 1e-12);
}

/// Nines and eights against a five and a six, where sums in full are short enough to be taken.
#[test]
fn further_hands_are_close() {
    for (decks, rank, u, hands, most) in [
        (8, 8, 4, 3, 1e-6),
        (8, 7, 5, 3, 1e-6),
        (8, 8, 4, 4, 2e-6),
        (6, 8, 4, 3, 2e-6),
        (2, 7, 4, 3, 2e-5),
        (1, 7, 4, 3, 5e-5),
    ] {
        let found = difference(decks, rank, u, hands);
        assert!(found < most, "{decks} decks, pair of {}, {hands} hands: {found:e}", rank + 1);
    }
}

/// A small generator with a fixed seed.
pub(crate) struct Random(pub u64);

impl Random {
    fn below(&mut self, n: u16) -> u16 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((u128::from(x ^ (x >> 32)) * u128::from(n)) >> 64) as u16
    }

    pub(crate) fn card(&mut self, shoe: &mut Shoe) -> usize {
        let mut at = self.below(shoe.iter().sum());
        let rank = (0..RANKS).find(|&r| {
            let here = at < shoe[r];
            at = at.wrapping_sub(shoe[r]);
            here
        });
        let rank = rank.unwrap();
        shoe[rank] -= 1;
        rank
    }
}

/// Split rounds dealt card by card, the first incomplete hand first, agree with the sums.
#[test]
fn sampled_split_rounds_agree() {
    const ROUNDS: u32 = 40_000;
    let choices = preset("nj-blackjack").unwrap();
    let table = Table::new(&choices, Attacked::No);
    let dealer = table.dealer::<f64, 10>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
    let books = books(&solved);
    for (rank, u) in [(7, 5), (7, 9), (1, 6), (0, 9), (8, 8)] {
        let pair = solver.hands.find(&pair_of(rank)).unwrap();
        let split = Together::new(&solved, &books, pair, (u, &plus([0; RANKS], u)));
        let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank).unwrap();
        let action = |hand: &Counts| {
            let hand = solver.hands.find(hand).unwrap();
            let at = plan.hands.iter().position(|&known| known == hand).unwrap();
            plan.plays[0][at].action[u]
        };
        let (mut random, mut found) = (Random(rank as u64 * 10 + u as u64), Rounds::NONE);
        for _ in 0..ROUNDS {
            let mut shoe = split.shoe;
            let record = sampled_round((rank, split.most), u, &mut || random.card(&mut shoe), &action);
            found.add(effect(record, StreakSplits::Compare), 1.0 / f64::from(ROUNDS));
        }
        let exact = split.rounds(StreakSplits::Compare);
        for (found, exact) in [(found.won, exact.won), (found.lost, exact.lost), (found.pushed, exact.pushed)]
        {
            let sigma = (exact * (1.0 - exact) / f64::from(ROUNDS)).sqrt();
            assert!((found - exact).abs() < 4.0 * sigma, "pair of {} v {}: {found} {exact}", rank + 1, u + 1);
        }
    }
}

/// Deals the hands of a pair of this value, up to so many, against an up card.
pub(crate) fn sampled_round(
    (rank, most): (usize, usize),
    u: usize,
    card: &mut dyn FnMut() -> usize,
    action: &dyn Fn(&Counts) -> Action,
) -> Record {
    let single = plus([0; RANKS], rank);
    let (mut waiting, mut hands, mut done) = (vec![single; 2], 2, Vec::new());
    while let Some(hand) = waiting.pop() {
        let second = card();
        if second == rank && hands < most {
            hands += 1;
            waiting.extend([single; 2]);
            continue;
        }
        let mut hand = plus(hand, second);
        while points(&hand).total < 22 {
            match action(&hand) {
                Action::Hit => hand = plus(hand, card()),
                Action::Double => {
                    hand = plus(hand, card());
                    break;
                }
                _ => break,
            }
        }
        done.push(hand);
    }
    let mut dealer = plus(plus([0; RANKS], u), card());
    while points(&dealer).total < 17 {
        dealer = plus(dealer, card());
    }
    let mut record = Record::default();
    for hand in done {
        match is_won(&hand, &dealer) {
            Some(true) => record.won += 1,
            Some(false) => record.lost += 1,
            None => record.pushed += 1,
        }
    }
    record
}

/// Whether a hand that is no blackjack wins or loses; nothing if it pushes. A split 21 in two cards beats a drawn 21.
pub(crate) fn is_won(hand: &Counts, dealer: &Counts) -> Option<bool> {
    let (total, drawn) = (points(hand).total, points(dealer).total);
    let blackjack = size(dealer) == 2 && drawn == 21;
    if total > 21 || blackjack || (drawn <= 21 && total < drawn) {
        Some(false)
    } else if drawn > 21 || total > drawn || (total == 21 && size(hand) == 2) {
        Some(true)
    } else {
        None
    }
}
