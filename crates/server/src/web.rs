//! Embeds the files of the page in the program, which thus serves exactly what was built.
//!
//! Clients that accept gzip get text files other than HTML compressed.

use crate::app::App;
use crate::budget::Shared;
use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rules::message;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{LazyLock, Mutex, PoisonError};

#[derive(RustEmbed)]
#[folder = "web/"]
struct Files;

/// The compressed files of the page, by the hash of the uncompressed content.
static PACKED: LazyLock<Mutex<HashMap<[u8; 32], Bytes>>> = LazyLock::new(Mutex::default);

/// Returns the file of the page at the path of `uri`.
///
/// A path without a dot is a route of the page itself, and gets the page's HTML.
pub async fn file(State(app): State<App>, uri: Uri, asked: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return ApiError::missing(message!("no-such-address", "no such address")).into_response();
    }
    let found = match path {
        "" => Files::get("index.html"),
        "api" => Files::get("api.html"),
        path if path.contains('.') => Files::get(path),
        path => Files::get(path).or_else(|| Files::get("index.html")),
    };
    let Some(found) = found else {
        return ApiError::missing(message!("no-such-file", "no such file")).into_response();
    };
    let kind = if path.contains('.') { found.metadata.mimetype().to_owned() } else { "text/html".to_owned() };
    if kind == "text/html" {
        let text = html(&found, &app.file.path_prefix, path, &asked);
        return answer(&kind, Some(Sha256::digest(&text).into()), text.into(), false);
    }
    let hash = found.metadata.sha256_hash();
    let packs = kind.starts_with("text/") || kind.contains("json") || kind.contains("svg");
    if packs && accepts_gzip(&asked) {
        let known = PACKED.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        match known.map_or_else(|| pack(&found, hash), Ok) {
            Ok(bytes) => return answer(&kind, Some(hash), bytes, true),
            Err(error) => tracing::warn!(%error, path, "cannot compress a file of the page"),
        }
    }
    let bytes = match found.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    answer(&kind, Some(hash), bytes, false)
}

/// Returns the HTML in `found`, adapted to the path and to the browser.
///
/// Fills in the available languages, the preferred language, and the path prefix, if there is one. Leaves out
/// lines that the page at this path does not need.
fn html(found: &EmbeddedFile, prefix: &str, path: &str, asked: &HeaderMap) -> String {
    let known = languages();
    let language = preferred(asked, &known);
    let text: String = String::from_utf8_lossy(&found.data)
        .split_inclusive('\n')
        .filter(|line| is_needed(line, path))
        .collect();
    let text = text
        .replace("<html lang=\"en\">", &format!("<html lang=\"{language}\">"))
        .replace(
            "name=\"languages\" content=\"en\"",
            &format!("name=\"languages\" content=\"{}\"", known.join(" ")),
        )
        .replace("/page/words/en.json", &format!("/page/words/{language}.json"));
    if prefix.is_empty() { text } else { text.replace("=\"/", &format!("=\"{prefix}/")) }
}

/// Returns whether the page at `path` needs a line of the HTML.
///
/// A line with `data-on` is needed only at paths whose first part it lists.
fn is_needed(line: &str, path: &str) -> bool {
    let place = path.split('/').next().unwrap_or_default();
    let Some((_, rest)) = line.split_once("data-on=\"") else { return true };
    let places = rest.split('"').next().unwrap_or_default();
    places.split(' ').any(|one| one.trim_start_matches('/') == place)
}

/// Returns the languages of the page, by its files of translated text, English first.
fn languages() -> Vec<String> {
    let mut known: Vec<String> = Files::iter()
        .filter_map(|path| path.strip_prefix("page/words/")?.strip_suffix(".json").map(str::to_owned))
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
        .collect();
    known.sort_by_key(|name| (name != "en", name.clone()));
    known
}

