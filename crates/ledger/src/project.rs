//! The projector: what every other table holds, derived from the records of the journal, one after the other. The writer
//! projects each batch in the transaction that stores it; `rebuild` and the audit begin with nothing and project all.
//!
//! | table | follows from |
//! |---|---|
//! | `head` | the last record |
//! | `postings`, `accounts` | the legs |
//! | `rounds`, `wagers` | records and patrons' legs at tables |
//! | `play_days` | patrons' legs at tables, by gaming day |
//! | `limits`, `exclusions` | effects |
//! | `people`, `sessions`, `settings`, `owners`, `checkpoints`, `seals` | the other changes, in order |

use crate::account::{Account, Chips, Holder};
use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, Row, transact};
use crate::draft::Denied;
use crate::ids::{Cents, GamingDay, Moment, PersonId, Stream};
use crate::journal::{Head, walk};
use crate::people::Keep;
use crate::posting::PostedLeg;
use crate::protect::{Effect, Limit, Measure, PlayDay, Protection, Span};
use crate::record::Record;
use crate::report::Class;
use crate::row;
use crate::schema::projections;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of records that a full rebuild projects at a time.
pub(crate) const AT_ONCE: usize = 20_000;

/// The time at which a command is judged: its gaming day, its record's time, the confirmed part of that, and
/// whether the time is out of doubt.
#[derive(Clone, Copy)]
pub(crate) struct When {
    pub today: GamingDay,
    pub now: Moment,
    pub confirmed: Moment,
    pub certain: bool,
}

/// A round's row, as far as these records tell it.
struct RoundRow {
    day: GamingDay,
    opened: Moment,
    ended: Moment,
    first: i64,
    last: i64,
    records: i64,
}

/// A patron's row in a round.
struct WagerRow {
    day: GamingDay,
    staked: i64,
    returned: i64,
    last: i64,
    at: Moment,
}

/// Holds what the records since the last `store` made of the rows they touch.
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
    keep: Vec<Keep>,
}

