//! Houses and backups of earlier programs.

use crate::cluster;
use crate::house::{House, on_both, patron};
use ledger::audit::{Auditor, Outcome, audit};
use ledger::canon::Canon;
use ledger::db::Db;
use ledger::{
    Denied, Fault, Form, Measure, Moment, PersonId, Place, Record, Seq, Span, Stopped, backup, journal,
};

/// What each version of the store brought.
const VERSIONS: [&str; 6] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
];

fn backup_of(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledger").join(name)
}

/// Records of the first edition, as a backup of then has them.
fn first_edition() -> Vec<Record> {
    let directory = tempfile::tempdir().expect("temp dir");
    let place = Place::in_directory(directory.path());
    backup::restore(&backup_of("backup-2"), directory.path(), &place).expect("restored");
    let records = journal::records(&mut *place.reader().expect("opens"), Seq(0), 1000).expect("readable");
    let first: Vec<Record> = records.into_iter().filter(|r| r.form == Form::First).collect();
    assert_eq!(first.len(), 15);
    first
}

/// The same records as each earlier version would have stored them, in a store of the same kind.
fn of_earlier_versions(embedded: bool, records: &[Record]) -> Vec<(usize, tempfile::TempDir, Place)> {
    let stored = |version: usize| {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = match embedded {
            true => Place::in_directory(directory.path()),
            false => Place::Postgres(cluster::shared().expect("there").database()),
        };
        old_store(&mut *place.writer().expect("connects"), version, records);
        (version, directory, place)
    };
    (1..=6).map(stored).collect()
}

/// On SQLite and on PostgreSQL, with the records of the first edition and a house of today that played the same.
fn of_both(test: impl Fn(bool, &House, &[Record])) {
    let records = first_edition();
    on_both(|played| {
        let embedded = matches!(played.place, Place::Sqlite(_));
        test(embedded, &played.with_some_play(), &records);
    });
}

/// Houses of every earlier version open, with the same chain and the same balances.
#[test]
fn a_house_of_an_earlier_version_opens() {
    of_both(|embedded, played, records| {
        for (version, directory, place) in of_earlier_versions(embedded, records) {
            let house = House::open(directory, place);
            let found = house.ledger.read(|db| journal::records(db, Seq(0), 15)).expect("readable");
            assert_eq!(found, records, "version {version}");
            for person in 1..=3 {
                assert_eq!(house.balance(patron(person)), played.balance(patron(person)));
            }
            assert!(house.wager("w1-0", 1, 500).expect("known").repeated);
            house.wager("new", 1, 1).expect("play goes on");
            came_along(&house);
            assert_eq!(audited(&mut *house.place.reader().expect("connects")).first_bad, None);
            old_store_is_kept(&house, version);
            let house = house.reopened();
            assert_eq!(house.ledger.read(|db| journal::records(db, Seq(0), 15)).expect("readable"), records);
        }
    });
}

/// The old store stays as it was.
fn old_store_is_kept(house: &House, version: usize) {
    let mut db = match &house.place {
        Place::Sqlite(path) => {
            let kept = path.with_extension(format!("version-{version}.sqlite"));
            Place::Sqlite(kept).reader().expect("kept")
        }
        Place::Postgres(_) => house.place.reader().expect("connects"),
    };
    let schema = if matches!(house.place, Place::Sqlite(_)) { "" } else { "earlier." };
    let mut rows = 0;
    let table = if version > 3 { "pages" } else { "journal" };
    db.walk(&format!("SELECT seq FROM {schema}{table}"), ledger::row![], &mut |_| {
        rows += 1;
        true
    })
    .expect("readable");
    assert_eq!(rows, if version > 3 { 3 } else { 15 }, "version {version}");
}

