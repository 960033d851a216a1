//! An action applies to the round it was made for, or not at all.

use crate::bot::{Bot, fresh_id};
use crate::client::House;
use crate::play::{audit_passes, until_decision};
use serde_json::json;

const PATH: &str = "/api/tables/1/actions";

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_names_its_round_and_applies_to_no_other() {
    let house = House::with(
        "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n[[table]]\nrules = \"nj-blackjack\"\n",
        None,
    )
    .await;
    let mut bot = Bot::guest(&house, 1, 1).await;
    let view = until_decision(&mut bot).await;
    let (round, version) =
        (view["round"].as_i64().expect("a round"), view["version"].as_u64().expect("a version"));
    let refused = async |action: serde_json::Value, status: u16, code: &str| {
        let answer = house.post(&bot.token, PATH, action).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{}", answer.body);
        assert!(answer.body.contains("round") || answer.body.contains("version"), "{}", answer.body);
    };
    refused(json!({ "id": fresh_id(), "do": "stand", "box": 1 }), 400, "round").await;
    let late = fresh_id();
    refused(json!({ "id": late, "round": round - 1, "do": "stand", "box": 1 }), 409, "another-round").await;
    refused(json!({ "id": late, "round": round + 1, "do": "stand", "box": 1 }), 409, "another-round").await;
    let other = json!({ "id": fresh_id(), "round": round, "version": version + 1, "do": "stand", "box": 1 });
    refused(other, 409, "another-version").await;
    assert_eq!(bot.view().await["awaiting"], view["awaiting"], "nothing was carried out");
    // A repeated command gets its original answer, even after the round is over.
    let id = fresh_id();
    let stand = json!({ "id": id, "round": round, "version": version, "do": "stand", "box": 1 });
    let done = house.post(&bot.token, PATH, stand.clone()).await.ok();
    while bot.view().await["round"] == round {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let again = house.post(&bot.token, PATH, stand).await.ok();
    assert_eq!((&again["seq"], &again["repeated"]), (&done["seq"], &json!(true)));
    let wager = |round: i64| json!({ "id": fresh_id(), "round": round, "do": "wager", "box": 1, "amounts": ["10.00"] });
    refused(wager(round), 409, "another-round").await;
    house.post(&bot.token, PATH, wager(round + 1)).await.ok();
    refused(json!({ "id": fresh_id(), "round": round, "do": "deal" }), 409, "another-round").await;
    audit_passes(&house).await;
}
