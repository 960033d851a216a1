//! Signing in: guests, players, staff, bad credentials, lock-outs, and sessions that end.

use crate::client::{House, token};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_at_once_with_play_chips() {
    let house = House::with("guest_chips = \"500.00\"", None).await;
    let answer = house.call("", "POST", "/api/guests", None).await;
    assert_eq!(answer.status, 201);
    let cookie = answer.header("set-cookie").expect("a cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().expect("name and value");
    let me = house.send("GET", "/api/me", &format!("cookie: {pair}\r\n"), None).await.ok();
    assert_eq!(
        (me["guest"].as_bool(), me["play"].as_str(), me["cash"].as_str()),
        (Some(true), Some("500.00"), Some("0.00"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_supervisor_gets_a_password_that_works_once() {
    let house = House::open().await;
    let (name, once) = house.supervisor.clone().expect("printed on the first start");
    let entered = house.sign_in(&name, &once).await.ok();
    assert_eq!(entered["must_change_password"], true);
    let session = token(entered);
    let refused = house.get(&session, "/api/staff/people").await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "change-password"));
    house
        .call(&session, "PUT", "/api/me/password", Some(json!({ "old": once, "new": "battery staple" })))
        .await
        .ok();
    house.get(&session, "/api/staff/people").await.ok();
    assert_eq!(house.sign_in(&name, &once).await.status, 401, "the one-time password is used up");
    let house = house.reopened().await;
    assert!(house.supervisor.is_none(), "only the first start makes one");
    house.get(&session, "/api/staff/people").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_bad_credential_gets_the_same_answer_and_three_lock_the_account() {
    let house = House::open().await;
    house.player("ann").await;
    let unknown = house.sign_in("nobody", "whatever it is").await;
    let wrong = house.sign_in("ann", "wrong").await;
    assert_eq!((unknown.status, &unknown.body), (401, &wrong.body));
    house.sign_in("ANN", "correct horse").await.ok();
    for _ in 0..3 {
        assert_eq!(house.sign_in("ann", "wrong").await.body, unknown.body);
    }
    let locked = house.sign_in("ann", "correct horse").await;
    assert_eq!((locked.status, &locked.body), (401, &unknown.body), "locked, and not told so");
    let supervisor = house.first_supervisor().await;
    let people = house.get(&supervisor, "/api/staff/people").await.ok();
    let ann =
        people["items"].as_array().expect("a list").iter().find(|p| p["name"] == "ann").expect("ann").clone();
    assert!(ann["locked_until"].is_string());
    let events = house.get(&supervisor, "/api/significant-events").await.ok();
    assert_eq!(events["items"][0]["event"]["what"], "locked-out");
    let path = format!("/api/staff/people/{}", ann["person"]);
    house.call(&supervisor, "PATCH", &path, Some(json!({ "unlock": true, "reason": "called" }))).await.ok();
    house.sign_in("ann", "correct horse").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_end_by_sign_out_and_by_the_supervisor() {
    let house = House::open().await;
    let first = house.player("ann").await;
    let second = token(house.sign_in("ann", "correct horse").await.ok());
    house.call(&first, "DELETE", "/api/sessions/current", None).await.ok();
    assert_eq!(house.get(&first, "/api/me").await.status, 401);
    let me = house.get(&second, "/api/me").await.ok();
    let supervisor = house.first_supervisor().await;
    let path = format!("/api/staff/people/{}", me["person"]);
    house.call(&supervisor, "PATCH", &path, Some(json!({ "disabled": true }))).await.ok();
    assert_eq!(house.get(&second, "/api/me").await.status, 401);
    assert_eq!(house.sign_in("ann", "correct horse").await.status, 401);
    let own = house.get(&supervisor, "/api/me").await.ok();
    let path = format!("/api/staff/people/{}", own["person"]);
    let refused = house.call(&supervisor, "PATCH", &path, Some(json!({ "disabled": true }))).await;
    assert_eq!(refused.code(), "own-account");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_passwords_have_bounds() {
    let house = House::open().await;
    house.player("ann").await;
    for (name, password, code) in [
        ("an", "long enough", "name"),
        ("ann lee", "long enough", "name"),
        ("guest-1", "long enough", "name"),
        ("bob", "short", "password"),
        ("Ann", "long enough", "name-taken"),
    ] {
        let refused = house.post("", "/api/people", json!({ "name": name, "password": password })).await;
        assert_eq!(refused.code(), code, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_tries_to_enter_are_slowed_down() {
    let house = House::with("[rates]\nentries_per_minute = 5", None).await;
    let mut statuses = Vec::new();
    for _ in 0..7 {
        statuses.push(house.call("", "POST", "/api/guests", None).await.status);
    }
    assert_eq!(statuses, [201, 201, 201, 201, 201, 429, 429]);
}
