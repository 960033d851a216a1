//! The chance that no hand of a split loses the original bet to a dealer's blackjack.
//!
//! The hands that lose to the blackjack lose one original bet together. This loss is linear in the hands, unless a
//! hand may escape it (a two-card 21 that pushes, or a hand that wins against any dealer hand), or a busted hand
//! was collected before, so that the others lose nothing more. Then the chance is needed that *no* original bet is
//! taken. It is a sum over the multisets of cards that all hands drew: the numbers of orders multiply from hand to
//! hand, and the chance of an order depends only on the cards that all of them took.

mod halves;
mod sums;

use crate::arrange::{Kind, Second, arrangements};
use crate::cards::{Counts, NONE, Shoe, fits, plus, shoe_size};
use crate::judge::{Blackjack, Book, Judge, OriginalBet, Pay, PayId, Stake};
use crate::num::{Real, inverse};
use crate::plan::Plan;
use crate::solve::Solver;
use crate::turn::Action;
use crate::vocabulary::{ACE, BLACKJACK, RANKS, Rank, TEN, Upcard, by_rank};
use halves::{Half, merged, ones, packed, twos, unpacked};
use sums::DrawPile;

/// Sets of drawn cards, each packed into one number, with the number of orders in which the hands can draw them.
///
/// If `K` is 2, the second entry is the sum of the hands' joint net over these orders. The list is sorted and
/// has no duplicates.
type Draws<R, const K: usize> = Vec<(u64, [R; K])>;

/// A filter that selects hands by their relation to the original bet.
type HandFilter = fn(OriginalBet) -> bool;

/// Returns the probability that the dealer has a blackjack and no hand of the split loses the original bet to it.
///
/// With `Some(enough)`, counts a settlement of busts as zero if an upper bound of its probability is at most
/// `enough`.
pub fn none_answers<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    (u, enough): (Upcard, Option<&R>),
) -> R {
    let of_part = |(part, bust): &(R, Pay<R>)| {
        let Some((all, blackjack)) = SplitHands::<_, _, U, 1>::new(solver, (book, bust), plan, u) else {
            return R::zero();
        };
        if enough.is_some_and(|enough| blackjack.clone() * all.at_most() <= *enough) {
            return R::zero();
        }
        let [chance] = all.escape(&[R::one()]);
        part.clone() * blackjack * chance
    };
    book.busts.iter().map(of_part).fold(R::zero(), |sum, chance| sum + chance)
}

/// The event that the dealer has a blackjack and no hand of a split loses the original bet.
pub struct Escape<R> {
    /// The probability of the event.
    pub chance: R,
    /// The expected total net of all hands of the split in the event, counted as zero outside the event.
    pub net: R,
}

/// Returns the probability of an [`Escape`] and the net of the hands in it.
///
/// `net` is the expected net of the hands that do not answer for the original bet against a blackjack, or zero
/// if the dealer cannot have one. All figures are averages over the ways in which busted hands are settled.
pub fn escape<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    book: &Book<R>,
    plan: &Plan<U>,
    (u, net): (Upcard, &R),
) -> Escape<R> {
    let mut sum = nothing();
    for (part, bust) in &book.busts {
        if let Some((all, blackjack)) = SplitHands::<_, _, U, 2>::new(solver, (book, bust), plan, u) {
            // every part has a different net over all its ways; together they have this one
            let escape = all.escape(&[R::one(), net.clone() / blackjack.clone()]);
            add(&mut sum, &escape, &(part.clone() * blackjack));
        }
    }
    let [chance, net] = sum;
    Escape { chance, net }
}

fn all_answer<R, const U: usize>(book: &Book<R>, bust: &Pay<R>, plan: &Plan<U>) -> bool {
    let surrenders = plan.may.iter().any(|may| may.surrender || may.surrender_doubled);
    let answers = |pay: &Pay<R>| {
        [Stake::Single, Stake::Doubled].iter().all(|&stake| pay.owes(stake) == OriginalBet::Answers)
    };
    answers(bust)
        && (answers(&book.surrender[1]) || !surrenders)
        && plan.pay.iter().all(|&id| answers(&book.pays[id as usize]))
}

/// The hands of one split against a dealer's blackjack.
struct SplitHands<'a, 'j, J, R, const U: usize, const K: usize> {
    solver: &'a Solver<'j, J, R, U>,
    book: &'a Book<R>,
    bust: &'a Pay<R>,
    plan: &'a Plan<U>,
    u: Upcard,
    left: DrawPile<R>,
}

