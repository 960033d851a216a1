//! Applies irregularities and their remedies.

use crate::event::Event;
use crate::ids::{BoxId, CardPlace};
use crate::irregular::Irregularity;
use crate::round::{BoxRole, HandPlay, HandState, LateCard, Remedy, SwitchState};
use crate::shoe::{Occasion, Procedure};
use crate::table::{Awaiting, Next, Table};

impl Table {
    pub(super) fn irregular(&mut self, irregularity: Irregularity, event: &Event) {
        self.round.void = self.void_after(irregularity, event.by).or(self.round.void);
        self.round.mishaps.reported |= self.round.step > 0;
        match irregularity {
            Irregularity::FoundFaceUp(card) => {
                self.custody.burn(Some(card));
                // 2A.15(a)#2 counts those of the deal; one found in place of the burn card comes before it
                self.round.mishaps.found_face_up += u8::from(self.round.step > 0);
            }
            Irregularity::TenFound(card) => self.destroyed(card),
            Irregularity::Exposed(card) => {
                self.round.mishaps.exposed = Some(card);
                self.round.mishaps.moved_forward = false;
            }
            Irregularity::DrewOnStanding(card) => self.custody.burn(Some(card)),
            Irregularity::Misdelivered(card) => {
                self.custody.burn(Some(card));
                self.round.mishaps.misdelivered = true;
            }
            Irregularity::MovedForward(card) => {
                self.round.mishaps.exposed = Some(card);
                self.round.mishaps.moved_forward = true;
                self.round.mishaps.misdelivered = true;
            }
            Irregularity::LetOut(box_id) => self.in_box(box_id, |play| {
                play.role = BoxRole::LetOut;
                for hand in play.hands.iter_mut().filter(|hand| hand.is_live()) {
                    hand.state = HandState::Dead;
                    hand.card_due = false;
                    hand.late_card = LateCard::None;
                }
            }),
            Irregularity::SeenInMixing => self.custody.mix_again(&self.rules),
            Irregularity::MissedOwnCard => {
                self.round.mishaps.own_card_late = !self.text().irregular.missed_own_voids;
            }
            Irregularity::MissedBox(box_id) => self.missed_box(box_id),
            Irregularity::MissedDraw(box_id) => self.in_box(box_id, |play| {
                let missed =
                    |hand: &&mut HandPlay| hand.state == HandState::Open && hand.late_card == LateCard::None;
                if let Some(hand) = play.hands.iter_mut().find(missed) {
                    hand.late_card = LateCard::Asked;
                }
            }),
            Irregularity::ReaderMisused => self.round.mishaps.remedy = Remedy::NotifyOfReader,
            Irregularity::ReaderFailed => self.memory.reader_failed = true,
            Irregularity::LightFailed(box_id) => self.memory.lights_out |= 1 << box_id.0.min(31),
            // 2.15(o): the patron who pressed the button, and nobody else on the box
            Irregularity::BonusFailed(_) => {
                if let Next::Await(Awaiting::Award(box_id, bettor)) = self.next {
                    self.bettor(box_id, bettor.0, |pressed| pressed.bonus_failed = true);
                }
            }
            Irregularity::DoubleDealtUp(box_id) => self.in_box(box_id, |play| {
                // 2.15(p): the card just dealt; an earlier one is still face down
                for hand in play.hands.iter_mut().filter(|hand| hand.card_due) {
                    hand.face_down = false;
                }
            }),
            Irregularity::OutOfCards => self.out_of_cards(),
            Irregularity::ShufflerFailed => self.shuffler_failed(),
            Irregularity::ShufflerRemoved => self.custody.remove_device(&self.rules),
            Irregularity::BurnForgotten => self.custody.pending.retain(|&step| step != Procedure::Burn),
            Irregularity::DrawnUnexposed | Irregularity::WrongSide | Irregularity::UpCardNotMoved => {}
            Irregularity::UpCardDiscarded => self.round.mishaps.remedy = Remedy::NotifyOfUpCard,
        }
    }

    /// Requires the discards to be shuffled and cut, and their first card to be burned, because the shoe ran out.
    ///
    /// See 2.15(f), 2A.15(f), 26.15(g), 36.14(g).
    fn out_of_cards(&mut self) {
        self.custody.require(&self.rules, Occasion::OutOfCards);
        self.custody.perform(Procedure::ReshuffleDiscards);
        self.round.mishaps.burn_due = true;
    }

    /// Requires another shuffle, because the cards in the failed device do not count as shuffled.
    ///
    /// See 2A.15(i), 26.15(j), 36.14(j).
    fn shuffler_failed(&mut self) {
        self.custody.require(&self.rules, Occasion::ShufflerFailed);
    }

    /// Applies a miss of a box in the deal (2.15(g)).
    ///
    /// If the hand has no card yet, the hand is dead. If it has one card, its second card may be dealt late.
    pub(super) fn missed_box(&mut self, box_id: BoxId) {
        let mut dead = false;
        self.in_awaited_hand(|hand| {
            dead = hand.hand.is_empty();
            if dead {
                hand.state = HandState::Dead;
            } else {
                hand.late_card = LateCard::Asked;
            }
        });
        if dead {
            // A20: no switch with only one live hand
            self.in_box(box_id, |play| play.switch = SwitchState::Closed);
        }
        self.round.cursor += 1;
    }

    /// Applies `change` to the hand that awaits the next card.
    pub(super) fn in_awaited_hand(&mut self, change: impl FnOnce(&mut HandPlay)) {
        let Next::Await(Awaiting::Card(CardPlace::Hand(box_id, number))) = self.next else {
            return;
        };
        self.in_box(box_id, |play| {
            if let Some(at) = play.hand_at(number) {
                change(&mut play.hands[at]);
            }
        });
    }
}
