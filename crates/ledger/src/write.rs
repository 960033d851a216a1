//! Writing a batch: every command of it is judged in turn against what the batch has seen so far, and all that pass
//! become durable in one transaction. This is the only place that appends to the journal or changes a balance.

use crate::account::{Account, Holder};
use crate::db::{Db, DbError, DbResult, Purpose, Row, transact};
use crate::draft::{Denied, Draft, Receipt};
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, Seq, Stream};
use crate::loaded::{Head, Loaded, Prior, new_name};
use crate::people::Keep;
use crate::posting::{PostedLeg, balanced};
use crate::protect::{Effect, Protection};
use crate::recent::Recent;
use crate::record::{Record, effects_to_bytes, legs_to_bytes};
use crate::row;
use std::collections::{BTreeMap, HashMap};

/// The moment of a batch and the gaming day it falls on.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub now: Moment,
    pub day_starts_ms: i64,
}

/// Writes the drafts and the loose rows; one verdict a draft, in order. On an error nothing is stored.
pub fn write_batch(
    db: &mut dyn Db,
    clock: Clock,
    (drafts, loose): (&[&Draft], &[Keep]),
    recent: &mut Option<Recent>,
) -> DbResult<Vec<Result<Receipt, Denied>>> {
    // Forgotten unless all goes well.
    let mut remembered = recent.take();
    let (verdicts, batch) = transact(db, Purpose::Write, |db| {
        let mut batch = Batch::open(db, clock, drafts, &mut remembered)?;
        let verdicts = drafts.iter().map(|draft| batch.judge(draft)).collect();
        batch.keep.extend_from_slice(loose);
        batch.store(db)?;
        Ok::<_, DbError>((verdicts, batch))
    })?;
    *recent = remembered.map(|recent| batch.remembered(recent));
    Ok(verdicts)
}

struct Batch {
    loaded: Loaded,
    now: Moment,
    today: GamingDay,
    records: Vec<Record>,
    /// Commands stored by this batch.
    stored: Vec<(PersonId, CommandId)>,
    limits: Vec<Row>,
    exclusions: Vec<Row>,
    checkpoints: BTreeMap<i64, Row>,
    keep: Vec<Keep>,
}

impl Batch {
    fn open(
        db: &mut dyn Db,
        clock: Clock,
        drafts: &[&Draft],
        recent: &mut Option<Recent>,
    ) -> DbResult<Batch> {
        let today = GamingDay::at(clock.now, clock.day_starts_ms);
        let loaded = Loaded::for_batch(db, drafts, today, recent)?;
        // A clock set back never puts a record before the one it follows.
        let now = clock.now.max(loaded.head.at);
        Ok(Batch {
            now,
            today: GamingDay::at(now, clock.day_starts_ms),
            loaded,
            records: Vec::new(),
            stored: Vec::new(),
            limits: Vec::new(),
            exclusions: Vec::new(),
            checkpoints: BTreeMap::new(),
            keep: Vec::new(),
        })
    }

    fn judge(&mut self, draft: &Draft) -> Result<Receipt, Denied> {
        let key = (draft.person, draft.command.clone());
        if let Some(prior) = self.loaded.prior.get(&key) {
            return if prior.body == draft.body { Ok(prior.receipt.clone()) } else { Err(Denied::OtherBody) };
        }
        if draft.stream != Stream::House
            && (draft.fence.is_none() || self.loaded.epochs.get(&draft.stream) != draft.fence.as_ref())
        {
            return Err(Denied::Fenced);
        }
        if draft.keep.iter().filter_map(new_name).any(|name| self.loaded.names.contains(&name)) {
            return Err(Denied::NameTaken);
        }
        if !balanced(draft.postings.legs().iter().map(|leg| (&leg.account, leg.amount))) {
            return Err(Denied::Unbalanced);
        }
        let (legs, after) = self.move_chips(draft)?;
        let protections = self.protect(draft, &legs)?;
        // After this point the command is accepted.
        self.loaded.balances.extend(after);
        self.loaded.protections.extend(protections);
        let receipt = self.append(draft, legs);
        let again = Receipt { repeated: true, ..receipt.clone() };
        self.stored.push(key.clone());
        self.loaded.prior.insert(key, Prior { body: draft.body, receipt: again });
        Ok(receipt)
    }

