//! An archive that has every record before it is acknowledged: rows in live segments, which full segments replace.

use crate::house::{House, on_both, patron};
use ledger::archive::{Archive, RestorePoint};
use ledger::audit::{Auditor, audit};
use ledger::backup::{BackupError, Source, restore_until};
use ledger::{Cents, DbError, Denied, Fault, Ledger, Opening, Postings, Record, Seq, StoreAddress};
use std::path::{Path, PathBuf};

fn archive(house: &House) -> Archive {
    Archive { directory: house.directory.path().join("archive"), command: None, at_once: true }
}

/// Returns a house that archives every batch before it acknowledges.
fn copying(house: House) -> House {
    let archive = archive(&house);
    let House { ledger, place, directory, epoch } = house;
    drop(ledger);
    let opening = Opening { archive: Some(archive), ..Opening::default() };
    let ledger = Ledger::open_with(directory.path(), place.clone(), opening).expect("opens");
    House { ledger, place, directory, epoch }
}

/// Returns the files of an archive with this extension, sorted by name.
fn files(archive: &Path, ending: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(archive).expect("listed").map(|entry| entry.expect("one").path());
    let mut files: Vec<_> = all.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

fn names(archive: &Path, ending: &str) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    files(archive, ending).iter().map(name).collect()
}

fn known(archive: &Archive) -> i64 {
    archive.last().expect("readable").map_or(0, |(seq, _)| seq.0)
}

/// Commits a bet whose event has this many bytes.
fn large_wager(house: &House, id: &str, bytes: usize) -> Seq {
    let mut draft = house.wager_draft(id, 1, 1);
    draft.event = vec![b'x'; bytes];
    house.ledger.commit(draft).expect("wagered").seq
}

#[test]
fn what_is_answered_is_in_the_archive() {
    on_both(|house| {
        let house = copying(house.with_some_play());
        let archive = archive(&house);
        let before = house.ledger.head().expect("head").seq.0;
        assert_eq!((known(&archive), names(&archive.directory, "tail").len()), (before, 0), "in a segment");
        let refused = house.wager("too-much", 1, 1_000_000);
        assert_eq!(refused, Err(Fault::Denied(Denied::Short(patron(1)))));
        assert_eq!(names(&archive.directory, "tail").len(), 0, "nothing was told that could be lost");
        for n in 0..4 {
            house.wager(&format!("w{n}"), 1, 10).expect("wagered");
            let head = house.ledger.head().expect("head");
            assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));
        }
        // The keys and the archive are enough to restore the house.
        let head = house.ledger.head().expect("head").seq.0;
        let data = tempfile::tempdir().expect("temp dir");
        let place = StoreAddress::in_directory(data.path());
        let source = Source {
            backup: house.directory.path(),
            archive: Some(&archive.directory),
            until: RestorePoint::Record(Seq(head - 1)),
        };
        assert_eq!(restore_until(source, data.path(), &place).expect("restored").rows as i64, head - 1);
        let balance = house.balance(patron(1));
        Ledger::follow(data.path(), &place, &archive.directory, |_| false).expect("follows");
        let copy = House::open(data, place);
        assert_eq!(copy.balance(patron(1)), balance);
        assert!(copy.wager("w3", 1, 10).expect("known").repeated);
    });
}

#[test]
fn a_row_that_was_cut_short_was_told_to_nobody() {
    let house = copying(House::at(StoreAddress::in_directory).with_some_play());
    let archive = archive(&house);
    let mut whole = vec![(0, known(&archive))];
    for n in 0..3 {
        let seq = house.wager(&format!("w{n}"), 1, 10).expect("wagered").seq.0;
        let [tail] = &files(&archive.directory, "tail")[..] else { panic!("one file") };
        whole.push((std::fs::metadata(tail).expect("there").len() as usize, seq));
    }
    let [tail] = &files(&archive.directory, "tail")[..] else { panic!("one file") };
    let bytes = std::fs::read(tail).expect("read");
    assert_eq!(Some(bytes.len()), whole.last().map(|(length, _)| *length));
    let known_of = |bytes: &[u8]| {
        std::fs::write(tail, bytes).expect("written");
        known(&archive)
    };
    for pair in whole.windows(2) {
        let ((from, before), (to, after)) = (pair[0], pair[1]);
        for cut in [from, from + 1, from + 7, from + 8, from + 9, to - 1] {
            assert_eq!(known_of(&bytes[..cut]), before, "{cut} of {to}");
        }
        assert_eq!(known_of(&bytes[..to]), after);
    }
    let last = whole[3].1;
    for nonsense in [[0xff; 16].to_vec(), [0; 16].to_vec(), 1_u64.to_be_bytes().to_vec()] {
        assert_eq!(known_of(&[&bytes[..], &nonsense].concat()), last, "{nonsense:?}");
    }
    // The house continues with the truncated file that a kill left.
    known_of(&bytes[..bytes.len() - 1]);
    let house = copying(house);
    assert_eq!(known(&archive), last, "the journal has it still");
    house.wager("goes-on", 1, 10).expect("wagered");
    let head = house.ledger.head().expect("head");
    assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));
}

