//! Errors in one format: `{"error":{"code","message","params"?,"field"?,"clause"?}}`.
//!
//! Every error that the house sends has this format.

use crate::wire::time_text;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ledger::{DbError, Denied, Fault};
use rules::lawful::Report;
use rules::message::{Fixed, Message};
use rules::odds::NotAnAmount;
use rules::{message, play::Refusal};
use serde::{Deserialize, Serialize};
use sim::count::SYSTEMS;
use std::collections::BTreeMap;

pub const NO_TABLE: Fixed = message!("no-such-table", "no such table");
pub const NO_PERSON: Fixed = message!("no-such-person", "no such person");
pub const NO_PATRON: Fixed = message!("no-such-patron", "no such patron");
pub const NO_ROUND: Fixed = message!("no-such-round", "no such finished round");

/// The body of an error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct ErrorBody {
    /// The error, with its code and sentence.
    pub error: ErrorDetail,
}

/// An error: its code, one sentence, and the clause if the regulation is the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ErrorDetail {
    /// The code of the error, such as `not-enough-chips`.
    ///
    /// Every sentence has its own code.
    pub code: String,
    /// The error in one clear sentence for people, in English.
    pub message: String,
    /// The parameters of the sentence, for its translation into another language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// The field of the request that is wrong, or absent if the error is not about a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The clause of the regulation that is the reason for the error, or absent if no clause is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    pub status: StatusCode,
    /// The body of the error, on the heap so that successful results are small.
    pub detail: Box<ErrorDetail>,
    /// Whether the journal records this refusal, under the command's id.
    pub recorded: bool,
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ErrorDetail {
    pub fn of(message: impl Into<Message>) -> ErrorDetail {
        let Message { code, text, params } = message.into();
        let params = params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let (code, message) = (code.to_owned(), text.into_owned());
        ErrorDetail { code, message, params, field: None, clause: None }
    }

    /// Replaces the English sentence with a more detailed one.
    ///
    /// Translations still use the code and the parameters of the original sentence.
    pub fn in_english(mut self, words: impl Into<String>) -> ErrorDetail {
        self.message = words.into();
        self
    }
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<Message>) -> ApiError {
        ApiError { status, detail: Box::new(ErrorDetail::of(message)), recorded: false }
    }

    /// Replaces the English sentence with a more detailed one.
    ///
    /// Translations still use the code and the parameters of the original sentence.
    pub fn in_english(mut self, words: impl Into<String>) -> ApiError {
        self.detail.message = words.into();
        self
    }

    /// Returns the error for invalid content in a field of a well-formed request.
    pub fn bad(field: &str, message: impl Into<Message>) -> ApiError {
        let mut error = ApiError::new(StatusCode::BAD_REQUEST, message);
        error.detail.field = Some(field.to_owned());
        error
    }

    /// Returns the error for a valid request that the house refuses.
    pub fn refused(message: impl Into<Message>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    pub fn missing(message: Fixed) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    pub fn unopened_shoe(table: u32, shoe: i64) -> ApiError {
        let why = message!(
            "not-opened",
            "the order of shoe {shoe} of table {table} is not public yet: it is published when the shoe's last round \
             is settled",
            shoe,
            table
        );
        ApiError::new(StatusCode::NOT_FOUND, why)
    }

    pub fn sign_in() -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, message!("sign-in", "sign in first"))
    }

    /// Returns the error for bad credentials, which does not tell whether the name, the password or the code was
    /// wrong.
    pub fn credentials() -> ApiError {
        let message = message!("credentials", "name or password is wrong, or the account is locked");
        ApiError::new(StatusCode::UNAUTHORIZED, message)
    }

    /// Returns the error for a missing second factor: the password was right, but the account requires a code too.
    pub fn second_factor() -> ApiError {
        let message = message!("second-factor", "enter the six-digit code from your authenticator app");
        ApiError::new(StatusCode::UNAUTHORIZED, message)
    }

    pub fn role() -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, message!("role", "your role does not allow this"))
    }

    /// Returns the error for play that has stopped because the house cannot store records.
    pub fn stopped() -> ApiError {
        ApiError::busy(message!("stopped", "play has stopped: records cannot be stored"))
    }

    /// Returns the error for a command that may or may not have been stored.
    ///
    /// A retry with the same id is harmless, and its response tells the outcome.
    pub fn unknown() -> ApiError {
        ApiError::busy(message!("outcome-unknown", "outcome unknown: retry with the same id"))
    }

    /// Returns the error for a table whose owner node cannot be reached, so that the command was not carried out.
    pub fn owner_away() -> ApiError {
        ApiError::busy(message!(
            "owner-away",
            "cannot reach the server that runs this table; nothing was done; try again in a moment"
        ))
    }

    /// Returns the error for a question that the lab cannot answer, for the reason `why`.
    pub fn unanswered(why: ErrorDetail) -> ApiError {
        ApiError { status: StatusCode::CONFLICT, detail: Box::new(why), recorded: false }
    }

    /// Returns the error for a table that is not legal, which names the first violation in the report.
    pub fn illegal(report: &Report) -> ApiError {
        match report.violations.first() {
            Some(first) => ApiError::refused(first.why()).clause(first.clause.citation()),
            None => ApiError::refused(message!("not-a-legal-table", "not a legal table")),
        }
    }

    /// Returns the error for a request that the house cannot answer now, but may soon.
    pub fn busy(message: impl Into<Message>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Returns the error for play that is on hold because the clock is in doubt.
    pub fn clock() -> ApiError {
        ApiError::busy(Denied::Clock.message(time_text))
    }

    /// Returns the error for play that is on hold because the database differs from the journal.
    pub fn self_check() -> ApiError {
        ApiError::busy(message!(
            "self-check",
            "play has stopped: the books do not balance and must be repaired first"
        ))
    }

    pub fn clause(mut self, clause: impl Into<String>) -> ApiError {
        self.detail.clause = Some(clause.into());
        self
    }

    pub fn body(self) -> ErrorBody {
        ErrorBody { error: *self.detail }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let again = matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
        let mut response = (self.status, Json(self.body())).into_response();
        if again {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Returns the error for a counting system that cannot be parsed.
pub fn unknown_count(count: &str) -> ApiError {
    let message = message!(
        "count-invalid",
        "unknown count `{count}`; expected {systems}, or ten tags from -9 to 9 for A,2,3,4,5,6,7,8,9,T, fractions \
         such as 0.5 allowed",
        count,
        systems = SYSTEMS.map(|system| system.0).join(", ")
    );
    ApiError::bad("count", message)
}

/// Returns the message for a card that cannot be parsed.
///
/// The message repeats only the beginning of a long text.
pub fn unknown_card(text: &str) -> Message {
    let card: String = text.chars().take(8).collect();
    message!(
        "unknown-card",
        "unknown card `{card}`; expected a rank A 2..9 T J Q K and a suit c d h s, such as As or Td",
        card
    )
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let clause = refusal.by.citation();
        ApiError::refused(refusal.why).clause(clause)
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> ApiError {
        // The ledger logs an outage itself, once. A statement that the database refuses is a bug of ours, so it is
        // logged here.
        if matches!(error, DbError::Refused(_)) {
            tracing::error!(%error, "the store");
        }
        ApiError::stopped()
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> ApiError {
        match fault {
            Fault::Store(error) => error.into(),
            Fault::Unknown(_) => ApiError::unknown(),
            Fault::Denied(Denied::Clock) => ApiError::clock(),
            Fault::Denied(denied) => ApiError::refused(denied.message(time_text)),
        }
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        match rejection.status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => {
                ApiError::new(status, message!("body-too-large", "the request is too large"))
            }
            status @ StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::new(
                status,
                message!("not-json", "the request must have `Content-Type: application/json`"),
            ),
            status => unreadable_body(status, &rejection.body_text()),
        }
    }
}

/// The prefixes that the JSON library's messages have before the reason.
const BEFORE_REASON: [&str; 2] = [
    "Failed to deserialize the JSON body into the target type: ",
    "Failed to parse the request body as JSON: ",
];

/// Returns the error for a request body that the route cannot parse.
///
/// The JSON library states the reason in English only. An invalid amount gets a message that is also translated,
/// because people type amounts.
fn unreadable_body(status: StatusCode, said: &str) -> ApiError {
    let reason = BEFORE_REASON.iter().find_map(|words| said.strip_prefix(words)).unwrap_or(said);
    let amount = reason.split_once("invalid amount `").and_then(|(_, rest)| rest.split_once("`; "));
    match amount {
        Some((amount, _)) => ApiError::new(status, NotAnAmount(amount.to_owned()).why()),
        None => {
            let message = message!("body", "invalid request body");
            ApiError::new(status, message).in_english(format!("invalid request body: {reason}"))
        }
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        let message = message!("query", "invalid query string");
        ApiError::bad("query", message).in_english(rejection.body_text())
    }
}

impl From<WebSocketUpgradeRejection> for ApiError {
    fn from(_: WebSocketUpgradeRejection) -> ApiError {
        let message = message!(
            "websocket",
            "expected a WebSocket: GET with `Connection: upgrade`, `Upgrade: websocket`, `Sec-WebSocket-Version: 13` \
             and `Sec-WebSocket-Key`"
        );
        ApiError::bad("websocket", message)
    }
}

impl From<PathRejection> for ApiError {
    fn from(_: PathRejection) -> ApiError {
        ApiError::missing(message!("no-such-thing", "no such thing"))
    }
}
