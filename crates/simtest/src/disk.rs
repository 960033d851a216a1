//! Simulates a disk that keeps what was synced, and may lose, tear or reorder everything else in a power cut.
//!
//! The simulated disk is placed between SQLite and the real files (`vfs.rs`): the files hold what was written, and
//! this module tracks what would survive a power cut.

use crate::dice::Dice;
use rusqlite::ffi;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tokio::sync::Notify;

/// The size in bytes of a sector, which a disk writes completely or not at all.
const SECTOR: usize = 512;

#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

/// A file on the simulated disk: its content when it was last synced, and the changes since then.
#[derive(Clone, Debug, Default)]
struct Content {
    /// The content at the last sync, or `None` if the file was never synced.
    ///
    /// A power cut may also remove the name of a file that was never synced.
    synced: Option<Vec<u8>>,
    since: Vec<Change>,
    /// Whether the file was deleted; a power cut may restore its name.
    unlinked: bool,
}

/// A fault of the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiskFault {
    #[default]
    None,
    Full,
    /// Operations fail at random, on average one in this many.
    Broken(u64),
}

#[derive(Debug)]
pub struct Disk {
    dice: Dice,
    files: BTreeMap<PathBuf, Content>,
    on: bool,
    /// The number of the operation at which the power fails, or `None` if no power cut is planned.
    off_at: Option<u64>,
    pub fault: DiskFault,
    pub operations: u64,
    pub syncs: u64,
    pub power_off: Rc<Notify>,
    /// The average number of operations between crash images, or `None` to take no images.
    pub image_interval: Option<u64>,
    pub images: Vec<CrashImage>,
    /// The sequence number of the last journal record that was acknowledged to a person.
    pub last_acknowledged: i64,
}

/// A crash image: the files that a power cut may leave, and the last record that these files must hold.
#[derive(Debug)]
pub struct CrashImage {
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    pub last_acknowledged: i64,
}

thread_local! {
    static DISK: RefCell<Option<Disk>> = const { RefCell::new(None) };
}

/// Makes `disk` the simulated disk of this thread; `None` removes the thread's disk.
pub fn install(disk: Option<Disk>) {
    DISK.with(|held| *held.borrow_mut() = disk);
}

/// Calls `work` with the simulated disk of this thread, or returns `None` if the thread has no such disk.
pub fn with<T>(work: impl FnOnce(&mut Disk) -> T) -> Option<T> {
    // SQLite may still be active when a thread ends and its disk is gone.
    DISK.try_with(|held| held.borrow_mut().as_mut().map(work)).ok().flatten()
}

impl Disk {
    pub fn new(dice: Dice) -> Disk {
        Disk {
            dice,
            files: BTreeMap::new(),
            on: true,
            off_at: None,
            fault: DiskFault::None,
            operations: 0,
            syncs: 0,
            power_off: Rc::new(Notify::new()),
            image_interval: None,
            images: Vec::new(),
            last_acknowledged: 0,
        }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Makes the power fail when `operations` more disk operations have begun.
    pub fn fail_after(&mut self, operations: u64) {
        self.off_at = Some(self.operations + operations);
    }

    pub fn switch_off(&mut self) {
        self.on = false;
        self.power_off.notify_one();
    }

    /// Replaces the files on the disk with `files`, all synced, ends any fault, and switches the power on.
    pub fn renew(&mut self, files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) {
        let whole = |bytes| Content { synced: Some(bytes), ..Content::default() };
        self.files = files.into_iter().map(|(path, bytes)| (path, whole(bytes))).collect();
        (self.on, self.off_at, self.fault, self.power_off) =
            (true, None, DiskFault::None, Rc::new(Notify::new()));
    }

    pub fn opened(&mut self, path: &Path) {
        let file = self.files.entry(path.to_owned()).or_default();
        if file.unlinked {
            *file = Content::default();
        }
    }

    /// Counts one more disk operation, and returns the SQLite error code with which it fails.
    ///
    /// Returns `None` if the operation succeeds.
    fn fails(&mut self, kind: c_int) -> Option<c_int> {
        self.operations += 1;
        if self.off_at.is_some_and(|at| self.operations >= at) {
            self.off_at = None;
            self.switch_off();
        }
        if !self.on {
            return Some(kind);
        }
        if self.image_interval.is_some_and(|interval| self.dice.one_in(interval)) {
            let mut dice = self.dice.fork();
            self.images
                .push(CrashImage { files: self.image(&mut dice), last_acknowledged: self.last_acknowledged });
        }
        match self.fault {
            DiskFault::Broken(often) => self.dice.one_in(often).then_some(kind),
            DiskFault::Full if kind == ffi::SQLITE_IOERR_WRITE => Some(ffi::SQLITE_FULL),
            _ => None,
        }
    }

    pub fn write(&mut self, path: &Path, at: usize, bytes: &[u8]) -> Option<c_int> {
        let was_on = self.on;
        let fails = self.fails(ffi::SQLITE_IOERR_WRITE);
        // A failed write may still be on the disk in part.
        if was_on && fails != Some(ffi::SQLITE_FULL) {
            self.record_change(path, Change::Write(at, bytes.to_vec()));
        }
        fails
    }

    pub fn truncate(&mut self, path: &Path, length: usize) -> Option<c_int> {
        let was_on = self.on;
        let fails = self.fails(ffi::SQLITE_IOERR_TRUNCATE);
        if was_on {
            self.record_change(path, Change::Truncate(length));
        }
        fails
    }

    fn record_change(&mut self, path: &Path, change: Change) {
        if let Some(file) = self.files.get_mut(path) {
            file.since.push(change);
        }
    }

    pub fn sync(&mut self, path: &Path) -> Option<c_int> {
        let fails = self.fails(ffi::SQLITE_IOERR_FSYNC);
        if fails.is_some() {
            return fails;
        }
        self.syncs += 1;
        if let Some(file) = self.files.get_mut(path) {
            let mut whole = file.synced.take().unwrap_or_default();
            file.since.drain(..).for_each(|change| apply_change(&mut whole, &change, None));
            file.synced = Some(whole);
        }
        None
    }

    pub fn unlink(&mut self, path: &Path) -> Option<c_int> {
        let fails = self.fails(ffi::SQLITE_IOERR_DELETE);
        if let (None, Some(file)) = (fails, self.files.get_mut(path)) {
            file.unlinked = true;
        }
        fails
    }

    /// Returns the files that a power cut may leave.
    ///
    /// They hold what was synced, and perhaps parts of what was written since then.
    pub fn image(&self, dice: &mut Dice) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut image = BTreeMap::new();
        for (path, file) in &self.files {
            let lost = file.unlinked && dice.one_in(2) || file.synced.is_none() && dice.one_in(2);
            if lost {
                continue;
            }
            let mut whole = file.synced.clone().unwrap_or_default();
            let mut since: Vec<&Change> = file.since.iter().collect();
            let torn = match dice.below(5) {
                0 => {
                    since.clear();
                    false
                }
                1 => false,
                2 => {
                    since.truncate(dice.below(since.len() as u64 + 1) as usize);
                    true
                }
                3 => {
                    since.retain(|_| dice.one_in(2));
                    false
                }
                _ => {
                    since.retain(|_| !dice.one_in(3));
                    dice.shuffle(&mut since);
                    true
                }
            };
            let last = since.len().saturating_sub(1);
            for (n, change) in since.into_iter().enumerate() {
                let tears = torn && (n == last || dice.one_in(4));
                apply_change(&mut whole, change, tears.then_some(&mut *dice));
            }
            image.insert(path.clone(), whole);
        }
        image
    }
}

