//! The one small trait behind which SQLite and PostgreSQL stand. The SQL itself is written once, in the dialect both
//! speak: `$1` parameters in order of first use, `ON CONFLICT`, and three types: integer, text, bytes.

use crate::shape::Parts;
use std::borrow::Cow;
use std::fmt;

/// A value of a column, or a parameter that may be lent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

/// The parameters of a statement.
pub type Row<'a> = Vec<Value<'a>>;
/// A row that was read.
pub type Found = Row<'static>;

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Write,
    /// Reads one unchanging state, however long it takes.
    Snapshot,
}

/// The reason why the store could not do what was asked. After any of these nothing of an open transaction is
/// stored, except that after `Lost` or `Alone` during a commit it is unknown; repeating the same commands settles
/// it, because their ids are unique.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DbError {
    #[error("database is full: {0}")]
    Full(String),
    #[error("cannot reach the database: {0}")]
    Lost(String),
    #[error("not stored: {0}")]
    Alone(String),
    #[error("database error: {0}")]
    Refused(String),
}

pub type DbResult<T> = Result<T, DbError>;

/// A connection. Not shared between threads; open another one instead.
pub trait Db: Send {
    fn begin(&mut self, purpose: Purpose) -> DbResult<()>;
    /// Returns only when the transaction is durable.
    fn commit(&mut self) -> DbResult<()>;
    fn rollback(&mut self);
    /// Executes the statement once for each row of parameters; answers how many rows changed in all.
    fn run(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<u64>;
    /// Asks the question once for each row of parameters; one set of rows for each, in order.
    fn ask(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<Vec<Vec<Found>>>;
    /// The same, and the rows found stay locked until the transaction ends, locked in the order asked.
    fn ask_locked(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<Vec<Vec<Found>>>;
    /// Reads every row in turn without holding them all in memory. A `false` from `each` stops early.
    fn walk(&mut self, sql: &str, row: Row<'_>, each: &mut dyn FnMut(Found) -> bool) -> DbResult<()>;
    /// Runs statements of the schema, written in SQLite's words.
    fn define(&mut self, ddl: &str) -> DbResult<()>;
    /// SQL text that is not known at compile time; for backup and restore only.
    fn load(&mut self, sql: &str, rows: &[Row<'_>]) -> DbResult<u64>;
    fn has_table(&mut self, name: &str) -> DbResult<bool>;
    /// Lists the parts of the schema that is there.
    fn parts(&mut self) -> DbResult<Parts>;
    /// Lists the parts of the schema that `lay_out` makes in a scratch database of the same kind.
    fn parts_of(&mut self, lay_out: &mut dyn FnMut(&mut dyn Db) -> DbResult<()>) -> DbResult<Parts>;
    /// Returns the damage that the database finds in its own files, such as a bad page or a wrong index.
    fn damage(&mut self) -> DbResult<Option<String>>;
    /// Tells other servers of the house, when the transaction is committed; there are none beside an embedded store.
    fn tell(&mut self, _words: &std::collections::BTreeSet<String>) -> DbResult<()> {
        Ok(())
    }
    /// Limits the time of one statement.
    fn hurry(&mut self, _patience: std::time::Duration) {}
    /// Returns the embedded store, for what only it can do.
    fn as_sqlite(&mut self) -> Option<&mut crate::sqlite::Sqlite> {
        None
    }
}

/// Asks one question with one row of parameters.
pub fn ask_one(db: &mut dyn Db, sql: &'static str, row: Row<'_>) -> DbResult<Vec<Found>> {
    Ok(db.ask(sql, &[row])?.pop().unwrap_or_default())
}

/// Runs `work` in a transaction: committed when it succeeds, rolled back when it does not.
pub fn transact<T, E: From<DbError>>(
    db: &mut dyn Db,
    purpose: Purpose,
    work: impl FnOnce(&mut dyn Db) -> Result<T, E>,
) -> Result<T, E> {
    db.begin(purpose)?;
    match work(db) {
        Ok(value) => {
            db.commit()?;
            Ok(value)
        }
        Err(error) => {
            db.rollback();
            Err(error)
        }
    }
}

impl From<i64> for Value<'_> {
    fn from(v: i64) -> Self {
        Value::Int(v)
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(v: Option<i64>) -> Self {
        v.map_or(Value::Null, Value::Int)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(v: &'a str) -> Self {
        Value::Text(v.into())
    }
}

impl From<String> for Value<'_> {
    fn from(v: String) -> Self {
        Value::Text(v.into())
    }
}

impl From<Vec<u8>> for Value<'_> {
    fn from(v: Vec<u8>) -> Self {
        Value::Bytes(v.into())
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(v: &'a [u8]) -> Self {
        Value::Bytes(v.into())
    }
}

/// Takes the columns of a row one after another.
pub struct Columns(std::vec::IntoIter<Value<'static>>);

impl Columns {
    pub fn of(row: Found) -> Columns {
        Columns(row.into_iter())
    }

    pub fn int(&mut self) -> DbResult<i64> {
        match self.0.next() {
            Some(Value::Int(v)) => Ok(v),
            other => Err(unexpected("a number", &other)),
        }
    }

    pub fn maybe_int(&mut self) -> DbResult<Option<i64>> {
        match self.0.next() {
            Some(Value::Int(v)) => Ok(Some(v)),
            Some(Value::Null) => Ok(None),
            other => Err(unexpected("a number or nothing", &other)),
        }
    }

    pub fn text(&mut self) -> DbResult<String> {
        match self.0.next() {
            Some(Value::Text(v)) => Ok(v.into_owned()),
            other => Err(unexpected("text", &other)),
        }
    }

    pub fn bytes(&mut self) -> DbResult<Vec<u8>> {
        match self.0.next() {
            Some(Value::Bytes(v)) => Ok(v.into_owned()),
            other => Err(unexpected("bytes", &other)),
        }
    }
}

fn unexpected(wanted: &str, found: &dyn fmt::Debug) -> DbError {
    DbError::Refused(format!("a column holds {found:?} where {wanted} was expected"))
}

/// The parameters of a statement, written as a list of anything that is a value.
#[macro_export]
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($crate::db::Value::from($value)),*] };
}
