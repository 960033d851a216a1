//! All hands of a split together against a dealer's blackjack.
//!
//! The hands that lose to it lose together one original wager. That is linear in the hands unless some of them may
//! escape: a hand that busted and was collected before, a two-card 21 that pushes, a hand that wins whatever the
//! dealer has. Then the chance is needed that *no* hand is left to answer for the original wager, which is a sum
//! over the multisets of cards that all hands drew: counts of orders multiply from hand to hand, and the
//! chance of an order depends only on the cards that all of them took.

use crate::arrange::{Kind, Second, arrangements};
use crate::cards::{ACE, Counts, RANKS, Shoe, TEN, fits, plus, shoe_size};
use crate::dealer::BLACKJACK;
use crate::hands::{ByKey, NONE};
use crate::judge::{Blackjack, Book, Judge, Pay, Stake};
use crate::num::{Real, inverse};
use crate::solve::Solver;
use crate::split::Plan;
use crate::sum::Sums;
use crate::turn::Action;

/// The cards that hands drew, as `packed`, with the number of orders and, where `K` is 2, the sum over these of what
/// the hands net together; sorted, each once.
type Draws<R, const K: usize> = Vec<(u64, [R; K])>;

/// The chance that the dealer has blackjack and no hand of the split answers for the original wager; zero where it
/// is certain to be at most `enough`.
pub fn none_answers<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    (u, enough): (usize, Option<&R>),
) -> R {
    let Some((mut all, blackjack)) = Together::<_, _, U, 1>::new(solver, book, plan, u) else {
        return R::zero();
    };
    if enough.is_some_and(|enough| blackjack.clone() * all.first_escapes() <= *enough) {
        return R::zero();
    }
    let [chance] = all.escape();
    blackjack * chance
}

/// A dealer's blackjack to which no hand of a split answers.
pub struct Escape<R> {
    /// The chance of it.
    pub chance: R,
    /// The expected net of all hands, zero where it does not come about.
    pub net: R,
}

/// The chance that no hand answers, with what the hands then net.
pub fn escape<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    u: usize,
) -> Escape<R> {
    let Some((mut all, blackjack)) = Together::<_, _, U, 2>::new(solver, book, plan, u) else {
        return Escape { chance: R::zero(), net: R::zero() };
    };
    let [chance, net] = all.escape();
    Escape { chance: blackjack.clone() * chance, net: blackjack * net }
}

fn all_answer<R, const U: usize>(book: &Book<R>, plan: &Plan<U>) -> bool {
    let surrenders = plan.may.iter().any(|may| may.surrender || may.surrender_doubled);
    book.bust[1].answers
        && (book.surrender[1].answers || !surrenders)
        && plan.pay.iter().all(|&id| book.pays[id as usize].answers)
}

/// The hands of one split against a dealer's blackjack.
struct Together<'a, 'j, J, R, const U: usize, const K: usize> {
    solver: &'a Solver<'j, J, R, U>,
    book: &'a Book<R>,
    plan: &'a Plan<U>,
    u: usize,
    /// The shoe without the pair and the dealer's blackjack.
    shoe: Shoe,
    single: Vec<(Kind, Draws<R, K>)>,
    double: Vec<([Kind; 2], Draws<R, K>)>,
}

