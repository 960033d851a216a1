//! How the round moves on, without anything that happens, to what is due or awaited next.

use crate::next::{Found, Move};
use crate::round::{Peeked, SevensCard};
use crate::table::Table;
use rules::script::Offer;

impl Table {
    /// Moves on to what comes next. What interrupts is asked once: the script waits in its first step until the wagers
    /// are closed, and no move changes anything else that interrupts.
    pub(crate) fn go_on(&mut self) {
        if let Some(next) = self.before_all_else() {
            self.next = next;
            return;
        }
        loop {
            match self.in_step() {
                Some(Found::Next(next)) => {
                    self.next = next;
                    return;
                }
                Some(Found::Move(to)) => self.make(to),
                None => {
                    self.round.step += 1;
                    self.round.cursor = 0;
                }
            }
        }
    }

    fn make(&mut self, to: Move) {
        match to {
            Move::Place(at) => self.round.cursor = at,
            Move::Phase => self.round.phase = self.round.phase.next(),
            Move::Ask(offer) => {
                self.round.cursor = 1;
                self.put(offer);
            }
            Move::BlackjackSeen => self.round.peeked = Peeked::Blackjack,
            Move::OfferSevens(at) => self.round.boxes[at].sevens_card = SevensCard::Offered,
            Move::BeginTurn(at) => self.begin_turn(at),
            Move::DuesOver(at) => self.round.boxes[at].turn.dues = false,
            Move::Complete(at, index) => self.complete_if_done(at, index),
        }
    }

    /// Who is concerned by an offer has yet to answer it.
    fn put(&mut self, offer: Offer) {
        for at in 0..self.round.boxes.len() {
            let concerned = self.concerns(&self.round.boxes[at], offer);
            for bettor in &mut self.round.boxes[at].bettors {
                bettor.answered = !concerned;
            }
        }
    }

    /// 2.9(b)#4: where insurance may also be made at the own turn, it is offered once more to who has none.
    fn begin_turn(&mut self, at: usize) {
        let late =
            self.rules.late_insurance.is_yes() && self.concerns(&self.round.boxes[at], Offer::Insurance);
        let play = &mut self.round.boxes[at];
        play.turn.begun = true;
        if late {
            for bettor in &mut play.bettors {
                bettor.answered = bettor.even_money.any() || bettor.any_insurance_open();
            }
        }
    }
}
