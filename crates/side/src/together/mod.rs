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
use ends::{Class, End, dealer_ends, finished};
use exact::cards::{ACE, Counts, RANKS, Shoe};
use exact::dealer::{OVER, RESULTS};
use exact::hands::Index;
use exact::judge::Judge;
use exact::one_order::OneOrder;
use exact::round::Solved;
use exact::sum::Sums;
use hands::{Hands, shapes};
use key::{Two, cards_of, products};
use rules::ruling::StreakSplits;
use rules::wager::streak::effect;

/// A split pair against one visible state of the dealer.
pub(crate) struct Together {
    most: usize,
    rank: usize,
    /// The cards left behind the pair and the dealer's visible cards.
    shoe: Shoe,
    classes: Vec<Class>,
    /// The hands that stand.
    ends: Vec<End>,
    /// Every two of them.
    two: Vec<Two>,
    dealer: Sums<f64>,
}

/// Chances of something together with each result of the dealer.
type Chances = [f64; RESULTS];

/// Chances of two hands' classes with the dealer's results.
type Pairs = Vec<Vec<Chances>>;

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
        let (classes, mut ends) = plan.map_or_else(Default::default, |plan| finished(solved, books, plan, u));
        ends.retain(|end| !classes[end.class].bust);
        Together {
            most: plan.map_or(2, |plan| usize::from(plan.most)),
            rank,
            shoe: std::array::from_fn(|r| solver.shoe[r].saturating_sub(u16::from(cards[r] + seen[r]))),
            classes,
            two: products(&ends),
            ends,
            dealer: dealer_ends(solver.judge, seen),
        }
    }

    /// How the round ends for a streak, by ruling: 2.22(h).
    pub(crate) fn rounds(&self, ruling: StreakSplits) -> Rounds {
        let mut rounds = Rounds::NONE;
        for further in 0..=self.most.saturating_sub(2) {
            let chance = self.chance_of_pairs(further);
            if chance <= 0.0 {
                break;
            }
            let (pairs, shapes) = (self.pairs(further), shapes(self.most, further));
            for result in 0..RESULTS {
                let hands = Hands::new(&self.classes, &pairs, result);
                for &(shape, times) in &shapes {
                    let part = chance * f64::from(times);
                    hands.each(shape, |record, ends| rounds.add(effect(record, ruling), part * ends));
                }
            }
        }
        rounds.scaled_to_one()
    }

    /// The chance that given draws are pair cards.
    fn chance_of_pairs(&self, further: usize) -> f64 {
        let all: u16 = self.shoe.iter().sum();
        let left = |n: usize| f64::from(self.shoe[self.rank]) - n as f64;
        (0..further).map(|n| left(n).max(0.0) / (f64::from(all) - n as f64)).product()
    }

    /// The chances of two hands and the dealer, `further` more pair cards being gone.
    ///
    /// Only hands that stand are multiplied out. What a hand over 21 is worth beside another follows from the chances of
    /// that other hand alone, since the second hand ends somehow; and so do both over 21.
    fn pairs(&self, further: usize) -> Pairs {
        let standing = self.classes.len() - 2;
        let mut pairs = self.standing_pairs(&self.shoe_without(further));
        let beside = self.beside_any(further);
        for first in 0..standing {
            for second_paired in [false, true] {
                let bust = standing + usize::from(second_paired);
                let mut rest = beside[first][usize::from(second_paired)];
                self.subtract(second_paired, &mut rest, |second| &pairs[first][second]);
                pairs[first][bust] = rest;
                pairs[bust][first] = rest;
            }
        }
        let any = self.any_two(further);
        for [one, other] in [[false, false], [false, true], [true, false], [true, true]] {
            let bust = [one, other].map(|paired| standing + usize::from(paired));
            let mut rest = any[usize::from(one)][usize::from(other)];
            self.subtract(other, &mut rest, |second| &beside[second][usize::from(one)]);
            self.subtract(one, &mut rest, |first| &pairs[first][bust[1]]);
            pairs[bust[0]][bust[1]] = rest;
        }
        pairs
    }

    /// Takes the chances of every standing class off `rest`, with a second pair card or without.
    fn subtract<'a>(&self, paired: bool, rest: &mut Chances, of: impl Fn(usize) -> &'a Chances) {
        for (n, class) in self.classes.iter().enumerate() {
            if !class.bust && class.paired == paired {
                rest.iter_mut().zip(of(n)).for_each(|(rest, chance)| *rest -= chance);
            }
        }
    }

    /// Two hands that stand.
    fn standing_pairs(&self, shoe: &Shoe) -> Pairs {
        let groups: Vec<&[Two]> = self.two.chunk_by(|a, b| a.cards == b.cards).collect();
        let rows: Vec<Counts> = groups.iter().map(|group| cards_of(group[0].cards)).collect();
        let mut pairs = vec![vec![[0.0; RESULTS]; self.classes.len()]; self.classes.len()];
        self.each_row(shoe, &rows, |row, chances| {
            for two in groups[row] {
                let (first, second) = (usize::from(two.classes.0), usize::from(two.classes.1));
                // each product stands for both orders of its two hands
                for (result, chance) in chances.iter().enumerate() {
                    let part = two.orders * chance / 2.0;
                    pairs[first][second][result] += part;
                    pairs[second][first][result] += part;
                }
            }
        });
        pairs
    }

    /// One hand that stands beside one whose second card is no pair card, or is one.
    fn beside_any(&self, further: usize) -> Vec<[Chances; 2]> {
        let [all, paired] = [further, further + 1].map(|gone| self.standing(&self.shoe_without(gone)));
        let next = self.chance_of_pairs(further + 1) / self.chance_of_pairs(further);
        let split = |(all, paired): (Chances, Chances)| {
            let paired = paired.map(|chance| chance * next);
            [std::array::from_fn(|result| all[result] - paired[result]), paired]
        };
        all.into_iter().zip(paired).map(split).collect()
    }

    fn standing(&self, shoe: &Shoe) -> Vec<Chances> {
        let rows: Vec<Counts> = self.ends.iter().map(|end| cards_of(end.cards)).collect();
        let mut standing = vec![[0.0; RESULTS]; self.classes.len()];
        self.each_row(shoe, &rows, |row, chances| {
            let end = &self.ends[row];
            for (result, chance) in chances.iter().enumerate() {
                standing[end.class][result] += end.orders * chance;
            }
        });
        standing
    }

    /// The dealer's results with two hands whose second cards are no pair card, or are one.
    fn any_two(&self, further: usize) -> [[Chances; 2]; 2] {
        let [none, one, two] = [0, 1, 2].map(|more| {
            let part = self.chance_of_pairs(further + more) / self.chance_of_pairs(further);
            let mut found = [0.0; RESULTS];
            self.each_row(&self.shoe_without(further + more), &[[0; RANKS]], |_, chances| {
                found = chances.map(|chance| chance * part);
            });
            found
        });
        let less = |a: &Chances, b: &Chances| std::array::from_fn(|result| a[result] - b[result]);
        let mixed = less(&one, &two);
        [[less(&less(&none, &one), &mixed), mixed], [mixed, two]]
    }

    fn shoe_without(&self, pair_cards: usize) -> Shoe {
        let mut shoe = self.shoe;
        shoe[self.rank] = shoe[self.rank].saturating_sub(pair_cards as u16);
        shoe
    }

    /// For each row of cards the chance of one order of them with every result of the dealer.
    fn each_row(&self, shoe: &Shoe, rows: &[Counts], mut visit: impl FnMut(usize, Chances)) {
        let orders = OneOrder::<f64>::new(shoe);
        self.dealer.each(shoe, rows, |row, sums, lane| {
            let one_order = orders.chance(&rows[row]);
            let mut chances: Chances = std::array::from_fn(|result| one_order * sums[result][lane]);
            chances[OVER] = one_order - chances.iter().sum::<f64>();
            visit(row, chances);
        });
    }
}

#[cfg(test)]
pub(crate) mod tests;
