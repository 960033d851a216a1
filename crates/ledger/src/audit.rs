//! The audit replays the whole journal and names the first record that breaks a rule.
//!
//! The audit trusts nothing but the journal. It derives every projection again in a scratch database and compares
//! the rows with those of the store.

use crate::canonical::Canonical;
use crate::clock::Dates;
use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, Value, ask_one, transact};
use crate::ids::{Cents, Seq};
use crate::journal::{Head, head, walk};
use crate::keys::hex;
use crate::posting::balanced;
use crate::project::{AT_ONCE, Projector, RecordTime};
pub use crate::record::GENESIS;
use crate::record::{Digest, Record, RecordRow};
use crate::row;
use crate::schema::{self, Column, Table};
use crate::seal::Seal;
use crate::shape;
use crate::sqlite::Sqlite;
use ed25519_dalek::VerifyingKey;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::mpsc::sync_channel;

/// A mismatch that an audit found, and the number of the record that it concerns.
///
/// The number is `Seq(0)` if the mismatch concerns no single record, such as a wrong row of a projection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub seq: Seq,
    pub what: String,
}

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub records: i64,
    pub head: Digest,
    pub seals: usize,
    pub accounts: usize,
    pub first_bad: Option<Finding>,
}

/// What an audit checks with: the house's public key, the external copies of seals, and a check of a record's
/// event.
pub struct Auditor<'a> {
    pub key: Option<VerifyingKey>,
    pub copies: Vec<Seal>,
    pub replay: &'a mut dyn FnMut(&Record) -> Result<(), String>,
}

/// The size of the page cache of an audit's scratch database, in KiB.
///
/// The size may be large, because an audit runs alone.
const CACHE_KIB: i64 = 256 * 1024;

/// Audits the journal and its projections in one snapshot of the store.
pub fn audit(db: &mut dyn Db, auditor: &mut Auditor<'_>) -> DbResult<Outcome> {
    schema::must_fit(db)?;
    let differs = shape::difference(db)?.map(|what| Finding { seq: Seq(0), what });
    let audited = transact(db, Purpose::Snapshot, |db| {
        let mut scratch = scratch(CACHE_KIB)?;
        let mut books = Books::new(auditor.copies.iter().map(|seal| Some(*seal)).collect());
        while books.derive(db, &mut *scratch, (AT_ONCE, auditor))? {
            tracing::info!("{} records replayed", books.projector.head.seq.0);
        }
        if books.bad.is_none() {
            books.bad = books.compare_seals(db, auditor)?;
        }
        for table in schema::projections() {
            if books.bad.is_none() {
                books.bad = books.compare(db, &mut *scratch, &table, &mut || true)?;
            }
        }
        if books.bad.is_none() {
            let damage = db.damage()?;
            books.bad =
                damage.map(|what| Finding { seq: Seq(0), what: format!("the store is damaged: {what}") });
        }
        Ok(books.outcome())
    });
    match (audited, differs) {
        (Ok(outcome), differs) => Ok(Outcome { first_bad: outcome.first_bad.or(differs), ..outcome }),
        // If part of the schema is missing, the rows cannot be read either.
        (Err(DbError::Refused(_)), Some(differs)) => {
            Ok(Outcome { first_bad: Some(differs), ..Outcome::default() })
        }
        (Err(error), _) => Err(error),
    }
}

/// The progress of a self-check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of records compared so far.
    pub records: i64,
    /// The number of records to compare in all.
    pub of: i64,
}

/// The size of the page cache of a self-check's scratch database, in KiB.
///
/// The size is small, because the self-check shares memory with a running house.
const SMALL_CACHE_KIB: i64 = 2 * 1024;
/// The number of records or rows that a self-check compares before it calls `step` again.
const STEP: usize = 1_000;

