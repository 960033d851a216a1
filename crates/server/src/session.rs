//! Sessions of people, each identified by a 256-bit token in a cookie that scripts cannot read.
//!
//! The house stores only the digest of a token.

use crate::app::House;
use crate::daily::Writes;
use crate::error::{ApiError, ApiResult};
use crate::house_file::SessionLimits;
use crate::password;
use crate::role::Role;
use crate::second_factor;
use crate::share::Clients;
use axum::http::{HeaderMap, HeaderValue, header};
use ledger::people::{self, Person, RowChange, Session};
use ledger::{Chips, Digest, Moment, PersonId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// How long the house uses a cached session before it reads the session from the database again.
const FRESH_FOR: Duration = Duration::from_secs(5);
/// How long a node uses a cached session if other nodes run.
///
/// Nodes announce changes of sessions to each other, but the announcements may be lost with a connection.
const FRESH_FOR_AMONG_NODES: Duration = Duration::from_millis(900);
/// How old the stored time of a session's last request may become, in milliseconds.
///
/// The limit is lower where the idle limit is below four times this time: a quarter of the idle limit.
const SEEN_EVERY_MS: i64 = 60_000;
const MOST_CACHED: usize = 10_000;

pub const COOKIE: &str = "cutcard_session";

/// The signed-in person behind a request.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub id: PersonId,
    pub name: String,
    pub role: Role,
    pub guest: bool,
    /// The kind of chips that this person bets with.
    pub chips: Chips,
    /// Whether the person signed in with a one-time password, and must change it before anything else.
    pub must_change: bool,
    /// Whether the person must set up a second factor, which the house requires, before anything else.
    pub must_set_factor: bool,
    pub session: Digest,
}

/// How far in the future the last request of a session may be, in milliseconds, before the session is invalid.
///
/// The clocks of the nodes differ a little.
const AHEAD_MS: i64 = 2_000;

/// A person with a valid session, and the time at which the session ends if no further request follows.
#[derive(Clone, Debug)]
pub struct SessionState {
    pub who: Arc<SignedIn>,
    pub ends: Moment,
}

#[derive(Clone)]
struct Cached {
    who: Arc<SignedIn>,
    /// The session as the database stores it, except that the time of its last request may be later here.
    session: Session,
    /// The time of the session's last request as the database stores it.
    stored_seen: Moment,
    asked: Instant,
}

/// A cache of recently used sessions.
#[derive(Default)]
pub struct Sessions {
    cache: Mutex<HashMap<Digest, Cached>>,
}

impl Sessions {
    fn cached(&self, token: Digest) -> Option<Cached> {
        self.cache.lock().ok()?.get(&token).cloned()
    }

    fn remember(&self, entry: Cached) {
        if let Ok(mut cache) = self.cache.lock() {
            if cache.len() >= MOST_CACHED && !cache.contains_key(&entry.session.token) {
                cache.retain(|_, cached| cached.asked.elapsed() < FRESH_FOR);
                if cache.len() >= MOST_CACHED {
                    cache.clear();
                }
            }
            cache.insert(entry.session.token, entry);
        }
    }

    /// Returns the person who is signed in with this session, or `None` if the session is not cached.
    pub fn holder(&self, token: Digest) -> Option<PersonId> {
        self.cached(token).map(|cached| cached.who.id)
    }

    pub fn forget_all(&self) {
        if let Ok(mut cache) = self.cache.lock() {
            cache.clear();
        }
    }

    /// Drops a person's sessions from the cache, so that the next request reads them from the database.
    pub fn forget(&self, person: PersonId) {
        if let Ok(mut cache) = self.cache.lock() {
            cache.retain(|_, cached| cached.who.id != person);
        }
    }
}

/// Returns the token of a new session, and the session to store.
///
/// The token leaves the house only once, in the cookie.
pub fn new_session(person: PersonId, now: Moment, limits: &SessionLimits) -> ApiResult<(String, Session)> {
    let mut bytes = [0u8; 32];
    ledger::world::fill_random(&mut bytes).map_err(|_| ApiError::stopped())?;
    let token = ledger::keys::hex(&bytes);
    let mut session = Session { token: digest(&token), person, created: now, seen: now, ends: now };
    session.ends = ends(&session, limits);
    Ok((token, session))
}

fn digest(token: &str) -> Digest {
    Digest::of(token.as_bytes())
}

pub fn set_cookie(token: &str, secure: bool, limits: &SessionLimits) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let longest = limits.longest_s;
    let text = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={longest}{secure}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

