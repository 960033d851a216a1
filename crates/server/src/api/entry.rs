//! Signing in and out: guests, sign-up, sign-in, sign-out, passwords, and the first supervisor.

use super::Me;
use crate::app::{App, House, recorded, significant};
use crate::daily::Writes;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::guard::Address;
use crate::login_throttle::{Attempt, LOCKED_FOR, Network, TRIES};
use crate::nodes::LoginOutcome;
use crate::password;
use crate::role::Role;
use crate::session::{SignedIn, clear_cookie, new_session, plays_with, set_cookie};
use crate::share::Clients;
use crate::weak_passwords::is_common;
use crate::wire::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::{Extension, Json};
use ledger::account::LARGEST_PERSON;
use ledger::people::{self, Person, RowChange};
use ledger::{Account, Chips, CommandId, Draft, Holder, Moment, PersonId, Postings, Stream};
use rules::message;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;

/// The number of wrong passwords in a row, from all addresses together, that locks an account.
///
/// The lock does not apply to the addresses that the account was last used from. Three wrong passwords from one
/// address lock the account for that address alone.
const FAILURES: i64 = 30;
const LOCKED_MS: i64 = LOCKED_FOR.as_millis() as i64;
/// The prefix of every guest's name, which no other name may have.
pub const GUEST: &str = "guest-";
/// The number of addresses that are remembered per account.
const ADDRESSES: usize = 8;

/// A person who has just signed in or registered, with the token of the new session.
///
/// Programs may send the token as `Authorization: Bearer`; browsers use the cookie.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Entered {
    /// The person's number.
    pub person: i64,
    /// The name that the person signs in with.
    pub name: String,
    /// The person's role.
    pub role: Role,
    /// Whether the person is a guest, who has play chips only.
    pub guest: bool,
    /// Whether the password must be changed before anything else.
    pub must_change_password: bool,
    /// The token of the session, for `Authorization: Bearer`.
    pub token: String,
}

type Entrance = (StatusCode, HeaderMap, Json<Entered>);

fn entrance(app: &House, status: StatusCode, entered: Entered) -> Entrance {
    let mut headers = HeaderMap::new();
    headers.insert(header::SET_COOKIE, set_cookie(&entered.token, app.secure_cookies, &app.file.sessions));
    (status, headers, Json(entered))
}

/// Returns a new person with this name and role, and with a random number as id.
pub(super) fn new_person(name: String, role: Role, secret: String) -> ApiResult<Person> {
    let mut bytes = [0u8; 8];
    ledger::world::fill_random(&mut bytes).map_err(|_| ApiError::stopped())?;
    let id = PersonId((i64::from_be_bytes(bytes) & LARGEST_PERSON).max(1));
    Ok(Person {
        id,
        name,
        role: role.name().to_owned(),
        guest: false,
        disabled: false,
        secret,
        created: Moment::now(),
        failures: 0,
        locked_until: Moment(0),
    })
}

/// A new person, or a guest who becomes a member, as stored in the journal.
#[derive(Serialize)]
struct Joined<'a> {
    person: i64,
    name: &'a str,
    role: &'a str,
    guest: bool,
    /// The name that the guest had before, if the person was a guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<&'a str>,
}

/// Returns the draft of the journal record that adds a new person.
pub(super) fn joined(person: &Person, by: PersonId) -> ApiResult<Draft> {
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, by, id, "joined");
    draft.event = recorded(&Joined {
        person: person.id.0,
        name: &person.name,
        role: &person.role,
        guest: person.guest,
        was: None,
    });
    draft.row_changes.push(RowChange::NewPerson(person.clone()));
    Ok(draft)
}

