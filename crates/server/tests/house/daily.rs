//! Checks daily limits: every route that writes for a guest or a member has one. The routes come
//! from the OpenAPI document, so that a new one fails here until it declares what it writes.

use crate::bot::fresh_id;
use crate::ceiling::the_house_stayed_below_its_ceiling;
use crate::client::{Answer, House, token};
use crate::socket::{connect, next_of, say};
use serde_json::{Value, json};
use server::daily::DailyLimits;

/// Low limits, so that the test reaches them.
const FILE: &str = "[daily]\nentry = 60\naccount = 3\nprotection = 2\ntable = 4\npractice = 5\n\
    [rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n";

/// Returns every operation that is not read-only: method, path with its parameters filled in, roles, and what it
/// writes.
fn writing() -> Vec<(String, String, Vec<String>, String)> {
    let document = server::openapi();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            if method == "get" || !["post", "put", "delete", "patch"].contains(&method.as_str()) {
                continue;
            }
            let roles = operation["x-roles"].as_array().expect("who may use it");
            let roles = roles.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let Some(writes) = operation["x-writes"].as_str() else {
                panic!("{method} {path} does not say what it writes: add it with `writing` in api/mod.rs");
            };
            found.push((method.to_uppercase(), filled(path), roles, writes.to_owned()));
        }
    }
    assert!(found.len() > 40, "{}", found.len());
    found
}

/// Fills in the parameters of a path.
fn filled(path: &str) -> String {
    let table = if path.contains("memory") { "nj-blackjack" } else { "1" };
    let part = |part: &str| match part {
        "{table}" => table.to_owned(),
        part if part.starts_with('{') => "1".to_owned(),
        part => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Returns a body that most routes accept. Asks the lab only for quick answers.
fn body(path: &str) -> Value {
    let quick = ["check", "edge", "shoe", "coach", "simulations"].iter().any(|end| path.ends_with(end));
    let table = if path.starts_with("/api/lab") && !quick { "no-such" } else { "nj-blackjack" };
    let mut body = json!({
        "id": fresh_id(), "rules": "nj-blackjack", "table": table, "rounds": 1000, "cards": "As Kh", "hand": "As 7d",
        "up": "6h", "turn": 1, "known": {}, "days": {}, "chips": "play",
        "old": "correct horse", "new": "correct horse", "name": fresh_id(), "password": "correct horse",
    });
    let action = if path.contains("rehearsal") { json!("shuffle") } else { json!("wager") };
    if path.ends_with("actions") {
        (body["do"], body["box"], body["amounts"]) = (action, json!(1), json!(["10.00"]));
        body["round"] = json!(1);
    }
    body
}

async fn sent(house: &House, token: &str, method: &str, path: &str) -> Answer {
    let body = (method != "DELETE").then(|| body(path));
    house.call(token, method, path, body).await
}

async fn head(house: &House) -> i64 {
    house.get("", "/api/journal/head").await.ok()["seq"].as_i64().expect("a number")
}

fn refused_for_today(answer: &Answer) -> bool {
    answer.status == 429 && answer.code() == "daily"
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_that_writes_has_a_limit_a_day() {
    let house = House::with(FILE, None).await;
    let ours = |roles: &[String]| {
        roles.iter().any(|role| ["anyone", "signed-in", "player"].contains(&role.as_str()))
    };
    let limits = [("account", 3), ("protection", 2), ("table", 4), ("practice", 5)];
    let ann = house.player("ann").await;
    let (mut last, mut leaving) = (Vec::new(), Vec::new());
    for (method, path, roles, writes) in writing() {
        if !ours(&roles) {
            assert!(writes == "staff" || writes == "nothing", "{method} {path}: {writes}");
            continue;
        }
        assert_ne!(writes, "staff", "{method} {path} is not for staff alone");
        match writes.as_str() {
            "nothing" => {
                let before = head(&house).await;
                let answer = sent(&house, &ann, &method, &path).await;
                assert!(answer.status < 500, "{method} {path}: {}", answer.body);
                assert_eq!(head(&house).await, before, "{method} {path} says that it writes nothing");
            }
            "entry" => last.push((method, path)),
            "sign-out" => leaving.push((method, path)),
            writes => {
                let most = limits.iter().find(|(word, _)| *word == writes).expect("a limit").1;
                // Opening a table counts as a write besides the request.
                let most = most - i32::from(path.ends_with("/solo"));
                // Uses a new person for each, so that nobody else's writes count.
                let bob = house.player(&format!("b{}", fresh_id())).await;
                for n in 0..=most {
                    let answer = sent(&house, &bob, &method, &path).await;
                    assert_eq!(refused_for_today(&answer), n == most, "{method} {path} {n}: {}", answer.body);
                }
            }
        }
    }
    assert_eq!((last.len(), leaving.len()), (3, 1), "{last:?} {leaving:?}");
    // The first guests use up the address's allowance; then none is admitted.
    let mut entered = 0;
    while !refused_for_today(&house.call("", "POST", "/api/guests", None).await) {
        entered += 1;
        assert!(entered < 60);
    }
    for (method, path) in &last {
        let answer = sent(&house, "", method, path).await;
        assert!(refused_for_today(&answer), "{method} {path}: {}", answer.body);
    }
    assert_eq!(house.get(&ann, "/api/me").await.status, 200, "who is in stays in, and reads");
    // Who is in may leave: others at the same address cannot keep anybody signed in.
    for (method, path) in &leaving {
        let answer = sent(&house, &ann, method, path).await;
        assert_eq!(answer.status, 204, "{method} {path}: {}", answer.body);
    }
    assert_eq!(house.get(&ann, "/api/me").await.status, 401, "signed out");
    the_house_stayed_below_its_ceiling();
}

#[tokio::test(flavor = "multi_thread")]
async fn actions_over_a_socket_count_too() {
    let house = House::with(FILE, None).await;
    let ann = house.guest().await;
    let mut socket = connect(&house, &ann, None).await.expect("connected");
    for n in 0..5 {
        let action = match n % 2 {
            0 => json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] }),
            _ => json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 }),
        };
        say(&mut socket, action).await;
        if n < 4 {
            next_of(&mut socket, "ack").await;
        } else {
            assert_eq!(next_of(&mut socket, "refused").await["error"]["code"], "daily");
        }
    }
}

