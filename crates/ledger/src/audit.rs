//! The audit: reads the journal from its first record to its last, trusts nothing else, and names the first record that
//! does not fit. Balances, limits and days of play are derived anew and compared with what the store says.

use crate::account::Account;
use crate::canon::{Canon, Reader};
use crate::db::{Columns, Db, DbResult, Purpose, Value, ask_one, transact};
use crate::fold::folded;
use crate::ids::{Cents, GamingDay, PersonId, Seq};
use crate::index;
use crate::loaded::head;
use crate::page::walk;
use crate::posting::balanced;
use crate::protect::{Effect, Protection};
pub use crate::record::GENESIS;
use crate::record::{Digest, Record};
use crate::road::{Line, write_entry};
use crate::row;
use crate::schema;
use crate::seal::Seal;
use crate::write::{When, protect_leg, senses};
use ed25519_dalek::VerifyingKey;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap};

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
    schema::must_be_newest(db)?;
    transact(db, Purpose::Snapshot, |db| {
        let mut books = Books::new(sealed_hashes(db, auditor)?, folded(db)?);
        walk(db, Seq(0), &mut |record| books.read(record, auditor))?;
        if books.bad.is_none() {
            books.bad = books.compare(db, auditor)?;
        }
        Ok(Outcome {
            records: books.last.0,
            head: books.hash,
            seals: books.seals.len(),
            accounts: books.accounts.len(),
            first_bad: books.bad,
        })
    })
}

fn sealed_hashes(db: &mut dyn Db, auditor: &Auditor<'_>) -> DbResult<Vec<Option<Seal>>> {
    let rows = ask_one(db, "SELECT day, seq, hash, at, signature FROM seals ORDER BY seq", row![])?;
    let mut seals = rows.into_iter().map(Seal::read).collect::<DbResult<Vec<_>>>()?;
    seals.extend(auditor.copies.iter().map(|seal| Some(*seal)));
    Ok(seals)
}

struct Books {
    last: Seq,
    hash: Digest,
    last_day: GamingDay,
    commands: HashMap<[u8; 16], Seq>,
    streams: BTreeMap<i64, Sha256>,
    accounts: BTreeMap<i64, (Cents, Sha256)>,
    protections: BTreeMap<PersonId, Protection>,
    seals: Vec<Option<Seal>>,
    seal_at: HashMap<Seq, Digest>,
    /// How far the rows that follow from the journal have come, and what they must say.
    folded: Seq,
    at_fold: Derived,
    bad: Option<Finding>,
}

/// Rows that follow from the journal.
#[derive(Default)]
struct Derived {
    accounts: BTreeMap<i64, (Cents, Sha256)>,
    streams: BTreeMap<i64, Sha256>,
    days: BTreeMap<(i64, i64), [i64; 3]>,
}

impl Books {
    fn new(seals: Vec<Option<Seal>>, folded: Seq) -> Books {
        Books {
            last: Seq(0),
            hash: GENESIS,
            last_day: GamingDay(i64::MIN),
            commands: HashMap::new(),
            streams: BTreeMap::new(),
            accounts: BTreeMap::new(),
            protections: BTreeMap::new(),
            seal_at: seals.iter().flatten().map(|seal| (seal.seq, Digest::default())).collect(),
            seals,
            folded,
            at_fold: Derived::default(),
            bad: None,
        }
    }

    /// Takes the next record in; answers whether to go on.
    fn read(&mut self, record: Option<Record>, auditor: &mut Auditor<'_>) -> bool {
        let expected = Seq(self.last.0 + 1);
        let fits = match &record {
            None => Err("the record cannot be read".to_owned()),
            Some(record) => self.fits(record, expected).and_then(|()| (auditor.replay)(record)),
        };
        if let Err(what) = fits {
            self.bad = Some(Finding { seq: expected, what });
            return false;
        }
        if let Some(record) = record {
            if let Some(hash) = self.seal_at.get_mut(&record.seq) {
                *hash = record.hash;
            }
            (self.last, self.hash, self.last_day) = (record.seq, record.hash, record.day);
            if record.seq == self.folded {
                self.at_fold = self.derived();
            }
        }
        true
    }

    fn fits(&mut self, record: &Record, expected: Seq) -> Result<(), String> {
        if record.seq != expected {
            return Err(format!("the record is missing; the next one there is {}", record.seq.0));
        }
        if record.chained(self.hash) != record.hash {
            return Err("the record does not follow from the one before: its hash differs".into());
        }
        if record.day < self.last_day {
            return Err("the record's gaming day is before that of the one before".into());
        }
        let key = command_key(&index::label(record.person, record.command.as_str()));
        if self.commands.insert(key, record.seq).is_some() {
            return Err("the record's command was recorded before".into());
        }
        if !balanced(record.legs.iter().map(|leg| (&leg.account, leg.amount))) {
            return Err("the record's movements do not sum to zero".into());
        }
        self.post(record)?;
        self.protect(record)?;
        let mut entry = Canon::default();
        write_entry(&mut entry, (record.round, record.seq), &record.kind);
        self.streams.entry(record.stream.number()).or_default().update(entry.as_slice());
        Ok(())
    }

