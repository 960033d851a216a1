//! Prometheus metrics in text format: counters, gauges and a histogram, all stored in atomics.

use crate::nodes::{Nodes, Unfit};
use crate::self_check::State;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// The latency above which a player at a table notices the delay, in microseconds.
const SLOW: u64 = 10_000;
/// The upper bounds of the latency buckets, in microseconds.
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

    /// Returns how many samples exceed `bound`, which is one of the bucket bounds.
    fn beyond(&self, bound: u64) -> u64 {
        let within = BOUNDS.iter().take_while(|within| **within <= bound).count();
        self.buckets[within..].iter().map(|bucket| bucket.load(Ordering::Relaxed)).sum()
    }

    fn write(&self, out: &mut String, name: &str, help: &str) {
        family(out, "histogram", name, help);
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
    /// The time from the arrival of a table command to its acknowledgement, once it is durable.
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

    /// Returns the number of table commands that took so long that a player could notice the delay.
    pub fn slow_actions(&self) -> u64 {
        self.action_seconds.beyond(SLOW)
    }

    /// Marks a table as parked, and returns whether the table was running before.
    pub fn park(&self, table: u32) -> bool {
        self.parked.lock().is_ok_and(|mut parked| parked.insert(table))
    }

    /// Marks a table as running, that is, no longer parked.
    pub fn unpark(&self, table: u32) {
        if let Ok(mut parked) = self.parked.lock() {
            parked.remove(&table);
        }
    }

    pub fn parked(&self) -> BTreeSet<u32> {
        self.parked.lock().map(|parked| parked.clone()).unwrap_or_default()
    }

    pub fn text(&self, ledger: &ledger::Ledger, nodes: Option<&Nodes>, check: &State) -> String {
        let mut out = String::new();
        let program = documents::made_by();
        family(&mut out, "gauge", "cutcard_build_info", "Version and commit of the program; always 1.");
        let commit = program.commit.unwrap_or_default();
        let _ = writeln!(out, "cutcard_build_info{{version=\"{}\",commit=\"{commit}\"}} 1", program.version);
        family(&mut out, "counter", "cutcard_requests_total", "Requests answered, by route and status.");
        if let Ok(requests) = self.requests.lock() {
            for ((route, status), count) in requests.iter() {
                let _ =
                    writeln!(out, "cutcard_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
            }
        }
        self.request_seconds.write(&mut out, "cutcard_request_seconds", "Time to answer a request.");
        let help = "Time from the arrival of a table command to its durable acknowledgement.";
        self.action_seconds.write(&mut out, "cutcard_action_seconds", help);
        let tally = ledger.tally();
        let load = |n: &AtomicU64| n.load(Ordering::Relaxed);
        let busy = load(&tally.busy_micros) as f64 / 1e6;
        let doubt = i32::from(ledger.clock().doubt().is_some());
        let mut counter = |name: &str, help: &str, value: String| one(&mut out, "counter", name, help, value);
        counter("ledger_batches_total", "Transactions of the ledger.", load(&tally.batches).to_string());
        counter(
            "ledger_commands_total",
            "Commands in those transactions.",
            load(&tally.commands).to_string(),
        );
        counter("ledger_failures_total", "Transactions that failed.", load(&tally.failures).to_string());
        counter("ledger_read_failures_total", "Reads that failed.", ledger.failed_reads().to_string());
        counter("ledger_busy_seconds_total", "Time the ledger spent in transactions.", busy.to_string());
        counter("rounds_total", "Rounds settled.", load(&self.rounds).to_string());
        counter("refusals_total", "Table commands refused.", load(&self.refusals).to_string());
        counter("sign_in_failures_total", "Failed sign-ins.", load(&self.sign_in_failures).to_string());
        counter(
            "self_check_passes_total",
            "Completed self-checks of the store against the journal.",
            check.pass.to_string(),
        );
        counter("self_check_failures_total", "Self-checks that failed to run.", check.failures.to_string());
        let mut gauge = |name: &str, help: &str, value: i64| one(&mut out, "gauge", name, help, value);
        gauge("ledger_healthy", "1 while the ledger accepts writes.", i64::from(ledger.healthy()));
        gauge("clock_in_doubt", "1 while play is stopped because the time is in doubt.", i64::from(doubt));
        let parked = i64::try_from(self.parked().len()).unwrap_or(i64::MAX);
        gauge("tables_parked", "Tables that are stuck and need the floor.", parked);
        gauge("self_check_records", "Records compared so far in this self-check.", check.progress.records);
        gauge("self_check_records_of", "Records to compare in this self-check.", check.progress.of);
        let differs = i64::from(check.differs.is_some());
        gauge("self_check_differs", "1 while play is stopped because store and journal differ.", differs);
        if let Some(finished) = check.finished {
            let help = "Unix time of the last completed self-check.";
            gauge("self_check_finished_timestamp_seconds", help, finished.0 / 1000);
        }
        let mut time = |name: &str, help: &str, at: Option<ledger::Moment>| {
            family(&mut out, "gauge", name, help);
            if let Some(at) = at {
                let _ = writeln!(out, "{name} {}", at.0 / 1000);
            }
        };
        let copies = ledger.copies();
        let help = "Unix time when the archive last had every record; no sample without an archive.";
        time("cutcard_archived_timestamp_seconds", help, copies.archived());
        let help = "Unix time when every anchor last had the journal's head; no sample without an anchor.";
        time("cutcard_anchored_timestamp_seconds", help, copies.anchored());
        let help = "Unix time of the last backup of this data directory; no sample before the first.";
        time("cutcard_backed_up_timestamp_seconds", help, ledger.last_backup());
        let mut gauge = |name: &str, help: &str, value: i64| one(&mut out, "gauge", name, help, value);
        gauge("sockets", "Open WebSocket connections.", self.sockets.load(Ordering::Relaxed));
        if let Some(nodes) = nodes {
            write_nodes(&mut out, nodes);
        }
        out
    }
}

/// Writes the help text and the type of a metric.
///
/// The samples of the metric must follow directly, as the format requires.
fn family(out: &mut String, kind: &str, name: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// Writes a metric that has a single sample.
pub fn one(out: &mut String, kind: &str, name: &str, help: &str, value: impl std::fmt::Display) {
    let name = format!("cutcard_{name}");
    family(out, kind, &name, help);
    let _ = writeln!(out, "{name} {value}");
}

/// Writes the metrics of this node and of the house's other nodes.
fn write_nodes(out: &mut String, nodes: &Nodes) {
    let (roster, membership) = (nodes.roster(), &nodes.membership);
    let holds = i32::from(membership.holds());
    one(out, "gauge", "lease_held", "1 while this node holds its lease.", holds);
    let help = "Renewals of this node's lease.";
    one(out, "counter", "lease_renewals_total", help, membership.renewals());
    one(out, "gauge", "tables_owned", "Tables that this node owns.", nodes.owned());
    let free = roster.owners.iter().filter(|owned| roster.owner_of(owned.table).is_none()).count();
    one(out, "gauge", "tables_free", "Tables without a live owner.", free);
    let help = "Lag of the synchronous standby; no sample without a standby.";
    family(out, "gauge", "cutcard_standby_lag_bytes", help);
    if let Some(lag) = roster.standby_lag_bytes {
        let _ = writeln!(out, "cutcard_standby_lag_bytes {lag}");
    }
    family(
        out,
        "gauge",
        "cutcard_table_epoch",
        "Number of times a table has changed owner, by current owner.",
    );
    for owned in &roster.owners {
        let node = roster.owner_of(owned.table).map_or("", |node| node.name.as_str());
        let (table, epoch) = (owned.table.0, owned.epoch);
        let _ = writeln!(out, "cutcard_table_epoch{{table=\"{table}\",node=\"{node}\"}} {epoch}");
    }
    let help = "1 for each live node that reaches the others and that they reach.";
    let unfit = nodes.unfit();
    family(out, "gauge", "cutcard_node_reached", help);
    for node in roster.nodes.iter().filter(|node| node.alive) {
        let reached = unfit.get(&node.owner()) != Some(&Unfit::CutOff);
        let _ = writeln!(out, "cutcard_node_reached{{node=\"{}\"}} {}", node.name, i32::from(reached));
    }
    let help = "The shortest of this node's last round trips to the database.";
    let round_trip = membership.round_trip().unwrap_or_default().as_secs_f64();
    one(out, "gauge", "database_round_trip_seconds", help, round_trip);
    family(out, "gauge", "cutcard_node_alive", "1 for each node with a live lease, as seen by this node.");
    for node in &roster.nodes {
        let _ = writeln!(out, "cutcard_node_alive{{node=\"{}\"}} {}", node.name, i32::from(node.alive));
    }
    let help = "Time left on each node's lease; negative after it expires.";
    family(out, "gauge", "cutcard_node_lease_left_seconds", help);
    for node in &roster.nodes {
        let left = node.lease_left_ms as f64 / 1e3;
        let _ = writeln!(out, "cutcard_node_lease_left_seconds{{node=\"{}\"}} {left}", node.name);
    }
}
