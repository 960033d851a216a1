//! The trait that the SQLite store and the PostgreSQL store implement.
//!
//! The SQL is written once, in the dialect both support: `$1` parameters in order of first use, `ON CONFLICT`, and
//! three types: integer, text, bytes.

use crate::draft::Fault;
use crate::shape::Parts;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// The value of a column or parameter, possibly borrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    Null,
    Int(i64),
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

/// The parameters for one execution of a statement.
pub type Row<'a> = Vec<Value<'a>>;
/// A row read from the database.
pub type Found = Row<'static>;
/// The result of a query: the rows found for each row of parameters.
pub type Sets = Vec<Vec<Found>>;

/// A statement, and the rows of parameters to run the statement with, once per row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query<'a> {
    pub sql: &'static str,
    pub rows: Vec<Row<'a>>,
}

/// A writing transaction that has begun.
#[derive(Debug)]
pub struct Begun {
    /// The rows that the transaction has locked.
    pub locked: Vec<Found>,
    /// The results of the queries that the transaction began with, in order.
    pub answers: Vec<Sets>,
    /// Whether the transaction had to wait for another server's lock.
    pub waited: bool,
}

/// What a transaction is for: writing, or reading one snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Write,
    /// Reading from one snapshot, however long it takes.
    Snapshot,
}

/// The reason why the store failed.
///
/// After a failure, nothing of an open transaction is stored. The exception is `Lost` or `Alone` during a commit:
/// the outcome is then unknown, and repeating the same commands settles it, because their ids are unique.
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

/// A connection to the database.
///
/// Threads do not share connections; each opens its own.
pub trait Db: Send {
    fn begin(&mut self, purpose: Purpose) -> DbResult<()>;
    /// Commits the transaction, and returns only when the transaction is durable.
    fn commit(&mut self) -> DbResult<()>;
    fn rollback(&mut self);
    /// Executes the statement once for each row of parameters, and returns the number of rows changed.
    fn run(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<u64>;
    /// Runs the query once for each row of parameters, and returns the rows found by each run, in order.
    fn ask(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<Vec<Vec<Found>>>;
    /// Runs a query, and locks the rows found until the transaction ends.
    fn ask_locked(&mut self, sql: &'static str) -> DbResult<Vec<Found>>;
    /// Begins a writing transaction, locks the rows that `lock` finds, and runs `queries`, in one round trip.
    ///
    /// The results are as of the moment when the rows were locked. After an error no transaction is open.
    fn begin_locked(&mut self, lock: &'static str, queries: &[Query<'_>]) -> DbResult<Begun> {
        self.begin(Purpose::Write)?;
        let locked = self.ask_locked(lock);
        let begun =
            locked.and_then(|locked| Ok(Begun { locked, answers: self.ask_all(queries)?, waited: false }));
        begun.inspect_err(|_| self.rollback())
    }
    /// Runs several queries in one round trip, and returns their results in order.
    fn ask_all(&mut self, queries: &[Query<'_>]) -> DbResult<Vec<Sets>> {
        queries.iter().map(|query| self.ask(query.sql, &query.rows)).collect()
    }
    /// Runs `changes` in order, commits, and then runs the query `then`, in one round trip.
    ///
    /// If the commit succeeds, PostgreSQL notifies the house's other servers of each of `words`; SQLite has no
    /// other servers. Returns the rows that `then` finds, once the transaction is durable. After `Fault::Store`,
    /// nothing is stored.
    fn commit_with(
        &mut self,
        changes: &[Query<'_>],
        _words: &BTreeSet<String>,
        then: Option<&'static str>,
    ) -> Result<Vec<Found>, Fault> {
        let run = changes.iter().try_for_each(|change| self.run(change.sql, &change.rows).map(|_| ()));
        run.inspect_err(|_| self.rollback())?;
        self.commit().map_err(Fault::of_commit)?;
        let found = then.map(|sql| self.ask(sql, &[vec![]])).transpose().map_err(Fault::Unknown)?;
        Ok(found.and_then(|mut sets| sets.pop()).unwrap_or_default())
    }
    /// Calls `each` with every row that a query finds, without holding all rows in memory.
    ///
    /// Stops early if `each` returns `false`.
    fn walk(&mut self, sql: &str, row: Row<'_>, each: &mut dyn FnMut(Found) -> bool) -> DbResult<()>;
    /// Runs schema statements, written in SQLite's dialect.
    fn define(&mut self, ddl: &str) -> DbResult<()>;
    /// Runs SQL text that is not known at compile time; used only to empty the projections before a rebuild.
    fn load(&mut self, sql: &str, rows: &[Row<'_>]) -> DbResult<u64>;
    fn has_table(&mut self, name: &str) -> DbResult<bool>;
    /// Returns the parts of the existing schema, such as tables, columns and indexes.
    fn parts(&mut self) -> DbResult<Parts>;
    /// Returns the parts of the schema that `lay_out` creates in a scratch database of the same kind.
    fn parts_of(&mut self, lay_out: &mut dyn FnMut(&mut dyn Db) -> DbResult<()>) -> DbResult<Parts>;
    /// Describes damage that the database finds in its own files, or returns `None` if it finds none.
    ///
    /// Damage is, for example, a bad page or a wrong index.
    fn damage(&mut self) -> DbResult<Option<String>>;
    /// Sets the longest time that each later statement may take. Does nothing by default.
    fn hurry(&mut self, _patience: std::time::Duration) {}
    /// Sets the longest time that each later statement of a reader may take; `None` is the default, which allows long
    /// searches. Does nothing by default.
    fn wait_at_most(&mut self, _patience: Option<std::time::Duration>) {}
    /// Returns the SQLite store, for operations that only SQLite has, or `None` for PostgreSQL.
    fn as_sqlite(&mut self) -> Option<&mut crate::sqlite::Sqlite> {
        None
    }
}

/// Runs one query with one row of parameters.
pub fn ask_one(db: &mut dyn Db, sql: &'static str, row: Row<'_>) -> DbResult<Vec<Found>> {
    Ok(db.ask(sql, &[row])?.pop().unwrap_or_default())
}

/// Runs `work` in a transaction, which commits if `work` succeeds and rolls back if `work` fails.
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

/// The columns of a row, read one after another.
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
            other => Err(unexpected("an integer or NULL", &other)),
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

/// Builds the parameters of a statement from any values.
#[macro_export]
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($crate::db::Value::from($value)),*] };
}