impl<'a, 'j, J: Judge, R: Real, const U: usize, const K: usize> Together<'a, 'j, J, R, U, K> {
    /// The hands of a split, and the chance of the blackjack; nothing where there is none or every hand answers to it.
    fn new(
        solver: &'a Solver<'j, J, R, U>,
        book: &'a Book<R>,
        plan: &'a Plan<U>,
        u: usize,
    ) -> Option<(Self, R)> {
        let hole = match u {
            ACE => TEN,
            TEN => ACE,
            _ => return None,
        };
        if solver.judge.blackjack() == Blackjack::BeforePlay || all_answer(book, plan) {
            return None;
        }
        let mut gone = [0; RANKS];
        gone[plan.rank] += 2;
        gone[u] += 1;
        let before = shoe_size(&solver.shoe) - 3;
        let holes = i64::from(solver.shoe[hole]) - i64::from(gone[hole]);
        gone[hole] += 1;
        if !fits(&gone, &solver.shoe) {
            return None;
        }
        let shoe: Shoe = std::array::from_fn(|r| solver.shoe[r] - u16::from(gone[r]));
        let blackjack = R::int(holes) * inverse(before);
        Some((Together { solver, book, plan, u, shoe, single: Vec::new(), double: Vec::new() }, blackjack))
    }

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
                chance = chance + orders[0].clone() * order_chance(&cards, &self.shoe);
            }
            self.single.clear();
        }
        chance
    }

    /// The chance that all hands escape, and what they then net. The lesser half of the hands of an arrangement is summed
    /// beside each outcome of the other half; arrangements that agree in that one are summed together.
    fn escape(&mut self) -> [R; K] {
        let most = self.plan.most_against(self.u);
        let mut leaves: Vec<(usize, Vec<Kind>, Vec<Kind>)> = Vec::new();
        for leaf in arrangements(most) {
            let mut kinds = leaf.kinds(most, self.plan.plays.len());
            kinds.sort_unstable();
            let second = kinds.split_off(kinds.len().div_ceil(2));
            leaves.push((leaf.pairs, kinds, second));
        }
        leaves.sort_unstable();
        let mut sum = nothing();
        for alike in leaves.chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1)) {
            let mut ends: Draws<R, K> = Vec::new();
            for same in alike.chunk_by(|a, b| a.2 == b.2) {
                let times = R::int(same.len() as i64);
                let draws = self.draws(&same[0].2);
                ends.extend(draws.into_iter().map(|(cards, ways)| (cards, ways.map(|n| n * times.clone()))));
            }
            let rows = self.draws(&alike[0].1);
            add(&mut sum, &self.beside(alike[0].0, rows, merged(ends)), &R::one());
        }
        sum
    }

    fn prepare(&mut self, kind: Kind) {
        if !self.single.iter().any(|(k, _)| *k == kind) {
            let draws = escapes(self.solver, self.book, self.plan, (self.u, kind.1), kind.0);
            self.single.push((kind, draws));
        }
    }

    /// The cards of one hand or two hands.
    fn draws(&mut self, kinds: &[Kind]) -> Draws<R, K> {
        let find = |single: &[(Kind, Draws<R, K>)], kind: Kind| {
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
            _ => vec![(0, std::array::from_fn(|k| R::int(i64::from(k == 0))))],
        }
    }

    /// Some hands draw one of `rows` and the others one of `ends`, further pair cards being gone.
    fn beside(&self, pairs: usize, rows: Draws<R, K>, ends: Draws<R, K>) -> [R; K] {
        let each = |(cards, ways): (u64, [R; K])| {
            ways.into_iter().enumerate().map(move |(k, n)| (unpacked(cards), k, n))
        };
        let sums = Sums::new(ends.into_iter().flat_map(each), K);
        let mut cards: Vec<(Counts, [R; K])> = Vec::new();
        for (drawn, n) in rows {
            let mut gone = unpacked(drawn);
            gone[self.plan.rank] += pairs as u8;
            if fits(&gone, &self.shoe) {
                let chance: R = order_chance(&gone, &self.shoe);
                cards.push((gone, n.map(|n| n * chance.clone())));
            }
        }
        let shoe = &self.shoe;
        let sum = |part: &[(Counts, [R; K])]| {
            let gone: Vec<Counts> = part.iter().map(|(gone, _)| *gone).collect();
            let mut total = nothing();
            sums.each(shoe, &gone, |i, sum, lane| {
                let sum: [R; K] = std::array::from_fn(|k| sum[k][lane].clone());
                add(&mut total, &both(&part[i].1, &sum), &R::one());
            });
            total
        };
        // Long sums are taken in two halves at once; short ones are over before a thread is there.
        if cards.len() < LONG {
            return sum(&cards);
        }
        let (one, other) = cards.split_at(cards.len() / 2);
        let (mut total, more) = std::thread::scope(|scope| {
            let more = scope.spawn(|| sum(other));
            (sum(one), more.join().unwrap_or_else(|_| sum(other)))
        });
        add(&mut total, &more, &R::one());
        total
    }
}

/// So many sets of cards make a sum worth a thread of its own.
const LONG: usize = 2_000;

fn nothing<R: Real, const K: usize>() -> [R; K] {
    std::array::from_fn(|_| R::zero())
}

fn add<R: Real, const K: usize>(sum: &mut [R; K], other: &[R; K], times: &R) {
    for (sum, x) in sum.iter_mut().zip(other) {
        *sum = sum.clone() + times.clone() * x.clone();
    }
}