async fn enter(app: &House, person: Person, chips: Postings, status: StatusCode) -> ApiResult<Entrance> {
    let (token, session) = new_session(person.id, app.ledger.now(), &app.file.sessions)?;
    let mut draft = joined(&person, person.id)?;
    draft.postings = chips;
    if !person.guest {
        draft.row_changes.push(plays_with(person.id, Chips::Play));
    }
    draft.row_changes.push(RowChange::NewSession(session));
    app.commit(draft).await?;
    let role = Role::from_name(&person.role).unwrap_or(Role::Player);
    let entered = Entered {
        person: person.id.0,
        name: person.name,
        role,
        guest: person.guest,
        must_change_password: false,
        token,
    };
    Ok(entrance(app, status, entered))
}

/// Creates a guest account, with play chips and no password.
#[utoipa::path(post, path = "/api/guests", tag = "people",
    responses((status = 201, body = Entered), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn guest(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
) -> ApiResult<Entrance> {
    app.limiter.entry(address)?;
    let mut person = new_person(String::new(), Role::Player, String::new())?;
    person.name = format!("{GUEST}{:x}", person.id.0);
    person.guest = true;
    let chips = play_chips(&app, person.id);
    enter(&app, person, chips, StatusCode::CREATED).await
}

/// A name and a password, to sign in or to register.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Credentials {
    /// The name: 3 to 24 letters, digits, `-`, `_` or `.`.
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// The password: 8 to 128 characters.
    #[schema(min_length = 1, max_length = 128)]
    pub password: String,
    /// The six-digit code of the second factor, if one is set up.
    #[serde(default)]
    #[schema(max_length = 16)]
    pub code: Option<String>,
}

pub(super) fn lawful_name(name: &str) -> ApiResult<()> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let lawful = (3..=24).contains(&name.len()) && name.bytes().all(plain);
    match lawful && !name.to_ascii_lowercase().starts_with(GUEST) {
        true => Ok(()),
        false => Err(ApiError::bad(
            "name",
            message!(
                "name",
                "name must be 3 to 24 letters, digits, '-', '_' or '.', and must not look like a \
                guest's"
            ),
        )),
    }
}

/// Maximum length of a name or password that is processed, in bytes.
const LONGEST: usize = 512;

fn lawful_password(password: &str, name: &str) -> ApiResult<()> {
    if !(8..=128).contains(&password.chars().count()) || password.len() > LONGEST {
        return Err(ApiError::bad("password", message!("password", "password must be 8 to 128 characters")));
    }
    match is_common(password, name) {
        false => Ok(()),
        true => Err(ApiError::bad(
            "password",
            message!("common-password", "this is a common password; choose one that is harder to guess"),
        )),
    }
}

/// Registers a player with play chips.
///
/// Cash chips are bought at the cage. A guest who registers keeps their play chips and history.
#[utoipa::path(post, path = "/api/people", tag = "people", request_body = Credentials,
    responses((status = 201, body = Entered), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
pub async fn sign_up(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    known: Option<Extension<Arc<SignedIn>>>,
    Body(asked): Body<Credentials>,
) -> ApiResult<Entrance> {
    app.limiter.entry(address)?;
    lawful_name(&asked.name)?;
    lawful_password(&asked.password, &asked.name)?;
    let secret = password::hash(asked.password).await?;
    if let Some(Extension(guest)) = known.filter(|Extension(who)| who.guest) {
        return join(&app, &guest, asked.name, secret).await;
    }
    let person = new_person(asked.name, Role::Player, secret)?;
    let chips = play_chips(&app, person.id);
    enter(&app, person, chips, StatusCode::CREATED).await
}

/// Returns the postings that credit a new person with the play chips that every player starts with.
fn play_chips(app: &House, person: PersonId) -> Postings {
    let outside = Account::new(Chips::Play, Holder::Outside);
    Postings::none().transfer(outside, Account::player(Chips::Play, person), app.file.guest_chips)
}

/// Turns a guest into a member: the same person, with a new name and a password.
async fn join(app: &House, guest: &SignedIn, name: String, secret: String) -> ApiResult<Entrance> {
    let (token, session) = new_session(guest.id, app.ledger.now(), &app.file.sessions)?;
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, guest.id, id, "joined");
    let (role, was) = (Role::Player.name(), Some(guest.name.as_str()));
    draft.event = recorded(&Joined { person: guest.id.0, name: &name, role, guest: false, was });
    draft.row_changes = vec![
        RowChange::Join { person: guest.id, name: name.clone(), secret },
        plays_with(guest.id, Chips::Play),
        RowChange::EndSessionsOf(guest.id),
        RowChange::NewSession(session),
    ];
    app.commit(draft).await?;
    app.revoke(guest.id);
    let (person, role) = (guest.id.0, Role::Player);
    let entered = Entered { person, name, role, guest: false, must_change_password: false, token };
    Ok(entrance(app, StatusCode::CREATED, entered))
}

