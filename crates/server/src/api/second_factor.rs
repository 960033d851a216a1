//! Sets up a person's second factor for signing in.
//!
//! A supervisor removes a second factor through the route that changes accounts.

use super::Me;
use super::entry::own_password;
use crate::app::{App, significant};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::guard::Address;
use crate::second_factor::SecondFactor;
use crate::wire::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use rules::message;
use serde::{Deserialize, Serialize};

/// A request to create the secret of a second factor.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct EnrolRequest {
    /// The account's password, so that an open session alone is not enough.
    #[schema(min_length = 1, max_length = 128)]
    password: String,
}

/// The secret for an authenticator app, not yet confirmed.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Authenticator {
    /// The secret to type into an authenticator app, in base 32.
    secret: String,
    /// The secret as an `otpauth:` link for authenticator apps.
    url: String,
}

/// Creates the secret of a second factor for the caller.
///
/// The second factor takes effect once the caller confirms a code made from the secret.
#[utoipa::path(post, path = "/api/me/second-factor", tag = "account", request_body = EnrolRequest,
    responses((status = 200, body = Authenticator), (status = 401, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn make(
    State(app): State<App>,
    me: Me,
    Extension(Address(address)): Extension<Address>,
    Body(asked): Body<EnrolRequest>,
) -> ApiResult<Json<Authenticator>> {
    own_password(&app, &me, address, asked.password).await?;
    if app.second_factor(me.id).await?.is_some_and(|factor| factor.confirmed) {
        return Err(ApiError::refused(message!(
            "second-factor-set",
            "a second factor is already set up; a supervisor can remove it"
        )));
    }
    let factor = SecondFactor::fresh()?;
    app.store_rows(vec![app.keep_factor(me.id, &factor)?]).await?;
    let url = factor.url(&app.file.name, &me.name);
    Ok(Json(Authenticator { secret: factor.secret().to_owned(), url }))
}

/// A code from an authenticator app.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct ConfirmRequest {
    /// The code that the authenticator app shows: six digits.
    #[schema(min_length = 6, max_length = 16)]
    code: String,
}

/// A second factor that a person has confirmed, as stored in the journal.
#[derive(Serialize)]
struct FactorSet<'a> {
    person: i64,
    name: &'a str,
}

/// Confirms the caller's second factor with a code made from its secret.
///
/// From then on, sign-in requires a code.
#[utoipa::path(put, path = "/api/me/second-factor", tag = "account", request_body = ConfirmRequest,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn confirm(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<ConfirmRequest>,
) -> ApiResult<StatusCode> {
    let none =
        || ApiError::refused(message!("no-second-factor", "request a secret first, then enter its code"));
    let factor = app.second_factor(me.id).await?.filter(|factor| !factor.confirmed).ok_or_else(none)?;
    let wrong =
        || ApiError::bad("code", message!("wrong-code", "wrong or expired code; check your phone's clock"));
    let row = app.take_code(me.id, &factor, &asked.code)?.ok_or_else(wrong)?;
    let mut draft = significant(me.id, "second-factor-set", FactorSet { person: me.id.0, name: &me.name })?;
    draft.row_changes.push(row);
    app.commit(draft).await?;
    app.revoke(me.id);
    Ok(StatusCode::NO_CONTENT)
}
