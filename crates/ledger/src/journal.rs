//! Reads the journal's records, its head and its checkpoints.
//!
//! Records are found in order, by stream, by round, and by command; `search.rs` has all other searches.

use crate::db::{Columns, Db, DbError, DbResult, Found, Row, ask_one};
use crate::ids::{CommandId, Moment, PersonId, RoundNo, Seq, Stream};
use crate::record::{Digest, GENESIS, Record, RecordRow, journal_columns};
use crate::row;

/// The number of rows read at a time when walking the journal.
const AT_ONCE: i64 = 1000;

/// The journal's head: the sequence number, hash and time of its last record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub seq: Seq,
    pub hash: Digest,
    pub at: Moment,
}

/// The head of an empty journal.
impl Default for Head {
    fn default() -> Head {
        Head { seq: Seq(0), hash: GENESIS, at: Moment(0) }
    }
}

pub(crate) const HEAD: &str = "SELECT seq, hash, at FROM head WHERE one = 1";

pub fn head(db: &mut dyn Db) -> DbResult<Head> {
    read_head(ask_one(db, HEAD, row![])?)
}

/// Returns the journal's head, and locks the head's row until the transaction ends.
///
/// The lock allows only one transaction at a time to append records.
pub(crate) fn locked_head(db: &mut dyn Db) -> DbResult<Head> {
    read_head(db.ask_locked(HEAD)?)
}

pub(crate) fn read_head(rows: Vec<Found>) -> DbResult<Head> {
    let row = rows.into_iter().next().ok_or_else(|| DbError::Refused("the journal has no head".into()))?;
    let mut c = Columns::of(row);
    let (seq, hash, at) = (Seq(c.int()?), c.bytes()?, Moment(c.int()?));
    let hash = Digest::from_slice(&hash)
        .ok_or_else(|| DbError::Refused("the hash of the journal's head is malformed".into()))?;
    Ok(Head { seq, hash, at })
}

macro_rules! records_where {
    ($($rest:expr),+) => {
        concat!("SELECT ", journal_columns!(), " FROM journal WHERE ", $($rest),+)
    };
}
pub(crate) use records_where;

fn malformed() -> DbError {
    DbError::Refused("a journal record is malformed; run the audit".into())
}

fn read(row: Found) -> DbResult<Record> {
    RecordRow::read(row)?.and_then(|line| line.record()).ok_or_else(malformed)
}

pub(crate) fn found(db: &mut dyn Db, sql: &'static str, row: Row<'_>) -> DbResult<Vec<Record>> {
    ask_one(db, sql, row)?.into_iter().map(read).collect()
}

/// Calls `each` with every record after record `after`, in order, until `each` returns `false`.
///
/// Passes `None` for the first row that is not a valid record, and stops there.
pub(crate) fn walk(
    db: &mut dyn Db,
    after: Seq,
    each: &mut dyn FnMut(Option<RecordRow>) -> bool,
) -> DbResult<()> {
    let mut last = after.0;
    loop {
        let rows = ask_one(db, records_where!("seq > $1 ORDER BY seq LIMIT $2"), row![last, AT_ONCE])?;
        let ended = (rows.len() as i64) < AT_ONCE;
        for row in rows {
            // A column of the wrong type makes the record invalid too.
            let Some(line) = RecordRow::read(row).unwrap_or(None) else {
                each(None);
                return Ok(());
            };
            last = line.seq;
            if !each(Some(line)) {
                return Ok(());
            }
        }
        if ended {
            return Ok(());
        }
    }
}

/// Returns up to `most` records that follow record `after`, in journal order.
pub fn records(db: &mut dyn Db, after: Seq, most: i64) -> DbResult<Vec<Record>> {
    found(db, records_where!("seq > $1 ORDER BY seq LIMIT $2"), row![after.0, most])
}

pub fn record(db: &mut dyn Db, seq: Seq) -> DbResult<Option<Record>> {
    Ok(found(db, records_where!("seq = $1"), row![seq.0])?.pop())
}

