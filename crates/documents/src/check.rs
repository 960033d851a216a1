//! Checks whether a table is legal: every violation with its clause, then warnings.

use crate::{Inputs, Stamped};
use rules::Choices;
use rules::lawful::{Finding, Report};
use serde::Serialize;

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Check {
    pub lawful: bool,
    pub violations: Vec<Entry>,
    pub warnings: Vec<Entry>,
}

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Entry {
    pub kind: &'static str,
    pub clause: &'static str,
    pub keys: Vec<String>,
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
