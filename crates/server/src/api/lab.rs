//! The lab: any table, lawful or not, with its exact figures. Figures are computed one at a time off the async threads and
//! kept, so that a question asked twice costs once; nothing here touches a live table.

use super::rules::told;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::wire::{Body, Path, Written};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use exact::edge::{edge, effects};
use exact::game::Strategy;
use exact::strategy::strategy;
use rules::choice::*;
use rules::lawful::{Finding, check as check_choices};
use rules::preset::{PRESETS, preset};
use rules::ruling::RULINGS;
use rules::{Rules, SideWager, file};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use side::SideReport;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::sync::Semaphore;

/// A table to look at: a preset's name or the number of a table of the house, and changes as on the command line.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct Asked {
    #[schema(max_length = 64, example = "nj-switch")]
    pub table: String,
    #[serde(default)]
    #[schema(max_items = 100, example = json!(["decks=6"]))]
    pub set: Vec<String>,
}

/// Most changes of one question, and the longest.
const MOST_CHANGES: usize = 100;
const LONGEST_CHANGE: usize = 400;
const LONGEST_NAME: usize = 64;

/// Changes that somebody can mean.
pub fn few_changes(set: &[String]) -> ApiResult<()> {
    match set.len() <= MOST_CHANGES && set.iter().all(|set| set.len() <= LONGEST_CHANGE) {
        true => Ok(()),
        false => Err(ApiError::bad("set", "too many changes, or too long ones")),
    }
}

impl Asked {
    /// Off the async threads: a hundred changes are soon read, but not at once.
    pub async fn lawful_rules(self, app: &App) -> ApiResult<Rules> {
        let asked = Arc::clone(app);
        app.work(move || self.rules(&asked)).await
    }

    pub fn choices(&self, app: &App) -> ApiResult<Choices> {
        if self.table.len() > LONGEST_NAME {
            return Err(ApiError::missing("table"));
        }
        let mut choices = match (preset(&self.table), self.table.parse::<u32>()) {
            (Some(choices), _) => choices,
            (None, Ok(number)) => app.table(number)?.fixed.rules.choices().clone(),
            _ => return Err(ApiError::missing("table")),
        };
        few_changes(&self.set)?;
        for assignment in &self.set {
            file::set(&mut choices, assignment).map_err(|e| ApiError::bad("set", e.to_string()))?;
        }
        Ok(choices)
    }

    fn rules(&self, app: &App) -> ApiResult<Rules> {
        Rules::new(self.choices(app)?).map_err(|report| match report.violations.first() {
            Some(first) => {
                ApiError::refused("unlawful", first.message.clone()).clause(first.clause.citation())
            }
            None => ApiError::refused("unlawful", "this table is not lawful"),
        })
    }
}

/// The words that a key takes, where it takes words.
fn words_of(key: &str) -> Option<&'static [&'static str]> {
    Some(match key {
        "game" => Game::WORDS,
        "variation" => Variation::WORDS,
        "jurisdiction" => Jurisdiction::WORDS,
        "hole_card" => HoleCard::WORDS,
        "soft_17" => Soft17::WORDS,
        "double_card" => DoubleCard::WORDS,
        "shoe" => Shoe::WORDS,
        "shuffle" => Shuffle::WORDS,
        "attack_amount" => AttackAmount::WORDS,
        "cut_by" => CutBy::WORDS,
        "recut_by" => RecutBy::WORDS,
        "reader_reveals" => ReaderReveals::WORDS,
        "surrender_settled" => SurrenderSettled::WORDS,
        "insurance_collected" => InsuranceCollected::WORDS,
        "hand_burn" => HandBurn::WORDS,
        _ => return None,
    })
}

/// The presets, and every key with what it takes.
#[utoipa::path(get, path = "/api/lab", tag = "lab", responses((status = 200, body = Object)))]
pub async fn keys() -> Json<Value> {
    let keys: Vec<Value> = file::KEYS
        .iter()
        .map(|key| json!({ "key": key.name, "about": key.about, "words": words_of(key.name) }))
        .collect();
    let rulings: Vec<Value> = RULINGS
        .iter()
        .map(|r| json!({ "key": r.key, "about": r.about, "readings": r.readings, "clause": r.by.citation() }))
        .collect();
    let side: Vec<Value> = SideWager::ALL
        .iter()
        .map(|w| json!({ "wager": w.word(), "title": rules::layout::title(*w) }))
        .collect();
    let presets: Vec<Value> =
        PRESETS.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
    Json(json!({ "presets": presets, "keys": keys, "rulings": rulings, "side_wagers": side }))
}

