//! Folding: rows that follow from the journal, kept for finding things. A command's transaction writes the record alone;
//! these rows come a moment later, for many records at once, so that a batch touches few pages. Whoever reads them asks
//! first whether the fold has reached the journal's end; a restart folds what was left.

use crate::account::Account;
use crate::canon::Canon;
use crate::db::{Columns, Db, DbError, DbResult, Purpose, Row, ask_one, transact};
use crate::ids::{Cents, GamingDay, Moment, PersonId, Seq};
use crate::journal::records;
use crate::loaded::head;
use crate::protect::PlayDay;
use crate::record::Record;
use crate::road::{Line, write_entry};
use crate::row;
use crate::write::{Sense, senses};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Records read at a time when the writer does not remember them.
const CHUNK: i64 = 1000;

/// How far the fold has come.
pub fn folded(db: &mut dyn Db) -> DbResult<Seq> {
    let rows = ask_one(db, "SELECT seq FROM folded WHERE one = 1", row![])?;
    let row = rows.into_iter().next().ok_or_else(|| DbError::Refused("the fold's mark is gone".into()))?;
    Columns::of(row).int().map(Seq)
}

/// Are there records that are not folded in yet?
pub fn lags(db: &mut dyn Db) -> DbResult<bool> {
    let rows =
        ask_one(db, "SELECT head.seq - folded.seq FROM head JOIN folded ON folded.one = head.one", row![])?;
    rows.into_iter().next().map_or(Ok(false), |row| Columns::of(row).int().map(|behind| behind > 0))
}

/// Folds these records in, in a transaction of its own, or whatever the journal holds if the fold does not stand right
/// before them. Answers how far it has come.
pub fn fold_in(db: &mut dyn Db, records: &[Arc<Record>]) -> DbResult<Seq> {
    transact(db, Purpose::Write, |db| {
        let from = locked_folded(db)?;
        let rest = &records[records.partition_point(|record| record.seq <= from)..];
        match (rest.first(), rest.last()) {
            (Some(first), Some(last)) if first.seq.0 == from.0 + 1 => fold(db, rest).map(|()| last.seq),
            _ => {
                let head = head(db)?;
                catch_up(db, head.seq)
            }
        }
    })
}

/// The fold's mark, locked until the transaction ends: one at a time folds.
fn locked_folded(db: &mut dyn Db) -> DbResult<Seq> {
    db.run("UPDATE folded SET seq = seq WHERE one = 1", &[row![]])?;
    folded(db)
}

/// Folds in what the journal holds after the mark, up to its end.
pub fn catch_up(db: &mut dyn Db, head: Seq) -> DbResult<Seq> {
    let mut from = locked_folded(db)?;
    if from > head {
        return Err(DbError::Refused(AHEAD.into()));
    }
    while from < head {
        let chunk: Vec<Arc<Record>> = records(db, from, CHUNK)?.into_iter().map(Arc::new).collect();
        let Some(last) = chunk.last() else {
            return Err(DbError::Refused("the journal lacks records; run the audit".into()));
        };
        from = last.seq;
        fold(db, &chunk)?;
    }
    Ok(from)
}

const AHEAD: &str = "the lookup file is of a later moment than the journal, so one of the two was copied alone: put both \
    back, or remove the file that ends in .lookup.sqlite, and it is made anew from the journal";

fn fold(db: &mut dyn Db, records: &[Arc<Record>]) -> DbResult<()> {
    let Some(last) = records.last() else { return Ok(()) };
    let mut commands: Vec<&Record> = records.iter().map(|r| &**r).collect();
    commands.sort_by(|a, b| (&a.command, a.person).cmp(&(&b.command, b.person)));
    db.run(
        "INSERT INTO commands (command, person, seq) VALUES ($1, $2, $3)",
        &commands.iter().map(|r| row![r.command.as_str(), r.person.0, r.seq.0]).collect::<Vec<_>>(),
    )?;
    fold_streams(db, records)?;
    fold_legs(db, records)?;
    fold_days(db, records)?;
    db.run("UPDATE folded SET seq = $1 WHERE one = 1", &[row![last.seq.0]])?;
    Ok(())
}

