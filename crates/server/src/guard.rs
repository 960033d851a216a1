//! The gate before every route, which checks every request.
//!
//! The gate checks that the path exists, who sends the request, that the sender's role may use the route, that the
//! request comes from our own page, and that it is within the rate limit. Nothing behind the gate checks a role
//! again.

use crate::app::App;
use crate::daily::Writes;
use crate::error::ApiError;
use crate::hosts::Hosts;
use crate::login_throttle::Network;
use crate::registry::Access;
use crate::role::Allow;
use crate::session::{SignedIn, token_of};
use crate::share::{Client, Clients};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use rules::message;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The state of the gate: the house and the access rules.
#[derive(Clone)]
pub struct Gate {
    pub app: App,
    pub access: Arc<Access>,
}

/// Maximum size of a request body, in bytes.
pub const LARGEST_BODY: usize = 64 * 1024;
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// The path of the route that sets up a second factor.
const SECOND_FACTOR: &str = "/api/me/second-factor";
const WITHOUT_OWN_PASSWORD: [&str; 3] = ["/api/me", "/api/me/password", "/api/sessions/current"];

pub async fn guard(State(gate): State<Gate>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map(|p| p.as_str().to_owned());
    let admitted = admit(&gate, &mut request, path.as_deref()).await;
    let response = match admitted {
        Ok(clients) => clients.charged(next.run(request)).await,
        Err(error) => error.into_response(),
    };
    let route = path.as_deref().unwrap_or("page");
    gate.app.metrics.request(route, response.status().as_u16(), begun.elapsed());
    response
}

/// Returns the response to a request, or an error once the time limit passes, even if the request has not fully
/// arrived.
pub async fn in_time(request: Request, next: Next) -> Response {
    let late = |_| {
        let message =
            message!("timed-out", "the request took too long or was incomplete; its finished work is saved");
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
    };
    tokio::time::timeout(ANSWER_WITHIN, next.run(request)).await.unwrap_or_else(late)
}

/// Returns an error if the declared size of the body exceeds [`LARGEST_BODY`], without waiting for the body.
fn small_enough(headers: &HeaderMap) -> Result<(), ApiError> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    match declared.is_some_and(|length| length > LARGEST_BODY as u64) {
        true => Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            message!("too-large", "request body must be at most 64 KiB"),
        )),
        false => Ok(()),
    }
}

async fn admit(gate: &Gate, request: &mut Request, path: Option<&str>) -> Result<Clients, ApiError> {
    has_host(request)?;
    own_host(&gate.app.hosts, request)?;
    same_site(request.method(), request.headers())?;
    small_enough(request.headers())?;
    let address = gate.app.file.proxies.source(address(request), request.headers());
    let from = Network::of(address);
    let who = match token_of(request.headers()) {
        Some(token) => {
            if !gate.app.has_at_hand(token) {
                // Rate-limits lookups of made-up tokens by address.
                gate.app.limiter.file(Client::Address(from.address())).await?;
            }
            Clients::new(from, None).charged(gate.app.who(token)).await?
        }
        None => None,
    };
    let client = who.as_ref().map_or(Client::Address(from.address()), |who| Client::Person(who.id));
    // Health checks are exempt from rate limits; all other requests count.
    match path {
        Some("/health" | "/ready") => {}
        None if !request.uri().path().starts_with("/api") => gate.app.limiter.file(client).await?,
        _ => gate.app.limiter.request(client).await?,
    }
    let (allow, writes) = allowed(&gate.access, request.method(), path)?;
    if !allow.admits(who.as_ref().map(|who| who.role)) {
        return Err(if who.is_some() { ApiError::role() } else { ApiError::sign_in() });
    }
    let clients = Clients::new(from, who.as_ref().map(|who| who.id));
    request.extensions_mut().insert(clients);
    if let Some(who) = &who {
        must_change(who, path)?;
    }
    gate.app.writes(clients, who.as_ref().map(|who| who.role), writes)?;
    if let Some(who) = who {
        request.extensions_mut().insert(who);
    }
    request.extensions_mut().insert(Address(address));
    Ok(clients)
}

