//! What durable means to the house: on its own disk, or also on another machine's. With the latter nothing is written
//! unless a synchronous standby is attached, and nothing is acknowledged that it has not written down too.

use crate::db::{Columns, Db, DbError, DbResult, ask_one};
use crate::row;
use serde::Deserialize;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Durability {
    /// Synced to the disk of the store.
    #[default]
    Local,
    /// And to that of a synchronous standby of PostgreSQL.
    Replicated,
}

/// PostgreSQL has waited for the standby already; so long may it take until its figures say so.
const SOON: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Standbys for which a commit waits, if the server is told to wait for any.
const ATTACHED: &str = "\
SELECT CASE WHEN current_setting('synchronous_standby_names') = '' THEN 'unset' \
WHEN NOT pg_has_role('pg_read_all_stats', 'usage') THEN 'hidden' \
WHEN EXISTS (SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) THEN '' \
ELSE 'away' END";

/// How far the journal is written here, and on the synchronous standby that is furthest.
const WRITTEN: &str = "\
SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint, \
COALESCE((SELECT MAX(pg_wal_lsn_diff(flush_lsn, '0/0'))::bigint FROM pg_stat_replication \
WHERE sync_state IN ('sync', 'quorum')), 0)";

impl Durability {
    /// Checks that a write now would reach the standby too.
    pub fn attached(self, db: &mut dyn Db) -> DbResult<()> {
        if self == Durability::Local {
            return Ok(());
        }
        let found = ask_one(db, ATTACHED, row![])?.into_iter().next().unwrap_or_default();
        let why = match Columns::of(found).text()?.as_str() {
            "" => return Ok(()),
            "unset" => {
                "synchronous_standby_names is not set in PostgreSQL, so that no commit waits for a standby"
            }
            "hidden" => "the database role cannot see standbys; GRANT pg_read_all_stats to it",
            _ => "no synchronous standby is attached to PostgreSQL",
        };
        Err(DbError::Alone(why.into()))
    }

    /// Checks that the last commit has reached the standby. PostgreSQL waits for it, but a cancelled wait ends with
    /// a mere warning, and a wait does not happen if the setting was changed meanwhile.
    pub(crate) fn arrived(self, db: &mut dyn Db) -> DbResult<()> {
        if self == Durability::Local {
            return Ok(());
        }
        let since = Instant::now();
        let mut here = None;
        loop {
            let mut c = Columns::of(ask_one(db, WRITTEN, row![])?.into_iter().next().unwrap_or_default());
            let wanted = c.int()?;
            let wanted = *here.get_or_insert(wanted);
            if c.int()? >= wanted {
                return Ok(());
            }
            if since.elapsed() > SOON {
                return Err(DbError::Alone("the synchronous standby has not confirmed the write".into()));
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}
