//! The setup of the chaos test: three nodes in their own processes, a primary and its synchronous standby, and a wire
//! between any two of them. As root, each runs on its own machine in a network that can be partitioned; the wires then
//! only delay.

use super::network::Network;
use super::wire::{End, Pids, Wire, Wires};
use super::{NODES, TABLES};
use crate::cluster::Cluster;
use crate::kill::{Process, start};
use crate::pgbouncer::Pooler;
use crate::takeover::free_port;
use ledger::db::{Columns, Found};
use rustix::process::{Pid, Signal, kill_process};
use server::Options;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::runtime::Handle;
use tokio::sync::watch;

/// The machines after those of the nodes: the two sides of the database, and the clients.
const SIDES: [usize; 2] = [NODES, NODES + 1];
const CLIENTS_AT: usize = NODES + 2;

pub struct Node {
    pub options: Options,
    pub process: Process,
    /// The wires to each side of the database.
    database: [Wires; 2],
    /// The last node reaches them through PgBouncer, if it is installed.
    _poolers: Vec<Pooler>,
    /// The wires from the other nodes.
    pub peers: Wires,
}

pub struct Site {
    pub nodes: Vec<Node>,
    pub addresses: watch::Sender<Vec<String>>,
    pub cluster: Cluster,
    database: String,
    network: Option<Network>,
    /// The address of each side of the database.
    sides: Vec<End>,
    /// Whether the second side is the primary, as after every other failover.
    second_is_primary: bool,
    pids: Pids,
    directory: tempfile::TempDir,
}

impl Site {
    /// Opens the site; on a separate disk of this many megabytes, if it is to be filled.
    pub async fn open(disk: Option<usize>) -> Option<Site> {
        let mut cluster = match disk {
            Some(megabytes) => Cluster::on_a_disk(megabytes)?,
            None => Cluster::start()?,
        };
        let pids = Pids::default();
        let network = Network::of(CLIENTS_AT + 1);
        println!(
            "{}",
            if network.is_some() { "every machine has a network of its own" } else { "wires alone" }
        );
        let sides = sides(&cluster, network.as_ref(), &pids).await;
        tokio::task::block_in_place(|| cluster.say("renew", "renewed"));
        let database = cluster.database().rsplit('=').next().expect("a name").to_owned();
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        let tables = "[[table]]\nrules = \"nj-blackjack\"\n".repeat(TABLES as usize);
        let text = format!(
            "guest_chips = \"1000000.00\"\n[timings]\nbetting_ms = 200\ndecision_ms = 1000\npause_ms = 0\n[rates]\n\
             requests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n{tables}"
        );
        std::fs::write(&file, text).expect("written");
        let (addresses, nodes) = (watch::Sender::default(), Vec::new());
        let second_is_primary = false;
        let mut site =
            Site { nodes, addresses, cluster, database, network, sides, second_is_primary, pids, directory };
        for n in 0..NODES {
            let node = site.node(n, &file).await;
            site.nodes.push(node);
        }
        site.tell();
        Some(site)
    }

    async fn node(&self, n: usize, file: &Path) -> Node {
        let wires = |end: End, at: IpAddr| async move {
            Wires::to(end, Arc::clone(&self.pids), NODES, (&self.runtime(n), at)).await
        };
        let localhost = Ipv4Addr::LOCALHOST.into();
        let own = self.network.as_ref().map_or(localhost, |_| Network::address(n));
        let [first, second] = [0, 1].map(|side| self.sides[side].clone());
        let (port, database) = (free_port(), [wires(first, localhost).await, wires(second, localhost).await]);
        let peers = wires(End::here(port), own).await;
        let data = self.directory.path().join(format!("node-{n}"));
        if n > 0 {
            let keys = data.join("keys");
            std::fs::create_dir_all(&keys).expect("made");
            for name in ["seal.key", "shoe.key"] {
                std::fs::copy(self.directory.path().join("node-0/keys").join(name), keys.join(name))
                    .expect("copied");
            }
        }
        let mut ports = [database[0].port, database[1].port];
        let mut poolers = Vec::new();
        if n == NODES - 1 && Pooler::is_installed() {
            poolers.extend(ports.map(|port| self.at(n, move || Pooler::start(port, "session"))));
            ports = [poolers[0].port, poolers[1].port];
        }
        let [one, other] = ports;
        let url = format!(
            "host=127.0.0.1,127.0.0.1 port={one},{other} user=house dbname={} target_session_attrs=read-write sslmode=disable",
            self.database
        );
        let options = Options {
            listen: format!("{own}:0"),
            data,
            database: Some(url),
            house: Some(file.to_owned()),
            node: Some(format!("node-{n}")),
            peers_listen: Some(format!("127.0.0.1:{port}")),
            peers_address: Some(format!("{own}:{}", peers.port)),
            ..Options::default()
        };
        // The first node's clock is right; the others' are hours behind and ahead.
        options.clock_shift_ms.store([0, -7, 9][n % 3] * 3_600_000, Ordering::Relaxed);
        let process = self.started(n, &options);
        Node { options, process, database, _poolers: poolers, peers }
    }

