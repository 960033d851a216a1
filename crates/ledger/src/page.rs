//! Pages of the journal: records that became durable together, one after the other, each as the bytes that its hash is over
//! and the hash.

use crate::canon::{Canon, Reader};
use crate::db::{Columns, Db, DbError, DbResult, Found, ask_one};
use crate::ids::Seq;
use crate::record::{Digest, Lying, Record};
use crate::row;

/// A page takes records until it has so many bytes: whoever wants one record reads its page.
const FULL: usize = 8 << 10;
/// Pages read at a time by whoever goes through the journal.
const AT_ONCE: i64 = 64;

/// A page, found by the place of its first record.
pub struct Page {
    pub first: Seq,
    bytes: Vec<u8>,
}

impl Page {
    pub(crate) fn leaf(&self) -> Leaf<'_> {
        Leaf::of(self.first, &self.bytes)
    }
}

/// Pages under the pen.
#[derive(Default)]
pub struct Pages {
    written: Vec<Page>,
    /// The page that is written on, and its first record.
    open: Option<(Seq, Canon)>,
}

impl Pages {
    /// Writes a record down after the one with the hash `previous`, and gives it its own hash.
    pub fn add(&mut self, record: &mut Record, previous: Digest) {
        let fresh = || (record.seq, Canon::with_room(2 * FULL));
        let (_, page) = self.open.get_or_insert_with(fresh);
        let bytes = page.measured(|page| record.write(page));
        record.hash = Record::hash_of(previous, bytes);
        page.fixed(&record.hash.0);
        if page.as_slice().len() >= FULL {
            self.turn();
        }
    }

    fn turn(&mut self) {
        let page = self.open.take().map(|(first, canon)| Page { first, bytes: canon.into_vec() });
        self.written.extend(page);
    }

    /// A record that was written down here.
    pub fn record(&self, seq: Seq) -> Option<Record> {
        let open = self.open.iter().map(|(first, page)| Leaf::of(*first, page.as_slice()));
        self.written.iter().map(Page::leaf).chain(open).find_map(|leaf| leaf.record(seq)?.ok())
    }

    /// Stores the pages and answers them.
    pub fn store(mut self, db: &mut dyn Db) -> DbResult<Vec<Page>> {
        self.turn();
        let rows: Vec<_> = self.written.iter().map(|page| row![page.first.0, &page.bytes[..]]).collect();
        db.run("INSERT INTO pages (seq, records) VALUES ($1, $2)", &rows)?;
        Ok(self.written)
    }
}

/// The records of a page, in order. What cannot be read arrives as `None`, and is the last.
pub(crate) struct Leaf<'a> {
    bytes: Reader<'a>,
    first: Option<Seq>,
    torn: bool,
}

impl<'a> Leaf<'a> {
    fn of(first: Seq, bytes: &'a [u8]) -> Leaf<'a> {
        Leaf { bytes: Reader::new(bytes), first: Some(first), torn: false }
    }

    /// The record in a place, if it lies here.
    pub fn record(mut self, seq: Seq) -> Option<DbResult<Record>> {
        let found = self.find(|lying| lying.is_none_or(|record| record.seq == seq))?;
        Some(found.and_then(|record| record.record()).ok_or_else(malformed))
    }

    fn read(&mut self) -> Option<Lying<'a>> {
        let bytes = self.bytes.bytes()?;
        let hash = self.bytes.fixed()?;
        let record = Lying::read(bytes, Digest(*hash))?;
        self.first.take().is_none_or(|first| first == record.seq).then_some(record)
    }
}

impl<'a> Iterator for Leaf<'a> {
    type Item = Option<Lying<'a>>;

    fn next(&mut self) -> Option<Option<Lying<'a>>> {
        if self.torn || self.bytes.is_empty() {
            return None;
        }
        let record = self.read();
        self.torn = record.is_none();
        Some(record)
    }
}

fn page(row: Found) -> DbResult<Page> {
    let mut c = Columns::of(row);
    Ok(Page { first: Seq(c.int()?), bytes: c.bytes()? })
}

pub fn malformed() -> DbError {
    DbError::Refused("a journal record is malformed; run the audit".into())
}

/// Pages from the one on that holds the record after `after`, in order, a few at a time.
pub fn pages_from(db: &mut dyn Db, after: Seq) -> DbResult<Vec<Page>> {
    let holding = ask_one(db, "SELECT MAX(seq) FROM pages WHERE seq <= $1", row![after.0.saturating_add(1)])?;
    let first = holding.into_iter().next().map_or(Ok(None), |row| Columns::of(row).maybe_int())?;
    pages_at(db, first.unwrap_or(i64::MIN))
}

fn pages_at(db: &mut dyn Db, from: i64) -> DbResult<Vec<Page>> {
    let sql = "SELECT seq, records FROM pages WHERE seq >= $1 ORDER BY seq LIMIT $2";
    ask_one(db, sql, row![from, AT_ONCE])?.into_iter().map(page).collect()
}

/// Goes through the records after `after`, in order, until `each` answers `false`.
pub fn walk(db: &mut dyn Db, after: Seq, each: &mut dyn FnMut(Option<Record>) -> bool) -> DbResult<()> {
    let mut pages = pages_from(db, after)?;
    while let Some(last) = pages.last() {
        let next = last.first.0.saturating_add(1);
        for page in &pages {
            for lying in page.leaf() {
                if lying.is_some_and(|record| record.seq <= after) {
                    continue;
                }
                let record = lying.and_then(|record| record.record());
                let torn = record.is_none();
                if !each(record) {
                    return Ok(());
                }
                if torn {
                    break;
                }
            }
        }
        pages = match (pages.len() as i64) < AT_ONCE {
            true => Vec::new(),
            false => pages_at(db, next)?,
        };
    }
    Ok(())
}

/// Reads records one by one; neighbours often lie on one page.
#[derive(Default)]
pub struct Finger {
    page: Option<Page>,
}

impl Finger {
    pub fn find(&mut self, db: &mut dyn Db, seq: Seq) -> DbResult<Option<Record>> {
        if let Some(found) = self.page.as_ref().and_then(|page| page.leaf().record(seq)) {
            return found.map(Some);
        }
        let sql = "SELECT seq, records FROM pages WHERE seq <= $1 ORDER BY seq DESC LIMIT 1";
        let found = ask_one(db, sql, row![seq.0])?.into_iter().next();
        self.page = found.map(page).transpose()?;
        self.page.as_ref().and_then(|page| page.leaf().record(seq)).transpose()
    }
}
