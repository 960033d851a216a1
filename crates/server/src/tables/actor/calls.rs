//! A table calls the floor: who called and why, who comes, who was there, and how long each took. All of it is journalled
//! as significant, and none of it changes the play.

use super::asks::lawful_reason;
use super::{Acted, Actor, Ask, Shown};
use crate::app::significant;
use crate::calls::{Answered, Call, kept};
use crate::error::{ApiError, ApiResult};
use crate::tables::request::Request;
use crate::wire::Time;
use ledger::Moment;
use serde::Serialize;
use serde_json::{Value, json};

/// What everyone at the table may know of a call for the floor.
#[derive(Serialize)]
pub struct Called {
    by: String,
    at: Time,
    coming: Option<String>,
}

impl Actor {
    /// Returns the call that the table waits for.
    pub(super) fn called(&self) -> Option<Called> {
        let call = self.app.calls.of(self.live.fixed.id.0)?;
        let coming = call.answered.map(|answered| answered.name);
        Some(Called { by: call.caller, at: Time(Moment(call.at_ms)), coming })
    }

    pub(super) async fn call(&mut self, ask: &Ask) -> ApiResult<Acted> {
        ask.request.permitted(ask.who.role, self.live.fixed.dealing)?;
        let table = self.live.fixed.id.0;
        let open = self.app.calls.of(table);
        let nobody = || ApiError::refused("no-call", "no floor call is open at this table");
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
                let details = json!({ "reason": call.reason, "caller": call.caller });
                ("floor-called", Some(call), details)
            }
            Request::AnswerCall => {
                let mut call = open.ok_or_else(nobody)?;
                if let Some(answered) = &call.answered {
                    let message = format!("{} comes already", answered.name);
                    return Err(ApiError::refused("answered", message));
                }
                let after_ms = call.waited_ms();
                call.answered = Some(Answered { name: ask.who.name.clone(), after_ms });
                let details = json!({ "name": ask.who.name, "reason": call.reason, "after_ms": after_ms });
                ("floor-answered", Some(call), details)
            }
            _ => {
                let call = open.ok_or_else(nobody)?;
                let details =
                    json!({ "name": ask.who.name, "reason": call.reason, "after_ms": call.waited_ms() });
                ("floor-arrived", None, details)
            }
        };
        self.journal_call(ask, (what, details), call).await
    }

    async fn journal_call(
        &mut self,
        ask: &Ask,
        (what, mut details): (&str, Value),
        call: Option<Call>,
    ) -> ApiResult<Acted> {
        let table = self.live.fixed.id.0;
        details["table"] = table.into();
        details["round"] = self.live.round_no().0.into();
        let mut draft = significant(ask.who.id, what, details)?;
        (draft.command, draft.body) = (ask.id.clone(), self.digest(ask));
        draft.keep.push(kept(table, call.as_ref()));
        let receipt = self.app.commit(draft).await?;
        if !receipt.repeated {
            self.app.calls.set(table, call);
            self.publish(Shown::default());
        }
        Ok(Acted { seq: receipt.seq.0, version: self.version, repeated: receipt.repeated, balance: None })
    }
}
