//! The second factor of staff: set up, required, accepted once, removed.

use crate::client::{Answer, House, token};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use totp_rs::{Builder, Secret};

const PATH: &str = "/api/me/second-factor";

/// Returns the code of this many half-minutes from now.
fn code(secret: &str, from_now: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_secs();
    let secret = Secret::try_from_base32(secret).expect("base 32");
    let codes = Builder::new().with_secret(secret).build().expect("a secret");
    codes.generate(now.saturating_add_signed(30 * from_now)).to_string()
}

async fn sign_in(house: &House, name: &str, code: Option<String>) -> Answer {
    let mut body = json!({ "name": name, "password": "battery staple" });
    if let Some(code) = code {
        body["code"] = code.into();
    }
    house.post("", "/api/sessions", body).await
}

/// Sets up a factor and returns its secret; uses up the code before the current one.
async fn set_up(house: &House, token: &str) -> String {
    let made = house.post(token, PATH, json!({ "password": "battery staple" })).await.ok();
    let secret = made["secret"].as_str().expect("a secret").to_owned();
    assert!(made["url"].as_str().expect("a link").contains(&secret));
    let shown = json!({ "code": code(&secret, -1) });
    house.call(token, "PUT", PATH, Some(shown)).await.ok();
    secret
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_set_one_up_is_asked_for_it() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let dealer = house.hire(&supervisor, "dora", "dealer").await;
    let wrong = house.post(&dealer, PATH, json!({ "password": "not hers at all" })).await;
    assert_eq!((wrong.status, wrong.code()), (401, "credentials".into()));
    let unasked = house.call(&dealer, "PUT", PATH, Some(json!({ "code": "123456" }))).await;
    assert_eq!(unasked.code(), "no-second-factor");
    let secret = set_up(&house, &dealer).await;
    let me = house.get(&dealer, "/api/me").await.ok();
    assert_eq!(me["second_factor"], Value::Bool(true));
    let again = house.post(&dealer, PATH, json!({ "password": "battery staple" })).await;
    assert_eq!(again.code(), "second-factor-set", "an open session alone does not change it");

    let without = sign_in(&house, "dora", None).await;
    assert_eq!((without.status, without.code()), (401, "second-factor".into()));
    let used = sign_in(&house, "dora", Some(code(&secret, -1))).await;
    assert_eq!(used.code(), "credentials", "a code is taken once");
    let now = code(&secret, 0);
    let (one, other) =
        tokio::join!(sign_in(&house, "dora", Some(now.clone())), sign_in(&house, "dora", Some(now.clone())));
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [200, 401], "also when it is sent twice at once");
    // Also across a restart.
    let house = house.reopened().await;
    assert_eq!(sign_in(&house, "dora", Some(now)).await.status, 401);
    let later = sign_in(&house, "dora", Some(code(&secret, 1))).await;
    assert_eq!(later.status, 200, "{}", later.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_codes_locks_the_account_and_a_supervisor_takes_the_factor_away() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let cashier = house.hire(&supervisor, "carl", "cashier").await;
    let secret = set_up(&house, &cashier).await;
    for _ in 0..3 {
        assert_eq!(sign_in(&house, "carl", Some("000000".into())).await.code(), "credentials");
    }
    assert_eq!(
        sign_in(&house, "carl", Some(code(&secret, 1))).await.status,
        401,
        "the right one comes too late"
    );
    let people = house.get(&supervisor, "/api/staff/people").await.ok();
    let carl = people["items"].as_array().expect("people").iter().find(|p| p["name"] == "carl");
    let path = format!("/api/staff/people/{}", carl.expect("there")["person"]);
    let change = json!({ "remove_second_factor": true, "unlock": true, "reason": "lost his telephone" });
    house.call(&supervisor, "PATCH", &path, Some(change)).await.ok();
    assert_eq!(house.get(&cashier, "/api/me").await.status, 401, "he comes in anew");
    assert_eq!(sign_in(&house, "carl", None).await.status, 200);
    let events = house.get(&supervisor, "/api/significant-events").await;
    assert!(
        events.body.contains("second-factor-set") && events.body.contains("lost his telephone"),
        "{}",
        events.body
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_that_asks_for_one_lets_staff_do_nothing_before() {
    let house = House::with("second_factor = \"required\"\n", None).await;
    let (name, once) = house.supervisor.clone().expect("the first start");
    let first = house.settle_in(&name, &once).await;
    let refused = house.get(&first, "/api/staff/people").await;
    assert_eq!((refused.status, refused.code()), (403, "set-second-factor".into()));
    assert_eq!(house.get(&first, "/api/me").await.ok()["must_set_second_factor"], Value::Bool(true));
    set_up(&house, &first).await;
    assert_eq!(house.get(&first, "/api/staff/people").await.status, 200);
    // Players need no second factor.
    let player = token(
        house.post("", "/api/people", json!({ "name": "pam", "password": "correct horse" })).await.ok(),
    );
    assert_eq!(house.get(&player, "/api/me").await.ok()["must_set_second_factor"], Value::Bool(false));
    assert_eq!(house.post(&player, PATH, json!({ "password": "correct horse" })).await.status, 403);
}
