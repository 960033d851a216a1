//! The cashier's cage: buy-in and cash-out for patrons, named by their name. Chips move between the cashier's drawer and
//! the patron's account, never between two patrons.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::role::Role;
use crate::wire::{Body, ClientId, Money, Path, body_digest};
use axum::Json;
use axum::extract::State;
use ledger::people::{self, Person};
use ledger::{Account, Cents, Chips, Holder, Moment, Postings, report};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct CageOrder {
    id: ClientId,
    /// The patron's name.
    #[schema(max_length = 64)]
    patron: String,
    amount: Money,
}

#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct CageReceipt {
    /// The record in the journal.
    seq: i64,
    patron: String,
    amount: Money,
    before: Money,
    after: Money,
    /// This order had been carried out before; nothing moved now.
    repeated: bool,
}

enum Direction {
    In,
    Out,
}

/// Sells chips to a patron for cash.
#[utoipa::path(post, path = "/api/cashier/buy-ins", tag = "cashier", request_body = CageOrder,
    responses((status = 200, body = CageReceipt), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn buy_in(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<CageOrder>,
) -> ApiResult<Json<CageReceipt>> {
    order(app, me, asked, Direction::In).await
}

/// Buys chips back from a patron. A self-excluded patron may always do this.
#[utoipa::path(post, path = "/api/cashier/cash-outs", tag = "cashier", request_body = CageOrder,
    responses((status = 200, body = CageReceipt), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn cash_out(
    State(app): State<App>,
    me: Me,
    Body(asked): Body<CageOrder>,
) -> ApiResult<Json<CageReceipt>> {
    order(app, me, asked, Direction::Out).await
}

async fn order(app: App, me: Me, asked: CageOrder, direction: Direction) -> ApiResult<Json<CageReceipt>> {
    let amount = asked.amount.positive()?;
    let patron = patron_by_name(&app, asked.patron.clone()).await?;
    let account = Account::player(Chips::Cash, patron.id);
    let drawer = Account::new(Chips::Cash, Holder::Cashier(me.id));
    let (kind, from, to) = match direction {
        Direction::In => ("buy-in", drawer, account),
        Direction::Out => ("cash-out", account, drawer),
    };
    let mut draft = app.draft(&me, asked.id.lawful()?, kind, body_digest(kind, &asked));
    draft.postings = Postings::none().transfer(from, to, amount);
    draft.event = json!({ "patron": patron.id.0, "amount": amount.to_string() }).to_string().into_bytes();
    let receipt = app.commit(draft).await?;
    if amount >= app.file.large && !receipt.repeated {
        let details = json!({ "kind": kind, "patron": patron.id.0, "amount": amount.to_string(), "seq": receipt.seq.0 });
        app.significant(me.id, "large-transaction", details).await?;
    }
    let leg = receipt.legs.iter().find(|leg| leg.account == account);
    let (moved, after) = leg.map_or((Cents::ZERO, Cents::ZERO), |leg| (leg.amount, leg.after));
    Ok(Json(CageReceipt {
        seq: receipt.seq.0,
        patron: patron.name,
        amount: Money(amount),
        before: Money(Cents(after.0 - moved.0)),
        after: Money(after),
        repeated: receipt.repeated,
    }))
}

async fn patron_by_name(app: &App, name: String) -> ApiResult<Person> {
    let found = app.read(move |db| people::by_name(db, &name)).await?;
    let patron = found.filter(|p| p.role == Role::Player.name() && !p.guest);
    patron.ok_or_else(|| ApiError::missing("patron"))
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct PatronView {
    name: String,
    cash: Money,
    /// Deposits are refused; cashing out is not.
    excluded: bool,
}

/// A patron, by name.
#[utoipa::path(get, path = "/api/cashier/patrons/{name}", tag = "cashier", params(("name" = String, Path)),
    responses((status = 200, body = PatronView), (status = 404, body = ErrorBody)))]
pub async fn patron(State(app): State<App>, Path(name): Path<String>) -> ApiResult<Json<PatronView>> {
    let patron = patron_by_name(&app, name).await?;
    let account = Account::player(Chips::Cash, patron.id);
    let cash = app.read(move |db| report::balance(db, account)).await?;
    let (ledger, id) = (std::sync::Arc::clone(&app.ledger), patron.id);
    let asked = tokio::task::spawn_blocking(move || ledger.protection(id)).await;
    let protection = asked.map_err(|_| ApiError::stopped())??;
    let excluded = protection.admits(Moment::now()).is_err();
    Ok(Json(PatronView { name: patron.name, cash: Money(cash), excluded }))
}
