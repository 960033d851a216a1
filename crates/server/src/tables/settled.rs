//! Makes refusals final, so that a client may repeat a request without fear that an earlier copy is still carried
//! out.
//!
//! A client that got no answer sends its request again, perhaps through another node, while the first copy may
//! still be on its way. So before a request is refused, a journal record takes the request's id: any copy that
//! arrives later finds that record and gets the same refusal. If a copy was carried out before, its outcome is
//! returned instead.

use super::{Acted, Ask, Request, TableHandle};
use crate::app::{App, recorded};
use crate::compliance::admit;
use crate::error::{ApiError, ApiResult, ErrorDetail};
use crate::wire::{body_digest, text_of};
use axum::http::StatusCode;
use ledger::{Digest, Draft, Fault, Receipt, Stream};
use rules::message;
use serde::{Deserialize, Serialize};

/// The kind of journal records that refuse a request.
pub const KIND_REFUSED: &str = "refused";

/// A refusal as its journal record stores it, to answer later copies of the same request.
#[derive(Serialize, Deserialize)]
struct Refusal {
    status: u16,
    error: ErrorDetail,
}

/// The journal's event for a refused request: the table, and the code of the reason.
#[derive(Serialize)]
struct RefusedRequest<'a> {
    table: u32,
    code: &'a str,
}

impl Ask {
    /// Returns the digest of the content of this request, which is the same for every copy of the request.
    pub(super) fn digest(&self, table: u32) -> Digest {
        body_digest(&format!("table {table}"), &self.request)
    }

    /// Returns the outcome of this request from its receipt; an error is the recorded refusal.
    pub(super) fn outcome(&self, receipt: &Receipt, version: u64) -> ApiResult<Acted> {
        // Only refusals have an answer; what was carried out follows from the record itself.
        if let Ok(Refusal { status, error }) = serde_json::from_slice(&receipt.answer) {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::CONFLICT);
            return Err(ApiError { status, detail: Box::new(error), recorded: true });
        }
        let purse = super::actor::seat(&self.who).purse();
        let balance = receipt.legs.iter().rev().find(|leg| leg.account == purse).map(|leg| leg.after);
        Ok(Acted { seq: receipt.seq.0, version, repeated: receipt.repeated, balance })
    }
}

/// Sends a client's request to a table, and returns its outcome.
///
/// An error with a status other than 429 and 503 is final: no copy of the request has been or will be carried out.
pub async fn ask(app: &App, table: &TableHandle, ask: Ask) -> ApiResult<Acted> {
    match admit(app, table, &ask).await {
        Ok(()) => ask_admitted(app, table, ask).await,
        Err(refusal) => refuse(app, table, &ask, refusal).await,
    }
}

/// Sends a request that the house has already admitted to a table, and returns its outcome.
///
/// Either this node admitted the request, or another node that forwarded it. The node that owns the table records
/// a refusal, because that node is near the database.
pub async fn ask_admitted(app: &App, table: &TableHandle, ask: Ask) -> ApiResult<Acted> {
    match table.ask(ask.clone()).await {
        Err(refusal) if !refusal.recorded => refuse(app, table, &ask, refusal).await,
        outcome => outcome,
    }
}

/// Records the refusal of a request, and returns the refusal, or the outcome that an earlier copy already has.
///
/// A refusal because the house is busy or stopped is returned without a record, so that the client may try again.
async fn refuse(app: &App, table: &TableHandle, ask: &Ask, refusal: ApiError) -> ApiResult<Acted> {
    let refusal = match refusal.status {
        // To deal early has no record that could tell whether it was done.
        StatusCode::SERVICE_UNAVAILABLE
            if refusal == ApiError::unknown() && !matches!(ask.request, Request::Deal) =>
        {
            ApiError::refused(message!(
                "not-carried-out",
                "no answer in time; the action was not carried out and will not be"
            ))
        }
        // Nothing was done now, and a repetition under the same id may be carried out.
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => return Err(refusal),
        _ => refusal,
    };
    let number = table.fixed.id.0;
    let mut draft = Draft::new(Stream::House, ask.who.id, ask.id.clone(), KIND_REFUSED);
    draft.body = ask.digest(number);
    draft.event = recorded(&RefusedRequest { table: number, code: &refusal.detail.code });
    let (status, error) = (refusal.status.as_u16(), (*refusal.detail).clone());
    draft.answer = text_of(&Refusal { status, error }).into_bytes();
    match app.commit(draft).await {
        // The first answer of the record, whether it is this one or an earlier one.
        Ok(receipt) => ask.outcome(&receipt, table.published.borrow().version),
        // Without the store nobody can tell what became of an earlier copy.
        Err(Fault::Store(_) | Fault::Unknown(_)) => Err(ApiError::unknown()),
        Err(denied) => Err(denied.into()),
    }
}
