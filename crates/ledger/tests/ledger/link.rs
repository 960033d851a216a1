//! A slow link to the database, or one that loses the answer to a commit; and what a batch costs and means over it.

use crate::cluster::Cluster;
use crate::house::{House, cash, on_both, patron};
use ledger::db::{Db, Found, Purpose, Query};
use ledger::{DbError, Fault, Holder, StoreAddress, row};
use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A proxy to a local port that delays everything each way.
struct Link {
    port: u16,
    /// Whether the connection ends when a commit has been passed on.
    loses: Arc<AtomicBool>,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}

impl Link {
    fn open(to: u16, delay: Duration) -> Link {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let loses = Arc::new(AtomicBool::new(false));
        let losing = Arc::clone(&loses);
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                let copies = (near.try_clone().expect("cloned"), far.try_clone().expect("cloned"));
                carry(near, copies.1, delay, Some(Arc::clone(&losing)));
                carry(far, copies.0, delay, None);
            }
        });
        Link { port, loses }
    }

    fn url(&self, database: &str) -> String {
        format!("host=127.0.0.1 port={} user=house dbname={database} sslmode=disable", self.port)
    }
}

/// Carries bytes one way; with `loses`, ends both ways once a commit has been passed on.
fn carry(mut from: TcpStream, mut to: TcpStream, delay: Duration, loses: Option<Arc<AtomicBool>>) {
    let (put, due) = channel::<(Instant, Vec<u8>)>();
    from.set_nodelay(true).and_then(|()| to.set_nodelay(true)).expect("set");
    let back = from.try_clone().expect("cloned");
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 16];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            if put.send((Instant::now() + delay, bytes[..length].to_vec())).is_err() {
                return;
            }
        }
    });
    std::thread::spawn(move || {
        for (at, bytes) in due {
            std::thread::sleep(at.saturating_duration_since(Instant::now()));
            let commits = bytes.windows(7).any(|word| word == b"COMMIT\0");
            if commits && loses.as_ref().is_some_and(|loses| loses.swap(false, Ordering::Relaxed)) {
                // The answer does not come back.
                back.shutdown(std::net::Shutdown::Write).expect("closed");
                to.write_all(&bytes).expect("passed on");
                return;
            }
            // Answers that nobody takes any more are dropped, so that the server does not learn of the loss and abort.
            if to.write_all(&bytes).is_err() && loses.is_some() {
                break;
            }
        }
        let _ = to.shutdown(std::net::Shutdown::Both);
        let _ = back.shutdown(std::net::Shutdown::Both);
    });
}

fn database(cluster: &Cluster, port: u16) -> String {
    let name = format!("linked_{port}");
    let at = format!("host=127.0.0.1 port={port} user=house dbname=postgres sslmode=disable");
    let mut db = StoreAddress::Postgres(at).writer().expect("connects");
    db.define(&format!("CREATE DATABASE {name}")).expect("made");
    assert!(cluster.directory().exists());
    name
}

#[test]
fn a_batch_takes_two_round_trips() {
    let port = free_port();
    let Some(cluster) = Cluster::on_port(port, false) else { return };
    let name = database(&cluster, port);
    let one_way = Duration::from_millis(40);
    let link = Link::open(port, one_way);
    let house = House::at(|_| StoreAddress::Postgres(link.url(&name)));
    house.buy_in("b", 1, 1000).expect("bought");
    // The first commands prepare their statements.
    house.wager("w0", 1, 1).expect("wagered");
    house.wager("w1", 1, 1).expect("wagered");
    let mut fastest = Duration::MAX;
    for n in 2..6 {
        let since = Instant::now();
        house.wager(&format!("w{n}"), 1, 1).expect("wagered");
        fastest = fastest.min(since.elapsed());
    }
    assert!(fastest >= one_way * 4, "{fastest:?}: the link delays nothing");
    assert!(fastest < one_way * 6, "{fastest:?}: more than two round trips");
}

#[test]
fn a_commit_whose_answer_is_lost_is_unknown_and_its_repetition_settles_it() {
    let port = free_port();
    let Some(cluster) = Cluster::on_port(port, false) else { return };
    let name = database(&cluster, port);
    let link = Link::open(port, Duration::ZERO);
    let house = House::at(|_| StoreAddress::Postgres(link.url(&name)));
    house.buy_in("b", 1, 1000).expect("bought");
    house.wager("w0", 1, 1).expect("wagered");
    link.loses.store(true, Ordering::Relaxed);
    let lost = house.wager("w1", 1, 10).expect_err("not answered");
    assert!(matches!(lost, Fault::Unknown(DbError::Lost(_))), "{lost:?}");
    let since = Instant::now();
    let settled = loop {
        match house.wager("w1", 1, 10) {
            Ok(receipt) => break receipt,
            Err(_) => assert!(since.elapsed() < Duration::from_secs(20), "it does not come back"),
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(settled.repeated, "it was stored, once");
    assert_eq!(house.balance(cash(Holder::Layout(crate::house::TABLE))), 11);
    assert_eq!(house.balance(patron(1)), 989);
}

fn numbers(db: &mut dyn Db) -> Vec<Found> {
    db.ask("SELECT n FROM things ORDER BY n", &[row![]]).expect("read").remove(0)
}

#[test]
fn what_is_sent_together_is_stored_whole_or_not_at_all() {
    on_both(|house| {
        let mut db = house.place.writer().expect("connects");
        let lock = "SELECT seq FROM head WHERE one = 1";
        let insert = |numbers: &[i64]| Query {
            sql: "INSERT INTO things (n) VALUES ($1)",
            rows: numbers.iter().map(|n| row![*n]).collect(),
        };
        let find = |n: i64| Query { sql: "SELECT n FROM things WHERE n = $1", rows: vec![row![n], row![1]] };
        db.define("CREATE TABLE things (n INTEGER NOT NULL PRIMARY KEY) STRICT").expect("made");
        let nothing = BTreeSet::new();
        let begun = db.begin_locked(lock, &[find(2), insert(&[])]).expect("begun");
        assert_eq!((begun.locked.len(), begun.waited), (1, false));
        assert_eq!(begun.answers, [vec![Vec::<Found>::new(), vec![]], vec![]]);
        let changes = [insert(&[1, 2]), insert(&[]), insert(&[3])];
        let told = db.commit_with(&changes, &nothing, Some("SELECT n FROM things ORDER BY n"));
        assert_eq!(told, Ok(vec![row![1], row![2], row![3]]));
        // A statement in the middle fails: nothing of it is stored, and the connection is as it was.
        let begun = db.begin_locked(lock, &[find(2)]).expect("begun");
        assert_eq!(begun.answers, [vec![vec![row![2]], vec![row![1]]]]);
        let failed = db.commit_with(&[insert(&[4]), insert(&[1]), insert(&[5])], &nothing, None);
        assert!(matches!(failed, Err(Fault::Store(DbError::Refused(_)))), "{failed:?}");
        assert_eq!(numbers(&mut *db), [row![1], row![2], row![3]]);
        let wrong = Query { sql: "SELECT n FROM nowhere WHERE n = $1", rows: vec![row![1]] };
        db.begin_locked(lock, &[wrong]).expect_err("no such table");
        db.begin(Purpose::Write).expect("there is no transaction");
        db.commit().expect("committed");
        let begun = db.begin_locked(lock, &[]).expect("begun");
        assert_eq!(begun.answers.len(), 0);
        assert_eq!(db.commit_with(&[insert(&[6])], &nothing, None), Ok(vec![]));
        assert_eq!(numbers(&mut *db).len(), 4);
    });
}
