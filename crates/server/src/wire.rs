//! JSON formats: money as decimal strings, times in RFC 3339, and pages of lists.
//!
//! Extractors turn every malformed request into an error in this API's own format.

use crate::error::{ApiError, ApiResult};
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use ledger::{Cents, CommandId, Digest, GamingDay, Moment};
use rules::message;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount of money.
///
/// In JSON it is a decimal string such as `"12.50"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, utoipa::ToSchema)]
#[schema(value_type = String, pattern = r"^-?\d{1,11}(\.\d{1,2})?$", example = "12.50")]
pub struct Money(pub Cents);

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Money, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map(Money).map_err(D::Error::custom)
    }
}

impl Money {
    /// Returns the amount, or an error if it is not positive.
    pub fn positive(self) -> ApiResult<Cents> {
        match self.0 > Cents::ZERO {
            true => Ok(self.0),
            false => {
                Err(ApiError::bad("amount", message!("amount-not-positive", "amount must be greater than 0")))
            }
        }
    }
}

/// A moment in time, in JSON a string such as `"2026-11-15T02:30:00.123Z"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, utoipa::ToSchema)]
#[schema(value_type = String, format = DateTime)]
pub struct Time(pub Moment);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&time_text(self.0))
    }
}

pub fn time_text(moment: Moment) -> String {
    match jiff::Timestamp::from_millisecond(moment.0) {
        Ok(time) => format!("{time:.3}"),
        Err(_) => "always".to_owned(),
    }
}

pub fn time_from_text(text: &str) -> Option<Moment> {
    text.parse::<jiff::Timestamp>().ok().map(|time| Moment(time.as_millisecond()))
}

/// The values of a message's placeholders, by the name of the placeholder.
///
/// Every translation of the message uses the same values.
#[derive(Clone, Debug, utoipa::ToSchema)]
#[schema(value_type = std::collections::BTreeMap<String, String>)]
pub struct MessageParams(pub Vec<(&'static str, String)>);

impl Serialize for MessageParams {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A rule in words, with the code and the values for a translation of it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct PostedRule {
    /// The rule in words, in English.
    pub text: String,
    /// The code of the rule's sentence, the same in every language; every sentence has its own.
    pub code: &'static str,
    /// The values of the placeholders in the sentence, by name, for a translation of the sentence.
    pub params: MessageParams,
}

impl From<&rules::Message> for PostedRule {
    fn from(rule: &rules::Message) -> PostedRule {
        let params = MessageParams(rule.params.clone());
        PostedRule { text: rule.text.clone().into_owned(), code: rule.code, params }
    }
}

/// Formats a gaming day in the form used in JSON and URLs, such as `2026-11-15`.
pub fn day_text(day: GamingDay) -> String {
    let midnight = jiff::Timestamp::from_second(day.0.saturating_mul(86_400));
    midnight.map_or_else(|_| "never".to_owned(), |t| t.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

pub fn day_from_text(text: &str) -> Option<GamingDay> {
    let date: jiff::civil::Date = text.parse().ok()?;
    let midnight = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(GamingDay(midnight.timestamp().as_second().div_euclid(86_400)))
}

/// An id that the client chooses, of 1 to 64 letters, digits, `-`, `_`, `.` or `:`.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(value_type = String, pattern = "^[A-Za-z0-9._:-]{1,64}$", example = "01934f2e-7b1c-7a51-8d2e-3f1f0c9a2b11")]
pub struct ClientId(String);

impl ClientId {
    pub fn lawful(&self) -> ApiResult<CommandId> {
        CommandId::new(&self.0).ok_or_else(|| {
            ApiError::bad(
                "id",
                message!("id", "id must be 1 to 64 characters: letters, digits, '-', '_', '.' or ':'"),
            )
        })
    }
}

/// A response that is serialized already.
///
/// It was serialized off the async threads because that took long, or is shared by several requests.
pub struct Written {
    kind: &'static str,
    bytes: Bytes,
}

impl Written {
    pub fn json(value: &impl Serialize) -> Written {
        Written { kind: "application/json", bytes: text_of(value).into() }
    }

    pub fn text(kind: &'static str, text: impl Into<Bytes>) -> Written {
        Written { kind, bytes: text.into() }
    }
}

impl IntoResponse for Written {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, self.kind)], self.bytes).into_response()
    }
}

/// Returns a value as JSON.
///
/// This never fails for the house's own types: their keys are text, and their numbers are finite.
pub fn text_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns the digest of a request's content, which shows whether an id is reused for another request.
///
/// White space and the order of keys do not change the digest.
pub fn body_digest<T: Serialize>(what: &str, body: &T) -> Digest {
    let mut bytes = what.as_bytes().to_vec();
    bytes.push(0);
    bytes.extend(serde_json::to_vec(body).unwrap_or_default());
    Digest::of(&bytes)
}

/// The page of a list that a request asks for.
#[derive(Clone, Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The cursor of the page, which is `next` of the page before; absent for the first page.
    #[serde(default)]
    pub cursor: Option<i64>,
    /// Maximum number of entries on the page, 1 to 500. Default: 50.
    #[serde(default)]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<i64>,
}

impl PageQuery {
    pub fn limit(&self) -> i64 {
        self.limit.unwrap_or(50).clamp(1, 500)
    }
}

/// One page of a list, with the cursor of the next page.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Page<T> {
    /// The entries on this page.
    pub items: Vec<T>,
    /// The cursor of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

impl<T> Page<T> {
    /// Returns a page with these items, of which there are at most `limit`.
    ///
    /// A page with exactly `limit` items has the cursor of its last item as `next`, because more items may follow.
    pub fn of(items: Vec<T>, limit: i64, cursor: impl Fn(&T) -> i64) -> Page<T> {
        let full = items.len() as i64 >= limit;
        let next = items.last().filter(|_| full).map(cursor);
        Page { items, next }
    }
}

/// An extractor for JSON bodies, which reports failures as this API's own errors.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let axum::Json(value) = axum::Json::<T>::from_request(request, state).await?;
        Ok(Body(value))
    }
}

/// An extractor for URL queries, which reports failures as this API's own errors.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let axum::extract::Query(value) = axum::extract::Query::<T>::from_request_parts(parts, state).await?;
        Ok(Query(value))
    }
}

/// An extractor for URL path parameters, which reports failures as this API's own errors.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let axum::extract::Path(value) = axum::extract::Path::<T>::from_request_parts(parts, state).await?;
        Ok(Path(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_as_promised() {
        assert_eq!(serde_json::to_string(&Money(Cents(-1250))).expect("json"), "\"-12.50\"");
        assert_eq!(serde_json::from_str::<Money>("\"12.5\"").expect("money").0, Cents(1250));
        assert!(serde_json::from_str::<Money>("12.5").is_err(), "never a float");
        assert_eq!(time_text(Moment(1_700_000_000_123)), "2023-11-14T22:13:20.123Z");
        assert_eq!(time_text(Moment(i64::MAX)), "always");
        let day = GamingDay(20_000);
        assert_eq!(day_from_text(&day_text(day)), Some(day));
        assert_eq!(day_from_text("2024-02-30"), None);
    }

    #[test]
    fn bodies_differ_by_meaning_only() {
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("json");
        assert_eq!(
            body_digest("x", &json("{\"a\": 1, \"b\":2}")),
            body_digest("x", &json("{\"b\":2,\"a\":1}"))
        );
        assert_ne!(body_digest("x", &json("{\"a\":1}")), body_digest("x", &json("{\"a\":2}")));
        assert_ne!(body_digest("x", &json("{}")), body_digest("y", &json("{}")));
    }
}
