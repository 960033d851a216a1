//! Tests CDP1 and CDP against a recursion that finds the best play of split hands independently, card by card.

use crate::cards::{Counts, Shoe, plus, points};
use crate::dealer::DealerTree;
use crate::judge::{Ending, Finish, Judge, Origin, Stake};
use crate::play::AfterSplit;
use crate::result::At22;
use crate::round::{Escapes, Solved};
use crate::seen::seen_states;
use crate::solve::{AsDealt, Solver};
use crate::split::Splits;
use crate::tests::plain::Plain;
use crate::tests::slow::{Quantity, Slow, hand};
use crate::tests::small_shoes::without;
use crate::turn::Action;
use crate::vocabulary::{Rank, Upcard};
use std::collections::HashMap;

/// The best actions on split hands, by the number of further pair cards removed and the cards of the hand.
#[derive(Default)]
struct Plan {
    actions: HashMap<(u8, Counts), Action>,
    /// Whether two actions have the same value somewhere, so that the choice between them is arbitrary.
    tied: bool,
}

/// Finds the best play of a split hand and of all hands that it leads to, and returns its value.
fn find<J: Judge>(slow: &mut Slow<'_, J>, shoe: &Shoe, (gone, cards): (u8, Counts), plan: &mut Plan) -> f64 {
    let may = slow.judge.may(&hand(&cards), Origin::Split);
    let mut ends = |shoe: &Shoe, cards: Counts, stake: Stake| {
        let ending = if points(&cards).total > 21 { Ending::Busted } else { Ending::Stood };
        slow.settle(shoe, &[Finish { hand: hand(&cards), origin: Origin::Split, ending, stake }])
    };
    let mut best = (Action::Stand, ends(shoe, cards, Stake::Single));
    let draws: Vec<_> =
        Rank::ALL.into_iter().filter_map(|r| Some((Slow::<J>::take(shoe, r)?, plus(cards, r)))).collect();
    if may.double {
        let doubled = draws.iter().map(|((chance, left), cards)| chance * ends(left, *cards, Stake::Doubled));
        let doubled = (Action::Double, doubled.sum::<f64>());
        plan.tied |= (doubled.1 - best.1).abs() < 1e-12;
        best = if doubled.1 > best.1 { doubled } else { best };
    }
    if may.hit {
        let mut hit = (Action::Hit, 0.0);
        for ((chance, left), cards) in draws {
            hit.1 += chance
                * match points(&cards).total {
                    ..=21 => find(slow, &left, (gone, cards), plan),
                    _ => slow.settle(&left, &[busted(cards)]),
                };
        }
        plan.tied |= (hit.1 - best.1).abs() < 1e-12;
        best = if hit.1 > best.1 { hit } else { best };
    }
    plan.actions.insert((gone, cards), best.0);
    best.1
}

fn busted(cards: Counts) -> Finish {
    Finish { hand: hand(&cards), origin: Origin::Split, ending: Ending::Busted, stake: Stake::Single }
}

/// Returns the values of splitting one pair against each upcard, by the solver and by the recursion.
///
/// Where several plays of the split are equally good, both values are the solver's.
fn values(judge: &Plain, shoe: Shoe, rank: Rank, after: AfterSplit) -> Vec<(f64, f64)> {
    let dealer = DealerTree::<f64, 10>::new(judge.seen(), At22::Apart, |c| judge.dealer_stands(c));
    let solver = Solver::new(judge, &dealer, shoe, &[0; 10]);
    let base = solver.best();
    let splits = Splits::new(&solver, (after, &dealer, &shoe), &AsDealt(&base));
    let solved = Solved::split_with(&solver, base, splits.into(), Escapes::Everywhere);
    let (_, fast) = solved.split_values.iter().find(|(known, _)| *known == rank).unwrap();
    let single = plus([0; 10], rank);
    let mut found = Vec::new();
    for (u, up) in Upcard::all::<10>().zip(&seen_states(judge.seen())) {
        let pair = plus(single, rank);
        let Some(left) = without(&shoe, &[up, &pair]) else { continue };
        let mut plan = Plan::default();
        let nothing = |_: &Counts, _: Origin, _: u8| Action::Stand;
        let never = |_: &Counts| false;
        let mut slow = Slow {
            of: Quantity::Net,
            judge,
            up: *up,
            play: &nothing,
            surrender_doubled: &never,
            dealer: HashMap::new(),
        };
        let mut less = left;
        for gone in 0..=judge.hands - 2 {
            for r in Rank::ALL {
                if let Some((_, left)) = Slow::<Plain>::take(&less, r) {
                    find(&mut slow, &left, (gone, plus(single, r)), &mut plan);
                }
            }
            less[rank] = less[rank].saturating_sub(1);
        }
        let play = |cards: &Counts, _: Origin, hands: u8| {
            let gone = if after == AfterSplit::FirstSplit { 0 } else { hands - 2 };
            plan.actions[&(gone, *cards)]
        };
        if plan.tied {
            found.push((fast[u], fast[u]));
            continue;
        }
        slow.play = &play;
        found.push((fast[u], slow.split(&left, rank)));
    }
    found
}

#[test]
fn long_both_stronger_plays_are_what_they_say() {
    const SHOE: Shoe = [3, 6, 0, 0, 4, 0, 1, 0, 0, 9];
    let mut apart = 0;
    for judge in [
        Plain { hands: 3, ..Plain::default() },
        Plain { hands: 4, hit_soft_17: true, ..Plain::default() },
        Plain { hands: 3, peek: false, das: false, ..Plain::default() },
    ] {
        for rank in [Rank::Two, Rank::Five] {
            let plays = [AfterSplit::FirstSplit, AfterSplit::PairsSeen];
            let [first, seen] = plays.map(|after| values(&judge, SHOE, rank, after));
            for (u, (fast, slow)) in first.iter().chain(&seen).enumerate() {
                assert!((fast - slow).abs() < 1e-11, "{judge:?} pair {rank:?}, line {u}: {fast} {slow}");
            }
            apart += first.iter().zip(&seen).filter(|(first, seen)| first.1 < seen.1 - 1e-9).count();
        }
    }
    assert!(apart > 5, "playing by the pair cards seen gains value in only {apart} cases");
}
