//! Training tables: private, coached, and nothing to the books.

use crate::client::House;
use serde_json::{Value, json};

async fn act(house: &House, token: &str, action: Value) -> Value {
    house.post(token, "/api/training/actions", action).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_knows_every_action_and_what_a_choice_cost() {
    let house = House::open().await;
    let guest = house.guest().await;
    let before = house.get("", "/api/journal/head").await.ok()["seq"].clone();
    assert_eq!(house.get(&guest, "/api/training").await.status, 404);
    house.post(&guest, "/api/training", json!({ "rules": "nj-blackjack", "set": ["decks=6"] })).await.ok();
    let mut judged = 0;
    for _ in 0..30 {
        let mut view = act(&house, &guest, json!({ "do": "wager", "box": 1, "amounts": ["10.00"] })).await;
        assert_eq!(view["awaiting"]["what"], "wagers");
        view = act(&house, &guest, json!({ "do": "deal" })).await;
        while view["awaiting"]["what"] != "wagers" {
            if view["awaiting"]["what"] == "offer" {
                view = act(&house, &guest, json!({ "do": "decline", "box": 1, "offer": "insurance" })).await;
                continue;
            }
            let lawful: Vec<String> = view["awaiting"]["actions"]
                .as_array()
                .expect("actions")
                .iter()
                .map(|a| a["action"].as_str().expect("a word").to_owned())
                .collect();
            let values = house.get(&guest, "/api/training/coach").await.ok();
            let known = values["actions"].as_array().expect("values");
            for action in &lawful {
                assert!(known.iter().any(|v| v["action"] == action.as_str()), "{action}: {values}");
            }
            let best = known[0]["ev"].as_f64().expect("a value");
            let stand = known.iter().find(|v| v["action"] == "stand").expect("stand")["ev"]
                .as_f64()
                .expect("a value");
            view = act(&house, &guest, json!({ "do": "stand", "box": 1, "coach": true })).await;
            let cost = view["coach"]["cost"].as_f64().expect("a cost");
            assert!((cost - (best - stand)).abs() < 1e-9, "{cost} {best} {stand}");
            judged += 1;
        }
        if judged >= 3 {
            break;
        }
    }
    assert!(judged >= 3);
    assert_eq!(house.get("", "/api/journal/head").await.ok()["seq"], before, "training leaves no record");
    assert_eq!(house.get(&guest, "/api/me").await.ok()["play"], "1000.00", "and moves no chips");
    let other = house.guest().await;
    assert_eq!(house.get(&other, "/api/training").await.status, 404, "it is private");
    let unlawful =
        house.post(&guest, "/api/training", json!({ "rules": "nj-blackjack", "set": ["positions=7"] })).await;
    assert_eq!((unlawful.status, unlawful.code().as_str()), (400, "rules"));
}
