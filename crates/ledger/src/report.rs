//! Statements and daily reports, all read from the journal. A report reconciles: opening plus movements is closing.

use crate::account::{Account, Chips, Holder};
use crate::db::{Columns, Db, DbError, DbResult, Purpose, ask_one, transact};
use crate::fold::folded;
use crate::ids::{Cents, GamingDay, Moment, RoundNo, Seq, Stream};
use crate::journal::{of_house, record};
pub use crate::loaded::balance;
use crate::loaded::head;
use crate::page::{Finger, walk};
use crate::record::Record;
use crate::road;
use crate::row;
use std::collections::BTreeMap;

/// One line of an account's statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub seq: Seq,
    pub at: Moment,
    pub kind: String,
    pub stream: Stream,
    pub round: RoundNo,
    pub amount: Cents,
    pub before: Cents,
    pub after: Cents,
}

/// The lines of an account before a record, newest first.
pub fn statement(db: &mut dyn Db, account: Account, before: Seq, most: i64) -> DbResult<Vec<Line>> {
    let malformed = || DbError::Refused("a statement does not fit the journal; run the audit".into());
    // Every row has a line before that record.
    let rows = ask_one(
        db,
        "SELECT lines FROM legs WHERE account = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3",
        row![account.number(), before.0, most],
    )?;
    let mut found: Vec<road::Line> = Vec::new();
    for row in rows {
        let lines = road::read_lines(&Columns::of(row).bytes()?).ok_or_else(malformed)?;
        found.extend(lines.into_iter().rev().filter(|line| line.seq < before.0));
    }
    found.truncate(usize::try_from(most).unwrap_or(0));
    let mut finger = Finger::default();
    let full = |line: road::Line| {
        let record = finger.find(db, Seq(line.seq))?.ok_or_else(malformed)?;
        Ok(Line {
            seq: record.seq,
            at: record.at,
            kind: record.kind,
            stream: record.stream,
            round: record.round,
            amount: Cents(line.amount),
            before: Cents(line.after - line.amount),
            after: Cents(line.after),
        })
    };
    found.into_iter().map(full).collect()
}

/// A round in which an account took part, with what it won or lost there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    pub stream: Stream,
    pub round: RoundNo,
    pub last: Seq,
    pub at: Moment,
    pub staked: Cents,
    pub returned: Cents,
}

/// Rounds of an account before a record, newest first.
pub fn rounds_played(
    db: &mut dyn Db,
    account: Account,
    before: Seq,
    most: usize,
) -> DbResult<Vec<PlayedRound>> {
    let mut rounds: Vec<PlayedRound> = Vec::new();
    let mut from = before;
    loop {
        let lines = statement(db, account, from, 500)?;
        let ended = lines.len() < 500;
        for line in &lines {
            from = line.seq;
            if line.round == RoundNo(0) {
                continue;
            }
            let same = |r: &PlayedRound| (r.stream, r.round) == (line.stream, line.round);
            let at = match rounds.iter().rposition(same) {
                Some(at) => at,
                None if rounds.len() > most => {
                    rounds.truncate(most);
                    return Ok(rounds);
                }
                None => {
                    rounds.push(PlayedRound {
                        stream: line.stream,
                        round: line.round,
                        last: line.seq,
                        at: line.at,
                        staked: Cents::ZERO,
                        returned: Cents::ZERO,
                    });
                    rounds.len() - 1
                }
            };
            match line.amount.0 < 0 {
                true => rounds[at].staked.0 -= line.amount.0,
                false => rounds[at].returned.0 += line.amount.0,
            }
        }
        if ended {
            rounds.truncate(most);
            return Ok(rounds);
        }
    }
}

/// Whose chips a line of the daily report speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Patrons,
    Layouts,
    Meters,
    Bank,
    Cashiers,
    Outside,
    Owed,
}

