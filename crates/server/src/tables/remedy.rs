//! The irregularities that a dealer can report, each with what the report must name and the clause with the
//! remedy.

use super::shown::IrregularityWord;
use serde::Serialize;
use table::vocabulary::Fields;
use table::{BoxId, Command, Irregularity, Table, Word};
use utoipa::ToSchema;

/// An irregularity that a dealer can report, with its clause and with what the report must name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Remedy {
    /// The name of the irregularity.
    name: IrregularityWord,
    /// What the report must name: nothing, a card or a box.
    needs: RemedyNeeds,
    /// The citation of the clause that prescribes the remedy, or that refuses the report now.
    clause: &'static str,
}

/// What a report of an irregularity must name besides the irregularity: nothing, a card or a box.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RemedyNeeds {
    Nothing,
    Card,
    Box,
}

/// Returns all irregularities that a dealer can report.
///
/// The clause of each is the one under which the table would now accept or refuse the report.
pub fn remedies(table: &Table) -> Vec<Remedy> {
    let named = Fields { card: "As".parse().ok(), box_id: Some(BoxId(1)), ..Fields::default() };
    let remedy = |word: &&str| {
        let irregularity = Irregularity::from_word(word, &named)?;
        let needs = match Irregularity::from_word(word, &Fields::default()) {
            Some(_) => RemedyNeeds::Nothing,
            None if irregularity.card().is_some() => RemedyNeeds::Card,
            None => RemedyNeeds::Box,
        };
        let clause = match table.decide(Command::Report(irregularity)) {
            Ok(event) => event.by.citation(),
            Err(refusal) => refusal.by.citation(),
        };
        Some(Remedy { name: irregularity.into(), needs, clause })
    };
    Irregularity::WORDS.iter().filter_map(remedy).collect()
}
