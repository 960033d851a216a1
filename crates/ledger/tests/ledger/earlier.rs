//! Houses and backups of earlier programs.

use crate::cluster;
use crate::house::{House, on_both, patron};
use ledger::audit::{Auditor, Outcome, audit};
use ledger::db::Db;
use ledger::{Denied, Fault, Measure, PersonId, Place, Record, Seq, Span, Stopped, backup};

const VERSIONS: [&str; 3] = [
    include_str!("../../src/schema/1.sql"),
    include_str!("../../src/schema/2.sql"),
    include_str!("../../src/schema/3.sql"),
];

/// The same records as each earlier version would have stored them, in a store of the same kind.
fn of_earlier_versions(played: &House, records: &[Record]) -> Vec<(usize, tempfile::TempDir, Place)> {
    let embedded = matches!(played.place, Place::Sqlite(_));
    let stored = |version: usize| {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = match embedded {
            true => Place::in_directory(directory.path()),
            false => Place::Postgres(cluster::shared().expect("there").database()),
        };
        old_store(&mut *place.writer().expect("connects"), &VERSIONS[..version], records);
        (version, directory, place)
    };
    (1..=if embedded { 3 } else { 2 }).map(stored).collect()
}

/// Houses of earlier versions open: when everything was in one file and each record had a row, and when what follows from
/// the journal had moved to a file of its own.
#[test]
fn a_house_of_an_earlier_version_opens() {
    on_both(|played| {
        let played = played.with_some_play();
        let records = played.ledger.read(|db| ledger::journal::records(db, Seq(0), 1000)).expect("readable");
        for (_, directory, place) in of_earlier_versions(&played, &records) {
            let house = House::open(directory, place);
            assert_eq!(
                house.ledger.read(|db| ledger::journal::records(db, Seq(0), 1000)),
                Ok(records.clone())
            );
            for person in 1..=3 {
                assert_eq!(house.balance(patron(person)), played.balance(patron(person)));
            }
            assert!(house.wager("w1-0", 1, 500).expect("known").repeated);
            house.wager("new", 1, 1).expect("play goes on");
            assert_eq!(audited(&mut *house.place.writer().expect("connects")).first_bad, None);
        }
    });
}

/// Whoever only reads sees a house of an earlier version as this program would, and leaves it as it is.
#[test]
fn a_house_of_an_earlier_version_is_audited_and_backed_up_as_it_is() {
    on_both(|played| {
        let played = played.with_some_play();
        let records = played.ledger.read(|db| ledger::journal::records(db, Seq(0), 1000)).expect("readable");
        for (version, directory, place) in of_earlier_versions(&played, &records) {
            let before = contents(&place, directory.path());
            let found = audited(&mut *place.newest().expect("copied"));
            assert_eq!((found.records, found.first_bad), (records.len() as i64, None), "version {version}");
            let new = tempfile::tempdir().expect("temp dir");
            let saved = new.path().join("backup");
            backup::write(&mut *place.newest().expect("copied"), directory.path(), &saved)
                .expect("backed up");
            assert_eq!(contents(&place, directory.path()), before, "version {version} is as it was");
            let restored = Place::in_directory(new.path());
            backup::restore(&saved, new.path(), &restored).expect("restored");
            let house = House::open(new, restored);
            for person in 1..=3 {
                assert_eq!(house.balance(patron(person)), played.balance(patron(person)));
            }
            house.wager("new", 1, 1).expect("play goes on");
            assert_eq!(audited(&mut *house.place.writer().expect("connects")).first_bad, None);
        }
        // What a damaged record of an earlier version is, is said too.
        let directory = tempfile::tempdir().expect("temp dir");
        let place = Place::in_directory(directory.path());
        let mut db = place.writer().expect("opens");
        old_store(&mut *db, &VERSIONS[..2], &records);
        db.load("UPDATE journal SET event = $1 WHERE seq = 5", &[ledger::row![vec![7u8]]]).expect("meddled");
        drop(db);
        let told = place.newest().map(|_| ()).expect_err("meddled with").to_string();
        assert!(told.contains("record 5 of the journal does not fit"), "{told}");
    });
}

/// The files of a store, or all that a database says of its version and records.
fn contents(place: &Place, directory: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    match place {
        Place::Sqlite(_) => {
            for entry in std::fs::read_dir(directory).expect("there").flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                // A reader may make the log and its index.
                if !name.ends_with("-shm") && !name.ends_with("-wal") {
                    found.push((name, std::fs::read(entry.path()).expect("readable")));
                }
            }
        }
        Place::Postgres(_) => {
            let mut db = place.reader().expect("connects");
            for sql in
                ["SELECT version FROM schema_version", "SELECT seq FROM journal", "SELECT seq FROM head"]
            {
                let each = &mut |row| {
                    found.push((sql.to_owned(), format!("{row:?}").into_bytes()));
                    true
                };
                db.walk(sql, ledger::row![], each).expect("read");
            }
        }
    }
    found.sort();
    found
}

