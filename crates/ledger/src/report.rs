//! Account statements and daily reports, all read from the journal.
//!
//! A report reconciles if, for each class of accounts, the opening balance plus the movements is the closing
//! balance.

use crate::account::{Account, Chips, Holder};
use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, ask_one, transact};
use crate::ids::{Cents, GamingDay, Moment, RoundNo, Seq, Stream};
use crate::journal::of_house;
use crate::record::Record;
use crate::row;
use std::collections::BTreeMap;

/// One line of an account's statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountLine {
    pub seq: Seq,
    pub at: Moment,
    pub kind: String,
    pub stream: Stream,
    pub round: RoundNo,
    pub amount: Cents,
    pub before: Cents,
    pub after: Cents,
}

/// Returns at most `most` statement lines of an account, newest first, from records before record `before`.
pub fn statement(db: &mut dyn Db, account: Account, before: Seq, most: i64) -> DbResult<Vec<AccountLine>> {
    let rows = ask_one(
        db,
        "SELECT p.seq, j.at, j.kind, j.table_no, j.round, p.amount, p.after \
         FROM postings p JOIN journal j ON j.seq = p.seq \
         WHERE p.account = $1 AND p.seq < $2 ORDER BY p.seq DESC, p.n DESC LIMIT $3",
        row![account.number(), before.0, most],
    )?;
    let line = |row| {
        let mut c = Columns::of(row);
        let (seq, at, kind) = (Seq(c.int()?), Moment(c.int()?), c.text()?);
        let (stream, round) = (stream(c.int()?)?, RoundNo(c.int()?));
        let (amount, after) = (Cents(c.int()?), Cents(c.int()?));
        Ok(AccountLine { seq, at, kind, stream, round, amount, before: Cents(after.0 - amount.0), after })
    };
    rows.into_iter().map(line).collect()
}

fn stream(number: i64) -> DbResult<Stream> {
    Stream::from_number(number).ok_or_else(|| DbError::Refused(format!("{number} is not a table number")))
}

/// Returns the current balance of an account, or 0 if no chips ever moved through it.
pub fn balance(db: &mut dyn Db, account: Account) -> DbResult<Cents> {
    let rows = ask_one(db, "SELECT balance FROM accounts WHERE account = $1", row![account.number()])?;
    rows.into_iter().next().map_or(Ok(Cents::ZERO), |row| Columns::of(row).int().map(Cents))
}

/// A patron's bets and payouts in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    pub stream: Stream,
    pub round: RoundNo,
    pub last: Seq,
    pub at: Moment,
    pub staked: Cents,
    pub returned: Cents,
}

/// Returns at most `most` of the rounds that a patron has bet in, newest first; empty for any other account.
///
/// A round counts only if the last record that moved the patron's chips comes before record `before`.
pub fn rounds_played(
    db: &mut dyn Db,
    account: Account,
    before: Seq,
    most: usize,
) -> DbResult<Vec<PlayedRound>> {
    let Some(person) = account.person() else {
        return Ok(Vec::new());
    };
    let rows = ask_one(
        db,
        "SELECT table_no, round, last_seq, at, staked, returned FROM wagers \
         WHERE person = $1 AND chips = $2 AND last_seq < $3 ORDER BY last_seq DESC LIMIT $4",
        row![person.0, account.chips.name(), before.0, i64::try_from(most).unwrap_or(i64::MAX)],
    )?;
    let played = |row| {
        let mut c = Columns::of(row);
        let (stream, round, last) = (stream(c.int()?)?, RoundNo(c.int()?), Seq(c.int()?));
        let (at, staked) = (Moment(c.int()?), Cents(c.int()?));
        Ok(PlayedRound { stream, round, last, at, staked, returned: Cents(c.int()?) })
    };
    rows.into_iter().map(played).collect()
}

/// A class of accounts in the daily report; all accounts of one class have the same kind of holder.
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
    const ALL: [Class; 7] = [
        Class::Patrons,
        Class::Layouts,
        Class::Meters,
        Class::Bank,
        Class::Cashiers,
        Class::Outside,
        Class::Owed,
    ];

    fn from_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }

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
    /// The day's movements of chips, by kind of record.
    pub movements: BTreeMap<String, Movement>,
}

