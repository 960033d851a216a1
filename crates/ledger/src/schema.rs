//! The tables of the store and how a store of an older version is brought up to date.

use crate::db::{Columns, Db, DbError, DbResult, Purpose, ask_one, transact};
use crate::row;

/// Statements of each version, in SQLite's words; a store at version n lacks those after n. The last is SQLite's alone.
const VERSIONS: &[&str] =
    &[include_str!("schema/1.sql"), include_str!("schema/2.sql"), include_str!("schema/3.sql")];
const OF_SQLITE_ALONE: usize = 3;

/// Every table with its columns in order: what a backup holds. A test compares it with the real schema.
pub const TABLES: &[(&str, &[&str])] = &[
    ("head", &["one", "seq", "hash", "at"]),
    (
        "journal",
        &[
            "seq", "at", "day", "stream", "round", "kind", "person", "command", "body", "event", "legs",
            "effects", "answer", "hash",
        ],
    ),
    ("accounts", &["account", "name", "may_owe", "balance"]),
    ("legs", &["account", "seq", "n", "amount", "after"]),
    ("play_days", &["person", "day", "wagered", "returned", "played_ms", "last_wager"]),
    ("limits", &["person", "measure", "span", "most", "later_most", "later_at"]),
    ("exclusions", &["person", "until"]),
    ("owners", &["stream", "owner", "epoch"]),
    ("checkpoints", &["stream", "seq", "round", "state"]),
    ("seals", &["day", "seq", "hash", "at", "signature"]),
    (
        "people",
        &[
            "person",
            "name",
            "folded",
            "role",
            "secret",
            "guest",
            "disabled",
            "created",
            "failures",
            "locked_until",
        ],
    ),
    ("sessions", &["token", "person", "created", "seen", "ends"]),
    ("settings", &["name", "value"]),
    ("folded", &["one", "seq"]),
    ("commands", &["command", "person", "seq"]),
    ("streams", &["stream", "round", "seq", "kind"]),
];

/// Brings the store to the newest version; refuses a store made by a newer program.
pub fn migrate(db: &mut dyn Db) -> DbResult<()> {
    db.define("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT")?;
    let at = version(db)?;
    let newest = VERSIONS.len() as i64;
    if at > newest {
        return Err(DbError::Refused(format!(
            "the store has version {at}; this program knows up to {newest}"
        )));
    }
    for (n, ddl) in VERSIONS.iter().enumerate().skip(usize::try_from(at).unwrap_or(0)) {
        let concerned = n + 1 != OF_SQLITE_ALONE || db.as_sqlite().is_some();
        transact(db, Purpose::Write, |db| {
            if concerned {
                db.define(ddl)?;
            }
            db.run("INSERT INTO schema_version (version) VALUES ($1)", &[row![n as i64 + 1]]).map(|_| ())
        })?;
    }
    Ok(())
}

pub fn version(db: &mut dyn Db) -> DbResult<i64> {
    let found = ask_one(db, "SELECT MAX(version) FROM schema_version", row![])?;
    match found.into_iter().next() {
        Some(row) => Ok(Columns::of(row).maybe_int()?.unwrap_or(0)),
        None => Ok(0),
    }
}
