//! The page's files, embedded in the program: what is served is exactly what was built.

use crate::budget::Shared;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;
use std::borrow::Cow;

#[derive(RustEmbed)]
#[folder = "web/"]
struct Files;

/// Serves a file of the page. Addresses without a dot belong to the page's own navigation and get the page.
pub async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return ApiError::missing("address").into_response();
    }
    let found = match path {
        "" => Files::get("index.html"),
        "api" => Files::get("api.html"),
        path if path.contains('.') => Files::get(path),
        path => Files::get(path).or_else(|| Files::get("index.html")),
    };
    let Some(found) = found else {
        return ApiError::missing("file").into_response();
    };
    let kind = if path.contains('.') { found.metadata.mimetype().to_owned() } else { "text/html".to_owned() };
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind };
    let tag = format!("\"{}\"", ledger::keys::hex(&found.metadata.sha256_hash()[..16]));
    let bytes = match found.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let mut response = (StatusCode::OK, bytes).into_response();
    response.extensions_mut().insert(Shared);
    let headers = response.headers_mut();
    for (name, value) in [(header::CONTENT_TYPE, kind), (header::ETAG, tag)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Answers `304` when the browser has the file already.
pub async fn unchanged(request: axum::extract::Request, next: axum::middleware::Next) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    match (known, response.headers().get(header::ETAG)) {
        (Some(known), Some(tag)) if known == *tag => {
            let tag = tag.clone();
            let mut short = StatusCode::NOT_MODIFIED.into_response();
            short.headers_mut().insert(header::ETAG, tag);
            short
        }
        _ => response,
    }
}
