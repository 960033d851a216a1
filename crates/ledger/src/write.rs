//! Writing a batch: every command of it is judged in turn against what the batch has seen so far, and all that pass
//! become durable in one transaction, with every projection of them. This is the only place that appends to the journal.
//! Nothing is remembered between batches, so that whatever another server wrote meanwhile is seen.

use crate::account::Account;
use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, Row};
use crate::draft::{Claim, ClaimFrom, Denied, Draft, Epoch, Fault, Receipt};
use crate::durability::Durability;
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, Seq, Stream};
use crate::journal::{Head, locked_head};
use crate::nodes;
use crate::nodes::Word;
use crate::people::Keep;
use crate::posting::{Bound, PostedLeg, balanced};
use crate::project::{Projector, When};
use crate::protect::Effect;
use crate::record::{Digest, INSERT, Record, legs_of_text};
use crate::row;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The moment of a batch and the gaming day it falls on.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub now: Moment,
    /// The confirmed time, by which exclusions end and limits are loosened.
    pub confirmed: Moment,
    /// Nobody plays while the time is in doubt.
    pub certain: bool,
    pub day_starts_ms: i64,
}

/// Who gave a command, and the id that it was given.
type Key = (PersonId, CommandId);

/// The verdicts, one per draft, in order.
pub type Verdicts = Vec<Result<Receipt, Denied>>;

/// Writes the drafts, which are asked for when it is this server's turn; answers what became of them, and the journal's
/// head. After `Fault::Store` nothing is stored; after `Fault::Unknown` all of it may be.
pub fn write_batch(
    db: &mut dyn Db,
    (clock, durability): (Clock, Durability),
    drafts: &mut dyn FnMut() -> Vec<Draft>,
) -> Result<(Verdicts, Head), Fault> {
    db.begin(Purpose::Write)?;
    let mut work = || {
        let head = locked_head(db)?;
        // Another server may have had the head for a while: whatever has come meanwhile goes along.
        let drafts = drafts();
        // A clock set back never puts a record before the one it follows.
        let now = clock.now.max(head.at);
        let when = When {
            today: GamingDay::at(now, clock.day_starts_ms),
            now,
            confirmed: clock.confirmed,
            certain: clock.certain,
        };
        let mut batch = Batch::read(db, head, when, &drafts)?;
        let verdicts = drafts.into_iter().map(|draft| batch.verdict(draft)).collect();
        batch.store(db)?;
        durability.attached(db)?;
        DbResult::Ok((verdicts, batch.projector.head))
    };
    let written = work().inspect_err(|_| db.rollback())?;
    db.commit().map_err(Fault::of_commit)?;
    durability.arrived(db).map_err(Fault::Unknown)?;
    Ok(written)
}

struct Batch {
    when: When,
    epochs: HashMap<Stream, Epoch>,
    balances: HashMap<Account, Cents>,
    /// Commands that are stored, before this batch or by it.
    stored: HashMap<Key, (Digest, Receipt)>,
    names: HashSet<String>,
    /// Streams to take over from an absent owner, but whose owner is alive.
    held: HashSet<Stream>,
    projector: Projector,
    rows: Vec<Row<'static>>,
    /// What other nodes hear when this is committed.
    words: BTreeSet<String>,
    /// A command of the chain was not stored now, so those that follow it are not either.
    broken: bool,
}