    /// What the writer knows after this batch.
    fn remembered(mut self, mut recent: Recent) -> Recent {
        recent.head = self.loaded.head;
        recent.balances.extend(self.loaded.balances);
        recent.protections.extend(self.loaded.protections);
        for key in self.stored {
            if let Some(prior) = self.loaded.prior.remove(&key) {
                recent.prior.insert(key, prior);
            }
        }
        recent.unfolded.append(&mut self.records);
        recent
    }

    /// Each leg in turn must leave its account lawful: money that comes back later in the same command pays for nothing.
    fn move_chips(&self, draft: &Draft) -> Result<(Vec<PostedLeg>, HashMap<i64, Cents>), Denied> {
        let mut after: HashMap<i64, Cents> = HashMap::new();
        let mut legs = Vec::with_capacity(draft.postings.legs().len());
        for pair in draft.postings.legs().chunks(2) {
            let held = |account: Account, after: &HashMap<i64, Cents>| {
                let number = account.number();
                after.get(&number).or_else(|| self.loaded.balances.get(&number)).copied().unwrap_or_default()
            };
            let most = match pair {
                [from, to] if from.as_far_as_held => held(from.account, &after).min(to.amount),
                _ => Cents(i64::MAX),
            };
            if most <= Cents::ZERO {
                continue;
            }
            for leg in pair {
                let amount = Cents(leg.amount.0.clamp(-most.0, most.0));
                let before = held(leg.account, &after);
                let balance = before.0.checked_add(amount.0).map(Cents).ok_or(Denied::Short(leg.account))?;
                if !leg.account.may_hold(balance) {
                    return Err(Denied::Short(leg.account));
                }
                after.insert(leg.account.number(), balance);
                legs.push(PostedLeg { account: leg.account, amount, after: balance });
            }
        }
        Ok((legs, after))
    }

    fn protect(&self, draft: &Draft, legs: &[PostedLeg]) -> Result<BTreeMap<PersonId, Protection>, Denied> {
        let mut changed = BTreeMap::new();
        for (leg, sense) in senses(draft.stream, legs) {
            let Some(person) = leg.account.person() else {
                continue;
            };
            let protection = match changed.get_mut(&person) {
                Some(protection) => protection,
                None => {
                    let known = self.loaded.protections.get(&person).cloned().unwrap_or_default();
                    changed.entry(person).or_insert(known)
                }
            };
            protect_leg(protection, sense, leg.amount, (self.today, self.now))?;
        }
        Ok(changed)
    }

    fn append(&mut self, draft: &Draft, legs: Vec<PostedLeg>) -> Receipt {
        for effect in &draft.effects {
            self.take_effect(*effect);
        }
        self.keep.extend_from_slice(&draft.keep);
        self.loaded.names.extend(draft.keep.iter().filter_map(new_name));
        let head = self.loaded.head;
        let mut record = Record {
            seq: Seq(head.seq.0 + 1),
            at: self.now,
            day: self.today,
            stream: draft.stream,
            round: draft.round,
            kind: draft.kind.to_owned(),
            person: draft.person,
            command: draft.command.clone(),
            body: draft.body,
            event: draft.event.clone(),
            legs,
            effects: draft.effects.clone(),
            answer: draft.answer.clone(),
            hash: head.hash,
        };
        record.hash = record.chained(head.hash);
        self.loaded.head = Head { seq: record.seq, hash: record.hash, at: self.now };
        if let Some(state) = &draft.checkpoint {
            let stream = draft.stream.number();
            self.checkpoints.insert(stream, row![stream, record.seq.0, draft.round.0, state.clone()]);
        }
        let receipt = Receipt {
            seq: record.seq,
            at: record.at,
            answer: record.answer.clone(),
            legs: record.legs.clone(),
            repeated: false,
        };
        self.records.push(record);
        receipt
    }

