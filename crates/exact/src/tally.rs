//! The expected number of split hands that end in each way.
//!
//! A way to end is a settlement, a bet and a result of the dealer. The value of the hands depends on the measure,
//! and is computed last.
//!
//! A hand with the cards `H` is reached in a number of orders, and the chance of each order is one product of
//! falling factorials. The number of hands that go over 21 needs no separate sum, since every hand ends somehow.

use crate::cards::{Counts, Index, NONE, Shoe, pair_of, plus, together};
use crate::dealer::{ChanceTable, DealerTree, StateWeights};
use crate::hands::Hand;
use crate::judge::{Book, Judge, OriginalBet, Pay, PayId, Stake};
use crate::num::Real;
use crate::plan::Plan;
use crate::result::Chances;
use crate::seen::{Row, constant};
use crate::solve::Solver;
use crate::split_weights::{Drawn, OrderCounts, Orders, SplitWeights};
use crate::turn::{Action, Choice};
use crate::vocabulary::{BLACKJACK, DealerResult, OVER, RANKS, RESULTS, Rank, Upcard, by_up};

/// Expected numbers of hands of one split, by how they end and by visible state.
pub struct Tally<R, const U: usize> {
    settled: Vec<Settled<R, U>>,
    busted: Known<R, U>,
    busted_doubled: Known<R, U>,
    surrendered: Known<R, U>,
    surrendered_doubled: Known<R, U>,
}

/// Expected numbers of split hands that stand with the same settlement, by the dealer's result and the visible
/// state.
struct Settled<R, const U: usize> {
    pay: PayId,
    single: Chances<R, U>,
    doubled: Chances<R, U>,
}

/// Expected numbers of split hands whose settlement depends only on whether the dealer has blackjack.
struct Known<R, const U: usize> {
    all: Row<R, U>,
    v_blackjack: Row<R, U>,
}

impl<R: Real, const U: usize> Known<R, U> {
    fn none() -> Self {
        Known { all: zero(), v_blackjack: zero() }
    }

    /// Adds numbers of hands: of `hands`, and of those among them that meet a dealer's blackjack.
    fn add(&mut self, hands: &Row<R, U>, v_blackjack: &[(Upcard, R)]) {
        add(&mut self.all, hands);
        for (u, hands) in v_blackjack {
            self.v_blackjack[*u] = self.v_blackjack[*u].clone() + hands.clone();
        }
    }

    fn without(mut self, others: [&Self; 2]) -> Self {
        for other in others {
            for u in Upcard::all::<U>() {
                self.all[u] = self.all[u].clone() - other.all[u].clone();
                self.v_blackjack[u] = self.v_blackjack[u].clone() - other.v_blackjack[u].clone();
            }
        }
        self
    }

    fn value(&self, pay: &[R; RESULTS], u: Upcard) -> R {
        let v_blackjack = self.v_blackjack[u].clone();
        pay[DealerResult::Seventeen].clone() * (self.all[u].clone() - v_blackjack.clone())
            + pay[BLACKJACK].clone() * v_blackjack
    }
}

fn zero<R: Real, const U: usize>() -> Row<R, U> {
    constant(&R::zero())
}

fn add<R: Real, const U: usize>(sum: &mut Row<R, U>, more: &Row<R, U>) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.clone() + more.clone();
    }
}

fn is_some<R: Real>(row: &[R]) -> bool {
    row.iter().any(|n| *n != R::zero())
}

impl<R: Real, const U: usize> Tally<R, U> {
    /// Returns the expected value of all hands of the split, by visible state.
    pub fn value(&self, book: &Book<R>) -> Row<R, U> {
        let (bust, surrender) = (&book.bust[1], &book.surrender[1]);
        let mut value: Row<R, U> = by_up(|u| {
            self.busted.value(&bust.single, u)
                + self.busted_doubled.value(&bust.doubled, u)
                + self.surrendered.value(&surrender.single, u)
                + self.surrendered_doubled.value(&surrender.doubled, u)
        });
        for alike in &self.settled {
            let pay = &book.pays[alike.pay as usize];
            for (hands, pay) in [(&alike.single, &pay.single), (&alike.doubled, &pay.doubled)] {
                for (hands, pay) in hands.iter().zip(pay).filter(|(_, pay)| **pay != R::zero()) {
                    for (value, hands) in value.iter_mut().zip(hands) {
                        *value = value.clone() + hands.clone() * pay.clone();
                    }
                }
            }
        }
        value
    }
}