fn findings(found: &[Finding]) -> Vec<Value> {
    found
        .iter()
        .map(|f| json!({ "clause": f.clause.citation(), "keys": f.keys, "message": f.message }))
        .collect()
}

/// Is this table lawful, and what would stand at it?
#[utoipa::path(post, path = "/api/lab/check", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn check(State(app): State<App>, Body(asked): Body<Asked>) -> ApiResult<Written> {
    let looked_up = Arc::clone(&app);
    let work = move || {
        let choices = asked.choices(&looked_up)?;
        let report = check_choices(&choices);
        let text = file::show(&choices);
        let values: Value = toml::from_str(&text).unwrap_or_default();
        Ok(Written::json(&json!({
            "lawful": report.is_lawful(),
            "violations": findings(&report.violations),
            "warnings": findings(&report.warnings),
            "values": values, "file": text, "layout": told(&choices),
        })))
    };
    app.work(work).await
}

/// Answers that have been worked out.
fn kept() -> &'static Mutex<HashMap<String, Arc<str>>> {
    static KEPT: OnceLock<Mutex<HashMap<String, Arc<str>>>> = OnceLock::new();
    KEPT.get_or_init(Mutex::default)
}

const MOST_KEPT: usize = 400;
const MOST_WAITING: usize = 24;
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);
/// What takes as long as many questions together waits by itself, so that nobody's short question waits for it.
static ONE_LONG_AT_A_TIME: Semaphore = Semaphore::const_new(1);
static WAITING: AtomicUsize = AtomicUsize::new(0);

fn look_up(key: &str) -> Option<Arc<str>> {
    kept().lock().ok()?.get(key).cloned()
}

/// The answer to a question, worked out now or before. Work that was begun is finished and kept even when whoever asked
/// has stopped waiting.
pub async fn worked_out(key: String, work: impl FnOnce() -> String + Send + 'static) -> ApiResult<Arc<str>> {
    in_turn(&ONE_AT_A_TIME, key, work).await
}

async fn in_turn(
    turns: &'static Semaphore,
    key: String,
    work: impl FnOnce() -> String + Send + 'static,
) -> ApiResult<Arc<str>> {
    if let Some(answer) = look_up(&key) {
        return Ok(answer);
    }
    struct Waits;
    impl Drop for Waits {
        fn drop(&mut self) {
            WAITING.fetch_sub(1, Ordering::Relaxed);
        }
    }
    let before_me = WAITING.fetch_add(1, Ordering::Relaxed);
    let waits = Waits;
    if before_me >= MOST_WAITING {
        return Err(ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "too many questions at once; try again",
        ));
    }
    let permit = turns.acquire().await.map_err(|_| ApiError::stopped())?;
    drop(waits);
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        if let Some(answer) = look_up(&key) {
            return answer;
        }
        let answer: Arc<str> = work().into();
        if let Ok(mut kept) = kept().lock() {
            if kept.len() >= MOST_KEPT {
                kept.clear();
            }
            kept.insert(key, Arc::clone(&answer));
        }
        answer
    });
    task.await.map_err(|_| ApiError::stopped())
}

/// The choices without their name, which changes no figure.
pub fn key(kind: &str, rules: &Rules) -> String {
    let mut choices = rules.choices().clone();
    choices.name.clear();
    format!("{kind}\n{}", file::show(&choices))
}

fn as_json(answer: &Arc<str>) -> impl IntoResponse + use<> {
    ([(header::CONTENT_TYPE, "application/json")], answer.to_string())
}

/// The exact edge of the main game and of every side wager.
#[utoipa::path(post, path = "/api/lab/edge", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn edge_of(State(app): State<App>, Body(asked): Body<Asked>) -> ApiResult<impl IntoResponse> {
    let rules = asked.lawful_rules(&app).await?;
    Ok(as_json(&edge_report(rules).await?))
}

