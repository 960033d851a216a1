//! A clock that jumps: play stops until a supervisor confirms the time, and no exclusion ends by the jump. On SQLite,
//! where the house's clock is the machine's, which a test can shift; on PostgreSQL it is the database's. Dates and daily
//! limits after a correction are tested on both stores (`protections.rs` of the ledger).

use crate::bot::fresh_id;
use crate::client::{Answer, House, eventually};
use crate::dealer::staffed;
use serde_json::{Value, json};
use server::Options;
use std::sync::atomic::Ordering;
use std::time::Duration;

const DAY_MS: i64 = 86_400_000;

async fn wager(house: &House, token: &str) -> Answer {
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    house.post(token, "/api/tables/1/actions", wager).await
}

fn set_clock(options: &Options, days: i64) {
    options.clock_shift_ms.store(days * DAY_MS, Ordering::Relaxed);
}

async fn events(house: &House, supervisor: &str) -> Vec<String> {
    let events = house.get(supervisor, "/api/significant-events?limit=100").await.ok();
    let items = events["items"].as_array().expect("a list");
    items.iter().map(|item| item["event"]["what"].as_str().expect("a word").to_owned()).collect()
}

async fn confirm(house: &House, supervisor: &str) -> Answer {
    let machine = house.get(supervisor, "/api/clock").await.ok()["machine"].clone();
    let body = json!({ "id": fresh_id(), "time": machine, "reason": "my watch says so" });
    house.post(supervisor, "/api/clock/confirmation", body).await
}

async fn last_record_at(house: &House, auditor: &str) -> String {
    let journal = house.get(auditor, "/api/journal?limit=500").await.ok();
    let last = journal["items"].as_array().and_then(|items| items.last()).expect("a record");
    last["at"].as_str().expect("a time").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_stops_play_until_it_is_confirmed() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "otto", "auditor").await;
    let guest = house.guest().await;
    wager(&house, &guest).await.ok();
    house.get("", "/ready").await.ok();
    let year = last_record_at(&house, &auditor).await[..4].to_owned();

    set_clock(&house.options, 400);
    let refused = wager(&house, &guest).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "clock"));
    assert_eq!(house.get("", "/ready").await.code(), "clock");
    let doubts = async || {
        let events = events(&house, &supervisor).await;
        events.iter().filter(|what| *what == "clock-in-doubt").count()
    };
    eventually("the doubt is an event", async || doubts().await > 0).await;
    assert_eq!(doubts().await, 1);
    assert_eq!(last_record_at(&house, &auditor).await[..4], year, "no record runs ahead");
    let clock = house.get(&supervisor, "/api/clock").await.ok();
    assert!(
        clock["doubt"].is_object() && clock["now"].as_str().expect("a time").starts_with(&year),
        "{clock}"
    );

    // A restart does not confirm the time.
    let house = house.reopened().await;
    assert_eq!(wager(&house, &guest).await.code(), "clock");
    // A wrong time does not confirm it either.
    let body = json!({ "id": fresh_id(), "time": "2020-01-01T00:00:00Z" });
    assert_eq!(house.post(&supervisor, "/api/clock/confirmation", body).await.code(), "clock-differs");
    set_clock(&house.options, 0);
    assert_eq!(
        wager(&house, &guest).await.code(),
        "clock",
        "a clock that is right again is still to be confirmed"
    );
    confirm(&house, &supervisor).await.ok();
    let id = fresh_id();
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let withdrawn = json!({ "id": id, "round": 1, "do": "withdraw", "box": 1 });
        if house.post(&guest, "/api/tables/1/actions", withdrawn).await.status == 200 {
            break;
        }
    }
    wager(&house, &guest).await.ok();
    assert!(events(&house, &supervisor).await.contains(&"clock-confirmed".to_owned()));
    house.get("", "/ready").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_exclusion_ends_by_a_clock_that_nobody_confirmed() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let cashier = house.hire(&supervisor, "cora", "cashier").await;
    let ann = house.player("ann").await;
    house.post(&ann, "/api/me/exclusion", json!({ "id": fresh_id(), "days": 30 })).await.ok();
    let buy_in = async |house: &House, cashier: &str| -> String {
        let order = json!({ "id": fresh_id(), "patron": "ann", "amount": "100.00" });
        house.post(cashier, "/api/cashier/buy-ins", order).await.code()
    };
    assert_eq!(buy_in(&house, &cashier).await, "excluded");

    // Sixty days ahead, and back.
    let house = house.reopened_after(|options| set_clock(options, 60)).await;
    let again = async |house: &House, name: &str| -> String {
        let entered: Value = house.sign_in(name, "battery staple").await.ok();
        entered["token"].as_str().expect("a token").to_owned()
    };
    let (supervisor, cashier) = (again(&house, "supervisor").await, again(&house, "cora").await);
    assert_eq!(buy_in(&house, &cashier).await, "excluded", "sixty days that nobody confirmed");
    until_noted(&house, &supervisor, "clock-in-doubt").await;
    let house = house.reopened_after(|options| set_clock(options, 0)).await;
    let (supervisor, cashier) = (again(&house, "supervisor").await, again(&house, "cora").await);
    let guest = house.guest().await;
    assert_eq!(wager(&house, &guest).await.code(), "clock", "a restart confirms nothing");
    assert_eq!(buy_in(&house, &cashier).await, "excluded");
    confirm(&house, &supervisor).await.ok();
    assert_eq!(buy_in(&house, &cashier).await, "excluded", "thirty days have not passed");
    let mut status = 0;
    for _ in 0..20 {
        status = wager(&house, &guest).await.status;
        if status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(status, 200);
}