pub fn clear_cookie() -> HeaderValue {
    HeaderValue::from_static("cutcard_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
}

/// Returns the session token of a request, or `None` if the request has none.
///
/// The token comes from `Authorization: Bearer`, which programs send, or else from the cookie.
pub fn token_of(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    bearer.or_else(|| pairs.find(|(name, _)| *name == COOKIE).map(|(_, token)| token))
}

impl House {
    /// Returns the person signed in with this token, or `None` if there is no such session or it has ended.
    pub async fn who(&self, token: &str) -> ApiResult<Option<Arc<SignedIn>>> {
        if token.len() != 64 {
            return Ok(None);
        }
        Ok(self.session_state(digest(token), true).await?.map(|session_state| session_state.who))
    }

    /// Returns whether a request with this token can be judged without a database query.
    ///
    /// That is so if a recently read session is cached, or if the token is malformed.
    pub fn has_at_hand(&self, token: &str) -> bool {
        token.len() != 64 || self.sessions.cached(digest(token)).is_some_and(|cached| self.is_fresh(&cached))
    }

    fn is_fresh(&self, cached: &Cached) -> bool {
        let fresh_for = if self.among_nodes() { FRESH_FOR_AMONG_NODES } else { FRESH_FOR };
        cached.asked.elapsed() < fresh_for
    }

    /// Returns the state of a session, or `None` if there is no such session or it has ended.
    ///
    /// `asks` is true for a request, which extends the session.
    pub async fn session_state(&self, token: Digest, asks: bool) -> ApiResult<Option<SessionState>> {
        let cached = self.sessions.cached(token);
        let fresh = cached.as_ref().is_some_and(|cached| self.is_fresh(cached));
        let entry = match (cached, fresh) {
            (Some(cached), true) => Some(cached),
            (cached, _) => self.looked_up(token, cached.map(|cached| cached.session.seen)).await?,
        };
        let (Some(mut entry), limits, now) = (entry, &self.file.sessions, self.ledger.now()) else {
            return Ok(None);
        };
        // A session used later than now is from before the clock was set right: its age is not known.
        if ends(&entry.session, limits) <= now || now.plus_ms(AHEAD_MS) < entry.session.seen {
            return Ok(None);
        }
        if asks {
            entry.session.seen = now;
            let stale_after = SEEN_EVERY_MS.min(limits.idle_ms() / 4);
            let (client, role) = (Clients::person(entry.who.id), Some(entry.who.role));
            let stale = now.0 - entry.stored_seen.0 >= stale_after;
            if stale && self.writes(client, role, Writes::Presence).is_ok() {
                entry.stored_seen = now;
                let ends = ends(&entry.session, limits);
                // If this update is lost, the session is shortened at worst.
                self.ledger.store_rows(vec![RowChange::Seen { token, seen: now, ends }], |_| {});
            }
        }
        let session_state = SessionState { who: Arc::clone(&entry.who), ends: ends(&entry.session, limits) };
        if asks || !fresh {
            self.sessions.remember(entry);
        }
        Ok(Some(session_state))
    }

    async fn looked_up(&self, token: Digest, seen: Option<Moment>) -> ApiResult<Option<Cached>> {
        let found = self.read(move |db| {
            let Some(session) = people::session(db, token)? else {
                return Ok(None);
            };
            let chips = people::setting(db, &chips_setting(session.person))?;
            let factor = second_factor::is_set(db, session.person)?;
            Ok(people::by_id(db, session.person)?.map(|person| (session, person, chips, factor)))
        });
        let asked = Instant::now();
        let Some((mut session, person, chips, factor)) =
            found.await?.filter(|(_, person, ..)| !person.disabled)
        else {
            return Ok(None);
        };
        let stored_seen = session.seen;
        session.seen = session.seen.max(seen.unwrap_or_default());
        let factor = factor || !self.file.second_factor_required;
        let who = who(&person, token, chips.as_deref(), factor);
        Ok(who.map(|who| Cached { who: Arc::new(who), session, stored_seen, asked }))
    }

    /// Makes changes of a person, or of the person's sessions, take effect at once.
    ///
    /// The next request reads the person from the database, and open sockets recheck their session.
    pub fn revoke(&self, person: PersonId) {
        self.sessions.forget(person);
        self.sockets.recheck(person);
    }
}

/// Returns the time at which a session ends if no further request follows.
fn ends(session: &Session, limits: &SessionLimits) -> Moment {
    session.seen.plus_ms(limits.idle_ms()).min(session.created.plus_ms(limits.longest_ms()))
}

/// Returns the name of the setting that stores the kind of chips that a person bets with.
///
/// Guests always bet play chips. Other players bet cage chips unless the setting says otherwise.
fn chips_setting(person: PersonId) -> String {
    format!("chips/{}", person.0)
}

/// Returns the setting that stores the kind of chips for a person's future bets.
pub fn plays_with(person: PersonId, chips: Chips) -> RowChange {
    RowChange::Setting { name: chips_setting(person), value: chips.to_string().into_bytes() }
}

/// Returns the signed-in person of a session, or `None` if the person's stored role is unknown.
///
/// `factor` is true if the person has set up a second factor, or needs none.
fn who(person: &Person, session: Digest, chips: Option<&[u8]>, factor: bool) -> Option<SignedIn> {
    let role = Role::from_name(&person.role)?;
    let chosen = [Chips::Cash, Chips::Play].into_iter().find(|c| Some(c.to_string().as_bytes()) == chips);
    let usual = if person.guest { Chips::Play } else { Chips::Cash };
    Some(SignedIn {
        chips: chosen.filter(|_| !person.guest).unwrap_or(usual),
        id: person.id,
        name: person.name.clone(),
        role,
        guest: person.guest,
        must_change: password::is_one_time(&person.secret),
        must_set_factor: role.is_staff() && !factor,
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
        let cookie = set_cookie("t", true, &SessionLimits::default());
        let text = cookie.to_str().expect("plain");
        for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn a_stored_session_does_not_hold_its_token() {
        let (token, session) =
            new_session(PersonId(1), Moment(0), &SessionLimits::default()).expect("entropy");
        assert_eq!(token.len(), 64);
        assert_ne!(ledger::keys::hex(&session.token.0), token);
        assert_eq!(session.token, digest(&token));
    }
}
