//! The table of a request, with its violations if it is not legal, and the rules assumed for it.

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
use std::ops::Deref;
use utoipa::ToSchema;

/// A table whose figures can be computed; if it is hypothetical, with its violations and assumed rules.
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
    /// Returns the table `choices`, or an error if the table is not legal or its figures cannot be computed.
    pub fn lawful(choices: Choices) -> Result<Subject, Failure> {
        load::lawful(choices.clone())?;
        Subject::new(choices)
    }

    /// Returns the table `choices`, which need not be legal, or an error if its figures cannot be computed.
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

    /// Adds rules to assume for the table, which no regulation here has.
    ///
    /// Returns an error if figures cannot be computed under these rules for the table's game.
    pub fn assuming(mut self, assumed: Assumptions) -> Result<Subject, Failure> {
        let other =
            self.text().form() != Form::OneHand || self.dealer_hands() > 1 || self.hole_card == HoleCard::Up;
        if other && !assumed.is_empty() {
            return Err(Failure::Refused(format!(
                "{}: --assume supports only blackjack against one dealer hand whose hole card is face down or not \
                 dealt",
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

    /// Returns the solver's table for these options and assumed rules.
    pub fn solver_table(&self) -> Table<'_> {
        Table::new(&self.choices, Attacked::No).assuming(self.assumed.clone())
    }

    /// Returns `strategy` unchanged if it can be valued under the table's assumed rules.
    ///
    /// Returns an error for a chart or a total-dependent strategy under assumed rules, because charts follow the
    /// table's own rules.
    pub fn played_by(&self, strategy: Strategy) -> Result<Strategy, Failure> {
        if !self.assumed.is_empty() && matches!(strategy, Strategy::TotalDependent | Strategy::Given(_)) {
            return Err(Failure::Refused(format!(
                "{}: charts follow the table's own rules; with --assume, use --strategy composition-dependent, cdp1 \
                 or cdp",
                self.name
            )));
        }
        Ok(strategy)
    }

    /// Returns the fields by which a document shows that this table is illegal or has assumed rules.
    pub fn marks(&self) -> Marks {
        let violations = !self.violations.is_empty();
        Marks {
            assumed: (!self.assumed.is_empty()).then(|| self.assumed.words()),
            hypothetical: violations.then(|| Violations::of(&self.violations)),
        }
    }

    /// Sets the fields of a document that show whether this table is illegal or has assumed rules.
    pub fn mark(&self, document: &mut impl Marked) {
        document.set(self.marks());
    }

    /// Returns the table's name, followed by the clauses that the table violates and the rules assumed for it, if
    /// any.
    pub fn named(&self) -> String {
        let assumed =
            if self.assumed.is_empty() { String::new() } else { format!(", assuming {}", self.assumed) };
        if self.violations.is_empty() {
            return format!("{}{assumed}", self.name);
        }
        let clauses: Vec<&str> = self.violations.iter().map(|finding| finding.clause.citation()).collect();
        format!("{} (hypothetical: violates {}{assumed})", self.name, clauses.join(", "))
    }

    /// Returns text that warns of a hypothetical table, with its violations and assumed rules.
    ///
    /// The text is empty if the table is not hypothetical.
    pub fn marked(&self) -> String {
        let line = |finding: &Finding| format!("  {}: {}\n", finding.clause, finding.message);
        let lines: String = self.violations.iter().map(line).collect();
        let broken =
            if lines.is_empty() { lines } else { format!("hypothetical table, which violates\n{lines}") };
        if self.assumed.is_empty() {
            return broken;
        }
        format!("{broken}hypothetical: assumes rules that no regulation here has\n  {}\n", self.assumed)
    }
}

/// The maximum number of decks for which figures are computed; the regulations set no maximum.
pub(crate) const MOST_DECKS: u8 = 12;
/// The maximum number of split hands for which figures are computed.
const MOST_HANDS: u8 = 4;

/// Returns the message for a table that has too many decks or split hands for its figures to be computed.
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

/// Returns whether a table has few enough decks and split hands for its figures to be computed.
pub fn within_limit(choices: &Choices) -> bool {
    (1..=MOST_DECKS).contains(&choices.decks) && choices.split_hands <= MOST_HANDS
}

/// The fields by which a document shows that its table is hypothetical.
///
/// Both fields are `None` for a legal table without assumed rules.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Marks {
    /// The rules assumed in addition to the table's own, or `None` if there are none.
    pub assumed: Option<Vec<String>>,
    /// The clauses that the table violates, or `None` if the table is legal.
    pub hypothetical: Option<Violations>,
}

/// A document with fields that show whether its table is hypothetical.
pub trait Marked {
    /// Replaces these fields of the document by `marks`.
    fn set(&mut self, marks: Marks);
}

/// Implements [`Marked`] for documents with the fields `assumed` and `hypothetical`.
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
    crate::report_document::Report,
    crate::side_count::SideCount,
    crate::simulate::Simulation,
    crate::strategy::StrategyCharts,
    crate::tags::Tags,
);

/// The violations of a table, in the form of `check --json` with the keys of each entry in alphabetical order.
#[derive(Clone, PartialEq, Default, ToSchema, Debug)]
pub struct Violations(pub Vec<Entry>);

impl Violations {
    fn of(violations: &[Finding]) -> Violations {
        Violations(violations.iter().map(Entry::of).collect())
    }
}

/// Returns violations as JSON text, in the form of `check --json`.
pub fn violations(found: &[Finding]) -> String {
    serde_json::to_value(Violations::of(found)).unwrap_or_default().to_string()
}

impl Serialize for Violations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sorted(&self.0, serializer)
    }
}

/// Returns a table whose figures can be computed, and the violations of `choices`.
///
/// The table is `None` if it is too large, or if it is illegal and `hypothetical` is not set. Returns an error if
/// its figures cannot be computed for another reason.
pub fn checked_table(choices: Choices, hypothetical: bool) -> Result<(Option<Subject>, Violations), Failure> {
    let violations = check(&choices).violations;
    let taken = (violations.is_empty() || hypothetical) && within_limit(&choices);
    let table = taken.then(|| Subject::new(choices)).transpose()?;
    Ok((table, Violations::of(&violations)))
}
