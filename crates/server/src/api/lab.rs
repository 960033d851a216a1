//! The lab: exact figures for any table, legal or not.
//!
//! No route in this file changes a live table. The module `lab` does the computing.

use super::rules::{TableRules, posted_at};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, NO_TABLE};
use crate::lab::Task;
use crate::lab::answers::{EdgeAnswer, OptionEffect};
use crate::share::Clients;
use crate::wire::{Body, Path, Written};
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use documents::strategy::StrategyCharts;
use documents::tables::TableFile;
use rules::card::show_cards;
use rules::lawful;
use rules::message;
use rules::preset::{PRESETS, preset};
use rules::ruling::{RULINGS, Ruling};
use rules::script::Offer;
use rules::{Choices, HoleCard, Rules, SideWager, file};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::Word as _;

/// A preset or a table of the house, with changes to its rules.
///
/// Each change is written as on the command line, such as `decks=6`.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct TableQuery {
    /// The name of a preset, or the number of a table of the house.
    #[schema(min_length = 1, max_length = 64, example = "nj-switch")]
    pub table: String,
    /// Changes to the table: keys of the table file and their values, such as `decks=6`.
    #[serde(default)]
    #[schema(max_items = 100, min_length = 1, example = json!(["decks=6"]))]
    pub set: Vec<String>,
}

/// Maximum number of changes to a table in a request.
const MOST_CHANGES: usize = 100;
const LONGEST_CHANGE: usize = 400;
const LONGEST_NAME: usize = 64;

/// Returns an error if there are too many changes, or one is too long.
pub fn few_changes(set: &[String]) -> ApiResult<()> {
    match set.len() <= MOST_CHANGES && set.iter().all(|set| set.len() <= LONGEST_CHANGE) {
        true => Ok(()),
        false => Err(ApiError::bad(
            "set",
            message!("too-many-changes", "too many changes, or a change is too long"),
        )),
    }
}

impl TableQuery {
    /// Returns the rules of the table, or an error if the table is not legal.
    ///
    /// Computes off the async threads, because a hundred changes take a while.
    pub async fn lawful_rules(self, app: &App) -> ApiResult<Rules> {
        let asked = Arc::clone(app);
        app.work(move || self.rules(&asked)).await
    }

    pub fn choices(&self, app: &App) -> ApiResult<Choices> {
        if self.table.len() > LONGEST_NAME {
            return Err(ApiError::missing(NO_TABLE));
        }
        let mut choices = match (preset(&self.table), self.table.parse::<u32>()) {
            (Some(choices), _) => choices,
            (None, Ok(number)) => app.rules_table(number)?.fixed.rules.choices().clone(),
            _ => return Err(ApiError::missing(NO_TABLE)),
        };
        few_changes(&self.set)?;
        for assignment in &self.set {
            file::set(&mut choices, assignment).map_err(|error| ApiError::bad("set", error.why()))?;
        }
        Ok(choices)
    }

    fn rules(&self, app: &App) -> ApiResult<Rules> {
        Rules::new(self.choices(app)?).map_err(|report| ApiError::illegal(&report))
    }
}

/// What the lab supports: presets, keys of table files, rulings and side bets.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LabKnown {
    /// All preset tables that the lab offers.
    presets: Vec<LabPreset>,
    /// All keys of the table file.
    keys: Vec<LabKey>,
    /// The rulings: clauses that can be read in several ways.
    rulings: Vec<LabRuling>,
    /// The keys and titles of all side bets.
    side_wagers: Vec<LabWager>,
    /// The maximum number of rounds of a simulation.
    most_rounds: u64,
}

/// A preset table: its deck, the number of cards that the dealer shows, and the drills that it supports.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LabPreset {
    /// The name of the preset.
    name: &'static str,
    /// A description of the preset in plain words.
    about: &'static str,
    /// The cards of one deck of this game.
    deck: String,
    /// How many of the dealer's first two cards are dealt face up.
    dealer_shows: u8,
    /// The decisions that can be drilled at this table besides the play of a hand, such as `switch`.
    drills: Vec<&'static str>,
}

