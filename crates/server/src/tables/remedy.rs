//! The irregularities that a dealer can report, each with what must be named and the clause that prescribes the remedy.

use super::command_codec::irregularity_of;
use super::shown::IrregularityWord;
use serde::Serialize;
use table::{Command, Irregularity, Table, Word};
use utoipa::ToSchema;

/// An irregularity that a dealer can report, the details it needs, and its clause.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Remedy {
    /// The name.
    name: IrregularityWord,
    /// The details that the report needs.
    needs: RemedyNeeds,
    /// The clause that says so.
    clause: &'static str,
}

/// The details that a report of an irregularity needs.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RemedyNeeds {
    Nothing,
    Card,
    Box,
}

/// Returns all remedies. The clause is the one under which the table would follow or refuse such a report now.
pub fn remedies(table: &Table) -> Vec<Remedy> {
    let needs = |word: &str| {
        let ways = [
            (RemedyNeeds::Nothing, None, None),
            (RemedyNeeds::Card, Some("As"), None),
            (RemedyNeeds::Box, None, Some(1)),
        ];
        ways.into_iter().find_map(|(needs, card, at)| Some((needs, irregularity_of(word, card, at)?)))
    };
    let remedy = |word: &&str| {
        let (needs, irregularity) = needs(word)?;
        let clause = match table.decide(Command::Report(irregularity)) {
            Ok(event) => event.by.citation(),
            Err(refusal) => refusal.by.citation(),
        };
        Some(Remedy { name: irregularity.into(), needs, clause })
    };
    Irregularity::WORDS.iter().filter_map(remedy).collect()
}
