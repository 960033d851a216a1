//! Rehearsals over HTTP: practice tables that the caller deals.
//!
//! Guests may open one too. A rehearsal needs no account, moves no chips and leaves no record.

use super::Me;
use super::training::{TrainingTable, rules_of};
use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::rehearsal::{self, Rehearsal, RehearsalView};
use crate::tables::Request;
use crate::wire::{Body, Written};
use axum::extract::State;
use std::sync::Arc;

/// Opens a rehearsal table for the caller to deal, and returns its rules and view.
///
/// The new table replaces the caller's earlier rehearsal table.
#[utoipa::path(post, path = "/api/rehearsal", tag = "training", request_body = TrainingTable,
    responses((status = 200, body = Rehearsal), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn open_rehearsal(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<TrainingTable>,
) -> ApiResult<Written> {
    let house = Arc::clone(&app);
    app.work(move || rehearsal::open(&house, &me, rules_of(&asked)?, asked.name())).await
}

/// Sends a dealer or floor command to the caller's rehearsal table, where the simulated players respond.
#[utoipa::path(post, path = "/api/rehearsal/actions", tag = "training", request_body = Request,
    responses((status = 200, body = RehearsalView), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn act_at_rehearsal(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<Request>,
) -> ApiResult<Written> {
    let house = Arc::clone(&app);
    app.work(move || rehearsal::act(&house, &me, &asked)).await
}

/// Lets the simulated players bet at the caller's rehearsal table.
#[utoipa::path(post, path = "/api/rehearsal/wagers", tag = "training",
    responses((status = 200, body = RehearsalView), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn wager_at_rehearsal(State(app): State<App>, me: Me) -> ApiResult<Written> {
    let house = Arc::clone(&app);
    app.work(move || rehearsal::wager(&house, &me)).await
}
