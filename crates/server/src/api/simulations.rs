//! Simulations of the lab: one at a time on one processor, with their progress while they run and pictures at the end.
//! They are kept for a while and then forgotten; nothing of them is in the books.

use super::lab::Asked;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, Path};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use program::{Wish, compile};
use rules::Rules;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sim::count::{Ramp, System};
use sim::report::{Making, Stakes, document};
use sim::{Hooks, Options, Progress, simulate};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Most rounds of one run, so that nobody keeps the processor for long.
const MOST_ROUNDS: u64 = 50_000_000;
/// Runs that are remembered.
const MOST_KEPT: usize = 24;

#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct SimulationAsked {
    #[serde(flatten)]
    pub table: Asked,
    /// Rounds to play, at most 50 million.
    #[schema(minimum = 1, maximum = 50_000_000)]
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

/// A run: how far it is, or what it came to.
#[derive(Default)]
struct Run {
    state: Mutex<Value>,
    stop: AtomicBool,
}

fn runs() -> &'static Mutex<BTreeMap<u64, Arc<Run>>> {
    static RUNS: OnceLock<Mutex<BTreeMap<u64, Arc<Run>>>> = OnceLock::new();
    RUNS.get_or_init(Mutex::default)
}

static NEXT: AtomicU64 = AtomicU64::new(1);
static BUSY: AtomicBool = AtomicBool::new(false);

fn find(id: u64) -> ApiResult<Arc<Run>> {
    let found = runs().lock().ok().and_then(|runs| runs.get(&id).cloned());
    found.ok_or_else(|| ApiError::missing("simulation"))
}

/// Starts a simulation.
#[utoipa::path(post, path = "/api/lab/simulations", tag = "lab", request_body = SimulationAsked,
    responses((status = 202, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub async fn start(
    State(app): State<App>,
    Body(asked): Body<SimulationAsked>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    if !(1..=MOST_ROUNDS).contains(&asked.rounds) {
        return Err(ApiError::bad("rounds", "a simulation has 1 to 50 million rounds"));
    }
    let options = options(&asked)?;
    let rules = asked.table.clone().lawful_rules(&app).await?;
    if BUSY.swap(true, Ordering::AcqRel) {
        return Err(ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "another simulation is running; wait for it or stop it",
        ));
    }
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let run = Arc::new(Run::default());
    tell(&run, json!({ "id": id, "done": false, "rounds": 0, "of": asked.rounds }));
    if let Ok(mut runs) = runs().lock() {
        while runs.len() >= MOST_KEPT {
            runs.pop_first();
        }
        runs.insert(id, Arc::clone(&run));
    }
    tokio::task::spawn_blocking(move || {
        let outcome =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(id, &rules, &options, &run)));
        let ended = outcome.unwrap_or_else(|_| Err("the simulation ended by itself".to_owned()));
        tell(&run, ended.unwrap_or_else(|why| json!({ "id": id, "done": true, "failed": why })));
        BUSY.store(false, Ordering::Release);
    });
    Ok((StatusCode::ACCEPTED, Json(json!({ "id": id }))))
}

fn tell(run: &Run, state: Value) {
    if let Ok(mut held) = run.state.lock() {
        *held = state;
    }
}

fn options(asked: &SimulationAsked) -> ApiResult<Options> {
    let bad = |what: &'static str| move |error: String| ApiError::bad(what, error);
    let long = |text: &Option<String>, most: usize| text.as_ref().is_some_and(|text| text.len() > most);
    if long(&asked.count, 80) || long(&asked.ramp, 200) {
        return Err(ApiError::bad("count", "a count has at most 80 letters, its stakes at most 200"));
    }
    let system = asked.count.as_deref().map(System::parse).transpose().map_err(bad("count"))?;
    let ramp = asked.ramp.as_deref().map(Ramp::parse).transpose().map_err(bad("ramp"))?;
    if system.is_none() && ramp.is_some() {
        return Err(ApiError::bad("ramp", "stakes go by a count; name one"));
    }
    Ok(Options {
        rounds: asked.rounds,
        seed: asked.seed,
        threads: 1,
        system,
        ramp: ramp.unwrap_or_default(),
        ..Options::default()
    })
}

fn work(id: u64, rules: &Rules, options: &Options, run: &Run) -> Result<Value, String> {
    let wish = Wish { bets: program::side::offered(rules), stake: None };
    let program =
        compile(rules, &exact::offers::by_totals(rules), &wish).map_err(|error| error.to_string())?;
    let mut show = |p: &Progress| {
        tell(
            run,
            json!({ "id": id, "done": false, "rounds": p.rounds, "of": p.of, "seconds": p.seconds, "ev": p.ev,
                "std_error": p.error }),
        );
    };
    let hooks = Hooks { progress: Some(&mut show), stop: Some(&run.stop), ..Hooks::default() };
    let results = simulate(program, options, hooks)?;
    let tally = &results.part.tally;
    let summary = document(&results.job, tally, &Making::of(&results), &Stakes::default(), &|_| None);
    let pictures: Map<String, Value> = sim::plot::pictures(&results.job, tally)
        .into_iter()
        .map(|picture| (picture.file.trim_end_matches(".svg").to_owned(), picture.svg.into()))
        .collect();
    Ok(json!({ "id": id, "done": true, "stopped": results.stopped, "result": summary, "pictures": pictures }))
}

/// How far a simulation is, or what it came to.
#[utoipa::path(get, path = "/api/lab/simulations/{id}", tag = "lab", params(("id" = u64, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn look(Path(id): Path<u64>) -> ApiResult<Json<Value>> {
    let run = find(id)?;
    let state = run.state.lock().map(|state| state.clone());
    Ok(Json(state.unwrap_or_default()))
}

/// Ends a simulation with what it has so far.
#[utoipa::path(delete, path = "/api/lab/simulations/{id}", tag = "lab", params(("id" = u64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn stop(Path(id): Path<u64>) -> ApiResult<StatusCode> {
    find(id)?.stop.store(true, Ordering::Relaxed);
    Ok(StatusCode::NO_CONTENT)
}
