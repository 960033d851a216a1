//! The part of the variance that comes from several hands of a box together.
//!
//! Expected values add up over the hands of a split, but squares do not. The square of a round's net is the sum of
//! each hand's square and of the products of every two hands (`two_hands`). Both are computed exactly.

use crate::cards::pair_of;
use crate::dealer::DealerTree;
use crate::joint::escape;
use crate::judge::{Judge, Measure};
use crate::num::Real;
use crate::plan::Plan;
use crate::round::Solved;
use crate::seen::{Row, seen_states};
use crate::threads::{each, threads};
use crate::turn::Action;
use crate::two_hands::products;
use crate::vocabulary::{ACE, BLACKJACK, Rank, TEN, Upcard, by_up};

/// Returns the expected sum of the products of every two split hands' nets, by rank of the pair and visible state.
///
/// Together with the squares of the single hands' nets, these products make up the square of the round's net. Each
/// entry includes the chance that the pair is dealt and split. States that are not `wanted` are zero.
pub fn split_hands_together<J: Judge + Sync, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
    dealer: &DealerTree<R, U>,
    wanted: impl Fn(Upcard) -> bool + Sync,
) -> Vec<(Rank, Row<R, U>)> {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let dealt = |(rank, row): (Rank, Row<R, U>)| {
        let pair = solver.hands.find(&pair_of(rank));
        let deal = solver.deals().into_iter().find(|d| Some(d.hand) == pair);
        let chance = deal.map_or_else(R::zero, |d| d.chance);
        let chances = solver.state_chances(&pair_of(rank), &states);
        (rank, by_up(|u| chance.clone() * chances[u].clone() * row[u].clone()))
    };
    once_split(solved, dealer, wanted).into_iter().map(dealt).collect()
}

/// Returns the expected sum of the products of every two split hands' nets, given that the pair is dealt.
///
/// Together with the squares of the single hands' nets, these products make up the square of the round's net.
/// Entries are zero where the solved strategy does not split, and in states that are not `wanted`.
pub fn once_split<J: Judge + Sync, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
    dealer: &DealerTree<R, U>,
    wanted: impl Fn(Upcard) -> bool + Sync,
) -> Vec<(Rank, Row<R, U>)> {
    let splits = |rank: Rank, u: Upcard| {
        let pair = solved.solver.hands.find(&pair_of(rank));
        wanted(u) && pair.is_some_and(|pair| solved.first[pair as usize].action[u] == Action::Split)
    };
    if_split(solved, dealer, splits)
}

/// Returns the expected sum of the products of every two split hands' nets, given that the pair is split.
///
/// Together with the squares of the single hands' nets, these products make up the square of the round's net.
/// Only the `wanted` pairs and states are computed, whether or not the solved strategy splits them.
pub fn if_split<J: Judge + Sync, R: Real, const U: usize>(
    solved: &Solved<'_, '_, J, R, U>,
    dealer: &DealerTree<R, U>,
    wanted: impl Fn(Rank, Upcard) -> bool + Sync,
) -> Vec<(Rank, Row<R, U>)> {
    let solver = solved.solver;
    let book = solver.book_with_splits(&solved.splits, Measure::Net);
    let against_blackjack = solver.book_with_splits(&solved.splits, Measure::NetAgainst(BLACKJACK));
    let of_plan = |plan: &Plan<U>| -> Option<(Rank, Row<R, U>)> {
        let pair = solver.hands.find(&pair_of(plan.rank))?;
        let splits = |u: Upcard| wanted(plan.rank, u);
        if !Upcard::all::<U>().any(splits) {
            return None;
        }
        let mut row: Row<R, U> = by_up(|_| R::zero());
        for (part, bust) in &book.busts {
            let of_part = products(solver, dealer, (&book, bust, plan), splits);
            row.iter_mut().zip(of_part).for_each(|(all, x)| *all = all.clone() + part.clone() * x);
        }
        // Hands together lose one original bet to a blackjack, unless none is taken. Its square is among the squares;
        // its products with the hands that do not answer, and the case that none answers, are not.
        let original = R::zero() - book.together.clone();
        if original > R::zero() {
            let nets = solved.splits.of_plan(solver, &against_blackjack, plan);
            let blackjack = solver.dealer_blackjack(pair);
            for u in [ACE, TEN].map(Upcard::card).into_iter().filter(|&u| u.index() < U && splits(u)) {
                let all = nets[u].clone() + original.clone() * blackjack[u].clone();
                let none = escape(solver, &book, plan, (u, &all));
                let net = all - none.net;
                let twice = original.clone() + original.clone();
                row[u] = row[u].clone() - twice * net - original.clone() * original.clone() * none.chance;
            }
        }
        Some((plan.rank, row))
    };
    each(&solved.splits.plans, threads(), of_plan).into_iter().flatten().collect()
}