    fn post(&mut self, record: &Record) -> Result<(), String> {
        for (n, leg) in record.legs.iter().enumerate() {
            let (balance, trail) = self.accounts.entry(leg.account.number()).or_default();
            let after = balance.0.checked_add(leg.amount.0).map(Cents).ok_or("a balance overflows")?;
            if after != leg.after {
                return Err(format!("{} holds {after} after it, and {} is recorded", leg.account, leg.after));
            }
            if !leg.account.may_hold(after) {
                return Err(format!("{} cannot hold {after}", leg.account));
            }
            *balance = after;
            let line = Line { seq: record.seq.0, n: n as i64, amount: leg.amount.0, after: after.0 };
            let mut bytes = Canon::default();
            line.write(&mut bytes);
            trail.update(bytes.as_slice());
        }
        Ok(())
    }

    fn protect(&mut self, record: &Record) -> Result<(), String> {
        for (leg, sense) in senses(record.stream, &record.legs) {
            let Some(person) = leg.account.person() else {
                continue;
            };
            let protection = self.protections.entry(person).or_default();
            let when = When { today: record.day, now: record.at, confirmed: record.at };
            protect_leg(protection, sense, leg.amount, when)
                .map_err(|denied| format!("the record should have been refused: {denied}"))?;
        }
        for effect in &record.effects {
            let protection = self.protections.entry(effect.person()).or_default();
            match *effect {
                Effect::Limit { measure, span, most, .. } => {
                    protection.change_limit((measure, span), most, record.at);
                }
                Effect::Exclude { until, .. } => {
                    protection.exclude(until);
                }
            }
        }
        Ok(())
    }

    /// Compares what was derived with the rows that the house works from.
    fn compare(&self, db: &mut dyn Db, auditor: &Auditor<'_>) -> DbResult<Option<Finding>> {
        let head = head(db)?;
        if (head.seq, head.hash) != (self.last, self.hash) {
            let seq = Seq(self.last.0.min(head.seq.0) + 1);
            let what = format!("the journal ends at {}, its head says {}", self.last.0, head.seq.0);
            return Ok(Some(Finding { seq, what }));
        }
        if let Some(finding) = self.compare_seals(auditor) {
            return Ok(Some(finding));
        }
        if self.folded > self.last {
            let what = "rows were folded in from records that are not there".into();
            return Ok(Some(Finding { seq: Seq(self.last.0 + 1), what }));
        }
        if let Some(what) = self.compare_commands(db)? {
            return Ok(Some(Finding { seq: Seq(0), what }));
        }
        if let Some(what) = self.compare_streams(db)? {
            return Ok(Some(Finding { seq: Seq(0), what }));
        }
        if let Some(what) = self.compare_accounts(db)? {
            return Ok(Some(Finding { seq: Seq(0), what }));
        }
        if let Some(what) = self.compare_trails(db)? {
            return Ok(Some(Finding { seq: Seq(0), what }));
        }
        Ok(self.compare_days(db)?.map(|what| Finding { seq: Seq(0), what }))
    }

    fn derived(&self) -> Derived {
        let mut days = BTreeMap::new();
        for (person, protection) in &self.protections {
            for (day, d) in &protection.days {
                days.insert((person.0, day.0), [d.wagered.0, d.returned.0, d.played_ms]);
            }
        }
        Derived { accounts: self.accounts.clone(), streams: self.streams.clone(), days }
    }

    /// Every folded record must be found by its command: the drawers and what lies in them are in order, the first of
    /// each is what the drawer is labelled with, and nothing is missing or strange.
    fn compare_commands(&self, db: &mut dyn Db) -> DbResult<Option<String>> {
        let (mut found, mut last, mut strange) = (0, index::Label::new(), false);
        db.walk("SELECT first, entries FROM commands ORDER BY first", row![], &mut |row| {
            let mut c = Columns::of(row);
            let (Ok(first), Ok(bytes)) = (c.bytes(), c.bytes()) else {
                strange = true;
                return false;
            };
            let entries = index::entries(&bytes).unwrap_or_default();
            strange |= entries.first().is_none_or(|(label, _)| *label != &first[..]);
            for (label, seq) in entries {
                strange |= label <= &last[..] || self.commands.get(&command_key(label)) != Some(&seq);
                last.clear();
                last.extend_from_slice(label);
                found += 1;
            }
            !strange
        })?;
        let differs = strange || found != self.folded.0;
        Ok(differs.then(|| "the list of commands differs from the journal".into()))
    }

