//! One player's decision: the value of each action on a hand against every visible state of the dealer.

use crate::cards::{Counts, Index, NONE, Shoe, each_card, shoe_size};
use crate::hands::Hand;
use crate::judge::{LegalActions, Pay};
use crate::num::{Real, inverse};
use crate::result::ResultDistribution;
use crate::seen::{Row, Seen, constant, seen_states};
use crate::vocabulary::{
    ACE, BLACKJACK, DealerResult, RANKS, RESULTS, Rank, TEN, Upcard, by_rank, by_result, by_up,
};

/// An action of the player.
///
/// If several actions are worth the same, the earlier one in this list is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Take no further card.
    Stand,
    /// Draw a card.
    Hit,
    /// Double the bet and draw one card.
    Double,
    /// Split the pair.
    Split,
    /// Give up half of the bet.
    Surrender,
}

/// The chosen actions on one hand, by visible state.
///
/// It includes whether the hand is surrendered if doubling leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<const U: usize> {
    /// The chosen action, by visible state.
    pub action: [Action; U],
    /// Whether to surrender after doubling into this hand, by visible state.
    pub surrender_doubled: [bool; U],
}

/// Values of the legal actions on one hand, by visible state.
#[derive(Clone)]
pub struct Turn<R, const U: usize> {
    /// The value of standing.
    pub stand: Row<R, U>,
    /// The value of standing on a hand that doubling leads to, with its doubled bet.
    pub doubled: Row<R, U>,
    /// The value of surrendering a hand that doubling leads to, with a doubled bet.
    pub surrendered_doubled: Row<R, U>,
    /// The value of hitting.
    pub hit: Row<R, U>,
    /// The value of doubling down.
    pub double: Row<R, U>,
    /// The value of surrendering.
    pub surrender: Row<R, U>,
    /// The legal actions of the hand.
    pub may: LegalActions,
}

/// The shoe from which the cards after one decision are drawn.
pub struct Draws<const U: usize> {
    shoe: Shoe,
    cards: i64,
    /// Visible cards of the dealer in each state. Only the first `shown` cards are used.
    visible: [[Rank; 2]; U],
    shown: usize,
    hole: Hole,
}

#[derive(Clone, Copy, PartialEq)]
enum Hole {
    Unknown,
    Shown,
}

/// Values of the hands that one more card can lead to.
pub struct NextValues<'a, R, const U: usize> {
    /// Value of each hand with a single bet under its chosen action, indexed by hand.
    pub best: &'a [Row<R, U>],
    /// Value of each hand with a doubled bet, indexed by hand.
    pub doubled: &'a [Row<R, U>],
    /// Hand to which a card of each value leads, or `NONE` if the card busts the hand or is not in the shoe.
    pub next: &'a [Index; RANKS],
    /// Whether doubling can lead to the hand whose actions are valued.
    pub by_double: bool,
}

/// Settlements of one hand, by how it ends.
pub struct Pays<'a, R> {
    /// The settlement if the hand stands.
    pub stand: &'a Pay<R>,
    /// The settlement if the hand busts.
    pub bust: &'a Pay<R>,
    /// The settlement if the hand is surrendered.
    pub surrender: &'a Pay<R>,
}

impl<const U: usize> Draws<U> {
    /// Returns the draws from `shoe`, which still contains the dealer's visible cards.
    pub fn new(shoe: &Shoe, seen: Seen) -> Self {
        let states = seen_states(seen);
        let cards = |state: &Counts| {
            let mut all = each_card(state);
            std::array::from_fn(|_| all.next().unwrap_or(ACE))
        };
        Draws {
            shoe: *shoe,
            cards: shoe_size(shoe),
            visible: by_up(|u| states.get(u.index()).map(cards).unwrap_or([ACE; 2])),
            shown: if seen == Seen::UpCard { 1 } else { 2 },
            hole: if seen == Seen::UpCard { Hole::Unknown } else { Hole::Shown },
        }
    }

