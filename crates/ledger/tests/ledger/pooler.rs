//! Debian's PgBouncer between a house and its database: with session pooling a house works as without it, and with
//! transaction pooling it refuses to open. `./test deep` installs PgBouncer; without it these tests are left out.

use crate::cluster::{Cluster, is_root};
use crate::house::{House, patron};
use ledger::nodes::{Node, Word};
use ledger::{Ledger, Opening, StoreAddress};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = "/usr/sbin/pgbouncer";

struct Pooler {
    process: Child,
    port: u16,
    _directory: TempDir,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}

impl Pooler {
    fn start(database: u16, mode: &str) -> Pooler {
        let (directory, port) = (tempfile::tempdir().expect("temp dir"), free_port());
        let file = directory.path().join("pgbouncer.ini");
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={database} user=house\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n"
        );
        std::fs::write(&file, settings).expect("written");
        let mut command = Command::new(PROGRAM);
        if is_root() {
            // It refuses to run as root.
            for path in [directory.path(), &file] {
                let owned = Command::new("chown").arg("postgres").arg(path).status();
                assert!(owned.is_ok_and(|status| status.success()), "chown to the user postgres");
            }
            command.args(["-u", "postgres"]);
        }
        command.arg("-q").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let pooler = Pooler { process: command.spawn().expect("starts"), port, _directory: directory };
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(since.elapsed() < Duration::from_secs(10), "the pooler does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }

    fn place(&self) -> StoreAddress {
        let port = self.port;
        StoreAddress::Postgres(format!(
            "host=127.0.0.1 port={port} user=house dbname=postgres sslmode=disable"
        ))
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn pooled(mode: &str) -> Option<(Cluster, Pooler)> {
    if !Path::new(PROGRAM).exists() {
        eprintln!("skipped: PgBouncer is not installed");
        return None;
    }
    let port = free_port();
    let cluster = Cluster::on_port(port, false)?;
    Some((cluster, Pooler::start(port, mode)))
}

#[test]
fn a_house_works_behind_session_pooling() {
    let Some((_cluster, pooler)) = pooled("session") else { return };
    pooler.place().refuse_transaction_pooler().expect("sessions last");
    let house = House::at(|_| pooler.place());
    house.buy_in("b", 1, 1000).expect("bought");
    house.wager("w", 1, 100).expect("wagered");
    assert_eq!(house.balance(patron(1)), 900);
    drop(house);
    let data = tempfile::tempdir().expect("temp dir");
    let opening = Opening { shared: true, ..Opening::default() };
    let ledger = Ledger::open_with(data.path(), pooler.place(), opening).expect("opens");
    let node =
        Node { name: "one".into(), address: "one:7".into(), program: "1".into(), house: String::new() };
    let (tell, heard) = std::sync::mpsc::channel();
    let node = ledger.join(node, move |word| drop(tell.send(word))).expect("joins");
    let since = Instant::now();
    loop {
        let left = Duration::from_secs(20).saturating_sub(since.elapsed());
        match heard.recv_timeout(left).expect("it hears of the nodes") {
            Word::Roll(roll) if roll.nodes.iter().any(|node| node.name == "one" && node.alive) => break,
            _ => {}
        }
    }
    assert!(node.holds());
}

#[test]
fn a_house_refuses_transaction_pooling_in_a_sentence() {
    let Some((_cluster, pooler)) = pooled("transaction") else { return };
    let why = pooler.place().refuse_transaction_pooler().expect_err("refused").to_string();
    assert!(why.contains("pool_mode = session"), "{why}");
    let data = tempfile::tempdir().expect("temp dir");
    let opening = Opening { shared: true, ..Opening::default() };
    let opened = Ledger::open_with(data.path(), pooler.place(), opening);
    let why = opened.map(|_| ()).expect_err("refused").to_string();
    assert!(why.contains("pool_mode = session"), "{why}");
}
