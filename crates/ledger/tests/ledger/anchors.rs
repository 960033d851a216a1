//! A store that is consistent in itself but not what it was: rolled back, truncated, without its log, or new beside old
//! keys. Outside evidence keeps the house closed until somebody accepts the loss.

use crate::cluster;
use crate::house::{House, command, on_both, patron};
use ledger::anchor::{Anchor, InDatabase, InDirectory};
use ledger::archive::Archive;
use ledger::{Draft, Ledger, Moment, OpenError, Opening, PersonId, StoreAddress, Stream};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn opened(data: &Path, place: &StoreAddress, anchors: Vec<Box<dyn Anchor>>) -> Result<Ledger, OpenError> {
    Ledger::open_with(data, place.clone(), Opening { anchors, ..Opening::default() })
}

/// Returns the reason why the house does not open.
fn refused(data: &Path, place: &StoreAddress, anchors: Vec<Box<dyn Anchor>>) -> String {
    match opened(data, place, anchors) {
        Ok(_) => panic!("the house opens"),
        Err(error) => error.to_string(),
    }
}

fn in_directory(directory: &TempDir) -> Vec<Box<dyn Anchor>> {
    vec![Box::new(InDirectory(directory.path().to_owned()))]
}

/// Returns a copy of a house's files, as a kill leaves them.
fn killed(house: &House) -> (TempDir, StoreAddress) {
    let copy = tempfile::tempdir().expect("temp dir");
    copy_files(house.directory.path(), copy.path());
    let place = StoreAddress::in_directory(copy.path());
    (copy, place)
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("listed").flatten() {
        match entry.path().is_dir() {
            true => copy_files(&entry.path(), &to.join(entry.file_name())),
            false => std::fs::copy(entry.path(), to.join(entry.file_name())).map(|_| ()).expect("copied"),
        }
    }
}

#[test]
fn a_deleted_log_is_noticed() {
    let house = House::at(StoreAddress::in_directory);
    for n in 0..40 {
        house.buy_in(&format!("b{n}"), 1, 100).expect("bought");
    }
    let (whole, place) = killed(&house);
    drop(opened(whole.path(), &place, vec![]).expect("a killed house opens"));
    let (robbed, place) = killed(&house);
    std::fs::remove_file(robbed.path().join("house.sqlite-wal")).expect("there was one");
    let why = refused(robbed.path(), &place, vec![]);
    assert!(why.contains("the head file next to the store"), "{why}");
    // The store was never checkpointed into its file: even the tables were in the log.
    assert!(why.contains("the journal ends at record 0") && why.contains("--accept-loss"), "{why}");
}

#[test]
fn a_file_that_was_rolled_back_is_noticed() {
    let mut house = House::at(StoreAddress::in_directory);
    for round in 0..2 {
        house.buy_in(&format!("b{round}"), 1, 100).expect("bought");
        house = house.reopened();
    }
    let House { ledger, place, directory, .. } = house;
    drop(ledger);
    let file = directory.path().join("house.sqlite");
    let old = std::fs::read(&file).expect("read");
    let house = House::open(directory, place);
    house.buy_in("later", 1, 100).expect("bought");
    let House { ledger, place, directory, .. } = house;
    drop(ledger);
    let new = std::fs::read(&file).expect("read");
    std::fs::write(&file, old).expect("rolled back");
    let why = refused(directory.path(), &place, vec![]);
    assert!(why.contains("the head file next to the store: it has record"), "{why}");
    std::fs::write(&file, new).expect("put right");
    drop(opened(directory.path(), &place, vec![]).expect("opens"));
}

/// Truncates the journal behind the house's back, and makes everything else consistent.
fn cut_short(place: &StoreAddress, records: i64) {
    let mut db = place.writer().expect("connects");
    db.define(match place {
        StoreAddress::Sqlite(_) => "PRAGMA foreign_keys = OFF",
        StoreAddress::Postgres(_) => "SET session_replication_role = replica",
    })
    .expect("unbridled");
    let cut = format!("DELETE FROM journal WHERE seq > (SELECT seq FROM head) - {records}");
    db.load(&cut, &[vec![]]).expect("cut");
    ledger::rebuild(&mut *db).expect("rebuilt");
}

