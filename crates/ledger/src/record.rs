//! A record of the journal: a command's event, chip movements and answer, with a hash.
//!
//! The hash chains the record to the previous record. `RecordRow` is the record as stored in its row;
//! `canonical.rs` defines the bytes that are hashed.

use crate::account::Account;
use crate::canonical::Canonical;
use crate::db::{Columns, DbResult, Found, Row};
use crate::draft::Epoch;
use crate::ids::{Cents, CommandId, GamingDay, Moment, PersonId, RoundNo, Seq, Stream};
use crate::people::RowChange;
use crate::posting::PostedLeg;
use crate::protect::Effect;
use crate::row;
use serde::{Deserialize, Serialize};
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

/// The hash that precedes the first record.
pub const GENESIS: Digest = Digest([b'0'; 32]);

/// The version of the hash format, stored in every row so that a later program can recognize it.
const FORM: i64 = 1;

/// A record of the journal, with everything that its command did.
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
    /// The digest of the command's request body, which reveals that a command id is reused with another body.
    pub body: Digest,
    /// The epoch with which the table was owned when the record was written; 0 for the house's own records.
    pub epoch: Epoch,
    pub event: Vec<u8>,
    pub legs: Vec<PostedLeg>,
    pub effects: Vec<Effect>,
    pub row_changes: Vec<RowChange>,
    pub answer: Vec<u8>,
    pub hash: Digest,
}

/// A change in a record other than a chip movement: an effect on protections, or a [`RowChange`].
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Change {
    Effect(Effect),
    Row(RowChange),
}

impl Record {
    /// Computes the record's hash, which covers the previous record's hash, stores it in the record, and returns
    /// the row.
    ///
    /// Returns `None` if a store cannot hold the record.
    pub(crate) fn hashed_row(&mut self, previous: Digest) -> Option<RecordRow> {
        let effects = self.effects.iter().map(|effect| Change::Effect(*effect));
        let changes: Vec<Change> = effects.chain(self.row_changes.iter().cloned().map(Change::Row)).collect();
        let mut line = RecordRow {
            seq: self.seq.0,
            at: self.at.0,
            day: self.day.0,
            table_no: self.stream.number(),
            round: self.round.0,
            kind: self.kind.clone(),
            person: self.person.0,
            command: self.command.as_str().to_owned(),
            request: self.body,
            epoch: self.epoch.0,
            event: text(&self.event)?,
            legs: legs_text(&self.legs),
            changes: serde_json::to_string(&changes).ok()?,
            answer: text(&self.answer)?,
            hash: Digest::default(),
        };
        line.hash = line.chained(previous);
        self.hash = line.hash;
        Some(line)
    }

    /// Returns the hash of this record if `previous` is the hash of the record before it.
    ///
    /// Returns `None` if a store cannot hold the record.
    pub fn chained(&self, previous: Digest) -> Option<Digest> {
        self.clone().hashed_row(previous).map(|line| line.hash)
    }
}

/// A record as stored in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordRow {
    pub seq: i64,
    at: i64,
    day: i64,
    table_no: i64,
    round: i64,
    kind: String,
    person: i64,
    command: String,
    request: Digest,
    epoch: i64,
    event: String,
    legs: String,
    changes: String,
    answer: String,
    pub hash: Digest,
}

/// The columns of the journal, in the order of [`RecordRow`].
macro_rules! journal_columns {
    () => {
        "seq, form, at, day, table_no, round, kind, person, command, request, epoch, event, legs, changes, answer, hash"
    };
}
pub(crate) use journal_columns;

pub(crate) const INSERT: &str = concat!(
    "INSERT INTO journal (",
    journal_columns!(),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
);

impl RecordRow {
    pub fn read(row: Found) -> DbResult<Option<RecordRow>> {
        let mut c = Columns::of(row);
        let (seq, form, at, day) = (c.int()?, c.int()?, c.int()?, c.int()?);
        let (table_no, round, kind, person, command) = (c.int()?, c.int()?, c.text()?, c.int()?, c.text()?);
        let (request, epoch) = (Digest::from_slice(&c.bytes()?), c.int()?);
        let (event, legs, changes, answer) = (c.text()?, c.text()?, c.text()?, c.text()?);
        let (FORM, Some(request), Some(hash)) = (form, request, Digest::from_slice(&c.bytes()?)) else {
            return Ok(None);
        };
        Ok(Some(RecordRow {
            seq,
            at,
            day,
            table_no,
            round,
            kind,
            person,
            command,
            request,
            epoch,
            event,
            legs,
            changes,
            answer,
            hash,
        }))
    }

