//! The analyst's workbench over HTTP: the documents that the command line also prints.
//!
//! The module `lab::workbench` computes the documents.

use super::lab::{Asking, TableQuery, answered};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, unknown_count};
use crate::lab::{Task, Workbench};
use crate::openapi::documents::{
    CompareDocument, IndicesDocument, NextRound, RampDocument, RemovalDocument, ReportDocument,
    StrategyDocument, SweepDocument, TagsDocument,
};
use crate::wire::{Body, Written};
use axum::extract::State;
use documents::tags::MOST_LEVEL;
use rules::file;
use rules::message;
use serde::Deserialize;

const JSON: &str = "application/json";
/// Maximum length of a list of removed cards, in bytes.
const MOST_CARDS: usize = 2000;
const MOST_LETTERS: usize = 400;
const MOST_OPTIONS: usize = 12;

/// Returns a workbench document about a table, or an error if the table is not legal.
async fn put(
    app: &App,
    asking: Asking,
    kind: &'static str,
    (table, ask): (TableQuery, Workbench),
) -> ApiResult<Written> {
    let rules = table.lawful_rules(app).await?;
    // with its name, which the documents contain
    answered(app, asking, kind, Task::Workbench { table: file::show(rules.choices()), ask }).await
}

fn short(field: &'static str, text: &str, most: usize) -> ApiResult<()> {
    match text.len() <= most {
        true => Ok(()),
        false => {
            Err(ApiError::bad(field, message!("text-too-long", "must be at most {most} characters", most)))
        }
    }
}

/// A request for the house edge of every legal combination of some options.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct SweepRequest {
    #[serde(flatten)]
    pub table: TableQuery,
    /// The options to vary and their values, such as `decks=6,8`.
    #[schema(min_items = 1, max_items = 12, min_length = 1, example = json!(["decks=6,8", "soft_17=stand,hit"]))]
    pub vary: Vec<String>,
    /// The range of house edges to return, such as `0.35%..0.45%`. Default: all.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 400, example = "0.35%..0.45%")]
    pub within: Option<String>,
    /// Whether to compute the standard deviation as well, which takes longer.
    #[serde(default)]
    pub spread: bool,
}

/// A request to explain the difference between two tables.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CompareRequest {
    /// The first table.
    pub a: TableQuery,
    /// The second table.
    pub b: TableQuery,
}

/// A request about a stack from which some cards were removed, and optionally about a hand dealt from the cards
/// left.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct ShoeRequest {
    #[serde(flatten)]
    pub table: TableQuery,
    /// The removed cards, with or without suits, such as `As Kd 5x3`.
    #[serde(default)]
    #[schema(max_length = 2000, example = "As Kd 5x3")]
    pub removed: String,
    /// The cards of the hand, such as `T 6`, or empty for none.
    #[serde(default)]
    #[schema(max_length = 400, example = "T 6")]
    pub hand: String,
    /// The cards of the box's second hand at a Switch table, otherwise empty.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub hand2: String,
    /// The dealer's upcard, or empty for none.
    #[serde(default)]
    #[schema(max_length = 400, example = "T")]
    pub up: String,
}

/// A request for a table's best counting systems, with tags within the given limits.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct TagsRequest {
    #[serde(flatten)]
    pub table: TableQuery,
    /// The largest tag that a counting system may have.
    #[schema(minimum = 1, maximum = 9)]
    pub level: i32,
    /// Whether to allow unbalanced tags.
    #[serde(default)]
    pub unbalanced: bool,
}

/// A request about a table and a counting system.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CountRequest {
    #[serde(flatten)]
    pub table: TableQuery,
    /// The counting system: its name, such as `hi-lo`, or ten tags for A,2,…,9,T.
    #[schema(min_length = 1, max_length = 400, example = "hi-lo")]
    pub count: String,
}

/// A request for the best bet ramp for a table, a counting system and a bet spread.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct RampRequest {
    #[serde(flatten)]
    pub count: CountRequest,
    /// The bankroll, in units of the minimum bet.
    #[schema(minimum = 1, example = 1000)]
    pub bankroll: u32,
    /// The smallest bet of the spread, in units.
    #[schema(maximum = 1000, example = 1)]
    pub least: u32,
    /// The largest bet of the spread, in units.
    #[schema(minimum = 1, maximum = 1000, example = 12)]
    pub most: u32,
}

/// A request for a table's printable strategy card.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CardRequest {
    #[serde(flatten)]
    pub table: TableQuery,
    /// Whether the card is as large as letter paper (true) or a credit card (false).
    #[serde(default)]
    pub letter: bool,
}

fn checked_count(text: &str) -> ApiResult<()> {
    short("count", text, MOST_LETTERS)?;
    sim::count::System::parse(text).map(|_| ()).map_err(|_| unknown_count(text))
}

/// Returns the math report of a table: every bet with its outcomes, the strategy charts, and the rulings assumed.
#[utoipa::path(post, path = "/api/lab/report", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = ReportDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn report(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    put(&app, asking, JSON, (asked, Workbench::Report)).await
}

/// Returns the math report of a table as a printable page.
#[utoipa::path(post, path = "/api/lab/report.html", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = String, content_type = "text/html"), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn report_page(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    put(&app, asking, "text/html", (asked, Workbench::ReportPage)).await
}

