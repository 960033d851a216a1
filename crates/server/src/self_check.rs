//! The self-check: at the start and again and again while the house is open, the store is compared with the journal by the
//! audit's own code, on a thread of the lowest priority that rests most of the time. A difference stops play.

use crate::app::{App, significant};
use crate::error::ApiResult;
use crate::wire::Time;
use ledger::audit::{Auditor, Finding, Outcome, Progress, self_check};
use ledger::people::{self, Keep};
use ledger::seal::PublicKey;
use ledger::{DbError, DbResult, Ledger, Moment, PersonId, Record};
use serde::Serialize;
use serde_json::json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The setting in which the house remembers a difference; empty when a pass after the repair found none.
const SETTING: &str = "self-check";
/// For each moment of work a pass rests so many,
const RESTS: u32 = 4;
/// but never longer at a time, so that a house that closes does not wait for it.
const LONGEST_REST: Duration = Duration::from_millis(100);
/// The store may be away when a difference is to be recorded.
const RETRY: Duration = Duration::from_secs(1);
/// The kindest that Linux knows.
#[cfg(target_os = "linux")]
const PRIORITY: i32 = 19;

/// How far the self-check is, for whoever watches the house.
#[derive(Clone, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct SelfCheckView {
    /// The number of the pass, from one at each start; zero when the self-check is off.
    pub pass: u64,
    /// Records that this pass has compared, and of how many.
    pub records: i64,
    pub of: i64,
    /// When a pass last found that store and journal fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<Time>,
}

#[derive(Clone, Debug, Default)]
pub struct State {
    pub pass: u64,
    pub progress: Progress,
    pub finished: Option<Moment>,
    /// Passes that could not read the store.
    pub failures: u64,
    /// What does not fit. One from before this start ends with a pass that finds nothing, any other with the next start.
    pub differs: Option<String>,
}

/// What the house knows of its self-check.
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

    /// Whether play waits because store and journal differ.
    pub fn differs(&self) -> bool {
        self.lock().differs.is_some()
    }

    pub fn view(&self) -> SelfCheckView {
        let State { pass, progress, finished, .. } = self.state();
        SelfCheckView { pass, records: progress.records, of: progress.of, finished: finished.map(Time) }
    }
}

/// Remembers at the start what was found before it: a restart repairs nothing.
pub async fn remember(app: &App) -> ApiResult<()> {
    let known = app.read(|db| people::setting(db, SETTING)).await?.unwrap_or_default();
    if !known.is_empty() {
        app.self_check.lock().differs = Some(String::from_utf8_lossy(&known).into_owned());
    }
    Ok(())
}

/// Makes one pass after the other, until one finds a difference.
pub async fn watch(app: App) {
    let rest = Duration::from_secs(app.file.self_check.rest_s.into());
    // A world that is made up has one thread, and audits its store by itself.
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

/// Makes a pass on a thread of its own; it ends early when nobody waits for it any more.
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
    answered.await.unwrap_or_else(|_| Err(lost("the self-check ended by a panic".into())))
}

/// Compares store and journal once. Rounds are carried out again by `cutcard audit` only.
fn pass(ledger: &Ledger, step: &mut dyn FnMut(Progress) -> bool) -> DbResult<Option<Outcome>> {
    let mut db = ledger.place().reader()?;
    let mut nothing = |_: &Record| Ok(());
    let key = PublicKey::from_bytes(&ledger.public_key()).ok();
    self_check(&mut *db, &mut Auditor { key, copies: Vec::new(), replay: &mut nothing }, step)
}

/// Store and journal fit. What was found before this start has been repaired then.
async fn passed(app: &App) {
    let before = {
        let mut state = app.self_check.lock();
        state.finished = Some(app.ledger.now());
        state.differs.clone()
    };
    if let Some(before) = before
        && record(app, "self-check-passed", json!({ "before": before }), "").await
    {
        app.self_check.lock().differs = None;
    }
}

async fn stop_play(app: &App, bad: &Finding) {
    app.self_check.lock().differs = Some(bad.what.clone());
    tracing::error!(seq = bad.seq.0, what = bad.what, "the store differs from the journal; play has stopped");
    let details = json!({ "seq": bad.seq.0, "what": bad.what });
    while !record(app, "self-check-failed", details.clone(), &bad.what).await {
        tokio::time::sleep(RETRY).await;
    }
}

/// Records a significant event, and what the house remembers with it; answers whether it is stored.
async fn record(app: &App, what: &str, details: serde_json::Value, remembered: &str) -> bool {
    let stored = async {
        let mut draft = significant(PersonId::HOUSE, what, details)?;
        draft.keep.push(Keep::Setting { name: SETTING.into(), value: remembered.as_bytes().to_vec() });
        ApiResult::Ok(app.commit(draft).await?)
    };
    stored.await.inspect_err(|error| tracing::error!(error = error.detail.message, what)).is_ok()
}
