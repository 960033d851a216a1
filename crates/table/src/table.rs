//! The table as a state machine of four functions.
//!
//! `awaiting` returns the input that the table needs and from whom. `decide` turns a command into an event, or
//! refuses the command. `due` returns the event that the rules force next. `apply` applies an event and decides
//! nothing.

use crate::event::{Approval, Event};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person};
use crate::round::{CoAsk, Round};
use crate::shoe::{Custody, Procedure};
use rules::play::Actions;
use rules::script::{Offer, Step, script};
use rules::wager::Prize;
use rules::{Cents, Rules, Text};
use std::sync::Arc;

/// The input that a table awaits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaiting {
    /// A step in preparing the cards.
    Procedure(Procedure),
    /// The cut, or its refusal, by the player at this box, who is offered the cut (2.5(e)-(f)).
    Cut(BoxId),
    /// Bets, until betting is closed.
    Wagers,
    /// A card for this place.
    Card(CardPlace),
    /// The result of the card reader.
    Reader,
    /// The bettors' replies to an offer; [`Table::is_asked`] says whether a bettor has yet to reply.
    Offers(Offer),
    /// The bettors' replies to late insurance, offered during the turn of this box (2.9(b)#4).
    LateInsurance(BoxId),
    /// The decision whether to switch, at a box whose first hand is already complete.
    Switch(BoxId),
    /// The decision whether to revoke the switch, at a box whose hands are both complete (2A.7(g)2).
    Revocation(BoxId),
    /// A player's decision on a hand.
    Decision(Decide),
    /// The co-bettors' replies to a double or split of the box owner.
    CoBettors(CoAsk),
    /// A player's decision whether to take a card for the sevens bet.
    SevensCard(BoxId),
    /// A player's decision whether to take a missed card late.
    LateCard(BoxId),
    /// The amount that the bonus button shows for this bettor.
    Award(BoxId, Bettor),
    /// The approval of a bet by a supervisor or floorperson.
    Approval(Approval),
}

/// The decision that a player is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decide {
    /// The number of the box that must decide.
    pub box_id: BoxId,
    /// The number of the hand to decide on.
    pub hand: HandNumber,
    /// The actions that the rules allow on the hand.
    pub actions: Actions,
    /// What the player may do about the switch.
    pub switch: SwitchOption,
}

/// Whether a player at Blackjack Switch may also switch, or revoke the switch (2A.7(g)).
///
/// The player may also act on the hand instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchOption {
    /// The player may neither switch nor revoke a switch.
    Nothing,
    /// The player may exchange the second cards of both hands.
    Switch,
    /// The player may revoke the switch.
    Revoke,
}

/// The event that the rules force next, or the input that the table awaits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Due(Event),
    Await(Awaiting),
}

/// A player's streak bets at a box, which last over several rounds (2.22).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Streak {
    /// The person who bets on the streak.
    pub person: Person,
    /// The box of the streak bets.
    pub box_id: BoxId,
    /// The bets on streaks of two, three, four and five wins.
    pub bets: [Cents; 4],
    /// The number of rounds won in a row.
    pub wins: u8,
    /// The value of [`Memory::round_number`] when the streak bets were placed.
    pub placed: u64,
}

impl Streak {
    /// Returns whether a bet on the streak is undecided.
    pub fn is_pending(&self) -> bool {
        self.bets.iter().any(|&bet| bet > Cents::ZERO)
    }
}

