//! Several servers of one house, on one PostgreSQL database.
//!
//! A *node* has a name, an incarnation that rises with every start, and a lease by the database's time. Nodes own
//! tables. A node takes a table only if nobody owns it, or if its owner is not alive: the owner's lease has
//! expired, or its session has ended. The lease is for liveness only. The epoch is what keeps two nodes from
//! writing one table: the writing transaction compares the epoch, and every record notes it.

mod lease;

pub(crate) use lease::join;
pub use lease::{Membership, NodeNotification};

use crate::db::{Columns, Db, DbResult, ask_one};
use crate::ids::TableId;
use crate::row;

/// The duration of a lease, in milliseconds.
pub const LEASE_MS: i64 = 3_000;
pub const RENEW_MS: u64 = 1_000;

/// The class of the house's PostgreSQL advisory locks.
///
/// Lock 0 is held while the store is created or migrated. A node's session holds the lock with the node's number.
macro_rules! lock_class {
    () => {
        "1131770979"
    };
}

/// The SQL for the database's time in milliseconds, which advances within a transaction.
macro_rules! database_now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}

/// The SQL condition that a row of `nodes` is a live node.
macro_rules! alive {
    () => {
        concat!(
            "(nodes.lease_until > ",
            database_now!(),
            " AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ",
            lock_class!(),
            " AND l.objid = nodes.number::oid AND l.objsubid = 2 AND l.granted AND l.database = \
             (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())))"
        )
    };
}
use {alive, database_now, lock_class};

/// The SQL that creates the table of nodes.
///
/// The table is not a projection, because the journal does not record which nodes are alive.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS nodes (
    number INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    incarnation INTEGER NOT NULL,
    address TEXT NOT NULL,
    program TEXT NOT NULL,
    seal_key TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    knows INTEGER NOT NULL
)";

/// The SQL that adds the column for the digest of each node's house file, which version 0.1.0 lacks.
const HOUSE: &str = "ALTER TABLE nodes ADD COLUMN IF NOT EXISTS house TEXT NOT NULL DEFAULT ''";

/// Creates the table of nodes in the database.
pub(crate) fn lay_out(db: &mut dyn Db) -> DbResult<()> {
    db.define(TABLE)?;
    db.define(HOUSE)
}

/// Returns the name of a live node whose program does not know this schema version, or `None` if all know it.
pub(crate) fn alive_before(db: &mut dyn Db, version: i64) -> DbResult<Option<String>> {
    if !db.has_table("nodes")? {
        return Ok(None);
    }
    let sql = concat!("SELECT name FROM nodes WHERE knows < $1 AND ", alive!(), " ORDER BY name LIMIT 1");
    let found = ask_one(db, sql, row![version])?.into_iter().next();
    found.map(|row| Columns::of(row).text()).transpose()
}

/// Returns the live nodes, sorted by name.
pub fn alive_nodes(db: &mut dyn Db) -> DbResult<Vec<Node>> {
    if !db.has_table("nodes")? {
        return Ok(Vec::new());
    }
    let sql = concat!("SELECT name, address, program, house FROM nodes WHERE ", alive!(), " ORDER BY name");
    let read = |row| {
        let mut c = Columns::of(row);
        Ok(Node { name: c.text()?, address: c.text()?, program: c.text()?, house: c.text()? })
    };
    ask_one(db, sql, row![])?.into_iter().map(read).collect()
}

/// The SQL that locks the store for creation or migration.
///
/// The lock lets only one of several starting processes create or migrate the store.
pub(crate) const LOCK_STORE: &str = concat!("SELECT pg_advisory_lock(", lock_class!(), ", 0)");
pub(crate) const UNLOCK_STORE: &str = concat!("SELECT pg_advisory_unlock(", lock_class!(), ", 0)");

/// A server that joins the house, as described to other nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    /// The node's address for other nodes, or empty if it does not listen.
    pub address: String,
    /// The version of the node's program.
    pub program: String,
    /// The digest of the node's house file.
    pub house: String,
}

/// The maximum length of a node's name.
const LONGEST: usize = 40;

impl Node {
    /// Returns whether `text` is a valid node name.
    ///
    /// A name consists of lowercase letters, digits, `-` and `.`.
    pub fn is_name(text: &str) -> bool {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
        (1..=LONGEST).contains(&text.len()) && text.chars().all(plain)
    }
}

/// A node that has joined the house at some time, and whether it is alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeStatus {
    pub name: String,
    pub incarnation: i64,
    pub address: String,
    pub program: String,
    pub alive: bool,
    /// The time left in the lease in milliseconds, negative after expiry.
    pub lease_left_ms: i64,
}

impl NodeStatus {
    /// Returns the node's name and incarnation, as stored in `owners`.
    pub fn owner(&self) -> String {
        owner(&self.name, self.incarnation)
    }
}

/// Formats a node's name and incarnation as stored in `owners`.
pub(crate) fn owner(name: &str, incarnation: i64) -> String {
    format!("{name}/{incarnation}")
}

/// The owner's name in `owners` for a table that nobody owns.
pub const NOBODY: &str = "";

/// A table and the node that owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOwner {
    pub table: TableId,
    pub owner: String,
    pub epoch: i64,
}

/// All nodes that ever joined, alive or not, and the owners of all tables, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    pub nodes: Vec<NodeStatus>,
    pub owners: Vec<TableOwner>,
    /// The lag of the synchronous standby in bytes, or `None` if there is no synchronous standby.
    ///
    /// If there are several, this is the lag of the most advanced one.
    pub standby_lag_bytes: Option<i64>,
}

impl Roster {
    /// Returns the live node that owns the table, or `None` if no live node owns it.
    pub fn owner_of(&self, table: TableId) -> Option<&NodeStatus> {
        let owned = self.owners.iter().find(|owned| owned.table == table)?;
        self.nodes.iter().find(|node| node.alive && node.owner() == owned.owner)
    }
}

/// The query that finds a row if a live node owns table `$1` under another owner's name than `$2`.
pub(crate) const HELD_BY_ANOTHER: &str = concat!(
    "SELECT nodes.number FROM nodes JOIN owners ON owners.owner = nodes.name || '/' || nodes.incarnation \
     WHERE owners.table_no = $1 AND owners.owner <> $2 AND ",
    alive!()
);

/// Returns the current time on the database's clock.
pub fn database_time(db: &mut dyn Db) -> DbResult<crate::ids::Moment> {
    let found = ask_one(db, concat!("SELECT ", database_now!()), row![])?;
    Ok(crate::ids::Moment(Columns::of(found.into_iter().next().unwrap_or_default()).int()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_a_host() {
        assert!(["a", "node-1", "cutcard-0.house"].iter().all(|name| Node::is_name(name)));
        let long = "x".repeat(LONGEST + 1);
        assert!(["", "A", "a/b", "a b", "ü", long.as_str()].iter().all(|name| !Node::is_name(name)));
    }
}
