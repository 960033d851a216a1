//! Guests who do not come back: after the time that the house file gives them they are removed as persons. Their play chips
//! go back outside by a record, so the books balance, and their rounds stay in the journal under a number without a name.

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use ledger::people::{Keep, chips_of_nobody, guests_gone};
use ledger::{Account, Cents, Chips, CommandId, Draft, Holder, PersonId, Postings, Stream};
use serde_json::json;

/// The kind of the journal's record.
const REMOVED: &str = "guest-removed";

/// Guests removed at a time, so that nobody at a table waits for it.
const AT_ONCE: i64 = 100;

const DAY_MS: i64 = 86_400_000;

/// Removes guests who have been away for longer than the house keeps them, as far as the time is certain.
pub async fn forget(app: &App) -> ApiResult<()> {
    let Some(days) = app.file.sessions.forget_guests_days else { return Ok(()) };
    // A guest has one session and cannot sign in again: who has none was last seen before that one was bound to end.
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
    // Chips that were bought are somebody's property.
    let cash = app.work(move || Ok(ledger.balance(own(Chips::Cash))?)).await?;
    if cash != Cents::ZERO {
        return Ok(());
    }
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, PersonId::HOUSE, id, REMOVED);
    draft.event = json!({ "person": person.0 }).to_string().into_bytes();
    let account = |holder| Account::new(Chips::Play, holder);
    draft.postings = Postings::none()
        .pay_what_is_owed(own(Chips::Play), account(Holder::Owed(person)))
        .transfer_as_far_as_held(own(Chips::Play), account(Holder::Outside), Cents(i64::MAX));
    draft.keep = vec![Keep::EndSessionsOf(person), Keep::Forget(person)];
    app.commit(draft).await?;
    app.revoke(person);
    let ledger = std::sync::Arc::clone(&app.ledger);
    app.work(move || Ok(ledger.forget_practice(person)?)).await
}