/// Returns a printable strategy card for a table.
#[utoipa::path(post, path = "/api/lab/card.svg", tag = "lab", request_body = CardRequest,
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn card(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CardRequest>,
) -> ApiResult<Written> {
    put(&app, asking, "image/svg+xml", (asked.table, Workbench::Card { letter: asked.letter })).await
}

/// Returns the house edge of every legal combination of some options.
#[utoipa::path(post, path = "/api/lab/sweep", tag = "lab", request_body = SweepRequest,
    responses((status = 200, body = SweepDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn sweep(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<SweepRequest>,
) -> ApiResult<Written> {
    if !(1..=MOST_OPTIONS).contains(&asked.vary.len()) {
        return Err(ApiError::bad(
            "vary",
            message!("options-limit", "select 1 to {most} options", most = MOST_OPTIONS),
        ));
    }
    asked.vary.iter().chain(&asked.within).try_for_each(|text| short("vary", text, MOST_LETTERS))?;
    put(
        &app,
        asking,
        JSON,
        (asked.table, Workbench::Sweep { vary: asked.vary, within: asked.within, spread: asked.spread }),
    )
    .await
}

/// Explains the difference in house edge between two tables, option by option.
///
/// The effects of the options add up to the whole difference.
#[utoipa::path(post, path = "/api/lab/compare", tag = "lab", request_body = CompareRequest,
    responses((status = 200, body = CompareDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn compare(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CompareRequest>,
) -> ApiResult<Written> {
    let other = asked.b.lawful_rules(&app).await?;
    put(&app, asking, JSON, (asked.a, Workbench::Compare { other: file::show(other.choices()) })).await
}

/// Returns the expected value of the next round dealt from the cards left in the stack, and optionally of the
/// actions on a hand.
#[utoipa::path(post, path = "/api/lab/shoe", tag = "lab", request_body = ShoeRequest,
    responses((status = 200, body = NextRound), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn shoe(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<ShoeRequest>,
) -> ApiResult<Written> {
    short("removed", &asked.removed, MOST_CARDS)?;
    [&asked.hand, &asked.hand2, &asked.up]
        .into_iter()
        .try_for_each(|text| short("hand", text, MOST_LETTERS))?;
    let ask = Workbench::Shoe { removed: asked.removed, hand: asked.hand, hand2: asked.hand2, up: asked.up };
    put(&app, asking, JSON, (asked.table, ask)).await
}

/// Returns the strategy charts for the cards left in the stack after the given cards are removed.
#[utoipa::path(post, path = "/api/lab/shoe/strategy", tag = "lab", request_body = ShoeRequest,
    responses((status = 200, body = StrategyDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn shoe_strategy(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<ShoeRequest>,
) -> ApiResult<Written> {
    short("removed", &asked.removed, MOST_CARDS)?;
    put(&app, asking, JSON, (asked.table, Workbench::ShoeChart { removed: asked.removed })).await
}

/// Returns the effects of removal on every bet of a table.
#[utoipa::path(post, path = "/api/lab/removal", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = RemovalDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn removal(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    put(&app, asking, JSON, (asked, Workbench::Removal)).await
}

/// Returns the best counting system for every bet of a table.
#[utoipa::path(post, path = "/api/lab/tags", tag = "lab", request_body = TagsRequest,
    responses((status = 200, body = TagsDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn tags(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TagsRequest>,
) -> ApiResult<Written> {
    if !(1..=MOST_LEVEL).contains(&asked.level) {
        return Err(ApiError::bad(
            "level",
            message!("level", "the largest tag must be from 1 to {most}", most = MOST_LEVEL),
        ));
    }
    put(
        &app,
        asking,
        JSON,
        (asked.table, Workbench::Tags { level: asked.level, balanced: !asked.unbalanced }),
    )
    .await
}

/// Returns the count at which each decision of the strategy chart changes.
#[utoipa::path(post, path = "/api/lab/indices", tag = "lab", request_body = CountRequest,
    responses((status = 200, body = IndicesDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn indices(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CountRequest>,
) -> ApiResult<Written> {
    checked_count(&asked.count)?;
    put(&app, asking, JSON, (asked.table, Workbench::Indices { count: asked.count })).await
}

/// Returns the best bet ramp for a bankroll and a bet spread, with its expected results.
#[utoipa::path(post, path = "/api/lab/ramp", tag = "lab", request_body = RampRequest,
    responses((status = 200, body = RampDocument), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn ramp(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<RampRequest>,
) -> ApiResult<Written> {
    checked_count(&asked.count.count)?;
    if asked.bankroll == 0 || asked.least > asked.most || !(1..=1000).contains(&asked.most) {
        return Err(ApiError::bad(
            "most",
            message!(
                "stakes-and-bankroll",
                "bets must be 1 to 1000 units, smallest first, and the bankroll greater than 0"
            ),
        ));
    }
    let RampRequest { bankroll, least, most, .. } = asked;
    let ask = Workbench::Ramp { count: asked.count.count, bankroll, least, most };
    put(&app, asking, JSON, (asked.count.table, ask)).await
}
