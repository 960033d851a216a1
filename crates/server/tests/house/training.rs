//! Training tables: private, coached, and not part of the books.

use crate::client::House;
use serde_json::{Value, json};

async fn act(house: &House, token: &str, action: Value) -> Value {
    house.post(token, "/api/training/actions", action).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_knows_every_action_and_what_a_choice_cost() {
    let house = House::open().await;
    let guest = house.guest().await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "otto", "auditor").await;
    let me = house.get(&guest, "/api/me").await.ok()["person"].clone();
    let mine = format!("/api/journal?limit=500&person={me}");
    let before = house.get(&auditor, &mine).await.ok();
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
            let cost = view["coach"][0]["cost"].as_f64().expect("a cost");
            assert!((cost - (best - stand)).abs() < 1e-9, "{cost} {best} {stand}");
            judged += 1;
        }
        if judged >= 3 {
            break;
        }
    }
    assert!(judged >= 3);
    assert_eq!(house.get(&auditor, &mine).await.ok(), before, "training leaves no record");
    assert_eq!(house.get(&guest, "/api/me").await.ok()["play"], "1000.00", "and moves no chips");
    let other = house.guest().await;
    assert_eq!(house.get(&other, "/api/training").await.status, 404, "it is private");
    let unlawful =
        house.post(&guest, "/api/training", json!({ "rules": "nj-blackjack", "set": ["positions=7"] })).await;
    assert_eq!((unlawful.status, unlawful.code().as_str()), (400, "seven-boxes-three-hands"));
    let unknown = house.call(&guest, "PUT", "/api/training/cards", Some(json!({ "cards": "As 1x" }))).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (400, "unknown-card"));
    assert_eq!(unknown.json()["error"]["params"], json!({ "card": "1x" }), "a page says it in its own words");
}

/// Opens a training table, arranges its cards, bets and deals.
async fn dealt(house: &House, token: &str, rules: &str, amounts: Value, cards: &str) -> Value {
    house.post(token, "/api/training", json!({ "rules": rules })).await.ok();
    house.call(token, "PUT", "/api/training/cards", Some(json!({ "cards": cards }))).await.ok();
    act(house, token, json!({ "do": "wager", "box": 1, "amounts": amounts })).await;
    act(house, token, json!({ "do": "deal" })).await
}

async fn judged(house: &House, token: &str, action: Value) -> (Value, Vec<(String, String, String, bool)>) {
    let mut action = action;
    action["coach"] = true.into();
    let view = act(house, token, action).await;
    let text = |v: &Value, key: &str| v[key].as_str().expect("a word").to_owned();
    let list = view["coach"].as_array().expect("verdicts").iter();
    let told = list.map(|v| {
        (text(v, "about"), text(v, "best"), text(v, "chosen"), v["cost"].as_f64().expect("a cost") > 0.0)
    });
    let told = told.collect();
    (view, told)
}

fn verdict(about: &str, best: &str, chosen: &str) -> (String, String, String, bool) {
    (about.into(), best.into(), chosen.into(), best != chosen)
}

