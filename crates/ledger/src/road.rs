//! Roads to the records of a stream and to the lines of an account. A row holds the entries that were folded in together,
//! in order, under the key of the first; so rows of one stream or account follow one another without overlapping.

use crate::canon::{Canon, Reader};
use crate::db::{Columns, Db, DbError, DbResult, Found, ask_one};
use crate::ids::{RoundNo, Seq, Stream};
use crate::row;

/// Rows read at a time.
const AT_ONCE: i64 = 64;

type Place = (RoundNo, Seq);

/// Where a record of a stream stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub round: RoundNo,
    pub seq: Seq,
    pub kind: String,
}

pub fn write_entry(to: &mut Canon, (round, seq): Place, kind: &str) {
    to.int(round.0).int(seq.0).bytes(kind.as_bytes());
}

pub fn read_entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    let (mut reader, mut entries) = (Reader::new(bytes), Vec::new());
    while !reader.is_empty() {
        let (round, seq) = (RoundNo(reader.int()?), Seq(reader.int()?));
        entries.push(Entry { round, seq, kind: reader.text()?.to_owned() });
    }
    Some(entries)
}

/// What a leg did to its account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub seq: i64,
    /// Place of the leg in its record.
    pub n: i64,
    pub amount: i64,
    pub after: i64,
}

impl Line {
    pub fn write(self, to: &mut Canon) {
        to.int(self.seq).int(self.n).int(self.amount).int(self.after);
    }
}

pub fn read_lines(bytes: &[u8]) -> Option<Vec<Line>> {
    let (mut reader, mut lines) = (Reader::new(bytes), Vec::new());
    while !reader.is_empty() {
        let (seq, n) = (reader.int()?, reader.int()?);
        lines.push(Line { seq, n, amount: reader.int()?, after: reader.int()? });
    }
    Some(lines)
}

fn malformed() -> DbError {
    DbError::Refused("a list that follows from the journal is malformed; run the audit".into())
}

fn row_of(row: Found) -> DbResult<(Place, Vec<Entry>)> {
    let mut c = Columns::of(row);
    let at = (RoundNo(c.int()?), Seq(c.int()?));
    Ok((at, read_entries(&c.bytes()?).ok_or_else(malformed)?))
}

/// Goes through a stream's entries from a place on, until `each` answers `false`.
pub fn forward(
    db: &mut dyn Db,
    stream: Stream,
    from: Place,
    each: &mut dyn FnMut(Entry) -> bool,
) -> DbResult<()> {
    let holding = ask_one(
        db,
        "SELECT round, seq, entries FROM streams WHERE stream = $1 AND (round, seq) <= ($2, $3) \
         ORDER BY round DESC, seq DESC LIMIT 1",
        row![stream.number(), from.0.0, from.1.0],
    )?;
    let mut start = match holding.into_iter().next() {
        Some(row) => row_of(row)?.0,
        None => from,
    };
    loop {
        let rows = ask_one(
            db,
            "SELECT round, seq, entries FROM streams WHERE stream = $1 AND (round, seq) >= ($2, $3) \
             ORDER BY round, seq LIMIT $4",
            row![stream.number(), start.0.0, start.1.0, AT_ONCE],
        )?;
        let ended = (rows.len() as i64) < AT_ONCE;
        for row in rows {
            let (at, entries) = row_of(row)?;
            start = (at.0, Seq(at.1.0.saturating_add(1)));
            for entry in entries.into_iter().filter(|entry| (entry.round, entry.seq) >= from) {
                if !each(entry) {
                    return Ok(());
                }
            }
        }
        if ended {
            return Ok(());
        }
    }
}

/// Goes through a stream's entries backwards, from the last one before a place, until `each` answers `false`.
pub fn backward(
    db: &mut dyn Db,
    stream: Stream,
    before: Place,
    each: &mut dyn FnMut(Entry) -> bool,
) -> DbResult<()> {
    let mut end = before;
    loop {
        let rows = ask_one(
            db,
            "SELECT round, seq, entries FROM streams WHERE stream = $1 AND (round, seq) < ($2, $3) \
             ORDER BY round DESC, seq DESC LIMIT $4",
            row![stream.number(), end.0.0, end.1.0, AT_ONCE],
        )?;
        let ended = (rows.len() as i64) < AT_ONCE;
        for row in rows {
            let (at, entries) = row_of(row)?;
            end = at;
            for entry in entries.into_iter().rev().filter(|entry| (entry.round, entry.seq) < before) {
                if !each(entry) {
                    return Ok(());
                }
            }
        }
        if ended {
            return Ok(());
        }
    }
}
