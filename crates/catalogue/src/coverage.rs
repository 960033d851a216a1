//! Parses and formats `regulations/coverage.csv`, the evidence for each row of the catalogue.
//!
//! For each row, the file lists the source files that cite the row, the tests that prove the row, and the tests
//! that show only that the server stores register entries about the row.

use std::collections::BTreeSet;

/// The separator between several files or tests in one field of the coverage file.
///
/// Titles of tests may contain commas and semicolons, so those cannot separate them.
const BETWEEN: &str = " | ";

/// The contents of the coverage file, embedded at compile time.
pub static EMBEDDED: &str = include_str!("../coverage.csv");

/// A line of the coverage file: the evidence for a catalogue row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CoverageRow {
    /// The citation of the row, such as `19:47-2.9(a)#2`.
    pub id: String,
    /// The name of the regulation, such as `nj-switch`.
    pub text: String,
    /// The kind of requirement, such as `rule`.
    pub kind: String,
    /// The paths of the source files that cite the row's clause.
    pub cited_in: BTreeSet<String>,
    /// The tests that prove the clause.
    pub proven_by: BTreeSet<String>,
    /// The tests that show that the server stores register entries about the clause.
    ///
    /// These tests cannot show whether people have made an entry.
    pub recorded_by: BTreeSet<String>,
}

/// Parses the lines of a coverage file, and returns them in file order.
///
/// # Errors
///
/// Returns an error if the file is not valid CSV.
pub fn parse(file: &str) -> Result<Vec<CoverageRow>, csv::Error> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record?;
        let field = |n: usize| record.get(n).unwrap_or("");
        lines.push(CoverageRow {
            id: field(0).to_string(),
            text: field(1).to_string(),
            kind: field(2).to_string(),
            cited_in: split(field(3)),
            proven_by: split(field(4)),
            recorded_by: split(field(5)),
        });
    }
    Ok(lines)
}

/// Formats `lines` as the contents of a coverage file.
pub fn write(lines: &[CoverageRow]) -> String {
    let mut file = String::from("id,game,kind,cited_in,proven_by,recorded_by\n");
    for line in lines {
        let sets = [&line.cited_in, &line.proven_by, &line.recorded_by].map(join);
        let fields = [&line.id, &line.text, &line.kind].into_iter().chain(&sets);
        file.push_str(&fields.map(|field| quote(field)).collect::<Vec<_>>().join(","));
        file.push('\n');
    }
    file
}

fn split(field: &str) -> BTreeSet<String> {
    field.split(BETWEEN).filter(|part| !part.is_empty()).map(String::from).collect()
}

fn join(parts: &BTreeSet<String>) -> String {
    parts.iter().map(String::as_str).collect::<Vec<_>>().join(BETWEEN)
}

fn quote(field: &str) -> String {
    if field.contains(['"', ',', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let set = |parts: &[&str]| parts.iter().map(ToString::to_string).collect();
        let lines = vec![
            CoverageRow {
                id: "19:47-2.23(f) \"Six-deck, matching suit\"".into(),
                text: "nj-blackjack".into(),
                kind: "constraint".into(),
                cited_in: set(&["crates/rules/src/wager/pairs.rs"]),
                proven_by: set(&["cases/nj/a.md: one, two; three", "crates/rules/src/hand.rs: a_test"]),
                recorded_by: set(&[]),
            },
            CoverageRow {
                id: "19:47-2.1".into(),
                text: "nj-blackjack".into(),
                kind: "rule".into(),
                cited_in: set(&[]),
                proven_by: set(&[]),
                recorded_by: set(&["crates/server/tests/house/register.rs: an_echo"]),
            },
        ];
        assert_eq!(parse(&write(&lines)).unwrap(), lines);
    }
}
