//! Exact values of splitting, for strategies that ignore the draws of the other hands.
//!
//! Every hand of a split begins with the pair card, so its outcome depends only on which other cards are known to
//! be removed: pair cards, and cards that are not pair cards (`arrange`). Hands are counted rather than valued
//! (`tally`), because the same counts serve every measure.

pub use crate::arrange::arrangements;
use crate::assume::MOST_HANDS;
use crate::cards::{Counts, Index, NONE, Shoe, pair_of};
use crate::dealer::{ChanceTable, DealerTree};
use crate::hands::Removals;
use crate::improve::best_play;
use crate::judge::{Book, Judge, Measure, OriginalBet, Stake};
use crate::num::Real;
pub use crate::plan::Plan;
use crate::plan::origin;
use crate::play::{AfterSplit, Play};
use crate::seen::{Groups, Row};
use crate::solve::Solver;
use crate::tally::{Endings, Tally};
use crate::vocabulary::{BLACKJACK, Rank};
use std::sync::{Arc, OnceLock};

/// The splits of all pairs in a shoe.
pub struct Splits<'d, R, const U: usize> {
    /// The plan for each value that may be split.
    pub plans: Vec<Plan<U>>,
    source: Source<'d, R, U>,
    /// How the hands of each plan end, counted on first use.
    ///
    /// Each plan has three counts, in which each of the `n` hands of a split has the weight 1, 1/`n` or 1/`n`².
    tallies: Vec<[OnceLock<Tally<R, U>>; 3]>,
}

/// Where the dealer's chances come from, once the cards of split hands are removed.
enum Source<'d, R, const U: usize> {
    /// The chances are computed when needed.
    Dealer(&'d DealerTree<R, U>, Shoe),
    /// Chances computed in advance for many shoes, with indices into them for each plan.
    ///
    /// The indices of a plan are those of its hands with one, two … pair cards of other hands removed.
    Shared(Arc<ChanceTable<R>>, Vec<Vec<Index>>),
}

/// The plans for the pairs of one shoe, for use with a lookup table of dealer chances that many shoes share.
///
/// Each hand of a plan has its index in that lookup table.
#[derive(Default)]
pub struct Shared<const U: usize> {
    plans: Vec<Plan<U>>,
    rows: Vec<Vec<Index>>,
}

impl<const U: usize> Shared<U> {
    /// Plans the splits of all pairs, and adds the sets of removed cards that the plans need to `removals`.
    pub fn new<J: Judge, R: Real>(
        solver: &Solver<J, R, U>,
        (after, play): (AfterSplit, &dyn Play),
        removals: &mut Removals,
    ) -> Self {
        let plans = plans(solver, after, play);
        let mut rows = Vec::new();
        plans.iter().for_each(|plan| rows.push(places(solver, plan, removals)));
        Shared { plans, rows }
    }
}

/// Returns the indices in `removals` of a plan's hands with one, two … pair cards of other hands removed.
///
/// Adds these sets of removed cards to `removals`.
fn places<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    plan: &Plan<U>,
    removals: &mut Removals,
) -> Vec<Index> {
    let mut place = |gone: Option<(Counts, Groups)>| {
        gone.map_or(NONE, |(cards, groups)| removals.index_for(&cards, groups))
    };
    plan.gone(solver, plan.deepest() + 1).map(&mut place).collect()
}

/// Returns a plan for every pair that may be split.
///
/// `play` supplies the decisions on split hands, which the caller may replace by better ones.
fn plans<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    after: AfterSplit,
    play: &dyn Play,
) -> Vec<Plan<U>> {
    let mut book = solver.book(Measure::Net);
    let mut plans = Vec::new();
    for rank in Rank::ALL {
        let most = solver
            .judge
            .split_hands(rank)
            .min(MOST_HANDS)
            .min(solver.shoe[rank].min(MOST_HANDS.into()) as u8);
        if most < 2 || solver.hands.find(&pair_of(rank)).is_none() {
            continue;
        }
        let mut plan = solver.plan(rank, most, after, play);
        plan.pay = plan.hands.iter().map(|&i| book.pay(solver.judge, solver.hand(i), origin(rank))).collect();
        plans.push(plan);
    }
    plans
}

