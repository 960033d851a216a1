//! A card that the dealer entered wrongly can be corrected until the next event: the play, the chips, the record and
//! the audit follow the right card.

use crate::dealer::{Staffed, staffed};
use serde_json::json;
use server::audit;

/// Plays a round at box 1 up to the dealer's last card: the player has 19.
async fn up_to_the_last_card(table: &Staffed, guest: &str) {
    table.act(guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "7d", "9h"]).await;
    table.act(guest, json!({ "do": "stand", "box": 1 })).await.ok();
}

/// Proves HOUSE-CORRECTION.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_card_is_corrected_until_the_next_thing_happens() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    let correct = |card: &str| json!({ "do": "correct", "card": card });
    assert_eq!(table.act(&table.dealer, correct("2c")).await.code(), "too-late", "no card was told");
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "7d", "9h"]).await;
    let view = || async { table.house.get("", "/api/tables/1").await.ok()["view"].clone() };
    assert_eq!(view().await["last_card"], json!({ "card": "9h", "to": { "box": 1, "hand": 1 } }));
    assert_eq!(table.act(&guest, correct("Kh")).await.status, 403);
    assert_eq!(table.act(&table.floor, correct("Kh")).await.status, 403);
    assert_eq!(table.act(&table.dealer, correct("9h")).await.code(), "same");
    assert_eq!(table.act(&table.dealer, correct("1h")).await.status, 400);
    table.act(&table.dealer, correct("Kh")).await.ok();
    let seen = view().await;
    assert_eq!(seen["boxes"][0]["hands"][0]["cards"], json!(["Ts", "Kh"]));
    assert_eq!(seen["events"][0]["event"], "card-corrected");
    assert_eq!((&seen["events"][0]["was"], &seen["events"][0]["card"]), (&json!("9h"), &json!("Kh")));
    assert_eq!(seen["events"][0]["clause"], "HOUSE-CORRECTION", "no clause speaks of corrections");
    // The corrected card may be corrected again, and an impossible card is refused with its clause.
    table.act(&table.dealer, correct("Qh")).await.ok();
    table.act(&guest, json!({ "do": "stand", "box": 1 })).await.ok();
    assert_eq!(view().await["last_card"], json!(null));
    assert_eq!(table.act(&table.dealer, correct("9h")).await.code(), "too-late", "the player has decided");
    table.deal(&["Tc"]).await;
    assert_eq!(table.house.get(&guest, "/api/me").await.ok()["play"], "1020.00");
    let events = table.house.get(&table.supervisor, "/api/significant-events").await.ok().to_string();
    assert!(events.contains("card-corrected"), "{events}");
    assert!(audit(&table.house.options).expect("audited").passes);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_card_of_a_settled_round_is_corrected_with_its_chips() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    let play = || async { table.house.get(&guest, "/api/me").await.ok()["play"].clone() };
    up_to_the_last_card(&table, &guest).await;
    // 17 against 19: the player has won. With the ten corrected to a four, the dealer draws a king to 21; with the king
    // corrected to an eight, it is 19 against 19.
    table.deal(&["Tc"]).await;
    assert_eq!(play().await, "1020.00");
    table.act(&table.dealer, json!({ "do": "correct", "card": "4c" })).await.ok();
    assert_eq!(play().await, "980.00", "the round is open again");
    assert_eq!(table.awaiting().await["what"], "card");
    assert_eq!(table.house.get(&guest, "/api/tables/1/rounds/1").await.status, 404, "not finished");
    table.deal(&["Kc"]).await;
    assert_eq!(play().await, "980.00", "21 beats 19");
    table.act(&table.dealer, json!({ "do": "correct", "card": "8c" })).await.ok();
    assert_eq!(play().await, "1000.00", "19 and 19");
    let told = table.house.get(&guest, "/api/tables/1/rounds/1").await.ok();
    let steps = told["steps"].as_array().expect("steps");
    let events: Vec<_> = steps.iter().flat_map(|s| s["events"].as_array().expect("events")).collect();
    let named = |name: &str| events.iter().filter(|e| e["event"] == name).count();
    assert_eq!((named("settled"), named("picked-up"), named("card-corrected")), (1, 1, 2), "{told}");
    let dealt: Vec<_> =
        events.iter().filter_map(|e| e["card"].as_str().filter(|_| e["event"] == "dealt")).collect();
    assert_eq!(dealt, ["Ts", "7d", "9h", "4c", "8c"], "the play as it was");
    let notation = table.house.get(&guest, "/api/tables/1/rounds/1/notation").await.body;
    assert!(notation.contains("cards Ts 7d 9h 4c 8c\n"), "{notation}");
    let mine = table.house.get(&guest, "/api/me/rounds").await.ok();
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(1), "{mine}");
    assert_eq!(table.house.get(&table.supervisor, "/api/reports/today").await.ok()["reconciles"], true);
    // The table is restored from its journal and continues.
    let (dealer, supervisor, floor) = (table.dealer.clone(), table.supervisor.clone(), table.floor.clone());
    let table = Staffed { house: table.house.reopened().await, dealer, floor, supervisor };
    assert_eq!(table.house.get("", "/api/tables/1").await.ok()["view"]["round"], 2);
    up_to_the_last_card(&table, &guest).await;
    table.deal(&["8d"]).await;
    table.act(&table.dealer, json!({ "do": "correct", "card": "8s" })).await.ok();
    assert!(audit(&table.house.options).expect("audited").passes);
}

