//! Compares the probabilities of split hands with full sums, every order of a short shoe, and sampled rounds.

use super::ends::{Class, DealerEnd, End};
use super::key::{Key, cards_of};
use super::*;
use exact::cards::{pair_of, plus, points, size, two_cards};
use exact::one_order::OneOrder;
use exact::play::AfterSplit;
use exact::solve::Solver;
use exact::split::arrangements;
use exact::sum::Sums;
use exact::table::{Attacked, Table};
use exact::turn::Action;
use exact::vocabulary::{DealerResult, OVER, RANKS, by_result};
use rules::wager::streak::Record;
use rules::{Choices, preset::preset};
use std::collections::BTreeMap;

/// Map from the numbers of hands won and hands lost to a probability.
type Records = BTreeMap<(u8, u8), f64>;

/// Returns the probability of each record in rounds with `all` hands, as `SplitPair` computes it.
fn found(split: &SplitPair, all: usize) -> Records {
    let terms: Vec<(Hands, f64)> = terms(split.most).into_iter().filter(|term| term.0.all == all).collect();
    let chances = split.chances(&terms);
    let mut found = BTreeMap::new();
    for (hands, times) in terms {
        for chances in &chances[hands.gone] {
            hands.each(|labels, won| {
                let part = times * split.chance_of_pairs(hands.gone) * chances.of(labels);
                hands.each_record(won, |record, sign| {
                    *found.entry((record.won, record.lost)).or_insert(0.0) += sign * part;
                });
            });
        }
    }
    found
}

/// Returns the probability of each record from full sums over all ways in which the hands end, busts included.
fn in_full(
    split: &SplitPair,
    (classes, ends): &(Vec<Class>, Vec<End>),
    dealer: &[DealerEnd],
    all: usize,
) -> Records {
    let mut sums: BTreeMap<(Key, Vec<usize>), f64> = BTreeMap::new();
    for leaf in arrangements(split.most).iter().filter(|leaf| leaf.others + leaf.any_second == all) {
        let mut hands = BTreeMap::from([((0, Vec::new()), 1.0)]);
        for kind in [vec![OTHER; leaf.others], vec![ANY; leaf.any_second]].concat() {
            let mut more = BTreeMap::new();
            for ((cards, classes), orders) in &hands {
                for end in ends.iter().filter(|end| end.orders[kind] > 0.0) {
                    let mut classes: Vec<usize> = Vec::clone(classes);
                    classes.push(end.class);
                    classes.sort_unstable();
                    *more.entry((cards + end.cards, classes)).or_insert(0.0) += orders * end.orders[kind];
                }
            }
            hands = more;
        }
        hands.into_iter().for_each(|(hands, orders)| *sums.entry(hands).or_insert(0.0) += orders);
    }
    let mut cards: Vec<Key> = sums.keys().map(|(cards, _)| *cards).collect();
    cards.dedup();
    let rows: Vec<Counts> = cards.iter().map(|&cards| cards_of(cards)).collect();
    let (shoe, mut results) = (split.shoe_without(all - 2), vec![[0.0; RESULTS]; rows.len()]);
    let orders = OneOrder::<f64>::new(&shoe);
    let alone = dealer.iter().map(|end| (cards_of(end.cards), end.result.index(), end.orders));
    Sums::new(alone, RESULTS).each(&shoe, &rows, |row, sums, lane| {
        let chance = orders.chance(&rows[row]);
        results[row] = by_result(|result| chance * sums[result.index()][lane]);
        results[row][OVER] = chance - results[row].iter().sum::<f64>();
    });
    let mut found = BTreeMap::new();
    for ((key, hands), orders) in &sums {
        let row = cards.binary_search(key).unwrap();
        for (result, chance) in DealerResult::ALL.into_iter().zip(&results[row]) {
            let against = |sign: i8| {
                hands.iter().filter(|&&class| classes[class].against[result].signum() == sign).count() as u8
            };
            let part = split.chance_of_pairs(all - 2) * orders * chance;
            *found.entry((against(1), against(-1))).or_insert(0.0) += part;
        }
    }
    found
}

