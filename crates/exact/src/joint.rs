//! All hands of a split together against a dealer's blackjack.
//!
//! The hands that lose to it lose together one original wager. That is linear in the hands unless some of them may
//! escape: a hand that busted and was collected before, a two-card 21 that pushes, a hand that wins whatever the
//! dealer has. Then the chance is needed that *no* hand is left to answer for the original wager, which is a sum
//! over the multisets of cards that all hands drew: counts of orders multiply from hand to hand, and the
//! chance of an order depends only on the cards that all of them took.

use crate::arrange::arrangements;
use crate::cards::{ACE, Counts, RANKS, Shoe, TEN, fits, plus, shoe_size};
use crate::hands::NONE;
use crate::judge::{Blackjack, Book, Judge};
use crate::num::{Real, inverse};
use crate::solve::Solver;
use crate::split::Plan;
use crate::sum::Sums;
use crate::turn::Action;

/// The cards that hands drew, as `packed`, with the number of orders; sorted, each once.
type Draws<R> = Vec<(u64, R)>;

/// Second cards that a hand may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Second {
    Any,
    /// Any but the pair card.
    Other,
}

/// A hand of the split: the second cards it may take, and which play it follows.
type Kind = (Second, usize);

/// The chance that the dealer has blackjack and no hand of the split answers for the original wager; zero where it
/// is certain to be at most `enough`.
pub fn none_answers<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    (u, enough): (usize, Option<&R>),
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
    let mut all = Together { solver, book, plan, u, shoe, single: Vec::new(), double: Vec::new() };
    if enough.is_some_and(|enough| blackjack.clone() * all.first_escapes() <= *enough) {
        return R::zero();
    }
    blackjack * all.escape()
}

fn all_answer<R, const U: usize>(book: &Book<R>, plan: &Plan<U>) -> bool {
    let surrenders = plan.may.iter().any(|may| may.surrender || may.surrender_doubled);
    book.bust[1].answers
        && (book.surrender[1].answers || !surrenders)
        && plan.pay.iter().all(|&id| book.pays[id as usize].answers)
}

/// The hands of one split against a dealer's blackjack.
struct Together<'a, 'j, J, R, const U: usize> {
    solver: &'a Solver<'j, J, R, U>,
    book: &'a Book<R>,
    plan: &'a Plan<U>,
    u: usize,
    /// The shoe without the pair and the dealer's blackjack.
    shoe: Shoe,
    single: Vec<(Kind, Draws<R>)>,
    double: Vec<([Kind; 2], Draws<R>)>,
}

impl<J: Judge, R: Real, const U: usize> Together<'_, '_, J, R, U> {
    /// The chance that the first hand to be finished escapes, which is at least that of all.
    fn first_escapes(&mut self) -> R {
        let most = self.plan.most_against(self.u);
        let mut chance = R::zero();
        for pairs in 0..=most - 2 {
            let second = if pairs == most - 2 { Second::Any } else { Second::Other };
            self.prepare((second, pairs.min(self.plan.plays.len() - 1)));
            let Some((_, draws)) = self.single.last() else {
                continue;
            };
            for (cards, orders) in draws {
                let mut cards = unpacked(*cards);
                cards[self.plan.rank] += pairs as u8;
                chance = chance + orders.clone() * order_chance(&cards, &self.shoe);
            }
            self.single.clear();
        }
        chance
    }

    /// The chance that all hands escape.
    fn escape(&mut self) -> R {
        let last = self.plan.plays.len() - 1;
        let mut leaves: Vec<(usize, Vec<Kind>)> = Vec::new();
        for leaf in arrangements(self.plan.most_against(self.u)) {
            let closed = leaf.closed.iter().map(|&seen| (Second::Other, seen.min(last)));
            let mut kinds: Vec<Kind> =
                closed.chain(std::iter::repeat_n((Second::Any, last), leaf.open)).collect();
            kinds.sort_unstable();
            leaves.push((leaf.pairs, kinds));
        }
        leaves.sort_unstable();
        let mut chance = R::zero();
        for alike in leaves.chunk_by(|a, b| a == b) {
            let (pairs, kinds) = &alike[0];
            chance = chance + R::int(alike.len() as i64) * self.leaf(*pairs, kinds);
        }
        chance
    }

    fn prepare(&mut self, kind: Kind) {
        if !self.single.iter().any(|(k, _)| *k == kind) {
            let draws = escapes(self.solver, self.book, self.plan, (self.u, kind.1), kind.0);
            self.single.push((kind, draws));
        }
    }

