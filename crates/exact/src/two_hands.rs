//! The exact expected product of the nets of two hands of a split.
//!
//! Both hands draw from one shoe and face the same dealer's hand.
//!
//! The net of a hand is written as a sum of parts, each of which counts once the hand has drawn certain cards: every
//! hand begins with the loss of a bust, doubling adds the further loss of a doubled bust, and a hand that ends
//! otherwise adds the difference between its net and a bust's. So busted hands, the most numerous, need not be listed.
//! The chance that two hands draw certain cards depends only on the cards of both together, and so does the dealer's
//! result: the parts of two hands are multiplied and collected by the cards of both, which are few.

use crate::arrange::{CardsLeft, Kind, Second, arrangements};
use crate::cards::{Counts, Index, NONE, Shoe, fits, highest_first, plus, together};
use crate::dealer::DealerTree;
use crate::hands::Removals;
use crate::judge::{Book, Judge, Pay};
use crate::num::Real;
use crate::one_order::OneOrder;
use crate::plan::Plan;
use crate::seen::{Groups, groups, seen_states};
use crate::solve::Solver;
use crate::turn::Action;
use crate::vocabulary::{DealerResult, RANKS, RESULTS, Rank, Upcard, by_rank};

/// The net of a hand against each result of the dealer.
type Nets<R> = [R; RESULTS];

/// A set of cards that a hand drew, with what each kind of hand then adds to its net, times the number of card
/// orders.
type Part<R> = (Counts, Vec<Nets<R>>);

/// The weight of every two kinds of hands, by the number of pair cards removed besides the split pair.
type Weights<R> = Vec<([usize; 2], Vec<R>)>;

/// The number of sets of cards that are processed at a time.
const CHUNK: usize = 8192;

/// Returns the expected sum of the products of every two split hands' nets, by visible state.
///
/// Each pair of hands counts in both orders. States that are not `wanted` stay zero. Busted hands are settled like
/// `bust`. The joint loss of hands that answer for the original bet is not part of a hand's net.
pub fn products<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    dealer: &DealerTree<R, U>,
    (book, bust, plan): (&Book<R>, &Pay<R>, &Plan<U>),
    wanted: impl Fn(Upcard) -> bool,
) -> [R; U] {
    let states = seen_states(solver.judge.seen());
    let groups = groups(solver.judge.seen());
    let mut sets = Removals::default();
    let mut all: Vec<NetProducts<R>> = Vec::new();
    for u in Upcard::all::<U>().take(states.len()).filter(|&u| wanted(u)) {
        let (kinds, weights) = weights(plan, &CardsLeft::new(solver, plan.rank, &states, u), u);
        let parts = parts(solver, (book, bust), plan, (u, &kinds));
        let group = groups.iter().position(|us| us.contains(&u)).unwrap_or(0);
        all.push(NetProducts::new(u, weights, &parts, |cards| sets.index_for(cards, 1 << group)));
    }
    // Neighbors in ascending order of their high cards share most work.
    let mut order: Vec<Index> = (0..sets.list.len() as Index).collect();
    order.sort_unstable_by_key(|&i| highest_first(&sets.list[i as usize]));
    let mut place: Vec<Index> = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &i)| place[i as usize] = at as Index);
    all.iter_mut().for_each(|at| at.sort_by(&place));
    let mut sums: [R; U] = std::array::from_fn(|_| R::zero());
    let shoe = solver.whole_shoe();
    let deepest = all.iter().map(NetProducts::deepest).max().unwrap_or(0);
    for further in 0..deepest {
        let pair_cards = (plan.rank, further as u8 + 2);
        let mut gone = solver.other;
        gone[plan.rank] += pair_cards.1;
        for (nth, chunk) in order.chunks(CHUNK).enumerate() {
            let removed: Vec<Counts> =
                chunk.iter().map(|&i| together(&sets.list[i as usize], &gone)).collect();
            let groups = |(i, cards)| if fits(cards, &shoe) { sets.needed[i as usize] } else { 0 };
            let needed: Vec<Groups> = chunk.iter().copied().zip(&removed).map(groups).collect();
            let chances = dealer.chances_for(&shoe, &removed, &needed);
            for at in &all {
                let orders = OneOrder::new(&left(solver, &states[at.u], pair_cards));
                let of =
                    |place: usize| (&sets.list[chunk[place] as usize], chances.against(place as Index, at.u));
                let sum = at.expected(further, (nth * CHUNK, chunk.len()), of, &orders);
                sums[at.u] = sums[at.u].clone() + sum;
            }
        }
    }
    sums
}

/// The products of the nets of two hands against one visible state.
struct NetProducts<R> {
    u: Upcard,
    weights: Weights<R>,
    /// For each set of cards that two hands drew together, its index and the index in `products` of its first
    /// product.
    unions: Vec<(Index, Index)>,
    /// The products of the parts of the nets, one for each pair of kinds that has a weight.
    products: Vec<Nets<R>>,
}