/// A house that opens more than seven days after its last record plays once a supervisor has confirmed the time, also
/// after the next restart. Within seven days it plays at once, and records how long it was closed.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_a_clock_far_ahead_holds_play_until_it_is_confirmed() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    house.first_supervisor().await;
    let again = async |house: &House| -> String {
        let entered: Value = house.sign_in("supervisor", "battery staple").await.ok();
        entered["token"].as_str().expect("a token").to_owned()
    };
    let house = house.reopened_after(|options| set_clock(options, 6)).await;
    let supervisor = again(&house).await;
    until_noted(&house, &supervisor, "clock-unconfirmed").await;
    let guest = house.guest().await;
    wager(&house, &guest).await.ok();
    house.get("", "/ready").await.ok();
    let house = house.reopened_after(|options| set_clock(options, 14)).await;
    let (supervisor, guest) = (again(&house).await, house.guest().await);
    assert_eq!(wager(&house, &guest).await.code(), "clock");
    assert_eq!(house.get("", "/ready").await.code(), "clock");
    let doubted = house.get(&supervisor, "/api/clock").await.ok();
    assert!(doubted["doubt"].is_object() && doubted["now"] != doubted["machine"], "{doubted}");
    assert!(confirm(&house, &supervisor).await.ok()["doubt"].is_null());
    let house = house.reopened().await;
    let (supervisor, guest) = (again(&house).await, house.guest().await);
    let clock = house.get(&supervisor, "/api/clock").await.ok();
    assert!(clock["doubt"].is_null(), "the confirmation is remembered: {clock}");
    house.get("", "/ready").await.ok();
    let beside = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 2, "amounts": ["10.00"] });
    house.post(&guest, "/api/tables/1/actions", beside).await.ok();
}

