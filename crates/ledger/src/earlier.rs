//! Houses of earlier programs, versions 1 to 6 of the store: their journals are brought over record by record with every
//! hash made anew and compared, and what stood beside the journal is appended to it as records. The old store stays as it
//! is: a file under another name, or tables in a schema of their own.

use crate::audit::{Auditor, audit};
use crate::canon::Reader;
use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, Row, ask_one, transact};
use crate::draft::Epoch;
use crate::ids::{CommandId, GamingDay, Moment, PersonId, RoundNo, Seq, Stream};
use crate::journal::Head;
use crate::keys::{hex, sync_directory};
use crate::nodes;
use crate::people::{Keep, Session, read_person};
use crate::project::project_all;
use crate::record::{Digest, Form, INSERT, Record, effects_from_bytes, legs_from_bytes};
use crate::row;
use crate::schema;
use crate::sqlite::Sqlite;
use crate::store::Place;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// The last version in which each record of the journal had a row of its own, before they were kept in pages.
const BEFORE_PAGES: i64 = 3;
/// Rows of a table that are brought over by one record.
const IN_ONE_RECORD: usize = 500;

const JOURNAL: (&str, &str) = (
    "journal",
    "seq, at, day, stream, round, kind, person, command, body, event, legs, effects, answer, hash",
);
const PAGES: (&str, &str) = ("pages", "seq, records");

/// What did not follow from the journal: the table, its columns, and its place among the tables of a backup.
const BESIDE: &[(&str, &str, usize)] = &[
    ("head", "one, seq, hash, at", 0),
    ("owners", "stream, owner, epoch", 7),
    ("checkpoints", "stream, seq, round, state", 8),
    ("seals", "day, seq, hash, at, signature", 9),
    ("people", "person, name, folded, role, secret, guest, disabled, created, failures, locked_until", 10),
    ("sessions", "token, person, created, seen, ends", 11),
    ("settings", "name, value", 12),
];

/// Every table that an earlier store may have.
const ALL: &[&str] = &[
    "schema_version",
    "head",
    "journal",
    "pages",
    "accounts",
    "legs",
    "play_days",
    "limits",
    "exclusions",
    "owners",
    "checkpoints",
    "seals",
    "people",
    "sessions",
    "settings",
    "folded",
    "commands",
    "streams",
];

/// Opens a store for writing: a new one is laid out, one of an earlier version is brought over first.
pub(crate) fn bring_over(place: &Place) -> DbResult<Box<dyn Db>> {
    if let Place::Sqlite(path) = place
        && path.exists()
    {
        let version = schema::version(&mut Sqlite::open_reader(path)?)?;
        if (1..schema::NEWEST).contains(&version) {
            replace_file(path, version)?;
        }
    }
    let mut db = place.writer()?;
    let shared = matches!(place, Place::Postgres(_));
    if shared {
        db.define(nodes::LOCK_STORE)?;
    }
    let version = schema::version(&mut *db)?;
    if (1..schema::NEWEST).contains(&version) {
        replace_tables(&mut *db, version)?;
    }
    schema::create(&mut *db)?;
    if shared {
        db.define(nodes::UNLOCK_STORE)?;
    }
    Ok(db)
}

/// Makes the new file beside the old one, and puts it in its place when the audit has passed it.
fn replace_file(path: &Path, version: i64) -> DbResult<()> {
    let io = |e: std::io::Error| DbError::Lost(format!("{}: {e}", path.display()));
    tracing::info!(version, "an earlier program wrote this house: it is brought over");
    let (new, kept) =
        (path.with_extension("new.sqlite"), path.with_extension(format!("version-{version}.sqlite")));
    match std::fs::remove_file(&new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(error)),
        _ => {}
    }
    let mut old = Sqlite::open_reader(path)?;
    into_new(&new, Old { db: Some(&mut old), schema: "", version })?;
    drop(old);
    // The old file alone is then the old store, and no log of it is taken for the new one's.
    Sqlite::open(path)?.end_log()?;
    std::fs::File::open(&new).and_then(|file| file.sync_all()).map_err(io)?;
    match std::fs::hard_link(path, &kept) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(io(error)),
        _ => {}
    }
    std::fs::rename(&new, path).and_then(|()| sync_directory(path)).map_err(io)?;
    tracing::info!(kept = %kept.display(), "the house is brought over; its old file is kept");
    Ok(())
}

fn into_new(path: &Path, mut old: Old<'_>) -> DbResult<()> {
    let mut new = Sqlite::scratch(path)?;
    transact(&mut new, Purpose::Write, |new| fill(new, &mut old))?;
    verify(&mut new)
}

