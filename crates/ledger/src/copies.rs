//! The copies of the journal outside its store, and the time when each copy last had every record.
//!
//! Also archives new records in the background.

use crate::archive::Archive;
use crate::background::Background;
use crate::backup::BackupError;
use crate::ids::Moment;
use crate::store::StoreAddress;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often new records are written to the archive as a segment.
const ARCHIVE_EVERY: Duration = Duration::from_secs(5);

/// The name of the file with the time of the last backup, in milliseconds since 1970.
const LAST_BACKUP: &str = "last-backup";

/// The time when one copy of the journal last had every record, shared with the job that writes the copy.
#[derive(Clone, Debug)]
pub(crate) struct UpToDate(Arc<AtomicI64>);

impl UpToDate {
    pub fn note(&self) {
        self.0.store(Moment::now().0, Ordering::Relaxed);
    }
}

/// The times when the copies of the journal outside the store were last complete.
#[derive(Debug, Default)]
pub struct Copies {
    archive: Mutex<Vec<UpToDate>>,
    anchors: Mutex<Vec<UpToDate>>,
}

/// Adds a copy of the journal to the list `to`, and marks the copy as complete now.
fn added(to: &Mutex<Vec<UpToDate>>) -> UpToDate {
    let copy = UpToDate(Arc::default());
    copy.note();
    to.lock().unwrap_or_else(PoisonError::into_inner).push(copy.clone());
    copy
}

/// Returns the time up to which every copy in `of` is complete, or `None` if there is no copy.
fn oldest(of: &Mutex<Vec<UpToDate>>) -> Option<Moment> {
    let of = of.lock().unwrap_or_else(PoisonError::into_inner);
    of.iter().map(|copy| Moment(copy.0.load(Ordering::Relaxed))).min()
}

impl Copies {
    pub(crate) fn add_archive(&self) -> UpToDate {
        added(&self.archive)
    }

    pub(crate) fn add_anchor(&self) -> UpToDate {
        added(&self.anchors)
    }

    /// Returns when the archive was last complete, or `None` if the house has no archive.
    pub fn archived(&self) -> Option<Moment> {
        oldest(&self.archive)
    }

    /// Returns when all anchors were last current, or `None` if the house has no anchor.
    pub fn anchored(&self) -> Option<Moment> {
        oldest(&self.anchors)
    }
}

/// Records the current time as the time of the last backup.
pub(crate) fn note_backup(data: &Path) -> std::io::Result<()> {
    crate::keys::write_private(&data.join(LAST_BACKUP), Moment::now().0.to_string().as_bytes())
}

/// Returns the time of the last backup, or `None` if there was none.
pub fn last_backup(data: &Path) -> Option<Moment> {
    std::fs::read_to_string(data.join(LAST_BACKUP)).ok()?.parse().ok().map(Moment)
}

/// Returns a background job that archives new records.
///
/// The job uses its own database connection.
pub(crate) fn archiving(archive: Archive, place: StoreAddress, up_to_date: UpToDate) -> Background {
    let (mut db, mut failed) = (None, false);
    Background::every("ledger-archive", ARCHIVE_EVERY, move || {
        let mut advance = || -> Result<(), BackupError> {
            let mut reader = db.take().map_or_else(|| place.reader(), Ok)?;
            archive.advance(&mut *reader)?;
            db = Some(reader);
            Ok(())
        };
        let done = advance();
        if let (Err(error), false) = (&done, failed) {
            tracing::error!(%error, directory = %archive.directory.display(), "cannot archive the journal");
        }
        failed = done.is_err();
        if !failed {
            up_to_date.note();
        }
    })
}
