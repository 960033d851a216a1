//! The PostgreSQL store, for a house of several servers.
//!
//! The rows of a batch go in one statement; if one statement is impossible, the statements are pipelined. So the
//! number of round trips depends on the number of batches, not on the number of commands.

use crate::address;
use crate::batch_sql;
use crate::db::{Begun, Db, DbError, DbResult, Found, Purpose, Query, Row, Sets, Value};
use crate::draft::Fault;
use crate::pipeline::{self, Answers, Request};
use crate::shape::{Parts, list};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

/// The default statement timeout, which only a lost database exceeds.
///
/// A node with a lease uses a shorter timeout.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest time to reach a host before the next one is tried.
const REACHED_WITHIN: Duration = Duration::from_secs(1);
const CONNECTED_WITHIN: Duration = Duration::from_secs(5);
/// The interval of TCP keepalives, which detect a silently lost peer.
const ALIVE_EVERY: Duration = Duration::from_secs(2);
/// The number of times that two connections are compared to detect a connection pooler.
const POOL_LOOKS: usize = 8;
const POOL_PATIENCE: Duration = Duration::from_secs(2);
const POOLED: &str = "the database is behind a connection pooler in transaction mode, which drops session state; \
    use pool_mode = session, or connect to the database server directly";
/// The maximum number of statements sent before their answers are read.
const AT_ONCE: usize = 256;
/// The SQL that begins a writing transaction.
///
/// Durability is set in each transaction, because a pooled session may carry settings of another client. A writer
/// finds every row by a key. As long as PostgreSQL takes a table for a small one, it would read all of the table for
/// each key instead; and since it calls that expensive when told not to, it would compile some queries, which takes
/// up to a second.
pub(crate) const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; \
    SET LOCAL enable_seqscan = off; SET LOCAL jit = off";

/// The query for all parts of the schema that unqualified statements use, with unqualified names.
///
/// It omits objects that belong to an extension.
const PARTS: &str = "\
WITH ours AS (SELECT c.oid, c.relname::text AS name, c.relkind::text AS kind, c.relrowsecurity::text AS guarded, \
    coalesce(c.reloptions::text, '') AS options FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = current_schema AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'i', 'I') AND NOT EXISTS \
    (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')) \
SELECT 'table'::text, name, name, concat_ws(' ', kind, options, guarded, (SELECT count(*) FROM pg_trigger t \
    WHERE t.tgrelid = ours.oid AND t.tgenabled <> 'O')) FROM ours WHERE kind IN ('r', 'p', 'f') \
UNION ALL SELECT 'view'::text, name, name, concat_ws(' ', kind, options, pg_get_viewdef(oid, true)) \
    FROM ours WHERE kind IN ('v', 'm') \
UNION ALL SELECT 'index'::text, t.relname::text, o.name, concat_ws(' ', o.options, x.indisvalid::text, \
    pg_get_indexdef(o.oid, 0, true)) \
    FROM ours o JOIN pg_index x ON x.indexrelid = o.oid JOIN pg_class t ON t.oid = x.indrelid \
UNION ALL SELECT 'column'::text, o.name, a.attname::text, concat_ws(' ', format_type(a.atttypid, a.atttypmod), \
    a.attnotnull::text, l.collname::text, a.attidentity::text, a.attgenerated::text, pg_get_expr(d.adbin, d.adrelid)) \
    FROM ours o JOIN pg_attribute a ON a.attrelid = o.oid LEFT JOIN pg_collation l ON l.oid = a.attcollation \
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
    WHERE o.kind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped \
UNION ALL SELECT 'constraint'::text, o.name, c.conname::text, pg_get_constraintdef(c.oid, true) \
    FROM ours o JOIN pg_constraint c ON c.conrelid = o.oid \
UNION ALL SELECT 'trigger'::text, o.name, t.tgname::text, \
    concat_ws(' ', t.tgenabled::text, pg_get_triggerdef(t.oid, true)) \
    FROM ours o JOIN pg_trigger t ON t.tgrelid = o.oid WHERE NOT t.tgisinternal \
