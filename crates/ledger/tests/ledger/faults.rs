//! A disk that is full, tears writes or loses unsynced data, and a database that goes away: nothing acknowledged is
//! lost, and nothing else is half stored.

use crate::cluster::Cluster;
use crate::house::{House, cash, on_both, patron};
use ledger::audit::{Auditor, audit};
use ledger::{Cents, DbError, Fault, Holder, Record, Seq, StoreAddress, journal};
use std::path::Path;

fn audit_passes(place: &StoreAddress) {
    let mut db = place.writer().expect("connects");
    let mut nothing = |_: &Record| Ok(());
    let found =
        audit(&mut *db, &mut Auditor { key: None, copies: vec![], replay: &mut nothing }).expect("readable");
    assert_eq!(found.first_bad, None);
}

#[test]
fn a_full_disk_stops_play_and_space_starts_it_again() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1_000_000).expect("bought");
    house.ledger.cap_pages_for_test(120).expect("capped");
    let mut acknowledged = 0;
    let error = loop {
        let mut draft = house.wager_draft(&format!("w{acknowledged}"), 1, 1);
        draft.event = vec![7; 2000];
        match house.ledger.commit(draft) {
            Ok(_) => acknowledged += 1,
            Err(error) => break error,
        }
        assert!(acknowledged < 10_000, "the disk never filled");
    };
    assert!(matches!(error, Fault::Store(DbError::Full(_))), "{error}");
    assert!(!house.ledger.healthy());
    assert_eq!(house.balance(patron(1)), 1_000_000 - acknowledged);
    audit_passes(&house.place);
    house.ledger.cap_pages_for_test(1_000_000).expect("space");
    house.ledger.take_over(ledger::Stream::Table(crate::house::TABLE), "again").expect("stored");
    assert!(house.ledger.healthy(), "whatever is stored shows that there is space");
    let house = House { epoch: ledger::Epoch(house.epoch.0 + 1), ..house };
    house.wager(&format!("w{acknowledged}"), 1, 1).expect("the same command again");
    assert!(house.ledger.healthy());
    assert_eq!(house.balance(cash(Holder::Layout(crate::house::TABLE))), acknowledged + 1);
    audit_passes(&house.place);
}

#[test]
fn a_lost_database_stops_play_and_its_return_settles_what_was_unsure() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let house = House::at(|_| StoreAddress::Postgres(cluster.database()));
    house.buy_in("b", 1, 1000).expect("bought");
    cluster.say("stop", "stopped");
    let lost = house.wager("w", 1, 100).expect_err("nothing is acknowledged");
    assert!(matches!(lost, Fault::Store(DbError::Lost(_))), "{lost}");
    assert!(house.wager("w", 1, 100).is_err(), "nor when it is asked for again");
    assert!(!house.ledger.healthy());
    cluster.say("start", "started");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while house.wager("w", 1, 100).is_err() {
        assert!(std::time::Instant::now() < deadline, "the house did not come back");
        // Less often than the writer retries the store.
        std::thread::sleep(std::time::Duration::from_millis(600));
    }
    assert!(house.ledger.healthy());
    assert_eq!(house.balance(patron(1)), 900, "once, however often it was tried");
    audit_passes(&house.place);
}

