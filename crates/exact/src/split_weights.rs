//! The chance that a hand of a split has drawn certain cards.
//!
//! All information about the pair cards of the other hands is folded into one weight.
//!
//! Cards that are not pair cards are drawn from the same shoe whatever pair cards are removed. So the sum over the
//! numbers of pair cards that `arrange` requires depends on two numbers only: how many pair cards the hand and the
//! dealer drew, and how many cards they drew in all. The sum is computed once for each pair of these numbers.

use crate::arrange::{CardsLeft, Coefficients, arrangements};
use crate::cards::{Counts, Index, Shoe, size};
use crate::judge::Judge;
use crate::num::{Real, inverse};
use crate::plan::Plan;
use crate::seen::{Row, Seen, seen_states};
use crate::solve::Solver;
use crate::sum::{at, falling};
use crate::vocabulary::{ACE, RANKS, Rank, TEN, Upcard, by_rank, by_up};

/// The weights of the hands of one split, and the shoe from which the hands draw.
pub struct SplitWeights<R, const U: usize> {
    rank: Rank,
    shoe: Shoe,
    seen: Seen,
    /// The number of the dealer's visible cards.
    shown: usize,
    /// For each state, the visible values other than that of the pair card, with the number of cards of each.
    visible: Vec<Vec<(Rank, usize)>>,
    /// The number of ordered draws of `n` cards of one value, by value and `n`.
    ways: [Vec<R>; RANKS],
    /// The fraction of the ordered draws in `ways` that is left once visible cards of the dealer are removed.
    ///
    /// It is indexed by value, by number of visible cards of that value less one, and by number of cards drawn.
    kept: [[Vec<R>; 2]; RANKS],
    /// One divided by the number of ways to show the dealer's cards other than pair cards, by visible state.
    pub per_shown: Row<R, U>,
    /// Class of each visible state. States of one class have the same weights.
    pub classes: [usize; U],
    /// The number of pair cards that the states of each class show.
    pairs_shown: Vec<usize>,
    /// The weights of split hands, by list of decisions in `Plan::plays`, then by class of visible states.
    weights: Vec<Vec<Weights<R>>>,
}

/// A set of orders of drawing the cards of a split hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// All orders of the cards.
    Any,
    /// The orders whose second card is known to be a pair card.
    Pair,
}

/// For the cards of one split hand, the number of card orders in which the player's decisions lead to that hand.
#[derive(Clone)]
pub struct OrderCounts<R, const U: usize> {
    /// Number of all orders, by visible state.
    pub any: Row<R, U>,
    /// Number of orders whose second card is a pair card, by visible state.
    pub pair: Row<R, U>,
}

impl<R, const U: usize> OrderCounts<R, U> {
    /// Returns the number of orders in the set `second`, by visible state.
    pub fn of(&self, second: Orders) -> &Row<R, U> {
        match second {
            Orders::Any => &self.any,
            Orders::Pair => &self.pair,
        }
    }
}

/// The properties of a split hand that determine its weight.
#[derive(Clone, Copy)]
pub struct Drawn {
    /// The index in `Plan::plays` of the decisions that the hand follows.
    pub play: usize,
    /// The number of pair cards drawn after the first card.
    pub pairs: usize,
    /// The number of all cards drawn after the first card.
    pub cards: usize,
}

/// Numbers indexed with `sum::at`, by pair cards and by all cards that a hand and the dealer drew.
///
/// The dealer's visible cards are included.
type ByCards<R> = Vec<R>;

/// The weights of split hands for one class of visible states.
struct Weights<R> {
    /// The coefficients of hands with 0, 1 … further pair cards removed.
    coefficients: Coefficients<R>,
    /// The draws from the shoe, by the number of further pair cards removed.
    shoes: Vec<DrawsWithout<R>>,
    any: ByCards<R>,
    pair: ByCards<R>,
}

/// The draws from a shoe without some further pair cards, the pair and the dealer's visible cards.
struct DrawsWithout<R> {
    /// The number of ordered draws of `n` pair cards, by `n`.
    pair_cards: Vec<R>,
    /// The chance of one particular ordered draw of `n` cards, by `n`.
    per_way: Vec<R>,
}

/// The maximum number of cards in a hand.
const MOST: usize = 22;

