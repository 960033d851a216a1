//! A house with `durability = "replicated"` is ready, and accepts play, only while the synchronous standby is attached.

use crate::bot::fresh_id;
use crate::client::House;
use crate::cluster::Cluster;
use serde_json::json;
use std::time::Duration;

async fn wager(house: &House, guest: &str) -> u16 {
    let sit = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    let status = house.post(guest, "/api/tables/1/actions", sit).await.status;
    let withdraw = json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 });
    house.post(guest, "/api/tables/1/actions", withdraw).await;
    status
}

async fn until_ready_is(house: &House, status: u16) -> String {
    for _ in 0..400 {
        let ready = house.get("", "/ready").await;
        if ready.status == status {
            return ready.body;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("/ready never answers {status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn play_stops_without_the_standby_and_goes_on_with_it() {
    let Some(mut cluster) = Cluster::start() else { return };
    cluster.say("standby", "following");
    cluster.say("wait-for-standby", "waiting");
    // The standby has connected when the first commit that waits for it returns.
    let url = cluster.database();
    let file = "durability = \"replicated\"\n[timings]\nbetting_ms = 60000\n";
    let house = House::with(file, Some(url)).await;
    let guest = house.guest().await;
    until_ready_is(&house, 200).await;
    assert_eq!(wager(&house, &guest).await, 200);
    cluster.say("detach", "detached");
    let why = until_ready_is(&house, 503).await;
    assert!(why.contains("standby"), "{why}");
    assert_eq!(wager(&house, &guest).await, 503);
    cluster.say("attach", "attached");
    until_ready_is(&house, 200).await;
    assert_eq!(wager(&house, &guest).await, 200);
}
