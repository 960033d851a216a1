//! The store's tables, and their schema version.

use crate::db::{Columns, Db, DbError, DbResult, Purpose, ask_one, transact};
use crate::journal::locked_head;
use crate::nodes;
use crate::record::GENESIS;
use crate::row;

/// The newest schema version, which this program creates.
///
/// A program changes the schema in two steps, so that nodes can be upgraded one at a time. First the new program
/// *expands* the store in a way that the previous program can ignore. Once no node runs the previous program, the
/// new program *contracts* the store: it removes what only the previous program used.
pub const NEWEST: i64 = 1;

const TABLES: &str = include_str!("schema/tables.sql");
const INDEXES: &str = include_str!("schema/indexes.sql");
/// The SQL that creates the table `schema_least`, when a store is first expanded.
///
/// The table holds the version of the oldest program that can use the store.
pub(crate) const LEAST: &str =
    "CREATE TABLE IF NOT EXISTS schema_least (version INTEGER NOT NULL PRIMARY KEY) STRICT";

/// A table of the database schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    pub columns: Vec<Column>,
    /// The number of leading columns that form the primary key.
    pub key: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub number: bool,
    /// Whether the column may be null.
    pub maybe: bool,
}

impl Table {
    /// Returns the query for all rows of the table, in key order.
    pub fn select(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        format!("SELECT {} FROM {} ORDER BY {}", names.join(", "), self.name, names[..self.key].join(", "))
    }
}

/// Returns every table of the schema: the journal first, and each table after the tables that it refers to.
pub fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in TABLES.lines() {
        let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
        match (&words[..], tables.last_mut()) {
            (["CREATE", "TABLE", name, ..], _) => tables.push(Table { name, columns: Vec::new(), key: 1 }),
            ([name, kind @ ("INTEGER" | "TEXT" | "BLOB"), ..], Some(table)) => {
                let maybe = !line.contains("NOT NULL");
                table.columns.push(Column { name, number: *kind == "INTEGER", maybe });
            }
            (["PRIMARY", "KEY", key @ .., _], Some(table)) => table.key = key.len() + 1,
            _ => {}
        }
    }
    tables
}

/// Returns the tables that are derived from the journal: all tables except the journal.
pub(crate) fn projections() -> Vec<Table> {
    tables().into_iter().filter(|table| table.name != "journal").collect()
}

/// Creates the empty tables of a new store.
pub(crate) fn lay_out(db: &mut dyn Db) -> DbResult<()> {
    db.define(TABLES)?;
    db.run("INSERT INTO head (one, seq, hash, at) VALUES (1, 0, $1, 0)", &[row![&GENESIS.0[..]]]).map(|_| ())
}

/// Creates the indexes.
///
/// Creating them is faster after the rows have been inserted.
pub(crate) fn index(db: &mut dyn Db) -> DbResult<()> {
    db.define(INDEXES)
}

/// Marks the database as having the newest schema version.
pub(crate) fn note_version(db: &mut dyn Db) -> DbResult<()> {
    db.define("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT")?;
    db.run("INSERT INTO schema_version (version) VALUES ($1)", &[row![NEWEST]]).map(|_| ())
}

/// Creates the tables of a new house.
///
/// Leaves an existing store unchanged. Returns an error if this program cannot use the existing store.
pub(crate) fn create(db: &mut dyn Db) -> DbResult<()> {
    if version(db)? != 0 {
        return must_fit(db);
    }
    transact(db, Purpose::Write, |db| {
        lay_out(db)?;
        index(db)?;
        note_version(db)
    })
}

/// Migrates a store to the schema version `to`, in such a way that older programs can still use the store.
pub fn expand(db: &mut dyn Db, to: i64, ddl: &str) -> DbResult<()> {
    transact(db, Purpose::Write, |db| {
        locked_head(db)?;
        let least = least(db)?;
        db.define(ddl)?;
        db.define(LEAST)?;
        db.run("INSERT INTO schema_version (version) VALUES ($1)", &[row![to]])?;
        db.run("INSERT INTO schema_least (version) VALUES ($1) ON CONFLICT DO NOTHING", &[row![least]])
            .map(|_| ())
    })
}

/// Removes from a store the parts that only programs for schema versions before `to` used.
///
/// Returns an error while a live node runs such a program.
pub fn contract(db: &mut dyn Db, to: i64, ddl: &str) -> DbResult<()> {
    transact(db, Purpose::Write, |db| {
        locked_head(db)?;
        if let Some(name) = nodes::alive_before(db, to)? {
            return Err(DbError::Refused(format!(
                "node {name} runs a version that cannot use the new schema; upgrade every node first"
            )));
        }
        db.define(ddl)?;
        db.run("INSERT INTO schema_least (version) VALUES ($1) ON CONFLICT DO NOTHING", &[row![to]])
            .map(|_| ())
    })
}

/// Returns the oldest schema version whose programs can still use the store.
fn least(db: &mut dyn Db) -> DbResult<i64> {
    if !db.has_table("schema_least")? {
        return version(db);
    }
    let found = ask_one(db, "SELECT MAX(version) FROM schema_least", row![])?;
    Columns::of(found.into_iter().next().unwrap_or_default()).int()
}

/// Returns an error if this program cannot use the store.
///
/// The store must have this program's schema version, or a later one that still supports this program.
pub fn must_fit(db: &mut dyn Db) -> DbResult<()> {
    match version(db)? {
        at if at >= NEWEST && least(db)? <= NEWEST => Ok(()),
        at => Err(DbError::Refused(format!(
            "the database has schema version {at}; this program supports up to {NEWEST}"
        ))),
    }
}

/// Returns the schema version of a store, or 0 if the store has no tables.
pub fn version(db: &mut dyn Db) -> DbResult<i64> {
    if !db.has_table("schema_version")? {
        return Ok(0);
    }
    let found = ask_one(db, "SELECT MAX(version) FROM schema_version", row![])?;
    match found.into_iter().next() {
        Some(row) => Ok(Columns::of(row).maybe_int()?.unwrap_or(0)),
        None => Ok(0),
    }
}
