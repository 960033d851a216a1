//! Applies the dealing of cards to the hands.

use crate::ids::{BoxId, CardPlace, HandNumber};
use crate::round::{HandState, Hole, LateCard, SevensCard};
use crate::table::Table;
use rules::Card;
use rules::script::Step;

impl Table {
    /// Puts a dealt card in its place at the table.
    pub(super) fn dealt(&mut self, to: CardPlace, card: Option<Card>) {
        let turned = to == CardPlace::Dealer && self.round.hole == Hole::Down(None);
        if turned && let Some(card) = card {
            self.custody.turn(card);
            self.round.dealer.push(card);
            self.round.hole = Hole::Turned;
            return;
        }
        // a hole card that is turned is not the exposed card, even if it is one like it
        if self.round.mishaps.exposed.is_some() && self.round.mishaps.exposed == card {
            self.round.mishaps.exposed = None;
        }
        if self.custody.deal(card) {
            (self.custody.cut_card_out, self.custody.cut_card_announced) = (Some(to), false);
        }
        match (to, card) {
            (CardPlace::Dealer, Some(card)) => self.round.dealer.push(card),
            (CardPlace::HoleDown, card) => self.round.hole = Hole::Down(card),
            (CardPlace::Hand(box_id, number), Some(card)) => self.dealt_to_hand(box_id, number, card),
            _ => {}
        }
    }

    pub(super) fn dealt_to_hand(&mut self, box_id: BoxId, number: HandNumber, card: Card) {
        if matches!(self.step(), Step::Deal(_)) {
            self.round.cursor += 1;
        }
        let playing = self.step() == Step::Play;
        let Some(at) = self.round.box_at(box_id) else {
            return;
        };
        let play = &mut self.round.boxes[at];
        if play.sevens_card == SevensCard::Due {
            // for the side bet only: the hand has already lost or pushed
            play.sevens_card = SevensCard::Over;
            play.series.push(card);
            return;
        }
        let Some(index) = play.hand_at(number) else { return };
        let hand = &mut play.hands[index];
        hand.late_card = LateCard::None;
        hand.hand.push(card);
        hand.card_due = false;
        let face_down = hand.face_down;
        if play.series_open && !face_down {
            play.series.push(card);
        }
        let hand = &play.hands[index];
        // the initial two cards may already be complete: a blackjack takes no decisions
        if playing || hand.hand.len() == 2 {
            self.complete_if_done(at, index);
        }
    }

    /// Marks a hand as complete or bust if it needs no more decisions.
    pub(crate) fn complete_if_done(&mut self, at: usize, index: usize) {
        let play = &self.round.boxes[at];
        let hand = &play.hands[index];
        let state = if hand.hand.is_bust() && !hand.face_down {
            HandState::Bust
        } else if self.actions(play, hand).is_empty() || hand.face_down {
            HandState::Complete
        } else {
            HandState::Open
        };
        let play = &mut self.round.boxes[at];
        play.hands[index].state = state;
        if state != HandState::Open {
            play.turn.has_settlements_due = true;
        }
    }
}
