//! Power-failure test: the house runs in its own process, at least twenty clients play, and the process is killed at
//! random moments. Afterwards no chip is lost or created, no acknowledged action is lost, and every round continues.
//! `CUTCARD_KILLS` sets the number of kills for a longer run.

use crate::bot::fresh_id;
use crate::ceiling::peak_of;
use crate::client::{House, Peer};
use crate::cluster;
use ledger::{CommandId, PersonId, journal};
use serde_json::{Value, json};
use server::{Options, audit};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

const CLIENTS: usize = 24;
/// One table of every preset, and one with a double shoe.
const TABLES: usize = rules::preset::PRESETS.len() + 1;
const HOUSE: &str = "CUTCARD_TEST_HOUSE";
const DATA: &str = "CUTCARD_TEST_DATA";
const LAB: &str = "CUTCARD_TEST_LAB";
pub const WORKER: &str = "as-lab-worker";
const DATABASE: &str = "CUTCARD_TEST_DATABASE";
/// Environment variables: the node's name, its peer listen address, the address it advertises, and its clock shift.
const NODE: [&str; 4] =
    ["CUTCARD_TEST_NODE", "CUTCARD_TEST_PEERS", "CUTCARD_TEST_PEERS_ADDRESS", "CUTCARD_TEST_SHIFT"];
const LISTEN: &str = "CUTCARD_TEST_LISTEN";

pub fn options(data: &Path, house: &Path, database: Option<String>) -> Options {
    Options {
        listen: "127.0.0.1:0".into(),
        data: data.to_owned(),
        database,
        house: Some(house.to_owned()),
        secure_cookies: false,
        lab_worker: None,
        ..Options::default()
    }
}

/// Not a test: the house that the tests below start in another process and kill.
#[test]
fn house_in_a_process_of_its_own() {
    let (Some(house), Some(data)) = (std::env::var_os(HOUSE), std::env::var_os(DATA)) else {
        return;
    };
    let database = std::env::var(DATABASE).ok();
    let mut options = options(Path::new(&data), Path::new(&house), database);
    options.listen = std::env::var(LISTEN).expect("an address");
    let [node, peers, address, shift] = NODE.map(|name| std::env::var(name).ok());
    if node.is_some() {
        server::log_to_stderr();
    }
    (options.node, options.peers_listen, options.peers_address) = (node, peers, address);
    let shift = shift.and_then(|text| text.parse().ok()).unwrap_or(0);
    options.clock_shift_ms.store(shift, Ordering::Relaxed);
    follow_the_skew(&options);
    options.lab_worker = std::env::var_os(LAB).map(|_| lab_worker());
    let ready = |address: std::net::SocketAddr, _: Option<&(String, String)>| println!("\nopen {address}");
    server::run(options, Some(2), ready).expect("serves");
}

/// Returns the file from which a running node process reads its clock shift.
pub fn skew_file(options: &Options) -> std::path::PathBuf {
    options.data.join("skew-for-test")
}

fn follow_the_skew(options: &Options) {
    let (file, shift) = (skew_file(options), Arc::clone(&options.clock_shift_ms));
    std::thread::spawn(move || {
        loop {
            let said = std::fs::read_to_string(&file).ok().and_then(|text| text.parse().ok());
            said.inspect(|said| shift.store(*said, Ordering::Relaxed));
            std::thread::sleep(Duration::from_millis(100));
        }
    });
}

pub struct Process {
    pub child: Child,
    pub address: String,
}

/// Returns the command that runs this program as a lab worker.
pub fn lab_worker() -> Vec<std::ffi::OsString> {
    let program = std::env::current_exe().expect("this program").into_os_string();
    let test = "ceiling::lab_worker_in_a_process_of_its_own";
    [program].into_iter().chain(["--exact", test, WORKER, "--nocapture"].map(Into::into)).collect()
}

pub fn start(options: &Options) -> Process {
    start_with(options, false)
}

/// Starts a house process, with lab workers in their own processes if `lab` is set.
pub fn start_with(options: &Options, lab: bool) -> Process {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "kill::house_in_a_process_of_its_own", "--nocapture"]);
    command.env(HOUSE, options.house.as_ref().expect("a file")).env(DATA, &options.data);
    command.env(LISTEN, &options.listen);
    if lab {
        command.env(LAB, "1");
    }
    let shift = options.clock_shift_ms.load(Ordering::Relaxed).to_string();
    let node =
        [options.node.as_ref(), options.peers_listen.as_ref(), options.peers_address.as_ref(), Some(&shift)];
    for (name, value) in NODE.into_iter().zip(node) {
        value.inspect(|value| {
            command.env(name, value);
        });
    }
    if let Some(url) = &options.database {
        command.env(DATABASE, url);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(log_of(options)).spawn().expect("starts");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let mut lines = output.lines().map_while(Result::ok);
    let address =
        lines.find_map(|line| line.strip_prefix("open ").map(str::to_owned)).expect("the house opens");
    // Drains the rest of its output, so that it never blocks on a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    Process { child, address }
}

