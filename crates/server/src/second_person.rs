//! The second person: some requests of staff wait until another member of staff approves or declines them.
//!
//! The house file says which requests wait. A request is stored as a significant event and a setting. The command
//! that decides the request is recorded under the requester's name, with an id made from the request's id, so that
//! each request is decided only once, whoever decides it.

use crate::api::{Change, Me};
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult};
use crate::role::Role;
use crate::wire::{Money, Time, text_of};
use ledger::people::{self, RowChange};
use ledger::{Cents, CommandId, Draft, Moment, PersonId};
use rules::message;
use serde::{Deserialize, Serialize};

/// Which requests need a second person, and how long they wait. By default, none do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondPerson {
    /// The amount above which a buy-in or cash-out needs a second person, or `None` if no amount does.
    pub cage_above: Option<Cents>,
    pub accounts: AccountChanges,
    /// How long a request waits for its decision, in milliseconds.
    pub within_ms: i64,
}

/// Whether changes of accounts need a second person.
///
/// These changes are to hire staff, change a role, enable an account, make a new password, and remove a second
/// factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccountChanges {
    /// A supervisor may change accounts alone.
    Alone,
    /// A supervisor may change accounts only with the approval of another.
    Approved,
}

impl SecondPerson {
    pub fn for_cage_order(&self, amount: Cents) -> bool {
        self.cage_above.is_some_and(|most| amount > most)
    }

    pub fn for_accounts(&self) -> bool {
        self.accounts == AccountChanges::Approved
    }
}

/// The action that a request asks a second person to approve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum RequestedAction {
    BuyIn { patron: i64, amount: Money },
    CashOut { patron: i64, amount: Money },
    Hire { role: Role },
    ChangeAccount { person: i64, change: Change },
}

impl RequestedAction {
    pub fn word(&self) -> &'static str {
        match self {
            RequestedAction::BuyIn { .. } => "buy-in",
            RequestedAction::CashOut { .. } => "cash-out",
            RequestedAction::Hire { .. } => "hire",
            RequestedAction::ChangeAccount { .. } => "change-account",
        }
    }

    /// Returns whether a person with this role may approve or decline the action.
    pub fn is_for(&self, role: Role) -> bool {
        match self {
            RequestedAction::BuyIn { .. } | RequestedAction::CashOut { .. } => {
                matches!(role, Role::Cashier | Role::Supervisor)
            }
            RequestedAction::Hire { .. } | RequestedAction::ChangeAccount { .. } => role == Role::Supervisor,
        }
    }

    /// Returns the role that a person needs to ask for the action.
    fn of(&self) -> Role {
        match self {
            RequestedAction::BuyIn { .. } | RequestedAction::CashOut { .. } => Role::Cashier,
            RequestedAction::Hire { .. } | RequestedAction::ChangeAccount { .. } => Role::Supervisor,
        }
    }
}

/// A request that waits for a second person, as the settings store it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    pub by: i64,
    pub by_name: String,
    /// The name of the person that the request is about: the patron, new staff member or account holder.
    pub name: String,
    pub at_ms: i64,
    pub expires_ms: i64,
    pub asked: RequestedAction,
}

/// A request that waits for a second person, as the people who may decide it see it.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PendingView {
    /// The id of the request.
    request: String,
    /// What the request asks for: `buy-in`, `cash-out`, `hire` or `change-account`.
    action: &'static str,
    /// The name of the person who made the request.
    by: String,
    /// Whether the caller made the request, and can therefore only withdraw it.
    mine: bool,
    /// The time of the request.
    at: Time,
    /// The time at which the request expires, unless it is decided before.
    expires: Time,
    /// The name of the person that the request is about: the patron, new staff member or account holder.
    name: String,
    /// The amount of a cage order, or absent for another request.
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<Money>,
    /// The new role, if the request asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    /// Whether to disable the account (true) or enable it (false); absent if the request changes neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled: Option<bool>,
    /// Whether to unlock sign-in to the account.
    unlock: bool,
    /// Whether to make a new one-time password.
    reset_password: bool,
    /// Whether to remove the person's second factor.
    remove_second_factor: bool,
    /// The reason for the request.
    reason: String,
}

impl Pending {
    fn new(app: &App, me: &Me, name: String, asked: RequestedAction) -> Pending {
        let now = app.ledger.now();
        let expires_ms = now.plus_ms(app.file.second_person.within_ms).0;
        Pending { by: me.id.0, by_name: me.name.clone(), name, at_ms: now.0, expires_ms, asked }
    }

    pub fn has_expired(&self, now: Moment) -> bool {
        self.expires_ms <= now.0
    }

    pub fn view(&self, request: &str, me: PersonId) -> PendingView {
        let (amount, change, hired) = match &self.asked {
            RequestedAction::BuyIn { amount, .. } | RequestedAction::CashOut { amount, .. } => {
                (Some(*amount), None, None)
            }
            RequestedAction::Hire { role } => (None, None, Some(*role)),
            RequestedAction::ChangeAccount { change, .. } => (None, Some(change.clone()), None),
        };
        let change = change.unwrap_or_default();
        PendingView {
            request: request.to_owned(),
            action: self.asked.word(),
            by: self.by_name.clone(),
            mine: self.by == me.0,
            at: Time(Moment(self.at_ms)),
            expires: Time(Moment(self.expires_ms)),
            name: self.name.clone(),
            amount,
            role: hired.or(change.role),
            disabled: change.disabled,
            unlock: change.unlock,
            reset_password: change.reset_password,
            remove_second_factor: change.remove_second_factor,
            reason: change.reason,
        }
    }
}