impl<'a, 'j, J: Judge, R: Real, const U: usize, const K: usize> SplitHands<'a, 'j, J, R, U, K> {
    /// Returns the hands of a split and the chance of the dealer's blackjack.
    ///
    /// Busted hands are settled like `bust`. Returns `None` if no blackjack is possible or every hand answers for the
    /// original bet.
    fn new(
        solver: &'a Solver<'j, J, R, U>,
        (book, bust): (&'a Book<R>, &'a Pay<R>),
        plan: &'a Plan<U>,
        u: Upcard,
    ) -> Option<(Self, R)> {
        let (up, hole) = [(ACE, TEN), (TEN, ACE)].into_iter().find(|(up, _)| Upcard::card(*up) == u)?;
        if solver.judge.blackjack() == Blackjack::BeforePlay || all_answer(book, bust, plan) {
            return None;
        }
        let mut gone = [0; RANKS];
        gone[plan.rank] += 2;
        gone[up] += 1;
        let before = shoe_size(&solver.shoe) - 3;
        let holes = i64::from(solver.shoe[hole]) - i64::from(gone[hole]);
        gone[hole] += 1;
        if !fits(&gone, &solver.shoe) {
            return None;
        }
        let shoe: Shoe = by_rank(|r| solver.shoe[r] - u16::from(gone[r]));
        let blackjack = R::int(holes) * inverse(before);
        Some((SplitHands { solver, book, bust, plan, u, left: DrawPile::new(shoe, plan.rank) }, blackjack))
    }

    /// Returns the chance that no original bet is taken, and the hands' net in that event.
    ///
    /// `always` holds the chance and the net over all ways in which the hands can end.
    ///
    /// The bet is taken if a hand answers for it and no hand's bet was collected before. So the bet escapes in all
    /// ways except those without a collected hand; of these, the ways in which no hand answers are added back.
    fn escape(&self, always: &[R; K]) -> [R; K] {
        let owes_nothing =
            |&id: &PayId| self.book.pays[id as usize].owes(Stake::Single) == OriginalBet::Nothing;
        let some_owe_nothing = self.plan.pay.iter().any(owes_nothing);
        match self.bust.owes(Stake::Single) {
            OriginalBet::Nothing | OriginalBet::Answers => {
                self.sum(None, |owes| owes != OriginalBet::Answers)
            }
            OriginalBet::Collected => {
                let mut escape = always.clone();
                add(&mut escape, &self.sum(None, |owes| owes != OriginalBet::Collected), &R::int(-1));
                if some_owe_nothing {
                    add(&mut escape, &self.sum(None, |owes| owes == OriginalBet::Nothing), &R::one());
                }
                escape
            }
            OriginalBet::CollectedFirst => {
                let mut escape = self.sum(Some(|owes| owes == OriginalBet::CollectedFirst), |_| true);
                if some_owe_nothing {
                    let none = self
                        .sum(Some(|owes| owes == OriginalBet::Nothing), |owes| owes != OriginalBet::Answers);
                    add(&mut escape, &none, &R::one());
                }
                escape
            }
        }
    }

    /// Returns an upper bound of the chance that no original bet is taken.
    ///
    /// The bound is one if any collected hand spares all others; otherwise it is the chance that the first hand
    /// to finish does not answer for the bet.
    fn at_most(&self) -> R {
        if self.bust.owes(Stake::Single) == OriginalBet::Collected {
            return R::one();
        }
        let most = self.plan.most_against(self.u);
        let mut chance = R::zero();
        for pairs in 0..=most - 2 {
            let second = if pairs == most - 2 { Second::Any } else { Second::Other };
            let kind = (second, pairs.min(self.plan.plays.len() - 1));
            for (cards, orders) in self.draws(kind, |owes| owes != OriginalBet::Answers) {
                let mut cards = unpacked(cards);
                cards[self.plan.rank] += pairs as u8;
                chance = chance + orders[0].clone() * self.left.orders.chance(&cards);
            }
        }
        chance
    }

