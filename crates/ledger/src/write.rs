//! Writes a batch of commands in one transaction, with their projections.
//!
//! Judges each command in turn against the state after the previous ones, and commits all that pass. This is the only
//! place that appends new records to the journal (`archive.rs` and `backup.rs` copy existing ones). Nothing is cached
//! between batches, so that another server's writes are always seen.

use crate::account::Account;
use crate::clock::{Clock, confirmation};
use crate::db::{Begun, Columns, Db, DbError, DbResult, Found, Query, Row, Sets};
use crate::draft::{Claim, ClaimFrom, Denied, Draft, Epoch, Fault, Receipt};
use crate::durability::Durability;
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, Seq, Stream};
use crate::journal::{HEAD, Head, read_head};
use crate::nodes;
use crate::nodes::NodeNotification;
use crate::people::RowChange;
use crate::posting::{Bound, PostedLeg, balanced};
use crate::project::{Projector, RecordTime, protection_queries, read_protections};
use crate::protect::Effect;
use crate::record::{Digest, INSERT, Record, legs_of_text};
use crate::row;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The person who gave a command, and the command's id.
type Key = (PersonId, CommandId);

/// The verdicts on a batch of drafts, in the order of the drafts.
pub type Verdicts = Vec<Result<Receipt, Denied>>;

/// Stores the drafts that `drafts` returns, and returns the verdict on each and the journal's new head.
///
/// Calls `drafts` a second time if another server held the head's lock meanwhile. After `Fault::Store` no draft is
/// stored; after `Fault::Unknown` either all accepted drafts are stored or none.
///
/// Needs two round trips: the first locks the head and reads what the drafts need, the second writes and commits.
pub fn write_batch(
    db: &mut dyn Db,
    (clock, durability): (Clock, Durability),
    drafts: &mut dyn FnMut() -> Vec<Draft>,
) -> Result<(Verdicts, Head), Fault> {
    let mut given = drafts();
    let today = GamingDay::at(clock.now, clock.day_starts_ms);
    let needs = Needs::of(&given);
    let mut queries = needs.queries(today);
    queries.extend(durability.before_commit());
    let Begun { mut locked, mut answers, waited } = db.begin_locked(HEAD, &queries)?;
    let mut judge = || {
        if durability.before_commit().is_some() {
            let attached = answers.pop().and_then(|mut sets| sets.pop());
            Durability::judge(attached.unwrap_or_default())?;
        }
        let head = read_head(std::mem::take(&mut locked))?;
        // Two clocks that agree differ by a little: a record is not dated before its predecessor for that.
        let now = if clock.set_back { clock.now } else { clock.now.max(head.at) };
        let when = RecordTime {
            today: GamingDay::at(now, clock.day_starts_ms),
            now,
            confirmed: clock.confirmed,
            certain: clock.certain,
        };
        let mut batch = Batch::new(head, when, clock.day_starts_ms);
        batch.read_answers(&needs, std::mem::take(&mut answers))?;
        let late = if waited { drafts() } else { Vec::new() };
        if !late.is_empty() {
            let needs = Needs::of(&late);
            batch.read_answers(&needs, db.ask_all(&needs.queries(today))?)?;
            given.extend(late);
        }
        let verdicts: Verdicts = given.drain(..).map(|draft| batch.verdict(draft)).collect();
        DbResult::Ok((verdicts, batch))
    };
    let (verdicts, mut batch) = judge().inspect_err(|_| db.rollback())?;
    let row_changes = batch.projector.take_row_changes();
    let found =
        db.commit_with(&batch.changes(&row_changes), &batch.notifications, durability.after_commit())?;
    durability.arrived(db, found).map_err(Fault::Unknown)?;
    Ok((verdicts, batch.projector.head))
}

/// The keys of all rows that must be read before the drafts of a batch are judged.
struct Needs {
    people: BTreeSet<PersonId>,
    streams: BTreeSet<Stream>,
    accounts: BTreeSet<Account>,
    commands: Vec<Key>,
    names: Vec<String>,
    /// The tables that a draft claims if their owner is absent, each with the name of the new owner.
    claims: Vec<(Stream, String)>,
}

