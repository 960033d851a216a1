//! Point-in-time recovery: restores the house as of a record or moment, from a backup and the archive since, on either
//! store; and a warm standby that follows the archive.

use crate::cluster;
use crate::house::{House, on_both, patron};
use ledger::archive::{Archive, RestorePoint, catch_up};
use ledger::audit::{Auditor, audit};
use ledger::backup::{BackupError, Source, restore, restore_until};
use ledger::{Ledger, OpenError, Opening, Record, Seq, StoreAddress};
use std::path::Path;
use tempfile::TempDir;

fn archive(directory: &Path, command: Option<String>) -> Option<Archive> {
    Some(Archive { directory: directory.join("archive"), command, at_once: false })
}

/// Returns a house that archives; the command copies segments into another directory.
fn archiving(house: House) -> House {
    let House { ledger, place, directory, epoch } = house;
    drop(ledger);
    let away = directory.path().join("away");
    std::fs::create_dir_all(&away).expect("made");
    let command = Some(format!("cp %p {}/%f", away.display()));
    let opening = Opening { archive: archive(directory.path(), command), ..Opening::default() };
    let ledger = Ledger::open_with(directory.path(), place.clone(), opening).expect("opens");
    House { ledger, place, directory, epoch }
}

/// Checks that only the owner may read a path and everything in it.
fn private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::metadata(path).expect("there");
    let (mode, wanted) = (found.permissions().mode() & 0o777, if found.is_dir() { 0o700 } else { 0o600 });
    assert_eq!(mode, wanted, "{} {mode:o}", path.display());
    if found.is_dir() {
        let entries: Vec<_> = std::fs::read_dir(path).expect("read").flatten().collect();
        assert!(!entries.is_empty());
        entries.iter().for_each(|entry| private(&entry.path()));
    }
}

fn elsewhere() -> Vec<(TempDir, StoreAddress)> {
    let directory = tempfile::tempdir().expect("temp dir");
    let mut places = vec![(StoreAddress::in_directory(directory.path()), directory)];
    if let Some(cluster) = cluster::shared() {
        places.push((StoreAddress::Postgres(cluster.database()), tempfile::tempdir().expect("temp dir")));
    }
    places.into_iter().map(|(place, directory)| (directory, place)).collect()
}

fn audited(place: &StoreAddress) -> i64 {
    let mut nothing = |_: &Record| Ok(());
    let mut auditor = Auditor { key: None, copies: vec![], replay: &mut nothing };
    let found = audit(&mut *place.reader().expect("connects"), &mut auditor).expect("readable");
    assert_eq!(found.first_bad, None);
    found.records
}

#[test]
fn a_house_is_restored_as_it_was_at_a_record_or_a_moment() {
    on_both(|house| {
        let house = archiving(house.with_some_play());
        let backup = house.directory.path().join("backup");
        house.ledger.backup(&backup).expect("backed up");
        let before = house.ledger.head().expect("head").seq.0;
        let mut known = Vec::new();
        for n in 0..5 {
            std::thread::sleep(std::time::Duration::from_millis(3));
            let receipt = house.wager(&format!("later{n}"), 1, 10 + n).expect("wagered");
            known.push((receipt.seq, receipt.at, house.balance(patron(1))));
        }
        house.ledger.seal_today().expect("sealed");
        let last = house.ledger.head().expect("head").seq.0;
        // Closing the house archives the remaining records.
        let House { ledger, directory, .. } = house;
        drop(ledger);
        let (archive, away) = (directory.path().join("archive"), directory.path().join("away"));
        private(&archive);
        private(&backup);
        let source = |until, archive| Source { backup: &backup, archive: Some(archive), until };
        let (seq, at, balance) = known[2];
        for (until, records) in [
            (RestorePoint::End, last),
            (RestorePoint::Record(seq), seq.0),
            (RestorePoint::Moment(at), seq.0),
            (RestorePoint::Record(Seq(before - 2)), before - 2),
        ] {
            for (data, place) in elsewhere() {
                let restored = restore_until(source(until, &away), data.path(), &place).expect("restored");
                assert_eq!((restored.rows as i64, audited(&place)), (records, records), "{until:?}");
                let house = House::open(data, place);
                if records == seq.0 {
                    assert_eq!(house.balance(patron(1)), balance);
                }
                house.wager("goes-on", 1, 1).expect("play goes on");
            }
        }
        let (data, place) = elsewhere().remove(0);
        let none = restore_until(source(RestorePoint::Record(Seq(last + 1)), &archive), data.path(), &place);
        assert!(none.is_err_and(|e| e.to_string().contains(" is missing; the last record is ")));
        // The keys and the archive alone are enough.
        let (data, place) = elsewhere().remove(0);
        let alone = Source { backup: directory.path(), archive: Some(&archive), until: RestorePoint::End };
        restore_until(alone, data.path(), &place).expect("restored");
        assert_eq!(audited(&place), last);
    });
}

