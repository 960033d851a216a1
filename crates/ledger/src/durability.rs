//! What the house counts as durable: synced to its own disk, or also to another machine's disk.
//!
//! With replication, nothing is written unless a synchronous standby is attached, and nothing is acknowledged before
//! the standby has synced the write.

use crate::db::{Columns, Db, DbError, DbResult, Found, Query, ask_one};
use crate::row;
use serde::Deserialize;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Durability {
    /// A record is durable once it is synced to the store's disk.
    #[default]
    Local,
    /// A record is durable once a synchronous PostgreSQL standby has also synced it to disk.
    Replicated,
}

/// How long to ask PostgreSQL whether the standby has synced a commit, before the commit counts as unconfirmed.
///
/// PostgreSQL itself has waited for the standby before; only its statistics may lag.
const SOON: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The query that checks whether a standby is attached and commits wait for it.
///
/// The query returns '' if so, and otherwise a code for the reason.
const ATTACHED: &str = "\
SELECT CASE WHEN current_setting('synchronous_standby_names') = '' THEN 'unset' \
WHEN NOT pg_has_role('pg_read_all_stats', 'usage') THEN 'hidden' \
WHEN EXISTS (SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) THEN '' \
ELSE 'away' END";

/// The query for the flush position of the WAL on this server and on the most advanced synchronous standby.
const WRITTEN: &str = "\
SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint, \
COALESCE((SELECT MAX(pg_wal_lsn_diff(flush_lsn, '0/0'))::bigint FROM pg_stat_replication \
WHERE sync_state IN ('sync', 'quorum')), 0)";

impl Durability {
    /// Returns an error if a write would not reach the standby.
    ///
    /// Does nothing if the house requires no standby.
    pub fn attached(self, db: &mut dyn Db) -> DbResult<()> {
        match self {
            Durability::Local => Ok(()),
            Durability::Replicated => Durability::judge(ask_one(db, ATTACHED, row![])?),
        }
    }

    /// Returns the query that tells whether a commit would reach the standby. `judge` reads the result.
    ///
    /// Returns `None` if the house requires no standby.
    pub(crate) fn before_commit(self) -> Option<Query<'static>> {
        (self == Durability::Replicated).then(|| Query { sql: ATTACHED, rows: vec![row![]] })
    }

    /// Returns the query that tells whether the last commit has reached the standby. `arrived` reads the result.
    ///
    /// Returns `None` if the house requires no standby.
    pub(crate) fn after_commit(self) -> Option<&'static str> {
        (self == Durability::Replicated).then_some(WRITTEN)
    }

    pub(crate) fn judge(found: Vec<Found>) -> DbResult<()> {
        let why = match Columns::of(found.into_iter().next().unwrap_or_default()).text()?.as_str() {
            "" => return Ok(()),
            "unset" => "synchronous_standby_names is not set in PostgreSQL, so no commit waits for a standby",
            "hidden" => "the database role cannot see standbys; GRANT pg_read_all_stats to it",
            _ => "no synchronous standby is attached to PostgreSQL",
        };
        Err(DbError::Alone(why.into()))
    }

    /// Returns an error unless the last commit has reached the standby.
    ///
    /// `found` is the result of the query `after_commit`. While the standby is behind, repeats the query for a
    /// short time. The check is needed although PostgreSQL waits for the standby: a cancelled wait ends with only
    /// a warning, and there is no wait if the setting was changed meanwhile.
    pub(crate) fn arrived(self, db: &mut dyn Db, mut found: Vec<Found>) -> DbResult<()> {
        if self == Durability::Local {
            return Ok(());
        }
        let since = Instant::now();
        let mut here = None;
        loop {
            let mut c = Columns::of(found.into_iter().next().unwrap_or_default());
            let wanted = c.int()?;
            let wanted = *here.get_or_insert(wanted);
            if c.int()? >= wanted {
                return Ok(());
            }
            if since.elapsed() > SOON {
                return Err(DbError::Alone("the synchronous standby has not confirmed the write".into()));
            }
            std::thread::sleep(LOOK_EVERY);
            found = ask_one(db, WRITTEN, row![])?;
        }
    }
}
