//! All hands of a split together against a dealer's blackjack.
//!
//! The hands that lose to it lose together one original wager. That is linear in the hands unless some of them may
//! escape: a hand that busted and was collected before, a two-card 21 that pushes, a hand that wins whatever the
//! dealer has. Then the chance is needed that *no* hand is left to answer for the original wager, which is a sum
//! over the multisets of cards that all hands drew: counts of orders multiply from hand to hand, and the
//! chance of an order depends only on the cards that all of them took.

use crate::cards::{ACE, Counts, RANKS, Shoe, TEN, fits, plus, shoe_size};
use crate::hands::NONE;
use crate::judge::{Blackjack, Book, Judge};
use crate::num::{Real, inverse};
use crate::solve::Solver;
use crate::split::{Arrangement, Plan, arrangements};
use crate::sum::Sums;
use crate::turn::Action;
use std::collections::BTreeMap;

/// The cards that hands drew, with the number of orders.
type Draws<R> = BTreeMap<Counts, R>;

/// Second cards that a hand may take.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    Any,
    /// Any but the pair card.
    Other,
}

/// The chance that the dealer has blackjack and no hand of the split answers for the original wager.
pub fn none_answers<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    u: usize,
) -> R {
    let hole = match u {
        ACE => TEN,
        TEN => ACE,
        _ => return R::zero(),
    };
    if solver.judge.blackjack() == Blackjack::BeforePlay || all_answer(book, plan) {
        return R::zero();
    }
    let mut gone = [0; RANKS];
    gone[plan.rank] += 2;
    gone[u] += 1;
    let before = shoe_size(&solver.shoe) - 3;
    let holes = i64::from(solver.shoe[hole]) - i64::from(gone[hole]);
    gone[hole] += 1;
    if !fits(&gone, &solver.shoe) {
        return R::zero();
    }
    let shoe: Shoe = std::array::from_fn(|r| solver.shoe[r] - u16::from(gone[r]));
    let blackjack = R::int(holes) * inverse(before);
    let mut chance = R::zero();
    for leaf in arrangements(usize::from(plan.most)) {
        chance = chance + leaf_chance(solver, book, plan, u, &leaf, &shoe);
    }
    blackjack * chance
}

fn all_answer<R, const U: usize>(book: &Book<R>, plan: &Plan<U>) -> bool {
    book.bust[1].answers
        && book.surrender[1].answers
        && plan.pay.iter().all(|&id| book.pays[id as usize].answers)
}

fn leaf_chance<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    u: usize,
    leaf: &Arrangement,
    shoe: &Shoe,
) -> R {
    let last = plan.plays.len() - 1;
    let mut hands: Vec<Draws<R>> = Vec::new();
    for &seen in &leaf.closed {
        hands.push(escapes(solver, book, plan, (u, seen.min(last)), Second::Other));
    }
    for _ in 0..leaf.open {
        hands.push(escapes(solver, book, plan, (u, last), Second::Any));
    }
    let mut pairs = [0; RANKS];
    pairs[plan.rank] = leaf.pairs as u8;
    let start: Draws<R> = [(pairs, R::one())].into();
    let (first, second) = hands.split_at(2.min(hands.len()));
    let first = first.iter().fold(start, |sum, hand| product(&sum, hand, shoe));
    let alone: Draws<R> = [([0; RANKS], R::one())].into();
    let second = second.iter().fold(alone, |sum, hand| product(&sum, hand, shoe));
    let sums = Sums::new(second.into_iter().map(|(cards, orders)| (cards, 0, orders)), 1);
    let rows: Vec<Counts> = first.keys().copied().collect();
    let mut chance = R::zero();
    sums.each(shoe, &rows, |i, sum, lane| {
        chance = chance.clone() + first[&rows[i]].clone() * order_chance(&rows[i], shoe) * sum[0][lane].clone();
    });
    chance
}

/// The ways in which one hand of the split ends so that it does not answer, by the cards that it drew.
fn escapes<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    (u, play): (usize, usize),
    second: Second,
) -> Draws<R> {
    let mut ways: Vec<Option<R>> = vec![None; solver.hands.list.len()];
    let mut found: Draws<R> = BTreeMap::new();
    let add = |at: &mut Option<R>, n: &R| *at = Some(at.take().map_or_else(|| n.clone(), |x| x + n.clone()));
    for r in (0..RANKS).filter(|&r| second == Second::Any || r != plan.rank) {
        for (i, part) in solver.second(plan.rank, r) {
            add(&mut ways[i as usize], &part);
        }
    }
    let mut end = |cards: &Counts, n: &R| {
        let mut drawn = *cards;
        drawn[plan.rank] -= 1;
        let sum = found.entry(drawn).or_insert_with(R::zero);
        *sum = sum.clone() + n.clone();
    };
    // Hands are listed so that later ones come first; a hand is reached from those behind it.
    for (at, &i) in plan.hands.iter().enumerate().rev() {
        let Some(n) = ways[i as usize].take() else { continue };
        let cards = solver.hand(i).cards;
        let escapes = |j: usize| !book.pays[plan.pay[j] as usize].answers;
        match plan.plays[play][at].action[u] {
            Action::Stand | Action::Split if escapes(at) => end(&cards, &n),
            Action::Surrender if !book.surrender[1].answers => end(&cards, &n),
            Action::Stand | Action::Split | Action::Surrender => {}
            action @ (Action::Hit | Action::Double) => {
                for r in 0..RANKS {
                    let next = solver.hands.next[i as usize][r];
                    if next == NONE {
                        if u16::from(cards[r]) < solver.shoe[r] && !book.bust[1].answers {
                            end(&plus(cards, r), &n);
                        }
                    } else if action == Action::Hit {
                        add(&mut ways[next as usize], &n);
                    } else if let Some(j) = plan.hands.iter().position(|&h| h == next) {
                        let given_up = plan.plays[play][j].rescue[u];
                        if if given_up { !book.surrender[1].answers } else { escapes(j) } {
                            end(&plus(cards, r), &n);
                        }
                    }
                }
            }
        }
    }
    found
}

fn product<R: Real>(a: &Draws<R>, b: &Draws<R>, shoe: &Shoe) -> Draws<R> {
    let mut out: Draws<R> = BTreeMap::new();
    for (x, n) in a {
        for (y, m) in b {
            let cards: Counts = std::array::from_fn(|r| x[r].saturating_add(y[r]));
            if fits(&cards, shoe) {
                let sum = out.entry(cards).or_insert_with(R::zero);
                *sum = sum.clone() + n.clone() * m.clone();
            }
        }
    }
    out
}

/// The chance of one order of these cards.
fn order_chance<R: Real>(cards: &Counts, shoe: &Shoe) -> R {
    let mut left = shoe_size(shoe);
    let mut chance = R::one();
    for r in 0..RANKS {
        for j in 0..i64::from(cards[r]) {
            chance = chance * R::int((i64::from(shoe[r]) - j).max(0)) * inverse(left);
            left -= 1;
        }
    }
    chance
}