UNION ALL SELECT 'rule'::text, o.name, r.rulename::text, concat_ws(' ', r.ev_enabled::text, pg_get_ruledef(r.oid, true)) \
    FROM ours o JOIN pg_rewrite r ON r.ev_class = o.oid WHERE r.rulename <> '_RETURN'";

pub struct Postgres {
    runtime: Driver,
    client: Client,
    prepared: HashMap<String, Statement>,
    /// The batch form of each statement by its SQL, or `None` for a statement without a batch form.
    for_all: HashMap<String, Option<Statement>>,
    patience: Duration,
    /// The shortest round trip to the database so far.
    pub(crate) round_trip: Duration,
}

/// A runtime that shuts down without waiting.
///
/// A connection may be dropped on a thread that must not block.
struct Driver(Option<Runtime>);

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Driver {
    fn block_on<T>(&self, work: impl Future<Output = DbResult<T>>) -> DbResult<T> {
        match &self.0 {
            Some(runtime) => runtime.block_on(work),
            None => Err(silence()),
        }
    }
}

impl Postgres {
    pub fn connect(url: &str) -> DbResult<Postgres> {
        let mut address = address::read(url)?;
        look_after(&mut address.config);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| DbError::Lost(e.to_string()))?;
        let (client, round_trip) = runtime.block_on(async {
            let connecting = address.connect();
            let (client, connection) = tokio::time::timeout(CONNECTED_WITHIN, connecting)
                .await
                .map_err(|_| silence())?
                .map_err(|e| at(&address.shown, fault(e)))?;
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::warn!(%error, "the database connection ended");
                }
            });
            let asked = Instant::now();
            client.batch_execute("SET client_min_messages = warning").await.map_err(fault)?;
            Ok::<_, DbError>((client, asked.elapsed()))
        })?;
        Ok(Postgres {
            runtime: Driver(Some(runtime)),
            client,
            prepared: HashMap::new(),
            for_all: HashMap::new(),
            patience: PATIENCE,
            round_trip,
        })
    }

    /// Returns an error if the database is behind a transaction-mode pooler.
    ///
    /// With such a pooler, advisory locks, notifications and prepared statements would be lost. To detect a
    /// pooler, asks one connection repeatedly for its server process while another connection is busy: without a
    /// pooler, the server process stays the same.
    pub fn refuse_transaction_pooler(url: &str) -> DbResult<()> {
        let (mut ours, mut busy) = (Postgres::connect(url)?, Postgres::connect(url)?);
        ours.patience = POOL_PATIENCE;
        let first = ours.session()?;
        for _ in 0..POOL_LOOKS {
            busy.simple("BEGIN")?;
            let found = busy.session().and_then(|_| ours.session());
            busy.rollback();
            match found {
                Ok(same) if same == first => {}
                // A pool with a single session has none left for this connection.
                Ok(_) => return Err(DbError::Refused(POOLED.into())),
                Err(error) if error == silence() => return Err(DbError::Refused(POOLED.into())),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns the process id of the connection's server process, without using a prepared statement.
    fn session(&mut self) -> DbResult<String> {
        let asked = self.client.simple_query("SELECT pg_backend_pid()");
        let answers = patiently((&self.runtime, self.patience), asked)?;
        let number = answers.iter().find_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        number.map(str::to_owned).ok_or_else(silence)
    }

    pub(crate) fn prepare(&mut self, sql: &str) -> DbResult<Statement> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = patiently((&self.runtime, self.patience), self.client.prepare(sql))?;
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Prepares the batch form of a statement.
    ///
    /// Returns `None` if the statement has no batch form, or if there are fewer than two rows.
    pub(crate) fn prepare_for_all(&mut self, sql: &str, rows: &[Row<'_>]) -> DbResult<Option<Statement>> {
        if rows.len() < 2 {
            return Ok(None);
        }
        if let Some(known) = self.for_all.get(sql) {
            return Ok(known.clone());
        }
        let one = self.prepare(sql)?;
        let statement = match batch_sql::for_all(sql, one.params()) {
            Some(sql) => Some(patiently((&self.runtime, self.patience), self.client.prepare(&sql))?),
            None => None,
        };
        self.for_all.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn simple(&mut self, sql: &str) -> DbResult<()> {
        patiently((&self.runtime, self.patience), self.client.batch_execute(sql))
    }

    fn questions(&mut self, sql: &str, rows: &[Row<'_>]) -> DbResult<Sets> {
        let requests = self.requests(sql, rows)?;
        let mut sets = Vec::with_capacity(rows.len());
        for some in requests.chunks(AT_ONCE) {
            let answers = self.send(some)?.all().map_err(fault)?;
            for (request, answer) in some.iter().zip(answers) {
                sets.extend(request.sets(answer)?);
            }
        }
        Ok(sets)
    }

    /// Sends the requests in one round trip, and returns the answer to each.
    pub(crate) fn send(&self, requests: &[Request<'_>]) -> DbResult<Answers> {
        let sent = async { Ok(pipeline::answers(&self.client, requests).await) };
        patiently((&self.runtime, self.patience), sent)
    }
}

impl Db for Postgres {
    fn begin(&mut self, purpose: Purpose) -> DbResult<()> {
        self.simple(match purpose {
            Purpose::Write => BEGIN,
            Purpose::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        })
    }

    fn commit(&mut self) -> DbResult<()> {
        self.simple("COMMIT")
    }

    fn rollback(&mut self) {
        if let Err(error) = self.simple("ROLLBACK") {
            tracing::warn!(%error, "rollback");
        }
    }

    fn run(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<u64> {
        self.load(sql, rows)
    }

    fn ask(&mut self, sql: &'static str, rows: &[Row<'_>]) -> DbResult<Sets> {
        self.questions(sql, rows)
    }

    fn ask_locked(&mut self, sql: &'static str) -> DbResult<Vec<Found>> {
        Ok(self.questions(&locking(sql), &[vec![]])?.pop().unwrap_or_default())
    }

    fn begin_locked(&mut self, lock: &'static str, queries: &[Query<'_>]) -> DbResult<Begun> {
        self.begun(lock, queries)
    }

    fn ask_all(&mut self, queries: &[Query<'_>]) -> DbResult<Vec<Sets>> {
        let (requests, lengths) = self.requests_of(queries)?;
        let answers = self.send(&requests)?.all().map_err(fault)?;
        pipeline::sets_of(&requests, answers, &lengths)
    }

    fn commit_with(
        &mut self,
        changes: &[Query<'_>],
        words: &BTreeSet<String>,
        then: Option<&'static str>,
    ) -> Result<Vec<Found>, Fault> {
        self.committed(changes, words, then)
    }

    fn walk(&mut self, sql: &str, row: Row<'_>, each: &mut dyn FnMut(Found) -> bool) -> DbResult<()> {
        use futures_util::TryStreamExt as _;
        let statement = self.prepare(sql)?;
        let (client, runtime, patience) = (&self.client, &self.runtime, self.patience);
        let late = |_| silence();
        runtime.block_on(async {
            // The timeout applies to each row, however many there are.
            let asked = tokio::time::timeout(patience, client.query_raw(&statement, row.iter()));
            let mut found = std::pin::pin!(asked.await.map_err(late)?.map_err(fault)?);
            while let Some(line) =
                tokio::time::timeout(patience, found.try_next()).await.map_err(late)?.map_err(fault)?
            {
                if !each(read(&line)?) {
                    break;
                }
            }
            Ok(())
        })
    }

    fn define(&mut self, ddl: &str) -> DbResult<()> {
        // Sort text by its bytes, as SQLite does.
        let ddl =
            ddl.replace("INTEGER", "BIGINT").replace("BLOB", "BYTEA").replace(" TEXT", " TEXT COLLATE \"C\"");
        self.simple(&ddl.replace("WITHOUT ROWID, STRICT", "").replace("STRICT", ""))
    }

    fn hurry(&mut self, patience: Duration) {
        self.patience = patience;
        // A node that stalls in the middle of a transaction must not block the head for all others. A node that waits
        // for the head waits longer than that, but gives up before its own statement times out.
        let sql = "SET idle_in_transaction_session_timeout = 1000; SET lock_timeout = 1700";
        if let Err(error) = self.simple(sql) {
            tracing::warn!(%error, "cannot set the timeout of the database session");
        }
    }

    fn wait_at_most(&mut self, patience: Option<Duration>) {
        self.patience = patience.unwrap_or(PATIENCE);
    }

    fn has_table(&mut self, name: &str) -> DbResult<bool> {
        let sql = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema AND tablename::text = $1";
        let found = self.questions(sql, &[crate::row![name]])?;
        Ok(found.first().and_then(|rows| rows.first()).is_some_and(|row| *row != crate::row![0]))
    }

    fn parts(&mut self) -> DbResult<Parts> {
        list(self, PARTS)
    }

    /// Returns the parts of the schema that `lay_out` creates in the session's temporary schema.
    ///
    /// The transaction is rolled back. The result is cached per server version.
    fn parts_of(&mut self, lay_out: &mut dyn FnMut(&mut dyn Db) -> DbResult<()>) -> DbResult<Parts> {
        static KNOWN: Mutex<BTreeMap<String, Parts>> = Mutex::new(BTreeMap::new());
        let version =
            match self.questions("SELECT version()", &[vec![]])?.pop().and_then(|mut rows| rows.pop()) {
                Some(row) => crate::db::Columns::of(row).text()?,
                None => String::new(),
            };
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(parts) = known().get(&version) {
            return Ok(parts.clone());
        }
        self.begin(Purpose::Write)?;
        let made = self
            .simple("SET LOCAL search_path = pg_temp")
            .and_then(|()| lay_out(self))
            .and_then(|()| self.parts());
        self.rollback();
        let parts = made.map_err(|error| {
            let needs = "connect to the primary, and GRANT TEMPORARY ON DATABASE to the house's role";
            DbError::Refused(format!("cannot compare the schema: {needs} ({error})"))
        })?;
        known().insert(version, parts.clone());
        Ok(parts)
    }

    /// Checks the indexes with PostgreSQL's `amcheck` extension, and describes the first damage.
    ///
    /// Returns `None` if there is no damage or the extension is not installed. Only the audit compares the rows with
    /// the journal.
    fn damage(&mut self) -> DbResult<Option<String>> {
        let known =
            self.questions("SELECT 1::BIGINT FROM pg_extension WHERE extname = 'amcheck'", &[vec![]])?;
        if known.iter().all(Vec::is_empty) {
            tracing::warn!(
                "the indexes were not looked at: CREATE EXTENSION amcheck in the house's database"
            );
            return Ok(None);
        }
        let sql = "SELECT indexname::text COLLATE \"C\" FROM pg_indexes WHERE schemaname = current_schema";
        for index in self.questions(sql, &[vec![]])?.into_iter().flatten() {
            let name = crate::db::Columns::of(index).text()?;
            let check = format!("SELECT bt_index_check('{name}'::regclass, true)");
            match self.simple(&check) {
                Err(DbError::Lost(what)) => return Ok(Some(what)),
                other => other?,
            }
        }
        Ok(None)
    }

    fn load(&mut self, sql: &str, rows: &[Row<'_>]) -> DbResult<u64> {
        let requests = self.requests(sql, rows)?;
        let mut changed = 0;
        for some in requests.chunks(AT_ONCE) {
            let answers = self.send(some)?.all().map_err(fault)?;
            changed += answers.iter().map(|answer| answer.changed).sum::<u64>();
        }
        Ok(changed)
    }
}

fn patiently<T>(
    (runtime, patience): (&Driver, Duration),
    work: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> DbResult<T> {
    runtime.block_on(async {
        match tokio::time::timeout(patience, work).await {
            Ok(done) => done.map_err(fault),
            Err(_) => Err(silence()),
        }
    })
}

/// Sets timeouts that end a connection soon after its peer has gone.
///
/// A timeout that the database address sets is kept.
pub(crate) fn look_after(config: &mut tokio_postgres::Config) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(REACHED_WITHIN);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(ALIVE_EVERY * 2);
    }
    config.keepalives_idle(ALIVE_EVERY).keepalives_interval(ALIVE_EVERY / 2).keepalives_retries(2);
}

/// Adds the server's name to an error.
fn at(server: &str, error: DbError) -> DbError {
    match error {
        DbError::Lost(why) => DbError::Lost(format!("{server}: {why}")),
        other => other,
    }
}

/// Returns the query with a clause that locks the result rows.
pub(crate) fn locking(sql: &str) -> String {
    format!("{sql} FOR UPDATE")
}

fn silence() -> DbError {
    DbError::Lost("the database does not answer".into())
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(v) => v.to_sql(ty, out),
            Value::Text(v) => v.to_sql(ty, out),
            Value::Bytes(v) => v.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::BYTEA].contains(ty)
    }

    to_sql_checked!();
}

pub(crate) fn read(line: &tokio_postgres::Row) -> DbResult<Found> {
    line.columns()
        .iter()
        .enumerate()
        .map(|(n, column)| {
            Ok(match *column.type_() {
                Type::INT8 => line.try_get::<_, Option<i64>>(n).map_err(fault)?.into(),
                Type::TEXT => {
                    line.try_get::<_, Option<String>>(n).map_err(fault)?.map_or(Value::Null, Value::from)
                }
                Type::BYTEA => {
                    line.try_get::<_, Option<Vec<u8>>>(n).map_err(fault)?.map_or(Value::Null, Value::from)
                }
                ref other => {
                    let what = format!("a column has unsupported type {other}; expected int8, text or bytea");
                    return Err(DbError::Refused(what));
                }
            })
        })
        .collect()
}

pub(crate) fn fault(error: tokio_postgres::Error) -> DbError {
    let text = match error.as_db_error() {
        Some(db) => format!("{}: {}", db.severity(), db.message()),
        None => with_causes(&error),
    };
    match error.code() {
        Some(code) if *code == SqlState::DISK_FULL => DbError::Full(text),
        // Constraint, syntax and data errors are bugs of ours; everything else is an outage.
        Some(code) if matches!(&code.code()[..2], "22" | "23" | "42") => DbError::Refused(text),
        _ => DbError::Lost(text),
    }
}

/// Describes an error and its causes.
///
/// The first message alone, such as "connection failed", says little.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_postgres::Config;

    #[test]
    fn a_connection_is_looked_after_unless_the_address_says_otherwise() {
        let looked_after = |text: &str| {
            let mut config: Config = text.parse().expect("an address");
            look_after(&mut config);
            let second = |time: Option<&Duration>| time.map(Duration::as_secs);
            (second(config.get_connect_timeout()), second(config.get_tcp_user_timeout()), config)
        };
        let (connect, user, config) = looked_after("host=db.example user=h");
        assert_eq!((connect, user), (Some(1), Some(4)));
        assert_eq!(config.get_keepalives_idle(), Duration::from_secs(2));
        assert_eq!(config.get_keepalives_interval(), Some(Duration::from_secs(1)));
        let (connect, user, _) = looked_after("host=db.example user=h connect_timeout=9 tcp_user_timeout=8");
        assert_eq!((connect, user), (Some(9), Some(8)));
    }
}
