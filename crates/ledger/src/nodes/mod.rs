//! Several servers of one house, on one PostgreSQL. A *node* has a name, an incarnation that rises with every start, and a
//! lease on the database's time; it owns tables. A table is taken only from nobody, or from a node that is not alive:
//! whose lease has run out, or whose session has ended. The lease is for liveness alone. What keeps two nodes from writing
//! one table is the epoch, compared in the transaction that writes and noted in every record.

mod lease;

pub(crate) use lease::join;
pub use lease::{Membership, Word};

use crate::db::{Columns, Db, DbResult, ask_one};
use crate::ids::TableId;
use crate::row;

/// The duration of a lease, and the interval of its renewal, in milliseconds.
pub const LEASE_MS: i64 = 3_000;
pub const RENEW_MS: u64 = 1_000;

/// Advisory locks of the house: number 0 while it is brought up to date, a node's number while its session lasts.
macro_rules! lock_class {
    () => {
        "1131770979"
    };
}

/// The database's time in milliseconds, as it goes on within a transaction.
macro_rules! database_now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}

/// Whether a row of `nodes` is of a node that is alive.
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

/// Not a projection of the journal: who is alive is no record.
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

/// Makes the table of nodes.
pub(crate) fn lay_out(db: &mut dyn Db) -> DbResult<()> {
    db.define(TABLE)
}

/// Returns a live node whose program does not know this version of the store.
pub(crate) fn alive_before(db: &mut dyn Db, version: i64) -> DbResult<Option<String>> {
    if !db.has_table("nodes")? {
        return Ok(None);
    }
    let sql = concat!("SELECT name FROM nodes WHERE knows < $1 AND ", alive!(), " ORDER BY name LIMIT 1");
    let found = ask_one(db, sql, row![version])?.into_iter().next();
    found.map(|row| Columns::of(row).text()).transpose()
}

/// Returns the nodes that are alive.
pub fn alive_nodes(db: &mut dyn Db) -> DbResult<Vec<Node>> {
    if !db.has_table("nodes")? {
        return Ok(Vec::new());
    }
    let sql = concat!("SELECT name, address, program FROM nodes WHERE ", alive!(), " ORDER BY name");
    let read = |row| {
        let mut c = Columns::of(row);
        Ok(Node { name: c.text()?, address: c.text()?, program: c.text()? })
    };
    ask_one(db, sql, row![])?.into_iter().map(read).collect()
}

/// Takes the lock for creating or migrating a store, so that only one of several starting processes does it.
pub(crate) const LOCK_STORE: &str = concat!("SELECT pg_advisory_lock(", lock_class!(), ", 0)");
pub(crate) const UNLOCK_STORE: &str = concat!("SELECT pg_advisory_unlock(", lock_class!(), ", 0)");

/// A node that joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    /// The address at which other nodes reach this one; empty if there are none.
    pub address: String,
    /// The version of the node's program.
    pub program: String,
}

/// The longest name of a node.
const LONGEST: usize = 40;

impl Node {
    /// Returns whether a text is a valid node name: lowercase letters, digits, `-` and `.`, as hosts and pods are
    /// named.
    pub fn is_name(text: &str) -> bool {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
        (1..=LONGEST).contains(&text.len()) && text.chars().all(plain)
    }
}

/// A node that has come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    pub name: String,
    pub incarnation: i64,
    pub address: String,
    pub program: String,
    pub alive: bool,
    /// The rest of the lease by the database's time; negative once it has expired.
    pub lease_left_ms: i64,
}

impl Present {
    /// Returns the node's name in `owners`.
    pub fn owner(&self) -> String {
        owner(&self.name, self.incarnation)
    }
}

/// Returns the owner's name of a node and its incarnation.
pub(crate) fn owner(name: &str, incarnation: i64) -> String {
    format!("{name}/{incarnation}")
}

/// Nobody owns the table.
pub const NOBODY: &str = "";

/// A table and its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    pub table: TableId,
    pub owner: String,
    pub epoch: i64,
}

/// Who is there and who owns what, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roll {
    pub nodes: Vec<Present>,
    pub owners: Vec<Owned>,
    /// The lag of the most advanced synchronous standby; `None` if there is none.
    pub standby_lag_bytes: Option<i64>,
}

impl Roll {
    /// Returns the node that owns a table, if that node is alive.
    pub fn owner_of(&self, table: TableId) -> Option<&Present> {
        let owned = self.owners.iter().find(|owned| owned.table == table)?;
        self.nodes.iter().find(|node| node.alive && node.owner() == owned.owner)
    }
}

/// Returns whether another live node owns a table.
pub(crate) fn held_by_another(db: &mut dyn Db, table: i64, owner: &str) -> DbResult<bool> {
    let sql = concat!(
        "SELECT nodes.number FROM nodes JOIN owners ON owners.owner = nodes.name || '/' || nodes.incarnation \
         WHERE owners.table_no = $1 AND owners.owner <> $2 AND ",
        alive!()
    );
    Ok(!ask_one(db, sql, row![table, owner])?.is_empty())
}

/// Returns the database's time.
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
