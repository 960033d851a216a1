//! Cards dealt, and what a hand becomes by them.

use crate::ids::{BoxId, HandNumber, Place};
use crate::round::{Hole, LateCard, SevensCard, State};
use crate::table::Table;
use rules::Card;
use rules::script::Step;

impl Table {
    /// Puts a card where the table awaits one.
    pub(super) fn dealt(&mut self, to: Place, card: Option<Card>) {
        if self.round.mishaps.exposed.is_some() && self.round.mishaps.exposed == card {
            self.round.mishaps.exposed = None;
        }
        let turned = to == Place::Dealer && self.round.hole == Hole::Down(None);
        if turned && let Some(card) = card {
            self.custody.turn(card);
            self.round.dealer.push(card);
            self.round.hole = Hole::Turned;
            return;
        }
        if self.custody.deal(card) {
            (self.custody.cutting_card_out, self.custody.cutting_card_told) = (Some(to), false);
        }
        match (to, card) {
            (Place::Dealer, Some(card)) => self.round.dealer.push(card),
            (Place::HoleDown, card) => self.round.hole = Hole::Down(card),
            (Place::Hand(box_id, number), Some(card)) => self.dealt_to_hand(box_id, number, card),
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
            // for the side wager only: the hand has lost or pushed already
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

    /// Marks a hand as complete, or over 21, if nothing more can be asked of it.
    pub(crate) fn complete_if_done(&mut self, at: usize, index: usize) {
        let play = &self.round.boxes[at];
        let hand = &play.hands[index];
        let state = if hand.hand.is_bust() && !hand.face_down {
            State::Bust
        } else if self.actions(play, hand).is_empty() || hand.face_down {
            State::Complete
        } else {
            State::Open
        };
        let play = &mut self.round.boxes[at];
        play.hands[index].state = state;
        if state != State::Open {
            play.turn.dues = true;
        }
    }
}
