//! What a batch needs to know before it is written: remembered by the writer, or read in a few questions for the whole
//! batch. The journal's end is locked first, so that one writer at a time decides; then the owners of the tables.

use crate::account::Account;
use crate::chapter::Key;
use crate::db::{Columns, Db, DbError, DbResult, ask_one};
use crate::draft::{Draft, Epoch, Receipt};
use crate::fold::catch_up;
use crate::ids::{Cents, GamingDay, Moment, PersonId, Seq, Stream};
use crate::index;
use crate::journal::record;
use crate::people::{Keep, folded};
use crate::protect::{Limit, Measure, PlayDay, Protection, Span};
use crate::recent::Recent;
use crate::record::Digest;
use crate::row;
use crate::write::receipt;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub seq: Seq,
    pub hash: Digest,
    pub at: Moment,
}

/// A command that was stored and folded in before, with the digest of what it asked.
#[derive(Clone, Debug)]
pub struct Prior {
    pub body: Digest,
    pub receipt: Receipt,
}

/// What a batch needs to know beyond what the writer remembers.
#[derive(Default)]
pub struct Loaded {
    pub prior: HashMap<Key, Prior>,
    pub names: HashSet<String>,
}

impl Recent {
    /// What the writer remembers, if the journal still ends where the writer left it.
    pub fn or_anew(known: Option<Recent>, db: &mut dyn Db) -> DbResult<Recent> {
        let head = locked_head(db)?;
        match known {
            Some(known) if known.head == head => Ok(known),
            _ => {
                catch_up(db, head.seq)?;
                Ok(Recent::at(head))
            }
        }
    }

    /// Reads whatever these commands need and the writer does not remember.
    pub fn learn(&mut self, db: &mut dyn Db, batch: &[Draft], today: GamingDay) -> DbResult<Loaded> {
        self.learn_epochs(db, batch)?;
        self.learn_balances(db, batch)?;
        self.learn_protections(db, batch, today)?;
        Ok(Loaded { prior: prior(db, batch, self)?, names: names_taken(db, batch)? })
    }

    fn learn_epochs(&mut self, db: &mut dyn Db, batch: &[Draft]) -> DbResult<()> {
        if !db.writes_alone() {
            self.epochs.clear();
        }
        let streams: BTreeSet<Stream> = batch
            .iter()
            .map(|d| d.stream)
            .filter(|s| *s != Stream::House && !self.epochs.contains_key(s))
            .collect();
        if streams.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = streams.iter().map(|s| row![s.number()]).collect();
        let found = db.ask_locked("SELECT epoch FROM owners WHERE stream = $1", &rows)?;
        for (stream, rows) in streams.into_iter().zip(found) {
            if let Some(row) = rows.into_iter().next() {
                self.epochs.insert(stream, Epoch(Columns::of(row).int()?));
            }
        }
        Ok(())
    }

    fn learn_balances(&mut self, db: &mut dyn Db, batch: &[Draft]) -> DbResult<()> {
        let accounts = batch.iter().flat_map(|d| d.postings.legs()).map(|leg| leg.account.number());
        let unknown: BTreeSet<i64> = accounts.filter(|a| !self.balances.contains_key(a)).collect();
        let rows: Vec<_> = unknown.iter().map(|a| row![*a]).collect();
        let found = db.ask("SELECT balance FROM accounts WHERE account = $1", &rows)?;
        for (account, rows) in unknown.into_iter().zip(found) {
            let balance = rows.into_iter().next().map_or(Ok(0), |row| Columns::of(row).int())?;
            self.balances.insert(account, Cents(balance));
        }
        Ok(())
    }

    /// Of those whose chips move, and those whose protections change.
    fn learn_protections(&mut self, db: &mut dyn Db, batch: &[Draft], today: GamingDay) -> DbResult<()> {
        let moving = batch.iter().flat_map(|d| d.postings.legs()).filter_map(|leg| leg.account.person());
        let changing = batch.iter().flat_map(|d| &d.effects).map(|effect| effect.person());
        let unknown: BTreeSet<PersonId> =
            moving.chain(changing).filter(|person| !self.protections.contains_key(person)).collect();
        if !unknown.is_empty() {
            self.protections.extend(protections(db, &unknown, today)?);
        }
        Ok(())
    }
}

/// The journal's end, locked until the transaction ends: one writer at a time.
pub(crate) fn locked_head(db: &mut dyn Db) -> DbResult<Head> {
    read_head(
        db.ask_locked("SELECT seq, hash, at FROM head WHERE one = 1", &[row![]])?.pop().unwrap_or_default(),
    )
}

/// The last record's place, hash and time.
pub fn head(db: &mut dyn Db) -> DbResult<Head> {
    read_head(ask_one(db, "SELECT seq, hash, at FROM head WHERE one = 1", row![])?)
}

