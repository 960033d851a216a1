//! The table: a machine of four functions. `awaiting` says who must do what, `decide` turns a command into an event or
//! refuses it, `due` gives what the rules force next, and `apply` carries an event out without deciding anything.

use crate::event::{Approval, Event};
use crate::ids::{Bettor, BoxId, HandNumber, Person, Place};
use crate::round::{CoAsk, Round};
use crate::shoe::{Custody, Procedure};
use rules::play::Actions;
use rules::script::{Offer, Step, script};
use rules::wager::SideWager;
use rules::{Cents, Rules, Text};
use std::sync::Arc;

/// Who must do what now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaiting {
    /// A step in preparing the cards.
    Procedure(Procedure),
    /// The cut is offered to the player at this box: 2.5(e)-(f).
    Cut(BoxId),
    /// Wagers may be placed, until they are closed.
    Wagers,
    /// A card for this place.
    Card(Place),
    /// What the card reader device shows.
    Reader,
    /// An offer that some players have not answered; see `Table::is_asked`.
    Offers(Offer),
    /// 2.9(b)#4: insurance at the own turn of this box.
    LateInsurance(BoxId),
    /// Only the switch is asked; the first hand is complete as it lies.
    Switch(BoxId),
    /// 2A.7(g)2: both hands are complete after the switch; it may be revoked before the turn ends.
    Revocation(BoxId),
    /// A decision on a hand.
    Decision(Decide),
    /// Co-bettors say whether they double or cover too.
    CoBettors(CoAsk),
    /// A player says whether to take a card for the sevens wager.
    SevensCard(BoxId),
    /// A player says whether to take a missed card late.
    LateCard(BoxId),
    /// The bonus button is pressed.
    Award(BoxId, Bettor),
    /// A named person verifies something.
    Approval(Approval),
}

/// The decision that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decide {
    /// The box.
    pub box_id: BoxId,
    /// The hand.
    pub hand: HandNumber,
    /// The actions that the rules allow.
    pub actions: Actions,
    /// Whether cards may be switched now.
    pub switch: SwitchOption,
}

/// What a Switch player may do beside deciding on the hand: 2A.7(g).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchOption {
    /// The player has no switch to decide on.
    Nothing,
    /// They may be exchanged.
    Switch,
    /// The exchange may be taken back.
    Revoke,
}

/// What comes next: something forced, or something awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Due(Event),
    Await(Awaiting),
}

/// A pending streak wager: 2.22.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Streak {
    /// Whose streak it is.
    pub person: Person,
    /// The box of the streak.
    pub box_id: BoxId,
    /// Staked on two to five.
    pub bets: [Cents; 4],
    /// Rounds won in a row.
    pub wins: u8,
    /// The number of rounds before the one in which the streak was placed.
    pub placed: u64,
}

impl Streak {
    /// Returns whether there is a wager on the streak.
    pub fn is_pending(&self) -> bool {
        self.bets.iter().any(|&bet| bet > Cents::ZERO)
    }
}

/// What a table remembers from round to round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Rounds that are over.
    pub round_number: u64,
    /// 2.19: the progressive meter.
    pub meter: Cents,
    /// Streak wagers: 2.22.
    pub streaks: Vec<Streak>,
    /// 2.15(k): the reader is out of use.
    pub reader_failed: bool,
    /// 2.15(n): a bit for each box whose light has failed.
    pub lights_out: u32,
    /// 2.3(i): who wagered in the last round, and since the shuffle.
    pub wagered_last: Vec<Person>,
    /// Rounds since the last shuffle.
    pub rounds_since_shuffle: u32,
    /// Who may wager again after having sat a round out.
    pub admitted: Vec<Person>,
    /// The order in which people came: 2.5(e)1.
    pub first_player: Option<BoxId>,
    /// Boxes with wagers in the last round, for the cut: 2.5(e)-(f).
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
    /// Returns a table about to be opened: the cards have yet to be inspected, shuffled and cut.
    pub fn new(rules: Arc<Rules>) -> Table {
        let meter = rules.offer(SideWager::Progressive).map_or(Cents::ZERO, |o| o.meter.unwrap_or(o.seed));
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
        table.go_on();
        table
    }

    /// Returns a table whose cards have been prepared as the regulation says, without a player's cut.
    pub fn prepared(rules: Arc<Rules>) -> Table {
        let mut table = Table::new(rules);
        table.prepare();
        table
    }

    /// Performs every step of preparation that is pending, the dealer cutting in the middle.
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

    /// Returns who must act now, and how. While something is due, nobody is asked anything.
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

    /// Returns whether this bettor has yet to answer the offer that is being made.
    pub fn is_asked(&self, box_id: BoxId, bettor: Bettor) -> bool {
        let asked =
            |at: usize| self.round.boxes[at].bettors.get(usize::from(bettor.0)).is_some_and(|b| !b.answered);
        self.round.box_at(box_id).is_some_and(asked)
    }

    /// Returns the current step of the script.
    pub fn step(&self) -> Step {
        self.script[self.round.step.min(self.script.len() - 1)]
    }

    /// Returns the text that the table plays by.
    #[inline]
    pub(crate) fn text(&self) -> &'static Text {
        self.rules.text()
    }

    /// Returns whether the table is between two rounds, with no wager placed.
    pub fn is_idle(&self) -> bool {
        self.round.step == 0 && self.round.boxes.is_empty()
    }
}
