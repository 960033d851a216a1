//! The floor calls of a table: who called and why, who came, and how long each call took.
//!
//! Every step of a call is journaled as a significant event. No step changes the game.

use super::asks::lawful_reason;
use super::{Acted, Actor, Ask, ViewExtras};
use crate::app::significant;
use crate::calls::{Answered, Call, to_setting};
use crate::error::{ApiError, ApiResult};
use crate::tables::request::Request;
use crate::wire::Time;
use ledger::Moment;
use rules::message;
use serde::Serialize;

/// A table's open floor call, with the supervisor on the way.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = CallView)]
pub struct Called {
    /// The name of the person who called the floor.
    by: String,
    /// The time of the call.
    at: Time,
    /// The name of the floor supervisor on the way; null until the call is answered.
    #[schema(required)]
    coming: Option<String>,
}

/// The details of a significant event of a floor call: who called, or who answered or came and after how long.
#[derive(Default, Serialize)]
struct CallDetails {
    table: u32,
    round: i64,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    caller: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after_ms: Option<i64>,
}

impl Actor {
    fn details(&self, call: &Call) -> CallDetails {
        let (table, round) = (self.live.fixed.id.0, self.live.round_no().0);
        CallDetails { table, round, reason: call.reason.clone(), ..CallDetails::default() }
    }

    /// Returns the table's open floor call, or `None` if no call is open.
    pub(super) fn called(&self) -> Option<Called> {
        let call = self.app.calls.of(self.live.fixed.id.0)?;
        let coming = call.answered.map(|answered| answered.name);
        Some(Called { by: call.caller, at: Time(Moment(call.at_ms)), coming })
    }

    pub(super) async fn call(&mut self, ask: &Ask) -> ApiResult<Acted> {
        ask.request.permitted(ask.who.role, self.live.fixed.dealing)?;
        let table = self.live.fixed.id.0;
        let open = self.app.calls.of(table);
        let nobody = || ApiError::refused(message!("no-call", "no floor call is open at this table"));
        let (what, call, details) = match &ask.request {
            Request::CallFloor { reason } => {
                let call = Call {
                    table,
                    table_name: self.name.clone(),
                    round: self.live.round_no().0,
                    reason: lawful_reason(reason)?,
                    caller: ask.who.name.clone(),
                    at_ms: Moment::now().0,
                    answered: None,
                };
                let details = CallDetails { caller: Some(call.caller.clone()), ..self.details(&call) };
                ("floor-called", Some(call), details)
            }
            Request::AnswerCall => {
                let mut call = open.ok_or_else(nobody)?;
                if let Some(answered) = &call.answered {
                    return Err(ApiError::refused(message!(
                        "answered",
                        "{name} is already on the way",
                        name = answered.name
                    )));
                }
                let after_ms = call.waited_ms();
                call.answered = Some(Answered { name: ask.who.name.clone(), after_ms });
                let name = Some(ask.who.name.clone());
                let details = CallDetails { name, after_ms: Some(after_ms), ..self.details(&call) };
                ("floor-answered", Some(call), details)
            }
            _ => {
                let call = open.ok_or_else(nobody)?;
                let (name, after_ms) = (Some(ask.who.name.clone()), Some(call.waited_ms()));
                let details = CallDetails { name, after_ms, ..self.details(&call) };
                ("floor-arrived", None, details)
            }
        };
        self.journal_call(ask, what, details, call).await
    }

    async fn journal_call(
        &mut self,
        ask: &Ask,
        what: &str,
        details: CallDetails,
        call: Option<Call>,
    ) -> ApiResult<Acted> {
        let table = self.live.fixed.id.0;
        let mut draft = significant(ask.who.id, what, details)?;
        (draft.command, draft.body) = (ask.id.clone(), ask.digest(table));
        draft.row_changes.push(to_setting(table, call.as_ref()));
        let receipt = self.app.commit(draft).await?;
        if !receipt.repeated {
            self.app.calls.set(table, call);
            self.publish(ViewExtras::default());
        }
        ask.outcome(&receipt, self.version)
    }
}
