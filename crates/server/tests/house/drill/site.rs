//! Where the drill takes place: three nodes in processes of their own, a primary and its synchronous standby, and a wire
//! between any two of them.

use super::wire::{End, Pids, Wire, Wires};
use super::{NODES, TABLES};
use crate::cluster::Cluster;
use crate::kill::{Process, start};
use crate::takeover::free_port;
use ledger::db::{Columns, Found};
use rustix::process::{Pid, Signal, kill_process};
use server::Options;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::watch;

pub struct Node {
    pub options: Options,
    pub process: Process,
    /// To each side of the database.
    database: [Wires; 2],
    /// From the other nodes.
    pub peers: Wires,
}

pub struct Site {
    pub nodes: Vec<Node>,
    pub addresses: watch::Sender<Vec<String>>,
    pub cluster: Cluster,
    database: String,
    /// After every other failover.
    second_is_primary: bool,
    pids: Pids,
    directory: tempfile::TempDir,
}

impl Site {
    /// On a disk of its own of so many megabytes, if it is to be filled.
    pub async fn open(disk: Option<usize>) -> Option<Site> {
        let mut cluster = match disk {
            Some(megabytes) => Cluster::on_a_disk(megabytes)?,
            None => Cluster::start()?,
        };
        cluster.say("renew", "renewed");
        let database = cluster.database().rsplit('=').next().expect("a name").to_owned();
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        let tables = "[[table]]\nrules = \"nj-blackjack\"\n".repeat(TABLES as usize);
        let text = format!(
            "guest_chips = \"1000000.00\"\n[timings]\nbetting_ms = 200\ndecision_ms = 1000\npause_ms = 0\n[rates]\n\
             requests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n{tables}"
        );
        std::fs::write(&file, text).expect("written");
        let (addresses, pids) = (watch::Sender::default(), Pids::default());
        let nodes = Vec::new();
        let mut site =
            Site { nodes, addresses, cluster, database, second_is_primary: false, pids, directory };
        for n in 0..NODES {
            let node = site.node(n, &file).await;
            site.nodes.push(node);
        }
        site.tell();
        Some(site)
    }

    async fn node(&self, n: usize, file: &Path) -> Node {
        let sides = [self.cluster.directory().to_owned(), self.cluster.directory().join("second")];
        let [first, second] = sides.map(|directory| End::Socket(directory.join(".s.PGSQL.5432")));
        let wires = |end: End| Wires::to(end, Arc::clone(&self.pids), NODES);
        let (port, database) = (free_port(), [wires(first).await, wires(second).await]);
        let peers = wires(End::Port(port)).await;
        let data = self.directory.path().join(format!("node-{n}"));
        if n > 0 {
            let keys = data.join("keys");
            std::fs::create_dir_all(&keys).expect("made");
            for name in ["seal.key", "shoe.key"] {
                std::fs::copy(self.directory.path().join("node-0/keys").join(name), keys.join(name))
                    .expect("copied");
            }
        }
        let url = format!(
            "host=127.0.0.1,127.0.0.1 port={},{} user=house dbname={} target_session_attrs=read-write sslmode=disable",
            database[0].port, database[1].port, self.database
        );
        let options = Options {
            listen: "127.0.0.1:0".into(),
            data,
            database: Some(url),
            house: Some(file.to_owned()),
            node: Some(format!("node-{n}")),
            peers_listen: Some(format!("127.0.0.1:{port}")),
            peers_address: Some(format!("127.0.0.1:{}", peers.port)),
            ..Options::default()
        };
        // The first one's clock is right, the others' are hours before and after.
        options.clock_shift_ms.store([0, -7, 9][n % 3] * 3_600_000, Ordering::Relaxed);
        let process = tokio::task::block_in_place(|| start(&options));
        Node { options, process, database, peers }
    }

    /// Tells the clients where the nodes are, and the wires which process is which.
    pub fn tell(&self) {
        *self.pids.lock().expect("unpoisoned") =
            self.nodes.iter().map(|node| node.process.child.id()).collect();
        self.addresses.send_replace(self.nodes.iter().map(|node| node.process.address.clone()).collect());
    }

    pub fn cut_from_database(&self, n: usize, wire: Wire) {
        self.nodes[n].database.iter().for_each(|wires| wires.set(None, wire));
    }

    /// The wires between a node and one other, or all others.
    pub fn between(&self, n: usize, other: Option<usize>, wire: Wire) {
        self.nodes[n].peers.set(other, wire);
        for (m, node) in self.nodes.iter().enumerate() {
            if m != n && other.is_none_or(|other| other == m) {
                node.peers.set(Some(n), wire);
            }
        }
    }

    pub fn signal(&self, n: usize, signal: Signal) {
        kill_process(Pid::from_child(&self.nodes[n].process.child), signal).expect("the node hears");
    }

    /// Waits until a node has ended, and starts it again.
    pub fn start_again(&mut self, n: usize) {
        let node = &mut self.nodes[n];
        tokio::task::block_in_place(|| {
            node.process.child.wait().expect("gone");
            node.process = start(&node.options);
        });
        self.tell();
    }

    /// The primary dies, and its standby takes its place.
    pub fn fail_over(&mut self) {
        tokio::task::block_in_place(|| self.cluster.say("fail-over", "promoted"));
        self.second_is_primary = !self.second_is_primary;
    }

    /// The house as an auditor opens it: at the primary, past all wires.
    pub fn at_primary(&self) -> Options {
        let mut options = self.nodes[0].options.clone();
        let url = self.cluster.url(&self.database);
        options.database = Some(if self.second_is_primary { self.cluster.at_standby(&url) } else { url });
        options
    }

    /// The tables that a node owns, as the database says.
    pub fn owned_by(&self, n: usize) -> Vec<u32> {
        let mut tables = Vec::new();
        let each = &mut |row: Found| {
            tables.extend(Columns::of(row).int().ok().and_then(|table| u32::try_from(table).ok()));
            true
        };
        let sql = format!("SELECT table_no FROM owners WHERE owner LIKE 'node-{n}/%'");
        let read = || server::place(&self.at_primary()).reader()?.walk(&sql, vec![], each);
        tokio::task::block_in_place(read).expect("readable");
        tables
    }

    /// What the nodes said last.
    pub fn show_logs(&self) {
        for node in &self.nodes {
            let log = std::fs::read_to_string(node.options.data.join("log")).unwrap_or_default();
            let lines: Vec<&str> =
                log.lines().filter(|line| !line.contains("tokio_postgres::connection")).collect();
            println!("{:?}:", node.options.node);
            lines[lines.len().saturating_sub(80)..].iter().for_each(|line| println!("  {line}"));
        }
    }
}