#[test]
fn rows_deleted_at_the_end_are_noticed_by_every_anchor() {
    on_both(|house| {
        let House { ledger, place, directory, .. } = house.with_some_play();
        drop(ledger);
        let (first, second) =
            (tempfile::tempdir().expect("temp dir"), tempfile::tempdir().expect("temp dir"));
        let database = match cluster::shared() {
            Some(cluster) => StoreAddress::Postgres(cluster.database()),
            None => StoreAddress::in_directory(second.path()),
        };
        let all = || -> Vec<Box<dyn Anchor>> {
            let mut all = in_directory(&first);
            all.push(Box::new(InDatabase::at(database.clone())));
            all
        };
        let ledger = opened(directory.path(), &place, all()).expect("opens");
        let epoch = ledger.take_over(Stream::Table(crate::house::TABLE), "test").expect("taken over");
        let house = House { ledger, place, directory, epoch };
        let began = std::time::Instant::now();
        house.wager("last", 1, 1).expect("wagered");
        let seq = format!(" seq={} ", house.ledger.head().expect("head").seq.0);
        let mut far = InDatabase::at(database.clone());
        let mut near = InDirectory(first.path().to_owned());
        let mut there = || {
            [near.last(), far.last()]
                .into_iter()
                .all(|line| line.is_ok_and(|l| l.unwrap_or_default().contains(&seq)))
        };
        while !there() {
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(began.elapsed().as_millis() < 5_000, "the head is not anchored while the house is open");
        }
        let House { ledger, place, directory, .. } = house;
        drop(ledger);
        let note = std::fs::read(directory.path().join("head")).expect("noted");
        cut_short(&place, 3);
        let why = refused(directory.path(), &place, all());
        for witness in ["the head file", "the anchor in a second database", "the anchor in "] {
            assert!(why.contains(witness), "{witness}: {why}");
        }
        std::fs::remove_file(directory.path().join("head")).expect("removed");
        for anchors in
            [in_directory(&first), vec![Box::new(InDatabase::at(database.clone())) as Box<dyn Anchor>]]
        {
            let why = refused(directory.path(), &place, anchors);
            assert!(why.contains("the journal ends at record") && !why.contains("the head file"), "{why}");
        }
        std::fs::write(directory.path().join("head"), note).expect("put back");
        goes_on_when_the_loss_is_accepted(directory.path(), &place, all);
    });
}

fn goes_on_when_the_loss_is_accepted(
    data: &Path,
    place: &StoreAddress,
    anchors: impl Fn() -> Vec<Box<dyn Anchor>>,
) {
    let opening = || Opening { anchors: anchors(), accept_loss: true, ..Opening::default() };
    let ledger = Ledger::open_with(data, place.clone(), opening()).expect("opens");
    assert_eq!(ledger.losses().len(), 3, "{:?}", ledger.losses());
    drop(ledger);
    refused(data, place, anchors());
    let ledger = Ledger::open_with(data, place.clone(), opening()).expect("opens");
    let mut decision = Draft::new(Stream::House, PersonId(1), command("accepted"), "significant");
    decision.event = b"{\"what\":\"loss-accepted\"}".to_vec();
    ledger.accept_loss(decision).expect("recorded");
    drop(ledger);
    let ledger = opened(data, place, anchors()).expect("the journal is what is known of it");
    assert!(ledger.losses().is_empty());
    assert_eq!(ledger.balance(patron(1)).map(|cents| cents.0 > 0), Ok(true));
}

#[test]
fn a_house_that_lost_everything_but_its_keys_does_not_begin_anew() {
    let house = House::at(StoreAddress::in_directory);
    let House { ledger, place, directory, .. } = house;
    drop(ledger);
    for name in ["house.sqlite", "head"] {
        std::fs::remove_file(directory.path().join(name)).expect("removed");
    }
    let why = refused(directory.path(), &place, vec![]);
    assert!(why.contains("they were used before, but the journal is empty"), "{why}");
}

