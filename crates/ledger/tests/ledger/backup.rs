//! Backup and restore: back up while the house plays, restore elsewhere, and continue play.

use crate::house::{House, on_both, patron};
use crate::{cluster, house::cash};
use ledger::archive::RestorePoint;
use ledger::backup::{BackupError, Source, restore, restore_until};
use ledger::{Holder, StoreAddress};

fn places() -> Vec<StoreAddress> {
    let mut places = vec![StoreAddress::Sqlite("unset".into())];
    places.extend(cluster::shared().map(|c| StoreAddress::Postgres(c.database())));
    places
}

#[test]
fn a_backup_restores_on_either_store_and_play_goes_on() {
    on_both(|house| {
        let house = house.with_some_play();
        house.ledger.seal_today().expect("sealed");
        let into = house.directory.path().join("backup");
        let written = house.ledger.backup(&into).expect("backed up");
        house.wager("later", 2, 1).expect("the house plays on");
        for place in places() {
            let directory = tempfile::tempdir().expect("temp dir");
            let place = match place {
                StoreAddress::Sqlite(_) => StoreAddress::in_directory(directory.path()),
                postgres => postgres,
            };
            let read = restore(&into, directory.path(), &place).expect("restored");
            assert_eq!(read, written);
            assert!(matches!(restore(&into, directory.path(), &place), Err(BackupError::NotEmpty)));
            let restored = House::open(directory, place);
            assert_eq!(restored.balance(patron(2)), house.balance(patron(2)) + 1);
            assert_eq!(restored.ledger.public_key(), house.ledger.public_key(), "the keys came along");
            assert!(restored.wager("w1-0", 1, 500).expect("known").repeated);
            restored.wager("new", 2, 1).expect("play goes on");
            assert_eq!(restored.balance(cash(Holder::Outside)), -30_000);
        }
    });
}

#[test]
fn a_damaged_backup_is_refused() {
    let house = House::at(StoreAddress::in_directory).with_some_play();
    let into = house.directory.path().join("backup");
    house.ledger.backup(&into).expect("backed up");
    let file = into.join("house.backup");
    let whole = std::fs::read(&file).expect("there");
    for (n, cut) in [(0, 10), (whole.len() / 2, 0), (whole.len() - 40, 0), (17, 0)] {
        let mut bytes = whole[..whole.len() - cut].to_vec();
        if cut == 0 {
            bytes[n] ^= 1;
        }
        std::fs::write(&file, bytes).expect("written");
        let directory = tempfile::tempdir().expect("temp dir");
        let place = StoreAddress::in_directory(directory.path());
        assert!(matches!(restore(&into, directory.path(), &place), Err(BackupError::Damaged(_))));
    }
}

/// Keys alone are no backup, and an archive without keys is no house.
#[test]
fn what_is_no_backup_is_told_by_its_file() {
    let house = House::at(StoreAddress::in_directory).with_some_play();
    let House { ledger, directory, place, .. } = house;
    drop(ledger);
    let archive = ledger::archive::Archive {
        directory: directory.path().join("archive"),
        command: None,
        at_once: false,
    };
    std::fs::create_dir(&archive.directory).expect("made");
    archive.advance(&mut *place.reader().expect("connects")).expect("archived");
    let empty = tempfile::tempdir().expect("temp dir");
    let source = |backup, archive| Source { backup, archive, until: RestorePoint::End };
    for source in [source(directory.path(), None), source(empty.path(), Some(&*archive.directory))] {
        let new = tempfile::tempdir().expect("temp dir");
        let refused = restore_until(source, new.path(), &StoreAddress::in_directory(new.path())).map(|_| ());
        assert!(
            matches!(&refused, Err(BackupError::At(path, _)) if path.ends_with("house.backup")),
            "{refused:?}"
        );
    }
}

/// A length beyond the maximum row size is damage, and must not allocate memory.
#[test]
fn a_row_that_is_too_large_is_refused() {
    let from = tempfile::tempdir().expect("temp dir");
    let body = [&b"cutcard backup 1\n"[..], &((64_u64 << 20) + 1).to_be_bytes()].concat();
    let file = [&body[..], &ledger::Digest::of(&body).0].concat();
    std::fs::write(from.path().join("house.backup"), file).expect("written");
    let directory = tempfile::tempdir().expect("temp dir");
    let refused =
        restore(from.path(), directory.path(), &StoreAddress::in_directory(directory.path())).map(|_| ());
    assert!(
        matches!(&refused, Err(BackupError::Damaged(what)) if what == "a row is too large"),
        "{refused:?}"
    );
}

/// A restore does not overwrite files of the data directory.
#[test]
fn keys_that_are_there_stay() {
    let house = House::at(StoreAddress::in_directory).with_some_play();
    house.ledger.seal_today().expect("sealed");
    let into = house.directory.path().join("backup");
    house.ledger.backup(&into).expect("backed up");
    std::fs::create_dir(into.join("keys/folder")).expect("made");
    let directory = tempfile::tempdir().expect("temp dir");
    let there = |name: &str| directory.path().join(name);
    std::fs::create_dir(there("keys")).expect("made");
    for name in ["keys/seal.key", "seals.log"] {
        std::fs::write(there(name), "own").expect("written");
    }
    restore(&into, directory.path(), &StoreAddress::in_directory(directory.path())).expect("restored");
    for name in ["keys/seal.key", "seals.log"] {
        assert_eq!(std::fs::read_to_string(there(name)).expect("there"), "own", "{name}");
    }
    assert!(!there("keys/folder").exists(), "keys are files");
}

/// Returns the backup of 0.1.0, the first released version, which every later program can restore.
fn of_0_1_0() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledger/backup-0.1.0")
}

/// Stores and backups stay readable from 0.1.0 on. `CUTCARD_REGENERATE=1` writes the backup, until 0.1.0 is released.
#[test]
fn a_backup_of_0_1_0_is_restored_and_play_goes_on() {
    if std::env::var_os("CUTCARD_REGENERATE").is_some() {
        let house = House::at(StoreAddress::in_directory).with_some_play().with_everything_else();
        let into = house.directory.path().join("backup");
        house.ledger.backup(&into).expect("backed up");
        std::fs::create_dir_all(of_0_1_0()).expect("made");
        std::fs::copy(into.join("house.backup"), of_0_1_0().join("house.backup")).expect("copied");
    }
    for place in places() {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = match place {
            StoreAddress::Sqlite(_) => StoreAddress::in_directory(directory.path()),
            postgres => postgres,
        };
        restore(&of_0_1_0(), directory.path(), &place).expect("restored and audited");
        let restored = House::open(directory, place);
        // more than a week has passed: a supervisor confirms the time
        restored.ledger.clock().confirm();
        assert_eq!([1, 2, 3].map(|person| restored.balance(patron(person))), [9_992, 9_997, 9_997]);
        assert!(restored.wager("w1-0", 1, 500).expect("known").repeated);
        restored.wager("new", 2, 1).expect("play goes on");
    }
}
