//! The house clock over HTTP: the time, whether it is in doubt, and a supervisor's confirmation.

use super::Me;
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, ClientId, Time, Written, body_digest, text_of, time_from_text};
use axum::Json;
use axum::extract::State;
use ledger::people::RowChange;
use ledger::{CommandId, Timepiece};
use rules::message;
use serde::{Deserialize, Serialize};

/// Maximum difference between a supervisor's watch and the machine's clock, in milliseconds.
const WATCH_MS: i64 = 120_000;

/// The time of the house's clock, and whether it is in doubt.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ClockView {
    /// The house's current time, which journal records carry.
    now: Time,
    /// The time on the machine's clock.
    machine: Time,
    /// How long the house was closed by its own clock, in seconds, as far as no supervisor has confirmed the time.
    ///
    /// This period does not count toward the end of an exclusion.
    unconfirmed_seconds: i64,
    /// The reason why the time is in doubt, or absent if it is not in doubt.
    ///
    /// While the time is in doubt, play is stopped until a supervisor confirms the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<DoubtView>,
}

/// A supervisor's confirmation of the time, as stored in the journal.
#[derive(Serialize)]
struct ClockConfirmed {
    before: Time,
    after: Time,
    unconfirmed_seconds: i64,
    doubt: Option<DoubtView>,
    reason: String,
}

/// Why the house's time is in doubt: the time that the house expected, and the time that the machine's clock
/// showed.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DoubtView {
    /// The time that the house expected.
    expected: Time,
    /// The time that the machine's clock showed.
    found: Time,
}

fn view(app: &App) -> ClockView {
    let clock = app.ledger.clock();
    ClockView {
        now: Time(clock.now()),
        machine: Time(clock.wall_clock()),
        unconfirmed_seconds: clock.unconfirmed_ms() / 1000,
        doubt: clock
            .doubt()
            .map(|doubt| DoubtView { expected: Time(doubt.expected), found: Time(doubt.found) }),
    }
}

/// Returns the house's time and whether it is in doubt.
#[utoipa::path(get, path = "/api/clock", tag = "operations", responses((status = 200, body = ClockView)))]
pub async fn read(State(app): State<App>) -> Json<ClockView> {
    Json(view(&app))
}

/// A supervisor's request to confirm the time.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct Confirmation {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// The current time, read from a clock other than the machine's.
    #[schema(format = DateTime, min_length = 1, max_length = 40, example = "2026-11-15T02:30:00Z")]
    time: String,
    /// The reason for the confirmation, stored with its record.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
}

/// Confirms, as a supervisor, that the machine's clock is right.
///
/// Play resumes, and the time that was unconfirmed now counts toward the end of exclusions.
#[utoipa::path(post, path = "/api/clock/confirmation", tag = "operations", request_body = Confirmation,
    responses((status = 200, body = ClockView), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn confirm(State(app): State<App>, me: Me, Body(asked): Body<Confirmation>) -> ApiResult<Written> {
    let said = (asked.time.len() <= 40).then(|| time_from_text(&asked.time)).flatten();
    let said = said.ok_or_else(|| {
        ApiError::bad(
            "time",
            message!("invalid-time", "invalid time; expected a format like 2026-11-15T02:30:00Z"),
        )
    })?;
    let id: CommandId = asked.id.lawful()?;
    let machine = app.ledger.clock().wall_clock();
    // A retry is accepted even when the stated time is long past.
    if !app.did(me.id, &id).await? && (said.0.saturating_sub(machine.0)).saturating_abs() > WATCH_MS {
        return Err(ApiError::refused(message!(
            "clock-differs",
            "the machine's clock shows {time}; correct it first",
            time = crate::wire::time_text(machine)
        )));
    }
    let before = view(&app);
    let details = ClockConfirmed {
        before: before.now,
        after: Time(machine),
        unconfirmed_seconds: before.unconfirmed_seconds,
        doubt: before.doubt,
        reason: asked.reason.chars().take(500).collect(),
    };
    let mut draft = significant(me.id, "clock-confirmed", details)?;
    draft.command = id;
    draft.body = body_digest("clock-confirmed", &asked);
    let after = ClockView { now: Time(machine), machine: Time(machine), unconfirmed_seconds: 0, doubt: None };
    draft.answer = text_of(&after).into_bytes();
    // Stored with the record itself, so that the confirmation and the end of the doubt are atomic.
    draft.row_changes.push(Timepiece::confirmed_row(machine));
    if app.among_nodes() {
        // Notifies every node that doubts the time.
        let value = asked.time.clone().into_bytes();
        draft.row_changes.push(RowChange::Setting { name: "clock-confirmed".into(), value });
    }
    let receipt = app.commit(draft).await?;
    if !receipt.repeated {
        app.ledger.clock().confirm();
    }
    Ok(Written::text("application/json", receipt.answer))
}
