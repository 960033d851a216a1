//! Several servers as nodes of one house on PostgreSQL: who is alive, who owns a table, and what they tell each other.

use crate::cluster::{self, Cluster};
use crate::house::{House, command};
use ledger::nodes::{Membership, Node, NodeNotification, Roster};
use ledger::people::{Person, RowChange, Session};
use ledger::{
    Digest, Draft, Effect, Epoch, Ledger, Measure, Moment, Opening, PersonId, Span, StoreAddress, Stream,
    TableId,
};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest wait of a test, never reached on an idle machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that has joined as a node, with all the notifications it receives.
struct Server {
    ledger: Ledger,
    node: Membership,
    heard: Receiver<NodeNotification>,
    data: TempDir,
}

fn named(name: &str) -> Node {
    Node {
        name: name.into(),
        address: format!("{name}.example:7"),
        program: "1.2.3".into(),
        house: "h".into(),
    }
}

/// Returns a data directory, with the keys of another server if given.
fn data(keys_of: Option<&Path>) -> TempDir {
    let data = tempfile::tempdir().expect("temp dir");
    if let Some(other) = keys_of {
        std::fs::create_dir(data.path().join("keys")).expect("made");
        std::fs::copy(other.join("keys/seal.key"), data.path().join("keys/seal.key")).expect("copied");
    }
    data
}

fn opened(data: &TempDir, url: &str) -> Ledger {
    let opening = Opening { shared: true, ..Opening::default() };
    Ledger::open_with(data.path(), StoreAddress::Postgres(url.to_owned()), opening).expect("opens")
}

impl Server {
    fn start(name: &str, url: &str, keys_of: Option<&Server>) -> Server {
        let data = data(keys_of.map(|other| other.data.path()));
        let ledger = opened(&data, url);
        let (tell, heard) = channel();
        let node =
            ledger.join(named(name), move |notification| drop(tell.send(notification))).expect("comes in");
        let server = Server { ledger, node, heard, data };
        // Used keys belong to a journal that has a record.
        server.commit(&format!("opened-{name}"), vec![], vec![]);
        server
    }

    /// Returns all notifications up to the wanted one.
    fn until(&self, what: &str, wanted: impl Fn(&NodeNotification) -> bool) -> Vec<NodeNotification> {
        let (since, mut all) = (Instant::now(), Vec::new());
        loop {
            let left = PATIENCE.saturating_sub(since.elapsed());
            let notification =
                self.heard.recv_timeout(left).unwrap_or_else(|_| panic!("{what}: not heard: {all:?}"));
            all.push(notification);
            if all.last().is_some_and(&wanted) {
                return all;
            }
        }
    }

    /// Returns the first roster that satisfies `wanted`.
    fn roster(&self, what: &str, wanted: impl Fn(&Roster) -> bool) -> Roster {
        match self
            .until(
                what,
                |notification| matches!(notification, NodeNotification::Roster(roster) if wanted(roster)),
            )
            .pop()
        {
            Some(NodeNotification::Roster(roster)) => roster,
            other => panic!("{other:?}"),
        }
    }

    fn takes(&self, table: u32) -> Option<Epoch> {
        self.ledger.take_if_free(Stream::Table(TableId(table)), &self.node.owner()).expect("asked")
    }

    fn commit(&self, id: &str, row_changes: Vec<RowChange>, effects: Vec<Effect>) {
        let mut draft = Draft::new(Stream::House, PersonId(0), command(id), "test");
        (draft.row_changes, draft.effects) = (row_changes, effects);
        self.ledger.commit(draft).expect("stored");
    }
}

fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_alive(roster: &Roster, name: &str) -> bool {
    roster.nodes.iter().any(|node| node.name == name && node.alive)
}

/// Returns whether the node was present and is no longer alive.
fn is_gone(roster: &Roster, name: &str) -> bool {
    roster.nodes.iter().any(|node| node.name == name && !node.alive)
}

