//! The projector: derives every other table from the journal's records, in order.
//!
//! The writer projects each batch in the transaction that stores it; `rebuild` and the audit start empty and project
//! everything.
//!
//! | table | derived from |
//! |---|---|
//! | `head` | the last record |
//! | `postings`, `accounts` | the legs |
//! | `rounds`, `wagers` | records and patrons' legs at tables |
//! | `play_days` | patrons' legs at tables, by gaming day |
//! | `limits`, `exclusions` | effects |
//! | `people`, `sessions`, `settings`, `owners`, `checkpoints`, `seals` | the other changes, in order |

use crate::account::{Account, Chips, Holder};
use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, Query, Row, Sets, transact};
use crate::draft::Denied;
use crate::ids::{Cents, GamingDay, Moment, PersonId, Stream};
use crate::journal::{Head, walk};
use crate::people::RowChange;
use crate::posting::PostedLeg;
use crate::protect::{Effect, Limit, Measure, PlayDay, Protection, Span};
use crate::record::Record;
use crate::report::Class;
use crate::row;
use crate::schema::projections;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Number of records per batch in a full rebuild.
pub(crate) const AT_ONCE: usize = 20_000;

/// The times that decide whether a command is allowed: the record's gaming day and time, and the confirmed time.
///
/// `certain` says whether no doubt about the time is open.
#[derive(Clone, Copy)]
pub(crate) struct RecordTime {
    pub today: GamingDay,
    pub now: Moment,
    pub confirmed: Moment,
    pub certain: bool,
}

/// A row of the table `rounds`, as derived from the round's records so far.
struct RoundRow {
    day: GamingDay,
    opened: Moment,
    ended: Moment,
    first: i64,
    last: i64,
    records: i64,
}

/// A row of the table `wagers`: one patron's bets and payouts in one round.
struct WagerRow {
    day: GamingDay,
    staked: i64,
    returned: i64,
    last: i64,
    at: Moment,
}

/// Derives the rows of the projections from records.
///
/// Holds the rows that the records applied since the last `store` have changed.
pub(crate) struct Projector {
    pub head: Head,
    protections: HashMap<PersonId, Protection>,
    accounts: BTreeMap<i64, (Account, Cents)>,
    postings: Vec<Row<'static>>,
    rounds: BTreeMap<(i64, i64), RoundRow>,
    wagers: BTreeMap<(i64, i64, i64, Chips), WagerRow>,
    days: BTreeSet<(PersonId, GamingDay)>,
    limits: BTreeSet<(PersonId, Measure, Span)>,
    exclusions: BTreeSet<PersonId>,
    row_changes: Vec<RowChange>,
}

impl Projector {
    /// Returns a projector that continues after the record `head`.
    ///
    /// If that is not the start of the journal, call `add_protections` before applying records.
    pub fn at(head: Head) -> Projector {
        Projector {
            head,
            protections: HashMap::new(),
            accounts: BTreeMap::new(),
            postings: Vec::new(),
            rounds: BTreeMap::new(),
            wagers: BTreeMap::new(),
            days: BTreeSet::new(),
            limits: BTreeSet::new(),
            exclusions: BTreeSet::new(),
            row_changes: Vec::new(),
        }
    }

    /// Adds the stored protections of the people whose chips or limits the next records change.
    pub fn add_protections(&mut self, protections: BTreeMap<PersonId, Protection>) {
        self.protections.extend(protections);
    }

    /// Returns an error if a patron's own limits or exclusion forbid the chip movements `legs`.
    pub fn admits(&self, stream: Stream, legs: &[PostedLeg], when: RecordTime) -> Result<(), Denied> {
        let RecordTime { today, now, confirmed, .. } = when;
        let mut counted: BTreeMap<PersonId, Protection> = BTreeMap::new();
        for (leg, sense) in senses(stream, legs) {
            let Some(person) = leg.account.person() else { continue };
            let Some(known) = self.protections.get(&person) else { continue };
            if known.limits.is_empty() && known.excluded_until.is_none() {
                continue;
            }
            let protection = counted.entry(person).or_insert_with(|| known.clone());
            match sense {
                Sense::Cage if leg.amount > Cents::ZERO => protection.admits(confirmed)?,
                Sense::Cage => {}
                Sense::Play if leg.amount < Cents::ZERO => {
                    protection.allows_wager(-leg.amount, today, confirmed)?;
                    protection.today(today).count(leg.amount, false, now);
                }
                Sense::TakenBack => protection.today(today).take_back(leg.amount),
                Sense::Play | Sense::Undone => {
                    protection.today(today).count(leg.amount, sense == Sense::Undone, now);
                }
            }
        }
        Ok(())
    }