    fn take_effect(&mut self, effect: Effect) {
        let protection = self.loaded.protections.entry(effect.person()).or_default();
        match effect {
            Effect::Limit { person, measure, span, most } => {
                let limit = protection.change_limit((measure, span), most, self.now);
                let (later_most, later_at) =
                    limit.later.map_or((None, None), |(most, at)| (most, Some(at.0)));
                self.limits.push(row![
                    person.0,
                    measure.number(),
                    span.days(),
                    limit.most,
                    later_most,
                    later_at
                ]);
            }
            Effect::Exclude { person, until } => {
                self.exclusions.push(row![person.0, protection.exclude(until).0]);
            }
        }
    }

    fn store(&mut self, db: &mut dyn Db) -> DbResult<()> {
        db.run(
            "INSERT INTO journal (seq, at, day, stream, round, kind, person, command, body, event, legs, effects, \
             answer, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            &self.records.iter().map(journal_row).collect::<Vec<_>>(),
        )?;
        self.store_protections(db)?;
        db.run(
            "INSERT INTO checkpoints (stream, seq, round, state) VALUES ($1, $2, $3, $4) ON CONFLICT (stream) \
             DO UPDATE SET seq = excluded.seq, round = excluded.round, state = excluded.state",
            &std::mem::take(&mut self.checkpoints).into_values().collect::<Vec<_>>(),
        )?;
        for keep in &self.keep {
            let (sql, row) = keep.statement();
            db.run(sql, &[row])?;
        }
        if !self.records.is_empty() {
            let head = self.loaded.head;
            db.run(
                "UPDATE head SET seq = $1, hash = $2, at = $3 WHERE one = 1",
                &[row![head.seq.0, head.hash.0, head.at.0]],
            )?;
        }
        Ok(())
    }

    fn store_protections(&self, db: &mut dyn Db) -> DbResult<()> {
        db.run(
            "INSERT INTO limits (person, measure, span, most, later_most, later_at) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (person, measure, span) DO UPDATE SET most = excluded.most, \
             later_most = excluded.later_most, later_at = excluded.later_at",
            &self.limits,
        )?;
        db.run(
            "INSERT INTO exclusions (person, until) VALUES ($1, $2) \
             ON CONFLICT (person) DO UPDATE SET until = excluded.until",
            &self.exclusions,
        )?;
        Ok(())
    }
}

/// What a leg of a player's account is to the player's own protection. At a table a debit is a wager and a credit comes
/// back from one; what goes to a debt gives back what had come; elsewhere a credit is a deposit, a debit a withdrawal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    Play,
    Undone,
    Cage,
}

/// Every leg with its sense; legs come in pairs.
pub(crate) fn senses(stream: Stream, legs: &[PostedLeg]) -> impl Iterator<Item = (&PostedLeg, Sense)> {
    legs.chunks(2).flat_map(move |pair| {
        let to_debt = pair.iter().any(|leg| matches!(leg.account.holder, Holder::Owed(_)));
        let sense = match stream {
            Stream::House => Sense::Cage,
            Stream::Table(_) if to_debt => Sense::Undone,
            Stream::Table(_) => Sense::Play,
        };
        pair.iter().map(move |leg| (leg, sense))
    })
}

/// Counts one leg of a player's account, and refuses it where the player's own protection says so.
pub(crate) fn protect_leg(
    protection: &mut Protection,
    sense: Sense,
    amount: Cents,
    (today, now): (GamingDay, Moment),
) -> Result<(), Denied> {
    match sense {
        Sense::Cage if amount > Cents::ZERO => return Ok(protection.admits(now)?),
        Sense::Cage => return Ok(()),
        Sense::Play if amount < Cents::ZERO => protection.allows_wager(-amount, today, now)?,
        Sense::Play | Sense::Undone => {}
    }
    protection.today(today).count(amount, sense == Sense::Undone, now);
    Ok(())
}

fn journal_row(r: &Record) -> Row {
    row![
        r.seq.0,
        r.at.0,
        r.day.0,
        r.stream.number(),
        r.round.0,
        r.kind.as_str(),
        r.person.0,
        r.command.as_str(),
        r.body.0,
        r.event.clone(),
        legs_to_bytes(&r.legs),
        effects_to_bytes(&r.effects),
        r.answer.clone(),
        r.hash.0,
    ]
}
