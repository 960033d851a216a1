//! The cage, statements, limits and reports over HTTP, on both databases.

use crate::client::{House, stores};
use serde_json::{Value, json};

async fn houses() -> Vec<House> {
    let mut houses = Vec::new();
    for database in stores() {
        houses.push(House::with("", database).await);
    }
    houses
}

fn order(id: &str, amount: &str) -> Value {
    json!({ "id": id, "patron": "ann", "amount": amount })
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_are_bought_and_cashed_out_once() {
    for house in houses().await {
        let ann = house.player("ann").await;
        let supervisor = house.first_supervisor().await;
        let cashier = house.hire(&supervisor, "cora", "cashier").await;
        let first = house.post(&cashier, "/api/cashier/buy-ins", order("b1", "250.00")).await.ok();
        assert_eq!((first["before"].as_str(), first["after"].as_str()), (Some("0.00"), Some("250.00")));
        let again = house.post(&cashier, "/api/cashier/buy-ins", order("b1", "250.00")).await.ok();
        assert_eq!((again["repeated"].as_bool(), again["seq"].as_i64()), (Some(true), first["seq"].as_i64()));
        let other = house.post(&cashier, "/api/cashier/buy-ins", order("b1", "251.00")).await;
        assert_eq!((other.status, other.code().as_str()), (409, "id-used"));
        let crossed = house.post(&cashier, "/api/cashier/cash-outs", order("b1", "250.00")).await;
        assert_eq!(crossed.code(), "id-used", "the same id for another command");
        house.post(&cashier, "/api/cashier/cash-outs", order("o1", "100.50")).await.ok();
        let short = house.post(&cashier, "/api/cashier/cash-outs", order("o2", "149.51")).await;
        assert_eq!((short.status, short.code().as_str()), (409, "not-enough-chips"));
        for bad in ["0", "-1", "1.005", "x"] {
            assert_eq!(
                house.post(&cashier, "/api/cashier/buy-ins", order("b9", bad)).await.status / 100,
                4,
                "{bad}"
            );
        }
        assert_eq!(house.get(&ann, "/api/me").await.ok()["cash"], "149.50");
        let lines = house.get(&ann, "/api/me/statement").await.ok();
        assert_eq!(lines["items"][0]["amount"], "-100.50");
        assert_eq!(lines["items"][0]["before"], lines["items"][1]["after"]);
        let report = house.get(&supervisor, "/api/reports/today").await.ok();
        assert_eq!(report["reconciles"], true);
        let csv = house.get(&supervisor, "/api/reports/today/csv").await;
        assert!(csv.body.contains("cash,patrons,buy-in,1,250.00,0.00,"), "{}", csv.body);
        let house = house.reopened().await;
        assert_eq!(house.get(&ann, "/api/me").await.ok()["cash"], "149.50");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_parallel_copies_of_an_order_move_chips_once() {
    let house = std::sync::Arc::new(House::open().await);
    let ann = house.player("ann").await;
    let supervisor = house.first_supervisor().await;
    let cashier = house.hire(&supervisor, "cora", "cashier").await;
    let copies: Vec<_> = (0..100)
        .map(|_| {
            let (house, cashier) = (std::sync::Arc::clone(&house), cashier.clone());
            tokio::spawn(async move {
                house.post(&cashier, "/api/cashier/buy-ins", order("same", "10.00")).await.ok()
            })
        })
        .collect();
    let mut first = 0;
    for copy in copies {
        first += i32::from(copy.await.expect("answered")["repeated"] == false);
    }
    assert_eq!(first, 1);
    assert_eq!(house.get(&ann, "/api/me").await.ok()["cash"], "10.00");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_tighten_at_once_and_exclusion_stops_deposits() {
    for house in houses().await {
        let ann = house.player("ann").await;
        let supervisor = house.first_supervisor().await;
        let cashier = house.hire(&supervisor, "cora", "cashier").await;
        house.post(&cashier, "/api/cashier/buy-ins", order("b1", "250.00")).await.ok();
        let limit =
            |id: &str, most: Value| json!({ "id": id, "measure": "loss", "span": "day", "most": most });
        let set = house.call(&ann, "PUT", "/api/me/limits", Some(limit("l1", json!(5000)))).await.ok();
        assert_eq!(set["limits"][0]["most"], 5000);
        let looser = house.call(&ann, "PUT", "/api/me/limits", Some(limit("l2", Value::Null))).await.ok();
        assert_eq!(looser["limits"][0]["most"], 5000, "still in force");
        assert!(looser["limits"][0]["later_from"].is_string());
        house.post(&ann, "/api/me/exclusion", json!({ "id": "x1", "days": 30 })).await.ok();
        let refused = house.post(&cashier, "/api/cashier/buy-ins", order("b2", "1.00")).await;
        assert_eq!(refused.code(), "excluded");
        house.post(&cashier, "/api/cashier/cash-outs", order("o1", "250.00")).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everyone_is_refilled_with_play_chips_only() {
    let house = House::open().await;
    let guest = house.guest().await;
    let me = house.post(&guest, "/api/me/refill", json!({ "id": "r1" })).await.ok();
    assert_eq!((me["play"].as_str(), me["cash"].as_str()), (Some("1000.00"), Some("0.00")));
    let ann = house.player("ann").await;
    let me = house.post(&ann, "/api/me/refill", json!({ "id": "r1" })).await.ok();
    assert_eq!((me["play"].as_str(), me["cash"].as_str()), (Some("1000.00"), Some("0.00")));
}

/// A bet withdrawn before the cards does not count towards the day's limit.
#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_wager_does_not_count_toward_the_limit() {
    let lines = "[timings]\nbetting_ms = 60000\n[[table]]\nrules = \"nj-blackjack\"\n";
    for database in stores() {
        let house = House::with(lines, database).await;
        let guest = house.guest().await;
        let limit = json!({ "id": "l1", "measure": "wager", "span": "day", "most": 2000 });
        house.call(&guest, "PUT", "/api/me/limits", Some(limit)).await.ok();
        let act = |id: &str, mut action: Value| {
            action["id"] = id.into();
            action["box"] = 1.into();
            action["round"] = 1.into();
            let (house, guest) = (&house, &guest);
            async move { house.post(guest, "/api/tables/1/actions", action).await }
        };
        let today = || async { house.get(&guest, "/api/me/limits").await.ok()["wagered_today"].clone() };
        for turn in ["a", "b", "c"] {
            let wager = json!({ "do": "wager", "amounts": ["20.00"] });
            act(&format!("w-{turn}"), wager).await.ok();
            assert_eq!(today().await, "20.00");
            act(&format!("t-{turn}"), json!({ "do": "withdraw" })).await.ok();
            assert_eq!(today().await, "0.00", "{turn}");
        }
        let found = tokio::task::block_in_place(|| server::audit(&house.options)).expect("audited");
        assert!(found.passes);
    }
}
