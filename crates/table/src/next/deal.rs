//! Determines the next step from the closing of betting to the first player's turn.
//!
//! The steps are the deal, the side bets on the first cards, blackjacks, offers and the card reader.

use super::{Move, Pending};
use crate::event::{Announcement, Approval, Event, Fact, Finding, SettledAt};
use crate::ids::{Bettor, CardPlace};
use crate::round::{BoxPlay, HandPlay, HandState, Hole, LateCard, Peeked, Phase, SevensCard};
use crate::settlement::Order;
use crate::table::{Awaiting, Next, Table};
use rules::choice::{HandBurn, InsuranceCollected};
use rules::play::{self};
use rules::script::{Offer, Slot, Step};
use rules::wager::{Moment, Prize, Sees, sevens};
use rules::{Cents, Clause, HoleCard, Shoe, limit};

impl Table {
    /// Returns the next step between the closing of betting and the first card, or `None` once the deal has begun.
    fn next_before_deal(&self) -> Option<Pending> {
        let next = match self.round.phase {
            Phase::Deal | Phase::Play => return None,
            Phase::Wagers => None,
            Phase::Abandoned => self.next_abandoned(),
            Phase::Lights => self.next_light(),
            Phase::Meter => self.meter_raised(),
            Phase::NoMoreBets => no_more_bets_by(&self.rules)
                .map(|by| Next::Due(self.event(Fact::Announced(Announcement::NoMoreBets), by))),
            Phase::HandBurn => {
                let burns = self.rules.hand_burn == HandBurn::EachRound && self.rules.shoe == Shoe::Hand;
                let by = self.text().deal.face_down.filter(|_| burns);
                by.map(|by| Next::Due(self.event(Fact::Burned(None), by.burned)))
            }
            Phase::Determinant => (self.rules.shoe == Shoe::Double)
                .then_some(Next::Await(Awaiting::Card(CardPlace::Determinant))),
        };
        Some(next.map_or(Pending::Move(Move::Phase), Pending::from))
    }

    /// Returns the event that turns on the next progressive light, or that counts the lights (2.19(b)#2-3).
    ///
    /// Returns `None` if the round has no progressive bet.
    pub(super) fn next_light(&self) -> Option<Next> {
        let (bet, _) = self.rules.bet_for(Prize::Meter)?;
        let by = self.text().meter()?;
        let mut count = 0;
        for play in &self.round.boxes {
            let wager = play.bettors.iter().any(|bettor| bettor.side(bet) > Cents::ZERO);
            count += u8::from(wager);
            if wager && !play.marks.light_on {
                return Some(Next::Due(self.event(Fact::LightOn(play.id), by.light_on)));
            }
        }
        (count > 0).then(|| Next::Due(self.event(Fact::LightsCounted(count), by.counted)))
    }

    /// Returns the event that raises the meter for the progressive bets of this round (2.19(b)#4).
    ///
    /// Returns `None` if the round has no progressive bet.
    pub(super) fn meter_raised(&self) -> Option<Next> {
        let (bet, offer) = self.rules.bet_for(Prize::Meter)?;
        let bettors = self.round.boxes.iter().flat_map(|play| &play.bettors);
        let wagers = bettors.filter(|bettor| bettor.side(bet) > Cents::ZERO).count() as u32;
        if wagers == 0 {
            return None;
        }
        let by_amount = rules::wager::aces::contribution(wagers, offer.rate);
        let (meter, by) = (self.memory.meter + by_amount, self.text().meter()?);
        Some(Next::Due(self.event(Fact::MeterRaised { by_amount, meter }, by.raised)))
    }

    /// Returns the next step before the first card or of this part of the deal, or `None` when the part is
    /// finished.
    #[inline(never)]
    pub(super) fn next_in_deal(&self, slot: Slot) -> Option<Pending> {
        match self.next_before_deal() {
            None => self.next_in_slot(slot),
            found => found,
        }
    }