/// Moves the old tables into a schema of their own and fills new ones from them, all in one transaction.
fn replace_tables(db: &mut dyn Db, version: i64) -> DbResult<()> {
    tracing::info!(version, "an earlier program wrote this house: it is brought over");
    transact(db, Purpose::Write, |db| {
        db.define("CREATE SCHEMA earlier")?;
        for table in ALL {
            db.define(&format!("ALTER TABLE IF EXISTS {table} SET SCHEMA earlier"))?;
        }
        fill(db, &mut Old { db: None, schema: "earlier.", version })
    })?;
    verify(db)
}

fn verify(db: &mut dyn Db) -> DbResult<()> {
    let mut auditor = Auditor { key: None, copies: Vec::new(), replay: &mut |_| Ok(()) };
    match audit(db, &mut auditor)?.first_bad {
        None => Ok(()),
        Some(bad) => Err(DbError::Refused(format!("record {}: {}", bad.seq.0, bad.what))),
    }
}

/// An earlier store: behind a connection of its own, or in a schema of the new one's.
pub(crate) struct Old<'a> {
    pub db: Option<&'a mut dyn Db>,
    pub schema: &'static str,
    pub version: i64,
}

impl Old<'_> {
    fn rows(
        &mut self,
        new: &mut dyn Db,
        (table, columns): (&str, &str),
        (rest, row): (&str, Row<'_>),
    ) -> DbResult<Vec<Found>> {
        let db: &mut dyn Db = match &mut self.db {
            Some(db) => &mut **db,
            None => new,
        };
        let mut rows = Vec::new();
        db.walk(&format!("SELECT {columns} FROM {}{table} {rest}", self.schema), row, &mut |row| {
            rows.push(row);
            true
        })?;
        Ok(rows)
    }

    fn beside(&mut self, new: &mut dyn Db, table: &str) -> DbResult<Vec<Found>> {
        let columns = BESIDE.iter().find(|(name, ..)| *name == table).map_or("*", |(_, columns, _)| columns);
        self.rows(new, (table, columns), ("", row![]))
    }

    /// The records after one, some at a time.
    fn records(&mut self, new: &mut dyn Db, after: i64) -> DbResult<Vec<Option<Record>>> {
        if self.version <= BEFORE_PAGES {
            let rows = self.rows(
                new,
                JOURNAL,
                ("WHERE seq > $1 ORDER BY seq LIMIT $2", row![after, IN_ONE_RECORD as i64]),
            )?;
            return Ok(rows.into_iter().map(of_row).collect());
        }
        let pages = self.rows(new, PAGES, ("WHERE seq > $1 ORDER BY seq LIMIT $2", row![after, 64]))?;
        let mut records = Vec::new();
        for page in pages {
            let mut c = Columns::of(page);
            c.int()?;
            let bytes = c.bytes()?;
            let mut reader = Reader::new(&bytes);
            while !reader.is_empty() {
                let record = (|| Record::read_first(reader.bytes()?, Digest(*reader.fixed()?)))();
                let torn = record.is_none();
                records.push(record);
                if torn {
                    return Ok(records);
                }
            }
        }
        Ok(records)
    }
}

/// A record of a store of the first three versions.
fn of_row(row: Found) -> Option<Record> {
    let mut c = Columns::of(row);
    Some(Record {
        form: Form::First,
        seq: Seq(c.int().ok()?),
        at: Moment(c.int().ok()?),
        day: GamingDay(c.int().ok()?),
        stream: Stream::from_number(c.int().ok()?)?,
        round: RoundNo(c.int().ok()?),
        kind: c.text().ok()?,
        person: PersonId(c.int().ok()?),
        command: CommandId::new(&c.text().ok()?)?,
        body: Digest::from_slice(&c.bytes().ok()?)?,
        epoch: Epoch(0),
        event: c.bytes().ok()?,
        legs: legs_from_bytes(&c.bytes().ok()?)?,
        effects: effects_from_bytes(&c.bytes().ok()?)?,
        keep: Vec::new(),
        answer: c.bytes().ok()?,
        hash: Digest::from_slice(&c.bytes().ok()?)?,
    })
}

/// Lays a store out and fills it from an earlier one.
pub(crate) fn fill(new: &mut dyn Db, old: &mut Old<'_>) -> DbResult<()> {
    schema::lay_out(new)?;
    let (head, day) = bring_journal(new, old)?;
    bring_what_stood_beside(new, old, (head, day))?;
    project_all(new)?;
    schema::index(new)?;
    schema::note_version(new)
}

