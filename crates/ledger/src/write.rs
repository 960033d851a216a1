//! Writing a batch: every command of it is judged in turn against what the batch has seen so far, and all that pass
//! become durable in one transaction. This is the only place that appends to the journal or changes a balance.

use crate::account::{Account, Holder};
use crate::db::{Db, DbError, DbResult, Purpose, Row, transact};
use crate::draft::{Denied, Draft, Receipt};
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, Seq, Stream};
use crate::loaded::{Head, Loaded, new_name};
use crate::page::Pages;
use crate::people::Keep;
use crate::posting::{Bound, PostedLeg, balanced};
use crate::protect::{Effect, PlayDay, Protection};
use crate::recent::Recent;
use crate::record::{Digest, Record};
use crate::row;
use std::collections::BTreeMap;

/// The moment of a batch and the gaming day it falls on.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub now: Moment,
    /// What has certainly come of it: exclusions end, and limits are loosened, by this.
    pub confirmed: Moment,
    /// Nobody plays while the time is in doubt.
    pub certain: bool,
    pub day_starts_ms: i64,
}

/// Writes the drafts and the loose rows; one verdict a draft, in order. On an error nothing is stored.
pub fn write_batch(
    db: &mut dyn Db,
    clock: Clock,
    (drafts, loose): (Vec<Draft>, Vec<Keep>),
    recent: &mut Option<Recent>,
) -> DbResult<Vec<Result<Receipt, Denied>>> {
    // Forgotten unless all goes well.
    let known = recent.take();
    let (verdicts, known) = transact(db, Purpose::Write, |db| {
        let mut known = Recent::or_anew(known, db)?;
        // A clock set back never puts a record before the one it follows.
        let now = clock.now.max(known.head.at);
        let today = GamingDay::at(now, clock.day_starts_ms);
        let loaded = known.learn(db, &drafts, today)?;
        let mut batch = Batch::new(known, loaded, (now, today), clock);
        let verdicts = drafts.into_iter().map(|draft| batch.verdict(draft)).collect();
        batch.keep.extend(loose);
        batch.store(db)?;
        Ok::<_, DbError>((verdicts, batch.known))
    })?;
    *recent = Some(known);
    Ok(verdicts)
}

struct Batch {
    /// As the writer will remember it if all goes well.
    known: Recent,
    loaded: Loaded,
    now: Moment,
    today: GamingDay,
    clock: Clock,
    pages: Pages,
    before: Head,
    /// Days of play as they were before each leg of the command that is judged.
    counted: Vec<(PersonId, PlayDay)>,
    /// A command of the chain was not stored now, so those that follow it are not either.
    broken: bool,
    limits: Vec<Row<'static>>,
    exclusions: Vec<Row<'static>>,
    checkpoints: BTreeMap<i64, Row<'static>>,
    keep: Vec<Keep>,
}

impl Batch {
    fn new(known: Recent, loaded: Loaded, (now, today): (Moment, GamingDay), clock: Clock) -> Batch {
        Batch {
            before: known.head,
            pages: Pages::default(),
            counted: Vec::new(),
            known,
            loaded,
            now,
            today,
            clock,
            broken: false,
            limits: Vec::new(),
            exclusions: Vec::new(),
            checkpoints: BTreeMap::new(),
            keep: Vec::new(),
        }
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
        if let Some((body, receipt)) = self.stored_before(&key) {
            return if body == draft.body { Ok(receipt) } else { Err(Denied::OtherBody) };
        }
        if draft.stream != Stream::House
            && (draft.fence.is_none() || self.known.epochs.get(&draft.stream) != draft.fence.as_ref())
        {
            return Err(Denied::Fenced);
        }
        if draft.stream != Stream::House && !self.clock.certain {
            return Err(Denied::Clock);
        }
        if draft.keep.iter().filter_map(new_name).any(|name| self.loaded.names.contains(&name)) {
            return Err(Denied::NameTaken);
        }
        if !balanced(draft.postings.legs().iter().map(|leg| (&leg.account, leg.amount))) {
            return Err(Denied::Unbalanced);
        }
        let legs = self.move_chips(&draft)?;
        self.protect(&draft, &legs)?;
        // After this point the command is accepted.
        self.known.balances.extend(legs.iter().map(|leg| (leg.account.number(), leg.after)));
        let receipt = self.append(draft, legs);
        self.known.add(key, receipt.seq);
        Ok(receipt)
    }

