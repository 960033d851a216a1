//! The arrangements of second cards that the hands of a split can draw, and the weights that follow from them.
//!
//! Contains the recurrence for a hand when some of the other hands' second cards are known not to be pair cards.
//!
//! Let `E[a, b]` be any expectation of a hand when `a` further pair cards and `b` cards that are not pair cards are
//! known to be removed. A card that is *not* a pair card is any card except a pair card, hence
//! `E[a, b] = (E[a, b-1] - v E[a+1, b-1]) / (1 - v)`, where `v` is the chance of a pair card there. This reduces to a
//! weighted sum of `E[0, 0], E[1, 0] …`.

use crate::cards::{Counts, shoe_size, size};
use crate::num::{Real, inverse};
use crate::solve::Solver;
use crate::vocabulary::{Rank, Upcard};

/// One course that the split of a pair can take: how many pair cards were drawn, and what is known of the
/// second card of each hand.
pub struct Arrangement {
    /// The number of pair cards drawn after the original pair.
    pub pairs: usize,
    /// The number of hands whose second card is known not to be a pair card.
    pub others: usize,
    /// For each hand whose second card is not a pair card, the number of pair cards drawn before that second card.
    ///
    /// The two cards of the original pair are not counted.
    pub other_second: Vec<usize>,
    /// The number of hands whose second card may be any card.
    pub any_second: usize,
}

/// A restriction on the second card of a split hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Second {
    /// The second card may be any card.
    Any,
    /// The second card may be any card except the pair card.
    Other,
}

/// The kind of a split hand: the restriction on its second card, and the index of its decisions in `Plan::plays`.
pub type Kind = (Second, usize);

impl Arrangement {
    /// Returns the kind of each hand in the arrangement.
    ///
    /// `most` is the maximum number of hands after splitting, and `plays` is the length of `Plan::plays`.
    pub fn kinds(&self, most: usize, plays: usize) -> Vec<Kind> {
        let play = |seen: usize| seen.min(plays - 1);
        let other_second = self.other_second.iter().map(|&seen| (Second::Other, play(seen)));
        other_second.chain(std::iter::repeat_n((Second::Any, play(most - 2)), self.any_second)).collect()
    }
}

/// Returns all arrangements that a split into at most `most` hands can have.
pub fn arrangements(most: usize) -> Vec<Arrangement> {
    fn go(most: usize, hands: usize, other_second: &mut Vec<usize>, out: &mut Vec<Arrangement>) {
        let full = hands == most;
        if full || other_second.len() == hands {
            let any_second = if full { hands - other_second.len() } else { 0 };
            out.push(Arrangement {
                pairs: hands - 2,
                others: other_second.len(),
                other_second: other_second.clone(),
                any_second,
            });
            return;
        }
        go(most, hands + 1, other_second, out);
        other_second.push(hands - 2);
        go(most, hands, other_second, out);
        other_second.pop();
    }
    let mut out = Vec::new();
    go(most, 2, &mut Vec::new(), &mut out);
    out
}

/// Coefficients of a weighted sum: it turns the expectations of a split hand with known pair cards removed into
/// the hand's expectation over all arrangements.
///
/// Each list is indexed by the number of pair cards removed besides the split pair.
#[derive(Clone)]
pub struct Coefficients<R> {
    /// Coefficients for a hand without a restriction on the second card.
    pub any: Vec<R>,
    /// Coefficients for the hand's expectation if its second card is a pair card that is not split again.
    pub pair: Vec<R>,
}

impl<R: Real> Coefficients<R> {
    /// Returns coefficients of zero for 0 to `deepest` pair cards removed besides the split pair.
    pub fn none(deepest: usize) -> Self {
        let none = || vec![R::zero(); deepest + 1];
        Coefficients { any: none(), pair: none() }
    }
}

fn add_at<R: Real>(sums: &mut [R], at: usize, times: R) {
    if let Some(sum) = sums.get_mut(at) {
        *sum = sum.clone() + times;
    }
}

/// The number of cards and the number of pair cards left in the shoe.
///
/// The split pair and the dealer's visible cards are already removed.
pub struct CardsLeft {
    cards: i64,
    pairs: i64,
}