fn bring_journal(new: &mut dyn Db, old: &mut Old<'_>) -> DbResult<(Head, GamingDay)> {
    let (mut head, mut day) = (Head::default(), GamingDay(0));
    loop {
        let records = old.records(new, head.seq.0)?;
        if records.is_empty() {
            break;
        }
        let mut rows = Vec::with_capacity(records.len());
        for record in records {
            let stray = || {
                DbError::Refused(format!(
                    "record {} of the journal does not fit; audit it with the program that wrote it",
                    head.seq.0 + 1
                ))
            };
            let mut record = record.filter(|r| r.seq.0 == head.seq.0 + 1).ok_or_else(stray)?;
            let hash = record.hash;
            let line = record.written(head.hash).filter(|line| line.hash == hash).ok_or_else(stray)?;
            (head, day) = (Head { seq: record.seq, hash, at: record.at }, record.day);
            if head.seq.0 % 100_000 == 0 {
                tracing::info!("{} records are brought over", head.seq.0);
            }
            rows.push(line.into_row());
        }
        new.run(INSERT, &rows)?;
    }
    let mut c = Columns::of(old.beside(new, "head")?.pop().unwrap_or_default());
    c.int()?;
    match (c.int()?, c.bytes()?) == (head.seq.0, head.hash.0.to_vec()) {
        true => Ok((head, day)),
        false => Err(DbError::Refused(format!(
            "the journal ends at {}, and its head says otherwise; audit it with the program that wrote it",
            head.seq.0
        ))),
    }
}

/// Everything that did not follow from the journal becomes records of it.
fn bring_what_stood_beside(
    new: &mut dyn Db,
    old: &mut Old<'_>,
    (mut head, day): (Head, GamingDay),
) -> DbResult<()> {
    let mut keep = Vec::new();
    for (table, ..) in BESIDE {
        for row in old.beside(new, table)? {
            keep.extend(change(table, row)?);
        }
    }
    for (n, keep) in keep.chunks(IN_ONE_RECORD).enumerate() {
        let command = CommandId::own(&format!("brought-over-{n}"));
        let mut record = Record {
            form: Form::Second,
            seq: Seq(head.seq.0 + 1),
            at: head.at,
            day,
            stream: Stream::House,
            round: RoundNo(0),
            kind: "brought-over".into(),
            person: PersonId::HOUSE,
            command: command.ok_or_else(|| DbError::Refused("no id for a record".into()))?,
            body: Digest::default(),
            epoch: Epoch(0),
            event: format!("{{\"store_version\":{}}}", old.version).into_bytes(),
            legs: Vec::new(),
            effects: Vec::new(),
            keep: keep.to_vec(),
            answer: Vec::new(),
            hash: Digest::default(),
        };
        let line = record.written(head.hash);
        let line = line.ok_or_else(|| DbError::Refused("a setting of the house is not text".into()))?;
        head = Head { seq: record.seq, hash: record.hash, at: record.at };
        new.run(INSERT, &[line.into_row()])?;
    }
    Ok(())
}

/// The change that makes a row of an earlier table.
fn change(table: &str, row: Found) -> DbResult<Option<Keep>> {
    if table == "people" {
        // `folded` stood third, and follows from the name.
        let row = row.into_iter().enumerate().filter(|(n, _)| *n != 2).map(|(_, value)| value).collect();
        return read_person(row).map(Keep::NewPerson).map(Some);
    }
    let digest = |bytes: Vec<u8>| {
        Digest::from_slice(&bytes)
            .ok_or_else(|| DbError::Refused(format!("a digest of {table} is malformed")))
    };
    let mut c = Columns::of(row);
    Ok(Some(match table {
        "owners" => Keep::Owner { table: c.int()?, owner: c.text()?, epoch: c.int()? },
        "checkpoints" => Keep::Checkpoint { table: c.int()?, seq: Seq(c.int()?), round: RoundNo(c.int()?) },
        "seals" => {
            let (day, seq, hash) = (GamingDay(c.int()?), Seq(c.int()?), digest(c.bytes()?)?);
            Keep::Seal { day, seq, hash, at: Moment(c.int()?), signature: hex(&c.bytes()?) }
        }
        "sessions" => {
            let (token, person, created) = (digest(c.bytes()?)?, PersonId(c.int()?), Moment(c.int()?));
            Keep::NewSession(Session {
                token,
                person,
                created,
                seen: Moment(c.int()?),
                ends: Moment(c.int()?),
            })
        }
        "settings" => {
            let (name, value) = (c.text()?, c.bytes()?);
            // Settings are text; one that was not is kept in hexadecimal.
            let text = std::str::from_utf8(&value).is_ok_and(|text| !text.contains('\0'));
            Keep::Setting { name, value: if text { value } else { hex(&value).into_bytes() } }
        }
        _ => return Ok(None),
    }))
}