/// Signs in a person and starts a session.
///
/// Wrong names and wrong passwords get the same response. Three failures in a row lock the account for 15 minutes
/// at that address.
#[utoipa::path(post, path = "/api/sessions", tag = "people", request_body = Credentials,
    responses((status = 200, body = Entered), (status = 401, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub async fn sign_in(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    Body(asked): Body<Credentials>,
) -> ApiResult<Entrance> {
    app.limiter.entry(address)?;
    bounded(&[&asked.name, &asked.password, asked.code.as_deref().unwrap_or_default()])?;
    let from = Network::of(address);
    let attempt = app.attempts.begin(&asked.name, from).ok_or_else(|| wrong(&app))?;
    let name = asked.name.clone();
    let found = app.read(move |db| {
        let Some(person) = people::by_name(db, &name)? else { return Ok(None) };
        let known = Known::read(db, person.id)?;
        Ok(Some((person, known)))
    });
    let found = match found.await {
        Ok(found) => found,
        Err(error) => {
            attempt.undone();
            return Err(error);
        }
    };
    let secret = found.as_ref().map(|(p, _)| p.secret.clone());
    let fits = match password::verify(asked.password, secret).await {
        Ok(fits) => fits,
        Err(busy) => {
            attempt.undone();
            return Err(busy.into());
        }
    };
    let now = app.ledger.now();
    let Some((person, mut known)) = found else {
        app.share_login_outcome(LoginOutcome::Failed(&asked.name, from));
        return Err(wrong(&app));
    };
    if !fits {
        failed(&app, &person, &attempt, from).await?;
        return Err(wrong(&app));
    }
    let role = Role::from_name(&person.role).filter(|_| !person.disabled).ok_or_else(|| wrong(&app))?;
    let mut rows = Vec::new();
    if let Some(factor) = app.second_factor(person.id).await?.filter(|factor| factor.confirmed) {
        let Some(code) = &asked.code else {
            // The password was right, so this is not a failed guess.
            attempt.undone();
            return Err(ApiError::second_factor());
        };
        match app.take_code(person.id, &factor, code)? {
            Some(row) => rows.push(row),
            None => {
                failed(&app, &person, &attempt, from).await?;
                return Err(wrong(&app));
            }
        }
    }
    if let Err(refused) = app.writes(Clients::person(person.id), Some(role), Writes::Session) {
        attempt.undone();
        return Err(refused);
    }
    let (token, session) = new_session(person.id, now, &app.file.sessions)?;
    // Checks the lock and creates the session in one transaction, so that a right guess after too many wrong ones is
    // not let in.
    let lock_counts = if known.has(person.id, from) { Moment(i64::MAX) } else { now };
    rows.push(RowChange::NewSessionIfOpen(session, lock_counts));
    rows.push(RowChange::CorrectPassword { person: person.id, now });
    let alone = role.is_staff() || app.file.sessions.one_per_patron;
    if alone {
        rows.push(RowChange::EndSessionsBut { person: person.id, token: session.token });
    }
    app.store_rows(rows).await?;
    if app.read(move |db| people::session(db, session.token)).await?.is_none() {
        return Err(wrong(&app));
    }
    attempt.succeeded();
    app.share_login_outcome(LoginOutcome::Succeeded(&asked.name, from));
    if alone {
        app.revoke(person.id);
    }
    if known.add(person.id, from) {
        app.store_rows(vec![known.row(person.id)]).await?;
    }
    let must_change_password = password::is_one_time(&person.secret);
    let (id, guest) = (person.id.0, person.guest);
    let entered = Entered { person: id, name: person.name, role, guest, must_change_password, token };
    Ok(entrance(&app, StatusCode::OK, entered))
}

fn wrong(app: &House) -> ApiError {
    app.metrics.sign_in_failures.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    ApiError::credentials()
}

/// Returns an error if a name, password or code is too long to be valid, without processing it.
fn bounded(texts: &[&str]) -> ApiResult<()> {
    match texts.iter().all(|text| text.len() <= LONGEST) {
        true => Ok(()),
        false => {
            Err(ApiError::bad("name", message!("too-long", "name and password must be at most 512 bytes")))
        }
    }
}

/// The lock of an account after failed passwords, for one address or for all, as stored in the journal.
#[derive(Serialize)]
struct LockedOut<'a> {
    name: &'a str,
    failures: i64,
    address: &'a str,
}

/// Counts a failed sign-in, and records a significant event if the failure locks the account.
async fn failed(app: &House, person: &Person, attempt: &Attempt, from: Network) -> ApiResult<()> {
    let (id, now) = (person.id, app.ledger.now());
    app.share_login_outcome(LoginOutcome::Failed(&person.name, from));
    let row =
        RowChange::WrongPassword { person: id, most: FAILURES, now, locked_until: now.plus_ms(LOCKED_MS) };
    let locked_out = |details: &LockedOut<'_>| significant(id, "locked-out", details);
    if !attempt.is_last() {
        app.store_rows(vec![row]).await?;
    } else {
        let address = from.address().to_string();
        let mut draft =
            locked_out(&LockedOut { name: &person.name, failures: i64::from(TRIES), address: &address })?;
        draft.row_changes.push(row);
        app.commit(draft).await?;
    }
    let after = app.read(move |db| people::by_id(db, id)).await?;
    if let Some(after) = after.filter(|after| after.locked_until > now) {
        let mut draft = locked_out(&LockedOut { name: &person.name, failures: FAILURES, address: "all" })?;
        // However many attempts failed at once, only one event is recorded.
        draft.command = CommandId::own(&format!("locked-{}", after.locked_until.0)).unwrap_or(draft.command);
        app.commit(draft).await?;
    }
    Ok(())
}

/// Digests of the addresses from which an account was last used.
///
/// A lock of the whole account does not apply to these addresses, so that nobody can lock the owner out by
/// guessing.
struct Known(Vec<String>);

impl Known {
    fn name(person: PersonId) -> String {
        format!("addresses/{}", person.0)
    }

    fn read(db: &mut dyn ledger::db::Db, person: PersonId) -> ledger::DbResult<Known> {
        let stored = people::setting(db, &Known::name(person))?.unwrap_or_default();
        Ok(Known(serde_json::from_slice(&stored).unwrap_or_default()))
    }

    fn digest(person: PersonId, from: Network) -> String {
        ledger::Digest::of(format!("{} {}", person.0, from.address()).as_bytes()).to_string()
    }

    fn has(&self, person: PersonId, from: Network) -> bool {
        self.0.contains(&Known::digest(person, from))
    }

    /// Adds the digest of an address, and returns whether the address was not known before.
    fn add(&mut self, person: PersonId, from: Network) -> bool {
        let new = !self.has(person, from);
        if new {
            self.0.truncate(ADDRESSES - 1);
            self.0.insert(0, Known::digest(person, from));
        }
        new
    }

    fn row(&self, person: PersonId) -> RowChange {
        RowChange::Setting {
            name: Known::name(person),
            value: serde_json::to_vec(&self.0).unwrap_or_default(),
        }
    }
}

/// Ends the session that the request belongs to.
#[utoipa::path(delete, path = "/api/sessions/current", tag = "people",
    responses((status = 204), (status = 401, body = ErrorBody)))]
