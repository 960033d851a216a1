//! Two processes on one database: a process without the house's keys takes nothing from the one that has them, and
//! neither does one without a name of its own; a table taken by force is taken back.

use crate::bot::fresh_id;
use crate::client::{House, Peer};
use crate::cluster;
use serde_json::json;

async fn wager(house: &House, guest: &str) -> u16 {
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    let status = house.post(guest, "/api/tables/1/actions", wager).await.status;
    let withdraw = json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 });
    house.post(guest, "/api/tables/1/actions", withdraw).await;
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_the_wrong_keys_takes_nothing_over() {
    let Some(cluster) = cluster::shared() else { return };
    let database = cluster.database();
    let house = House::with("[timings]\nbetting_ms = 60000\n", Some(database)).await;
    let guest = house.guest().await;
    assert_eq!(wager(&house, &guest).await, 200);
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let mut options = house.options.clone();
    options.data = elsewhere.path().to_owned();
    let refused = server::serve(options, std::future::pending(), |_, _| {}).await.expect_err("other keys");
    assert!(refused.to_string().contains("key"), "{refused}");
    assert_eq!(wager(&house, &guest).await, 200, "the live table goes on");
    house.get("", "/ready").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_was_taken_by_force_is_taken_back() {
    let Some(cluster) = cluster::shared() else { return };
    let file = "metrics_listen = \"127.0.0.1:0\"\n[timings]\nbetting_ms = 60000\n";
    let house =
        House::with(&file.replace(":0", &format!(":{}", free_port())), Some(cluster.database())).await;
    let guest = house.guest().await;
    assert_eq!(wager(&house, &guest).await, 200);
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let mut options = house.options.clone();
    options.data = elsewhere.path().to_owned();
    let keys = elsewhere.path().join("keys");
    std::fs::create_dir_all(&keys).expect("made");
    for name in ["seal.key", "shoe.key"] {
        std::fs::copy(house.options.data.join("keys").join(name), keys.join(name)).expect("copied");
    }
    let why = server::serve(options.clone(), std::future::pending(), |_, _| {}).await.expect_err("refused");
    assert!(why.to_string().contains("--node"), "{why}");
    // A program that knows no nodes takes the table, and its owner is fenced off.
    let place = server::place(&options);
    let taking = move || {
        let ledger = ledger::Ledger::open(&options.data, place, 0).expect("opens");
        ledger.take_over(ledger::Stream::Table(ledger::TableId(1)), "somebody").expect("taken")
    };
    tokio::task::spawn_blocking(taking).await.expect("done");
    assert_eq!(wager(&house, &guest).await, 200, "whoever asks waits until it is taken back");
    house.get("", "/ready").await.ok();
    let figures = Peer { address: metrics_address(&house) };
    let text = figures.text("/metrics").await.expect("figures");
    for line in ["cutcard_tables_parked 0", "cutcard_tables_owned 1", "cutcard_lease_held 1"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    crate::shape::every_figure_is_described(&text);
    // All metrics used by the alerts and the dashboard exist.
    for recipe in [
        include_str!("../../../../docs/nodes/alerts.yaml"),
        include_str!("../../../../docs/nodes/dashboard.json"),
    ] {
        let names = recipe
            .split(|c: char| !c.is_ascii_lowercase() && c != '_')
            .filter(|word| word.starts_with("cutcard_"));
        for name in names {
            assert!(text.contains(name), "{name}");
        }
    }
    assert!(!house.get("", "/metrics").await.body.contains("cutcard_"), "not where patrons ask");
}

pub fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    listener.local_addr().expect("known").port()
}

fn metrics_address(house: &House) -> String {
    let file = std::fs::read_to_string(house.options.house.as_ref().expect("a file")).expect("read");
    let line = file.lines().find_map(|line| line.strip_prefix("metrics_listen = ")).expect("set");
    line.trim_matches('"').to_owned()
}
