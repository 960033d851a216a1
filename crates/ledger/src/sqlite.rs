//! The embedded store: one SQLite file in WAL mode, every commit synced.

use crate::db::{Db, DbError, DbResult, Purpose, Row, Value};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
use std::path::Path;

pub struct Sqlite {
    connection: Connection,
}

/// Log pages after which the writer itself folds the log back; the background fold normally comes first.
const FOLD_AT_PAGES: i64 = 32_768;

impl Sqlite {
    /// Opens or creates the file for writing.
    pub fn open(path: &Path) -> DbResult<Sqlite> {
        let connection = Connection::open(path).map_err(fault)?;
        connection.pragma_update(None, "page_size", 4096).map_err(fault)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(fault)?;
        connection.pragma_update(None, "wal_autocheckpoint", FOLD_AT_PAGES).map_err(fault)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(fault)?;
        Sqlite::with(connection)
    }

    /// Opens the file for reading only.
    pub fn open_reader(path: &Path) -> DbResult<Sqlite> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Sqlite::with(Connection::open_with_flags(path, flags).map_err(fault)?)
    }

    fn with(connection: Connection) -> DbResult<Sqlite> {
        connection.pragma_update(None, "synchronous", "FULL").map_err(fault)?;
        connection.pragma_update(None, "cache_size", -65_536).map_err(fault)?;
        connection.pragma_update(None, "temp_store", "MEMORY").map_err(fault)?;
        connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(fault)?;
        connection.set_prepared_statement_cache_capacity(96);
        Ok(Sqlite { connection })
    }

    /// Folds the write-ahead log into the file without making a writer wait.
    pub fn fold(&mut self) -> DbResult<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(fault)
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
        let sql = match purpose {
            Purpose::Write => "BEGIN IMMEDIATE",
            Purpose::Snapshot => "BEGIN",
        };
        self.connection.execute_batch(sql).map_err(fault)
    }

    fn commit(&mut self) -> DbResult<()> {
        let done = self.connection.execute_batch("COMMIT").map_err(fault);
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

    fn run(&mut self, sql: &'static str, rows: &[Row]) -> DbResult<u64> {
        self.load(sql, rows)
    }

    fn ask(&mut self, sql: &'static str, rows: &[Row]) -> DbResult<Vec<Vec<Row>>> {
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
    fn ask_locked(&mut self, sql: &'static str, rows: &[Row]) -> DbResult<Vec<Vec<Row>>> {
        self.ask(sql, rows)
    }

    fn walk(&mut self, sql: &str, row: Row, each: &mut dyn FnMut(Row) -> bool) -> DbResult<()> {
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

    fn as_sqlite(&mut self) -> Option<&mut Sqlite> {
        Some(self)
    }

    fn load(&mut self, sql: &str, rows: &[Row]) -> DbResult<u64> {
        let mut statement = self.connection.prepare_cached(sql).map_err(fault)?;
        let mut changed = 0;
        for row in rows {
            changed += statement.execute(params_from_iter(row)).map_err(fault)? as u64;
        }
        Ok(changed)
    }
}

fn read(line: &rusqlite::Row<'_>, width: usize) -> DbResult<Row> {
    (0..width)
        .map(|n| {
            Ok(match line.get_ref(n).map_err(fault)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(v) => Value::Int(v),
                ValueRef::Text(v) => Value::Text(String::from_utf8_lossy(v).into_owned()),
                ValueRef::Blob(v) => Value::Bytes(v.to_vec()),
                ValueRef::Real(_) => return Err(DbError::Refused("a column holds a float".into())),
            })
        })
        .collect()
}

impl ToSql for Value {
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