impl<R: Real> Weights<R> {
    /// Returns the weights for a class of visible states.
    ///
    /// `shown` holds the number of pair cards and the number of all cards that these states show.
    fn new(
        coefficients: Coefficients<R>,
        (pairs, cards): (i64, i64),
        shown: (usize, usize),
        most: (usize, usize),
    ) -> Self {
        let shoe = |a: usize| {
            let mut per_way = vec![R::one()];
            for drawn in 0..most.1 {
                per_way.push(per_way[drawn].clone() * inverse(cards - (a + drawn) as i64));
            }
            DrawsWithout { pair_cards: falling(pairs - a as i64, most.0), per_way }
        };
        let shoes: Vec<DrawsWithout<R>> = (0..=coefficients.any.len()).map(shoe).collect();
        let mut weights = Weights { coefficients, shoes, any: Vec::new(), pair: Vec::new() };
        let all = |second: Orders| -> ByCards<R> {
            let of = |n: usize, m: usize| {
                let terms =
                    (0..weights.coefficients.any.len()).map(|a| weights.term(a, second, shown, (n, m)));
                terms.fold(R::zero(), |sum, term| sum + term)
            };
            let mut table = vec![R::zero(); at(most.0 + 1, 0)];
            for n in 0..=most.0 {
                (0..=most.1).for_each(|m| table[at(n, m)] = of(n, m));
            }
            table
        };
        (weights.any, weights.pair) = (all(Orders::Any), all(Orders::Pair));
        weights
    }

    /// Returns the term of a weight for `a` further pair cards removed.
    fn term(&self, a: usize, second: Orders, shown: (usize, usize), drawn: (usize, usize)) -> R {
        let (coefficient, shoe, known) = match second {
            Orders::Any => (&self.coefficients.any[a], &self.shoes[a], 0),
            Orders::Pair => (&self.coefficients.pair[a], &self.shoes[a + 1], 1),
        };
        let of = |numbers: &[R], drawn: usize, shown: usize| {
            drawn.checked_sub(shown + known).and_then(|n| numbers.get(n)).cloned().unwrap_or_else(R::zero)
        };
        coefficient.clone() * of(&shoe.pair_cards, drawn.0, shown.0) * of(&shoe.per_way, drawn.1, shown.1)
    }

    fn of(&self, second: Orders) -> &ByCards<R> {
        match second {
            Orders::Any => &self.any,
            Orders::Pair => &self.pair,
        }
    }
}

impl<R: Real, const U: usize> SplitWeights<R, U> {
    /// Prepares the weights for split hands.
    ///
    /// With `n` hands, each hand is weighted `1 / n^power`.
    pub fn new<J: Judge>(solver: &Solver<J, R, U>, plan: &Plan<U>, power: u32) -> Self {
        let (rank, shoe) = (plan.rank, solver.shoe);
        let seen = solver.judge.seen();
        let states = seen_states(seen);
        let shown = states.first().map_or(1, |state| usize::from(size(state)));
        let others = |state: &Counts| -> Vec<(Rank, usize)> {
            let of = |r: Rank| (r, usize::from(state[r]));
            Rank::ALL.into_iter().filter(|&r| r != rank).map(of).filter(|(_, n)| *n > 0).collect()
        };
        let visible: Vec<Vec<(Rank, usize)>> = states.iter().map(others).collect();
        let kept = |r: Rank| {
            let left = i64::from(shoe[r]);
            let one = |drawn: i64, i: i64| R::int((left - drawn - i).max(0)) * inverse(left - i);
            let once = (0..=MOST as i64).map(|drawn| one(drawn, 0));
            let twice = (0..=MOST as i64).map(|drawn| one(drawn, 0) * one(drawn, 1));
            [once.collect(), twice.collect()]
        };
        let per_shown = |u: Upcard| {
            let of =
                |&(r, n): &(Rank, usize)| (0..n).map(move |i| inverse::<R>(i64::from(shoe[r]) - i as i64));
            visible
                .get(u.index())
                .map_or_else(R::zero, |v| v.iter().flat_map(of).fold(R::one(), |all, x| all * x))
        };
        // States that show the same number of pair cards, and agree in whether the pair is split again, have the same
        // weights.
        let key =
            |u: Upcard| (states.get(u.index()).map_or(0, |state| usize::from(state[rank])), plan.again[u]);
        let mut keys: Vec<(usize, bool)> = Upcard::all::<U>().map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        let most = Self::most(solver, plan);
        let of_play = |play: usize| {
            let of_class = |&(pairs, again): &(usize, bool)| {
                let left = CardsLeft::showing(solver, rank, pairs, shown);
                let hands = usize::from(if again { plan.most } else { 2 });
                let coefficients =
                    coefficients(&left, hands, (play, plan.plays.len()), (plan.deepest(), power));
                Weights::new(coefficients, left.counts(), (pairs, shown), most)
            };
            keys.iter().map(of_class).collect()
        };
        SplitWeights {
            rank,
            shoe,
            seen,
            shown,
            ways: by_rank(|r| falling(i64::from(shoe[r]), MOST)),
            kept: by_rank(kept),
            per_shown: by_up(per_shown),
            classes: by_up(|u| keys.partition_point(|k| *k < key(u))),
            pairs_shown: keys.iter().map(|k| k.0).collect(),
            weights: (0..plan.plays.len()).map(of_play).collect(),
            visible,
        }
    }