/// A person has a limit, but whoever enters as many guests would have many.
#[tokio::test(flavor = "multi_thread")]
async fn the_guests_of_one_address_have_a_limit_of_actions_together() {
    let file = FILE.replace("table = 4", "table = 4\ntable_of_address = 10");
    let house = House::with(&format!("trusted_proxies = [\"127.0.0.1\"]\n{file}"), None).await;
    let act = async |from: &str, guest: &str| {
        let headers = format!("x-forwarded-for: {from}\r\nauthorization: Bearer {guest}\r\n");
        let body = body("/api/tables/1/actions");
        refused_for_today(&house.send("POST", "/api/tables/1/actions", &headers, Some(&body)).await)
    };
    let mut acted = Vec::new();
    for _ in 0..4 {
        let guest = house.guest().await;
        let mut actions = 0;
        while !act("4.4.4.4", &guest).await {
            actions += 1;
            assert!(actions < 9);
        }
        acted.push(actions);
    }
    assert_eq!(acted, [4, 4, 2, 0]);
    assert!(!act("4.4.5.4", &house.guest().await).await, "another address");
}

/// An address has a limit, but whoever has many addresses would have many.
#[tokio::test(flavor = "multi_thread")]
async fn a_member_has_one_limit_of_sign_ins_from_all_addresses() {
    let house = House::with("trusted_proxies = [\"127.0.0.1\"]\n[daily]\nsession = 3\n", None).await;
    house.player("ann").await;
    house.player("bob").await;
    let sign_in = async |name: &str, password: &str, n: u8| {
        let from = format!("x-forwarded-for: 4.4.{n}.4\r\n");
        let body = json!({ "name": name, "password": password });
        house.send("POST", "/api/sessions", &from, Some(&body)).await
    };
    for n in 0..3 {
        assert_eq!(
            sign_in("ann", "a wrong horse", n).await.status,
            401,
            "somebody else's guess counts nothing"
        );
        assert_eq!(sign_in("ann", "correct horse", n).await.status, 200);
    }
    let before = head(&house).await;
    for n in 3..7 {
        let answer = sign_in("ann", "correct horse", n).await;
        assert!(refused_for_today(&answer), "{}: {}", answer.status, answer.body);
    }
    assert_eq!(head(&house).await, before, "nothing is written");
    assert_eq!(sign_in("bob", "correct horse", 3).await.status, 200, "another person");
}