/// Returns the available language that the browser prefers most, or English if none of its languages is available.
fn preferred(asked: &HeaderMap, known: &[String]) -> String {
    let values = asked.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut wanted: Vec<(f32, &str)> = values
        .flat_map(|value| value.split(','))
        .map(|one| {
            let (name, weight) = one.split_once(';').unwrap_or((one, "q=1"));
            (weight.trim().trim_start_matches("q=").parse().unwrap_or(0.0), name.trim())
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let fits = |name: &str| known.iter().find(|language| language.eq_ignore_ascii_case(name)).cloned();
    wanted
        .iter()
        .find_map(|(_, name)| fits(name).or_else(|| fits(name.split('-').next()?)))
        .unwrap_or_else(|| "en".to_owned())
}

fn answer(kind: &str, hash: Option<[u8; 32]>, bytes: Bytes, packed: bool) -> Response {
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let varies = if kind.starts_with("text/html") { "accept-language" } else { "accept-encoding" };
    let mut response = (StatusCode::OK, bytes).into_response();
    response.extensions_mut().insert(Shared);
    let headers = response.headers_mut();
    // The compressed form is a different representation, so it has its own ETag.
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
    headers.insert(header::VARY, HeaderValue::from_static(varies));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Returns whether a browser accepts gzip.
///
/// `gzip;q=0` means that it does not.
fn accepts_gzip(asked: &HeaderMap) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00")
    })
}

/// Returns public data as JSON, compressed if the client accepts gzip.
///
/// Personal data is never compressed, because the compressed size would reveal something about it.
pub fn public_json(asked: &HeaderMap, value: &impl serde::Serialize) -> Response {
    let text = crate::wire::text_of(value);
    let mut response = match accepts_gzip(asked).then(|| gzip(text.as_bytes(), Compression::fast())) {
        Some(Ok(bytes)) => answer("application/json", None, bytes, true),
        _ => answer("application/json", None, text.into(), false),
    };
    response.extensions_mut().remove::<Shared>();
    response
}

fn gzip(bytes: &[u8], how: Compression) -> std::io::Result<Bytes> {
    let mut packer = GzEncoder::new(Vec::new(), how);
    packer.write_all(bytes)?;
    packer.finish().map(Bytes::from)
}

fn pack(found: &EmbeddedFile, hash: [u8; 32]) -> std::io::Result<Bytes> {
    let bytes = gzip(&found.data, Compression::best())?;
    PACKED.lock().unwrap_or_else(PoisonError::into_inner).insert(hash, bytes.clone());
    Ok(bytes)
}

/// Answers a request with status 304 if the browser already has the same content, and otherwise in full.
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

    #[test]
    fn a_path_preloads_only_what_it_needs() {
        let page = Files::get("index.html").expect("the page");
        for (path, own) in [("", "lobby.js"), ("table/1", "bets.js"), ("lab", "lab.js"), ("history", "")] {
            let text = html(&page, "", path, &HeaderMap::new());
            for name in ["lobby.js", "bets.js", "lab.js", "app.js"] {
                let preloads = text.lines().any(|line| line.contains("modulepreload") && line.contains(name));
                assert_eq!(preloads, name == own || name == "app.js", "{name} at /{path}");
            }
        }
    }

    #[test]
    fn the_page_speaks_the_language_that_is_asked_for_first() {
        let known = languages();
        assert_eq!(known.first().map(String::as_str), Some("en"));
        assert!(known.iter().any(|name| name == "es"));
        let asks = |value: &'static str| {
            let asked = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(value))]);
            preferred(&asked, &known)
        };
        assert_eq!(asks("es"), "es");
        assert_eq!(asks("es-MX,es;q=0.9,en;q=0.8"), "es");
        assert_eq!(asks("xx, ES;q=0.4, en;q=0.3"), "es");
        assert_eq!(asks("en-GB,es;q=0.5"), "en");
        assert_eq!(asks("es;q=0, *"), "en");
        assert_eq!(asks("xx"), "en");
        assert_eq!(preferred(&HeaderMap::new(), &known), "en");
    }
}
