//! Applies an event to the table. No other code changes a table.
//!
//! Applying never fails: `decide` and `next` have already decided whether an event may happen. Consequences of an
//! event that need no event of their own are derived here, such as the end of an offer to switch after a decision.

mod advance;
mod cards;
mod decisions;
mod mishap;
mod settled;
mod wagers;

use crate::event::{Event, Fact, Finding};
use crate::ids::{BoxId, CardPlace, HandNumber, Side};
use crate::irregular::Irregularity;
use crate::round::{
    Announced, BettorPlay, HandPlay, HandState, Hole, Peeked, Phase, SevensCard, Stakes, SwitchState,
};
use crate::shoe::{Occasion, Procedure};
use crate::table::Table;
use rules::settle::Stake;
use rules::{Card, Hand};

impl Table {
    /// Applies the event, and then finds the next event or input.
    pub fn apply(&mut self, event: &Event) {
        self.change(event);
        self.advance();
    }

    fn change(&mut self, event: &Event) {
        match event.fact {
            Fact::Performed(procedure) => self.performed(procedure),
            Fact::CutOffered(box_id) => self.custody.cut_offered_to = Some(box_id),
            Fact::CutDeclined(box_id) => self.custody.cut_declined_by.push(box_id),
            Fact::CutCardOut(place) => {
                self.custody.cut_card_out = Some(place);
                self.custody.cut_card_announced = true;
            }
            Fact::Burned(card) => self.burned(card),
            Fact::BurnDisclosed(card) => self.custody.disclose(card),
            Fact::SetAside(card) => self.custody.burn(Some(card)),
            Fact::Destroyed(card) => {
                self.round.void = self.void_after(Irregularity::TenFound(card), event.by).or(self.round.void);
                self.destroyed(card);
            }
            Fact::Determined { card, drawn_from, deals } => self.determined(card, drawn_from, deals),
            Fact::DealerRelieved(_) => self.custody.dealer_relieved(&self.rules),
            Fact::ReshuffleOrdered => self.custody.require(&self.rules, Occasion::LicenseeOrders),

            Fact::RecutOrdered => {
                self.custody.cut_again(&self.rules);
                self.round.mishaps.burn_due = self.round.step > 0;
            }
            Fact::BatchAskedFor(_) => self.custody.require(&self.rules, Occasion::Requested),
            Fact::FellIdle => {
                self.custody.require(&self.rules, Occasion::Idle);
                self.memory.first_player = None;
                self.memory.wagered_boxes.clear();
            }

            Fact::Seated { box_id, .. } => {
                self.memory.first_player.get_or_insert(box_id);
                if !self.memory.wagered_boxes.contains(&box_id) {
                    self.memory.wagered_boxes.push(box_id);
                }
            }
            Fact::SupervisorNotified | Fact::UpCardFound(_) | Fact::UpCardPutBack(_) => {
                self.round.mishaps.remedy = self.round.mishaps.remedy.next();
            }
            Fact::CardsTucked(box_id) => self.in_box(box_id, |play| play.marks.under_bonus_bet = true),
            Fact::CardsRemoved(box_id) => self.cards_removed(box_id),
            Fact::CardsLookedAt(box_id) => self.in_box(box_id, |play| play.turn.announced = true),
            Fact::CardsTurned { box_id, .. } => self.in_box(box_id, |play| play.marks.face_down = false),
            Fact::CardsThrownIn { box_id, .. } => {
                self.in_box(box_id, |play| play.marks.face_down = false);
                self.cards_removed(box_id);
            }
            Fact::Consented(box_id) => {
                let at = self.round.open_box(box_id);
                self.round.boxes[at].consent = true;
            }
            Fact::Admitted(person) => self.memory.admitted.push(person),
            Fact::Wagered { box_id, person, seated, amounts } => {
                let at = self.round.open_box(box_id);
                self.memory.first_player.get_or_insert(box_id);
                self.round.boxes[at].bettors.push(BettorPlay::new(person, seated, amounts));
            }
            Fact::SideWagered { box_id, bettor, bet, amount } => {
                self.side_wagered(box_id, bettor.0, bet, amount)
            }
            Fact::Withdrawn { box_id, bettor } => self.withdrawn(box_id, usize::from(bettor.0)),
            Fact::WagersClosed => self.wagers_closed(),
            Fact::MeterRaised { meter, .. } => {
                self.memory.meter = meter;
                self.round.phase = self.round.phase.next();
            }
            Fact::MeterReset(seed) => self.memory.meter = seed,

            Fact::Dealt { to, card } => self.dealt(to, card),
            Fact::Announced(announcement) => self.announced(announcement),
            Fact::Attacked { box_id, bettor, offer, amount } => {
                self.attacked(box_id, bettor.0, offer, amount)
            }
            Fact::Declined { box_id, bettor, .. } => self.bettor(box_id, bettor.0, |b| b.answered = true),
            Fact::Insured { box_id, bettor, hand, amounts } => self.insured(box_id, bettor.0, hand, amounts),
            Fact::EvenMoneyTaken { box_id, bettor, spots } => self.bettor(box_id, bettor.0, |b| {
                b.even_money = b.even_money.with(spots);
                b.answered = b.is_covered();
            }),
            Fact::ReaderUsed(finding) => {
                self.round.peeked = match finding {
                    Finding::Blackjack => Peeked::Blackjack,
                    Finding::NoBlackjack => Peeked::NoBlackjack,
                }
            }

            Fact::SwitchDeclined(box_id) => {
                self.in_box(box_id, |play| play.switch = play.switch.after_decision())
            }
            Fact::Switched(box_id) => self.exchange(box_id, SwitchState::Switched, Hand::switched),
            Fact::Revoked(box_id) => self.exchange(box_id, SwitchState::Revoked, Hand::restored),
            Fact::Stood { box_id, hand } => {
                self.in_hand(box_id, hand, |play| play.state = HandState::Complete)
            }
            Fact::Drew { box_id, hand } => self.in_hand(box_id, hand, |play| play.card_due = true),
            Fact::Doubled { box_id, hand, bettor, amounts, face_down } => {
                self.doubled(box_id, hand, usize::from(bettor.0), amounts, face_down);
            }
            Fact::NotDoubled { box_id, bettor, .. } => {
                self.bettor(box_id, bettor.0, |b| b.answered = true);
                self.co_answered();
            }
            Fact::Split { box_id, hand, new } => self.split(box_id, hand, new),
            Fact::Covered { box_id, bettor } => {
                self.covered(box_id, usize::from(bettor.0));
                self.co_answered();
            }
            Fact::Followed { box_id, bettor, hand } => {
                self.followed(box_id, usize::from(bettor.0), hand);
                self.co_answered();
            }
            Fact::Surrendered { box_id, hand } => {
                self.in_hand(box_id, hand, |play| play.state = HandState::SurrenderPending);
                self.in_box(box_id, |play| play.turn.has_settlements_due = true);
            }
            Fact::SevensCard { box_id, taken } => self.in_box(box_id, |play| {
                play.sevens_card = if taken { SevensCard::Due } else { SevensCard::Over };
            }),
            Fact::LateCard { box_id, taken } => self.late_card_answered(box_id, taken),
            Fact::Refused(box_id) => self.refused(box_id),

            Fact::HoleTurned(card) => {
                self.round.dealer.push(card);
                self.round.hole = Hole::Turned;
            }
            Fact::DoubleTurned { box_id, hand, .. } => self.double_turned(box_id, hand),
            Fact::Approved { what, .. } => {
                use crate::event::Approval::*;
                let (Progressive(box_id, bettor) | Bonus(box_id, bettor) | QueensOfHearts(box_id, bettor)) =
                    what;
                self.bettor(box_id, bettor.0, |b| b.approved = true);
            }
            Fact::LightOn(box_id) => self.in_box(box_id, |play| play.marks.light_on = true),
            Fact::LightsCounted(_) => self.round.phase = self.round.phase.next(),
            Fact::CardsVerified { box_id, bettor }
            | Fact::LightVerified { box_id, bettor }
            | Fact::AmountVerified { box_id, bettor, .. } => {
                self.bettor(box_id, bettor.0, |b| b.checks += 1);
            }
            Fact::ButtonPlaced { box_id, bettor } => self.bettor(box_id, bettor.0, |b| b.button = true),
            Fact::Awarded { box_id, bettor, amount } => {
                self.bettor(box_id, bettor.0, |b| b.award = Some(amount))
            }
            Fact::Settled(settlement) => self.settle_one(&settlement),
            Fact::LammerMoved { box_id, bettor, .. } => self.lammer_moved(box_id, bettor.0),
            Fact::NextDealerHand(spot) => self.start_dealer_hand(usize::from(spot.0)),
            Fact::PickedUp => self.picked_up(),

            Fact::Irregular(irregularity) => self.irregular(irregularity, event),
            Fact::Voided => self.voided(event),
            Fact::Reversed(settlement) => self.reversed(&settlement),
        }
    }

