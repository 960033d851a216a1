//! Pages of the journal: records that became durable together, one after the other, each as the bytes that its hash is over
//! and the hash.

use crate::canon::{Canon, Reader};
use crate::db::{Columns, Db, DbError, DbResult, Found, ask_one};
use crate::ids::Seq;
use crate::record::{Digest, Record};
use crate::row;

/// A page takes records until it has so many bytes: whoever wants one record reads its page.
const FULL: usize = 8 << 10;
/// Pages read at a time by whoever goes through the journal.
const AT_ONCE: i64 = 64;

/// Pages under the pen.
#[derive(Default)]
pub struct Pages(Vec<(Seq, Canon)>);

impl Pages {
    /// Writes a record down after the one with the hash `previous`, and gives it its own hash.
    pub fn add(&mut self, record: &mut Record, previous: Digest) {
        let room = self.0.last_mut().filter(|(_, page)| page.as_slice().len() < FULL);
        let page = match room {
            Some((_, page)) => page,
            None => {
                self.0.push((record.seq, Canon::with_room(2 * FULL)));
                let Some((_, page)) = self.0.last_mut() else { return };
                page
            }
        };
        let bytes = page.measured(|page| record.write(page));
        record.hash = Record::hash_of(previous, bytes);
        page.fixed(&record.hash.0);
    }

    pub fn store(self, db: &mut dyn Db) -> DbResult<()> {
        let rows: Vec<_> = self.0.into_iter().map(|(first, page)| row![first.0, page.into_vec()]).collect();
        db.run("INSERT INTO pages (seq, records) VALUES ($1, $2)", &rows).map(|_| ())
    }
}

/// The records of a page, in order. What cannot be read arrives as `None`, and is the last.
struct Leaf<'a> {
    bytes: Reader<'a>,
    first: Option<Seq>,
    torn: bool,
}

impl<'a> Leaf<'a> {
    fn of(first: Seq, bytes: &'a [u8]) -> Leaf<'a> {
        Leaf { bytes: Reader::new(bytes), first: Some(first), torn: false }
    }

    fn read(&mut self) -> Option<Record> {
        let bytes = self.bytes.bytes()?;
        let hash = self.bytes.fixed()?;
        let record = Record::read(bytes, Digest(*hash))?;
        // A page is found by the place of its first record.
        self.first.take().is_none_or(|first| first == record.seq).then_some(record)
    }
}

impl Iterator for Leaf<'_> {
    type Item = Option<Record>;

    fn next(&mut self) -> Option<Option<Record>> {
        if self.torn || self.bytes.is_empty() {
            return None;
        }
        let record = self.read();
        self.torn = record.is_none();
        Some(record)
    }
}

fn columns(row: Found) -> DbResult<(Seq, Vec<u8>)> {
    let mut c = Columns::of(row);
    Ok((Seq(c.int()?), c.bytes()?))
}

fn malformed() -> DbError {
    DbError::Refused("a journal record is malformed; run the audit".into())
}

/// Goes through the records after `after`, in order, until `each` answers `false`.
pub fn walk(db: &mut dyn Db, after: Seq, each: &mut dyn FnMut(Option<Record>) -> bool) -> DbResult<()> {
    let holding = ask_one(db, "SELECT MAX(seq) FROM pages WHERE seq <= $1", row![after.0.saturating_add(1)])?;
    let first = holding.into_iter().next().map_or(Ok(None), |row| Columns::of(row).maybe_int())?;
    let mut from = first.unwrap_or(i64::MIN);
    loop {
        let sql = "SELECT seq, records FROM pages WHERE seq >= $1 ORDER BY seq LIMIT $2";
        let rows = ask_one(db, sql, row![from, AT_ONCE])?;
        let ended = (rows.len() as i64) < AT_ONCE;
        for row in rows {
            let (seq, bytes) = columns(row)?;
            from = seq.0.saturating_add(1);
            for record in Leaf::of(seq, &bytes) {
                let before = record.as_ref().is_some_and(|record| record.seq <= after);
                if !before && !each(record) {
                    return Ok(());
                }
            }
        }
        if ended {
            return Ok(());
        }
    }
}

/// Reads records one by one; neighbours often lie on one page.
#[derive(Default)]
pub struct Finger {
    page: Vec<Record>,
}

impl Finger {
    pub fn find(&mut self, db: &mut dyn Db, seq: Seq) -> DbResult<Option<Record>> {
        let here = |page: &[Record]| page.binary_search_by_key(&seq, |record| record.seq).ok();
        if here(&self.page).is_none() {
            let sql = "SELECT seq, records FROM pages WHERE seq <= $1 ORDER BY seq DESC LIMIT 1";
            let Some(row) = ask_one(db, sql, row![seq.0])?.into_iter().next() else { return Ok(None) };
            let (first, bytes) = columns(row)?;
            self.page = Leaf::of(first, &bytes).collect::<Option<_>>().ok_or_else(malformed)?;
        }
        Ok(here(&self.page).map(|at| self.page[at].clone()))
    }
}
