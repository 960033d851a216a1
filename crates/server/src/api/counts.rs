//! Counts of a table's chip rack: the number of chips of each denomination.
//!
//! A rack is counted when a table opens, changes hands or closes, and the count is journaled under the name of the
//! person who counted. Each count shows the previous total, so that a mismatch is visible at once.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, ClientId, Money, Path, Time, body_digest};
use axum::Json;
use axum::extract::State;
use ledger::Cents;
use ledger::people::{RowChange, setting};
use rules::message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kind of the journal records of rack counts.
const KIND: &str = "rack-count";
const MOST_KINDS: usize = 20;
const MOST_CHIPS: u32 = 100_000;

/// The occasion for counting a rack.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountedAt {
    Opening,
    /// Another dealer takes over the table.
    Shift,
    Closing,
}

/// A request to record the chips counted in a table's rack.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct CountOrder {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// The occasion on which the chips were counted.
    why: CountedAt,
    /// The number of chips of each denomination, such as `{"25.00": 40}`.
    chips: BTreeMap<String, u32>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    table: u32,
    why: CountedAt,
    chips: BTreeMap<String, u32>,
    total: String,
    name: String,
    at: i64,
    before: Option<String>,
}

/// A recorded count of the chips in a table's rack.
#[derive(Serialize, utoipa::ToSchema)]
pub struct CountView {
    /// The number of the table.
    table: u32,
    /// The occasion on which the chips were counted.
    why: CountedAt,
    /// The number of chips of each denomination.
    chips: BTreeMap<String, u32>,
    /// The total value of the chips.
    total: Money,
    /// The name of the person who counted.
    name: String,
    /// The time of the count.
    at: Time,
    /// The total value in the table's previous count, or absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Money>,
}

fn place(table: u32) -> String {
    format!("{KIND}/{table}")
}

fn money(text: &str) -> Option<Money> {
    text.parse().ok().map(Money)
}

fn seen(written: Written) -> Option<CountView> {
    Some(CountView {
        table: written.table,
        why: written.why,
        total: money(&written.total)?,
        chips: written.chips,
        name: written.name,
        at: Time(ledger::Moment(written.at)),
        before: written.before.as_deref().and_then(money),
    })
}

async fn last(app: &App, table: u32) -> ApiResult<Option<Written>> {
    let found = app.read(move |db| setting(db, &place(table))).await?;
    Ok(found.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// Returns the total value of the counted chips, or an error if a denomination or a number of chips is invalid.
fn total(chips: &BTreeMap<String, u32>) -> ApiResult<Cents> {
    if chips.is_empty() || chips.len() > MOST_KINDS {
        return Err(ApiError::bad(
            "chips",
            message!("rack-denominations", "a rack count needs 1 to 20 denominations"),
        ));
    }
    let mut sum = 0_i64;
    for (worth, many) in chips {
        let worth =
            worth.parse::<Cents>().ok().filter(|worth| *worth > Cents::ZERO && worth.0 <= 100_000_000);
        let worth = worth.ok_or_else(|| {
            ApiError::bad("chips", message!("chip-value", "chip value must be an amount such as 25.00"))
        })?;
        if *many > MOST_CHIPS {
            return Err(ApiError::bad(
                "chips",
                message!("too-many-chips", "at most 100000 chips per denomination"),
            ));
        }
        sum += worth.0 * i64::from(*many);
    }
    Ok(Cents(sum))
}

/// Records a count of a table's rack.
#[utoipa::path(post, path = "/api/tables/{table}/counts", tag = "records", request_body = CountOrder,
    params(("table" = u32, Path)),
    responses((status = 200, body = CountView), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn count_rack(
    State(app): State<App>,
    me: Me,
    Path(table): Path<u32>,
    Body(asked): Body<CountOrder>,
) -> ApiResult<Json<CountView>> {
    app.table(table)?;
    let sum = total(&asked.chips)?;
    let mut draft = app.draft(&me, asked.id.lawful()?, KIND, body_digest(KIND, &(table, &asked)));
    let written = Written {
        table,
        why: asked.why,
        chips: asked.chips,
        total: sum.to_string(),
        name: me.name.clone(),
        at: app.ledger.now().0,
        before: last(&app, table).await?.map(|count| count.total),
    };
    draft.event = serde_json::to_vec(&written).unwrap_or_default();
    draft.row_changes.push(RowChange::Setting { name: place(table), value: draft.event.clone() });
    app.commit(draft).await?;
    seen(written).map(Json).ok_or_else(ApiError::stopped)
}

/// Returns the last count of a table's rack.
///
/// The response is 404 if the rack was never counted.
#[utoipa::path(get, path = "/api/tables/{table}/counts", tag = "records", params(("table" = u32, Path)),
    responses((status = 200, body = CountView), (status = 404, body = ErrorBody)))]
pub async fn last_count(State(app): State<App>, Path(table): Path<u32>) -> ApiResult<Json<CountView>> {
    app.table(table)?;
    last(&app, table)
        .await?
        .and_then(seen)
        .map(Json)
        .ok_or_else(|| ApiError::missing(message!("no-rack-count", "this table has no such rack count")))
}