impl Balance {
    pub fn reconciles(&self) -> bool {
        let moved: i64 = self.movements.values().map(|m| m.into.0 - m.out.0).sum();
        self.opening.0 + moved == self.closing.0
    }
}

/// The report of a gaming day.
///
/// `classes` has the opening balance, the movements and the closing balance of each class of accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayReport {
    pub day: GamingDay,
    pub records: i64,
    pub classes: BTreeMap<(Chips, Class), Balance>,
    /// The bets, payouts and rounds of each table, by table number.
    pub tables: BTreeMap<i64, TableDay>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableDay {
    pub wagered: Cents,
    pub returned: Cents,
    pub rounds: i64,
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

/// Returns a gaming day's report, derived from the journal.
///
/// Opening and closing balances are computed backwards from the present balances, so that they are independent of
/// the day's movements.
pub fn day(db: &mut dyn Db, day: GamingDay) -> DbResult<DayReport> {
    transact(db, Purpose::Snapshot, |db| {
        let mut report = DayReport { day, ..DayReport::default() };
        let counted = ask_one(db, "SELECT COUNT(*) FROM journal WHERE day = $1", row![day.0])?;
        report.records = counted.into_iter().next().map_or(Ok(0), |row| Columns::of(row).int())?;
        report.count_movements(db)?;
        report.count_tables(db)?;
        report.count_balances(db)?;
        Ok(report)
    })
}

impl DayReport {
    fn count_movements(&mut self, db: &mut dyn Db) -> DbResult<()> {
        let rows = ask_one(
            db,
            "SELECT a.chips, a.holder, j.kind, COUNT(DISTINCT j.seq), \
             CAST(SUM(CASE WHEN p.amount > 0 THEN p.amount ELSE 0 END) AS BIGINT), \
             CAST(SUM(CASE WHEN p.amount < 0 THEN -p.amount ELSE 0 END) AS BIGINT) \
             FROM journal j JOIN postings p ON p.seq = j.seq JOIN accounts a ON a.account = p.account \
             WHERE j.day = $1 GROUP BY a.chips, a.holder, j.kind",
            row![self.day.0],
        )?;
        for row in rows {
            let mut c = Columns::of(row);
            let (key, kind) = (class(&mut c)?, c.text()?);
            let movement = Movement { records: c.int()?, into: Cents(c.int()?), out: Cents(c.int()?) };
            self.classes.entry(key).or_default().movements.insert(kind, movement);
        }
        Ok(())
    }

    /// Computes the opening and the closing balance of each class of accounts.
    ///
    /// The opening balance is the present balance less all movements since the day began. The closing balance is
    /// the present balance less all movements since the day ended.
    fn count_balances(&mut self, db: &mut dyn Db) -> DbResult<()> {
        let held = ask_one(
            db,
            "SELECT chips, holder, CAST(SUM(balance) AS BIGINT) FROM accounts GROUP BY chips, holder",
            row![],
        )?;
        let since = |db: &mut dyn Db, day: i64| {
            let rows = ask_one(
                db,
                // By day and not by number: after a clock that ran ahead is set right, days are not in order.
                "SELECT a.chips, a.holder, CAST(SUM(p.amount) AS BIGINT) FROM journal j \
                 JOIN postings p ON p.seq = j.seq JOIN accounts a ON a.account = p.account \
                 WHERE j.day >= $1 GROUP BY a.chips, a.holder",
                row![day],
            )?;
            rows.into_iter().map(class_sum).collect::<DbResult<BTreeMap<_, _>>>()
        };
        let (began, ended) = (since(db, self.day.0)?, since(db, self.day.0.saturating_add(1))?);
        for (key, held) in held.into_iter().map(class_sum).collect::<DbResult<Vec<_>>>()? {
            let balance = self.classes.entry(key).or_default();
            balance.opening = Cents(held - began.get(&key).copied().unwrap_or(0));
            balance.closing = Cents(held - ended.get(&key).copied().unwrap_or(0));
        }
        Ok(())
    }

    /// Counts the bets, payouts and rounds of every table that has a record on the day.
    ///
    /// Only rounds in which patrons' chips moved count: a table where nobody has bet records the preparation of
    /// its shoe under the number of the next round.
    fn count_tables(&mut self, db: &mut dyn Db) -> DbResult<()> {
        let open = "SELECT DISTINCT table_no FROM journal WHERE day = $1 AND table_no > 0";
        for row in ask_one(db, open, row![self.day.0])? {
            self.tables.insert(Columns::of(row).int()?, TableDay::default());
        }
        let moved = ask_one(
            db,
            "SELECT j.table_no, CAST(SUM(CASE WHEN p.amount < 0 THEN -p.amount ELSE 0 END) AS BIGINT), \
             CAST(SUM(CASE WHEN p.amount > 0 THEN p.amount ELSE 0 END) AS BIGINT), COUNT(DISTINCT j.round) \
             FROM journal j JOIN postings p ON p.seq = j.seq JOIN accounts a ON a.account = p.account \
             WHERE j.day = $1 AND j.table_no > 0 AND a.holder = 'patrons' GROUP BY j.table_no",
            row![self.day.0],
        )?;
        for row in moved {
            let mut c = Columns::of(row);
            let table = c.int()?;
            let day = TableDay { wagered: Cents(c.int()?), returned: Cents(c.int()?), rounds: c.int()? };
            self.tables.insert(table, day);
        }
        Ok(())
    }
}

fn class(c: &mut Columns) -> DbResult<(Chips, Class)> {
    match (Chips::from_name(&c.text()?), Class::from_name(&c.text()?)) {
        (Some(chips), Some(class)) => Ok((chips, class)),
        _ => Err(DbError::Refused("an account is malformed; run the audit".into())),
    }
}

fn class_sum(row: Found) -> DbResult<((Chips, Class), i64)> {
    let mut c = Columns::of(row);
    Ok((class(&mut c)?, c.int()?))
}

/// Returns up to `most` of the house's own records of one kind before record `before`, newest first.
pub fn of_kind(db: &mut dyn Db, kind: &str, before: Seq, most: i64) -> DbResult<Vec<Record>> {
    of_house(db, kind, before, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance(opening: i64, into: i64, out: i64, closing: i64) -> Balance {
        let moved = Movement { records: 1, into: Cents(into), out: Cents(out) };
        let movements = BTreeMap::from([("wager".to_string(), moved)]);
        Balance { opening: Cents(opening), closing: Cents(closing), movements }
    }

    #[test]
    fn what_was_there_and_what_moved_make_what_is_there() {
        assert!(balance(100, 30, 50, 80).reconciles());
        for wrong in [balance(100, 30, 50, 79), balance(100, 30, 50, 120), balance(0, 30, 50, 80)] {
            assert!(!wrong.reconciles(), "{wrong:?}");
        }
    }

    /// Every class must reconcile by itself, and all chips of one kind together: no chips are created, and neither kind
    /// pays for the other.
    #[test]
    fn a_day_reconciles_by_class_and_by_kind_of_chips() {
        let day = |of: [(Chips, Class, Balance); 4]| DayReport {
            classes: of.into_iter().map(|(chips, class, balance)| ((chips, class), balance)).collect(),
            ..DayReport::default()
        };
        let (cash, play) = (Chips::Cash, Chips::Play);
        let both = |patrons: [i64; 2], banks: [i64; 2]| {
            day([
                (cash, Class::Patrons, balance(0, patrons[0], 0, patrons[0])),
                (cash, Class::Bank, balance(0, 0, banks[0], -banks[0])),
                (play, Class::Patrons, balance(0, patrons[1], 0, patrons[1])),
                (play, Class::Bank, balance(0, 0, banks[1], -banks[1])),
            ])
        };
        assert!(both([50, 70], [50, 70]).reconciles());
        assert!(!both([50, 70], [50, 71]).reconciles(), "play chips are missing");
        assert!(!both([50, 70], [49, 70]).reconciles(), "cash chips were created");
        assert!(
            !both([50, 70], [70, 50]).reconciles(),
            "a surplus of one kind of chips does not cover the other kind"
        );
        let mut unlike = both([50, 70], [50, 70]);
        unlike.classes.insert((cash, Class::Outside), balance(5, 0, 0, 0));
        assert!(!unlike.reconciles(), "every class must reconcile by itself");
    }
}
