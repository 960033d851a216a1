//! The house: everything that lives as long as the server does, and how async code reaches the ledger.

use crate::daily::Writes;
use crate::error::{ApiError, ApiResult};
use crate::fair::Vault;
use crate::house_file::HouseFile;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::rate::Limiter;
use crate::role::Role;
use crate::session::{Sessions, Who};
use crate::share::{Payers, Shares};
use ledger::db::Db;
use ledger::{
    Account, Chips, CommandId, DbResult, Digest, Draft, Fault, Holder, Ledger, PersonId, Postings, Receipt,
    Stream,
};
use std::sync::Arc;
use tokio::time::Instant;

pub struct House {
    pub ledger: Arc<Ledger>,
    pub file: HouseFile,
    pub sessions: Sessions,
    pub limiter: Limiter,
    pub daily: crate::daily::Daily,
    /// Whatever takes longer than an async thread may be held.
    pub desk: Pool,
    pub attempts: crate::attempts::Attempts,
    pub taken_codes: crate::second_factor::Taken,
    pub metrics: Metrics,
    pub alarms: crate::returns::Alarms,
    pub vault: Vault,
    pub self_check: crate::self_check::SelfCheck,
    pub started: Instant,
    /// Cookies are sent over TLS only. Off for a house on loopback without TLS in front.
    pub secure_cookies: bool,
    /// Whether the store was there when somebody last asked.
    pub stores: crate::recent::Recent<ApiResult<()>>,
    /// Names by which the house may be asked for.
    pub hosts: crate::hosts::Hosts,
    pub sockets: crate::live::Sockets,
    /// Connections of every address.
    pub connections: Shares,
    /// Live views of every address, also behind a proxy, whose connections are many addresses'.
    pub views: Shares,
    /// The bytes of requests that are not answered yet, and of answers that are not sent.
    pub bodies: Shares,
    pub answers: Shares,
    pub lab: Arc<crate::lab::Lab>,
    pub calls: crate::calls::Calls,
    pub training: crate::training::TrainingRoom,
    pub rehearsals: crate::rehearsal::RehearsalRoom,
    pub complete: crate::needs::Complete,
    /// Tells open sockets that the house closes.
    pub closing: tokio::sync::watch::Sender<bool>,
    /// This process among the nodes of the house; empty if the house is one process with a store of its own.
    pub nodes: std::sync::OnceLock<crate::nodes::Nodes>,
    /// Another process has come in under this node's name.
    pub replaced: tokio::sync::watch::Sender<bool>,
    /// Set once, when the tables have been read back.
    pub tables: std::sync::OnceLock<crate::tables::Tables>,
}

pub type App = Arc<House>;

impl House {
    /// Asks the ledger off the async threads.
    pub async fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut dyn Db) -> DbResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let ledger = Arc::clone(&self.ledger);
        Ok(self.desk.run(move || ledger.read(question)).await??)
    }

    /// Works something out off the async threads.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.desk.run(work).await?
    }

    /// Stores a command; returns when it is durable.
    pub async fn commit(&self, draft: Draft) -> Result<Receipt, Fault> {
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.ledger.submit(draft, move |outcome| {
            // Whoever asked may have hung up; the command stands all the same.
            let _ = answer.send(outcome);
        });
        answered.await.unwrap_or_else(|_| Err(Fault::Unknown(ledger::DbError::Lost("ledger stopped".into()))))
    }

    /// Stores commands that were decided one upon the other; returns when the fate of all is certain.
    pub async fn commit_chain(&self, drafts: Vec<Draft>) -> Vec<Result<Receipt, Fault>> {
        let length = drafts.len();
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.ledger.submit_chain(drafts, move |outcomes| {
            // Whoever asked may have hung up; the commands stand all the same.
            let _ = answer.send(outcomes);
        });
        let stopped = || Err(Fault::Unknown(ledger::DbError::Lost("ledger stopped".into())));
        answered.await.unwrap_or_else(|_| (0..length).map(|_| stopped()).collect())
    }

    /// Was this command of a person carried out? Then it is answered as it was, whatever would be refused by now.
    pub async fn did(&self, person: PersonId, command: &CommandId) -> ApiResult<bool> {
        let command = command.clone();
        Ok(self.read(move |db| ledger::journal::record_of_command(db, person, &command)).await?.is_some())
    }

    /// Changes people, sessions or settings by a record of the house.
    pub async fn keep(&self, rows: Vec<ledger::people::Keep>) -> ApiResult<()> {
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.ledger.keep(rows, move |outcome| {
            let _ = answer.send(outcome);
        });
        answered.await.map_err(|_| ApiError::stopped())?.map_err(ApiError::from)
    }

    /// Records something an auditor will want to know: who, what, and what changed.
    pub async fn significant(
        &self,
        by: PersonId,
        what: &str,
        details: serde_json::Value,
    ) -> ApiResult<Receipt> {
        Ok(self.commit(significant(by, what, details)?).await?)
    }

    /// Drafts a command of a person in the house's own stream.
    pub fn draft(&self, who: &Who, command: CommandId, kind: &'static str, body: Digest) -> Draft {
        let mut draft = Draft::new(Stream::House, who.id, command, kind);
        draft.body = body;
        draft
    }
}

