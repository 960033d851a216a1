//! Splitting, exactly, for a play of the split hands that does not look at the other hands' draws.
//!
//! Every hand of a split begins with the pair card, so its value depends only on which other cards are
//! known to be gone: `a` further pair cards and `b` cards that are not pair cards. With `b = 0` it is worked out
//! hand by hand; a card that is *not* a pair card is a draw that was a card but not that one, hence
//! `E[a, b] = (E[a, b-1] - v E[a+1, b-1]) / (1 - v)` with `v` the chance of a pair card there.

pub use crate::arrange::{Arrangement, arrangements};
use crate::arrange::{Left, Table};
use crate::cards::{ACE, Counts, RANKS, Shoe, plus};
use crate::dealer::{ChanceTable, DealerTree, EVERY_GROUP, Groups, groups, seen_states};
use crate::hands::{Index, NONE, Removals, distinct};
use crate::judge::{Book, Judge, May, Measure, Origin, PayId};
use crate::num::Real;
use crate::play::Play;
use crate::solve::{Asked, Choice, Solver, together};
use crate::turn::{Action, Ahead, Pays, Row, Turn, constant};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// How split hands are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSplit {
    /// As hands that were not split (CDZ-).
    AsDealt,
    /// Best for a pair that was split once, and so for all further hands (CDP1).
    FirstSplit,
    /// Best for the number of pair cards that the player has seen (CDP).
    PairsSeen,
}

/// The plan of one pair: which hands it can lead to, how they are played, and where their chances are.
pub struct Plan<const U: usize> {
    /// The pair card.
    pub rank: usize,
    /// Most hands.
    pub most: u8,
    /// Whether a pair that comes to a hand of the split is split again, by visible state.
    pub again: [bool; U],
    /// The hands that it can lead to, in order of evaluation.
    pub hands: Vec<Index>,
    /// What each may do, as far as the play makes use of it.
    pub may: Vec<May>,
    /// The settlement of each.
    pub pay: Vec<PayId>,
    /// Whether a doubled hand can end as each.
    by_double: Vec<bool>,
    /// The groups of visible states in which each can be settled as it is.
    needed: Vec<Groups>,
    /// The play of each: one play for all, or one for each number of further pair cards seen.
    pub plays: Vec<Vec<Choice<U>>>,
    /// For each hand, the sets of removed cards with one, two … pair cards of other hands gone.
    rows: Vec<Index>,
    /// These sets, unless they are among those of all pairs.
    removals: Removals,
}

/// All pairs of a shoe.
pub struct Splits<'d, R, const U: usize> {
    /// A plan for each value that may be split.
    pub plans: Vec<Plan<U>>,
    source: Source<'d, R, U>,
}

/// Where the dealer's chances with the cards of split hands gone come from.
enum Source<'d, R, const U: usize> {
    /// A table for all pairs that was made beforehand.
    Shared(Arc<ChanceTable<R>>),
    /// A table for each pair. The first time it is made, used and dropped, so that little memory is in use; who asks again
    /// may ask often, so it is kept.
    OwnTables {
        dealer: &'d DealerTree<R, U>,
        shoe: Shoe,
        asked: AtomicBool,
        kept: Vec<OnceLock<ChanceTable<R>>>,
    },
}

impl<R: Real, const U: usize> Source<'_, R, U> {
    /// Whether tables are worth keeping from now on.
    fn ask(&self) -> bool {
        match self {
            Source::Shared(_) => true,
            Source::OwnTables { asked, .. } => asked.swap(true, Ordering::Relaxed),
        }
    }

    /// Does something with the table of a plan.
    fn with<T>(&self, (at, plan): (usize, &Plan<U>), keep: bool, f: impl FnOnce(&ChanceTable<R>) -> T) -> T {
        match self {
            Source::Shared(table) => f(table),
            Source::OwnTables { dealer, shoe, kept, .. } => {
                let make = || dealer.chances_for(shoe, &plan.removals.list, &plan.removals.needed);
                match kept[at].get() {
                    None if !keep => f(&make()),
                    _ => f(kept[at].get_or_init(make)),
                }
            }
        }
    }
}

