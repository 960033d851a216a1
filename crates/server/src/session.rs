//! Sessions: a 256-bit token known to its holder only, stored as a digest, in a cookie that scripts cannot read.

use crate::app::House;
use crate::error::{ApiError, ApiResult};
use crate::password;
use crate::role::Role;
use axum::http::{HeaderMap, HeaderValue, header};
use ledger::people::{self, Keep, Person, Session};
use ledger::{Digest, Moment, PersonId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A session ends after this long without a request, G 2.5.3.
pub const IDLE_MS: i64 = 30 * 60_000;
/// And in any case after this long.
const LONGEST_MS: i64 = 12 * 3_600_000;
/// How long what is known about a session is used before the store is asked again.
const FRESH_MS: i64 = 5_000;
/// How stale the stored time of the last request may become.
const SEEN_EVERY_MS: i64 = 60_000;
const MOST_CACHED: usize = 50_000;

pub const COOKIE: &str = "cutcard_session";

/// The person behind a request.
#[derive(Clone, Debug)]
pub struct Who {
    pub id: PersonId,
    pub name: String,
    pub role: Role,
    pub guest: bool,
    /// Signed in with a one-time password: nothing but changing it is allowed.
    pub must_change: bool,
    pub session: Digest,
}

#[derive(Clone)]
struct Cached {
    who: Arc<Who>,
    session: Session,
    asked: Moment,
    seen: Moment,
}

/// Sessions that were used lately.
#[derive(Default)]
pub struct Sessions {
    cache: Mutex<HashMap<Digest, Cached>>,
}

impl Sessions {
    fn cached(&self, token: Digest, now: Moment) -> Option<Cached> {
        let mut cache = self.cache.lock().ok()?;
        let found = cache.get_mut(&token)?;
        if now.0 - found.asked.0 > FRESH_MS {
            return None;
        }
        found.seen = now;
        Some(found.clone())
    }

    fn remember(&self, entry: Cached) {
        if let Ok(mut cache) = self.cache.lock() {
            if cache.len() >= MOST_CACHED {
                cache.clear();
            }
            cache.insert(entry.session.token, entry);
        }
    }

    /// Forgets a person's sessions, so that the next request sees what changed.
    pub fn forget(&self, person: PersonId) {
        if let Ok(mut cache) = self.cache.lock() {
            cache.retain(|_, cached| cached.who.id != person);
        }
    }
}

/// A fresh token and its row; the token leaves the house once, in the cookie.
pub fn new_session(person: PersonId, now: Moment) -> ApiResult<(String, Session)> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| ApiError::stopped())?;
    let token = ledger::keys::hex(&bytes);
    let session =
        Session { token: digest(&token), person, created: now, seen: now, ends: now.plus_ms(IDLE_MS) };
    Ok((token, session))
}

fn digest(token: &str) -> Digest {
    Digest::of(token.as_bytes())
}

pub fn set_cookie(token: &str, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text =
        format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{secure}", LONGEST_MS / 1000);
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

pub fn clear_cookie() -> HeaderValue {
    HeaderValue::from_static("cutcard_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
}

/// The token of a request: from the cookie, or for programs from `Authorization: Bearer`.
pub fn token_of(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    bearer.or_else(|| pairs.find(|(name, _)| *name == COOKIE).map(|(_, token)| token))
}

impl House {
    /// Who is behind this token? Nobody, if the session has ended.
    pub async fn who(&self, token: &str) -> ApiResult<Option<Arc<Who>>> {
        if token.len() != 64 {
            return Ok(None);
        }
        let (token, now) = (digest(token), Moment::now());
        if let Some(cached) = self.sessions.cached(token, now) {
            let alive = cached.seen.0 - cached.session.seen.0 <= IDLE_MS;
            return Ok(alive.then_some(cached.who));
        }
        let found = self.look(move |db| {
            let Some(session) = people::session(db, token)? else {
                return Ok(None);
            };
            Ok(people::by_id(db, session.person)?.map(|person| (session, person)))
        });
        let Some((mut session, person)) = found.await? else {
            return Ok(None);
        };
        if !alive(&session, now) || person.disabled {
            return Ok(None);
        }
        let Some(who) = who(&person, token) else {
            return Ok(None);
        };
        if now.0 - session.seen.0 > SEEN_EVERY_MS {
            session.seen = now;
            let ends = now.plus_ms(IDLE_MS).min(session.created.plus_ms(LONGEST_MS));
            // Losing this row's update shortens a session at worst.
            self.ledger.keep(vec![Keep::Seen { token, seen: now, ends }], |_| {});
        }
        let who = Arc::new(who);
        self.sessions.remember(Cached { who: Arc::clone(&who), session, asked: now, seen: now });
        Ok(Some(who))
    }
}

fn alive(session: &Session, now: Moment) -> bool {
    session.ends > now && session.created.plus_ms(LONGEST_MS) > now
}

pub fn who(person: &Person, session: Digest) -> Option<Who> {
    Some(Who {
        id: person.id,
        name: person.name.clone(),
        role: Role::from_name(&person.role)?,
        guest: person.guest,
        must_change: password::is_one_time(&person.secret),
        session,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_found_in_cookie_or_bearer() {
        let mut headers = HeaderMap::new();
        assert_eq!(token_of(&headers), None);
        headers.insert(header::COOKIE, HeaderValue::from_static("a=b; cutcard_session=xyz; c=d"));
        assert_eq!(token_of(&headers), Some("xyz"));
        headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer abc"));
        assert_eq!(token_of(&headers), Some("abc"));
    }

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
        let cookie = set_cookie("t", true);
        let text = cookie.to_str().expect("plain");
        for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn a_stored_session_does_not_hold_its_token() {
        let (token, session) = new_session(PersonId(1), Moment(0)).expect("entropy");
        assert_eq!(token.len(), 64);
        assert_ne!(ledger::keys::hex(&session.token.0), token);
        assert_eq!(session.token, digest(&token));
    }
}
