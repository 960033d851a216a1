//! A table as the rest of the house reaches it, and all tables of the house.

use super::grace::Coming;
use super::{Acted, Actor, Ask, Published};
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::role::Role;
use crate::session::Who;
use crate::tables::live::{Fixed, Stuck};
use axum::http::StatusCode;
use ledger::PersonId;
use std::collections::HashMap;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// Most requests that may wait for a table.
const INBOX: usize = 256;

/// A request that waits for the table.
pub struct Asked {
    pub ask: Ask,
    pub since: Instant,
    pub reply: oneshot::Sender<ApiResult<Acted>>,
}

/// A table as the rest of the house reaches it.
#[derive(Clone)]
pub struct TableHandle {
    inbox: mpsc::Sender<Asked>,
    comings: mpsc::UnboundedSender<Coming>,
    pub published: watch::Receiver<Published>,
    /// Whether this node owns the table.
    pub owned: watch::Receiver<bool>,
    pub fixed: Fixed,
}

impl TableHandle {
    /// Somebody opens a live view of the table, or has lost one.
    pub fn note(&self, who: &Who, here: bool) {
        self.count(who.id, who.role, if here { 1 } else { -1 });
    }

    /// So many views of the table more, or fewer.
    pub fn count(&self, person: PersonId, role: Role, views: i64) {
        // A table that has ended has no clock to give back.
        let _ = self.comings.send(Coming { person, role, views });
    }

    pub async fn ask(&self, ask: Ask) -> ApiResult<Acted> {
        let (reply, replied) = oneshot::channel();
        let busy = |_| ApiError::new(StatusCode::TOO_MANY_REQUESTS, "busy", "the table is busy; try again");
        self.inbox.try_send(Asked { ask, since: Instant::now(), reply }).map_err(busy)?;
        replied.await.unwrap_or_else(|_| Err(ApiError::stopped()))
    }
}

/// All tables of the house, by number.
#[derive(Default)]
pub struct Tables(HashMap<u32, TableHandle>);

impl Tables {
    /// Reads every table back and lets it go on.
    pub async fn open(app: &App) -> Result<Tables, Stuck> {
        let mut tables = HashMap::new();
        for setup in &app.file.tables {
            let (inbox, asked) = mpsc::channel(INBOX);
            let (comings, came) = mpsc::unbounded_channel();
            let actor = Actor::open(app, setup, (asked, came)).await?;
            let (published, owned) = (actor.publish.subscribe(), actor.owned.subscribe());
            let fixed = actor.live.fixed.clone();
            tables.insert(setup.number, TableHandle { inbox, comings, published, owned, fixed });
            tokio::spawn(actor.run());
        }
        Ok(Tables(tables))
    }

    pub fn get(&self, number: u32) -> ApiResult<&TableHandle> {
        self.0.get(&number).ok_or_else(|| ApiError::missing("table"))
    }

    pub fn all(&self) -> impl Iterator<Item = &TableHandle> {
        self.0.values()
    }
}