    /// And by its stream.
    fn compare_streams(&self, db: &mut dyn Db) -> DbResult<Option<String>> {
        let sql = "SELECT stream, entries, round, seq FROM streams ORDER BY stream, round, seq";
        let stored = trails(db, sql)?;
        let differs = stored.is_none_or(|stored| stored != ends(&self.at_fold.streams));
        Ok(differs.then(|| "the list of streams differs from the journal".into()))
    }

    fn compare_seals(&self, auditor: &Auditor<'_>) -> Option<Finding> {
        for seal in &self.seals {
            let Some(seal) = seal else {
                return Some(Finding { seq: Seq(0), what: "a seal cannot be read".into() });
            };
            let found = if seal.seq == Seq(0) { Some(&GENESIS) } else { self.seal_at.get(&seal.seq) };
            if found != Some(&seal.hash) {
                let what = format!("the seal of day {} does not fit the record", seal.day.0);
                return Some(Finding { seq: seal.seq, what });
            }
            if auditor.key.is_some_and(|key| !seal.verify(&key)) {
                let what = format!("the seal of day {} is not signed by the house's key", seal.day.0);
                return Some(Finding { seq: seal.seq, what });
            }
        }
        None
    }

    fn compare_accounts(&self, db: &mut dyn Db) -> DbResult<Option<String>> {
        let mut stored = BTreeMap::new();
        for row in ask_one(db, "SELECT account, balance FROM accounts", row![])? {
            let mut c = Columns::of(row);
            stored.insert(c.int()?, Cents(c.int()?));
        }
        let derived: BTreeMap<i64, Cents> =
            self.at_fold.accounts.iter().map(|(n, (balance, _))| (*n, *balance)).collect();
        Ok(first_difference(&derived, &stored).map(|number| {
            let name = Account::from_number(number).map_or(format!("account {number}"), |a| a.to_string());
            format!(
                "{name} should hold {:?} cents, {:?} is stored",
                derived.get(&number),
                stored.get(&number)
            )
        }))
    }

    fn compare_trails(&self, db: &mut dyn Db) -> DbResult<Option<String>> {
        let Some(stored) = trails(db, "SELECT account, lines, seq FROM legs ORDER BY account, seq")? else {
            return Ok(Some("a statement cannot be read".into()));
        };
        let derived = self.at_fold.accounts.iter().map(|(n, (_, trail))| (*n, trail.clone())).collect();
        Ok(first_difference(&ends(&derived), &stored).map(|number| {
            let name = Account::from_number(number).map_or(format!("account {number}"), |a| a.to_string());
            format!("the statement of {name} differs from the journal")
        }))
    }

    fn compare_days(&self, db: &mut dyn Db) -> DbResult<Option<String>> {
        let mut stored = BTreeMap::new();
        for row in ask_one(db, "SELECT person, day, wagered, returned, played_ms FROM play_days", row![])? {
            let mut c = Columns::of(row);
            stored.insert((c.int()?, c.int()?), [c.int()?, c.int()?, c.int()?]);
        }
        Ok(first_difference(&self.at_fold.days, &stored).map(|(person, day)| {
            format!("the day of play {day} of person {person} differs from the journal")
        }))
    }
}

/// What is stored for each stream or account, as one digest. The rows are asked for in order: whose they are, what they
/// hold, and the key, which is how their first entry begins. `None` when a row is not like that.
fn trails(db: &mut dyn Db, sql: &str) -> DbResult<Option<BTreeMap<i64, Digest>>> {
    let (mut stored, mut fits) = (BTreeMap::<i64, Sha256>::new(), true);
    db.walk(sql, row![], &mut |row| {
        let (owner, bytes, key) = match row.as_slice() {
            [Value::Int(owner), Value::Bytes(bytes), key @ ..] => (*owner, bytes, key),
            _ => {
                fits = false;
                return false;
            }
        };
        let mut first = Reader::new(bytes);
        fits &= key.iter().all(|part| first.int().map(Value::Int).as_ref() == Some(part));
        stored.entry(owner).or_default().update(bytes);
        fits
    })?;
    Ok(fits.then(|| ends(&stored)))
}

fn ends(trails: &BTreeMap<i64, Sha256>) -> BTreeMap<i64, Digest> {
    trails.iter().map(|(owner, trail)| (*owner, Digest(trail.clone().finalize().into()))).collect()
}

/// Sixteen bytes stand for a command, so that millions of them fit in memory.
fn command_key(label: &[u8]) -> [u8; 16] {
    let mut key = [0; 16];
    key.copy_from_slice(&Digest::of(label).0[..16]);
    key
}

fn first_difference<K: Ord + Copy, V: PartialEq>(a: &BTreeMap<K, V>, b: &BTreeMap<K, V>) -> Option<K> {
    a.keys().chain(b.keys()).filter(|k| a.get(k) != b.get(k)).min().copied()
}
