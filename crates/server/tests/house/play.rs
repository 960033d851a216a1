//! Live play over HTTP: every preset, restarts, absent players, fairness, repeated commands.

use crate::bot::{Bot, fresh_id, play};
use crate::client::{House, eventually, stores};
use crate::cluster;
use serde_json::{Value, json};
use server::{Against, audit, verify};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

const QUICK: &str = "[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n";

pub fn one_table(rules: &str) -> String {
    format!("{QUICK}[[table]]\nrules = \"{rules}\"\n")
}

async fn layout_is_empty(house: &House) {
    let supervisor = house.first_supervisor().await;
    let report = house.get(&supervisor, "/api/reports/today").await.ok();
    assert_eq!(report["reconciles"], true, "{report}");
    for class in report["classes"].as_array().expect("classes") {
        if class["holders"] == "layouts" {
            assert_eq!(class["closing"], "0.00", "chips are left on a layout: {class}");
        }
    }
}

pub async fn audit_passes(house: &House) {
    let options = house.options.clone();
    let found = tokio::task::spawn_blocking(move || audit(&options)).await.expect("ended").expect("audited");
    assert!(found.passes, "{:?}", found.first_bad);
    assert!(found.records > 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_preset_plays_whole_rounds_and_passes_the_audit() {
    let tables: String =
        rules::preset::PRESETS.iter().map(|(name, _)| format!("[[table]]\nrules = \"{name}\"\n")).collect();
    let house = House::with(&format!("{QUICK}{tables}"), None).await;
    for table in 1..=9 {
        let mut bots = vec![Bot::guest(&house, table, 1).await, Bot::guest(&house, table, 3).await];
        play(&mut bots, 12).await;
    }
    layout_is_empty(&house).await;
    audit_passes(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_are_stored_on_postgres_as_well() {
    let Some(cluster) = cluster::shared() else { return };
    let house = House::with(&one_table("nj-switch"), Some(cluster.database())).await;
    let mut bots = vec![Bot::guest(&house, 1, 2).await];
    play(&mut bots, 8).await;
    let guest = bots[0].token.clone();
    let view = bots[0].view().await;
    let house = house.reopened().await;
    let after = house.get(&guest, "/api/tables/1").await.ok()["view"].clone();
    assert_eq!((&after["round"], &after["shoe"]), (&view["round"], &view["shoe"]));
    audit_passes(&house).await;
}

/// Plays until somebody must decide, and returns the view.
pub async fn until_decision(bot: &mut Bot<'_>) -> Value {
    for _ in 0..200 {
        let view = bot.view().await;
        match view["awaiting"]["what"].as_str().unwrap_or_default() {
            "decision" => return view,
            "wagers" => {
                if view["boxes"].as_array().is_some_and(Vec::is_empty) {
                    bot.wager().await.ok();
                }
                bot.act(json!({ "do": "deal" })).await;
            }
            _ => {
                bot.answer(&view).await;
            }
        }
    }
    panic!("no decision came up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_of_a_hand_loses_nothing() {
    let house = House::with(&one_table("nj-blackjack-reader"), None).await;
    let mut bot = Bot::guest(&house, 1, 4).await;
    let mut before = until_decision(&mut bot).await;
    let (token, person) = (bot.token.clone(), bot.person);
    let money = house.get(&token, "/api/me").await.ok()["play"].clone();
    let house = house.reopened().await;
    let mut after = house.get(&token, "/api/tables/1").await.ok()["view"].clone();
    for view in [&mut before, &mut after] {
        for key in ["version", "at", "deadline_ms", "events"] {
            view.as_object_mut().expect("an object").remove(key);
        }
    }
    assert_eq!(before, after);
    assert_eq!(after["boxes"][0]["bettors"][0]["person"], person);
    assert_eq!(house.get(&token, "/api/me").await.ok()["play"], money);
    let stand = json!({ "id": fresh_id(), "round": after["round"], "do": "stand", "box": 4 });
    let done = house.post(&token, "/api/tables/1/actions", stand).await.ok();
    assert!(done["seq"].as_i64().expect("a record") > 0);
    audit_passes(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_absent_player_is_played_by_the_published_rule_and_it_is_marked() {
    let house = House::with(
        "[timings]\nbetting_ms = 50\ndecision_ms = 50\n[[table]]\nrules = \"nj-blackjack\"\n",
        None,
    )
    .await;
    let bot = Bot::guest(&house, 1, 1).await;
    let mut marked = false;
    for round in 1..20 {
        bot.wager().await.ok();
        for _ in 0..300 {
            if bot.view().await["round"].as_i64().expect("a round") > round {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let told = house.get(&bot.token, &format!("/api/tables/1/rounds/{round}")).await.ok();
        let text = told.to_string();
        assert!(text.contains("\"event\":\"picked-up\"") && text.contains("\"clause\":"), "{text}");
        if text.contains("platform-for-absent") {
            marked = true;
            break;
        }
    }
    assert!(marked, "nobody was ever asked");
    audit_passes(&house).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_one_timeout_an_absent_player_holds_up_nobody() {
    let house = House::with(
        "[timings]\nbetting_ms = 60000\ndecision_ms = 5000\npause_ms = 0\n\
         [[table]]\nrules = \"nj-blackjack\"\nset = [\"boxes_per_player=2\"]\n",
        None,
    )
    .await;
    let absent = Bot::guest(&house, 1, 1).await;
    let mut seen = 0;
    // In a round with two boxes both are asked, unless blackjacks or an ace come between.
    for _ in 0..12 {
        let round = absent.view().await["round"].as_i64().expect("a round");
        absent.wager().await.ok();
        absent.act(json!({ "do": "wager", "box": 3, "amounts": ["10.00"] })).await.ok();
        absent.act(json!({ "do": "deal" })).await.ok();
        let begun = std::time::Instant::now();
        let mut asked = std::collections::BTreeSet::new();
        loop {
            let view = absent.view().await;
            if view["round"].as_i64().expect("a round") > round {
                break;
            }
            asked.extend(view["awaiting"]["box"].as_i64());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if asked.len() == 2 {
            let took = begun.elapsed();
            assert!(took > Duration::from_millis(4900), "the first decision has its whole time: {took:?}");
            assert!(took < Duration::from_millis(8500), "the second waits a moment only: {took:?}");
            seen += 1;
            break;
        }
    }
    assert_eq!(seen, 1, "no round asked both boxes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_solo_table_is_its_players_alone_has_no_clock_and_comes_back_from_the_journal() {
    let house = House::with(
        "[timings]\nbetting_ms = 50\ndecision_ms = 50\npause_ms = 0\n[[table]]\nrules = \"nj-blackjack\"\n",
        None,
    )
    .await;
    let (mine, other) = (house.guest().await, house.guest().await);
    let solo = house.post(&mine, "/api/tables/1/solo", json!({})).await.ok()["table"].clone();
    assert_eq!(
        house.post(&mine, "/api/tables/1/solo", json!({})).await.ok()["table"],
        solo,
        "the same again"
    );
    let path = format!("/api/tables/{solo}");
    assert_eq!(house.get(&other, &path).await.status, 404, "nobody else's");
    assert_eq!(house.get("", &path).await.status, 404);
    let act = |action: serde_json::Value| {
        let (house, mine, path) = (&house, &mine, &path);
        async move {
            let mut action = action;
            action["id"] = fresh_id().into();
            action["round"] = 1.into();
            house.post(mine, &format!("{path}/actions"), action).await
        }
    };
    act(json!({ "do": "wager", "box": 3, "amounts": ["10.00"] })).await.ok();
    let told = house.get(&mine, &path).await.ok();
    assert_eq!(
        (&told["view"]["deadline_ms"], &told["card"]["solo"]),
        (&json!(null), &json!(true)),
        "no clock"
    );
    assert_eq!(told["view"]["awaiting"]["what"], "wagers", "the cards wait for their player");
    act(json!({ "do": "deal" })).await.ok();
    let asks = async || {
        let view = house.get(&mine, &path).await.ok()["view"].clone();
        view["round"] != told["view"]["round"]
            || ["decision", "offer"].iter().any(|what| view["awaiting"]["what"] == *what)
    };
    eventually("the cards lie", asks).await;
    let before = house.get(&mine, &path).await.ok()["view"].clone();
    let lobby = house.get(&mine, "/api/tables").await.ok();
    assert_eq!(lobby.as_array().map(Vec::len), Some(1), "not in the lobby");
    let house = house.reopened().await;
    let after = house.get(&mine, &path).await.ok()["view"].clone();
    assert_eq!((&before["round"], &before["boxes"]), (&after["round"], &after["boxes"]));
    audit_passes(&house).await;
}

/// Only its player and the staff can read the rounds of a solo table; nobody else can open the table by requesting it.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_reads_the_rounds_of_a_solo_table_or_opens_it() {
    let house = House::with(&one_table("nj-blackjack"), None).await;
    let supervisor = house.first_supervisor().await;
    let (mine, other) = (house.guest().await, house.guest().await);
    let solo = house.post(&mine, "/api/tables/1/solo", json!({})).await.ok()["table"].clone();
    let path = format!("/api/tables/{solo}");
    let act = async |mut action: serde_json::Value| {
        action["id"] = fresh_id().into();
        action["round"] = 1.into();
        house.post(&mine, &format!("{path}/actions"), action).await
    };
    act(json!({ "do": "wager", "box": 3, "amounts": ["10.00"] })).await.ok();
    let round = house.get(&mine, &path).await.ok()["view"]["round"].as_i64().expect("a number");
    act(json!({ "do": "deal" })).await.ok();
    for _ in 0..200 {
        let view = house.get(&mine, &path).await.ok()["view"].clone();
        if view["round"].as_i64() > Some(round) {
            break;
        }
        act(match view["awaiting"]["what"].as_str() {
            Some("offer") => {
                json!({ "do": "decline", "box": 3, "offer": view["awaiting"]["offer"] })
            }
            _ => json!({ "do": "stand", "box": 3 }),
        })
        .await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let ways = ["", "/csv", "/notation", "/analysis"].map(|way| format!("{path}/rounds/{round}{way}"));
    for way in &ways {
        assert_eq!(house.get(&other, way).await.status, 404, "{way}");
    }
    for way in &ways[..3] {
        assert_eq!(house.get(&mine, way).await.status, 200, "{way}");
    }
    assert_eq!(house.get(&supervisor, &ways[0]).await.status, 200, "staff look into every round");
    let house = house.reopened().await;
    let head = async || house.get("", "/api/journal/head").await.ok()["seq"].clone();
    // Waits until the house has written its opening records and the journal rests.
    let (mut before, mut since) = (head().await, std::time::Instant::now());
    while since.elapsed() < Duration::from_secs(1) {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let now = head().await;
        if now != before {
            (before, since) = (now, std::time::Instant::now());
        }
    }
    for way in &ways {
        assert_eq!(house.get(&other, way).await.status, 404, "{way}");
    }
    assert_eq!(head().await, before, "nobody else's question opens the table");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_now_says_why_with_its_clause() {
    let house = House::with(&one_table("nj-blackjack"), None).await;
    let bot = Bot::guest(&house, 1, 1).await;
    for _ in 0..30 {
        bot.wager().await.ok();
        bot.act(json!({ "do": "deal" })).await.ok();
        for _ in 0..8 {
            let view = bot.view().await;
            let awaiting = &view["awaiting"];
            if awaiting["what"] == "decision" {
                let words = |list: &serde_json::Value| -> Vec<String> {
                    let all = list.as_array().cloned().unwrap_or_default();
                    all.iter().map(|one| one["action"].as_str().unwrap_or_default().to_owned()).collect()
                };
                let mut all = [words(&awaiting["actions"]), words(&awaiting["not_now"])].concat();
                all.sort();
                assert_eq!(all, ["double", "hit", "split", "stand"], "each is legal or says why not");
                if let Some(refused) = awaiting["not_now"].as_array().expect("a list").first() {
                    let asked = json!({ "do": refused["action"], "box": 1 });
                    let answer = bot.act(asked).await.json()["error"].clone();
                    assert_eq!(
                        (&answer["message"], &answer["clause"]),
                        (&refused["why"], &refused["clause"])
                    );
                    return;
                }
            }
            let act = match awaiting["what"] == "offer" {
                true => json!({ "do": "decline", "box": 1, "offer": "insurance" }),
                false => json!({ "do": "stand", "box": 1 }),
            };
            bot.act(act).await;
        }
    }
    panic!("everything was always legal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_visit_is_no_error() {
    let house = House::open().await;
    let answer = house.get("", "/api/sessions/current").await;
    assert_eq!((answer.status, answer.json()), (200, json!(null)));
    let guest = house.guest().await;
    let told = house.get(&guest, "/api/sessions/current").await.ok();
    assert_eq!(told, house.get(&guest, "/api/me").await.ok());
    assert_eq!(house.get("", "/api/me").await.status, 401, "other addresses keep asking for a session");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_round_names_those_whom_its_reader_may_know() {
    let house = House::with(&one_table("nj-blackjack"), None).await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "aud", "auditor").await;
    let dealer = house.hire(&supervisor, "dea", "dealer").await;
    let mut bots = vec![Bot::guest(&house, 1, 1).await, Bot::guest(&house, 1, 3).await];
    play(&mut bots, 1).await;
    let mut everyone = serde_json::Map::new();
    let mut own = Vec::new();
    for bot in &bots {
        let me = house.get(&bot.token, "/api/me").await.ok();
        everyone.insert(bot.person.to_string(), me["name"].clone());
        own.push((bot.token.clone(), json!({ bot.person.to_string(): me["name"] })));
    }
    let everyone = Value::from(everyone);
    let strangers = [dealer, house.guest().await].map(|token| (token, json!({})));
    let books = [supervisor, auditor].map(|token| (token, everyone.clone()));
    for (token, names) in own.into_iter().chain(strangers).chain(books) {
        let told = house.get(&token, "/api/tables/1/rounds/1").await.ok();
        assert_eq!(told["names"], names);
        let hidden: Vec<&str> = everyone
            .as_object()
            .expect("names")
            .iter()
            .filter(|(person, _)| names.get(person).is_none())
            .filter_map(|(_, name)| name.as_str())
            .collect();
        assert!(hidden.iter().all(|name| !told.to_string().contains(name)), "{told}");
    }
}

/// Nobody can recognize other people across rounds: others have numbers that are valid for one round only.
#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_round_has_no_lasting_number_of_another_person() {
    let house = House::with(&one_table("nj-blackjack"), None).await;
    let supervisor = house.first_supervisor().await;
    let mut bots = vec![Bot::guest(&house, 1, 1).await, Bot::guest(&house, 1, 3).await];
    play(&mut bots, 1).await;
    let people: BTreeSet<i64> = bots.iter().map(|bot| bot.person).collect();
    let stranger = house.guest().await;
    let own = |bot: &Bot| (bot.token.clone(), BTreeSet::from([bot.person]));
    let readers = [own(&bots[0]), own(&bots[1]), (stranger, BTreeSet::new()), (supervisor, people.clone())];
    for (token, known) in readers {
        let path = "/api/tables/1/rounds/1";
        let told = house.get(&token, path).await.ok();
        let mut found = BTreeSet::new();
        persons(&told, &mut found);
        found.remove(&0);
        let (named, others): (BTreeSet<i64>, BTreeSet<i64>) = found.into_iter().partition(|n| *n > 0);
        assert_eq!(named, known, "{told}");
        assert_eq!(others.len(), people.len() - known.len(), "{told}");
        assert!(others.iter().all(|number| (-2..0).contains(number)), "{others:?}");
        let csv = house.get(&token, &format!("{path}/csv")).await.body;
        let column = |line: &str| line.split(',').nth(5).and_then(|n| n.parse::<i64>().ok());
        let listed: BTreeSet<i64> = csv.lines().skip(1).filter_map(column).collect();
        assert_eq!(listed, known.union(&others).copied().collect(), "{csv}");
        let notation = house.get(&token, &format!("{path}/notation")).await.body;
        let words: BTreeSet<&str> = notation.split_whitespace().collect();
        for person in &people {
            assert_eq!(words.contains(format!("p{person}").as_str()), known.contains(person), "{notation}");
        }
        let numbered = |word: &&str| word.strip_prefix("other").is_some_and(|n| n.parse::<u8>().is_ok());
        let hidden = words.into_iter().filter(numbered).count();
        assert_eq!(hidden, others.len(), "{notation}");
    }
}

/// Collects every number that a document gives a person.
pub fn persons(told: &Value, found: &mut BTreeSet<i64>) {
    match told {
        Value::Object(map) => {
            found.extend(map.get("person").and_then(Value::as_i64));
            map.values().for_each(|value| persons(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| persons(value, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shoe_is_committed_to_before_its_first_card_and_opened_after_its_last() {
    for database in stores() {
        let house = House::with(&one_table("nj-six-to-five"), database).await;
        let mut bots = vec![
            Bot::guest(&house, 1, 1).await,
            Bot::guest(&house, 1, 2).await,
            Bot::guest(&house, 1, 3).await,
        ];
        let first = bots[0].view().await["shoe"].clone();
        let commitment = first["commitment"].as_str().expect("published").to_owned();
        let number = first["number"].as_i64().expect("a number");
        let path = format!("/api/tables/1/shoes/{number}");
        assert_eq!(house.get("", &path).await.status, 404, "not before it is over");
        for _ in 0..40 {
            play(&mut bots, 1).await;
            if bots[0].view().await["shoe"]["number"] != number {
                break;
            }
        }
        let opening: server::Opening =
            serde_json::from_value(house.get("", &path).await.ok()).expect("an opening");
        let verdict = verify(&opening, Against { commitment: Some(&commitment), ..Against::default() });
        assert!(verdict.holds, "{verdict:?}");
        let drawn = opening.drawn.split(' ').count();
        assert!(drawn > 30, "{drawn}");
        let next = bots[0].view().await["shoe"].clone();
        assert_ne!(next["commitment"], commitment);
        let told = house.get(&bots[0].token, "/api/tables/1/rounds/1/notation").await;
        assert!(told.body.contains("table nj-six-to-five") && told.body.contains("bet 1 p"), "{}", told.body);
        audit_passes(&house).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repeats_are_harmless_and_refusals_name_their_clause() {
    let house = Arc::new(House::with(&one_table("nj-blackjack"), None).await);
    let bot = Bot::guest(&house, 1, 1).await;
    let wager = |id: &str, amount: &str| json!({ "id": id, "round": 1, "do": "wager", "box": 1, "amounts": [amount] });
    let copies: Vec<_> = (0..100)
        .map(|_| {
            let (house, token) = (Arc::clone(&house), bot.token.clone());
            let body = wager("once", "10.00");
            tokio::spawn(async move {
                loop {
                    let answer = house.post(&token, "/api/tables/1/actions", body.clone()).await;
                    // A hundred at once exceed one person's share, so that some must retry.
                    if answer.status != 429 {
                        return answer.ok();
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            })
        })
        .collect();
    let mut first = 0;
    for copy in copies {
        first += i32::from(copy.await.expect("answered")["repeated"] == false);
    }
    assert_eq!(first, 1);
    assert_eq!(house.get(&bot.token, "/api/me").await.ok()["play"], "990.00");
    let other = house.post(&bot.token, "/api/tables/1/actions", wager("once", "20.00")).await;
    assert_eq!(other.code(), "id-used");
    let low = Bot::guest(&house, 1, 2).await;
    let refused = low.act(json!({ "do": "wager", "box": 2, "amounts": ["1.00"] })).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "below-table-minimum"));
    assert!(refused.json()["error"]["clause"].as_str().is_some_and(|c| c.contains("2.")), "{}", refused.body);
    let not_mine = low.act(json!({ "do": "withdraw", "box": 1 })).await;
    assert_eq!(not_mine.status, 409);
    let rich = low.act(json!({ "do": "wager", "box": 2, "amounts": ["500.00"] })).await;
    assert_eq!(rich.status, 200, "{}", rich.body);
    low.act(json!({ "do": "withdraw", "box": 2 })).await.ok();
    assert_eq!(house.get(&low.token, "/api/me").await.ok()["play"], "1000.00");
    let dealer_only = low.act(json!({ "do": "card", "card": "As" })).await;
    assert_eq!(dealer_only.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_players_own_limit_stops_the_wager() {
    for database in stores() {
        let house = House::with(&one_table("nj-blackjack"), database).await;
        let bot = Bot::guest(&house, 1, 1).await;
        let limit = json!({ "id": "l1", "measure": "wager", "span": "day", "most": 1500 });
        house.call(&bot.token, "PUT", "/api/me/limits", Some(limit)).await.ok();
        let over = bot.act(json!({ "do": "wager", "box": 1, "amounts": ["20.00"] })).await;
        assert_eq!(over.code(), "limit");
        bot.act(json!({ "do": "wager", "box": 1, "amounts": ["15.00"] })).await.ok();
    }
}

/// 19:47-2A.13(b): only the person seated at a shared box decides for its hands, including the exchange of a Switch
/// hand.
#[tokio::test(flavor = "multi_thread")]
async fn a_co_bettor_does_not_call_the_switch() {
    let file = format!("{QUICK}[[table]]\nrules = \"nj-switch\"\nset = [\"bettors_per_box=3\"]\n");
    let house = House::with(&file, None).await;
    let (mut seated, behind) = (Bot::guest(&house, 1, 1).await, Bot::guest(&house, 1, 1).await);
    for _ in 0..50 {
        seated.wager().await.ok();
        seated.act(json!({ "do": "consent", "box": 1 })).await.ok();
        let amounts = json!({ "do": "wager", "box": 1, "amounts": ["10.00"], "behind": true });
        behind.act(amounts).await.ok();
        for bot in [&seated, &behind] {
            bot.act(json!({ "do": "deal" })).await.ok();
        }
        let mut view = seated.view().await;
        while view["awaiting"]["what"] != "wagers" {
            let asked = view["awaiting"]["what"] == "switch";
            let actions = view["awaiting"]["actions"].as_array().cloned().unwrap_or_default();
            if asked || actions.iter().any(|a| a["action"] == "switch") {
                let refused = behind.act(json!({ "do": "switch", "box": 1 })).await;
                assert_eq!(refused.status, 409, "{}", refused.body);
                let clause = refused.json()["error"]["clause"].as_str().unwrap_or_default().to_owned();
                assert!(clause.contains("2A.13(b)"), "{}", refused.body);
                seated.act(json!({ "do": "switch", "box": 1 })).await.ok();
                return;
            }
            if !seated.answer(&view).await {
                behind.act(json!({ "do": "decline", "box": 1, "offer": view["awaiting"]["offer"] })).await;
                behind.act(json!({ "do": "not-double", "box": 1 })).await;
            }
            view = seated.view().await;
        }
    }
    panic!("nobody was ever offered a switch");
}

/// Requests waiting at a table are stored together; each still has its own record, and each copy of it gets the same
/// answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_burst_at_one_table_is_stored_once_each() {
    let file =
        format!("{QUICK}[[table]]\nrules = \"nj-blackjack\"\nset = [\"positions=7\", \"split_hands=3\"]\n");
    let house = House::with(&file, None).await;
    let mut bots = Vec::new();
    for seat in 1..=7 {
        bots.push(Bot::guest(&house, 1, seat).await);
    }
    let ids: Vec<String> = bots.iter().map(|_| fresh_id()).collect();
    let copies = bots.iter().zip(&ids).flat_map(|(bot, id)| (0..4).map(move |copy| (bot, id, copy)));
    let asked = copies.map(|(bot, id, copy)| async move {
        // One copy in four has a different body under the same id; the first to arrive stands.
        let amount = if copy == 3 { "20.00" } else { "10.00" };
        let action = json!({ "do": "wager", "box": bot.seat, "amounts": [amount] });
        (bot.seat, bot.act_as(id, action).await)
    });
    let answers = futures_util::future::join_all(asked).await;
    let view = bots[0].view().await;
    for bot in &bots {
        let of_bot: Vec<_> = answers.iter().filter(|(seat, _)| *seat == bot.seat).map(|(_, a)| a).collect();
        let done: Vec<Value> = of_bot.iter().filter(|a| a.status == 200).map(|a| a.json()).collect();
        assert_eq!(done.iter().filter(|a| a["repeated"] == false).count(), 1);
        assert!(done.iter().all(|a| a["seq"] == done[0]["seq"] && a["balance"] == done[0]["balance"]));
        assert!(of_bot.iter().filter(|a| a.status != 200).all(|a| a.code() == "id-used"), "{of_bot:?}");
        let boxes = view["boxes"].as_array().expect("boxes");
        let own = boxes.iter().find(|b| b["box"] == bot.seat).expect("a wager");
        assert_eq!(own["bettors"].as_array().map(Vec::len), Some(1));
    }
    audit_passes(&house).await;
}