    /// Projects a record: derives the rows that it changes.
    pub fn apply(&mut self, record: &Record) {
        for (n, leg) in (0..).zip(&record.legs) {
            let number = leg.account.number();
            self.postings.push(row![record.seq.0, n, number, leg.amount.0, leg.after.0]);
            self.accounts.insert(number, (leg.account, leg.after));
        }
        self.apply_play(record);
        for effect in &record.effects {
            let protection = self.protections.entry(effect.person()).or_default();
            match *effect {
                Effect::Limit { person, measure, span, most } => {
                    protection.change_limit((measure, span), most, record.at);
                    self.limits.insert((person, measure, span));
                }
                Effect::Exclude { person, until } => {
                    protection.exclude(until);
                    self.exclusions.insert(person);
                }
            }
        }
        self.row_changes.extend(record.row_changes.iter().cloned());
        self.head = Head { seq: record.seq, hash: record.hash, at: record.at };
    }

    fn apply_play(&mut self, record: &Record) {
        let (table, round, seq) = (record.stream.number(), record.round.0, record.seq.0);
        if table == 0 {
            return;
        }
        if round > 0 {
            let fresh = || RoundRow {
                day: record.day,
                opened: record.at,
                ended: record.at,
                first: seq,
                last: seq,
                records: 0,
            };
            let row = self.rounds.entry((table, round)).or_insert_with(fresh);
            (row.ended, row.last, row.records) = (record.at, seq, row.records + 1);
        }
        for (leg, sense) in senses(record.stream, &record.legs) {
            let Some(person) = leg.account.person() else { continue };
            let undone = sense == Sense::Undone;
            let protection = self.protections.entry(person).or_default();
            let today = protection.today(record.day);
            match sense {
                Sense::TakenBack => today.take_back(leg.amount),
                _ => today.count(leg.amount, undone, record.at),
            }
            self.days.insert((person, record.day));
            if round > 0 {
                let key = (table, round, person.0, leg.account.chips);
                let fresh = || WagerRow { day: record.day, staked: 0, returned: 0, last: seq, at: record.at };
                let row = self.wagers.entry(key).or_insert_with(fresh);
                (row.last, row.at) = (seq, record.at);
                match leg.amount < Cents::ZERO && !undone {
                    true => row.staked -= leg.amount.0,
                    false => row.returned += leg.amount.0,
                }
            }
        }
    }

    /// Writes the rows changed since the last call.
    pub fn store(&mut self, db: &mut dyn Db) -> DbResult<()> {
        let row_changes = self.take_row_changes();
        self.changes(&row_changes).iter().try_for_each(|change| db.run(change.sql, &change.rows).map(|_| ()))
    }

    /// Returns the changes to people, sessions and settings since the last call, to be passed on to `changes`.
    pub fn take_row_changes(&mut self) -> Vec<RowChange> {
        std::mem::take(&mut self.row_changes)
    }