/// A row for each stream.
fn fold_streams(db: &mut dyn Db, records: &[Arc<Record>]) -> DbResult<()> {
    let mut streams: HashMap<i64, (&Record, Canon)> = HashMap::new();
    for record in records {
        let (_, entries) = streams.entry(record.stream.number()).or_insert((record, Canon::default()));
        write_entry(entries, record);
    }
    let row = |(stream, (first, entries)): (i64, (&Record, Canon))| {
        row![stream, first.round.0, first.seq.0, entries.into_vec()]
    };
    db.run(
        "INSERT INTO streams (stream, round, seq, entries) VALUES ($1, $2, $3, $4)",
        &in_order(streams).into_iter().map(row).collect::<Vec<_>>(),
    )?;
    Ok(())
}

/// Neighbours in a table are written one after the other.
fn in_order<K: Ord, V>(rows: HashMap<K, V>) -> Vec<(K, V)> {
    let mut rows: Vec<(K, V)> = rows.into_iter().collect();
    rows.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    rows
}

/// A row for each account, and what it holds.
fn fold_legs(db: &mut dyn Db, records: &[Arc<Record>]) -> DbResult<()> {
    let mut legs: HashMap<i64, (Seq, Canon, Account, Cents)> = HashMap::new();
    for record in records {
        for (n, leg) in (0..).zip(&record.legs) {
            let fresh = || (record.seq, Canon::default(), leg.account, leg.after);
            let (_, lines, _, balance) = legs.entry(leg.account.number()).or_insert_with(fresh);
            Line { seq: record.seq.0, n, amount: leg.amount.0, after: leg.after.0 }.write(lines);
            *balance = leg.after;
        }
    }
    let (mut lines, mut balances) = (Vec::with_capacity(legs.len()), Vec::with_capacity(legs.len()));
    for (number, (seq, of_account, account, balance)) in in_order(legs) {
        lines.push(row![number, seq.0, of_account.into_vec()]);
        balances.push(row![number, account.to_string(), i64::from(account.may_owe()), balance.0]);
    }
    db.run("INSERT INTO legs (account, seq, lines) VALUES ($1, $2, $3)", &lines)?;
    db.run(
        "INSERT INTO accounts (account, name, may_owe, balance) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (account) DO UPDATE SET balance = excluded.balance",
        &balances,
    )?;
    Ok(())
}

/// Days of play, counted on from what is stored.
fn fold_days(db: &mut dyn Db, records: &[Arc<Record>]) -> DbResult<()> {
    let mut days: BTreeMap<(PersonId, GamingDay), PlayDay> = BTreeMap::new();
    for record in records {
        for (leg, sense) in senses(record.stream, &record.legs) {
            if let (Some(person), true) = (leg.account.person(), sense != Sense::Cage) {
                days.entry((person, record.day)).or_default();
            }
        }
    }
    let asked: Vec<Row<'_>> = days.keys().map(|(person, day)| row![person.0, day.0]).collect();
    let sql = "SELECT wagered, returned, played_ms, last_wager FROM play_days WHERE person = $1 AND day = $2";
    let found = db.ask(sql, &asked)?;
    for (day, rows) in days.values_mut().zip(found) {
        if let Some(row) = rows.into_iter().next() {
            let mut c = Columns::of(row);
            let (wagered, returned) = (Cents(c.int()?), Cents(c.int()?));
            *day = PlayDay { wagered, returned, played_ms: c.int()?, last_wager: Moment(c.int()?) };
        }
    }
    for record in records {
        for (leg, sense) in senses(record.stream, &record.legs) {
            let person = leg.account.person().filter(|_| sense != Sense::Cage);
            if let Some(day) = person.and_then(|person| days.get_mut(&(person, record.day))) {
                day.count(leg.amount, sense == Sense::Undone, record.at);
            }
        }
    }
    let row = |((person, day), d): (&(PersonId, GamingDay), &PlayDay)| {
        row![person.0, day.0, d.wagered.0, d.returned.0, d.played_ms, d.last_wager.0]
    };
    db.run(
        "INSERT INTO play_days (person, day, wagered, returned, played_ms, last_wager) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, day) DO UPDATE SET wagered = excluded.wagered, \
         returned = excluded.returned, played_ms = excluded.played_ms, last_wager = excluded.last_wager",
        &days.iter().map(row).collect::<Vec<_>>(),
    )?;
    Ok(())
}
