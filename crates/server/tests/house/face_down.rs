//! What lies face down: in no view, no record, and no list of actions but its player's.

use crate::bot::Bot;
use crate::client::House;
use crate::play::{one_table, until_decision};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_face_down_is_in_no_view() {
    let house = House::with(&one_table("nj-blackjack-reader"), None).await;
    let mut bot = Bot::guest(&house, 1, 1).await;
    let view = until_decision(&mut bot).await;
    assert_eq!(view["dealer"]["hole"], true);
    assert_eq!(view["dealer"]["cards"].as_array().expect("cards").len(), 1);
    let round = view["round"].as_i64().expect("a round");
    let hidden = house.get(&bot.token, &format!("/api/tables/1/rounds/{round}")).await;
    assert_eq!(hidden.status, 404, "a round in play is not told");
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "aud", "auditor").await;
    let journal = house.get(&auditor, "/api/journal?limit=500").await;
    assert!(
        !journal.body.contains("card ") && !journal.body.contains("shoe "),
        "records of tables show no deeds"
    );
    let data = std::fs::read(house.options.data.join("house.sqlite-wal")).unwrap_or_default();
    assert!(!data.is_empty());
}

/// A pair could be split, and no decision remains on a blackjack: only its player may learn that of a face-down hand.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_face_down_hand_may_do_only_its_player_is_told() {
    let house = House::with(&one_table("nj-six-to-five"), None).await;
    let mut bot = Bot::guest(&house, 1, 1).await;
    let (mut decisions, mut pairs) = (0, 0);
    let words = |awaiting: &Value| -> Vec<String> {
        let actions = awaiting["actions"].as_array().expect("actions").iter();
        actions.map(|action| action["action"].as_str().expect("a word").to_owned()).collect()
    };
    while decisions < 40 {
        let view = until_decision(&mut bot).await;
        let own = house.get(&bot.token, "/api/tables/1").await.ok()["private"].clone();
        let public = house.get("", "/api/tables/1").await.ok();
        assert_eq!(public["private"], json!([]));
        let public = &public["view"];
        if public["boxes"][0]["hands"][0]["face_down"] != 2 {
            bot.act(json!({ "do": "stand", "box": 1 })).await;
            continue;
        }
        assert_eq!(public["boxes"][0]["hands"][0]["state"], "open");
        assert_eq!(words(&public["awaiting"]), ["stand", "hit", "double", "split"], "{view}");
        assert_eq!(public["awaiting"]["not_now"], json!([]));
        let (cards, told) = (&own[0]["hands"][0]["cards"], words(&own[0]["awaiting"]));
        let [first, second] = [0, 1].map(|at| cards[at].as_str().expect("a card").as_bytes()[0]);
        let ten = |rank: u8| b"TJQK".contains(&rank);
        let pair = first == second || ten(first) && ten(second);
        assert!(told.contains(&"hit".to_owned()) && (pair || !told.contains(&"split".to_owned())), "{own}");
        pairs += usize::from(told.contains(&"split".to_owned()));
        decisions += 1;
        bot.act(json!({ "do": "stand", "box": 1 })).await;
    }
    assert!(pairs < decisions, "{pairs} of {decisions}");
}
