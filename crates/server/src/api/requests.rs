//! Requests that need a second person: the open requests, and their approval or refusal by another person.

use super::Me;
use super::{cashier, staff};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::second_person::{self, Pending, PendingView, RequestedAction};
use crate::wire::{Body, Path};
use axum::Json;
use axum::extract::State;
use ledger::{Denied, Draft, Fault, PersonId, Receipt};
use serde::{Deserialize, Serialize};

/// Returns the undecided requests that the caller made or may decide, oldest first.
#[utoipa::path(get, path = "/api/staff/requests", tag = "staff", operation_id = "requests",
    responses((status = 200, body = Vec<PendingView>)))]
pub async fn open(State(app): State<App>, me: Me) -> ApiResult<Json<Vec<PendingView>>> {
    Ok(Json(second_person::open(&app, &me).await?))
}

/// The decision on a request: approved or declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = RequestVerdict)]
#[serde(rename_all = "kebab-case")]
pub enum DecisionKind {
    Approve,
    Decline,
}

/// A second person's decision on a request, with a reason.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct Decision {
    /// Whether the request is approved or declined.
    decision: DecisionKind,
    /// The reason for declining the request, stored with the record.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: String,
}

/// The outcome of a decided request.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Decided {
    /// The number of the journal record that carried out or declined the request.
    seq: i64,
    /// Whether the request was approved or declined.
    decision: DecisionKind,
    /// The name of the person that the request was about.
    name: String,
    /// The one-time password that the approver hands over, or absent if the request creates none.
    ///
    /// The person must change it at the first sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_time_password: Option<String>,
}

/// Approves or declines another person's request.
///
/// An approved request is carried out in the requester's name.
///
/// The requester can withdraw the request by declining it.
#[utoipa::path(post, path = "/api/staff/requests/{request}/decision", tag = "staff", operation_id = "decide_request",
    params(("request" = String, Path)), request_body = Decision,
    responses((status = 200, body = Decided), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn decide(
    State(app): State<App>,
    me: Me,
    Path(request): Path<String>,
    Body(asked): Body<Decision>,
) -> ApiResult<Json<Decided>> {
    let pending = second_person::find(&app, &request).await?;
    if !pending.asked.is_for(me.role) {
        return Err(ApiError::role());
    }
    let (receipt, one_time_password) = match asked.decision {
        DecisionKind::Approve => approve(&app, &me, &request, &pending).await?,
        DecisionKind::Decline => {
            let draft = second_person::declined(&me, &request, &pending, &asked.reason)?;
            (only_once(app.commit(draft).await)?, None)
        }
    };
    let (seq, name) = (receipt.seq.0, pending.name);
    Ok(Json(Decided { seq, decision: asked.decision, name, one_time_password }))
}

/// Approves a request: carries it out, and returns its receipt and the one-time password if the request creates
/// one.
///
/// The record names the requester and the approver.
async fn approve(
    app: &App,
    me: &Me,
    request: &str,
    pending: &Pending,
) -> ApiResult<(Receipt, Option<String>)> {
    second_person::may_approve(app, me, pending).await?;
    let by = PersonId(pending.by);
    let event = second_person::approved(me.id, request, pending)?;
    let execute = async |draft: Draft, more: Vec<Draft>| {
        let chain = [vec![second_person::execution(draft, request, by)?], more, vec![event]].concat();
        let first = app.commit_chain(chain).await.into_iter().next();
        only_once(first.unwrap_or(Err(Fault::Denied(Denied::Behind))))
    };
    match &pending.asked {
        RequestedAction::BuyIn { patron, amount } | RequestedAction::CashOut { patron, amount } => {
            let direction = cashier::Direction::of(&pending.asked);
            let draft = cashier::draft(direction, by, PersonId(*patron), amount.0)?;
            let receipt = execute(draft, Vec::new()).await?;
            app.sessions.forget(PersonId(*patron));
            let whose = (by, PersonId(*patron));
            cashier::tell_if_large(app, direction, whose, (amount.0, receipt.seq)).await?;
            Ok((receipt, None))
        }
        RequestedAction::Hire { role } => {
            let hired = staff::hiring(by, pending.name.clone(), *role).await?;
            let receipt = execute(hired.joined, vec![hired.event]).await?;
            Ok((receipt, Some(hired.one_time_password)))
        }
        RequestedAction::ChangeAccount { person, change } => {
            let changing = staff::changing(app, by, PersonId(*person), change).await?;
            let receipt = execute(changing.draft.clone(), Vec::new()).await?;
            changing.has_changed(app);
            Ok((receipt, changing.one_time_password))
        }
    }
}

/// Returns the receipt of a decision, or an error if the request was already decided.
fn only_once(outcome: Result<Receipt, Fault>) -> ApiResult<Receipt> {
    match outcome {
        Ok(receipt) if !receipt.repeated => Ok(receipt),
        Ok(_) | Err(Fault::Denied(Denied::OtherBody)) => Err(second_person::decided()),
        Err(fault) => Err(fault.into()),
    }
}