impl<const U: usize> Plan<U> {
    /// Most further pair cards that the recurrence removes.
    fn deepest(&self) -> usize {
        2 * usize::from(self.most) - 4
    }

    /// Most hands that the play makes of the pair.
    pub fn most_against(&self, u: usize) -> usize {
        usize::from(if self.again[u] { self.most } else { 2 })
    }
}

impl<'d, R: Real, const U: usize> Splits<'d, R, U> {
    /// Plans every pair. `play` says what a split hand does under a play that does not change.
    pub fn new<J: Judge>(
        solver: &Solver<J, R, U>,
        (after, dealer, shoe): (AfterSplit, &'d DealerTree<R, U>, &Shoe),
        play: &dyn Play,
    ) -> Self {
        let plans = Self::plans(solver, (after, None), play);
        let kept = plans.iter().map(|_| OnceLock::new()).collect();
        let source = Source::OwnTables { dealer, shoe: *shoe, asked: AtomicBool::new(false), kept };
        Self::planned(solver, plans, after, source)
    }

    /// The splits of planned pairs, once the dealer's chances are known.
    pub fn sharing<J: Judge>(
        solver: &Solver<J, R, U>,
        plans: Vec<Plan<U>>,
        after: AfterSplit,
        table: Arc<ChanceTable<R>>,
    ) -> Self {
        Self::planned(solver, plans, after, Source::Shared(table))
    }

    /// The plans of every pair; the sets of removed cards that they need are added to `shared`, if there is such a list.
    pub fn plans<J: Judge>(
        solver: &Solver<J, R, U>,
        (after, mut shared): (AfterSplit, Option<&mut Removals>),
        play: &dyn Play,
    ) -> Vec<Plan<U>> {
        let mut book = solver.book(Measure::Net);
        let mut plans = Vec::new();
        for rank in 0..RANKS {
            let most = solver.judge.split_hands(rank).min(4).min(solver.shoe[rank].min(4) as u8);
            if most < 2 || solver.hands.find(&pair_of(rank)).is_none() {
                continue;
            }
            let mut plan = solver.plan(rank, most, after, play);
            plan.pay =
                plan.hands.iter().map(|&i| book.pay(solver.judge, solver.hand(i), origin(rank))).collect();
            let mut wanted: Vec<(Counts, Groups)> = Vec::new();
            for (&i, &groups) in plan.hands.iter().zip(&plan.needed) {
                let mut cards = together(&solver.hand(i).cards, &solver.other);
                for more in 1..=plan.deepest() as u8 + 1 {
                    cards[rank] += 1;
                    let fits = u16::from(solver.hand(i).cards[rank] + more) <= solver.shoe[rank];
                    plan.rows.push(if fits { wanted.len() as Index } else { NONE });
                    wanted.extend(fits.then_some((cards, groups)));
                }
            }
            let places: Vec<Index> = match &mut shared {
                Some(shared) => {
                    wanted.iter().map(|(cards, groups)| shared.index_for(cards, *groups)).collect()
                }
                None => {
                    let (own, places) = distinct(&wanted);
                    plan.removals = own;
                    places
                }
            };
            plan.rows.iter_mut().filter(|row| **row != NONE).for_each(|row| *row = places[*row as usize]);
            plans.push(plan);
        }
        plans
    }

    fn planned<J: Judge>(
        solver: &Solver<J, R, U>,
        plans: Vec<Plan<U>>,
        after: AfterSplit,
        source: Source<'d, R, U>,
    ) -> Self {
        let mut splits = Splits { plans, source };
        if after != AfterSplit::AsDealt {
            let book = solver.book_with_splits(&splits, Measure::Net);
            splits.improve(solver, &book, after);
        }
        splits
    }

    /// Replaces the play of every plan by the best one for the pair cards gone.
    fn improve<J: Judge>(&mut self, solver: &Solver<J, R, U>, book: &Book<R>, after: AfterSplit) {
        let mut plans = std::mem::take(&mut self.plans);
        for (at, plan) in plans.iter_mut().enumerate() {
            let plays = if after == AfterSplit::PairsSeen { usize::from(plan.most) - 1 } else { 1 };
            let mut better = Vec::new();
            self.source.with((at, plan), true, |table| {
                for seen in 0..plays {
                    let mut play = plan.plays[0].clone();
                    let scratch = &mut Scratch::new(solver);
                    pass(solver, book, (plan, table), seen, (&mut play, Follow::Best), scratch);
                    better.push(play);
                }
            });
            plan.plays = better;
        }
        self.plans = plans;
    }

    /// The value of splitting each pair, by visible state.
    pub fn values<J: Judge>(&self, solver: &Solver<J, R, U>, book: &Book<R>) -> Vec<(usize, Row<R, U>)> {
        let mut scratch = Scratch::new(solver);
        let keep = self.source.ask();
        let value = |(at, plan): (usize, &Plan<U>)| {
            let of = |chances: &ChanceTable<R>| split_value(solver, book, (plan, chances), &mut scratch);
            (plan.rank, self.source.with((at, plan), keep, of))
        };
        self.plans.iter().enumerate().map(value).collect()
    }

    /// The value of splitting one pair, by visible state.
    pub fn of_plan<J: Judge>(&self, solver: &Solver<J, R, U>, book: &Book<R>, plan: &Plan<U>) -> Row<R, U> {
        let at = self.plans.iter().position(|p| p.rank == plan.rank).unwrap_or(0);
        let of =
            |chances: &ChanceTable<R>| split_value(solver, book, (plan, chances), &mut Scratch::new(solver));
        self.source.with((at, plan), true, of)
    }
}

/// The value of splitting one pair.
fn split_value<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    (plan, chances): (&Plan<U>, &ChanceTable<R>),
    scratch: &mut Scratch<R, U>,
) -> Row<R, U> {
    let tables: Vec<Vec<Table<R, U>>> = (0..plan.plays.len())
        .map(|p| {
            (0..=plan.deepest()).map(|a| one_hand(solver, book, (plan, chances), (p, a), scratch)).collect()
        })
        .collect();
    let pair = pair_of(plan.rank);
    let states = seen_states(solver.judge.seen());
    let (once, again) = (arrangements(2), arrangements(usize::from(plan.most)));
    let blackjack = solver.hands.find(&pair).map(|i| solver.dealer_blackjack(i).clone());
    std::array::from_fn(|u| {
        let left = Left::new(solver, plan.rank, &states, u);
        let mut sum = R::zero();
        let most = plan.most_against(u);
        for leaf in if plan.again[u] { &again } else { &once } {
            let chance: R = left.chance(leaf.pairs, leaf.others);
            let mut hands = R::zero();
            for &seen in &leaf.closed {
                let t = &tables[seen.min(plan.plays.len() - 1)];
                hands = hands + left.closed(t, u, leaf.pairs, leaf.others - 1);
            }
            if leaf.open > 0 {
                let t = &tables[(most - 2).min(plan.plays.len() - 1)];
                hands = hands + R::int(leaf.open as i64) * left.open(t, u, leaf.pairs, leaf.others);
            }
            sum = sum + chance * hands;
        }
        let lost = blackjack.as_ref().map_or_else(R::zero, |b| b[u].clone());
        sum + book.together.clone() * lost
    })
}

