//! Fills a house with rounds, without network clients, to benchmark its restart, audit and search.

use crate::app::App;
use crate::serve::{Options, ServeError, open};
use crate::session::SignedIn;
use crate::tables::{Ask, MeantFor, Request};
use crate::wire::Money;
use ledger::people::{Person, RowChange};
use ledger::{Account, Cents, Chips, CommandId, Digest, Draft, Holder, Moment, PersonId, Postings, Stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Plays rounds at the tables of a house, with one player per table, until `rounds` rounds are stored.
///
/// `stored` counts the rounds that are stored so far.
#[doc(hidden)]
pub async fn store_rounds(options: &Options, rounds: u64, stored: &AtomicU64) -> Result<(), ServeError> {
    let opened = open(options).await?;
    let app = &opened.app;
    let wrong = |e: &dyn std::fmt::Display| ServeError::Opening(e.to_string());
    let mut players = Vec::new();
    for setup in &app.file.tables {
        let who = player(app, setup.number).await.map_err(|e| wrong(&e))?;
        players.push(play(app, setup.number, Arc::new(who), (rounds, stored)));
    }
    futures_util::future::join_all(players).await;
    let app = Arc::clone(app);
    let closed = ledger::world::run_blocking(move || app.ledger.close()).await;
    closed.map_err(|e| wrong(&e))
}

pub(crate) async fn player(app: &App, table: u32) -> Result<SignedIn, ledger::Fault> {
    let id = PersonId(i64::from(table));
    let name = format!("stock-{table}");
    let entropy = |e: getrandom::Error| ledger::Fault::Store(ledger::DbError::Lost(e.to_string()));
    let mut draft = Draft::new(Stream::House, id, CommandId::fresh().map_err(entropy)?, "joined");
    let purse = Account::player(Chips::Play, id);
    let amount = Cents(100_000_000_000);
    draft.postings = Postings::none().transfer(Account::new(Chips::Play, Holder::Outside), purse, amount);
    draft.row_changes.push(RowChange::NewPerson(Person {
        id,
        name: name.clone(),
        role: "player".into(),
        secret: String::new(),
        guest: true,
        disabled: false,
        created: Moment::now(),
        failures: 0,
        locked_until: Moment(0),
    }));
    app.commit(draft).await?;
    let session = Digest::default();
    let (role, chips) = (crate::role::Role::Player, Chips::Play);
    Ok(SignedIn { id, name, role, guest: true, chips, must_change: false, must_set_factor: false, session })
}

async fn play(app: &App, table: u32, who: Arc<SignedIn>, (rounds, stored): (u64, &AtomicU64)) {
    let Ok(handle) = app.table(table) else { return };
    let handle = &handle;
    let amount = Money(rules::limit::least_wager(&handle.fixed.rules));
    let ask = |request| {
        let who = Arc::clone(&who);
        async move {
            let Ok(id) = CommandId::fresh() else { return false };
            handle.ask(Ask { who, id, meant_for: MeantFor::default(), request }).await.is_ok()
        }
    };
    while stored.load(Ordering::Relaxed) < rounds {
        let before = handle.published.borrow().version;
        let wager =
            Request::Wager { r#box: 1, amounts: vec![amount], side: Default::default(), behind: false };
        if ask(wager).await && ask(Request::Deal).await {
            stored.fetch_add(1, Ordering::Relaxed);
        }
        let _ = ask(Request::Decline { r#box: 1, offer: "insurance".into() }).await;
        // Standing is the shortest way to the end of a round.
        for _ in 0..4 {
            if !ask(Request::Stand { r#box: 1 }).await {
                break;
            }
        }
        if handle.published.borrow().version == before {
            tracing::error!(table, "the table does not advance");
            return;
        }
    }
}