    /// The cards of one hand or two hands.
    fn draws(&mut self, kinds: &[Kind]) -> Draws<R> {
        let find = |single: &[(Kind, Draws<R>)], kind: Kind| {
            single.iter().find(|(k, _)| *k == kind).map(|(_, d)| d.clone()).unwrap_or_default()
        };
        kinds.iter().for_each(|&k| self.prepare(k));
        match kinds {
            [one] => find(&self.single, *one),
            &[a, b] => {
                if let Some((_, draws)) = self.double.iter().find(|(k, _)| *k == [a, b]) {
                    return draws.clone();
                }
                let draws = product(&find(&self.single, a), &find(&self.single, b), &self.shoe);
                self.double.push(([a, b], draws.clone()));
                draws
            }
            _ => vec![(0, R::one())],
        }
    }

    /// One arrangement: half of the hands are summed beside each outcome of the other half.
    fn leaf(&mut self, pairs: usize, kinds: &[Kind]) -> R {
        let (first, second) = kinds.split_at(kinds.len() / 2);
        let (rows, ends) = (self.draws(first), self.draws(second));
        let sums = Sums::new(ends.into_iter().map(|(cards, orders)| (unpacked(cards), 0, orders)), 1);
        let mut gone = Vec::new();
        let mut orders = Vec::new();
        for (cards, n) in rows {
            let mut cards = unpacked(cards);
            cards[self.plan.rank] += pairs as u8;
            if fits(&cards, &self.shoe) {
                orders.push(n * order_chance(&cards, &self.shoe));
                gone.push(cards);
            }
        }
        let mut chance = R::zero();
        sums.each(&self.shoe, &gone, |i, sum, lane| {
            chance = chance.clone() + orders[i].clone() * sum[0][lane].clone();
        });
        chance
    }
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
    let mut found: Draws<R> = Vec::new();
    let mut place: Vec<usize> = vec![usize::MAX; solver.hands.list.len()];
    plan.hands.iter().enumerate().for_each(|(at, &i)| place[i as usize] = at);
    let add = |at: &mut Option<R>, n: &R| *at = Some(at.take().map_or_else(|| n.clone(), |x| x + n.clone()));
    for r in (0..RANKS).filter(|&r| second == Second::Any || r != plan.rank) {
        for (i, part) in solver.second(plan.rank, r) {
            add(&mut ways[i as usize], &part);
        }
    }
    let mut end = |cards: &Counts, n: &R| {
        let mut drawn = *cards;
        drawn[plan.rank] -= 1;
        found.push((packed(&drawn), n.clone()));
    };
    // Hands are listed so that later ones come first; a hand is reached from those behind it.
    for (at, &i) in plan.hands.iter().enumerate().rev() {
        let Some(n) = ways[i as usize].take() else {
            continue;
        };
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
                    } else if let Some(&j) = place.get(next as usize).filter(|&&j| j != usize::MAX) {
                        let given_up = plan.plays[play][j].rescue[u];
                        if if given_up { !book.surrender[1].answers } else { escapes(j) } {
                            end(&plus(cards, r), &n);
                        }
                    }
                }
            }
        }
    }
    merged(found)
}

/// Bits of one value.
const BITS: u32 = 6;

fn packed(cards: &Counts) -> u64 {
    cards.iter().rev().fold(0, |key, &n| key << BITS | u64::from(n))
}

fn unpacked(key: u64) -> Counts {
    std::array::from_fn(|r| (key >> (BITS * r as u32) & ((1 << BITS) - 1)) as u8)
}

fn merged<R: Real>(mut draws: Draws<R>) -> Draws<R> {
    draws.sort_by_key(|d| d.0);
    draws.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            sum.1 = sum.1.clone() + next.1.clone();
        }
        same
    });
    draws
}

fn product<R: Real>(a: &Draws<R>, b: &Draws<R>, shoe: &Shoe) -> Draws<R> {
    let mut out = Vec::with_capacity(a.len() * b.len());
    for (x, n) in a {
        // No hand draws so many cards of one value that the counts of two hands run into each other.
        out.extend(b.iter().map(|(y, m)| (x + y, n.clone() * m.clone())));
    }
    let mut out = merged(out);
    out.retain(|(cards, _)| fits(&unpacked(*cards), shoe));
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
