//! Behavior common to both stores, and the classification of PostgreSQL's errors.

use crate::cluster;
use crate::house::on_both;
use ledger::db::{Db, Found, Purpose, Value, transact};
use ledger::nodes::Node;
use ledger::{DbError, DbResult, Ledger, Opening, StoreAddress, row};
use std::time::{Duration, Instant};

fn rows(db: &mut dyn Db, sql: &str, most: usize) -> Vec<Found> {
    let mut found = Vec::new();
    db.walk(sql, vec![], &mut |row| {
        found.push(row);
        found.len() < most
    })
    .expect("read");
    found
}

#[test]
fn both_stores_do_the_same() {
    on_both(|house| {
        let mut db = house.place.writer().expect("connects");
        assert!(!db.has_table("things").expect("asked"));
        db.define("CREATE TABLE things (n INTEGER NOT NULL PRIMARY KEY, word TEXT, bytes BLOB) STRICT")
            .expect("made");
        assert!(db.has_table("things").expect("asked"));
        let insert = "INSERT INTO things (n, word, bytes) VALUES ($1, $2, $3)";
        let thing = |n: i64| row![n, format!("word {n}"), vec![n as u8]];
        assert_eq!(db.load(insert, &[]), Ok(0));
        assert_eq!(db.load(insert, &[thing(1)]), Ok(1));
        assert_eq!(db.load(insert, &[thing(2), thing(3), thing(4)]), Ok(3), "how many were changed in all");
        let nothing = row![5, Value::Null, Value::Null];
        assert_eq!(db.load(insert, &[nothing]), Ok(1));
        let update = "UPDATE things SET word = $1 WHERE n = $2";
        let renamed = [row!["two", 2], row!["nine", 9], row!["three", 3], row!["four", 4]];
        assert_eq!(db.load(update, &renamed), Ok(3), "row by row as well");
        assert_eq!(
            rows(&mut *db, "SELECT n FROM things ORDER BY n", 2),
            [row![1], row![2]],
            "as far as wanted"
        );
        assert_eq!(rows(&mut *db, "SELECT n FROM things ORDER BY n", 100).len(), 5);
        assert_eq!(
            rows(&mut *db, "SELECT word, bytes FROM things WHERE n = 5", 9),
            [[Value::Null, Value::Null]]
        );
        let ask = "SELECT word FROM things WHERE n = $1";
        assert_eq!(db.ask(ask, &[]), Ok(vec![]));
        let asked = db.ask(ask, &[row![4], row![9], row![1]]).expect("asked");
        assert_eq!(asked, [vec![row!["four".to_owned()]], vec![], vec![row!["word 1".to_owned()]]]);
        let failed: DbResult<()> = transact(&mut *db, Purpose::Write, |db| {
            db.load("DELETE FROM things", &[vec![]])?;
            Err(DbError::Refused("no".into()))
        });
        assert!(failed.is_err());
        assert_eq!(rows(&mut *db, "SELECT n FROM things", 100).len(), 5, "nothing of it is left");
        db.begin(Purpose::Write).expect("the connection is as it was");
        db.commit().expect("committed");
        let twice = db.load(insert, &[thing(1)]).expect_err("it is there");
        assert!(matches!(twice, DbError::Refused(_)), "{twice}");
        db.define("DROP TABLE things").expect("gone");
        assert!(matches!(db.define("SELECT n FROM things"), Err(DbError::Refused(_))));
    });
}

/// A wrong statement is refused, a full disk is full, and any other error is a lost database.
#[test]
fn a_databases_trouble_is_told_by_its_code() {
    let Some(cluster) = cluster::shared() else { return };
    let mut db = StoreAddress::Postgres(cluster.database()).writer().expect("connects");
    let mut raised = |code: &str| {
        let sql = format!("DO $$ BEGIN RAISE EXCEPTION 'trouble' USING ERRCODE = '{code}'; END $$");
        db.define(&sql).expect_err(code)
    };
    assert_eq!(raised("53100"), DbError::Full("ERROR: trouble".into()));
    for code in ["22012", "23505", "42P01"] {
        assert_eq!(raised(code), DbError::Refused("ERROR: trouble".into()), "{code}");
    }
    for code in ["53200", "57014", "40001", "XX000"] {
        assert_eq!(raised(code), DbError::Lost("ERROR: trouble".into()), "{code}");
    }
}

/// A host may accept connections and never answer, as a stopped server does, or a pooler before a dead one.
#[test]
fn a_silent_host_does_not_keep_a_node_from_the_next() {
    let Some(cluster) = cluster::shared() else { return };
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let (port, near) = (silent.local_addr().expect("bound").port(), cluster.directory().display());
    let url = cluster.database();
    let name = url.rsplit('=').next().expect("a name");
    let url = format!("host=127.0.0.1,{near} port={port},5432 user=house dbname={name} sslmode=disable");
    let asked = Instant::now();
    let place = StoreAddress::Postgres(format!("{url} target_session_attrs=read-write"));
    place.writer().expect("the next host answers");
    let data = tempfile::tempdir().expect("temp dir");
    let opening = Opening { shared: true, ..Opening::default() };
    let ledger = Ledger::open_with(data.path(), place, opening).expect("opens");
    let node =
        Node { name: "one".into(), address: "one:7".into(), program: "1".into(), house: String::new() };
    assert!(ledger.join(node, |_| {}).expect("joins").holds());
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
}

