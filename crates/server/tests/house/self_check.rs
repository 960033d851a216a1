//! The self-check: any change made in the database behind the house's back stops play within one pass, until the
//! database is repaired and the house restarted.

use crate::bot::fresh_id;
use crate::client::{Answer, House};
use crate::cluster;
use serde_json::{Value, json};
use server::Options;
use std::time::{Duration, Instant};

const FILE: &str = "[timings]\nbetting_ms = 60000\n[self_check]\nrest_s = 1\n";

/// Forbidden changes: ending a self-exclusion, creating chips, making a player a supervisor. Each changes one row.
const MEDDLED: [&str; 3] = [
    "DELETE FROM exclusions",
    "UPDATE accounts SET balance = balance + 100 \
     WHERE account = (SELECT MIN(account) FROM accounts WHERE holder = 'patrons')",
    "UPDATE people SET role = 'supervisor' WHERE folded = 'ann'",
];

fn meddle(options: &Options, sql: &str) {
    let changed = tokio::task::block_in_place(|| {
        let mut db = server::place(options).writer().expect("opens");
        db.load(sql, &[vec![]])
    });
    assert_eq!(changed, Ok(1), "{sql}");
}

async fn wager(house: &House, token: &str) -> Answer {
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    house.post(token, "/api/tables/1/actions", wager).await
}

/// Opens a house with a supervisor, a guest at a table, and Ann, who has excluded herself.
async fn with_people(database: Option<String>) -> (House, String, String) {
    let house = House::with(FILE, database).await;
    let (supervisor, guest) = (house.first_supervisor().await, house.guest().await);
    let ann = house.player("ann").await;
    house.post(&ann, "/api/me/exclusion", json!({ "id": fresh_id(), "days": 30 })).await.ok();
    wager(&house, &guest).await.ok();
    (house, supervisor, guest)
}

/// Polls `/ready` until the answer is as wanted.
async fn until(house: &House, wanted: impl Fn(&Answer) -> bool) -> Answer {
    let since = Instant::now();
    loop {
        let ready = house.get("", "/ready").await;
        if wanted(&ready) {
            return ready;
        }
        assert!(since.elapsed() < Duration::from_secs(30), "{}: {}", ready.status, ready.body);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn passes(ready: &Answer) -> u64 {
    ready.json()["self_check"]["pass"].as_u64().unwrap_or(0)
}

fn finished(ready: &Answer) -> bool {
    ready.status == 200 && ready.json()["self_check"]["finished"].is_string()
}

async fn events(house: &House, supervisor: &str, what: &str) -> Vec<Value> {
    let events = house.get(supervisor, "/api/significant-events?limit=100").await.ok();
    let items = events["items"].as_array().expect("a list").clone();
    items.into_iter().filter(|item| item["event"]["what"] == what).collect()
}

/// Checks that play has stopped, that clients receive the reason, and that it is recorded.
async fn assert_stopped(house: &House, (supervisor, guest): (&str, &str), sql: &str) {
    until(house, |ready| ready.status == 503 && ready.code() == "self-check").await;
    let refused = wager(house, guest).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "self-check"), "{sql}");
    let since = Instant::now();
    while events(house, supervisor, "self-check-failed").await.is_empty() {
        assert!(since.elapsed() < Duration::from_secs(10), "no significant event: {sql}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let told = events(house, supervisor, "self-check-failed").await.remove(0);
    let what = told["event"]["details"]["what"].as_str().expect("a sentence");
    let table = ["exclusions", "accounts", "people"].into_iter().find(|table| sql.contains(table));
    assert!(what.starts_with(&format!("the table {} ", table.expect("one of these"))), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_changed_under_a_house_stops_play_until_it_is_repaired() {
    for sql in MEDDLED {
        let (house, supervisor, guest) = with_people(None).await;
        until(&house, finished).await;
        meddle(&house.options, sql);
        assert_stopped(&house, (&supervisor, &guest), sql).await;

        // A restart repairs nothing, and play stays stopped before the first pass has ended.
        let house = house.reopened().await;
        assert_eq!(wager(&house, &guest).await.code(), "self-check", "{sql}");
        assert_eq!(house.get("", "/ready").await.code(), "self-check", "{sql}");

        let rebuild = |options: &Options| {
            let report = server::rebuild(options).expect("rebuilt");
            assert!(report.passes, "{:?}", report.first_bad);
        };
        let house = house.reopened_after(rebuild).await;
        until(&house, finished).await;
        assert_eq!(events(&house, &supervisor, "self-check-passed").await.len(), 1, "{sql}");
        let (id, since) = (fresh_id(), Instant::now());
        let withdrawn = json!({ "id": id, "round": 1, "do": "withdraw", "box": 1 });
        while house.post(&guest, "/api/tables/1/actions", withdrawn.clone()).await.status != 200 {
            assert!(since.elapsed() < Duration::from_secs(10), "play goes on after {sql}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        wager(&house, &guest).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_changed_while_the_house_was_closed_stops_play() {
    for sql in MEDDLED {
        let (house, supervisor, guest) = with_people(None).await;
        let house = house.reopened_after(|options| meddle(options, sql)).await;
        assert_stopped(&house, (&supervisor, &guest), sql).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_changed_under_a_house_stops_play() {
    let Some(cluster) = cluster::shared() else { return };
    for sql in MEDDLED {
        let (house, supervisor, guest) = with_people(Some(cluster.database())).await;
        until(&house, finished).await;
        meddle(&house.options, sql);
        assert_stopped(&house, (&supervisor, &guest), sql).await;
    }
}

/// A house in play completes pass after pass; a setting turns them off.
#[tokio::test(flavor = "multi_thread")]
async fn an_honest_house_is_ready_through_every_pass() {
    let (house, supervisor, guest) = with_people(None).await;
    let ready = until(&house, |ready| finished(ready) && passes(ready) >= 2).await;
    let check = &ready.json()["self_check"];
    assert!(check["of"].as_i64() > Some(3) && check["records"].as_i64() > Some(3), "{check}");
    for _ in 0..20 {
        let withdrawn = json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 });
        house.post(&guest, "/api/tables/1/actions", withdrawn).await.ok();
        wager(&house, &guest).await.ok();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    until(&house, |again| finished(again) && passes(again) > passes(&ready)).await;
    assert!(events(&house, &supervisor, "self-check-failed").await.is_empty());

    let quiet = House::with("[self_check]\nrest_s = 0\n", None).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let ready = quiet.get("", "/ready").await;
    assert!(ready.status == 200 && passes(&ready) == 0, "{}", ready.body);
}