pub async fn sign_out(State(app): State<App>, me: Me) -> ApiResult<(StatusCode, HeaderMap)> {
    app.store_rows(vec![RowChange::EndSession(me.session)]).await?;
    app.revoke(me.id);
    let mut headers = HeaderMap::new();
    headers.insert(header::SET_COOKIE, clear_cookie());
    headers.insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok((StatusCode::NO_CONTENT, headers))
}

/// A request to change the caller's password.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewPassword {
    /// The current password of the caller.
    #[schema(min_length = 1, max_length = 128)]
    pub old: String,
    /// The new password: 8 to 128 characters.
    #[schema(min_length = 8, max_length = 128)]
    pub new: String,
}

/// Checks the password of a person who is already signed in, and returns the attempt for the caller to complete.
///
/// A wrong password counts toward the lock of the account, as at sign-in.
async fn try_password(app: &House, me: &Me, address: IpAddr, password: String) -> ApiResult<Attempt> {
    let (id, from) = (me.id, Network::of(address));
    let attempt = app.attempts.begin(&me.name, from).ok_or_else(|| wrong(app))?;
    let person = match app.read(move |db| people::by_id(db, id)).await {
        Ok(person) => person,
        Err(error) => {
            attempt.undone();
            return Err(error);
        }
    };
    let person = person.ok_or_else(ApiError::credentials)?;
    let fits = match password::verify(password, Some(person.secret.clone())).await {
        Ok(fits) => fits,
        Err(busy) => {
            attempt.undone();
            return Err(busy.into());
        }
    };
    if !fits {
        failed(app, &person, &attempt, from).await?;
        return Err(wrong(app));
    }
    Ok(attempt)
}