/// The value of one hand with `a` further pair cards gone beside the other one of the pair.
fn one_hand<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    (plan, chances): (&Plan<U>, &ChanceTable<R>),
    (play, a): (usize, usize),
    scratch: &mut Scratch<R, U>,
) -> Table<R, U> {
    let mut choices = plan.plays[play].clone();
    pass(solver, book, (plan, chances), a, (&mut choices, Follow::Given), scratch);
    let best = &scratch.best;
    let single = plus([0; RANKS], plan.rank);
    let hand = crate::hands::Hand {
        cards: single,
        points: crate::cards::points(&single),
        size: 1,
        suits: crate::hands::Suits::Any,
    };
    let draw: [Row<R, U>; RANKS] = solver.draws.next_card(&hand, plan.rank, a as u8 + 1);
    let mut any = constant::<R, U>(&R::zero());
    let mut pair = any.clone();
    for (rank, p) in draw.iter().enumerate() {
        for (i, part) in solver.second(plan.rank, rank) {
            for u in 0..U {
                let value = best[i as usize][u].clone() * part.clone();
                any[u] = any[u].clone() + p[u].clone() * value.clone();
                if rank == plan.rank {
                    pair[u] = value;
                }
            }
        }
    }
    Table { any, pair }
}

/// Works out every hand of a plan with `a` further pair cards gone; indexed as the solver's hands.
fn pass<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    (plan, chances): (&Plan<U>, &ChanceTable<R>),
    a: usize,
    (play, follow): (&mut [Choice<U>], Follow),
    scratch: &mut Scratch<R, U>,
) {
    let Scratch { best, doubled } = scratch;
    let each = plan.deepest() + 1;
    for (at, &i) in plan.hands.iter().enumerate() {
        let row = plan.rows[at * each + a];
        let i = i as usize;
        if row == NONE {
            best[i] = constant(&R::zero());
            doubled[i] = constant(&R::zero());
            continue;
        }
        let pays = Pays {
            stand: &book.pays[plan.pay[at] as usize],
            bust: &book.bust[1],
            surrender: &book.surrender[1],
        };
        let ahead = Ahead {
            best: &*best,
            doubled: &*doubled,
            next: &solver.hands.next[i],
            by_double: plan.by_double[at],
        };
        let turn: Turn<R, U> = solver.draws.turn(
            &solver.hands.list[i],
            (plan.rank, a as u8 + 1),
            &chances.of(row),
            (plan.may[at], &pays, &ahead),
        );
        let choice = &mut play[at];
        for u in 0..U {
            if follow == Follow::Best {
                choice.action[u] = turn.best(turn.may, u).0;
                choice.rescue[u] = turn.may.surrender_doubled && turn.rescued[u] > turn.doubled[u];
            }
            best[i][u] = turn.value(choice.action[u], u).clone();
            doubled[i][u] = if choice.rescue[u] { turn.rescued[u].clone() } else { turn.doubled[u].clone() };
        }
    }
}