/// The tables of an earlier backup in a store for a while; rows are added by their place in the backup.
pub(crate) struct Unpacked {
    db: Sqlite,
    version: i64,
}

impl Unpacked {
    /// Whether the backup has records in pages.
    pub fn new(pages: bool) -> DbResult<Unpacked> {
        let mut db = Sqlite::scratch(Path::new(""))?;
        let (name, columns) = if pages { PAGES } else { JOURNAL };
        db.define(&format!("CREATE TABLE {name} ({columns})"))?;
        for (table, columns, _) in BESIDE {
            db.define(&format!("CREATE TABLE {table} ({columns})"))?;
        }
        // Rows come in the order of the journal, and are asked for by it.
        db.define(&format!("CREATE INDEX in_order ON {name} (seq)"))?;
        Ok(Unpacked { db, version: if pages { schema::NEWEST - 1 } else { BEFORE_PAGES } })
    }

    /// Adds a row; one that follows from the journal is left out. `false` if the row is not one of that table.
    pub fn add(&mut self, place: usize, row: Found) -> DbResult<bool> {
        let journal = if self.version <= BEFORE_PAGES { JOURNAL } else { PAGES };
        let beside =
            BESIDE.iter().find(|(.., at)| *at == place).map(|(table, columns, _)| (*table, *columns));
        let Some((table, columns)) = (if place == 1 { Some(journal) } else { beside }) else {
            return Ok(place < 16);
        };
        let columns: Vec<&str> = columns.split(", ").collect();
        if columns.len() != row.len() {
            return Ok(false);
        }
        schema::insert(&mut self.db, table, &columns, &[row]).map(|()| true)
    }

    pub fn fill(mut self, new: &mut dyn Db) -> DbResult<()> {
        fill(new, &mut Old { db: Some(&mut self.db), schema: "", version: self.version })
    }
}

/// A connection for reading a store of the newest version; the copy, if that is what it reads, goes with it.
pub struct Newest {
    db: Box<dyn Db>,
    _copy: Option<Directory>,
}

impl Deref for Newest {
    type Target = dyn Db;

    fn deref(&self) -> &(dyn Db + 'static) {
        &*self.db
    }
}

impl DerefMut for Newest {
    fn deref_mut(&mut self) -> &mut (dyn Db + 'static) {
        &mut *self.db
    }
}

impl Place {
    /// Reads the store itself, or a copy brought over if an earlier program wrote it.
    pub fn newest(&self) -> DbResult<Newest> {
        let mut db = self.reader()?;
        let version = schema::version(&mut *db)?;
        if !(1..schema::NEWEST).contains(&version) {
            return Ok(Newest { db, _copy: None });
        }
        tracing::info!(version, "an earlier program wrote this house: a copy of it is brought over and read");
        let directory = Directory::new().map_err(|e| DbError::Lost(format!("no room for a copy: {e}")))?;
        let Place::Sqlite(copy) = Place::in_directory(&directory.0) else {
            return Err(DbError::Refused("a copy is a file".into()));
        };
        transact(&mut *db, Purpose::Snapshot, |db| {
            // The question begins the snapshot.
            ask_one(db, "SELECT seq FROM head", row![])?;
            into_new(&copy, Old { db: Some(db), schema: "", version })
        })?;
        Ok(Newest { db: Place::Sqlite(copy).reader()?, _copy: Some(directory) })
    }
}

/// A directory for a while, for nobody else to look into.
struct Directory(PathBuf);

impl Directory {
    fn new() -> std::io::Result<Directory> {
        let mut random = [0u8; 8];
        crate::world::chance(&mut random).map_err(|e| std::io::Error::other(e.to_string()))?;
        let path = std::env::temp_dir().join(format!("cutcard-copy-{}", hex(&random)));
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Directory(path))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, path = %self.0.display(), "a copy was not removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_goes_with_its_directory() {
        let directory = Directory::new().expect("made");
        let path = directory.0.clone();
        std::fs::write(path.join("copy"), "private").expect("written");
        drop(directory);
        assert!(!path.exists());
    }
}