#[test]
fn a_long_tail_is_several_files_until_segments_take_their_place() {
    let house = copying(House::at(StoreAddress::in_directory).with_some_play());
    let archive = archive(&house);
    let first = known(&archive) + 1;
    for n in 0..6 {
        large_wager(&house, &format!("w{n}"), 600_000);
    }
    // A file takes rows until it reaches one mebibyte.
    let expected: Vec<String> = [0, 2, 4].iter().map(|n| format!("journal-{:012}.tail", first + n)).collect();
    assert_eq!(names(&archive.directory, "tail"), expected);
    let head = house.ledger.head().expect("head");
    assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));
    let second = archive.directory.join(&expected[1]);
    let rows = std::fs::read(&second).expect("read");
    std::fs::remove_file(&second).expect("removed");
    match archive.last() {
        Err(BackupError::Damaged(what)) => {
            assert!(what.contains(&format!("record {} is missing", first + 2)), "{what}");
        }
        other => panic!("{other:?}"),
    }
    std::fs::write(&second, rows).expect("put back");
    let house = copying(house);
    assert_eq!(names(&archive.directory, "tail"), expected[2..], "the last one is left");
    assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));
    large_wager(&house, "later", 10);
    assert_eq!(names(&archive.directory, "tail").len(), 2);
    assert_eq!(known(&archive), head.seq.0 + 1);
}

#[test]
fn nobody_is_answered_while_the_second_copy_is_away() {
    let house = copying(House::at(StoreAddress::in_directory).with_some_play());
    let archive = archive(&house);
    let away = house.directory.path().join("not mounted");
    std::fs::rename(&archive.directory, &away).expect("away");
    let lost = house.wager("w", 1, 10).expect_err("not told");
    assert!(matches!(&lost, Fault::Unknown(DbError::Lost(why)) if why.contains("the second copy")), "{lost}");
    assert!(!house.ledger.healthy());
    std::fs::rename(&away, &archive.directory).expect("back");
    // The writer retries the store only after a pause.
    let since = std::time::Instant::now();
    let again = loop {
        match house.wager("w", 1, 10) {
            Ok(receipt) => break receipt,
            Err(error) => assert!(since.elapsed().as_secs() < 30, "{error}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert!(again.repeated && house.ledger.healthy(), "it was stored, and now it is in both");
    let head = house.ledger.head().expect("head");
    assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));
}

/// Commits this many bets in one batch.
fn many(house: &House, count: i64) {
    let (tell, told) = std::sync::mpsc::channel();
    let chain = (0..count).map(|n| house.wager_draft(&format!("w{n}"), 1, 1)).collect();
    house.ledger.submit_chain(chain, move |outcomes| {
        tell.send(outcomes.iter().filter(|outcome| outcome.is_ok()).count()).expect("listening");
    });
    assert_eq!(told.recv(), Ok(count as usize));
}

#[test]
fn however_much_is_told_at_once_is_in_the_archive() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 10_000).expect("bought");
    let house = copying(house);
    many(&house, 4200);
    let head = house.ledger.head().expect("head");
    assert_eq!(archive(&house).last().expect("readable"), Some((head.seq, head.hash)));
}

#[test]
fn every_segment_tells_its_last_record() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1000).expect("bought");
    let archive = archive(&house);
    std::fs::create_dir(&archive.directory).expect("made");
    assert_eq!(archive.last().expect("readable"), None);
    let mut db = house.place.reader().expect("connects");
    for n in 0..3 {
        archive.advance(&mut *db).expect("archived");
        let head = house.ledger.head().expect("head");
        assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));
        assert_eq!(files(&archive.directory, "segment").len(), n + 1);
        house.wager(&format!("w{n}"), 1, 1).expect("wagered");
    }
}

