//! A slow link to the database, or one that loses the answer to a commit; and what a batch costs and means over it.

use crate::cluster::{self, Cluster};
use crate::house::{House, cash, on_both, patron};
use crate::replicated::with_a_standby;
use ledger::db::{Db, Found, Purpose, Query};
use ledger::{DbError, Fault, Holder, StoreAddress, row};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A proxy to a cluster's socket.
struct Link {
    port: u16,
    /// How long everything takes each way, in milliseconds.
    one_way_ms: Arc<AtomicU64>,
    /// Whether the connection ends when a commit has been passed on.
    loses: Arc<AtomicBool>,
}

/// One side of a link.
trait Side: Read + Write + Send + Sized + 'static {
    fn twin(&self) -> Self;
    fn end(&self, how: Shutdown);
}

impl Side for TcpStream {
    fn twin(&self) -> TcpStream {
        self.try_clone().expect("cloned")
    }

    fn end(&self, how: Shutdown) {
        let _ = self.shutdown(how);
    }
}

impl Side for UnixStream {
    fn twin(&self) -> UnixStream {
        self.try_clone().expect("cloned")
    }

    fn end(&self, how: Shutdown) {
        let _ = self.shutdown(how);
    }
}

impl Link {
    fn open(cluster: &Cluster) -> Link {
        let socket = cluster.directory().join(".s.PGSQL.5432");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let (one_way_ms, loses) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (delay, losing) = (Arc::clone(&one_way_ms), Arc::clone(&loses));
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = UnixStream::connect(&socket) else { continue };
                near.set_nodelay(true).expect("set");
                carry(near.twin(), far.twin(), Arc::clone(&delay), Some(Arc::clone(&losing)));
                carry(far, near, Arc::clone(&delay), None);
            }
        });
        Link { port, one_way_ms, loses }
    }

    /// Returns the address of a database through this link.
    fn url(&self, database: &str) -> String {
        let name = database.rsplit('=').next().expect("a name");
        format!("host=127.0.0.1 port={} user=house dbname={name} sslmode=disable", self.port)
    }
}

/// Carries bytes one way; with `loses`, ends both ways once a commit has been passed on.
fn carry(mut from: impl Side, mut to: impl Side, one_way_ms: Arc<AtomicU64>, loses: Option<Arc<AtomicBool>>) {
    let (put, due) = channel::<(Instant, Vec<u8>)>();
    let back = from.twin();
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 16];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            let delay = Duration::from_millis(one_way_ms.load(Ordering::Relaxed));
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
                back.end(Shutdown::Write);
                to.write_all(&bytes).expect("passed on");
                return;
            }
            // Answers that nobody takes any more are dropped, so that the server does not learn of the loss and abort.
            if to.write_all(&bytes).is_err() && loses.is_some() {
                break;
            }
        }
        to.end(Shutdown::Both);
        back.end(Shutdown::Both);
    });
}

/// Checks that a batch of one command, and one of forty, take two round trips.
fn takes_two_round_trips(link: &Link, house: &House) {
    let one_way = Duration::from_millis(40);
    house.buy_in("b", 1, 1000).expect("bought");
    link.one_way_ms.store(40, Ordering::Relaxed);
    for many in [1, 40] {
        let mut fastest = Duration::MAX;
        for turn in 0..6 {
            let drafts = (0..many).map(|n| house.wager_draft(&format!("w{many}-{turn}-{n}"), 1, 1)).collect();
            let (tell, told) = channel();
            let since = Instant::now();
            house.ledger.submit_chain(drafts, move |outcomes| tell.send(outcomes).expect("heard"));
            let outcomes = told.recv().expect("answered");
            assert!(outcomes.len() == many && outcomes.iter().all(Result::is_ok), "{outcomes:?}");
            // The first batches prepare their statements.
            if turn > 1 {
                fastest = fastest.min(since.elapsed());
            }
        }
        assert!(fastest >= one_way * 4, "{many}: {fastest:?}: the link delays nothing");
        assert!(fastest < one_way * 6, "{many}: {fastest:?}: more than two round trips");
    }
    link.one_way_ms.store(0, Ordering::Relaxed);
}

#[test]
fn a_batch_takes_two_round_trips_with_a_standby_as_well() {
    let Some(mut cluster) = Cluster::start() else { return };
    let link = Link::open(&cluster);
    let alone = link.url(&cluster.database());
    takes_two_round_trips(&link, &House::at(|_| StoreAddress::Postgres(alone)));
    let replicated = link.url(&cluster.database());
    let directory = tempfile::tempdir().expect("temp dir");
    takes_two_round_trips(&link, &with_a_standby(&mut cluster, &replicated, directory));
}

#[test]
fn a_commit_whose_answer_is_lost_is_unknown_and_its_repetition_settles_it() {
    let Some(cluster) = cluster::shared() else { return };
    let link = Link::open(cluster);
    let house = House::at(|_| StoreAddress::Postgres(link.url(&cluster.database())));
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
