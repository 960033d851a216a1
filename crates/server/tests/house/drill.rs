//! The failure drill: three nodes, a primary and its synchronous standby, clients that play through any node and repeat
//! what was not answered under the same id, and faults at random: nodes are killed, stopped for a while, cut off from the
//! database or from each other; their clocks are hours apart; wires are slow; at the end the primary dies and its standby
//! is promoted. Afterwards the laws of the house are looked at over everything that any client was told.
//! `CUTCARD_FAULTS=500` makes a long drill of it.

use crate::bot::fresh_id;
use crate::client::Peer;
use crate::cluster::Cluster;
use crate::kill::{Process, choose, start};
use crate::proxy::{End, Proxy, Wire};
use crate::takeover::free_port;
use ledger::{CommandId, PersonId, journal};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use server::{Options, audit};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

const NODES: usize = 3;
const TABLES: u32 = 6;
const CLIENTS: usize = 12;
/// What is promised when a node dies, and when the machine of the database does.
const TAKEN_WITHIN: Duration = Duration::from_secs(5);
const PROMOTED_WITHIN: Duration = Duration::from_secs(30);
/// A fault lasts longer than a lease.
const FAULT: Duration = Duration::from_millis(4_500);

/// One acknowledged command.
#[derive(Clone, Debug)]
struct Told {
    person: i64,
    id: String,
    seq: i64,
    table: u32,
    sent: Instant,
    answered: Instant,
}