impl<R: Real, const U: usize> Tally<R, U> {
    /// Returns the expected number of hands that answer for the original bet, by visible state.
    ///
    /// Only hands against a dealer's blackjack are counted.
    pub fn answering(&self, book: &Book<R>) -> Row<R, U> {
        let mut hands = zero();
        let answer = |pay: &Pay<R>, stake| pay.owes(stake) == OriginalBet::Answers;
        let (bust, surrender) = (&book.bust[1], &book.surrender[1]);
        for (known, pay, stake) in [
            (&self.busted, bust, Stake::Single),
            (&self.busted_doubled, bust, Stake::Doubled),
            (&self.surrendered, surrender, Stake::Single),
            (&self.surrendered_doubled, surrender, Stake::Doubled),
        ] {
            if answer(pay, stake) {
                add(&mut hands, &known.v_blackjack);
            }
        }
        for alike in &self.settled {
            let pay = &book.pays[alike.pay as usize];
            for (settled, stake) in [(&alike.single, Stake::Single), (&alike.doubled, Stake::Doubled)] {
                if answer(pay, stake) {
                    add(&mut hands, &settled[BLACKJACK]);
                }
            }
        }
        hands
    }
}

/// The ways in which the hands of a plan end, before the dealer draws.
pub struct Endings<'a, R, const U: usize> {
    plan: &'a Plan<U>,
    other: Counts,
    weights: SplitWeights<R, U>,
    stood: Vec<Stood<'a, R, U>>,
    tally: Tally<R, U>,
}

/// A hand of a plan that stands, with the orders in which it is reached.
struct Stood<'a, R, const U: usize> {
    /// The index of the hand in the plan.
    at: usize,
    hand: &'a Hand,
    drawn: Drawn,
    stake: Stake,
    /// The number of orders of cards in which the hand is reached.
    reached: OrderCounts<R, U>,
    /// The index in `Tally::settled` at which the hand is counted.
    alike: usize,
}

impl<'a, R: Real, const U: usize> Endings<'a, R, U> {
    /// Returns the ways in which the hands of a plan end.
    ///
    /// With `n` hands, each hand is weighted `1 / n^power`.
    pub fn of<J: Judge>(solver: &'a Solver<J, R, U>, plan: &'a Plan<U>, power: u32) -> Self {
        let weights = SplitWeights::new(solver, plan, power);
        let mut pays = plan.pay.clone();
        pays.sort_unstable();
        pays.dedup();
        let none = || Known::none();
        let [mut begun, mut settled, mut settled_doubled, mut doubled] = [none(), none(), none(), none()];
        let [mut surrendered, mut surrendered_doubled] = [none(), none()];
        let empty = || std::array::from_fn(|_| zero());
        let mut counted: Vec<Settled<R, U>> =
            pays.iter().map(|&pay| Settled { pay, single: empty(), doubled: empty() }).collect();
        let mut stood = Vec::new();
        for (nth, play) in plan.plays.iter().enumerate() {
            let all = constant(&R::one());
            for (cards, reached) in [
                (plus([0; RANKS], plan.rank), OrderCounts { any: all.clone(), pair: zero() }),
                (pair_of(plan.rank), OrderCounts { any: zero(), pair: all }),
            ] {
                let (drawn, kept) = (weights.drawn(nth, &cards), weights.kept(&cards));
                let v_blackjack = weights.v_blackjack(&cards, &drawn, (&kept, &reached));
                begun.add(&weights.hands(&drawn, &kept, &reached), &v_blackjack);
            }
            let (reached, by_double) = orders(solver, plan, play);
            for (at, &i) in plan.hands.iter().enumerate() {
                let hand = solver.hand(i);
                let Choice { action, surrender_doubled } = &play[at];
                let mut kept = None;
                let mut part =
                    |of: &OrderCounts<R, U>, is: &dyn Fn(Upcard) -> bool, known: &mut Known<R, U>| {
                        let reached = of.only(is)?;
                        let kept = kept.get_or_insert_with(|| weights.kept(&hand.cards));
                        let drawn = weights.drawn(nth, &hand.cards);
                        let hands = weights.hands(&drawn, kept, &reached);
                        known.add(&hands, &weights.v_blackjack(&hand.cards, &drawn, (kept, &reached)));
                        Some((reached, drawn, hands))
                    };
                let stands = |u: Upcard| matches!(action[u], Action::Stand | Action::Split);
                part(&reached[at], &|u| action[u] == Action::Double, &mut doubled);
                part(&reached[at], &|u| action[u] == Action::Surrender, &mut surrendered);
                part(&by_double[at], &|u| surrender_doubled[u], &mut surrendered_doubled);
                let alike = pays.partition_point(|&pay| pay < plan.pay[at]);
                let single = part(&reached[at], &stands, &mut settled);
                let twice = part(&by_double[at], &|u| !surrender_doubled[u], &mut settled_doubled);
                for (stake, ends) in [(Stake::Single, single), (Stake::Doubled, twice)] {
                    let Some((reached, drawn, hands)) = ends else { continue };
                    // Count all hands as over here; those against other results are subtracted later.
                    add(&mut counted[alike].of(stake)[OVER], &hands);
                    stood.push(Stood { at, hand, drawn, stake, reached, alike });
                }
            }
        }
        let tally = Tally {
            settled: counted,
            busted: begun.without([&settled, &surrendered]).without([&doubled, &none()]),
            busted_doubled: doubled.without([&settled_doubled, &surrendered_doubled]),
            surrendered,
            surrendered_doubled,
        };
        Endings { plan, other: solver.other, weights, stood, tally }
    }

