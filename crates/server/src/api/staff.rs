//! The supervisor's people: who works here, in which role, and whose account is locked or disabled.

use super::Me;
use super::entry::{joined, lawful_name, new_person};
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::nodes::Try;
use crate::password;
use crate::role::Role;
use crate::second_factor;
use crate::wire::{Body, Path, Query, Time};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ledger::people::{self, Keep, Person};
use ledger::{Moment, PersonId};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, utoipa::ToSchema)]
pub struct PersonView {
    person: i64,
    name: String,
    role: String,
    guest: bool,
    disabled: bool,
    locked_until: Option<Time>,
    created: Time,
}

impl PersonView {
    fn of(app: &App, p: Person) -> PersonView {
        let now = app.ledger.now();
        let here = app.attempts.locked_for(&p.name).map(|left| now.plus_ms(left.as_millis() as i64));
        let locked_until = here.max(Some(p.locked_until)).filter(|until| *until > now);
        PersonView {
            person: p.id.0,
            name: p.name,
            role: p.role,
            guest: p.guest,
            disabled: p.disabled,
            locked_until: locked_until.map(Time),
            created: Time(p.created),
        }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Names after this one.
    #[serde(default)]
    after: String,
    /// Most entries, 1 to 500.
    #[serde(default)]
    limit: Option<i64>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct People {
    items: Vec<PersonView>,
    /// Ask with `after` set to this for what comes next.
    next: Option<String>,
}

/// Everyone the house knows, by name.
#[utoipa::path(get, path = "/api/staff/people", tag = "staff", params(ListQuery), responses((status = 200, body = People)))]
pub async fn list(State(app): State<App>, Query(query): Query<ListQuery>) -> ApiResult<Json<People>> {
    let limit = query.limit.unwrap_or(50).clamp(1, 500);
    let found = app.read(move |db| people::list(db, &query.after, limit)).await?;
    let next = found.last().filter(|_| found.len() as i64 >= limit).map(|p| p.name.clone());
    Ok(Json(People { items: found.into_iter().map(|p| PersonView::of(&app, p)).collect(), next }))
}

#[derive(Deserialize, utoipa::ToSchema)]
pub struct Hire {
    #[schema(max_length = 64)]
    name: String,
    role: Role,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct Hired {
    person: i64,
    name: String,
    role: Role,
    /// To be handed over; it must be changed at the first sign-in.
    one_time_password: String,
}

/// Makes an account with a role and a one-time password.
#[utoipa::path(post, path = "/api/staff/people", tag = "staff", request_body = Hire,
    responses((status = 201, body = Hired), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn hire(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<Hire>,
) -> ApiResult<(StatusCode, Json<Hired>)> {
    lawful_name(&asked.name)?;
    let (one_time_password, secret) = one_time().await?;
    let person = new_person(asked.name, asked.role, secret)?;
    app.commit(joined(&person, me.id)?).await?;
    let details = json!({ "person": person.id.0, "name": person.name, "role": person.role });
    app.significant(me.id, "account-made", details).await?;
    let hired = Hired { person: person.id.0, name: person.name, role: asked.role, one_time_password };
    Ok((StatusCode::CREATED, Json(hired)))
}

async fn one_time() -> ApiResult<(String, String)> {
    let password = password::random_password().map_err(|_| ApiError::stopped())?;
    let secret = password::hash_once(password.clone()).await?;
    Ok((password, secret))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[derive(Default)]
pub struct Change {
    role: Option<Role>,
    disabled: Option<bool>,
    /// Lifts a lock-out.
    unlock: bool,
    /// Takes the second factor away, for somebody who has lost it.
    remove_second_factor: bool,
    /// Makes a new one-time password.
    reset_password: bool,
    /// Why; kept with the record.
    #[schema(max_length = 500)]
    reason: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct Changed {
    person: PersonView,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_time_password: Option<String>,
}

/// Changes a person's role or state. What was and what is go into the significant events.
#[utoipa::path(patch, path = "/api/staff/people/{person}", tag = "staff", params(("person" = i64, Path)),
    request_body = Change,
    responses((status = 200, body = Changed), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn change(
    State(app): State<App>,
    me: Me,
    Path(person): Path<i64>,
    Body(asked): Body<Change>,
) -> ApiResult<Json<Changed>> {
    let id = PersonId(person);
    let before =
        app.read(move |db| people::by_id(db, id)).await?.ok_or_else(|| ApiError::missing("person"))?;
    if before.guest && (asked.role.is_some() || asked.reset_password) {
        return Err(ApiError::refused("guest", "guests have no role or password"));
    }
    if id == me.id && (asked.disabled == Some(true) || asked.role.is_some_and(|r| r != Role::Supervisor)) {
        return Err(ApiError::refused("own-account", "you cannot revoke your own access"));
    }
    let mut rows = Vec::new();
    // Whoever has another role, or none, comes in anew.
    if let Some(role) = asked.role.filter(|role| role.name() != before.role) {
        rows.push(Keep::Role { person: id, role: role.name().to_owned() });
        rows.push(Keep::EndSessionsOf(id));
    }
    if let Some(disabled) = asked.disabled {
        rows.push(Keep::Disabled { person: id, disabled });
        rows.extend(disabled.then_some(Keep::EndSessionsOf(id)));
    }
    if asked.unlock {
        rows.push(Keep::Failures { person: id, failures: 0, locked_until: Moment(0) });
    }
    let mut one_time_password = None;
    if asked.reset_password {
        let (password, secret) = one_time().await?;
        rows.push(Keep::Secret { person: id, secret });
        rows.push(Keep::EndSessionsOf(id));
        one_time_password = Some(password);
    }
    if asked.remove_second_factor {
        rows.push(second_factor::none(id));
        rows.push(Keep::EndSessionsOf(id));
    }
    let details = json!({
        "person": person,
        "before": { "role": before.role, "disabled": before.disabled },
        "after": { "role": asked.role, "disabled": asked.disabled },
        "unlock": asked.unlock, "reset_password": asked.reset_password,
        "remove_second_factor": asked.remove_second_factor,
        "reason": asked.reason.chars().take(500).collect::<String>(),
    });
    let mut draft = significant(me.id, "account-changed", details)?;
    draft.keep = rows;
    app.commit(draft).await?;
    if asked.unlock {
        app.attempts.unlock(&before.name);
        app.tell_of(Try::Unlocked(&before.name));
    }
    app.revoke(id);
    let after =
        app.read(move |db| people::by_id(db, id)).await?.ok_or_else(|| ApiError::missing("person"))?;
    Ok(Json(Changed { person: PersonView::of(&app, after), one_time_password }))
}
