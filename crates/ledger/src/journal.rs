//! Reading the journal: records in order, of one stream, of one round; checkpoints; and who owns a stream.

use crate::db::{Columns, Db, DbError, DbResult, Found, Purpose, ask_one, transact};
use crate::draft::Epoch;
use crate::ids::{CommandId, GamingDay, Moment, PersonId, RoundNo, Seq, Stream};
use crate::record::{Digest, Record, effects_from_bytes, legs_from_bytes};
use crate::row;

/// Records found by their stream and round.
macro_rules! of_stream {
    ($rest:literal) => {
        concat!(
            "SELECT j.seq, j.at, j.day, j.stream, j.round, j.kind, j.person, j.command, j.body, j.event, j.legs, ",
            "j.effects, j.answer, j.hash FROM streams s JOIN journal j ON j.seq = s.seq ",
            $rest
        )
    };
}

macro_rules! records_where {
    ($rest:literal) => {
        concat!(
            "SELECT seq, at, day, stream, round, kind, person, command, body, event, legs, effects, answer, hash ",
            "FROM journal ",
            $rest
        )
    };
}

/// A record read from the store; `None` when its columns cannot be what was written.
pub(crate) fn read_record(row: Found) -> Option<Record> {
    let mut c = Columns::of(row);
    Some(Record {
        seq: Seq(c.int().ok()?),
        at: Moment(c.int().ok()?),
        day: GamingDay(c.int().ok()?),
        stream: Stream::from_number(c.int().ok()?)?,
        round: RoundNo(c.int().ok()?),
        kind: c.text().ok()?,
        person: PersonId(c.int().ok()?),
        command: CommandId::new(&c.text().ok()?)?,
        body: Digest::from_slice(&c.bytes().ok()?)?,
        event: c.bytes().ok()?,
        legs: legs_from_bytes(&c.bytes().ok()?)?,
        effects: effects_from_bytes(&c.bytes().ok()?)?,
        answer: c.bytes().ok()?,
        hash: Digest::from_slice(&c.bytes().ok()?)?,
    })
}

fn read_all(rows: Vec<Found>) -> DbResult<Vec<Record>> {
    let malformed = || DbError::Refused("a journal record is malformed; run the audit".into());
    rows.into_iter().map(|row| read_record(row).ok_or_else(malformed)).collect()
}

/// Walks the whole journal in order; a record that cannot be read arrives as `None` with its row's first column.
pub(crate) fn walk_journal(
    db: &mut dyn Db,
    after: Seq,
    each: &mut dyn FnMut(Option<Record>) -> bool,
) -> DbResult<()> {
    db.walk(records_where!("WHERE seq > $1 ORDER BY seq"), row![after.0], &mut |row| each(read_record(row)))
}

/// Records after `after` in the total order, at most `most`.
pub fn records(db: &mut dyn Db, after: Seq, most: i64) -> DbResult<Vec<Record>> {
    read_all(ask_one(db, records_where!("WHERE seq > $1 ORDER BY seq LIMIT $2"), row![after.0, most])?)
}

/// Which records of the journal are sought; what is left out may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sought {
    pub kind: Option<String>,
    pub person: Option<PersonId>,
    pub stream: Option<Stream>,
    pub day: Option<GamingDay>,
}

/// Records after `after` that fit, in the total order, at most `most`.
pub fn search(db: &mut dyn Db, sought: &Sought, after: Seq, most: i64) -> DbResult<Vec<Record>> {
    let range = |wanted: Option<i64>| wanted.map_or((i64::MIN, i64::MAX), |n| (n, n));
    let (person, stream) =
        (range(sought.person.map(|p| p.0)), range(sought.stream.map(|stream| stream.number())));
    let (day, kind) = (range(sought.day.map(|d| d.0)), sought.kind.as_deref().unwrap_or_default());
    let row = row![after.0, person.0, person.1, stream.0, stream.1, day.0, day.1, kind, most];
    read_all(ask_one(
        db,
        records_where!(
            "WHERE seq > $1 AND person BETWEEN $2 AND $3 AND stream BETWEEN $4 AND $5 AND day BETWEEN $6 AND $7 \
             AND kind = COALESCE(NULLIF($8, ''), kind) ORDER BY seq LIMIT $9"
        ),
        row,
    )?)
}

pub fn record(db: &mut dyn Db, seq: Seq) -> DbResult<Option<Record>> {
    Ok(read_all(ask_one(db, records_where!("WHERE seq = $1"), row![seq.0])?)?.pop())
}

/// The record of a person's command, by the id that the person gave it.
pub fn record_of_command(db: &mut dyn Db, person: PersonId, command: &CommandId) -> DbResult<Option<Record>> {
    let rows = ask_one(
        db,
        records_where!("WHERE seq = (SELECT seq FROM commands WHERE command = $1 AND person = $2)"),
        row![command.as_str(), person.0],
    )?;
    Ok(read_all(rows)?.pop())
}

/// All records of one round, in order.
pub fn round(db: &mut dyn Db, stream: Stream, round: RoundNo) -> DbResult<Vec<Record>> {
    let row = row![stream.number(), round.0];
    read_all(ask_one(db, of_stream!("WHERE s.stream = $1 AND s.round = $2 ORDER BY s.seq"), row)?)
}

/// Records of a stream after a record, given the round that record belongs to: rounds of a stream never go back.
pub fn stream_after(
    db: &mut dyn Db,
    stream: Stream,
    from: (RoundNo, Seq),
    most: i64,
) -> DbResult<Vec<Record>> {
    let row = row![stream.number(), from.0.0, from.1.0, most];
    read_all(ask_one(
        db,
        of_stream!("WHERE s.stream = $1 AND s.round >= $2 AND s.seq > $3 ORDER BY s.round, s.seq LIMIT $4"),
        row,
    )?)
}

/// Records of a stream up to a round, from the last record of the given kind at or before that round on.
pub fn since_opening(
    db: &mut dyn Db,
    stream: Stream,
    (kind, round): (&str, RoundNo),
) -> DbResult<Vec<Record>> {
    let opening = ask_one(
        db,
        "SELECT round, seq FROM streams WHERE stream = $1 AND round <= $2 AND kind = $3 ORDER BY round DESC, seq DESC \
         LIMIT 1",
        row![stream.number(), round.0, kind],
    )?;
    let Some(found) = opening.into_iter().next() else {
        return Ok(Vec::new());
    };
    let mut c = Columns::of(found);
    let row = row![stream.number(), c.int()?, round.0, c.int()?];
    read_all(ask_one(
        db,
        of_stream!(
            "WHERE s.stream = $1 AND s.round >= $2 AND s.round <= $3 AND s.seq >= $4 ORDER BY s.round, s.seq"
        ),
        row,
    )?)
}

/// The house's own records, newest first, before `before`: sign-ins, buy-ins, settings, significant events.
pub fn house_before(db: &mut dyn Db, before: Seq, most: i64) -> DbResult<Vec<Record>> {
    let row = row![before.0, most];
    read_all(ask_one(
        db,
        of_stream!("WHERE s.stream = 0 AND s.round = 0 AND s.seq < $1 ORDER BY s.seq DESC LIMIT $2"),
        row,
    )?)
}

/// The newest round of a stream that has a record.
pub fn last_round(db: &mut dyn Db, stream: Stream) -> DbResult<RoundNo> {
    let rows = ask_one(db, "SELECT MAX(round) FROM streams WHERE stream = $1", row![stream.number()])?;
    let found = rows.into_iter().next().map_or(Ok(None), |row| Columns::of(row).maybe_int())?;
    Ok(RoundNo(found.unwrap_or(0)))
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