    /// Counts the hands by the dealer's result, from the dealer's finished hands.
    pub fn against(mut self, dealer: &DealerTree<R, U>, shoe: &Shoe) -> Tally<R, U> {
        let rank = self.plan.rank;
        let (mut rows, mut gone, mut needed) = (Vec::new(), Vec::new(), Vec::new());
        for stood in &self.stood {
            let ways = self.weights.ways(&stood.hand.cards);
            for second in [Orders::Any, Orders::Pair] {
                let orders = stood.reached.of(second);
                if is_some(orders) {
                    // Replace the number of pair cards by a number that identifies the weights.
                    let mut cards = together(&stood.hand.cards, &self.other);
                    let which = stood.drawn.play * 2 + usize::from(second == Orders::Pair);
                    let told_apart = stood.drawn.pairs * 2 * self.plan.plays.len() + which;
                    assert!(told_apart <= usize::from(u8::MAX), "too many hands to tell apart");
                    cards[rank] = told_apart as u8;
                    gone.push(cards);
                    needed.push(dealer.groups_of(orders));
                    let per_way =
                        |u: Upcard| orders[u].clone() * ways.clone() * self.weights.per_shown[u].clone();
                    let times: Row<R, U> = by_up(per_way);
                    rows.push(StoodOrders { stood, second, times });
                }
            }
        }
        let rows = Rows { weights: &self.weights, rows };
        let settled = &mut self.tally.settled;
        dealer.each_weighed((rank, shoe), (&gone, &needed), (&self.weights.classes, &rows), |row, ends| {
            let StoodOrders { stood, times, .. } = &rows.rows[row];
            ends.add_to(settled[stood.alike].of(stood.stake), times);
        });
        for hands in settled.iter_mut().flat_map(|alike| [&mut alike.single, &mut alike.doubled]) {
            let [results @ .., over, blackjack] = hands;
            for other in results.iter().chain([&*blackjack]) {
                for (over, other) in over.iter_mut().zip(other) {
                    *over = over.clone() - other.clone();
                }
            }
        }
        self.tally
    }