/// Returns the log of a node, kept for debugging.
fn log_of(options: &Options) -> Stdio {
    if options.node.is_none() {
        return Stdio::null();
    }
    std::fs::create_dir_all(&options.data).expect("made");
    let log = std::fs::File::options().create(true).append(true).open(options.data.join("log"));
    log.expect("a log").into()
}

impl Process {
    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the clients were told.
#[derive(Default)]
struct Acknowledged {
    acknowledged: Mutex<Vec<(i64, String, i64)>>,
    tried_again: AtomicU64,
    stop: AtomicBool,
}

/// A client that plays on through every outage, and retries unacknowledged commands under the same id.
async fn client(
    mut address: watch::Receiver<String>,
    told: Arc<Acknowledged>,
    (token, person): (String, i64),
    seat: (u32, u8),
) {
    let (table, place) = seat;
    // The fifth preset is multiple action, with three bets per box.
    let spots = if table == 5 { 3 } else { 1 };
    let mut unanswered: Option<(String, Value)> = None;
    let mut dice = 0x9e37_79b9_7f4a_7c15u64 ^ ((person as u64) << 8);
    while !told.stop.load(Ordering::Relaxed) {
        let peer = Peer { address: address.borrow_and_update().clone() };
        let (id, action) = match unanswered.take() {
            Some(again) => {
                told.tried_again.fetch_add(1, Ordering::Relaxed);
                again
            }
            None => {
                let Some(view) = peer.try_get(&token, &format!("/api/tables/{table}")).await else {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    continue;
                };
                dice = dice.rotate_left(17).wrapping_mul(0xd129_0d3a_65bf_1f4d) ^ 0x5555;
                match choose(&view["view"], (place, spots), dice) {
                    Some(action) => (fresh_id(), action),
                    None => {
                        tokio::time::sleep(Duration::from_millis(8)).await;
                        continue;
                    }
                }
            }
        };
        let mut body = action.clone();
        body["id"] = id.clone().into();
        match peer.try_post(&token, &format!("/api/tables/{table}/actions"), body).await {
            Some((200, answer)) => {
                let seq = answer["seq"].as_i64().unwrap_or(0);
                if seq > 0 {
                    told.acknowledged.lock().expect("unpoisoned").push((person, id, seq));
                }
            }
            // Refused or stopped: either it did not happen, or it must be retried.
            Some((503 | 429, _)) | None => {
                unanswered = Some((id, action));
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            Some(_) => {}
        }
    }
}

/// Returns the next action for this place, in the round of this view.
pub fn choose(view: &Value, seat: (u8, usize), dice: u64) -> Option<Value> {
    let mut action = chosen(view, seat, dice)?;
    action["round"] = view["round"].clone();
    Some(action)
}

fn chosen(view: &Value, (place, spots): (u8, usize), dice: u64) -> Option<Value> {
    let awaiting = &view["awaiting"];
    let asked = |list: &Value| list.as_array().is_some_and(|l| l.iter().any(|a| a["box"] == place));
    match awaiting["what"].as_str()? {
        "wagers" if view["boxes"].as_array()?.iter().any(|b| b["box"] == place) => {
            Some(json!({ "do": "deal" }))
        }
        "wagers" => {
            let amounts = ["10.00", "10.00", "10.00"];
            Some(json!({ "do": "wager", "box": place, "amounts": amounts[..spots] }))
        }
        "decision" if awaiting["box"] == place => {
            let actions = awaiting["actions"].as_array()?;
            let chosen = &actions[(dice % actions.len() as u64) as usize]["action"];
            Some(json!({ "do": chosen, "box": place }))
        }
        "offer" if asked(&awaiting["asked"]) => {
            Some(json!({ "do": "decline", "box": place, "offer": awaiting["offer"] }))
        }
        "revocation" if awaiting["box"] == place => Some(json!({ "do": "decline-switch", "box": place })),
        "switch" if awaiting["box"] == place => Some(json!({ "do": "switch", "box": place })),
        _ => None,
    }
}

async fn kill_many(kills: usize, database: Option<String>) {
    let directory = tempfile::tempdir().expect("temp dir");
    let house = directory.path().join("house.toml");
    let tables: String =
        rules::preset::PRESETS.iter().map(|(name, _)| format!("[[table]]\nrules = \"{name}\"\n")).collect();
    let double = "[[table]]\nrules = \"nj-blackjack\"\nset = [\"shoe=double\", \"decks=2\"]\n";
    let file = format!(
        "guest_chips = \"1000000.00\"\n[timings]\nbetting_ms = 300\ndecision_ms = 300\npause_ms = 0\n[rates]\n\
         requests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n{tables}{double}"
    );
    std::fs::write(&house, file).expect("written");
    let options = options(&directory.path().join("data"), &house, database);
    let mut process = start(&options);
    let (address, listening) = watch::channel(process.address.clone());
    let told = Arc::new(Acknowledged::default());
    let mut clients = Vec::new();
    for n in 0..CLIENTS {
        let peer = Peer { address: process.address.clone() };
        let entered = peer.try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
        let who = (
            entered["token"].as_str().expect("a token").to_owned(),
            entered["person"].as_i64().expect("a number"),
        );
        let seat = ((n % TABLES) as u32 + 1, (n / TABLES) as u8 + 1);
        clients.push(tokio::spawn(client(listening.clone(), Arc::clone(&told), who, seat)));
    }
    let (mut dice, mut peak) = (88_172_645_463_325_252u64, 0u64);
    for _ in 0..kills {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        tokio::time::sleep(Duration::from_millis(20 + dice % 300)).await;
        peak = peak.max(peak_of(process.child.id()));
        process.kill();
        process = tokio::task::block_in_place(|| start(&options));
        address.send_replace(process.address.clone());
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    told.stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.expect("the client ends");
    }
    every_round_ends(&process.address).await;
    println!("the house: {} KiB at most", peak.max(peak_of(process.child.id())));
    process.kill();
    tokio::task::block_in_place(|| nothing_is_lost(&options, &told, kills));
}

/// With nobody left to answer, the rule for absent players ends every round.
async fn every_round_ends(address: &str) {
    let peer = Peer { address: address.to_owned() };
    for table in 1..=TABLES {
        let mut last = Value::Null;
        for _ in 0..2000 {
            let Some(view) = peer.try_get("", &format!("/api/tables/{table}")).await else {
                continue;
            };
            last = view["view"].clone();
            let idle =
                last["awaiting"]["what"] == "wagers" && last["boxes"].as_array().is_some_and(Vec::is_empty);
            if idle {
                break;
            }
            last["unfinished"] = true.into();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(last["unfinished"].is_null(), "table {table} does not end its round: {last}");
    }
}

fn nothing_is_lost(options: &Options, told: &Acknowledged, kills: usize) {
    let found = audit(options).expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
    let mut db = server::place(options).reader().expect("readable");
    let acknowledged = told.acknowledged.lock().expect("unpoisoned");
    for (person, id, seq) in acknowledged.iter() {
        let id = CommandId::new(id).expect("lawful");
        let record = journal::record_of_command(&mut *db, PersonId(*person), &id).expect("readable");
        assert_eq!(record.map(|r| r.seq.0), Some(*seq), "an acknowledged action is lost");
    }
    let day = ledger::report::day(&mut *db, ledger::GamingDay(i64::MAX / 2)).expect("readable");
    assert!(day.reconciles());
    for ((_, class), balance) in &day.classes {
        if *class == ledger::report::Class::Layouts {
            assert_eq!(balance.closing.0, 0, "chips are left on a layout");
        }
    }
    let again = told.tried_again.load(Ordering::Relaxed);
    println!(
        "{kills} kills: {} acknowledged, {again} tried again, {} records",
        acknowledged.len(),
        found.records
    );
    assert!(acknowledged.len() > kills, "too little was played");
}

fn kills(usual: usize) -> usize {
    std::env::var("CUTCARD_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_on_sqlite_lose_nothing() {
    kill_many(kills(20), None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_on_postgres_lose_nothing() {
    let Some(cluster) = cluster::shared() else { return };
    kill_many(kills(10), Some(cluster.database())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clean_end_parks_the_round_and_the_next_start_goes_on() {
    let house = House::with("[timings]\nbetting_ms = 60000\ndecision_ms = 60000\n", None).await;
    let guest = house.guest().await;
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    house.post(&guest, "/api/tables/1/actions", wager).await.ok();
    let house = house.reopened().await;
    let view = house.get(&guest, "/api/tables/1").await.ok()["view"].clone();
    assert_eq!(view["boxes"][0]["bettors"][0]["main"][0], "10.00");
}
