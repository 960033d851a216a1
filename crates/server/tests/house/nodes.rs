//! Several nodes of one house on one PostgreSQL, each on its own port: any of them serves any client.

use crate::bot::fresh_id;
use crate::chaos::wire::{End, Pids, Wire, Wires};
use crate::client::{House, Peer, eventually};
use crate::cluster::{self, Cluster};
use crate::kill::{options, start};
use crate::socket::{connect, next_of, say};
use crate::takeover::free_port;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Handle;

const TABLES: u32 = 6;

fn file() -> String {
    let rates =
        "[rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n";
    let tables = "[[table]]\nrules = \"nj-blackjack\"\n".repeat(TABLES as usize);
    format!("[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n{rates}{tables}")
}

/// Returns the tables that each node owns, according to this one.
async fn owners(house: &House, supervisor: &str) -> BTreeMap<String, Vec<u64>> {
    let view = house.get(supervisor, "/api/nodes").await.ok();
    let tables = |node: &Value| {
        let tables = node["tables"].as_array().expect("a list").iter();
        tables.filter_map(|owned| owned["table"].as_u64()).collect::<Vec<_>>()
    };
    let nodes = view["nodes"].as_array().expect("a list").iter();
    let alive = nodes.filter(|node| node["alive"] == true);
    alive.map(|node| (node["name"].as_str().unwrap_or_default().to_owned(), tables(node))).collect()
}