    /// Announces the nodes' addresses to the clients, and their process ids to the wires.
    pub fn tell(&self) {
        *self.pids.lock().expect("unpoisoned") =
            self.nodes.iter().map(|node| node.process.child.id()).collect();
        self.addresses.send_replace(self.nodes.iter().map(|node| node.process.address.clone()).collect());
    }

    /// Returns the runtime of the clients' machine.
    pub fn clients(&self) -> Handle {
        self.runtime(CLIENTS_AT)
    }

    /// Returns the runtime of a machine, or the current one without a network.
    fn runtime(&self, machine: usize) -> Handle {
        self.network.as_ref().map_or_else(Handle::current, |network| network.runtime(machine).clone())
    }

    fn started(&self, n: usize, options: &Options) -> Process {
        let own = options.clone();
        self.at(n, move || start(&own))
    }

    /// Runs a closure at a node's machine.
    fn at<T: Send + 'static>(&self, n: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
        tokio::task::block_in_place(|| match &self.network {
            Some(network) => network.at(n, work),
            None => work(),
        })
    }

    pub fn cut_from_database(&self, n: usize, wire: Wire) {
        match &self.network {
            Some(network) if !matches!(wire, Wire::Slow(_)) => {
                SIDES.iter().for_each(|side| network.part(n, *side, wire == Wire::Cut));
            }
            _ => {}
        }
        self.delay(&self.nodes[n].database, None, wire);
    }

    /// Sets the wires between a node and one other, or all others.
    pub fn between(&self, n: usize, other: Option<usize>, wire: Wire) {
        self.delay(std::slice::from_ref(&self.nodes[n].peers), other, wire);
        for (m, node) in self.nodes.iter().enumerate() {
            if m != n && other.is_none_or(|other| other == m) {
                self.delay(std::slice::from_ref(&node.peers), Some(n), wire);
                if let Some(network) = self.network.as_ref().filter(|_| !matches!(wire, Wire::Slow(_))) {
                    network.part(n, m, wire == Wire::Cut);
                }
            }
        }
    }

    /// Sets wires; cuts are left to the network, if there is one.
    fn delay(&self, wires: &[Wires], from: Option<usize>, wire: Wire) {
        if wire != Wire::Cut || self.network.is_none() {
            wires.iter().for_each(|wires| wires.set(from, wire));
        }
    }

    /// Separates or joins the two sides of the database; needs a network.
    pub fn between_sides(&self, parted: bool) {
        let [one, other] = SIDES;
        self.network.as_ref().expect("a network").part(one, other, parted);
    }

    pub fn has_network(&self) -> bool {
        self.network.is_some()
    }

    pub fn signal(&self, n: usize, signal: Signal) {
        kill_process(Pid::from_child(&self.nodes[n].process.child), signal).expect("the node hears");
    }

    /// Waits until a node has exited, and restarts it.
    pub fn start_again(&mut self, n: usize) {
        tokio::task::block_in_place(|| self.nodes[n].process.child.wait()).expect("gone");
        self.nodes[n].process = self.started(n, &self.nodes[n].options);
        self.tell();
    }

    /// Kills the primary and promotes its standby.
    pub fn fail_over(&mut self) {
        tokio::task::block_in_place(|| self.cluster.say("fail-over", "promoted"));
        self.second_is_primary = !self.second_is_primary;
    }

    /// Returns the options of an auditor: at the primary, bypassing all wires.
    pub fn at_primary(&self) -> Options {
        let mut options = self.nodes[0].options.clone();
        let url = self.cluster.url(&self.database);
        options.database = Some(if self.second_is_primary { self.cluster.at_standby(&url) } else { url });
        options
    }

    /// Returns the tables that a node owns, according to the database.
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

    /// Prints the end of the nodes' logs.
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

/// Returns the address of each side of the database: its socket or, with a network, its machine; the sides then also
/// replicate through the network.
async fn sides(cluster: &Cluster, network: Option<&Network>, pids: &Pids) -> Vec<End> {
    let directory = cluster.directory();
    let sockets =
        [directory.to_owned(), directory.join("second")].map(|side| End::Socket(side.join(".s.PGSQL.5432")));
    let Some(network) = network else { return sockets.into() };
    let mut sides = Vec::new();
    for (machine, socket) in SIDES.into_iter().zip(sockets) {
        let (address, at) = (Network::address(machine), network.runtime(machine));
        let wires = Wires::to(socket, Arc::clone(pids), NODES, (at, address)).await;
        sides.push(End::Port((address, wires.port).into()));
    }
    let other = SIDES.into_iter().rev();
    for ((name, side), other) in ["data", "standby"].into_iter().zip(&sides).zip(other) {
        let link = directory.join("link").join(name);
        std::fs::create_dir_all(&link).expect("made");
        let socket = link.join(".s.PGSQL.5432");
        Wires::from_socket(&socket, side.clone(), network.runtime(other)).await;
        // The database's user may connect to the socket, and remove it.
        std::fs::set_permissions(&socket, std::os::unix::fs::PermissionsExt::from_mode(0o777)).expect("set");
    }
    sides
}
