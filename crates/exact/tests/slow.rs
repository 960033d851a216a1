//! The solver against a recursion over single cards, on small shoes and with every kind of rule.

mod common;

use common::Plain;
use common::slow::{Slow, hand};
use exact::cards::{Counts, Shoe, points, size};
use exact::dealer::{At22, DealerTree, Seen};
use exact::judge::{Judge, Measure, Origin};
use exact::round::{Escapes, Solved, best_play};
use exact::solve::Solver;
use exact::split::{AfterSplit, Splits};
use exact::turn::Action;
use std::collections::HashMap;

fn compare(judge: &Plain, shoe: Shoe, after: AfterSplit, pairs: &[usize]) {
    let dealer = DealerTree::<f64, 10>::new(Seen::UpCard, At22::Apart, |c| judge.dealer_stands(c));
    let solver = Solver::new(judge, &dealer, shoe, &[0; 10]);
    let base = solver.best();
    let splits = Splits::new(&solver, &base, (after, &dealer, &shoe), &best_play(&base));
    let solved = Solved::split_with(&solver, base, splits.into(), Escapes::Everywhere);
    let quick = Solved::best(&solver, &dealer, after);
    assert_eq!(quick.round(Measure::Net), solved.round(Measure::Net));
    for up in 0..10 {
        if shoe[up] == 0 {
            continue;
        }
        let dealt = |c: &Counts| solver.hands.find(c).map(|i| i as usize);
        let play = |c: &Counts, origin: Origin| {
            let may = judge.may(&hand(c), origin);
            let turn = dealt(c).and_then(|i| solved.base.turns[i].as_ref());
            turn.map_or(Action::Stand, |t| t.best(may, up).0)
        };
        let rescue = |c: &Counts| dealt(c).is_some_and(|i| solved.base.choices[i].rescue[up]);
        let mut slow = Slow { judge, up, play: &play, rescue: &rescue, dealer: HashMap::new() };
        let without = |cards: &Counts| {
            let mut s = shoe;
            s[up] -= 1;
            for r in 0..10 {
                s[r] = s[r].checked_sub(u16::from(cards[r]))?;
            }
            Some(s)
        };
        for (i, h) in solver.hands.list.iter().enumerate() {
            if size(&h.cards) != 2 {
                continue;
            }
            let Some(left) = without(&h.cards) else { continue };
            let (fast, slow) = (solved.base.best[i][up], slow.dealt(&left, &h.cards));
            assert!((fast - slow).abs() < 1e-12, "{judge:?} {:?} v {up}: {fast} {slow}", h.cards);
        }
        for (rank, values) in &solved.split_values {
            if !pairs.contains(rank) {
                continue;
            }
            let mut pair = [0; 10];
            pair[*rank] = 2;
            let Some(left) = without(&pair) else { continue };
            let (fast, slow) = (values[up], slow.split(&left, *rank));
            assert!((fast - slow).abs() < 1e-11, "{judge:?} pair {rank} v {up}: {fast} {slow}");
        }
    }
    assert!(points(&[0; 10]).total == 0);
}

const FEW: Shoe = [5, 0, 0, 0, 5, 0, 0, 7, 0, 9];

fn all(mut change: impl FnMut(&mut Plain)) {
    for hands in [2, 3] {
        let mut judge = Plain { hands, ace_hands: 2, ..Plain::default() };
        change(&mut judge);
        compare(&judge, FEW, AfterSplit::AsDealt, &[0, 7, 9]);
    }
}

#[test]
fn plain() {
    all(|_| ());
    all(|j| j.peek = false);
    all(|j| j.hit_soft_17 = true);
    all(|j| j.surrender = true);
    all(|j| j.das = false);
    all(|j| j.ace_hands = 3);
    all(|j| j.split_21_wins = true);
}

#[test]
fn four_hands() {
    let judge = Plain { hands: 4, ace_hands: 4, peek: false, ..Plain::default() };
    compare(&judge, [6, 0, 0, 0, 0, 0, 0, 8, 0, 10], AfterSplit::AsDealt, &[0, 7, 9]);
}

#[test]
fn busted_hands_lose_all() {
    all(|j| (j.peek, j.busted_too) = (false, true));
}

#[test]
fn switch_like() {
    all(|j| (j.peek, j.push_22, j.two_card_21_push_bj) = (false, true, true));
}

#[test]
fn double_attack_like() {
    all(|j| (j.peek, j.any_time, j.double_cards) = (false, true, 9));
}

#[test]
fn triple_attack_like() {
    all(|j| {
        (j.peek, j.always_21, j.double_cards, j.ace_double, j.push_22) = (false, true, 9, true, true);
    });
}
