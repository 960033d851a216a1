//! Two processes and one database: a process without the house's keys takes nothing from whoever has them, and a table
//! that another process has taken is an alarm.

use crate::bot::fresh_id;
use crate::client::{House, Peer};
use crate::cluster;
use serde_json::json;
use std::time::Duration;

async fn wager(house: &House, guest: &str) -> u16 {
    let wager = json!({ "id": fresh_id(), "do": "wager", "box": 1, "amounts": ["10.00"] });
    let status = house.post(guest, "/api/tables/1/actions", wager).await.status;
    let withdraw = json!({ "id": fresh_id(), "do": "withdraw", "box": 1 });
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
async fn a_table_that_cannot_go_on_is_an_alarm() {
    let Some(cluster) = cluster::shared() else { return };
    let file = "metrics_listen = \"127.0.0.1:0\"\n[timings]\nbetting_ms = 60000\n";
    let house =
        House::with(&file.replace(":0", &format!(":{}", free_port())), Some(cluster.database())).await;
    let guest = house.guest().await;
    assert_eq!(wager(&house, &guest).await, 200);
    // Another process with the same keys takes the tables over.
    let elsewhere = tempfile::tempdir().expect("temp dir");
    let mut options = house.options.clone();
    options.data = elsewhere.path().to_owned();
    let other_file = elsewhere.path().join("house.toml");
    std::fs::write(&other_file, "[[table]]\nrules = \"nj-blackjack\"\n").expect("written");
    options.house = Some(other_file);
    let keys = elsewhere.path().join("keys");
    std::fs::create_dir_all(&keys).expect("made");
    for name in ["seal.key", "shoe.key"] {
        std::fs::copy(house.options.data.join("keys").join(name), keys.join(name)).expect("copied");
    }
    let (tell, told) = tokio::sync::oneshot::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server::serve(
        options,
        async {
            let _ = stopped.await;
        },
        move |address, _| {
            let _ = tell.send(address.to_string());
        },
    ));
    let other = Peer { address: told.await.expect("opens") };
    assert_eq!(wager(&house, &guest).await, 503, "fenced");
    let mut code = String::new();
    for _ in 0..50 {
        let ready = house.get("", "/ready").await;
        if ready.status == 503 {
            code = ready.code();
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(code, "parked");
    let figures = Peer { address: metrics_address(&house) };
    let text = figures.text("/metrics").await.expect("figures");
    assert!(text.contains("cutcard_tables_parked 1"), "{text}");
    assert!(!house.get("", "/metrics").await.body.contains("cutcard_"), "not where patrons ask");
    assert!(other.try_get("", "/ready").await.is_some(), "who has the tables is ready");
    let _ = stop.send(());
    serving.await.expect("ended").expect("closed");
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
