//! The house's time over HTTP: what it is, whether it is in doubt, and the supervisor's word that it is right.

use super::Me;
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, ClientId, Time, Written, body_digest, text_of, time_from_text};
use axum::Json;
use axum::extract::State;
use ledger::people::Keep;
use ledger::{CommandId, Timepiece};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A supervisor's watch may differ from the machine's clock by this much.
const WATCH_MS: i64 = 120_000;

#[derive(Serialize, utoipa::ToSchema)]
pub struct ClockView {
    /// The time that records carry.
    now: Time,
    /// What the machine's clock says.
    machine: Time,
    /// How much of the time nobody has confirmed: exclusions do not end by it.
    unconfirmed_seconds: i64,
    /// Nobody plays until a supervisor has confirmed the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<DoubtView>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct DoubtView {
    /// What the time should have been.
    expected: Time,
    /// What the machine's clock said.
    found: Time,
}

fn view(app: &App) -> ClockView {
    let clock = app.ledger.clock();
    ClockView {
        now: Time(clock.now()),
        machine: Time(clock.wall()),
        unconfirmed_seconds: clock.unconfirmed_ms() / 1000,
        doubt: clock
            .doubt()
            .map(|doubt| DoubtView { expected: Time(doubt.expected), found: Time(doubt.found) }),
    }
}

/// The house's time.
#[utoipa::path(get, path = "/api/clock", tag = "operations", responses((status = 200, body = ClockView)))]
pub async fn read(State(app): State<App>) -> Json<ClockView> {
    Json(view(&app))
}

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct Confirmation {
    id: ClientId,
    /// The time now, from another clock than the machine's.
    #[schema(format = DateTime, max_length = 40, example = "2026-11-15T02:30:00Z")]
    time: String,
    /// Why; kept with the record.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
}

/// A supervisor confirms that the machine's clock is right. Play goes on, and all time that has passed counts.
#[utoipa::path(post, path = "/api/clock/confirmation", tag = "operations", request_body = Confirmation,
    responses((status = 200, body = ClockView), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn confirm(State(app): State<App>, me: Me, Body(asked): Body<Confirmation>) -> ApiResult<Written> {
    let said = (asked.time.len() <= 40).then(|| time_from_text(&asked.time)).flatten();
    let said = said
        .ok_or_else(|| ApiError::bad("time", "invalid time; expected a format like 2026-11-15T02:30:00Z"))?;
    let id: CommandId = asked.id.lawful()?;
    let machine = app.ledger.clock().wall();
    // Who asks again may do so when the time that was said is long past.
    if !app.did(me.id, &id).await? && (said.0.saturating_sub(machine.0)).saturating_abs() > WATCH_MS {
        let message =
            format!("the machine's clock says {}; set it right first", crate::wire::time_text(machine));
        return Err(ApiError::refused("clock-differs", message));
    }
    let before = view(&app);
    let details = json!({
        "before": before.now, "after": Time(machine), "unconfirmed_seconds": before.unconfirmed_seconds,
        "doubt": before.doubt, "reason": asked.reason.chars().take(500).collect::<String>(),
    });
    let mut draft = significant(me.id, "clock-confirmed", details)?;
    draft.command = id;
    draft.body = body_digest("clock-confirmed", &asked);
    let after = ClockView { now: Time(machine), machine: Time(machine), unconfirmed_seconds: 0, doubt: None };
    draft.answer = text_of(&after).into_bytes();
    // In the record itself: whoever has it confirmed has also stopped doubting.
    draft.keep.push(Timepiece::confirmed_row(machine));
    if app.among_nodes() {
        // Every node that doubts the time hears it.
        let value = asked.time.clone().into_bytes();
        draft.keep.push(Keep::Setting { name: "clock-confirmed".into(), value });
    }
    let receipt = app.commit(draft).await?;
    if !receipt.repeated {
        app.ledger.clock().confirm();
    }
    Ok(Written::text("application/json", receipt.answer))
}