    /// Returns the number of cards left of each value, without the hand and `removed` further cards of value
    /// `rank`.
    ///
    /// The count still includes the dealer's visible cards.
    fn left<R: Real>(&self, hand: &Hand, (rank, removed): (Rank, u8)) -> [R; RANKS] {
        by_rank(|r| {
            let extra = if r == rank { i64::from(removed) } else { 0 };
            R::int(i64::from(self.shoe[r]) - i64::from(hand.cards[r]) - extra)
        })
    }

    /// Returns the chance that the next card has each value, by visible state.
    ///
    /// `removed` further cards of value `rank` are already out of the shoe.
    pub fn next_card<R: Real>(&self, hand: &Hand, rank: Rank, removed: u8) -> [Row<R, U>; RANKS] {
        let gone = i64::from(hand.size) + i64::from(removed) + self.shown as i64;
        let per_card: R = inverse(self.cards - gone);
        let left: [R; RANKS] = self.left(hand, (rank, removed));
        by_rank(|r| {
            by_up(|u| {
                let shown = self.visible[u][..self.shown].iter().filter(|&&v| v == r).count() as i64;
                (left[r].clone() - R::int(shown)) * per_card.clone()
            })
        })
    }

    /// Returns the values of the actions on a hand, by visible state.
    ///
    /// `removed` further cards of value `rank` are already out of the shoe.
    pub fn turn<R: Real>(
        &self,
        hand: &Hand,
        (rank, removed): (Rank, u8),
        ends: &impl ResultDistribution<R, U>,
        (may, pays, ahead): (LegalActions, &Pays<R>, &NextValues<R, U>),
    ) -> Turn<R, U> {
        let zero = || constant::<R, U>(&R::zero());
        let stand = ends.settled(&pays.stand.single);
        let doubled = if ahead.by_double { ends.settled(&pays.stand.doubled) } else { zero() };
        let given_up = |allowed, pay| if allowed { given_up(pay, ends) } else { zero() };
        let surrendered_doubled = given_up(may.surrender_doubled, &pays.surrender.doubled);
        let surrender = given_up(may.surrender, &pays.surrender.single);
        let (mut hit, mut double) = (zero(), zero());
        if may.hit || may.double {
            let left: [R; RANKS] = self.left(hand, (rank, removed));
            let mut bust = zero();
            for (r, left) in Rank::ALL.into_iter().zip(&left) {
                match ahead.next[r] {
                    NONE if u16::from(hand.cards[r]) < self.shoe[r] => {
                        bust.iter_mut().for_each(|b| *b = b.clone() + left.clone());
                    }
                    NONE => {}
                    next => {
                        if may.hit {
                            add_product(&mut hit, left, &ahead.best[next as usize]);
                        }
                        if may.double {
                            add_product(&mut double, left, &ahead.doubled[next as usize]);
                        }
                    }
                }
            }
            // Exclude the visible cards, which cannot be drawn.
            for (u, visible) in Upcard::all::<U>().zip(&self.visible) {
                for &r in &visible[..self.shown] {
                    match ahead.next[r] {
                        NONE if u16::from(hand.cards[r]) < self.shoe[r] => {
                            bust[u] = bust[u].clone() - R::one()
                        }
                        NONE => {}
                        next => {
                            hit[u] = hit[u].clone() - ahead.best[next as usize][u].clone();
                            double[u] = double[u].clone() - ahead.doubled[next as usize][u].clone();
                        }
                    }
                }
            }
            let v_blackjack = self.busts_v_blackjack(hand, removed, &left, (ahead.next, &bust));
            let per_card: R =
                inverse(self.cards - i64::from(hand.size) - i64::from(removed) - self.shown as i64);
            for u in Upcard::all::<U>() {
                let v_other = bust[u].clone() - v_blackjack[u].clone();
                let lost = |row: &[R; RESULTS]| {
                    row[DealerResult::Seventeen].clone() * v_other.clone()
                        + row[BLACKJACK].clone() * v_blackjack[u].clone()
                };
                hit[u] = (hit[u].clone() + lost(&pays.bust.single)) * per_card.clone();
                double[u] = (double[u].clone() + lost(&pays.bust.doubled)) * per_card.clone();
            }
        }
        Turn { stand, doubled, surrendered_doubled, hit, double, surrender, may }
    }

