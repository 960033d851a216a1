//! A record of the journal: what a command did, what it moved and what it was answered, and the hash that chains it
//! to the record before. The bytes hashed are those of `canon.rs`.

use crate::account::Account;
use crate::canon::{Canon, Reader};
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, RoundNo, Seq, Stream};
use crate::posting::PostedLeg;
use crate::protect::{Effect, Measure, Span};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    pub fn from_slice(bytes: &[u8]) -> Option<Digest> {
        bytes.try_into().ok().map(Digest)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The hash that the first record follows.
pub const GENESIS: Digest = Digest([b'0'; 32]);

/// One record as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub seq: Seq,
    pub at: Moment,
    pub day: GamingDay,
    pub stream: Stream,
    pub round: RoundNo,
    pub kind: String,
    pub person: PersonId,
    pub command: CommandId,
    /// Digest of the request, so that a repeat with another body is recognised.
    pub body: Digest,
    pub event: Vec<u8>,
    pub legs: Vec<PostedLeg>,
    pub effects: Vec<Effect>,
    pub answer: Vec<u8>,
    pub hash: Digest,
}

/// What the hash is over first.
const LABEL: &[u8] = b"cutcard journal 1";

impl Record {
    /// The hash this record must carry after a record whose hash is `previous`.
    pub fn chained(&self, previous: Digest) -> Digest {
        let mut canon = Canon::with_room(self.event.len() + self.answer.len() + 512);
        self.write(&mut canon);
        Record::hash_of(previous, canon.as_slice())
    }

    /// The hash of a record's bytes after a record whose hash is `previous`.
    pub(crate) fn hash_of(previous: Digest, bytes: &[u8]) -> Digest {
        let mut hash = Sha256::new();
        hash.update((LABEL.len() as i64).to_be_bytes());
        hash.update(LABEL);
        hash.update(previous.0);
        hash.update(bytes);
        Digest(hash.finalize().into())
    }

    /// All of it but for the hash.
    pub(crate) fn write(&self, to: &mut Canon) {
        to.int(self.seq.0).int(self.at.0).int(self.day.0).int(self.stream.number()).int(self.round.0);
        to.bytes(self.kind.as_bytes()).int(self.person.0).bytes(self.command.as_str().as_bytes());
        to.fixed(&self.body.0).bytes(&self.event);
        to.measured(|to| write_legs(&self.legs, to));
        to.measured(|to| write_effects(&self.effects, to));
        to.bytes(&self.answer);
    }
}

/// A record as it lies on its page, read no further than to where each part of it is.
#[derive(Clone, Copy)]
pub(crate) struct Lying<'a> {
    pub seq: Seq,
    pub at: Moment,
    pub day: GamingDay,
    pub stream: Stream,
    pub round: RoundNo,
    pub kind: &'a str,
    pub person: PersonId,
    pub command: &'a str,
    pub legs: &'a [u8],
    body: &'a [u8; 32],
    event: &'a [u8],
    effects: &'a [u8],
    answer: &'a [u8],
    hash: Digest,
}

impl<'a> Lying<'a> {
    /// Reads what `Record::write` wrote; `None` when it cannot be that.
    pub fn read(bytes: &'a [u8], hash: Digest) -> Option<Lying<'a>> {
        let mut from = Reader::new(bytes);
        let (seq, at, day) = (Seq(from.int()?), Moment(from.int()?), GamingDay(from.int()?));
        let (stream, round) = (Stream::from_number(from.int()?)?, RoundNo(from.int()?));
        let (kind, person, command) = (from.text()?, PersonId(from.int()?), from.text()?);
        let (body, event) = (from.fixed()?, from.bytes()?);
        let (legs, effects, answer) = (from.bytes()?, from.bytes()?, from.bytes()?);
        let lying = Lying {
            seq,
            at,
            day,
            stream,
            round,
            kind,
            person,
            command,
            legs,
            body,
            event,
            effects,
            answer,
            hash,
        };
        from.is_empty().then_some(lying)
    }

    pub fn record(&self) -> Option<Record> {
        Some(Record {
            seq: self.seq,
            at: self.at,
            day: self.day,
            stream: self.stream,
            round: self.round,
            kind: self.kind.to_owned(),
            person: self.person,
            command: CommandId::new(self.command)?,
            body: Digest(*self.body),
            event: self.event.to_vec(),
            legs: legs_from_bytes(self.legs)?,
            effects: effects_from_bytes(self.effects)?,
            answer: self.answer.to_vec(),
            hash: self.hash,
        })
    }
}

fn write_legs(legs: &[PostedLeg], to: &mut Canon) {
    for leg in legs {
        to.int(leg.account.number()).int(leg.amount.0).int(leg.after.0);
    }
}

pub fn legs_from_bytes(bytes: &[u8]) -> Option<Vec<PostedLeg>> {
    let mut legs = Vec::new();
    read_legs(bytes, &mut legs).map(|()| legs)
}

/// Adds the legs to those that are there.
pub(crate) fn read_legs(bytes: &[u8], to: &mut Vec<PostedLeg>) -> Option<()> {
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let account = Account::from_number(reader.int()?)?;
        to.push(PostedLeg { account, amount: Cents(reader.int()?), after: Cents(reader.int()?) });
    }
    Some(())
}

