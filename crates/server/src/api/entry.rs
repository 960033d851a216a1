//! Coming in and going out: guests, sign-up, sign-in, sign-out, passwords, and the first supervisor.

use super::Me;
use crate::app::{App, House, significant};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::guard::Address;
use crate::password;
use crate::role::Role;
use crate::session::{clear_cookie, new_session, set_cookie};
use crate::wire::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::{Extension, Json};
use ledger::account::LARGEST_PERSON;
use ledger::people::{self, Keep, Person};
use ledger::{Account, Chips, CommandId, Draft, Holder, Moment, PersonId, Postings, Stream};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Failures in a row after which an account is locked, G 2.5.4.
const FAILURES: i64 = 3;
const LOCKED_MS: i64 = 15 * 60_000;

/// Someone who has just come in. Programs may send the token as `Authorization: Bearer`; browsers use the cookie.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Entered {
    pub person: i64,
    pub name: String,
    pub role: Role,
    pub guest: bool,
    /// Choose a password of your own before anything else.
    pub must_change_password: bool,
    pub token: String,
}

type Entrance = (StatusCode, HeaderMap, Json<Entered>);

fn entrance(app: &House, status: StatusCode, entered: Entered) -> Entrance {
    let mut headers = HeaderMap::new();
    headers.insert(header::SET_COOKIE, set_cookie(&entered.token, app.secure_cookies));
    (status, headers, Json(entered))
}

/// A person of the given role, with a number that nobody has.
pub(super) fn new_person(name: String, role: Role, secret: String) -> ApiResult<Person> {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).map_err(|_| ApiError::stopped())?;
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

/// The record of someone's joining, with the row that goes with it.
pub(super) fn joined(person: &Person, by: PersonId) -> ApiResult<Draft> {
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, by, id, "joined");
    draft.event =
        json!({ "person": person.id.0, "name": person.name, "role": person.role, "guest": person.guest })
            .to_string()
            .into_bytes();
    draft.keep.push(Keep::NewPerson(person.clone()));
    Ok(draft)
}