    /// Returns the maximum number of pair cards, and of all cards, that a hand and the dealer draw together.
    fn most<J: Judge>(solver: &Solver<J, R, U>, plan: &Plan<U>) -> (usize, usize) {
        let of = |f: &dyn Fn(Index) -> u8| usize::from(plan.hands.iter().map(|&i| f(i)).max().unwrap_or(0));
        let pairs = of(&|i| solver.hand(i).cards[plan.rank]) + MOST / usize::from(plan.rank.count());
        (pairs, of(&|i| solver.hand(i).size) + MOST)
    }

    /// Returns the number of ways to draw the cards of `hand` that are not pair cards.
    pub fn ways(&self, hand: &Counts) -> R {
        let others = Rank::ALL.into_iter().filter(|&r| r != self.rank && hand[r] > 0);
        others.fold(R::one(), |all, r| all * self.ways[r][usize::from(hand[r])].clone())
    }

    /// Returns the number of ways to draw the cards of `hand` that are not pair cards, by visible state.
    ///
    /// The visible cards of the state are removed from the shoe first.
    pub fn kept(&self, hand: &Counts) -> Row<R, U> {
        let all = self.ways(hand);
        let of = |&(r, shown): &(Rank, usize)| self.kept[r][shown - 1][usize::from(hand[r])].clone();
        let left = |visible: &Vec<(Rank, usize)>| visible.iter().fold(all.clone(), |all, v| all * of(v));
        by_up(|u| self.visible.get(u.index()).map_or_else(R::zero, left))
    }

    /// Returns the weights of a hand, indexed with `sum::at`.
    ///
    /// The indices are the number of the dealer's pair cards and of all the dealer's cards, visible ones included.
    pub fn of_hand(&self, drawn: &Drawn, second: Orders, class: usize) -> &[R] {
        let weights = self.weights[drawn.play][class].of(second);
        &weights[at(drawn.pairs, drawn.cards)..]
    }

    /// Returns the properties that determine the weight of `hand`, which follows the decisions of `play`.
    ///
    /// `play` is an index into `Plan::plays`.
    pub fn drawn(&self, play: usize, hand: &Counts) -> Drawn {
        Drawn { play, pairs: usize::from(hand[self.rank]) - 1, cards: usize::from(size(hand)) - 1 }
    }

    /// Returns the expected number of hands with the cards described by `drawn`, by visible state.
    ///
    /// `kept` is the number of ways to draw the cards that are not pair cards (see the method `kept`).
    pub fn hands(&self, drawn: &Drawn, kept: &Row<R, U>, reached: &OrderCounts<R, U>) -> Row<R, U> {
        self.weighed((kept, reached), |class, second| {
            let dealer = at(self.pairs_shown[class], self.shown);
            self.of_hand(drawn, second, class)[dealer].clone()
        })
    }

