//! Measures the cost of a second node: one node and two of one house, alternately, on one PostgreSQL and the same CPUs.
//! Clients connect to either node whichever table they play at, as behind a load balancer, so that half of their
//! requests are forwarded.

use crate::cluster::Cluster;
use crate::house::{Process, directory, start_node};
use crate::play::seat_at;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const SECONDS: u64 = 10;
const TURNS: usize = 3;
/// Time for the nodes to share out the tables.
const SETTLED: Duration = Duration::from_secs(4);

/// Returns durable actions per second, and the nodes' CPU microseconds per action.
async fn one(cluster: &Cluster, nodes: usize, (clients, tables): (usize, usize)) -> (f64, f64) {
    let (directory, database) = (directory(tables), cluster.database());
    let start = |n: usize| start_node(directory.path(), &database, n);
    let processes: Vec<Process> = (0..nodes).map(start).collect();
    tokio::time::sleep(SETTLED).await;
    let addresses: Vec<&str> = processes.iter().map(|process| process.address.as_str()).collect();
    let stop = Arc::new(AtomicBool::new(false));
    let tasks = seat_at(&addresses, (clients, tables), &stop).await;
    let used = || processes.iter().map(Process::processor).sum::<f64>();
    let (begun, before) = (Instant::now(), used());
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    stop.store(true, Ordering::Relaxed);
    let (seconds, used) = (begun.elapsed().as_secs_f64(), used() - before);
    drop(processes);
    let mut actions = 0;
    for task in tasks {
        actions += task.await.expect("ended").len();
    }
    (actions as f64 / seconds, used * 1e6 / actions.max(1) as f64)
}

pub async fn nodes(clients: usize, tables: usize) {
    let Some(cluster) = Cluster::start() else { return };
    let mut ratios = Vec::new();
    for _ in 0..TURNS {
        let (one_node, cost) = one(&cluster, 1, (clients, tables)).await;
        let (two_nodes, cost_of_two) = one(&cluster, 2, (clients, tables)).await;
        ratios.push(two_nodes / one_node);
        println!(
            "{clients} clients at {tables} tables: one node {one_node:.0} durable actions/s ({cost:.0} us of processor each), \
             two {two_nodes:.0} ({cost_of_two:.0} us): {:.2}",
            two_nodes / one_node
        );
    }
    ratios.sort_by(f64::total_cmp);
    println!("two nodes beside one, median of {TURNS}: {:.2}", ratios[TURNS / 2]);
}