    /// The digest and the receipt of a command that is in the journal already.
    fn stored_before(&self, key: &(PersonId, CommandId)) -> Option<(Digest, Receipt)> {
        match self.known.seq_of(key) {
            Some(seq) => {
                let record = self.known.record(seq).or_else(|| self.pages.record(seq))?;
                Some((record.body, receipt(record, true)))
            }
            None => self.loaded.prior.get(key).map(|prior| (prior.body, prior.receipt.clone())),
        }
    }

    /// Each leg in turn must leave its account lawful: money that comes back later in the same command pays for nothing.
    fn move_chips(&self, draft: &Draft) -> Result<Vec<PostedLeg>, Denied> {
        let mut legs: Vec<PostedLeg> = Vec::with_capacity(draft.postings.legs().len());
        let held = |account: Account, legs: &[PostedLeg]| {
            let moved = legs.iter().rev().find(|leg| leg.account == account).map(|leg| leg.after);
            moved.or_else(|| self.known.balances.get(&account.number()).copied()).unwrap_or_default()
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

    /// Counts the legs as play of those whose chips they move. If one of them may not move, none was counted.
    fn protect(&mut self, draft: &Draft, legs: &[PostedLeg]) -> Result<(), Denied> {
        let when = When { today: self.today, now: self.now, confirmed: self.clock.confirmed };
        self.counted.clear();
        for (leg, sense) in senses(draft.stream, legs) {
            let Some(person) = leg.account.person() else {
                continue;
            };
            let protection = self.known.protections.entry(person).or_default();
            self.counted.push((person, *protection.today(self.today)));
            if let Err(denied) = protect_leg(protection, sense, leg.amount, when) {
                for (person, before) in self.counted.drain(..).rev() {
                    *self.known.protections.entry(person).or_default().today(self.today) = before;
                }
                return Err(denied);
            }
        }
        Ok(())
    }

    fn append(&mut self, draft: Draft, legs: Vec<PostedLeg>) -> Receipt {
        for effect in &draft.effects {
            self.take_effect(*effect);
        }
        self.loaded.names.extend(draft.keep.iter().filter_map(new_name));
        self.keep.extend(draft.keep);
        let head = self.known.head;
        let mut record = Record {
            seq: Seq(head.seq.0 + 1),
            at: self.now,
            day: self.today,
            stream: draft.stream,
            round: draft.round,
            kind: draft.kind.into(),
            person: draft.person,
            command: draft.command,
            body: draft.body,
            event: draft.event,
            legs,
            effects: draft.effects,
            answer: draft.answer,
            hash: head.hash,
        };
        self.pages.add(&mut record, head.hash);
        self.known.head = Head { seq: record.seq, hash: record.hash, at: self.now };
        if let Some(state) = draft.checkpoint {
            let stream = draft.stream.number();
            self.checkpoints.insert(stream, row![stream, record.seq.0, draft.round.0, state]);
        }
        receipt(record, false)
    }

    fn take_effect(&mut self, effect: Effect) {
        let protection = self.known.protections.entry(effect.person()).or_default();
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
        let pages = std::mem::take(&mut self.pages).store(db)?;
        self.known.bind(pages);
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
        let head = self.known.head;
        if head != self.before {
            db.run(
                "UPDATE head SET seq = $1, hash = $2, at = $3 WHERE one = 1",
                &[row![head.seq.0, &head.hash.0[..], head.at.0]],
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

/// When a leg moves: the day it counts for, the record's time, and what has certainly come of that.
#[derive(Clone, Copy)]
pub(crate) struct When {
    pub today: GamingDay,
    pub now: Moment,
    pub confirmed: Moment,
}

/// Counts one leg of a player's account, and refuses it where the player's own protection says so.
pub(crate) fn protect_leg(
    protection: &mut Protection,
    sense: Sense,
    amount: Cents,
    When { today, now, confirmed }: When,
) -> Result<(), Denied> {
    match sense {
        Sense::Cage if amount > Cents::ZERO => return Ok(protection.admits(confirmed)?),
        Sense::Cage => return Ok(()),
        Sense::Play if amount < Cents::ZERO => protection.allows_wager(-amount, today, confirmed)?,
        Sense::Play | Sense::Undone => {}
    }
    protection.today(today).count(amount, sense == Sense::Undone, now);
    Ok(())
}

pub(crate) fn receipt(record: Record, repeated: bool) -> Receipt {
    Receipt { seq: record.seq, at: record.at, answer: record.answer, legs: record.legs, repeated }
}
