//! The hands of one split together: how many of them win and lose against the same dealer's hand.
//!
//! Each hand is played without regard to the others' draws, so the chance that two hands and the dealer end as given
//! multisets of cards is the product of the numbers of orders that the play allows, times the chance of one order of
//! all these cards. For two hands that sum is taken in full. A third and a fourth hand are added by the superposition
//! of pairs: given the dealer's result, `P(1,2,3) = P(1,2) P(1,3) P(2,3) / (P(1) P(2) P(3))`, with all pairs and single
//! chances exact in the shoe that the further pair cards have left. What this neglects is that three hands compete for
//! the same cards *at once*. Against sums taken in full that is less than two millionths of the chance of each outcome
//! at eight decks, where three and four hands are a third of a percent of all rounds.

mod ends;
mod hands;
mod key;

use crate::streak::Rounds;
pub(crate) use ends::{Books, books};
use ends::{Class, dealer_ends, finished};
use exact::cards::{ACE, Counts, Shoe};
use exact::dealer::RESULTS;
use exact::hands::Index;
use exact::judge::Judge;
use exact::round::Solved;
use exact::sum::Sums;
use hands::{Hands, shapes};
use key::{Orders, Two, cards_of, products};
use rules::ruling::StreakSplits;
use rules::wager::streak::effect;

/// A split pair against one visible state of the dealer.
pub(crate) struct Together {
    most: usize,
    rank: usize,
    /// The cards left behind the pair and the dealer's visible cards.
    shoe: Shoe,
    classes: Vec<Class>,
    two: Vec<Two>,
    dealer: Sums<f64>,
}

/// Chances of two hands' classes with the dealer's result.
type Pairs = Vec<Vec<[f64; RESULTS]>>;

impl Together {
    pub(crate) fn new<J: Judge, const U: usize>(
        solved: &Solved<'_, '_, J, f64, U>,
        books: &Books,
        hand: Index,
        (u, seen): (usize, &Counts),
    ) -> Together {
        let solver = solved.solver;
        let cards = &solver.hand(hand).cards;
        let rank = cards.iter().position(|&n| n > 0).unwrap_or(ACE);
        let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank);
        let (classes, ends) = plan.map_or_else(Default::default, |plan| finished(solved, books, plan, u));
        Together {
            most: plan.map_or(2, |plan| usize::from(plan.most)),
            rank,
            shoe: std::array::from_fn(|r| solver.shoe[r].saturating_sub(u16::from(cards[r] + seen[r]))),
            classes,
            two: products(&ends),
            dealer: dealer_ends(solver.judge, seen),
        }
    }

    /// How the round ends for a streak, by ruling: 2.22(h).
    pub(crate) fn rounds(&self, ruling: StreakSplits) -> Rounds {
        let mut rounds = Rounds::NONE;
        for further in 0..=self.most.saturating_sub(2) {
            let (pairs, shapes) = (self.pairs(further), shapes(self.most, further));
            let chance = self.chance_of_pairs(further);
            for result in 0..RESULTS {
                let hands = Hands::new(&self.classes, &pairs, result);
                for &(shape, times) in &shapes {
                    let part = chance * f64::from(times);
                    hands.each(shape, |record, ends| {
                        rounds.add(effect(record, ruling), part * ends)
                    });
                }
            }
        }
        rounds.scaled_to_one()
    }

    /// The chance that given draws are pair cards.
    fn chance_of_pairs(&self, further: usize) -> f64 {
        let all: u16 = self.shoe.iter().sum();
        let left = |n: usize| f64::from(self.shoe[self.rank]) - n as f64;
        (0..further)
            .map(|n| left(n).max(0.0) / (f64::from(all) - n as f64))
            .product()
    }

    /// The chances of two hands and the dealer, `further` more pair cards being gone.
    fn pairs(&self, further: usize) -> Pairs {
        let mut shoe = self.shoe;
        shoe[self.rank] = shoe[self.rank].saturating_sub(further as u16);
        let chance = Orders::new(&shoe);
        let groups: Vec<&[Two]> = self.two.chunk_by(|a, b| a.cards == b.cards).collect();
        let rows: Vec<Counts> = groups.iter().map(|group| cards_of(group[0].cards)).collect();
        let mut pairs = vec![vec![[0.0; RESULTS]; self.classes.len()]; self.classes.len()];
        self.dealer.each(&shoe, &rows, |row, sums, lane| {
            let one_order = chance.of(&rows[row]);
            for two in groups[row] {
                let (first, second) = (usize::from(two.classes.0), usize::from(two.classes.1));
                // each product stands for both orders of its two hands
                for result in 0..RESULTS {
                    let part = two.orders * one_order * sums[result][lane] / 2.0;
                    pairs[first][second][result] += part;
                    pairs[second][first][result] += part;
                }
            }
        });
        pairs
    }
}

#[cfg(test)]
mod tests;
