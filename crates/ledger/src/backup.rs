//! Backs up a house to a directory, and restores a house from such a directory.
//!
//! A backup is a directory with the key files and one file that holds the journal as of one moment, with a digest at
//! its end. Everything else is projected from the journal. A backup restores into either store, so a house can also
//! change stores.

use crate::archive::{self, RestorePoint};
use crate::audit::{Auditor, audit};
use crate::canonical::{Canonical, Reader};
use crate::copies::note_backup;
use crate::db::{Db, DbError, Found, Purpose, Row, Value, transact};
use crate::ids::Seq;
use crate::keys;
use crate::project::project_all;
use crate::record::{Digest, INSERT, journal_columns};
use crate::row;
use crate::schema;
use crate::store::StoreAddress;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

const MAGIC: &[u8] = b"cutcard backup 1\n";
/// The number of columns of the journal table.
const WIDTH: usize = 16;
const ROWS: &str = "house.backup";
/// The maximum size of a row in a backup, in bytes.
///
/// A greater length means that the file is damaged.
pub(crate) const LARGEST_ROW: usize = 64 << 20;

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Store(#[from] DbError),
    #[error("cannot access the backup files: {0}")]
    Io(#[from] io::Error),
    #[error("{0}: {1}")]
    At(std::path::PathBuf, io::Error),
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error("the target is not empty; use a new --data directory or an empty database")]
    NotEmpty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    pub rows: u64,
    pub digest: Digest,
}

