//! The clause catalogue, searchable: what each requirement says in our own words, how it is honoured, and what shows it.

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::wire::{Query, Written};
use catalogue::{Counts, Entry, Filter, KINDS, State, entries};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::OnceLock;

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Search {
    /// Words that must all occur, in the id, the summary or how it is honoured.
    #[serde(default)]
    q: String,
    /// A citation; every requirement of that clause.
    #[serde(default)]
    id: String,
    #[serde(default)]
    kind: String,
    /// A game, or one text of it.
    #[serde(default)]
    game: String,
    #[serde(default)]
    state: String,
    /// Skip so many.
    #[serde(default)]
    from: usize,
    /// Most entries, 1 to 500; 50 when left out.
    #[serde(default)]
    limit: Option<usize>,
}

/// Longest word of a search.
const LONGEST: usize = 200;

fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| entries(&Filter::default()))
}

/// Searches the catalogue.
#[utoipa::path(get, path = "/api/clauses", tag = "rules", params(Search), responses((status = 200, body = Object)))]
pub async fn search(
    axum::extract::State(app): axum::extract::State<App>,
    Query(asked): Query<Search>,
) -> ApiResult<Written> {
    let words = [&asked.q, &asked.id, &asked.kind, &asked.game, &asked.state];
    if words.iter().any(|text| text.len() > LONGEST) {
        return Err(ApiError::bad("query", "search text must be at most 200 characters"));
    }
    app.work(move || Ok(Written::json(&found(&asked)))).await
}

fn found(asked: &Search) -> Value {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (kind, game) = (given(&asked.kind), given(&asked.game));
    let filter = Filter { kind, game, state: State::from_word(&asked.state), id: None };
    let wanted: Vec<String> = asked.q.to_lowercase().split_whitespace().map(Into::into).collect();
    let found: Vec<&Entry> = all()
        .iter()
        .filter(|entry| filter.takes(entry))
        .filter(|entry| asked.id.is_empty() || entry.id.split('#').next() == asked.id.split('#').next())
        .filter(|entry| wanted.iter().all(|word| mentions(entry, word)))
        .collect();
    let limit = asked.limit.unwrap_or(50).clamp(1, 500);
    let owned: Vec<Entry> = found.iter().map(|entry| (*entry).clone()).collect();
    let page: Vec<&&Entry> = found.iter().skip(asked.from).take(limit).collect();
    let next = asked.from.saturating_add(page.len());
    json!({
        "total": found.len(),
        "counts": Counts::of(&owned),
        "kinds": KINDS, "games": Entry::games(), "states": State::ALL.map(State::word),
        "clauses": page,
        "next": (next < found.len()).then_some(next),
    })
}

fn mentions(entry: &Entry, word: &str) -> bool {
    [entry.id, entry.summary, entry.honoured, entry.topic, entry.section]
        .iter()
        .any(|text| text.to_lowercase().contains(word))
}