    /// Returns the next step of one part of the deal, or `None` when the part is finished.
    ///
    /// A part deals one card to every hand, or one card to the dealer.
    fn next_in_slot(&self, slot: Slot) -> Option<Pending> {
        let card = |place| Some(Next::Await(Awaiting::Card(place)).into());
        match slot {
            Slot::EachBox => {
                let per_box = self.rules.hands_per_box();
                let at = self.round.cursor;
                if let Some(play) = self.round.boxes.get(at / per_box) {
                    let hand = &play.hands[at % per_box];
                    if hand.state == HandState::Open && hand.late_card == LateCard::None {
                        return card(CardPlace::Hand(play.id, hand.number));
                    }
                    return Some(Move::Place(at + 1).into());
                }
                if !self.is_last_deal() {
                    return None;
                }
                if self.round.phase == Phase::Deal {
                    return Some(Move::Phase.into());
                }
                // 2.15(e): each player's first two cards, late ones included (2.15(g)#2), and then the dealer's
                if let Some(next) = self.next_late_initial_card() {
                    return Some(next.into());
                }
                let own = self.round.mishaps.own_card_late && self.round.dealer.is_empty();
                own.then(|| card(CardPlace::Dealer)).flatten()
            }
            Slot::Up if self.round.dealer.is_empty() && !self.round.mishaps.own_card_late => {
                card(CardPlace::Dealer)
            }
            // Q29: 2.6A allows the face-down card only with a working reader
            Slot::HoleDown if self.memory.reader_failed && self.text().deal.face_down.is_some() => None,
            Slot::HoleDown if self.round.hole == Hole::NotDealt => card(CardPlace::HoleDown),
            Slot::HoleUp if self.round.dealer.len() < 2 => card(CardPlace::Dealer),
            _ => None,
        }
    }

    pub(super) fn is_last_deal(&self) -> bool {
        !self.script[self.round.step + 1..].contains(&Step::Deal(Slot::EachBox))
    }

    /// Returns the next step for a missed initial card (2.15(g)#2), or `None` if no step is left.
    ///
    /// Offers the card to its player. An accepted card is dealt after all others; a declined card makes the hand
    /// dead, and the bets on the hand are returned.
    pub(super) fn next_late_initial_card(&self) -> Option<Next> {
        for play in &self.round.boxes {
            if play.late_hand(LateCard::Asked).is_some() {
                return Some(Next::Await(Awaiting::LateCard(play.id)));
            }
            if let Some(event) = self.dead_hand_event(play, self.text().irregular.missed_box, SettledAt::Deal)
            {
                return Some(Next::Due(event));
            }
        }
        for play in &self.round.boxes {
            if let Some(hand) = play.late_hand(LateCard::Taken) {
                return Some(Next::Await(Awaiting::Card(CardPlace::Hand(play.id, hand.number))));
            }
        }
        None
    }

    /// Returns the next step of an offer, or `None` once all bettors whom the offer concerns have replied.
    ///
    /// The step makes the offer, pays even money, or awaits a reply.
    #[inline(never)]
    pub(super) fn next_in_offer(&self, offer: Offer) -> Option<Pending> {
        if self.round.cursor == 0 {
            return Some(Move::Ask(offer).into());
        }
        if offer == Offer::Insurance
            && let Some(event) = self.next_even_money()
        {
            return Some(Next::Due(event).into());
        }
        let waiting = self.round.boxes.iter().flat_map(|play| &play.bettors).any(|bettor| !bettor.answered);
        waiting.then_some(Next::Await(Awaiting::Offers(offer)).into())
    }

    /// Returns whether an offer is made to the bettors of a box.
    ///
    /// Only a hand that may still win can be insured or raised.
    pub(crate) fn concerns(&self, play: &BoxPlay, offer: Offer) -> bool {
        let live = play.hands.iter().any(HandPlay::is_live);
        match offer {
            Offer::Insurance => live && limit::may_insure(&self.rules, self.round.up()).is_ok(),
            Offer::Attack | Offer::SecondAttack | Offer::ThirdAttack => live,
        }
    }