#[test]
fn a_first_start_that_came_to_nothing_may_be_tried_again() {
    let directory = tempfile::tempdir().expect("temp dir");
    let place = StoreAddress::in_directory(directory.path());
    drop(opened(directory.path(), &place, vec![]).expect("opens"));
    assert!(directory.path().join("keys/seal.key").exists());
    drop(opened(directory.path(), &place, vec![]).expect("opens again"));
}

#[test]
fn an_anchor_of_another_house_or_one_that_does_not_answer_keeps_the_house_closed() {
    let anchor = tempfile::tempdir().expect("temp dir");
    let (first, second) = (House::at(StoreAddress::in_directory), House::at(StoreAddress::in_directory));
    for house in [first, second].into_iter().enumerate() {
        let (n, House { ledger, place, directory, .. }) = house;
        drop(ledger);
        match n {
            0 => drop(opened(directory.path(), &place, in_directory(&anchor)).expect("opens")),
            _ => {
                let why = refused(directory.path(), &place, in_directory(&anchor));
                assert!(why.contains("is not signed by this house's key"), "{why}");
                let away = || Box::new(InDirectory(anchor.path().join("not mounted"))) as Box<dyn Anchor>;
                let why = refused(directory.path(), &place, vec![away()]);
                assert!(why.starts_with("no anchor responds: the anchor in "), "{why}");
                let other = tempfile::tempdir().expect("temp dir");
                let mut both = in_directory(&other);
                both.push(away());
                drop(opened(directory.path(), &place, both).expect("one of two is enough"));
            }
        }
    }
}

/// Returns the note of the head.
fn head_of(data: &Path) -> String {
    std::fs::read_to_string(data.join("head")).expect("noted")
}

#[test]
fn a_journal_that_is_another_or_goes_on_beyond_its_head_is_noticed() {
    on_both(|house| {
        let House { ledger, place, directory, .. } = house.with_some_play();
        let head = ledger.head().expect("head").seq.0;
        drop(ledger);
        let note = head_of(directory.path());
        let (last, forged) = (note.trim_end().len() - 1, if note.contains("0\n") { "1" } else { "0" });
        let other = format!("{}{forged}\n", &note[..last]);
        std::fs::write(directory.path().join("head"), other).expect("written");
        let why = refused(directory.path(), &place, vec![]);
        assert!(why.contains(&format!("its record {head} is different from the journal's")), "{why}");
        std::fs::write(directory.path().join("head"), "nonsense\n").expect("written");
        let why = refused(directory.path(), &place, vec![]);
        assert!(why.contains("the head file next to the store: its last line cannot be read"), "{why}");
        std::fs::write(directory.path().join("head"), note).expect("put back");
        let mut db = place.writer().expect("connects");
        let back =
            "UPDATE head SET seq = seq - 1, hash = (SELECT hash FROM journal WHERE seq = head.seq - 1)";
        db.load(back, &[vec![]]).expect("meddled");
        let why = refused(directory.path(), &place, vec![]);
        let told = format!(
            "the store's head: it ends at record {}, but the journal ends at record {head}",
            head - 1
        );
        assert!(why.contains(&told), "{why}");
        ledger::rebuild(&mut *db).expect("rebuilt");
        drop(opened(directory.path(), &place, vec![]).expect("opens"));
    });
}