/// Uses more records than are read at a time.
#[test]
fn a_long_journal_is_archived_audited_restored_and_rebuilt() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1_000_000).expect("bought");
    many(&house, 20_100);
    let archive = archive(&house);
    std::fs::create_dir(&archive.directory).expect("made");
    let mut db = house.place.writer().expect("connects");
    archive.advance(&mut *db).expect("archived");
    let head = house.ledger.head().expect("head");
    let name =
        |n: i64| format!("journal-{:012}-{:012}.segment", n * 4096 + 1, head.seq.0.min((n + 1) * 4096));
    assert_eq!(names(&archive.directory, "segment"), (0..5).map(name).collect::<Vec<_>>());
    archive.advance(&mut *db).expect("nothing is new");
    assert_eq!(files(&archive.directory, "segment").len(), 5);
    assert_eq!(archive.last().expect("readable"), Some((head.seq, head.hash)));

    let mut nothing = |_: &Record| Ok(());
    let mut auditor = Auditor { key: None, copies: vec![], replay: &mut nothing };
    let found = audit(&mut *db, &mut auditor).expect("readable");
    assert_eq!((found.records, found.first_bad), (head.seq.0, None));
    assert_eq!(ledger::rebuild(&mut *db), Ok(head.seq.0));
    assert_eq!(house.balance(patron(1)), 1_000_000 - 20_100);

    let data = tempfile::tempdir().expect("temp dir");
    let place = StoreAddress::in_directory(data.path());
    let backup = house.directory.path();
    let source =
        Source { backup, archive: Some(&archive.directory), until: RestorePoint::Record(Seq(20_001)) };
    restore_until(source, data.path(), &place).expect("restored");
    let mut reached = Seq(0);
    Ledger::follow(data.path(), &place, &archive.directory, |head| {
        reached = head.seq;
        false
    })
    .expect("follows");
    assert_eq!(reached, head.seq);
    assert_eq!(House::open(data, place).balance(patron(1)), 1_000_000 - 20_100);
}

/// Closing a ledger archives its records, even before it is dropped.
#[test]
fn whoever_closes_the_house_archives_what_is_left() {
    let house = House::at(StoreAddress::in_directory).with_some_play();
    let archive = Archive { at_once: false, ..archive(&house) };
    let House { ledger, place, directory, .. } = house;
    drop(ledger);
    let opening = Opening { archive: Some(archive.clone()), ..Opening::default() };
    let ledger = Ledger::open_with(directory.path(), place, opening).expect("opens");
    ledger.take_over(ledger::Stream::Table(crate::house::TABLE), "test").expect("taken over");
    let told = ledger.head().expect("head");
    ledger.close();
    // The closing time is a record too.
    assert_eq!(known(&archive), told.seq.0 + 1);
}

/// A restored house has no seals of records that it lacks.
#[test]
fn seals_of_later_records_are_left_out() {
    let house = House::at(StoreAddress::in_directory).with_some_play();
    let sealed = house.ledger.seal_today().expect("sealed").expect("the first today").seq;
    let mut more = house.wager_draft("more", 1, 1);
    more.postings = Postings::none().transfer(patron(1), patron(2), Cents(1));
    house.ledger.commit(more).expect("moved");
    let backup = house.directory.path().join("backup");
    house.ledger.backup(&backup).expect("backed up");
    for (until, seals) in [
        (RestorePoint::End, 1),
        (RestorePoint::Record(Seq(sealed.0 + 1)), 1),
        (RestorePoint::Record(sealed), 1),
        (RestorePoint::Record(Seq(sealed.0 - 1)), 0),
    ] {
        let data = tempfile::tempdir().expect("temp dir");
        let place = StoreAddress::in_directory(data.path());
        restore_until(Source { backup: &backup, archive: None, until }, data.path(), &place)
            .expect("restored");
        let copies = std::fs::read_to_string(data.path().join("seals.log")).expect("copied");
        assert_eq!(copies.lines().count(), seals, "{until:?}");
        drop(Ledger::open(data.path(), place, 0).expect("the house opens"));
    }
}
