//! Plays a round file, and reports every hand and every settlement with its clause.

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

/// A parsed round file, with the options of its table.
pub struct ReplayInput {
    /// The name of the round file, for messages.
    name: String,
    file: RoundFile,
    choices: Choices,
}

impl ReplayInput {
    /// Reads and parses the round file at `path`.
    pub fn read(path: &str) -> Result<ReplayInput, Failure> {
        ReplayInput::parse(&read_text(path)?, path)
    }

    /// Parses the text of a round file and loads its table.
    ///
    /// `name` is the path of the round file: messages name it, and the table file may be in the same folder.
    pub fn parse(text: &str, name: &str) -> Result<ReplayInput, Failure> {
        let file = parse(text).map_err(|error| Failure::NotUnderstood(format!("{name}: {error}")))?;
        let named = |failure: Failure| failure.about(&format!("{name}: line {}", file.table.line));
        let choices =
            of_table_line(&table_of(name, &file.table.table), &file.table.overrides).map_err(named)?;
        Ok(ReplayInput { name: name.to_string(), file, choices })
    }

    /// Plays the round file, and returns the played rounds, or else the line that a rule rejects.
    ///
    /// If the table is illegal, the rejected line is the `table` line. Returns an error if the file cannot be
    /// understood.
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

    /// Returns the document of the rounds that the file played.
    pub fn document(&self, played: &Played) -> Stamped<Replay> {
        Stamped::new(Replay::of(&played.rounds), Inputs::table(&self.choices))
    }

    /// Returns the document that reports a rejected line.
    pub fn refusal(&self, refused: ReplayRefusal) -> Stamped<Refusal> {
        Stamped::new(Refusal { refused }, Inputs::table(&self.choices))
    }
}

/// Returns the preset name or the path of the table file that the `table` line of a round file stands for.
///
/// A table file may be in the working directory or next to the round file.
fn table_of(round_file: &str, table: &str) -> String {
    let beside = Path::new(round_file).with_file_name(table);
    match beside.to_str() {
        Some(beside) if !Path::new(table).exists() && Path::new(beside).is_file() => beside.to_string(),
        _ => table.to_string(),
    }
}

/// The document of a round file in which a rule rejects a line.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Refusal {
    /// The rejected line, with the clause and the reason.
    pub refused: ReplayRefusal,
}

/// A line of a round file that a rule rejects.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct ReplayRefusal {
    /// The number of the line in the file, from 1.
    pub line: usize,
    /// The text of the rejected line.
    pub text: String,
    /// The citation of the clause that the rejected line violates.
    pub clause: &'static str,
    /// The reason why the line is rejected, in one sentence.
    pub reason: String,
}

/// The results of the rounds in a round file.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Replay {
    /// The rounds, in the order of play.
    pub rounds: Vec<Round>,
}

/// The result of a finished round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Round {
    /// The dealer's hand, or the first dealer hand if the round has several.
    pub dealer: Dealer,
    /// All hands of the dealer; absent if the round has one dealer hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dealer_hands: Vec<Dealer>,
    /// The hands of all players in the round.
    pub hands: Vec<Hand>,
    /// Every bet of the round with its settlement.
    pub wagers: Vec<Wager>,
    /// Map from players to their net wins in the round, in dollars; negative for a loss.
    pub net: BTreeMap<String, String>,
}

/// A dealer hand at the end of a round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Dealer {
    /// The cards of the hand, such as `Ks 7d`.
    pub cards: String,
    /// The total of the hand in points.
    pub total: u8,
    /// Whether an ace of the hand counts as eleven.
    pub soft: bool,
    /// Whether the hand is a blackjack.
    pub blackjack: bool,
}

/// A player's hand at the end of a round, with its box.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Hand {
    /// The number of the box.
    pub r#box: u8,
    /// The number of the hand in its box; greater than 1 after a split.
    pub hand: u8,
    /// The cards of the hand, such as `Ks 7d`.
    pub cards: String,
    /// The total of the hand in points.
    pub total: u8,
    /// Whether an ace of the hand counts as eleven.
    pub soft: bool,
}

/// A bet with its settlement.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Wager {
    /// The number of the bet's box.
    pub r#box: u8,
    /// The number of the hand in its box.
    pub hand: u8,
    /// The name of the player who made the bet.
    pub player: String,
    /// The kind of bet: `main`, or the name of a side bet or other bet.
    pub wager: &'static str,
    /// The number of the dealer hand that the bet is made against; absent if the round has one dealer hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spot: Option<u8>,
    /// The amount of the bet, in dollars.
    pub amount: String,
    /// How the bet ended: `win`, `lose`, `push`, `surrender`, `void` or `abandoned`.
    pub result: &'static str,
    /// The player's net win on this bet, in dollars; negative for a loss.
    pub net: String,
    /// The citation of the clause that settles the bet.
    pub clause: &'static str,
    /// When the bet was settled: `deal`, `peek`, `turn`, `dealer`, `end` or `bonus`.
    pub when: &'static str,
}

/// The output of `cutcard replay`: the played rounds, or the line that a rule rejects.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "used only for its schema")]
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