/// The exact edge of a table of the house.
#[utoipa::path(get, path = "/api/tables/{table}/edge", tag = "rules", params(("table" = u32, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn edge_of_table(State(app): State<App>, Path(table): Path<u32>) -> ApiResult<impl IntoResponse> {
    let rules = (*app.table(table)?.fixed.rules).clone();
    Ok(as_json(&edge_report(rules).await?))
}

async fn edge_report(rules: Rules) -> ApiResult<Arc<str>> {
    worked_out(key("edge", &rules), move || {
        let main = edge(&rules, &Strategy::CompositionDependent);
        let pairs = |rows: &[(&'static str, f64)]| -> Map<String, Value> {
            rows.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
        };
        let mut document = json!({
            "main": {
                "ev": main.ev, "house_edge": main.house_edge, "per": "initial wager", "std_dev": main.std_dev,
                "std_dev_of": main.std_dev_of,
                "element_of_risk": main.element_of_risk, "staked": main.staked,
                "outcomes": pairs(&main.outcomes), "shares": pairs(&main.shares),
                "strategy": main.strategy, "seconds": main.seconds + main.spread_seconds,
            },
            "side_wagers": side::side_wagers(&rules).iter().map(side_json).collect::<Vec<_>>(),
        });
        if let Some(insurance) = side::insurance(&rules) {
            document["insurance"] =
                json!({ "house_edge": insurance.house_edge, "exact_edge": insurance.exact_edge.to_string() });
        }
        document.to_string()
    })
    .await
}

fn side_json(report: &SideReport) -> Value {
    let outcomes: Vec<Value> = report
        .outcomes
        .iter()
        .map(|o| {
            json!({
                "outcome": o.outcome, "probability": o.probability, "pays": o.pays, "clause": o.by.citation(),
                "exact": o.exact.as_ref().map(ToString::to_string),
            })
        })
        .collect();
    json!({
        "wager": report.wager(), "paytable": report.paytable, "house_edge": report.house_edge,
        "exact_edge": report.exact_edge.as_ref().map(ToString::to_string), "std_dev": report.std_dev,
        "outcomes": outcomes, "loses": report.loses, "notes": report.notes,
        "stake": report.stake.map(|stake| stake.to_string()),
    })
}

/// What each lawful change of one option would do to the edge.
#[utoipa::path(post, path = "/api/lab/effects", tag = "lab", request_body = Asked,
    responses((status = 200, body = Vec<Object>), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn effects_of(State(app): State<App>, Body(asked): Body<Asked>) -> ApiResult<impl IntoResponse> {
    let rules = asked.lawful_rules(&app).await?;
    let answer = in_turn(&ONE_LONG_AT_A_TIME, key("effects", &rules), move || {
        let all: Vec<Value> = effects(&rules, &Strategy::CompositionDependent)
            .iter()
            .map(
                |e| json!({ "key": e.key, "value": e.value, "house_edge": e.house_edge, "change": e.change }),
            )
            .collect();
        Value::from(all).to_string()
    });
    Ok(as_json(&answer.await?))
}

/// The strategy charts.
#[utoipa::path(post, path = "/api/lab/strategy", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn strategy_of(State(app): State<App>, Body(asked): Body<Asked>) -> ApiResult<impl IntoResponse> {
    let rules = asked.lawful_rules(&app).await?;
    let answer =
        worked_out(key("strategy", &rules), move || strategy(&rules, &Strategy::TotalDependent).to_json());
    Ok(as_json(&answer.await?))
}

/// The strategy charts as a picture.
#[utoipa::path(post, path = "/api/lab/strategy.svg", tag = "lab", request_body = Asked,
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn strategy_svg(State(app): State<App>, Body(asked): Body<Asked>) -> ApiResult<impl IntoResponse> {
    let rules = asked.lawful_rules(&app).await?;
    let answer = worked_out(key("svg", &rules), move || strategy(&rules, &Strategy::TotalDependent).to_svg());
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], answer.await?.to_string()))
}
