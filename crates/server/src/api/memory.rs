//! The drill memory of a member: how well the member knows each kind of hand, and the results of each day.
//!
//! A member can continue practice in any browser, because the house stores the drill memory. A guest's memory
//! stays in the guest's browser. Drill memory is not part of the house's records or the journal.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, NO_TABLE};
use crate::wire::{Body, ClientId, Path, day_from_text};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use rules::card::parse_cards;
use rules::message;
use rules::preset::preset;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of kinds of hands in the drill memory of one table.
const MOST_KINDS: usize = 2_000;
const MOST_DAYS: usize = 1_000;
const MOST_BYTES: usize = 256 << 10;
const MOST_AT_ONCE: usize = 100;
const LONGEST_NAME: usize = 80;
const LONGEST_HAND: usize = 60;
const LONGEST_SHOE: usize = 1_300;

/// A kind of hand that a member has practiced, and how well the member knows it.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrilledKind {
    /// The cards of the hand, such as `Ts 6h`.
    #[schema(max_length = 60, example = "Ts 6h")]
    hand: String,
    /// The cards of the box's second hand at a Switch table, otherwise empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 60)]
    hand2: String,
    /// The dealer's upcard.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 60, example = "Td")]
    up: String,
    /// The cards that had left the shoe before the round.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 1300)]
    removed: String,
    /// The question asked about the hand: `play`, `insurance`, `switch` or `attack`.
    #[schema(max_length = 60, example = "play")]
    asks: String,
    /// The number of right answers in a row, up to a maximum.
    level: u32,
    /// The `turn` of the drill memory after which this kind of hand is asked again.
    due: u32,
    /// The number of times that this kind of hand was asked.
    seen: u32,
    /// The number of wrong decisions on this kind of hand.
    wrong: u32,
    /// The total cost of the wrong decisions, in initial bets.
    cost: f64,
}

/// The results of one day of practice.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrilledDay {
    /// The number of hands answered on the day.
    hands: u32,
    /// The number of right answers on the day.
    right: u32,
    /// The cost of the day's wrong answers, in initial bets.
    cost: f64,
}

/// A player's drill progress at one table.
#[derive(Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrillMemory {
    /// The number of hands answered at this table so far, which `due` refers to.
    turn: u32,
    /// The kinds of hands that were asked, keyed by name.
    known: BTreeMap<String, DrilledKind>,
    /// The results of each day of practice, keyed by date.
    days: BTreeMap<String, DrilledDay>,
}

/// A request to store new drill progress.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct DrillNews {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    #[serde(flatten)]
    news: DrillMemory,
}

/// Returns an error for guests, who have no account to store practice in, and for unknown tables.
fn member(me: &Me, table: &str) -> ApiResult<()> {
    if me.guest {
        return Err(ApiError::refused(message!(
            "guest-memory",
            "a guest's training progress stays in the browser; register first"
        )));
    }
    preset(table).map(|_| ()).ok_or_else(|| ApiError::missing(NO_TABLE))
}

fn sound(name: &str, kind: &DrilledKind) -> bool {
    let cards = |text: &str, most: usize| text.len() <= most && parse_cards(text).is_ok();
    (1..=LONGEST_NAME).contains(&name.len())
        && [&kind.hand, &kind.hand2, &kind.up].into_iter().all(|text| cards(text, LONGEST_HAND))
        && cards(&kind.removed, LONGEST_SHOE)
        && kind.asks.len() <= LONGEST_HAND
        && kind.cost.is_finite()
}

/// Returns the caller's drill progress at the preset `table`.
#[utoipa::path(get, path = "/api/training/memory/{table}", tag = "training", params(("table" = String, Path)),
    responses((status = 200, body = DrillMemory), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn drilled(
    State(app): State<App>,
    me: Me,
    Path(table): Path<String>,
) -> ApiResult<Json<DrillMemory>> {
    member(&me, &table)?;
    let ledger = Arc::clone(&app.ledger);
    app.work(move || Ok(Json(read(ledger.practice_data(me.id, &table)?)))).await
}

/// Stores new drill progress of the caller.
///
/// Each kind of hand in the request replaces the stored kind with the same name, and each day the stored day.
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
    member(&me, &table)?;
    asked.id.lawful()?;
    let news = asked.news;
    let sound = news.known.iter().all(|(name, kind)| sound(name, kind))
        && news.days.iter().all(|(day, done)| day_from_text(day).is_some() && done.cost.is_finite());
    if !sound || news.known.len() + news.days.len() > MOST_AT_ONCE {
        return Err(ApiError::bad("known", message!("drill-invalid", "invalid or oversized drill progress")));
    }
    let ledger = Arc::clone(&app.ledger);
    let remember = move || ledger.change_practice(me.id, &table, |kept| news.added_to(read(kept)));
    app.work(remember).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn read(kept: Option<Vec<u8>>) -> DrillMemory {
    kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

impl DrillMemory {
    /// Returns the stored memory with this progress added, as JSON, or an error if the memory exceeds the limits.
    fn added_to(self, mut all: DrillMemory) -> ApiResult<Vec<u8>> {
        all.turn = self.turn;
        all.known.extend(self.known);
        all.days.extend(self.days);
        while all.days.len() > MOST_DAYS {
            all.days.pop_first();
        }
        let bytes = serde_json::to_vec(&all).unwrap_or_default();
        match all.known.len() <= MOST_KINDS && bytes.len() <= MOST_BYTES {
            true => Ok(bytes),
            false => Err(ApiError::refused(message!(
                "drill-full",
                "drill progress is limited to 2000 kinds of hands and 256 KiB"
            ))),
        }
    }
}