async fn until_shared(house: &House, supervisor: &str, counts: &[usize]) -> BTreeMap<String, Vec<u64>> {
    let since = Instant::now();
    loop {
        let found = owners(house, supervisor).await;
        if found.values().map(Vec::len).collect::<Vec<_>>() == counts {
            return found;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{found:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn wager(id: &str) -> Value {
    json!({ "id": id, "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_node_serves_anyone_and_a_node_that_leaves_leaves_nothing_undone() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let mut a = House::node("a", &file(), (database.clone(), None)).await;
    let supervisor = a.first_supervisor().await;
    assert_eq!(owners(&a, &supervisor).await["a"].len(), TABLES as usize, "who is alone owns all");
    let b = House::node("b", &file(), (database.clone(), Some(&a))).await;
    let c = House::node("c", &file(), (database.clone(), Some(&a))).await;
    let shares = until_shared(&a, &supervisor, &[2, 2, 2]).await;
    let (guest, other) = (a.guest().await, c.guest().await);
    // A client that signed in at one node plays at every table through every node, and all see the same.
    for table in 1..=TABLES {
        let path = format!("/api/tables/{table}/actions");
        let id = fresh_id();
        let done = b.post(&guest, &path, wager(&id)).await.ok();
        let again = c.post(&guest, &path, wager(&id)).await.ok();
        assert_eq!((&again["seq"], &again["repeated"]), (&done["seq"], &json!(true)), "table {table}");
        let view = b.get(&other, &format!("/api/tables/{table}")).await.ok()["view"].clone();
        assert_eq!(view["boxes"][0]["bettors"][0]["main"][0], "10.00", "who is answered sees it");
        let refused = c
            .post(&guest, &path, json!({ "id": fresh_id(), "round": view["round"], "do": "hit", "box": 1 }))
            .await;
        assert_eq!(refused.status, 409, "{}", refused.body);
    }
    // A view stays open while its table moves to another node, and its versions keep rising.
    let owner = shares.iter().find(|(_, tables)| tables.contains(&1)).expect("owned").0.clone();
    let watching = if owner == "c" { &b } else { &c };
    let mut socket = connect(watching, &guest, None).await.expect("connected");
    let before = next_of(&mut socket, "view").await;
    let id = fresh_id();
    say(&mut socket, json!({ "id": id, "round": 1, "do": "withdraw", "box": 1 })).await;
    let ack = next_of(&mut socket, "ack").await;
    assert_eq!(ack["id"], id.as_str());
    assert!(ack["done"]["version"].as_u64() > before["version"].as_u64());
    // The first node leaves: its tables continue elsewhere, rounds included.
    a.close().await;
    until_shared(&b, &supervisor, &[3, 3]).await;
    for table in 1..=TABLES {
        let view = b.get(&other, &format!("/api/tables/{table}")).await.ok()["view"].clone();
        assert_eq!(view["boxes"].as_array().map(Vec::len), Some(usize::from(table != 1)), "table {table}");
    }
    let id = fresh_id();
    say(&mut socket, wager(&id)).await;
    let last = next_of(&mut socket, "ack").await;
    assert!(last["done"]["version"].as_u64() > ack["done"]["version"].as_u64());
    let found = tokio::task::block_in_place(|| server::audit(&b.options)).expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
}

/// A table whose release fails is released later; until then no other node may take it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_could_not_be_released_is_released_later() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let a = House::node("a", &file(), (database.clone(), None)).await;
    let supervisor = a.first_supervisor().await;
    // as soon as there are two nodes, somebody holds the journal's head for longer than a release waits
    let holds = "DO $$ BEGIN LOOP EXIT WHEN (SELECT count(*) FROM nodes) > 1; PERFORM pg_sleep(0.01); END LOOP; \
        PERFORM 1 FROM head FOR UPDATE; PERFORM pg_sleep(4); END $$";
    let mut holder = Command::new("psql").args([&database, "-qc", holds]).spawn().expect("psql");
    let b = House::node("b", &file(), (database.clone(), Some(&a))).await;
    until_shared(&a, &supervisor, &[3, 3]).await;
    let guest = a.guest().await;
    for table in 1..=TABLES {
        b.post(&guest, &format!("/api/tables/{table}/actions"), wager(&fresh_id())).await.ok();
    }
    assert!(holder.wait().expect("it ends").success(), "nobody held the head");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_a_session_at_one_node_ends_it_at_all_within_a_second() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let a = House::node("a", &file(), (database.clone(), None)).await;
    let supervisor = a.first_supervisor().await;
    let b = House::node("b", &file(), (database.clone(), Some(&a))).await;
    until_shared(&a, &supervisor, &[3, 3]).await;
    let dealer = a.hire(&supervisor, "Dora", "dealer").await;
    b.get(&dealer, "/api/me").await.ok();
    let mut socket = connect(&b, &dealer, None).await.expect("connected");
    next_of(&mut socket, "view").await;
    let people = a.get(&supervisor, "/api/staff/people").await.ok();
    let list = people.as_array().or_else(|| people["items"].as_array()).expect("a list").clone();
    let dora = list.iter().find(|person| person["name"] == "Dora").expect("hired");
    let number = dora["person"].as_i64().or_else(|| dora["id"].as_i64()).expect("a number");
    let body = json!({ "id": fresh_id(), "disabled": true });
    a.call(&supervisor, "PATCH", &format!("/api/staff/people/{number}"), Some(body)).await.ok();
    let since = Instant::now();
    while b.get(&dealer, "/api/me").await.status != 401 {
        assert!(since.elapsed() < Duration::from_secs(1), "not within a second");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let closed = tokio::time::timeout(Duration::from_secs(1), async {
        use futures_util::StreamExt as _;
        while matches!(socket.next().await, Some(Ok(message)) if !message.is_close()) {}
    });
    closed.await.expect("its socket ends, too");
}

/// Connects from an address that no node has.
async fn from_elsewhere(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((Ipv4Addr::new(127, 0, 0, 2), 0).into()).expect("bound");
    socket.connect(address).await.expect("connects")
}

/// A sixteenth of the connections that have not shown the house's keys is an address's most; peers still come through.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_no_keys_holds_a_share_of_the_port_for_peers() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let a = House::node("a", &file(), (database.clone(), None)).await;
    let supervisor = a.first_supervisor().await;
    let nodes = a.get(&supervisor, "/api/nodes").await.ok();
    let address: SocketAddr =
        nodes["nodes"][0]["address"].as_str().expect("an address").parse().expect("an address");
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(from_elsewhere(address).await);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let is_open = |stream: &&TcpStream| {
        stream.try_read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let open = held.iter().filter(is_open).count();
    assert!(open <= 16, "{open}");

    let flooding = tokio::spawn(async move {
        loop {
            let mut held = Vec::new();
            for _ in 0..50 {
                held.push(from_elsewhere(address).await);
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    });
    let b = House::node("b", &file(), (database.clone(), Some(&a))).await;
    until_shared(&a, &supervisor, &[3, 3]).await;
    let guest = a.guest().await;
    for table in 1..=TABLES {
        b.post(&guest, &format!("/api/tables/{table}/actions"), wager(&fresh_id())).await.ok();
    }
    flooding.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_one_nodes_and_other_keys_are_no_nodes() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let a = House::node("a", &file(), (database.clone(), None)).await;
    let refused = |options: server::Options| async move {
        let serving = server::serve(options, std::future::pending(), |_, _| {});
        let ended = tokio::time::timeout(Duration::from_secs(30), serving).await.expect("in time");
        ended.expect_err("refused").to_string()
    };
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let keys = elsewhere.path().join("keys");
    std::fs::create_dir_all(&keys).expect("made");
    for name in ["seal.key", "shoe.key"] {
        std::fs::copy(a.options.data.join("keys").join(name), keys.join(name)).expect("copied");
    }
    let mut same = a.options.clone();
    (same.data, same.keys) = (elsewhere.path().join("data"), Some(keys));
    let why = refused(same.clone()).await;
    assert!(why.contains("a node named `a` is running"), "{why}");
    let mut stranger = a.options.clone();
    (stranger.data, stranger.node) = (elsewhere.path().join("stranger"), Some("b".into()));
    let why = refused(stranger).await;
    assert!(why.contains("keys"), "{why}");
    let mut wide = same.clone();
    (wide.node, wide.peers_listen) = (Some("b".into()), Some("0.0.0.0:0".into()));
    let why = refused(wide).await;
    assert!(why.contains("--peers-address"), "{why}");
    let mut empty = same;
    empty.keys = Some(elsewhere.path().to_owned());
    let why = refused(empty).await;
    assert!(why.contains("seal.key"), "{why}");
    let guest = a.guest().await;
    a.post(&guest, "/api/tables/1/actions", wager(&fresh_id())).await.ok();
}

/// A changed house file is brought in node by node: it is used once the last node with the old one has left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_house_file_waits_for_the_last_old_node_and_rounds_continue() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let mut a = House::node("a", &file(), (database.clone(), None)).await;
    let guest = a.guest().await;
    a.post(&guest, "/api/tables/1/actions", wager(&fresh_id())).await.ok();
    let changed = file().replace("betting_ms = 60000", "betting_ms = 50000");
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let mut options = a.options.clone();
    options.house = Some(elsewhere.path().join("house.toml"));
    std::fs::write(elsewhere.path().join("house.toml"), &changed).expect("written");
    options.keys = Some(a.options.data.join("keys"));
    (options.data, options.node) = (elsewhere.path().join("data"), Some("b".into()));
    let serving = server::serve(options, std::future::pending(), |_, _| {});
    let ended = tokio::time::timeout(Duration::from_secs(30), serving).await.expect("in time");
    let why = ended.expect_err("refused").to_string();
    assert!(why.contains("node a uses a different house file"), "{why}");
    a.close().await;
    let b = House::node("b", &changed, (database, Some(&a))).await;
    let table = b.get(&guest, "/api/tables/1").await.ok();
    assert_eq!(table["view"]["boxes"].as_array().map(Vec::len), Some(1), "the bet still lies: {table}");
    let off = json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 });
    b.post(&guest, "/api/tables/1/actions", off).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_of_two_programs_share_a_store_that_the_later_one_has_expanded() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let mut a = House::node("a", &file(), (database.clone(), None)).await;
    let guest = a.guest().await;
    let place = server::place(&a.options);
    let store = |work: &dyn Fn(&mut dyn ledger::db::Db) -> ledger::DbResult<()>| {
        let mut db = tokio::task::block_in_place(|| place.writer()).expect("opens");
        tokio::task::block_in_place(|| work(&mut *db))
    };
    let play = |house: &House| {
        let (address, guest) = (house.address.clone(), guest.clone());
        async move {
            let peer = crate::client::Peer { address };
            let done = peer.try_post(&guest, "/api/tables/1/actions", wager(&fresh_id())).await;
            let off = json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 });
            peer.try_post(&guest, "/api/tables/1/actions", off).await;
            done.map(|(status, _)| status)
        }
    };
    assert_eq!(play(&a).await, Some(200));
    // A later program expands the schema under a running node.
    let expand = "ALTER TABLE people ADD COLUMN colour TEXT; ALTER TABLE journal ADD COLUMN mark INTEGER; \
        CREATE TABLE later (one INTEGER NOT NULL PRIMARY KEY)";
    store(&|db| ledger::schema::expand(db, 2, expand)).expect("expanded");
    assert_eq!(play(&a).await, Some(200), "a node that runs goes on");
    let mut b = House::node("b", &file(), (database.clone(), Some(&a))).await;
    assert_eq!(play(&b).await, Some(200), "and another one starts");
    let found = tokio::task::block_in_place(|| server::audit(&b.options)).expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
    let contract = |db: &mut dyn ledger::db::Db| ledger::schema::contract(db, 2, "DROP TABLE later");
    let why = store(&contract).expect_err("nodes of this program are alive").to_string();
    assert!(why.contains("node a") && why.contains("upgrade"), "{why}");
    b.close().await;
    let options = a.options.clone();
    a.close().await;
    store(&contract).expect("contracted");
    let why =
        server::serve(options, std::future::pending(), |_, _| {}).await.expect_err("refused").to_string();
    assert!(why.contains("version 2") && why.contains("up to 1"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_guesses_has_three_tries_at_all_nodes_together() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let a = House::node("a", &file(), (database.clone(), None)).await;
    let supervisor = a.first_supervisor().await;
    let b = House::node("b", &file(), (database.clone(), Some(&a))).await;
    a.player("Ann").await;
    let until = async |house: &House, password: &str, status: u16| {
        let since = Instant::now();
        while house.sign_in("Ann", password).await.status != status {
            assert!(since.elapsed() < Duration::from_secs(1), "not within a second");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    for house in [&a, &a, &b] {
        assert_eq!(house.sign_in("Ann", "wrong horse").await.status, 401);
    }
    let ann = async || {
        let people = a.get(&supervisor, "/api/staff/people").await.ok();
        let list = people.as_array().or_else(|| people["items"].as_array()).expect("a list").clone();
        list.into_iter().find(|person| person["name"] == "Ann").expect("there")
    };
    // The third failed attempt was at b; a is notified.
    eventually("locked at a", async || ann().await["locked_until"].is_string()).await;
    assert_eq!(a.sign_in("Ann", "correct horse").await.status, 401, "locked at a");
    assert_eq!(b.sign_in("Ann", "correct horse").await.status, 401, "locked at b");
    let ann = ann().await;
    let number = ann["person"].as_i64().or_else(|| ann["id"].as_i64()).expect("a number");
    let body = json!({ "id": fresh_id(), "unlock": true, "reason": "she called" });
    a.call(&supervisor, "PATCH", &format!("/api/staff/people/{number}"), Some(body)).await.ok();
    until(&b, "correct horse", 200).await;
}

/// A wire from a port of this machine.
async fn wire_to(end: End) -> Wires {
    Wires::to(end, Pids::default(), 1, (&Handle::current(), Ipv4Addr::LOCALHOST.into())).await
}

/// Returns where a node listens for its peers, and the address that it advertises: the wire's.
fn behind(port: u16, wire: &Wires) -> (String, Option<String>) {
    (format!("127.0.0.1:{port}"), Some(format!("127.0.0.1:{}", wire.port)))
}

/// The database still sees a node that its peers do not reach; its tables go to the others all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_its_peers_do_not_reach_loses_its_tables_and_says_why() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let [to_a, to_c] = [free_port(), free_port()];
    let (wire_a, wire_c) = (wire_to(End::here(to_a)).await, wire_to(End::here(to_c)).await);
    let a = House::node_at("a", &file(), (database.clone(), None), behind(to_a, &wire_a)).await;
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let mut options = a.options.clone();
    options.keys = Some(a.options.data.join("keys"));
    (options.data, options.node) = (elsewhere.path().join("data"), Some("b".into()));
    (options.peers_listen, options.peers_address) = (Some("127.0.0.1:0".into()), None);
    let b = server::open(&options).await.expect("opens");
    let c = House::node_at("c", &file(), (database, Some(&a)), behind(to_c, &wire_c)).await;
    let (supervisor, guest) = (a.first_supervisor().await, a.guest().await);
    until_shared(&a, &supervisor, &[2, 2, 2]).await;
    c.get("", "/ready").await.ok();

    let since = Instant::now();
    wire_c.set(None, Wire::Cut);
    until_shared(&a, &supervisor, &[3, 3, 0]).await;
    assert!(since.elapsed() < Duration::from_secs(5), "after {:?}", since.elapsed());
    let ready = c.get("", "/ready").await;
    assert_eq!((ready.status, ready.code().as_str()), (503, "cut-off"), "{}", ready.body);
    let figures = || b.app.metrics.text(b.ledger(), b.app.nodes.get(), &b.app.self_check.state());
    let reached = |node: &str, reached: u8| {
        let (line, text) = (format!("cutcard_node_reached{{node=\"{node}\"}} {reached}\n"), figures());
        assert!(text.contains(&line), "{line}: {text}");
    };
    reached("b", 1);
    reached("c", 0);

    // Now nobody reaches the first node either, which owns all tables: it comes first by name.
    wire_a.set(None, Wire::Cut);
    until_shared(&a, &supervisor, &[6, 0, 0]).await;
    let refused = c.post(&guest, "/api/tables/1/actions", wager(&fresh_id())).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "owner-away"), "{}", refused.body);
    b.app.closing.send_replace(true);
    tokio::task::block_in_place(|| {
        b.app.nodes.get().expect("a node").end();
        b.ledger().close();
    });
}

/// A follower keeps requests while it does not reach the owner, and drops those whose clients have gone: when it
/// reaches the owner again, and when it becomes the owner itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_drops_the_requests_of_closed_sockets() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let [to_a, to_c] = [free_port(), free_port()];
    let wires = [wire_to(End::here(to_a)).await, wire_to(End::here(to_c)).await];
    let mut a = House::node_at("a", &file(), (database.clone(), None), behind(to_a, &wires[0])).await;
    let c = House::node_at("c", &file(), (database, Some(&a)), behind(to_c, &wires[1])).await;
    let supervisor = a.first_supervisor().await;
    assert!(until_shared(&a, &supervisor, &[3, 3]).await["a"].contains(&1), "c follows table 1");
    let asks = async |number: u8| {
        let guest = c.guest().await;
        let mut socket = connect(&c, &guest, None).await.expect("connected");
        let mut bet = wager(&fresh_id());
        bet["box"] = number.into();
        say(&mut socket, bet).await;
        socket
    };
    let mut placed = Vec::new();
    for stays in [3, 4] {
        eventually("c is among the nodes", async || c.get("", "/ready").await.status == 200).await;
        wires.iter().for_each(|wire| wire.set(None, Wire::Cut));
        eventually("c is cut off", async || c.get("", "/ready").await.code() == "cut-off").await;
        // Twice as long as a silent stream counts as alive: what was sent into it could not be taken back.
        tokio::time::sleep(Duration::from_secs(3)).await;
        let (gone, mut closed, mut waiting) = (asks(1).await, asks(2).await, asks(stays).await);
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(gone);
        closed.close(None).await.expect("closed");
        // Longer than an attempt to reach the owner, after which the follower reads its requests.
        tokio::time::sleep(Duration::from_secs(2)).await;
        match stays {
            3 => wires.iter().for_each(|wire| wire.set(None, Wire::Whole)),
            _ => a.close().await,
        }
        next_of(&mut waiting, "ack").await;
        placed.push(json!(stays));
        let view = c.get("", "/api/tables/1").await.ok()["view"].clone();
        let boxes = view["boxes"].as_array().expect("boxes").iter().map(|each| each["box"].clone());
        assert_eq!(boxes.collect::<Vec<_>>(), placed, "only those who waited: {view}");
    }
}

/// SIGTERM must end a node whose database is silent or gone, too: it would block an upgrade.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_without_its_database_ends_within_five_seconds() {
    let Some(mut cluster) = Cluster::start() else { return };
    let database = cluster.database();
    let name = database.rsplit('=').next().expect("a name");
    let wire = wire_to(End::Socket(cluster.directory().join(".s.PGSQL.5432"))).await;
    let through =
        format!("host=127.0.0.1 port={} user=house password=x dbname={name} sslmode=disable", wire.port);
    let directory = tempfile::tempdir().expect("temp dir");
    let house = directory.path().join("house.toml");
    std::fs::write(&house, file()).expect("written");
    let mut options = options(&directory.path().join("data"), &house, Some(through));
    options.node = Some("a".into());
    for silent in [true, false] {
        let mut process = tokio::task::block_in_place(|| start(&options));
        let peer = Peer { address: process.address.clone() };
        let entered = peer.try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
        let guest = crate::client::token(entered);
        let bet = peer.try_post(&guest, "/api/tables/1/actions", wager(&fresh_id())).await.expect("answered");
        assert!(bet.0 < 500, "{}", bet.1);
        match silent {
            true => wire.set(None, Wire::Cut),
            false => tokio::task::block_in_place(|| cluster.say("stop", "stopped")),
        }
        let waiting =
            tokio::spawn(
                async move { peer.try_post(&guest, "/api/tables/2/actions", wager(&fresh_id())).await },
            );
        let since = Instant::now();
        kill_process(Pid::from_child(&process.child), Signal::TERM).expect("told");
        while process.child.try_wait().expect("known").is_none() {
            assert!(since.elapsed() < Duration::from_secs(5), "it still runs; silent: {silent}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        waiting.abort();
        wire.set(None, Wire::Whole);
    }
    let log = std::fs::read_to_string(options.data.join("log")).expect("the node's log");
    assert_eq!(log.matches("PGPASSFILE").count(), 2, "each start warns of the password: {log}");
    assert!(!log.contains("password=x"), "{log}");
}
