//! The house: all state that lives as long as the server, and async access to the ledger.

use crate::daily::Writes;
use crate::error::{ApiError, ApiResult, NO_TABLE};
use crate::fair::Vault;
use crate::house_file::HouseFile;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::rate::Limiter;
use crate::role::Role;
use crate::session::{Sessions, SignedIn};
use crate::share::{Clients, Shares};
use ledger::db::Db;
use ledger::{
    Account, Chips, CommandId, DbResult, Digest, Draft, Fault, Holder, Ledger, PersonId, Postings, Receipt,
    Stream,
};
use serde::Serialize;
use std::sync::Arc;
use tokio::time::Instant;

pub struct House {
    pub ledger: Arc<Ledger>,
    pub file: HouseFile,
    pub sessions: Sessions,
    pub limiter: Limiter,
    pub daily: crate::daily::Daily,
    /// The thread pool that runs work which would block an async thread.
    pub desk: Pool,
    pub attempts: crate::login_throttle::Attempts,
    pub taken_codes: crate::second_factor::UsedCodes,
    pub metrics: Metrics,
    pub alarms: crate::returns::Alarms,
    pub vault: Vault,
    pub self_check: crate::self_check::SelfCheck,
    pub started: Instant,
    /// Whether cookies are sent over TLS only.
    ///
    /// False for a house on loopback without TLS in front.
    pub secure_cookies: bool,
    /// The cached result of the last check that the database is reachable and stores durably.
    pub stores: crate::recent::Recent<ApiResult<()>>,
    /// The host names accepted in requests.
    pub hosts: crate::hosts::Hosts,
    pub sockets: crate::live::Sockets,
    /// The open connections, counted by address.
    pub connections: Shares,
    /// The open live views, counted by client address.
    ///
    /// Views are counted apart from connections, because a proxy's connections serve many addresses.
    pub views: Shares,
    /// The bytes in the bodies of unanswered requests, counted by client.
    pub bodies: Shares,
    pub answers: Shares,
    pub lab: Arc<crate::lab::Lab>,
    pub calls: crate::calls::Calls,
    pub training: crate::training::TrainingStore,
    pub rehearsals: crate::rehearsal::RehearsalStore,
    pub complete: crate::compliance::Complete,
    /// Tells open sockets that the house is closing, by the value `true`.
    pub closing: tokio::sync::watch::Sender<bool>,
    /// This node's membership in the house; unset if the house is a single process with its own database.
    pub nodes: std::sync::OnceLock<crate::nodes::Nodes>,
    /// Tells this process that another process has joined under this node's name, by the value `true`.
    pub replaced: tokio::sync::watch::Sender<bool>,
    /// The tables, set once after they are restored.
    pub tables: std::sync::OnceLock<crate::tables::Tables>,
}

pub type App = Arc<House>;

impl House {
    /// Runs a ledger query off the async threads.
    pub async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut dyn Db) -> DbResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let ledger = Arc::clone(&self.ledger);
        Ok(self.desk.run(move || ledger.read(question)).await??)
    }

    /// Runs a computation on the thread pool, off the async threads, and returns its result.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.desk.run(work).await?
    }

    /// Stores a command, and returns its receipt once it is durable.
    pub async fn commit(&self, draft: Draft) -> Result<Receipt, Fault> {
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.ledger.submit(draft, move |outcome| {
            // The caller may have disconnected; the command stands all the same.
            let _ = answer.send(outcome);
        });
        answered.await.unwrap_or_else(|_| Err(Fault::Unknown(ledger::DbError::Lost("ledger stopped".into()))))
    }

    /// Stores a chain of commands, and returns their outcomes once all outcomes are certain.
    ///
    /// Each command is decided on the state that the previous command leaves.
    pub async fn commit_chain(&self, drafts: Vec<Draft>) -> Vec<Result<Receipt, Fault>> {
        let length = drafts.len();
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.ledger.submit_chain(drafts, move |outcomes| {
            // The caller may have disconnected; the commands stand all the same.
            let _ = answer.send(outcomes);
        });
        let stopped = || Err(Fault::Unknown(ledger::DbError::Lost("ledger stopped".into())));
        answered.await.unwrap_or_else(|_| (0..length).map(|_| stopped()).collect())
    }

    /// Returns whether a person's command was already carried out.
    ///
    /// A repeat of such a command gets the original response, even if the command would be refused now.
    pub async fn did(&self, person: PersonId, command: &CommandId) -> ApiResult<bool> {
        let command = command.clone();
        Ok(self.read(move |db| ledger::journal::record_of_command(db, person, &command)).await?.is_some())
    }

    /// Stores changes to people, sessions or settings.
    ///
    /// Returns when the changes are durable.
    pub async fn store_rows(&self, rows: Vec<ledger::people::RowChange>) -> ApiResult<()> {
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.ledger.store_rows(rows, move |outcome| {
            let _ = answer.send(outcome);
        });
        answered.await.map_err(|_| ApiError::stopped())?.map_err(ApiError::from)
    }

    /// Records a significant event for the auditor: who did what, and what changed.
    pub async fn significant(&self, by: PersonId, what: &str, details: impl Serialize) -> ApiResult<Receipt> {
        let draft = significant(by, what, details)?;
        Ok(self.commit(draft).await?)
    }

    /// Returns the draft of the journal record of a person's command to the house itself, not to a table.
    pub fn draft(&self, who: &SignedIn, command: CommandId, kind: &'static str, body: Digest) -> Draft {
        let mut draft = Draft::new(Stream::House, who.id, command, kind);
        draft.body = body;
        draft
    }
}

