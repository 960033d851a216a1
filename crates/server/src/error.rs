//! Errors in one shape: `{"error":{"code","message","clause"?}}`. Nothing else leaves the house when something is wrong.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ledger::{DbError, Denied, Fault};
use serde::{Deserialize, Serialize};

/// An error as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct ErrorBody {
    pub error: ErrorDetail,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ErrorDetail {
    /// A word for programs, like `not-enough-chips`.
    pub code: String,
    /// One clear sentence for people.
    pub message: String,
    /// The clause of the regulation, where it is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    pub status: StatusCode,
    pub detail: ErrorDetail,
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            detail: ErrorDetail { code: code.to_owned(), message: message.into(), clause: None },
        }
    }

    /// The input was understood in form, and cannot be meant.
    pub fn bad(code: &str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The input was understood and refused.
    pub fn refused(code: &str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, message)
    }

    pub fn missing(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not-found", format!("no such {what}"))
    }

    pub fn unopened_shoe(table: u32, shoe: i64) -> ApiError {
        let why = format!(
            "shoe {shoe} of table {table} is not opened yet: a shoe is opened when the round in which it ends is settled"
        );
        ApiError::new(StatusCode::NOT_FOUND, "not-opened", why)
    }

    pub fn sign_in() -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "sign-in", "sign in first")
    }

    /// The one answer to every bad credential, whatever was wrong with it.
    pub fn credentials() -> ApiError {
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "credentials",
            "name or password is wrong, or the account is locked",
        )
    }

    /// The password was right; that is not enough.
    pub fn second_factor() -> ApiError {
        let message = "enter the six digits that your authenticator shows";
        ApiError::new(StatusCode::UNAUTHORIZED, "second-factor", message)
    }

    pub fn role() -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "role", "your role does not allow this")
    }

    /// The house cannot store anything now, so it does nothing.
    pub fn stopped() -> ApiError {
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "stopped",
            "play has stopped: the house cannot store what happens",
        )
    }

    /// A command was handed over, and nobody knows whether it is stored: repeating it is harmless and settles it.
    pub fn unknown() -> ApiError {
        let message = "outcome unknown: retry with the same id";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "outcome-unknown", message)
    }

    /// There is too much to do now.
    pub fn busy(message: &str) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// Nobody plays while the time is in doubt.
    pub fn clock() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "clock", Denied::Clock.to_string())
    }

    /// Nobody plays while the store differs from the journal.
    pub fn self_check() -> ApiError {
        let message =
            "play has stopped: the house's books do not fit together; the house must repair them first";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "self-check", message)
    }

    pub fn clause(mut self, clause: impl Into<String>) -> ApiError {
        self.detail.clause = Some(clause.into());
        self
    }

    pub fn body(self) -> ErrorBody {
        ErrorBody { error: self.detail }
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

impl From<rules::play::Refusal> for ApiError {
    fn from(refusal: rules::play::Refusal) -> ApiError {
        let clause = refusal.by.citation();
        ApiError::refused("refused", refusal.why).clause(clause)
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> ApiError {
        // An outage is logged by the ledger, once; what the store refuses is a mistake of ours.
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
            Fault::Denied(denied) => {
                let code = match &denied {
                    Denied::OtherBody => "id-used",
                    Denied::Fenced | Denied::Held => "moved",
                    Denied::Short(_) => "not-enough-chips",
                    Denied::Stopped(ledger::Stopped::Excluded { .. }) => "excluded",
                    Denied::Stopped(ledger::Stopped::Limit { .. }) => "limit",
                    Denied::NameTaken => "name-taken",
                    Denied::Unbalanced => "unbalanced",
                    Denied::Behind => "behind",
                    Denied::Clock => "clock",
                    Denied::NotText => "not-text",
                };
                let message = match &denied {
                    // The account's number is the house's business.
                    Denied::Short(_) => "there are not enough chips for this".to_owned(),
                    Denied::Stopped(ledger::Stopped::Excluded { until }) => {
                        format!("self-excluded until {}", crate::wire::time_text(*until))
                    }
                    other => other.to_string(),
                };
                ApiError::refused(code, message)
            }
        }
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        let code = match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => "too-large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "not-json",
            _ => "body",
        };
        ApiError::new(rejection.status(), code, rejection.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::bad("query", rejection.body_text())
    }
}

impl From<PathRejection> for ApiError {
    fn from(_: PathRejection) -> ApiError {
        ApiError::missing("thing")
    }
}
