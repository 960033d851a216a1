//! The embedded store: one SQLite file in WAL mode, every commit synced.

use crate::db::{Db, DbError, DbResult, Found, Purpose, Row, Value, ask_one};
use crate::keys::private_file;
use crate::shape::{Parts, list};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
use std::path::Path;

pub struct Sqlite {
    connection: Connection,
}

/// The size of a read connection's page cache, in KiB.
///
/// The operating system caches the rest, which does not count as the house's memory.
const READER_CACHE_KIB: i64 = 1024;
const WRITER_CACHE_KIB: i64 = 16 * 1024;

/// The number of WAL pages after which the writer itself checkpoints.
///
/// Normally the background job checkpoints earlier.
const LOG_PAGES: i64 = 32_768;

/// The query for all tables, indexes and other objects of the database, and for all columns of the tables.
///
/// It omits the statistics tables of `ANALYZE`.
const PARTS: &str = "SELECT type, tbl_name, name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_stat*' \
    UNION ALL SELECT 'column', m.name, c.name, c.type || ' ' || c.\"notnull\" || ' ' || c.pk || ' ' || c.hidden || ' ' || \
    coalesce(c.dflt_value, '') FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'";

impl Sqlite {
    /// Opens or creates the database file for writing.
    pub fn open(path: &Path) -> DbResult<Sqlite> {
        // SQLite gives the files beside this one the same permissions.
        private_file(path).map_err(|error| DbError::Lost(format!("{}: {error}", path.display())))?;
        let connection = Connection::open(path).map_err(fault)?;
        connection.pragma_update(None, "page_size", 4096).map_err(fault)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(fault)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES).map_err(fault)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
        let sqlite = Sqlite::with(connection)?;
        sqlite.connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB).map_err(fault)?;
        Ok(sqlite)
    }

    /// Opens the database file for reading only.
    pub fn open_reader(path: &Path) -> DbResult<Sqlite> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Sqlite::with(Connection::open_with_flags(path, flags).map_err(fault)?)
    }

    /// Opens a temporary store at `path`, or in an unnamed file if `path` is empty.
    ///
    /// The store is not synced. A caller that names the file keeps the name private until the store is complete.
    pub fn scratch(path: &Path, cache_kib: i64) -> DbResult<Sqlite> {
        let connection = Connection::open(path).map_err(fault)?;
        connection.pragma_update(None, "page_size", 4096).map_err(fault)?;
        connection.pragma_update(None, "journal_mode", "OFF").map_err(fault)?;
        // Projections are here without the journal that they refer to.
        connection.pragma_update(None, "foreign_keys", false).map_err(fault)?;
        let sqlite = Sqlite::with(connection)?;
        sqlite.connection.pragma_update(None, "synchronous", "OFF").map_err(fault)?;
        sqlite.connection.pragma_update(None, "cache_size", -cache_kib).map_err(fault)?;
        Ok(sqlite)
    }

    fn with(connection: Connection) -> DbResult<Sqlite> {
        connection.pragma_update(None, "synchronous", "FULL").map_err(fault)?;
        connection.pragma_update(None, "cache_size", -READER_CACHE_KIB).map_err(fault)?;
        connection.pragma_update(None, "temp_store", "MEMORY").map_err(fault)?;
        connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(fault)?;
        connection.set_prepared_statement_cache_capacity(96);
        // Query plans ignore parameter values; otherwise every query would be planned again.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(fault)?;
        Ok(Sqlite { connection })
    }

    /// Checkpoints the WAL without making a writer wait.
    pub fn write_back(&mut self) -> DbResult<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(fault)
    }

    /// Runs a statement without parameters or result.
    fn just(&mut self, sql: &str) -> DbResult<()> {
        let mut statement = self.connection.prepare_cached(sql).map_err(fault)?;
        statement.execute([]).map(|_| ()).map_err(fault)
    }

    /// Limits the database file to `pages` pages.
    ///
    /// A test can then simulate a full disk.
    #[doc(hidden)]
    pub fn cap_pages(&mut self, pages: i64) -> DbResult<()> {
        let mut statement =
            self.connection.prepare(&format!("PRAGMA max_page_count = {pages}")).map_err(fault)?;
        statement.query_row([], |_| Ok(())).map_err(fault)
    }
}