impl<'d, R: Real, const U: usize> Splits<'d, R, U> {
    /// Plans every pair that may be split, with dealer chances computed from `shoe` when needed.
    ///
    /// `play` supplies the decisions on split hands if `after` is [`AfterSplit::AsDealt`].
    pub fn new<J: Judge>(
        solver: &Solver<J, R, U>,
        (after, dealer, shoe): (AfterSplit, &'d DealerTree<R, U>, &Shoe),
        play: &dyn Play,
    ) -> Self {
        let plans = plans(solver, after, play);
        Self::planned(solver, plans, after, Source::Dealer(dealer, *shoe))
    }

    /// Builds the splits of a shoe from its plans and a lookup table of dealer chances for many shoes.
    pub fn sharing<J: Judge>(
        solver: &Solver<J, R, U>,
        shared: Shared<U>,
        after: AfterSplit,
        table: Arc<ChanceTable<R>>,
    ) -> Self {
        Self::planned(solver, shared.plans, after, Source::Shared(table, shared.rows))
    }

    fn planned<J: Judge>(
        solver: &Solver<J, R, U>,
        plans: Vec<Plan<U>>,
        after: AfterSplit,
        source: Source<'d, R, U>,
    ) -> Self {
        let tallies = plans.iter().map(|_| Default::default()).collect();
        let mut splits = Splits { plans, source, tallies };
        if after != AfterSplit::AsDealt {
            let mut book = solver.book_with_splits(&splits, Measure::Net);
            // the first hand to be collected loses at most what all hands would lose to the blackjack together
            let original = R::zero() - book.together.clone();
            let bust = &mut book.bust[1];
            for (part, pay) in &book.busts {
                for (row, stake) in [(&mut bust.single, Stake::Single), (&mut bust.doubled, Stake::Doubled)] {
                    if pay.owes(stake) == OriginalBet::Collected {
                        row[BLACKJACK] = row[BLACKJACK].clone() + part.clone() * original.clone();
                    }
                }
            }
            splits.improve(solver, &book, after);
        }
        splits
    }

    /// Replaces the decisions of every plan by the best ones for the number of pair cards removed.
    fn improve<J: Judge>(&mut self, solver: &Solver<J, R, U>, book: &Book<R>, after: AfterSplit) {
        for (at, plan) in self.plans.iter_mut().enumerate() {
            let plays = if after == AfterSplit::PairsSeen { usize::from(plan.most) - 1 } else { 1 };
            let better = |seen: usize| match &self.source {
                Source::Shared(table, rows) => {
                    let of_depth = rows[at].iter().skip(seen).step_by(plan.deepest() + 1);
                    let rows: Vec<Index> = of_depth.copied().collect();
                    best_play(solver, book, plan, seen, (table, &rows))
                }
                Source::Dealer(dealer, shoe) => {
                    let mut removals = Removals::default();
                    let place = |i: &Index| {
                        let gone = plan.gone_with(solver, *i, seen);
                        gone.map_or(NONE, |cards| removals.index(&cards))
                    };
                    let rows: Vec<Index> = plan.hands.iter().map(place).collect();
                    let table = dealer.chances_for(shoe, &removals.list, &removals.needed);
                    best_play(solver, book, plan, seen, (&table, &rows))
                }
            };
            plan.plays = (0..plays).map(better).collect();
        }
    }

    /// Returns the ways in which the hands of a plan end.
    ///
    /// With `n` hands, each hand is weighted `1 / n^power`.
    fn tally<J: Judge>(&self, solver: &Solver<J, R, U>, at: usize, power: u32) -> &Tally<R, U> {
        self.tallies[at][power as usize].get_or_init(|| {
            let plan = &self.plans[at];
            let endings = Endings::of(solver, plan, power);
            match &self.source {
                Source::Dealer(dealer, shoe) if dealer.is_small() => endings.against(dealer, shoe),
                Source::Dealer(dealer, shoe) => {
                    let mut removals = Removals::default();
                    let rows = places(solver, plan, &mut removals);
                    let table = dealer.chances_for(shoe, &removals.list, &removals.needed);
                    endings.looked_up(&table, &rows)
                }
                Source::Shared(table, rows) => endings.looked_up(table, &rows[at]),
            }
        })
    }

    /// Returns the value of splitting each pair, by rank and visible state.
    pub fn values<J: Judge>(&self, solver: &Solver<J, R, U>, book: &Book<R>) -> Vec<(Rank, Row<R, U>)> {
        (0..self.plans.len()).map(|at| (self.plans[at].rank, self.value(solver, book, at))).collect()
    }

    /// Returns the value of splitting the pair of `plan`, by visible state.
    pub fn of_plan<J: Judge>(&self, solver: &Solver<J, R, U>, book: &Book<R>, plan: &Plan<U>) -> Row<R, U> {
        let at = self.plans.iter().position(|p| p.rank == plan.rank).unwrap_or(0);
        self.value(solver, book, at)
    }

    fn value<J: Judge>(&self, solver: &Solver<J, R, U>, book: &Book<R>, at: usize) -> Row<R, U> {
        let mut value = self.tally(solver, at, 0).value(book);
        if book.share != R::zero() {
            let answering = self.tally(solver, at, book.measure().power()).answering(book);
            for (value, hands) in value.iter_mut().zip(answering) {
                *value = value.clone() + book.share.clone() * hands;
            }
        }
        // Add the joint loss of the hands that answer for the original bet, as if at least one always did.
        if let Some(pair) = solver.hands.find(&pair_of(self.plans[at].rank)) {
            for (value, blackjack) in value.iter_mut().zip(solver.dealer_blackjack(pair)) {
                *value = value.clone() + book.together.clone() * blackjack.clone();
            }
        }
        value
    }
}
