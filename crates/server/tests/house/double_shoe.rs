//! A double shoe at an automatic table, 19:47-2.6(d): each side has its own shuffle and commitment, the determinant
//! card decides which side deals, and one side continues while the other is shuffled.

use crate::bot::{Bot, play};
use crate::client::House;
use serde_json::{Value, json};
use server::{Against, audit, verify};
use std::collections::BTreeMap;

const HOUSE: &str = "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n\
    [[table]]\nrules = \"nj-blackjack\"\nset = [\"shoe=double\", \"decks=2\", \"cut_behind=0.6\"]\n";

/// A player's notes on each shoe: its side, and the commitment when first seen.
#[derive(Default)]
struct Noted(BTreeMap<i64, (String, String)>);

impl Noted {
    fn note(&mut self, view: &Value) {
        for shoe in [&view["shoe"], &view["shoe"]["other"]] {
            let text = |key: &str| shoe[key].as_str().unwrap_or_else(|| panic!("{key} of {shoe}")).to_owned();
            let number = shoe["number"].as_i64().expect("a number");
            let known = self.0.entry(number).or_insert_with(|| (text("side"), text("commitment")));
            assert_eq!(*known, (text("side"), text("commitment")), "shoe {number} stays what it was");
        }
    }
}

/// Plays until somebody must make a decision.
async fn in_the_middle(bots: &mut [Bot<'_>]) -> Value {
    for _ in 0..200 {
        let view = bots[0].view().await;
        if view["awaiting"]["what"] == "decision" {
            return view;
        }
        if view["awaiting"]["what"] == "wagers" && view["boxes"].as_array().is_some_and(Vec::is_empty) {
            bots[0].wager().await.ok();
        }
        bots[0].act(json!({ "do": "deal" })).await;
        for bot in bots.iter_mut() {
            bot.answer(&view).await;
        }
    }
    panic!("no decision came up");
}

fn without_time(view: &Value) -> Value {
    let mut view = view.clone();
    for key in ["version", "at", "deadline_ms", "events"] {
        view.as_object_mut().expect("an object").remove(key);
    }
    view
}

/// Returns the cards dealt from each side, in order, according to the history of the rounds.
async fn cards_of_sides(house: &House, token: &str, rounds: i64) -> BTreeMap<String, Vec<String>> {
    let mut sides: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for round in 1..rounds {
        let told = house.get(token, &format!("/api/tables/1/rounds/{round}")).await.ok();
        let mut deals = String::new();
        let steps = told["steps"].as_array().expect("steps").iter();
        for event in steps.flat_map(|step| step["events"].as_array().expect("events")) {
            let word = |key: &str| event[key].as_str().expect("a word").to_owned();
            match event["event"].as_str().expect("a name") {
                "determined" => {
                    deals = word("deals");
                    let red = matches!(word("card").chars().last(), Some('h' | 'd'));
                    assert_eq!(deals, if red { "red" } else { "black" }, "{event}");
                    assert_eq!(event["clause"], "19:47-2.6(d)2", "{event}");
                    sides.entry(word("drawn_from")).or_default().push(word("card"));
                }
                "dealt" => sides.entry(deals.clone()).or_default().push(word("card")),
                _ => {}
            }
        }
        assert!(!deals.is_empty(), "no determinant card in round {round}: {told}");
    }
    sides
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_are_dealt_shuffled_restarted_audited_and_opened() {
    let mut house = House::with(HOUSE, None).await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "aud", "auditor").await;
    let mut noted = Noted::default();
    for part in 0..4 {
        let mut bots = Vec::new();
        for seat in 1..=3 {
            bots.push(Bot::guest(&house, 1, seat).await);
        }
        for _ in 0..15 {
            noted.note(&bots[0].view().await);
            play(&mut bots, 1).await;
        }
        let before = if part == 3 { bots[0].view().await } else { in_the_middle(&mut bots).await };
        noted.note(&before);
        let middle = bots.remove(0);
        let (token, seat) = (middle.token.clone(), middle.seat);
        drop((middle, bots));
        house = house.reopened().await;
        let after = house.get(&token, "/api/tables/1").await.ok()["view"].clone();
        assert_eq!(without_time(&before), without_time(&after), "a restart changes nothing");
        // The player who was asked when the house closed finishes the round.
        for _ in 0..20 {
            let view = house.get(&token, "/api/tables/1").await.ok()["view"].clone();
            if view["awaiting"]["what"] == "wagers" {
                break;
            }
            let body =
                json!({ "id": crate::bot::fresh_id(), "round": view["round"], "do": "stand", "box": seat });
            house.post(&token, "/api/tables/1/actions", body).await;
        }
    }
    let last = house.get("", "/api/tables/1").await.ok()["view"].clone();
    noted.note(&last);
    let sides = cards_of_sides(&house, &auditor, last["round"].as_i64().expect("a round")).await;

    let mut opened: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, (side, commitment)) in &noted.0 {
        let answer = house.get("", &format!("/api/tables/1/shoes/{number}")).await;
        let dealing = [&last["shoe"]["number"], &last["shoe"]["other"]["number"]].contains(&&json!(number));
        assert_eq!(answer.status, if dealing { 404 } else { 200 }, "shoe {number}");
        if !dealing {
            let opening: server::Opening = serde_json::from_value(answer.ok()).expect("an opening");
            let verdict = verify(&opening, Against { commitment: Some(commitment), ..Against::default() });
            assert!(verdict.holds, "{verdict:?}");
            let drawn = opening.drawn.split(' ').count();
            // 104 cards per side, 62 or 63 behind the cut card
            assert!((42..80).contains(&drawn), "{drawn} of shoe {number}");
            opened.entry(side.clone()).or_default().extend(opening.drawn.split(' ').map(str::to_owned));
        }
    }
    let numbers: Vec<i64> = noted.0.keys().copied().collect();
    assert_eq!(numbers, (1..=noted.0.len() as i64).collect::<Vec<_>>(), "every shoe was seen");
    for side in ["red", "black"] {
        let (dealt, opened) = (&sides[side], &opened[side]);
        assert!(opened.len() > 42, "a {side} shoe came to its end");
        assert_eq!(&dealt[..opened.len()], opened.as_slice(), "the {side} cards dealt are those opened");
    }
    let options = house.options.clone();
    house.close().await;
    let found = tokio::task::spawn_blocking(move || audit(&options)).await.expect("ended").expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_training_table_has_a_double_shoe_too() {
    let house = House::open().await;
    let guest = house.guest().await;
    let table = json!({ "rules": "nj-blackjack", "set": ["shoe=double", "decks=2"] });
    let opened = house.post(&guest, "/api/training", table).await.ok();
    assert_eq!((&opened["shoe"]["side"], &opened["shoe"]["other"]["side"]), (&json!("red"), &json!("black")));
    let act = async |action: Value| house.post(&guest, "/api/training/actions", action).await.ok();
    let arrange = async |cards: &str| {
        let body = json!({ "cards": cards });
        house.call(&guest, "PUT", "/api/training/cards", Some(body)).await.ok()
    };
    // Both sides are full, so the determinant card is drawn from the red one.
    for (cards, deals, first) in [("Th 6c 7s Kd", "red", "Th"), ("Tc 6c 7s Kd", "black", "")] {
        if deals == "black" {
            house
                .post(&guest, "/api/training", json!({ "rules": "nj-blackjack", "set": ["shoe=double"] }))
                .await
                .ok();
        }
        arrange(cards).await;
        act(json!({ "do": "wager", "box": 1, "amounts": ["10.00"] })).await;
        let view = act(json!({ "do": "deal" })).await;
        assert_eq!(view["shoe"]["side"], deals);
        if deals == "red" {
            assert_eq!(view["boxes"][0]["hands"][0]["cards"], json!([first, "7s"]));
            assert_eq!(view["dealer"]["cards"], json!(["6c"]));
            let values = house.get(&guest, "/api/training/coach").await.ok();
            assert!(values["actions"].as_array().is_some_and(|all| all.len() > 1), "{values}");
        } else {
            assert_eq!(view["shoe"]["other"]["left"], 8 * 52 - 1, "the determinant card was burned");
        }
    }
}
