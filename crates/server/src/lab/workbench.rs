//! The analyst's workbench: computes the documents of the command line for the lab's page.

use super::task::no_value;
use crate::error::ErrorDetail;
use documents::card_drawing::{Size, drawing};
use documents::next_round::{HandAnswer, RefusedHand};
use documents::progress::ignore_progress;
use documents::subject::Subject;
use documents::{Failure, card, compare, ev, indices, next_round, ramp, removal, report, report_page};
use documents::{shoe, simulate, strategy, sweep, tags};
use exact::dealers::Dealers;
use exact::game::Strategy;
use exact::stack::Stack;
use exact::strategy::strategy_at;
use exact::table::{Attacked, Table};
use rules::{Choices, file, message};
use serde::{Deserialize, Serialize};

/// A question to the analyst's workbench about a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "workbench", rename_all = "kebab-case")]
pub enum Workbench {
    Report,
    ReportPage,
    Card { letter: bool },
    Sweep { vary: Vec<String>, within: Option<String>, spread: bool },
    Compare { other: String },
    Shoe { removed: String, hand: String, hand2: String, up: String },
    ShoeChart { removed: String },
    Removal,
    Tags { level: i32, balanced: bool },
    Indices { count: String },
    Ramp { count: String, bankroll: u32, least: u32, most: u32 },
}

/// The maximum number of tables in one sweep whose tables deal one hand per box.
const MOST_TABLES: usize = 600;
/// The maximum number of tables in one sweep whose tables deal two hands per box.
///
/// Each table with two hands per box takes a second to compute.
const MOST_OF_TWO_HANDS: usize = 24;
/// The number of rounds simulated to estimate the EV at each count, from which the bet ramp is computed.
const RAMP_ROUNDS: u64 = 1_000_000;
/// The minimum gain, in initial bets per round, for which a strategy card lists an exception.
const LEAST: f64 = 1e-6;

impl Workbench {
    /// Returns whether the question takes long to compute, and so waits in the queue of long tasks.
    pub fn is_long(&self) -> bool {
        !matches!(
            self,
            Workbench::Shoe { .. }
                | Workbench::ShoeChart { .. }
                | Workbench::Removal
                | Workbench::Card { .. }
        )
    }

    /// Returns the document that answers the question, or an error with the reason if there is no answer.
    pub fn work(&self, choices: Choices) -> Result<String, ErrorDetail> {
        let answered = Subject::lawful(choices).and_then(|table| self.answered(&table));
        answered.map_err(|failure| detail_of(&failure))
    }

    fn answered(&self, table: &Subject) -> Result<String, Failure> {
        match self {
            Workbench::Report => report::document(&report::compute(table)?, None).to_text(),
            Workbench::ReportPage => Ok(report_page::page(&report::document(&report::compute(table)?, None))),
            Workbench::Card { letter } => {
                let size = if *letter { Size::Letter } else { Size::Credit };
                Ok(drawing(&card::document(table, LEAST)?, size)?.svg)
            }
            Workbench::Sweep { vary, within, spread } => sweep_document(table, vary, within.clone(), *spread),
            Workbench::Compare { other } => {
                let other = file::parse(other).map_err(|error| Failure::NotUnderstoodFor(error.why()))?;
                let other = Subject::lawful(other)?;
                compare::document(table, &other, &compare::compared(table, &other)?).to_text()
            }
            Workbench::Shoe { removed, hand, hand2, up } => {
                let stack = cards_left(table, removed)?;
                let play = Strategy::CompositionDependent;
                let mut told = next_round::document(table, &play, &Dealers::default(), &stack)?;
                if !hand.is_empty() || !up.is_empty() {
                    told.document.hand = Some(hand_values(table, stack, hand, hand2, up));
                }
                told.to_text()
            }
            Workbench::ShoeChart { removed } => {
                let stack = cards_left(table, removed)?;
                let from = Table::new(table, Attacked::No).with_stack(&stack);
                let from = from.map_err(|why| Failure::RefusedFor(why.0))?;
                let play = Strategy::TotalDependent;
                strategy::document(table, &play, &strategy_at(&from, &play))
            }
            Workbench::Removal => removal::document(table, &removal::found(table, false)).to_text(),
            Workbench::Tags { level, balanced } => tags::document(table, *level, *balanced)?.to_text(),
            Workbench::Indices { count } => {
                indices::document(table, &indices::compute(table, &with_count(count), &ignore_progress)?)
                    .to_text()
            }
            Workbench::Ramp { count, bankroll, least, most } => {
                let asked = simulate::SimulationOptions { rounds: Some(RAMP_ROUNDS), ..with_count(count) };
                let found = indices::compute(table, &asked, &ignore_progress)?;
                let wanted = ramp::RampGoal {
                    bankroll: f64::from(*bankroll),
                    min_bet: *least,
                    max_bet: *most,
                    kelly: 1.0,
                    risk: None,
                    sit_out_below: None,
                    rising: true,
                };
                // without an accepted risk of ruin, every ramp is within reach
                ramp::document(table, (&asked, &wanted), &found, None)
                    .map_err(|refused| Failure::Refused(refused.reason))?
                    .to_text()
            }
        }
    }
}

/// Converts a failure to compute a document into the lab's error.
///
/// The message drops the dashes of command-line flags, because each flag is a field of the request here.
fn detail_of(failure: &Failure) -> ErrorDetail {
    let message = failure.message().trim_start_matches("--").to_owned();
    match failure.coded() {
        Some(coded) => ErrorDetail::of(coded.clone()).in_english(message),
        None => no_value(message),
    }
}

fn with_count(count: &str) -> simulate::SimulationOptions {
    simulate::SimulationOptions { count: Some(count.to_owned()), ..simulate::SimulationOptions::default() }
}

/// Returns the cards left in a full shoe after the cards in `removed` are removed.
fn cards_left(table: &Subject, removed: &str) -> Result<Stack, Failure> {
    Ok(shoe::stack(table, removed, "")?.unwrap_or_else(|| Stack::full(table)))
}

/// Returns the values of the actions on a hand dealt from `stack`, or the reason why the actions have no values.
///
/// A reason is not an error, because the document about the stack is complete without the hand.
fn hand_values(table: &Subject, stack: Stack, hand: &str, hand2: &str, up: &str) -> HandAnswer {
    let asked =
        ev::EvQuery { hand: hand.into(), hand2: hand2.into(), up: up.into(), ..ev::EvQuery::default() };
    match asked.answer_from(table, Some(stack)) {
        Ok(answer) => HandAnswer::Valued(Box::new(asked.document(table, &answer, None).document)),
        Err(failure) => {
            let ErrorDetail { code, message: refused, params, .. } = detail_of(&failure);
            HandAnswer::Refused(RefusedHand { refused, code, params })
        }
    }
}

fn sweep_document(
    table: &Subject,
    vary: &[String],
    within: Option<String>,
    spread: bool,
) -> Result<String, Failure> {
    let asked = sweep::SweepOptions {
        vary: vary.to_vec(),
        within,
        no_spread: !spread,
        ..sweep::SweepOptions::default()
    };
    let most = if table.hands_per_box() > 1 { MOST_OF_TWO_HANDS } else { MOST_TABLES };
    let many = asked.combinations()?;
    if many > most {
        return Err(Failure::RefusedFor(message!(
            "sweep-too-large",
            "{many} combinations exceed the lab's limit of {most}; use `cutcard sweep`",
            many,
            most
        )));
    }
    sweep::document(&asked.sweep(table)?).to_text()
}