/// Returns the greatest difference between the computed probabilities and those from full sums.
///
/// The difference is a fraction of all rounds with this many hands.
fn difference(choices: &Choices, rank: Rank, up: Rank, all: usize) -> f64 {
    let u = Upcard::card(up);
    let table = Table::new(choices, Attacked::No);
    let dealer = table.dealer::<f64, 10>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
    let (hand, seen) = (solver.hands.find(&pair_of(rank)).unwrap(), plus([0; RANKS], up));
    let books = books(&solved);
    let split = SplitPair::new(&solved, &books, hand, (u, &seen));
    let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank).unwrap();
    let full = in_full(&split, &finished(&solved, &books, plan, u), &dealer_ends(&table, &books, &seen), all);
    let whole: f64 = full.values().sum();
    let found = found(&split, all);
    assert!((whole - found.values().sum::<f64>()).abs() < 1e-14, "{whole} {found:?}");
    let records = full.keys().chain(found.keys());
    let differ = |record| full.get(record).unwrap_or(&0.0) - found.get(record).unwrap_or(&0.0);
    records.map(|record| f64::abs(differ(record))).fold(0.0, f64::max) / whole
}

fn blackjack(decks: u8) -> Choices {
    Choices { decks, ..preset("nj-blackjack").unwrap() }
}

/// Compares two and three hands with full sums, using nines and eights, for which these sums are short enough.
#[test]
fn two_and_three_hands_are_exact() {
    use Rank::{Eight, Five, Nine, Six};
    for (decks, rank, up) in
        [(8, Nine, Five), (8, Eight, Six), (6, Nine, Five), (2, Eight, Five), (1, Eight, Five)]
    {
        for (most, hands) in [(4, 2), (4, 3), (3, 3), (2, 2)] {
            let choices = Choices { split_hands: most, ..blackjack(decks) };
            let found = difference(&choices, rank, up, hands);
            assert!(found < 1e-12, "{decks} decks, pair of {rank:?}, {hands} of {most} hands: {found:e}");
        }
    }
}

/// The error of four hands is small, as a fraction of the rounds with four hands.
///
/// Rounds with four hands are one in two thousand at eight decks, and rarer with fewer decks.
#[test]
fn four_hands_are_close() {
    use Rank::{Eight, Five, Nine, Six};
    for (decks, rank, up, most) in
        [(8, Nine, Five, 3e-8), (8, Eight, Six, 3e-8), (2, Nine, Five, 2e-6), (1, Nine, Five, 2e-5)]
    {
        let found = difference(&blackjack(decks), rank, up, 4);
        assert!(found < most, "{decks} decks, pair of {rank:?}, four hands: {found:e}");
    }
}

/// Deals every order of a short shoe with three eights, card by card, always to the first incomplete hand.
#[test]
fn every_order_of_a_short_shoe() {
    const EIGHT: Rank = Rank::Eight;
    let (choices, up) = (blackjack(1), Rank::Six);
    let u = Upcard::card(up);
    let table = Table::new(&choices, Attacked::No);
    let dealer = table.dealer::<f64, 10>();
    for shoe in [[1, 1, 1, 0, 0, 1, 2, 3, 2, 4], [2, 0, 0, 1, 1, 2, 1, 3, 1, 5]] {
        let solver = Solver::new(&table, &dealer, shoe, &[0; RANKS]);
        let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
        let hand = solver.hands.find(&pair_of(EIGHT)).unwrap();
        let split = SplitPair::new(&solved, &books(&solved), hand, (u, &plus([0; RANKS], up)));
        let plan = solved.splits.plans.iter().find(|plan| plan.rank == EIGHT).unwrap();
        let action = |hand: &Counts| {
            let hand = solver.hands.find(hand).unwrap();
            plan.plays[0][plan.hands.iter().position(|&known| known == hand).unwrap()].action[u]
        };
        let mut orders = Orders { shoe: split.shoe, drawn: Vec::new() };
        let (mut found, mut three) = ([Rounds::NONE; 2], 0.0);
        loop {
            let (mut cards, mut left, mut chance) = (0, split.shoe, 1.0);
            let mut card = || {
                let rank = orders.card(cards, &left);
                cards += 1;
                chance *= f64::from(left[rank]) / f64::from(left.iter().sum::<u16>());
                left[rank] -= 1;
                rank
            };
            let record = sampled_round((EIGHT, split.most), up, &mut card, &action);
            for (found, ruling) in found.iter_mut().zip([StreakSplits::Compare, StreakSplits::Majority]) {
                found.add(effect(record, ruling), chance);
            }
            three += if record.won + record.lost + record.pushed == 3 { chance } else { 0.0 };
            if !orders.next(cards) {
                break;
            }
        }
        assert!(three > 0.1, "{three}");
        for (found, ruling) in found.into_iter().zip([StreakSplits::Compare, StreakSplits::Majority]) {
            let exact = split.rounds(ruling);
            for (a, b) in [(found.won, exact.won), (found.lost, exact.lost), (found.pushed, exact.pushed)] {
                assert!((a - b).abs() < 1e-13, "{found:?} {exact:?}");
            }
        }
    }
}

