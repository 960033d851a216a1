//! Determines which bet is settled next at the end of the round, in the order of the regulation.

use super::{Move, Pending};
use crate::event::{Announcement, Approval, Ending, Event, Fact, SettledAt};
use crate::ids::Bettor;
use crate::round::{BoxPlay, HandState, Void};
use crate::table::{Awaiting, Next, Table};
use rules::wager::{Moment, Prize, bonus};
use rules::{Cents, Clause};

impl Table {
    /// Returns the next step of settling all open bets, or `None` when all are settled.
    ///
    /// Losing bets are settled first, then returned bets, then winning bets and the side bets paid with them.
    #[inline(never)]
    pub(super) fn next_in_settlement(&self) -> Option<Pending> {
        if let Some(next) = self.next_double_turned() {
            return Some(next.into());
        }
        // 2.6A(g): cards still face down are turned over before they are settled
        if let Some(play) = self.round.boxes.iter().find(|play| {
            play.marks.face_down
                && play.hands.iter().any(|hand| matches!(hand.state, HandState::Open | HandState::Complete))
        }) && let Some(by) = self.text().deal.face_down
            && let Some(event) = self.cards_turned(play, by.turned)
        {
            return Some(Next::Due(event).into());
        }
        if self.rules.has_streaks() {
            return self.next_from_the_right().map(Pending::from);
        }
        match self.round.cursor {
            at @ 0..3 => Some(match self.next_stake(at).or_else(|| self.insurance_after_losers()) {
                Some(event) => Next::Due(event).into(),
                None => Move::Place(at + 1).into(),
            }),
            _ => self.next_paid_with_main_wager().map(Pending::from),
        }
    }

    /// Returns the next settlement of insurance where a winning insurance bet waits for the losing bets (MA 8(d)).
    ///
    /// Returns `None` under other regulations, and when no insurance bet is open.
    fn insurance_after_losers(&self) -> Option<Event> {
        let second = self.round.dealer.cards().get(1).filter(|_| self.text().insurance.after_losers)?;
        self.insurance_on(*second)
    }

    /// Returns the event that turns up a face-down double card (2.10(c)#7), or `None` if none is left.
    pub(super) fn next_double_turned(&self) -> Option<Next> {
        for play in &self.round.boxes {
            if let Some(hand) = play.hands.iter().find(|hand| hand.face_down)
                && let Some(by) = self.text().double.turned
                && let Some(card) = hand.hand.cards().last()
            {
                let fact = Fact::DoubleTurned { box_id: play.id, hand: hand.number, card: *card };
                return Some(Next::Due(self.event(fact, by)));
            }
        }
        None
    }

    /// Returns the next settlement at a table with streak bets, which settles player by player (2.22(c)).
    ///
    /// The players follow from the dealer's right. After a player's bets are settled, that player's lammer may
    /// move.
    pub(super) fn next_from_the_right(&self) -> Option<Next> {
        for play in self.round.boxes.iter().rev() {
            if let Some(event) = self.next_stake_of(play, None, self.settled_when()) {
                return Some(Next::Due(event));
            }
            for bettor in 0..play.bettors.len() {
                if let Some(event) = self.streak_event(play, bettor) {
                    return Some(Next::Due(event));
                }
            }
        }
        self.next_paid_with_main_wager()
    }

