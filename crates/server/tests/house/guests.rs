//! Guests who do not return are removed, and the books balance.

use crate::bot::fresh_id;
use crate::client::{House, token};
use serde_json::{Value, json};
use server::audit;
use std::sync::atomic::Ordering;
use std::time::Duration;

const DAY_MS: i64 = 86_400_000;

async fn names(house: &House, supervisor: &str) -> Vec<String> {
    let people = house.get(supervisor, "/api/staff/people?limit=100").await.ok();
    let items = people["items"].as_array().expect("people");
    items.iter().filter_map(|person| person["name"].as_str().map(str::to_owned)).collect()
}

/// Unconfirmed time removes nobody. Members stay, and so do all guests if the house file sets no limit.
#[tokio::test(flavor = "multi_thread")]
async fn guests_who_do_not_come_back_are_removed() {
    for forgets in [true, false] {
        let lines = if forgets { "[sessions]\nforget_guests_days = 1\n" } else { "" };
        let house = House::with(lines, None).await;
        let first = house.first_supervisor().await;
        house.hire(&first, "otto", "auditor").await;
        house.player("ann").await;
        let guest = house.guest().await;
        let me: Value = house.get(&guest, "/api/me").await.ok();
        let name = me["name"].as_str().expect("a name").to_owned();

        let later = |options: &server::Options| options.clock_shift_ms.store(3 * DAY_MS, Ordering::Relaxed);
        let house = house.reopened_after(later).await;
        let enter = async |house: &House, name: &str| token(house.sign_in(name, "battery staple").await.ok());
        let supervisor = enter(&house, "supervisor").await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(names(&house, &supervisor).await.contains(&name), "nobody has confirmed the three days");
        let machine = house.get(&supervisor, "/api/clock").await.ok()["machine"].clone();
        let confirmed = json!({ "id": fresh_id(), "time": machine, "reason": "my watch says so" });
        house.post(&supervisor, "/api/clock/confirmation", confirmed).await.ok();

        let house = house.reopened().await;
        let (supervisor, auditor) = (enter(&house, "supervisor").await, enter(&house, "otto").await);
        let mut there = true;
        for _ in 0..20 {
            there = names(&house, &supervisor).await.contains(&name);
            if !there {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(there, !forgets);
        assert!(names(&house, &supervisor).await.contains(&"ann".to_owned()));
        assert_eq!(house.get(&guest, "/api/me").await.status, 401);
        let records = house.get(&auditor, "/api/journal?kind=guest-removed").await.ok();
        let removed = records["items"].as_array().expect("records");
        assert_eq!(removed.len(), usize::from(forgets), "{records}");
        for record in removed {
            assert_eq!(record["event"]["person"], me["person"]);
            assert_eq!(
                (&record["legs"][0]["amount"], &record["legs"][0]["after"]),
                (&json!("-1000.00"), &json!("0.00"))
            );
        }
        assert_eq!(house.get(&supervisor, "/api/reports/today").await.ok()["reconciles"], true);
        let found = audit(&house.options).expect("audited");
        assert!(found.passes, "{:?}", found.first_bad);
    }
}