/// Accepting a loss sets aside the seals of lost records; the others stay.
#[test]
fn seals_of_what_was_lost_are_put_aside() {
    let House { ledger, place, directory, .. } = House::at(StoreAddress::in_directory).with_some_play();
    drop(ledger);
    let shift_ms = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(0));
    let opening = Opening { shift_ms: std::sync::Arc::clone(&shift_ms), ..Opening::default() };
    let ledger = Ledger::open_with(directory.path(), place.clone(), opening).expect("opens");
    ledger.seal_today().expect("sealed").expect("the first today");
    shift_ms.store(86_400_000, std::sync::atomic::Ordering::Relaxed);
    ledger.clock().confirm();
    for n in 0..3 {
        ledger.take_over(Stream::Table(crate::house::TABLE), &format!("test{n}")).expect("taken over");
    }
    ledger.seal_today().expect("sealed").expect("the first of the next day");
    drop(ledger);
    let log = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap_or_default();
    let seals: Vec<String> = log("seals.log").lines().map(str::to_owned).collect();
    assert_eq!(seals.len(), 2);
    // Removes the seal itself, the record it seals, and the record before.
    cut_short(&place, 3);
    let why = refused(directory.path(), &place, vec![]);
    assert_eq!(why.matches("seals.log: it has record").count(), 1, "{why}");
    let opening = Opening { accept_loss: true, ..Opening::default() };
    let ledger = Ledger::open_with(directory.path(), place.clone(), opening).expect("opens");
    let decision = Draft::new(Stream::House, PersonId(1), command("accepted"), "significant");
    ledger.accept_loss(decision).expect("recorded");
    drop(ledger);
    assert_eq!(log("seals.log").lines().collect::<Vec<_>>(), [&*seals[0]]);
    assert_eq!(log("seals.lost.log").lines().collect::<Vec<_>>(), [&*seals[1]]);
    drop(opened(directory.path(), &place, vec![]).expect("opens"));
}

#[test]
fn the_head_is_anchored_again_and_again() {
    let (house, outside) = (House::at(StoreAddress::in_directory), tempfile::tempdir().expect("temp dir"));
    let House { ledger, place, directory, .. } = house;
    drop(ledger);
    let ledger = opened(directory.path(), &place, in_directory(&outside)).expect("opens");
    let mut anchor = InDirectory(outside.path().to_owned());
    for n in 0..3 {
        let since = std::time::Instant::now();
        ledger.take_over(Stream::Table(crate::house::TABLE), &format!("test{n}")).expect("taken over");
        let seq = format!(" seq={} ", ledger.head().expect("head").seq.0);
        while !anchor.last().expect("readable").unwrap_or_default().contains(&seq) {
            assert!(since.elapsed().as_secs() < 20, "{seq}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

/// An operator sees since when the archive or an anchor is behind, and how old the last backup is.
#[test]
fn a_copy_that_falls_behind_is_dated() {
    let (data, anchor) = (tempfile::tempdir().expect("temp dir"), tempfile::tempdir().expect("temp dir"));
    let (place, anchor_at) = (StoreAddress::in_directory(data.path()), anchor.path().join("anchor"));
    std::fs::create_dir(&anchor_at).expect("made");
    let archive = Archive { directory: data.path().join("archive"), command: None, at_once: false };
    let anchors: Vec<Box<dyn Anchor>> = vec![Box::new(InDirectory(anchor_at.clone()))];
    let opening = Opening { anchors, archive: Some(archive), ..Opening::default() };
    let ledger = Ledger::open_with(data.path(), place.clone(), opening).expect("opens");
    let note = |id: &str| {
        ledger.commit(Draft::new(Stream::House, PersonId(1), command(id), "note")).expect("stored");
    };
    let moves_on = |from: Option<Moment>| {
        let since = Instant::now();
        while ledger.copies().anchored() <= from {
            assert!(since.elapsed() < Duration::from_secs(20), "it stays behind");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    note("a");
    assert!(ledger.copies().archived().is_some() && ledger.last_backup().is_none());
    moves_on(ledger.copies().anchored());
    let away = anchor.path().join("away");
    std::fs::rename(&anchor_at, &away).expect("away");
    std::fs::write(&anchor_at, "not a directory").expect("written");
    note("b");
    // A pass that began before may still end.
    std::thread::sleep(Duration::from_secs(1));
    let behind = ledger.copies().anchored();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(ledger.copies().anchored(), behind);
    std::fs::remove_file(&anchor_at).expect("removed");
    std::fs::rename(&away, &anchor_at).expect("back");
    moves_on(behind);
    let mut db = place.reader().expect("readable");
    ledger::backup::write(&mut *db, data.path(), &anchor.path().join("backup")).expect("written");
    assert!(ledger.last_backup() > behind);
}