impl House {
    /// Counts what a person or an address writes today; people who work for the house have no limit.
    pub fn writes(&self, payers: Payers, role: Option<Role>, writes: Writes) -> ApiResult<()> {
        if role.is_some_and(Role::is_staff) {
            return Ok(());
        }
        let most = |limit| self.limiter.share_of(limit);
        self.daily.count((payers, writes), self.ledger.today(), most, &self.file.daily)
    }

    /// Returns why nobody may play now: the time is in doubt, or the store differs from the journal.
    pub fn on_hold(&self) -> Option<ApiError> {
        if self.ledger.clock().doubt().is_some() {
            return Some(ApiError::clock());
        }
        self.self_check.differs().then(ApiError::self_check)
    }

    /// Returns an open table.
    pub fn table(&self, number: u32) -> ApiResult<crate::tables::TableHandle> {
        self.tables.get().ok_or_else(ApiError::stopped)?.get(number)
    }

    /// Returns the table with the rules of this one: itself, or for a solo table the house's table that it copies.
    pub fn rules_table(&self, number: u32) -> ApiResult<crate::tables::TableHandle> {
        self.table(crate::house_file::solo_of(number).map_or(number, |(_, base)| base))
    }
}

/// Returns a table for a person: a solo table is its player's alone, and is opened if necessary.
pub async fn table_for(
    app: &App,
    number: u32,
    (who, payers): (Option<&Who>, Payers),
) -> ApiResult<crate::tables::TableHandle> {
    if let Some((place, _)) = crate::house_file::solo_of(number) {
        let player = crate::tables::player_at(app, place).await?;
        if player.is_none() || who.is_none_or(|who| Some(who.id) != player && !who.role.is_staff()) {
            return Err(ApiError::missing("table"));
        }
    }
    app.tables
        .get()
        .ok_or_else(ApiError::stopped)?
        .reach(app, number, (who.map(|who| who.role), payers))
        .await
}

/// Drafts the record of a significant event.
pub fn significant(by: PersonId, what: &str, details: serde_json::Value) -> ApiResult<Draft> {
    let id = CommandId::fresh().map_err(|_| ApiError::stopped())?;
    let mut draft = Draft::new(Stream::House, by, id, "significant");
    draft.event = serde_json::json!({ "what": what, "details": details }).to_string().into_bytes();
    Ok(draft)
}

/// Drafts the house's own chips at its first start, from its owners; recorded once.
pub fn capital(file: &HouseFile) -> Option<Draft> {
    let mut draft = Draft::new(Stream::House, PersonId::HOUSE, CommandId::own("capital")?, "capital");
    let fund = |postings: Postings, chips| {
        postings.transfer(Account::new(chips, Holder::Outside), Account::new(chips, Holder::Bank), file.bank)
    };
    draft.postings = fund(fund(Postings::none(), Chips::Cash), Chips::Play);
    Some(draft)
}
