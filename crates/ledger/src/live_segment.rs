//! Appends journal rows to the archive's live segment, and syncs them before the server acknowledges their
//! commands.
//!
//! The live segment serves houses for which an archive that lags by five seconds is not enough. Full segments of
//! the archive later replace it. A crash can truncate only the last rows, whose commands were not acknowledged.

use crate::backup::{BackupError, LARGEST_ROW, read_row, row_bytes};
use crate::db::{Db, Found, Value, ask_one};
use crate::ids::Seq;
use crate::keys::sync_directory;
use crate::record::journal_columns;
use crate::row;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const ENDING: &str = "tail";
/// The size in bytes beyond which the live segment continues in a new file.
const LARGEST: usize = 1 << 20;
const AT_ONCE: i64 = 4096;

pub struct LiveSegment {
    directory: PathBuf,
    current: Option<Open>,
}

/// The file being appended to, and its last record.
struct Open {
    file: File,
    path: PathBuf,
    length: usize,
    last: i64,
}

impl Open {
    /// Returns an error if the file was moved, removed or replaced.
    ///
    /// Later writes to the file would not reach the archive.
    fn is_in_place(&self) -> Result<(), BackupError> {
        let lost = |error| BackupError::At(self.path.clone(), error);
        let there = fs::metadata(&self.path).map_err(lost)?;
        match is_same(&there, &self.file.metadata()?) {
            true => Ok(()),
            false => Err(lost(std::io::Error::other("another file has replaced it"))),
        }
    }
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    one.len() == other.len()
}

/// Returns the live segment's files in order, each with the number of its first record.
fn files(directory: &Path) -> Result<Vec<(i64, PathBuf)>, BackupError> {
    let entries = fs::read_dir(directory).map_err(|error| BackupError::At(directory.to_owned(), error))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let first = stem.strip_prefix("journal-").and_then(|first| first.parse().ok());
        if let (true, Some(first)) = (path.extension().is_some_and(|ending| ending == ENDING), first) {
            files.push((first, path));
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the complete rows of a file; a truncated last row is left out.
fn whole_rows(mut bytes: &[u8]) -> Vec<Found> {
    let mut rows = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let length = usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let row = rest.get(..length).filter(|_| length <= LARGEST_ROW).and_then(read_row);
        let Some((_, row)) = row else { break };
        rows.push(row);
        bytes = &rest[length..];
    }
    rows
}

/// Returns the records of the live segment that come after record `after`.
///
/// Returns an error unless these records are consecutive and begin with record `after` + 1.
pub(crate) fn records_after(directory: &Path, after: Seq) -> Result<Vec<Found>, BackupError> {
    let (mut records, mut last) = (Vec::new(), after.0);
    for (_, path) in files(directory)? {
        for row in whole_rows(&fs::read(&path)?) {
            match row.first() {
                Some(Value::Int(seq)) if *seq <= last => {}
                Some(Value::Int(seq)) if *seq == last + 1 => {
                    last = *seq;
                    records.push(row);
                }
                _ => {
                    let what = format!("{}: record {} is missing", path.display(), last + 1);
                    return Err(BackupError::Damaged(what));
                }
            }
        }
    }
    Ok(records)
}

/// Removes the live segment's files that have no record after `archived`.
///
/// The last file always stays.
pub(crate) fn forget(directory: &Path, archived: Seq) -> Result<(), BackupError> {
    let files = files(directory)?;
    for (file, next) in files.iter().zip(files.iter().skip(1)) {
        if next.0 <= archived.0 + 1 {
            fs::remove_file(&file.1)?;
        }
    }
    Ok(())
}

impl LiveSegment {
    pub fn new(directory: &Path) -> LiveSegment {
        LiveSegment { directory: directory.to_owned(), current: None }
    }

    /// Appends the journal's newer records to the live segment.
    ///
    /// `archived` returns the number of the last archived record; it is called only while no file is open.
    pub fn append(
        &mut self,
        db: &mut dyn Db,
        archived: impl Fn() -> Result<Seq, BackupError>,
    ) -> Result<(), BackupError> {
        let mut open = self.current.take();
        let mut last = match &open {
            Some(open) => open.last,
            None => archived()?.0,
        };
        let sql =
            concat!("SELECT ", journal_columns!(), " FROM journal WHERE seq > $1 ORDER BY seq LIMIT $2");
        loop {
            let rows = ask_one(db, sql, row![last, AT_ONCE])?;
            let many = rows.len() as i64;
            if many > 0 {
                let mut to = match open.take().filter(|open| open.length < LARGEST) {
                    Some(open) => open,
                    None => self.begin(last + 1)?,
                };
                let bytes: Vec<u8> = rows.iter().flat_map(|row| row_bytes(0, row)).collect();
                to.file.write_all(&bytes)?;
                to.file.sync_data()?;
                to.is_in_place()?;
                last += many;
                (to.length, to.last) = (to.length + bytes.len(), last);
                open = Some(to);
            }
            if many < AT_ONCE {
                break;
            }
        }
        self.current = open;
        Ok(())
    }

    /// Starts a file at the record `first`.
    ///
    /// Replaces a file of the same name, in which a crash left no complete row.
    fn begin(&self, first: i64) -> Result<Open, BackupError> {
        let path = self.directory.join(format!("journal-{first:012}.{ENDING}"));
        let _ = fs::remove_file(&path);
        drop(crate::keys::private_file(&path)?);
        let file = fs::OpenOptions::new().append(true).open(&path)?;
        sync_directory(&path)?;
        Ok(Open { file, path, length: 0, last: first - 1 })
    }
}