fn read_head(rows: Vec<crate::db::Found>) -> DbResult<Head> {
    let row = rows.into_iter().next().ok_or_else(|| DbError::Refused("the journal has no head".into()))?;
    let mut c = Columns::of(row);
    let (seq, hash, at) = (Seq(c.int()?), c.bytes()?, Moment(c.int()?));
    let hash =
        Digest::from_slice(&hash).ok_or_else(|| DbError::Refused("the head's hash is malformed".into()))?;
    Ok(Head { seq, hash, at })
}

/// Commands of this batch that were stored long enough ago to be folded in.
fn prior(db: &mut dyn Db, batch: &[Draft], recent: &Recent) -> DbResult<HashMap<Key, Prior>> {
    let keys = batch.iter().map(|draft| (draft.person, draft.command.clone()));
    let keys: Vec<_> = keys.filter(|key| recent.seq_of(key).is_none()).collect();
    let places = index::find(db, &keys)?;
    let mut prior = HashMap::new();
    for (key, seq) in keys.into_iter().zip(places) {
        if let Some(seq) = seq {
            let missing = || DbError::Refused("a stored command is missing; run the audit".into());
            let record = record(db, seq)?.ok_or_else(missing)?;
            prior.insert(key, Prior { body: record.body, receipt: receipt(record, true) });
        }
    }
    Ok(prior)
}

/// The protections of these people, with their days of play as far back as the longest span.
pub fn protections(
    db: &mut dyn Db,
    people: &BTreeSet<PersonId>,
    today: GamingDay,
) -> DbResult<BTreeMap<PersonId, Protection>> {
    let ids: Vec<_> = people.iter().map(|p| row![p.0]).collect();
    let limits =
        db.ask("SELECT measure, span, most, later_most, later_at FROM limits WHERE person = $1", &ids)?;
    let exclusions = db.ask("SELECT until FROM exclusions WHERE person = $1", &ids)?;
    let since: Vec<_> = people.iter().map(|p| row![p.0, today.0 - Span::Month.days()]).collect();
    let days = db.ask(
        "SELECT day, wagered, returned, played_ms, last_wager FROM play_days WHERE person = $1 AND day > $2",
        &since,
    )?;
    let mut protections = BTreeMap::new();
    for (((person, limits), exclusion), days) in people.iter().zip(limits).zip(exclusions).zip(days) {
        let limits = limits.into_iter().map(read_limit).collect::<DbResult<_>>()?;
        let excluded_until = match exclusion.into_iter().next() {
            Some(row) => Some(Moment(Columns::of(row).int()?)),
            None => None,
        };
        let days = days.into_iter().map(read_day).collect::<DbResult<_>>()?;
        protections.insert(*person, Protection { limits, excluded_until, days });
    }
    Ok(protections)
}

fn read_limit(row: crate::db::Found) -> DbResult<Limit> {
    let mut c = Columns::of(row);
    let (measure, span) = (Measure::from_number(c.int()?), Span::from_days(c.int()?));
    let (most, later_most, later_at) = (c.maybe_int()?, c.maybe_int()?, c.maybe_int()?);
    match (measure, span) {
        (Some(measure), Some(span)) => {
            Ok(Limit { measure, span, most, later: later_at.map(|at| (later_most, Moment(at))) })
        }
        _ => Err(DbError::Refused("a stored limit is malformed".into())),
    }
}

fn read_day(row: crate::db::Found) -> DbResult<(GamingDay, PlayDay)> {
    let mut c = Columns::of(row);
    let day = GamingDay(c.int()?);
    let wagered = Cents(c.int()?);
    let returned = Cents(c.int()?);
    Ok((day, PlayDay { wagered, returned, played_ms: c.int()?, last_wager: Moment(c.int()?) }))
}

fn names_taken(db: &mut dyn Db, batch: &[Draft]) -> DbResult<HashSet<String>> {
    let wanted: Vec<String> = batch.iter().flat_map(|d| &d.keep).filter_map(new_name).collect();
    let rows: Vec<_> = wanted.iter().map(|name| row![name.as_str()]).collect();
    let found = db.ask("SELECT person FROM people WHERE folded = $1", &rows)?;
    Ok(wanted.into_iter().zip(found).filter(|(_, rows)| !rows.is_empty()).map(|(name, _)| name).collect())
}

pub fn new_name(keep: &Keep) -> Option<String> {
    match keep {
        Keep::NewPerson(person) => Some(folded(&person.name)),
        _ => None,
    }
}

/// What an account holds now.
pub fn balance(db: &mut dyn Db, account: Account) -> DbResult<Cents> {
    let rows = ask_one(db, "SELECT balance FROM accounts WHERE account = $1", row![account.number()])?;
    rows.into_iter().next().map_or(Ok(Cents::ZERO), |row| Columns::of(row).int().map(Cents))
}
