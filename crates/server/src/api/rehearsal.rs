//! Rehearsals over HTTP: "deal a table yourself". A guest may open one; no account, no record, no chips.

use super::Me;
use super::training::{TrainingTable, rules_of};
use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::rehearsal;
use crate::tables::Request;
use crate::wire::Body;
use axum::Json;
use axum::extract::State;
use serde_json::Value;
use std::sync::Arc;

/// Opens a table for me to deal, in place of the one that I had: its card and what is seen.
#[utoipa::path(post, path = "/api/rehearsal", tag = "training", request_body = TrainingTable,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn open_rehearsal(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<TrainingTable>,
) -> ApiResult<Json<Value>> {
    let house = Arc::clone(&app);
    app.work(move || Ok(Json(rehearsal::open(&house, &me, rules_of(&asked)?, asked.name())?))).await
}

/// Does what a dealer or the floor does, at the table that I deal; the made-up players answer.
#[utoipa::path(post, path = "/api/rehearsal/actions", tag = "training", request_body = Request,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn act_at_rehearsal(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<Request>,
) -> ApiResult<Json<Value>> {
    let house = Arc::clone(&app);
    app.work(move || Ok(Json(rehearsal::act(&house, &me, &asked)?))).await
}

/// The made-up players wager at the table that I deal.
#[utoipa::path(post, path = "/api/rehearsal/wagers", tag = "training",
    responses((status = 200, body = Object), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn wager_at_rehearsal(State(app): State<App>, me: Me) -> ApiResult<Json<Value>> {
    let house = Arc::clone(&app);
    app.work(move || Ok(Json(rehearsal::wager(&house, &me)?))).await
}