/// Applies a change to the bytes of a file.
///
/// If `torn` is given, each sector of a write reaches the disk or is lost at random.
fn apply_change(whole: &mut Vec<u8>, change: &Change, torn: Option<&mut Dice>) {
    match (change, torn) {
        (Change::Truncate(length), _) => whole.truncate(*length),
        (Change::Write(at, bytes), None) => put(whole, *at, bytes),
        (Change::Write(at, bytes), Some(dice)) => {
            let mut from = 0;
            while from < bytes.len() {
                let to = (from + SECTOR - (at + from) % SECTOR).min(bytes.len());
                if dice.one_in(2) {
                    put(whole, at + from, &bytes[from..to]);
                }
                from = to;
            }
        }
    }
}

fn put(whole: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if whole.len() < end {
        whole.resize(end, 0);
    }
    whole[at..end].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_synced_stays_and_nothing_else_is_sure() {
        let mut disk = Disk::new(Dice::new(1));
        let path = PathBuf::from("f");
        disk.opened(&path);
        assert_eq!(disk.write(&path, 0, &[1; 1024]), None);
        assert_eq!(disk.sync(&path), None);
        assert_eq!(disk.write(&path, 1024, &[2; 1024]), None);
        let mut dice = Dice::new(2);
        let images: Vec<Vec<u8>> =
            (0..200).map(|_| disk.image(&mut dice).remove(&path).expect("named")).collect();
        assert!(images.iter().all(|image| image[..1024] == [1; 1024]));
        for (what, seen) in [
            ("lost", images.iter().any(|image| image.len() == 1024)),
            ("whole", images.iter().any(|image| image.len() == 2048 && image[1024..] == [2; 1024])),
            ("torn", images.iter().any(|image| image.len() == 2048 && image[1024] == 0 && image[2047] == 2)),
        ] {
            assert!(seen, "never {what}");
        }
    }

    #[test]
    fn without_power_nothing_is_written() {
        let mut disk = Disk::new(Dice::new(1));
        let path = PathBuf::from("f");
        disk.opened(&path);
        disk.fail_after(2);
        assert_eq!(disk.write(&path, 0, &[1; 10]), None);
        assert_eq!(disk.write(&path, 0, &[2; 10]), Some(ffi::SQLITE_IOERR_WRITE));
        assert!(!disk.is_on());
        assert_eq!(disk.sync(&path), Some(ffi::SQLITE_IOERR_FSYNC));
        assert_eq!(
            disk.files[&path].since.len(),
            2,
            "only the write during which the power failed may have reached the disk"
        );
        assert_eq!(disk.files[&path].synced, None);
    }
}
