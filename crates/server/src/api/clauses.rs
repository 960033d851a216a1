//! The clause catalogue over HTTP: each requirement in our own words, how it is met, and the evidence.

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::wire::{Query, Written};
use catalogue::{Counts, Entry, Filter, KINDS, State, entries};
use rules::message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Search {
    /// Words that must all occur in the clause's id, topic, section, summary or explanation of how it is honoured.
    #[serde(default)]
    q: String,
    /// The citation of a clause, to find every requirement in the catalogue that comes from this clause.
    #[serde(default)]
    id: String,
    #[serde(default)]
    kind: String,
    /// The key of a game (`switch`), or of the game in one regulation (`ma-switch`).
    #[serde(default)]
    game: String,
    #[serde(default)]
    state: String,
    /// The number of found clauses to skip.
    #[serde(default)]
    from: usize,
    /// Maximum number of clauses to return, 1 to 500. Default: 50.
    #[serde(default)]
    limit: Option<usize>,
}

/// Maximum length of each search field, in bytes.
const LONGEST: usize = 200;

fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| entries(&Filter::default()))
}

/// One page of the clauses that a search found, with the number of found clauses in each state.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ClauseSearch {
    /// The number of clauses found, on all pages.
    total: usize,
    /// The number of clauses found, in each state.
    #[schema(value_type = ClauseCounts)]
    counts: Counts,
    /// All kinds of clauses in the catalogue.
    #[schema(value_type = Vec<String>)]
    kinds: &'static [&'static str],
    /// All games that have clauses.
    games: Vec<&'static str>,
    /// All states that a clause can have.
    #[schema(value_type = Vec<String>)]
    states: [&'static str; State::ALL.len()],
    /// The clauses of this page.
    #[schema(value_type = Vec<ClauseEntry>)]
    clauses: Vec<&'static Entry>,
    /// The value of `from` for the next page, or null on the last page.
    #[schema(required)]
    next: Option<usize>,
}

/// Copies of the catalogue's types for the API description, because the catalogue does not depend on HTTP.
///
/// A test compares the copies with the originals.
mod schema {
    use super::{BTreeMap, Deserialize, Serialize};

    /// The number of clauses in each state.
    #[derive(Serialize, Deserialize, utoipa::ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ClauseCounts {
        /// The counts of all clauses found.
        all: ClauseTally,
        /// The counts by kind of clause: `rule`, `procedure`, and so on.
        by_kind: BTreeMap<String, ClauseTally>,
    }

    /// The number of clauses in each state, and the number of clauses that code cites, in any state.
    #[derive(Serialize, Deserialize, utoipa::ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ClauseTally {
        /// The number of clauses that a test proves.
        proven: usize,
        /// The number of clauses for which the house keeps a record, but which no test proves.
        recorded: usize,
        /// The number of clauses that only code cites, without a test or a record.
        cited: usize,
        /// The number of clauses that only the catalogue explains, without a test, record or citation.
        explained: usize,
        /// The number of clauses without test, record, citation or explanation.
        open: usize,
        /// The total number of clauses.
        total: usize,
        /// The number of clauses that code cites, in any state.
        cited_in_code: usize,
    }

    /// A clause of the catalogue: a summary, how it is met, and the evidence.
    #[derive(Serialize, Deserialize, utoipa::ToSchema)]
    #[serde(deny_unknown_fields)]
    pub struct ClauseEntry {
        /// The citation of the clause.
        id: String,
        /// The key of the game, such as `switch`.
        game: String,
        /// The jurisdiction of the regulation.
        jurisdiction: String,
        /// The kind of the clause, such as `rule`.
        kind: String,
        /// Whether the clause obliges, permits or defines.
        force: String,
        /// Who must follow the clause: the licensee, the dealer or the player.
        actor: String,
        /// The section of the regulation.
        section: String,
        /// The topic of the clause.
        topic: String,
        /// A summary of the clause.
        summary: String,
        /// How the program follows the clause.
        honoured: String,
        /// The source files that cite the clause.
        cited_in: Vec<String>,
        /// The tests that prove the clause.
        proven_by: Vec<String>,
        /// The records that show that the clause was followed.
        recorded_by: Vec<String>,
        /// The state of the clause: `proven`, `recorded`, `cited`, `explained` or `open`.
        state: String,
    }
}

use schema::{ClauseCounts, ClauseEntry};

/// Searches the clause catalogue.
#[utoipa::path(get, path = "/api/clauses", tag = "rules", params(Search), responses((status = 200, body = ClauseSearch)))]
pub async fn search(
    axum::extract::State(app): axum::extract::State<App>,
    Query(asked): Query<Search>,
) -> ApiResult<Written> {
    let words = [&asked.q, &asked.id, &asked.kind, &asked.game, &asked.state];
    if words.iter().any(|text| text.len() > LONGEST) {
        return Err(ApiError::bad(
            "query",
            message!("search-too-long", "search text must be at most 200 characters"),
        ));
    }
    app.work(move || Ok(Written::json(&found(&asked)))).await
}

fn found(asked: &Search) -> ClauseSearch {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (kind, game) = (given(&asked.kind), given(&asked.game));
    let filter = Filter { kind, game, state: State::from_word(&asked.state), id: None };
    let wanted: Vec<String> = asked.q.to_lowercase().split_whitespace().map(Into::into).collect();
    let found: Vec<&'static Entry> = all()
        .iter()
        .filter(|entry| filter.takes(entry))
        .filter(|entry| asked.id.is_empty() || entry.id.split('#').next() == asked.id.split('#').next())
        .filter(|entry| wanted.iter().all(|word| mentions(entry, word)))
        .collect();
    let limit = asked.limit.unwrap_or(50).clamp(1, 500);
    let owned: Vec<Entry> = found.iter().map(|entry| (*entry).clone()).collect();
    let page: Vec<&'static Entry> = found.iter().skip(asked.from).take(limit).copied().collect();
    let next = asked.from.saturating_add(page.len());
    ClauseSearch {
        total: found.len(),
        counts: Counts::of(&owned),
        kinds: &KINDS,
        games: Entry::games(),
        states: State::ALL.map(State::word),
        clauses: page,
        next: (next < found.len()).then_some(next),
    }
}

fn mentions(entry: &Entry, word: &str) -> bool {
    [entry.id, entry.summary, entry.honoured, entry.topic, entry.section]
        .iter()
        .any(|text| text.to_lowercase().contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_are_those_of_the_catalogue() {
        let entry = serde_json::to_string(&all()[0]).expect("json");
        serde_json::from_str::<ClauseEntry>(&entry).expect("a register entry");
        let counts = serde_json::to_string(&Counts::of(all())).expect("json");
        serde_json::from_str::<ClauseCounts>(&counts).expect("counts");
    }
}
