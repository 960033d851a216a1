//! Checks the memory ceiling: whatever clients send, the house stays below a fixed number of MiB. Runs everything at
//! once: sockets, training tables, sign-ins, half-sent bodies, unread responses, the lab, and every route with its
//! largest body.

use crate::client::Peer;
use crate::kill::{WORKER, options, start_with};
use crate::lockout::memory_of;
use crate::socket::{Socket, connect_to};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Memory limit of the house itself, in KiB, with 2,000 sockets and a busy lab.
const HOUSE_KIB: u64 = 256 * 1024;
/// Memory limit of a lab process: its own limit, plus the resident part of the program.
const WORKER_KIB: u64 = (512 + 64) * 1024;
const SOCKETS: usize = 2_000;

/// Not a test: the lab's worker process, when this program is started as one.
#[test]
fn lab_worker_in_a_process_of_its_own() {
    if std::env::args().any(|argument| argument == WORKER) {
        server::run_worker();
    }
}

/// Returns the most memory that a house has taken so far, in KiB; it must be below its limit.
pub fn peak_of(house: u32) -> u64 {
    let peak = memory_of(house, "VmHWM:");
    assert!(peak < HOUSE_KIB, "{peak} KiB");
    peak
}

/// Checks the memory of this process, which holds the house and its clients, at the end of a test. `cargo nextest` runs
/// each test in a process of its own; under `cargo test` the process holds the houses of other tests as well.
pub fn the_house_stayed_below_its_ceiling() {
    if std::env::var_os("NEXTEST").is_some() {
        println!("the house and its clients: {} KiB at most", peak_of(std::process::id()));
    }
}

async fn post(address: &str, token: &str, path: &str, body: Value) -> u16 {
    let peer = Peer { address: address.to_owned() };
    peer.try_post(token, path, body).await.map_or(0, |(status, _)| status)
}

/// Returns the number of processes that the house has started, and the largest memory use among them.
fn workers(house: u32) -> (usize, u64) {
    let children =
        std::fs::read_to_string(format!("/proc/{house}/task/{house}/children")).unwrap_or_default();
    let all_threads = std::fs::read_dir(format!("/proc/{house}/task")).into_iter().flatten().flatten();
    let of_threads =
        all_threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let mut found: Vec<u32> = of_threads
        .chain([children])
        .flat_map(|text| text.split_whitespace().filter_map(|n| n.parse().ok()).collect::<Vec<u32>>())
        .collect();
    found.sort_unstable();
    found.dedup();
    let resident = |process: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u64>().ok()
    };
    (found.len(), found.iter().filter_map(resident).max().unwrap_or(0))
}