    /// Returns the next step for side bets that are paid together with the main bet, or `None` if none is left.
    ///
    /// See 2.19(h), 2.24(e)2, 2.17(e).
    pub(super) fn next_paid_with_main_wager(&self) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                let needs = self.progressive_won(play, at) && !bettor.approved;
                if needs && let Some(event) = self.progressive_check(play, at) {
                    return Some(Next::Due(event));
                }
                if needs {
                    return Some(Next::Await(Awaiting::Approval(Approval::Progressive(
                        play.id,
                        Bettor(at as u8),
                    ))));
                }
            }
            if let Some(next) = self.queens_approval() {
                return Some(next);
            }
            for moment in [Moment::AfterHoleCard, Moment::Decision, Moment::End] {
                if let Some(event) = self.next_side_of(play, moment, self.settled_when(), None) {
                    return Some(Next::Due(event));
                }
            }
        }
        self.meter_reset()
    }

    /// Returns the dealer's next check of a progressive win: first the cards, then the light (2.19(g)1-2).
    ///
    /// Returns `None` after both checks; a supervisor then validates the payout.
    pub(super) fn progressive_check(&self, play: &BoxPlay, at: usize) -> Option<Event> {
        let (box_id, bettor, by) = (play.id, Bettor(at as u8), self.text().meter()?);
        match play.bettors[at].checks {
            0 => Some(self.event(Fact::CardsVerified { box_id, bettor }, by.cards)),
            1 => Some(self.event(Fact::LightVerified { box_id, bettor }, by.light)),
            _ => None,
        }
    }

    /// Returns the dealer's next check of a bonus payment (2.20(g)1-3), or `None` after the last one.
    ///
    /// The dealer verifies the cards and then the amount, and announces an amount below 100.00.
    pub(super) fn bonus_check(&self, play: &BoxPlay, at: usize, amount: Cents) -> Option<Event> {
        let (box_id, bettor, by) = (play.id, Bettor(at as u8), self.text().button()?);
        match play.bettors[at].checks {
            0 => Some(self.event(Fact::CardsVerified { box_id, bettor }, by.cards)),
            1 => Some(self.event(Fact::AmountVerified { box_id, bettor, amount }, by.amount)),
            2 if amount < bonus::CONFIRMED_FROM => {
                Some(self.event(Fact::Announced(Announcement::Bonus(box_id, bettor, amount)), by.announced))
            }
            _ => None,
        }
    }

    /// Returns the event that resets the meter to its starting amount after a win (2.19(i)), or `None` without a
    /// win.
    pub(super) fn meter_reset(&self) -> Option<Next> {
        let seed = self.rules.bet_for(Prize::Meter)?.1.seed;
        let mut boxes = self.round.boxes.iter();
        let won = boxes.any(|play| play.bettors.iter().any(|bettor| self.wins_meter(play, bettor)));
        let by = self.text().meter().filter(|_| won && self.memory.meter != seed)?;
        Some(Next::Due(self.event(Fact::MeterReset(seed), by.reset)))
    }

    /// Returns the event that starts the next dealer hand (2.18(f)2-(h)).
    ///
    /// Returns `None` if no bet against a later dealer hand is unsettled.
    #[inline(never)]
    pub(super) fn next_dealer_hand(&self) -> Option<Next> {
        let several = self.text().wagers.several?;
        let index = self.round.dealer_hand_index + 1;
        let open = self.round.boxes.iter().any(|play| {
            let hands = play.hands.iter().any(|hand| {
                (0..play.bettors.len()).any(|bettor| {
                    let stakes = &hand.stakes[bettor];
                    (index..3).any(|spot| stakes.is_open(stakes.base_kind, spot))
                })
            });
            hands || play.bettors.iter().any(|bettor| (index..3).any(|spot| bettor.insurance_open(0, spot)))
        });
        open.then(|| {
            let by = if index == 1 { several.second } else { several.third };
            Next::Due(self.event(Fact::NextDealerHand(crate::ids::Spot(index as u8)), by))
        })
    }

    /// Returns the next step of paying bonus bets with the bonus button (2.20(f)), or `None` if no step is left.
    ///
    /// The button moves from winner to winner, starting at the dealer's left.
    #[inline(never)]
    pub(super) fn next_bonus_button(&self) -> Option<Next> {
        if !self.round.any_side {
            return None;
        }
        let by = self.text().button()?;
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                if !self.has_open_bonus_bet(bettor) {
                    continue;
                }
                let id = Bettor(at as u8);
                if !bettor.button {
                    let fact = Fact::ButtonPlaced { box_id: play.id, bettor: id };
                    return Some(Next::Due(self.event(fact, by.placed)));
                }
                if bettor.award.is_none() && !bettor.bonus_failed {
                    return Some(Next::Await(Awaiting::Award(play.id, id)));
                }
                if let Some(amount) = bettor.award
                    && let Some(event) = self.bonus_check(play, at, amount)
                {
                    return Some(Next::Due(event));
                }
                // 2.20(g)4
                let large = bettor.award.is_some_and(|award| award >= bonus::CONFIRMED_FROM);
                if large && !bettor.approved {
                    return Some(Next::Await(Awaiting::Approval(Approval::Bonus(play.id, id))));
                }
                if let Some(event) = self.bonus_event(play, at) {
                    return Some(Next::Due(event));
                }
            }
        }
        None
    }

    /// Returns the next step of a void round: to return an open bet, undo a settlement, or pick up the cards.
    ///
    /// Settlements are undone only if [`Void::reverses`] is true; otherwise a won bonus bet is still paid.
    pub(super) fn next_after_void(&self, void: Void) -> Next {
        if let Some(next) = self.exposed_burned() {
            return next;
        }
        if let Some(event) = self.void_event(void.by, SettledAt::End) {
            return Next::Due(event);
        }
        if !void.reverses
            && let Some(next) = self.next_bonus_button()
        {
            return next;
        }
        let settled = self.round.settled.iter().skip(self.round.reversed);
        match settled.copied().find(|settlement| settlement.ending != Ending::Void) {
            Some(settlement) if void.reverses => Next::Due(self.event(Fact::Reversed(settlement), void.by)),
            _ => Next::Due(self.event(Fact::PickedUp, self.pick_up_by())),
        }
    }

    #[inline(never)]
    pub(super) fn next_in_pick_up(&self) -> Next {
        self.exposed_burned().unwrap_or_else(|| Next::Due(self.event(Fact::PickedUp, self.pick_up_by())))
    }

    pub(super) fn pick_up_by(&self) -> Clause {
        let bonus = self.round.any_side
            && self.round.boxes.iter().flat_map(|play| &play.bettors).any(|bettor| bettor.button);
        match self.text().button() {
            Some(by) if bonus => by.picked_up,
            _ => self.text().deal.pick_up,
        }
    }
}
