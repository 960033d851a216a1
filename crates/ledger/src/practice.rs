//! Stores members' practice data, which is not part of the journal.
//!
//! There is one row per person and subject, overwritten in place, so that the data grows with the number of people
//! and not with their activity. Audits, backups and restores ignore practice data. With SQLite it has its own
//! file, so that no table waits for it; in PostgreSQL it is one more table.

use crate::db::{Columns, Db, DbResult, Purpose, ask_one, transact};
use crate::ids::PersonId;
use crate::row;
use crate::sqlite::Sqlite;
use crate::store::StoreAddress;
use std::sync::{Mutex, PoisonError};

pub(crate) const TABLE: &str = "CREATE TABLE IF NOT EXISTS practice (
    person INTEGER NOT NULL,
    subject TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (person, subject)
) WITHOUT ROWID, STRICT";
const FIND: &str = "SELECT value FROM practice WHERE person = $1 AND subject = $2";
const PUT: &str = "INSERT INTO practice (person, subject, value) VALUES ($1, $2, $3) \
                   ON CONFLICT (person, subject) DO UPDATE SET value = excluded.value";

pub(crate) struct Practice {
    place: StoreAddress,
    db: Mutex<Option<Box<dyn Db>>>,
}

impl Practice {
    /// Returns the practice store of a house; its database is opened on first use.
    pub fn new(place: &StoreAddress) -> Practice {
        Practice { place: place.clone(), db: Mutex::new(None) }
    }

    fn with<T, E: From<crate::DbError>>(
        &self,
        work: impl FnOnce(&mut dyn Db) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut held = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        let mut db = match held.take() {
            Some(db) => db,
            None => self.open()?,
        };
        let done = work(&mut *db);
        // A failed connection may be broken; the next call opens another.
        if done.is_ok() {
            *held = Some(db);
        }
        done
    }

    fn open(&self) -> DbResult<Box<dyn Db>> {
        let mut db: Box<dyn Db> = match &self.place {
            StoreAddress::Sqlite(path) => {
                let mut db = Sqlite::open(&path.with_file_name("practice.sqlite"))?;
                // Checkpoint the WAL early, so that it stays small.
                db.define("PRAGMA wal_autocheckpoint = 256")?;
                Box::new(db)
            }
            StoreAddress::Postgres(_) => self.place.writer()?,
        };
        if !db.has_table("practice")? {
            db.define(TABLE)?;
        }
        Ok(db)
    }

    /// Returns a person's practice data for a subject, or `None` if there is none.
    pub fn of(&self, person: PersonId, subject: &str) -> DbResult<Option<Vec<u8>>> {
        self.with(|db| find(db, person, subject))
    }

    /// Replaces a person's practice data for a subject with the result of `change`.
    ///
    /// If `change` fails, the data stays as it is.
    pub fn change<E: From<crate::DbError>>(
        &self,
        person: PersonId,
        subject: &str,
        change: impl FnOnce(Option<Vec<u8>>) -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        self.with(|db| {
            transact(db, Purpose::Write, |db| {
                let value = change(find(db, person, subject)?)?;
                db.run(PUT, &[row![person.0, subject, value]])?;
                Ok(())
            })
        })
    }

    /// Deletes all practice data of a person.
    pub fn forget(&self, person: PersonId) -> DbResult<()> {
        self.with(|db| db.run("DELETE FROM practice WHERE person = $1", &[row![person.0]]).map(|_| ()))
    }

    pub fn close(&self) {
        self.db.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn find(db: &mut dyn Db, person: PersonId, subject: &str) -> DbResult<Option<Vec<u8>>> {
    let found = ask_one(db, FIND, row![person.0, subject])?.into_iter().next();
    found.map(|row| Columns::of(row).bytes()).transpose()
}