impl CardsLeft {
    /// Counts the cards left in the solver's shoe when the dealer shows the visible state `u`.
    pub fn new<J, R, const U: usize>(
        solver: &Solver<J, R, U>,
        rank: Rank,
        states: &[Counts],
        u: Upcard,
    ) -> Self {
        let pairs = states.get(u.index()).map_or(0, |state| usize::from(state[rank]));
        Self::showing(solver, rank, pairs, states.first().map_or(1, |state| usize::from(size(state))))
    }

    /// Counts the cards left in the solver's shoe when the dealer shows `cards` cards, of which `pairs` are pair
    /// cards.
    pub fn showing<J, R, const U: usize>(
        solver: &Solver<J, R, U>,
        rank: Rank,
        pairs: usize,
        cards: usize,
    ) -> Self {
        CardsLeft {
            cards: shoe_size(&solver.shoe) - 2 - cards as i64,
            pairs: i64::from(solver.shoe[rank]) - 2 - pairs as i64,
        }
    }

    /// Returns the number of pair cards left, and the number of all cards left.
    pub fn counts(&self) -> (i64, i64) {
        (self.pairs, self.cards)
    }

    /// Returns the chance of drawing `pairs` pair cards and `others` cards of other values in one particular
    /// order.
    pub fn chance<R: Real>(&self, pairs: usize, others: usize) -> R {
        let mut chance = R::one();
        for i in 0..pairs as i64 {
            chance = chance * R::int((self.pairs - i).max(0)) * inverse(self.cards - i);
        }
        for j in 0..others as i64 {
            let cards = self.cards - pairs as i64 - j;
            chance = chance * R::int((self.cards - self.pairs - j).max(0)) * inverse(cards);
        }
        chance
    }

    /// Returns the chance that the next card is a pair card, after `gone` pair cards are drawn.
    pub fn pair_card<R: Real>(&self, gone: usize) -> R {
        let gone = gone as i64;
        R::int((self.pairs - gone).max(0)) * inverse(self.cards - gone)
    }

    /// Returns the coefficients of `x` and `y` in `(x - v y) / (1 - v)`, where `v` is `pairs / cards`.
    ///
    /// The expression is an expectation given that the next card is not a pair card: `x` is the expectation without
    /// that knowledge, and `y` the expectation given a pair card.
    fn without_pair<R: Real>(pairs: i64, cards: i64) -> [R; 2] {
        if pairs <= 0 {
            return [R::one(), R::zero()];
        }
        if pairs >= cards {
            return [R::zero(), R::zero()];
        }
        let v = R::ratio(pairs, cards);
        let rest = R::one() - v.clone();
        [R::one() / rest.clone(), (R::zero() - v) / rest]
    }

    /// Adds to `coefficients` those of a hand whose second card may be any card, multiplied by `times`.
    ///
    /// `a` pair cards besides the split pair and `b` cards of other values are known to be removed.
    pub fn add_any_second<R: Real>(&self, coefficients: &mut Coefficients<R>, times: R, a: usize, b: usize) {
        if b == 0 {
            return add_at(&mut coefficients.any, a, times);
        }
        let (pairs, cards) = (self.pairs - a as i64, self.cards - a as i64 - (b as i64 - 1));
        let [x, y] = Self::without_pair(pairs, cards);
        self.add_any_second(coefficients, times.clone() * x, a, b - 1);
        self.add_any_second(coefficients, times * y, a + 1, b - 1);
    }

    /// Adds to `coefficients` those of a hand whose second card is not a pair card, multiplied by `times`.
    ///
    /// `a` pair cards besides the split pair and `b` cards of other values are known to be removed.
    pub fn add_other_second<R: Real>(
        &self,
        coefficients: &mut Coefficients<R>,
        times: R,
        a: usize,
        b: usize,
    ) {
        let (pairs, cards) = (self.pairs - a as i64, self.cards - a as i64 - b as i64);
        let [x, y] = Self::without_pair(pairs, cards);
        if b == 0 {
            add_at(&mut coefficients.any, a, times.clone() * x);
            return add_at(&mut coefficients.pair, a, times * y);
        }
        self.add_other_second(coefficients, times.clone() * x, a, b - 1);
        self.add_other_second(coefficients, times * y, a + 1, b - 1);
    }
}