#[test]
fn a_segment_that_is_damaged_or_missing_is_named() {
    let house = archiving(House::at(StoreAddress::in_directory).with_some_play());
    house.wager("more", 1, 1).expect("wagered");
    let House { ledger, directory, place, .. } = house.reopened();
    drop(ledger);
    let house = archiving(House::open(directory, place));
    house.wager("and-more", 1, 1).expect("wagered");
    let House { ledger, directory, place, .. } = house;
    drop(ledger);
    let archive = directory.path().join("archive");
    let mut files: Vec<_> =
        std::fs::read_dir(&archive).expect("listed").map(|e| e.expect("one").path()).collect();
    files.sort();
    assert!(files.len() >= 2, "{files:?}");
    let source = Source { backup: directory.path(), archive: Some(&archive), until: RestorePoint::End };
    let failed = || {
        let (data, place) = elsewhere().remove(0);
        match restore_until(source, data.path(), &place) {
            Err(BackupError::Damaged(what)) => what,
            other => panic!("{other:?}"),
        }
    };
    let whole = std::fs::read(&files[0]).expect("read");
    let mut torn = whole.clone();
    torn[whole.len() / 2] ^= 1;
    std::fs::write(&files[0], torn).expect("written");
    assert!(failed().contains("its digest does not match"));
    std::fs::remove_file(&files[0]).expect("removed");
    assert!(failed().contains("record 1 is missing before this segment"));
    std::fs::write(&files[0], whole).expect("put back");
    // A journal that lacks archived records is refused.
    std::fs::remove_file(directory.path().join("house.sqlite")).expect("removed");
    let opening = Opening { archive: self::archive(directory.path(), None), ..Opening::default() };
    let refused = Ledger::open_with(directory.path(), place, opening).map(|_| ());
    assert!(matches!(refused, Err(OpenError::Archived(..))), "{refused:?}");
}

#[test]
fn a_command_that_fails_is_tried_again() {
    let House { ledger, directory, place, .. } = House::at(StoreAddress::in_directory).with_some_play();
    drop(ledger);
    let away = directory.path().join("away");
    let command = Some(format!("test -d {0} && cp %p {0}/%f", away.display()));
    let archive = Archive { directory: directory.path().join("archive"), command, at_once: false };
    std::fs::create_dir_all(&archive.directory).expect("made");
    let mut db = place.reader().expect("connects");
    assert!(archive.advance(&mut *db).is_err_and(|e| e.to_string().contains(" failed: ")));
    std::fs::create_dir(&away).expect("made");
    archive.advance(&mut *db).expect("carried away");
    assert_eq!(std::fs::read_dir(&away).expect("listed").count(), 1);
}

#[test]
fn a_warm_copy_follows_the_archive_and_takes_over() {
    on_both(|house| {
        let mut house = archiving(house.with_some_play().with_everything_else());
        let backup = house.directory.path().join("backup");
        house.ledger.backup(&backup).expect("backed up");
        let copies = elsewhere();
        for (data, place) in &copies {
            restore(&backup, data.path(), place).expect("restored");
        }
        for n in 0..3 {
            house.wager(&format!("later{n}"), 1, 10 + n).expect("wagered");
            house = archiving(house);
            let head = house.ledger.head().expect("head");
            for (data, place) in &copies {
                let archive = house.directory.path().join("archive");
                let mut reached = None;
                Ledger::follow(data.path(), place, &archive, |head| {
                    reached = Some(head);
                    false
                })
                .expect("follows");
                assert_eq!(reached.map(|r| (r.seq, r.hash)), Some((head.seq, head.hash)));
                assert_eq!(audited(place), head.seq.0);
            }
        }
        let archive = house.directory.path().join("archive");
        let balance = house.balance(patron(1));
        for (k, (data, place)) in copies.into_iter().enumerate() {
            let copy = House::open(data, place);
            assert_eq!(copy.balance(patron(1)), balance);
            copy.wager("here", 1, 1).expect("the copy is a house");
            let mut db = copy.place.writer().expect("connects");
            for n in 0..4 {
                house.wager(&format!("there{k}-{n}"), 1, 2).expect("wagered");
            }
            house = archiving(house);
            let forked = catch_up(&mut *db, &archive).expect_err("two houses are not one");
            assert!(forked.to_string().contains("does not follow"), "{forked}");
        }
    });
}
