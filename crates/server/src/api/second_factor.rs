//! Setting up a second factor. A supervisor takes it away again with the account's other changes.

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
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, utoipa::ToSchema)]
pub struct Wanted {
    /// The account's password, so that an open session alone is not enough.
    #[schema(max_length = 128)]
    password: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct Authenticator {
    /// What to type into an authenticator, in base 32.
    secret: String,
    /// The same as a link that authenticators understand.
    url: String,
}

/// Makes the secret of a second factor. It counts as soon as a code made from it has been shown.
#[utoipa::path(post, path = "/api/me/second-factor", tag = "account", request_body = Wanted,
    responses((status = 200, body = Authenticator), (status = 401, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn make(
    State(app): State<App>,
    me: Me,
    Extension(Address(address)): Extension<Address>,
    Body(asked): Body<Wanted>,
) -> ApiResult<Json<Authenticator>> {
    own_password(&app, &me, address, asked.password).await?;
    if app.second_factor(me.id).await?.is_some_and(|factor| factor.confirmed) {
        return Err(ApiError::refused(
            "second-factor-set",
            "a second factor is set already; a supervisor can take it away",
        ));
    }
    let factor = SecondFactor::fresh()?;
    app.keep(vec![app.keep_factor(me.id, &factor)?]).await?;
    let url = factor.url(&app.file.name, &me.name);
    Ok(Json(Authenticator { secret: factor.secret().to_owned(), url }))
}

#[derive(Deserialize, utoipa::ToSchema)]
pub struct Shown {
    /// Six digits.
    #[schema(min_length = 6, max_length = 16)]
    code: String,
}

/// Confirms a second factor by a code made from its secret: from now on signing in asks for one.
#[utoipa::path(put, path = "/api/me/second-factor", tag = "account", request_body = Shown,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn confirm(State(app): State<App>, me: Me, Body(asked): Body<Shown>) -> ApiResult<StatusCode> {
    let none = || ApiError::refused("no-second-factor", "request a secret first, then enter its code");
    let factor = app.second_factor(me.id).await?.filter(|factor| !factor.confirmed).ok_or_else(none)?;
    let wrong = || ApiError::bad("code", "wrong or expired code; check your phone's clock");
    let row = app.take_code(me.id, &factor, &asked.code)?.ok_or_else(wrong)?;
    let mut draft = significant(me.id, "second-factor-set", json!({ "person": me.id.0, "name": me.name }))?;
    draft.keep.push(row);
    app.commit(draft).await?;
    app.revoke(me.id);
    Ok(StatusCode::NO_CONTENT)
}
