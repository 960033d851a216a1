//! The table that a question is about: lawful, or said to be hypothetical, with what the law has against it.

use crate::check::Entry;
use crate::{Failure, load};
use rules::lawful::{Finding, check};
use rules::text::Form;
use rules::{Choices, HoleCard};
use serde_json::{Value, json};
use std::ops::Deref;

/// A table to compute, with its violations of the law: none, unless it is hypothetical.
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
    /// Returns a table that the law allows.
    pub fn lawful(choices: Choices) -> Result<Subject, Failure> {
        load::lawful(choices.clone())?;
        Subject::new(choices)
    }

    /// Returns a table that need not be lawful, but can be computed.
    pub fn new(choices: Choices) -> Result<Subject, Failure> {
        if !within_limit(&choices) {
            return Err(Failure::Refused(format!("{}: {}", choices.name, limit())));
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

    /// Returns the violations as `check --json` has them.
    pub fn findings(&self) -> Value {
        findings(&self.violations)
    }

    /// Marks a JSON document of an unlawful table.
    pub fn mark(&self, document: &mut Value) {
        if !self.violations.is_empty() {
            document["hypothetical"] = self.findings();
        }
    }

    /// Returns the table's name, with the clauses that it breaks.
    pub fn named(&self) -> String {
        if self.violations.is_empty() {
            return self.name.clone();
        }
        let clauses: Vec<&str> = self.violations.iter().map(|finding| finding.clause.citation()).collect();
        format!("{} (hypothetical, it breaks {})", self.name, clauses.join(", "))
    }

    /// Returns lines that mark an unlawful table, for people; none for a lawful one.
    pub fn marked(&self) -> String {
        let line = |finding: &Finding| format!("  {}: {}\n", finding.clause, finding.message);
        let lines: String = self.violations.iter().map(line).collect();
        if lines.is_empty() { lines } else { format!("hypothetical: no lawful table, it breaks\n{lines}") }
    }
}

/// What the solver and the simulator are made for; the law has no greatest number of decks.
pub(crate) const MOST_DECKS: u8 = 12;
const MOST_HANDS: u8 = 4;

/// Returns the message of every command about a table beyond the limit.
pub fn limit() -> String {
    format!("tables of 1 to {MOST_DECKS} decks and at most {MOST_HANDS} hands of a split can be worked out")
}

/// Returns whether a table can be computed.
pub fn within_limit(choices: &Choices) -> bool {
    (1..=MOST_DECKS).contains(&choices.decks) && choices.split_hands <= MOST_HANDS
}

/// Violations as `check --json` has them.
pub fn findings(violations: &[Finding]) -> Value {
    violations.iter().map(|finding| json!(Entry::of(finding))).collect()
}

/// Returns a table and its violations; `None` if it cannot be computed, or is neither lawful nor hypothetical.
pub fn taken(choices: Choices, hypothetical: bool) -> Result<(Option<Subject>, Value), Failure> {
    let violations = check(&choices).violations;
    let taken = (violations.is_empty() || hypothetical) && within_limit(&choices);
    let table = taken.then(|| Subject::new(choices)).transpose()?;
    Ok((table, findings(&violations)))
}
