//! Removes guests who do not return within the time set in the house file.
//!
//! A journal record transfers the play chips of a removed guest out of the house, so that the books balance. The
//! guest's rounds stay in the journal under a number without a name.

use crate::app::{App, recorded};
use crate::error::{ApiError, ApiResult};
use ledger::people::{RowChange, chips_of_nobody, guests_gone};
use ledger::{Account, Cents, Chips, CommandId, Draft, Holder, PersonId, Postings, Stream};
use serde::Serialize;

/// The kind of the journal record of a removed guest.
const REMOVED: &str = "guest-removed";

/// The maximum number of guests removed in one run, so that no table waits long for the removal.
const AT_ONCE: i64 = 100;

const DAY_MS: i64 = 86_400_000;

/// The removal of a guest, as stored in the journal.
#[derive(Serialize)]
struct Removed {
    person: i64,
}

/// Removes guests who have been away for longer than the time in the house file.
///
/// If the house file sets no such time, no guest is removed. The time is measured by the confirmed clock.
pub async fn forget(app: &App) -> ApiResult<()> {
    let Some(days) = app.file.sessions.forget_guests_days else { return Ok(()) };
    // A guest has one session and cannot sign in again, so a guest without a session was last seen before that
    // session's latest possible end.
    let away_ms = i64::from(days) * DAY_MS + app.file.sessions.longest_ms();
    let before = app.ledger.clock().confirmed().plus_ms(-away_ms);
    let gone = app.read(move |db| guests_gone(db, before, AT_ONCE)).await?;
    let late = app.read(|db| chips_of_nobody(db, AT_ONCE)).await?;
    for person in gone.into_iter().chain(late) {
        remove(app, person).await?;
    }
    Ok(())
}

async fn remove(app: &App, person: PersonId) -> ApiResult<()> {
    let (ledger, own) = (std::sync::Arc::clone(&app.ledger), move |chips| Account::player(chips, person));
    // Cage chips are property: a guest who holds any is not removed.
    let cash = app.work(move || Ok(ledger.balance(own(Chips::Cash))?)).await?;
    if cash != Cents::ZERO {
        return Ok(());
    }
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, PersonId::HOUSE, id, REMOVED);
    draft.event = recorded(&Removed { person: person.0 });
    let account = |holder| Account::new(Chips::Play, holder);
    draft.postings = Postings::none()
        .pay_what_is_owed(own(Chips::Play), account(Holder::Owed(person)))
        .transfer_as_far_as_held(own(Chips::Play), account(Holder::Outside), Cents(i64::MAX));
    draft.row_changes = vec![RowChange::EndSessionsOf(person), RowChange::Forget(person)];
    app.commit(draft).await?;
    app.revoke(person);
    let ledger = std::sync::Arc::clone(&app.ledger);
    app.work(move || Ok(ledger.forget_practice(person)?)).await
}
