//! This house among the nodes of one house: which tables it owns by what the lease's thread reads, where the others are,
//! and what it hears of their changes. Safety is not decided here: a table is written by whoever has its epoch.

mod duty;
mod line;
mod peers;
mod secret;
mod tries;

pub use duty::Duty;
pub use line::{Asked, Heard, Said};
pub use peers::{Peers, Wire, line, listen};
pub use secret::Secret;
pub use tries::Try;

use crate::app::{App, House};
use ledger::nodes::{Membership, Roll, Word};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// Tables are given back within this when the house closes, or taken from it when its lease has run out.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(5);

/// What a node says before it gives its tables back.
const LEAVING: &str = "leaving";

pub struct Nodes {
    pub membership: Membership,
    pub peers: Peers,
    roll: watch::Sender<Arc<Roll>>,
    duties: BTreeMap<u32, watch::Sender<Duty>>,
    assigned: Mutex<duty::Patience>,
    leaving: AtomicBool,
    /// What runs for as long as the house is open.
    tasks: Mutex<Vec<AbortHandle>>,
}

impl Nodes {
    /// Runs until the house is closed.
    pub fn run(&self, task: impl Future<Output = ()> + Send + 'static) {
        let handle = tokio::spawn(task).abort_handle();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
    }

    /// Ends the lease, and whatever runs.
    pub fn end(&self) {
        self.membership.leave();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(|task| task.abort());
    }

    pub fn new(membership: Membership, secret: Secret, tables: impl Iterator<Item = u32>) -> Nodes {
        Nodes {
            membership,
            peers: Peers::new(secret),
            roll: watch::Sender::new(Arc::default()),
            duties: tables.map(|table| (table, watch::Sender::new(Duty::Follow(None)))).collect(),
            assigned: Mutex::default(),
            leaving: AtomicBool::new(false),
            tasks: Mutex::default(),
        }
    }

    /// Returns this node's duty at a table.
    pub fn duty(&self, table: u32) -> Option<watch::Receiver<Duty>> {
        self.duties.get(&table).map(watch::Sender::subscribe)
    }

    /// Returns the live nodes and table owners, as last read.
    pub fn roll(&self) -> Arc<Roll> {
        Arc::clone(&self.roll.borrow())
    }

    /// Returns the number of tables that this node owns.
    pub fn owned(&self) -> usize {
        let (roll, me) = (self.roll(), self.membership.owner());
        roll.owners.iter().filter(|owned| owned.owner == me).count()
    }

    fn assign(&self, roll: Roll) {
        let leaving = self.leaving.load(Ordering::Relaxed);
        let tables: Vec<u32> = self.duties.keys().copied().collect();
        let me = self.membership.owner();
        let mut patience = self.assigned.lock().unwrap_or_else(PoisonError::into_inner);
        patience.leaving.retain(|owner| roll.nodes.iter().any(|node| node.alive && node.owner() == *owner));
        let assigned = duty::assign(&roll, (&me, leaving), &tables, (&mut patience, Instant::now()));
        for (table, duty) in assigned {
            if let Some(told) = self.duties.get(&table) {
                told.send_if_modified(|before| std::mem::replace(before, duty.clone()) != duty);
            }
        }
        self.roll.send_replace(Arc::new(roll));
    }

    /// Waits until every table that is this node's to own is owned by it, or somebody else has it.
    pub async fn settled(&self) -> bool {
        let me = self.membership.owner();
        let mut roll = self.roll.subscribe();
        let is_settled = |roll: &Arc<Roll>| {
            let wanted = self.duties.iter().filter(|(_, duty)| *duty.borrow() == Duty::Own);
            let owned = |table: u32| {
                let owner = roll.owner_of(ledger::TableId(table));
                owner.is_some_and(|node| node.owner() == me)
            };
            !roll.nodes.is_empty() && wanted.into_iter().all(|(table, _)| owned(*table))
        };
        tokio::time::timeout(GIVEN_BACK_WITHIN * 2, roll.wait_for(is_settled)).await.is_ok()
    }

    /// Gives every table back and ends the lease.
    pub async fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
        self.membership.say(LEAVING);
        self.assign((*self.roll()).clone());
        let me = self.membership.owner();
        let mut roll = self.roll.subscribe();
        let none_left = |roll: &Arc<Roll>| roll.owners.iter().all(|owned| owned.owner != me);
        if tokio::time::timeout(GIVEN_BACK_WITHIN, roll.wait_for(none_left)).await.is_err() {
            tracing::warn!("some tables were not given back; they are taken when the lease has ended");
        }
    }
}

/// Does what other nodes' changes ask for, as they are heard of.
pub async fn hear(app: App, mut words: UnboundedReceiver<Word>) {
    while let Some(word) = words.recv().await {
        match word {
            Word::Roll(roll) => {
                if let Some(nodes) = app.nodes.get() {
                    app.limiter.share_among(roll.nodes.iter().filter(|node| node.alive).count());
                    nodes.assign(roll);
                }
            }
            Word::Person(person) => app.revoke(person),
            Word::Leave(person) => {
                app.sessions.forget(person);
                app.sockets.leave_all(person);
            }
            Word::Session(token) => {
                if let Some(person) = app.sessions.holder(token) {
                    app.revoke(person);
                }
            }
            Word::Setting(name) => look_at(&app, vec![name]),
            Word::Anything => {
                app.sessions.forget_all();
                app.sockets.look_again_all();
                look_at(
                    &app,
                    app.file.tables.iter().map(|setup| crate::calls::setting(setup.number)).collect(),
                );
            }
            Word::Said { by, text } if text == LEAVING => {
                if let Some(nodes) = app.nodes.get() {
                    nodes.assigned.lock().unwrap_or_else(PoisonError::into_inner).leaving.insert(by);
                }
            }
            Word::Said { text, .. } => app.heard_of_a_try(&text),
            Word::Owners => {}
            Word::Replaced => {
                tracing::error!("another process took over this node's name; this one ends");
                app.replaced.send_replace(true);
            }
        }
    }
}

/// Reads settings that were changed. Nothing else waits for it: the store may be away.
fn look_at(app: &App, names: Vec<String>) {
    let app = Arc::clone(app);
    tokio::spawn(async move {
        for name in names {
            app.setting_changed(&name).await;
        }
    });
}

impl House {
    /// A setting of the house that others change too.
    async fn setting_changed(&self, name: &str) {
        let (kind, number) = name.split_once('/').unwrap_or((name, ""));
        match (kind, number.parse::<i64>()) {
            ("call", Ok(table)) => {
                if let Ok(table) = u32::try_from(table)
                    && let Err(error) = self.recall(table).await
                {
                    tracing::warn!(error = error.detail.message, "a call for the floor was not read");
                }
            }
            ("chips" | "second-factor", Ok(person)) => self.sessions.forget(ledger::PersonId(person)),
            ("clock-confirmed", _) => self.ledger.clock().confirm(),
            _ => {}
        }
    }

    pub fn among_nodes(&self) -> bool {
        self.nodes.get().is_some()
    }
}
