//! The table that a request is about: legal, or declared hypothetical, with its violations.

use crate::check::Entry;
use crate::{Failure, load};
use exact::assume::Assumptions;
use exact::game::Strategy;
use exact::table::{Attacked, Table};
use rules::lawful::{Finding, check};
use rules::text::Form;
use rules::{Choices, HoleCard};
use serde_json::{Value, json};
use std::ops::Deref;

/// A table to compute, with its violations: none, unless it is hypothetical.
#[derive(Clone)]
pub struct Subject {
    choices: Choices,
    violations: Vec<Finding>,
    assumed: Assumptions,
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

    /// Returns a table that need not be legal, but can be computed.
    pub fn new(choices: Choices) -> Result<Subject, Failure> {
        if !within_limit(&choices) {
            return Err(Failure::Refused(format!("{}: {}", choices.name, limit())));
        }
        if choices.hole_card == HoleCard::Up && choices.text().form() != Form::OneHand {
            return Err(Failure::Refused(format!(
                "{}: a face-up hole card is supported only for one hand without attack bets",
                choices.name
            )));
        }
        let violations = check(&choices).violations;
        Ok(Subject { choices, violations, assumed: Assumptions::default() })
    }

    /// Adds rules that the table's regulation does not have.
    pub fn assuming(mut self, assumed: Assumptions) -> Result<Subject, Failure> {
        let other = self.text().form() != Form::OneHand || self.spots() > 1 || self.hole_card == HoleCard::Up;
        if other && !assumed.is_empty() {
            return Err(Failure::Refused(format!(
                "{}: assumed rules are worked out for blackjack against one dealer hand with a hole card face down or none",
                self.name
            )));
        }
        self.assumed = assumed;
        Ok(self)
    }

    /// Returns the rules assumed beside the table's own.
    pub fn assumed(&self) -> &Assumptions {
        &self.assumed
    }

    /// Returns the judge of the table, its assumed rules included.
    pub fn judge(&self) -> Table<'_> {
        Table::new(&self.choices, Attacked::No).assuming(self.assumed.clone())
    }

    /// Returns the strategy unchanged if it can be valued with the assumed rules.
    pub fn played_by(&self, strategy: Strategy) -> Result<Strategy, Failure> {
        if !self.assumed.is_empty() && matches!(strategy, Strategy::TotalDependent | Strategy::Given(_)) {
            return Err(Failure::Refused(format!(
                "{}: charts follow the table's own rules; with --assume take --strategy composition-dependent, cdp1 or cdp",
                self.name
            )));
        }
        Ok(strategy)
    }

    /// Returns the violations as in `check --json`.
    pub fn findings(&self) -> Value {
        findings(&self.violations)
    }

    /// Marks a JSON document of an illegal table.
    pub fn mark(&self, document: &mut Value) {
        if !self.violations.is_empty() {
            document["hypothetical"] = self.findings();
        }
        if !self.assumed.is_empty() {
            document["assumed"] = json!(self.assumed.words());
        }
    }

    /// Returns the table's name, with the clauses that it breaks.
    pub fn named(&self) -> String {
        let assumed =
            if self.assumed.is_empty() { String::new() } else { format!(", assuming {}", self.assumed) };
        if self.violations.is_empty() {
            return format!("{}{assumed}", self.name);
        }
        let clauses: Vec<&str> = self.violations.iter().map(|finding| finding.clause.citation()).collect();
        format!("{} (hypothetical: violates {}{assumed})", self.name, clauses.join(", "))
    }

    /// Returns lines that mark an illegal table, for people; none for a legal one.
    pub fn marked(&self) -> String {
        let line = |finding: &Finding| format!("  {}: {}\n", finding.clause, finding.message);
        let lines: String = self.violations.iter().map(line).collect();
        let broken =
            if lines.is_empty() { lines } else { format!("hypothetical table: it violates\n{lines}") };
        if self.assumed.is_empty() {
            return broken;
        }
        format!("{broken}hypothetical: rules of no regulation here are assumed\n  {}\n", self.assumed)
    }
}

/// The limits of the solver and the simulator; the law sets no maximum number of decks.
pub(crate) const MOST_DECKS: u8 = 12;
const MOST_HANDS: u8 = 4;

/// Returns the message of every command about a table beyond the limit.
pub fn limit() -> String {
    format!("only tables of 1 to {MOST_DECKS} decks and at most {MOST_HANDS} split hands can be solved")
}

/// Returns whether a table can be computed.
pub fn within_limit(choices: &Choices) -> bool {
    (1..=MOST_DECKS).contains(&choices.decks) && choices.split_hands <= MOST_HANDS
}

/// Returns violations as in `check --json`.
pub fn findings(violations: &[Finding]) -> Value {
    violations.iter().map(|finding| json!(Entry::of(finding))).collect()
}

/// Returns a table and its violations; `None` if it cannot be computed, or is neither legal nor hypothetical.
pub fn taken(choices: Choices, hypothetical: bool) -> Result<(Option<Subject>, Value), Failure> {
    let violations = check(&choices).violations;
    let taken = (violations.is_empty() || hypothetical) && within_limit(&choices);
    let table = taken.then(|| Subject::new(choices)).transpose()?;
    Ok((table, findings(&violations)))
}