/// The prefix of the names of the settings that store the requests.
///
/// Once a request is decided, its setting is empty.
const SETTING: &str = "request/";

/// Returns the setting that stores a request, or that marks it as decided if `pending` is `None`.
fn to_setting(request: &str, pending: Option<&Pending>) -> RowChange {
    let value = pending.map(|pending| text_of(pending).into_bytes()).unwrap_or_default();
    RowChange::Setting { name: format!("{SETTING}{request}"), value }
}

/// Returns the id of the command that decides a request, made from the id of the request.
fn decision(request: &str) -> ApiResult<CommandId> {
    CommandId::own(&format!("request-{request}")).ok_or_else(ApiError::stopped)
}

/// Returns the draft of the significant event that makes a request.
///
/// The answer stored with the record is the id of the request.
pub fn request(app: &App, me: &Me, name: String, asked: RequestedAction) -> ApiResult<Draft> {
    let pending = Pending::new(app, me, name, asked);
    let mut bytes = [0u8; 8];
    ledger::world::fill_random(&mut bytes).map_err(|_| ApiError::stopped())?;
    let request = ledger::keys::hex(&bytes);
    let mut draft = significant(me.id, "request-made", event_details(&request, &pending))?;
    draft.row_changes.push(to_setting(&request, Some(&pending)));
    draft.answer = request.into_bytes();
    Ok(draft)
}

/// Returns the details of a significant event about a request: the action, the request's id and the name.
fn event_details(request: &str, pending: &Pending) -> serde_json::Value {
    let mut details = serde_json::to_value(&pending.asked).unwrap_or_default();
    (details["request"], details["name"]) = (request.into(), pending.name.as_str().into());
    details
}

/// Returns the open requests that the person may decide or withdraw, oldest first.
pub async fn open(app: &App, me: &Me) -> ApiResult<Vec<PendingView>> {
    let now = app.ledger.now();
    let mut found: Vec<(String, Pending)> = app
        .read(|db| people::settings(db, SETTING))
        .await?
        .into_iter()
        .filter_map(|(request, value)| Some((request, serde_json::from_slice(&value).ok()?)))
        .filter(|(_, pending): &(_, Pending)| !pending.has_expired(now) && pending.asked.is_for(me.role))
        .collect();
    found.sort_by_key(|(_, pending)| pending.at_ms);
    Ok(found.iter().map(|(request, pending)| pending.view(request, me.id)).collect())
}

/// Returns the open request with this id, or an error if there is none, or if it is decided or has expired.
pub async fn find(app: &App, request: &str) -> ApiResult<Pending> {
    let name = format!("{SETTING}{request}");
    let found = app.read(move |db| people::setting(db, &name)).await?;
    let missing = || ApiError::missing(message!("no-such-request", "no such request"));
    let value = found.ok_or_else(missing)?;
    if value.is_empty() {
        return Err(decided());
    }
    let pending: Pending = serde_json::from_slice(&value).map_err(|_| missing())?;
    match pending.has_expired(app.ledger.now()) {
        true => Err(ApiError::refused(message!("request-expired", "the request has expired; make it again"))),
        false => Ok(pending),
    }
}

pub fn decided() -> ApiError {
    ApiError::refused(message!("request-decided", "the request has been decided already"))
}

/// Checks that the person may approve the request.
///
/// Returns an error if the same person made the request, or if the requester may no longer ask for the action.
pub async fn may_approve(app: &App, me: &Me, pending: &Pending) -> ApiResult<()> {
    if pending.by == me.id.0 {
        return Err(ApiError::refused(message!(
            "second-person",
            "another person must approve this; you can only withdraw it"
        )));
    }
    let by = PersonId(pending.by);
    let requester = app.read(move |db| people::by_id(db, by)).await?;
    let role = pending.asked.of().name();
    match requester.is_some_and(|person| !person.disabled && person.role == role) {
        true => Ok(()),
        false => Err(ApiError::refused(message!(
            "requester-gone",
            "{name} may no longer ask for this; decline the request",
            name = pending.by_name
        ))),
    }
}

/// Returns `draft`, the draft of the requested action, changed so that it also decides the request.
///
/// It is recorded under the name of the requester `by`, with the id of the deciding command.
pub fn execution(mut draft: Draft, request: &str, by: PersonId) -> ApiResult<Draft> {
    draft.person = by;
    draft.command = decision(request)?;
    draft.row_changes.push(to_setting(request, None));
    Ok(draft)
}

/// Returns the draft of the significant event that `me` approved the request.
///
/// The event is recorded after the requested action is carried out.
pub fn approved(me: PersonId, request: &str, pending: &Pending) -> ApiResult<Draft> {
    let mut details = event_details(request, pending);
    (details["person"], details["by"]) = (pending.by.into(), pending.by_name.as_str().into());
    significant(me, "request-approved", details)
}

/// Returns the draft of the significant event that the request is declined, which also decides the request.
///
/// The event is recorded under the requester's name, like the requested action would be.
pub fn declined(me: &Me, request: &str, pending: &Pending, reason: &str) -> ApiResult<Draft> {
    let mut details = event_details(request, pending);
    (details["person"], details["by"]) = (me.id.0.into(), me.name.as_str().into());
    details["reason"] = reason.chars().take(500).collect::<String>().into();
    let draft = significant(PersonId(pending.by), "request-declined", details)?;
    execution(draft, request, PersonId(pending.by))
}

/// Returns the record of the command that decided a request, or `None` if the request is undecided.
///
/// `by` is the requester.
pub async fn record_of(app: &App, by: PersonId, request: &str) -> ApiResult<Option<ledger::Record>> {
    let command = decision(request)?;
    app.read(move |db| ledger::journal::record_of_command(db, by, &command)).await
}