impl Batch {
    /// Reads what these commands need to be judged, in a few questions for all.
    fn read(db: &mut dyn Db, head: Head, when: When, drafts: &[Draft]) -> DbResult<Batch> {
        let legs = || drafts.iter().flat_map(|d| d.postings.legs());
        let moving = legs().filter_map(|leg| leg.account.person());
        let changing = drafts.iter().flat_map(|d| &d.effects).map(|effect| effect.person());
        let mut projector = Projector::at(head);
        projector.learn(db, &moving.chain(changing).collect(), when.today)?;
        let streams =
            drafts.iter().flat_map(|d| [Some(d.stream), d.claim.as_ref().map(|claim| claim.stream)]);
        Ok(Batch {
            when,
            epochs: epochs(db, streams.flatten().collect())?,
            balances: balances(db, legs().map(|leg| leg.account).collect())?,
            stored: stored(db, drafts)?,
            names: names_taken(db, drafts)?,
            held: held(db, drafts)?,
            projector,
            rows: Vec::with_capacity(drafts.len()),
            words: BTreeSet::new(),
            broken: false,
        })
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
        if draft.keep.iter().filter_map(Keep::new_name).any(|name| self.names.contains(&name)) {
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

    /// May a table change hands like this?
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

    /// Each leg in turn must leave its account lawful: money that comes back later in the same command pays for nothing.
    fn move_chips(&self, draft: &Draft) -> Result<Vec<PostedLeg>, Denied> {
        let mut legs: Vec<PostedLeg> = Vec::with_capacity(draft.postings.legs().len());
        let held = |account: Account, legs: &[PostedLeg]| {
            let moved = legs.iter().rev().find(|leg| leg.account == account).map(|leg| leg.after);
            moved.or_else(|| self.balances.get(&account).copied()).unwrap_or_default()
        };
        // What the pair before moved, where it was bounded.
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

    /// Puts an accepted command into the journal and projects it.
    fn append(&mut self, mut draft: Draft, legs: Vec<PostedLeg>) -> Result<Receipt, Denied> {
        let head = self.projector.head;
        let seq = Seq(head.seq.0 + 1);
        if let Some(Claim { stream, owner, .. }) = draft.claim.take() {
            let epoch = Epoch(self.epochs.get(&stream).map_or(0, |epoch| epoch.0) + 1);
            draft.keep.push(Keep::Owner { table: stream.number(), owner, epoch: epoch.0 });
            draft.answer = epoch.0.to_string().into_bytes();
            self.epochs.insert(stream, epoch);
            // Of two that want it in one batch, the first has it.
            self.held.insert(stream);
        }
        if draft.checkpoint {
            draft.keep.push(Keep::Checkpoint { table: draft.stream.number(), seq, round: draft.round });
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
            keep: draft.keep,
            answer: draft.answer,
            hash: Digest::default(),
        };
        let line = record.written(head.hash).ok_or(Denied::NotText)?;
        self.rows.push(line.into_row());
        self.words.extend(told(&record));
        self.names.extend(record.keep.iter().filter_map(Keep::new_name));
        self.balances.extend(record.legs.iter().map(|leg| (leg.account, leg.after)));
        self.projector.apply(&record);
        Ok(Receipt { seq, at: self.when.now, answer: record.answer, legs: record.legs, repeated: false })
    }

    fn store(&mut self, db: &mut dyn Db) -> DbResult<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        db.run(INSERT, &self.rows)?;
        self.projector.store(db)?;
        db.tell(&std::mem::take(&mut self.words))
    }
}

/// What a record changes that another node may remember otherwise.
fn told(record: &Record) -> Vec<String> {
    use crate::people::Keep as K;
    let kept = record.keep.iter().filter_map(|keep| match keep {
        K::Join { person, .. }
        | K::Role { person, .. }
        | K::Secret { person, .. }
        | K::Disabled { person, .. }
        | K::SecretIfOpen { person, .. }
        | K::EndSessionsBut { person, .. }
        | K::EndSessionsButIf { person, .. }
        | K::EndSessionsOf(person)
        | K::Forget(person) => Some(Word::Person(*person)),
        K::EndSession(token) => Some(Word::Session(*token)),
        K::Setting { name, .. } if SHARED.iter().any(|shared| name.starts_with(shared)) => {
            Some(Word::Setting(name.clone()))
        }
        K::Owner { .. } => Some(Word::Owners),
        _ => None,
    });
    let left = record.effects.iter().filter_map(|effect| match effect {
        Effect::Exclude { person, .. } => Some(Word::Leave(*person)),
        Effect::Limit { .. } => None,
    });
    kept.chain(left).map(|word| word.text()).collect()
}

/// Settings that nodes remember, by how their names begin.
const SHARED: [&str; 4] = ["call/", "chips/", "clock-confirmed", "second-factor/"];

/// Streams that are wanted from who is absent, and are not theirs to take.
fn held(db: &mut dyn Db, drafts: &[Draft]) -> DbResult<HashSet<Stream>> {
    let mut held = HashSet::new();
    for claim in drafts.iter().filter_map(|draft| draft.claim.as_ref()) {
        if claim.from == ClaimFrom::TheAbsent
            && nodes::held_by_another(db, claim.stream.number(), &claim.owner)?
        {
            held.insert(claim.stream);
        }
    }
    Ok(held)
}

/// The first row that was found for each of these, where there is one.
fn each<K>(keys: impl IntoIterator<Item = K>, found: Vec<Vec<Found>>) -> impl Iterator<Item = (K, Columns)> {
    let first = |(key, rows): (K, Vec<Found>)| Some((key, Columns::of(rows.into_iter().next()?)));
    keys.into_iter().zip(found).filter_map(first)
}

fn epochs(db: &mut dyn Db, streams: BTreeSet<Stream>) -> DbResult<HashMap<Stream, Epoch>> {
    let rows: Vec<_> = streams.iter().map(|s| row![s.number()]).collect();
    let found = db.ask("SELECT epoch FROM owners WHERE table_no = $1", &rows)?;
    each(streams, found).map(|(stream, mut c)| Ok((stream, Epoch(c.int()?)))).collect()
}

fn balances(db: &mut dyn Db, accounts: BTreeSet<Account>) -> DbResult<HashMap<Account, Cents>> {
    let rows: Vec<_> = accounts.iter().map(|a| row![a.number()]).collect();
    let found = db.ask("SELECT balance FROM accounts WHERE account = $1", &rows)?;
    each(accounts, found).map(|(account, mut c)| Ok((account, Cents(c.int()?)))).collect()
}

/// Commands of this batch that were stored before.
fn stored(db: &mut dyn Db, drafts: &[Draft]) -> DbResult<HashMap<Key, (Digest, Receipt)>> {
    let rows: Vec<_> = drafts.iter().map(|d| row![d.command.as_str(), d.person.0]).collect();
    let sql = "SELECT request, seq, at, answer, legs FROM journal WHERE command = $1 AND person = $2";
    let found = db.ask(sql, &rows)?;
    let keys = drafts.iter().map(|d| (d.person, d.command.clone()));
    let receipt = |(key, mut c): (Key, Columns)| {
        let body = Digest::from_slice(&c.bytes()?);
        let (seq, at, answer) = (Seq(c.int()?), Moment(c.int()?), c.text()?.into_bytes());
        match (body, legs_of_text(&c.text()?)) {
            (Some(body), Some(legs)) => Ok((key, (body, Receipt { seq, at, answer, legs, repeated: true }))),
            _ => Err(DbError::Refused("a stored command is malformed; run the audit".into())),
        }
    };
    each(keys, found).map(receipt).collect()
}

fn names_taken(db: &mut dyn Db, drafts: &[Draft]) -> DbResult<HashSet<String>> {
    let wanted: Vec<String> = drafts.iter().flat_map(|d| &d.keep).filter_map(Keep::new_name).collect();
    let rows: Vec<_> = wanted.iter().map(|name| row![name.as_str()]).collect();
    let found = db.ask("SELECT person FROM people WHERE folded = $1", &rows)?;
    Ok(each(wanted, found).map(|(name, _)| name).collect())
}
