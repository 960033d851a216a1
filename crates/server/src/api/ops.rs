//! Operations: health, readiness, metrics, the API description, and the house itself.

use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::self_check::SelfCheckView;
use crate::share::Clients;
use crate::wire::{Money, Written, text_of};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use rules::message;
use serde::Serialize;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Maximum age of the database check whose result `/ready` reports.
const STORE_ASKED_EVERY: Duration = Duration::from_millis(250);

/// The response of a running server to a health check.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Health {
    /// Whether the server is running, always true.
    ok: bool,
    /// The time since the server started, in seconds.
    uptime_seconds: u64,
}

/// Whether the house is ready for play, and its self-check's progress.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Readiness {
    /// Whether the house can play now.
    ok: bool,
    /// The time since the server started, in seconds.
    uptime_seconds: u64,
    /// The progress of the self-check, which compares the store with the journal.
    ///
    /// The house can be ready before the first pass of the self-check ends.
    self_check: SelfCheckView,
}

/// Reports that the process is running.
#[utoipa::path(get, path = "/health", tag = "operations", responses((status = 200, body = Health)))]
pub async fn health(State(app): State<App>) -> Json<Health> {
    Json(Health { ok: true, uptime_seconds: app.started.elapsed().as_secs() })
}

/// Reports whether the house is ready for play.
///
/// The house is ready when it can store with the configured durability, its clock is confirmed, its self-check has
/// found no fault, and no table is stuck.
#[utoipa::path(get, path = "/ready", tag = "operations",
    responses((status = 200, body = Readiness), (status = 503, body = ErrorBody)))]
pub async fn ready(State(app): State<App>) -> Result<Json<Readiness>, ApiError> {
    if !app.ledger.healthy() {
        return Err(ApiError::stopped());
    }
    if let Some(why) = app.on_hold() {
        return Err(why);
    }
    if app.nodes.get().is_some_and(|nodes| !nodes.membership.holds()) {
        let message = message!("lease", "this node's lease has expired: the database cannot be reached");
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    }
    if app.nodes.get().is_some_and(crate::nodes::Nodes::cut_off) {
        let message = message!("cut-off", "this node cannot reach the other nodes, or they cannot reach it");
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    }
    if let Some(table) = app.metrics.parked().first() {
        let message = message!("parked", "table {table} is stuck; see the log", table);
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
    }
    // This route has no rate limit, so the result is cached to protect the database.
    app.stores.get(STORE_ASKED_EVERY, Clients::none().charged(stores(&app))).await?;
    let uptime_seconds = app.started.elapsed().as_secs();
    Ok(Json(Readiness { ok: true, uptime_seconds, self_check: app.self_check.view() }))
}

/// Checks that the database is reachable and stores durably.
async fn stores(app: &App) -> ApiResult<()> {
    app.read(|db| ledger::people::setting(db, "ready").map(|_| ())).await?;
    let ledger = Arc::clone(&app.ledger);
    let durable = app.work(move || Ok(ledger.durable())).await?;
    durable.map_err(|error| {
        let message = message!("not-durable", "the database does not store commits durably");
        ApiError::busy(message).in_english(error.to_string())
    })
}

/// Returns the metrics of the server in Prometheus text format.
///
/// Patrons cannot reach the metrics, because a separate listener serves them.
pub async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let mut text = app.metrics.text(&app.ledger, app.nodes.get(), &app.self_check.state());
    let help = "Bets with a return outside their confidence interval.";
    crate::metrics::one(&mut text, "gauge", "return_alarms", help, app.alarms.count());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}

/// Returns the OpenAPI 3.1 description of this API.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operations", responses((status = 200, body = Description)))]
pub async fn document(State(app): State<App>) -> ApiResult<Written> {
    static WRITTEN: OnceLock<Bytes> = OnceLock::new();
    // built once, off the async threads, since it takes long
    let written = || text_of(crate::openapi::openapi()).into();
    let bytes = match WRITTEN.get() {
        Some(bytes) => bytes.clone(),
        None => app.work(move || Ok(WRITTEN.get_or_init(written).clone())).await?,
    };
    Ok(Written::text("application/json", bytes))
}

/// Returns the AsyncAPI 3.0 description of the live views.
#[utoipa::path(get, path = "/api/asyncapi.json", tag = "operations", responses((status = 200, body = Description)))]
pub async fn live_document(State(app): State<App>, headers: HeaderMap) -> ApiResult<Written> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
    let prefix = app.file.path_prefix.clone();
    let server = crate::openapi::Server { host, secure: app.secure_cookies, prefix };
    let text = app.work(move || Ok(text_of(&server.asyncapi()))).await?;
    Ok(Written::text("application/json", text))
}

/// An OpenAPI or AsyncAPI description of this API.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Description {
    /// The version of the OpenAPI format, or absent in an AsyncAPI document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    openapi: Option<String>,
    /// The version of the AsyncAPI format, or absent in an OpenAPI document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    asyncapi: Option<String>,
    #[serde(flatten)]
    parts: std::collections::BTreeMap<String, serde_json::Value>,
}

/// The house: its name, operator, license and version.
#[derive(Serialize, utoipa::ToSchema)]
pub struct HouseView {
    /// The name of the house.
    name: String,
    /// The operator of the house, or empty if the house file names none.
    operator: String,
    /// The operator's gaming license, or empty if the house file names none.
    licence: String,
    /// The version of the program that runs the house.
    version: &'static str,
    /// The amount of play chips that a guest starts with.
    guest_chips: Money,
    /// The number of tables of the house.
    tables: usize,
    /// The public key that verifies the daily seals of the journal, in hexadecimal.
    seal_key: String,
}

/// Returns the house's name, operator, license and version.
#[utoipa::path(get, path = "/api/house", tag = "operations", responses((status = 200, body = HouseView)))]
pub async fn house(State(app): State<App>) -> Json<HouseView> {
    Json(HouseView {
        name: app.file.name.clone(),
        operator: app.file.operator.clone(),
        licence: app.file.licence.clone(),
        version: env!("CARGO_PKG_VERSION"),
        guest_chips: Money(app.file.guest_chips),
        tables: app.file.tables.len(),
        seal_key: ledger::keys::hex(&app.ledger.public_key()),
    })
}