    /// Counts the hands by the dealer's result, from a lookup table of the dealer's chances.
    ///
    /// `rows` holds the row of each hand in `table`, for 0, 1 … pair cards removed besides the split pair.
    pub fn looked_up(mut self, table: &ChanceTable<R>, rows: &[Index]) -> Tally<R, U> {
        let depths = self.plan.deepest() + 1;
        for alike in &mut self.tally.settled {
            (alike.single[OVER], alike.doubled[OVER]) = (zero(), zero());
        }
        for stood in &self.stood {
            let ways = self.weights.kept(&stood.hand.cards);
            for (a, &row) in
                rows[stood.at * depths..][..depths].iter().enumerate().filter(|(_, row)| **row != NONE)
            {
                let hands = self.weights.hands_at(a, &stood.drawn, &ways, &stood.reached);
                table.of(row).add_to(self.tally.settled[stood.alike].of(stood.stake), &hands);
            }
        }
        self.tally
    }
}

/// A hand that stands, counted for one set of card orders.
struct StoodOrders<'a, R, const U: usize> {
    stood: &'a Stood<'a, R, U>,
    second: Orders,
    /// The factor of the sum over the dealer's hands, by visible state.
    times: Row<R, U>,
}

struct Rows<'a, R, const U: usize> {
    weights: &'a SplitWeights<R, U>,
    rows: Vec<StoodOrders<'a, R, U>>,
}

impl<R: Real, const U: usize> StateWeights<R> for Rows<'_, R, U> {
    fn weights(&self, row: usize, class: usize) -> &[R] {
        let StoodOrders { stood, second, .. } = &self.rows[row];
        self.weights.of_hand(&stood.drawn, *second, class)
    }
}

impl<R, const U: usize> Settled<R, U> {
    fn of(&mut self, stake: Stake) -> &mut Chances<R, U> {
        match stake {
            Stake::Single => &mut self.single,
            Stake::Doubled => &mut self.doubled,
        }
    }
}

impl<R: Real, const U: usize> OrderCounts<R, U> {
    /// Returns the order counts in the selected states, or `None` if there are no orders.
    fn only(&self, is: &dyn Fn(Upcard) -> bool) -> Option<Self> {
        if !Upcard::all::<U>().any(|u| self.any[u] != R::zero() && is(u)) {
            return None;
        }
        let of = |row: &Row<R, U>| by_up(|u| if is(u) { row[u].clone() } else { R::zero() });
        Some(OrderCounts { any: of(&self.any), pair: of(&self.pair) })
    }

    /// Adds another hand's order counts in the visible states where an action is taken.
    fn add(&mut self, other: &Self, taken: &[bool; U]) {
        for u in Upcard::all::<U>().filter(|&u| taken[u]) {
            self.any[u] = self.any[u].clone() + other.any[u].clone();
            self.pair[u] = self.pair[u].clone() + other.pair[u].clone();
        }
    }
}

/// Returns the orders in which each hand of a plan is reached: with a single bet, and as the end of a double.
fn orders<J: Judge, R: Real, const U: usize>(
    solver: &Solver<J, R, U>,
    plan: &Plan<U>,
    play: &[Choice<U>],
) -> (Vec<OrderCounts<R, U>>, Vec<OrderCounts<R, U>>) {
    let mut place: Vec<Index> = vec![NONE; solver.hands.list.len()];
    (0..).zip(&plan.hands).for_each(|(at, &i)| place[i as usize] = at);
    let mut reached = vec![OrderCounts { any: zero(), pair: zero() }; plan.hands.len()];
    let mut doubled = reached.clone();
    for r in Rank::ALL {
        for (i, part) in solver.second(plan.rank, r) {
            let Some(second) = reached.get_mut(place[i as usize] as usize) else { continue };
            second.any = constant(&part);
            if r == plan.rank {
                second.pair = constant(&part);
            }
        }
    }
    // A hand comes after all hands that it can become.
    for (at, &i) in plan.hands.iter().enumerate().rev() {
        let from = reached[at].clone();
        for (action, to) in [(Action::Hit, &mut reached), (Action::Double, &mut doubled)] {
            let taken = play[at].action.map(|taken| taken == action);
            if taken.contains(&true) && is_some(&from.any) {
                for &next in solver.hands.next[i as usize].iter().filter(|&&next| next != NONE) {
                    if let Some(to) = to.get_mut(place[next as usize] as usize) {
                        to.add(&from, &taken);
                    }
                }
            }
        }
    }
    (reached, doubled)
}
