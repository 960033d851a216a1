//! The audit: reads the journal from its first record to its last, trusts nothing else, and names the first record that
//! does not fit. Every projection is made anew beside the store and compared with what the store says, row by row.

use crate::canon::Canon;
use crate::db::{Columns, Db, DbResult, Found, Purpose, Value, ask_one, transact};
use crate::ids::{Cents, GamingDay, Seq};
use crate::journal::{Head, walk};
use crate::keys::hex;
use crate::posting::balanced;
use crate::project::{AT_ONCE, Projector, When};
pub use crate::record::GENESIS;
use crate::record::{Digest, Line, Record};
use crate::row;
use crate::schema::{self, Column, Table};
use crate::seal::Seal;
use crate::sqlite::Sqlite;
use ed25519_dalek::VerifyingKey;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::mpsc::sync_channel;

/// What does not fit, and at which record; `Seq(0)` when it is not a record but a row derived from them.
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

/// What the auditor brings along: the house's public key, seals kept elsewhere, and a check of each record's event.
pub struct Auditor<'a> {
    pub key: Option<VerifyingKey>,
    pub copies: Vec<Seal>,
    pub replay: &'a mut dyn FnMut(&Record) -> Result<(), String>,
}

/// Audits one unchanging state of the store.
pub fn audit(db: &mut dyn Db, auditor: &mut Auditor<'_>) -> DbResult<Outcome> {
    schema::must_fit(db)?;
    transact(db, Purpose::Snapshot, |db| {
        let mut scratch = Sqlite::scratch(Path::new(""))?;
        schema::lay_out(&mut scratch)?;
        let mut books = Books::new(auditor.copies.iter().map(|seal| Some(*seal)).collect());
        let mut taken = AT_ONCE;
        while taken == AT_ONCE && books.bad.is_none() {
            taken = 0;
            walk(db, books.projector.head.seq, &mut |line| {
                taken += 1;
                books.read(line, auditor) && taken < AT_ONCE
            })?;
            // Row by row each would be a transaction of its own, which takes longer the more rows there are.
            transact(&mut scratch, Purpose::Write, |scratch| books.projector.store(scratch))?;
            tracing::info!("{} records are derived again", books.projector.head.seq.0);
        }
        if books.bad.is_none() {
            books.bad = books.compare(db, scratch, auditor)?;
        }
        Ok(Outcome {
            records: books.projector.head.seq.0,
            head: books.projector.head.hash,
            seals: books.seals.len(),
            accounts: books.balances.len(),
            first_bad: books.bad,
        })
    })
}

struct Books {
    projector: Projector,
    last_day: GamingDay,
    commands: HashSet<[u8; 16]>,
    balances: HashMap<i64, Cents>,
    /// `None` for one that cannot be read.
    seals: Vec<Option<Seal>>,
    bad: Option<Finding>,
}

impl Books {
    fn new(seals: Vec<Option<Seal>>) -> Books {
        Books {
            projector: Projector::at(Head::default()),
            last_day: GamingDay(i64::MIN),
            commands: HashSet::new(),
            balances: HashMap::new(),
            seals,
            bad: None,
        }
    }

    /// Takes the next row in; answers whether to go on.
    fn read(&mut self, line: Option<Line>, auditor: &mut Auditor<'_>) -> bool {
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
                self.seals.extend(record.keep.iter().filter_map(Seal::of_keep));
                self.last_day = record.day;
                self.projector.apply(&record);
                true
            }
            Err(what) => {
                self.bad = Some(Finding { seq: expected, what });
                false
            }
        }
    }

    fn fits(&mut self, line: &Line, expected: Seq) -> Result<Record, String> {
        if line.seq != expected.0 {
            return Err(format!("the record is missing; the next one there is {}", line.seq));
        }
        if line.chained(self.projector.head.hash) != line.hash {
            return Err("the record does not follow from the one before: its hash differs".into());
        }
        let record = line.record().ok_or("the record cannot be read")?;
        if record.day < self.last_day {
            return Err("the record's gaming day is before that of the one before".into());
        }
        if !self.commands.insert(command_key(&record)) {
            return Err("the record's command was recorded before".into());
        }
        if !balanced(record.legs.iter().map(|leg| (&leg.account, leg.amount))) {
            return Err("the record's movements do not sum to zero".into());
        }
        for leg in &record.legs {
            let balance = self.balances.entry(leg.account.number()).or_default();
            let after = balance.0.checked_add(leg.amount.0).map(Cents).ok_or("a balance overflows")?;
            if after != leg.after {
                return Err(format!("{} holds {after} after it, and {} is recorded", leg.account, leg.after));
            }
            if !leg.account.may_hold(after) {
                return Err(format!("{} cannot hold {after}", leg.account));
            }
            *balance = after;
        }
        let when = When { today: record.day, now: record.at, confirmed: record.at, certain: true };
        self.projector
            .admits(record.stream, &record.legs, when)
            .map_err(|denied| format!("the record should have been refused: {denied}"))?;
        Ok(record)
    }

    /// Compares what was derived with the rows that the house works from.
    fn compare(&self, db: &mut dyn Db, scratch: Sqlite, auditor: &Auditor<'_>) -> DbResult<Option<Finding>> {
        if let Some(finding) = self.compare_seals(db, auditor)? {
            return Ok(Some(finding));
        }
        let mut derived: Box<dyn Db> = Box::new(scratch);
        for table in schema::projections() {
            if let Some(what) = compare_table(db, &mut *derived, &table)? {
                // The journal cut short is told by its head.
                let seq = if table.name == "head" { self.projector.head.seq.0 + 1 } else { 0 };
                return Ok(Some(Finding { seq: Seq(seq), what }));
            }
        }
        Ok(db.damage()?.map(|what| Finding { seq: Seq(0), what: format!("the store is damaged: {what}") }))
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
                let what = format!("the seal of day {} does not fit the record", seal.day.0);
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

/// The first row of a projection that is not as the journal has it. Both are read in the order of their keys.
fn compare_table(db: &mut dyn Db, derived: &mut dyn Db, table: &Table) -> DbResult<Option<String>> {
    let (sql, Table { name, columns, .. }) = (table.select(), table);
    let mut differs = None;
    std::thread::scope(|scope| {
        let (send, wanted) = sync_channel::<Found>(4096);
        let question = sql.clone();
        let reading = scope.spawn(move || derived.walk(&question, row![], &mut |row| send.send(row).is_ok()));
        let compared = db.walk(&sql, row![], &mut |row| {
            let want = wanted.recv().ok();
            if want.as_ref() != Some(&row) {
                let want = want.map_or("no such row".into(), |want| shown(columns, &want));
                differs = Some(format!("{name} has {}; the journal has {want}", shown(columns, &row)));
            }
            differs.is_none()
        });
        if differs.is_none()
            && let (Ok(()), Ok(want)) = (&compared, wanted.recv())
        {
            differs = Some(format!("{name} lacks {}", shown(columns, &want)));
        }
        drop(wanted);
        let read = reading.join().unwrap_or(Ok(()));
        compared.and(read)
    })?;
    Ok(differs)
}

/// A row in words. What would let somebody in is not told: password hashes, tokens, second factors.
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

/// Sixteen bytes stand for a command, so that millions of them fit in memory.
fn command_key(record: &Record) -> [u8; 16] {
    let mut label = Canon::with_room(80);
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
