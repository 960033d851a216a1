//! Who was involved in what: the dealer named by a table, through shift changes and a restart; and an auditor's search
//! for a person, which finds every record about them.

use crate::bot::fresh_id;
use crate::dealer::staffed;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_table_says_who_deals_and_goes_on_saying_it() {
    let mut table = staffed("nj-blackjack").await;
    let dealt_by = async |table: &crate::dealer::Staffed| {
        table.house.get("", "/api/tables/1").await.ok()["view"]["dealt_by"].clone()
    };
    assert_eq!(dealt_by(&table).await, Value::Null, "nobody has dealt here yet");
    table.prepare().await;
    // Someone who arrives now sees what happened before.
    let told = table.house.get("", "/api/tables/1").await.ok()["recent_events"].clone();
    let words: Vec<&str> =
        told.as_array().expect("events").iter().filter_map(|e| e["event"].as_str()).collect();
    assert!(words.len() > 5 && words.iter().all(|word| *word == "performed"), "{words:?}");
    let first = dealt_by(&table).await;
    assert_eq!((&first["name"], &first["here"]), (&json!("dora"), &json!(false)), "{first}");
    let again = table.house.hire(&table.supervisor, "dino", "dealer").await;
    // Orders of the floor and floor calls do not change the dealer.
    table.act(&table.floor, json!({ "do": "reshuffle" })).await.ok();
    table.act(&again, json!({ "do": "call-floor", "reason": "chips" })).await.ok();
    assert_eq!(dealt_by(&table).await["name"], "dora");
    // Neither does a refused request.
    assert_eq!(table.act(&again, json!({ "do": "card", "card": "9c" })).await.status, 409);
    assert_eq!(dealt_by(&table).await["name"], "dora");
    table.act(&again, json!({ "do": "relieve" })).await.ok();
    let second = dealt_by(&table).await;
    assert_eq!(second["name"], "dino");
    table.house = table.house.reopened().await;
    assert_eq!(dealt_by(&table).await["person"], second["person"], "also when the house is opened again");
}