impl House {
    /// Counts a write against the client's daily limit, or returns an error if the limit is reached.
    ///
    /// Writes of staff are not counted and have no limit.
    pub fn writes(&self, clients: Clients, role: Option<Role>, writes: Writes) -> ApiResult<()> {
        if role.is_some_and(Role::is_staff) {
            return Ok(());
        }
        let most = |limit| self.limiter.share_of(limit);
        self.daily.count((clients, writes), self.ledger.today(), most, &self.file.daily)
    }

    /// Returns the error that tells why play is on hold, or `None` if play is not on hold.
    ///
    /// Play is on hold while the clock is in doubt or the database differs from the journal.
    pub fn on_hold(&self) -> Option<ApiError> {
        if self.ledger.clock().doubt().is_some() {
            return Some(ApiError::clock());
        }
        self.self_check.differs().then(ApiError::self_check)
    }

    /// Returns the open table with this number, or an error if there is none.
    pub fn table(&self, number: u32) -> ApiResult<crate::tables::TableHandle> {
        self.tables.get().ok_or_else(ApiError::stopped)?.get(number)
    }

    /// Returns the table of the house file whose rules apply at the table with this number.
    ///
    /// For a solo table, this is the table whose rules the solo table copies; for any other table, the table
    /// itself.
    pub fn rules_table(&self, number: u32) -> ApiResult<crate::tables::TableHandle> {
        self.table(crate::house_file::solo_of(number).map_or(number, |(_, base)| base))
    }
}

/// Returns the table with this number, or an error if the person may not see the table.
///
/// A solo table is visible only to its player and to staff; if it is not open, this function opens it.
pub async fn table_for(
    app: &App,
    number: u32,
    (who, clients): (Option<&SignedIn>, Clients),
) -> ApiResult<crate::tables::TableHandle> {
    if let Some((place, _)) = crate::house_file::solo_of(number) {
        let player = crate::tables::solo_player(app, place).await?;
        if player.is_none() || who.is_none_or(|who| Some(who.id) != player && !who.role.is_staff()) {
            return Err(ApiError::missing(NO_TABLE));
        }
    }
    app.tables
        .get()
        .ok_or_else(ApiError::stopped)?
        .reach(app, number, (who.map(|who| who.role), clients))
        .await
}

/// A significant event as the journal stores it: the kind of event, and the details for the auditor.
#[derive(Serialize)]
struct Significant<'a, T> {
    what: &'a str,
    details: T,
}

/// Returns the draft of the journal record of a significant event.
pub fn significant(by: PersonId, what: &str, details: impl Serialize) -> ApiResult<Draft> {
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, by, id, "significant");
    draft.event = recorded(&Significant { what, details });
    Ok(draft)
}

/// Returns the JSON in which the journal stores an event.
///
/// The fields of every object are sorted by name.
pub fn recorded(event: &impl Serialize) -> Vec<u8> {
    serde_json::to_value(event).unwrap_or_default().to_string().into_bytes()
}

/// Returns the journal record, not yet written, that credits the house with its opening capital.
///
/// The owners provide the capital, which is recorded once, at the first start. `None` does not occur, because the
/// command's id is valid.
pub fn capital(file: &HouseFile) -> Option<Draft> {
    let mut draft = Draft::new(Stream::House, PersonId::HOUSE, CommandId::own("capital")?, "capital");
    let fund = |postings: Postings, chips| {
        postings.transfer(Account::new(chips, Holder::Outside), Account::new(chips, Holder::Bank), file.bank)
    };
    draft.postings = fund(fund(Postings::none(), Chips::Cash), Chips::Play);
    Some(draft)
}
