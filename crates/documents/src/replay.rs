//! A round file, played: every hand, settlement and citation.

use crate::load::{of_table_line, read_text};
use crate::{Failure, Inputs, Stamped};
use rules::card::show_cards;
use rules::{Choices, Rules};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use table::Word;
use table::notation::parse::{RoundFile, parse};
use table::notation::{self, HandRecord, Played, RoundRecord, Stop, WagerRecord, play};
use utoipa::ToSchema;

/// A round file and the choices of the table that it names.
pub struct ReplayInput {
    /// The file's name in messages.
    name: String,
    file: RoundFile,
    choices: Choices,
}

impl ReplayInput {
    /// Reads the round file at this path.
    pub fn read(path: &str) -> Result<ReplayInput, Failure> {
        ReplayInput::parse(&read_text(path)?, path)
    }

    /// Parses a round file; `name` stands for it in messages, and its table file may be in the same folder.
    pub fn parse(text: &str, name: &str) -> Result<ReplayInput, Failure> {
        let file = parse(text).map_err(|error| Failure::NotUnderstood(format!("{name}: {error}")))?;
        let named = |failure: Failure| failure.about(&format!("{name}: line {}", file.table.line));
        let choices =
            of_table_line(&table_of(name, &file.table.table), &file.table.overrides).map_err(named)?;
        Ok(ReplayInput { name: name.to_string(), file, choices })
    }

    /// Plays the round file; a refused line, including the table line, is an answer too.
    pub fn play(&self) -> Result<Result<Played, ReplayRefusal>, Failure> {
        let stop = match Rules::new(self.choices.clone()) {
            Ok(rules) => match play(&self.file, Arc::new(rules)) {
                Ok(played) => return Ok(Ok(played)),
                Err(stop) => stop,
            },
            Err(report) => {
                let Some(first) = report.violations.into_iter().next() else {
                    return Err(Failure::Refused("the table is not legal".to_string()));
                };
                let (line, text) = (self.file.table.line, self.file.table.text.clone());
                Stop::Refused { line, text, clause: first.clause, reason: first.message }
            }
        };
        match stop {
            Stop::Error { line, message } => {
                let line = line.map_or(String::new(), |line| format!("line {line}: "));
                Err(Failure::NotUnderstood(format!("{}: {line}{message}", self.name)))
            }
            Stop::Refused { line, text, clause, reason } => {
                Ok(Err(ReplayRefusal { line, text, clause: clause.citation(), reason }))
            }
        }
    }

    /// Returns the document of the played rounds.
    pub fn document(&self, played: &Played) -> Stamped<Replay> {
        Stamped::new(Replay::of(&played.rounds), Inputs::table(&self.choices))
    }

    /// Returns the document of a refusal.
    pub fn refusal(&self, refused: ReplayRefusal) -> Stamped<Refusal> {
        Stamped::new(Refusal { refused }, Inputs::table(&self.choices))
    }
}

/// Returns the table that a round file names: a preset, or a file in the working directory or next to the round file.
fn table_of(round_file: &str, table: &str) -> String {
    let beside = Path::new(round_file).with_file_name(table);
    match beside.to_str() {
        Some(beside) if !Path::new(table).exists() && Path::new(beside).is_file() => beside.to_string(),
        _ => table.to_string(),
    }
}

/// The answer for a round file that is refused.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Refusal {
    /// What was refused, and why.
    pub refused: ReplayRefusal,
}

/// A refused line of a round file.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ReplayRefusal {
    /// The number of the line.
    pub line: usize,
    /// The line.
    pub text: String,
    /// The clause that refuses the line.
    pub clause: &'static str,
    /// The reason, in one sentence.
    pub reason: String,
}

/// The rounds of a round file, played.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Replay {
    /// The rounds.
    pub rounds: Vec<Round>,
}

/// A finished round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Round {
    /// The dealer's hand.
    pub dealer: Dealer,
    /// All hands of the dealer, where a round has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dealer_hands: Vec<Dealer>,
    /// The players' hands.
    pub hands: Vec<Hand>,
    /// Every bet, as it was settled.
    pub wagers: Vec<Wager>,
    /// What each player won, in dollars; negative if lost.
    pub net: BTreeMap<String, String>,
}

/// A dealer's hand.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Dealer {
    /// The cards.
    pub cards: String,
    /// The total.
    pub total: u8,
    /// Whether an ace counts eleven.
    pub soft: bool,
    /// Whether the hand is a blackjack.
    pub blackjack: bool,
}

/// A player's hand.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Hand {
    /// The number of the box.
    pub r#box: u8,
    /// The number of the hand in the box; more than one after a split.
    pub hand: u8,
    /// The cards.
    pub cards: String,
    /// The total.
    pub total: u8,
    /// Whether an ace counts eleven.
    pub soft: bool,
}

/// A settled bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Wager {
    /// The number of the box.
    pub r#box: u8,
    /// The number of the hand.
    pub hand: u8,
    /// The player.
    pub player: String,
    /// The bet: `main`, or the name of another.
    pub wager: &'static str,
    /// The dealer's hand that settles the bet, where a round has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spot: Option<u8>,
    /// The amount, in dollars.
    pub amount: String,
    /// How the bet ended: `win`, `lose`, `push`, `surrender`, `void` or `abandoned`.
    pub result: &'static str,
    /// What the player won, in dollars; negative if lost.
    pub net: String,
    /// The clause that settles the bet.
    pub clause: &'static str,
    /// When the bet was settled: `deal`, `peek`, `turn`, `dealer`, `end` or `bonus`.
    pub when: &'static str,
}

/// What `cutcard replay` prints.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub enum Replayed {
    Played(Replay),
    Refused(Refusal),
}

impl Replay {
    fn of(rounds: &[RoundRecord]) -> Replay {
        Replay { rounds: rounds.iter().map(Round::of).collect() }
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
