//! An action applies to the round it was made for, or not at all.

use crate::bot::{Bot, fresh_id};
use crate::client::House;
use crate::play::{audit_passes, until_decision};
use serde_json::{Value, json};

const PATH: &str = "/api/tables/1/actions";

/// The actions that apply to no round of their own.
const UNBOUND: [&str; 16] = [
    "sit",
    "consent",
    "share",
    "reveal",
    "ask-reshuffle",
    "perform",
    "correct",
    "relieve",
    "take-over",
    "idle",
    "call-floor",
    "end-call",
    "answer-call",
    "reshuffle",
    "recut",
    "admit",
];

/// Tries every action of the OpenAPI document.
#[tokio::test(flavor = "multi_thread")]
async fn every_action_on_a_round_names_it_and_applies_to_no_other() {
    let house = House::with(
        "[timings]\nbetting_ms = 60000\n[rates]\nrequests_per_second = 1000\nrequests_at_once = 1000\n\
         [[table]]\nrules = \"nj-blackjack\"\n",
        None,
    )
    .await;
    let guest = house.guest().await;
    let document = server::openapi();
    let kinds = document.pointer("/components/schemas/Action/discriminator/mapping");
    let kinds = kinds.and_then(Value::as_object).expect("the kinds of actions");
    assert!(UNBOUND.iter().all(|kind| kinds.contains_key(*kind)), "{kinds:?}");
    for (kind, place) in kinds {
        let fields = place.as_str().and_then(|place| document.pointer(&place[1..]));
        let fields =
            fields.and_then(|schema| schema["properties"].as_object()).expect("the fields of the action");
        let action = |round: Value| {
            let side = if kind == "determinant" { json!("red") } else { json!({}) };
            let mut action = json!({
                "id": fresh_id(), "round": round, "do": kind, "box": 1, "amounts": ["10.00"], "side": side,
                "amount": "10.00", "offer": "insurance", "hash": "ab".repeat(32), "nonce": "ab".repeat(32), "at": 100,
                "hand": 1, "take": true, "step": "shuffle", "card": "As", "blackjack": false, "bettor": 0,
                "irregularity": "found-face-up", "what": "bonus", "person": 1,
            });
            action.as_object_mut().expect("an object").retain(|field, _| fields.contains_key(field));
            action
        };
        let unnamed = house.post(&guest, PATH, action(Value::Null)).await;
        let another = house.post(&guest, PATH, action(json!(2))).await;
        let (status, code) = (another.status, another.code());
        match UNBOUND.contains(&kind.as_str()) {
            true => assert_ne!(unnamed.code(), "round", "{kind}"),
            false => {
                assert_eq!(
                    (unnamed.status, unnamed.code().as_str()),
                    (400, "round"),
                    "{kind}: {}",
                    unnamed.body
                );
                assert_eq!((status, code.as_str()), (409, "another-round"), "{kind}: {}", another.body);
            }
        }
    }
    assert_eq!(house.get(&guest, "/api/me").await.ok()["play"], "1000.00", "no bet was placed");
}

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
    let refused = async |action: Value, status: u16, code: &str| {
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

/// A copy of a refused request may arrive later, when it would be accepted.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_is_refused_whenever_it_comes_again() {
    let house = House::with(
        "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n[[table]]\nrules = \"nj-blackjack\"\n",
        None,
    )
    .await;
    let mut bot = Bot::guest(&house, 1, 1).await;
    let refused = async |token: &str, action: &Value| {
        let answer = house.post(token, PATH, action.clone()).await;
        assert_eq!(answer.status, 409, "{}", answer.body);
        answer.body
    };
    // Some rounds end before anybody decides.
    let (stand, first, view) = loop {
        let round = bot.view().await["round"].as_i64().expect("a round");
        let stand = json!({ "id": fresh_id(), "round": round, "do": "stand", "box": 1 });
        let deal = json!({ "id": fresh_id(), "round": round, "do": "deal" });
        let (no_stand, no_deal) = (refused(&bot.token, &stand).await, refused(&bot.token, &deal).await);
        let wager =
            json!({ "id": fresh_id(), "round": round, "do": "wager", "box": 1, "amounts": ["10.00"] });
        house.post(&bot.token, PATH, wager).await.ok();
        assert_eq!(refused(&bot.token, &deal).await, no_deal);
        let view = until_decision(&mut bot).await;
        if view["round"].as_i64() == Some(round) {
            break (stand, no_stand, view);
        }
        while bot.view().await["boxes"].as_array().is_some_and(|boxes| !boxes.is_empty()) {
            let view = bot.view().await;
            bot.answer(&view).await;
        }
    };
    assert_eq!(refused(&bot.token, &stand).await, first);
    assert_eq!(bot.view().await["awaiting"], view["awaiting"], "nothing was carried out");
    let other = json!({ "id": stand["id"], "round": stand["round"], "do": "hit", "box": 1 });
    assert!(refused(&bot.token, &other).await.contains("id-used"));
    audit_passes(&house).await;
}