impl Projector {
    /// Returns a projector before the first record, or after the last one stored; it must then `learn` the
    /// protections that it needs.
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
            keep: Vec::new(),
        }
    }

    /// Reads the protections of these people.
    pub fn learn(&mut self, db: &mut dyn Db, people: &BTreeSet<PersonId>, today: GamingDay) -> DbResult<()> {
        self.protections.extend(protections(db, people, today)?);
        Ok(())
    }

    /// Checks that the patrons' own protections admit these legs.
    pub fn admits(&self, stream: Stream, legs: &[PostedLeg], when: When) -> Result<(), Denied> {
        let When { today, now, confirmed, .. } = when;
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

    /// Takes a record in.
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
        self.keep.extend(record.keep.iter().cloned());
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

    /// Writes the rows that the records since the last time touched.
    pub fn store(&mut self, db: &mut dyn Db) -> DbResult<()> {
        self.store_chips(db)?;
        self.store_play(db)?;
        self.store_protections(db)?;
        for keep in std::mem::take(&mut self.keep) {
            let (sql, row) = keep.statement();
            db.run(sql, &[row])?;
        }
        db.run(
            "INSERT INTO head (one, seq, hash, at) VALUES (1, $1, $2, $3) \
             ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, at = excluded.at",
            &[row![self.head.seq.0, &self.head.hash.0[..], self.head.at.0]],
        )?;
        Ok(())
    }

    fn store_chips(&mut self, db: &mut dyn Db) -> DbResult<()> {
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
        db.run(
            "INSERT INTO accounts (account, name, chips, holder, owner, may_owe, balance) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account) DO UPDATE SET balance = excluded.balance",
            &std::mem::take(&mut self.accounts).into_iter().map(account).collect::<Vec<_>>(),
        )?;
        db.run(
            "INSERT INTO postings (seq, n, account, amount, after) VALUES ($1, $2, $3, $4, $5)",
            &std::mem::take(&mut self.postings),
        )?;
        Ok(())
    }

    fn store_play(&mut self, db: &mut dyn Db) -> DbResult<()> {
        let round = |((table, round), r): ((i64, i64), RoundRow)| {
            row![table, round, r.day.0, r.opened.0, r.ended.0, r.first, r.last, r.records]
        };
        db.run(
            "INSERT INTO rounds (table_no, round, day, opened, ended, first_seq, last_seq, records) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (table_no, round) DO UPDATE SET \
             ended = excluded.ended, last_seq = excluded.last_seq, records = rounds.records + excluded.records",
            &std::mem::take(&mut self.rounds).into_iter().map(round).collect::<Vec<_>>(),
        )?;
        let wager = |((table, round, person, chips), w): ((i64, i64, i64, Chips), WagerRow)| {
            row![table, round, person, chips.name(), w.day.0, w.staked, w.returned, w.last, w.at.0]
        };
        db.run(
            "INSERT INTO wagers (table_no, round, person, chips, day, staked, returned, last_seq, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (table_no, round, person, chips) DO UPDATE SET \
             staked = wagers.staked + excluded.staked, returned = wagers.returned + excluded.returned, \
             last_seq = excluded.last_seq, at = excluded.at",
            &std::mem::take(&mut self.wagers).into_iter().map(wager).collect::<Vec<_>>(),
        )?;
        let days = std::mem::take(&mut self.days).into_iter().filter_map(|(person, day)| {
            let days = &self.protections.get(&person)?.days;
            let (_, d) = days.iter().find(|(found, _)| *found == day)?;
            Some(row![person.0, day.0, d.wagered.0, d.returned.0, d.played_ms, d.last_wager.0])
        });
        db.run(
            "INSERT INTO play_days (person, day, wagered, returned, played_ms, last_wager) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, day) DO UPDATE SET wagered = excluded.wagered, \
             returned = excluded.returned, played_ms = excluded.played_ms, last_wager = excluded.last_wager",
            &days.collect::<Vec<_>>(),
        )?;
        Ok(())
    }

    fn store_protections(&mut self, db: &mut dyn Db) -> DbResult<()> {
        let limits = std::mem::take(&mut self.limits).into_iter().filter_map(|(person, measure, span)| {
            let limits = &self.protections.get(&person)?.limits;
            let limit = limits.iter().find(|l| (l.measure, l.span) == (measure, span))?;
            let (later_most, later_at) = limit.later.map_or((None, None), |(most, at)| (most, Some(at.0)));
            Some(row![person.0, measure.name(), span.name(), limit.most, later_most, later_at])
        });
        db.run(
            "INSERT INTO limits (person, measure, span, most, later_most, later_at) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (person, measure, span) DO UPDATE SET most = excluded.most, \
             later_most = excluded.later_most, later_at = excluded.later_at",
            &limits.collect::<Vec<_>>(),
        )?;
        let exclusions = std::mem::take(&mut self.exclusions)
            .into_iter()
            .filter_map(|person| Some(row![person.0, self.protections.get(&person)?.excluded_until?.0]));
        db.run(
            "INSERT INTO exclusions (person, until) VALUES ($1, $2) \
             ON CONFLICT (person) DO UPDATE SET until = excluded.until",
            &exclusions.collect::<Vec<_>>(),
        )?;
        Ok(())
    }
}

/// Rebuilds every projection from the journal, in one transaction; returns the number of records.
pub fn rebuild(db: &mut dyn Db) -> DbResult<i64> {
    transact(db, Purpose::Write, |db| {
        crate::journal::locked_head(db)?;
        // The journal's end stays locked meanwhile.
        for table in projections().iter().rev().filter(|table| table.name != "head") {
            db.load(&format!("DELETE FROM {}", table.name), &[row![]])?;
        }
        project_all(db)
    })
}

/// Projects all records into tables that are empty.
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
        tracing::info!("{} records are projected", projector.head.seq.0);
    }
}

/// What a leg of a player's account is to the player's own protection. At a table a debit is a wager and a credit comes
/// back from one, unless the wager is taken back; what goes to a debt gives back what had come; elsewhere a credit is a
/// deposit, a debit a withdrawal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Play,
    TakenBack,
    Undone,
    Cage,
}

/// Does this pair return a stake as if it had never been placed? So `Postings::take_back` writes it.
fn taken_back(pair: &[PostedLeg]) -> bool {
    let [purse, layout] = pair else { return false };
    let from_layout = matches!(layout.account.holder, Holder::Layout(_));
    from_layout && purse.amount > Cents::ZERO && purse.account.person().is_some()
}

/// Every leg with its sense; legs come in pairs.
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

/// Returns the protections of these people, with their days of play as far back as the longest span.
pub(crate) fn protections(
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
