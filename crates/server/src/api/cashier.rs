//! The cage: buy-ins and cash-outs for patrons, identified by name.
//!
//! Chips move between the cashier's drawer and the patron's account, never between two patrons.

use super::Me;
use crate::app::{App, recorded};
use crate::error::{ApiError, ApiResult, ErrorBody, NO_PATRON};
use crate::role::Role;
use crate::second_person::{self, PendingView, RequestedAction};
use crate::session::plays_with;
use crate::wire::{Body, ClientId, Money, Path, body_digest};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use ledger::people::{self, Person};
use ledger::{
    Account, Cents, Chips, CommandId, Draft, Holder, PersonId, PostedLeg, Postings, Seq, Stream, report,
};
use rules::message;
use serde::{Deserialize, Serialize};

/// A request for a buy-in or a cash-out.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct CageOrder {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// The patron's name.
    #[schema(min_length = 1, max_length = 64)]
    patron: String,
    /// The amount of chips to buy or to cash out.
    amount: Money,
}

/// The result of a buy-in or cash-out.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct CageReceipt {
    /// The number of the journal record of the buy-in or cash-out.
    seq: i64,
    /// The patron's name.
    patron: String,
    /// The amount of chips bought or cashed out.
    amount: Money,
    /// The patron's balance of cash chips before the buy-in or cash-out.
    before: Money,
    /// The patron's balance of cash chips after the buy-in or cash-out.
    after: Money,
    /// Whether this command was a repeat; a repeat moves no chips.
    repeated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

impl Direction {
    /// Returns the direction of a requested buy-in or cash-out: in for a buy-in, out for a cash-out.
    pub fn of(asked: &RequestedAction) -> Direction {
        if matches!(asked, RequestedAction::CashOut { .. }) { Direction::Out } else { Direction::In }
    }

    fn kind(self) -> &'static str {
        match self {
            Direction::In => "buy-in",
            Direction::Out => "cash-out",
        }
    }

    fn asked(self, patron: PersonId, amount: Money) -> RequestedAction {
        match self {
            Direction::In => RequestedAction::BuyIn { patron: patron.0, amount },
            Direction::Out => RequestedAction::CashOut { patron: patron.0, amount },
        }
    }
}

