//! A fenced block of a literate case: plays it and checks the result against its `=>` lines.

use crate::sentences::sentences;
use rules::{Choices, Rules, Text, file, preset};
use std::sync::Arc;
use table::Word;
use table::notation::{Played, Stop, WagerRecord, parse::parse, play, show::sentence};

/// A fenced block and its position.
#[derive(Clone)]
pub struct Block {
    pub kind: Kind,
    pub heading: String,
    pub first_line: usize,
    pub lines: Vec<String>,
}

/// The kind of a block: a round to play, or everything that a table says to its players.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Round,
    Words,
}

impl Block {
    /// Returns the topic of a `words` block with a line `only TOPIC`.
    pub fn only(&self) -> Option<&str> {
        self.lines.get(1).and_then(|line| line.strip_prefix("only "))
    }

    /// Returns the choices of its table, legal or not.
    pub fn choices(&self) -> Result<Choices, String> {
        let first = self.lines.iter().find_map(|line| line.strip_prefix("table ")).unwrap_or("");
        let mut words = first.split_whitespace();
        let name = words.next().unwrap_or("");
        let mut choices = preset::preset(name).ok_or_else(|| format!("there is no preset {name}"))?;
        for assignment in words {
            file::set(&mut choices, assignment).map_err(|e| e.to_string())?;
        }
        Ok(choices)
    }
}

pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut heading = String::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.trim()) {
            (None, fence @ ("```round" | "```words")) => {
                let kind = if fence == "```round" { Kind::Round } else { Kind::Words };
                open =
                    Some(Block { kind, heading: heading.clone(), first_line: index + 2, lines: Vec::new() });
            }
            (Some(_), "```") => blocks.extend(open.take()),
            (Some(block), _) => block.lines.push(line.to_string()),
            (None, title) if title.starts_with('#') => {
                heading = title.trim_start_matches('#').trim().to_string()
            }
            (None, _) => {}
        }
    }
    blocks
}

/// Plays the statements of a block; `text`, if given, replaces the text of the same name.
pub fn outcome(block: &Block, text: Option<&'static Text>) -> Result<Played, Stop> {
    let statements: Vec<String> = block
        .lines
        .iter()
        .map(|line| if line.starts_with("=>") { String::new() } else { line.clone() })
        .collect();
    let error = |message: String| Stop::Error { line: None, message };
    let file = parse(&statements.join("\n")).map_err(|e| error(e.to_string()))?;
    let mut choices = preset::preset(&file.table.table)
        .ok_or_else(|| error(format!("there is no preset {}", file.table.table)))?;
    for assignment in &file.table.overrides {
        file::set(&mut choices, assignment).map_err(|e| error(e.to_string()))?;
    }
    if let Some(text) = text.filter(|text| *text == choices.text) {
        choices.text = text;
    }
    let rules = Rules::new(choices).map_err(|report| {
        let first = &report.violations[0];
        let (clause, reason) = (first.clause, first.message.clone());
        Stop::Refused { line: file.table.line, text: file.table.text.clone(), clause, reason }
    })?;
    play(&file, Arc::new(rules))
}

/// Returns the expectations that were not met.
pub fn run(block: &Block) -> Vec<String> {
    run_under(block, None)
}

/// Like `run`, under a text that replaces the one of the same name.
pub fn run_under(block: &Block, text: Option<&'static Text>) -> Vec<String> {
    if block.kind == Kind::Words {
        return unsaid(block, text);
    }
    let expected: Vec<(usize, &str)> = block
        .lines
        .iter()
        .enumerate()
        .filter_map(|(index, line)| line.strip_prefix("=>").map(|rest| (index, rest.trim())))
        .collect();
    if expected.is_empty() {
        return vec!["the case expects nothing".to_string()];
    }
    let result = outcome(block, text);
    match &result {
        Err(Stop::Refused { line, clause, reason, text }) => {
            let here = expected.iter().find(|(_, what)| what.starts_with("refused"));
            let Some((index, what)) = here else {
                return vec![format!("line {line}: `{text}` was refused by {clause:?}: {reason}")];
            };
            // the expectation is right below the refused line
            let mut found = Vec::new();
            if expected.len() > 1 {
                found.push("a refused file is settled nowhere: expect the refusal alone".to_string());
            }
            if index + 1 != line + 1 {
                found.push(format!(
                    "expected line {index} to be refused, but line {line} was, by {clause:?}: {reason}"
                ));
            }
            let wanted = what.strip_prefix("refused").unwrap_or("").trim();
            if wanted != clause.id() {
                found.push(format!("refused by {}, not {wanted}: {reason}", clause.id()));
            }
            found
        }
        Err(Stop::Error { line, message }) => {
            let wanted = expected.iter().any(|(_, what)| what.starts_with("error"));
            if wanted { Vec::new() } else { vec![format!("not played: line {line:?}: {message}")] }
        }
        Ok(played) => expected.iter().filter_map(|(index, what)| miss(block, played, *index, what)).collect(),
    }
}

