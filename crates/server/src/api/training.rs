//! Training tables over HTTP: private, with the coach. Live tables have no such routes.

use super::Me;
use super::lab::few_changes;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::tables::Request;
use crate::training;
use crate::wire::Body;
use axum::Json;
use axum::extract::State;
use rules::Rules;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

const LONGEST_FILE: usize = 20_000;
const LONGEST_CARDS: usize = 400;

#[derive(Deserialize, utoipa::ToSchema)]
pub struct TrainingTable {
    /// A preset's name, or a whole table file in TOML.
    #[schema(max_length = 20000, example = "nj-blackjack")]
    rules: String,
    /// Changes to it, like `decks=6`.
    #[serde(default)]
    #[schema(max_items = 100)]
    set: Vec<String>,
}

impl TrainingTable {
    /// What the table is called: as its preset, or as its file says.
    pub(super) fn name(&self) -> &str {
        if rules::preset::preset(&self.rules).is_some() { &self.rules } else { "" }
    }
}

/// Opens a training table of my own, in place of the one I had.
#[utoipa::path(post, path = "/api/training", tag = "training", request_body = TrainingTable,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn open(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<TrainingTable>,
) -> ApiResult<Json<Value>> {
    let house = Arc::clone(&app);
    app.work(move || Ok(Json(training::open(&house, &me, rules_of(&asked)?, asked.name())?))).await
}

pub(super) fn rules_of(asked: &TrainingTable) -> ApiResult<Rules> {
    if asked.rules.len() > LONGEST_FILE {
        return Err(ApiError::bad("rules", "table file must be at most 20000 bytes"));
    }
    few_changes(&asked.set)?;
    let bad = |what: String| ApiError::bad("rules", what);
    let mut choices = match rules::preset::preset(&asked.rules) {
        Some(choices) => choices,
        None => rules::file::parse(&asked.rules).map_err(|e| bad(e.to_string()))?,
    };
    for assignment in &asked.set {
        rules::file::set(&mut choices, assignment).map_err(|e| bad(e.to_string()))?;
    }
    Rules::new(choices).map_err(|report| {
        let first = report.violations.into_iter().next();
        first.map_or_else(|| bad("not lawful".into()), |f| bad(f.message).clause(f.clause.citation()))
    })
}

/// My training table.
#[utoipa::path(get, path = "/api/training", tag = "training",
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn view(State(app): State<App>, me: Me) -> ApiResult<Json<Value>> {
    let house = Arc::clone(&app);
    app.work(move || Ok(Json(training::view(&house, &me)?))).await
}

#[derive(Deserialize, utoipa::ToSchema)]
pub struct NextCards {
    /// In the order in which they will be dealt.
    #[schema(max_length = 400, example = "As Ah Kd")]
    cards: String,
}

/// Arranges the next cards of my training table, to practise a situation.
#[utoipa::path(put, path = "/api/training/cards", tag = "training", request_body = NextCards,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn arrange(State(app): State<App>, me: Me, Body(asked): Body<NextCards>) -> ApiResult<Json<Value>> {
    if asked.cards.len() > LONGEST_CARDS {
        return Err(ApiError::bad("cards", "card list must be at most 400 characters"));
    }
    let cards = rules::card::parse_cards(&asked.cards).map_err(|e| ApiError::bad("cards", e.to_string()))?;
    let house = Arc::clone(&app);
    app.work(move || Ok(Json(training::arrange(&house, &me, &cards)?))).await
}

#[derive(Deserialize, utoipa::ToSchema)]
pub struct TrainingAction {
    #[serde(flatten)]
    request: Request,
    /// Say afterwards what the best play was and what the choice cost.
    #[serde(default)]
    coach: bool,
}

/// Does something at my training table.
#[utoipa::path(post, path = "/api/training/actions", tag = "training", request_body = TrainingAction,
    responses((status = 200, body = Object), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn act(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<TrainingAction>,
) -> ApiResult<Json<Value>> {
    Ok(Json(training::act(&app, me, asked.request, asked.coach).await?))
}

/// The exact value of every lawful action at my training table now.
#[utoipa::path(get, path = "/api/training/coach", tag = "training",
    responses((status = 200, body = Object), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn coach(State(app): State<App>, me: Me) -> ApiResult<Json<Value>> {
    Ok(Json(training::coach(&app, &me).await?))
}