/// The orders of card values in which a shoe can be dealt, visited one after another.
struct Orders {
    shoe: Shoe,
    drawn: Vec<Rank>,
}

impl Orders {
    /// Returns the card at an index of the current order; the order is extended by the lowest value left.
    fn card(&mut self, at: usize, left: &Shoe) -> Rank {
        if at == self.drawn.len() {
            self.drawn.push(
                Rank::ALL.into_iter().find(|&r| left[r] > 0).expect("the shoe has a card for every draw"),
            );
        }
        self.drawn[at]
    }

    /// Advances to the next order, given that the first `cards` cards were used, and returns whether there is one.
    fn next(&mut self, cards: usize) -> bool {
        self.drawn.truncate(cards);
        while let Some(last) = self.drawn.pop() {
            let gone = |r: Rank| self.drawn.iter().filter(|&&drawn| drawn == r).count();
            if let Some(r) = last.and_above().skip(1).find(|&r| gone(r) < usize::from(self.shoe[r])) {
                self.drawn.push(r);
                return true;
            }
        }
        false
    }
}

/// A small random number generator with a fixed seed.
pub(crate) struct Random(pub u64);

impl Random {
    fn below(&mut self, n: u16) -> u16 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((u128::from(x ^ (x >> 32)) * u128::from(n)) >> 64) as u16
    }

    pub(crate) fn card(&mut self, shoe: &mut Shoe) -> Rank {
        let mut at = self.below(shoe.iter().sum());
        let rank = Rank::ALL.into_iter().find(|&r| {
            let here = at < shoe[r];
            at = at.wrapping_sub(shoe[r]);
            here
        });
        let rank = rank.unwrap();
        shoe[rank] -= 1;
        rank
    }
}

/// Split rounds that are dealt card by card, always to the first incomplete hand, agree with the sums.
#[test]
fn sampled_split_rounds_agree() {
    const ROUNDS: u32 = 40_000;
    let choices = preset("nj-blackjack").unwrap();
    let table = Table::new(&choices, Attacked::No);
    let dealer = table.dealer::<f64, 10>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
    let books = books(&solved);
    use Rank::*;
    for (rank, up) in [(Eight, Six), (Eight, Ten), (Two, Seven), (Ace, Ten), (Nine, Nine)] {
        let u = Upcard::card(up);
        let pair = solver.hands.find(&pair_of(rank)).unwrap();
        let split = SplitPair::new(&solved, &books, pair, (u, &plus([0; RANKS], up)));
        let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank).unwrap();
        let action = |hand: &Counts| {
            let hand = solver.hands.find(hand).unwrap();
            let at = plan.hands.iter().position(|&known| known == hand).unwrap();
            plan.plays[0][at].action[u]
        };
        let (mut random, mut found) = (Random(rank as u64 * 10 + up as u64), Rounds::NONE);
        for _ in 0..ROUNDS {
            let mut shoe = split.shoe;
            let record = sampled_round((rank, split.most), up, &mut || random.card(&mut shoe), &action);
            found.add(effect(record, StreakSplits::Compare), 1.0 / f64::from(ROUNDS));
        }
        let exact = split.rounds(StreakSplits::Compare);
        for (found, exact) in [(found.won, exact.won), (found.lost, exact.lost), (found.pushed, exact.pushed)]
        {
            let sigma = (exact * (1.0 - exact) / f64::from(ROUNDS)).sqrt();
            assert!((found - exact).abs() < 4.0 * sigma, "pair of {rank:?} v {up:?}: {found} {exact}");
        }
    }
}

/// Deals a round in which the player splits a pair of `rank` into up to `most` hands, and returns its record.
pub(crate) fn sampled_round(
    (rank, most): (Rank, usize),
    up: Rank,
    card: &mut dyn FnMut() -> Rank,
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
    let mut dealer = two_cards([up, card()]);
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

/// Returns whether a hand wins against the dealer, or `None` if it pushes.
///
/// The hand must not be a blackjack. A two-card 21 after a split beats a drawn 21.
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