/// A clock six days ahead, which is set right: new records have the right date, and no session from that time lasts.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_correction_records_have_the_right_date_and_old_sessions_end() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    let first = house.first_supervisor().await;
    let auditor = house.hire(&first, "otto", "auditor").await;
    let today = last_record_at(&house, &auditor).await[..10].to_owned();
    let again = async |house: &House, name: &str| -> String {
        let entered: Value = house.sign_in(name, "battery staple").await.ok();
        entered["token"].as_str().expect("a token").to_owned()
    };
    let house = house.reopened_after(|options| set_clock(options, 6)).await;
    let guest = house.guest().await;
    wager(&house, &guest).await.ok();
    let supervisor = again(&house, "supervisor").await;
    assert_ne!(last_record_at(&house, &again(&house, "otto").await).await[..10], today);

    set_clock(&house.options, 0);
    eventually("the clock is doubted", async || wager(&house, &guest).await.code() == "clock").await;
    confirm(&house, &supervisor).await.ok();
    assert_eq!(wager(&house, &guest).await.status, 401, "a session of that time");
    let auditor = again(&house, "otto").await;
    let newcomer = house.guest().await;
    let beside = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 2, "amounts": ["10.00"] });
    eventually("play goes on", async || {
        house.post(&newcomer, "/api/tables/1/actions", beside.clone()).await.status == 200
    })
    .await;
    let journal = house.get(&auditor, "/api/journal?limit=500").await.ok();
    let last = journal["items"].as_array().and_then(|items| items.last()).expect("a record").clone();
    assert!(last["at"].as_str().expect("a time").starts_with(&today), "{last}");
    house.get("", "/ready").await.ok();
    let house = house.reopened().await;
    house.get("", "/ready").await.ok();
}

/// Waits until a significant event is recorded.
async fn until_noted(house: &House, supervisor: &str, what: &str) {
    for _ in 0..40 {
        if events(house, supervisor).await.iter().any(|event| event == what) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} was not recorded");
}

/// A client that lost the answer retries, an hour later or after a restart, and gets the original answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_that_is_repeated_later_gets_its_first_answer() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    set_clock(&house.options, 400);
    let doubted = house.get(&supervisor, "/api/clock").await.ok();
    assert!(doubted["doubt"].is_object(), "{doubted}");
    set_clock(&house.options, 0);
    let machine = house.get(&supervisor, "/api/clock").await.ok()["machine"].clone();
    let body = json!({ "id": fresh_id(), "time": machine, "reason": "my watch says so" });
    let path = "/api/clock/confirmation";
    let first = house.post(&supervisor, path, body.clone()).await.ok();
    assert!(first["doubt"].is_null(), "{first}");

    // An hour later, the time stated then is no longer the current time.
    house.options.clock_shift_ms.store(3_600_000, Ordering::Relaxed);
    assert_eq!(house.post(&supervisor, path, body.clone()).await.ok(), first);
    let confirmed = events(&house, &supervisor).await;
    assert_eq!(confirmed.iter().filter(|what| *what == "clock-confirmed").count(), 1);
    let mut other = body.clone();
    other["reason"] = "another".into();
    assert_eq!(house.post(&supervisor, path, other).await.code(), "id-used");
    assert!(
        house.get(&supervisor, "/api/clock").await.ok()["doubt"].is_object(),
        "a repeat confirms nothing anew"
    );
    let house = house.reopened().await;
    assert_eq!(house.post(&supervisor, path, body).await.ok(), first);
}

/// A client that lost the answer to a bet retries on the next day, when the register lacks an entry again.
#[tokio::test(flavor = "multi_thread")]
async fn a_wager_that_was_taken_yesterday_gets_its_first_answer() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    table.enter_what_is_due().await;
    let cashier = table.house.hire(&table.supervisor, "cora", "cashier").await;
    let ann = table.house.player("ann").await;
    let order = json!({ "id": fresh_id(), "patron": "ann", "amount": "100.00" });
    table.house.post(&cashier, "/api/cashier/buy-ins", order).await.ok();
    let wager = |id: &str| json!({ "id": id, "round": 1, "do": "wager", "box": 1, "amounts": ["20.00"] });
    let first = table.house.post(&ann, "/api/tables/1/actions", wager("taken")).await.ok();

    set_clock(&table.house.options, 1);
    confirm(&table.house, &table.supervisor).await.ok();
    let entered: Value = table.house.sign_in("ann", "correct horse").await.ok();
    let ann = entered["token"].as_str().expect("a token").to_owned();
    let other = table.house.post(&ann, "/api/tables/1/actions", wager("another")).await;
    assert_eq!(other.code(), "entry-missing", "the inspection of the new day");
    let again = table.house.post(&ann, "/api/tables/1/actions", wager("taken")).await.ok();
    assert_eq!((&again["seq"], &again["repeated"]), (&first["seq"], &json!(true)), "{again}");
}