    fn in_box(&mut self, box_id: BoxId, change: impl FnOnce(&mut crate::round::BoxPlay)) {
        if let Some(at) = self.round.box_at(box_id) {
            change(&mut self.round.boxes[at]);
        }
    }

    fn in_hand(&mut self, box_id: BoxId, hand: HandNumber, change: impl FnOnce(&mut HandPlay)) {
        self.in_box(box_id, |play| {
            if let Some(at) = play.hand_at(hand) {
                let group = play.hands[at].group;
                // 2A.9(a)#2: only stand, draw, double or split count as played; a surrender does not, nor does a 21
                let chosen = play.hands[at].hand.points() < 21;
                change(&mut play.hands[at]);
                let surrendered = play.hands[at].state == HandState::SurrenderPending;
                // 2A.7(h): a decision on a hand closes the offer
                let turn_over = play.hands.iter().all(|hand| hand.state != HandState::Open);
                if play.switch == SwitchState::Offered || turn_over {
                    play.switch = play.switch.after_decision();
                }
                if group == 0 && chosen && !surrendered {
                    play.first_hand_played = true;
                }
            }
        });
    }

    fn bettor(&mut self, box_id: BoxId, bettor: u8, change: impl FnOnce(&mut BettorPlay)) {
        self.in_box(box_id, |play| {
            if let Some(bettor) = play.bettors.get_mut(usize::from(bettor)) {
                change(bettor);
            }
        });
    }