    /// Returns the chance that the first hand passes the filter `first` and every other hand passes `others`,
    /// and the net of all hands in that event.
    ///
    /// The smaller half of an arrangement's hands is summed beside each outcome of the other half; arrangements
    /// that share the other half are summed together.
    fn sum(&self, first: Option<HandFilter>, others: HandFilter) -> [R; K] {
        let most = self.plan.most_against(self.u);
        let mut kinds: Vec<(Kind, bool)> = Vec::new();
        let mut leaves: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
        for leaf in arrangements(most) {
            let mut hands: Vec<usize> = Vec::new();
            for (at, kind) in leaf.kinds(most, self.plan.plays.len()).into_iter().enumerate() {
                let kind = (kind, at == 0 && first.is_some());
                let known = kinds.iter().position(|&k| k == kind);
                hands.push(known.unwrap_or(kinds.len()));
                kinds.extend(known.is_none().then_some(kind));
            }
            hands.sort_unstable();
            let second = hands.split_off(hands.len() / 2);
            leaves.push((leaf.pairs, hands, second));
        }
        leaves.sort_unstable();
        let single: Vec<Draws<R, K>> = kinds
            .into_iter()
            .map(|(kind, is_first)| self.draws(kind, first.filter(|_| is_first).unwrap_or(others)))
            .collect();
        let groups: Vec<(usize, [Half; 2])> = leaves
            .chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1))
            .map(|alike| {
                let second =
                    alike.chunk_by(|a, b| a.2 == b.2).map(|same| (same[0].2.clone(), same.len() as i64));
                (alike[0].0, [vec![(alike[0].1.clone(), 1)], second.collect()])
            })
            .collect();
        let of_two = |half: &&Half| half.iter().any(|(kinds, _)| kinds.len() == 2);
        let pairs: Vec<&Half> = groups.iter().flat_map(|(_, halves)| halves).filter(of_two).collect();
        let mut pairs = twos(&single, &pairs).into_iter();
        let mut of = |half: &Half| match of_two(&half) {
            true => pairs.next().unwrap_or_default(),
            false => ones(&single, half),
        };
        self.left
            .summed(groups.iter().map(|(gone, halves)| (*gone, halves.each_ref().map(&mut of))).collect())
    }

    /// Returns the ways in which one hand of this `kind` can end that `filter` selects, by the cards drawn.
    fn draws(&self, kind: Kind, filter: HandFilter) -> Draws<R, K> {
        endings(self.solver, (self.book, self.bust), self.plan, (self.u, kind.1), (kind.0, filter))
    }
}

fn nothing<R: Real, const K: usize>() -> [R; K] {
    std::array::from_fn(|_| R::zero())
}

fn add<R: Real, const K: usize>(sum: &mut [R; K], other: &[R; K], times: &R) {
    for (sum, x) in sum.iter_mut().zip(other) {
        *sum = sum.clone() + times.clone() * x.clone();
    }
}

/// Combines the ways of two groups of hands.
///
/// Their numbers multiply, and their nets add up over all ways.
fn both<R: Real, const K: usize>(a: &[R; K], b: &[R; K]) -> [R; K] {
    std::array::from_fn(|k| match k {
        0 => a[0].clone() * b[0].clone(),
        _ => a[0].clone() * b[k].clone() + a[k].clone() * b[0].clone(),
    })
}

/// Returns the ways in which one hand of a split can end that `filter` selects, by the cards drawn.
fn endings<J: Judge, R: Real, const U: usize, const K: usize>(
    solver: &Solver<J, R, U>,
    (book, bust): (&Book<R>, &Pay<R>),
    plan: &Plan<U>,
    (u, play): (Upcard, usize),
    (second, filter): (Second, HandFilter),
) -> Draws<R, K> {
    let mut ways: Vec<Option<R>> = vec![None; solver.hands.list.len()];
    let mut found: Draws<R, K> = Vec::new();
    let mut place: Vec<usize> = vec![usize::MAX; solver.hands.list.len()];
    plan.hands.iter().enumerate().for_each(|(at, &i)| place[i as usize] = at);
    let add = |at: &mut Option<R>, n: &R| *at = Some(at.take().map_or_else(|| n.clone(), |x| x + n.clone()));
    for r in Rank::ALL.into_iter().filter(|&r| second == Second::Any || r != plan.rank) {
        for (i, part) in solver.second(plan.rank, r) {
            add(&mut ways[i as usize], &part);
        }
    }
    let mut end = |cards: &Counts, n: &R, (pay, stake): (&Pay<R>, Stake)| {
        if !filter(pay.owes(stake)) {
            return;
        }
        let mut drawn = *cards;
        drawn[plan.rank] -= 1;
        let net = if stake == Stake::Doubled { &pay.doubled } else { &pay.single };
        let weigh = |k: usize| if k == 0 { n.clone() } else { n.clone() * net[BLACKJACK].clone() };
        found.push((packed(&drawn), std::array::from_fn(weigh)));
    };
    let surrender = &book.surrender[1];
    // Hands are listed with later ones first; a hand is reached from those after it in the list.
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
                for r in Rank::ALL {
                    let next = solver.hands.next[i as usize][r];
                    if next == NONE {
                        if u16::from(cards[r]) < solver.shoe[r] {
                            end(&plus(cards, r), &n, (bust, stake));
                        }
                    } else if action == Action::Hit {
                        add(&mut ways[next as usize], &n);
                    } else if let Some(&j) = place.get(next as usize).filter(|&&j| j != usize::MAX) {
                        let given_up = plan.plays[play][j].surrender_doubled[u];
                        end(&plus(cards, r), &n, (if given_up { surrender } else { stands(j) }, stake));
                    }
                }
            }
        }
    }
    merged(found)
}