#[test]
fn nodes_see_each_other_come_and_go() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    assert_eq!((one.node.name(), one.node.incarnation(), one.node.owner()), ("one", 1, "one/1".to_owned()));
    assert!(one.node.holds());
    let alone = one.roster("itself", |roster| is_alive(roster, "one"));
    let [myself] = &alone.nodes[..] else { panic!("{alone:?}") };
    assert_eq!((&*myself.address, &*myself.program), ("one.example:7", "1.2.3"));
    assert_eq!((myself.owner(), alone.standby_lag_bytes), ("one/1".to_owned(), None));
    assert!((1..=3_000).contains(&myself.lease_left_ms), "{myself:?}");

    let mut two = Server::start("two", &url, Some(&one));
    let both = one.roster("the other", |roster| is_alive(roster, "two"));
    assert_eq!(both.nodes.iter().map(|node| &*node.name).collect::<Vec<_>>(), ["one", "two"]);
    eventually("a lease is renewed, and again", || one.node.renewals() >= 2 && two.node.renewals() >= 2);
    assert!(one.node.holds() && two.node.holds());
    // The house's time is the database's, as last read.
    let asked = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    let mut said = 0;
    one.ledger
        .read(|db| {
            db.walk(asked, vec![], &mut |row| {
                said = match row[..] {
                    [ledger::db::Value::Int(ms)] => ms,
                    _ => 0,
                };
                true
            })
        })
        .expect("read");
    let apart = one.ledger.now().0 - said;
    assert!((-100..60_000).contains(&apart) && one.ledger.clock().doubt().is_none(), "{apart}");

    two.node.leave();
    let left = one.roster("it has left", |roster| is_gone(roster, "two"));
    assert!(is_alive(&left, "one") && left.nodes.len() == 2, "{left:?}");
    // The name is free at once, and its next holder has a new incarnation.
    let (tell, heard) = channel();
    (two.node, two.heard) = (
        two.ledger
            .join(named("two"), move |notification| drop(tell.send(notification)))
            .expect("comes in again"),
        heard,
    );
    assert_eq!(two.node.owner(), "two/2");
}

#[test]
fn a_name_is_one_nodes_and_the_keys_are_the_houses() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    let (mine, others) = (data(Some(one.data.path())), data(None));
    let second = opened(&mine, &url);
    let same_name = second.join(named("one"), |_| {}).map(|_| ());
    assert!(same_name.is_err_and(|e| e.to_string().contains("a node named `one` is running")));
    assert!(one.node.holds(), "it was not disturbed");
    let stranger = opened(&others, &url).join(named("two"), |_| {}).map(|_| ());
    assert!(stranger.is_err_and(|e| e.to_string().contains("node one uses different keys")));
    let other = |change: fn(&mut Node)| {
        let mut node = named("two");
        change(&mut node);
        second.join(node, |_| {}).map(|_| ()).expect_err("refused").to_string()
    };
    let why = other(|node| node.house = "other".into());
    assert!(why.contains("node one uses a different house file"), "{why}");
    let why = other(|node| node.address = String::new());
    assert!(why.contains("node one listens for peers"), "{why}");
    // A node that joins while another leaves waits for the name.
    let waiting = std::thread::scope(|scope| {
        let comes = scope.spawn(|| second.join(named("one"), |_| {}).map(|node| node.owner()));
        std::thread::sleep(Duration::from_millis(700));
        one.node.leave();
        comes.join().expect("no panic")
    });
    assert_eq!(waiting, Ok("one/2".to_owned()));
    // A SQLite house has only one server.
    let house = House::at(StoreAddress::in_directory);
    let alone = house.ledger.join(named("one"), |_| {}).map(|_| ());
    assert!(alone.is_err_and(|e| e.to_string().contains("several nodes need PostgreSQL")));
}

#[test]
fn a_table_is_taken_from_nobody_or_from_who_is_gone() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    let two = Server::start("two", &url, Some(&one));
    assert_eq!(one.takes(5), Some(Epoch(1)));
    assert_eq!(two.takes(5), None, "its owner is alive");
    assert_eq!(two.takes(6), Some(Epoch(1)), "another table is another's");
    assert_eq!(one.takes(5), Some(Epoch(2)), "what is one's own may be taken again");
    let of = |roster: &Roster, table: u32| roster.owner_of(TableId(table)).map(|node| node.name.clone());
    let roster = two.roster("who owns what", |roster| of(roster, 5).is_some() && of(roster, 6).is_some());
    assert_eq!(
        (of(&roster, 5), of(&roster, 6), of(&roster, 7)),
        (Some("one".into()), Some("two".into()), None)
    );

    let five = Stream::Table(TableId(5));
    one.ledger.give_back(five, Epoch(1)).expect("an epoch that has passed gives nothing back");
    assert_eq!(two.takes(5), None);
    one.ledger.give_back(five, Epoch(2)).expect("given back");
    two.roster("it is nobody's", |roster| of(roster, 5).is_none());
    assert_eq!(two.takes(5), Some(Epoch(4)));
    two.node.leave();
    let gone = one.roster("its owner is gone", |roster| is_gone(roster, "two"));
    assert_eq!((of(&gone, 5), gone.owners.len()), (None, 2), "a table of who is gone is nobody's to play");
    assert_eq!(one.takes(5), Some(Epoch(5)));
}

