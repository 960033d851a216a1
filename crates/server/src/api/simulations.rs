//! Simulations in the lab: their progress, and their results with plots at the end.
//!
//! One simulation runs at a time, and each person has at most one that runs or waits. Results stay in memory for a
//! while; the journal has no record of them.

use super::Me;
use super::lab::TableQuery;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, ErrorDetail, unknown_count};
use crate::evicting_store::EvictingStore;
use crate::lab::answers::SimulationState;
use crate::lab::{Running, Task, no_value};
use crate::share::{Share, Shares};
use crate::wire::{Body, Path};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ledger::PersonId;
use rules::message;
use serde::{Deserialize, Serialize};
use sim::count::{Ramp, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use tokio::sync::Semaphore;

/// Maximum number of simulations in memory, finished or not.
const MOST_KEPT: usize = 64;
/// Maximum number of simulations that run or wait.
const MOST_WAITING: usize = 32;

/// A table to simulate, and the number of rounds.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct SimulationRequest {
    #[serde(flatten)]
    pub table: TableQuery,
    /// The number of rounds to play.
    ///
    /// The maximum is 50 million, or 100,000 million if the house has a GPU for simulations.
    #[schema(minimum = 1)]
    pub rounds: u64,
    /// The seed of the random numbers. Default: 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// The counting system: hi-lo, ko, hi-opt-1, hi-opt-2, omega-2, zen, or ten tags for A,2,…,9,T. Default: none.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 80)]
    pub count: Option<String>,
    /// The bet ramp: bets by count, such as `1:1,2:4,3:8`.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub ramp: Option<String>,
}

fn one() -> u64 {
    1
}

/// A simulation that one person started, with its progress or result.
struct Run {
    owner: PersonId,
    state: Mutex<SimulationState>,
    running: Running,
    over: AtomicBool,
}

/// The simulations in memory, keyed by number.
static RUNS: LazyLock<EvictingStore<u64, Arc<Run>>> = LazyLock::new(|| EvictingStore::new(MOST_KEPT));
static WAITING: LazyLock<Shares> = LazyLock::new(|| Shares::of(MOST_WAITING));
static NEXT: AtomicU64 = AtomicU64::new(1);
/// The permit that a simulation holds while it runs, so that one runs at a time and the others wait.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

/// Returns the person's own simulation with this number, or the same error whether it is someone else's or does
/// not exist.
fn find(me: &Me, id: u64) -> ApiResult<Arc<Run>> {
    RUNS.get(id)
        .filter(|run| run.owner == me.id)
        .ok_or_else(|| ApiError::missing(message!("no-such-simulation", "no such simulation")))
}

/// Admits a simulation of `of` rounds if its owner has none in progress and the queue has room.
///
/// Returns the simulation's number, the simulation, and its place in the queue.
fn admit(me: &Me, of: u64) -> ApiResult<(u64, Arc<Run>, Share)> {
    if RUNS.any(|run| run.owner == me.id && !run.over.load(Ordering::Relaxed)) {
        let message = message!(
            "simulation-running",
            "your previous simulation is still running; wait until it ends, or stop it"
        );
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, message));
    }
    let place = WAITING.take(me.clients, 1)?;
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let state =
        Mutex::new(SimulationState { id, rounds: Some(0), of: Some(of), ..SimulationState::default() });
    let over = AtomicBool::new(false);
    let run = Arc::new(Run { owner: me.id, state, running: Running::default(), over });
    RUNS.put(id, me.clients, Arc::clone(&run), |run| run.over.load(Ordering::Relaxed))?;
    Ok((id, run, place))
}

/// The number of a simulation that was started.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SimulationBegun {
    /// The number of the simulation.
    id: u64,
}

