//! The analyst's bench of the lab: what the command line's documents answer, for a page. `lab/bench.rs` works it out.

use super::lab::{Asked, Asking, answered};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::lab::{Bench, Task};
use crate::wire::{Body, Written};
use axum::extract::State;
use documents::tags::MOST_LEVEL;
use rules::file;
use serde::Deserialize;

const JSON: &str = "application/json";
/// The longest list of cards that are gone, and the longest words of other fields.
const MOST_CARDS: usize = 2000;
const MOST_LETTERS: usize = 400;
const MOST_OPTIONS: usize = 12;

/// The question, once its table is known to be lawful.
async fn put(
    app: &App,
    asking: Asking,
    kind: &'static str,
    (table, ask): (Asked, Bench),
) -> ApiResult<Written> {
    let rules = table.lawful_rules(app).await?;
    // with its name, which its documents tell
    answered(app, asking, kind, Task::Bench { table: file::show(rules.choices()), ask }).await
}

fn short(field: &'static str, text: &str, most: usize) -> ApiResult<()> {
    match text.len() <= most {
        true => Ok(()),
        false => Err(ApiError::bad(field, format!("must be at most {most} characters"))),
    }
}

/// Options with their values, written as for the command line.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct SweepAsked {
    #[serde(flatten)]
    pub table: Asked,
    #[schema(min_items = 1, max_items = 12, example = json!(["decks=6,8", "soft_17=stand,hit"]))]
    pub vary: Vec<String>,
    /// Only house edges within this range.
    #[serde(default)]
    #[schema(max_length = 400, example = "0.35%..0.45%")]
    pub within: Option<String>,
    /// The standard deviation as well, which takes longer.
    #[serde(default)]
    pub spread: bool,
}

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CompareAsked {
    pub a: Asked,
    pub b: Asked,
}

/// A table with some cards gone, and perhaps a hand to be played from what is left.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct ShoeAsked {
    #[serde(flatten)]
    pub table: Asked,
    /// Cards that are gone, with or without their suits.
    #[serde(default)]
    #[schema(max_length = 2000, example = "As Kd 5x3")]
    pub removed: String,
    #[serde(default)]
    #[schema(max_length = 400, example = "T 6")]
    pub hand: String,
    /// The second hand in Switch.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub hand2: String,
    #[serde(default)]
    #[schema(max_length = 400, example = "T")]
    pub up: String,
}

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct TagsAsked {
    #[serde(flatten)]
    pub table: Asked,
    /// The largest tag.
    #[schema(minimum = 1, maximum = 9)]
    pub level: i32,
    /// Tags need not add up to nothing over a deck.
    #[serde(default)]
    pub unbalanced: bool,
}

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CountAsked {
    #[serde(flatten)]
    pub table: Asked,
    /// A system, or ten tags for A,2,…,9,T.
    #[schema(max_length = 400, example = "hi-lo")]
    pub count: String,
}

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct RampAsked {
    #[serde(flatten)]
    pub count: CountAsked,
    /// Bankroll, in units of the minimum bet.
    #[schema(minimum = 1, example = 1000)]
    pub bankroll: u32,
    /// The least and the greatest stake, in units.
    #[schema(maximum = 1000, example = 1)]
    pub least: u32,
    #[schema(minimum = 1, maximum = 1000, example = 12)]
    pub most: u32,
}

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct CardAsked {
    #[serde(flatten)]
    pub table: Asked,
    /// A sheet of letter paper; otherwise of the size of a credit card.
    #[serde(default)]
    pub letter: bool,
}

fn checked_count(text: &str) -> ApiResult<()> {
    short("count", text, MOST_LETTERS)?;
    sim::count::System::parse(text).map(|_| ()).map_err(|error| ApiError::bad("count", error))
}

/// The math report of a table: every wager with every line, the charts, and what the rulings assume.
#[utoipa::path(post, path = "/api/lab/report", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn report(State(app): State<App>, asking: Asking, Body(asked): Body<Asked>) -> ApiResult<Written> {
    put(&app, asking, JSON, (asked, Bench::Report)).await
}