/// Winnings from a wrong card may already have left the house: the missing part is owed.
#[tokio::test(flavor = "multi_thread")]
async fn winnings_of_a_wrong_card_that_were_spent_are_owed() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let house = &table.house;
    let ann = house.player("ann").await;
    let cashier = house.hire(&table.supervisor, "cora", "cashier").await;
    let order = |id: &str, amount: &str| json!({ "id": id, "patron": "ann", "amount": amount });
    house.post(&cashier, "/api/cashier/buy-ins", order("b1", "100.00")).await.ok();
    table.enter_what_is_due().await;
    up_to_the_last_card(&table, &ann).await;
    table.deal(&["Tc"]).await;
    house.post(&cashier, "/api/cashier/cash-outs", order("o1", "120.00")).await.ok();
    table.act(&table.dealer, json!({ "do": "correct", "card": "4c" })).await.ok();
    let patron = house.get(&cashier, "/api/cashier/patrons/ann").await.ok();
    assert_eq!((patron["cash"].as_str(), patron["owed"].as_str()), (Some("0.00"), Some("40.00")));
    let mut noted = false;
    for _ in 0..50 {
        let events = house.get(&table.supervisor, "/api/significant-events").await.ok().to_string();
        noted |= events.contains("winnings-owed");
    }
    assert!(noted);
    let receipt = house.post(&cashier, "/api/cashier/buy-ins", order("b2", "10.00")).await.ok();
    assert_eq!(receipt["after"], "0.00", "what is owed is paid first");
    table.deal(&["Kc"]).await;
    assert!(audit(&house.options).expect("audited").passes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_round_says_who_declared_it_and_why() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts"]).await;
    let long = json!({ "do": "void", "reason": "x".repeat(201) });
    assert_eq!(table.act(&table.floor, long).await.status, 400);
    let void = json!({ "do": "void", "reason": "  the shoe fell\nto the floor " });
    table.act(&table.floor, void).await.ok();
    let told = |events: &serde_json::Value| {
        let void =
            events.as_array().expect("events").iter().find(|e| e["event"] == "voided").expect("void").clone();
        (void["name"].clone(), void["reason"].clone())
    };
    let expected = (json!("fred"), json!("the shoe fell to the floor"));
    assert_eq!(told(&table.house.get("", "/api/tables/1").await.ok()["view"]["events"]), expected);
    let round = table.house.get(&guest, "/api/tables/1/rounds/1").await.ok();
    let events = round["steps"].as_array().expect("steps").last().expect("one")["events"].clone();
    assert_eq!(told(&events), expected, "the record says it too");
    assert!(audit(&table.house.options).expect("audited").passes);
}