    /// Returns the next settlement of a side bet that depends only on the initial cards, or `None` if none is due.
    ///
    /// After the last settlement, returns the event that puts a box's cards under its winning bonus bet.
    #[inline(never)]
    pub(super) fn next_initial_side_wager(&self) -> Option<Next> {
        [Moment::Deal, Moment::Decision, Moment::Bonus]
            .into_iter()
            .find_map(|moment| self.side_due(moment, SettledAt::Deal, Order::LosersFirst))
            .or_else(|| self.next_cards_tucked())
    }

    /// Returns the next event for players' blackjacks before the first turn, or `None` if none is due.
    ///
    /// A blackjack is paid at once against a 2 to 9 (2.7(a)); otherwise it is only announced (2.7(b)).
    #[inline(never)]
    pub(super) fn next_early_blackjack(&self) -> Option<Next> {
        // Q6: nobody sees a blackjack that is face down
        if self.text().deal.face_down.is_some() {
            return None;
        }
        let waits = self.round.up().is_some_and(play::may_be_blackjack);
        let has_blackjack = |play: &&BoxPlay| play.hands.first().is_some_and(|hand| hand.hand.is_blackjack());
        let mut boxes = self.round.boxes.iter().filter(has_blackjack);
        boxes.find_map(|play| self.blackjack_dealt(play, waits)).map(Next::Due)
    }

    /// Returns the next event for one player's dealt blackjack (2.7(a)-(b)), or `None` if none is due.
    ///
    /// The dealer announces the blackjack. Against a 2 to 9, the dealer also pays the blackjack and removes its
    /// cards, unless the box has a bonus bet.
    pub(super) fn blackjack_dealt(&self, play: &BoxPlay, waits: bool) -> Option<Event> {
        let blackjacks = self.text().deal.blackjacks?;
        if !play.turn.announced {
            let by = if waits { blackjacks.waiting } else { blackjacks.announced };
            return Some(self.event(Fact::Announced(Announcement::Blackjack(play.id)), by));
        }
        // 2.6(k)1, under that reading: a dealer's drawn 21 still beats it
        let at_risk =
            play.hands.first().is_some_and(|hand| rules::settle::depends_on_dealer(&self.rules, &hand.hand));
        if waits || at_risk {
            return None;
        }
        if let Some(event) = self.early_blackjack(play) {
            return Some(event);
        }
        let button = self.rules.bet_for(Prize::Button);
        let kept =
            button.is_some_and(|(bet, _)| play.bettors.iter().any(|bettor| bettor.side(bet) > Cents::ZERO));
        (!play.marks.removed && !kept).then(|| self.event(Fact::CardsRemoved(play.id), blackjacks.removed))
    }

    /// Returns whether the card reader is used in this round.
    ///
    /// A failed reader is not used again, but a result that the reader gave earlier in the round still counts
    /// (2.15(k) and counterparts).
    pub(super) fn uses_reader(&self) -> bool {
        let works = !self.memory.reader_failed || self.round.peeked != Peeked::NotYet;
        self.rules.hole_card == HoleCard::Reader && works
    }

    /// Returns the next step of the peek, or `None` when the peek is over or not made.
    ///
    /// The steps are reading the hole card, and settling the bets that the card reader decides.
    #[inline(never)]
    pub(super) fn next_in_peek(&self) -> Option<Pending> {
        let up = self.round.up()?;
        if !self.uses_reader() || !play::peeks(&self.rules, up) {
            return None;
        }
        match (self.round.peeked, self.round.hole) {
            (Peeked::NotYet, Hole::Down(Some(card))) => {
                let mut hand = self.round.dealer;
                hand.push(card);
                let finding = if hand.is_blackjack() { Finding::Blackjack } else { Finding::NoBlackjack };
                Some(Next::Due(self.event(Fact::ReaderUsed(finding), self.text().deal.reader)).into())
            }
            (Peeked::NotYet, _) => Some(Next::Await(Awaiting::Reader).into()),
            // 36.7(k)#5: without a turn, the bets of 36.7(f) are settled here
            (Peeked::Blackjack, _) => self.next_sevens_card().or_else(|| {
                self.side_due(Moment::Turn, SettledAt::Peek, Order::LosersFirst).map(Pending::from)
            }),
            (Peeked::NoBlackjack, _) => self
                .queens_approval()
                .or_else(|| self.side_due(Moment::AfterHoleCard, SettledAt::Peek, Order::FromTheRight))
                .or_else(|| self.insurance_after_reader())
                .map(Pending::from),
        }
    }

