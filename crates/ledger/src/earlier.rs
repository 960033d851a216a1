//! Stores of earlier programs, for those who only read: a copy is brought up to date, and the store stays as it is.

use crate::db::{Db, DbError, DbResult, Found, Purpose, transact};
use crate::keys::hex;
use crate::row;
use crate::schema;
use crate::sqlite::Sqlite;
use crate::store::Place;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// Rows copied at a time.
const AT_ONCE: usize = 500;

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
    /// Reads the store itself, or a copy brought up to date if an earlier program wrote it.
    pub fn newest(&self) -> DbResult<Newest> {
        let mut db = self.reader()?;
        let version = schema::version(&mut *db)?;
        if !(1..schema::NEWEST).contains(&version) {
            return Ok(Newest { db, _copy: None });
        }
        tracing::info!(
            version,
            "an earlier program wrote this store: a copy of it is brought up to date and read"
        );
        let directory = Directory::new().map_err(|e| DbError::Lost(format!("no room for a copy: {e}")))?;
        let db = copied(&mut *db, version, &directory.0)?;
        Ok(Newest { db, _copy: Some(directory) })
    }
}

/// Copies what does not follow from the journal into a file of SQLite, whatever store it comes from.
fn copied(db: &mut dyn Db, version: i64, directory: &Path) -> DbResult<Box<dyn Db>> {
    let place = Place::in_directory(directory);
    let mut copy = place.writer()?;
    schema::migrate_to(&mut *copy, version)?;
    // SQLite's snapshot asks for rows that an early store has not; any transaction of its readers is one.
    let snapshot = match db.as_sqlite() {
        Some(Sqlite { .. }) => Purpose::Write,
        None => Purpose::Snapshot,
    };
    transact(db, snapshot, |db| {
        transact(&mut *copy, Purpose::Write, |copy| {
            copy.load("DELETE FROM head", &[row![]])?;
            schema::kept_tables(version)
                .try_for_each(|(_, table, columns)| copy_table(db, copy, table, columns))
        })
    })?;
    schema::migrate(&mut *copy)?;
    drop(copy);
    place.reader()
}

fn copy_table(db: &mut dyn Db, copy: &mut dyn Db, table: &str, columns: &[&str]) -> DbResult<()> {
    let (mut waiting, mut outcome): (Vec<Found>, _) = (Vec::new(), Ok(()));
    let sql = format!("SELECT {} FROM {table}", columns.join(", "));
    db.walk(&sql, row![], &mut |row| {
        waiting.push(row);
        if waiting.len() == AT_ONCE {
            outcome = schema::insert(copy, table, columns, &waiting);
            waiting.clear();
        }
        outcome.is_ok()
    })?;
    outcome?;
    schema::insert(copy, table, columns, &waiting)
}

/// A directory for a while, for nobody else to look into.
struct Directory(PathBuf);

impl Directory {
    fn new() -> std::io::Result<Directory> {
        let mut random = [0u8; 8];
        getrandom::fill(&mut random).map_err(|e| std::io::Error::other(e.to_string()))?;
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
