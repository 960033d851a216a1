//! `cutcard replay`: plays a round file and prints every decision, settlement and citation.

use crate::failure::Failure;
use crate::load::{TableArgs, read_text};
use crate::output::Output;
use rules::Rules;
use rules::card::show_cards;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use table::notation::{self, HandRecord, RoundRecord, Stop, WagerRecord, parse::parse, play, show::show};

#[derive(clap::Args)]
pub struct Args {
    /// A round file: `table`, `cards`, `bet` and decisions, one statement a line.
    file: String,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let file = parse(&read_text(&args.file)?)
        .map_err(|error| Failure::NotUnderstood(format!("{}: {error}", args.file)))?;
    let table = TableArgs::new(table_of(&args.file, &file.table.table), file.table.overrides.clone());
    let choices = table.choices()?;
    let rules = match Rules::new(choices) {
        Ok(rules) => Arc::new(rules),
        Err(report) => {
            let first = report.violations.first().map(|finding| (finding.clause, finding.message.clone()));
            let Some((clause, reason)) = first else {
                return Err(Failure::Refused("the table is not lawful".to_string()));
            };
            let stop = Stop::Refused { line: file.table.line, text: file.table.text.clone(), clause, reason };
            return refused(stop, &args.file, output);
        }
    };
    match play(&file, rules) {
        Ok(played) if output.wants_json() => output.document(&Document::of(&played.rounds))?,
        Ok(played) => output.text(&show(&played))?,
        Err(stop) => return refused(stop, &args.file, output),
    }
    Ok(ExitCode::SUCCESS)
}

/// The table that a round file names: a preset, or a file that lies here or beside the round file.
fn table_of(round_file: &str, table: &str) -> String {
    let beside = Path::new(round_file).with_file_name(table);
    match beside.to_str() {
        Some(beside) if !Path::new(table).exists() && Path::new(beside).is_file() => beside.to_string(),
        _ => table.to_string(),
    }
}

fn refused(stop: Stop, file: &str, output: &Output) -> Result<ExitCode, Failure> {
    match stop {
        Stop::Error { line, message } => {
            let line = line.map_or(String::new(), |line| format!("line {line}: "));
            Err(Failure::NotUnderstood(format!("{file}: {line}{message}")))
        }
        Stop::Refused { line, text, clause, reason } => {
            if !output.wants_json() {
                return Err(Failure::Refused(format!(
                    "{file}: line {line}: `{text}` is refused by {clause}: {reason}"
                )));
            }
            output.document(&RefusedDocument {
                refused: Refused { line, text, clause: clause.citation(), reason },
            })?;
            Ok(ExitCode::from(1))
        }
    }
}

#[derive(Serialize)]
struct RefusedDocument {
    refused: Refused,
}

#[derive(Serialize)]
struct Refused {
    line: usize,
    text: String,
    clause: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct Document {
    rounds: Vec<Round>,
}

#[derive(Serialize)]
struct Round {
    dealer: Dealer,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dealer_hands: Vec<Dealer>,
    hands: Vec<Hand>,
    wagers: Vec<Wager>,
    net: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Dealer {
    cards: String,
    total: u8,
    soft: bool,
    blackjack: bool,
}

#[derive(Serialize)]
struct Hand {
    r#box: u8,
    hand: u8,
    cards: String,
    total: u8,
    soft: bool,
}

#[derive(Serialize)]
struct Wager {
    r#box: u8,
    hand: u8,
    player: String,
    wager: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    spot: Option<u8>,
    amount: String,
    result: &'static str,
    net: String,
    clause: &'static str,
    when: &'static str,
}

impl Document {
    fn of(rounds: &[RoundRecord]) -> Document {
        Document { rounds: rounds.iter().map(Round::of).collect() }
    }
}

impl Round {
    fn of(record: &notation::RoundRecord) -> Round {
        let dealer = |cards: &Vec<rules::Card>| {
            let hand = rules::Hand::dealt(cards);
            Dealer {
                cards: show_cards(cards),
                total: hand.points(),
                soft: hand.total().is_soft(),
                blackjack: hand.is_blackjack(),
            }
        };
        Round {
            dealer: dealer(&record.dealer_cards().to_vec()),
            dealer_hands: if record.dealer.len() > 1 {
                record.dealer.iter().map(dealer).collect()
            } else {
                Vec::new()
            },
            hands: record.hands.iter().map(Hand::of).collect(),
            wagers: record.wagers.iter().map(Wager::of).collect(),
            net: record.net.iter().map(|(player, net)| (player.clone(), net.to_string())).collect(),
        }
    }
}

impl Hand {
    fn of(record: &HandRecord) -> Hand {
        Hand {
            r#box: record.box_id.0,
            hand: record.hand.0,
            cards: show_cards(&record.cards),
            total: record.total.points(),
            soft: record.total.is_soft(),
        }
    }
}

impl Wager {
    fn of(record: &WagerRecord) -> Wager {
        Wager {
            r#box: record.box_id.0,
            hand: record.hand.0,
            player: record.player.clone(),
            wager: record.wager.name(),
            spot: record.spot,
            amount: record.amount.to_string(),
            result: record.result.word(),
            net: record.net.to_string(),
            clause: record.clause.citation(),
            when: record.when.word(),
        }
    }
}
