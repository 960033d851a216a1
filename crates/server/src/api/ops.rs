//! For operators and the curious: health, readiness, metrics, the OpenAPI document, the house itself.

use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::self_check::SelfCheckView;
use crate::share::Payers;
use crate::wire::{Money, Written, text_of};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How old what `/ready` says of the store may be.
const STORE_ASKED_EVERY: Duration = Duration::from_millis(250);

#[derive(Serialize, utoipa::ToSchema)]
pub struct Health {
    ok: bool,
    uptime_seconds: u64,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct Readiness {
    ok: bool,
    uptime_seconds: u64,
    /// How far the house has compared its store with its journal; it is ready before the first pass ends.
    self_check: SelfCheckView,
}

/// The process runs.
#[utoipa::path(get, path = "/health", tag = "operations", responses((status = 200, body = Health)))]
pub async fn health(State(app): State<App>) -> Json<Health> {
    Json(Health { ok: true, uptime_seconds: app.started.elapsed().as_secs() })
}

/// Reports ready when the house can store with the configured durability, its clock is confirmed, its self-check has found
/// no fault, and no table is stuck.
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
        let message = "this node's lease has run out: the database is not reached";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "lease", message));
    }
    if let Some(table) = app.metrics.parked().first() {
        let message = format!("table {table} cannot go on by itself; see the log");
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "parked", message));
    }
    // Nobody pays for this question, so that it may not cost the store more than a few.
    app.stores.get(STORE_ASKED_EVERY, Payers::nobody().charged(stores(&app))).await?;
    let uptime_seconds = app.started.elapsed().as_secs();
    Ok(Json(Readiness { ok: true, uptime_seconds, self_check: app.self_check.view() }))
}

/// Tells whether the store is there, and what it stores is durable.
async fn stores(app: &App) -> ApiResult<()> {
    app.read(|db| ledger::people::setting(db, "ready").map(|_| ())).await?;
    let ledger = Arc::clone(&app.ledger);
    let durable = app.work(move || Ok(ledger.durable())).await?;
    durable.map_err(|error| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "stopped", error.to_string()))
}

/// Figures in Prometheus' text format, on a listener of their own: they are no patron's business.
pub async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let mut text = app.metrics.text(&app.ledger, app.nodes.get(), &app.self_check.state());
    let help = "Bets whose return is out of bounds.";
    crate::metrics::one(&mut text, "gauge", "return_alarms", help, app.alarms.count());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}

/// This interface, described: OpenAPI 3.1.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operations", responses((status = 200, body = Object)))]
pub async fn document(State(app): State<App>) -> ApiResult<Written> {
    static WRITTEN: OnceLock<Bytes> = OnceLock::new();
    // it takes long enough to be made off the async threads, and once
    let written = || text_of(crate::described::openapi()).into();
    let bytes = match WRITTEN.get() {
        Some(bytes) => bytes.clone(),
        None => app.work(move || Ok(WRITTEN.get_or_init(written).clone())).await?,
    };
    Ok(Written::text("application/json", bytes))
}

/// The live views over WebSocket, described: AsyncAPI 3.0.
#[utoipa::path(get, path = "/api/asyncapi.json", tag = "operations", responses((status = 200, body = Object)))]
pub async fn live_document(State(app): State<App>, headers: HeaderMap) -> ApiResult<Written> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
    let prefix = app.file.path_prefix.clone();
    let server = crate::described::Server { host, secure: app.secure_cookies, prefix };
    let text = app.work(move || Ok(text_of(&server.asyncapi()))).await?;
    Ok(Written::text("application/json", text))
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct HouseView {
    name: String,
    /// Who runs it, and by which licence; empty when the house file does not say.
    operator: String,
    licence: String,
    version: &'static str,
    guest_chips: Money,
    tables: usize,
    /// The key that signs the journal's daily seal, in hexadecimal.
    seal_key: String,
}

/// The house.
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