impl<R: Real> NetProducts<R> {
    /// Multiplies every part of one hand's net by every part of another's.
    ///
    /// Collects the products by the cards of both hands.
    fn new(
        u: Upcard,
        weights: Weights<R>,
        parts: &[Part<R>],
        mut index: impl FnMut(&Counts) -> Index,
    ) -> Self {
        let mut own: Vec<Index> = Vec::new();
        let mut unions: Vec<(Index, Index)> = Vec::new();
        let mut products: Vec<Nets<R>> = Vec::new();
        for (i, (x, f)) in parts.iter().enumerate() {
            crate::cancel::check();
            for (j, (y, g)) in parts[i..].iter().enumerate() {
                let union = index(&together(x, y));
                let at = union as usize;
                if own.len() <= at {
                    own.resize(at + 1, NONE);
                }
                if own[at] == NONE {
                    own[at] = products.len() as Index;
                    unions.push((union, own[at]));
                    products.extend(weights.iter().map(|_| nothing()));
                }
                for (sum, ([s, t], _)) in products[own[at] as usize..].iter_mut().zip(&weights) {
                    add_product(sum, &f[*s], &g[*t]);
                    if j > 0 {
                        add_product(sum, &g[*s], &f[*t]);
                    }
                }
            }
        }
        NetProducts { u, weights, unions, products }
    }

    /// Replaces the index of each set of cards by its position in `place`, and sorts the sets by position.
    fn sort_by(&mut self, place: &[Index]) {
        self.unions.iter_mut().for_each(|union| union.0 = place[union.0 as usize]);
        self.unions.sort_unstable();
    }

    fn deepest(&self) -> usize {
        self.weights.iter().map(|w| w.1.len()).max().unwrap_or(0)
    }

    /// Returns the expected products of the sets of one chunk, with `further` pair cards removed.
    fn expected<'c>(
        &self,
        further: usize,
        (begin, many): (usize, usize),
        of: impl Fn(usize) -> (&'c Counts, [R; RESULTS]),
        orders: &OneOrder<R>,
    ) -> R {
        let from = self.unions.partition_point(|union| (union.0 as usize) < begin);
        let to = self.unions.partition_point(|union| (union.0 as usize) < begin + many);
        let weights: Vec<R> =
            self.weights.iter().map(|w| w.1.get(further).cloned().unwrap_or_else(R::zero)).collect();
        let mut sum = R::zero();
        for &(place, at) in &self.unions[from..to] {
            let nets = &self.products[at as usize..];
            let (cards, chances) = of(place as usize - begin);
            let mut expected = R::zero();
            for (o, chance) in DealerResult::ALL.into_iter().zip(chances) {
                let net = |n: R, (w, nets): (&R, &Nets<R>)| n + w.clone() * nets[o].clone();
                let net = weights.iter().zip(nets).fold(R::zero(), net);
                expected = expected + net * chance;
            }
            sum = sum + orders.chance(cards) * expected;
        }
        sum
    }
}

fn nothing<R: Real>() -> Nets<R> {
    std::array::from_fn(|_| R::zero())
}

fn add_product<R: Real>(sum: &mut Nets<R>, f: &Nets<R>, g: &Nets<R>) {
    for (sum, (f, g)) in sum.iter_mut().zip(f.iter().zip(g)) {
        *sum = sum.clone() + f.clone() * g.clone();
    }
}

/// Returns the shoe without the dealer's visible cards and some pair cards.
fn left<J, R, const U: usize>(
    solver: &Solver<J, R, U>,
    visible: &Counts,
    (rank, pair_cards): (Rank, u8),
) -> Shoe {
    let gone = |r: Rank| u16::from(visible[r]) + if r == rank { u16::from(pair_cards) } else { 0 };
    by_rank(|r| solver.shoe[r].saturating_sub(gone(r)))
}

