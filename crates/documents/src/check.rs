//! Checks whether a table is legal, and lists every violation with its clause, then warnings.

use crate::{Inputs, Stamped};
use rules::Choices;
use rules::lawful::{Finding, Report};
use rules::text::entries;
use serde::Serialize;
use utoipa::ToSchema;

/// The result of checking whether a table is legal.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Check {
    /// Whether the table violates no clause.
    pub lawful: bool,
    /// The violations, with one entry for each violated clause.
    pub violations: Vec<Entry>,
    /// The requirements that a table file cannot show, such as notices and approvals.
    pub warnings: Vec<Entry>,
}

/// One violation or warning that the legality check found at a table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[schema(as = Finding)]
pub struct Entry {
    /// The kind of finding: `violation`, `notice`, `approval`, `equipment` or `staffing`.
    pub kind: &'static str,
    /// The citation of the clause, such as `19:47-2.2(a)`.
    pub clause: &'static str,
    /// The table-file keys that the finding is about, such as `decks`.
    pub keys: Vec<String>,
    /// The description of the finding, in one sentence.
    pub message: String,
}

/// Returns the document of the legality check of a table.
pub fn document(choices: &Choices, report: &Report) -> Stamped<Check> {
    let entries = choices.text().entries(choices);
    let check = Check {
        lawful: report.is_lawful(),
        violations: report.violations.iter().map(Entry::of).collect(),
        warnings: report.warnings.iter().map(Entry::of).chain(entries.into_iter().map(Entry::due)).collect(),
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

    /// Converts an entry that the table's register must have, such as an approval, into a warning.
    fn due(entry: &entries::Entry) -> Entry {
        Entry {
            kind: entry.kind.word(),
            clause: entry.by.citation(),
            keys: entry.keys.iter().map(ToString::to_string).collect(),
            message: entry.sentence(),
        }
    }
}