impl Db for Sqlite {
    fn begin(&mut self, purpose: Purpose) -> DbResult<()> {
        // A reader's transaction sees the state as of its first query.
        self.just(match purpose {
            Purpose::Write => "BEGIN IMMEDIATE",
            Purpose::Snapshot => "BEGIN",
        })
    }

    fn commit(&mut self) -> DbResult<()> {
        let done = self.just("COMMIT");
        if done.is_err() {
            self.rollback();
        }
        done
    }

    fn rollback(&mut self) {
        // SQLite may already have rolled back after a full disk; then there is nothing to do.
        if !self.connection.is_autocommit()
            && let Err(error) = self.connection.execute_batch("ROLLBACK")
        {
            tracing::warn!(%error, "rollback");
        }
    }

    fn run(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<u64> {
        self.load(sql, rows)
    }

    fn ask(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<Vec<Vec<Found>>> {
        let mut statement = self.connection.prepare_cached(sql).map_err(fault)?;
        let width = statement.column_count();
        let mut sets = Vec::with_capacity(rows.len());
        for row in rows {
            let mut found = statement.query(params_from_iter(row)).map_err(fault)?;
            let mut set = Vec::new();
            while let Some(line) = found.next().map_err(fault)? {
                set.push(read(line, width)?);
            }
            sets.push(set);
        }
        Ok(sets)
    }

    /// Runs the query without locking rows, because a writing transaction already holds SQLite's only write lock.
    fn ask_locked(&mut self, sql: &'static str) -> DbResult<Vec<Found>> {
        ask_one(self, sql, vec![])
    }

    fn walk(&mut self, sql: &str, row: Row<'_>, each: &mut dyn FnMut(Found) -> bool) -> DbResult<()> {
        let mut statement = self.connection.prepare_cached(sql).map_err(fault)?;
        let width = statement.column_count();
        let mut found = statement.query(params_from_iter(&row)).map_err(fault)?;
        while let Some(line) = found.next().map_err(fault)? {
            if !each(read(line, width)?) {
                break;
            }
        }
        Ok(())
    }

    fn define(&mut self, ddl: &str) -> DbResult<()> {
        self.connection.execute_batch(ddl).map_err(fault)
    }

    fn has_table(&mut self, name: &str) -> DbResult<bool> {
        self.connection.table_exists(None, name).map_err(fault)
    }

    fn parts(&mut self) -> DbResult<Parts> {
        list(self, PARTS)
    }

    fn parts_of(&mut self, lay_out: &mut dyn FnMut(&mut dyn Db) -> DbResult<()>) -> DbResult<Parts> {
        let mut scratch = Sqlite::scratch(Path::new(""), READER_CACHE_KIB)?;
        lay_out(&mut scratch)?;
        scratch.parts()
    }

    fn damage(&mut self) -> DbResult<Option<String>> {
        let found = self.connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
        found.map(|told| (told != "ok").then_some(told)).map_err(fault)
    }

    fn as_sqlite(&mut self) -> Option<&mut Sqlite> {
        Some(self)
    }

    fn load(&mut self, sql: &str, rows: &[Row<'_>]) -> DbResult<u64> {
        let mut statement = self.connection.prepare_cached(sql).map_err(fault)?;
        let mut changed = 0;
        for row in rows {
            changed += statement.execute(params_from_iter(row)).map_err(fault)? as u64;
        }
        Ok(changed)
    }
}

fn read(line: &rusqlite::Row<'_>, width: usize) -> DbResult<Found> {
    (0..width)
        .map(|n| {
            Ok(match line.get_ref(n).map_err(fault)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(v) => Value::Int(v),
                ValueRef::Text(v) => Value::Text(String::from_utf8_lossy(v).into_owned().into()),
                ValueRef::Blob(v) => Value::Bytes(v.to_vec().into()),
                ValueRef::Real(_) => return Err(DbError::Refused("a column holds a float".into())),
            })
        })
        .collect()
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(v) => ValueRef::Integer(*v),
            Value::Text(v) => ValueRef::Text(v.as_bytes()),
            Value::Bytes(v) => ValueRef::Blob(v),
        }))
    }
}

fn fault(error: rusqlite::Error) -> DbError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => DbError::Full(text),
        Some(
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ReadOnly,
        ) => DbError::Lost(text),
        _ => DbError::Refused(text),
    }
}
