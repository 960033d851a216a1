//! Periodic background jobs of an open house.
//!
//! The jobs make the daily seal, remove ended sessions and absent guests, compare the returns of bets, and watch
//! the clock.

use crate::app::{App, significant};
use crate::error::ApiResult;
use crate::guests;
use crate::password;
use crate::returns;
use crate::wire::Time;
use ledger::people::RowChange;
use ledger::{Doubt, PersonId};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// How long the house must have been closed, in milliseconds, for the closure to be recorded when it opens.
const CLOSED_LONG_MS: i64 = 24 * 3_600_000;
const LOOK_EVERY: Duration = Duration::from_millis(250);

pub async fn every_minute(app: App) {
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        app.limiter.tidy();
        app.attempts.tidy();
        password::tidy();
        app.ledger.store_rows(
            vec![RowChange::EndSessionsBefore(app.ledger.now()), app.ledger.clock().row()],
            |_| {},
        );
        let ledger = Arc::clone(&app.ledger);
        match ledger::world::run_blocking(move || ledger.seal_today()).await {
            Ok(Ok(Some(seal))) => {
                tracing::info!(seq = seal.seq.0, hash = %seal.hash, "the journal is sealed")
            }
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::error!(%error, "the daily seal"),
            Err(error) => tracing::error!(%error, "the daily seal"),
        }
        if let Err(error) = guests::forget(&app).await {
            tracing::warn!(error = error.detail.message, "cannot remove inactive guests");
        }
        if let Err(error) = returns::check(&app).await {
            tracing::warn!(error = error.detail.message, "cannot check the actual return of the bets");
        }
    }
}

/// A long time for which the house was closed, as the journal stores it.
///
/// Nothing confirms that the clock was right when the house opened again.
#[derive(Serialize)]
struct Closed {
    from: Time,
    to: Time,
}

/// A doubt about the clock, as the journal stores it: the time expected, and the time that the clock showed.
#[derive(Serialize)]
struct ClockDoubted {
    expected: Time,
    found: Time,
}

/// Records the time for which the house was closed, if it was longer than `CLOSED_LONG_MS`.
pub async fn tell_how_long_closed(app: &App) -> ApiResult<()> {
    let clock = app.ledger.clock();
    if clock.closed_ms <= CLOSED_LONG_MS {
        return Ok(());
    }
    let now = clock.now();
    let details = Closed { from: Time(now.plus_ms(-clock.closed_ms)), to: Time(now) };
    let mut draft = significant(PersonId::HOUSE, "clock-unconfirmed", details)?;
    draft.row_changes.push(clock.row());
    app.commit(draft).await?;
    Ok(())
}

/// Watches the clock, and records each doubt about it once, as a significant event.
///
/// The stored state of the clock keeps the doubt across restarts.
pub async fn watch_clock(app: App) {
    let mut told: Option<Doubt> = None;
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        look.tick().await;
        let doubt = app.ledger.clock().doubt();
        if doubt == told {
            continue;
        }
        if let Some(doubt) = doubt {
            tracing::error!(
                expected = doubt.expected.0,
                found = doubt.found.0,
                "the clock is in doubt; play has stopped"
            );
            if tell(&app, doubt).await.is_err() {
                // The database is away; retries until it is back.
                continue;
            }
        }
        told = doubt;
    }
}

async fn tell(app: &App, doubt: Doubt) -> ApiResult<()> {
    let details = ClockDoubted { expected: Time(doubt.expected), found: Time(doubt.found) };
    let mut draft = significant(PersonId::HOUSE, "clock-in-doubt", details)?;
    draft.row_changes.push(app.ledger.clock().row());
    app.commit(draft).await?;
    Ok(())
}
