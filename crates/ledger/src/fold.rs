//! Folding: rows that follow from the journal, kept for finding things. A command's transaction writes the record alone;
//! these rows come a moment later, for many records at once, so that a batch touches few pages. Whoever reads them asks
//! first whether the fold has reached the journal's end; a restart folds what was left.

use crate::account::Account;
use crate::canon::Canon;
use crate::chapter::Chapter;
use crate::db::{Columns, Db, DbError, DbResult, Purpose, Row, ask_one, transact};
use crate::ids::{Cents, GamingDay, Moment, PersonId, Seq};
use crate::index;
use crate::loaded::head;
use crate::numbers::ByNumber;
use crate::page::{Page, malformed, pages_from};
use crate::posting::PostedLeg;
use crate::protect::PlayDay;
use crate::record::{Lying, read_legs};
use crate::road::{Line, write_entry};
use crate::row;
use crate::write::{Sense, senses};
use std::sync::Arc;

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
pub fn fold_in(db: &mut dyn Db, chapters: &[Arc<Chapter>]) -> DbResult<Seq> {
    transact(db, Purpose::Write, |db| {
        let from = locked_folded(db)?;
        let count = chapters.iter().map(|chapter| chapter.len()).sum();
        let sheaf = Sheaf::after(from, count, chapters.iter().flat_map(|chapter| chapter.records()))?;
        match sheaf.stands_at(from) {
            true => sheaf.fold(db),
            false => {
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
        let pages = pages_from(db, from)?;
        let sheaf = Sheaf::after(from, 0, pages.iter().flat_map(Page::leaf))?;
        if sheaf.records.is_empty() {
            return Err(DbError::Refused("the journal lacks records; run the audit".into()));
        }
        from = sheaf.fold(db)?;
    }
    Ok(from)
}

const AHEAD: &str = "the lookup file is of a later moment than the journal, so one of the two was copied alone: put both \
    back, or remove the file that ends in .lookup.sqlite, and it is made anew from the journal";

/// Records to be folded in together, with their legs.
struct Sheaf<'a> {
    records: Vec<Lying<'a>>,
    legs: Vec<PostedLeg>,
    /// Where the legs of each record end.
    ends: Vec<usize>,
}

impl<'a> Sheaf<'a> {
    /// Of these records, about `count`, those after `from`.
    fn after(from: Seq, count: usize, lying: impl Iterator<Item = Option<Lying<'a>>>) -> DbResult<Sheaf<'a>> {
        let (records, legs) = (Vec::with_capacity(count), Vec::with_capacity(2 * count));
        let mut sheaf = Sheaf { records, legs, ends: Vec::with_capacity(count) };
        for record in lying {
            let record = record.ok_or_else(malformed)?;
            if record.seq > from {
                read_legs(record.legs, &mut sheaf.legs).ok_or_else(malformed)?;
                sheaf.ends.push(sheaf.legs.len());
                sheaf.records.push(record);
            }
        }
        Ok(sheaf)
    }

    fn stands_at(&self, folded: Seq) -> bool {
        self.records.first().is_some_and(|first| first.seq.0 == folded.0 + 1)
    }

    /// Every record with its legs.
    fn each(&self) -> impl Iterator<Item = (&Lying<'a>, &[PostedLeg])> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let legs = begins.zip(&self.ends).map(|(begin, end)| &self.legs[begin..*end]);
        self.records.iter().zip(legs)
    }

    /// Answers the place of the last record.
    fn fold(&self, db: &mut dyn Db) -> DbResult<Seq> {
        self.fold_commands(db)?;
        self.fold_streams(db)?;
        self.fold_legs(db)?;
        self.fold_days(db)?;
        let last = self.records.last().map_or(Seq::default(), |last| last.seq);
        db.run("UPDATE folded SET seq = $1 WHERE one = 1", &[row![last.0]])?;
        Ok(last)
    }

    fn fold_commands(&self, db: &mut dyn Db) -> DbResult<()> {
        index::add(db, self.records.iter().map(|r| (index::label(r.person, r.command), r.seq)).collect())
    }

    /// A row for each stream.
    fn fold_streams(&self, db: &mut dyn Db) -> DbResult<()> {
        let mut streams: ByNumber<i64, (&Lying<'_>, Canon)> = ByNumber::default();
        for record in &self.records {
            let (_, entries) = streams.entry(record.stream.number()).or_insert((record, Canon::default()));
            write_entry(entries, (record.round, record.seq), record.kind);
        }
        let row = |(stream, (first, entries)): (i64, (&Lying<'_>, Canon))| {
            row![stream, first.round.0, first.seq.0, entries.into_vec()]
        };
        db.run(
            "INSERT INTO streams (stream, round, seq, entries) VALUES ($1, $2, $3, $4)",
            &in_order(streams).into_iter().map(row).collect::<Vec<_>>(),
        )?;
        Ok(())
    }

    /// A row for each account, and what it holds.
    fn fold_legs(&self, db: &mut dyn Db) -> DbResult<()> {
        let mut accounts: ByNumber<i64, (Seq, Canon, Account, Cents)> = ByNumber::default();
        for (record, legs) in self.each() {
            for (n, leg) in (0..).zip(legs) {
                let fresh = || (record.seq, Canon::default(), leg.account, leg.after);
                let (_, lines, _, balance) = accounts.entry(leg.account.number()).or_insert_with(fresh);
                Line { seq: record.seq.0, n, amount: leg.amount.0, after: leg.after.0 }.write(lines);
                *balance = leg.after;
            }
        }
        let mut lines = Vec::with_capacity(accounts.len());
        let mut balances = Vec::with_capacity(accounts.len());
        for (number, (seq, of_account, account, balance)) in in_order(accounts) {
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

    /// The legs that count as play, with whose and when.
    fn played(&self) -> impl Iterator<Item = ((PersonId, GamingDay), &Lying<'a>, &PostedLeg, Sense)> {
        self.each().flat_map(|(record, legs)| {
            senses(record.stream, legs).filter_map(move |(leg, sense)| {
                let person = leg.account.person().filter(|_| sense != Sense::Cage)?;
                Some(((person, record.day), record, leg, sense))
            })
        })
    }

    /// Days of play, counted on from what is stored.
    fn fold_days(&self, db: &mut dyn Db) -> DbResult<()> {
        let mut days: ByNumber<(PersonId, GamingDay), PlayDay> = ByNumber::default();
        for (whose, ..) in self.played() {
            days.entry(whose).or_default();
        }
        let mut whose: Vec<_> = days.keys().copied().collect();
        whose.sort_unstable();
        let asked: Vec<Row<'_>> = whose.iter().map(|(person, day)| row![person.0, day.0]).collect();
        let sql =
            "SELECT wagered, returned, played_ms, last_wager FROM play_days WHERE person = $1 AND day = $2";
        for (whose, rows) in whose.into_iter().zip(db.ask(sql, &asked)?) {
            if let Some(row) = rows.into_iter().next() {
                let mut c = Columns::of(row);
                let (wagered, returned) = (Cents(c.int()?), Cents(c.int()?));
                let day = PlayDay { wagered, returned, played_ms: c.int()?, last_wager: Moment(c.int()?) };
                days.insert(whose, day);
            }
        }
        for (whose, record, leg, sense) in self.played() {
            if let Some(day) = days.get_mut(&whose) {
                day.count(leg.amount, sense == Sense::Undone, record.at);
            }
        }
        let row = |((person, day), d): ((PersonId, GamingDay), PlayDay)| {
            row![person.0, day.0, d.wagered.0, d.returned.0, d.played_ms, d.last_wager.0]
        };
        db.run(
            "INSERT INTO play_days (person, day, wagered, returned, played_ms, last_wager) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, day) DO UPDATE SET wagered = excluded.wagered, \
             returned = excluded.returned, played_ms = excluded.played_ms, last_wager = excluded.last_wager",
            &in_order(days).into_iter().map(row).collect::<Vec<_>>(),
        )?;
        Ok(())
    }
}

/// Neighbours in a table are written one after the other.
fn in_order<K: Ord, V>(rows: ByNumber<K, V>) -> Vec<(K, V)> {
    let mut rows: Vec<(K, V)> = rows.into_iter().collect();
    rows.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    rows
}