/// Compares the store of a running house with its journal. Returns `None` if `step` stopped the check.
///
/// Calls `step` repeatedly: `step` may block, and ends the check by returning `false`. The check keeps no snapshot
/// for long: it reads the journal, which only grows, without a snapshot, and compares each table in a snapshot of
/// its own. It does not look for duplicate commands, whose ids would not fit in memory, because the store's unique
/// index prevents duplicates and the check of the schema proves that the index is there.
pub fn self_check(
    db: &mut dyn Db,
    auditor: &mut Auditor<'_>,
    step: &mut dyn FnMut(Progress) -> bool,
) -> DbResult<Option<Outcome>> {
    schema::must_fit(db)?;
    let mut books = Books::new(auditor.copies.iter().map(|seal| Some(*seal)).collect());
    books.commands = None;
    books.bad = shape::difference(db)?.map(|what| Finding { seq: Seq(0), what });
    let mut scratch = scratch(SMALL_CACHE_KIB)?;
    let last = head(db)?.seq.0;
    let progress = |books: &Books| {
        let records = books.projector.head.seq.0;
        Progress { records, of: last.max(records) }
    };
    while books.bad.is_none() && books.derive(db, &mut *scratch, (STEP, auditor))? {
        if !step(progress(&books)) {
            return Ok(None);
        }
    }
    if books.bad.is_none() {
        books.bad = books.compare_seals(db, auditor)?;
    }
    for table in schema::projections() {
        if books.bad.is_some() {
            break;
        }
        let (mut rows, mut ended) = (0, false);
        let differs = transact(db, Purpose::Snapshot, |db| {
            // Derive the records appended meanwhile.
            while books.derive(db, &mut *scratch, (STEP, auditor))? {}
            if books.bad.is_some() {
                return Ok(books.bad.take());
            }
            let at = progress(&books);
            let mut goes_on = || {
                rows += 1;
                ended = rows % STEP == 0 && !step(at);
                !ended
            };
            books.compare(db, &mut *scratch, &table, &mut goes_on)
        })?;
        books.bad = differs;
        if ended || (books.bad.is_none() && !step(progress(&books))) {
            return Ok(None);
        }
    }
    Ok(Some(books.outcome()))
}

/// Creates the scratch database into which the projections are derived from the journal.
fn scratch(cache_kib: i64) -> DbResult<Box<dyn Db>> {
    let mut scratch = Sqlite::scratch(Path::new(""), cache_kib)?;
    schema::lay_out(&mut scratch)?;
    Ok(Box::new(scratch))
}

struct Books {
    projector: Projector,
    dates: Dates,
    /// The commands seen so far, or `None` if duplicates are not checked.
    commands: Option<HashSet<[u8; 16]>>,
    balances: HashMap<i64, Cents>,
    /// The seals found so far, with `None` for a malformed seal.
    seals: Vec<Option<Seal>>,
    bad: Option<Finding>,
}

impl Books {
    fn new(seals: Vec<Option<Seal>>) -> Books {
        Books {
            projector: Projector::at(Head::default()),
            dates: Dates::default(),
            commands: Some(HashSet::new()),
            balances: HashMap::new(),
            seals,
            bad: None,
        }
    }

