//! `regulations/coverage.csv`: for every row of the catalogue the files that cite it, the tests that prove it, and
//! those that only show that what people enter about it is kept.

use std::collections::BTreeSet;

/// Between several files or tests in one field; a test's title may hold commas and semicolons.
const BETWEEN: &str = " | ";

/// The file as it was when this program was compiled.
pub static EMBEDDED: &str = include_str!("../coverage.csv");

/// One line of the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// The citation.
    pub id: String,
    /// The catalogue file that the row stands in: `nj-switch`.
    pub text: String,
    /// The kind of requirement.
    pub kind: String,
    /// Files that cite it.
    pub cited_in: BTreeSet<String>,
    /// Tests that prove it.
    pub proven_by: BTreeSet<String>,
    /// Tests which show that an entry about it is kept in the register; whether people made one is not theirs to show.
    pub recorded_by: BTreeSet<String>,
}

/// The lines of a coverage file, in its order.
///
/// # Errors
/// If it is no CSV file.
pub fn parse(file: &str) -> Result<Vec<Line>, csv::Error> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record?;
        let field = |n: usize| record.get(n).unwrap_or("");
        lines.push(Line {
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

/// The file that holds these lines.
pub fn write(lines: &[Line]) -> String {
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
            Line {
                id: "19:47-2.23(f) \"Six-deck, matching suit\"".into(),
                text: "nj-blackjack".into(),
                kind: "constraint".into(),
                cited_in: set(&["crates/rules/src/wager/pairs.rs"]),
                proven_by: set(&["cases/nj/a.md: one, two; three", "crates/rules/src/hand.rs: a_test"]),
                recorded_by: set(&[]),
            },
            Line {
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
