//! The embedded store: one SQLite file in WAL mode, every commit synced.

use crate::db::{Db, DbError, DbResult, Found, Purpose, Row, Value};
use crate::keys::private_file;
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
use std::path::{Path, PathBuf};

pub struct Sqlite {
    connection: Connection,
}

/// Log pages after which the writer itself folds the log back; the background fold normally comes first.
const FOLD_AT_PAGES: i64 = 32_768;

/// What a connection may remember of its files. The system remembers the rest, which is not counted as the house's memory.
const READER_CACHE_KIB: i64 = 1024;
/// Of those who write what follows from the journal.
const LOOKUP_CACHE_KIB: i64 = 16 * 1024;

const LOOKUP: &str = "lookup";
/// The layout of that file, as `schema/lookup.sql` says it.
const LAYOUT: i64 = 3;

/// The file of what follows from the journal.
pub fn lookup_path(path: &Path) -> PathBuf {
    path.with_extension("lookup.sqlite")
}

impl Sqlite {
    /// Opens or creates the file for writing.
    pub fn open(path: &Path) -> DbResult<Sqlite> {
        // The files that SQLite puts beside these are as private as they are.
        for file in [path, &lookup_path(path)] {
            private_file(file).map_err(|error| DbError::Lost(format!("{}: {error}", file.display())))?;
        }
        let connection = Connection::open(path).map_err(fault)?;
        connection.pragma_update(None, "page_size", 4096).map_err(fault)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(fault)?;
        connection.pragma_update(None, "wal_autocheckpoint", FOLD_AT_PAGES).map_err(fault)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
        let sqlite = Sqlite::with(connection)?;
        // Pages of the journal are written once and read by others.
        sqlite.connection.pragma_update(None, "cache_size", -4096).map_err(fault)?;
        sqlite.attach(path, LOOKUP_CACHE_KIB)?;
        sqlite.connection.pragma_update(Some(LOOKUP), "journal_mode", "WAL").map_err(fault)?;
        sqlite.connection.pragma_update(Some(LOOKUP), "synchronous", "NORMAL").map_err(fault)?;
        sqlite.lay_out_lookup()?;
        Ok(sqlite)
    }

    /// What follows from the journal begins anew in a file that is new or of an older layout.
    fn lay_out_lookup(&self) -> DbResult<()> {
        let layout = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let found = self.connection.pragma_query_value(Some(LOOKUP), "user_version", layout);
        if found.map_err(fault)? == LAYOUT {
            return Ok(());
        }
        let anew = concat!("BEGIN IMMEDIATE;\n", include_str!("schema/lookup.sql"), "COMMIT;");
        self.connection.execute_batch(anew).map_err(fault)
    }

    /// Opens the file for reading only.
    pub fn open_reader(path: &Path) -> DbResult<Sqlite> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let sqlite = Sqlite::with(Connection::open_with_flags(path, flags).map_err(fault)?)?;
        // A store that no writer of this version has opened yet has everything in one file.
        if lookup_path(path).exists() {
            sqlite.attach(path, READER_CACHE_KIB)?;
        }
        Ok(sqlite)
    }

    /// Opens what follows from the journal beside it.
    fn attach(&self, path: &Path, cache_kib: i64) -> DbResult<()> {
        let lookup = lookup_path(path).to_string_lossy().into_owned();
        self.connection.execute("ATTACH DATABASE ?1 AS lookup", [lookup]).map_err(fault)?;
        self.connection.pragma_update(Some(LOOKUP), "cache_size", -cache_kib).map_err(fault)
    }

    fn with(connection: Connection) -> DbResult<Sqlite> {
        connection.pragma_update(None, "synchronous", "FULL").map_err(fault)?;
        connection.pragma_update(None, "cache_size", -READER_CACHE_KIB).map_err(fault)?;
        connection.pragma_update(None, "temp_store", "MEMORY").map_err(fault)?;
        connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(fault)?;
        connection.set_prepared_statement_cache_capacity(96);
        // Plans do not look at the values asked for; otherwise every question would be planned anew.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(fault)?;
        Ok(Sqlite { connection })
    }

    /// Folds the write-ahead log into the file without making a writer wait.
    pub fn fold(&mut self) -> DbResult<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(fault)
    }

    /// This connection writes the log back after so many pages.
    pub fn fold_log_at(&mut self, pages: i64) -> DbResult<()> {
        self.connection.pragma_update(None, "wal_autocheckpoint", pages).map_err(fault)
    }

    /// A statement without parameters or answer.
    fn just(&mut self, sql: &str) -> DbResult<()> {
        let mut statement = self.connection.prepare_cached(sql).map_err(fault)?;
        statement.execute([]).map(|_| ()).map_err(fault)
    }

    /// Caps the file's size, so that a test can fill the disk.
    #[doc(hidden)]
    pub fn cap_pages(&mut self, pages: i64) -> DbResult<()> {
        let mut statement =
            self.connection.prepare(&format!("PRAGMA max_page_count = {pages}")).map_err(fault)?;
        statement.query_row([], |_| Ok(())).map_err(fault)
    }
}

impl Db for Sqlite {
    fn begin(&mut self, purpose: Purpose) -> DbResult<()> {
        // Locks come with the first statement: the journal's and the lookup's files have a writer each.
        self.just("BEGIN")?;
        if purpose == Purpose::Snapshot {
            // What follows from the journal is looked at first, so that it is never ahead of it.
            self.ask("SELECT seq FROM folded", &[Row::new()])?;
            self.ask("SELECT seq FROM head", &[Row::new()])?;
        }
        Ok(())
    }

    fn commit(&mut self) -> DbResult<()> {
        let done = self.just("COMMIT");
        if done.is_err() {
            self.rollback();
        }
        done
    }

    fn rollback(&mut self) {
        // After a full disk SQLite may have rolled back by itself; then there is nothing left to do.
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

    /// A writing transaction holds the only write lock there is.
    fn ask_locked(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<Vec<Vec<Found>>> {
        self.ask(sql, rows)
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

    fn writes_alone(&self) -> bool {
        true
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