/// The math report as one page that prints well.
#[utoipa::path(post, path = "/api/lab/report.html", tag = "lab", request_body = Asked,
    responses((status = 200, body = String, content_type = "text/html"), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn report_page(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<Asked>,
) -> ApiResult<Written> {
    put(&app, asking, "text/html", (asked, Bench::ReportPage)).await
}

/// A strategy card to print.
#[utoipa::path(post, path = "/api/lab/card.svg", tag = "lab", request_body = CardAsked,
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn card(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CardAsked>,
) -> ApiResult<Written> {
    put(&app, asking, "image/svg+xml", (asked.table, Bench::Card { letter: asked.letter })).await
}

/// Solves every legal combination of some options.
#[utoipa::path(post, path = "/api/lab/sweep", tag = "lab", request_body = SweepAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn sweep(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<SweepAsked>,
) -> ApiResult<Written> {
    if !(1..=MOST_OPTIONS).contains(&asked.vary.len()) {
        return Err(ApiError::bad("vary", format!("select 1 to {MOST_OPTIONS} options")));
    }
    asked.vary.iter().chain(&asked.within).try_for_each(|text| short("vary", text, MOST_LETTERS))?;
    put(
        &app,
        asking,
        JSON,
        (asked.table, Bench::Sweep { vary: asked.vary, within: asked.within, spread: asked.spread }),
    )
    .await
}

/// Why two tables differ, option by option; the parts add up.
#[utoipa::path(post, path = "/api/lab/compare", tag = "lab", request_body = CompareAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn compare(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CompareAsked>,
) -> ApiResult<Written> {
    let other = asked.b.lawful_rules(&app).await?;
    put(&app, asking, JSON, (asked.a, Bench::Compare { other: file::show(other.choices()) })).await
}

/// The next round from what is left of the stack, and the values of a hand.
#[utoipa::path(post, path = "/api/lab/shoe", tag = "lab", request_body = ShoeAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn shoe(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<ShoeAsked>,
) -> ApiResult<Written> {
    short("removed", &asked.removed, MOST_CARDS)?;
    [&asked.hand, &asked.hand2, &asked.up]
        .into_iter()
        .try_for_each(|text| short("hand", text, MOST_LETTERS))?;
    let ask = Bench::Shoe { removed: asked.removed, hand: asked.hand, hand2: asked.hand2, up: asked.up };
    put(&app, asking, JSON, (asked.table, ask)).await
}

/// The strategy charts for what is left of the stack.
#[utoipa::path(post, path = "/api/lab/shoe/strategy", tag = "lab", request_body = ShoeAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn shoe_strategy(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<ShoeAsked>,
) -> ApiResult<Written> {
    short("removed", &asked.removed, MOST_CARDS)?;
    put(&app, asking, JSON, (asked.table, Bench::ShoeChart { removed: asked.removed })).await
}

/// What one card of each value less is worth to every wager.
#[utoipa::path(post, path = "/api/lab/removal", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn removal(State(app): State<App>, asking: Asking, Body(asked): Body<Asked>) -> ApiResult<Written> {
    put(&app, asking, JSON, (asked, Bench::Removal)).await
}

/// The best counts of every wager.
#[utoipa::path(post, path = "/api/lab/tags", tag = "lab", request_body = TagsAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn tags(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TagsAsked>,
) -> ApiResult<Written> {
    if !(1..=MOST_LEVEL).contains(&asked.level) {
        return Err(ApiError::bad("level", format!("the largest tag is 1 to {MOST_LEVEL}")));
    }
    put(&app, asking, JSON, (asked.table, Bench::Tags { level: asked.level, balanced: !asked.unbalanced }))
        .await
}

/// At which count each play of the chart changes.
#[utoipa::path(post, path = "/api/lab/indices", tag = "lab", request_body = CountAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn indices(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<CountAsked>,
) -> ApiResult<Written> {
    checked_count(&asked.count)?;
    put(&app, asking, JSON, (asked.table, Bench::Indices { count: asked.count })).await
}

/// The best stakes by count for a bankroll and a spread, and what they come to.
#[utoipa::path(post, path = "/api/lab/ramp", tag = "lab", request_body = RampAsked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn ramp(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<RampAsked>,
) -> ApiResult<Written> {
    checked_count(&asked.count.count)?;
    if asked.bankroll == 0 || asked.least > asked.most || !(1..=1000).contains(&asked.most) {
        return Err(ApiError::bad(
            "most",
            "stakes are 1 to 1000, the least first, and the bankroll is above zero",
        ));
    }
    let RampAsked { bankroll, least, most, .. } = asked;
    let ask = Bench::Ramp { count: asked.count.count, bankroll, least, most };
    put(&app, asking, JSON, (asked.count.table, ask)).await
}
