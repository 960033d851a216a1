//! The tables of the store and how a store of an older version is brought up to date.

use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, Row, ask_one, transact};
use crate::ids::{CommandId, GamingDay, Moment, PersonId, RoundNo, Seq, Stream};
use crate::page::Pages;
use crate::record::{Digest, GENESIS, Record, effects_from_bytes, legs_from_bytes};
use crate::row;

/// What a version brought, in SQLite's words.
enum Change {
    Both(&'static str),
    OfSqlite(&'static str),
    OfPostgres(&'static str),
    /// And the records of the journal are moved.
    IntoPages(&'static str),
}

/// A store at version n lacks the changes after the n-th.
const VERSIONS: &[Change] = &[
    Change::Both(include_str!("schema/1.sql")),
    Change::Both(include_str!("schema/2.sql")),
    Change::OfSqlite(include_str!("schema/3.sql")),
    Change::IntoPages(include_str!("schema/4.sql")),
    Change::OfPostgres(include_str!("schema/5.sql")),
    Change::OfPostgres(include_str!("schema/6.sql")),
];

/// The journal's table before there were pages.
const JOURNAL: &[&str] = &[
    "seq", "at", "day", "stream", "round", "kind", "person", "command", "body", "event", "legs", "effects",
    "answer", "hash",
];

/// Every table with its columns in order: what a backup holds. A test compares it with the real schema.
pub const TABLES: &[(&str, &[&str])] = &[
    ("head", &["one", "seq", "hash", "at"]),
    ("pages", &["seq", "records"]),
    ("accounts", &["account", "name", "may_owe", "balance"]),
    ("legs", &["account", "seq", "lines"]),
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
    ("commands", &["first", "entries"]),
    ("streams", &["stream", "round", "seq", "entries"]),
];

/// Those of them that follow from the journal, and are made anew from it.
const FOLDED: &[&str] = &["accounts", "legs", "play_days", "folded", "commands", "streams"];

pub const NEWEST: i64 = VERSIONS.len() as i64;
/// The last version in which each record of the journal had a row of its own.
pub const BEFORE_PAGES: i64 = 3;

/// The tables that do not follow from others, as a store of this version has them, with their places in `TABLES`: since the
/// first version only the journal's has become another.
pub fn kept_tables(version: i64) -> impl Iterator<Item = (usize, &'static str, &'static [&'static str])> {
    let kept = TABLES.iter().enumerate().filter(|(_, (table, _))| !FOLDED.contains(table));
    kept.map(move |(n, (table, columns))| match *table {
        "pages" if version <= BEFORE_PAGES => (n, "journal", JOURNAL),
        table => (n, table, *columns),
    })
}

/// Adds rows to a table.
pub fn insert(db: &mut dyn Db, table: &str, columns: &[&str], rows: &[Row<'_>]) -> DbResult<()> {
    let places: Vec<String> = (1..=columns.len()).map(|n| format!("${n}")).collect();
    let (columns, places) = (columns.join(", "), places.join(", "));
    db.load(&format!("INSERT INTO {table} ({columns}) VALUES ({places})"), rows).map(|_| ())
}

/// Brings the store to the newest version; refuses a store made by a newer program.
pub fn migrate(db: &mut dyn Db) -> DbResult<()> {
    migrate_to(db, NEWEST)
}

/// Brings the store to this version, if it is not there yet.
pub fn migrate_to(db: &mut dyn Db, wanted: i64) -> DbResult<()> {
    db.define("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT")?;
    let at = version(db)?;
    if at > NEWEST {
        return Err(DbError::Refused(format!(
            "the store has version {at}; this program knows up to {NEWEST}"
        )));
    }
    let changes = VERSIONS.iter().enumerate().take(usize::try_from(wanted).unwrap_or(0));
    for (n, change) in changes.skip(usize::try_from(at).unwrap_or(0)) {
        let embedded = db.as_sqlite().is_some();
        transact(db, Purpose::Write, |db| {
            match change {
                Change::Both(ddl) => db.define(ddl)?,
                Change::OfSqlite(ddl) if embedded => db.define(ddl)?,
                Change::OfPostgres(ddl) if !embedded => db.define(ddl)?,
                Change::OfSqlite(_) | Change::OfPostgres(_) => {}
                Change::IntoPages(ddl) => {
                    db.define(ddl)?;
                    pages_of_journal(db)?;
                    db.define("DROP TABLE journal")?;
                }
            }
            db.run("INSERT INTO schema_version (version) VALUES ($1)", &[row![n as i64 + 1]]).map(|_| ())
        })?;
    }
    Ok(())
}

/// Moves the records of a journal that has a row for each of them into pages. The hashes are made anew on the way; where
/// one differs, the journal is left as it is.
fn pages_of_journal(db: &mut dyn Db) -> DbResult<()> {
    let (mut last, mut hash) = (0, GENESIS);
    loop {
        let rows = ask_one(
            db,
            "SELECT seq, at, day, stream, round, kind, person, command, body, event, legs, effects, answer, hash \
             FROM journal WHERE seq > $1 ORDER BY seq LIMIT 1000",
            row![last],
        )?;
        if rows.is_empty() {
            return Ok(());
        }
        let mut pages = Pages::default();
        for row in rows {
            let record = old_record(row).filter(|record| record.chained(hash) == record.hash);
            let Some(mut record) = record.filter(|record| record.seq.0 == last + 1) else {
                return Err(DbError::Refused(format!(
                    "record {} of the journal does not fit; audit it with the program that wrote it",
                    last + 1
                )));
            };
            pages.add(&mut record, hash);
            (last, hash) = (record.seq.0, record.hash);
        }
        pages.store(db)?;
    }
}

fn old_record(row: Found) -> Option<Record> {
    let mut c = Columns::of(row);
    Some(Record {
        seq: Seq(c.int().ok()?),
        at: Moment(c.int().ok()?),
        day: GamingDay(c.int().ok()?),
        stream: Stream::from_number(c.int().ok()?)?,
        round: RoundNo(c.int().ok()?),
        kind: c.text().ok()?,
        person: PersonId(c.int().ok()?),
        command: CommandId::new(&c.text().ok()?)?,
        body: Digest::from_slice(&c.bytes().ok()?)?,
        event: c.bytes().ok()?,
        legs: legs_from_bytes(&c.bytes().ok()?)?,
        effects: effects_from_bytes(&c.bytes().ok()?)?,
        answer: c.bytes().ok()?,
        hash: Digest::from_slice(&c.bytes().ok()?)?,
    })
}

/// Whoever only reads needs a store that has been brought up to date, or a copy of it that has.
pub fn must_be_newest(db: &mut dyn Db) -> DbResult<()> {
    match version(db)? {
        NEWEST => Ok(()),
        at => Err(DbError::Refused(format!("the store has version {at}; this program reads {NEWEST}"))),
    }
}

pub fn version(db: &mut dyn Db) -> DbResult<i64> {
    let found = ask_one(db, "SELECT MAX(version) FROM schema_version", row![])?;
    match found.into_iter().next() {
        Some(row) => Ok(Columns::of(row).maybe_int()?.unwrap_or(0)),
        None => Ok(0),
    }
}
