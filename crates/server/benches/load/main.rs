//! Load tests of a house in its own process, over real sockets and a real disk: the time from an action to its durable
//! acknowledgement, idle sockets, and a restart with many stored rounds.
//!
//! `cargo bench -p server -- play 200 40`   clients at tables, all playing as fast as they can
//! `cargo bench -p server -- idle 5000`     sockets that only listen, and the memory of the house
//! `cargo bench -p server -- lab 200 40`    the same with an idle and with a flooded lab, alternately
//! `cargo bench -p server -- nodes 200 40`  one node and two on one PostgreSQL, alternately
//! `cargo bench -p server -- self-check 200 40`   the same with and without the self-check, alternately
//! `cargo bench -p server -- solo 5000`     solo tables: the memory of the house, and the time to return to one
//! `cargo bench -p server -- restart 1000000`   stores rounds first, then kills and restarts the house
//!
//! `CUTCARD_BENCH_DIR` is the directory for temporary houses, `CUTCARD_BENCH_DATABASE` a database to use instead of
//! SQLite, and `CUTCARD_BENCH_STOCK` a directory that keeps the house with many rounds for the next run.

#[allow(dead_code, reason = "the tests of the ledger do more with it")]
#[path = "../../../ledger/tests/ledger/cluster.rs"]
mod cluster;
mod house;
mod lab;
mod nodes;
mod play;
mod restart;
mod self_check;
mod solo;

use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |at: usize, usual: usize| arguments.get(at).and_then(|a| a.parse().ok()).unwrap_or(usual);
    match arguments.first().map(String::as_str) {
        Some("serve") => serve(Path::new(&arguments[1])),
        Some("play") => run(play::play(number(1, 200), number(2, 40))),
        Some("lab") => run(lab::lab(number(1, 200), number(2, 40))),
        Some("lab-worker") => server::run_worker(),
        Some("nodes") => run(nodes::nodes(number(1, 200), number(2, 40))),
        Some("self-check") => run(self_check::self_check(number(1, 200), number(2, 40))),
        Some("idle") => run(play::idle(number(1, 5000))),
        Some("solo") => run(solo::solo(number(1, 5000))),
        Some("restart") => run(restart::restart(number(1, 1_000_000) as u64)),
        _ => {
            run(play::play(200, 40));
            run(play::play(1000, 150));
            run(play::idle(5000));
        }
    }
}

fn run(work: impl Future<Output = ()>) {
    server::runtime(Some(2)).expect("runs").block_on(work);
}

fn serve(directory: &Path) {
    run(async {
        let ready = |address: std::net::SocketAddr, _: Option<&(String, String)>| println!("open {address}");
        let stop = server::asked_to_stop();
        server::serve(house::options(directory), stop, ready).await.expect("serves");
    });
}