impl Class {
    pub fn of(account: Account) -> Class {
        match account.holder {
            Holder::Player(_) => Class::Patrons,
            Holder::Layout(_) => Class::Layouts,
            Holder::Meter(_) => Class::Meters,
            Holder::Bank => Class::Bank,
            Holder::Cashier(_) => Class::Cashiers,
            Holder::Outside => Class::Outside,
            Holder::Owed(_) => Class::Owed,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Class::Patrons => "patrons",
            Class::Layouts => "layouts",
            Class::Meters => "meters",
            Class::Bank => "bank",
            Class::Cashiers => "cashiers",
            Class::Outside => "outside",
            Class::Owed => "owed",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movement {
    pub records: i64,
    pub into: Cents,
    pub out: Cents,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    pub opening: Cents,
    pub closing: Cents,
    /// By kind of record.
    pub movements: BTreeMap<String, Movement>,
}

impl Balance {
    pub fn reconciles(&self) -> bool {
        let moved: i64 = self.movements.values().map(|m| m.into.0 - m.out.0).sum();
        self.opening.0 + moved == self.closing.0
    }
}

/// A gaming day: for each class of accounts what it held, what moved, and what it held then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayReport {
    pub day: GamingDay,
    pub records: i64,
    pub classes: BTreeMap<(Chips, Class), Balance>,
    /// Wagers, money returned, and records, by table.
    pub tables: BTreeMap<i64, TableDay>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableDay {
    pub wagered: Cents,
    pub returned: Cents,
    pub rounds: i64,
    last_round: RoundNo,
}

impl DayReport {
    pub fn reconciles(&self) -> bool {
        let sums_to_zero = |chips| {
            let of_kind = self.classes.iter().filter(|((c, _), _)| *c == chips);
            of_kind.map(|(_, b)| b.closing.0).sum::<i64>() == 0
        };
        self.classes.values().all(Balance::reconciles)
            && sums_to_zero(Chips::Cash)
            && sums_to_zero(Chips::Play)
    }
}

/// Derives a day's report. Opening balances are the present ones less everything since, so the two ends are independent.
pub fn day(db: &mut dyn Db, day: GamingDay) -> DbResult<DayReport> {
    transact(db, Purpose::Snapshot, |db| day_of_snapshot(db, day))
}

fn day_of_snapshot(db: &mut dyn Db, day: GamingDay) -> DbResult<DayReport> {
    // Balances are as of the fold, so the report ends there too.
    let end = folded(db)?;
    let mut report = DayReport { day, ..DayReport::default() };
    let mut since: BTreeMap<(Chips, Class), i64> = BTreeMap::new();
    let first = first_of_day(db, day)?;
    walk(db, Seq(first.0 - 1), &mut |record| {
        let Some(record) = record else { return true };
        if record.seq > end {
            return false;
        }
        for leg in &record.legs {
            let key = (leg.account.chips, Class::of(leg.account));
            *since.entry(key).or_default() += leg.amount.0;
        }
        if record.day == day {
            report.count(&record);
        }
        true
    })?;
    let mut later: BTreeMap<(Chips, Class), i64> = BTreeMap::new();
    for (key, moved) in &since {
        let on_day: i64 =
            report.classes.get(key).map_or(0, |b| b.movements.values().map(|m| m.into.0 - m.out.0).sum());
        later.insert(*key, moved - on_day);
    }
    for (key, held) in held_by_class(db)? {
        let balance = report.classes.entry(key).or_default();
        balance.opening = Cents(held - since.get(&key).copied().unwrap_or(0));
        balance.closing = Cents(held - later.get(&key).copied().unwrap_or(0));
    }
    Ok(report)
}

impl DayReport {
    fn count(&mut self, record: &Record) {
        self.records += 1;
        let mut seen: Vec<(Chips, Class)> = Vec::new();
        for leg in &record.legs {
            let key = (leg.account.chips, Class::of(leg.account));
            let movements = &mut self.classes.entry(key).or_default().movements;
            let movement = movements.entry(record.kind.clone()).or_default();
            if !seen.contains(&key) {
                seen.push(key);
                movement.records += 1;
            }
            match leg.amount.0 < 0 {
                true => movement.out.0 -= leg.amount.0,
                false => movement.into.0 += leg.amount.0,
            }
        }
        self.count_table(record);
    }

    fn count_table(&mut self, record: &Record) {
        if record.stream == Stream::House {
            return;
        }
        let table = self.tables.entry(record.stream.number()).or_default();
        if record.round > table.last_round {
            (table.last_round, table.rounds) = (record.round, table.rounds + 1);
        }
        for leg in record.legs.iter().filter(|leg| leg.account.person().is_some()) {
            match leg.amount.0 < 0 {
                true => table.wagered.0 -= leg.amount.0,
                false => table.returned.0 += leg.amount.0,
            }
        }
    }
}

fn held_by_class(db: &mut dyn Db) -> DbResult<BTreeMap<(Chips, Class), i64>> {
    let mut held = BTreeMap::new();
    for row in ask_one(db, "SELECT account, balance FROM accounts", row![])? {
        let mut c = Columns::of(row);
        if let Some(account) = Account::from_number(c.int()?) {
            *held.entry((account.chips, Class::of(account))).or_default() += c.int()?;
        }
    }
    Ok(held)
}

/// Days never go back along the journal, so the day's first record is found by halving.
fn first_of_day(db: &mut dyn Db, day: GamingDay) -> DbResult<Seq> {
    let (mut low, mut high) = (1, head(db)?.seq.0 + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match record(db, Seq(middle))? {
            Some(found) if found.day < day => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(Seq(low))
}

/// Records of a kind in the house's stream, newest first, before a record.
pub fn of_kind(db: &mut dyn Db, kind: &str, before: Seq, most: i64) -> DbResult<Vec<Record>> {
    of_house(db, before, most, |found| found == kind)
}