/// Returns the differences between what a table says and what it should say.
fn unsaid(block: &Block, text: Option<&'static Text>) -> Vec<String> {
    let mut choices = match block.choices() {
        Ok(choices) => choices,
        Err(message) => return vec![message],
    };
    if let Some(text) = text.filter(|text| *text == choices.text) {
        choices.text = text;
    }
    let (only, expected) = (block.only(), &block.lines[1 + usize::from(block.only().is_some())..]);
    let said = sentences(&choices, only);
    if expected.is_empty() {
        return vec!["the case expects nothing".to_string()];
    }
    let missed =
        expected.iter().filter(|line| !said.contains(line)).map(|line| format!("is not said: {line}"));
    let more = said.iter().filter(|line| !expected.contains(line)).map(|line| format!("is said: {line}"));
    missed.chain(more).collect()
}

/// Returns the round that an expectation is about: the one whose statements surround it.
fn round_of(block: &Block, index: usize) -> usize {
    block.lines[..index].iter().filter(|line| line.trim() == "next").count()
}

fn miss(block: &Block, played: &Played, index: usize, what: &str) -> Option<String> {
    let round = round_of(block, index);
    let Some(record) = played.rounds.get(round) else {
        return Some(format!("`{what}` speaks of round {}, which was not played", round + 1));
    };
    let words: Vec<&str> = what.split_whitespace().collect();
    match words.as_slice() {
        ["refused" | "error", ..] => Some(format!("nothing was refused, but `{what}` was expected")),
        ["dealer", cards @ ..] => {
            let found = rules::card::show_cards(record.dealer_cards());
            (found != cards.join(" ")).then(|| format!("the dealer has {found}, not {}", cards.join(" ")))
        }
        ["hand", number, cards @ ..] => {
            let found =
                record.hands.iter().find(|hand| format!("{}#{}", hand.box_id.0, hand.hand.0) == *number);
            let found = found.map_or("nothing".to_string(), |hand| rules::card::show_cards(&hand.cards));
            (found != cards.join(" ")).then(|| format!("hand {number} has {found}, not {}", cards.join(" ")))
        }
        ["net", player, amount] => {
            let found = record.net.iter().find(|(name, _)| name == player).map(|(_, net)| net.to_string());
            (found.as_deref() != Some(*amount)).then(|| format!("{player} has {found:?}, not {amount}"))
        }
        ["rack", cards @ ..] => {
            let rack = played.table.custody().rack.iter();
            let found = rack.map(|card| card.map_or("??".to_string(), |card| card.to_string()));
            let found = found.collect::<Vec<_>>().join(" ");
            (found != cards.join(" ")).then(|| format!("the rack holds {found}, not {}", cards.join(" ")))
        }
        ["meter", amount] => {
            let found = played.table.memory().meter.to_string();
            (found != *amount).then(|| format!("the meter shows {found}, not {amount}"))
        }
        ["step", ..] => step_miss(block, played, index),
        ["no-step", ..] => {
            let unwanted = what.trim_start_matches("no-step").trim();
            let happened = steps(played, round).into_iter().find(|step| step.starts_with(unwanted));
            happened.map(|step| format!("`{step}` happened"))
        }
        ["order", ..] => order_miss(played, round, what.trim_start_matches("order").trim()),
        _ => {
            let lines: Vec<String> = record.wagers.iter().map(wager_line).collect();
            (!lines.iter().any(|line| line == what))
                .then(|| format!("`{what}` is not among\n        {}", lines.join("\n        ")))
        }
    }
}

