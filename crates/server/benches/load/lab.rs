//! Measures the tables with and without a flooded lab: eight guests request simulations and exact figures as fast as
//! they are answered.

use crate::house::{directory, guest, post, start};
use crate::play::{percentile, seat};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SECONDS: u64 = 8;
const PAIRS: usize = 3;
const GUESTS: usize = 8;

pub async fn lab(clients: usize, tables: usize) {
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let calm = waits(clients, tables, false).await;
        let flooded = waits(clients, tables, true).await;
        let (before, after) = (percentile(&calm, 0.99), percentile(&flooded, 0.99));
        ratios.push(after.as_secs_f64() / before.as_secs_f64());
        println!(
            "{clients} clients: {} actions in peace, p99 {before:.1?}; {} with the lab flooded, p99 {after:.1?}",
            calm.len(),
            flooded.len(),
        );
    }
    println!("p99 flooded beside calm: {ratios:.2?}");
}

async fn waits(clients: usize, tables: usize, flooded: bool) -> Vec<Duration> {
    let directory = directory(tables);
    let process = start(directory.path());
    let stop = Arc::new(AtomicBool::new(false));
    let mut floods = Vec::new();
    if flooded {
        for n in 0..GUESTS {
            floods.push(tokio::spawn(flood(guest(&process.address).await, process.address.clone(), n)));
        }
        // The lab is busy before anybody plays.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let tasks = seat(&process, (clients, tables), &stop).await;
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    stop.store(true, Ordering::Relaxed);
    floods.iter().for_each(tokio::task::JoinHandle::abort);
    // Ends the house, so that clients waiting for a view notice that the run is over.
    drop(process);
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.unwrap_or_default());
    }
    waits.sort_unstable();
    waits
}

async fn flood(token: String, address: String, n: usize) {
    for round in 0.. {
        let decks = [4, 6, 8][(n + round) % 3];
        let table =
            format!("\"table\":\"nj-blackjack\",\"set\":[\"decks={decks}\",\"minimum={}\"]", 10 + round);
        post(&address, &token, "/api/lab/simulations", &format!("{{{table},\"rounds\":50000000}}")).await;
        post(&address, &token, "/api/lab/edge", &format!("{{{table}}}")).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
