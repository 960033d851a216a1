//! This process as one node of a house: the tables that it owns, and its connections to the other nodes.
//!
//! The lease thread reads which tables the node owns and where the other nodes are. Safety does not depend on this
//! module: only the holder of a table's epoch can write to the table's journal.

mod assignment;
mod line;
mod logins;
mod peers;
mod reach;
mod secret;

pub use assignment::Assignment;
pub use line::{FollowerMessage, OwnerMessage, PeerRequest};
pub use logins::LoginOutcome;
pub use peers::{FollowStream, Peers, line, listen};
pub use reach::Unfit;
pub use secret::Secret;

use crate::app::{App, House};
use futures_util::future::join_all;
use ledger::nodes::{Membership, NodeNotification, Roster};
use reach::{Quiet, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// How long a node that joins waits until it owns the tables assigned to it.
///
/// A node that stopped without releasing its tables holds them until its lease expires.
const SETTLED_WITHIN: Duration = Duration::from_secs(10);

/// How often a node checks whether it reaches its peers.
const CHECK_EVERY: Duration = Duration::from_millis(500);
/// How often a node reports to its peers when nothing has changed.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// The message that a node sends before it releases its tables.
const LEAVING: &str = "leaving";

pub struct Nodes {
    pub membership: Membership,
    pub peers: Peers,
    roster: watch::Sender<Arc<Roster>>,
    assignments: BTreeMap<u32, watch::Sender<Assignment>>,
    assignment_memory: Mutex<assignment::AssignmentMemory>,
    leaving: AtomicBool,
    /// Tasks that run while the house is open.
    tasks: Mutex<Vec<AbortHandle>>,
}

impl Nodes {
    /// Spawns a task that runs until the house is closed.
    pub fn run(&self, task: impl Future<Output = ()> + Send + 'static) {
        let handle = tokio::spawn(task).abort_handle();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
    }

    /// Ends this node's lease and aborts all its tasks.
    pub fn end(&self) {
        self.membership.leave();
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(|task| task.abort());
    }

    pub fn new(membership: Membership, secret: Secret, tables: impl Iterator<Item = u32>) -> Nodes {
        Nodes {
            membership,
            peers: Peers::new(secret),
            roster: watch::Sender::new(Arc::default()),
            assignments: tables.map(|table| (table, watch::Sender::new(Assignment::Follow(None)))).collect(),
            assignment_memory: Mutex::default(),
            leaving: AtomicBool::new(false),
            tasks: Mutex::default(),
        }
    }

    /// Returns a receiver that tells whether this node owns or follows a table, or `None` if there is no such
    /// table.
    pub fn assignment(&self, table: u32) -> Option<watch::Receiver<Assignment>> {
        self.assignments.get(&table).map(watch::Sender::subscribe)
    }

    /// Returns the nodes and the owners of the tables, as last read from the database.
    pub fn roster(&self) -> Arc<Roster> {
        Arc::clone(&self.roster.borrow())
    }

    /// Returns the number of tables that this node owns.
    pub fn owned(&self) -> usize {
        let (roster, me) = (self.roster(), self.membership.owner());
        roster.owners.iter().filter(|owned| owned.owner == me).count()
    }

    /// Assigns the tables to nodes by the roster in `news`, or by the last roster read if `news` is `None`.
    fn assign(&self, news: Option<Roster>) {
        let leaving = self.leaving.load(Ordering::Relaxed);
        let tables: Vec<u32> = self.assignments.keys().copied().collect();
        let me = self.membership.owner();
        let mut memory = self.assignment_memory.lock().unwrap_or_else(PoisonError::into_inner);
        let roster = news.map_or_else(|| self.roster(), Arc::new);
        let assigned = assignment::assign(&roster, &me, leaving, &tables, &mut memory, Instant::now());
        memory.leaving.retain(|owner| roster.nodes.iter().any(|node| node.alive && node.owner() == *owner));
        for (table, assignment) in assigned {
            if let Some(told) = self.assignments.get(&table) {
                told.send_if_modified(|before| std::mem::replace(before, assignment.clone()) != assignment);
            }
        }
        self.roster.send_replace(roster);
    }

    /// Stores a node's report about its peers, and assigns the tables again; `by` is the node's owner name.
    fn record_report(&self, by: String, report: Report) {
        let memory = || self.assignment_memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory().reach.add_report(by, report, Instant::now());
        self.assign(None);
    }

    /// Returns the live nodes that are unfit to own tables, each with the reason, by owner name.
    pub fn unfit(&self) -> BTreeMap<String, Unfit> {
        self.assignment_memory.lock().unwrap_or_else(PoisonError::into_inner).reach.unfit().clone()
    }

    /// Returns the nodes that get no more tables for now, by owner name.
    fn quiet(&self) -> BTreeMap<String, Quiet> {
        self.assignment_memory.lock().unwrap_or_else(PoisonError::into_inner).reach.quiet(Instant::now())
    }

    /// Returns whether this node is unfit to own tables because it and some other nodes do not reach each other.
    pub fn cut_off(&self) -> bool {
        self.unfit().get(&self.membership.owner()) == Some(&Unfit::CutOff)
    }

    /// Tries to reach all other live nodes, and returns the owner names of those that this node does not reach.
    async fn unreachable_nodes(&self) -> BTreeSet<String> {
        let (roster, me) = (self.roster(), self.membership.owner());
        let others =
            roster.nodes.iter().filter(|node| node.alive && node.owner() != me && !node.address.is_empty());
        let look = others.map(|node| async { (node.owner(), self.peers.reaches(&node.address).await) });
        join_all(look).await.into_iter().filter(|(_, reached)| !reached).map(|(owner, _)| owner).collect()
    }

    /// Waits until this node owns every table assigned to it. Returns `false` after `SETTLED_WITHIN` if it still
    /// does not.
    pub async fn settled(&self) -> bool {
        let me = self.membership.owner();
        let mut roster = self.roster.subscribe();
        let is_settled = |roster: &Arc<Roster>| {
            let wanted =
                self.assignments.iter().filter(|(_, assignment)| *assignment.borrow() == Assignment::Own);
            let owned = |table: u32| {
                let owner = roster.owner_of(ledger::TableId(table));
                owner.is_some_and(|node| node.owner() == me)
            };
            !roster.nodes.is_empty() && wanted.into_iter().all(|(table, _)| owned(*table))
        };
        tokio::time::timeout(SETTLED_WITHIN, roster.wait_for(is_settled)).await.is_ok()
    }

    /// Tells the other nodes that this node leaves, and releases its tables, waiting no longer than `until`.
    ///
    /// The node keeps its lease until [`Nodes::end`].
    pub async fn leave(&self, until: tokio::time::Instant) {
        self.leaving.store(true, Ordering::Relaxed);
        self.membership.broadcast(LEAVING);
        self.assign(None);
        let me = self.membership.owner();
        let mut roster = self.roster.subscribe();
        let none_left = |roster: &Arc<Roster>| roster.owners.iter().all(|owned| owned.owner != me);
        if tokio::time::timeout_at(until, roster.wait_for(none_left)).await.is_err() {
            tracing::warn!(
                "some tables were not released; other nodes take them over when this node's lease expires"
            );
        }
    }
}

/// Keeps sending this node's report to the other nodes: its unreachable peers, its round trip to the database, and
/// the nodes that failed recently.
pub async fn keep_reporting(app: App) {
    let Some(nodes) = app.nodes.get() else { return };
    let mut last: Option<(Instant, Report)> = None;
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        let Some(round_trip) = nodes.membership.round_trip() else { continue };
        let unreachable = nodes.unreachable_nodes().await;
        let report = Report { round_trip, unreachable, quiet: nodes.quiet() };
        let same = |(at, sent): &(Instant, Report)| at.elapsed() < REPORT_EVERY && sent.agrees(&report);
        if !last.as_ref().is_some_and(same) {
            nodes.membership.broadcast(&report.text());
            nodes.record_report(nodes.membership.owner(), report.clone());
            last = Some((Instant::now(), report));
        }
    }
}