/// A key of a table file: its meaning, and its possible values if they are fixed words.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LabKey {
    /// The key, as the table file spells it, such as `decks`.
    key: &'static str,
    /// The meaning of the key in plain words.
    about: &'static str,
    /// The values that the key accepts, or null if they are not fixed words.
    #[schema(required, value_type = Option<Vec<String>>)]
    words: Option<&'static [&'static str]>,
}

/// A clause that can be read in several ways.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LabRuling {
    /// The key of the table file that selects the reading.
    key: &'static str,
    /// The question that the ruling answers, in plain words.
    about: &'static str,
    /// The possible readings of the clause, the literal reading first.
    #[schema(value_type = Vec<String>)]
    readings: &'static [&'static str],
    /// The clause that can be read in several ways.
    clause: &'static str,
}

/// A side bet's key and the title of its betting area.
#[derive(Serialize, utoipa::ToSchema)]
pub struct LabWager {
    /// The key of the side bet.
    wager: &'static str,
    /// The title of the side bet, as the layout shows it.
    title: &'static str,
}

/// Returns what the lab supports: presets, keys of the table file with their values, rulings and side bets.
#[utoipa::path(get, path = "/api/lab", tag = "lab", responses((status = 200, body = LabKnown)))]
pub async fn keys(State(app): State<App>) -> Json<LabKnown> {
    let key = |key: &file::Key| LabKey { key: key.name, about: key.about, words: key.words };
    let ruling = |ruling: &Ruling| LabRuling {
        key: ruling.key,
        about: ruling.question,
        readings: ruling.readings,
        clause: ruling.clause.citation(),
    };
    let wager = |wager: &SideWager| LabWager { wager: wager.word(), title: rules::layout::title(*wager) };
    Json(LabKnown {
        presets: PRESETS.iter().filter_map(|(name, about)| offered(name, about)).collect(),
        keys: file::KEYS.iter().map(key).collect(),
        rulings: RULINGS.iter().map(ruling).collect(),
        side_wagers: SideWager::ALL.iter().map(wager).collect(),
        most_rounds: app.lab.most_rounds,
    })
}

/// Returns a preset as the lab shows it, or `None` if no preset has this name.
fn offered(name: &'static str, about: &'static str) -> Option<LabPreset> {
    let choices = preset(name)?;
    let dealer_shows = if choices.hole_card == HoleCard::Up { 2 } else { 1 };
    Some(LabPreset { name, about, deck: deck(&choices), dealer_shows, drills: drills(&choices) })
}

/// Returns the cards of one deck of a table, as the table's regulation defines it.
fn deck(choices: &Choices) -> String {
    let cards: Vec<_> = choices.text().cards.deck.cards().collect();
    show_cards(&cards)
}

/// Returns the decisions that can be drilled at a table with these options, besides the play of a hand.
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

/// The result of a table's legality check, with everything that the table must display.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Lawfulness {
    /// Whether the table is legal.
    lawful: bool,
    /// The clauses that the table violates.
    violations: Vec<Finding>,
    /// Warnings about requirements that a table file cannot show: notices, approvals and equipment.
    warnings: Vec<Finding>,
    /// The value of every key of the table file.
    #[schema(value_type = TableFile)]
    values: BTreeMap<String, Value>,
    /// The table file as text.
    file: String,
    /// What the table displays: layout, signs, paytables and rules.
    layout: TableRules,
    /// The cards of one deck of this game.
    deck: String,
    /// The number of hands dealt to each box: 2 in Switch, otherwise 1.
    hands: usize,
    /// Whether the table offers attack bets.
    attacks: bool,
}

