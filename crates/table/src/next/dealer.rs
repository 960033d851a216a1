//! Determines the next step for the dealer's cards, and for the bets that those cards decide.

use crate::event::{Announcement, Event, Fact, SettledAt};
use crate::ids::CardPlace;
use crate::round::{Announced, BoxRole, HandState, Hole, Peeked};
use crate::settlement::Order;
use crate::table::{Awaiting, Next, Table};
use rules::play::{self};
use rules::settle;
use rules::wager::{Moment, Sees, dealer_bust};

impl Table {
    /// Returns the next step for the dealer's second card, or `None` if no step is left.
    ///
    /// The steps are to deal the card, to turn the card up, and to settle the bets that the card decides.
    #[inline(never)]
    pub(super) fn next_for_second_card(&self) -> Option<Next> {
        if let Some(event) = self.next_let_out_return() {
            return Some(Next::Due(event));
        }
        match self.round.hole {
            Hole::Down(Some(card)) => {
                let by = match self.round.peeked {
                    Peeked::Blackjack => self.text().deal.turned_blackjack,
                    _ => self.text().deal.turned,
                };
                return Some(Next::Due(self.event(Fact::HoleTurned(card), by)));
            }
            Hole::Down(None) => return Some(Next::Await(Awaiting::Card(CardPlace::Dealer))),
            Hole::NotDealt | Hole::Turned => {}
        }
        if self.round.dealer.len() < 2 {
            let second = self.text().deal.second.filter(|_| self.second_card_needed())?;
            if self.round.announced < Announced::DealersCard {
                let announced = Fact::Announced(Announcement::DealersCard);
                return Some(Next::Due(self.event(announced, second.announced)));
            }
            return Some(Next::Await(Awaiting::Card(CardPlace::Dealer)));
        }
        self.next_decided_by_second_card()
    }

    /// Returns the event that returns the next open bet of a box let out of the round (MA 15(a)#3).
    ///
    /// Returns `None` when all such bets are returned. The dealer's draws begin with these events.
    fn next_let_out_return(&self) -> Option<Event> {
        let remedies =
            self.text().irregular.misdelivered_remedies.filter(|_| self.round.mishaps.misdelivered)?;
        let mut out = self.round.boxes.iter().filter(|play| play.role == BoxRole::LetOut);
        out.find_map(|play| self.dead_hand_event(play, remedies.withdraw, SettledAt::Dealer))
    }

    pub(super) fn next_decided_by_second_card(&self) -> Option<Next> {
        if dealer_bust::is_decided_on_two(self.round.dealer.cards())
            && let Some(next) = self.side_due(Moment::DealerThirdCard, SettledAt::Dealer, Order::FromTheRight)
        {
            return Some(next);
        }
        let second = self.round.dealer.cards()[1];
        // MA 8(d): winning insurance is paid after the losing bets are collected
        let waits = second.is_ten_value() && self.text().insurance.after_losers;
        let insurance = if waits { None } else { self.insurance_on(second) };
        insurance.or_else(|| self.next_pending_surrender()).map(Next::Due)
    }

    /// Returns the next settlement of an insurance bet by the dealer's second card, or `None` if none is left.
    pub(super) fn insurance_on(&self, second: rules::Card) -> Option<Event> {
        let when = if self.round.peeked == Peeked::Blackjack { SettledAt::Peek } else { SettledAt::Dealer };
        self.next_insurance(second.is_ten_value(), second, when)
    }

