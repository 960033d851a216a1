//! Drives a table with random players: performs every automatic step and makes random legal decisions.

use super::cards::Cards;
use super::{Chance, mishaps, people};
use crate::command::Command;
use crate::event::{Event, Fact};
use crate::ids::{CardPlace, Role};
use crate::table::{Awaiting, Table};
use rules::Rules;
use std::sync::Arc;

/// Options for playing a table at random.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The maximum number of bettors at the table.
    pub bettors: usize,
    /// Whether side bets are made.
    pub sides: bool,
    /// The average number of steps between irregularities, or zero for no irregularities.
    pub mishaps: usize,
    /// Whether play is plain: one bettor per box from the left, cards shown, the cut card at its usual place.
    pub plain: bool,
}

impl Style {
    /// Returns the style of the benchmark: plain play with only a main bet on each of `boxes` boxes.
    pub const fn plain(boxes: usize) -> Style {
        Style { bettors: boxes, sides: false, mishaps: 0, plain: true }
    }

    /// Returns a random style.
    ///
    /// The style has any number of people, and at some tables side bets and many irregularities.
    pub fn random(chance: &mut Chance<'_>) -> Style {
        Style {
            bettors: 1 + chance.below(9),
            sides: !chance.one_in(4),
            mishaps: [0, 0, 200, 40, 12][chance.below(5)],
            plain: false,
        }
    }
}

/// A table played at random, with its actual cards.
#[derive(Clone, Debug)]
pub struct Driver {
    /// The table that the driver plays.
    pub table: Table,
    /// The actual cards that are left in the shoe.
    pub cards: Cards,
    /// The options for random play.
    pub style: Style,
}

impl Driver {
    /// Opens a new table under these rules.
    pub fn new(rules: Arc<Rules>, style: Style) -> Driver {
        let table = Table::new(rules);
        Driver { cards: Cards::new(&table), table, style }
    }

    fn mishap(&mut self, chance: &mut Chance<'_>) -> Option<Command> {
        let happens =
            self.style.mishaps > 0 && self.table.round().void.is_none() && chance.one_in(self.style.mishaps);
        if happens { mishaps::mishap(&self.table, &mut self.cards, chance) } else { None }
    }

    /// Returns a random irregularity or player's command.
    ///
    /// Assumes that no event is due.
    pub fn choose(&mut self, chance: &mut Chance<'_>) -> Command {
        self.mishap(chance).unwrap_or_else(|| self.command(chance))
    }

    /// Returns the next event: an irregularity, an event that is due, or the event of a player's command.
    #[inline]
    pub fn next(&mut self, chance: &mut Chance<'_>) -> Event {
        if let Some(command) = self.mishap(chance) {
            return self.decided(command);
        }
        match self.table.due() {
            Some(event) => event,
            None => {
                let command = self.command(chance);
                self.decided(command)
            }
        }
    }

    fn command(&mut self, chance: &mut Chance<'_>) -> Command {
        if self.style.mishaps > 0
            && matches!(self.table.awaiting(), Some(Awaiting::Card(place)) if place != CardPlace::HoleDown)
            && self.table.round().mishaps.exposed.is_none()
            && self.cards.hidden().is_none()
            && chance.one_in(self.style.mishaps * 8)
            && let Some(ten) = mishaps::stray_ten(&self.table, chance)
        {
            return Command::Card(ten);
        }
        people::command(&self.table, &mut self.cards, &self.style, chance)
            .unwrap_or_else(|| self.out_of_cards())
    }

    /// Returns the command for a table whose cards have run out: to shuffle the discards, or to end the round.
    fn out_of_cards(&self) -> Command {
        let out = Command::Report(crate::irregular::Irregularity::OutOfCards);
        if self.table.decide(out).is_ok() && self.table.custody().rack.len() > 1 {
            out
        } else {
            Command::VoidRound { role: Role::Supervisor }
        }
    }

    /// Returns the event that a command causes.
    ///
    /// Panics if the table refuses the command, because random players choose only what is allowed.
    fn decided(&self, command: Command) -> Event {
        match self.table.decide(command) {
            Ok(event) => event,
            Err(refusal) => panic!(
                "{command:?} was refused: {refusal}; the table awaits {:?} at {:?}",
                self.table.awaiting(),
                self.table.round()
            ),
        }
    }

    /// Applies an event to the table and to the actual cards.
    pub fn apply(&mut self, event: &Event, chance: &mut Chance<'_>) {
        self.table.apply(event);
        self.cards.follow(&self.table, event, chance);
    }

    /// Plays until the cards of a round are picked up, and passes all events to `sink`.
    pub fn round(&mut self, chance: &mut Chance<'_>, mut sink: impl FnMut(&Event)) {
        loop {
            let event = self.next(chance);
            self.apply(&event, chance);
            sink(&event);
            if event.fact == Fact::PickedUp {
                return;
            }
        }
    }
}
