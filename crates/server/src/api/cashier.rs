//! The cashier's cage: buy-in and cash-out for patrons, named by their name. Chips move between the cashier's drawer and
//! the patron's account, never between two patrons.

use super::Me;
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::role::Role;
use crate::session::plays_with;
use crate::wire::{Body, ClientId, Money, Path, body_digest};
use axum::Json;
use axum::extract::State;
use ledger::people::{self, Person};
use ledger::{Account, Cents, Chips, Holder, PersonId, Postings, report};
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
    let kind = match direction {
        Direction::In => "buy-in",
        Direction::Out => "cash-out",
    };
    let mut draft = app.draft(&me, asked.id.lawful()?, kind, body_digest(kind, &asked));
    draft.postings = match direction {
        Direction::In => with_debt_first(patron.id, drawer, amount),
        Direction::Out => {
            // What is asked for is handed out of what is left when the debt is paid.
            let owed = Account::new(Chips::Cash, Holder::Owed(patron.id));
            Postings::none().pay_what_is_owed(account, owed).transfer(account, drawer, amount)
        }
    };
    draft.event = json!({ "patron": patron.id.0, "amount": amount.to_string() }).to_string().into_bytes();
    if let Direction::In = direction {
        // Who buys chips wants to wager them.
        draft.keep.push(plays_with(patron.id, Chips::Cash));
    }
    let receipt = app.commit(draft).await?;
    app.sessions.forget(patron.id);
    if amount >= app.file.large && !receipt.repeated {
        let details = json!({ "kind": kind, "patron": patron.id.0, "amount": amount.to_string(), "seq": receipt.seq.0 });
        app.significant(me.id, "large-transaction", details).await?;
    }
    let mut legs = receipt.legs.iter().filter(|leg| leg.account == account);
    let held = app.read(move |db| report::balance(db, account)).await?;
    let (before, after) = match (legs.next(), legs.next_back()) {
        (Some(first), last) => {
            (Cents(first.after.0 - first.amount.0), last.map_or(first.after, |last| last.after))
        }
        // All of it went to a debt.
        (None, _) => (held, held),
    };
    Ok(Json(CageReceipt {
        seq: receipt.seq.0,
        patron: patron.name,
        amount: Money(amount),
        before: Money(before),
        after: Money(after),
        repeated: receipt.repeated,
    }))
}

/// What a patron owes the house, and the account that says so.
async fn debt_of(app: &App, patron: PersonId) -> ApiResult<(Account, Cents)> {
    let owed = Account::new(Chips::Cash, Holder::Owed(patron));
    let balance = app.read(move |db| report::balance(db, owed)).await?;
    Ok((owed, -balance))
}

/// Money that a patron brings pays a debt first; the rest becomes chips.
pub(super) fn with_debt_first(patron: PersonId, drawer: Account, amount: Cents) -> Postings {
    let owed = Account::new(Chips::Cash, Holder::Owed(patron));
    Postings::none().pay_debt_first(drawer, (owed, Account::player(Chips::Cash, patron)), amount)
}

pub(super) async fn patron_by_name(app: &App, name: String) -> ApiResult<Person> {
    let found = app.read(move |db| people::by_name(db, &name)).await?;
    let patron = found.filter(|p| p.role == Role::Player.name() && !p.guest);
    patron.ok_or_else(|| ApiError::missing("patron"))
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct PatronView {
    name: String,
    cash: Money,
    /// Winnings of void rounds that had been spent: paid from the next buy-in or before the next cash-out.
    owed: Money,
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
    let protection = app.desk.run(move || ledger.protection(id)).await??;
    let excluded = protection.admits(app.ledger.clock().confirmed()).is_err();
    let (_, debt) = debt_of(&app, patron.id).await?;
    Ok(Json(PatronView { name: patron.name, cash: Money(cash), owed: Money(debt), excluded }))
}
