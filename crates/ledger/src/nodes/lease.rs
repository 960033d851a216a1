//! A node's lease, kept by one thread with one database session.
//!
//! The thread holds the node's advisory lock, renews the lease every second, reads the database's time, the live nodes
//! and the table owners, and receives other nodes' changes.

use super::{
    LEASE_MS, Node, NodeStatus, RENEW_MS, Roster, TableOwner, alive, database_now, lay_out, lock_class, owner,
};
use crate::address;
use crate::clock::Timepiece;
use crate::db::{Db, DbError, DbResult, Purpose, Row, transact};
use crate::ids::{Moment, PersonId, TableId};
use crate::journal::locked_head;
use crate::keys::from_hex;
use crate::pipeline::{Answer, Request, answers};
use crate::postgres::{fault, look_after};
use crate::record::Digest;
use crate::row;
use crate::schema::NEWEST;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio_postgres::{AsyncMessage, Client, Statement};

/// The longest time a lease statement may take, so that the next renewal is not late.
const WITHIN: Duration = Duration::from_millis(1_500);
const RENEW: Duration = Duration::from_millis(RENEW_MS);
/// How often the nodes and table owners are read; they are also read whenever a table changes owner.
const READ_EVERY: Duration = Duration::from_millis(RENEW_MS / 2);
const LEASE: Duration = Duration::from_millis(LEASE_MS as u64);
/// How long a joining node waits while a killed node of the same name still counts as alive.
const NAME_FREE_WITHIN: Duration = Duration::from_millis(LEASE_MS as u64 + 1_500);
/// The longest round trip after which a reading of the database's time is still used.
const PROMPT: Duration = Duration::from_millis(400);

/// The database channel for announcing changes to nodes.
///
/// The notification is part of the transaction that makes the change.
pub(crate) const CHANNEL: &str = "cutcard";

/// The beginning of a transaction whose commit waits neither for the disk nor for a standby.
///
/// If a crash loses the transaction, only a lease ends earlier or a notification comes later. The setting is per
/// transaction and never per session, because a pooler may hand the session to another client.
const BEGIN_AT_ONCE: &str = "BEGIN; SET LOCAL synchronous_commit = off";
const RENEW_LEASE: &str = concat!(
    "UPDATE nodes SET lease_until = $1 + ",
    database_now!(),
    " WHERE name = $2 AND incarnation = $3 RETURNING lease_until"
);
const END_LEASE: &str = "WITH ended AS (UPDATE nodes SET lease_until = 0 WHERE name = $1 AND incarnation = $2 \
    RETURNING 1) \
    SELECT pg_notify('cutcard', 'owners') FROM ended";
const NOTIFY: &str = "SELECT pg_notify($1, $2)";

/// A notification from another node, or from the lease's own thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeNotification {
    /// A change of a person's role, password, sessions or similar.
    Person(PersonId),
    /// The end of a session, given by the digest of its token.
    Session(Digest),
    /// The exclusion of a person, who must leave every table; all of the person's views close.
    Leave(PersonId),
    /// A change of a setting of the house.
    Setting(String),
    /// A change of a table's owner.
    Owners,
    /// The nodes and table owners, as last read.
    Roster(Roster),
    /// A sign that notifications may have been missed, so that every cache must be reread.
    Anything,
    /// A message from another node, with its name.
    ///
    /// The message is not stored.
    Message { by: String, text: String },
    /// Another process has joined under this node's name.
    Replaced,
}

impl NodeNotification {
    pub(crate) fn text(&self) -> String {
        match self {
            NodeNotification::Person(person) => format!("person {}", person.0),
            NodeNotification::Session(token) => format!("session {token}"),
            NodeNotification::Leave(person) => format!("leave {}", person.0),
            NodeNotification::Setting(name) => format!("setting {name}"),
            NodeNotification::Owners => "owners".into(),
            NodeNotification::Message { by, text } => format!("said {by} {text}"),
            NodeNotification::Anything | NodeNotification::Roster(_) | NodeNotification::Replaced => {
                "anything".into()
            }
        }
    }

