//! Computes how many hands of a split win and lose together against the same dealer hand.
//!
//! Each hand is played without regard to the cards of the other hands. The joint probabilities of one, two or
//! three hands and the dealer's result are therefore computed exactly, as full sums ([`sums`]). Four hands are
//! approximated: given the dealer's result, their probability is the product of the probabilities of every three
//! hands and of every one, divided by those of every two hands. All these probabilities are exact in the shoe
//! without the further pair cards. The approximation neglects only the correlation of four hands *at once* beyond
//! that of every three. Compared with full sums, the error is two parts in 10^8 of the rounds with four hands at
//! eight decks, where one round in two thousand has four hands. At one deck, the error is less than two parts in
//! 10^5 of such rounds, which are rarer still.

mod ends;
mod hands;
mod key;
mod sums;

use crate::streak::Rounds;
use ends::{ANY, OTHER, are_known, dealer_ends, finished};
pub(crate) use ends::{Books, books, net_book};
use exact::cards::{Counts, Index, Shoe, lowest_and_highest};
use exact::judge::{Blackjack, Judge};
use exact::round::Solved;
use exact::vocabulary::{ACE, BLACKJACK, DealerResult, RESULTS, Rank, Upcard, by_rank};
use hands::{Hands, terms};
use rules::ruling::StreakSplits;
use rules::wager::streak::effect;
use std::collections::{BTreeMap, BTreeSet};
use sums::{Chances, SplitTable};

/// A split pair against one set of the dealer's visible cards, prepared for summing.
pub(crate) struct SplitPair {
    most: usize,
    rank: Rank,
    /// The cards left after the pair and the dealer's visible cards are dealt.
    shoe: Shoe,
    hands: SplitTable,
    /// Whether the sums can tell apart the net wins of every hand.
    known: bool,
    /// The moment at which a dealer's blackjack is found.
    blackjack: Blackjack,
    /// Half of the bet on a hand; `original` is the original bet. Both are in units of the initial bet.
    half: f64,
    original: f64,
}

/// The marker subtracted from the joint net when a hand answers for the original bet; larger than any net in half
/// bets.
const ANSWER: i32 = 1000;

/// A sum to compute over zero to three hands that do not lose.
///
/// The number in a variant is the kind of the last hand, [`ANY`] or [`OTHER`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sum {
    None,
    One,
    Two(usize),
    Three(usize),
    /// Three hands beside a fourth hand of which only the second card is known.
    ThreeFromTwo,
}

impl Sum {
    /// Returns the sums that a term of the expansion needs.
    ///
    /// Four hands need the sums of up to three hands, from which they are approximated.
    fn of(hands: Hands) -> &'static [Sum] {
        let second_of_fourth = hands.gone > hands.all - 2;
        match (hands.not_losing(), hands.any_second > 0) {
            (0, _) => &[Sum::None],
            (1, _) => &[Sum::One],
            (2, true) => &[Sum::Two(ANY)],
            (2, false) => &[Sum::Two(OTHER)],
            (3, true) if second_of_fourth => &[Sum::None, Sum::One, Sum::Two(ANY), Sum::ThreeFromTwo],
            (3, true) => &[Sum::Three(ANY)],
            (3, false) => &[Sum::Three(OTHER)],
            _ => &[Sum::None, Sum::One, Sum::Two(ANY), Sum::Two(OTHER), Sum::Three(ANY)],
        }
    }
}

impl SplitPair {
    pub(crate) fn new<J: Judge, const U: usize>(
        solved: &Solved<'_, '_, J, f64, U>,
        books: &Books,
        hand: Index,
        (u, seen): (Upcard, &Counts),
    ) -> SplitPair {
        let solver = solved.solver;
        let cards = &solver.hand(hand).cards;
        let rank = lowest_and_highest(cards).map_or(ACE, |[low, _]| low);
        let plan = solved.splits.plans.iter().find(|plan| plan.rank == rank);
        let (classes, ends) = plan.map_or_else(Default::default, |plan| finished(solved, books, plan, u));
        let most = plan.map_or(2, |plan| plan.most_against(u));
        SplitPair {
            most,
            rank,
            known: are_known(&classes),
            blackjack: solver.judge.blackjack(),
            half: books.half_and_original().0,
            original: books.half_and_original().1,
            shoe: by_rank(|r| solver.shoe[r].saturating_sub(u16::from(cards[r] + seen[r]))),
            hands: SplitTable::new(classes, ends, &dealer_ends(solver.judge, books, seen), most > 2),
        }
    }