async fn enter(app: &House, person: Person, chips: Postings, status: StatusCode) -> ApiResult<Entrance> {
    let (token, session) = new_session(person.id, Moment::now())?;
    let mut draft = joined(&person, person.id)?;
    draft.postings = chips;
    draft.keep.push(Keep::NewSession(session));
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

/// Plays at once, with play chips and no password.
#[utoipa::path(post, path = "/api/guests", tag = "people",
    responses((status = 201, body = Entered), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn guest(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
) -> ApiResult<Entrance> {
    app.limiter.entry(address)?;
    let mut person = new_person(String::new(), Role::Player, String::new())?;
    person.name = format!("guest-{:x}", person.id.0);
    person.guest = true;
    let chips = Postings::none().transfer(
        Account::new(Chips::Play, Holder::Outside),
        Account::player(Chips::Play, person.id),
        app.file.guest_chips,
    );
    enter(&app, person, chips, StatusCode::CREATED).await
}

#[derive(Deserialize, utoipa::ToSchema)]
pub struct Credentials {
    /// 3 to 24 letters, digits, `-`, `_` or `.`.
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// 8 to 128 characters.
    #[schema(min_length = 1, max_length = 128)]
    pub password: String,
}

pub(super) fn lawful_name(name: &str) -> ApiResult<()> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let lawful = (3..=24).contains(&name.len()) && name.bytes().all(plain);
    match lawful && !name.to_ascii_lowercase().starts_with("guest-") {
        true => Ok(()),
        false => Err(ApiError::bad(
            "name",
            "a name has 3 to 24 letters, digits, '-', '_' or '.', and is not a guest's",
        )),
    }
}

fn lawful_password(password: &str) -> ApiResult<()> {
    match (8..=128).contains(&password.chars().count()) && password.len() <= 512 {
        true => Ok(()),
        false => Err(ApiError::bad("password", "a password has 8 to 128 characters")),
    }
}

/// Joins as a player. Chips are bought at the cashier.
#[utoipa::path(post, path = "/api/people", tag = "people", request_body = Credentials,
    responses((status = 201, body = Entered), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
pub async fn sign_up(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    Body(asked): Body<Credentials>,
) -> ApiResult<Entrance> {
    app.limiter.entry(address)?;
    lawful_name(&asked.name)?;
    lawful_password(&asked.password)?;
    let secret = password::hash(asked.password).await.ok_or_else(ApiError::stopped)?;
    let person = new_person(asked.name, Role::Player, secret)?;
    enter(&app, person, Postings::none(), StatusCode::CREATED).await
}

/// Signs in. Every bad credential gets the same answer; three in a row lock the account for a quarter of an hour.
#[utoipa::path(post, path = "/api/sessions", tag = "people", request_body = Credentials,
    responses((status = 200, body = Entered), (status = 401, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub async fn sign_in(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    Body(asked): Body<Credentials>,
) -> ApiResult<Entrance> {
    app.limiter.entry(address)?;
    let name = asked.name.clone();
    let person = app.look(move |db| people::by_name(db, &name)).await?;
    let secret = person.as_ref().map(|p| p.secret.clone());
    let fits = password::verify(asked.password, secret).await;
    let now = Moment::now();
    let Some(person) = person else {
        app.metrics.sign_in_failures.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        return Err(ApiError::credentials());
    };
    if !fits || person.disabled || person.locked_until > now {
        failed(&app, &person, fits, now).await?;
        return Err(ApiError::credentials());
    }
    let (token, session) = new_session(person.id, now)?;
    let mut rows = vec![Keep::NewSession(session)];
    if person.failures > 0 {
        rows.push(Keep::Failures { person: person.id, failures: 0, locked_until: Moment(0) });
    }
    app.keep(rows).await?;
    let role = Role::from_name(&person.role).ok_or_else(ApiError::credentials)?;
    let must_change_password = password::is_one_time(&person.secret);
    let (id, guest) = (person.id.0, person.guest);
    let entered = Entered { person: id, name: person.name, role, guest, must_change_password, token };
    Ok(entrance(&app, StatusCode::OK, entered))
}

async fn failed(app: &House, person: &Person, fits: bool, now: Moment) -> ApiResult<()> {
    app.metrics.sign_in_failures.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    if fits || person.locked_until > now {
        return Ok(());
    }
    let failures = person.failures + 1;
    let locked = failures >= FAILURES;
    let locked_until = if locked { now.plus_ms(LOCKED_MS) } else { Moment(0) };
    let row = Keep::Failures { person: person.id, failures: if locked { 0 } else { failures }, locked_until };
    if !locked {
        return app.keep(vec![row]).await;
    }
    let mut draft =
        significant(person.id, "locked-out", json!({ "name": person.name, "failures": failures }))?;
    draft.keep.push(row);
    app.commit(draft).await?;
    Ok(())
}

/// Ends this session.
#[utoipa::path(delete, path = "/api/sessions/current", tag = "people",
    responses((status = 204), (status = 401, body = ErrorBody)))]
pub async fn sign_out(State(app): State<App>, me: Me) -> ApiResult<(StatusCode, HeaderMap)> {
    app.keep(vec![Keep::EndSession(me.session)]).await?;
    app.sessions.forget(me.id);
    let mut headers = HeaderMap::new();
    headers.insert(header::SET_COOKIE, clear_cookie());
    headers.insert("clear-site-data", HeaderValue::from_static("\"cache\""));
    Ok((StatusCode::NO_CONTENT, headers))
}

#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewPassword {
    #[schema(max_length = 128)]
    pub old: String,
    /// 8 to 128 characters.
    #[schema(min_length = 8, max_length = 128)]
    pub new: String,
}

/// Changes the password and ends all other sessions.
#[utoipa::path(put, path = "/api/me/password", tag = "people", request_body = NewPassword,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)))]
pub async fn change_password(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<NewPassword>,
) -> ApiResult<StatusCode> {
    lawful_password(&asked.new)?;
    let id = me.id;
    let person = app.look(move |db| people::by_id(db, id)).await?.ok_or_else(ApiError::credentials)?;
    if !password::verify(asked.old, Some(person.secret.clone())).await {
        failed(&app, &person, false, Moment::now()).await?;
        return Err(ApiError::credentials());
    }
    let secret = password::hash(asked.new).await.ok_or_else(ApiError::stopped)?;
    let session = app.read({
        let token = me.session;
        move |db| people::session(db, token)
    });
    let mut rows = vec![Keep::Secret { person: id, secret }, Keep::EndSessionsOf(id)];
    rows.extend(session.await?.map(Keep::NewSession));
    app.keep(rows).await?;
    app.sessions.forget(id);
    Ok(StatusCode::NO_CONTENT)
}

/// Makes the first supervisor when there is none, and answers the name and one-time password to print.
pub async fn first_supervisor(app: &House) -> ApiResult<Option<(String, String)>> {
    if app.read(|db| people::count_with_role(db, Role::Supervisor.name())).await? > 0 {
        return Ok(None);
    }
    let password = password::random_password().map_err(|_| ApiError::stopped())?;
    let secret = password::hash_once(password.clone()).await.ok_or_else(ApiError::stopped)?;
    let person = new_person("supervisor".into(), Role::Supervisor, secret)?;
    app.commit(joined(&person, PersonId::HOUSE)?).await?;
    Ok(Some((person.name, password)))
}