    pub fn into_row(self) -> Row<'static> {
        row![
            self.seq,
            FORM,
            self.at,
            self.day,
            self.table_no,
            self.round,
            self.kind,
            self.person,
            self.command,
            self.request.0.to_vec(),
            self.epoch,
            self.event,
            self.legs,
            self.changes,
            self.answer,
            self.hash.0.to_vec()
        ]
    }

    /// Returns the hash that this row should have if `previous` is the hash of the row before it.
    pub fn chained(&self, previous: Digest) -> Digest {
        let mut canon = Canonical::with_room(self.event.len() + self.legs.len() + self.answer.len() + 512);
        canon.bytes(b"cutcard journal 1").fixed(&previous.0);
        canon.int(self.seq).int(self.at).int(self.day).int(self.table_no).int(self.round);
        canon.bytes(self.kind.as_bytes()).int(self.person).bytes(self.command.as_bytes());
        canon.fixed(&self.request.0).int(self.epoch);
        for text in [&self.event, &self.legs, &self.changes, &self.answer] {
            canon.bytes(text.as_bytes());
        }
        Digest::of(canon.as_slice())
    }

    pub fn record(&self) -> Option<Record> {
        let (mut effects, mut row_changes) = (Vec::new(), Vec::new());
        if self.changes != "[]" {
            for change in serde_json::from_str::<Vec<Change>>(&self.changes).ok()? {
                match change {
                    Change::Effect(effect) => effects.push(effect),
                    Change::Row(row) => row_changes.push(row),
                }
            }
        }
        Some(Record {
            seq: Seq(self.seq),
            at: Moment(self.at),
            day: GamingDay(self.day),
            stream: Stream::from_number(self.table_no)?,
            round: RoundNo(self.round),
            kind: self.kind.clone(),
            person: PersonId(self.person),
            command: CommandId::stored(&self.command)?,
            body: self.request,
            epoch: Epoch(self.epoch),
            event: self.event.clone().into_bytes(),
            legs: legs_of_text(&self.legs)?,
            effects,
            row_changes,
            answer: self.answer.clone().into_bytes(),
            hash: self.hash,
        })
    }
}

/// Returns the bytes as text, or `None` if they are not valid UTF-8 or contain a NUL.
fn text(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then(|| text.to_owned())
}

fn legs_text(legs: &[PostedLeg]) -> String {
    use fmt::Write as _;
    let mut text = String::with_capacity(2 + legs.len() * 40);
    text.push('[');
    for leg in legs {
        let comma = if text.len() > 1 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}[\"{}\",{},{}]", leg.account, leg.amount.0, leg.after.0);
    }
    text.push(']');
    text
}

pub(crate) fn legs_of_text(text: &str) -> Option<Vec<PostedLeg>> {
    if text == "[]" {
        return Some(Vec::new());
    }
    let legs: Vec<(&str, i64, i64)> = serde_json::from_str(text).ok()?;
    let leg = |(name, amount, after)| {
        Some(PostedLeg { account: Account::from_name(name)?, amount: Cents(amount), after: Cents(after) })
    };
    legs.into_iter().map(leg).collect()
}

/// Returns a record with a value in every column.
#[cfg(test)]
pub(crate) fn sample() -> Record {
    use crate::account::{Chips, Holder};
    use crate::protect::{Measure, Span};
    let bank = Account::new(Chips::Cash, Holder::Bank);
    let player = Account::player(Chips::Cash, PersonId(9));
    Record {
        seq: Seq(3),
        at: Moment(1_700_000_000_000),
        day: GamingDay(19_675),
        stream: Stream::Table(crate::ids::TableId(2)),
        round: RoundNo(5),
        kind: "round".into(),
        person: PersonId(9),
        command: CommandId::new("c-1").expect("lawful"),
        body: Digest::of(b"body"),
        epoch: Epoch(4),
        event: b"event".to_vec(),
        legs: vec![
            PostedLeg { account: player, amount: Cents(-5), after: Cents(95) },
            PostedLeg { account: bank, amount: Cents(5), after: Cents(105) },
        ],
        effects: vec![
            Effect::Limit { person: PersonId(9), measure: Measure::Loss, span: Span::Week, most: None },
            Effect::Exclude { person: PersonId(9), until: Moment(7) },
        ],
        row_changes: Vec::new(),
        answer: b"{}".to_vec(),
        hash: Digest::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> RecordRow {
        sample().hashed_row(Digest::of(b"before")).expect("text")
    }

    #[test]
    fn a_record_survives_its_row() {
        let mut record = sample();
        let line = record.hashed_row(Digest::of(b"before")).expect("text");
        assert_eq!(line.record(), Some(record));
        assert_eq!(RecordRow::read(line.clone().into_row()), Ok(Some(line)));
        let unreadable = Record { event: vec![0xff], ..sample() }.hashed_row(GENESIS);
        assert_eq!(unreadable, None, "the bodies of a record must be text");
    }

    /// Fixes the format: changing it would orphan every journal in the field.
    #[test]
    fn the_chained_hash_is_fixed() {
        assert_eq!(
            line().hash.to_string(),
            "06ec21297a1bd4b797338bc88621b55c4a88924d7579a325394ceadae287ccc8"
        );
    }

    /// Covers every column except the hash itself; a new column does not compile here.
    #[test]
    fn every_column_is_under_the_hash() {
        let base = line();
        let RecordRow {
            seq: _,
            at: _,
            day: _,
            table_no: _,
            round: _,
            kind: _,
            person: _,
            command: _,
            request: _,
            epoch: _,
            event: _,
            legs: _,
            changes: _,
            answer: _,
            hash: _,
        } = base.clone();
        let changes: [fn(&mut RecordRow); 14] = [
            |l| l.seq += 1,
            |l| l.at += 1,
            |l| l.day += 1,
            |l| l.table_no = 0,
            |l| l.round += 1,
            |l| l.kind.push('x'),
            |l| l.person += 1,
            |l| l.command.push('x'),
            |l| l.request = Digest::default(),
            |l| l.epoch += 1,
            |l| l.event.push(' '),
            |l| l.legs.push(' '),
            |l| l.changes.push(' '),
            |l| l.answer.push(' '),
        ];
        for (n, change) in changes.iter().enumerate() {
            let mut line = base.clone();
            change(&mut line);
            assert_ne!(line.chained(Digest::of(b"before")), base.hash, "column {n}");
        }
        assert_ne!(base.chained(Digest::of(b"other")), base.hash);
    }
}