/// Checks that `password` is the password of the signed-in person.
pub(super) async fn own_password(app: &House, me: &Me, address: IpAddr, password: String) -> ApiResult<()> {
    bounded(&[&password])?;
    try_password(app, me, address, password).await.map(Attempt::succeeded)?;
    app.share_login_outcome(LoginOutcome::Succeeded(&me.name, Network::of(address)));
    Ok(())
}

/// Changes the caller's password and ends all of their other sessions.
#[utoipa::path(put, path = "/api/me/password", tag = "people", request_body = NewPassword,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)))]
pub async fn change_password(
    State(app): State<App>,
    me: Me,
    Extension(Address(address)): Extension<Address>,
    Body(asked): Body<NewPassword>,
) -> ApiResult<StatusCode> {
    bounded(&[&asked.old, &asked.new])?;
    lawful_password(&asked.new, &me.name)?;
    let id = me.id;
    let attempt = try_password(&app, &me, address, asked.old).await?;
    let secret = password::hash(asked.new).await?;
    let (token, now) = (me.session, app.ledger.now());
    let rows = vec![
        RowChange::SecretIfOpen { person: id, secret: secret.clone(), now },
        RowChange::EndSessionsButIf { person: id, token, secret: secret.clone() },
    ];
    app.store_rows(rows).await?;
    let after = app.read(move |db| people::by_id(db, id)).await?;
    if after.is_none_or(|after| after.secret != secret) {
        return Err(wrong(&app));
    }
    attempt.succeeded();
    app.share_login_outcome(LoginOutcome::Succeeded(&me.name, Network::of(address)));
    app.revoke(id);
    Ok(StatusCode::NO_CONTENT)
}

/// Creates the first supervisor, and returns the name and the one-time password to print.
///
/// Returns `None` if the house already has a supervisor.
pub async fn first_supervisor(app: &House) -> ApiResult<Option<(String, String)>> {
    if app.read(|db| people::count_with_role(db, Role::Supervisor.name())).await? > 0 {
        return Ok(None);
    }
    let password = password::random_password().map_err(|_| ApiError::stopped())?;
    let secret = password::hash_once(password.clone()).await?;
    let person = new_person("supervisor".into(), Role::Supervisor, secret)?;
    app.commit(joined(&person, PersonId::HOUSE)?).await?;
    Ok(Some((person.name, password)))
}