/// Returns all parts of one hand's net, one part for each set of cards that the hand can draw.
fn parts<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    (book, bust): (&Book<R>, &Pay<R>),
    plan: &Plan<U>,
    (u, kinds): (Upcard, &[Kind]),
) -> Vec<Part<R>> {
    let mut found =
        PartSearch { sets: Removals::default(), parts: Vec::new(), rank: plan.rank, kinds: kinds.len() };
    let mut place: Vec<usize> = vec![usize::MAX; solver.hands.list.len()];
    plan.hands.iter().enumerate().for_each(|(at, &i)| place[i as usize] = at);
    for (kind, &(second, play)) in kinds.iter().enumerate() {
        let mut found =
            |hand: &Counts, n: &R, net: &Nets<R>, less: &Nets<R>| found.add(kind, hand, (n, net, less));
        let play = &plan.plays[play];
        let mut ways: Vec<Option<R>> = vec![None; solver.hands.list.len()];
        let add =
            |at: &mut Option<R>, n: &R| *at = Some(at.take().map_or_else(|| n.clone(), |x| x + n.clone()));
        for r in Rank::ALL.into_iter().filter(|&r| second == Second::Any || r != plan.rank) {
            for (i, part) in solver.second(plan.rank, r) {
                add(&mut ways[i as usize], &part);
            }
        }
        let surrender = &book.surrender[1];
        let (one, none) = (plus([0; RANKS], plan.rank), nothing());
        found(&one, &R::one(), &bust.single, &none);
        if second == Second::Other {
            found(&plus(one, plan.rank), &R::one(), &none, &bust.single);
        }
        // Hands are listed with later ones first; a hand is reached from those after it in the list.
        for (at, &i) in plan.hands.iter().enumerate().rev() {
            let Some(n) = ways[i as usize].take() else {
                continue;
            };
            let cards = solver.hand(i).cards;
            let stands = |at: usize| &book.pays[plan.pay[at] as usize];
            match play[at].action[u] {
                Action::Stand | Action::Split => found(&cards, &n, &stands(at).single, &bust.single),
                Action::Surrender => found(&cards, &n, &surrender.single, &bust.single),
                Action::Hit => {
                    for &next in solver.hands.next[i as usize].iter().filter(|&&next| next != NONE) {
                        add(&mut ways[next as usize], &n);
                    }
                }
                Action::Double => {
                    found(&cards, &n, &bust.doubled, &bust.single);
                    for (r, &next) in Rank::ALL.into_iter().zip(&solver.hands.next[i as usize]) {
                        if let Some(&j) = place.get(next as usize).filter(|&&j| j != usize::MAX) {
                            let surrendered_doubled = play[j].surrender_doubled[u];
                            let ends =
                                if surrendered_doubled { &surrender.doubled } else { &stands(j).doubled };
                            found(&plus(cards, r), &n, ends, &bust.doubled);
                        }
                    }
                }
            }
        }
    }
    found.parts
}

struct PartSearch<R> {
    sets: Removals,
    parts: Vec<Part<R>>,
    rank: Rank,
    kinds: usize,
}

impl<R: Real> PartSearch<R> {
    /// Adds the difference of two nets, times the number of orders of the cards, for hands of one kind.
    fn add(&mut self, kind: usize, hand: &Counts, (orders, net, less): (&R, &Nets<R>, &Nets<R>)) {
        let mut drawn = *hand;
        drawn[self.rank] -= 1;
        let at = self.sets.index(&drawn) as usize;
        if at == self.parts.len() {
            self.parts.push((drawn, vec![nothing(); self.kinds]));
        }
        for (sum, (net, less)) in self.parts[at].1[kind].iter_mut().zip(net.iter().zip(less)) {
            *sum = sum.clone() + orders.clone() * (net.clone() - less.clone());
        }
    }
}

/// Returns the kinds of hands, and the weight of every two of them over all arrangements.
///
/// The knowledge that another hand's card is not a pair card is turned into weights with further pair cards
/// removed.
fn weights<R: Real, const U: usize>(plan: &Plan<U>, left: &CardsLeft, u: Upcard) -> (Vec<Kind>, Weights<R>) {
    let most = plan.most_against(u);
    let mut kinds: Vec<Kind> = Vec::new();
    let mut pairs: Vec<[Kind; 2]> = Vec::new();
    let mut out: Weights<R> = Vec::new();
    for leaf in arrangements(most) {
        let hands = leaf.kinds(most, plan.plays.len());
        kinds.extend(&hands);
        kinds.sort_unstable();
        kinds.dedup();
        for (i, &first) in hands.iter().enumerate() {
            for &second in &hands[i + 1..] {
                let mut two = [first, second];
                two.sort_unstable();
                let own = two.iter().filter(|kind| kind.0 == Second::Other).count();
                let at = pairs.iter().position(|pair| *pair == two).unwrap_or_else(|| {
                    pairs.push(two);
                    out.push(([0; 2], vec![R::zero(); 2 * most - 3]));
                    out.len() - 1
                });
                // twice, once for each order of the two hands
                let chance = R::int(2) * left.chance::<R>(leaf.pairs, 0);
                spread_out(left, (leaf.pairs, leaf.others - own), chance, &mut out[at].1);
            }
        }
    }
    for (pair, two) in out.iter_mut().zip(pairs) {
        pair.0 = two.map(|kind| kinds.iter().position(|k| *k == kind).unwrap_or(0));
    }
    (kinds, out)
}

/// Adds the weight of `pairs` pair cards and `others` other cards as weights of pair cards alone.
fn spread_out<R: Real>(left: &CardsLeft, (pairs, others): (usize, usize), weight: R, into: &mut [R]) {
    if others == 0 {
        into[pairs] = into[pairs].clone() + weight;
        return;
    }
    let pair_card: R = left.pair_card(pairs);
    spread_out(left, (pairs + 1, others - 1), R::zero() - weight.clone() * pair_card, into);
    spread_out(left, (pairs, others - 1), weight, into);
}
