//! What a drill remembers of a member: every kind of hand with how well it sits, and how each day went, so that practice
//! goes on in any browser. A guest's stays in the guest's browser. It is no record of the house and not in the journal.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, ClientId, Path, day_from_text};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use rules::card::parse_cards;
use rules::preset::preset;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is remembered of one table: kinds of hands, days, and the bytes of both; and how many are sent at once.
const MOST_KINDS: usize = 2_000;
const MOST_DAYS: usize = 1_000;
const MOST_BYTES: usize = 256 << 10;
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

/// Refuses whoever has no account to keep what is practised, and tables that there are not.
fn member(me: &Me, table: &str) -> ApiResult<()> {
    if me.guest {
        return Err(ApiError::refused(
            "guest",
            "what a guest practises stays in the guest's browser; join first",
        ));
    }
    preset(table).map(|_| ()).ok_or_else(|| ApiError::missing("table"))
}

fn sound(name: &str, kind: &DrilledKind) -> bool {
    let cards = |text: &str, most: usize| text.len() <= most && parse_cards(text).is_ok();
    (1..=LONGEST_NAME).contains(&name.len())
        && [&kind.hand, &kind.hand2, &kind.up].into_iter().all(|text| cards(text, LONGEST_HAND))
        && cards(&kind.removed, LONGEST_SHOE)
        && kind.asks.len() <= LONGEST_HAND
        && kind.cost.is_finite()
}

/// What was practised at tables like this preset.
#[utoipa::path(get, path = "/api/training/memory/{table}", tag = "training", params(("table" = String, Path)),
    responses((status = 200, body = DrillMemory), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn drilled(
    State(app): State<App>,
    me: Me,
    Path(table): Path<String>,
) -> ApiResult<Json<DrillMemory>> {
    member(&me, &table)?;
    let ledger = Arc::clone(&app.ledger);
    app.work(move || Ok(Json(read(ledger.practised(me.id, &table)?)))).await
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
    member(&me, &table)?;
    asked.id.lawful()?;
    let news = asked.news;
    let sound = news.known.iter().all(|(name, kind)| sound(name, kind))
        && news.days.iter().all(|(day, done)| day_from_text(day).is_some() && done.cost.is_finite());
    if !sound || news.known.len() + news.days.len() > MOST_AT_ONCE {
        return Err(ApiError::bad("known", "invalid or oversized drill progress"));
    }
    let ledger = Arc::clone(&app.ledger);
    let remember = move || ledger.practise(me.id, &table, |kept| news.added_to(read(kept)));
    app.work(remember).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn read(kept: Option<Vec<u8>>) -> DrillMemory {
    kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

impl DrillMemory {
    /// What is remembered then: bounded, whatever is sent.
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
            false => {
                Err(ApiError::refused("known", "a drill remembers at most 2000 kinds of hands, in 256 KiB"))
            }
        }
    }
}
