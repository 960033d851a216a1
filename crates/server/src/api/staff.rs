//! Staff management for supervisors: who works here, in which role, and whose account is locked or disabled.

use super::Me;
use super::entry::{joined, lawful_name, new_person};
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult, ErrorBody, NO_PERSON};
use crate::nodes::LoginOutcome;
use crate::password;
use crate::role::Role;
use crate::second_factor;
use crate::second_person::{self, PendingView, RequestedAction};
use crate::wire::{Body, Path, Query, Time, time_text};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use ledger::people::{self, Person, RowChange};
use ledger::{Denied, Draft, Moment, PersonId};
use rules::message;
use serde::{Deserialize, Serialize};

/// A person's account, as shown to supervisors.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PersonView {
    /// The person's number.
    person: i64,
    /// The name that the person signs in with.
    name: String,
    /// The person's role.
    role: String,
    /// Whether the person is a guest, who has play chips only.
    guest: bool,
    /// Whether the account is disabled.
    disabled: bool,
    /// The time until which signing in is locked, or null if signing in is not locked.
    locked_until: Option<Time>,
    /// The time at which the account was created.
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
    /// The value of `next` on the previous page; only later names are listed.
    #[serde(default)]
    after: String,
    /// Maximum number of accounts, 1 to 500. Default: 50.
    #[serde(default)]
    limit: Option<i64>,
}

/// A page of the account list.
#[derive(Serialize, utoipa::ToSchema)]
pub struct People {
    /// The accounts on this page.
    items: Vec<PersonView>,
    /// The value of `after` for the next page, or null on the last page.
    next: Option<String>,
}

/// Returns a page of all accounts, sorted by name.
#[utoipa::path(get, path = "/api/staff/people", tag = "staff", params(ListQuery), responses((status = 200, body = People)))]
pub async fn list(State(app): State<App>, Query(query): Query<ListQuery>) -> ApiResult<Json<People>> {
    let limit = query.limit.unwrap_or(50).clamp(1, 500);
    let found = app.read(move |db| people::list(db, &query.after, limit)).await?;
    let next = found.last().filter(|_| found.len() as i64 >= limit).map(|p| p.name.clone());
    Ok(Json(People { items: found.into_iter().map(|p| PersonView::of(&app, p)).collect(), next }))
}

/// A staff account to create.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Hire {
    /// The name that the person signs in with.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// The role of the new account.
    role: Role,
}

/// A new staff account with its one-time password.
#[derive(Serialize, utoipa::ToSchema)]
pub struct NewAccount {
    /// The number of the new person.
    person: i64,
    /// The name that the person signs in with.
    name: String,
    /// The role of the new account.
    role: Role,
    /// The one-time password to hand over, which must be changed at the first sign-in.
    one_time_password: String,
}

/// Creates an account with a role and a one-time password.
///
/// If the house requires a second person for new accounts, the request waits for one.
#[utoipa::path(post, path = "/api/staff/people", tag = "staff", request_body = Hire,
    responses((status = 201, body = NewAccount), (status = 202, body = PendingView), (status = 400, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn hire(State(app): State<App>, me: Me, Body(asked): Body<Hire>) -> ApiResult<Response> {
    lawful_name(&asked.name)?;
    if app.file.second_person.for_accounts() {
        let name = asked.name.clone();
        if app.read(move |db| people::by_name(db, &name)).await?.is_some() {
            return Err(ApiError::refused(Denied::NameTaken.message(time_text)));
        }
        return waiting(&app, &me, asked.name, RequestedAction::Hire { role: asked.role }).await;
    }
    let Hiring { person, joined, event, one_time_password } = hiring(me.id, asked.name, asked.role).await?;
    app.commit(joined).await?;
    app.commit(event).await?;
    let hired = NewAccount { person: person.id.0, name: person.name, role: asked.role, one_time_password };
    Ok((StatusCode::CREATED, Json(hired)).into_response())
}

/// A new account that is not stored yet: the person, the drafts of its records, and the one-time password to hand
/// over.
pub(super) struct Hiring {
    pub person: Person,
    pub joined: Draft,
    pub event: Draft,
    pub one_time_password: String,
}

/// A new account, as stored in the journal.
#[derive(Serialize)]
struct AccountMade<'a> {
    person: i64,
    name: &'a str,
    role: &'a str,
}

/// A change to an account, as stored in the journal.
#[derive(Serialize)]
struct AccountChanged<'a> {
    person: i64,
    before: Standing<&'a str, bool>,
    after: Standing<Option<Role>, Option<bool>>,
    unlock: bool,
    reset_password: bool,
    remove_second_factor: bool,
    reason: &'a str,
}

