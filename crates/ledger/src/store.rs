//! The location of the house's data: a SQLite file in the data directory, or a PostgreSQL database.
//!
//! Also opens connections to the house's data.

use crate::address;
use crate::db::{Db, DbResult};
use crate::postgres::Postgres;
use crate::schema;
use crate::sqlite::Sqlite;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    Sqlite(PathBuf),
    Postgres(String),
}

/// Prints only the kind of a database, because its address may contain a password.
impl std::fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreAddress::Sqlite(path) => write!(f, "Sqlite({})", path.display()),
            StoreAddress::Postgres(_) => write!(f, "Postgres"),
        }
    }
}

impl StoreAddress {
    /// Returns the address of the SQLite file in a data directory, used when no database is named.
    pub fn in_directory(data: &Path) -> StoreAddress {
        StoreAddress::Sqlite(data.join("house.sqlite"))
    }

    pub fn writer(&self) -> DbResult<Box<dyn Db>> {
        Ok(match self {
            StoreAddress::Sqlite(path) => Box::new(Sqlite::open(path)?),
            StoreAddress::Postgres(url) => Box::new(Postgres::connect(url)?),
        })
    }

    pub fn reader(&self) -> DbResult<Box<dyn Db>> {
        Ok(match self {
            StoreAddress::Sqlite(path) => Box::new(Sqlite::open_reader(path)?),
            StoreAddress::Postgres(url) => Box::new(Postgres::connect(url)?),
        })
    }

    /// Returns whether the address contains a database password.
    pub fn holds_password(&self) -> bool {
        matches!(self, StoreAddress::Postgres(url) if address::holds_password(url))
    }

    /// Returns an error if the database is behind a transaction-mode pooler.
    pub fn refuse_transaction_pooler(&self) -> DbResult<()> {
        match self {
            StoreAddress::Sqlite(_) => Ok(()),
            StoreAddress::Postgres(url) => Postgres::refuse_transaction_pooler(url),
        }
    }

    /// Opens the store of an existing house for reading, and checks that this program can use it.
    pub fn existing(&self) -> DbResult<Box<dyn Db>> {
        let mut db = self.reader()?;
        schema::must_fit(&mut *db)?;
        Ok(db)
    }
}
