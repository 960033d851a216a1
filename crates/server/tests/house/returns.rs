//! Actual against theoretical return: what the bets took and paid matches the day's report, also across a restart.

use crate::bot::{Bot, play};
use crate::client::House;
use serde_json::Value;
use server::audit;

const HOUSE: &str = "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n\
    [[table]]\nrules = \"nj-switch\"\n";

fn cents(money: &Value) -> i64 {
    let text = money.as_str().unwrap_or_else(|| panic!("{money} is not money"));
    text.replace('.', "").parse().expect("cents")
}

/// Returns each bet with its count, its stakes and the players' net win.
async fn returns(house: &House, token: &str) -> Vec<(String, u64, i64, i64)> {
    let all = house.get(token, "/api/returns").await.ok();
    let row = |row: &Value| {
        let wagers = row["wagers"].as_u64().expect("a number");
        assert!(row["theoretical"].as_f64().is_none_or(|back| (0.5..1.01).contains(&back)), "{row}");
        assert_eq!(row["alarm"], false, "{row}");
        (row["wager"].as_str().expect("a name").to_owned(), wagers, cents(&row["staked"]), cents(&row["net"]))
    };
    all.as_array().expect("wagers").iter().map(row).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_wagers_won_is_what_the_patrons_won() {
    let house = House::with(HOUSE, None).await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "auditor", "auditor").await;
    {
        let mut bots = [Bot::guest(&house, 1, 1).await, Bot::guest(&house, 1, 2).await];
        play(&mut bots, 40).await;
    }
    let found = returns(&house, &auditor).await;
    let report = house.get(&auditor, "/api/reports/today").await.ok();
    let day = &report["tables"][0];
    let won: i64 = found.iter().map(|(_, _, _, net)| net).sum();
    assert_eq!(won, cents(&day["returned"]) - cents(&day["wagered"]), "{found:?} {day}");
    let main = found.iter().find(|(name, ..)| name == "main").expect("the main game");
    assert_eq!(main.1, 80, "two patrons, forty rounds");
    assert!(found.iter().any(|(name, wagers, ..)| name == "match" && *wagers == 80), "{found:?}");
    let guest = house.guest().await;
    assert_eq!(house.get(&guest, "/api/returns").await.status, 403, "no patron's business");

    let mut house = house.reopened().await;
    assert_eq!(returns(&house, &auditor).await, found, "counted from the journal");
    house.close().await;
    assert!(audit(&house.options).expect("audited").passes);
}