    /// Returns the number of cards that bust the hand while the dealer has blackjack, by visible state.
    ///
    /// `bust` is the number of cards that bust the hand, by visible state.
    fn busts_v_blackjack<R: Real>(
        &self,
        hand: &Hand,
        removed: u8,
        left: &[R; RANKS],
        (next, bust): (&[Index; RANKS], &Row<R, U>),
    ) -> Row<R, U> {
        let mut v_blackjack = constant::<R, U>(&R::zero());
        if self.hole == Hole::Unknown {
            let per_card: R = inverse(self.cards - i64::from(hand.size) - i64::from(removed) - 2);
            for (up, hole) in [(TEN, ACE), (ACE, TEN)] {
                let u = Upcard::card(up);
                let mut both = bust[u].clone() * left[hole].clone();
                // A bust by a card of the hole card's value leaves one fewer of them.
                if next[hole] == NONE && u16::from(hand.cards[hole]) < self.shoe[hole] {
                    both = both - left[hole].clone();
                }
                v_blackjack[u] = both * per_card.clone();
            }
        }
        v_blackjack
    }
}

#[inline(always)]
fn add_product<R: Real, const U: usize>(sum: &mut Row<R, U>, cards: &R, value: &Row<R, U>) {
    for u in Upcard::all::<U>() {
        sum[u] = sum[u].clone() + cards.clone() * value[u].clone();
    }
}

/// Returns the value of a surrender, whose settlement can differ if the dealer turns out to have blackjack.
fn given_up<R: Real, const U: usize>(pay: &[R; RESULTS], ends: &impl ResultDistribution<R, U>) -> Row<R, U> {
    let blackjack = ends.settled(&by_result(|o| if o == BLACKJACK { R::one() } else { R::zero() }));
    blackjack.map(|chance| {
        pay[DealerResult::Seventeen].clone() * (R::one() - chance.clone()) + pay[BLACKJACK].clone() * chance
    })
}

impl<R: Real, const U: usize> Turn<R, U> {
    /// Returns the value of an action against visible state `u`.
    pub fn value(&self, action: Action, u: Upcard) -> &R {
        match action {
            Action::Stand | Action::Split => &self.stand[u],
            Action::Hit => &self.hit[u],
            Action::Double => &self.double[u],
            Action::Surrender => &self.surrender[u],
        }
    }

    /// Returns the values of the hand under `choice`: with a single bet, and with a doubled bet.
    pub fn followed(&self, choice: &Choice<U>) -> (Row<R, U>, Row<R, U>) {
        let doubled = |u: Upcard| {
            if choice.surrender_doubled[u] { &self.surrendered_doubled[u] } else { &self.doubled[u] }
        };
        (by_up(|u| self.value(choice.action[u], u).clone()), by_up(|u| doubled(u).clone()))
    }

    /// Returns the best action that `may` allows in visible state `u`, and its value. Splitting is not considered.
    pub fn best(&self, may: LegalActions, u: Upcard) -> (Action, R) {
        let mut best = (Action::Stand, &self.stand[u]);
        for (allowed, action, value) in [
            (may.hit, Action::Hit, &self.hit[u]),
            (may.double, Action::Double, &self.double[u]),
            (may.surrender, Action::Surrender, &self.surrender[u]),
        ] {
            if allowed && *value > *best.1 {
                best = (action, value);
            }
        }
        (best.0, best.1.clone())
    }
}