    /// Returns the statements that write the rows changed since the last call.
    pub fn changes<'a>(&mut self, row_changes: &'a [RowChange]) -> Vec<Query<'a>> {
        let mut changes: Vec<Query<'a>> = self.chips().into();
        changes.extend(self.play());
        changes.extend(self.limits());
        changes.extend(row_changes.iter().map(|row_change| {
            let (sql, row) = row_change.statement();
            Query { sql, rows: vec![row] }
        }));
        changes.push(Query {
            sql: "INSERT INTO head (one, seq, hash, at) VALUES (1, $1, $2, $3) \
                  ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, at = excluded.at",
            rows: vec![row![self.head.seq.0, self.head.hash.0.to_vec(), self.head.at.0]],
        });
        changes
    }

    fn chips(&mut self) -> [Query<'static>; 2] {
        let account = |(number, (account, balance)): (i64, (Account, Cents))| {
            row![
                number,
                account.to_string(),
                account.chips.name(),
                Class::of(account).name(),
                account.owner(),
                i64::from(account.may_owe()),
                balance.0
            ]
        };
        let accounts = Query {
            sql: "INSERT INTO accounts (account, name, chips, holder, owner, may_owe, balance) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account) DO UPDATE SET balance = excluded.balance",
            rows: std::mem::take(&mut self.accounts).into_iter().map(account).collect(),
        };
        let postings = Query {
            sql: "INSERT INTO postings (seq, n, account, amount, after) VALUES ($1, $2, $3, $4, $5)",
            rows: std::mem::take(&mut self.postings),
        };
        [accounts, postings]
    }

    fn play(&mut self) -> [Query<'static>; 3] {
        let round = |((table, round), r): ((i64, i64), RoundRow)| {
            row![table, round, r.day.0, r.opened.0, r.ended.0, r.first, r.last, r.records]
        };
        let rounds = Query {
            sql: "INSERT INTO rounds (table_no, round, day, opened, ended, first_seq, last_seq, records) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (table_no, round) DO UPDATE SET \
                  ended = excluded.ended, last_seq = excluded.last_seq, records = rounds.records + excluded.records",
            rows: std::mem::take(&mut self.rounds).into_iter().map(round).collect(),
        };
        let wager = |((table, round, person, chips), w): ((i64, i64, i64, Chips), WagerRow)| {
            row![table, round, person, chips.name(), w.day.0, w.staked, w.returned, w.last, w.at.0]
        };
        let wagers = Query {
            sql: "INSERT INTO wagers (table_no, round, person, chips, day, staked, returned, last_seq, at) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (table_no, round, person, chips) DO UPDATE SET \
                  staked = wagers.staked + excluded.staked, returned = wagers.returned + excluded.returned, \
                  last_seq = excluded.last_seq, at = excluded.at",
            rows: std::mem::take(&mut self.wagers).into_iter().map(wager).collect(),
        };
        let day = |(person, day): (PersonId, GamingDay)| {
            let days = &self.protections.get(&person)?.days;
            let (_, d) = days.iter().find(|(found, _)| *found == day)?;
            Some(row![person.0, day.0, d.wagered.0, d.returned.0, d.played_ms, d.last_wager.0])
        };
        let days = Query {
            sql: "INSERT INTO play_days (person, day, wagered, returned, played_ms, last_wager) \
                  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, day) DO UPDATE SET wagered = excluded.wagered, \
                  returned = excluded.returned, played_ms = excluded.played_ms, last_wager = excluded.last_wager",
            rows: std::mem::take(&mut self.days).into_iter().filter_map(day).collect(),
        };
        [rounds, wagers, days]
    }

    fn limits(&mut self) -> [Query<'static>; 2] {
        let limit = |(person, measure, span): (PersonId, Measure, Span)| {
            let limits = &self.protections.get(&person)?.limits;
            let limit = limits.iter().find(|l| (l.measure, l.span) == (measure, span))?;
            let (later_most, later_at) = limit.later.map_or((None, None), |(most, at)| (most, Some(at.0)));
            Some(row![person.0, measure.name(), span.name(), limit.most, later_most, later_at])
        };
        let limits = Query {
            sql: "INSERT INTO limits (person, measure, span, most, later_most, later_at) \
                  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, measure, span) DO UPDATE SET \
                  most = excluded.most, later_most = excluded.later_most, later_at = excluded.later_at",
            rows: std::mem::take(&mut self.limits).into_iter().filter_map(limit).collect(),
        };
        let exclusion =
            |person: PersonId| Some(row![person.0, self.protections.get(&person)?.excluded_until?.0]);
        let exclusions = Query {
            sql: "INSERT INTO exclusions (person, until) VALUES ($1, $2) \
                  ON CONFLICT (person) DO UPDATE SET until = excluded.until",
            rows: std::mem::take(&mut self.exclusions).into_iter().filter_map(exclusion).collect(),
        };
        [limits, exclusions]
    }
}

/// Rebuilds every projection from the journal in one transaction.
///
/// Returns the number of records.
pub fn rebuild(db: &mut dyn Db) -> DbResult<i64> {
    transact(db, Purpose::Write, |db| {
        crate::journal::locked_head(db)?;
        // The head's row stays, because it is locked.
        for table in projections().iter().rev().filter(|table| table.name != "head") {
            db.load(&format!("DELETE FROM {}", table.name), &[row![]])?;
        }
        project_all(db)
    })
}

/// Projects all records into empty tables.
///
/// Returns the number of records.
pub(crate) fn project_all(db: &mut dyn Db) -> DbResult<i64> {
    let mut projector = Projector::at(Head::default());
    loop {
        let (mut taken, mut malformed) = (0, false);
        walk(db, projector.head.seq, &mut |line| {
            match line.and_then(|line| line.record()) {
                Some(record) => projector.apply(&record),
                None => malformed = true,
            }
            taken += 1;
            taken < AT_ONCE && !malformed
        })?;
        if malformed {
            let last = projector.head.seq.0;
            return Err(DbError::Refused(format!("the record after {last} cannot be read; run the audit")));
        }
        projector.store(db)?;
        if taken < AT_ONCE {
            return Ok(projector.head.seq.0);
        }
        tracing::info!("{} records projected", projector.head.seq.0);
    }
}