    fn performed(&mut self, procedure: Procedure) {
        self.custody.perform(procedure);
        let fresh = matches!(
            procedure,
            Procedure::Load
                | Procedure::TakeInHand
                | Procedure::SwapBatches
                | Procedure::InsertThreeStacks
                | Procedure::ReturnToShuffler
        );
        if fresh {
            self.shuffled();
        }
        // 2.6(l)3#2: both cut cards of a double shoe may come out in one round
        if self.round.step == 0 && self.custody.is_ready() && self.custody.turn_to_side_past_cut_card() {
            self.custody.require(&self.rules, Occasion::CutCard);
        }
    }

    /// Lets everyone bet again after a shuffle (2.3(i)).
    fn shuffled(&mut self) {
        self.memory.rounds_since_shuffle = 0;
        self.memory.admitted.clear();
    }

    fn burned(&mut self, card: Option<Card>) {
        if card.is_some() {
            // 2.15(c)#3: no other card is burned face up
            self.round.mishaps.exposed = None;
        }
        match self.round.mishaps.burn_due {
            true => self.custody.burn_first(),
            false => self.custody.burn(card),
        }
        self.round.mishaps.burn_due = false;
        if self.round.phase == Phase::HandBurn {
            self.round.phase = self.round.phase.next();
        }
    }

    fn destroyed(&mut self, card: Card) {
        self.custody.destroy(card);
        self.round.mishaps.tens_found += 1;
    }

    fn determined(&mut self, card: Card, drawn_from: Side, deals: Side) {
        self.custody.use_side(drawn_from);
        self.round.phase = Phase::Deal;
        if drawn_from == deals {
            // 2.6(d)2: it becomes the first player's first card
            let place = self.round.boxes.first().map(|play| CardPlace::Hand(play.id, play.hands[0].number));
            if let Some(place) = place {
                self.dealt(place, Some(card));
            }
        } else {
            self.custody.burn(Some(card));
            if self.custody.is_past_cut_card() {
                self.custody.cut_card_out = Some(CardPlace::Determinant);
            }
            self.custody.use_side(deals);
        }
    }

    fn announced(&mut self, announcement: crate::event::Announcement) {
        use crate::event::Announcement::*;
        match announcement {
            NoMoreBets => self.round.phase = self.round.phase.next(),
            Bonus(box_id, bettor, _) => self.bettor(box_id, bettor.0, |b| b.checks += 1),
            DealersCard => self.round.announced = Announced::DealersCard,
            DealerTotal(_) => self.round.announced = Announced::DealersTotal,
            Blackjack(box_id) => self.in_box(box_id, |play| play.turn.announced = true),
            PlayerTotal(box_id, number, _) | OrSwitch(box_id, number, _) => self.in_box(box_id, |play| {
                play.turn.announced = true;
                if let Some(at) = play.hand_at(number) {
                    play.hands[at].announced = play.hands[at].hand.len() as u8;
                }
            }),
            SplittingSevens(box_id) => self.in_box(box_id, |play| play.turn.splits_sevens = false),
        }
    }
}

/// Returns the bets on the new hand of a split: those on the old hand, without the money added by doubling.
fn split_stakes(old: &Stakes) -> Stakes {
    Stakes::new(Stake::Split, [0, 1, 2].map(|spot| old.laid(spot).split()))
}
