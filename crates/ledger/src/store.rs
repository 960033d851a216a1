//! Where the house's data lives: a SQLite file in the data directory, or a PostgreSQL database. Opens connections.

use crate::db::{Db, DbResult};
use crate::postgres::Postgres;
use crate::schema;
use crate::sqlite::Sqlite;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    Sqlite(PathBuf),
    Postgres(String),
}

/// The address of a database may hold a password, so only its kind is ever printed.
impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Sqlite(path) => write!(f, "Sqlite({})", path.display()),
            Place::Postgres(_) => write!(f, "Postgres"),
        }
    }
}

impl Place {
    /// Returns the database file of a data directory, for use without a named database.
    pub fn in_directory(data: &Path) -> Place {
        Place::Sqlite(data.join("house.sqlite"))
    }

    pub fn writer(&self) -> DbResult<Box<dyn Db>> {
        Ok(match self {
            Place::Sqlite(path) => Box::new(Sqlite::open(path)?),
            Place::Postgres(url) => Box::new(Postgres::connect(url)?),
        })
    }

    pub fn reader(&self) -> DbResult<Box<dyn Db>> {
        Ok(match self {
            Place::Sqlite(path) => Box::new(Sqlite::open_reader(path)?),
            Place::Postgres(url) => Box::new(Postgres::connect(url)?),
        })
    }

    /// Refuses a database behind a pooler that lends a session for one transaction only.
    pub fn refuse_transaction_pooler(&self) -> DbResult<()> {
        match self {
            Place::Sqlite(_) => Ok(()),
            Place::Postgres(url) => Postgres::refuse_transaction_pooler(url),
        }
    }

    /// Reads a house that is there already.
    pub fn existing(&self) -> DbResult<Box<dyn Db>> {
        let mut db = self.reader()?;
        schema::must_fit(&mut *db)?;
        Ok(db)
    }
}