/// Whoever only reads sees a house of an earlier version as this program would, and leaves it as it is.
#[test]
fn a_house_of_an_earlier_version_is_audited_and_backed_up_as_it_is() {
    of_both(|embedded, played, records| {
        for (version, directory, place) in of_earlier_versions(embedded, records) {
            let before = contents(&place, directory.path());
            let found = audited(&mut *place.newest().expect("copied"));
            assert_eq!((found.records, found.first_bad), (16, None), "version {version}");
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
        // What a damaged record of an earlier version is, is said too, and nothing is changed.
        for (version, sql) in [
            (2, "UPDATE journal SET event = $1 WHERE seq = 5"),
            (6, "UPDATE pages SET records = $1 WHERE seq = 7"),
        ] {
            let directory = tempfile::tempdir().expect("temp dir");
            let place = Place::in_directory(directory.path());
            let mut db = place.writer().expect("opens");
            old_store(&mut *db, version, records);
            db.load(sql, &[ledger::row![vec![7u8]]]).expect("meddled");
            drop(db);
            let told = place.newest().map(|_| ()).expect_err("meddled with").to_string();
            assert!(told.contains("of the journal does not fit"), "{told}");
            let before = contents(&place, directory.path());
            let refused = ledger::Ledger::open(directory.path(), place.clone(), 0).map(|_| ());
            assert!(refused.is_err_and(|e| e.to_string().contains("does not fit")));
            let after = contents(&place, directory.path());
            let file = |files: &[(String, Vec<u8>)]| files.iter().find(|f| f.0 == "house.sqlite").cloned();
            assert_eq!(file(&after), file(&before));
        }
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
                if entry.path().is_file() && !name.ends_with("-shm") && !name.ends_with("-wal") {
                    found.push((name, std::fs::read(entry.path()).expect("readable")));
                }
            }
        }
        Place::Postgres(_) => {
            let mut db = place.reader().expect("connects");
            for sql in
                ["SELECT version FROM schema_version", "SELECT name FROM settings", "SELECT seq FROM head"]
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
fn old_store(db: &mut dyn Db, version: usize, records: &[Record]) {
    let embedded = db.as_sqlite().is_some();
    db.define("CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT").expect("made");
    for (n, ddl) in (1..).zip(&VERSIONS[..version]) {
        // The third was of SQLite only, the last two of PostgreSQL.
        if !(n == 3 && !embedded || n > 4 && embedded) {
            db.define(ddl).expect("made");
        }
        db.load(&format!("INSERT INTO schema_version (version) VALUES ({n})"), &[vec![]]).expect("put");
    }
    match version {
        1..=3 => put_rows(db, records),
        _ => {
            db.define("DROP TABLE journal").expect("gone");
            for page in records.chunks(6) {
                let bytes: Vec<u8> = page.iter().flat_map(on_page).collect();
                let row = ledger::row![page[0].seq.0, bytes];
                db.load("INSERT INTO pages (seq, records) VALUES ($1, $2)", &[row]).expect("put");
            }
        }
    }
    let last = records.last().expect("some");
    let head = ledger::row![last.seq.0, &last.hash.0[..], last.at.0];
    db.load("UPDATE head SET seq = $1, hash = $2, at = $3", &[head]).expect("put");
    let settings = [("bank", b"entered".to_vec()), ("bytes", vec![0xff, 7]), ("nothing", vec![0])];
    let settings = settings.map(|(name, value)| ledger::row![name, value]);
    db.load("INSERT INTO settings (name, value) VALUES ($1, $2)", &settings).expect("put");
    for sql in [
        "INSERT INTO owners (stream, owner, epoch) VALUES (1, 'somebody', 3)",
        "INSERT INTO people (person, name, folded, role, secret, guest, disabled, created, failures, locked_until) \
         VALUES (8, 'Ann', 'ann', 'dealer', 'hash', 0, 1, 5, 2, 6)",
    ] {
        db.load(sql, &[vec![]]).expect("put");
    }
    let session = ledger::row![TOKEN.to_vec()];
    let sql = "INSERT INTO sessions (token, person, created, seen, ends) VALUES ($1, 8, 1, 2, 3)";
    db.load(sql, &[session]).expect("put");
    let checkpoint = ledger::row![last.seq.0, vec![1_u8]];
    let sql = "INSERT INTO checkpoints (stream, seq, round, state) VALUES (1, $1, 1, $2)";
    db.load(sql, &[checkpoint]).expect("put");
    let seal = ledger::row![last.seq.0, &last.hash.0[..], vec![9_u8; 64]];
    let sql = "INSERT INTO seals (day, seq, hash, at, signature) VALUES (5, $1, $2, 7, $3)";
    db.load(sql, &[seal]).expect("put");
}

const TOKEN: [u8; 32] = [3; 32];

/// What an old store has beside its journal came along.
fn came_along(house: &House) {
    use ledger::people;
    let read = |name: &str| house.ledger.read(|db| people::setting(db, name)).expect("readable");
    assert_eq!(read("bank").as_deref(), Some(&b"entered"[..]));
    assert_eq!(read("bytes").as_deref(), Some(&b"ff07"[..]), "what is not text is kept in hexadecimal");
    assert_eq!(read("nothing").as_deref(), Some(&b"00"[..]));
    let ann = house.ledger.read(|db| people::by_name(db, "ann")).expect("readable").expect("known");
    assert_eq!((ann.id, &*ann.role, &*ann.secret), (PersonId(8), "dealer", "hash"));
    assert_eq!((ann.guest, ann.disabled, ann.failures), (false, true, 2));
    let session = house.ledger.read(|db| people::session(db, ledger::Digest(TOKEN))).expect("readable");
    let session = session.expect("known");
    assert_eq!((session.person, session.created, session.seen), (PersonId(8), Moment(1), Moment(2)));
    assert_eq!(session.ends, Moment(3));
    let stream = ledger::Stream::Table(crate::house::TABLE);
    let checkpoint =
        house.ledger.read(|db| journal::checkpoint(db, stream)).expect("readable").expect("there");
    assert_eq!((checkpoint.seq, checkpoint.round.0), (Seq(15), 1));
    assert_eq!(house.ledger.key_fits(), Ok(false), "its seal was of another key");
    assert_eq!(house.epoch, ledger::Epoch(4), "the table's owner too");
}

fn legs_of(record: &Record) -> Vec<u8> {
    let legs = record.legs.iter().flat_map(|l| [l.account.number(), l.amount.0, l.after.0]);
    legs.flat_map(i64::to_be_bytes).collect()
}

/// A record as it lay on its page: the bytes that its hash is over with their length before them, and the hash.
fn on_page(r: &Record) -> Vec<u8> {
    let mut canon = Canon::default();
    canon.measured(|to| {
        to.int(r.seq.0).int(r.at.0).int(r.day.0).int(r.stream.number()).int(r.round.0);
        to.bytes(r.kind.as_bytes()).int(r.person.0).bytes(r.command.as_str().as_bytes());
        to.fixed(&r.body.0).bytes(&r.event).bytes(&legs_of(r)).bytes(&[]).bytes(&r.answer);
    });
    canon.fixed(&r.hash.0);
    canon.into_vec()
}

fn put_rows(db: &mut dyn Db, records: &[Record]) {
    let row = |r: &Record| {
        ledger::row![
            r.seq.0,
            r.at.0,
            r.day.0,
            r.stream.number(),
            r.round.0,
            r.kind.clone(),
            r.person.0,
            r.command.as_str().to_owned(),
            r.body.0.to_vec(),
            r.event.clone(),
            legs_of(r),
            Vec::new(),
            r.answer.clone(),
            r.hash.0.to_vec()
        ]
    };
    db.load(
        "INSERT INTO journal (seq, at, day, stream, round, kind, person, command, body, event, legs, effects, answer, \
         hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        &records.iter().map(row).collect::<Vec<_>>(),
    )
    .expect("put");
}

fn audited(db: &mut dyn Db) -> Outcome {
    let mut nothing = |_: &Record| Ok(());
    audit(db, &mut Auditor { key: None, copies: vec![], replay: &mut nothing }).expect("readable")
}

/// `backup-1` was written by the first program, `backup-2` by one of versions 2 and 3, `backup-3` by one that stored
/// records in pages. All hold the same play; the first and the third also a patron with a limit, one who is excluded,
/// an account, a setting and a seal, whose key is not with it.
#[test]
fn a_backup_of_an_earlier_program_is_restored_on_either_store() {
    let played = House::at(Place::in_directory).with_some_play();
    let cluster = cluster::shared();
    for (name, records) in [("backup-1", 18), ("backup-2", 15), ("backup-3", 18)] {
        let from = backup_of(name);
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
            assert_eq!(found.first_bad, None, "{name}");
            let all = house.ledger.read(|db| journal::records(db, Seq(0), 1000)).expect("readable");
            let first = all.iter().filter(|record| record.form == Form::First).count();
            assert_eq!(first, records, "{name}");
            let version = if name == "backup-3" { 6 } else { 3 };
            let brought = all.iter().find(|record| record.kind == "brought-over").expect("there");
            assert_eq!(brought.event, format!("{{\"store_version\":{version}}}").into_bytes(), "{name}");
            for person in 1..=3 {
                assert_eq!(house.balance(patron(person)), played.balance(patron(person)), "{name}");
            }
            assert!(house.wager("w1-0", 1, 500).expect("known").repeated);
            house.wager("new", 1, 1).expect("play goes on");
            if name != "backup-2" {
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
    let cleo = house.ledger.read(|db| ledger::people::by_name(db, "cleo")).expect("readable").expect("known");
    assert_eq!((cleo.id, cleo.name.as_str(), cleo.failures), (PersonId(3), "Cleo", 2));
    let setting = house.ledger.read(|db| ledger::people::setting(db, "bank")).expect("readable");
    assert_eq!(setting.as_deref(), Some(&b"entered"[..]));
}

/// An earlier backup has no archive beside it, and is not cut off at a record.
#[test]
fn a_backup_of_an_earlier_program_is_restored_whole_and_alone() {
    use ledger::archive::Until;
    let (from, archive) = (backup_of("backup-2"), tempfile::tempdir().expect("temp dir"));
    for (archive, until) in [
        (None, Until::Record(Seq(3))),
        (None, Until::Moment(Moment(1))),
        (Some(archive.path()), Until::End),
        (Some(archive.path()), Until::Record(Seq(3))),
    ] {
        let directory = tempfile::tempdir().expect("temp dir");
        let place = Place::in_directory(directory.path());
        let source = backup::Source { backup: &from, archive, until };
        let refused = backup::restore_until(source, directory.path(), &place).map(|_| ());
        assert!(refused.is_err_and(|why| why.to_string().contains("whole, and alone")), "{until:?}");
    }
}

/// What an attempt that was cut short has left is no hindrance.
#[test]
fn bringing_a_house_over_may_be_tried_again() {
    let (directory, records) = (tempfile::tempdir().expect("temp dir"), first_edition());
    let place = Place::in_directory(directory.path());
    old_store(&mut *place.writer().expect("connects"), 2, &records);
    let file = directory.path().join("house.sqlite");
    std::fs::write(directory.path().join("house.new.sqlite"), b"half of it").expect("written");
    std::fs::hard_link(&file, directory.path().join("house.version-2.sqlite")).expect("linked");
    let house = House::open(directory, place);
    came_along(&house);
    old_store_is_kept(&house, 2);
}

/// A backup with one row of the table at this place.
fn with_a_row_of(table: u8) -> Vec<u8> {
    let mut row = Canon::default();
    row.measured(|row| {
        row.byte(table);
    });
    let body = [b"cutcard backup 2\n", row.as_slice(), &0_u64.to_be_bytes()].concat();
    [&body[..], &ledger::Digest::of(&body).0].concat()
}

#[test]
fn a_table_that_no_program_had_is_no_backup() {
    let from = tempfile::tempdir().expect("temp dir");
    let told = |table: u8| {
        std::fs::write(from.path().join("house.backup"), with_a_row_of(table)).expect("written");
        let directory = tempfile::tempdir().expect("temp dir");
        let place = Place::in_directory(directory.path());
        backup::restore(from.path(), directory.path(), &place).expect_err("no backup").to_string()
    };
    assert!(told(16).contains("a row of table 16 is not one"), "{}", told(16));
    assert!(!told(15).contains("is not one"), "what follows from the journal is left out");
}

/// Where the old file cannot be kept under another name, it stays where it is.
#[test]
fn a_house_whose_old_file_cannot_be_kept_is_left_as_it_is() {
    let (directory, records) = (tempfile::tempdir().expect("temp dir"), first_edition());
    // The name of the new file fits a directory, and that of the old one does not.
    let file = directory.path().join(format!("{}.sqlite", "x".repeat(240)));
    let place = Place::Sqlite(file.clone());
    old_store(&mut *place.writer().expect("connects"), 2, &records);
    let refused = ledger::Ledger::open(directory.path(), place.clone(), 0).map(|_| ());
    assert!(refused.is_err(), "the old file would be gone");
    assert_eq!(ledger::schema::version(&mut *place.reader().expect("there")), Ok(2));
}
