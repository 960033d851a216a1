//! The table that a request is about: legal, or declared hypothetical, with its violations.

use crate::check::Entry;
use crate::stamp::sorted;
use crate::{Failure, load};
use exact::assume::Assumptions;
use exact::game::Strategy;
use exact::table::{Attacked, Table};
use rules::lawful::{Finding, check};
use rules::message::Message;
use rules::text::Form;
use rules::{Choices, HoleCard, message};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::ops::Deref;
use utoipa::ToSchema;

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
            return Err(Failure::RefusedFor(beyond_limit()).about(&choices.name));
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

    /// Returns the rules assumed in addition to the table's own.
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

    /// Returns what marks the documents of a table that no regulation allows.
    pub fn marks(&self) -> Marks {
        let violations = !self.violations.is_empty();
        Marks {
            assumed: (!self.assumed.is_empty()).then(|| self.assumed.words()),
            hypothetical: violations.then(|| Violations::of(&self.violations)),
        }
    }

    /// Marks the document of a table that no regulation allows.
    pub fn mark(&self, document: &mut impl Marked) {
        document.set(self.marks());
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
    beyond_limit().text.into_owned()
}

fn beyond_limit() -> Message {
    message!(
        "table-too-large",
        "only tables of 1 to {decks} decks and at most {hands} split hands can be solved",
        decks = MOST_DECKS,
        hands = MOST_HANDS
    )
}

/// Returns whether a table can be computed.
pub fn within_limit(choices: &Choices) -> bool {
    (1..=MOST_DECKS).contains(&choices.decks) && choices.split_hands <= MOST_HANDS
}

/// What marks the documents of a table that no regulation allows: both none for a legal table.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Marks {
    /// The rules assumed in addition to the table's own.
    pub assumed: Option<Vec<String>>,
    /// What the table violates.
    pub hypothetical: Option<Violations>,
}

/// A document that says which rules of its table no regulation allows.
pub trait Marked {
    /// Replaces the marks.
    fn set(&mut self, marks: Marks);
}

/// Says which documents have the fields `assumed` and `hypothetical`.
macro_rules! marked {
    ($($document:ty),+ $(,)?) => { $(
        impl Marked for $document {
            fn set(&mut self, Marks { assumed, hypothetical }: Marks) {
                (self.assumed, self.hypothetical) = (assumed, hypothetical);
            }
        }
    )+ };
}

marked!(
    crate::card::StrategyCard,
    crate::edge::Edge,
    crate::ev::HandValues,
    crate::indices::IndexPlays,
    crate::perfect::Perfect,
    crate::ramp::BestRamp,
    crate::side_count::SideCount,
    crate::simulate::Simulation,
    crate::strategy::StrategyCharts,
    crate::tags::Tags,
);

/// Documents that are not typed yet.
impl Marked for Value {
    fn set(&mut self, Marks { assumed, hypothetical }: Marks) {
        if let Some(hypothetical) = hypothetical {
            self["hypothetical"] = serde_json::to_value(hypothetical).unwrap_or_default();
        }
        if let Some(assumed) = assumed {
            self["assumed"] = assumed.into();
        }
    }
}

/// What a table violates, as in `check --json`, with the keys of each entry in alphabetical order.
#[derive(Clone, PartialEq, Default, ToSchema, Debug)]
pub struct Violations(pub Vec<Entry>);

impl Violations {
    fn of(violations: &[Finding]) -> Violations {
        Violations(violations.iter().map(Entry::of).collect())
    }
}

/// Returns violations as JSON, as in `check --json`.
pub fn violations(found: &[Finding]) -> String {
    serde_json::to_value(Violations::of(found)).unwrap_or_default().to_string()
}

impl Serialize for Violations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sorted(&self.0, serializer)
    }
}

/// Returns a table and its violations; `None` if it cannot be computed, or is neither legal nor hypothetical.
pub fn taken(choices: Choices, hypothetical: bool) -> Result<(Option<Subject>, Violations), Failure> {
    let violations = check(&choices).violations;
    let taken = (violations.is_empty() || hypothetical) && within_limit(&choices);
    let table = taken.then(|| Subject::new(choices)).transpose()?;
    Ok((table, Violations::of(&violations)))
}
