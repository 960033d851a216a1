//! A dealer's table: a person deals from a physical shoe, reports irregularities and calls the floor.

use crate::bot::fresh_id;
use crate::client::House;
use serde_json::{Value, json};
use server::audit;

struct Staffed {
    house: House,
    dealer: String,
    floor: String,
    supervisor: String,
}

async fn staffed(rules: &str) -> Staffed {
    let house = House::with(&format!("[[table]]\nrules = \"{rules}\"\ndealing = \"dealer\"\n"), None).await;
    let supervisor = house.first_supervisor().await;
    let dealer = house.hire(&supervisor, "dora", "dealer").await;
    let floor = house.hire(&supervisor, "fred", "floor").await;
    Staffed { house, dealer, floor, supervisor }
}

impl Staffed {
    async fn act(&self, token: &str, mut action: Value) -> crate::client::Answer {
        action["id"] = fresh_id().into();
        self.house.post(token, "/api/tables/1/actions", action).await
    }

    async fn awaiting(&self) -> Value {
        self.house.get("", "/api/tables/1").await.ok()["view"]["awaiting"].clone()
    }

    /// The dealer works through the procedure until wagers may be placed.
    async fn prepare(&self) {
        for _ in 0..30 {
            let awaiting = self.awaiting().await;
            if awaiting["what"] == "wagers" {
                return;
            }
            assert_eq!(awaiting["what"], "procedure", "{awaiting}");
            let mut action = json!({ "do": "perform", "step": awaiting["step"] });
            match awaiting["step"].as_str().unwrap_or_default() {
                "cut" => action["number"] = 200.into(),
                "place-cutting-card" => action["number"] = 104.into(),
                _ => {}
            }
            self.act(&self.dealer, action).await.ok();
        }
        panic!("the cards are never ready");
    }

    async fn deal(&self, cards: &[&str]) {
        for card in cards {
            self.act(&self.dealer, json!({ "do": "card", "card": card })).await.ok();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_deals_a_round_from_a_physical_shoe() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    let refused = table.act(&table.dealer, json!({ "do": "perform", "step": "shuffle" })).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts", "7d", "9h"]).await;
    assert_eq!(table.awaiting().await["what"], "decision");
    assert_eq!(table.act(&table.dealer, json!({ "do": "card", "card": "2c" })).await.status, 409, "not now");
    assert_eq!(table.act(&guest, json!({ "do": "card", "card": "2c" })).await.status, 403);
    table.act(&guest, json!({ "do": "stand", "box": 1 })).await.ok();
    table.deal(&["Tc"]).await;
    assert_eq!(table.house.get(&guest, "/api/me").await.ok()["play"], "1020.00");
    let told = table.house.get(&guest, "/api/tables/1/rounds/1").await.ok().to_string();
    assert!(told.contains("\"result\":\"win\"") && told.contains("\"card\":\"Tc\""), "{told}");
    assert!(audit(&table.house.options).expect("audited").passes);
}

#[tokio::test(flavor = "multi_thread")]
async fn irregularities_and_the_floor_are_recorded() {
    let table = staffed("nj-blackjack").await;
    table.prepare().await;
    let guest = table.house.guest().await;
    table.act(&guest, json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await.ok();
    table.act(&table.dealer, json!({ "do": "close-wagers" })).await.ok();
    table.deal(&["Ts"]).await;
    let found = json!({ "do": "report", "irregularity": "found-face-up", "card": "5c" });
    table.act(&table.dealer, found).await.ok();
    table.act(&table.dealer, json!({ "do": "call-floor" })).await.ok();
    assert_eq!(table.act(&table.dealer, json!({ "do": "void" })).await.status, 403, "a dealer voids nothing");
    table.act(&table.supervisor, json!({ "do": "void" })).await.ok();
    assert_eq!(table.house.get(&guest, "/api/me").await.ok()["play"], "1000.00", "the wager went back");
    let events = table.house.get(&table.supervisor, "/api/significant-events").await.ok().to_string();
    for what in ["round-voided", "irregularity", "floor-called"] {
        assert!(events.contains(what), "{what}: {events}");
    }
    assert_eq!(table.act(&table.floor, json!({ "do": "card", "card": "2c" })).await.status, 403);
    assert!(audit(&table.house.options).expect("audited").passes);
}
