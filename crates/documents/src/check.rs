//! Checks whether a table is legal: every violation with its clause, then warnings.

use crate::{Inputs, Stamped};
use rules::Choices;
use rules::lawful::{Finding, Report};
use serde::Serialize;
use utoipa::ToSchema;

/// Whether a table is legal.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Check {
    /// Whether nothing is violated.
    pub lawful: bool,
    /// What the table violates.
    pub violations: Vec<Entry>,
    /// What the regulation requires beyond what a table file can show.
    pub warnings: Vec<Entry>,
}

/// One finding about a table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Finding)]
pub struct Entry {
    /// The kind of finding: `violation`, `notice`, `approval`, `equipment` or `staffing`.
    pub kind: &'static str,
    /// The clause.
    pub clause: &'static str,
    /// The keys of the table file that it is about.
    pub keys: Vec<String>,
    /// One sentence for people.
    pub message: String,
}

/// Returns the document of a report on these choices.
pub fn document(choices: &Choices, report: &Report) -> Stamped<Check> {
    let check = Check {
        lawful: report.is_lawful(),
        violations: report.violations.iter().map(Entry::of).collect(),
        warnings: report.warnings.iter().map(Entry::of).collect(),
    };
    Stamped::new(check, Inputs::table(choices))
}

impl Entry {
    pub fn of(finding: &Finding) -> Entry {
        Entry {
            kind: finding.kind.word(),
            clause: finding.clause.citation(),
            keys: finding.keys.clone(),
            message: finding.message.clone(),
        }
    }
}
