//! Kills a house with many stored rounds in the middle of play and restarts it: measures the time until the first
//! action is acknowledged.

use crate::house::{get, guest, options, post, start, write_house_file};
use crate::play::seat;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const TABLES: usize = 40;
const CLIENTS: usize = 200;
const KILLS: usize = 5;

pub async fn restart(rounds: u64) {
    let kept: Option<PathBuf> = std::env::var_os("CUTCARD_BENCH_STOCK").map(Into::into);
    let temporary = tempfile::tempdir().expect("temp dir");
    let directory = kept.as_deref().unwrap_or(temporary.path());
    std::fs::create_dir_all(directory).expect("created");
    // Short time limits, so that the rule for absent players soon ends the rounds that were in play when the house was
    // killed.
    write_house_file(directory, TABLES, 500);
    let mark = directory.join("rounds");
    let before = std::fs::read_to_string(&mark).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    if before < rounds {
        // Data of an interrupted run is no basis for a measurement.
        let _ = std::fs::remove_dir_all(directory.join("data"));
        let (stored, begun) = (AtomicU64::new(0), Instant::now());
        server::store_rounds(&options(directory), rounds, &stored).await.expect("stored");
        std::fs::write(&mark, rounds.to_string()).expect("written");
        println!("stored {} rounds in {:.0?}", stored.load(Ordering::Relaxed), begun.elapsed());
    }
    let size = |name: &str| std::fs::metadata(directory.join(name)).map_or(0, |m| m.len() >> 20);
    println!("{rounds} rounds, {} MiB", size("data/house.sqlite"));
    for _ in 0..KILLS {
        let process = start(directory);
        let stop = Arc::new(AtomicBool::new(false));
        let tasks = seat(&process, (CLIENTS, TABLES), &stop).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(process);
        stop.store(true, Ordering::Relaxed);
        for task in tasks {
            let _ = task.await;
        }
        let log = size("data/house.sqlite-wal");
        let begun = Instant::now();
        let process = start(directory);
        let opened = begun.elapsed();
        let token = guest(&process.address).await;
        let mut acknowledged = None;
        // A table in the middle of a round takes no bet before its end; another one does.
        for (turn, table) in (1..=TABLES).cycle().take(TABLES * 20).enumerate() {
            let path = format!("/api/tables/{table}");
            let shown = get(&process.address, &token, &path).await;
            // A refusal is final, so every request has its own id.
            let id = format!("first-{}-{turn}", std::process::id());
            let round = &shown["view"]["round"];
            let body = json!({ "id": id, "round": round, "do": "wager", "box": 7, "amounts": ["10.00"] });
            let answer = post(&process.address, &token, &format!("{path}/actions"), &body.to_string()).await;
            if answer["seq"].as_i64().is_some() {
                acknowledged = Some((table, begun.elapsed()));
                break;
            }
        }
        println!(
            "killed with a log of {log} MiB: open after {opened:.0?}, first action (table, after): {acknowledged:.0?}"
        );
    }
}
