//! For operators and the curious: health, readiness, metrics, the OpenAPI document, the house itself.

use crate::app::App;
use crate::error::{ApiError, ErrorBody};
use crate::wire::Money;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

#[derive(Serialize, utoipa::ToSchema)]
pub struct Health {
    ok: bool,
    uptime_seconds: u64,
}

/// The process runs.
#[utoipa::path(get, path = "/health", tag = "operations", responses((status = 200, body = Health)))]
pub async fn health(State(app): State<App>) -> Json<Health> {
    Json(Health { ok: true, uptime_seconds: app.started.elapsed().as_secs() })
}

/// The house can store what happens, so play goes on.
#[utoipa::path(get, path = "/ready", tag = "operations",
    responses((status = 200, body = Health), (status = 503, body = ErrorBody)))]
pub async fn ready(State(app): State<App>) -> Result<Json<Health>, ApiError> {
    if !app.ledger.healthy() {
        return Err(ApiError::stopped());
    }
    app.look(|db| ledger::people::setting(db, "ready").map(|_| ())).await?;
    Ok(Json(Health { ok: true, uptime_seconds: app.started.elapsed().as_secs() }))
}

/// Figures in Prometheus' text format.
#[utoipa::path(get, path = "/metrics", tag = "operations",
    responses((status = 200, body = String, content_type = "text/plain")))]
pub async fn metrics(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text(&app.ledger))
}

/// This interface, described.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operations", responses((status = 200, body = Object)))]
pub async fn document() -> Json<utoipa::openapi::OpenApi> {
    static DOCUMENT: std::sync::OnceLock<utoipa::openapi::OpenApi> = std::sync::OnceLock::new();
    Json(DOCUMENT.get_or_init(|| super::routes().1).clone())
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct HouseView {
    name: String,
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
        version: env!("CARGO_PKG_VERSION"),
        guest_chips: Money(app.file.guest_chips),
        tables: app.file.tables.len(),
        seal_key: ledger::keys::hex(&app.ledger.public_key()),
    })
}
