//! The archive: a second copy of the journal, in segments.
//!
//! A segment is a file with up to 4,096 consecutive records and a digest at its end, and is never changed. With a
//! backup, which has the keys, the archive restores the house as of any record or moment. A warm standby also
//! reads the archive. A shell command can copy each segment to another machine.

use crate::backup::{BackupError, Sink, check, each_row};
use crate::db::{Columns, Db, DbResult, Found, Purpose, Value, ask_one, transact};
use crate::ids::{Moment, Seq};
use crate::journal::{Head, locked_head};
use crate::keys::{self, sync_directory};
use crate::live_segment;
use crate::project::{Projector, protections};
use crate::record::{Digest, INSERT, RecordRow, journal_columns};
use crate::row;
use crate::seal::Seal;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The maximum number of records in a segment.
const SEGMENT: i64 = 4096;
const ENDING: &str = "segment";
/// The extension of the file that marks a segment as not yet copied by the archive command.
const READY: &str = "ready";

#[derive(Clone, Debug)]
pub struct Archive {
    pub directory: PathBuf,
    /// The shell command to run for each new segment, or `None` for no command.
    ///
    /// `%p` stands for the segment's path and `%f` for its name. A failed command is retried until it succeeds.
    pub command: Option<String>,
    /// Whether a command is acknowledged only after its record is in the archive.
    pub at_once: bool,
}

/// The last record or moment that a restore includes; `End` includes every record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestorePoint {
    #[default]
    End,
    Record(Seq),
    Moment(Moment),
}

impl RestorePoint {
    pub(crate) fn ends_before(self, row: &Found) -> DbResult<bool> {
        let mut c = Columns::of(row.iter().take(3).cloned().collect());
        let (seq, _, at) = (c.int()?, c.int()?, c.int()?);
        Ok(match self {
            RestorePoint::End => false,
            RestorePoint::Record(last) => seq > last.0,
            RestorePoint::Moment(last) => at > last.0,
        })
    }
}

/// Returns the first record number, last record number and path of each segment in a directory, in record order.
fn segments(directory: &Path) -> Result<Vec<(Seq, Seq, PathBuf)>, BackupError> {
    let entries = fs::read_dir(directory).map_err(|e| BackupError::At(directory.to_owned(), e))?;
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let numbers: Vec<i64> = stem.split('-').skip(1).filter_map(|n| n.parse().ok()).collect();
            let [first, last] = numbers[..] else {
                return Err(BackupError::Damaged(format!(
                    "{} does not have the name of an archive segment",
                    path.display()
                )));
            };
            segments.push((Seq(first), Seq(last), path));
        }
    }
    segments.sort();
    Ok(segments)
}

/// Returns the records of a segment that come after record `after`.
///
/// Returns an error if the segment's digest does not match, or if record `after` + 1 comes before the segment.
fn read(path: &Path, after: Seq) -> Result<Vec<Found>, BackupError> {
    let damaged = |what: String| BackupError::Damaged(format!("{}: {what}", path.display()));
    let mut rows = Vec::new();
    let read = check(path).and_then(|_| {
        each_row(path, &mut |_, row| {
            rows.push(row);
            Ok(())
        })
    });
    read.map_err(|error| match error {
        BackupError::Damaged(what) => damaged(what),
        other => other,
    })?;
    let seq = |row: &Found| match row.first() {
        Some(Value::Int(seq)) => *seq,
        _ => 0,
    };
    rows.retain(|row| seq(row) > after.0);
    match rows.first().map(seq) {
        Some(first) if first != after.0 + 1 => {
            Err(damaged(format!("record {} is missing before this segment", after.0 + 1)))
        }
        _ => Ok(rows),
    }
}

/// Calls `each` with every archived record that follows `after`.
pub(crate) fn records_after(
    directory: &Path,
    after: Seq,
    each: &mut dyn FnMut(Found) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let mut after = after;
    for (_, last, path) in segments(directory)? {
        if last > after {
            read(&path, after)?.into_iter().try_for_each(&mut *each)?;
            after = last;
        }
    }
    live_segment::records_after(directory, after)?.into_iter().try_for_each(each)
}

impl Archive {
    /// Returns the number and hash of the last archived record.
    ///
    /// Returns `None` if the archive is empty.
    pub fn last(&self) -> Result<Option<(Seq, Digest)>, BackupError> {
        let (archived, mut last) = match segments(&self.directory)?.pop() {
            Some((first, last, path)) => (last, read(&path, Seq(first.0 - 1))?.pop()),
            None => (Seq(0), None),
        };
        last = live_segment::records_after(&self.directory, archived)?.pop().or(last);
        Ok(last.map(RecordRow::read).transpose()?.flatten().map(|line| (Seq(line.seq), line.hash)))
    }

    /// Returns the number of the last archived record, or 0 if the archive is empty.
    pub(crate) fn known(&self) -> Result<Seq, BackupError> {
        Ok(self.last()?.map_or(Seq(0), |(seq, _)| seq))
    }