#[test]
fn of_two_that_want_a_table_at_once_one_has_it() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    let two = Server::start("two", &url, Some(&one));
    for table in 10..20 {
        let taken = std::thread::scope(|scope| {
            let asked = [&one, &two].map(|server| {
                let (ledger, owner) = (&server.ledger, server.node.owner());
                scope
                    .spawn(move || ledger.take_if_free(Stream::Table(TableId(table)), &owner).expect("asked"))
            });
            asked.map(|thread| thread.join().expect("no panic"))
        });
        assert!(matches!(taken, [Some(Epoch(1)), None] | [None, Some(Epoch(1))]), "{taken:?}");
    }
}

#[test]
fn what_one_node_changes_the_others_hear() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    let two = Server::start("two", &url, Some(&one));
    two.roster("both are there", |roster| is_alive(roster, "one"));
    let (ann, token) = (PersonId(8), Digest::of(b"token"));
    let setting = |name: &str| RowChange::Setting { name: name.into(), value: b"1".to_vec() };
    let secret = || "hash".to_owned();
    let session =
        Session { token, person: ann, created: Moment(1), seen: Moment(1), ends: Moment(i64::MAX - 9) };
    let person = Person {
        id: ann,
        name: "guest".into(),
        role: "player".into(),
        secret: String::new(),
        guest: true,
        disabled: false,
        created: Moment(1),
        failures: 0,
        locked_until: Moment(0),
    };
    let heard: [(RowChange, Option<NodeNotification>); 16] = [
        (RowChange::NewPerson(person), None),
        (RowChange::Role { person: ann, role: "dealer".into() }, Some(NodeNotification::Person(ann))),
        (RowChange::Secret { person: ann, secret: secret() }, Some(NodeNotification::Person(ann))),
        (RowChange::Disabled { person: ann, disabled: true }, Some(NodeNotification::Person(ann))),
        (
            RowChange::SecretIfOpen { person: ann, secret: secret(), now: Moment(1) },
            Some(NodeNotification::Person(ann)),
        ),
        (RowChange::EndSessionsBut { person: ann, token }, Some(NodeNotification::Person(ann))),
        (
            RowChange::EndSessionsButIf { person: ann, token, secret: secret() },
            Some(NodeNotification::Person(ann)),
        ),
        (RowChange::EndSessionsOf(ann), Some(NodeNotification::Person(ann))),
        (
            RowChange::Join { person: ann, name: "Ann".into(), secret: secret() },
            Some(NodeNotification::Person(ann)),
        ),
        (RowChange::NewSession(session), None),
        (RowChange::EndSession(token), Some(NodeNotification::Session(token))),
        (setting("call/3"), Some(NodeNotification::Setting("call/3".into()))),
        (setting("clock-confirmed"), Some(NodeNotification::Setting("clock-confirmed".into()))),
        (setting("bank"), None),
        (RowChange::Failures { person: ann, failures: 1, locked_until: Moment(0) }, None),
        (RowChange::Forget(ann), Some(NodeNotification::Person(ann))),
    ];
    let changed = |server: &Server, end: &str| {
        let said =
            |it: &NodeNotification| matches!(it, NodeNotification::Message { text, .. } if text == end);
        let mut all = server.until(end, said);
        all.retain(|notification| !matches!(notification, NodeNotification::Roster(_)));
        all.pop();
        all
    };
    for (n, (row_change, notification)) in heard.into_iter().enumerate() {
        let end = format!("end {n}");
        one.commit(&format!("keep{n}"), vec![row_change.clone()], vec![]);
        one.node.broadcast(&end);
        assert_eq!(changed(&two, &end), Vec::from_iter(notification), "{row_change:?}");
    }
    let limit = Effect::Limit { person: ann, measure: Measure::Loss, span: Span::Day, most: Some(5) };
    let exclude = Effect::Exclude { person: ann, until: Moment(i64::MAX - 9) };
    one.commit("effects", vec![], vec![limit, exclude]);
    one.node.broadcast("at last");
    assert_eq!(changed(&two, "at last"), [NodeNotification::Leave(ann)]);
    // A node does not receive its own messages, but it does receive its own stored changes.
    two.node.broadcast("to one");
    one.until("to one", |notification| {
        *notification == NodeNotification::Message { by: "two/1".into(), text: "to one".into() }
    });
    one.node.broadcast("to two");
    let all = two.until("to two", |notification| matches!(notification, NodeNotification::Message { .. }));
    assert_eq!(all.last(), Some(&NodeNotification::Message { by: "one/1".into(), text: "to two".into() }));
}

