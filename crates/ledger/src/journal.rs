//! Reading the journal: records in order, of one stream, of one round; checkpoints; and who owns a stream.

use crate::db::{Columns, Db, DbError, DbResult, Purpose, ask_one, transact};
use crate::draft::Epoch;
use crate::ids::{CommandId, GamingDay, PersonId, RoundNo, Seq, Stream};
use crate::index;
use crate::page::{Finger, walk};
use crate::record::Record;
use crate::road::{Entry, backward, forward};
use crate::row;

/// Records after `after` in the total order, at most `most`.
pub fn records(db: &mut dyn Db, after: Seq, most: i64) -> DbResult<Vec<Record>> {
    search(db, &Sought::default(), after, most)
}

/// Which records of the journal are sought; what is left out may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sought {
    pub kind: Option<String>,
    pub person: Option<PersonId>,
    pub stream: Option<Stream>,
    pub day: Option<GamingDay>,
}

impl Sought {
    fn fits(&self, record: &Record) -> bool {
        self.kind.as_ref().is_none_or(|kind| *kind == record.kind)
            && self.person.is_none_or(|person| person == record.person)
            && self.stream.is_none_or(|stream| stream == record.stream)
            && self.day.is_none_or(|day| day == record.day)
    }
}

/// Records after `after` that fit, in the total order, at most `most`.
pub fn search(db: &mut dyn Db, sought: &Sought, after: Seq, most: i64) -> DbResult<Vec<Record>> {
    let (mut found, mut malformed) = (Vec::new(), false);
    let most = usize::try_from(most).unwrap_or(0);
    walk(db, after, &mut |record| {
        match record {
            Some(record) if sought.fits(&record) => found.push(record),
            Some(_) => {}
            None => malformed = true,
        }
        found.len() < most && !malformed
    })?;
    match malformed {
        true => Err(DbError::Refused("a journal record is malformed; run the audit".into())),
        false => Ok(found),
    }
}

pub fn record(db: &mut dyn Db, seq: Seq) -> DbResult<Option<Record>> {
    Finger::default().find(db, seq)
}

/// The record of a person's command, by the id that the person gave it.
pub fn record_of_command(db: &mut dyn Db, person: PersonId, command: &CommandId) -> DbResult<Option<Record>> {
    match index::find(db, &[(person, command.clone())])?.pop().flatten() {
        Some(seq) => record(db, seq),
        None => Ok(None),
    }
}

/// The records that a road leads to.
fn records_at(db: &mut dyn Db, entries: &[Entry]) -> DbResult<Vec<Record>> {
    let mut finger = Finger::default();
    let missing = || DbError::Refused("a record of the journal is missing; run the audit".into());
    entries.iter().map(|entry| finger.find(db, entry.seq)?.ok_or_else(missing)).collect()
}

/// All records of one round, in order.
pub fn round(db: &mut dyn Db, stream: Stream, round: RoundNo) -> DbResult<Vec<Record>> {
    let mut entries = Vec::new();
    forward(db, stream, (round, Seq(0)), &mut |entry| {
        let here = entry.round == round;
        entries.extend(here.then_some(entry));
        here
    })?;
    records_at(db, &entries)
}

/// Records of a stream after a record, given the round that record belongs to: rounds of a stream never go back.
pub fn stream_after(
    db: &mut dyn Db,
    stream: Stream,
    from: (RoundNo, Seq),
    most: i64,
) -> DbResult<Vec<Record>> {
    let mut entries = Vec::new();
    forward(db, stream, (from.0, Seq(from.1.0.saturating_add(1))), &mut |entry| {
        entries.push(entry);
        (entries.len() as i64) < most
    })?;
    records_at(db, &entries)
}

/// After every record of a round.
pub const LAST: Seq = Seq(i64::MAX);

/// Records of a stream up to a place, from the last record of the given kind at or before it on.
pub fn since_opening(
    db: &mut dyn Db,
    stream: Stream,
    kind: &str,
    until: (RoundNo, Seq),
) -> DbResult<Vec<Record>> {
    let mut entries = Vec::new();
    backward(db, stream, until, &mut |entry| {
        let opens = entry.kind == kind;
        entries.push(entry);
        !opens
    })?;
    entries.reverse();
    if entries.first().is_none_or(|first| first.kind != kind) {
        return Ok(Vec::new());
    }
    records_at(db, &entries)
}

/// The house's own records, newest first, before `before`: sign-ins, buy-ins, settings, significant events.
pub fn house_before(db: &mut dyn Db, before: Seq, most: i64) -> DbResult<Vec<Record>> {
    of_house(db, before, most, |_| true)
}

/// Those of a kind.
pub(crate) fn of_house(
    db: &mut dyn Db,
    before: Seq,
    most: i64,
    wanted: impl Fn(&str) -> bool,
) -> DbResult<Vec<Record>> {
    let mut entries = Vec::new();
    if most > 0 {
        backward(db, Stream::House, (RoundNo(0), before), &mut |entry| {
            entries.extend(wanted(&entry.kind).then_some(entry));
            (entries.len() as i64) < most
        })?;
    }
    records_at(db, &entries)
}

/// The newest round of a stream that has a record.
pub fn last_round(db: &mut dyn Db, stream: Stream) -> DbResult<RoundNo> {
    let mut last = RoundNo(0);
    backward(db, stream, (RoundNo(i64::MAX), LAST), &mut |entry| {
        last = entry.round;
        false
    })?;
    Ok(last)
}

/// A stream's state as of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub seq: Seq,
    pub round: RoundNo,
    pub state: Vec<u8>,
}

pub fn checkpoint(db: &mut dyn Db, stream: Stream) -> DbResult<Option<Checkpoint>> {
    let rows =
        ask_one(db, "SELECT seq, round, state FROM checkpoints WHERE stream = $1", row![stream.number()])?;
    let Some(row) = rows.into_iter().next() else {
        return Ok(None);
    };
    let mut c = Columns::of(row);
    Ok(Some(Checkpoint { seq: Seq(c.int()?), round: RoundNo(c.int()?), state: c.bytes()? }))
}

/// Takes a stream over: from now on only the returned epoch may write to it.
pub fn take_over(db: &mut dyn Db, stream: Stream, owner: &str) -> DbResult<Epoch> {
    transact(db, Purpose::Write, |db| {
        db.run(
            "INSERT INTO owners (stream, owner, epoch) VALUES ($1, $2, 1) \
             ON CONFLICT (stream) DO UPDATE SET owner = excluded.owner, epoch = owners.epoch + 1",
            &[row![stream.number(), owner]],
        )?;
        let rows = ask_one(db, "SELECT epoch FROM owners WHERE stream = $1", row![stream.number()])?;
        let row =
            rows.into_iter().next().ok_or_else(|| DbError::Refused("the owner's row is gone".into()))?;
        Ok(Epoch(Columns::of(row).int()?))
    })
}