    /// Returns whether at least one bet depends on the dealer's second card (Q19, A11).
    pub(super) fn second_card_needed(&self) -> bool {
        if self.text().deal.second.is_some_and(|second| second.always)
            || self.rules.rulings.second_dealer_card == rules::ruling::SecondDealerCard::Always
        {
            return true;
        }
        // 2.18(e), (g), (h): a dealer hand is dealt as long as a bet remains on its spot or a later one
        let spots = self.round.dealer_hand_index..self.rules.dealer_hands();
        let may_be_blackjack = self.round.up().is_some_and(play::may_be_blackjack);
        self.round.boxes.iter().any(|play| {
            let hands = play.hands.iter().any(|hand| {
                !hand.is_out()
                    && (0..play.bettors.len()).any(|bettor| {
                        let open = hand.stakes[bettor].open().filter(|(_, spot)| spots.contains(spot));
                        open.map(|(stake, _)| stake).any(|stake| match hand.state {
                            HandState::Bust => {
                                may_be_blackjack && settle::bust_waits(&self.rules, &hand.hand, stake)
                            }
                            HandState::Complete if !hand.face_down => {
                                may_be_blackjack || settle::depends_on_dealer(&self.rules, &hand.hand)
                            }
                            _ => true,
                        })
                    })
            });
            let wagers = play.bettors.iter().any(|bettor| {
                (0..2).any(|group| spots.clone().any(|spot| bettor.insurance_open(group, spot)))
                    || self.round.any_side
                        && (bettor.has_open(Sees::DealerThree) || bettor.has_open(Sees::TwoAndBlackjack))
            });
            hands || wagers
        })
    }

    /// Returns the next step of the dealer's draws, or `None` when the dealer is done.
    ///
    /// The dealer draws as long as an open bet on a hand depends on the dealer's total, and in any case a third
    /// card if a third-card bet is open.
    #[inline(never)]
    pub(super) fn next_in_dealer_draws(&self) -> Option<Next> {
        if let Some(event) = self.next_let_out_return() {
            return Some(Next::Due(event));
        }
        let dealer = &self.round.dealer;
        if dealer.len() < 2 {
            return self.exposed_burned();
        }
        let third_card_wager = self.round.any_side
            && self.round.boxes.iter().flat_map(|play| &play.bettors).any(|b| b.has_open(Sees::DealerThree));
        if third_card_wager {
            if dealer.len() == 2 {
                return Some(Next::Await(Awaiting::Card(CardPlace::Dealer)));
            }
            let next = self.side_due(Moment::DealerThirdCard, SettledAt::Dealer, Order::FromTheRight);
            if next.is_some() {
                return next;
            }
        }
        let draws = !dealer.is_blackjack() && play::dealer_draws(&self.rules, dealer.total());
        if draws && self.anything_depends_on_dealer() {
            return Some(Next::Await(Awaiting::Card(CardPlace::Dealer)));
        }
        if let Some(next) = self.exposed_burned() {
            return Some(next);
        }
        if self.round.announced < Announced::DealersTotal {
            let announcement = Announcement::DealerTotal(dealer.points());
            let by = self.text().deal.dealer_total;
            return Some(Next::Due(self.event(Fact::Announced(announcement), by)));
        }
        None
    }

    /// Returns the event that burns an exposed card which no hand can use any more, or `None` without such a card.
    ///
    /// See 2.15(c)#3, MA 15(a)#2.
    pub(super) fn exposed_burned(&self) -> Option<Next> {
        let card = self.round.mishaps.exposed?;
        let by = &self.text().irregular;
        let remedies = by.misdelivered_remedies.filter(|_| self.round.mishaps.moved_forward);
        let by = remedies.map_or(by.burned, |remedies| remedies.card);
        Some(Next::Due(self.event(Fact::Burned(Some(card)), by)))
    }

    pub(super) fn anything_depends_on_dealer(&self) -> bool {
        let spot = self.round.dealer_hand_index;
        self.round.boxes.iter().any(|play| {
            play.hands.iter().any(|hand| {
                let open = (0..play.bettors.len()).any(|bettor| {
                    let stakes = &hand.stakes[bettor];
                    stakes.is_open(stakes.base_kind, spot)
                });
                let depends = hand.face_down || settle::depends_on_dealer(&self.rules, &hand.hand);
                open && hand.is_live() && depends
            })
        })
    }
}