#[test]
fn who_was_replaced_is_told_and_holds_nothing() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    let mut db = StoreAddress::Postgres(url).writer().expect("connects");
    db.define("UPDATE nodes SET incarnation = incarnation + 1").expect("another came in under this name");
    one.until("replaced", |notification| *notification == NodeNotification::Replaced);
    assert!(!one.node.holds());
    one.node.leave();
    let mut leases = Vec::new();
    db.walk("SELECT (lease_until > 0)::int::bigint FROM nodes", vec![], &mut |row| {
        leases.push(row);
        true
    })
    .expect("read");
    assert_eq!(leases, [[ledger::db::Value::Int(1)]], "the lease of another is not ended");
}

#[test]
fn a_lease_runs_out_while_the_database_is_away_and_is_taken_up_again() {
    let Some(mut cluster) = Cluster::start() else { return };
    let one = Server::start("one", &cluster.database(), None);
    one.roster("itself", |roster| is_alive(roster, "one"));
    cluster.say("stop", "stopped");
    eventually("it runs out", || !one.node.holds());
    let renewals = one.node.renewals();
    cluster.say("start", "started");
    one.until("something may have been missed", |notification| *notification == NodeNotification::Anything);
    eventually("it is renewed", || one.node.holds() && one.node.renewals() > renewals);
    one.roster("it is there", |roster| is_alive(roster, "one"));
    one.node.leave();
    assert_eq!(one.node.owner(), "one/1", "it is the same as before");
}

#[test]
fn a_store_is_expanded_under_who_uses_it_and_contracted_when_nobody_needs_what_goes() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let one = Server::start("one", &url, None);
    let mut db = StoreAddress::Postgres(url.clone()).writer().expect("connects");
    assert_eq!(ledger::schema::version(&mut *db), Ok(1));
    let later = "CREATE TABLE later (one INTEGER NOT NULL PRIMARY KEY)";
    ledger::schema::expand(&mut *db, 2, later).expect("expanded");
    assert_eq!(ledger::schema::version(&mut *db), Ok(2));
    one.commit("goes-on", vec![], vec![]);
    let two = Server::start("two", &url, Some(&one));
    ledger::schema::expand(&mut *db, 3, "ALTER TABLE later ADD COLUMN two INTEGER").expect("expanded again");
    ledger::schema::must_fit(&mut *db).expect("this program can use it still");
    let contract = |db: &mut dyn ledger::db::Db| ledger::schema::contract(db, 3, "DROP TABLE later");
    let why = contract(&mut *db).expect_err("programs that need it are alive").to_string();
    assert!(why.contains("node one runs a version that cannot use the new schema"), "{why}");
    assert!(db.has_table("later").expect("asked"), "nothing was taken from it");
    one.node.leave();
    assert!(contract(&mut *db).is_err_and(|why| why.to_string().contains("node two")));
    two.node.leave();
    contract(&mut *db).expect("nobody needs it");
    assert!(!db.has_table("later").expect("asked"));
    let refused = ledger::schema::must_fit(&mut *db).map_err(|why| why.to_string());
    assert!(refused.is_err_and(|why| why.contains("version 3; this program supports up to 1")));
}

/// A pooler may hand a session to another client, so the lease must leave no setting in it.
#[test]
fn a_lease_sets_nothing_for_its_session() {
    let Some(cluster) = cluster::shared() else { return };
    let url = cluster.database();
    let name = url.rsplit('=').next().expect("a name");
    let mut db = StoreAddress::Postgres(url.clone()).writer().expect("connects");
    db.define(&format!("ALTER DATABASE {name} SET log_statement = 'all'")).expect("set");
    let one = Server::start("one", &url, None);
    eventually("it renews its lease", || one.node.renewals() > 0);
    one.node.leave();
    let log = std::fs::read_to_string(cluster.directory().join("log")).expect("the server's log");
    assert!(log.contains("statement: BEGIN; SET LOCAL synchronous_commit = off"), "renewals do not wait");
    // Only the statements of this database are logged.
    assert!(!log.contains("statement: SET synchronous_commit"), "a session is changed");
}