/// The state that a table keeps from round to round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The number of finished rounds.
    pub round_number: u64,
    /// The amount on the progressive meter (2.19).
    pub meter: Cents,
    /// The streak bets that last over several rounds (2.22).
    pub streaks: Vec<Streak>,
    /// Whether the card reader has failed and is no longer used (2.15(k)).
    pub reader_failed: bool,
    /// The boxes whose progressive light has failed, as bits by box number (2.15(n)).
    pub lights_out: u32,
    /// The people who bet in the last round (2.3(i)).
    pub wagered_last: Vec<Person>,
    /// The number of rounds since the last shuffle.
    pub rounds_since_shuffle: u32,
    /// The people who were admitted to bet again after they sat out a round.
    pub admitted: Vec<Person>,
    /// The box of the first player at the table, or `None` before anyone came (2.5(e)1).
    pub first_player: Option<BoxId>,
    /// The boxes that may be offered the cut (2.5(e)-(f)).
    ///
    /// Each of them had a bet in the last round, or its player has come to the table since then.
    pub wagered_boxes: Vec<BoxId>,
}

/// A table with its rules, cards, memory and current round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub(crate) rules: Arc<Rules>,
    pub(crate) script: &'static [Step],
    pub(crate) round: Round,
    pub(crate) custody: Custody,
    pub(crate) memory: Memory,
    pub(crate) next: Next,
}

impl Table {
    /// Returns a table that is about to open; its cards have yet to be inspected, shuffled and cut.
    pub fn new(rules: Arc<Rules>) -> Table {
        let meter = rules.bet_for(Prize::Meter).map_or(Cents::ZERO, |(_, o)| o.meter.unwrap_or(o.seed));
        let mut table = Table {
            script: script(&rules),
            round: Round::default(),
            custody: Custody::new(&rules),
            memory: Memory {
                round_number: 0,
                meter,
                streaks: Vec::new(),
                reader_failed: false,
                lights_out: 0,
                wagered_last: Vec::new(),
                rounds_since_shuffle: 0,
                admitted: Vec::new(),
                first_player: None,
                wagered_boxes: Vec::new(),
            },
            next: Next::Await(Awaiting::Wagers),
            rules,
        };
        table.advance();
        table
    }

    /// Returns a table whose cards are ready to be dealt.
    ///
    /// The cards have been prepared as the regulation requires, and the dealer has cut them.
    pub fn prepared(rules: Arc<Rules>) -> Table {
        let mut table = Table::new(rules);
        table.prepare();
        table
    }

    /// Performs every pending step of preparing the cards.
    ///
    /// The dealer makes the cut, in the middle of the cards.
    pub fn prepare(&mut self) {
        while let Some(event) = self.preparation() {
            self.apply(&event);
        }
    }

    /// Returns the rules of the table.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the round in play.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// Returns the cards of the table and where they are.
    pub fn custody(&self) -> &Custody {
        &self.custody
    }

    /// Returns the state that the table keeps from round to round.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Sets this table's copy of the progressive meter that several tables share (2.19(h)).
    pub fn share_meter(&mut self, meter: Cents) {
        self.memory.meter = meter;
    }

    /// Returns the input that the table awaits, or `None` while an event is due.
    pub fn awaiting(&self) -> Option<Awaiting> {
        match self.next {
            Next::Await(awaiting) => Some(awaiting),
            Next::Due(_) => None,
        }
    }

    /// Returns the event that the rules force next, or `None` while the table awaits an input.
    pub fn due(&self) -> Option<Event> {
        match self.next {
            Next::Due(event) => Some(event),
            Next::Await(_) => None,
        }
    }

    /// Returns whether this bettor has yet to reply to the current offer.
    pub fn is_asked(&self, box_id: BoxId, bettor: Bettor) -> bool {
        let asked =
            |at: usize| self.round.boxes[at].bettors.get(usize::from(bettor.0)).is_some_and(|b| !b.answered);
        self.round.box_at(box_id).is_some_and(asked)
    }

    /// Returns the current step of the round's script.
    pub fn step(&self) -> Step {
        self.script[self.round.step.min(self.script.len() - 1)]
    }

    /// Returns the table's regulation.
    #[inline]
    pub(crate) fn text(&self) -> &'static Text {
        self.rules.text()
    }

    /// Returns whether the table is between rounds and without bets.
    pub fn is_idle(&self) -> bool {
        self.round.step == 0 && self.round.boxes.is_empty()
    }
}
