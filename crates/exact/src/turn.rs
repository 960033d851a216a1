//! One player's decision: the value of each action on one hand against every visible state of the dealer.

use crate::cards::{ACE, RANKS, Shoe, TEN, shoe_size};
use crate::dealer::{BLACKJACK, Chances, RESULTS, Seen, seen_states};
use crate::hands::{Hand, Index, NONE};
use crate::judge::{May, Pay};
use crate::num::{Real, inverse};

/// One number for every visible state.
pub type Row<R, const U: usize> = [R; U];

/// A row of one number.
pub fn constant<R: Real, const U: usize>(x: &R) -> Row<R, U> {
    std::array::from_fn(|_| x.clone())
}

/// The player's actions, in the order in which the first of equal ones is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Take no further card.
    Stand,
    /// Draw a card.
    Hit,
    /// Double the wager and draw one card.
    Double,
    /// Split the pair.
    Split,
    /// Give up half.
    Surrender,
}

/// The values of one hand.
#[derive(Clone)]
pub struct Turn<R, const U: usize> {
    /// Standing.
    pub stand: Row<R, U>,
    /// Holding this hand with a doubled stake.
    pub doubled: Row<R, U>,
    /// Surrendering it with a doubled stake.
    pub rescued: Row<R, U>,
    /// Drawing.
    pub hit: Row<R, U>,
    /// Doubling down.
    pub double: Row<R, U>,
    /// Surrendering.
    pub surrender: Row<R, U>,
    /// What it may do.
    pub may: May,
}

/// The shoe as one decision sees it.
pub struct Draws<R, const U: usize> {
    shoe: Shoe,
    cards: i64,
    /// `visible[r][u]`: cards of value `r` among the visible ones of state `u`.
    visible: [[R; U]; RANKS],
    shown: i64,
    hole: Hole,
}

#[derive(Clone, Copy, PartialEq)]
enum Hole {
    Unknown,
    Shown,
}

/// What a decision needs of the hands that it may lead to.
pub struct Ahead<'a, R, const U: usize> {
    /// The value of going on with a hand.
    pub best: &'a [Row<R, U>],
    /// The value of a hand whose stake is doubled.
    pub doubled: &'a [Row<R, U>],
    /// The links of the hand.
    pub next: &'a [Index; RANKS],
    /// Whether a doubled hand can end as this one.
    pub by_double: bool,
}

/// How one hand is settled.
pub struct Pays<'a, R> {
    /// If it stands.
    pub stand: &'a Pay<R>,
    /// If it goes over.
    pub bust: &'a Pay<R>,
    /// If it is surrendered.
    pub surrender: &'a Pay<R>,
}

impl<R: Real, const U: usize> Draws<R, U> {
    /// Draws from `shoe`, in which the dealer's visible cards are still counted.
    pub fn new(shoe: &Shoe, seen: Seen) -> Self {
        let states = seen_states(seen);
        let count = |r: usize, u: usize| states.get(u).map_or(0, |s| i64::from(s[r]));
        Draws {
            shoe: *shoe,
            cards: shoe_size(shoe),
            visible: std::array::from_fn(|r| std::array::from_fn(|u| R::int(count(r, u)))),
            shown: if seen == Seen::UpCard { 1 } else { 2 },
            hole: if seen == Seen::UpCard { Hole::Unknown } else { Hole::Shown },
        }
    }

    /// The chance of each value as the next card, `removed` further cards of value `rank` being gone.
    pub fn next_card(&self, hand: &Hand, rank: usize, removed: u8) -> [Row<R, U>; RANKS] {
        let gone = i64::from(hand.size) + i64::from(removed) + self.shown;
        let per_card: R = inverse(self.cards - gone);
        std::array::from_fn(|r| {
            let extra = if r == rank { i64::from(removed) } else { 0 };
            let left = R::int(i64::from(self.shoe[r]) - i64::from(hand.cards[r]) - extra);
            std::array::from_fn(|u| (left.clone() - self.visible[r][u].clone()) * per_card.clone())
        })
    }

    /// The chance of a dealer's blackjack, ten-value up and ace up, once `hand`, the extra cards and the
    /// card `drawn` are gone.
    fn blackjack_after(&self, hand: &Hand, rank: usize, removed: u8, drawn: usize) -> [R; 2] {
        let gone = i64::from(hand.size) + i64::from(removed) + 2;
        let per_card: R = inverse(self.cards - gone);
        let left = |r: usize| {
            let extra = if r == rank { i64::from(removed) } else { 0 };
            let own = i64::from(hand.cards[r]) + i64::from(r == drawn);
            R::int((i64::from(self.shoe[r]) - own - extra).max(0))
        };
        [left(ACE) * per_card.clone(), left(TEN) * per_card]
    }

