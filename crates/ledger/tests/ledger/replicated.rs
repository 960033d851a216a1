//! Replicated durability, with a real primary and a real standby.

use crate::cluster::Cluster;
use crate::house::{House, TABLE, patron};
use ledger::{Denied, Durability, Fault, Ledger, OpenError, Opening, StoreAddress, Stream};
use std::path::Path;
use std::time::{Duration, Instant};

fn opening() -> Opening {
    Opening { durability: Durability::Replicated, ..Opening::default() }
}

fn open(data: &Path, url: &str) -> Result<Ledger, OpenError> {
    Ledger::open_with(data, StoreAddress::Postgres(url.to_owned()), opening())
}

/// Waits for a condition: the server takes time to apply a setting, and the standby to connect.
fn soon(mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(20), "not in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns a house whose database waits for its standby.
pub fn with_a_standby(cluster: &mut Cluster, url: &str, directory: tempfile::TempDir) -> House {
    cluster.say("standby", "following");
    cluster.say("wait-for-standby", "waiting");
    let mut opened = None;
    soon(|| {
        opened = open(directory.path(), url).ok();
        opened.is_some()
    });
    let ledger = opened.expect("opened");
    let epoch = ledger.take_over(Stream::Table(TABLE), "test").expect("taken over");
    House { ledger, place: StoreAddress::Postgres(url.to_string()), directory, epoch }
}

#[test]
fn the_embedded_store_has_no_standby() {
    let directory = tempfile::tempdir().expect("temp dir");
    let place = StoreAddress::in_directory(directory.path());
    let refused = Ledger::open_with(directory.path(), place, opening()).err().expect("refused");
    assert!(refused.to_string().contains("--database"), "{refused}");
}

#[test]
fn without_a_synchronous_standby_nothing_is_stored_and_with_one_nothing_is_lost() {
    let Some(mut cluster) = Cluster::start() else { return };
    let (url, directory) = (cluster.database(), tempfile::tempdir().expect("temp dir"));
    let refused = open(directory.path(), &url).err().expect("no standby");
    assert!(refused.to_string().contains("synchronous_standby_names"), "{refused}");
    let mut house = with_a_standby(&mut cluster, &url, directory);
    house.buy_in("b", 1, 1000).expect("bought");
    house.wager("w1", 1, 10).expect("on both machines");
    // A role that may not see the standbys gets a clear message.
    let unseen = cluster.database();
    let mut db = StoreAddress::Postgres(unseen.clone()).writer().expect("connects");
    db.define("CREATE ROLE plain LOGIN; GRANT ALL ON SCHEMA public TO plain").expect("made");
    let other = tempfile::tempdir().expect("temp dir");
    let hidden = open(other.path(), &unseen.replace("user=house", "user=plain")).err().expect("refused");
    assert!(hidden.to_string().contains("GRANT pg_read_all_stats"), "{hidden}");
    let refuses = |house: &House, id: &str| {
        let head = house.ledger.head().expect("readable");
        let refused = house.wager(id, 1, 10).expect_err("not stored");
        assert!(matches!(refused, Fault::Store(_)), "{refused}");
        assert!(!house.ledger.healthy());
        assert_eq!(house.ledger.head().expect("readable"), head, "nothing of it is in the journal");
        house.ledger.durable().expect_err("not durable").to_string()
    };
    // The standby is gone, and commits would wait for it.
    cluster.say("detach", "detached");
    soon(|| house.ledger.durable().is_err());
    assert!(refuses(&house, "w2").contains("no synchronous standby is attached"));
    cluster.say("attach", "attached");
    soon(|| house.ledger.durable().is_ok());
    house.wager("w2", 1, 10).expect("it goes on by itself");
    assert!(house.ledger.healthy());
    // The standby is attached, but no commit would wait for it.
    cluster.say("wait-for-nobody", "alone");
    soon(|| house.ledger.durable().is_err());
    assert!(refuses(&house, "w3").contains("synchronous_standby_names"));
    cluster.say("wait-for-standby", "waiting");
    soon(|| house.ledger.durable().is_ok());
    house.wager("w3", 1, 10).expect("again");
    // The primary is gone; its standby has everything that was acknowledged.
    cluster.say("stop", "stopped");
    cluster.say("promote", "promoted");
    house.ledger.close();
    house.place = StoreAddress::Postgres(cluster.at_standby(&url));
    house.ledger = Ledger::open(house.directory.path(), house.place.clone(), 0).expect("opens");
    assert_eq!(house.balance(patron(1)), 970);
    for id in ["w1", "w2", "w3"] {
        let again = house.wager(id, 1, 10).expect("known");
        assert!(again.repeated, "{id}");
    }
    assert_eq!(house.wager("w3", 1, 11), Err(Fault::Denied(Denied::OtherBody)));
}

/// A commit whose wait for the standby was cancelled is not acknowledged.
#[test]
fn a_wait_that_was_cancelled_is_no_wait() {
    let Some(mut cluster) = Cluster::start() else { return };
    let (url, directory) = (cluster.database(), tempfile::tempdir().expect("temp dir"));
    let house = with_a_standby(&mut cluster, &url, directory);
    house.buy_in("b", 1, 1000).expect("bought");
    let mut db = house.place.writer().expect("connects");
    let mut number = |sql: &str| {
        let mut found = None;
        db.walk(sql, vec![], &mut |row| {
            found = row.into_iter().next();
            true
        })
        .expect("read");
        match found {
            Some(ledger::db::Value::Int(number)) => Some(number),
            _ => None,
        }
    };
    let sender = number("SELECT pid::bigint FROM pg_stat_replication").expect("the standby is there");
    let signal = |name: &str| {
        let sent = std::process::Command::new("kill").args([name, &sender.to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{name}");
    };
    // Nothing reaches the standby, although it is attached.
    signal("-STOP");
    let late = std::thread::scope(|scope| {
        let wagered = scope.spawn(|| house.wager("late", 1, 10));
        let cancel =
            "SELECT COUNT(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
        soon(|| number(cancel).is_some_and(|cancelled| cancelled > 0));
        wagered.join().expect("no panic")
    });
    signal("-CONT");
    let why = late.expect_err("only one machine has it").to_string();
    assert!(why.contains("the synchronous standby has not confirmed the write"), "{why}");
    soon(|| house.wager("late", 1, 10).is_ok_and(|receipt| receipt.repeated));
    assert_eq!(house.balance(patron(1)), 990, "once");
}
