//! The archive: the journal once more, in segments. A segment is a file of so many records in order, with a digest at
//! its end, and is never changed. Together with a backup, which has the keys, it restores the house as it was at any
//! record or moment; a warm copy follows it. A command of the house's own can carry each segment further away.

use crate::backup::{BackupError, Sink, check, each_row};
use crate::db::{Columns, Db, DbResult, Found, Purpose, Value, ask_one, transact};
use crate::ids::{Moment, Seq};
use crate::journal::{Head, locked_head};
use crate::keys::{self, sync_directory};
use crate::project::Projector;
use crate::record::{Digest, INSERT, Line, journal_columns};
use crate::row;
use crate::seal::Seal;
use crate::tail;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Most records of a segment.
const SEGMENT: i64 = 4096;
const ENDING: &str = "segment";
/// Says of a segment that the house's command has not yet carried it away.
const READY: &str = "ready";

#[derive(Clone, Debug)]
pub struct Archive {
    pub directory: PathBuf,
    /// The shell command that is run for each segment, with `%p` for its path and `%f` for its name, until it
    /// succeeds.
    pub command: Option<String>,
    /// Whether answers wait until the archive has the record.
    pub at_once: bool,
}

/// The point at which the restored journal ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    #[default]
    End,
    Record(Seq),
    Moment(Moment),
}

impl Until {
    pub(crate) fn ends_before(self, row: &Found) -> DbResult<bool> {
        let mut c = Columns::of(row.iter().take(3).cloned().collect());
        let (seq, _, at) = (c.int()?, c.int()?, c.int()?);
        Ok(match self {
            Until::End => false,
            Until::Record(last) => seq > last.0,
            Until::Moment(last) => at > last.0,
        })
    }
}

/// The segments of a directory in order: the records from the first to the last, and the file.
fn segments(directory: &Path) -> Result<Vec<(Seq, Seq, PathBuf)>, BackupError> {
    let entries = fs::read_dir(directory).map_err(|e| BackupError::At(directory.to_owned(), e))?;
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let numbers: Vec<i64> = stem.split('-').skip(1).filter_map(|n| n.parse().ok()).collect();
            let [first, last] = numbers[..] else {
                return Err(BackupError::Damaged(format!("{} is no name of a segment", path.display())));
            };
            segments.push((Seq(first), Seq(last), path));
        }
    }
    segments.sort();
    Ok(segments)
}

/// The records of a segment after one, when its digest fits; the first is the next one.
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
            Err(damaged(format!("record {} is missing before it", after.0 + 1)))
        }
        _ => Ok(rows),
    }
}

/// Returns the archive's records after one.
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
    tail::records_after(directory, after)?.into_iter().try_for_each(each)
}

impl Archive {
    /// Returns the last record of the archive.
    pub fn last(&self) -> Result<Option<(Seq, Digest)>, BackupError> {
        let (archived, mut last) = match segments(&self.directory)?.pop() {
            Some((first, last, path)) => (last, read(&path, Seq(first.0 - 1))?.pop()),
            None => (Seq(0), None),
        };
        last = tail::records_after(&self.directory, archived)?.pop().or(last);
        Ok(last.map(Line::read).transpose()?.flatten().map(|line| (Seq(line.seq), line.hash)))
    }

    /// Returns the number of the last record of the archive.
    pub(crate) fn known(&self) -> Result<Seq, BackupError> {
        Ok(self.last()?.map_or(Seq(0), |(seq, _)| seq))
    }

    /// Writes what the journal has beyond the archive, and carries away what waits.
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
        tail::forget(&self.directory, Seq(last))?;
        self.carry_away()
    }

    fn write(&self, first: i64, rows: &[Found]) -> Result<i64, BackupError> {
        let last = first + rows.len() as i64 - 1;
        let path = self.directory.join(format!("journal-{first:012}-{last:012}.{ENDING}"));
        let unfinished = self.directory.join("unfinished");
        // What a kill left behind was never a segment.
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

    /// Runs the house's command for every segment that waits, in order, and stops at the first that fails.
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
                return Err(io::Error::other(format!("`{told}` ended with {done}")).into());
            }
            fs::remove_file(ready)?;
        }
        Ok(())
    }
}

/// Takes in what an archive has beyond a store, segment by segment; answers where the store's journal ends then.
pub fn catch_up(db: &mut dyn Db, archive: &Path) -> Result<Head, BackupError> {
    let mut head = crate::journal::head(db)?;
    for (_, last, path) in segments(archive)? {
        if last > head.seq {
            let rows = read(&path, head.seq)?;
            head = transact(db, Purpose::Write, |db| take_in(db, &rows))?;
        }
    }
    let rows = tail::records_after(archive, head.seq)?;
    if !rows.is_empty() {
        head = transact(db, Purpose::Write, |db| take_in(db, &rows))?;
    }
    Ok(head)
}

/// Appends records that another store has written, with their projections.
fn take_in(db: &mut dyn Db, rows: &[Found]) -> Result<Head, BackupError> {
    let head = locked_head(db)?;
    let mut records = Vec::with_capacity(rows.len());
    let mut previous = head;
    for row in rows {
        let stray = || BackupError::Damaged(format!("record {} does not follow", previous.seq.0 + 1));
        let line =
            Line::read(row.clone())?.filter(|line| line.seq == previous.seq.0 + 1).ok_or_else(stray)?;
        let fits = line.chained(previous.hash) == line.hash;
        let record = line.record().filter(|_| fits).ok_or_else(stray)?;
        previous = Head { seq: record.seq, hash: record.hash, at: record.at };
        records.push(record);
    }
    let moving = records.iter().flat_map(|r| &r.legs).filter_map(|leg| leg.account.person());
    let changing = records.iter().flat_map(|r| &r.effects).map(|effect| effect.person());
    let mut projector = Projector::at(head);
    if let Some(first) = records.first() {
        projector.learn(db, &moving.chain(changing).collect(), first.day)?;
    }
    records.iter().for_each(|record| projector.apply(record));
    db.run(INSERT, rows)?;
    projector.store(db)?;
    Ok(projector.head)
}

/// Leaves those copies of seals out that are of later records than a restored house has.
pub(crate) fn seals_until(data: &Path, last: Seq) -> io::Result<()> {
    let path = data.join("seals.log");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
    let earlier = |line: &&str| Seal::from_line(line.trim_end()).is_none_or(|seal| seal.seq <= last);
    keys::write_private(&path, text.split_inclusive('\n').filter(earlier).collect::<String>().as_bytes())
}