fn checked_bets(count: Option<&str>, ramp: Option<&str>) -> ApiResult<()> {
    if let Some(text) = count {
        System::parse(text).map_err(|_| unknown_count(text))?;
    }
    let Some(ramp) = ramp else { return Ok(()) };
    if count.is_none() {
        return Err(ApiError::bad("ramp", message!("ramp-needs-count", "a bet ramp needs a count")));
    }
    let invalid = message!(
        "ramp-invalid",
        "invalid bet ramp `{ramp}`; expected counts and bets such as 1:1,2:4,3:8, at most 1000 each",
        ramp
    );
    Ramp::parse(ramp).map(|_| ()).map_err(|_| ApiError::bad("ramp", invalid))
}

/// Starts a simulation of a table.
#[utoipa::path(post, path = "/api/lab/simulations", tag = "lab", request_body = SimulationRequest,
    responses((status = 202, body = SimulationBegun), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub async fn start(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<SimulationRequest>,
) -> ApiResult<(StatusCode, Json<SimulationBegun>)> {
    let most = app.lab.most_rounds;
    if !(1..=most).contains(&asked.rounds) {
        let message = message!("rounds", "rounds must be 1 to {most} million", most = most / 1_000_000);
        return Err(ApiError::bad("rounds", message));
    }
    let long = |text: &Option<String>, most: usize| text.as_ref().is_some_and(|text| text.len() > most);
    if long(&asked.count, 80) || long(&asked.ramp, 200) {
        return Err(ApiError::bad(
            "count",
            message!("count-too-long", "count must be at most 80 characters, bet ramp at most 200"),
        ));
    }
    checked_bets(asked.count.as_deref(), asked.ramp.as_deref())?;
    let SimulationRequest { table, rounds, seed, count, ramp } = asked;
    let table = Task::table(&table.lawful_rules(&app).await?);
    let (id, run, place) = admit(&me, rounds)?;
    let task = Task::Simulation { table, rounds, seed, count, ramp };
    let lab = Arc::clone(&app.lab);
    tokio::spawn(async move {
        let turn = ONE_AT_A_TIME.acquire().await;
        let working = Arc::clone(&run);
        let worked = tokio::task::spawn_blocking(move || {
            let mut tell = |state: SimulationState| working.tell(id, state);
            lab.work(&task, &mut tell, &working.running)
        });
        let ended = worked.await.unwrap_or_else(|_| {
            let message = message!("simulation-ended", "the simulation stopped unexpectedly");
            Err(ErrorDetail::of(message))
        });
        drop((turn, place));
        let ended =
            ended.and_then(|told| serde_json::from_str(&told).map_err(|error| no_value(error.to_string())));
        let failed = |why: ErrorDetail| SimulationState {
            done: true,
            failed: Some(why.message.clone()),
            failure: Some(why),
            ..SimulationState::default()
        };
        run.tell(id, ended.unwrap_or_else(failed));
        run.over.store(true, Ordering::Relaxed);
    });
    Ok((StatusCode::ACCEPTED, Json(SimulationBegun { id })))
}

impl Run {
    fn tell(&self, id: u64, state: SimulationState) {
        if let Ok(mut held) = self.state.lock() {
            *held = SimulationState { id, ..state };
        }
    }
}

/// Returns the progress or result of one of the caller's simulations.
#[utoipa::path(get, path = "/api/lab/simulations/{id}", tag = "lab", operation_id = "look", params(("id" = u64, Path)),
    responses((status = 200, body = SimulationState), (status = 404, body = ErrorBody)))]
pub async fn progress(me: Me, Path(id): Path<u64>) -> ApiResult<Json<SimulationState>> {
    let run = find(&me, id)?;
    let state = run.state.lock().map(|state| state.clone());
    Ok(Json(state.unwrap_or_default()))
}

/// Stops one of the caller's simulations, keeping the result so far.
#[utoipa::path(delete, path = "/api/lab/simulations/{id}", tag = "lab", params(("id" = u64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn stop(me: Me, Path(id): Path<u64>) -> ApiResult<StatusCode> {
    find(&me, id)?.running.stop();
    Ok(StatusCode::NO_CONTENT)
}
