//! Debian's PgBouncer between a house and its database: with session pooling a house works as without it, and with
//! transaction pooling it refuses to open. `./test deep` installs PgBouncer; without it these tests are left out.

use crate::cluster::Cluster;
use crate::house::{House, patron};
use crate::pgbouncer::{Pooler, free_port};
use ledger::nodes::{Node, NodeNotification};
use ledger::{Ledger, Opening, StoreAddress};
use std::time::{Duration, Instant};

fn place(pooler: &Pooler) -> StoreAddress {
    let port = pooler.port;
    StoreAddress::Postgres(format!("host=127.0.0.1 port={port} user=house dbname=postgres sslmode=disable"))
}

fn pooled(mode: &str) -> Option<(Cluster, Pooler)> {
    if !Pooler::is_installed() {
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
    place(&pooler).refuse_transaction_pooler().expect("sessions last");
    let house = House::at(|_| place(&pooler));
    house.buy_in("b", 1, 1000).expect("bought");
    house.wager("w", 1, 100).expect("wagered");
    assert_eq!(house.balance(patron(1)), 900);
    drop(house);
    let data = tempfile::tempdir().expect("temp dir");
    let opening = Opening { shared: true, ..Opening::default() };
    let ledger = Ledger::open_with(data.path(), place(&pooler), opening).expect("opens");
    let node =
        Node { name: "one".into(), address: "one:7".into(), program: "1".into(), house: String::new() };
    let (tell, heard) = std::sync::mpsc::channel();
    let node = ledger.join(node, move |notification| drop(tell.send(notification))).expect("joins");
    let since = Instant::now();
    loop {
        let left = Duration::from_secs(20).saturating_sub(since.elapsed());
        match heard.recv_timeout(left).expect("it hears of the nodes") {
            NodeNotification::Roster(roster)
                if roster.nodes.iter().any(|node| node.name == "one" && node.alive) =>
            {
                break;
            }
            _ => {}
        }
    }
    assert!(node.holds());
}

#[test]
fn a_house_refuses_transaction_pooling_in_a_sentence() {
    let Some((_cluster, pooler)) = pooled("transaction") else { return };
    let why = place(&pooler).refuse_transaction_pooler().expect_err("refused").to_string();
    assert!(why.contains("pool_mode = session"), "{why}");
    let data = tempfile::tempdir().expect("temp dir");
    let opening = Opening { shared: true, ..Opening::default() };
    let opened = Ledger::open_with(data.path(), place(&pooler), opening);
    let why = opened.map(|_| ()).expect_err("refused").to_string();
    assert!(why.contains("pool_mode = session"), "{why}");
}