/// The role of an account, and whether the account is disabled, before or after a change.
#[derive(Serialize)]
struct Standing<R, D> {
    role: R,
    disabled: D,
}

/// Returns a new account that is not stored yet, with the drafts of its journal records and its one-time password.
pub(super) async fn hiring(by: PersonId, name: String, role: Role) -> ApiResult<Hiring> {
    let (one_time_password, secret) = one_time().await?;
    let person = new_person(name, role, secret)?;
    let details = AccountMade { person: person.id.0, name: &person.name, role: &person.role };
    let (joined, event) = (joined(&person, by)?, significant(by, "account-made", details)?);
    Ok(Hiring { person, joined, event, one_time_password })
}

/// Records a request that needs a second person, and returns the pending request as the response.
async fn waiting(app: &App, me: &Me, name: String, asked: RequestedAction) -> ApiResult<Response> {
    let receipt = app.commit(second_person::request(app, me, name, asked)?).await?;
    let request = String::from_utf8_lossy(&receipt.answer).into_owned();
    let view = second_person::find(app, &request).await?.view(&request, me.id);
    Ok((StatusCode::ACCEPTED, Json(view)).into_response())
}

async fn one_time() -> ApiResult<(String, String)> {
    let password = password::random_password().map_err(|_| ApiError::stopped())?;
    let secret = password::hash_once(password.clone()).await?;
    Ok((password, secret))
}

/// A request to change an account; fields that are absent change nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Change {
    /// The new role, or null to keep the role.
    pub role: Option<Role>,
    /// Whether to disable (true) or enable (false) the account, or null for no change.
    pub disabled: Option<bool>,
    /// Whether to unlock the account.
    pub unlock: bool,
    /// Whether to remove the second factor of a person who has lost it.
    pub remove_second_factor: bool,
    /// Whether to create a new one-time password.
    pub reset_password: bool,
    /// The reason for the change, stored with its record.
    #[schema(max_length = 500)]
    pub reason: String,
}

/// A staff account after a change.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Changed {
    /// The person's account after the change.
    person: PersonView,
    /// The new one-time password, which must be changed at the first sign-in; absent if the change creates none.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_time_password: Option<String>,
}