#[derive(Default)]
struct Ears {
    told: Mutex<Vec<Told>>,
    stop: AtomicBool,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Plays through whichever node it comes to; what was not answered is asked again elsewhere.
async fn client(
    nodes: watch::Receiver<Vec<String>>,
    ears: Arc<Ears>,
    ((token, person), (table, place)): ((String, i64), (u32, u8)),
) {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ ((person as u64) << 8));
    let mut unanswered: Option<(String, Value, Instant)> = None;
    while !ears.stop.load(Ordering::Relaxed) {
        let address = {
            let nodes = nodes.borrow();
            nodes[dice.below(nodes.len() as u64) as usize].clone()
        };
        let peer = Peer { address };
        let patience = Duration::from_millis(900);
        let (id, action, sent) = match unanswered.take() {
            Some(again) => again,
            None => {
                let path = format!("/api/tables/{table}");
                let view = tokio::time::timeout(patience, peer.try_get(&token, &path)).await.ok().flatten();
                let chosen =
                    view.and_then(|view| choose(&view["view"], (place, person), dice.below(1 << 40)));
                match chosen {
                    Some(action) => (fresh_id(), action, Instant::now()),
                    None => {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                }
            }
        };
        let mut body = action.clone();
        body["id"] = id.clone().into();
        let path = format!("/api/tables/{table}/actions");
        let asked = peer.try_post(&token, &path, body);
        match tokio::time::timeout(patience, asked).await.ok().flatten() {
            Some((200, answer)) => {
                let (seq, answered) = (answer["seq"].as_i64().unwrap_or(0), Instant::now());
                if seq > 0 {
                    let told = Told { person, id, seq, table, sent, answered };
                    ears.told.lock().expect("unpoisoned").push(told);
                }
            }
            // Not known to have happened: asked again, elsewhere. A session cannot be read while the database is away.
            Some((401 | 429 | 503, _)) | None => {
                unanswered = Some((id, action, sent));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Some(_) => {}
        }
    }
}

struct Node {
    options: Options,
    process: Process,
    /// To the database, and from the other nodes.
    wires: [Proxy; 3],
}

struct House {
    directory: tempfile::TempDir,
    cluster: Cluster,
    nodes: Vec<Node>,
    addresses: watch::Sender<Vec<String>>,
}

impl House {
    async fn open() -> Option<House> {
        let mut cluster = Cluster::start()?;
        cluster.say("standby", "following");
        cluster.say("wait-for-standby", "waiting");
        let database = cluster.database();
        let name = database.rsplit('=').next().expect("a name").to_owned();
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        let tables = "[[table]]\nrules = \"nj-blackjack\"\n".repeat(TABLES as usize);
        let text = format!(
            "guest_chips = \"1000000.00\"\n[timings]\nbetting_ms = 200\n\
             decision_ms = 1000\npause_ms = 0\n[rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\n\
             entries_per_minute = 100000\n{tables}"
        );
        std::fs::write(&file, text).expect("written");
        let mut house = House { directory, cluster, nodes: Vec::new(), addresses: watch::Sender::default() };
        for n in 0..NODES {
            let node = house.node(n, (&file, &name)).await;
            house.nodes.push(node);
        }
        house.tell();
        Some(house)
    }

    async fn node(&self, n: usize, (file, database): (&Path, &str)) -> Node {
        let sockets = [self.cluster.directory().to_owned(), self.cluster.directory().join("second")];
        let peers = free_port();
        let [first, second] = sockets.map(|directory| End::Socket(directory.join(".s.PGSQL.5432")));
        let wires = [Proxy::to(first).await, Proxy::to(second).await, Proxy::to(End::Port(peers)).await];
        let data = self.directory.path().join(format!("node-{n}"));
        if n > 0 {
            let keys = data.join("keys");
            std::fs::create_dir_all(&keys).expect("made");
            for name in ["seal.key", "shoe.key"] {
                std::fs::copy(self.directory.path().join("node-0/keys").join(name), keys.join(name))
                    .expect("copied");
            }
        }
        let url = format!(
            "host=127.0.0.1,127.0.0.1 port={},{} user=house dbname={database} target_session_attrs=read-write sslmode=disable",
            wires[0].port, wires[1].port
        );
        let options = Options {
            listen: "127.0.0.1:0".into(),
            data,
            database: Some(url),
            house: Some(file.to_owned()),
            node: Some(format!("node-{n}")),
            peers_listen: Some(format!("127.0.0.1:{peers}")),
            peers_address: Some(format!("127.0.0.1:{}", wires[2].port)),
            ..Options::default()
        };
        // The first one's clock is right, the others' are hours before and after.
        options.clock_shift_ms.store([0, -7, 9][n % 3] * 3_600_000, Ordering::Relaxed);
        let process = tokio::task::block_in_place(|| start(&options));
        Node { options, process, wires }
    }

    fn tell(&self) {
        self.addresses.send_replace(self.nodes.iter().map(|node| node.process.address.clone()).collect());
    }

    /// The tables that a node owns, as the database says.
    fn owned_by(&self, n: usize) -> Vec<u32> {
        let url = self.cluster.url(&database_name(&self.nodes[n].options));
        let mut tables = Vec::new();
        let each = &mut |row: ledger::db::Found| {
            let mut c = ledger::db::Columns::of(row);
            tables.extend(c.int().ok().and_then(|table| u32::try_from(table).ok()));
            true
        };
        let sql = format!("SELECT table_no FROM owners WHERE owner LIKE 'node-{n}/%'");
        let read = || ledger::Place::Postgres(url).reader()?.walk(&sql, vec![], each);
        tokio::task::block_in_place(read).expect("readable");
        tables
    }

    /// What the nodes said last.
    fn show_logs(&self) {
        for node in &self.nodes {
            let log = std::fs::read_to_string(node.options.data.join("log")).unwrap_or_default();
            let lines: Vec<&str> = log.lines().filter(|line| line.starts_with('{')).collect();
            println!("{:?}:", node.options.node);
            lines[lines.len().saturating_sub(25)..].iter().for_each(|line| println!("  {line}"));
        }
    }

    fn pid(&self, n: usize) -> Pid {
        Pid::from_child(&self.nodes[n].process.child)
    }

    /// One fault, and its end.
    async fn fault(&mut self, kind: u64, n: usize) -> &'static str {
        let node = &mut self.nodes[n];
        match kind {
            0 => {
                node.process.child.kill().expect("killed");
                node.process.child.wait().expect("gone");
                tokio::time::sleep(FAULT / 2).await;
                node.process = tokio::task::block_in_place(|| start(&node.options));
                self.tell();
                "killed"
            }
            1 => {
                kill_process(self.pid(n), Signal::STOP).expect("stopped");
                tokio::time::sleep(FAULT).await;
                kill_process(self.pid(n), Signal::CONT).expect("goes on");
                "stopped for a while"
            }
            2 => {
                node.wires[..2].iter().for_each(|wire| wire.set(Wire::Cut));
                tokio::time::sleep(FAULT).await;
                node.wires[..2].iter().for_each(|wire| wire.set(Wire::Whole));
                "cut off from the database"
            }
            3 => {
                node.wires[2].set(Wire::Cut);
                tokio::time::sleep(FAULT).await;
                node.wires[2].set(Wire::Whole);
                "cut off from its peers"
            }
            4 => {
                kill_process(self.pid(n), Signal::TERM).expect("asked to end");
                let node = &mut self.nodes[n];
                tokio::task::block_in_place(|| node.process.child.wait()).expect("gone");
                node.process = tokio::task::block_in_place(|| start(&node.options));
                self.tell();
                "restarted"
            }
            _ => {
                node.wires.iter().for_each(|wire| wire.set(Wire::Slow(Duration::from_millis(10))));
                tokio::time::sleep(FAULT).await;
                node.wires.iter().for_each(|wire| wire.set(Wire::Whole));
                "slow"
            }
        }
    }
}

/// How long after a fault each of these tables was first answered again.
fn pauses(told: &[Told], tables: &[u32], (fault, end): (Instant, Instant)) -> Vec<Duration> {
    // What was under way when the node failed may be answered at once.
    let settled = fault + Duration::from_millis(100);
    let first = |table: &u32| {
        let after = told.iter().filter(|told| told.table == *table && told.answered > settled);
        after.map(|told| told.answered.duration_since(fault)).min().unwrap_or(end.duration_since(fault))
    };
    tables.iter().map(first).collect()
}

async fn drill(faults: usize) {
    let Some(mut house) = House::open().await else { return };
    let ears = Arc::new(Ears::default());
    let mut clients = Vec::new();
    for n in 0..CLIENTS {
        let peer = Peer { address: house.nodes[n % NODES].process.address.clone() };
        let entered = peer.try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
        let token = entered["token"].as_str().expect("a token").to_owned();
        let who = (token, entered["person"].as_i64().expect("a number"));
        let seat = (n as u32 % TABLES + 1, (n as u32 / TABLES) as u8 + 1);
        clients.push(tokio::spawn(client(house.addresses.subscribe(), Arc::clone(&ears), (who, seat))));
    }
    let mut dice = Dice(88_172_645_463_325_252);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut taken = Vec::new();
    for turn in 0..faults {
        // Every kind in turn, at a random node.
        let (kind, n, begun) = (turn as u64 % 6, dice.below(NODES as u64) as usize, Instant::now());
        let owned = house.owned_by(n);
        let what = house.fault(kind, n).await;
        tokio::time::sleep(Duration::from_millis(1_000 + dice.below(500))).await;
        let found = pauses(&ears.told.lock().expect("unpoisoned"), &owned, (begun, Instant::now()));
        let worst = found.iter().max().copied().unwrap_or_default();
        println!("node {n} {what}: first answers within {worst:?}");
        taken.extend(found);
    }
    // The machine of the database dies, and its standby is promoted.
    let begun = Instant::now();
    house.cluster.say("stop", "stopped");
    house.cluster.say("promote", "promoted");
    let all = (1..=TABLES).collect::<Vec<_>>();
    let answered = |ears: &Ears| {
        let told = ears.told.lock().expect("unpoisoned");
        all.iter().all(|table| told.iter().any(|told| told.table == *table && told.sent > begun))
    };
    while !answered(&ears) {
        if begun.elapsed() > PROMOTED_WITHIN {
            house.show_logs();
            panic!("play does not go on at the standby");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!(
        "the primary died and its standby was promoted: every table answered after {:?}",
        begun.elapsed()
    );
    ears.stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.expect("the client ends");
    }
    let told = std::mem::take(&mut *ears.told.lock().expect("unpoisoned"));
    let mut options = house.nodes[0].options.clone();
    options.database = Some(house.cluster.at_standby(&house.cluster.url(&database_name(&options))));
    house.nodes.clear();
    tokio::task::block_in_place(|| laws(&options, &told));
    taken.sort();
    assert!(!taken.is_empty(), "no fault met a table");
    let (p50, p99) = (taken[taken.len() / 2], taken[taken.len() * 99 / 100]);
    println!(
        "{faults} faults, {} acknowledged; a table is answered again after {p50:?}, p99 {p99:?}",
        told.len()
    );
    // A few faults beside everything else that is tested are no measure; many are.
    let promised = if faults < 100 { TAKEN_WITHIN * 3 } else { TAKEN_WITHIN };
    assert!(p99 <= promised, "{p99:?}");
    assert!(told.len() > faults * 10, "too little was played");
}

fn database_name(options: &Options) -> String {
    let url = options.database.as_deref().unwrap_or_default();
    url.split(' ').find_map(|part| part.strip_prefix("dbname=")).expect("named").to_owned()
}

fn laws(options: &Options, told: &[Told]) {
    let found = audit(options).expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
    let mut db = server::place(options).reader().expect("readable");
    // What was acknowledged is in the journal, where it was said to be, and once: the id is a key.
    for Told { person, id, seq, .. } in told {
        let id = CommandId::new(id).expect("lawful");
        let record = journal::record_of_command(&mut *db, PersonId(*person), &id).expect("readable");
        assert_eq!(record.map(|r| r.seq.0), Some(*seq), "an acknowledged command is lost: {id:?}");
    }
    // What was answered before something else was asked stands before it.
    let mut by_answer: Vec<&Told> = told.iter().collect();
    by_answer.sort_by_key(|told| told.answered);
    let mut by_sent: Vec<&Told> = told.iter().collect();
    by_sent.sort_by_key(|told| told.sent);
    let (mut before, mut highest) = (by_answer.into_iter().peekable(), 0);
    for told in by_sent {
        while let Some(earlier) = before.next_if(|earlier| earlier.answered < told.sent) {
            highest = highest.max(earlier.seq);
        }
        assert!(told.seq > highest, "{told:?} stands before what was answered before it was asked");
    }
    // Chips sum to zero in every record, and so at every prefix; epochs rise at every table.
    let (mut epochs, mut changes) = (BTreeMap::<i64, i64>::new(), 0);
    let each = &mut |row: ledger::db::Found| {
        let mut c = ledger::db::Columns::of(row);
        let (table, epoch, legs) =
            (c.int().expect("a number"), c.int().expect("a number"), c.text().expect("text"));
        let legs: Vec<(String, i64, i64)> = serde_json::from_str(&legs).expect("legs");
        for chips in ["cash:", "play:"] {
            let of = legs.iter().filter(|(account, ..)| account.starts_with(chips));
            assert_eq!(of.map(|(_, amount, _)| amount).sum::<i64>(), 0);
        }
        if table > 0 {
            let before = epochs.insert(table, epoch).unwrap_or(0);
            assert!(epoch >= before, "an epoch falls at table {table}");
            changes += i32::from(epoch > before);
        }
        true
    };
    db.walk("SELECT table_no, epoch, legs FROM journal ORDER BY seq", vec![], each).expect("readable");
    println!("{} records, tables changed hands {changes} times", found.records);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_fails_nothing_is_lost_and_play_goes_on() {
    let faults = std::env::var("CUTCARD_FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    drill(faults).await;
}
