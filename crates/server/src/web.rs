//! The page's files, embedded in the program: what is served is exactly what was built, packed for who can unpack it.

use crate::app::App;
use crate::budget::Shared;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

#[derive(RustEmbed)]
#[folder = "web/"]
struct Files;

/// Files that are packed already, by the hash of what they hold. There are as many as the page has files.
static PACKED: LazyLock<Mutex<HashMap<[u8; 32], Bytes>>> = LazyLock::new(Mutex::default);

/// Serves a file of the page. Addresses without a dot belong to the page's own navigation and get the page.
pub async fn file(State(app): State<App>, uri: Uri, asked: HeaderMap) -> Response {
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
    let prefix = &app.file.path_prefix;
    // Pages name their files from the root of the site: behind a prefix, from there.
    if kind == "text/html" && !prefix.is_empty() {
        let text = String::from_utf8_lossy(&found.data).replace("=\"/", &format!("=\"{prefix}/"));
        return answer(&kind, None, text.into(), false);
    }
    let hash = found.metadata.sha256_hash();
    let packs = kind.starts_with("text/") || kind.contains("json") || kind.contains("svg");
    if packs && accepts_gzip(&asked) {
        let known = PACKED.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        match known.map_or_else(|| pack(&found, hash), Ok) {
            Ok(bytes) => return answer(&kind, Some(hash), bytes, true),
            Err(error) => tracing::warn!(%error, path, "a file of the page cannot be packed"),
        }
    }
    let bytes = match found.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    answer(&kind, Some(hash), bytes, false)
}

fn answer(kind: &str, hash: Option<[u8; 32]>, bytes: Bytes, packed: bool) -> Response {
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let mut response = (StatusCode::OK, bytes).into_response();
    response.extensions_mut().insert(Shared);
    let headers = response.headers_mut();
    // What is packed is another representation, so that it has a tag of its own.
    let tag = hash
        .map(|hash| format!("\"{}{}\"", ledger::keys::hex(&hash[..16]), if packed { "-gzip" } else { "" }));
    for (name, value) in [(header::CONTENT_TYPE, Some(kind)), (header::ETAG, tag)] {
        if let Some(Ok(value)) = value.map(|value| HeaderValue::from_str(&value)) {
            headers.insert(name, value);
        }
    }
    if packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Does a browser take gzip? One that says `gzip;q=0` does not.
fn accepts_gzip(asked: &HeaderMap) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00")
    })
}

fn pack(found: &EmbeddedFile, hash: [u8; 32]) -> std::io::Result<Bytes> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&found.data)?;
    let bytes = Bytes::from(packer.finish()?);
    PACKED.lock().unwrap_or_else(PoisonError::into_inner).insert(hash, bytes.clone());
    Ok(bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_for_who_takes_it() {
        let says = |value: &'static str| {
            accepts_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        assert!(says("gzip") && says("br, gzip, zstd") && says("GZIP;q=0.5"));
        assert!(!says("br") && !says("gzip;q=0") && !says("gzipped"));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