/// That a session is in use is recorded once a minute, here every two seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_there_all_day_is_recorded_a_limited_number_of_times() {
    let file = "[sessions]\nidle_s = 8\n[daily]\npresence = 2\n[self_check]\nrest_s = 0\n";
    let house = House::with(file, None).await;
    let (ann, mut heads) = (house.guest().await, Vec::new());
    for _ in 0..7 {
        house.get(&ann, "/api/me").await.ok();
        heads.push(head(&house).await);
        tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    }
    assert!(heads[0] < heads[2], "{heads:?}");
    assert_eq!(heads[3], heads[6], "two are enough for today: {heads:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_works_for_the_house_has_no_limit() {
    let house = House::with(FILE, None).await;
    let supervisor = house.first_supervisor().await;
    let once = json!({ "old": "battery staple", "new": "battery staple 2" });
    let back = json!({ "old": "battery staple 2", "new": "battery staple" });
    let name = house.supervisor.clone().expect("the first start").0;
    let mut token = supervisor;
    for n in 0..6 {
        let body = if n % 2 == 0 { &once } else { &back };
        house.call(&token, "PUT", "/api/me/password", Some(body.clone())).await.ok();
        let word = if n % 2 == 0 { "battery staple 2" } else { "battery staple" };
        token = crate::client::token(house.sign_in(&name, word).await.ok());
    }
}

/// Reading changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn reading_writes_nothing() {
    let house = House::open().await;
    let ann = token(
        house.post("", "/api/people", json!({ "name": "ann", "password": "correct horse" })).await.ok(),
    );
    let before = head(&house).await;
    let document = server::openapi();
    for (path, item) in document["paths"].as_object().expect("paths") {
        // Figures take long, and a live view needs a socket.
        if item.get("get").is_none() || path.ends_with("/live") || path.ends_with("/edge") {
            continue;
        }
        house.get(&ann, &filled(path)).await;
    }
    assert_eq!(head(&house).await, before);
}

/// The table in docs/house/run.md states the default limits.
#[test]
fn the_limits_are_told_as_they_are() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/house/run.md"))
        .expect("read");
    for (word, most) in DailyLimits::default().all() {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{word}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/house/run.md has no row for `{word}`"));
        let told: String =
            row.rsplit('|').nth(1).unwrap_or("").chars().filter(char::is_ascii_digit).collect();
        assert_eq!(told, most.to_string(), "{row}");
        assert!(page.contains(&format!("\n{word} = {most}")), "[daily] shows {word} = {most}");
    }
    for (method, path, roles, writes) in writing() {
        if roles.iter().any(|role| ["anyone", "signed-in", "player"].contains(&role.as_str()))
            && writes != "nothing"
        {
            let document = server::openapi();
            let mut all = document["paths"].as_object().expect("paths").keys();
            let named =
                all.any(|known| filled(known) == path && page.contains(&format!("`{method} {known}`")));
            assert!(named, "docs/house/run.md does not list {method} {path}");
        }
    }
}

/// Opening a solo table writes records and is charged, whatever the request; reaching an open table is free.
#[tokio::test(flavor = "multi_thread")]
async fn opening_a_solo_table_is_counted_also_when_it_is_only_looked_at() {
    let house = House::with(
        &format!("{FILE}[[table]]\nrules = \"nj-blackjack\"\n[[table]]\nrules = \"nj-blackjack\"\n"),
        None,
    )
    .await;
    let ann = house.player("ann").await;
    let mut solo = Vec::new();
    for table in [1, 2] {
        let opened = house.post(&ann, &format!("/api/tables/{table}/solo"), json!({})).await.ok();
        solo.push(format!("/api/tables/{}", opened["table"]));
    }
    let house = house
        .reopened_after(|options| {
            let file = options.house.as_ref().expect("a house file");
            let text = std::fs::read_to_string(file).expect("read");
            std::fs::write(file, text.replace("table = 4", "table = 1")).expect("written");
        })
        .await;
    house.get(&ann, &solo[0]).await.ok();
    // Waits until the house and the table have written their opening records.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let before = head(&house).await;
    house.get(&ann, &solo[0]).await.ok();
    let answer = house.get(&ann, &solo[1]).await;
    assert!(refused_for_today(&answer), "{}: {}", answer.status, answer.body);
    assert_eq!(head(&house).await, before, "neither wrote anything");
}
