//! Practice for dealers: rehearsals that anyone may deal, and rack counts.

use crate::client::House;
use serde_json::{Value, json};

async fn act(house: &House, token: &str, action: Value) -> Value {
    house.post(token, "/api/rehearsal/actions", action).await.ok()
}

/// Performs the whole preparation of the cards, including the burn.
async fn prepare(house: &House, token: &str, mut view: Value) -> Value {
    for _ in 0..60 {
        let left = view["shoe"]["left"].as_u64().expect("a number");
        view = match view["awaiting"]["what"].as_str() {
            Some("procedure") => {
                let step = view["awaiting"]["step"].clone();
                let number = if step == "cut" { left / 2 } else { left / 4 };
                let counted = step == "cut" || step == "place-cutting-card";
                let number = if counted { json!(number) } else { Value::Null };
                act(house, token, json!({ "do": "perform", "step": step, "number": number })).await
            }
            Some("card") => act(house, token, json!({ "do": "card", "card": "2c" })).await,
            _ => return view,
        };
    }
    panic!("the cards are never ready: {view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_deals_a_round_to_made_up_players() {
    let house = House::open().await;
    let (guest, other) = (house.guest().await, house.guest().await);
    let rules = json!({ "rules": "nj-blackjack" });
    let opened = house.post(&guest, "/api/rehearsal", rules).await.ok();
    assert_eq!(opened["card"]["dealing"], "dealer");
    assert!(opened["card"]["irregularities"].as_array().is_some_and(|known| known.len() > 5));
    assert_eq!(house.post(&guest, "/api/rehearsal/wagers", json!({})).await.status, 409, "not yet");
    assert_eq!(house.post(&other, "/api/rehearsal/wagers", json!({})).await.status, 404, "it is private");
    prepare(&house, &guest, opened["view"].clone()).await;
    let view = house.post(&guest, "/api/rehearsal/wagers", json!({})).await.ok();
    assert_eq!(view["boxes"].as_array().map(Vec::len), Some(3));
    assert_eq!(view["boxes"][0]["bettors"][0]["name"], "Ada");
    let mut view = act(&house, &guest, json!({ "do": "close-wagers" })).await;
    // The three players get 17, 19 and 17; the dealer draws to 26.
    for card in ["Th", "9s", "8d", "6c", "7h", "Ks", "9d", "Tc", "Kd"] {
        view = act(&house, &guest, json!({ "do": "card", "card": card })).await;
    }
    let settled = |event: &&Value| event["event"] == "settled";
    let events = view["events"].as_array().expect("events");
    let nets: Vec<&Value> = events.iter().filter(settled).map(|event| &event["net"]).collect();
    assert_eq!(nets, ["10.00"; 3], "the dealer has passed 21");
    assert!(events.iter().filter(settled).all(|event| event["clause"].is_string()));
    assert_eq!(view["awaiting"]["what"], "wagers");
    let refused = house.post(&guest, "/api/rehearsal/actions", json!({ "do": "call-floor" })).await;
    assert_eq!(refused.status, 409, "a rehearsal has no floor to call");
}

#[tokio::test(flavor = "multi_thread")]
async fn racks_are_counted_by_name_and_kept_in_the_journal() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let dealer = house.hire(&supervisor, "dora", "dealer").await;
    let auditor = house.hire(&supervisor, "otto", "auditor").await;
    let counts = "/api/tables/1/counts";
    assert_eq!(house.get(&dealer, counts).await.status, 404, "never counted");
    let order = |id: &str, chips: Value| json!({ "id": id, "why": "shift", "chips": chips });
    let first = house.post(&dealer, counts, order("c1", json!({ "25.00": 40, "100.00": 3 }))).await.ok();
    assert_eq!((&first["total"], &first["name"]), (&json!("1300.00"), &json!("dora")));
    let again = house.post(&dealer, counts, order("c2", json!({ "25.00": 38 }))).await.ok();
    assert_eq!((&again["total"], &again["before"]), (&json!("950.00"), &json!("1300.00")));
    assert_eq!(house.get(&supervisor, counts).await.ok()["total"], "950.00");
    for chips in [json!({}), json!({ "x": 1 }), json!({ "-5.00": 1 }), json!({ "5.00": 100_001 })] {
        assert_eq!(house.post(&dealer, counts, order("c3", chips)).await.status, 400);
    }
    assert_eq!(
        house.post(&dealer, "/api/tables/99/counts", order("c4", json!({ "5.00": 1 }))).await.status,
        404
    );
    assert_eq!(house.get(&house.guest().await, counts).await.status, 403);
    let told = house.get(&auditor, "/api/journal?limit=9&kind=rack-count").await.ok();
    assert_eq!(told["items"].as_array().map(Vec::len), Some(2));
}
