//! What solo tables cost a house: its memory before, with all of them open, and after their players have left; and how
//! long a player waits for a table that the house restores from the journal.

use crate::house::{Process, Socket, connect, directory, get, guest, post, start};
use crate::play::{Player, percentile};
use futures_util::{StreamExt as _, stream};
use std::path::Path;
use std::time::{Duration, Instant};

/// The house removes a solo table from memory a minute after its player has left.
const LEFT: Duration = Duration::from_secs(75);

/// How many players open their tables at once.
const AT_ONCE: usize = 8;

/// How many players come back at the end, one after the other.
const RETURNS: usize = 500;

pub async fn solo(tables: usize) {
    let directory = directory(1);
    allow(directory.path(), tables);
    let process = start(directory.path());
    let memory = |when: &str| println!("{:>5} MiB {when}", process.resident_mib());
    memory("at the start");
    let guests = stream::iter(0..tables).map(|_| guest(&process.address)).buffer_unordered(AT_ONCE);
    let guests: Vec<String> = guests.collect().await;
    memory(&format!("with {tables} guests"));
    // Twice, because the process may keep freed memory and use it again.
    for turn in 1..=2 {
        let begun = Instant::now();
        let sockets = stream::iter(&guests).map(|token| played(&process, token)).buffer_unordered(AT_ONCE);
        let sockets: Vec<Socket> = sockets.collect().await;
        println!("turn {turn}: a round at each of {tables} solo tables in {:.0?}", begun.elapsed());
        memory("with the tables open and their players connected");
        drop(sockets);
        tokio::time::sleep(Duration::from_secs(3)).await;
        memory("with the tables open and nobody connected");
        tokio::time::sleep(LEFT).await;
        memory("when the tables have left memory");
    }
    let mut waits = Vec::new();
    for token in guests.iter().take(RETURNS) {
        let begun = Instant::now();
        let table = own(&process, token).await;
        let told = get(&process.address, token, &format!("/api/tables/{table}")).await;
        waits.push(begun.elapsed());
        assert_eq!(told["view"]["round"], 3, "the table is as its player left it");
    }
    waits.sort_unstable();
    let [p50, p99] = [0.5, 0.99].map(|part| percentile(&waits, part));
    println!("a player who returns has the table after {p50:.1?} (p99 {p99:.1?})");
}

/// Lets one address have this many guests and tables.
fn allow(directory: &Path, tables: usize) {
    let file = directory.join("house.toml");
    let text = std::fs::read_to_string(&file).expect("written");
    let text = text.replace("[rates]\n", &format!("[rates]\nsolo_tables = {}\n", 16 * tables));
    let daily = format!("[daily]\nentry = {0}\ntable_of_address = {0}\n", 100 * tables);
    std::fs::write(&file, format!("{text}{daily}")).expect("written");
}

/// Returns the number of a guest's solo table, which the house opens if it is not in memory.
async fn own(process: &Process, token: &str) -> usize {
    let told = post(&process.address, token, "/api/tables/1/solo", "").await;
    told["table"].as_u64().expect("a solo table") as usize
}

/// Plays a round at a guest's solo table, and returns the open live view.
async fn played(process: &Process, token: &str) -> Socket {
    let table = own(process, token).await;
    let mut socket = connect(&process.address, token, table).await;
    Player::at(4, format!("s{table}")).round(&mut socket).await;
    socket
}
