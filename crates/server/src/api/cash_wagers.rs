//! Spoken bets backed by cash at a dealer's table.
//!
//! The dealer calls the bet before the first card, a supervisor confirms it, and the cash then becomes the
//! patron's chips. Neither the dealer nor the supervisor can do this alone.

use super::Me;
use super::cashier::{patron_by_name, with_debt_first};
use crate::app::{App, recorded};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::house_file::Dealing;
use crate::session::plays_with;
use crate::tables::not_dealing;
use crate::wire::{Body, ClientId, Money, Path, body_digest};
use axum::Json;
use axum::extract::State;
use ledger::{Account, Chips, CommandId, Draft, Holder, PersonId, Seq, Stream, journal};
use rules::message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of the journal record of a called cash bet; `CONFIRMED` is the kind of its confirmation.
const CALLED: &str = "cash-wager-called";
const CONFIRMED: &str = "cash-wager-confirmed";

/// A dealer's request to record a cash bet of a patron.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
pub struct CashWagerOrder {
    /// The client's id for the command; a command with a repeated id is not carried out again.
    id: ClientId,
    /// The patron's name.
    #[schema(min_length = 1, max_length = 64)]
    patron: String,
    /// The amount of the bet.
    amount: Money,
}

/// A cash bet that a dealer called, as stored in the journal.
#[derive(Serialize, Deserialize)]
struct Called {
    table: u32,
    patron: i64,
    amount: Money,
}

/// A cash bet, and whether a supervisor has confirmed it.
#[derive(Serialize, utoipa::ToSchema)]
pub struct CashWagerView {
    /// The number of the journal record of the call; the request that confirms the bet must name this number.
    call: i64,
    /// The number of the journal record of the confirmation, or absent if the bet is not confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<i64>,
    /// The amount of the bet.
    amount: Money,
}

/// Records a cash bet that the signed-in dealer of the table has called.
#[utoipa::path(post, path = "/api/tables/{table}/cash-wagers", tag = "tables", params(("table" = u32, Path)),
    request_body = CashWagerOrder,
    responses((status = 200, body = CashWagerView), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
pub async fn call(
    State(app): State<App>,
    me: Me,
    Path(table): Path<u32>,
    Body(asked): Body<CashWagerOrder>,
) -> ApiResult<Json<CashWagerView>> {
    let id = asked.id.lawful()?;
    if !app.did(me.id, &id).await? {
        before_the_first_card(&app, table)?;
        dealt_by(&app, table, me.id)?;
        crate::compliance::complete(&app, table).await?;
    }
    let amount = Money(asked.amount.positive()?);
    let patron = patron_by_name(&app, asked.patron.clone()).await?;
    let digest = body_digest(&format!("{CALLED} {table}"), &asked);
    let mut draft = app.draft(&me, id, CALLED, digest);
    draft.event = serde_json::to_vec(&Called { table, patron: patron.id.0, amount }).unwrap_or_default();
    let receipt = app.commit(draft).await?;
    Ok(Json(CashWagerView { call: receipt.seq.0, confirmed: None, amount }))
}

/// Confirms a cash bet, as a supervisor.
///
/// The cash goes to the dealer's drawer. It pays the patron's debt first, and the rest becomes the patron's chips.
#[utoipa::path(post, path = "/api/tables/{table}/cash-wagers/{call}/confirmation", tag = "tables",
    params(("table" = u32, Path), ("call" = i64, Path)),
    responses((status = 200, body = CashWagerView), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn confirm(
    State(app): State<App>,
    me: Me,
    Path((table, call)): Path<(u32, i64)>,
) -> ApiResult<Json<CashWagerView>> {
    let found = app.read(move |db| journal::record(db, Seq(call))).await?;
    let record = found.filter(|record| record.stream == Stream::House && record.kind == CALLED);
    let called = record.and_then(|record| {
        let called: Called = serde_json::from_slice(&record.event).ok()?;
        (called.table == table).then_some((record.person, called))
    });
    let (dealer, called) =
        called.ok_or_else(|| ApiError::missing(message!("no-such-cash-bet", "no such cash bet")))?;
    let id = CommandId::own(&format!("cash-wager-{call}")).ok_or_else(ApiError::stopped)?;
    // The id is derived from the call, so that a call is confirmed once, whoever confirms it; no dealer can use the id
    // first.
    let draft = confirmation(dealer, id.clone(), &called, me.id);
    let confirmed = app.read(move |db| journal::record_of_command(db, dealer, &id)).await?;
    let seq = match confirmed {
        Some(record) => record.seq,
        None => {
            before_the_first_card(&app, table)?;
            let seq = app.commit(draft).await?.seq;
            app.sessions.forget(PersonId(called.patron));
            seq
        }
    };
    Ok(Json(CashWagerView { call, confirmed: Some(seq.0), amount: called.amount }))
}

/// A cash bet that a supervisor confirmed, as stored in the journal.
#[derive(Serialize)]
struct Confirmed {
    table: u32,
    patron: i64,
    amount: Money,
    dealer: i64,
    supervisor: i64,
}

fn confirmation(dealer: PersonId, id: CommandId, called: &Called, supervisor: PersonId) -> Draft {
    let patron = PersonId(called.patron);
    let mut draft = Draft::new(Stream::House, dealer, id, CONFIRMED);
    let drawer = Account::new(Chips::Cash, Holder::Cashier(dealer));
    draft.postings = with_debt_first(patron, drawer, called.amount.0);
    draft.event = recorded(&Confirmed {
        table: called.table,
        patron: called.patron,
        amount: called.amount,
        dealer: dealer.0,
        supervisor: supervisor.0,
    });
    draft.row_changes.push(plays_with(PersonId(called.patron), Chips::Cash));
    draft
}

/// Returns an error unless the table has a human dealer and is open for bets.
fn before_the_first_card(app: &App, table: u32) -> ApiResult<()> {
    let handle = app.table(table)?;
    if handle.fixed.dealing != Dealing::Dealer {
        return Err(ApiError::refused(message!(
            "no-dealer",
            "cash bets need a table with a human dealer, who calls them"
        )));
    }
    let view: Value = serde_json::from_str(&handle.published.borrow().view).unwrap_or_default();
    match view["awaiting"]["what"] == "wagers" {
        true => Ok(()),
        false => Err(ApiError::refused(message!(
            "cash-bets-closed",
            "cash bets close when the first card is dealt"
        ))
        .clause(handle.fixed.rules.text().wagers.called_bet.citation())),
    }
}

/// Returns an error if someone other than `person` is recorded as the table's dealer.
fn dealt_by(app: &App, table: u32, person: PersonId) -> ApiResult<()> {
    let view: Value = serde_json::from_str(&app.table(table)?.published.borrow().view).unwrap_or_default();
    let dealer = &view["dealt_by"];
    match dealer["person"].as_i64().is_none_or(|dealer| dealer == person.0) {
        true => Ok(()),
        false => Err(not_dealing(dealer["name"].as_str().unwrap_or("another dealer"))),
    }
}
