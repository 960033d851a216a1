//! Figures for Prometheus, in its text format: counters, gauges and one histogram, kept in atomics.

use crate::nodes::Nodes;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Whoever waits longer for an answer at a table notices, in microseconds.
const SLOW: u64 = 10_000;
/// Upper bounds of the latency buckets, in microseconds.
const BOUNDS: [u64; 12] =
    [250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000];

#[derive(Default)]
pub struct Histogram {
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum_micros: AtomicU64,
}

impl Histogram {
    pub fn record(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// How many took longer than this bound.
    fn beyond(&self, bound: u64) -> u64 {
        let within = BOUNDS.iter().take_while(|within| **within <= bound).count();
        self.buckets[within..].iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    fn write(&self, out: &mut String, name: &str) {
        let _ = writeln!(out, "# TYPE {name} histogram");
        let mut total = 0;
        for (n, bucket) in self.buckets.iter().enumerate() {
            total += bucket.load(Ordering::Relaxed);
            let bound = BOUNDS.get(n).map_or("+Inf".to_owned(), |b| (*b as f64 / 1e6).to_string());
            let _ = writeln!(out, "{name}_bucket{{le=\"{bound}\"}} {total}");
        }
        let _ = writeln!(out, "{name}_sum {}", self.sum_micros.load(Ordering::Relaxed) as f64 / 1e6);
        let _ = writeln!(out, "{name}_count {total}");
    }
}

#[derive(Default)]
pub struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    pub request_seconds: Histogram,
    /// From a table command's arrival to its durable acknowledgement.
    pub action_seconds: Histogram,
    pub sockets: AtomicI64,
    pub rounds: AtomicU64,
    pub refusals: AtomicU64,
    pub sign_in_failures: AtomicU64,
    parked: Mutex<BTreeSet<u32>>,
}

impl Metrics {
    pub fn request(&self, route: &str, status: u16, took: Duration) {
        self.request_seconds.record(took);
        if let Ok(mut requests) = self.requests.lock() {
            *requests.entry((route.to_owned(), status)).or_default() += 1;
        }
    }

    /// Answers at the tables that somebody had to wait for.
    pub fn slow_actions(&self) -> u64 {
        self.action_seconds.beyond(SLOW)
    }

    /// A table cannot go on by itself; whether that is news.
    pub fn park(&self, table: u32) -> bool {
        self.parked.lock().is_ok_and(|mut parked| parked.insert(table))
    }

    /// It goes on.
    pub fn go_on(&self, table: u32) {
        if let Ok(mut parked) = self.parked.lock() {
            parked.remove(&table);
        }
    }

    pub fn parked(&self) -> BTreeSet<u32> {
        self.parked.lock().map(|parked| parked.clone()).unwrap_or_default()
    }

    pub fn text(&self, ledger: &ledger::Ledger, nodes: Option<&Nodes>) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "# TYPE cutcard_requests_total counter");
        if let Ok(requests) = self.requests.lock() {
            for ((route, status), count) in requests.iter() {
                let _ =
                    writeln!(out, "cutcard_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
            }
        }
        self.request_seconds.write(&mut out, "cutcard_request_seconds");
        self.action_seconds.write(&mut out, "cutcard_action_seconds");
        let tally = ledger.tally();
        let load = |n: &AtomicU64| n.load(Ordering::Relaxed);
        let busy = load(&tally.busy_micros) as f64 / 1e6;
        let mut line = |kind: &str, name: &str, value: String| {
            let _ = writeln!(out, "# TYPE cutcard_{name} {kind}\ncutcard_{name} {value}");
        };
        line("counter", "ledger_batches_total", load(&tally.batches).to_string());
        line("counter", "ledger_commands_total", load(&tally.commands).to_string());
        line("counter", "ledger_failures_total", load(&tally.failures).to_string());
        line("counter", "ledger_busy_seconds_total", busy.to_string());
        line("gauge", "ledger_healthy", i32::from(ledger.healthy()).to_string());
        line("gauge", "clock_in_doubt", i32::from(ledger.clock().doubt().is_some()).to_string());
        line("gauge", "tables_parked", self.parked().len().to_string());
        line("gauge", "sockets", self.sockets.load(Ordering::Relaxed).to_string());
        line("counter", "rounds_total", load(&self.rounds).to_string());
        line("counter", "refusals_total", load(&self.refusals).to_string());
        line("counter", "sign_in_failures_total", load(&self.sign_in_failures).to_string());
        if let Some(nodes) = nodes {
            write_nodes(&mut out, nodes);
        }
        out
    }
}

/// What this node knows of itself and the others.
fn write_nodes(out: &mut String, nodes: &Nodes) {
    let (roll, membership) = (nodes.roll(), &nodes.membership);
    let holds = i32::from(membership.holds());
    let _ = writeln!(out, "# TYPE cutcard_lease_held gauge\ncutcard_lease_held {holds}");
    let renewals = membership.renewals();
    let _ =
        writeln!(out, "# TYPE cutcard_lease_renewals_total counter\ncutcard_lease_renewals_total {renewals}");
    let _ = writeln!(out, "# TYPE cutcard_tables_owned gauge\ncutcard_tables_owned {}", nodes.owned());
    let free = roll.owners.iter().filter(|owned| roll.owner_of(owned.table).is_none()).count();
    let _ = writeln!(out, "# TYPE cutcard_tables_free gauge\ncutcard_tables_free {free}");
    if let Some(lag) = roll.standby_lag_bytes {
        let _ = writeln!(out, "# TYPE cutcard_standby_lag_bytes gauge\ncutcard_standby_lag_bytes {lag}");
    }
    let _ = writeln!(out, "# TYPE cutcard_table_epoch gauge");
    for owned in &roll.owners {
        let node = roll.owner_of(owned.table).map_or("", |node| node.name.as_str());
        let (table, epoch) = (owned.table.0, owned.epoch);
        let _ = writeln!(out, "cutcard_table_epoch{{table=\"{table}\",node=\"{node}\"}} {epoch}");
    }
    let _ = writeln!(out, "# TYPE cutcard_node_alive gauge\n# TYPE cutcard_node_lease_left_seconds gauge");
    for node in &roll.nodes {
        let (name, alive, left) = (&node.name, i32::from(node.alive), node.lease_left_ms as f64 / 1e3);
        let _ = writeln!(out, "cutcard_node_alive{{node=\"{name}\"}} {alive}");
        let _ = writeln!(out, "cutcard_node_lease_left_seconds{{node=\"{name}\"}} {left}");
    }
}