    /// Returns the part of [`SplitWeights::hands`] in which `a` pair cards besides the split pair are removed
    /// from the shoe.
    pub fn hands_at(
        &self,
        a: usize,
        drawn: &Drawn,
        kept: &Row<R, U>,
        reached: &OrderCounts<R, U>,
    ) -> Row<R, U> {
        self.weighed((kept, reached), |class, second| {
            let shown = (self.pairs_shown[class], self.shown);
            let all = (drawn.pairs + shown.0, drawn.cards + shown.1);
            self.weights[drawn.play][class].term(a, second, shown, all)
        })
    }

    /// Returns the expected number of hands by visible state, with the `weight` of each class of states and set
    /// of orders.
    fn weighed(
        &self,
        (kept, reached): (&Row<R, U>, &OrderCounts<R, U>),
        weight: impl Fn(usize, Orders) -> R,
    ) -> Row<R, U> {
        // There are at most six classes: up to two visible pair cards, split again or not.
        let of = |second: Orders| -> [R; 6] {
            std::array::from_fn(|class| match class < self.pairs_shown.len() {
                true => weight(class, second),
                false => R::zero(),
            })
        };
        let any = of(Orders::Any);
        let pair = reached.pair.iter().any(|n| *n != R::zero()).then(|| of(Orders::Pair));
        by_up(|u| {
            let class = self.classes[u];
            let mut hands = reached.any[u].clone() * any[class].clone();
            if let Some(pair) = &pair {
                hands = hands + reached.pair[u].clone() * pair[class].clone();
            }
            kept[u].clone() * hands
        })
    }

    /// Returns the expected number of hands against a dealer's blackjack.
    ///
    /// `drawn` describes the cards of the hands. A blackjack is possible in at most two visible states, for which the
    /// numbers are returned.
    pub fn v_blackjack(
        &self,
        hand: &Counts,
        drawn: &Drawn,
        (kept, reached): (&Row<R, U>, &OrderCounts<R, U>),
    ) -> [(Upcard, R); 2] {
        // With this many further pair cards and cards of the dealer known.
        let beside = |u: Upcard, pairs: usize, cards: usize| {
            let class = self.classes[u];
            let dealer = at(self.pairs_shown[class] + pairs, self.shown + cards);
            let of =
                |second| reached.of(second)[u].clone() * self.of_hand(drawn, second, class)[dealer].clone();
            kept[u].clone() * (of(Orders::Any) + of(Orders::Pair))
        };
        match self.seen {
            Seen::BothCards => {
                let u = Upcard::both([ACE, TEN]);
                [(u, beside(u, 0, 0)), (u, R::zero())]
            }
            Seen::TheseCards(ACE, TEN) => {
                [(Upcard::ONLY, beside(Upcard::ONLY, 0, 0)), (Upcard::ONLY, R::zero())]
            }
            Seen::TheseCards(..) => [(Upcard::ONLY, R::zero()), (Upcard::ONLY, R::zero())],
            Seen::UpCard => {
                [(ACE, TEN), (TEN, ACE)].map(|(up, hole)| match (Upcard::card(up), hole == self.rank) {
                    (u, true) => (u, beside(u, 1, 1)),
                    (u, false) => {
                        let left = i64::from(self.shoe[hole]) - i64::from(hand[hole]);
                        (u, R::int(left.max(0)) * beside(u, 0, 1))
                    }
                })
            }
        }
    }
}

/// Returns the coefficients of the hands that follow one list of decisions, for a split into up to `most` hands.
fn coefficients<R: Real>(
    left: &CardsLeft,
    most: usize,
    (play, plays): (usize, usize),
    (deepest, power): (usize, u32),
) -> Coefficients<R> {
    let mut coefficients = Coefficients::none(deepest);
    for leaf in arrangements(most) {
        let hands = leaf.pairs as i64 + 2;
        let chance: R = left.chance::<R>(leaf.pairs, leaf.others) * inverse(hands.pow(power));
        for _ in leaf.other_second.iter().filter(|&&seen| seen.min(plays - 1) == play) {
            left.add_other_second(&mut coefficients, chance.clone(), leaf.pairs, leaf.others - 1);
        }
        if leaf.any_second > 0 && (most - 2).min(plays - 1) == play {
            left.add_any_second(
                &mut coefficients,
                R::int(leaf.any_second as i64) * chance,
                leaf.pairs,
                leaf.others,
            );
        }
    }
    coefficients
}