impl Needs {
    fn of(drafts: &[Draft]) -> Needs {
        let legs = || drafts.iter().flat_map(|d| d.postings.legs());
        let moving = legs().filter_map(|leg| leg.account.person());
        let changing = drafts.iter().flat_map(|d| &d.effects).map(|effect| effect.person());
        let claims = || drafts.iter().filter_map(|draft| draft.claim.as_ref());
        let absent = claims().filter(|claim| claim.from == ClaimFrom::TheAbsent);
        Needs {
            people: moving.chain(changing).collect(),
            streams: drafts.iter().map(|d| d.stream).chain(claims().map(|claim| claim.stream)).collect(),
            accounts: legs().map(|leg| leg.account).collect(),
            commands: drafts.iter().map(|d| (d.person, d.command.clone())).collect(),
            names: drafts.iter().flat_map(|d| &d.row_changes).filter_map(RowChange::new_name).collect(),
            claims: absent.map(|claim| (claim.stream, claim.owner.clone())).collect(),
        }
    }

    /// Returns the queries whose answers `Batch::read_answers` reads.
    fn queries(&self, today: GamingDay) -> Vec<Query<'_>> {
        let of_tables = [
            Query {
                sql: "SELECT epoch FROM owners WHERE table_no = $1",
                rows: self.streams.iter().map(|s| row![s.number()]).collect(),
            },
            Query {
                sql: "SELECT balance FROM accounts WHERE account = $1",
                rows: self.accounts.iter().map(|a| row![a.number()]).collect(),
            },
            Query {
                sql: "SELECT request, seq, at, answer, legs FROM journal WHERE command = $1 AND person = $2",
                rows: self.commands.iter().map(|(person, id)| row![id.as_str(), person.0]).collect(),
            },
            Query {
                sql: "SELECT person FROM people WHERE folded = $1",
                rows: self.names.iter().map(|name| row![name.as_str()]).collect(),
            },
        ];
        let mut queries: Vec<Query<'_>> = of_tables.into();
        // A store of one server has no nodes, and no claims from absent ones.
        if !self.claims.is_empty() {
            let rows = self.claims.iter().map(|(stream, owner)| row![stream.number(), owner.as_str()]);
            queries.push(Query { sql: nodes::HELD_BY_ANOTHER, rows: rows.collect() });
        }
        queries.splice(0..0, protection_queries(&self.people, today));
        queries
    }
}

struct Batch {
    when: RecordTime,
    day_starts_ms: i64,
    epochs: HashMap<Stream, Epoch>,
    balances: HashMap<Account, Cents>,
    /// The commands of this batch that are stored already or accepted in it, each with its body's digest and
    /// receipt.
    stored: HashMap<Key, (Digest, Receipt)>,
    names: HashSet<String>,
    /// The tables that another live node owns. A claim that requires an absent owner fails for these tables.
    held: HashSet<Stream>,
    projector: Projector,
    rows: Vec<Row<'static>>,
    /// The notifications to other nodes, sent when the transaction commits.
    notifications: BTreeSet<String>,
    /// Whether the previous command was not newly stored.
    ///
    /// If so, the later commands of its chain are not stored either.
    broken: bool,
}

impl Batch {
    fn new(head: Head, when: RecordTime, day_starts_ms: i64) -> Batch {
        Batch {
            when,
            day_starts_ms,
            epochs: HashMap::new(),
            balances: HashMap::new(),
            stored: HashMap::new(),
            names: HashSet::new(),
            held: HashSet::new(),
            projector: Projector::at(head),
            rows: Vec::new(),
            notifications: BTreeSet::new(),
            broken: false,
        }
    }

    /// Reads the answers to the queries of `needs`.
    ///
    /// Must be called before the first verdict.
    fn read_answers(&mut self, needs: &Needs, answers: Vec<Sets>) -> DbResult<()> {
        let mut answers = answers.into_iter();
        self.projector.add_protections(read_protections(&needs.people, &mut answers)?);
        let mut next = || answers.next().unwrap_or_default();
        for (stream, mut c) in each(&needs.streams, next()) {
            self.epochs.insert(*stream, Epoch(c.int()?));
        }
        for (account, mut c) in each(&needs.accounts, next()) {
            self.balances.insert(*account, Cents(c.int()?));
        }
        for (key, c) in each(&needs.commands, next()) {
            self.stored.insert(key.clone(), read_stored(c)?);
        }
        self.names.extend(each(&needs.names, next()).map(|(name, _)| name.clone()));
        self.held.extend(each(&needs.claims, next()).map(|((stream, _), _)| *stream));
        Ok(())
    }