/// Handles the notifications that this node receives from the database, until the sender is gone.
///
/// They report changes of people, sessions, settings, nodes and table owners, and carry messages of other nodes.
pub async fn handle_notifications(app: App, mut notifications: UnboundedReceiver<NodeNotification>) {
    while let Some(notification) = notifications.recv().await {
        match notification {
            NodeNotification::Roster(roster) => {
                if let Some(nodes) = app.nodes.get() {
                    app.limiter.share_among(roster.nodes.iter().filter(|node| node.alive).count());
                    nodes.assign(Some(roster));
                }
            }
            NodeNotification::Person(person) => app.revoke(person),
            NodeNotification::Leave(person) => {
                app.sessions.forget(person);
                app.sockets.leave_all(person);
            }
            NodeNotification::Session(token) => {
                if let Some(person) = app.sessions.holder(token) {
                    app.revoke(person);
                }
            }
            NodeNotification::Setting(name) => reload_settings(&app, vec![name]),
            NodeNotification::Anything => {
                app.sessions.forget_all();
                app.sockets.recheck_all();
                reload_settings(
                    &app,
                    app.file.tables.iter().map(|setup| crate::calls::setting(setup.number)).collect(),
                );
            }
            NodeNotification::Message { by, text } if text == LEAVING => {
                if let Some(nodes) = app.nodes.get() {
                    nodes.assignment_memory.lock().unwrap_or_else(PoisonError::into_inner).leaving.insert(by);
                }
            }
            NodeNotification::Message { by, text } => match (Report::read(&text), app.nodes.get()) {
                (Some(report), Some(nodes)) => nodes.record_report(by, report),
                _ => app.note_login_outcome(&text),
            },
            NodeNotification::Owners => {}
            NodeNotification::Replaced => {
                tracing::error!("another process took over this node's name; shutting down");
                app.replaced.send_replace(true);
            }
        }
    }
}

/// Reloads changed settings in a background task, because the database may be unreachable.
fn reload_settings(app: &App, names: Vec<String>) {
    let app = Arc::clone(app);
    tokio::spawn(async move {
        for name in names {
            app.setting_changed(&name).await;
        }
    });
}

impl House {
    /// Reloads a setting that another node changed.
    async fn setting_changed(&self, name: &str) {
        let (kind, number) = name.split_once('/').unwrap_or((name, ""));
        match (kind, number.parse::<i64>()) {
            ("call", Ok(table)) => {
                if let Ok(table) = u32::try_from(table)
                    && let Err(error) = self.recall(table).await
                {
                    tracing::warn!(error = error.detail.message, "cannot read a floor call");
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
