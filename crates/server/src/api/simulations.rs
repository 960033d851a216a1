//! Simulations of the lab: one at a time, one of each person, with their progress while they run and pictures at the end.
//! They are kept for a while and then forgotten; nothing of them is in the books.

use super::Me;
use super::lab::Asked;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::lab::{Running, Task, simulation};
use crate::room::Room;
use crate::share::{Share, Shares};
use crate::wire::{Body, Path};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ledger::PersonId;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use tokio::sync::Semaphore;

/// Runs that are remembered.
const MOST_KEPT: usize = 64;
/// Runs that are under way or wait.
const MOST_WAITING: usize = 32;

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct SimulationAsked {
    #[serde(flatten)]
    pub table: Asked,
    /// Rounds to play: at most 50 million, or a hundred thousand million where the house has a device to play them on.
    #[schema(minimum = 1)]
    pub rounds: u64,
    #[serde(default = "one")]
    pub seed: u64,
    /// Count cards: hi-lo, ko, hi-opt-1, hi-opt-2, omega-2 or zen.
    #[serde(default)]
    #[schema(max_length = 80)]
    pub count: Option<String>,
    /// Stakes by count, like `1:1,2:4,3:8`.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub ramp: Option<String>,
}

fn one() -> u64 {
    1
}

/// A run: whose it is, how far it is, or what it came to.
struct Run {
    owner: PersonId,
    state: Mutex<Value>,
    running: Running,
    over: AtomicBool,
}

/// The runs that are remembered.
static RUNS: LazyLock<Room<u64, Arc<Run>>> = LazyLock::new(|| Room::new(MOST_KEPT));
static WAITING: LazyLock<Shares> = LazyLock::new(|| Shares::of(MOST_WAITING));
static NEXT: AtomicU64 = AtomicU64::new(1);
/// One at a time; who comes later waits.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

/// Finds a simulation of one's own; nobody learns whether there is another's.
fn find(me: &Me, id: u64) -> ApiResult<Arc<Run>> {
    RUNS.get(id).filter(|run| run.owner == me.id).ok_or_else(|| ApiError::missing("simulation"))
}

/// Takes a run in, if its owner has none under way and not too many wait.
fn admit(me: &Me, of: u64) -> ApiResult<(u64, Arc<Run>, Share)> {
    if RUNS.any(|run| run.owner == me.id && !run.over.load(Ordering::Relaxed)) {
        let message = "your last simulation is still running; wait for it or stop it";
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
    }
    let place = WAITING.take(me.payers, 1)?;
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let state = Mutex::new(json!({ "id": id, "done": false, "rounds": 0, "of": of }));
    let over = AtomicBool::new(false);
    let run = Arc::new(Run { owner: me.id, state, running: Running::default(), over });
    RUNS.put(id, me.payers, Arc::clone(&run), |run| run.over.load(Ordering::Relaxed))?;
    Ok((id, run, place))
}

/// Starts a simulation.
#[utoipa::path(post, path = "/api/lab/simulations", tag = "lab", request_body = SimulationAsked,
    responses((status = 202, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub async fn start(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<SimulationAsked>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let most = app.lab.most_rounds;
    if !(1..=most).contains(&asked.rounds) {
        let message = format!("a simulation has 1 to {} million rounds", most / 1_000_000);
        return Err(ApiError::bad("rounds", message));
    }
    let long = |text: &Option<String>, most: usize| text.as_ref().is_some_and(|text| text.len() > most);
    if long(&asked.count, 80) || long(&asked.ramp, 200) {
        return Err(ApiError::bad("count", "count must be at most 80 characters, bet ramp at most 200"));
    }
    simulation((asked.rounds, asked.seed), asked.count.as_deref(), asked.ramp.as_deref())
        .map_err(|error| ApiError::bad("count", error))?;
    let SimulationAsked { table, rounds, seed, count, ramp } = asked;
    let table = Task::table(&table.lawful_rules(&app).await?);
    let (id, run, place) = admit(&me, rounds)?;
    let task = Task::Simulation { table, rounds, seed, count, ramp };
    let lab = Arc::clone(&app.lab);
    tokio::spawn(async move {
        let turn = ONE_AT_A_TIME.acquire().await;
        let working = Arc::clone(&run);
        let worked = tokio::task::spawn_blocking(move || {
            let mut tell = |state: Value| working.tell(id, state);
            lab.work(&task, &mut tell, &working.running)
        });
        let ended = worked.await.unwrap_or_else(|_| Err("the simulation stopped unexpectedly".to_owned()));
        drop((turn, place));
        let ended = ended.map(|told| serde_json::from_str(&told).unwrap_or_default());
        run.tell(id, ended.unwrap_or_else(|why| json!({ "done": true, "failed": why })));
        run.over.store(true, Ordering::Relaxed);
    });
    Ok((StatusCode::ACCEPTED, Json(json!({ "id": id }))))
}

impl Run {
    fn tell(&self, id: u64, mut state: Value) {
        if let Ok(mut held) = self.state.lock() {
            state["id"] = id.into();
            *held = state;
        }
    }
}

/// How far a simulation of mine is, or what it came to.
#[utoipa::path(get, path = "/api/lab/simulations/{id}", tag = "lab", params(("id" = u64, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn look(me: Me, Path(id): Path<u64>) -> ApiResult<Json<Value>> {
    let run = find(&me, id)?;
    let state = run.state.lock().map(|state| state.clone());
    Ok(Json(state.unwrap_or_default()))
}

/// Ends a simulation of mine with what it has so far.
#[utoipa::path(delete, path = "/api/lab/simulations/{id}", tag = "lab", params(("id" = u64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn stop(me: Me, Path(id): Path<u64>) -> ApiResult<StatusCode> {
    find(&me, id)?.running.stop();
    Ok(StatusCode::NO_CONTENT)
}
