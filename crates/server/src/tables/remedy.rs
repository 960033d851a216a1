//! The irregularities that a dealer can report, each with what has to be named and the clause that prescribes the remedy.

use super::deed::irregularity_of;
use serde_json::{Value, json};
use table::{Command, Irregularity, Table, Word};

/// Returns all remedies. The clause is the one under which the table would follow or refuse such a report now.
pub fn remedies(table: &Table) -> Value {
    let needs = |word: &str| {
        let ways = [("nothing", None, None), ("card", Some("As"), None), ("box", None, Some(1))];
        ways.into_iter().find_map(|(needs, card, at)| Some((needs, irregularity_of(word, card, at)?)))
    };
    let remedy = |word: &&str| {
        let (needs, irregularity) = needs(word)?;
        let clause = match table.decide(Command::Report(irregularity)) {
            Ok(event) => event.by.citation(),
            Err(refusal) => refusal.by.citation(),
        };
        Some(json!({ "name": word, "needs": needs, "clause": clause }))
    };
    Irregularity::WORDS.iter().filter_map(remedy).collect()
}