    /// Derives the projections of at most `at_once` further records.
    ///
    /// Returns whether the journal may have more records to derive.
    fn derive(
        &mut self,
        db: &mut dyn Db,
        scratch: &mut dyn Db,
        (at_once, auditor): (usize, &mut Auditor<'_>),
    ) -> DbResult<bool> {
        let mut taken = 0;
        walk(db, self.projector.head.seq, &mut |line| {
            taken += 1;
            self.read(line, auditor) && taken < at_once
        })?;
        // One transaction for all rows: one per row would get slower as rows accumulate.
        transact(scratch, Purpose::Write, |scratch| self.projector.store(scratch))?;
        Ok(taken == at_once && self.bad.is_none())
    }

    fn outcome(self) -> Outcome {
        Outcome {
            records: self.projector.head.seq.0,
            head: self.projector.head.hash,
            seals: self.seals.len(),
            accounts: self.balances.len(),
            first_bad: self.bad,
        }
    }

    /// Checks the next record and derives its rows. Returns whether the record is right, so that the audit
    /// continues.
    ///
    /// `line` is `None` if the record cannot be read.
    fn read(&mut self, line: Option<RecordRow>, auditor: &mut Auditor<'_>) -> bool {
        let expected = Seq(self.projector.head.seq.0 + 1);
        let fits = match &line {
            None => Err("the record cannot be read".to_owned()),
            Some(line) => self.fits(line, expected).and_then(|record| {
                (auditor.replay)(&record)?;
                Ok(record)
            }),
        };
        match fits {
            Ok(record) => {
                self.seals.extend(record.row_changes.iter().filter_map(Seal::of_row_change));
                self.projector.apply(&record);
                true
            }
            Err(what) => {
                self.bad = Some(Finding { seq: expected, what });
                false
            }
        }
    }

    fn fits(&mut self, line: &RecordRow, expected: Seq) -> Result<Record, String> {
        if line.seq != expected.0 {
            return Err(format!("the record is missing; the next one is {}", line.seq));
        }
        if line.chained(self.projector.head.hash) != line.hash {
            return Err("the record's hash does not follow from the previous record".into());
        }
        let record = line.record().ok_or("the record cannot be read")?;
        if !self.dates.fits(&record) {
            return Err(
                "the record is dated earlier than the previous record, and no confirmation of the time \
                explains it"
                    .into(),
            );
        }
        if self.commands.as_mut().is_some_and(|commands| !commands.insert(command_key(&record))) {
            return Err("the record's command is recorded twice".into());
        }
        if !balanced(record.legs.iter().map(|leg| (&leg.account, leg.amount))) {
            return Err("the record's postings do not sum to zero".into());
        }
        for leg in &record.legs {
            let balance = self.balances.entry(leg.account.number()).or_default();
            let after = balance.0.checked_add(leg.amount.0).map(Cents).ok_or("a balance overflows")?;
            if after != leg.after {
                return Err(format!(
                    "the balance of {} should be {after} after this record, but the record says {}",
                    leg.account, leg.after
                ));
            }
            if !leg.account.may_hold(after) {
                return Err(format!("{} cannot have a balance of {after}", leg.account));
            }
            *balance = after;
        }
        let when = RecordTime { today: record.day, now: record.at, confirmed: record.at, certain: true };
        self.projector
            .admits(record.stream, &record.legs, when)
            .map_err(|denied| format!("the record should have been refused: {denied}"))?;
        Ok(record)
    }

    /// Compares a table derived from the journal with the store's table, and returns the first mismatch or `None`.
    ///
    /// Calls `goes_on` before each row. If `goes_on` returns `false`, the comparison ends without a finding.
    fn compare(
        &self,
        db: &mut dyn Db,
        scratch: &mut dyn Db,
        table: &Table,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> DbResult<Option<Finding>> {
        let differs = compare_table(db, scratch, table, goes_on)?;
        // A differing head shows that the journal was truncated after this record.
        let seq = if table.name == "head" { self.projector.head.seq.0 + 1 } else { 0 };
        Ok(differs.map(|what| Finding { seq: Seq(seq), what }))
    }

    fn compare_seals(&self, db: &mut dyn Db, auditor: &Auditor<'_>) -> DbResult<Option<Finding>> {
        for seal in &self.seals {
            let Some(seal) = seal else {
                return Ok(Some(Finding { seq: Seq(0), what: "a seal cannot be read".into() }));
            };
            let rows = ask_one(db, "SELECT hash FROM journal WHERE seq = $1", row![seal.seq.0])?;
            let hash = match rows.into_iter().next() {
                Some(row) => Some(Columns::of(row).bytes()?),
                None if seal.seq == Seq(0) => Some(GENESIS.0.to_vec()),
                None => None,
            };
            if hash.as_deref() != Some(&seal.hash.0[..]) {
                let what = format!("the seal of day {} does not match the record", seal.day.0);
                return Ok(Some(Finding { seq: seal.seq, what }));
            }
            if auditor.key.is_some_and(|key| !seal.verify(&key)) {
                let what = format!("the seal of day {} is not signed by the house's key", seal.day.0);
                return Ok(Some(Finding { seq: seal.seq, what }));
            }
        }
        Ok(None)
    }
}

/// The number of derived rows read ahead of the comparison.
///
/// The number is limited because some rows hold a whole shoe.
const AHEAD: usize = 512;

/// Describes the first row of a projection that differs from the journal, or returns `None` if no row differs.
///
/// The derived and the stored rows are both read in key order.
fn compare_table(
    db: &mut dyn Db,
    derived: &mut dyn Db,
    table: &Table,
    goes_on: &mut dyn FnMut() -> bool,
) -> DbResult<Option<String>> {
    let (sql, Table { name, columns, .. }) = (table.select(), table);
    let (mut differs, mut ended) = (None, false);
    std::thread::scope(|scope| {
        let (send, wanted) = sync_channel::<Found>(AHEAD);
        let question = sql.clone();
        let reading = scope.spawn(move || derived.walk(&question, row![], &mut |row| send.send(row).is_ok()));
        let compared = db.walk(&sql, row![], &mut |row| {
            if !goes_on() {
                ended = true;
                return false;
            }
            let want = wanted.recv().ok();
            if want.as_ref() != Some(&row) {
                let want = want.map_or("no such row".into(), |want| shown(columns, &want));
                differs =
                    Some(format!("the table {name} has {}; the journal gives {want}", shown(columns, &row)));
            }
            differs.is_none()
        });
        if differs.is_none()
            && !ended
            && let (Ok(()), Ok(want)) = (&compared, wanted.recv())
        {
            differs = Some(format!("the table {name} lacks {}", shown(columns, &want)));
        }
        drop(wanted);
        let read = reading.join().unwrap_or(Ok(()));
        compared.and(read)
    })?;
    Ok(differs)
}

/// Describes a row without showing credentials: password hashes, tokens and second factors.
fn shown(columns: &[Column], row: &Found) -> String {
    let factor = matches!(row.first(), Some(Value::Text(name)) if name.starts_with("second-factor/"));
    let value = |column: &Column, value: &Value<'_>| match value {
        _ if ["secret", "token"].contains(&column.name) || (factor && column.name == "value") => {
            "(not shown)".to_owned()
        }
        Value::Null => "nothing".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) => text.chars().take(80).collect(),
        Value::Bytes(bytes) => hex(&bytes[..bytes.len().min(32)]),
    };
    let words: Vec<String> =
        columns.iter().zip(row).map(|(c, found)| format!("{} {}", c.name, value(c, found))).collect();
    words.join(", ")
}

/// Returns a 16-byte digest that stands for a command, so that millions of commands fit in memory.
fn command_key(record: &Record) -> [u8; 16] {
    let mut label = Canonical::with_room(80);
    label.bytes(record.command.as_str().as_bytes()).int(record.person.0);
    let mut key = [0; 16];
    key.copy_from_slice(&Digest::of(label.as_slice()).0[..16]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_tells_nothing_that_lets_somebody_in() {
        let tables = schema::tables();
        let columns = |name: &str| tables.iter().find(|t| t.name == name).map_or(&[][..], |t| &t.columns[..]);
        let person = row![7, "ann", "ann", "player", "$argon2id$x", 0, 0, 0, 0, 0];
        let told = shown(columns("people"), &person);
        assert!(told.contains("name ann") && !told.contains("argon2"), "{told}");
        let told = shown(columns("settings"), &row!["second-factor/7", "JBSWY3DP"]);
        assert!(told.contains("second-factor/7") && !told.contains("JBSWY3DP"), "{told}");
        let told = shown(columns("settings"), &row!["clock", "17"]);
        assert!(told.contains("17"), "{told}");
        assert!(!shown(columns("sessions"), &row![vec![0xab_u8; 4], 7, 0, 0, 0]).contains("abab"));
    }
}