async fn every_route(address: String, tokens: Vec<String>) {
    let long = "x".repeat(60_000);
    let body =
        json!({ "id": "x", "name": long, "password": long, "rules": long, "text": long, "reason": long });
    let access = server::access();
    for (path, method, _) in access.all() {
        if path.ends_with("/current") || path.ends_with("/live") {
            continue;
        }
        let path: String = path
            .split('/')
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        let path = if method == "GET" { format!("{path}?limit=500&q=a") } else { path };
        let mut all = JoinSet::new();
        for token in &tokens {
            let peer = Peer { address: address.clone() };
            let (token, path, body, method) = (token.clone(), path.clone(), body.clone(), method.to_string());
            all.spawn(async move {
                let body = (method != "GET" && method != "DELETE").then_some(&body);
                peer.any(&token, (&method, &path), body).await
            });
        }
        for answer in all.join_all().await.into_iter().flatten() {
            assert_ne!(answer.status, 500, "{method} {path}: {}", answer.body);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_anybody_sends_the_house_stays_below_its_ceiling() {
    let directory = tempfile::tempdir().expect("temp dir");
    let file = directory.path().join("house.toml");
    let rates = "[rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n\
                 connections_per_address = 5000\n";
    let tables: String =
        rules::preset::PRESETS.iter().map(|(name, _)| format!("[[table]]\nrules = \"{name}\"\n")).collect();
    std::fs::write(&file, format!("{rates}{tables}")).expect("written");
    let process = start_with(&options(&directory.path().join("data"), &file, None), true);
    let (house, address) = (process.child.id(), process.address.clone());
    println!("empty: {} KiB", memory_of(house, "VmRSS:"));

    // Watches the processes of the lab.
    let (over, most, at_once) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let watching = {
        let (over, most, at_once) = (Arc::clone(&over), Arc::clone(&most), Arc::clone(&at_once));
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let (count, resident) = workers(house);
                most.fetch_max(resident, Ordering::Relaxed);
                at_once.fetch_max(count as u64, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(50));
            }
        })
    };

    let mut tokens = Vec::new();
    for _ in 0..SOCKETS / 16 {
        let peer = Peer { address: address.clone() };
        let entered = peer.try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
        tokens.push(entered["token"].as_str().expect("a token").to_owned());
    }
    let mut sockets: Vec<Socket> = Vec::new();
    for token in &tokens {
        for _ in 0..16 {
            sockets.push(connect_to(&address, token, None).await.expect("connected"));
        }
    }
    println!("{} sockets: {} KiB", sockets.len(), memory_of(house, "VmRSS:"));

    // Asks the lab for everything, and for simulations on behalf of everybody.
    let mut lab = JoinSet::new();
    for (n, (name, _)) in rules::preset::PRESETS.iter().enumerate() {
        let (address, token) = (address.clone(), tokens[n].clone());
        lab.spawn(async move {
            post(&address, &token, "/api/lab/edge", json!({ "table": name })).await;
            post(&address, &token, "/api/lab/simulations", json!({ "table": name, "rounds": 300_000 })).await;
        });
    }
    let mut all = JoinSet::new();
    for n in 0..600 {
        let (address, token) = (address.clone(), tokens[n % tokens.len()].clone());
        all.spawn(async move {
            post(&address, "", "/api/sessions", json!({ "name": format!("n{n}"), "password": "guess" }))
                .await;
            post(&address, &token, "/api/training", json!({ "rules": "nj-triple-attack" })).await;
        });
    }
    all.join_all().await;
    println!("sign-ins and training: {} KiB", memory_of(house, "VmRSS:"));

    // Bodies that are never completed, and responses that nobody reads.
    let mut held = Vec::new();
    for n in 0..1_500 {
        let mut stream = TcpStream::connect(&address).await.expect("connects");
        let text = match n % 3 {
            0 => {
                let head =
                    "POST /api/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
                format!("{head}content-length: 65000\r\n\r\n{}", " ".repeat(64_000))
            }
            1 => "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(4),
            _ => format!("GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: {}", "x".repeat(15_000)),
        };
        // Some are refused while they are still sending.
        let _ = tokio::time::timeout(Duration::from_secs(5), stream.write_all(text.as_bytes())).await;
        held.push(stream);
    }
    println!("{} held connections: {} KiB", held.len(), memory_of(house, "VmRSS:"));
    every_route(address.clone(), tokens.iter().take(20).cloned().chain([String::new()]).collect()).await;
    let until = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until && !lab.is_empty() {
        let _ = tokio::time::timeout(Duration::from_secs(1), lab.join_next()).await;
    }
    over.store(true, Ordering::Relaxed);
    watching.join().expect("watched");
    let peak = peak_of(house);
    let (most, at_once) = (most.load(Ordering::Relaxed), at_once.load(Ordering::Relaxed));
    println!(
        "the house: {peak} KiB at most; of the lab {at_once} processes at once, {most} KiB at most each"
    );
    drop((sockets, held));
    assert!(at_once >= 1, "the lab worked in processes of its own");
    assert!(most < WORKER_KIB, "{most} KiB");
}