    /// Writes the journal records that are not yet archived into segments.
    ///
    /// Also runs the archive command for each segment not yet copied.
    pub fn advance(&self, db: &mut dyn Db) -> Result<(), BackupError> {
        let mut last = segments(&self.directory)?.pop().map_or(0, |(_, last, _)| last.0);
        let sql =
            concat!("SELECT ", journal_columns!(), " FROM journal WHERE seq > $1 ORDER BY seq LIMIT $2");
        loop {
            let rows = ask_one(db, sql, row![last, SEGMENT])?;
            if rows.is_empty() {
                break;
            }
            last = self.write(last + 1, &rows)?;
            if (rows.len() as i64) < SEGMENT {
                break;
            }
        }
        live_segment::forget(&self.directory, Seq(last))?;
        self.carry_away()
    }

    fn write(&self, first: i64, rows: &[Found]) -> Result<i64, BackupError> {
        let last = first + rows.len() as i64 - 1;
        let path = self.directory.join(format!("journal-{first:012}-{last:012}.{ENDING}"));
        let unfinished = self.directory.join("unfinished");
        // An interrupted write may have left an unfinished file, which was never a segment.
        let _ = fs::remove_file(&unfinished);
        let mut sink = Sink::create(&unfinished)?;
        for row in rows {
            sink.row(0, row)?;
        }
        sink.finish()?;
        if self.command.is_some() {
            drop(keys::private_file(&path.with_extension(READY))?);
        }
        fs::rename(&unfinished, &path)?;
        sync_directory(&path)?;
        Ok(last)
    }

    /// Runs the archive command, in order, for every segment that is not yet copied.
    ///
    /// Returns the error of the first command that fails; the later segments stay uncopied.
    fn carry_away(&self) -> Result<(), BackupError> {
        let Some(command) = &self.command else { return Ok(()) };
        for (_, _, path) in segments(&self.directory)? {
            let ready = path.with_extension(READY);
            if !ready.exists() {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let told = command.replace("%p", &path.display().to_string()).replace("%f", &name);
            let done = Command::new("sh").arg("-c").arg(&told).stdin(Stdio::null()).status()?;
            if !done.success() {
                return Err(io::Error::other(format!("the archive command `{told}` failed: {done}")).into());
            }
            fs::remove_file(ready)?;
        }
        Ok(())
    }
}

/// Appends the archive's newer records to a store, and returns the new head.
///
/// Each segment is appended in a transaction of its own.
pub fn catch_up(db: &mut dyn Db, archive: &Path) -> Result<Head, BackupError> {
    let mut head = crate::journal::head(db)?;
    for (_, last, path) in segments(archive)? {
        if last > head.seq {
            let rows = read(&path, head.seq)?;
            head = transact(db, Purpose::Write, |db| take_in(db, &rows))?;
        }
    }
    let rows = live_segment::records_after(archive, head.seq)?;
    if !rows.is_empty() {
        head = transact(db, Purpose::Write, |db| take_in(db, &rows))?;
    }
    Ok(head)
}

/// Appends records from an archive or another store to this store, with their projections. Returns the new head.
fn take_in(db: &mut dyn Db, rows: &[Found]) -> Result<Head, BackupError> {
    let head = locked_head(db)?;
    let mut records = Vec::with_capacity(rows.len());
    let mut previous = head;
    for row in rows {
        let stray = || {
            BackupError::Damaged(format!("record {} does not follow the previous record", previous.seq.0 + 1))
        };
        let line =
            RecordRow::read(row.clone())?.filter(|line| line.seq == previous.seq.0 + 1).ok_or_else(stray)?;
        let fits = line.chained(previous.hash) == line.hash;
        let record = line.record().filter(|_| fits).ok_or_else(stray)?;
        previous = Head { seq: record.seq, hash: record.hash, at: record.at };
        records.push(record);
    }
    let moving = records.iter().flat_map(|r| &r.legs).filter_map(|leg| leg.account.person());
    let changing = records.iter().flat_map(|r| &r.effects).map(|effect| effect.person());
    let mut projector = Projector::at(head);
    if let Some(first) = records.first() {
        projector.add_protections(protections(db, &moving.chain(changing).collect(), first.day)?);
    }
    records.iter().for_each(|record| projector.apply(record));
    db.run(INSERT, rows)?;
    projector.store(db)?;
    Ok(projector.head)
}

/// Removes from `seals.log` the seals of all records after `last`.
///
/// A house that was restored up to record `last` does not have the later records.
pub(crate) fn seals_until(data: &Path, last: Seq) -> io::Result<()> {
    let path = data.join("seals.log");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    let earlier = |line: &&str| Seal::from_line(line.trim_end()).is_none_or(|seal| seal.seq <= last);
    keys::write_private(&path, text.split_inclusive('\n').filter(earlier).collect::<String>().as_bytes())
}