    /// Returns the probabilities that a round with this split advances a streak, loses it, or leaves it unchanged.
    ///
    /// `ruling` says how the hands of a split count together (2.22(h)).
    pub(crate) fn rounds(&self, ruling: StreakSplits) -> Rounds {
        let mut rounds = Rounds::NONE;
        let terms = terms(self.most);
        let chances = self.chances(&terms);
        for (hands, times) in terms {
            let part = times * self.chance_of_pairs(hands.gone);
            for chances in &chances[hands.gone] {
                hands.each(|labels, won| {
                    let part = part * chances.of(labels);
                    hands.each_record(won, |record, sign| rounds.add(effect(record, ruling), sign * part));
                });
            }
        }
        rounds
    }

    /// Returns every possible net win of all hands of the split together, in initial bets, with its probability.
    ///
    /// Leaves out rounds that end by a dealer's blackjack before play. Returns `None` if the sums cannot tell the
    /// net win of some hand apart. Requires [`Books::Nets`].
    pub(crate) fn nets(&self) -> Option<Vec<(f64, f64)>> {
        if !self.known {
            return None;
        }
        // the half bets of the hands, and whether they answer for the original bet
        let mut nets: BTreeMap<(i32, bool), f64> = BTreeMap::new();
        let terms = terms(self.most);
        let chances = self.chances(&terms);
        for (hands, times) in terms {
            let part = times * self.chance_of_pairs(hands.gone);
            for (result, chances) in DealerResult::ALL.into_iter().zip(&chances[hands.gone]) {
                if result != BLACKJACK {
                    hands.each_net(
                        self.hands.outcomes,
                        |lost| 2 * lost,
                        |labels, joint| {
                            let part = part * chances.of(labels);
                            joint.iter().for_each(|(net, sign)| {
                                *nets.entry((*net, false)).or_insert(0.0) += sign * part;
                            });
                        },
                    );
                } else if self.blackjack == Blackjack::AfterPlay {
                    // hands that answer lose one bet together; the others have their own nets
                    hands.each_net(
                        self.hands.outcomes,
                        |lost| ANSWER * lost.min(1),
                        |labels, joint| {
                            let part = part * chances.of(labels);
                            joint.iter().for_each(|(net, sign)| {
                                let answer = *net <= ANSWER / -2;
                                let own = if answer { *net + ANSWER } else { *net };
                                *nets.entry((own, answer)).or_insert(0.0) += sign * part;
                            });
                        },
                    );
                }
            }
        }
        let net = |((halves, answer), chance): ((i32, bool), f64)| {
            (f64::from(halves) * self.half - if answer { self.original } else { 0.0 }, chance)
        };
        Some(nets.into_iter().map(net).collect())
    }

    /// Returns the probability that the next `gone` cards drawn are all pair cards.
    fn chance_of_pairs(&self, gone: usize) -> f64 {
        let all: u16 = self.shoe.iter().sum();
        let left = |n: usize| f64::from(self.shoe[self.rank]) - n as f64;
        (0..gone).map(|n| left(n).max(0.0) / (f64::from(all) - n as f64)).product()
    }

    /// Returns the probabilities that the terms `wanted` need, indexed by number of pair cards removed, then by
    /// dealer result.
    ///
    /// Probabilities that no term needs are zero.
    fn chances(&self, wanted: &[(Hands, f64)]) -> Vec<[Chances; RESULTS]> {
        let mut sums: BTreeSet<(usize, Sum)> = BTreeSet::new();
        for (hands, _) in wanted.iter().filter(|(hands, _)| self.chance_of_pairs(hands.gone) > 0.0) {
            sums.extend(Sum::of(*hands).iter().map(|sum| (hands.gone, *sum)));
        }
        let deepest = wanted.iter().map(|(hands, _)| hands.gone).max().unwrap_or(0);
        let mut chances = vec![[Chances::default(); RESULTS]; deepest + 1];
        for (gone, sum) in sums {
            let (shoe, of_fewer, chances) = match chances.split_at_mut(gone) {
                (fewer, [chances, ..]) => (self.shoe_without(gone), fewer.last(), chances),
                _ => continue,
            };
            match sum {
                Sum::None => self.hands.none(&shoe, chances),
                Sum::One => self.hands.one(&shoe, chances),
                Sum::Two(kind) => self.hands.two(&shoe, kind, chances),
                Sum::Three(kind) => self.hands.three(&shoe, kind, chances),
                Sum::ThreeFromTwo => {
                    let pairs = chances.iter_mut().zip(of_fewer.into_iter().flatten());
                    pairs.for_each(|(chances, fewer)| chances.superpose_three(fewer));
                }
            }
        }
        chances
    }

    fn shoe_without(&self, pair_cards: usize) -> Shoe {
        let mut shoe = self.shoe;
        shoe[self.rank] = shoe[self.rank].saturating_sub(pair_cards as u16);
        shoe
    }
}

#[cfg(test)]
pub(crate) mod tests;