/// Returns an error unless the request has exactly one Host header; an HTTP/1.0 request may have none.
///
/// HTTP parsers disagree about which host a request with no Host header or with several is for.
fn has_host(request: &Request) -> Result<(), ApiError> {
    let named = request.headers().get_all(header::HOST).iter().count();
    match (request.version(), named) {
        (_, 1) | (Version::HTTP_10, 0) => Ok(()),
        _ => Err(ApiError::bad("host", message!("one-host", "request must have exactly one Host"))),
    }
}

/// Returns an error unless a request uses one of the house's host names.
///
/// Checks the Host header, and also the request target if it contains a host. The host that a proxy reports in
/// other headers is not trusted.
pub fn own_host(hosts: &Hosts, request: &Request) -> Result<(), ApiError> {
    let header = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    let target = request.uri().authority().map(Authority::as_str);
    match header.into_iter().chain(target).all(|host| hosts.permit(host)) {
        true => Ok(()),
        false => Err(ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            message!("host", "unknown host name; add it to `hosts` in the house file"),
        )),
    }
}

/// The IP address of the client that sent a request.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

fn address(request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(address)| address.ip())
}

fn allowed(access: &Access, method: &Method, path: Option<&str>) -> Result<(Allow, Writes), ApiError> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let wrong_method =
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message!("method", "method not allowed"));
    let Some(path) = path else {
        // Not a route: a file of the page, read-only.
        return if method == Method::GET { Ok((Allow::Anyone, Writes::Nothing)) } else { Err(wrong_method) };
    };
    let methods = access.path(path).ok_or_else(ApiError::role)?;
    let found = methods.iter().find(|(m, ..)| m == method);
    found.map(|(_, allow, writes)| (*allow, *writes)).ok_or(wrong_method)
}

/// Returns an error until the person has replaced a one-time password and set up a required second factor.
///
/// The routes for doing so are exempt.
fn must_change(who: &SignedIn, path: Option<&str>) -> Result<(), ApiError> {
    let setting_up = path.is_none_or(|path| WITHOUT_OWN_PASSWORD.contains(&path) || path == SECOND_FACTOR);
    if who.must_set_factor && !who.must_change && !setting_up {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            message!("set-second-factor", "first set up your second factor on your account page"),
        ));
    }
    let free = path.is_none_or(|path| WITHOUT_OWN_PASSWORD.contains(&path));
    match who.must_change && !free {
        true => Err(ApiError::new(
            StatusCode::FORBIDDEN,
            message!("change-password", "first replace your one-time password with your own"),
        )),
        false => Ok(()),
    }
}

/// Returns an error for a request that a browser sends on behalf of another site.
///
/// A request with neither `Sec-Fetch-Site` nor `Origin` passes: it comes from a program, not from a browser that
/// would add a cookie by itself.
fn same_site(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let reading = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if reading && !headers.contains_key(header::UPGRADE) {
        return Ok(());
    }
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    let ours = match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let host = origin.split_once("://").map(|(_, host)| host);
            host.is_some() && host == text("host")
        }
        (None, None) => true,
    };
    match ours {
        true => Ok(()),
        false => {
            Err(ApiError::new(StatusCode::FORBIDDEN, message!("other-site", "cross-site request refused")))
        }
    }
}

/// Adds the security headers to every response.
pub async fn harden(State(secure): State<bool>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if secure {
        // HSTS: a browser that came over TLS once uses only TLS for a year.
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    if api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(n, v)| (n.parse().expect("name"), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn requests_of_other_sites_are_refused() {
        let post = |pairs: &[(&'static str, &'static str)]| same_site(&Method::POST, &headers(pairs)).is_ok();
        assert!(post(&[]));
        assert!(post(&[("sec-fetch-site", "same-origin")]));
        assert!(!post(&[("sec-fetch-site", "cross-site")]));
        assert!(!post(&[("sec-fetch-site", "same-site"), ("origin", "http://a"), ("host", "a")]));
        assert!(post(&[("origin", "http://a:1"), ("host", "a:1")]));
        assert!(!post(&[("origin", "http://evil"), ("host", "a:1")]));
        assert!(!post(&[("origin", "null"), ("host", "a:1")]));
        let socket = headers(&[("upgrade", "websocket"), ("origin", "http://evil"), ("host", "a")]);
        assert!(same_site(&Method::GET, &socket).is_err(), "other sites must not open sockets");
        assert!(
            same_site(&Method::GET, &headers(&[("sec-fetch-site", "cross-site")])).is_ok(),
            "links from other sites are allowed"
        );
    }
}