fn write_effects(effects: &[Effect], to: &mut Canon) {
    for effect in effects {
        match *effect {
            Effect::Limit { person, measure, span, most } => {
                to.byte(1).int(person.0).int(measure.number()).int(span.days()).maybe_int(most)
            }
            Effect::Exclude { person, until } => to.byte(2).int(person.0).int(until.0),
        };
    }
}

pub fn effects_from_bytes(bytes: &[u8]) -> Option<Vec<Effect>> {
    let mut reader = Reader::new(bytes);
    let mut effects = Vec::new();
    while !reader.is_empty() {
        let (tag, person) = (reader.byte()?, PersonId(reader.int()?));
        effects.push(match tag {
            1 => {
                let measure = Measure::from_number(reader.int()?)?;
                let span = Span::from_days(reader.int()?)?;
                Effect::Limit { person, measure, span, most: reader.maybe_int()? }
            }
            2 => Effect::Exclude { person, until: Moment(reader.int()?) },
            _ => return None,
        });
    }
    Some(effects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::{Chips, Holder};
    use crate::ids::TableId;

    fn sample() -> Record {
        let bank = Account::new(Chips::Cash, Holder::Bank);
        let player = Account::player(Chips::Cash, PersonId(9));
        Record {
            seq: Seq(3),
            at: Moment(1_700_000_000_000),
            day: GamingDay(19_675),
            stream: Stream::Table(TableId(2)),
            round: RoundNo(5),
            kind: "round".into(),
            person: PersonId(9),
            command: CommandId::new("c-1").expect("lawful"),
            body: Digest::of(b"body"),
            event: b"event".to_vec(),
            legs: vec![
                PostedLeg { account: player, amount: Cents(-5), after: Cents(95) },
                PostedLeg { account: bank, amount: Cents(5), after: Cents(105) },
            ],
            effects: vec![
                Effect::Limit { person: PersonId(9), measure: Measure::Loss, span: Span::Week, most: None },
                Effect::Exclude { person: PersonId(9), until: Moment(7) },
            ],
            answer: b"{}".to_vec(),
            hash: Digest::default(),
        }
    }

    #[test]
    fn a_record_survives_its_bytes() {
        let record = sample();
        let mut canon = Canon::default();
        record.write(&mut canon);
        let bytes = canon.into_vec();
        let read = |bytes: &[u8]| Lying::read(bytes, record.hash)?.record();
        assert_eq!(read(&bytes), Some(record.clone()));
        for cut in 0..bytes.len() {
            assert_eq!(read(&bytes[..cut]), None, "cut at {cut}");
        }
        assert_eq!(read(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(legs_from_bytes(&[1, 2, 3]), None);
        assert_eq!(effects_from_bytes(&[9; 20]), None);
    }

    /// The vector fixes the format: a change of it would orphan every journal in the field.
    #[test]
    fn the_chained_hash_is_fixed() {
        let hash = sample().chained(Digest::of(b"before"));
        assert_eq!(hash.to_string(), "b3c3c3a1c641370c20a41f22c2178425d4737e7301895edc746cbaa5bfe0fff8");
    }

    /// Every field but the hash itself, and every field of what it holds; one that is added does not compile here.
    #[test]
    fn every_field_is_under_the_hash() {
        let base = sample().chained(Digest::default());
        let Record {
            seq: _,
            at: _,
            day: _,
            stream: _,
            round: _,
            kind: _,
            person: _,
            command: _,
            body: _,
            event: _,
            legs,
            effects: _,
            answer: _,
            hash: _,
        } = sample();
        let PostedLeg { account: _, amount: _, after: _ } = legs[0];
        let changes: [fn(&mut Record); 18] = [
            |r| r.seq.0 += 1,
            |r| r.at.0 += 1,
            |r| r.day.0 += 1,
            |r| r.stream = Stream::House,
            |r| r.round.0 += 1,
            |r| r.kind.push('x'),
            |r| r.person.0 += 1,
            |r| r.command = CommandId::new("another").expect("lawful"),
            |r| r.body = Digest::default(),
            |r| r.event.push(0),
            |r| r.legs[0].account = r.legs[1].account,
            |r| r.legs[0].amount.0 += 1,
            |r| r.legs[0].after.0 += 1,
            |r| r.legs.truncate(1),
            |r| r.effects.clear(),
            |r| r.effects.swap(0, 1),
            |r| r.effects[1] = Effect::Exclude { person: PersonId(9), until: Moment(8) },
            |r| r.answer.push(0),
        ];
        for (n, change) in changes.iter().enumerate() {
            let mut record = sample();
            change(&mut record);
            assert_ne!(record.chained(Digest::default()), base, "field {n}");
        }
        assert_ne!(sample().chained(Digest::of(b"other")), base);
    }
}
