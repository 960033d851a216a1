//! How the rounds of a blackjack table end when the main game is best played: won, lost or neither, as a streak counts.
//!
//! The solver's values are sums over hands and know nothing of two hands ending *together*; a round that is split is
//! therefore worked out in [`crate::together`].

use crate::streak::Rounds;
use crate::together::{Together, books};
use exact::cards::{Counts, RANKS};
use exact::dealer::seen_states;
use exact::hands::Index;
use exact::judge::{Judge, Measure};
use exact::round::Solved;
use exact::solve::{Solution, Solver};
use exact::split::AfterSplit;
use exact::table::{Attacked, Table};
use exact::turn;
use rules::wager::streak::{Record, effect};
use rules::{Action, Card, Choices, Game, HoleCard, Variation};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sevens in the solver's counting of values.
const SEVEN: usize = 6;

/// What side wagers need of the main game as it is best played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    pub rounds: Rounds,
    /// What is done with a pair of sevens, by the dealer's visible cards.
    sevens: Vec<(Counts, Action)>,
}

impl Played {
    /// What is done with a pair of sevens against these visible cards.
    pub fn pair_of_sevens(&self, dealer: &[Card]) -> Action {
        let seen = exact::table::counts(dealer);
        let found = self.sevens.iter().find(|(cards, _)| *cards == seen);
        found.map_or(Action::Stand, |(_, action)| *action)
    }
}

/// The best play of a blackjack table; `None` for other games and for multiple action, which have neither wager.
///
/// Composition-dependent play, split hands played as hands that were not split.
pub fn played(choices: &Choices) -> Option<Played> {
    if choices.game != Game::Blackjack || choices.variation == Variation::MultipleAction {
        return None;
    }
    Some(match choices.hole_card {
        HoleCard::Up => best::<55>(choices),
        HoleCard::None | HoleCard::Down | HoleCard::Reader => best::<10>(choices),
    })
}

fn best<const U: usize>(choices: &Choices) -> Played {
    let table = Table::new(choices, Attacked::No);
    let dealer = table.dealer::<f64, U>();
    let solver = Solver::new(&table, &dealer, table.shoe(), &[0; RANKS]);
    let solved = Solved::best(&solver, &dealer, AfterSplit::AsDealt);
    Played {
        rounds: rounds(choices, &solved),
        sevens: sevens(&solved),
    }
}

fn sevens<J: Judge, const U: usize>(solved: &Solved<'_, '_, J, f64, U>) -> Vec<(Counts, Action)> {
    let Some(pair) = solved.solver.hands.find(&exact::split::pair_of(SEVEN)) else {
        return Vec::new();
    };
    let play = solved.first[pair as usize].action;
    let states = seen_states(solved.solver.judge.seen());
    states.into_iter().zip(play.map(word)).collect()
}

fn word(action: turn::Action) -> Action {
    match action {
        turn::Action::Stand => Action::Stand,
        turn::Action::Hit => Action::Hit,
        turn::Action::Double => Action::Double,
        turn::Action::Split => Action::Split,
        turn::Action::Surrender => Action::Surrender,
    }
}

/// Sums over every two first cards and every visible state of the dealer.
fn rounds<J: Judge + Sync, const U: usize>(choices: &Choices, solved: &Solved<'_, '_, J, f64, U>) -> Rounds {
    let solver = solved.solver;
    let states = seen_states(solver.judge.seen());
    let ends = [Measure::Won, Measure::Pushed].map(|measure| solver.follow(measure, &solved.base.choices));
    let mut sum = Rounds::NONE;
    let mut splits = Vec::new();
    for deal in solver.deals() {
        let shown = solver.state_chances(&solver.hand(deal.hand).cards, &states);
        for (u, state) in states.iter().enumerate() {
            let chance = deal.chance * shown[u];
            if chance <= 0.0 {
                continue;
            }
            if solved.first[deal.hand as usize].action[u] == turn::Action::Split {
                splits.push((chance, deal.hand, (u, state)));
            } else {
                sum.add_all(chance, one_hand(choices, solved, (deal.hand, u), &ends));
            }
        }
    }
    let books = books(solved);
    let of_split = |&(_, hand, seen): &Split<'_>| {
        Together::new(solved, &books, hand, seen).rounds(choices.rulings.streak_splits)
    };
    for (split, round) in splits.iter().zip(side_by_side(&splits, of_split)) {
        sum.add_all(split.0, round);
    }
    sum
}

/// A split: its chance, the pair, and the visible state of the dealer with its number.
type Split<'a> = (f64, Index, (usize, &'a Counts));

/// Works out each item on as many threads as there are cores; the answers come in the order of the items.
fn side_by_side<T: Sync, A: Send>(items: &[T], answer: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(items.len().max(1));
    let (next, answer) = (AtomicUsize::new(0), &answer);
    let work = || {
        let mut done = Vec::new();
        while let Some((n, item)) = {
            let n = next.fetch_add(1, Ordering::Relaxed);
            items.get(n).map(|item| (n, item))
        } {
            done.push((n, answer(item)));
        }
        done
    };
    let mut done: Vec<(usize, A)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// A round that is not split: 2.22(d), (e), (g).
fn one_hand<J: Judge, const U: usize>(
    choices: &Choices,
    solved: &Solved<'_, '_, J, f64, U>,
    (hand, u): (Index, usize),
    ends: &[Solution<f64, U>; 2],
) -> Rounds {
    let solver = solved.solver;
    let measures = [Measure::Won, Measure::Pushed];
    let even_money = solved.takes_even_money(hand, u);
    let [won, pushed] = std::array::from_fn(|n| {
        let played = ends[n].best[hand as usize][u]
            + solver.dealer_blackjack(hand)[u] * solver.settled_before(hand, measures[n]);
        match solver.even_money(hand, measures[n]) {
            Some(at_once) if even_money => at_once,
            _ => played,
        }
    });
    let chances = [(1, 0, 0, won), (0, 1, 0, 1.0 - won - pushed), (0, 0, 1, pushed)];
    let mut round = Rounds::NONE;
    for (won, lost, pushed, chance) in chances {
        round.add(
            effect(Record { won, lost, pushed }, choices.rulings.streak_splits),
            chance,
        );
    }
    round
}