#[tokio::test(flavor = "multi_thread")]
async fn arranged_cards_come_in_their_order_and_every_kind_of_choice_is_judged() {
    let house = House::open().await;
    let guest = house.guest().await;
    let ten = json!(["10.00"]);

    let view = dealt(&house, &guest, "nj-blackjack", ten.clone(), "Ts Ah 6d").await;
    assert_eq!(view["boxes"][0]["hands"][0]["cards"], json!(["Ts", "6d"]));
    assert_eq!(view["dealer"]["cards"], json!(["Ah"]));
    assert_eq!(view["awaiting"]["offer"], "insurance");
    let (_, told) = judged(&house, &guest, json!({ "do": "insure", "box": 1, "amounts": ["5.00"] })).await;
    assert_eq!(told, [verdict("insurance", "decline", "insure")]);
    let busy = house.call(&guest, "PUT", "/api/training/cards", Some(json!({ "cards": "As" }))).await;
    assert_eq!(
        (busy.status, busy.code().as_str()),
        (409, "cards-between-rounds"),
        "not in the middle of a round"
    );

    dealt(&house, &guest, "nj-double-attack", ten.clone(), "6h").await;
    let (_, told) = judged(&house, &guest, json!({ "do": "decline", "box": 1, "offer": "attack" })).await;
    assert_eq!(told, [verdict("attack", "attack", "pass")]);

    let view = dealt(&house, &guest, "nj-triple-attack", ten.clone(), "As 6h").await;
    assert_eq!(view["awaiting"]["offer"], "second-attack");
    let (view, told) = judged(&house, &guest, json!({ "do": "attack", "box": 1, "amount": "10.00" })).await;
    assert_eq!(told, [verdict("attack", "attack", "attack")]);
    assert_eq!(view["awaiting"]["offer"], "third-attack");
    let (_, told) =
        judged(&house, &guest, json!({ "do": "decline", "box": 1, "offer": "third-attack" })).await;
    assert_eq!(told, [verdict("attack", "attack", "pass")]);

    // 15 and 16, which a switch turns into 20 and 11.
    let view = dealt(&house, &guest, "nj-switch", ten.clone(), "Ts 6s 6h 5d Td").await;
    assert_eq!(view["boxes"][0]["hands"][0]["cards"], json!(["Ts", "5d"]));
    let (_, told) = judged(&house, &guest, json!({ "do": "stand", "box": 1 })).await;
    assert_eq!(told[0], verdict("switch", "switch", "keep"));
    assert_eq!((told.len(), told[1].0.as_str()), (2, "hand"));
    dealt(&house, &guest, "nj-switch", ten.clone(), "Ts 6s 6h 5d Td").await;
    let (view, told) = judged(&house, &guest, json!({ "do": "switch", "box": 1 })).await;
    assert_eq!(told, [], "it may still be taken back");
    assert_eq!(view["boxes"][0]["hands"][0]["cards"], json!(["Ts", "Td"]));
    let (_, told) = judged(&house, &guest, json!({ "do": "stand", "box": 1 })).await;
    assert_eq!(told, [verdict("hand", "stand", "stand")], "even now");
    let (_, told) = judged(&house, &guest, json!({ "do": "double", "box": 1 })).await;
    assert_eq!(told, [verdict("switch", "switch", "switch"), verdict("hand", "double", "double")]);
    dealt(&house, &guest, "nj-switch", ten, "Ts 6s 6h 5d Td").await;
    act(&house, &guest, json!({ "do": "switch", "box": 1 })).await;
    let (_, told) = judged(&house, &guest, json!({ "do": "revoke", "box": 1 })).await;
    assert_eq!(told, [verdict("switch", "switch", "keep")], "taken back for good");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_member_practised_goes_with_the_account() {
    let house = House::open().await;
    let (ann, bob, guest) = (house.player("ann").await, house.player("bob").await, house.guest().await);
    let place = "/api/training/memory/nj-blackjack";
    let kind = |seen: u32| json!({ "hand": "Ts 6h", "up": "Td", "asks": "play", "level": 1, "due": 9, "seen": seen, "wrong": 1, "cost": 0.02 });
    let day = json!({ "hands": 7, "right": 6, "cost": 0.02 });
    let news = |id: &str, known: Value| json!({ "id": id, "turn": 7, "known": known, "days": { "2026-11-16": day } });
    let put = async |token: &str, place: &str, body: Value| {
        house.call(token, "PUT", place, Some(body)).await.status
    };
    let both = json!({ "16 against 10": kind(3), "soft 18 against 9": kind(1) });
    assert_eq!(put(&ann, place, news("m1", both)).await, 204);
    assert_eq!(put(&ann, place, news("m2", json!({ "16 against 10": kind(4) }))).await, 204);
    let told = house.get(&ann, place).await.ok();
    assert_eq!(told["turn"], 7);
    assert_eq!(told["known"]["16 against 10"]["seen"], 4, "what is new takes its place");
    assert_eq!(told["known"]["soft 18 against 9"]["hand"], "Ts 6h", "what is not named stays");
    assert_eq!(told["days"]["2026-11-16"]["hands"], 7);
    let nothing = json!({ "turn": 0, "known": {}, "days": {} });
    assert_eq!(house.get(&bob, place).await.ok(), nothing, "another's");
    assert_eq!(house.get(&ann, "/api/training/memory/nj-switch").await.ok(), nothing, "another table's");
    assert_eq!(house.get(&guest, place).await.status, 409, "a guest has no account");
    assert_eq!(house.get(&ann, "/api/training/memory/nowhere").await.status, 404);
    let bad = |field: &str, value: Value| {
        let mut kind = kind(1);
        kind[field] = value;
        news(field, json!({ "x": kind }))
    };
    assert_eq!(put(&ann, place, bad("hand", json!("Zz"))).await, 400);
    assert_eq!(put(&ann, place, bad("removed", json!("As ".repeat(1_000)))).await, 400);
    let many = (0..200).map(|n| (n.to_string(), kind(1))).collect::<serde_json::Map<_, _>>();
    assert_eq!(put(&ann, place, news("m3", many.into())).await, 400, "too much at once");
    assert!(server::audit(&house.options).expect("audited").passes);
}

/// Practice data is overwritten in place, and not journaled.
#[tokio::test(flavor = "multi_thread")]
async fn practice_fills_neither_the_journal_nor_the_disk() {
    let house = House::open().await;
    let ann = house.player("ann").await;
    let head = async || house.get("", "/api/journal/head").await.ok()["seq"].clone();
    let before = head().await;
    let kind = json!({ "hand": "Ts 6h", "up": "Td", "removed": "2s ".repeat(400).trim(), "asks": "play", "level": 1,
        "due": 9, "seen": 3, "wrong": 1, "cost": 0.02 });
    let mut refused = 0;
    for n in 0..60_usize {
        // The same forty again and again, and in between forty others, as long as they are accepted.
        let first = if n % 2 == 0 { 0 } else { n * 40 };
        let known: serde_json::Map<_, _> =
            (first..first + 40).map(|n| (format!("kind {n}"), kind.clone())).collect();
        let body = json!({ "id": format!("m{n}"), "turn": n, "known": known, "days": {} });
        let answer = house.call(&ann, "PUT", "/api/training/memory/nj-blackjack", Some(body)).await;
        assert!(answer.status == 204 || answer.code() == "drill-full", "{}", answer.body);
        refused += usize::from(answer.status == 409);
    }
    assert!(refused > 10, "a table's memory has an end");
    assert_eq!(head().await, before, "it is no record");
    let size = |name: &str| std::fs::metadata(house.options.data.join(name)).map_or(0, |file| file.len());
    let (file, log) = (size("practice.sqlite"), size("practice.sqlite-wal"));
    assert!(file > 0 && file + log < 4 << 20, "{file} {log}");
    let house = house.reopened().await;
    let ann = crate::client::token(house.sign_in("ann", "correct horse").await.ok());
    let told = house.get(&ann, "/api/training/memory/nj-blackjack").await.ok();
    assert_eq!(told["known"]["kind 0"]["seen"], 3, "it outlives a restart");
}

/// A lab that answers too late: the round goes on without its verdict.
#[tokio::test(flavor = "multi_thread")]
async fn the_cards_do_not_wait_for_a_late_coach() {
    let file = "[[table]]\nrules = \"nj-blackjack\"\n";
    let slow = |options: &mut server::Options, _: &std::path::Path| {
        options.lab_worker = Some(vec!["sleep".into(), "15".into()]);
    };
    let house = House::with_options(file, slow).await;
    let guest = house.guest().await;
    house.post(&guest, "/api/training", json!({ "rules": "nj-blackjack" })).await.ok();
    house.call(&guest, "PUT", "/api/training/cards", Some(json!({ "cards": "Ts 6h 6d Td 9c" }))).await;
    act(&house, &guest, json!({ "do": "wager", "box": 1, "amounts": ["10.00"] })).await;
    act(&house, &guest, json!({ "do": "deal" })).await;
    let begun = std::time::Instant::now();
    let view = act(&house, &guest, json!({ "do": "stand", "box": 1, "coach": true })).await;
    assert!(begun.elapsed().as_secs() < 13, "{:?}", begun.elapsed());
    assert_eq!((&view["awaiting"]["what"], view.get("coach")), (&json!("wagers"), None));
}
