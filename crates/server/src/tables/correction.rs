//! Corrects a card that was entered wrongly.
//!
//! The regulations have no clause for this correction, because nothing went wrong at the table: the card on the
//! felt counts, and the record follows it. Until the next command, the table can go back to its state before the
//! card, take the right card, and move the chips as the right card requires.

use super::live::{By, CommandError, Live, Step};
use super::returns::BetTotalsByName;
use crate::error::ApiError;
use ledger::{Account, Cents, Chips, Holder, Postings, RoundNo};
use rules::message;
use rules::{Card, Clause, clause};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{CardPlace, Command, Event, Fact, Irregularity, Table};

/// The last card that a person entered, with the state of the table before it.
#[derive(Clone, Debug)]
pub struct LastCard {
    command: Command,
    /// The place that the card was dealt to, or `None` if the command named a card without dealing one.
    pub to: Option<CardPlace>,
    before: (Table, Option<Arc<BetTotalsByName>>),
    postings: Postings,
    round: RoundNo,
}

/// A correction of a card: the wrong card, the right card, and the place that the card was dealt to.
#[derive(Clone, Copy, Debug)]
pub struct Corrected {
    pub was: Card,
    pub is: Card,
    pub to: Option<CardPlace>,
    /// The clause under which the house corrects the card.
    pub by: Clause,
}

/// The reason why a card was not corrected.
#[derive(Debug)]
pub enum Uncorrected {
    /// There is no last card to correct: none was entered, or another command has followed the card.
    TooLate,
    /// The right card is the same as the card that was entered.
    Same,
    /// The table does not accept the right card.
    Halted(CommandError),
}

impl From<Uncorrected> for ApiError {
    fn from(why: Uncorrected) -> ApiError {
        match why {
            Uncorrected::TooLate => ApiError::refused(message!(
                "too-late",
                "the last card can no longer be corrected because play has moved on; call the floor"
            )),
            Uncorrected::Same => ApiError::refused(message!("same", "that card is already recorded")),
            Uncorrected::Halted(halt) => halt.into(),
        }
    }
}

impl LastCard {
    pub fn of(
        live: &Live,
        command: Command,
        event: &Event,
        (before, postings): ((Table, Option<Arc<BetTotalsByName>>), Postings),
    ) -> LastCard {
        let to = match event.fact {
            Fact::Dealt { to, .. } => Some(to),
            Fact::Determined { .. } => Some(CardPlace::Determinant),
            _ => None,
        };
        LastCard { command, to, round: live.round_of(&before.0), before, postings }
    }

    /// Returns the card as it was entered, or `None` if the entered command names no card.
    pub fn card(&self) -> Option<Card> {
        told_card(self.command)
    }
}

impl Live {
    /// Replaces the card that was entered last with `card`, and performs its command again with the right card.
    ///
    /// Returns the reason if the card cannot be replaced.
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
        step.postings = std::mem::take(&mut step.postings).with(difference(&last.postings, &again.postings));
        step.round = Some(last.round);
        step.corrected = Some(Corrected { was, is: card, to: last.to, by: clause!("HOUSE-CORRECTION") });
        Ok(())
    }
}

/// Returns the card that a command names, or `None` if it names no card.
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

/// Returns `command` with `card` in place of its own card, or `None` if the command names no card.
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

/// Returns the postings that turn the chip movements `moved` into those that the right card requires.
///
/// Every amount goes through the bank. If a player has already spent winnings that were paid by mistake, the
/// missing part is owed, as when a round is void.
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