/// How a movement of a player's chips counts toward the player's own limits.
///
/// At a table, a debit is a bet, and a credit is a payout (`Play`) or a withdrawn bet (`TakenBack`); a payment
/// towards a debt undoes a payout (`Undone`). Elsewhere, a credit is a deposit and a debit a withdrawal (`Cage`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Play,
    TakenBack,
    Undone,
    Cage,
}

/// Returns whether this pair of legs withdraws a bet, as `Postings::take_back` does.
fn taken_back(pair: &[PostedLeg]) -> bool {
    let [purse, layout] = pair else { return false };
    let from_layout = matches!(layout.account.holder, Holder::Layout(_));
    from_layout && purse.amount > Cents::ZERO && purse.account.person().is_some()
}

/// Returns every leg, and how its movement counts toward the player's limits.
///
/// The legs come in pairs; both legs of a pair count alike.
fn senses(stream: Stream, legs: &[PostedLeg]) -> impl Iterator<Item = (&PostedLeg, Sense)> {
    legs.chunks(2).flat_map(move |pair| {
        let to_debt = pair.iter().any(|leg| matches!(leg.account.holder, Holder::Owed(_)));
        let sense = match stream {
            Stream::House => Sense::Cage,
            Stream::Table(_) if to_debt => Sense::Undone,
            Stream::Table(_) if taken_back(pair) => Sense::TakenBack,
            Stream::Table(_) => Sense::Play,
        };
        pair.iter().map(move |leg| (leg, sense))
    })
}

/// Returns the limits, exclusion and days of play of each person in `people`.
///
/// The days of play are those within the longest span of a limit.
pub(crate) fn protections(
    db: &mut dyn Db,
    people: &BTreeSet<PersonId>,
    today: GamingDay,
) -> DbResult<BTreeMap<PersonId, Protection>> {
    let found = db.ask_all(&protection_queries(people, today))?;
    read_protections(people, &mut found.into_iter())
}

/// Returns the queries for people's protections; `read_protections` reads their results.
///
/// If a new gaming day begins before the queries run, their results include one day more than needed.
pub(crate) fn protection_queries(people: &BTreeSet<PersonId>, today: GamingDay) -> [Query<'static>; 3] {
    let ids = || people.iter().map(|p| row![p.0]).collect();
    let since = people.iter().map(|p| row![p.0, today.0 - Span::Month.days()]).collect();
    [
        Query {
            sql: "SELECT measure, span, most, later_most, later_at FROM limits WHERE person = $1",
            rows: ids(),
        },
        Query { sql: "SELECT until FROM exclusions WHERE person = $1", rows: ids() },
        Query {
            sql: "SELECT day, wagered, returned, played_ms, last_wager FROM play_days WHERE person = $1 AND day > $2",
            rows: since,
        },
    ]
}

pub(crate) fn read_protections(
    people: &BTreeSet<PersonId>,
    answers: &mut impl Iterator<Item = Sets>,
) -> DbResult<BTreeMap<PersonId, Protection>> {
    let [limits, exclusions, days] = [(); 3].map(|()| answers.next().unwrap_or_default());
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

fn read_limit(row: Found) -> DbResult<Limit> {
    let mut c = Columns::of(row);
    let (measure, span) = (Measure::from_name(&c.text()?), Span::from_name(&c.text()?));
    let (most, later_most, later_at) = (c.maybe_int()?, c.maybe_int()?, c.maybe_int()?);
    match (measure, span) {
        (Some(measure), Some(span)) => {
            Ok(Limit { measure, span, most, later: later_at.map(|at| (later_most, Moment(at))) })
        }
        _ => Err(DbError::Refused("a stored limit is malformed".into())),
    }
}

fn read_day(row: Found) -> DbResult<(GamingDay, PlayDay)> {
    let mut c = Columns::of(row);
    let (day, wagered, returned) = (GamingDay(c.int()?), Cents(c.int()?), Cents(c.int()?));
    Ok((day, PlayDay { wagered, returned, played_ms: c.int()?, last_wager: Moment(c.int()?) }))
}
