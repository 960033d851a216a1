//! The ways in which a player's hand ends, with its net against each result of a dealer hand.

use crate::cards::{Counts, NONE, plus};
use crate::hands::{Hand, Suits};
use crate::judge::{Ending, Finish, Judge, Net, Origin, OriginalBet, Stake};
use crate::plan::{Plan, origin};
use crate::round::Solved;
use crate::table::Table;
use crate::turn::{Action, Choice};
use crate::vocabulary::{ACE, DealerResult, RANKS, RESULTS, Rank, TEN, Upcard};
use std::collections::BTreeMap;

/// The solution of a table with one visible dealer card.
pub(super) type OneCard<'s, 'j, 't> = Solved<'s, 'j, Table<'t>, f64, RANKS>;

/// A class of finished hands: the net for each dealer result, and the relation to the original bet.
///
/// In `nets`, index 0 is for the first dealer hand, and index 1 for the later ones, when no bust is face down any
/// more. A dealer's blackjack takes the original bet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Class {
    pub nets: [[f64; RESULTS]; 2],
    pub owes: [OriginalBet; 2],
}

impl Class {
    /// Returns the net of the class if it is the same against every dealer result.
    ///
    /// Returns `None` if the net depends on the result, or if the hand can answer for the original bet.
    pub fn constant(&self) -> Option<f64> {
        let net = self.nets[0][0];
        let same = self.nets.as_flattened().iter().all(|&other| other == net);
        (same && !self.owes.contains(&OriginalBet::Answers)).then_some(net)
    }
}

/// For each set of cards and class of finished hands, the number of card orders that lead to it.
pub(super) type FinishedHands = BTreeMap<(Counts, usize), f64>;

/// The finished hands of a player found so far, each with its class and the number of card orders that lead to it.
pub(super) struct Endings<'a> {
    judge: &'a Table<'a>,
    origin: Origin,
    /// The amount that a hand loses to a dealer's blackjack if it was not split, in units of the initial bet.
    original: f64,
    pub classes: Vec<Class>,
    pub ends: FinishedHands,
    /// The index of the class of hands that bust with a single bet, or `None` if there is no such hand.
    pub bust: Option<usize>,
}

impl<'a> Endings<'a> {
    pub fn new(judge: &'a Table<'a>, origin: Origin) -> Self {
        let (n, d) = judge.original();
        let original = n as f64 / d.max(1) as f64;
        Endings { judge, origin, original, classes: Vec::new(), ends: FinishedHands::new(), bust: None }
    }

    /// Adds the finished hands of rounds without a split against upcard `u`.
    pub fn dealt(mut self, solved: &OneCard<'_, '_, '_>, u: Upcard) -> Self {
        let solver = solved.solver;
        let mut ways = vec![0.0; solver.hands.list.len()];
        for [a, b] in Rank::twos() {
            for (i, part) in solver.second(a, b) {
                let orders = if a == b { part } else { 2.0 * part };
                if solved.first[i as usize].action[u] == Action::Split {
                    continue;
                }
                if solved.takes_even_money(i, u) {
                    let net = self.judge.even_money().map_or(0.0, |(n, d)| n as f64 / d.max(1) as f64);
                    let paid = Class { nets: [[net; RESULTS]; 2], owes: [OriginalBet::Nothing; 2] };
                    self.add(&solver.hand(i).cards, orders, paid);
                } else {
                    ways[i as usize] += orders;
                }
            }
        }
        for &i in solver.hands.order.iter().rev() {
            let next = &solver.hands.next[i as usize];
            self.play(solved, (i, next), (&solved.base.choices, &mut ways), u);
        }
        self
    }

    /// Adds the ways in which one split hand can end against upcard `u`.
    ///
    /// The recorded cards of a hand exclude the pair card with which it begins.
    pub fn of_split(mut self, solved: &OneCard<'_, '_, '_>, plan: &Plan<RANKS>, u: Upcard) -> Self {
        let solver = solved.solver;
        let mut ways = vec![0.0; solver.hands.list.len()];
        for (i, part) in Rank::ALL.into_iter().flat_map(|r| solver.second(plan.rank, r)) {
            ways[i as usize] += part;
        }
        let idle = Choice { action: [Action::Stand; RANKS], surrender_doubled: [false; RANKS] };
        let mut choices = vec![idle; solver.hands.list.len()];
        plan.hands.iter().zip(&plan.plays[0]).for_each(|(&i, choice)| choices[i as usize] = *choice);
        for &i in plan.hands.iter().rev() {
            self.play(solved, (i, &solver.hands.next[i as usize]), (&choices, &mut ways), u);
        }
        let drawn = |((mut cards, class), orders): ((Counts, usize), f64)| {
            cards[plan.rank] -= 1;
            ((cards, class), orders)
        };
        self.ends = self.ends.into_iter().map(drawn).collect();
        self
    }