/// Returns the record of a person's command, or `None` if the command is not stored.
pub fn record_of_command(db: &mut dyn Db, person: PersonId, command: &CommandId) -> DbResult<Option<Record>> {
    Ok(found(db, records_where!("command = $1 AND person = $2"), row![command.as_str(), person.0])?.pop())
}

/// Returns all records of one round, in order.
pub fn round(db: &mut dyn Db, stream: Stream, round: RoundNo) -> DbResult<Vec<Record>> {
    found(db, records_where!("table_no = $1 AND round = $2 ORDER BY seq"), row![stream.number(), round.0])
}

/// Returns up to `most` records of a stream that follow record `seq` of round `round`, in order.
///
/// Round numbers never decrease within a stream.
pub fn stream_after(
    db: &mut dyn Db,
    stream: Stream,
    (round, seq): (RoundNo, Seq),
    most: i64,
) -> DbResult<Vec<Record>> {
    found(
        db,
        records_where!("table_no = $1 AND round >= $2 AND seq > $3 ORDER BY round, seq LIMIT $4"),
        row![stream.number(), round.0, seq.0, most],
    )
}

/// A sequence number greater than that of any record.
///
/// As the upper end of a range, it includes all records of the range's last round.
pub const MAX_SEQ: Seq = Seq(i64::MAX);

/// Returns the records of a stream from the last one of the kind `kind` up to the record `until`, inclusive.
///
/// Returns no record if no record of that kind precedes `until`.
pub fn since_opening(
    db: &mut dyn Db,
    stream: Stream,
    kind: &str,
    until: (RoundNo, Seq),
) -> DbResult<Vec<Record>> {
    let (round, seq) = (until.0.0, until.1.0);
    let opening = ask_one(
        db,
        "SELECT round, seq FROM journal WHERE table_no = $1 AND (round, seq) <= ($2, $3) AND kind = $4 \
         ORDER BY round DESC, seq DESC LIMIT 1",
        row![stream.number(), round, seq, kind],
    )?;
    let Some(row) = opening.into_iter().next() else {
        return Ok(Vec::new());
    };
    let mut c = Columns::of(row);
    found(
        db,
        records_where!(
            "table_no = $1 AND (round, seq) >= ($2, $3) AND (round, seq) <= ($4, $5) ORDER BY round, seq"
        ),
        row![stream.number(), c.int()?, c.int()?, round, seq],
    )
}

/// Returns up to `most` of the house's own records of one kind before record `before`, newest first.
pub(crate) fn of_house(db: &mut dyn Db, kind: &str, before: Seq, most: i64) -> DbResult<Vec<Record>> {
    found(
        db,
        records_where!("table_no = 0 AND round = 0 AND seq < $1 AND kind = $2 ORDER BY seq DESC LIMIT $3"),
        row![before.0, kind, most],
    )
}

/// Returns the number of the stream's newest round, or 0 if the stream has no record.
pub fn last_round(db: &mut dyn Db, stream: Stream) -> DbResult<RoundNo> {
    let rows = ask_one(db, "SELECT MAX(round) FROM journal WHERE table_no = $1", row![stream.number()])?;
    let last = rows.into_iter().next().map_or(Ok(None), |row| Columns::of(row).maybe_int())?;
    Ok(RoundNo(last.unwrap_or(0)))
}

/// A checkpoint of a stream: the record from which a restart replays the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub seq: Seq,
    pub round: RoundNo,
}

pub fn checkpoint(db: &mut dyn Db, stream: Stream) -> DbResult<Option<Checkpoint>> {
    let rows = ask_one(db, "SELECT seq, round FROM checkpoints WHERE table_no = $1", row![stream.number()])?;
    let Some(row) = rows.into_iter().next() else {
        return Ok(None);
    };
    let mut c = Columns::of(row);
    Ok(Some(Checkpoint { seq: Seq(c.int()?), round: RoundNo(c.int()?) }))
}