    /// Parses a notification from another node.
    ///
    /// A notification that cannot be parsed comes from a newer program and counts as `Anything`.
    fn read(text: &str) -> NodeNotification {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let person = || rest.parse().ok().map(PersonId);
        let read = match word {
            "person" => person().map(NodeNotification::Person),
            "leave" => person().map(NodeNotification::Leave),
            "session" => {
                from_hex(rest).and_then(|bytes| Digest::from_slice(&bytes)).map(NodeNotification::Session)
            }
            "setting" => Some(NodeNotification::Setting(rest.to_owned())),
            "owners" => Some(NodeNotification::Owners),
            "said" => rest
                .split_once(' ')
                .map(|(by, text)| NodeNotification::Message { by: by.into(), text: text.into() }),
            _ => None,
        };
        read.unwrap_or(NodeNotification::Anything)
    }
}

/// A process's membership as a node of the house.
///
/// Dropping the membership ends the lease.
pub struct Membership {
    node: Node,
    incarnation: i64,
    held_until: Arc<Mutex<Instant>>,
    renewals: Arc<AtomicI64>,
    round_trip: Arc<Mutex<RoundTrip>>,
    replaced: Arc<AtomicBool>,
    outbox: UnboundedSender<String>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Membership {
    /// Returns this node's name and incarnation, as stored in `owners`.
    pub fn owner(&self) -> String {
        owner(&self.node.name, self.incarnation)
    }

    pub fn name(&self) -> &str {
        &self.node.name
    }

    pub fn incarnation(&self) -> i64 {
        self.incarnation
    }

    /// Returns whether this process knows the node's lease to be valid.
    pub fn holds(&self) -> bool {
        let until = *self.held_until.lock().unwrap_or_else(PoisonError::into_inner);
        Instant::now() < until && !self.replaced.load(Ordering::Relaxed)
    }

    /// Returns how often the lease was renewed since this process joined.
    pub fn renewals(&self) -> i64 {
        self.renewals.load(Ordering::Relaxed)
    }

    /// Returns the shortest round trip of the last eight lease renewals, or `None` before the first renewal.
    pub fn round_trip(&self) -> Option<Duration> {
        self.round_trip.lock().unwrap_or_else(PoisonError::into_inner).shortest()
    }

    /// Queues a message that the database delivers to the other nodes.
    ///
    /// A node without a database session at that moment never receives it.
    pub fn broadcast(&self, text: &str) {
        let notification = NodeNotification::Message { by: self.owner(), text: text.to_owned() }.text();
        // A lease that has ended sends nothing more.
        let _ = self.outbox.send(notification);
    }

    /// Ends the lease, which frees the node's name and tables immediately.
    pub fn leave(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the lease thread panicked");
        }
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The callback that receives the notifications.
pub type NotificationHandler = Box<dyn Fn(NodeNotification) + Send>;

/// Joins a house as a node.
///
/// Returns an error while another node of that name is alive. `seal_key` must equal that of the other nodes.
pub(crate) fn join(
    db: &mut dyn Db,
    url: &str,
    (node, seal_key): (Node, String),
    (clock, on_notification): (Arc<Timepiece>, NotificationHandler),
) -> DbResult<Membership> {
    // Hold the head's lock, because two processes creating the same table at once would fail.
    transact(db, Purpose::Write, |db| {
        locked_head(db)?;
        lay_out(db)
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| DbError::Lost(e.to_string()))?;
    let mut session = runtime.block_on(Session::open(url))?;
    let (number, incarnation, began) = runtime.block_on(session.register(&node, &seal_key))?;
    let held_until = Arc::new(Mutex::new(began + LEASE));
    let (replaced, renewals) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
    let round_trip = Arc::new(Mutex::new(RoundTrip::default()));
    let (stop, stopped) = watch::channel(false);
    let (outbox, outgoing) = unbounded_channel();
    let mut lease = Lease {
        url: url.to_owned(),
        name: node.name.clone(),
        number,
        incarnation,
        clock,
        on_notification,
        held_until: Arc::clone(&held_until),
        renewals: Arc::clone(&renewals),
        round_trip: Arc::clone(&round_trip),
        replaced: Arc::clone(&replaced),
        stopped,
    };
    let run = move || runtime.block_on(lease.run(session, outgoing));
    let thread = std::thread::Builder::new().name("ledger-lease".into()).spawn(run);
    let thread = Mutex::new(Some(thread.map_err(|e| DbError::Lost(e.to_string()))?));
    Ok(Membership { node, incarnation, held_until, renewals, round_trip, replaced, outbox, stop, thread })
}

/// The last few round trips to the database.
#[derive(Debug, Default)]
struct RoundTrip {
    last: [Option<Duration>; 8],
    next: usize,
}

impl RoundTrip {
    fn took(&mut self, time: Duration) {
        self.last[self.next % self.last.len()] = Some(time);
        self.next += 1;
    }

    fn shortest(&self) -> Option<Duration> {
        self.last.iter().flatten().min().copied()
    }
}

/// A database session that receives notifications.
struct Session {
    client: Client,
    notifications: UnboundedReceiver<String>,
    renew_lease: Statement,
    end_lease: Statement,
    notify: Statement,
}

async fn within<T>(work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> DbResult<T> {
    match tokio::time::timeout(WITHIN, work).await {
        Ok(done) => done.map_err(fault),
        Err(_) => Err(DbError::Lost("the database did not respond before the lease expired".into())),
    }
}

impl Session {
    async fn open(url: &str) -> DbResult<Session> {
        let mut address = address::read(url)?;
        look_after(&mut address.config);
        // The first of several hosts may be down.
        let connecting = tokio::time::timeout(WITHIN * 2, address.connect()).await;
        let silent = |_| DbError::Lost("the database did not respond before the lease expired".into());
        let (client, mut connection) = connecting.map_err(silent)?.map_err(fault)?;
        let (tell, notifications) = unbounded_channel();
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(notification) = message {
                    // The receiver is gone once the session is given up.
                    let _ = tell.send(notification.payload().to_owned());
                }
            }
        });
        within(client.batch_execute(&format!("SET client_min_messages = warning; LISTEN {CHANNEL}"))).await?;
        let prepared = async {
            tokio::try_join!(client.prepare(RENEW_LEASE), client.prepare(END_LEASE), client.prepare(NOTIFY))
        };
        let (renew_lease, end_lease, notify) = within(prepared).await?;
        Ok(Session { client, notifications, renew_lease, end_lease, notify })
    }

    /// Runs a statement in a transaction of its own, in one round trip.
    async fn write(&self, statement: &Statement, row: Row<'_>) -> DbResult<Answer> {
        let requests =
            [Request::Text(BEGIN_AT_ONCE), Request::One(statement.clone(), &row), Request::Text("COMMIT")];
        let asked = async { answers(&self.client, &requests).await.all() };
        Ok(within(asked).await?.swap_remove(1))
    }

    /// Registers the node in the `nodes` table, and waits while a live node has the same name.
    ///
    /// Returns the node's number, its incarnation, and when the registering statement was sent.
    async fn register(&mut self, node: &Node, seal_key: &str) -> DbResult<(i64, i64, Instant)> {
        const REGISTER: &str = concat!(
            "INSERT INTO nodes (name, incarnation, address, program, seal_key, house, knows, lease_until) \
             VALUES ($1, 1, $2, $3, $4, $7, $6, $5 + ",
            database_now!(),
            ") ON CONFLICT (name) DO UPDATE SET incarnation = nodes.incarnation + 1, address = excluded.address, \
             program = excluded.program, seal_key = excluded.seal_key, house = excluded.house, \
             knows = excluded.knows, lease_until = excluded.lease_until \
             WHERE NOT ",
            alive!(),
            " RETURNING number, incarnation"
        );
        self.refuse_other_settings(node, seal_key).await?;
        let since = Instant::now();
        loop {
            let began = Instant::now();
            let row = [
                &node.name as _,
                &node.address as _,
                &node.program as _,
                &seal_key as _,
                &LEASE_MS as _,
                &NEWEST as _,
                &node.house as _,
            ];
            if let Some(row) = within(self.client.query_opt(REGISTER, &row)).await? {
                let (number, incarnation) = (row.get(0), row.get(1));
                self.lock(number).await?;
                return Ok((number, incarnation, began));
            }
            if since.elapsed() > NAME_FREE_WITHIN {
                let name = &node.name;
                return Err(DbError::Refused(format!(
                    "a node named `{name}` is running; choose another name with --node"
                )));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Returns an error if this node's seal key, house file or peer address does not fit a live node's.
    async fn refuse_other_settings(&self, node: &Node, seal_key: &str) -> DbResult<()> {
        const OTHERS: &str = concat!(
            "SELECT name, seal_key <> $1, name <> $4 AND house <> $2 AND house <> '', \
             name <> $4 AND (address = '') <> ($3 = '') FROM nodes WHERE ",
            alive!(),
            " ORDER BY name"
        );
        let row = [&seal_key as _, &node.house as _, &node.address as _, &node.name as _];
        for other in within(self.client.query(OTHERS, &row)).await? {
            let name: String = other.get(0);
            let wrong = match (other.get(1), other.get(2), other.get(3)) {
                (true, _, _) => "uses different keys; use the same keys on every node",
                (_, true, _) => {
                    "uses a different house file; use the same file on every node. To change it, restart all nodes; \
                        the new file takes effect once no node uses the old one"
                }
                (_, _, true) if node.address.is_empty() => {
                    "listens for peers; start this node with --peers-listen, too"
                }
                (_, _, true) => "does not listen for peers; start every node with --peers-listen",
                _ => continue,
            };
            return Err(DbError::Refused(format!("node {name} {wrong}")));
        }
        Ok(())
    }

    /// Takes the node's advisory lock, which this session then holds until it ends.
    ///
    /// Does not fail if a lost session, unnoticed by the database, still holds the lock: the node counts as alive
    /// by that lock too.
    async fn lock(&self, number: i64) -> DbResult<()> {
        let sql = format!("SELECT pg_try_advisory_lock({}, {number})", lock_class!());
        within(self.client.batch_execute(&sql)).await
    }
}

struct Lease {
    url: String,
    name: String,
    number: i64,
    incarnation: i64,
    clock: Arc<Timepiece>,
    on_notification: NotificationHandler,
    held_until: Arc<Mutex<Instant>>,
    renewals: Arc<AtomicI64>,
    round_trip: Arc<Mutex<RoundTrip>>,
    replaced: Arc<AtomicBool>,
    stopped: watch::Receiver<bool>,
}

impl Lease {
    async fn run(&mut self, first: Session, mut outgoing: UnboundedReceiver<String>) {
        let myself = owner(&self.name, self.incarnation);
        let mut session = Some(first);
        let mut every = tokio::time::interval(READ_EVERY);
        let mut renewed = Instant::now();
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut stopped = self.stopped.clone();
        loop {
            let lost = match &mut session {
                Some(open) => tokio::select! {
                    _ = every.tick() => {
                        let due = renewed.elapsed() + READ_EVERY / 2 >= RENEW;
                        if due {
                            renewed = Instant::now();
                        }
                        let done = if due { self.renew(open).await } else { Ok(()) };
                        done.is_err() || self.read_roster(open).await.is_err()
                    }
                    text = open.notifications.recv() => match text.as_deref().map(NodeNotification::read) {
                        Some(NodeNotification::Owners) => self.read_roster(open).await.is_err(),
                        Some(NodeNotification::Message { by, .. }) if by == myself => false,
                        Some(notification) => {
                            (self.on_notification)(notification);
                            false
                        }
                        None => true,
                    },
                    Some(notification) = outgoing.recv() => {
                        open.write(&open.notify, row![CHANNEL, notification.as_str()]).await.is_err()
                    }
                    _ = stopped.changed() => break,
                },
                None => tokio::select! {
                    () = tokio::time::sleep(Duration::from_millis(200)) => {
                        session = self.reconnect().await;
                        false
                    }
                    _ = stopped.changed() => break,
                },
            };
            if lost {
                tracing::warn!(node = self.name, "the database session of the lease has ended");
                session = None;
            }
            if self.replaced.load(Ordering::Relaxed) {
                return (self.on_notification)(NodeNotification::Replaced);
            }
        }
        if let Some(session) = &session
            && let Err(error) =
                session.write(&session.end_lease, row![self.name.as_str(), self.incarnation]).await
        {
            tracing::warn!(%error, "cannot release the lease; it expires on its own");
        }
    }

    async fn reconnect(&mut self) -> Option<Session> {
        let opened = async {
            let session = Session::open(&self.url).await?;
            self.renew(&session).await?;
            Ok::<_, DbError>(session)
        };
        let session =
            opened.await.inspect_err(|error| tracing::warn!(%error, "the lease is waiting for the database"));
        let session = session.ok()?;
        // Notifications sent meanwhile were missed.
        (self.on_notification)(NodeNotification::Anything);
        Some(session)
    }

    /// Reads the nodes and the table owners, and reports them to the callback.
    async fn read_roster(&self, session: &Session) -> DbResult<()> {
        const NODES: &str = concat!(
            "SELECT name, incarnation, address, program, ",
            alive!(),
            ", lease_until - ",
            database_now!(),
            " FROM nodes ORDER BY name"
        );
        const OWNERS: &str = "SELECT table_no, owner, epoch FROM owners ORDER BY table_no";
        const LAG: &str = "SELECT MIN(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), flush_lsn))::bigint \
            FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
        let client = &session.client;
        let asked = async {
            tokio::try_join!(client.query(NODES, &[]), client.query(OWNERS, &[]), client.query_one(LAG, &[]))
        };
        let (nodes, owners, lag) = within(asked).await?;
        let present = |row: &tokio_postgres::Row| NodeStatus {
            name: row.get(0),
            incarnation: row.get(1),
            address: row.get(2),
            program: row.get(3),
            alive: row.get(4),
            lease_left_ms: row.get(5),
        };
        let owned = |row: &tokio_postgres::Row| {
            let table = TableId(u32::try_from(row.get::<_, i64>(0)).ok()?);
            Some(TableOwner { table, owner: row.get(1), epoch: row.get(2) })
        };
        let nodes = nodes.iter().map(present).collect();
        let owners = owners.iter().filter_map(owned).collect();
        (self.on_notification)(NodeNotification::Roster(Roster {
            nodes,
            owners,
            standby_lag_bytes: lag.get(0),
        }));
        Ok(())
    }

    async fn renew(&self, session: &Session) -> DbResult<()> {
        session.lock_if_free(self.number).await?;
        let asked = Instant::now();
        let row = row![LEASE_MS, self.name.as_str(), self.incarnation];
        let renewed = session.write(&session.renew_lease, row).await?;
        let Some(renewed) = renewed.rows.first() else {
            self.replaced.store(true, Ordering::Relaxed);
            return Ok(());
        };
        *self.held_until.lock().unwrap_or_else(PoisonError::into_inner) = asked + LEASE;
        self.renewals.fetch_add(1, Ordering::Relaxed);
        let took = asked.elapsed();
        self.round_trip.lock().unwrap_or_else(PoisonError::into_inner).took(took);
        if took < PROMPT {
            let now = Moment(renewed.get::<_, i64>(0) - LEASE_MS);
            self.clock.follow(asked + took / 2, now);
        }
        Ok(())
    }
}

impl Session {
    /// Takes the advisory lock unless this session holds it already.
    ///
    /// Without this check, the session would take the same lock again with every call.
    async fn lock_if_free(&self, number: i64) -> DbResult<()> {
        let sql = format!(
            "SELECT pg_try_advisory_lock({class}, {number}) WHERE NOT EXISTS (SELECT 1 FROM pg_locks l \
             WHERE l.locktype = 'advisory' AND l.classid = {class} AND l.objid = {number} AND l.objsubid = 2 \
             AND l.pid = pg_backend_pid())",
            class = lock_class!()
        );
        within(self.client.batch_execute(&sql)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_as_it_was_told() {
        for notification in [
            NodeNotification::Person(PersonId(7)),
            NodeNotification::Session(Digest::of(b"x")),
            NodeNotification::Leave(PersonId(8)),
            NodeNotification::Setting("call/3".into()),
            NodeNotification::Owners,
            NodeNotification::Message {
                by: "node-1/3".into(),
                text: "failed ::1 Ann of Green Gables".into(),
            },
        ] {
            assert_eq!(NodeNotification::read(&notification.text()), notification);
        }
        assert_eq!(NodeNotification::read("colour red"), NodeNotification::Anything);
        assert_eq!(NodeNotification::read("person x"), NodeNotification::Anything);
    }
}