/// A store as a program of that version left it.
fn old_store(db: &mut dyn Db, versions: &[&str], records: &[Record]) {
    db.define("CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT").expect("made");
    for (n, ddl) in versions.iter().enumerate() {
        db.define(ddl).expect("made");
        db.load(&format!("INSERT INTO schema_version (version) VALUES ({})", n + 1), &[vec![]]).expect("put");
    }
    let rows: Vec<_> = records
        .iter()
        .map(|r| {
            let legs: Vec<u8> = r
                .legs
                .iter()
                .flat_map(|l| [l.account.number(), l.amount.0, l.after.0])
                .flat_map(i64::to_be_bytes)
                .collect();
            ledger::row![
                r.seq.0,
                r.at.0,
                r.day.0,
                r.stream.number(),
                r.round.0,
                &*r.kind,
                r.person.0,
                r.command.as_str(),
                &r.body.0[..],
                r.event.as_slice(),
                legs,
                Vec::new(),
                r.answer.as_slice(),
                &r.hash.0[..]
            ]
        })
        .collect();
    db.load(
        "INSERT INTO journal (seq, at, day, stream, round, kind, person, command, body, event, legs, effects, answer, \
         hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        &rows,
    ).expect("put");
    let last = records.last().expect("some");
    let head = ledger::row![last.seq.0, &last.hash.0[..], last.at.0];
    db.load("UPDATE head SET seq = $1, hash = $2, at = $3", &[head]).expect("put");
}

fn audited(db: &mut dyn Db) -> Outcome {
    let mut nothing = |_: &Record| Ok(());
    audit(db, &mut Auditor { key: None, copies: vec![], replay: &mut nothing }).expect("readable")
}

/// `backup-1` was written by the first program, before anything was folded in from the journal, and `backup-2` by the one
/// before records were stored in pages. Both hold the same play; the first also a patron with a limit, one who is excluded,
/// an account, a setting and a seal, whose key is not with it.
#[test]
fn a_backup_of_an_earlier_program_is_restored_on_either_store() {
    let played = House::at(Place::in_directory).with_some_play();
    let cluster = cluster::shared();
    for (name, records) in [("backup-1", 18), ("backup-2", 15)] {
        let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledger").join(name);
        let magic = format!("cutcard {}\n", name.replace('-', " "));
        assert!(std::fs::read(from.join("house.backup")).expect("there").starts_with(magic.as_bytes()));
        for database in [None, cluster.map(|c| Place::Postgres(c.database()))] {
            let directory = tempfile::tempdir().expect("temp dir");
            let place = database.unwrap_or_else(|| Place::in_directory(directory.path()));
            backup::restore(&from, directory.path(), &place).expect("restored");
            assert!(matches!(
                backup::restore(&from, directory.path(), &place),
                Err(backup::BackupError::NotEmpty)
            ));
            let house = House::open(directory, place);
            let found = audited(&mut *house.place.newest().expect("readable"));
            assert_eq!((found.records, found.first_bad), (records, None), "{name}");
            for person in 1..=3 {
                assert_eq!(house.balance(patron(person)), played.balance(patron(person)), "{name}");
            }
            assert!(house.wager("w1-0", 1, 500).expect("known").repeated);
            house.wager("new", 1, 1).expect("play goes on");
            if name == "backup-1" {
                keeps_what_is_not_play(&house);
            }
            assert_eq!(audited(&mut *house.place.newest().expect("readable")).first_bad, None, "{name}");
        }
    }
}

/// What `backup-1` has besides play.
fn keeps_what_is_not_play(house: &House) {
    let (limited, excluded) = (house.wager("more", 2, 1601), house.wager("again", 3, 1));
    let stopped = Stopped::Limit { measure: Measure::Wager, span: Span::Day };
    assert_eq!(limited, Err(Fault::Denied(Denied::Stopped(stopped))));
    assert!(
        matches!(excluded, Err(Fault::Denied(Denied::Stopped(Stopped::Excluded { .. })))),
        "{excluded:?}"
    );
    let cleo = house.ledger.look(|db| ledger::people::by_name(db, "cleo")).expect("readable").expect("known");
    assert_eq!((cleo.id, cleo.name.as_str(), cleo.failures), (PersonId(3), "Cleo", 2));
    let setting = house.ledger.look(|db| ledger::people::setting(db, "bank")).expect("readable");
    assert_eq!(setting.as_deref(), Some(&b"entered"[..]));
}
