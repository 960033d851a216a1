//! The table that a command is about: a preset's name or the path of a file, with `--set` overrides; lawful, or said to
//! be hypothetical.

use clap::Args;
use documents::{Failure, load};
use rules::lawful::{Finding, check};
use rules::text::Form;
use rules::{Choices, HoleCard};
use serde_json::{Value, json};
use std::ops::Deref;

/// The arguments that every command about a table has.
#[derive(Args)]
pub struct TableArgs {
    /// A preset's name (see `cutcard tables`) or the path of a table file.
    #[arg(value_name = "TABLE")]
    table: String,
    /// Override a key: `--set decks=6`, `--set side_wagers.match.minimum=5`.
    #[arg(long = "set", value_name = "K=V")]
    overrides: Vec<String>,
    /// Take the table even if it is not lawful; every answer then names the clauses that it breaks.
    #[arg(long)]
    hypothetical: bool,
}

/// A table to be worked with, and what the law has against it: nothing, unless it is hypothetical.
#[derive(Clone)]
pub struct Subject {
    choices: Choices,
    violations: Vec<Finding>,
}

impl Deref for Subject {
    type Target = Choices;

    fn deref(&self) -> &Choices {
        &self.choices
    }
}

impl Subject {
    /// A table that may be anything that can be worked with.
    pub fn new(choices: Choices) -> Result<Subject, Failure> {
        if !(1..=MOST_DECKS).contains(&choices.decks) || choices.split_hands > MOST_HANDS {
            return Err(Failure::Refused(format!(
                "{}: even a hypothetical table has 1 to {MOST_DECKS} decks and splits into at most {MOST_HANDS} hands",
                choices.name
            )));
        }
        if choices.hole_card == HoleCard::Up && choices.text().form() != Form::OneHand {
            return Err(Failure::Refused(format!(
                "{}: a hole card that is dealt face up is worked out for one hand without attacks alone",
                choices.name
            )));
        }
        let violations = check(&choices).violations;
        Ok(Subject { choices, violations })
    }

    /// Marks a JSON document of an unlawful table.
    pub fn mark(&self, document: &mut Value) {
        if !self.violations.is_empty() {
            document["hypothetical"] = self.violations.iter().map(finding_json).collect();
        }
    }

    /// The table's name, with the clauses that it breaks.
    pub fn named(&self) -> String {
        if self.violations.is_empty() {
            return self.name.clone();
        }
        let clauses: Vec<&str> = self.violations.iter().map(|finding| finding.clause.citation()).collect();
        format!("{} (hypothetical, it breaks {})", self.name, clauses.join(", "))
    }

    /// Lines for people that mark an unlawful table; none for a lawful one.
    pub fn marked(&self) -> String {
        let line = |finding: &Finding| format!("  {}: {}\n", finding.clause, finding.message);
        let lines: String = self.violations.iter().map(line).collect();
        if lines.is_empty() { lines } else { format!("hypothetical: no lawful table, it breaks\n{lines}") }
    }
}

/// One violation as `check --json` has it.
fn finding_json(finding: &Finding) -> Value {
    json!({ "clause": finding.clause.citation(), "keys": finding.keys, "message": finding.message })
}

/// What the solver is made for.
const MOST_DECKS: u8 = 8;
const MOST_HANDS: u8 = 4;

impl TableArgs {
    pub fn new(table: String, overrides: Vec<String>, hypothetical: bool) -> TableArgs {
        TableArgs { table, overrides, hypothetical }
    }

    /// The table to work with: lawful, or hypothetical if it is said to be.
    pub fn subject(&self) -> Result<Subject, Failure> {
        let choices = self.choices()?;
        if !self.hypothetical {
            load::lawful(choices.clone())?;
        }
        Subject::new(choices)
    }

    /// A table made of this one: nothing if it is neither lawful nor taken as hypothetical, and its violations.
    pub fn taken(&self, choices: Choices) -> Result<(Option<Subject>, Value), Failure> {
        let violations: Value = check(&choices).violations.iter().map(finding_json).collect();
        let is_lawful = violations.as_array().is_none_or(Vec::is_empty);
        let table = (is_lawful || self.hypothetical).then(|| Subject::new(choices)).transpose()?;
        Ok((table, violations))
    }

    /// The choices, lawful or not.
    pub fn choices(&self) -> Result<Choices, Failure> {
        load::choices(&self.table, &self.overrides)
    }
}