    /// Follows the decision on one hand: either the hand ends, or its card orders pass on to the hands with one
    /// more card.
    fn play(
        &mut self,
        solved: &OneCard<'_, '_, '_>,
        (i, next): (u32, &[u32; RANKS]),
        (choices, ways): (&[Choice<RANKS>], &mut [f64]),
        u: Upcard,
    ) {
        let solver = solved.solver;
        let orders = std::mem::take(&mut ways[i as usize]);
        if orders == 0.0 {
            return;
        }
        let hand = *solver.hand(i);
        let action = choices[i as usize].action[u];
        match action {
            Action::Stand | Action::Split => self.end(hand, Ending::Stood, Stake::Single, orders),
            Action::Surrender => self.end(hand, Ending::Surrendered, Stake::Single, orders),
            Action::Hit | Action::Double => {
                let stake = if action == Action::Double { Stake::Doubled } else { Stake::Single };
                for (r, &to) in Rank::ALL.into_iter().zip(next) {
                    if to == NONE {
                        if u16::from(hand.cards[r]) < solver.shoe[r] {
                            let cards = plus(hand.cards, r);
                            self.end(Hand { cards, ..hand }, Ending::Busted, stake, orders);
                        }
                    } else if action == Action::Hit {
                        ways[to as usize] += orders;
                    } else {
                        let given_up = choices[to as usize].surrender_doubled[u];
                        let ending = if given_up { Ending::Surrendered } else { Ending::Stood };
                        self.end(*solver.hand(to), ending, stake, orders);
                    }
                }
            }
        }
    }

    /// Adds a finished hand, once for each way in which it is settled if suits matter.
    fn end(&mut self, hand: Hand, ending: Ending, stake: Stake, orders: f64) {
        let natural = hand.size == 2 && hand.cards[ACE] == 1 && hand.cards[TEN] == 1;
        let part = |(n, d): (i64, i64)| n as f64 / d.max(1) as f64;
        let mut settled = vec![(hand, 1.0)];
        if ending == Ending::Stood {
            match (hand.suits, self.judge.third_suited(), self.judge.designated()) {
                (Suits::MaybeSuited, Some(chance), _) => {
                    let unlike = Hand { suits: Suits::Any, ..hand };
                    settled = vec![(hand, part(chance)), (unlike, 1.0 - part(chance))];
                }
                (_, _, Some(chance)) if natural && self.origin == Origin::Dealt => {
                    let designated = Hand { suits: Suits::Suited, ..hand };
                    settled = vec![(designated, part(chance)), (hand, 1.0 - part(chance))];
                }
                _ => {}
            }
        }
        for (settled, part) in settled {
            let class = self.settle(settled, ending, stake);
            let class = self.add(&hand.cards, orders * part, class);
            if (ending, stake) == (Ending::Busted, Stake::Single) {
                self.bust = Some(class);
            }
        }
    }

    /// Returns the class of a finished hand, asking the judge for its net against each result of the dealer.
    fn settle(&self, hand: Hand, ending: Ending, stake: Stake) -> Class {
        let split = matches!(self.origin, Origin::Split | Origin::SplitAce);
        let mut class = Class { nets: [[0.0; RESULTS]; 2], owes: [OriginalBet::Nothing; 2] };
        for at in 0..class.nets.len() {
            let unseen = at == 0 && ending == Ending::Busted && self.judge.unseen().0 > 0;
            let ending = if unseen { Ending::BustedUnseen } else { ending };
            let finish = Finish { hand, origin: self.origin, ending, stake };
            for result in DealerResult::ALL {
                let (net, owes) = match self.judge.net(&finish, result) {
                    Net::Amount(n, d) => ((n, d), None),
                    Net::Original => ((0, 1), Some(OriginalBet::Answers)),
                    Net::Collected(n, d) => ((n, d), Some(OriginalBet::Collected)),
                    Net::CollectedFirst(n, d) => ((n, d), Some(OriginalBet::CollectedFirst)),
                };
                class.nets[at][result] = net.0 as f64 / net.1.max(1) as f64;
                match owes {
                    Some(OriginalBet::Answers) if !split => class.nets[at][result] = -self.original,
                    Some(owes) if split => class.owes[at] = owes,
                    _ => {}
                }
            }
        }
        class
    }

    fn add(&mut self, cards: &Counts, orders: f64, class: Class) -> usize {
        let known = self.classes.iter().position(|known| *known == class);
        let at = known.unwrap_or(self.classes.len());
        if known.is_none() {
            self.classes.push(class);
        }
        *self.ends.entry((*cards, at)).or_insert(0.0) += orders;
        at
    }
}

/// Returns the possible endings of one split hand.
pub(super) fn split_endings<'a>(
    judge: &'a Table<'a>,
    solved: &OneCard<'_, '_, '_>,
    plan: &Plan<RANKS>,
    u: Upcard,
) -> Endings<'a> {
    Endings::new(judge, origin(plan.rank)).of_split(solved, plan, u)
}
