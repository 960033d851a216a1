//! The table as a state machine of four functions.
//!
//! `awaiting` says who must do what, `decide` turns a command into an event or refuses it, `due` returns the event that
//! the rules force next, and `apply` applies an event without deciding anything.

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
    /// The answer of the player at this box, who is offered the cut (2.5(e)-(f)).
    Cut(BoxId),
    /// Bets, until betting is closed.
    Wagers,
    /// A card for this place.
    Card(CardPlace),
    /// The result of the card reader.
    Reader,
    /// The answers to an offer; [`Table::is_asked`] says who has not answered yet.
    Offers(Offer),
    /// The answers to late insurance, offered during the turn of this box (2.9(b)#4).
    LateInsurance(BoxId),
    /// The decision whether to switch, at a box whose first hand is already complete.
    Switch(BoxId),
    /// The decision whether to revoke the switch, at a box whose hands are both complete (2A.7(g)2).
    Revocation(BoxId),
    /// A player's decision on a hand.
    Decision(Decide),
    /// The co-bettors' answers to a double or split of the box owner.
    CoBettors(CoAsk),
    /// A player's answer whether to take a card for the sevens bet.
    SevensCard(BoxId),
    /// A player's answer whether to take a missed card late.
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

/// What a player may do about the switch (2A.7(g)).
///
/// This is only for Blackjack Switch, and comes besides deciding on the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchOption {
    /// The player has no switch to decide on.
    Nothing,
    /// The player may exchange the second cards of both hands.
    Switch,
    /// The player may revoke the switch.
    Revoke,
}

/// The next event, or the next input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Due(Event),
    Await(Awaiting),
}

/// A player's streak bets at a box (2.22).
///
/// They last over several rounds.
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
    /// The [`Memory::round_number`] when the bets were placed.
    pub placed: u64,
}

impl Streak {
    /// Returns whether a bet on the streak is undecided.
    pub fn is_pending(&self) -> bool {
        self.bets.iter().any(|&bet| bet > Cents::ZERO)
    }
}

/// What a table remembers from round to round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The number of finished rounds.
    pub round_number: u64,
    /// The amount on the progressive meter (2.19).
    pub meter: Cents,
    /// The streak bets that last over several rounds (2.22).
    pub streaks: Vec<Streak>,
    /// Whether the card reader has failed (2.15(k)).
    ///
    /// It is then no longer used.
    pub reader_failed: bool,
    /// The boxes with a failed progressive light, as bits (2.15(n)).
    pub lights_out: u32,
    /// The people who bet in the last round (2.3(i)).
    pub wagered_last: Vec<Person>,
    /// The number of rounds since the last shuffle.
    pub rounds_since_shuffle: u32,
    /// The people admitted to bet again after sitting out a round.
    pub admitted: Vec<Person>,
    /// The box of the first player at the table (2.5(e)1).
    ///
    /// It is `None` before anyone came.
    pub first_player: Option<BoxId>,
    /// The boxes that may be offered the cut (2.5(e)-(f)).
    ///
    /// They had bets in the last round, or their player has come to the table since.
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
    /// Returns a table that is about to open.
    ///
    /// Its cards have yet to be inspected, shuffled and cut.
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

    /// Returns a table with cards ready to be dealt.
    ///
    /// They are prepared as the regulation requires, and the dealer cuts them.
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

    /// Returns what the table remembers from round to round.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Sets the progressive meter that this table shares with others (2.19(h)).
    pub fn share_meter(&mut self, meter: Cents) {
        self.memory.meter = meter;
    }

    /// Returns who must act now, and how.
    ///
    /// Returns `None` while an event is due.
    pub fn awaiting(&self) -> Option<Awaiting> {
        match self.next {
            Next::Await(awaiting) => Some(awaiting),
            Next::Due(_) => None,
        }
    }

    /// Returns the event that the rules force next, without anyone's choice.
    ///
    /// Returns `None` while the table waits for an input.
    pub fn due(&self) -> Option<Event> {
        match self.next {
            Next::Due(event) => Some(event),
            Next::Await(_) => None,
        }
    }

    /// Returns whether this bettor has yet to answer the current offer.
    pub fn is_asked(&self, box_id: BoxId, bettor: Bettor) -> bool {
        let asked =
            |at: usize| self.round.boxes[at].bettors.get(usize::from(bettor.0)).is_some_and(|b| !b.answered);
        self.round.box_at(box_id).is_some_and(asked)
    }

    /// Returns the current step of the script.
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
