//! Tables over HTTP: the lobby, a table's state, actions, finished shoes and rounds.

use super::Me;
use crate::app::{App, table_for};
use crate::error::{ApiError, ApiResult, ErrorBody, NO_TABLE};
use crate::session::SignedIn;
use crate::share::Clients;
use crate::tables::{Acted, Ask, BoxView, EventView, MeantFor, Request, TableCard, View, shoe_setting};
use crate::wire::{Body, ClientId, Money, Path};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use ledger::TableId;
use rules::message;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Returns the tables of the house with their games and limits.
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = Vec<TableCard>)))]
pub async fn list(State(app): State<App>, asked: HeaderMap) -> ApiResult<Response> {
    let tables = app.tables.get().ok_or_else(ApiError::stopped)?;
    let mut cards: Vec<TableCard> = tables.all().map(|t| t.published.borrow().lobby_entry()).collect();
    cards.sort_by_key(|card| card.facts["table"].as_u64());
    Ok(crate::web::public_json(&asked, &cards))
}

/// A table: its rules, what everyone sees, and what only the caller sees.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TableView {
    /// The table as the lobby shows it.
    card: TableCard,
    /// The view of the table that everyone sees.
    #[schema(value_type = View)]
    view: Value,
    /// The caller's boxes with the face-down cards that only the caller sees; empty if the caller has no box.
    #[schema(value_type = Vec<BoxView>)]
    private: Value,
    /// The recent events of a table that a person deals, oldest first.
    #[schema(value_type = Vec<EventView>)]
    recent_events: Value,
}

/// Returns the current view of a table.
///
/// Live views arrive over the WebSocket at `/api/tables/{table}/live`.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables", params(("table" = u32, Path)),
    responses((status = 200, body = TableView), (status = 404, body = ErrorBody)))]
pub async fn table(
    State(app): State<App>,
    who: Option<axum::Extension<Arc<SignedIn>>>,
    axum::Extension(clients): axum::Extension<Clients>,
    Path(table): Path<u32>,
) -> ApiResult<Json<TableView>> {
    let handle = table_for(&app, table, (who.as_deref().map(|who| &**who), clients)).await?;
    let published = handle.published.borrow().clone();
    let view = match &who {
        Some(who) => published.view_of(who.id),
        None => published.view.clone(),
    };
    let view = serde_json::from_str(&view).unwrap_or_default();
    let own = who.and_then(|who| published.private.get(&who.id).cloned());
    let private = own.unwrap_or_else(|| Value::Array(Vec::new()));
    let recent_events =
        serde_json::from_str(&published.recent_events).unwrap_or_else(|_| Value::Array(Vec::new()));
    Ok(Json(TableView { card: published.lobby_entry(), view, private, recent_events }))
}

/// A person's action at a table.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Action {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    pub id: ClientId,
    /// The `round` of the view that the action was made for.
    ///
    /// In another round the action is refused with the code `another-round`. Between two rounds, the view has the
    /// number of the next round. Only `sit`, `consent`, `share`, `reveal`, `ask-reshuffle`, `perform`, `correct`,
    /// `relieve`, `take-over`, `idle`, `call-floor`, `end-call`, `answer-call`, `reshuffle`, `recut` and `admit`
    /// may leave it out.
    #[serde(default)]
    pub round: Option<i64>,
    /// The `version` of the view that the action was made for.
    ///
    /// When the view has changed, the action is refused with the code `another-version`.
    #[serde(default)]
    pub version: Option<u64>,
    #[serde(flatten)]
    pub request: Request,
}

impl Action {
    /// Converts the action into a request of `who` to the table, or returns an error if the action is incomplete.
    ///
    /// An action on a round must name the round. Otherwise a late action would apply to bets or cards that its
    /// sender has not seen.
    pub fn of(self, who: &Arc<SignedIn>) -> ApiResult<Ask> {
        if self.round.is_none() && self.request.needs_round() {
            let message = message!(
                "round",
                "this action needs the field \"round\": the number of the round in the table's view"
            );
            return Err(ApiError::bad("round", message));
        }
        let meant_for = MeantFor { round: self.round, version: self.version };
        Ok(Ask { who: Arc::clone(who), id: self.id.lawful()?, meant_for, request: self.request })
    }
}

