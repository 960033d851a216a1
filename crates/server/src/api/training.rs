//! Training tables over HTTP: private tables with a coach.
//!
//! Live tables have no coach.

use super::Me;
use super::lab::few_changes;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, unknown_card};
use crate::lab::answers::ActionValues;
use crate::tables::Request;
use crate::training::{self, TrainingView};
use crate::wire::{Body, Written};
use axum::extract::State;
use axum::http::StatusCode;
use rules::Rules;
use rules::message;
use serde::Deserialize;
use std::sync::Arc;

const LONGEST_FILE: usize = 20_000;
const LONGEST_CARDS: usize = 400;

/// A request to open a training table, with its rules.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct TrainingTable {
    /// A preset's name, or a whole table file in TOML.
    #[schema(min_length = 1, max_length = 20000, example = "nj-blackjack")]
    rules: String,
    /// Changes to the rules, such as `decks=6`.
    #[serde(default)]
    #[schema(max_items = 100, min_length = 1)]
    set: Vec<String>,
}

impl TrainingTable {
    /// Returns the name of the table's preset, or an empty name if the rules are a table file.
    ///
    /// With an empty name, the table has the name that its file gives.
    pub(super) fn name(&self) -> &str {
        if rules::preset::preset(&self.rules).is_some() { &self.rules } else { "" }
    }
}

/// Opens a training table for the caller, and returns its view.
///
/// The new table replaces the caller's earlier training table.
#[utoipa::path(post, path = "/api/training", tag = "training", request_body = TrainingTable,
    responses((status = 200, body = TrainingView), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn open(State(app): State<App>, me: Me, Body(asked): Body<TrainingTable>) -> ApiResult<Written> {
    let house = Arc::clone(&app);
    app.work(move || training::open(&house, &me, rules_of(&asked)?, asked.name())).await
}

pub(super) fn rules_of(asked: &TrainingTable) -> ApiResult<Rules> {
    if asked.rules.len() > LONGEST_FILE {
        return Err(ApiError::bad(
            "rules",
            message!("table-file-too-long", "table file must be at most 20000 bytes"),
        ));
    }
    few_changes(&asked.set)?;
    let bad = |error: rules::file::FileError| ApiError::bad("rules", error.why());
    let mut choices = match rules::preset::preset(&asked.rules) {
        Some(choices) => choices,
        None => rules::file::parse(&asked.rules).map_err(bad)?,
    };
    for assignment in &asked.set {
        rules::file::set(&mut choices, assignment).map_err(bad)?;
    }
    Rules::new(choices).map_err(|report| {
        let mut illegal = ApiError::illegal(&report);
        illegal.status = StatusCode::BAD_REQUEST;
        illegal.detail.field = Some("rules".to_owned());
        illegal
    })
}

/// Returns the caller's training table.
#[utoipa::path(get, path = "/api/training", tag = "training",
    responses((status = 200, body = TrainingView), (status = 404, body = ErrorBody)))]
pub async fn view(State(app): State<App>, me: Me) -> ApiResult<Written> {
    let house = Arc::clone(&app);
    app.work(move || training::view(&house, &me)).await
}

/// A request to set the next cards of a training table.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NextCards {
    /// The cards in the order in which they will be dealt.
    #[schema(max_length = 400, example = "As Ah Kd")]
    cards: String,
}

/// Sets the next cards of the caller's training table, to practice a situation.
#[utoipa::path(put, path = "/api/training/cards", tag = "training", request_body = NextCards,
    responses((status = 200, body = TrainingView), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn arrange(State(app): State<App>, me: Me, Body(asked): Body<NextCards>) -> ApiResult<Written> {
    if asked.cards.len() > LONGEST_CARDS {
        return Err(ApiError::bad(
            "cards",
            message!("card-list-too-long", "card list must be at most 400 characters"),
        ));
    }
    let cards =
        rules::card::parse_cards(&asked.cards).map_err(|e| ApiError::bad("cards", unknown_card(&e.0)))?;
    let house = Arc::clone(&app);
    app.work(move || training::arrange(&house, &me, &cards)).await
}

/// A command to a training table, and whether the coach judges it.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct TrainingAction {
    #[serde(flatten)]
    request: Request,
    /// Whether the response includes the best action and the cost of the player's decision.
    #[serde(default)]
    coach: bool,
}

/// Sends a command to the caller's training table, and returns the table's view.
#[utoipa::path(post, path = "/api/training/actions", tag = "training", request_body = TrainingAction,
    responses((status = 200, body = TrainingView), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn act(State(app): State<App>, me: Me, Body(asked): Body<TrainingAction>) -> ApiResult<Written> {
    training::act(&app, me, asked.request, asked.coach).await
}

/// Returns the exact value of every legal action at the caller's training table.
#[utoipa::path(get, path = "/api/training/coach", tag = "training",
    responses((status = 200, body = ActionValues), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn coach(State(app): State<App>, me: Me) -> ApiResult<Written> {
    training::coach(&app, &me).await
}