/// Backs up the journal and the keys to a new directory.
pub fn write(db: &mut dyn Db, data: &Path, into: &Path) -> Result<Summary, BackupError> {
    schema::must_fit(db)?;
    // Require a new directory, so that no backup overwrites another.
    keys::new_private_directory(into).map_err(|e| BackupError::At(into.to_owned(), e))?;
    let path = into.join(ROWS);
    let mut sink = Sink::create(&path)?;
    let sql = concat!("SELECT ", journal_columns!(), " FROM journal ORDER BY seq");
    let mut failed = None;
    transact(db, Purpose::Snapshot, |db| {
        db.walk(sql, row![], &mut |row| match sink.row(0, &row) {
            Ok(()) => true,
            Err(error) => {
                failed = Some(error);
                false
            }
        })
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let summary = sink.finish()?;
    copy_private(data, into)?;
    keys::sync_directory(&path)?;
    note_backup(data).map_err(|e| BackupError::At(data.to_owned(), e))?;
    Ok(summary)
}

/// What a house is restored from: a backup, perhaps an archive, and the last record or moment to restore.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The backup directory.
    ///
    /// With an archive that starts at the first record, a directory with only the keys is enough.
    pub backup: &'a Path,
    /// An archive that continues after the backup, or `None` to restore the backup alone.
    pub archive: Option<&'a Path>,
    pub until: RestorePoint,
}

/// Restores a backup into an empty store and data directory.
///
/// Audits the restored house, and returns an error if the audit finds a mismatch.
pub fn restore(from: &Path, data: &Path, place: &StoreAddress) -> Result<Summary, BackupError> {
    restore_until(Source { backup: from, archive: None, until: RestorePoint::End }, data, place)
}

/// Restores a house from a backup as of a record or moment.
///
/// An archive may provide the records after the backup.
pub fn restore_until(source: Source<'_>, data: &Path, place: &StoreAddress) -> Result<Summary, BackupError> {
    let from = source.backup;
    let rows = from.join(ROWS);
    let mut summary = Summary { rows: 0, digest: Digest::default() };
    match fs::metadata(&rows) {
        Err(_) if source.archive.is_some() && from.join("keys").is_dir() => {}
        Err(error) => return Err(BackupError::At(rows, error)),
        Ok(_) => summary = check(&rows)?,
    }
    keys::private_directory(data).map_err(|e| BackupError::At(data.to_owned(), e))?;
    let mut db = place.writer()?;
    if schema::version(&mut *db)? != 0 {
        return Err(BackupError::NotEmpty);
    }
    let read = transact(&mut *db, Purpose::Write, |db| unpack(&rows, source, db))?;
    if source.archive.is_some() || source.until != RestorePoint::End {
        summary.rows = read;
    }
    copy_private(from, data)?;
    if source.until != RestorePoint::End {
        archive::seals_until(data, Seq(summary.rows as i64))?;
    }
    let mut nothing = |_: &crate::record::Record| Ok(());
    let mut auditor = Auditor { key: None, copies: Vec::new(), replay: &mut nothing };
    match audit(&mut *db, &mut auditor)?.first_bad {
        None => Ok(summary),
        Some(bad) => Err(BackupError::Damaged(format!("record {}: {}", bad.seq.0, bad.what))),
    }
}

/// Loads the rows of a backup and an archive into the store, and returns the number of records.
fn unpack(rows: &Path, source: Source<'_>, db: &mut dyn Db) -> Result<u64, BackupError> {
    schema::lay_out(db)?;
    let (mut waiting, mut taken) = (Vec::<Found>::new(), 0);
    let mut take = |row: Found| {
        if row.len() != WIDTH {
            return Err(BackupError::Damaged("a journal row has the wrong number of columns".into()));
        }
        if source.until.ends_before(&row)? {
            return Ok(());
        }
        waiting.push(row);
        taken += 1;
        if waiting.len() >= 500 {
            db.run(INSERT, &waiting)?;
            waiting.clear();
        }
        Ok(())
    };
    let mut last = 0;
    if rows.exists() {
        each_row(rows, &mut |_, row| {
            last += 1;
            take(row)
        })?;
    }
    if let Some(archive) = source.archive {
        archive::records_after(archive, Seq(last), &mut take)?;
    }
    db.run(INSERT, &waiting)?;
    if let RestorePoint::Record(Seq(wanted)) = source.until
        && wanted != taken as i64
    {
        return Err(BackupError::Damaged(format!("record {wanted} is missing; the last record is {taken}")));
    }
    project_all(db)?;
    schema::index(db)?;
    schema::note_version(db)?;
    Ok(taken)
}

fn copy_private(from: &Path, into: &Path) -> io::Result<()> {
    let target = into.join("keys");
    if from.join("keys").is_dir() {
        keys::private_directory(&target)?;
        for entry in fs::read_dir(from.join("keys"))? {
            let entry = entry?;
            let path = target.join(entry.file_name());
            if entry.file_type()?.is_file() && !path.exists() {
                keys::write_private(&path, &fs::read(entry.path())?)?;
            }
        }
    }
    let seals = from.join("seals.log");
    if seals.is_file() && !into.join("seals.log").exists() {
        keys::write_private(&into.join("seals.log"), &fs::read(seals)?)?;
    }
    Ok(())
}

/// Returns the canonical encoding of a row, preceded by its length.
pub(crate) fn row_bytes(table: u8, row: &Row<'_>) -> Vec<u8> {
    let mut canon = Canonical::default();
    canon.measured(|canon| {
        canon.byte(table);
        for value in row {
            match value {
                Value::Null => canon.byte(0),
                Value::Int(v) => canon.byte(1).int(*v),
                Value::Text(v) => canon.byte(2).bytes(v.as_bytes()),
                Value::Bytes(v) => canon.byte(3).bytes(v),
            };
        }
    });
    canon.into_vec()
}

pub(crate) struct Sink {
    file: BufWriter<File>,
    hash: Sha256,
    rows: u64,
}

impl Sink {
    pub fn create(path: &Path) -> io::Result<Sink> {
        let mut sink =
            Sink { file: BufWriter::new(keys::new_private_file(path)?), hash: Sha256::new(), rows: 0 };
        sink.put(MAGIC)?;
        Ok(sink)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.file.write_all(bytes)
    }

    pub fn row(&mut self, table: u8, row: &Row<'_>) -> io::Result<()> {
        self.rows += 1;
        self.put(&row_bytes(table, row))
    }

    pub fn finish(mut self) -> io::Result<Summary> {
        self.put(&0u64.to_be_bytes())?;
        let digest = Digest(self.hash.finalize().into());
        self.file.write_all(&digest.0)?;
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(Summary { rows: self.rows, digest })
    }
}

pub(crate) fn check(path: &Path) -> Result<Summary, BackupError> {
    let mut file = BufReader::new(File::open(path)?);
    let length = file.get_ref().metadata()?.len();
    let Some(body) = length.checked_sub(32) else {
        return Err(BackupError::Damaged("the file is cut short".into()));
    };
    let mut hash = Sha256::new();
    io::copy(&mut (&mut file).take(body), &mut HashSink(&mut hash))?;
    let mut written = [0; 32];
    file.read_exact(&mut written)?;
    if <[u8; 32]>::from(hash.finalize()) != written {
        return Err(BackupError::Damaged("its digest does not match its contents".into()));
    }
    let mut rows = 0;
    each_row(path, &mut |_, _| {
        rows += 1;
        Ok(())
    })?;
    Ok(Summary { rows, digest: Digest(written) })
}

struct HashSink<'a>(&'a mut Sha256);

impl Write for HashSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn each_row(
    path: &Path,
    each: &mut dyn FnMut(usize, Found) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let damaged = |what: &str| BackupError::Damaged(what.to_owned());
    let mut file = BufReader::new(File::open(path)?);
    let mut magic = vec![0; MAGIC.len()];
    file.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Err(damaged("the file is not a cutcard backup"));
    }
    loop {
        let mut length = [0; 8];
        file.read_exact(&mut length)?;
        let length = usize::try_from(u64::from_be_bytes(length)).unwrap_or(usize::MAX);
        if length == 0 {
            return Ok(());
        }
        if length > LARGEST_ROW {
            return Err(damaged("a row is too large"));
        }
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        let (table, row) = read_row(&bytes).ok_or_else(|| damaged("a row cannot be read"))?;
        each(table, row)?;
    }
}

pub(crate) fn read_row(bytes: &[u8]) -> Option<(usize, Found)> {
    let mut reader = Reader::new(bytes);
    let table = usize::from(reader.byte()?);
    let mut row = Found::new();
    while !reader.is_empty() {
        row.push(match reader.byte()? {
            0 => Value::Null,
            1 => Value::Int(reader.int()?),
            2 => Value::from(String::from_utf8(reader.bytes()?.to_vec()).ok()?),
            3 => Value::from(reader.bytes()?.to_vec()),
            _ => return None,
        });
    }
    Some((table, row))
}