/// The outcome of an action at a table.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ActionAnswer {
    /// The number of the action's journal record, or 0 if the action needs no record.
    pub seq: i64,
    /// The version of the first view that shows the action's outcome.
    pub version: u64,
    /// Whether this action was a repeat, which has no effect.
    pub repeated: bool,
    /// The player's balance after the action, or absent for people without chips.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<Money>,
}

impl From<Acted> for ActionAnswer {
    fn from(acted: Acted) -> ActionAnswer {
        ActionAnswer {
            seq: acted.seq,
            version: acted.version,
            repeated: acted.repeated,
            balance: acted.balance.map(Money),
        }
    }
}

/// Sends a command to a table: bets, decisions, dealer and floor actions.
///
/// The response is sent once the command is stored durably.
#[utoipa::path(post, path = "/api/tables/{table}/actions", tag = "tables", params(("table" = u32, Path)),
    request_body = Action,
    responses((status = 200, body = ActionAnswer), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn act(
    State(app): State<App>,
    me: Me,
    Path(table): Path<u32>,
    Body(action): Body<Action>,
) -> ApiResult<Json<ActionAnswer>> {
    let ask = action.of(&me.who)?;
    let table = table_for(&app, table, me.asks()).await?;
    Ok(Json(crate::tables::ask(&app, &table, ask).await?.into()))
}

/// The number of the caller's solo table.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SoloTable {
    /// The number of the solo table.
    table: u32,
}

/// Opens the caller's solo table with the rules of this table, and returns the solo table's number.
///
/// The platform deals the solo table, without a clock. A caller always gets the same number for the same table.
#[utoipa::path(post, path = "/api/tables/{table}/solo", tag = "tables", params(("table" = u32, Path)),
    responses((status = 200, body = SoloTable), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn solo(State(app): State<App>, me: Me, Path(table): Path<u32>) -> ApiResult<Json<SoloTable>> {
    let setup = app.file.tables.iter().find(|setup| setup.number == table);
    let setup = setup.ok_or_else(|| ApiError::missing(NO_TABLE))?;
    let place = app.tables.get().ok_or_else(ApiError::stopped)?.solo_number_of(&app, me.id).await?;
    let solo = setup.solo(place).ok_or_else(|| ApiError::missing(NO_TABLE))?;
    table_for(&app, solo.number, me.asks()).await?;
    Ok(Json(SoloTable { table: solo.number }))
}

/// Returns the opening of a finished shoe: the disclosed order of its cards, to check against the shoe's
/// commitment.
///
/// The commitment was published before the first card. The opening is available once the shoe's last round is
/// settled; until then the response is 404 with the reason.
#[utoipa::path(get, path = "/api/tables/{table}/shoes/{shoe}", tag = "tables",
    params(("table" = u32, Path), ("shoe" = i64, Path)),
    responses((status = 200, body = crate::Opening), (status = 404, body = ErrorBody)))]
pub async fn shoe(
    State(app): State<App>,
    Path((table, shoe)): Path<(u32, i64)>,
) -> ApiResult<Json<crate::Opening>> {
    let name = shoe_setting(TableId(table), shoe);
    let found = app.read(move |db| ledger::people::setting(db, &name)).await?;
    let opening = found.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    opening.map(Json).ok_or_else(|| {
        let last = app.table(table).map_or(0, |table| table.published.borrow().last_shoe);
        match (1..=last).contains(&shoe) {
            true => ApiError::unopened_shoe(table, shoe),
            false => ApiError::missing(message!("no-such-shoe", "no such shoe")),
        }
    })
}