/// Ways of two groups of hands together: their numbers multiply, what they net adds up over all ways.
fn both<R: Real, const K: usize>(a: &[R; K], b: &[R; K]) -> [R; K] {
    std::array::from_fn(|k| match k {
        0 => a[0].clone() * b[0].clone(),
        _ => a[0].clone() * b[k].clone() + a[k].clone() * b[0].clone(),
    })
}

/// The ways in which one hand of the split ends so that it does not answer, by the cards that it drew.
fn escapes<J: Judge, R: Real, const U: usize, const K: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    (u, play): (usize, usize),
    second: Second,
) -> Draws<R, K> {
    let mut ways: Vec<Option<R>> = vec![None; solver.hands.list.len()];
    let mut found: Draws<R, K> = Vec::new();
    let mut place: Vec<usize> = vec![usize::MAX; solver.hands.list.len()];
    plan.hands.iter().enumerate().for_each(|(at, &i)| place[i as usize] = at);
    let add = |at: &mut Option<R>, n: &R| *at = Some(at.take().map_or_else(|| n.clone(), |x| x + n.clone()));
    for r in (0..RANKS).filter(|&r| second == Second::Any || r != plan.rank) {
        for (i, part) in solver.second(plan.rank, r) {
            add(&mut ways[i as usize], &part);
        }
    }
    let mut end = |cards: &Counts, n: &R, (pay, stake): (&Pay<R>, Stake)| {
        if pay.answers {
            return;
        }
        let mut drawn = *cards;
        drawn[plan.rank] -= 1;
        let net = if stake == Stake::Doubled { &pay.doubled } else { &pay.single };
        let weigh = |k: usize| if k == 0 { n.clone() } else { n.clone() * net[BLACKJACK].clone() };
        found.push((packed(&drawn), std::array::from_fn(weigh)));
    };
    let (bust, surrender) = (&book.bust[1], &book.surrender[1]);
    // Hands are listed so that later ones come first; a hand is reached from those behind it.
    for (at, &i) in plan.hands.iter().enumerate().rev() {
        let Some(n) = ways[i as usize].take() else {
            continue;
        };
        let cards = solver.hand(i).cards;
        let stands = |at: usize| &book.pays[plan.pay[at] as usize];
        match plan.plays[play][at].action[u] {
            Action::Stand | Action::Split => end(&cards, &n, (stands(at), Stake::Single)),
            Action::Surrender => end(&cards, &n, (surrender, Stake::Single)),
            action @ (Action::Hit | Action::Double) => {
                let stake = if action == Action::Double { Stake::Doubled } else { Stake::Single };
                for r in 0..RANKS {
                    let next = solver.hands.next[i as usize][r];
                    if next == NONE {
                        if u16::from(cards[r]) < solver.shoe[r] {
                            end(&plus(cards, r), &n, (bust, stake));
                        }
                    } else if action == Action::Hit {
                        add(&mut ways[next as usize], &n);
                    } else if let Some(&j) = place.get(next as usize).filter(|&&j| j != usize::MAX) {
                        let given_up = plan.plays[play][j].rescue[u];
                        end(&plus(cards, r), &n, (if given_up { surrender } else { stands(j) }, stake));
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

fn merged<R: Real, const K: usize>(mut draws: Draws<R, K>) -> Draws<R, K> {
    draws.sort_by_key(|d| d.0);
    draws.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            add(&mut sum.1, &next.1, &R::one());
        }
        same
    });
    draws
}

fn product<R: Real, const K: usize>(a: &Draws<R, K>, b: &Draws<R, K>, shoe: &Shoe) -> Draws<R, K> {
    let room = 64 * a.len().max(b.len());
    let mut all: ByKey<[R; K]> = ByKey::with_capacity_and_hasher(room, Default::default());
    for (x, n) in a {
        for (y, m) in b {
            // No hand draws so many cards of one value that the counts of two hands run into each other.
            let sum = all.entry(x + y).or_insert_with(nothing);
            add(sum, &both(n, m), &R::one());
        }
    }
    let mut out: Draws<R, K> = all.into_iter().filter(|(cards, _)| fits(&unpacked(*cards), shoe)).collect();
    out.sort_unstable_by_key(|d| d.0);
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
