//! The table: a state machine of four functions. `awaiting` says who must do what, `decide` turns a command into an
//! event or refuses it, `due` returns what the rules force next, and `apply` applies an event without deciding
//! anything.

use crate::event::{Approval, Event};
use crate::ids::{Bettor, BoxId, CardPlace, HandNumber, Person};
use crate::round::{CoAsk, Round};
use crate::shoe::{Custody, Procedure};
use rules::play::Actions;
use rules::script::{Offer, Step, script};
use rules::wager::Prize;
use rules::{Cents, Rules, Text};
use std::sync::Arc;

/// Who must act now, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaiting {
    /// A step in preparing the cards.
    Procedure(Procedure),
    /// The cut is offered to the player at this box: 2.5(e)-(f).
    Cut(BoxId),
    /// Bets may be placed, until betting is closed.
    Wagers,
    /// A card for this place.
    Card(CardPlace),
    /// The result of the card reader.
    Reader,
    /// An offer that some players have not answered; see `Table::is_asked`.
    Offers(Offer),
    /// Late insurance during the turn of this box: 2.9(b)#4.
    LateInsurance(BoxId),
    /// Only the switch: the first hand is already complete.
    Switch(BoxId),
    /// Both hands are complete after the switch, which may be revoked before the turn ends: 2A.7(g)2.
    Revocation(BoxId),
    /// A decision on a hand.
    Decision(Decide),
    /// Co-bettors' answers whether they double or cover too.
    CoBettors(CoAsk),
    /// A player's answer whether to take a card for the sevens bet.
    SevensCard(BoxId),
    /// A player's answer whether to take a missed card late.
    LateCard(BoxId),
    /// The amount of the bonus button.
    Award(BoxId, Bettor),
    /// A named person's approval.
    Approval(Approval),
}

/// A requested decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decide {
    /// The box.
    pub box_id: BoxId,
    /// The hand.
    pub hand: HandNumber,
    /// The actions that the rules allow.
    pub actions: Actions,
    /// Whether the cards may be switched now.
    pub switch: SwitchOption,
}

/// What a Switch player may do besides deciding on the hand: 2A.7(g).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchOption {
    /// The player has no switch to decide on.
    Nothing,
    /// The second cards may be exchanged.
    Switch,
    /// The switch may be revoked.
    Revoke,
}

/// The next event, or the next input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Due(Event),
    Await(Awaiting),
}

/// A pending streak bet: 2.22.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Streak {
    /// The streak's player.
    pub person: Person,
    /// The box of the streak.
    pub box_id: BoxId,
    /// The bets on streaks of two to five.
    pub bets: [Cents; 4],
    /// The number of rounds won in a row.
    pub wins: u8,
    /// The value of [`Memory::round_number`] when the streak was placed.
    pub placed: u64,
}

impl Streak {
    /// Returns whether there is a bet on the streak.
    pub fn is_pending(&self) -> bool {
        self.bets.iter().any(|&bet| bet > Cents::ZERO)
    }
}

/// What a table remembers from round to round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// The number of finished rounds.
    pub round_number: u64,
    /// 2.19: the progressive meter.
    pub meter: Cents,
    /// Streak bets: 2.22.
    pub streaks: Vec<Streak>,
    /// Whether the reader is out of use: 2.15(k).
    pub reader_failed: bool,
    /// One bit for each box whose light has failed: 2.15(n).
    pub lights_out: u32,
    /// The people who bet in the last round: 2.3(i).
    pub wagered_last: Vec<Person>,
    /// Rounds since the last shuffle.
    pub rounds_since_shuffle: u32,
    /// The people admitted to bet again after they sat out a round.
    pub admitted: Vec<Person>,
    /// The box of the first player to arrive: 2.5(e)1.
    pub first_player: Option<BoxId>,
    /// Boxes with bets in the last round, for the cut: 2.5(e)-(f).
    pub wagered_boxes: Vec<BoxId>,
}

/// A table with its rules, its cards, its memory and the round in play.
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
    /// Returns a table about to be opened: its cards have yet to be inspected, shuffled and cut.
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

    /// Returns a table whose cards have been prepared by the regulation, without a player's cut.
    pub fn prepared(rules: Arc<Rules>) -> Table {
        let mut table = Table::new(rules);
        table.prepare();
        table
    }

    /// Performs every pending step of preparation; the dealer cuts in the middle.
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

    /// Returns where the cards are.
    pub fn custody(&self) -> &Custody {
        &self.custody
    }

    /// Returns what the table remembers from round to round.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Sets the progressive meter that this table shares with others: 2.19(h).
    pub fn share_meter(&mut self, meter: Cents) {
        self.memory.meter = meter;
    }

    /// Returns who must act now, and how; `None` while something is due.
    pub fn awaiting(&self) -> Option<Awaiting> {
        match self.next {
            Next::Await(awaiting) => Some(awaiting),
            Next::Due(_) => None,
        }
    }

    /// Returns the event that the rules force next, without anyone's choice.
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

    /// Returns the regulation text that the table plays by.
    #[inline]
    pub(crate) fn text(&self) -> &'static Text {
        self.rules.text()
    }

    /// Returns whether the table is between two rounds, with no bet placed.
    pub fn is_idle(&self) -> bool {
        self.round.step == 0 && self.round.boxes.is_empty()
    }
}
