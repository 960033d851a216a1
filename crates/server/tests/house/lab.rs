//! The lab: everybody gets a turn, nobody stops another's run, and a worker process gives the same results as the house
//! itself.

use crate::client::{House, Peer};
use crate::kill::{Process, options, start_with};
use serde_json::{Value, json};
use std::time::Duration;

/// Starts a house in its own process, with lab workers in theirs.
fn house_with_workers() -> (tempfile::TempDir, Process) {
    let directory = tempfile::tempdir().expect("temp dir");
    let file = directory.path().join("house.toml");
    std::fs::write(&file, "[[table]]\nrules = \"nj-blackjack\"\n").expect("written");
    let process = start_with(&options(&directory.path().join("data"), &file, None), true);
    (directory, process)
}

async fn enter(peer: &Peer) -> String {
    let entered = peer.try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
    entered["token"].as_str().expect("a token").to_owned()
}

/// Waits until the run is done, and returns its state.
async fn done(peer: &Peer, token: &str, id: &Value) -> Value {
    for _ in 0..1800 {
        let state = peer.try_get(token, &format!("/api/lab/simulations/{id}")).await.expect("known");
        if state["done"] == true {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it never ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_has_a_turn_and_nobody_ends_anothers() {
    let (_directory, process) = house_with_workers();
    let peer = Peer { address: process.address.clone() };
    let (ann, bob) = (enter(&peer).await, enter(&peer).await);
    let run = async |token: &str, rounds: u64| {
        let asked = json!({ "table": "nj-blackjack", "rounds": rounds });
        peer.try_post(token, "/api/lab/simulations", asked).await.expect("answered")
    };
    let (status, long) = run(&ann, 50_000_000).await;
    assert_eq!(status, 202);
    let (status, refused) = run(&bob, 50_000_001).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (400, &json!("rounds")),
        "for a device, and there is none"
    );
    assert_eq!(peer.try_get(&bob, "/api/lab").await.expect("known")["most_rounds"], 50_000_000);
    let (status, refused) = run(&ann, 1_000).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (429, &json!("simulation-running")),
        "one of each person"
    );
    let (status, short) = run(&bob, 10_000).await;
    assert_eq!(status, 202, "somebody else has a place");
    let path = format!("/api/lab/simulations/{}", long["id"]);
    let stop = async |token: &str| peer.any(token, ("DELETE", &path), None).await.expect("answered").status;
    assert_eq!(stop(&bob).await, 404, "nobody ends another's run");
    let looked = peer.any(&bob, ("GET", &path), None).await.expect("answered");
    assert_eq!(looked.status, 404, "nobody looks at another's run: {}", looked.body);
    let state = peer.try_get(&ann, &path).await.expect("known");
    assert_eq!(state["done"], false, "{state}");
    assert_eq!(stop(&ann).await, 204);
    let ended = done(&peer, &ann, &long["id"]).await;
    assert_eq!((&ended["stopped"], &ended["id"]), (&json!(true), &long["id"]), "with what there was");
    let ended = done(&peer, &bob, &short["id"]).await;
    assert_eq!(ended["result"]["rounds"], 10_000, "{ended}");
    assert_eq!(run(&ann, 1_000).await.0, 202, "and again");
}

/// The workbench returns the documents of the command line: parts add up, a full shoe equals the table, and requests
/// that are too large are refused.
#[tokio::test(flavor = "multi_thread")]
async fn the_bench_answers_with_documents() {
    let house = House::open().await;
    let ask = async |path: &str, body: Value| {
        let mut answer = house.post("", path, body.clone()).await;
        while answer.status == 408 {
            answer = house.post("", path, body.clone()).await;
        }
        (answer.status, answer.json())
    };
    let table = json!({ "table": "nj-blackjack", "set": ["decks=6"] });
    let (status, shoe) = ask("/api/lab/shoe", table.clone()).await;
    let (_, edge) = ask("/api/lab/edge", table.clone()).await;
    assert_eq!(status, 200);
    let apart = shoe["main"]["house_edge"].as_f64().zip(edge["main"]["house_edge"].as_f64());
    assert!(apart.is_some_and(|(a, b)| (a - b).abs() < 1e-12), "{shoe} {edge}");
    assert_eq!((&shoe["shoe"]["T"], &shoe["made_by"]["program"]), (&json!(96), &json!("cutcard")));
    let (_, told) = ask("/api/lab/compare", json!({ "a": table, "b": { "table": "nj-blackjack" } })).await;
    let parts = told["by_option"].as_array().expect("parts");
    let sum: f64 = parts.iter().filter_map(|part| part["value"].as_f64()).sum();
    assert!((sum - told["difference"].as_f64().expect("a number")).abs() < 1e-12 && !parts.is_empty());
    let vary = json!([
        "decks=1,2,3,4,5,6,7,8",
        "split_hands=2,3,4",
        "soft_17=stand,hit",
        "surrender=false,true",
        "even_money=false,true",
        "resplit_aces=false,true",
        "double_after_split=false,true"
    ]);
    let (status, refused) = ask("/api/lab/sweep", json!({ "table": "nj-blackjack", "vary": vary })).await;
    assert_eq!(status, 409, "{refused}");
    assert!(
        refused["error"]["message"].as_str().is_some_and(|words| words.contains("768 combinations")),
        "{refused}"
    );
    let (status, card) = ask("/api/lab/removal", json!({ "table": "nj-blackjack" })).await;
    assert!(
        status == 200 && card["main"]["5"].as_f64() > Some(0.0) && card["main"]["A"].as_f64() < Some(0.0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_of_its_own_says_what_the_house_says() {
    let (_directory, process) = house_with_workers();
    let elsewhere = Peer { address: process.address.clone() };
    let house = House::open().await;
    for (path, asked) in [
        ("/api/lab/strategy", json!({ "table": "nj-blackjack", "set": ["decks=6"] })),
        ("/api/coach", json!({ "table": "nj-blackjack", "hand": "As 7d", "up": "6h" })),
        ("/api/lab/shoe", json!({ "table": "nj-blackjack", "removed": "5x4 As", "hand": "T 6", "up": "T" })),
        ("/api/lab/shoe", json!({ "table": "nj-blackjack", "removed": "5x40" })),
        ("/api/lab/sweep", json!({ "table": "nj-blackjack", "vary": ["decks=3,6", "soft_17=stand,hit"] })),
        ("/api/lab/sweep", json!({ "table": "nj-blackjack", "vary": ["decks"] })),
        (
            "/api/lab/ramp",
            json!({ "table": "nj-blackjack", "count": "no-such", "bankroll": 1, "least": 1, "most": 2 }),
        ),
        ("/api/coach", json!({ "table": "nj-switch", "hand": "As 7d", "hand2": "Tc 5d", "up": "6h" })),
        ("/api/coach", json!({ "table": "nj-blackjack", "hand": "As As As As As As As As As", "up": "6h" })),
    ] {
        let (mut status, mut there) = (408, Value::Null);
        // The worker has a low priority: on a busy machine the request may time out, but its result is cached.
        for _ in 0..8 {
            (status, there) = elsewhere.try_post("", path, asked.clone()).await.expect("answered");
            if status != 408 {
                break;
            }
        }
        let here = house.post("", path, asked.clone()).await;
        assert_eq!(status, here.status, "{asked}");
        assert!(there == here.json(), "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checked_table_tells_its_deck_its_hands_and_its_attacks() {
    let house = House::open().await;
    for (table, cards, hands, attacks) in [
        ("nj-blackjack", 52, 1, false),
        ("nj-switch", 52, 2, false),
        ("nj-double-attack", 48, 1, true),
        ("nj-triple-attack", 48, 1, true),
    ] {
        let told = house.post("", "/api/lab/check", json!({ "table": table, "set": [] })).await.json();
        let deck = told["deck"].as_str().unwrap_or_default().split(' ').count();
        assert_eq!(
            (deck, &told["hands"], &told["attacks"]),
            (cards, &json!(hands), &json!(attacks)),
            "{table}"
        );
    }
}

/// Returns the child processes of a process.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").expect("told").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok());
    let parent = |process: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let after = stat.rsplit_once(") ").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        after.split(' ').nth(1).and_then(|parent| parent.parse::<u32>().ok())
    };
    numbers.filter(|process| parent(process) == Some(of)).collect()
}

/// Whatever the lab does, even with suspended workers, the house exits soon after it is told to.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_house_ends_within_five_seconds_whatever_its_lab_does() {
    use rustix::process::Signal;
    for signal in [Signal::TERM, Signal::INT, Signal::TERM, Signal::INT] {
        house_with_a_busy_lab_ends(signal).await;
    }
}

#[cfg(target_os = "linux")]
async fn house_with_a_busy_lab_ends(signal: rustix::process::Signal) {
    use rustix::process::{Pid, Signal, kill_process};
    let (_directory, mut process) = house_with_workers();
    let peer = Peer { address: process.address.clone() };
    let ann = enter(&peer).await;
    let asked = json!({ "table": "nj-blackjack", "rounds": 50_000_000 });
    let (status, _) = peer.try_post(&ann, "/api/lab/simulations", asked).await.expect("answered");
    assert_eq!(status, 202);
    // A client waits for an answer meanwhile.
    let address = process.address.clone();
    let waiting = tokio::spawn(async move {
        let sweep = json!({ "table": "nj-switch", "vary": ["decks=6,8", "soft_17=stand,hit"] });
        Peer { address }.try_post("", "/api/lab/sweep", sweep).await
    });
    let mut workers = Vec::new();
    for _ in 0..500 {
        workers = children(process.child.id());
        if workers.len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(workers.len(), 2);
    for worker in &workers {
        kill_process(Pid::from_raw(*worker).expect("a process"), Signal::STOP).expect("stopped");
    }
    let house = Pid::from_raw(i32::try_from(process.child.id()).expect("a number")).expect("a process");
    let since = std::time::Instant::now();
    kill_process(house, signal).expect("told");
    while process.child.try_wait().expect("known").is_none() {
        assert!(since.elapsed() < Duration::from_secs(5), "it still runs");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("ended {:?} after {signal:?}", since.elapsed());
    waiting.abort();
}

/// A worker is suspended while the tables are slow; it must not outlive a house that dies then.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_stands_still_ends_with_its_house() {
    use rustix::process::{Pid, Signal, kill_process};
    let (_directory, process) = house_with_workers();
    let peer = Peer { address: process.address.clone() };
    let ann = enter(&peer).await;
    let asked = json!({ "table": "nj-blackjack", "rounds": 50_000_000 });
    let run = peer.try_post(&ann, "/api/lab/simulations", asked).await.expect("answered").1["id"].clone();
    let path = format!("/api/lab/simulations/{run}");
    // Once it reports progress, its setup is complete.
    for _ in 0..1_800 {
        let state = peer.try_get(&ann, &path).await.expect("known");
        assert_eq!(state["done"], false, "{state}");
        if state["rounds"].as_u64() > Some(0) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let workers = children(process.child.id());
    assert_eq!(workers.len(), 1);
    kill_process(Pid::from_raw(workers[0]).expect("a process"), Signal::STOP).expect("stopped");
    drop(process);
    for _ in 0..500 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", workers[0])).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it is still there");
}