    /// Returns the wait for the floorperson's approval of a queen of hearts pair, or `None` (2.24(e)#2).
    pub(super) fn queens_approval(&self) -> Option<Next> {
        for play in &self.round.boxes {
            for (at, bettor) in play.bettors.iter().enumerate() {
                if bettor.has_open(Sees::TwoAndBlackjack) && !bettor.approved {
                    let what = Approval::QueensOfHearts(play.id, Bettor(at as u8));
                    return Some(Next::Await(Awaiting::Approval(what)));
                }
            }
        }
        None
    }

    /// Returns the next settlement of an insurance bet that lost because the card reader ruled out a blackjack.
    ///
    /// Returns `None` at tables that collect lost insurance later (Q18), and when no insurance bet is left.
    pub(super) fn insurance_after_reader(&self) -> Option<Next> {
        let up = self.round.up()?;
        let now = self.rules.insurance_collected == InsuranceCollected::AfterReader && up.is_ace();
        // an ace without blackjack has no ten-value hole card, seen or not; any other card, such as the ace, gives the
        // same verdict
        now.then(|| self.next_insurance(false, up, SettledAt::Peek).map(Next::Due))?
    }

    /// Returns the next step after the dealer's open second card, if that card gives the dealer a blackjack.
    ///
    /// The blackjack ends the round (2.6(k)6). Returns `None` without a blackjack, and when no step is left.
    #[inline(never)]
    pub(super) fn next_at_open_blackjack(&self) -> Option<Pending> {
        if !self.round.dealer.is_blackjack() {
            return None;
        }
        if self.round.peeked != Peeked::Blackjack {
            return Some(Move::BlackjackSeen.into());
        }
        self.next_sevens_card()
    }

    /// Returns the next step for a sevens bet after a dealer's blackjack, or `None` if no step is left.
    ///
    /// The steps offer and deal a third card to a player with two sevens, and settle the bet (2.6(j)3, 2.6(k)6#2).
    pub(super) fn next_sevens_card(&self) -> Option<Pending> {
        if !self.round.any_side {
            return None;
        }
        for (at, play) in self.round.boxes.iter().enumerate() {
            let open = play.bettors.iter().any(|bettor| bettor.has_open(Sees::Sevens));
            match play.sevens_card {
                SevensCard::NotOffered if open && sevens::waits(&play.series) => {
                    return Some(Move::OfferSevens(at).into());
                }
                SevensCard::Offered => return Some(Next::Await(Awaiting::SevensCard(play.id)).into()),
                SevensCard::Due => {
                    let number = play.hands[0].number;
                    return Some(Next::Await(Awaiting::Card(CardPlace::Hand(play.id, number))).into());
                }
                SevensCard::NotOffered | SevensCard::Over => {}
            }
        }
        self.side_due(Moment::Decision, SettledAt::Peek, Order::LosersFirst).map(Pending::from)
    }
}

/// Returns the clause that requires the announcement "no more bets", or `None` if no side bet requires it.
///
/// See 2.19(b)#4, 2.20(b)#3, 2.24(d).
fn no_more_bets_by(rules: &rules::Rules) -> Option<Clause> {
    let mut offered = rules.side_wagers.keys().filter_map(|&wager| rules.text().side(wager));
    offered.find_map(|side| side.extras.no_more_bets)
}
