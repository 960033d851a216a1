//! What a drill remembers of a member: every kind of hand with how well it sits, and how each day went, so that practice
//! goes on in any browser. A guest's stays in the guest's browser.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, ClientId, Path, body_digest, day_from_text};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ledger::PersonId;
use ledger::people::{Keep, settings};
use rules::card::parse_cards;
use rules::preset::preset;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kind of the journal's records.
const KIND: &str = "drill";
/// Kinds of hands that are remembered of one table, days, and how many of both are sent at once.
const MOST_KINDS: usize = 2_000;
const MOST_AT_ONCE: usize = 100;
const LONGEST_NAME: usize = 80;
const LONGEST_HAND: usize = 60;
const LONGEST_SHOE: usize = 1_300;

/// A kind of hand.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrilledKind {
    /// A hand of this kind, the second hand at Switch, the dealer's cards, and cards that had left the shoe.
    #[schema(max_length = 60, example = "Ts 6h")]
    hand: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 60)]
    hand2: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 60, example = "Td")]
    up: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 1300)]
    removed: String,
    /// What was asked: `play`, `insurance`, `switch`, `attack`.
    #[schema(max_length = 60, example = "play")]
    asks: String,
    /// How often in a row it was right, and after which turn it comes again.
    level: u32,
    due: u32,
    seen: u32,
    wrong: u32,
    /// What the wrong answers cost, in initial wagers.
    cost: f64,
}

/// A day of practice.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrilledDay {
    hands: u32,
    right: u32,
    cost: f64,
}

#[derive(Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrillMemory {
    /// How many hands were answered.
    turn: u32,
    /// By the name of the kind.
    known: BTreeMap<String, DrilledKind>,
    /// By the day.
    days: BTreeMap<String, DrilledDay>,
}

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrillNews {
    id: ClientId,
    #[serde(flatten)]
    news: DrillMemory,
}

fn place(person: PersonId, table: &str) -> String {
    format!("{KIND}/{}/{table}/", person.0)
}

/// What is practised there, by somebody who has an account to keep it.
fn drill(me: &Me, table: &str) -> ApiResult<String> {
    if me.guest {
        return Err(ApiError::refused(
            "guest",
            "what a guest practises stays in the guest's browser; join first",
        ));
    }
    preset(table).map(|_| place(me.id, table)).ok_or_else(|| ApiError::missing("table"))
}

fn sound(name: &str, kind: &DrilledKind) -> bool {
    let cards = |text: &str, most: usize| text.len() <= most && parse_cards(text).is_ok();
    (1..=LONGEST_NAME).contains(&name.len())
        && [&kind.hand, &kind.hand2, &kind.up].into_iter().all(|text| cards(text, LONGEST_HAND))
        && cards(&kind.removed, LONGEST_SHOE)
        && kind.asks.len() <= LONGEST_HAND
        && kind.cost.is_finite()
}

fn each<T: DeserializeOwned>(
    found: &[(String, Vec<u8>)],
    of: &'static str,
) -> impl Iterator<Item = (String, T)> {
    found.iter().filter_map(move |(name, value)| {
        Some((name.strip_prefix(of)?.to_owned(), serde_json::from_slice(value).ok()?))
    })
}

/// What was practised at tables like this preset.
#[utoipa::path(get, path = "/api/training/memory/{table}", tag = "training", params(("table" = String, Path)),
    responses((status = 200, body = DrillMemory), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn drilled(
    State(app): State<App>,
    me: Me,
    Path(table): Path<String>,
) -> ApiResult<Json<DrillMemory>> {
    let place = drill(&me, &table)?;
    let found = app.read(move |db| settings(db, &place)).await?;
    Ok(Json(DrillMemory {
        turn: each(&found, "turn").map(|(_, turn)| turn).next().unwrap_or_default(),
        known: each(&found, "kind/").collect(),
        days: each(&found, "day/").collect(),
    }))
}

/// Remembers what is new: kinds of hands and days that are named take the place of what was known of them.
#[utoipa::path(put, path = "/api/training/memory/{table}", tag = "training", request_body = DrillNews,
    params(("table" = String, Path)),
    responses((status = 204), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn remember_drill(
    State(app): State<App>,
    me: Me,
    Path(table): Path<String>,
    Body(asked): Body<DrillNews>,
) -> ApiResult<StatusCode> {
    let place = drill(&me, &table)?;
    let news = &asked.news;
    let sound = news.known.iter().all(|(name, kind)| sound(name, kind))
        && news.days.iter().all(|(day, done)| day_from_text(day).is_some() && done.cost.is_finite());
    if !sound || news.known.len() + news.days.len() > MOST_AT_ONCE {
        return Err(ApiError::bad("known", "this is not what a drill remembers, or too much at once"));
    }
    let begins = place.clone();
    let known = app.read(move |db| settings(db, &begins)).await?;
    if known.len() + news.known.len() + news.days.len() > MOST_KINDS {
        return Err(ApiError::refused("known", "a drill remembers at most 2000 kinds of hands and days"));
    }
    let mut draft = app.draft(&me, asked.id.lawful()?, KIND, body_digest(KIND, &(&table, &asked)));
    let mut keep = |what: String, value: Vec<u8>| {
        draft.keep.push(Keep::Setting { name: format!("{place}{what}"), value });
    };
    keep("turn".into(), news.turn.to_string().into_bytes());
    for (name, kind) in &news.known {
        keep(format!("kind/{name}"), serde_json::to_vec(kind).unwrap_or_default());
    }
    for (day, done) in &news.days {
        keep(format!("day/{day}"), serde_json::to_vec(done).unwrap_or_default());
    }
    draft.event = serde_json::json!({ "table": table }).to_string().into_bytes();
    app.commit(draft).await?;
    Ok(StatusCode::NO_CONTENT)
}
