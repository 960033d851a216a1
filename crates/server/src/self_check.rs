//! The self-check compares the database with the journal, by the same code as the audit.
//!
//! It runs at the start and repeatedly while the house is open, on a thread with the lowest priority that sleeps
//! most of the time. A mismatch stops play.

use crate::app::{App, significant};
use crate::error::ApiResult;
use crate::wire::Time;
use ledger::audit::{Auditor, Finding, Outcome, Progress, self_check};
use ledger::people::{self, RowChange};
use ledger::seal::PublicKey;
use ledger::{DbError, DbResult, Ledger, Moment, PersonId, Record};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The name of the setting that stores a mismatch across restarts.
///
/// The setting is empty if no mismatch was found, or if a pass since the repair found none.
const SETTING: &str = "self-check";
/// The pause after each step of a pass, as a multiple of the time that the step took.
const RESTS: u32 = 4;
/// The longest pause after a step of a pass, so that a closing house does not wait for it.
const LONGEST_REST: Duration = Duration::from_millis(100);
/// The interval between attempts to record a mismatch while the database cannot be reached.
const RETRY: Duration = Duration::from_secs(1);
/// The lowest thread priority on Linux.
#[cfg(target_os = "linux")]
const PRIORITY: i32 = 19;

/// The progress of the self-check, for monitoring.
#[derive(Clone, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct SelfCheckView {
    /// The number of the current pass, or 0 before the first pass and if the self-check is off.
    ///
    /// The numbers start from 1 at every start of the house.
    pub pass: u64,
    /// The number of journal records compared so far in this pass.
    pub records: i64,
    /// The number of journal records to compare in this pass.
    pub of: i64,
    /// The time at which the last pass without a mismatch ended; absent if there was none since the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<Time>,
}

#[derive(Clone, Debug, Default)]
pub struct State {
    pub pass: u64,
    pub progress: Progress,
    pub finished: Option<Moment>,
    /// The number of passes since the start that could not read the database.
    pub failures: u64,
    /// The mismatch for which play is stopped, or `None` if there is none.
    ///
    /// It stays until the house is restarted and a pass then finds no mismatch.
    pub differs: Option<String>,
}

/// The state of the self-check, which the self-check's thread updates.
#[derive(Default)]
pub struct SelfCheck {
    state: Mutex<State>,
}

impl SelfCheck {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn state(&self) -> State {
        self.lock().clone()
    }

    /// Returns whether play is stopped because the database differs from the journal.
    pub fn differs(&self) -> bool {
        self.lock().differs.is_some()
    }

    pub fn view(&self) -> SelfCheckView {
        let State { pass, progress, finished, .. } = self.state();
        SelfCheckView { pass, records: progress.records, of: progress.of, finished: finished.map(Time) }
    }
}

/// Restores the mismatch that a pass found before the house was restarted, because a restart repairs nothing.
pub async fn restore_mismatch(app: &App) -> ApiResult<()> {
    let known = app.read(|db| people::setting(db, SETTING)).await?.unwrap_or_default();
    if !known.is_empty() {
        app.self_check.lock().differs = Some(String::from_utf8_lossy(&known).into_owned());
    }
    Ok(())
}

/// Runs passes of the self-check one after another, until a pass finds a mismatch or the house closes.
///
/// Does nothing if the self-check is off, or in a simulation test.
pub async fn run(app: App) {
    let rest = Duration::from_secs(app.file.self_check.rest_s.into());
    // A simulation test has one thread, and audits its database itself.
    if rest.is_zero() || !ledger::world::is_real() {
        return;
    }
    loop {
        match one_pass(&app).await {
            Ok(Some(Outcome { first_bad: Some(bad), .. })) => return stop_play(&app, &bad).await,
            Ok(Some(_)) => passed(&app).await,
            Ok(None) => return,
            Err(error) => {
                app.self_check.lock().failures += 1;
                tracing::error!(%error, "the self-check could not read the store");
            }
        }
        tokio::time::sleep(rest).await;
    }
}

/// Runs a pass of the self-check on its own thread, and returns its outcome.
///
/// Returns `None` if the pass ended early, which it does when its caller no longer waits.
async fn one_pass(app: &App) -> DbResult<Option<Outcome>> {
    let (answer, answered) = oneshot::channel();
    let (house, ledger) = (Arc::clone(app), Arc::clone(&app.ledger));
    let work = move || {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::setpriority_process(None, PRIORITY);
        house.self_check.lock().pass += 1;
        let mut since = Instant::now();
        let mut step = |progress: Progress| {
            house.self_check.lock().progress = progress;
            std::thread::sleep((since.elapsed() * RESTS).min(LONGEST_REST));
            since = Instant::now();
            !answer.is_closed()
        };
        let found = pass(&ledger, &mut step);
        // The house may have closed meanwhile.
        let _ = answer.send(found);
    };
    let lost = |what: String| DbError::Lost(what);
    std::thread::Builder::new().name("self-check".into()).spawn(work).map_err(|e| lost(e.to_string()))?;
    answered.await.unwrap_or_else(|_| Err(lost("the self-check panicked".into())))
}

/// Compares the database with the journal once, calling `step` after each part; `step` returns whether to go on.
///
/// A pass does not replay the rounds, which only `cutcard audit` does.
fn pass(ledger: &Ledger, step: &mut dyn FnMut(Progress) -> bool) -> DbResult<Option<Outcome>> {
    let mut db = ledger.place().reader()?;
    let mut nothing = |_: &Record| Ok(());
    let key = PublicKey::from_bytes(&ledger.public_key()).ok();
    self_check(&mut *db, &mut Auditor { key, copies: Vec::new(), replay: &mut nothing }, step)
}

/// A mismatch between the database and the journal, as the journal stores it: the record, and what differs.
#[derive(Serialize)]
struct Mismatch<'a> {
    seq: i64,
    what: &'a str,
}

/// The repair of a mismatch, as the journal stores it: the mismatch that was found before the repair.
#[derive(Serialize)]
struct Repaired<'a> {
    before: &'a str,
}

/// Notes that a pass found no mismatch.
///
/// If play is stopped for a mismatch from before the restart, records that it is repaired, and lets play continue.
async fn passed(app: &App) {
    let before = {
        let mut state = app.self_check.lock();
        state.finished = Some(app.ledger.now());
        state.differs.clone()
    };
    if let Some(before) = before
        && record(app, "self-check-passed", Repaired { before: &before }, "").await
    {
        app.self_check.lock().differs = None;
    }
}

async fn stop_play(app: &App, bad: &Finding) {
    app.self_check.lock().differs = Some(bad.what.clone());
    tracing::error!(seq = bad.seq.0, what = bad.what, "the store differs from the journal; play has stopped");
    let details = Mismatch { seq: bad.seq.0, what: &bad.what };
    while !record(app, "self-check-failed", &details, &bad.what).await {
        tokio::time::sleep(RETRY).await;
    }
}

/// Records a significant event, stores `remembered` as the mismatch, and returns whether both were stored.
async fn record(app: &App, what: &str, details: impl Serialize, remembered: &str) -> bool {
    let stored = async {
        let mut draft = significant(PersonId::HOUSE, what, details)?;
        draft
            .row_changes
            .push(RowChange::Setting { name: SETTING.into(), value: remembered.as_bytes().to_vec() });
        ApiResult::Ok(app.commit(draft).await?)
    };
    stored.await.inspect_err(|error| tracing::error!(error = error.detail.message, what)).is_ok()
}