/// A violation or warning of the legality check, with its clause.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LabFinding)]
pub struct Finding {
    /// The clause that the finding is about.
    clause: &'static str,
    /// The keys of the table file that cause the finding.
    keys: Vec<String>,
    /// The finding in one sentence.
    message: String,
    /// The code of the sentence, for programs.
    code: &'static str,
    /// The parameters of the sentence, such as a number of decks, keyed by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    params: BTreeMap<String, String>,
}

impl From<&lawful::Finding> for Finding {
    fn from(found: &lawful::Finding) -> Finding {
        let (keys, message) = (found.keys.clone(), found.message.clone());
        let params = found.params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Finding { clause: found.clause.citation(), keys, message, code: found.code, params }
    }
}

/// Checks whether a table is legal, and returns the findings and what the table must display.
#[utoipa::path(post, path = "/api/lab/check", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = Lawfulness), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn check(State(app): State<App>, Body(asked): Body<TableQuery>) -> ApiResult<Written> {
    let looked_up = Arc::clone(&app);
    let work = move || {
        let choices = asked.choices(&looked_up)?;
        let report = lawful::check(&choices);
        let file = file::show(&choices);
        Ok(Written::json(&Lawfulness {
            lawful: report.is_lawful(),
            violations: report.violations.iter().map(Finding::from).collect(),
            warnings: report.warnings.iter().map(Finding::from).collect(),
            values: toml::from_str(&file).unwrap_or_default(),
            file,
            layout: posted_at(&choices),
            deck: deck(&choices),
            hands: choices.hands_per_box(),
            attacks: !choices.text().wagers.attacks.is_empty(),
        }))
    };
    app.work(work).await
}

/// The person and the network address whose limits a request to the lab counts against.
pub struct Asking(Clients);

impl<S: Send + Sync> FromRequestParts<S> for Asking {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asking, ApiError> {
        parts.extensions.get::<Clients>().copied().map(Asking).ok_or_else(ApiError::sign_in)
    }
}

/// Returns the lab's answer to `task` as a response of the media type `kind`.
pub async fn answered(
    app: &App,
    Asking(clients): Asking,
    kind: &'static str,
    task: Task,
) -> ApiResult<Written> {
    Ok(Written::text(kind, app.lab.answer(clients, task).await?))
}

const JSON: &str = "application/json";

/// Returns the exact house edge of the main game and of every side bet.
#[utoipa::path(post, path = "/api/lab/edge", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = EdgeAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn edge_of(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, JSON, Task::Edge { table }).await
}

/// Returns the exact house edge of the main game and of every side bet at a table of the house.
#[utoipa::path(get, path = "/api/tables/{table}/edge", tag = "rules", params(("table" = u32, Path)),
    responses((status = 200, body = EdgeAnswer), (status = 404, body = ErrorBody)))]
pub async fn edge_of_table(
    State(app): State<App>,
    asking: Asking,
    Path(table): Path<u32>,
) -> ApiResult<Written> {
    let table = Task::table(&app.rules_table(table)?.fixed.rules);
    answered(&app, asking, JSON, Task::Edge { table }).await
}

/// Returns the effect of each legal change of one option on the house edge.
#[utoipa::path(post, path = "/api/lab/effects", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = Vec<OptionEffect>), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn effects_of(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, JSON, Task::Effects { table }).await
}

/// Returns the strategy charts of a table.
#[utoipa::path(post, path = "/api/lab/strategy", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = StrategyCharts), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn strategy_of(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, JSON, Task::Strategy { table }).await
}

/// Returns the strategy charts of a table as an SVG image.
#[utoipa::path(post, path = "/api/lab/strategy.svg", tag = "lab", request_body = TableQuery,
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn strategy_svg(
    State(app): State<App>,
    asking: Asking,
    Body(asked): Body<TableQuery>,
) -> ApiResult<Written> {
    let table = Task::table(&asked.lawful_rules(&app).await?);
    answered(&app, asking, "image/svg+xml", Task::Chart { table }).await
}