/// Sells chips to a patron for cash.
///
/// A buy-in above the house's limit is carried out only after a second person approves it.
#[utoipa::path(post, path = "/api/cashier/buy-ins", tag = "cashier", request_body = CageOrder,
    responses((status = 200, body = CageReceipt), (status = 202, body = PendingView), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn buy_in(State(app): State<App>, me: Me, Body(asked): Body<CageOrder>) -> ApiResult<Response> {
    order(app, me, asked, Direction::In).await
}

/// Buys chips back from a patron for cash.
///
/// A self-excluded patron may cash out too. A cash-out above the house's limit is carried out only after a second
/// person approves it.
#[utoipa::path(post, path = "/api/cashier/cash-outs", tag = "cashier", request_body = CageOrder,
    responses((status = 200, body = CageReceipt), (status = 202, body = PendingView), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn cash_out(State(app): State<App>, me: Me, Body(asked): Body<CageOrder>) -> ApiResult<Response> {
    order(app, me, asked, Direction::Out).await
}

async fn order(app: App, me: Me, asked: CageOrder, direction: Direction) -> ApiResult<Response> {
    let amount = asked.amount.positive()?;
    let patron = patron_by_name(&app, asked.patron.clone()).await?;
    let mut draft = match app.file.second_person.for_cage_order(amount) {
        true => {
            second_person::request(&app, &me, patron.name.clone(), direction.asked(patron.id, asked.amount))?
        }
        false => draft(direction, me.id, patron.id, amount)?,
    };
    draft.command = asked.id.lawful()?;
    draft.body = body_digest(direction.kind(), &asked);
    let receipt = app.commit(draft).await?;
    // The id of the request, if the order waits or has waited for a second person.
    if !receipt.answer.is_empty() {
        let request = String::from_utf8_lossy(&receipt.answer).into_owned();
        return requested(&app, &me, &request, &patron, amount).await;
    }
    app.sessions.forget(patron.id);
    if !receipt.repeated {
        tell_if_large(&app, direction, (me.id, patron.id), (amount, receipt.seq)).await?;
    }
    let receipt = receipt_of(&app, &patron, amount, receipt.seq, &receipt.legs, receipt.repeated).await?;
    Ok(Json(receipt).into_response())
}

/// Returns the draft of the journal record for a buy-in or cash-out that `cashier` carries out.
pub(super) fn draft(
    direction: Direction,
    cashier: PersonId,
    patron: PersonId,
    amount: Cents,
) -> ApiResult<Draft> {
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, cashier, id, direction.kind());
    let account = Account::player(Chips::Cash, patron);
    let drawer = Account::new(Chips::Cash, Holder::Cashier(cashier));
    draft.postings = match direction {
        Direction::In => with_debt_first(patron, drawer, amount),
        Direction::Out => {
            // The debt is paid first, and the cash-out comes from what is left.
            let owed = Account::new(Chips::Cash, Holder::Owed(patron));
            Postings::none().pay_what_is_owed(account, owed).transfer(account, drawer, amount)
        }
    };
    draft.event = recorded(&Ordered { patron: patron.0, amount: Money(amount) });
    if let Direction::In = direction {
        // A patron who buys chips wants to bet with them.
        draft.row_changes.push(plays_with(patron, Chips::Cash));
    }
    Ok(draft)
}

/// A buy-in or cash-out, as stored in the journal.
#[derive(Serialize)]
struct Ordered {
    patron: i64,
    amount: Money,
}

/// A large buy-in or cash-out, as stored with its significant event.
#[derive(Serialize)]
struct LargeOrder {
    kind: &'static str,
    patron: i64,
    amount: Money,
    seq: i64,
}

/// Records a significant event if a buy-in or cash-out reaches the house's threshold for large transactions.
pub(super) async fn tell_if_large(
    app: &App,
    direction: Direction,
    (cashier, patron): (PersonId, PersonId),
    (amount, seq): (Cents, Seq),
) -> ApiResult<()> {
    if amount >= app.file.large {
        let kind = direction.kind();
        let details = LargeOrder { kind, patron: patron.0, amount: Money(amount), seq: seq.0 };
        app.significant(cashier, "large-transaction", details).await?;
    }
    Ok(())
}

/// Returns the response to a buy-in or cash-out that needs a second person's approval.
///
/// The response is the pending request until somebody decides it, the receipt once it is approved, or an error
/// once it is declined.
async fn requested(app: &App, me: &Me, request: &str, patron: &Person, amount: Cents) -> ApiResult<Response> {
    match second_person::record_of(app, me.id, request).await? {
        None => {
            let view = second_person::find(app, request).await?.view(request, me.id);
            Ok((StatusCode::ACCEPTED, Json(view)).into_response())
        }
        Some(record) if record.kind == "significant" => {
            Err(ApiError::refused(message!("request-declined", "the request was declined")))
        }
        Some(record) => {
            let receipt = receipt_of(app, patron, amount, record.seq, &record.legs, true).await?;
            Ok(Json(receipt).into_response())
        }
    }
}

/// Returns the receipt of a buy-in or cash-out that was carried out.
async fn receipt_of(
    app: &App,
    patron: &Person,
    amount: Cents,
    seq: Seq,
    legs: &[PostedLeg],
    repeated: bool,
) -> ApiResult<CageReceipt> {
    let account = Account::player(Chips::Cash, patron.id);
    let mut legs = legs.iter().filter(|leg| leg.account == account);
    let held = app.read(move |db| report::balance(db, account)).await?;
    let (before, after) = match (legs.next(), legs.next_back()) {
        (Some(first), last) => {
            (Cents(first.after.0 - first.amount.0), last.map_or(first.after, |last| last.after))
        }
        // All of the amount went to the debt.
        (None, _) => (held, held),
    };
    let (before, after) = (Money(before), Money(after));
    Ok(CageReceipt {
        seq: seq.0,
        patron: patron.name.clone(),
        amount: Money(amount),
        before,
        after,
        repeated,
    })
}

/// Returns a patron's debt account, and the amount that the patron owes the house.
async fn debt_of(app: &App, patron: PersonId) -> ApiResult<(Account, Cents)> {
    let owed = Account::new(Chips::Cash, Holder::Owed(patron));
    let balance = app.read(move |db| report::balance(db, owed)).await?;
    Ok((owed, -balance))
}

/// Returns the postings of a buy-in: the money pays the patron's debt first, and the rest becomes chips.
pub(super) fn with_debt_first(patron: PersonId, drawer: Account, amount: Cents) -> Postings {
    let owed = Account::new(Chips::Cash, Holder::Owed(patron));
    Postings::none().pay_debt_first(drawer, (owed, Account::player(Chips::Cash, patron)), amount)
}

pub(super) async fn patron_by_name(app: &App, name: String) -> ApiResult<Person> {
    let found = app.read(move |db| people::by_name(db, &name)).await?;
    let patron = found.filter(|p| p.role == Role::Player.name() && !p.guest);
    patron.ok_or_else(|| ApiError::missing(NO_PATRON))
}

/// A patron's chips and debt, as shown to the cage.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PatronView {
    /// The patron's name.
    name: String,
    /// The patron's chips that were bought for cash.
    cash: Money,
    /// The patron's debt: winnings that the patron had already spent when the round was declared void.
    ///
    /// A buy-in pays the debt before it gives chips, and a cash-out pays the debt before it gives cash.
    owed: Money,
    /// Whether the patron is self-excluded, so that buy-ins are refused; cash-outs are not.
    excluded: bool,
}

/// Returns a named patron's chips and debt.
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
