//! The best decisions on each hand of a split for the number of pair cards seen (CDP1, CDP).

use crate::cards::{Index, NONE};
use crate::dealer::ChanceTable;
use crate::judge::{Book, Judge};
use crate::num::Real;
use crate::plan::Plan;
use crate::seen::{Row, constant};
use crate::solve::Solver;
use crate::turn::{Choice, NextValues, Pays, Turn};
use crate::vocabulary::Upcard;

/// Returns the best decision on each hand of a plan when `a` pair cards besides the split pair are removed.
///
/// `rows` holds, for each hand, the index of the dealer's chances with that hand removed, or `NONE` if the shoe
/// has too few pair cards.
pub fn best_play<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    a: usize,
    (chances, rows): (&ChanceTable<R>, &[Index]),
) -> Vec<Choice<U>> {
    let zero = || vec![constant::<R, U>(&R::zero()); solver.hands.list.len()];
    let (mut best, mut doubled): (Vec<Row<R, U>>, Vec<Row<R, U>>) = (zero(), zero());
    let mut play = plan.plays[0].clone();
    for (at, (&i, &row)) in plan.hands.iter().zip(rows).enumerate() {
        if row == NONE {
            continue;
        }
        let i = i as usize;
        let pays = Pays {
            stand: &book.pays[plan.pay[at] as usize],
            bust: &book.bust[1],
            surrender: &book.surrender[1],
        };
        let ahead = NextValues {
            best: &best,
            doubled: &doubled,
            next: &solver.hands.next[i],
            by_double: plan.by_double[at],
        };
        let turn: Turn<R, U> = solver.draws.turn(
            &solver.hands.list[i],
            (plan.rank, a as u8 + 1),
            &chances.of(row),
            (plan.may[at], &pays, &ahead),
        );
        for u in Upcard::all::<U>() {
            let choice = &mut play[at];
            choice.action[u] = turn.best(turn.may, u).0;
            choice.surrender_doubled[u] =
                turn.may.surrender_doubled && turn.surrendered_doubled[u] > turn.doubled[u];
            best[i][u] = turn.value(choice.action[u], u).clone();
            doubled[i][u] = if choice.surrender_doubled[u] {
                turn.surrendered_doubled[u].clone()
            } else {
                turn.doubled[u].clone()
            };
        }
    }
    play
}