#[test]
fn who_is_told_to_hurry_waits_for_nobody_long() {
    let Some(cluster) = cluster::shared() else { return };
    let mut db = StoreAddress::Postgres(cluster.database()).writer().expect("connects");
    let timeouts = |db: &mut dyn Db| {
        ["lock_timeout", "idle_in_transaction_session_timeout"]
            .map(|name| rows(db, &format!("SELECT current_setting('{name}')"), 9).remove(0))
    };
    assert_eq!(timeouts(&mut *db), [row!["0".to_owned()], row!["0".to_owned()]]);
    db.hurry(Duration::from_secs(2));
    assert_eq!(timeouts(&mut *db), [row!["1700ms".to_owned()], row!["1s".to_owned()]]);
    let slow = db.define("SELECT pg_sleep(30)").expect_err("longer than it may");
    assert_eq!(slow, DbError::Lost("the database does not answer".into()));
}

/// Durability is that of the transaction, and no query is compiled: with sequential scans off, PostgreSQL takes those
/// that need one for expensive, and a claim of a table took up to a second with the journal's head locked.
#[test]
fn a_writing_transaction_has_its_own_settings() {
    let Some(cluster) = cluster::shared() else { return };
    let mut db = StoreAddress::Postgres(cluster.database()).writer().expect("connects");
    db.define("SET synchronous_commit = off; SET jit = on; SET jit_above_cost = 0").expect("set");
    db.begin(Purpose::Write).expect("begun");
    for (name, value) in [("synchronous_commit", "on"), ("jit", "off"), ("enable_seqscan", "off")] {
        let asked = format!("SELECT current_setting('{name}')");
        assert_eq!(rows(&mut *db, &asked, 9), [row![value.to_owned()]], "{name}");
    }
    db.rollback();
    assert_eq!(rows(&mut *db, "SELECT current_setting('jit')", 9), [row!["on".to_owned()]]);
}

#[test]
fn a_reader_waits_as_long_as_it_is_told() {
    let Some(cluster) = cluster::shared() else { return };
    let place = StoreAddress::Postgres(cluster.database());
    let sleep = "SELECT 1::bigint FROM pg_sleep(0.5)";
    let mut db = place.reader().expect("connects");
    db.wait_at_most(Some(Duration::from_millis(100)));
    let slow = db.ask(sleep, &[row![]]).expect_err("longer than it may");
    assert_eq!(slow, DbError::Lost("the database does not answer".into()));
    let mut db = place.reader().expect("connects");
    db.wait_at_most(Some(Duration::from_millis(100)));
    db.wait_at_most(None);
    assert_eq!(db.ask(sleep, &[row![]]), Ok(vec![vec![row![1]]]));
}

/// A connection can be dropped on a thread that must not block.
#[test]
fn a_connection_ends_on_a_thread_that_must_not_block() {
    let Some(cluster) = cluster::shared() else { return };
    let db = StoreAddress::Postgres(cluster.database()).writer().expect("connects");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async move { drop(db) });
}

#[test]
fn a_file_that_is_no_store_cannot_be_reached() {
    let directory = tempfile::tempdir().expect("temp dir");
    let file = directory.path().join("house.sqlite");
    std::fs::write(&file, "this is a letter, and a long one, to somebody who keeps no ledger".repeat(20))
        .expect("written");
    for opened in [
        StoreAddress::Sqlite(file.clone()).writer(),
        StoreAddress::Sqlite(directory.path().join("gone")).reader(),
    ] {
        let why = opened.map(|_| ()).expect_err("no store");
        assert!(matches!(why, DbError::Lost(_)), "{why}");
    }
}

/// Behind a pooler, a session may carry another client's settings.
#[test]
fn every_writing_transaction_is_durable_whatever_its_session_goes_by() {
    let Some(cluster) = cluster::shared() else { return };
    let mut db = StoreAddress::Postgres(cluster.database()).writer().expect("connects");
    let setting = "SELECT current_setting('synchronous_commit')";
    for other in ["off", "local", "remote_write"] {
        db.define(&format!("SET synchronous_commit = {other}")).expect("set");
        assert_eq!(rows(&mut *db, setting, 9), [row![other]]);
        let within: DbResult<Vec<Found>> = transact(&mut *db, Purpose::Write, |db| Ok(rows(db, setting, 9)));
        assert_eq!(within, Ok(vec![row!["on"]]), "{other}");
        assert_eq!(rows(&mut *db, setting, 9), [row![other]], "for the transaction only");
    }
}
