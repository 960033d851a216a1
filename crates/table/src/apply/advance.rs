//! Advances the round, without recording an event, to the next event or input.

use crate::next::{Move, Pending};
use crate::round::{Peeked, SevensCard};
use crate::table::Table;
use rules::script::Offer;

impl Table {
    /// Advances the round to the next event or input.
    ///
    /// Checks for an interruption of the script, such as a due remedy, only at the start. No advance without an
    /// event can cause one: until betting is closed, the script stays in its first step.
    pub(crate) fn advance(&mut self) {
        if let Some(next) = self.interruption() {
            self.next = next;
            return;
        }
        loop {
            match self.next_in_step() {
                Some(Pending::Next(next)) => {
                    self.next = next;
                    return;
                }
                Some(Pending::Move(to)) => self.make(to),
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
            Move::TurnSettled(at) => self.round.boxes[at].turn.has_settlements_due = false,
            Move::Complete(at, index) => self.complete_if_done(at, index),
        }
    }

    /// Marks an offer as awaiting a reply from every bettor whom the offer concerns.
    fn put(&mut self, offer: Offer) {
        for at in 0..self.round.boxes.len() {
            let concerned = self.concerns(&self.round.boxes[at], offer);
            for bettor in &mut self.round.boxes[at].bettors {
                bettor.answered = !concerned;
            }
        }
    }

    /// Begins the turn of the box at this index, and offers late insurance where the table allows it.
    ///
    /// The offer goes to bettors with a bet that is neither insured nor on even money (2.9(b)#4). In multiple
    /// action each bet is insured by itself (2.18(d)).
    fn begin_turn(&mut self, at: usize) {
        let late =
            self.rules.late_insurance.is_yes() && self.concerns(&self.round.boxes[at], Offer::Insurance);
        let play = &mut self.round.boxes[at];
        play.turn.begun = true;
        if late {
            for bettor in &mut play.bettors {
                bettor.answered = bettor.is_covered() || bettor.any_insurance_open();
            }
        }
    }
}