    fn verdict(&mut self, draft: Draft) -> Result<Receipt, Denied> {
        if draft.follows && self.broken {
            return Err(Denied::Behind);
        }
        let verdict = self.judge(draft);
        self.broken = !matches!(&verdict, Ok(receipt) if !receipt.repeated);
        verdict
    }

    fn judge(&mut self, draft: Draft) -> Result<Receipt, Denied> {
        let key = (draft.person, draft.command.clone());
        if let Some((body, receipt)) = self.stored.get(&key) {
            return if *body == draft.body { Ok(receipt.clone()) } else { Err(Denied::OtherBody) };
        }
        if draft.stream != Stream::House
            && (draft.fence.is_none() || self.epochs.get(&draft.stream) != draft.fence.as_ref())
        {
            return Err(Denied::Fenced);
        }
        if draft.stream != Stream::House && !self.when.certain {
            return Err(Denied::Clock);
        }
        if draft.row_changes.iter().filter_map(RowChange::new_name).any(|name| self.names.contains(&name)) {
            return Err(Denied::NameTaken);
        }
        if !balanced(draft.postings.legs().iter().map(|leg| (&leg.account, leg.amount))) {
            return Err(Denied::Unbalanced);
        }
        self.admits(draft.claim.as_ref())?;
        let legs = self.move_chips(&draft)?;
        self.projector.admits(draft.stream, &legs, self.when)?;
        let body = draft.body;
        let receipt = self.append(draft, legs)?;
        self.stored.insert(key, (body, Receipt { repeated: true, ..receipt.clone() }));
        Ok(receipt)
    }

    /// Returns an error if `claim` requires another previous owner than the table has.
    fn admits(&self, claim: Option<&Claim>) -> Result<(), Denied> {
        match claim {
            Some(Claim { stream, from: ClaimFrom::TheAbsent, .. }) if self.held.contains(stream) => {
                Err(Denied::Held)
            }
            Some(Claim { stream, from: ClaimFrom::Owner(epoch), .. })
                if self.epochs.get(stream) != Some(epoch) =>
            {
                Err(Denied::Fenced)
            }
            _ => Ok(()),
        }
    }

    /// Returns the legs that a draft's chip movements come to at the present balances.
    ///
    /// Each leg in turn must leave its account with a valid balance: a later credit in the same command does not
    /// cover an earlier debit.
    fn move_chips(&self, draft: &Draft) -> Result<Vec<PostedLeg>, Denied> {
        let mut legs: Vec<PostedLeg> = Vec::with_capacity(draft.postings.legs().len());
        let held = |account: Account, legs: &[PostedLeg]| {
            let moved = legs.iter().rev().find(|leg| leg.account == account).map(|leg| leg.after);
            moved.or_else(|| self.balances.get(&account).copied()).unwrap_or_default()
        };
        // What the preceding pair moved, if it was bounded.
        let mut moved = Cents::ZERO;
        for pair in draft.postings.legs().chunks(2) {
            let most = match pair {
                [from, to] => match from.bound {
                    Bound::Exact => Cents(i64::MAX),
                    Bound::AsFarAsHeld => held(from.account, &legs).min(to.amount),
                    Bound::UpTo(balance) => {
                        Cents(balance.0.saturating_sub(held(to.account, &legs).0)).min(to.amount)
                    }
                    Bound::HeldAndOwed => {
                        held(from.account, &legs).min(Cents(held(to.account, &legs).0.saturating_neg()))
                    }
                    Bound::Rest => Cents(to.amount.0.saturating_sub(moved.0)),
                },
                _ => Cents(i64::MAX),
            };
            moved = Cents::ZERO;
            if most <= Cents::ZERO {
                continue;
            }
            moved = most;
            for leg in pair {
                let amount = Cents(leg.amount.0.clamp(-most.0, most.0));
                let before = held(leg.account, &legs);
                let balance = before.0.checked_add(amount.0).map(Cents).ok_or(Denied::Short(leg.account))?;
                if !leg.account.may_hold(balance) {
                    return Err(Denied::Short(leg.account));
                }
                legs.push(PostedLeg { account: leg.account, amount, after: balance });
            }
        }
        Ok(legs)
    }

