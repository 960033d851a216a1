//! Measures the tables and the house's memory with and without the self-check, which begins a pass one second after
//! the last.

use crate::house::{directory, start, write_house_file};
use crate::play::{percentile, seat};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SECONDS: u64 = 8;
const PAIRS: usize = 3;

/// Whether the house checks itself, as its `rest_s`.
const OFF: u32 = 0;
const ON: u32 = 1;

pub async fn self_check(clients: usize, tables: usize) {
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let mut p99 = [Duration::ZERO; 2];
        for rest_s in [OFF, ON] {
            let directory = directory(tables);
            let waits = played(directory.path(), (clients, tables), (rest_s, SECONDS)).await;
            p99[rest_s as usize] = percentile(&waits, 0.99);
            println!(
                "{clients} clients, rest_s = {rest_s}: {} actions, p99 {:.1?}",
                waits.len(),
                p99[rest_s as usize]
            );
        }
        ratios.push(p99[1].as_secs_f64() / p99[0].as_secs_f64());
    }
    println!("p99 with the self-check beside without: {ratios:.2?}");
    // Nobody plays at this house any more, so that only the self-check differs.
    let filled = directory(tables);
    let actions = played(filled.path(), (clients, tables), (OFF, 2 * SECONDS)).await.len();
    for rest_s in [OFF, ON] {
        check(filled.path(), tables, rest_s);
        let process = start(filled.path());
        tokio::time::sleep(Duration::from_secs(SECONDS)).await;
        println!("{actions} actions in the journal, rest_s = {rest_s}: {} MiB", process.resident_mib());
    }
}

/// Writes a house file with this rest between two passes.
fn check(directory: &Path, tables: usize, rest_s: u32) {
    write_house_file(directory, tables, 60_000);
    let file = directory.join("house.toml");
    let text = std::fs::read_to_string(&file).expect("written");
    std::fs::write(&file, format!("{text}[self_check]\nrest_s = {rest_s}\n")).expect("written");
}

/// Plays for a while, and returns the sorted waits.
async fn played(directory: &Path, whole: (usize, usize), (rest_s, seconds): (u32, u64)) -> Vec<Duration> {
    check(directory, whole.1, rest_s);
    let process = start(directory);
    let stop = Arc::new(AtomicBool::new(false));
    let tasks = seat(&process, whole, &stop).await;
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    stop.store(true, Ordering::Relaxed);
    // Ends the house, so that clients waiting for a view notice that the run is over.
    drop(process);
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.unwrap_or_default());
    }
    waits.sort_unstable();
    waits
}
