//! The lab: any table, lawful or not, with its exact figures. Nothing here touches a live table; `lab/` works things out.

use super::rules::told;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::lab::Task;
use crate::share::Payers;
use crate::wire::{Body, Path, Written};
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use rules::card::show_cards;
use rules::lawful::{Finding, check as check_choices};
use rules::preset::{PRESETS, preset};
use rules::ruling::RULINGS;
use rules::script::Offer;
use rules::{Choices, HoleCard, Rules, SideWager, file};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use table::Word as _;

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
        false => Err(ApiError::bad("set", "too many changes, or a change is too long")),
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
            (None, Ok(number)) => app.rules_table(number)?.fixed.rules.choices().clone(),
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
            None => ApiError::refused("unlawful", "not a legal table"),
        })
    }
}

/// The presets, and every key with what it takes.
#[utoipa::path(get, path = "/api/lab", tag = "lab", responses((status = 200, body = Object)))]
pub async fn keys(State(app): State<App>) -> Json<Value> {
    let keys: Vec<Value> = file::KEYS
        .iter()
        .map(|key| json!({ "key": key.name, "about": key.about, "words": key.words }))
        .collect();
    let rulings: Vec<Value> = RULINGS
        .iter()
        .map(|r| json!({ "key": r.key, "about": r.about, "readings": r.readings, "clause": r.by.citation() }))
        .collect();
    let side: Vec<Value> = SideWager::ALL
        .iter()
        .map(|w| json!({ "wager": w.word(), "title": rules::layout::title(*w) }))
        .collect();
    let presets: Vec<Value> = PRESETS.iter().map(|(name, about)| offered(name, about)).collect();
    Json(json!({
        "presets": presets, "keys": keys, "rulings": rulings, "side_wagers": side,
        "most_rounds": app.lab.most_rounds,
    }))
}

/// A preset, with the cards of its deck, how many cards its dealer shows, and what can be drilled there.
fn offered(name: &str, about: &str) -> Value {
    let Some(choices) = preset(name) else { return json!({ "name": name, "about": about }) };
    let shows = if choices.hole_card == HoleCard::Up { 2 } else { 1 };
    json!({
        "name": name, "about": about, "deck": deck(&choices), "dealer_shows": shows, "drills": drills(&choices),
    })
}

/// Returns the cards of one deck of a table, by its text.
fn deck(choices: &Choices) -> String {
    let cards: Vec<_> = choices.text().cards.deck.cards().collect();
    show_cards(&cards)
}

/// What a player is asked at such a table besides what to do with a hand.
fn drills(choices: &Choices) -> Vec<&'static str> {
    let mut drills: Vec<_> = choices.text().wagers.attacks.iter().map(|attack| attack.offer.word()).collect();
    if choices.hands_per_box() == 2 {
        drills.push("switch");
    }
    if choices.text().insurance.none.is_none() {
        drills.push(Offer::Insurance.word());
    }
    drills
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
            "deck": deck(&choices), "hands": choices.hands_per_box(),
            "attacks": !choices.text().wagers.attacks.is_empty(),
        })))
    };
    app.work(work).await
}

/// Whose question it is.
pub struct Asking(Payers);

impl<S: Send + Sync> FromRequestParts<S> for Asking {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asking, ApiError> {
        parts.extensions.get::<Payers>().copied().map(Asking).ok_or_else(ApiError::sign_in)
    }
}

/// The lab's answer about a table.
pub async fn answered(
    app: &App,
    Asking(payers): Asking,
    kind: &'static str,
    task: Task,
) -> ApiResult<Written> {
    Ok(Written::text(kind, app.lab.answer(payers, task).await?))
}

const JSON: &str = "application/json";

/// The exact edge of the main game and of every side wager.
#[utoipa::path(post, path = "/api/lab/edge", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn edge_of(State(app): State<App>, asking: Asking, Body(asked): Body<Asked>) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, JSON, Task::Edge { table }).await
}

/// The exact edge of a table of the house.
#[utoipa::path(get, path = "/api/tables/{table}/edge", tag = "rules", params(("table" = u32, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn edge_of_table(
    State(app): State<App>,
    asking: Asking,
    Path(table): Path<u32>,
) -> ApiResult<Written> {
    let table = Task::table(&app.rules_table(table)?.fixed.rules);
    answered(&app, asking, JSON, Task::Edge { table }).await
}

/// What each lawful change of one option would do to the edge.
#[utoipa::path(post, path = "/api/lab/effects", tag = "lab", request_body = Asked,
    responses((status = 200, body = Vec<Object>), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn effects_of(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<Asked>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, JSON, Task::Effects { table }).await
}

/// Returns the strategy charts.
#[utoipa::path(post, path = "/api/lab/strategy", tag = "lab", request_body = Asked,
    responses((status = 200, body = Object), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn strategy_of(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<Asked>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, JSON, Task::Strategy { table }).await
}

/// The strategy charts as a picture.
#[utoipa::path(post, path = "/api/lab/strategy.svg", tag = "lab", request_body = Asked,
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn strategy_svg(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<Asked>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, "image/svg+xml", Task::Chart { table }).await
}