/// Room for the values of one pass.
struct Scratch<R, const U: usize> {
    best: Vec<Row<R, U>>,
    doubled: Vec<Row<R, U>>,
}

impl<R: Real, const U: usize> Scratch<R, U> {
    fn new<J>(solver: &Solver<J, R, U>) -> Self {
        let rows = || vec![constant::<R, U>(&R::zero()); solver.hands.list.len()];
        Scratch { best: rows(), doubled: rows() }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Follow {
    Given,
    Best,
}

/// Where the hands of a split pair of this value come from.
pub fn origin(rank: usize) -> Origin {
    if rank == ACE { Origin::SplitAce } else { Origin::Split }
}

impl<J: Judge, R: Real, const U: usize> Solver<'_, J, R, U> {
    /// The hands that a single card becomes with a second one, with the part of each (suits told apart).
    pub fn second(&self, first: usize, second: usize) -> Vec<(Index, R)> {
        let Some(plain) = self.hands.find(&plus(plus([0; RANKS], first), second)) else {
            return Vec::new();
        };
        let (low, high) = (first.min(second), first.max(second));
        match self.hands.suited.iter().find(|s| (s.0, s.1) == (low, high)) {
            Some(&(_, _, suited)) => vec![(plain, R::ratio(3, 4)), (suited, R::ratio(1, 4))],
            None => vec![(plain, R::one())],
        }
    }

    /// A hand by its index.
    pub fn hand(&self, i: Index) -> &crate::hands::Hand {
        &self.hands.list[i as usize]
    }

    /// The hands that a split can lead to under a play.
    fn plan(&self, rank: usize, most: u8, after: AfterSplit, play: &dyn Play) -> Plan<U> {
        let mut asked = Asked::new(self.judge, origin(rank));
        let groups = groups(self.judge.seen());
        let mut live: Vec<Groups> = vec![0; self.hands.list.len()];
        let (mut ended, mut settled) = (live.clone(), live.clone());
        let mut choices: Vec<Option<(May, Choice<U>)>> = vec![None; live.len()];
        for (i, _) in (0..RANKS).flat_map(|r| self.second(rank, r)) {
            live[i as usize] = EVERY_GROUP;
        }
        // A hand comes behind all that it can become.
        for &i in self.hands.order.iter().rev() {
            let i = i as usize;
            if live[i] == 0 {
                continue;
            }
            let mut may = asked.may(&self.hands.list[i]);
            let of = (i as Index, &self.hands.list[i]);
            let action: [Action; U] = std::array::from_fn(|u| play.action(of, origin(rank), may, u));
            let (mut hits, mut doubles) = (live[i], live[i]);
            settled[i] = live[i];
            if after == AfterSplit::AsDealt {
                let taken = |is: fn(Action) -> bool| {
                    let in_group = |us: &Vec<usize>| us.iter().any(|&u| is(action[u]));
                    groups
                        .iter()
                        .enumerate()
                        .fold(0, |all: Groups, (g, us)| all | Groups::from(in_group(us)) << g)
                };
                hits &= taken(|a| a == Action::Hit);
                doubles &= taken(|a| a == Action::Double);
                settled[i] &= taken(|a| !matches!(a, Action::Hit | Action::Double));
            }
            may.hit &= hits != 0;
            may.double &= doubles != 0;
            for &next in self.hands.next[i].iter().filter(|&&n| n != NONE) {
                live[next as usize] |= if may.hit { hits } else { 0 };
                ended[next as usize] |= if may.double { doubles } else { 0 };
            }
            let rescue = std::array::from_fn(|u| play.rescues(of, origin(rank), u));
            choices[i] = Some((may, Choice { action, rescue }));
        }
        let pair = self.hands.find(&pair_of(rank)).map_or(self.hands.list[0], |i| *self.hand(i));
        let mut plan = Plan {
            rank,
            most,
            again: std::array::from_fn(|u| play.splits_again(&pair, origin(rank), u)),
            hands: Vec::new(),
            may: Vec::new(),
            pay: Vec::new(),
            by_double: Vec::new(),
            needed: Vec::new(),
            plays: vec![Vec::new()],
            rows: Vec::new(),
            removals: Removals::default(),
        };
        for &i in &self.hands.order {
            let at = i as usize;
            if live[at] | ended[at] == 0 {
                continue;
            }
            let rescue = std::array::from_fn(|u| play.rescues((i, self.hand(i)), origin(rank), u));
            let idle = Choice { action: [Action::Stand; U], rescue };
            let surrender_doubled = asked.may(self.hand(i)).surrender_doubled;
            let (may, mut choice) =
                choices[at].unwrap_or((May { surrender_doubled, ..May::default() }, idle));
            if !may.surrender_doubled {
                choice.rescue = [false; U];
            }
            plan.hands.push(i);
            plan.by_double.push(ended[at] != 0);
            plan.needed.push(settled[at] | ended[at]);
            plan.may.push(may);
            plan.plays[0].push(choice);
        }
        plan
    }
}

/// Cards of a pair.
pub fn pair_of(rank: usize) -> Counts {
    plus(plus([0; RANKS], rank), rank)
}
