//! A card that was recorded wrongly. The law has no clause for it, because nothing went wrong in the play: the card on the
//! felt is the card, and the record follows it. Until the next thing happens at the table, the table goes back to before
//! the card, takes the right one, and the chips that the wrong one moved move again as they should have.

use super::live::{By, Halt, Live, Step};
use super::returns::Returns;
use crate::error::ApiError;
use ledger::{Account, Cents, Chips, Holder, Postings, RoundNo};
use rules::{Card, Clause, clause};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{Command, Event, Fact, Irregularity, Place, Table};

/// The last card that a person entered, while nothing has happened since.
#[derive(Clone, Debug)]
pub struct LastCard {
    command: Command,
    /// Where the card went, if it went to a hand.
    pub to: Option<Place>,
    before: (Table, Option<Arc<Returns>>),
    postings: Postings,
    round: RoundNo,
}

/// What a correction changed.
#[derive(Clone, Copy, Debug)]
pub struct Corrected {
    pub was: Card,
    pub is: Card,
    pub to: Option<Place>,
    /// The house's power to correct the card.
    pub by: Clause,
}

/// The reason why a card is not corrected.
#[derive(Debug)]
pub enum Uncorrected {
    /// No card was entered, or something has happened since.
    TooLate,
    /// The card is the same already.
    Same,
    /// The right card cannot be there.
    Halted(Halt),
}

impl From<Uncorrected> for ApiError {
    fn from(why: Uncorrected) -> ApiError {
        match why {
            Uncorrected::TooLate => ApiError::refused(
                "too-late",
                "the last card cannot be corrected any more, because something has happened since; call the floor",
            ),
            Uncorrected::Same => ApiError::refused("same", "that card is already recorded"),
            Uncorrected::Halted(halt) => halt.into(),
        }
    }
}

impl LastCard {
    pub fn of(
        live: &Live,
        command: Command,
        event: &Event,
        (before, postings): ((Table, Option<Arc<Returns>>), Postings),
    ) -> LastCard {
        let to = match event.fact {
            Fact::Dealt { to, .. } => Some(to),
            Fact::Determined { .. } => Some(Place::Determinant),
            _ => None,
        };
        LastCard { command, to, round: live.round_of(&before.0), before, postings }
    }

    /// Returns the card as it was entered.
    pub fn card(&self) -> Option<Card> {
        told_card(self.command)
    }
}

impl Live {
    /// Puts the right card in the place of the last one.
    pub fn correct(&mut self, by: By, card: Card, step: &mut Step) -> Result<(), Uncorrected> {
        let last = self.last_card.take().ok_or(Uncorrected::TooLate)?;
        let was = last.card().ok_or(Uncorrected::TooLate)?;
        if was == card {
            return Err(Uncorrected::Same);
        }
        let command = with_card(last.command, card).ok_or(Uncorrected::TooLate)?;
        (self.table, self.returns) = last.before.clone();
        let mut again = Step::default();
        self.perform(by, command, &mut again).map_err(Uncorrected::Halted)?;
        step.lines.push(format!("{} correct {card}", by.letter()));
        step.events.append(&mut again.events);
        step.openings.append(&mut again.openings);
        step.postings = std::mem::take(&mut step.postings).and(difference(&last.postings, &again.postings));
        step.round = Some(last.round);
        step.corrected = Some(Corrected { was, is: card, to: last.to, by: clause!("HOUSE-CORRECTION") });
        Ok(())
    }
}

/// Returns the card that a command names, if it names one.
pub fn told_card(command: Command) -> Option<Card> {
    match command {
        Command::Card(card) | Command::Determinant(card, _) => Some(card),
        Command::DiscloseBurn(card) => Some(card),
        Command::Report(
            Irregularity::FoundFaceUp(card)
            | Irregularity::TenFound(card)
            | Irregularity::Exposed(card)
            | Irregularity::DrewOnStanding(card)
            | Irregularity::MovedForward(card)
            | Irregularity::Misdelivered(card),
        ) => Some(card),
        _ => None,
    }
}

/// The same command with another card.
fn with_card(command: Command, card: Card) -> Option<Command> {
    let report = |irregularity| Some(Command::Report(irregularity));
    match command {
        Command::Card(_) => Some(Command::Card(card)),
        Command::Determinant(_, side) => Some(Command::Determinant(card, side)),
        Command::DiscloseBurn(_) => Some(Command::DiscloseBurn(card)),
        Command::Report(Irregularity::FoundFaceUp(_)) => report(Irregularity::FoundFaceUp(card)),
        Command::Report(Irregularity::TenFound(_)) => report(Irregularity::TenFound(card)),
        Command::Report(Irregularity::Exposed(_)) => report(Irregularity::Exposed(card)),
        Command::Report(Irregularity::DrewOnStanding(_)) => report(Irregularity::DrewOnStanding(card)),
        Command::Report(Irregularity::MovedForward(_)) => report(Irregularity::MovedForward(card)),
        Command::Report(Irregularity::Misdelivered(_)) => report(Irregularity::Misdelivered(card)),
        _ => None,
    }
}

/// What has to move so that what was moved becomes what should have been. The bank stands between everyone. Winnings that
/// were paid by mistake may have been spent: what is missing is owed, as it is when a round is void.
fn difference(moved: &Postings, should_be: &Postings) -> Postings {
    let mut missing: BTreeMap<Account, i64> = BTreeMap::new();
    for leg in should_be.legs() {
        *missing.entry(leg.account).or_default() += leg.amount.0;
    }
    for leg in moved.legs() {
        *missing.entry(leg.account).or_default() -= leg.amount.0;
    }
    let bank = |chips: Chips| Account::new(chips, Holder::Bank);
    let others = missing.into_iter().filter(|(account, _)| account.holder != Holder::Bank);
    let (back, forth): (Vec<_>, Vec<_>) = others.partition(|(_, amount)| *amount < 0);
    let mut postings = Postings::none();
    for (account, amount) in back {
        let (to, amount) = (bank(account.chips), Cents(-amount));
        postings = match account.person() {
            Some(person) => postings.claim(account, person, to, amount),
            None => postings.transfer(account, to, amount),
        };
    }
    for (account, amount) in forth {
        postings = postings.transfer(bank(account.chips), account, Cents(amount));
    }
    postings
}