/// Returns the steps of a round, in the words of `cutcard replay`, each with its clause.
fn steps(played: &Played, round: usize) -> Vec<String> {
    let events = played.events.get(round).into_iter().flatten();
    let said =
        events.filter_map(|event| Some(format!("{} | {}", sentence(event, &played.people)?, event.by.id())));
    said.collect()
}

/// Checks that the `step` lines of a round occur in order; other steps may come between.
fn step_miss(block: &Block, played: &Played, index: usize) -> Option<String> {
    let round = round_of(block, index);
    let happened = steps(played, round);
    let mut from = 0;
    for (at, line) in block.lines.iter().enumerate().take(index + 1) {
        let Some(wanted) = line.strip_prefix("=> step ").filter(|_| round_of(block, at) == round) else {
            continue;
        };
        match happened[from..].iter().position(|step| step == wanted.trim()) {
            Some(found) => from += found + 1,
            // an earlier line has its own error
            None if at < index => {}
            None => {
                let what = if happened.iter().any(|step| step == wanted.trim()) {
                    "in that order"
                } else {
                    "at all"
                };
                return Some(format!(
                    "no step `{}` {what}; there are:\n        {}",
                    wanted.trim(),
                    happened.join("\n        ")
                ));
            }
        }
    }
    None
}

/// Checks `order A; B; C`: these bets are settled in this order (other settlements may come between).
fn order_miss(played: &Played, round: usize, wanted: &str) -> Option<String> {
    let record = played.rounds.get(round)?;
    let settled: Vec<String> = record
        .wagers
        .iter()
        .map(|wager| format!("{} {} {}#{}", wager.box_id.0, wager.player, wager.wager.name(), wager.hand.0))
        .collect();
    let mut from = 0;
    for item in wanted.split(';').map(str::trim) {
        match settled[from..].iter().position(|line| line == item) {
            Some(at) => from += at + 1,
            None => {
                return Some(format!(
                    "`{item}` is not settled in that order; the order is {}",
                    settled.join("; ")
                ));
            }
        }
    }
    None
}

/// Formats a settled bet as `1 ann main#1 win 22.50 19:47-2.7(a) deal`, with `/2` after the hand for a spot of multiple
/// action.
fn wager_line(wager: &WagerRecord) -> String {
    let spot = wager.spot.map_or(String::new(), |spot| format!("/{spot}"));
    format!(
        "{} {} {}#{}{spot} {} {} {} {}",
        wager.box_id.0,
        wager.player,
        wager.wager.name(),
        wager.hand.0,
        wager.result.word(),
        wager.net,
        wager.clause.id(),
        wager.when.word()
    )
}

/// Returns the block with its expectations as the program would write them.
pub fn actual(block: &Block) -> Vec<String> {
    if block.kind == Kind::Words {
        let said = block.choices().map(|choices| sentences(&choices, block.only())).unwrap_or_default();
        let head = block.lines.iter().take(1 + usize::from(block.only().is_some()));
        return head.cloned().chain(said).collect();
    }
    let statements: Vec<String> =
        block.lines.iter().filter(|line| !line.starts_with("=>")).cloned().collect();
    let plain = Block {
        kind: Kind::Round,
        heading: String::new(),
        first_line: block.first_line,
        lines: statements.clone(),
    };
    match outcome(&plain, None) {
        Err(Stop::Refused { line, clause, .. }) => {
            let mut lines = statements;
            lines.insert(line, format!("=> refused {}", clause.id()));
            lines
        }
        Err(Stop::Error { .. }) => block.lines.clone(),
        Ok(played) => {
            let mut lines = Vec::new();
            let mut round = 0;
            let write = |lines: &mut Vec<String>, round: usize| {
                if let Some(record) = played.rounds.get(round) {
                    lines.extend(record.wagers.iter().map(|wager| format!("=> {}", wager_line(wager))));
                    lines.extend(record.net.iter().map(|(player, net)| format!("=> net {player} {net}")));
                }
            };
            for line in &statements {
                if line.trim() == "next" {
                    write(&mut lines, round);
                    round += 1;
                }
                lines.push(line.clone());
            }
            write(&mut lines, round);
            let kept = block.lines.iter().filter(|line| {
                ["=> step", "=> no-step", "=> order", "=> dealer", "=> hand", "=> meter", "=> rack"]
                    .iter()
                    .any(|form| line.starts_with(form))
            });
            lines.extend(kept.cloned());
            lines
        }
    }
}