    /// Appends an accepted command to the journal, projects it, and returns its receipt.
    fn append(&mut self, mut draft: Draft, legs: Vec<PostedLeg>) -> Result<Receipt, Denied> {
        let head = self.projector.head;
        let seq = Seq(head.seq.0 + 1);
        if let Some(Claim { stream, owner, .. }) = draft.claim.take() {
            let epoch = Epoch(self.epochs.get(&stream).map_or(0, |epoch| epoch.0) + 1);
            draft.row_changes.push(RowChange::Owner { table: stream.number(), owner, epoch: epoch.0 });
            draft.answer = epoch.0.to_string().into_bytes();
            self.epochs.insert(stream, epoch);
            // If two nodes claim a table in one batch, the first gets it.
            self.held.insert(stream);
        }
        if draft.checkpoint {
            draft.row_changes.push(RowChange::Checkpoint {
                table: draft.stream.number(),
                seq,
                round: draft.round,
            });
        }
        // A record that confirms the time is itself dated by the confirmed time.
        if let Some(now) = confirmation(draft.kind, &draft.row_changes) {
            (self.when.now, self.when.today) = (now, GamingDay::at(now, self.day_starts_ms));
        }
        let mut record = Record {
            seq,
            at: self.when.now,
            day: self.when.today,
            stream: draft.stream,
            round: draft.round,
            kind: draft.kind.into(),
            person: draft.person,
            command: draft.command,
            body: draft.body,
            epoch: draft.fence.unwrap_or(Epoch(0)),
            event: draft.event,
            legs,
            effects: draft.effects,
            row_changes: draft.row_changes,
            answer: draft.answer,
            hash: Digest::default(),
        };
        let line = record.hashed_row(head.hash).ok_or(Denied::NotText)?;
        self.rows.push(line.into_row());
        self.notifications.extend(notifications(&record));
        self.names.extend(record.row_changes.iter().filter_map(RowChange::new_name));
        self.balances.extend(record.legs.iter().map(|leg| (leg.account, leg.after)));
        self.projector.apply(&record);
        Ok(Receipt { seq, at: self.when.now, answer: record.answer, legs: record.legs, repeated: false })
    }

    /// Returns the statements that store the accepted commands.
    fn changes<'a>(&mut self, row_changes: &'a [RowChange]) -> Vec<Query<'a>> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let mut changes = vec![Query { sql: INSERT, rows: std::mem::take(&mut self.rows) }];
        changes.extend(self.projector.changes(row_changes));
        changes
    }
}

/// Returns the notifications for a record that changes what other nodes may have cached.
fn notifications(record: &Record) -> Vec<String> {
    use crate::people::RowChange as K;
    let kept = record.row_changes.iter().filter_map(|row_change| match row_change {
        K::Join { person, .. }
        | K::Role { person, .. }
        | K::Secret { person, .. }
        | K::Disabled { person, .. }
        | K::SecretIfOpen { person, .. }
        | K::EndSessionsBut { person, .. }
        | K::EndSessionsButIf { person, .. }
        | K::EndSessionsOf(person)
        | K::Forget(person) => Some(NodeNotification::Person(*person)),
        K::EndSession(token) => Some(NodeNotification::Session(*token)),
        K::Setting { name, .. } if SHARED.iter().any(|shared| name.starts_with(shared)) => {
            Some(NodeNotification::Setting(name.clone()))
        }
        K::Owner { .. } => Some(NodeNotification::Owners),
        _ => None,
    });
    let left = record.effects.iter().filter_map(|effect| match effect {
        Effect::Exclude { person, .. } => Some(NodeNotification::Leave(*person)),
        Effect::Limit { .. } => None,
    });
    kept.chain(left).map(|notification| notification.text()).collect()
}

/// The prefixes of the settings that nodes cache.
const SHARED: [&str; 4] = ["call/", "chips/", "clock-confirmed", "second-factor/"];

/// Returns the first row found for each key, leaving out keys without a row.
fn each<K>(keys: impl IntoIterator<Item = K>, found: Sets) -> impl Iterator<Item = (K, Columns)> {
    let first = |(key, rows): (K, Vec<Found>)| Some((key, Columns::of(rows.into_iter().next()?)));
    keys.into_iter().zip(found).filter_map(first)
}

/// Reads a stored command: the digest of its body, and its first receipt.
fn read_stored(mut c: Columns) -> DbResult<(Digest, Receipt)> {
    let body = Digest::from_slice(&c.bytes()?);
    let (seq, at, answer) = (Seq(c.int()?), Moment(c.int()?), c.text()?.into_bytes());
    match (body, legs_of_text(&c.text()?)) {
        (Some(body), Some(legs)) => Ok((body, Receipt { seq, at, answer, legs, repeated: true })),
        _ => Err(DbError::Refused("a stored command is malformed; run the audit".into())),
    }
}