/// Simulates power cuts on a copy: synced data stays; later writes are torn, dropped, zeroed or shuffled.
#[test]
fn a_torn_log_keeps_everything_acknowledged() {
    let house = House::at(StoreAddress::in_directory);
    house.buy_in("b", 1, 1_000_000).expect("bought");
    let file = house.directory.path().join("house.sqlite");
    let wal = house.directory.path().join("house.sqlite-wal");
    let length = |path: &Path| std::fs::metadata(path).expect("there").len() as usize;
    let mut synced = Vec::new();
    for n in 0..30 {
        house.wager(&format!("w{n}"), 1, 1 + n).expect("wagered");
        synced.push((length(&wal), house.ledger.head().expect("head").seq));
    }
    let (whole, database) = (std::fs::read(&wal).expect("read"), std::fs::read(&file).expect("read"));
    let mut dice = 0x2545_f491_4f6c_dd1du64;
    for (n, (safe, seq)) in synced.iter().enumerate() {
        for harm in 0..4 {
            let copy = tempfile::tempdir().expect("temp dir");
            let log = harmed(&whole, *safe, harm, &mut dice);
            std::fs::write(copy.path().join("house.sqlite"), &database).expect("written");
            std::fs::write(copy.path().join("house.sqlite-wal"), log).expect("written");
            let place = StoreAddress::in_directory(copy.path());
            audit_passes(&place);
            let mut db = place.writer().expect("opens");
            let records = journal::records(&mut *db, Seq(0), 1000).expect("readable");
            assert!(records.len() as i64 >= seq.0, "record {n}, harm {harm}: an acknowledged record is gone");
            let staked: i64 = records
                .iter()
                .flat_map(|r| &r.legs)
                .filter(|l| l.amount < Cents::ZERO)
                .map(|l| l.amount.0)
                .sum();
            assert!(staked < 0);
        }
    }
}

/// Returns the log with everything after its synced part damaged.
fn harmed(log: &[u8], safe: usize, harm: u32, dice: &mut u64) -> Vec<u8> {
    let mut roll = |sides: usize| {
        *dice ^= *dice << 13;
        *dice ^= *dice >> 7;
        *dice ^= *dice << 17;
        (*dice % sides.max(1) as u64) as usize
    };
    let (kept, rest) = log.split_at(safe);
    let mut rest = rest.to_vec();
    match harm {
        0 => rest.truncate(roll(rest.len() + 1)),
        1 => rest.chunks_mut(512).for_each(|sector| {
            if roll(2) == 0 {
                sector.fill(0);
            }
        }),
        2 => rest.chunks_mut(512).for_each(|sector| {
            if roll(3) == 0 {
                sector.iter_mut().for_each(|b| *b ^= 0x5a);
            }
        }),
        _ => {
            let sectors = rest.len() / 512;
            for n in 0..sectors {
                let other = roll(sectors);
                for byte in 0..512 {
                    rest.swap(n * 512 + byte, other * 512 + byte);
                }
            }
        }
    }
    [kept, &rest].concat()
}

#[test]
fn a_store_of_a_newer_program_is_left_alone() {
    on_both(|house| {
        let mut db = house.place.writer().expect("connects");
        db.load("INSERT INTO schema_version (version) VALUES (999)", &[vec![]]).expect("written");
        let House { ledger, place, directory, .. } = house;
        drop(ledger);
        let refused = ledger::Ledger::open(directory.path(), place, 0).map(|_| ());
        assert!(refused.is_err_and(|e| e.to_string().contains("999")));
    });
}

/// Projections that were lost or changed are rebuilt from the journal.
#[test]
fn everything_beside_the_journal_is_rebuilt_from_it() {
    on_both(|house| {
        let house = house.with_some_play();
        let balance = house.balance(patron(1));
        let mut db = house.place.writer().expect("connects");
        for sql in [
            "DELETE FROM wagers",
            "DELETE FROM rounds",
            "DELETE FROM postings",
            "UPDATE accounts SET balance = 7",
            "DELETE FROM play_days",
            "DELETE FROM owners",
        ] {
            db.load(sql, &[vec![]]).expect("meddled");
        }
        let records = ledger::rebuild(&mut *db).expect("rebuilt");
        assert_eq!(records, house.ledger.head().expect("head").seq.0);
        assert_eq!(house.balance(patron(1)), balance);
        assert!(house.wager("w1-0", 1, 500).expect("known").repeated);
        house.wager("new", 1, 1).expect("play goes on");
        audit_passes(&house.place);
        // Rebuilt by the house's own program, while the house is stopped.
        let data = house.directory.path();
        let open = ledger::Ledger::rebuild(data, &house.place).map_err(|why| why.to_string());
        assert!(open.is_err_and(|why| why.contains("in use by another server")));
        db.load("DELETE FROM play_days", &[vec![]]).expect("meddled");
        house.ledger.close();
        let head = house.ledger.head().expect("head").seq.0;
        assert_eq!(ledger::Ledger::rebuild(data, &house.place).expect("rebuilt"), head);
        audit_passes(&house.place);
    });
}
