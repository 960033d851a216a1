//! How a pair becomes several hands: the arrangements of second cards, and the recurrence that values a hand when some
//! of the others' second cards are known not to be pair cards.

use crate::cards::{Counts, shoe_size};
use crate::num::{Real, inverse};
use crate::solve::Solver;
use crate::turn::Row;

/// One finished arrangement of a split: how many further pair cards came, and for each hand whether it
/// drew a card that was not a pair card, and how many hands there were when it was played.
pub struct Arrangement {
    /// Further pair cards.
    pub pairs: usize,
    /// Other second cards.
    pub others: usize,
    /// Hands that are known to have drawn another card, by the number of further pair cards seen then.
    pub closed: Vec<usize>,
    /// Hands that take any card.
    pub open: usize,
}

/// Second cards that a hand of a split may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Second {
    /// Any card.
    Any,
    /// Any but the pair card.
    Other,
}

/// A hand of a split: the second cards it may take, and which play it follows.
pub type Kind = (Second, usize);

impl Arrangement {
    /// The hands, of which there may be `most`; `plays` is the number of plays that are told apart.
    pub fn kinds(&self, most: usize, plays: usize) -> Vec<Kind> {
        let play = |seen: usize| seen.min(plays - 1);
        let closed = self.closed.iter().map(|&seen| (Second::Other, play(seen)));
        closed.chain(std::iter::repeat_n((Second::Any, play(most - 2)), self.open)).collect()
    }
}

/// Every way in which a pair becomes up to `most` hands.
pub fn arrangements(most: usize) -> Vec<Arrangement> {
    fn go(most: usize, hands: usize, closed: &mut Vec<usize>, out: &mut Vec<Arrangement>) {
        let full = hands == most;
        if full || closed.len() == hands {
            let open = if full { hands - closed.len() } else { 0 };
            out.push(Arrangement { pairs: hands - 2, others: closed.len(), closed: closed.clone(), open });
            return;
        }
        go(most, hands + 1, closed, out);
        closed.push(hands - 2);
        go(most, hands, closed, out);
        closed.pop();
    }
    let mut out = Vec::new();
    go(most, 2, &mut Vec::new(), &mut out);
    out
}

/// The value of a hand that takes any second card, and of one that takes a pair card and may not split it.
pub struct Table<R, const U: usize> {
    /// Any second card.
    pub any: Row<R, U>,
    /// A pair card.
    pub pair: Row<R, U>,
}

/// The shoe after the pair and the dealer's visible cards.
pub struct Left {
    cards: i64,
    pairs: i64,
}

impl Left {
    /// The shoe of a solver against one visible state.
    pub fn new<J, R, const U: usize>(
        solver: &Solver<J, R, U>,
        rank: usize,
        states: &[Counts],
        u: usize,
    ) -> Self {
        let shown = states.get(u).map_or(0, |s| i64::from(s[rank]));
        let visible = states.first().map_or(1, |s| s.iter().map(|&n| i64::from(n)).sum());
        Left { cards: shoe_size(&solver.shoe) - 2 - visible, pairs: i64::from(solver.shoe[rank]) - 2 - shown }
    }

    /// The chance of `pairs` pair cards and `others` other cards in one given order.
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

    /// The chance that one more card is a pair card, so many being gone already.
    pub fn pair_card<R: Real>(&self, gone: usize) -> R {
        let gone = gone as i64;
        R::int((self.pairs - gone).max(0)) * inverse(self.cards - gone)
    }

    /// `(x - v y) / (1 - v)` with `v = pairs / cards`: what is left of `x` when a pair card is ruled out.
    fn without_pair<R: Real>(pairs: i64, cards: i64, x: R, y: impl FnOnce() -> R) -> R {
        if pairs <= 0 {
            return x;
        }
        if pairs >= cards {
            return R::zero();
        }
        let v = R::ratio(pairs, cards);
        (x - v.clone() * y()) / (R::one() - v)
    }

    /// A hand that takes any second card, `a` pair cards and `b` other cards being gone.
    pub fn open<R: Real, const U: usize>(&self, t: &[Table<R, U>], u: usize, a: usize, b: usize) -> R {
        let Some(table) = t.get(a) else { return R::zero() };
        if b == 0 {
            return table.any[u].clone();
        }
        let (pairs, cards) = (self.pairs - a as i64, self.cards - a as i64 - (b as i64 - 1));
        Self::without_pair(pairs, cards, self.open(t, u, a, b - 1), || self.open(t, u, a + 1, b - 1))
    }

    /// A hand that took a card other than the pair card, `a` pair cards and `b` other cards being gone.
    pub fn closed<R: Real, const U: usize>(&self, t: &[Table<R, U>], u: usize, a: usize, b: usize) -> R {
        let Some(table) = t.get(a) else { return R::zero() };
        let (pairs, cards) = (self.pairs - a as i64, self.cards - a as i64 - b as i64);
        if b == 0 {
            return Self::without_pair(pairs, cards, table.any[u].clone(), || table.pair[u].clone());
        }
        Self::without_pair(pairs, cards, self.closed(t, u, a, b - 1), || self.closed(t, u, a + 1, b - 1))
    }
}