/// Changes a person's role or account state.
///
/// The old and the new state are recorded as a significant event. A new role, a new password, the removal of a
/// second factor and the enabling of an account wait for a second person if the house requires one.
#[utoipa::path(patch, path = "/api/staff/people/{person}", tag = "staff", params(("person" = i64, Path)),
    request_body = Change,
    responses((status = 200, body = Changed), (status = 202, body = PendingView), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn change(
    State(app): State<App>,
    me: Me,
    Path(person): Path<i64>,
    Body(mut asked): Body<Change>,
) -> ApiResult<Response> {
    let id = PersonId(person);
    asked.reason = asked.reason.chars().take(500).collect();
    let before = lawful_change(&app, me.id, id, &asked).await?;
    let new_role = asked.role.is_some_and(|role| role.name() != before.role);
    // Whoever could enable a dismissed supervisor's account alone could act as the second person too. The account
    // may be disabled only after `before` was read, so every enabling waits.
    let enables = asked.disabled == Some(false);
    let guarded = new_role || enables || asked.reset_password || asked.remove_second_factor;
    if guarded && app.file.second_person.for_accounts() {
        return waiting(&app, &me, before.name, RequestedAction::ChangeAccount { person, change: asked })
            .await;
    }
    let changing = changing(&app, me.id, id, &asked).await?;
    app.commit(changing.draft.clone()).await?;
    changing.has_changed(&app);
    let after = known(&app, id).await?;
    let one_time_password = changing.one_time_password;
    Ok(Json(Changed { person: PersonView::of(&app, after), one_time_password }).into_response())
}

async fn known(app: &App, id: PersonId) -> ApiResult<Person> {
    app.read(move |db| people::by_id(db, id)).await?.ok_or_else(|| ApiError::missing(NO_PERSON))
}

/// Returns the account before the change, or an error if `by` may not change the account in this way.
async fn lawful_change(app: &App, by: PersonId, id: PersonId, asked: &Change) -> ApiResult<Person> {
    let before = known(app, id).await?;
    if before.guest && (asked.role.is_some() || asked.reset_password) {
        return Err(ApiError::refused(message!("guest-no-role", "guests have no role or password")));
    }
    if id == by && (asked.disabled == Some(true) || asked.role.is_some_and(|r| r != Role::Supervisor)) {
        return Err(ApiError::refused(message!("own-account", "you cannot revoke your own access")));
    }
    Ok(before)
}

/// A change to an account: the account before the change, the draft of the record, and the new one-time password
/// if the change creates one.
pub(super) struct Changing {
    before: Person,
    unlock: bool,
    pub draft: Draft,
    pub one_time_password: Option<String>,
}

/// Returns the change to an account with the draft of its record, or an error if `by` may not make the change.
pub(super) async fn changing(app: &App, by: PersonId, id: PersonId, asked: &Change) -> ApiResult<Changing> {
    let before = lawful_change(app, by, id, asked).await?;
    let mut rows = Vec::new();
    // A change of role, or a disabled account, ends the person's sessions.
    if let Some(role) = asked.role.filter(|role| role.name() != before.role) {
        rows.push(RowChange::Role { person: id, role: role.name().to_owned() });
        rows.push(RowChange::EndSessionsOf(id));
    }
    if let Some(disabled) = asked.disabled {
        rows.push(RowChange::Disabled { person: id, disabled });
        rows.extend(disabled.then_some(RowChange::EndSessionsOf(id)));
    }
    if asked.unlock {
        rows.push(RowChange::Failures { person: id, failures: 0, locked_until: Moment(0) });
    }
    let mut one_time_password = None;
    if asked.reset_password {
        let (password, secret) = one_time().await?;
        rows.push(RowChange::Secret { person: id, secret });
        rows.push(RowChange::EndSessionsOf(id));
        one_time_password = Some(password);
    }
    if asked.remove_second_factor {
        rows.push(second_factor::none(id));
        rows.push(RowChange::EndSessionsOf(id));
    }
    let details = AccountChanged {
        person: id.0,
        before: Standing { role: &before.role, disabled: before.disabled },
        after: Standing { role: asked.role, disabled: asked.disabled },
        unlock: asked.unlock,
        reset_password: asked.reset_password,
        remove_second_factor: asked.remove_second_factor,
        reason: &asked.reason,
    };
    let mut draft = significant(by, "account-changed", details)?;
    draft.row_changes = rows;
    Ok(Changing { before, unlock: asked.unlock, draft, one_time_password })
}

impl Changing {
    /// Makes the stored change take effect: rechecks the person's sessions, and lifts the sign-in lock if
    /// requested.
    pub(super) fn has_changed(&self, app: &App) {
        if self.unlock {
            app.attempts.unlock(&self.before.name);
            app.share_login_outcome(LoginOutcome::Unlocked(&self.before.name));
        }
        app.revoke(self.before.id);
    }
}