/// A dealer who is not dealing a table cannot deal, correct, report or call a bet there, also after a restart; in
/// mid-round another dealer takes over explicitly.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_dealer_of_a_table_deals_there() {
    let mut table = staffed("nj-blackjack").await;
    table.prepare().await;
    table.enter_what_is_due().await;
    table.house.player("ann").await;
    let other = table.house.hire(&table.supervisor, "dino", "dealer").await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    let refused = table.act(&other, json!({ "do": "close-wagers" })).await;
    assert_eq!((refused.status, refused.code()), (409, "not-dealing".into()), "{}", refused.body);
    assert!(refused.body.contains("dora is dealing at this table"), "{}", refused.body);
    let order = json!({ "id": fresh_id(), "patron": "ann", "amount": "40.00" });
    let called = table.house.post(&other, "/api/tables/1/cash-wagers", order.clone()).await;
    assert_eq!(called.code(), "not-dealing", "{}", called.body);
    table.house.post(&table.dealer, "/api/tables/1/cash-wagers", order).await.ok();
    assert_eq!(
        table.act(&other, json!({ "do": "take-over" })).await.code(),
        "no-round-to-take-over",
        "between rounds"
    );
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts"]).await;
    let acts = [
        json!({ "do": "card", "card": "7d" }),
        json!({ "do": "correct", "card": "9s" }),
        json!({ "do": "report", "irregularity": "found-face-up", "card": "5c" }),
    ];
    for action in &acts {
        assert_eq!(table.act(&other, action.clone()).await.code(), "not-dealing", "{action}");
    }
    assert_eq!(table.act(&other, json!({ "do": "void" })).await.status, 403, "a dealer voids nothing");
    table.house = table.house.reopened().await;
    assert_eq!(table.act(&other, acts[0].clone()).await.code(), "not-dealing", "after a restart");
    assert_eq!(table.act(&other, json!({ "do": "relieve" })).await.status, 409, "not in mid-round");
    let mut take = json!({ "do": "take-over" });
    let done = table.act(&other, take.clone()).await.ok();
    assert_eq!(table.act(&other, take.clone()).await.code(), "dealing");
    assert_eq!(table.act(&table.dealer, acts[0].clone()).await.code(), "not-dealing", "no longer");
    table.act(&other, acts[0].clone()).await.ok();
    table.house = table.house.reopened().await;
    table.act(&other, json!({ "do": "card", "card": "9h" })).await.ok();
    let view = table.house.get("", "/api/tables/1").await.ok()["view"].clone();
    assert_eq!(view["dealt_by"]["name"], "dino");
    let events = table.house.get(&table.supervisor, "/api/significant-events").await.ok();
    let changed =
        events["items"].as_array().expect("events").iter().find(|event| event["seq"] == done["seq"]);
    let changed = changed.unwrap_or_else(|| panic!("{events}"));
    assert_eq!((&changed["event"]["what"], &changed["name"]), (&json!("dealer-changed"), &json!("dino")));
    // A repeated command gets its original answer, whoever deals now.
    table.act(&table.dealer, json!({ "do": "take-over" })).await.ok();
    take["id"] = fresh_id().into();
    table.house.post(&other, "/api/tables/1/actions", take.clone()).await.ok();
    table.act(&table.dealer, json!({ "do": "take-over" })).await.ok();
    assert_eq!(table.house.post(&other, "/api/tables/1/actions", take).await.ok()["repeated"], true);
    assert_eq!(table.house.get("", "/api/tables/1").await.ok()["view"]["dealt_by"]["name"], "dora");
    assert!(server::audit(&table.house.options).expect("audited").passes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_for_a_person_finds_what_was_done_for_them_and_about_them() {
    let table = staffed("nj-blackjack").await;
    let house = &table.house;
    table.prepare().await;
    table.enter_what_is_due().await;
    let (ann, bob) = (house.player("ann").await, house.player("bob").await);
    let cashier = house.hire(&table.supervisor, "cora", "cashier").await;
    let auditor = house.hire(&table.supervisor, "alma", "auditor").await;
    for patron in ["ann", "bob"] {
        let order = json!({ "id": fresh_id(), "patron": patron, "amount": "100.00" });
        house.post(&cashier, "/api/cashier/buy-ins", order).await.ok();
    }
    for (player, number) in [(&ann, 1), (&bob, 2)] {
        table.act(player, json!({ "do": "wager", "box": number, "amounts": ["20.00"] })).await.ok();
    }
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "7d"]).await;
    table.act(&table.supervisor, json!({ "do": "void", "reason": "the cards fell" })).await.ok();
    let people = house.get(&table.supervisor, "/api/staff/people?limit=100").await.ok();
    let id = people["items"].as_array().expect("people").iter().find(|p| p["name"] == "ann").expect("ann");
    let change = json!({ "disabled": true, "reason": "asked for it" });
    house
        .call(&table.supervisor, "PATCH", &format!("/api/staff/people/{}", id["person"]), Some(change))
        .await
        .ok();

    let sought = async |query: &str| -> Vec<Value> {
        let page = house.get(&auditor, &format!("/api/journal?limit=500&newest=true&{query}")).await.ok();
        page["items"].as_array().expect("records").clone()
    };
    let found = sought("concerns=ann").await;
    let moved = |record: &Value, name: &str| {
        record["legs"].as_array().expect("legs").iter().any(|leg| leg["name"] == name)
    };
    let kinds: Vec<&str> = found.iter().filter_map(|r| r["kind"].as_str()).collect();
    let bought = found.iter().find(|r| r["kind"] == "buy-in").unwrap_or_else(|| panic!("{kinds:?}"));
    assert_eq!((&bought["name"], moved(bought, "ann")), (&json!("cora"), true));
    assert!(moved(bought, "cora"), "the drawer's cashier is named: {bought}");
    let refund = found.iter().find(|r| r["name"] == "admin" && r["kind"] == "table");
    let refund = refund.or_else(|| found.iter().find(|r| r["kind"] == "table" && r["name"] != "ann"));
    assert!(moved(refund.unwrap_or_else(|| panic!("{found:?}")), "ann"));
    let changed = found.iter().find(|r| r["about"] == "ann" && r["kind"] == "significant");
    assert_eq!(changed.unwrap_or_else(|| panic!("{found:?}"))["event"]["what"], "account-changed");
    assert!(found.iter().all(|r| r["name"] == "ann" || r["about"] == "ann" || moved(r, "ann")), "{found:?}");
    let all = sought("").await;
    let concerned =
        all.iter().filter(|r| r["name"] == "ann" || r["about"] == "ann" || moved(r, "ann")).count();
    assert_eq!(found.len(), concerned, "and no other record has to do with her");
    assert_eq!(sought("concerns=ANN").await.len(), found.len(), "names that differ only in case are one");
    let both = house.get(&auditor, "/api/journal?concerns=ann&name=bob").await;
    assert_eq!(both.status, 400);
    assert_eq!(house.get(&auditor, "/api/journal?concerns=nobody").await.status, 404);
}