    /// The values of a hand, `removed` further cards of value `rank` being gone from the shoe.
    pub fn turn(
        &self,
        hand: &Hand,
        (rank, removed): (usize, u8),
        chances: &Chances<R, U>,
        (may, pays, ahead): (May, &Pays<R>, &Ahead<R, U>),
    ) -> Turn<R, U> {
        let zero = || constant::<R, U>(&R::zero());
        let stand = settled(&pays.stand.single, chances);
        let doubled = if ahead.by_double { settled(&pays.stand.doubled, chances) } else { zero() };
        let given_up = |allowed, pay| if allowed { given_up(pay, chances) } else { zero() };
        let rescued = given_up(may.surrender_doubled, &pays.surrender.doubled);
        let surrender = given_up(may.surrender, &pays.surrender.single);
        let (mut hit, mut double) = (zero(), zero());
        if may.hit || may.double {
            let draw = self.next_card(hand, rank, removed);
            let (mut bust, mut bust_v_blackjack) = (zero(), zero());
            for (r, p) in draw.iter().enumerate() {
                let next = ahead.next[r];
                if next == NONE {
                    if u16::from(hand.cards[r]) < self.shoe[r] {
                        self.add_bust(hand, (rank, removed, r), p, (&mut bust, &mut bust_v_blackjack));
                    }
                    continue;
                }
                if may.hit {
                    add_product(&mut hit, p, &ahead.best[next as usize]);
                }
                if may.double {
                    add_product(&mut double, p, &ahead.doubled[next as usize]);
                }
            }
            for u in 0..U {
                let v_other = bust[u].clone() - bust_v_blackjack[u].clone();
                let lost = |row: &[R; RESULTS]| {
                    row[0].clone() * v_other.clone() + row[BLACKJACK].clone() * bust_v_blackjack[u].clone()
                };
                hit[u] = hit[u].clone() + lost(&pays.bust.single);
                double[u] = double[u].clone() + lost(&pays.bust.doubled);
            }
        }
        Turn { stand, doubled, rescued, hit, double, surrender, may }
    }

    fn add_bust(
        &self,
        hand: &Hand,
        (rank, removed, drawn): (usize, u8, usize),
        p: &Row<R, U>,
        (bust, v_blackjack): (&mut Row<R, U>, &mut Row<R, U>),
    ) {
        for (b, p) in bust.iter_mut().zip(p) {
            *b = b.clone() + p.clone();
        }
        if self.hole == Hole::Unknown {
            let [ten_up, ace_up] = self.blackjack_after(hand, rank, removed, drawn);
            v_blackjack[TEN] = v_blackjack[TEN].clone() + p[TEN].clone() * ten_up;
            v_blackjack[ACE] = v_blackjack[ACE].clone() + p[ACE].clone() * ace_up;
        }
    }
}

#[inline(always)]
fn add_product<R: Real, const U: usize>(sum: &mut Row<R, U>, p: &Row<R, U>, value: &Row<R, U>) {
    for u in 0..U {
        sum[u] = sum[u].clone() + p[u].clone() * value[u].clone();
    }
}

/// The value of a hand whose net depends on the dealer's result alone.
fn settled<R: Real, const U: usize>(pay: &[R; RESULTS], chances: &Chances<R, U>) -> Row<R, U> {
    let mut sum = constant(&R::zero());
    for (pay, chance) in pay.iter().zip(chances).filter(|(pay, _)| **pay != R::zero()) {
        for u in 0..U {
            sum[u] = sum[u].clone() + chance[u].clone() * pay.clone();
        }
    }
    sum
}

/// The value of a surrender: one amount, another if the dealer turns out to have blackjack.
fn given_up<R: Real, const U: usize>(pay: &[R; RESULTS], chances: &Chances<R, U>) -> Row<R, U> {
    std::array::from_fn(|u| {
        let blackjack = chances[BLACKJACK][u].clone();
        pay[0].clone() * (R::one() - blackjack.clone()) + pay[BLACKJACK].clone() * blackjack
    })
}

impl<R: Real, const U: usize> Turn<R, U> {
    /// The value of an action.
    pub fn value(&self, action: Action, u: usize) -> &R {
        match action {
            Action::Stand | Action::Split => &self.stand[u],
            Action::Hit => &self.hit[u],
            Action::Double => &self.double[u],
            Action::Surrender => &self.surrender[u],
        }
    }

    /// The best action among those that `may` allows, and its value. A pair is not looked at here.
    pub fn best(&self, may: May, u: usize) -> (Action, R) {
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
