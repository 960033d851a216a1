//! Revocation takes effect everywhere: a socket closes with its session, and nothing is acknowledged afterwards.

use crate::bot::fresh_id;
use crate::client::{House, token};
use crate::socket::{Socket, connect, next_of, say};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

/// Returns the code with which the socket closes, which must be within this time. Commands sent meanwhile must not be
/// performed.
async fn closed_within(socket: &mut Socket, limit: Duration) -> Option<u16> {
    let since = Instant::now();
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    // A failed send is just as good.
    let _ = socket.send(Message::Text(wager.to_string().into())).await;
    loop {
        let left = limit.checked_sub(since.elapsed()).expect("closed in time");
        match tokio::time::timeout(left, socket.next()).await.expect("closed in time") {
            Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
            Some(Ok(Message::Text(text))) => {
                let message: Value = serde_json::from_str(&text).expect("json");
                assert_ne!(message["type"], "ack", "acknowledged after the end: {message}");
            }
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return None,
        }
    }
}

const SOON: Duration = Duration::from_secs(1);

async fn open(house: &House, token: &str) -> Socket {
    let mut socket = connect(house, token, None).await.expect("connected");
    next_of(&mut socket, "view").await;
    // The socket is not only open: it also acts.
    say(&mut socket, json!({ "type": "resync" })).await;
    next_of(&mut socket, "view").await;
    socket
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_ends_with_its_session() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    let supervisor = house.first_supervisor().await;
    let person = async |token: &str| house.get(token, "/api/me").await.ok()["person"].clone();
    let change = async |person: &Value, body: Value| {
        house.call(&supervisor, "PATCH", &format!("/api/staff/people/{person}"), Some(body)).await.ok();
    };

    let guest = house.guest().await;
    let mut socket = open(&house, &guest).await;
    house.call(&guest, "DELETE", "/api/sessions/current", None).await.ok();
    assert_eq!(closed_within(&mut socket, SOON).await, Some(4401), "signed out");

    let barred = house.player("barred").await;
    let id = person(&barred).await;
    let mut socket = open(&house, &barred).await;
    change(&id, json!({ "disabled": true })).await;
    assert_eq!(closed_within(&mut socket, SOON).await, Some(4401), "disabled");

    let dealer = house.hire(&supervisor, "dora", "dealer").await;
    let id = person(&dealer).await;
    let mut socket = open(&house, &dealer).await;
    change(&id, json!({ "role": "cashier" })).await;
    assert_eq!(closed_within(&mut socket, SOON).await, Some(4401), "another role");
    assert_eq!(house.get(&dealer, "/api/me").await.status, 401, "whoever has another role comes in anew");

    let first = house.player("ann").await;
    let second = token(house.sign_in("ann", "correct horse").await.ok());
    let (mut own, mut other) = (open(&house, &second).await, open(&house, &first).await);
    let body = json!({ "old": "correct horse", "new": "a password of my own" });
    house.call(&second, "PUT", "/api/me/password", Some(body)).await.ok();
    assert_eq!(closed_within(&mut other, SOON).await, Some(4401), "another password");
    say(&mut own, json!({ "type": "resync" })).await;
    next_of(&mut own, "view").await;

    house.post(&second, "/api/me/exclusion", json!({ "id": fresh_id(), "days": 30 })).await.ok();
    assert_eq!(closed_within(&mut own, SOON).await, Some(4401), "self-excluded");
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] });
    assert_ne!(house.post(&second, "/api/tables/1/actions", wager).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_have_one_session_at_a_time() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let first = house.hire(&supervisor, "dora", "dealer").await;
    let mut socket = open(&house, &first).await;
    let second = token(house.sign_in("dora", "battery staple").await.ok());
    assert_eq!(closed_within(&mut socket, SOON).await, Some(4401));
    assert_eq!(house.get(&first, "/api/me").await.status, 401);
    house.get(&second, "/api/me").await.ok();
}

/// A house may limit patrons to one session: signing in elsewhere ends the first one, including its sockets. Guests and
/// other patrons keep theirs.
#[tokio::test(flavor = "multi_thread")]
async fn patrons_may_be_held_to_one_session() {
    let house = House::with("[sessions]\none_per_patron = true\n", None).await;
    let (first, bob, guest) = (house.player("ann").await, house.player("bob").await, house.guest().await);
    let mut socket = open(&house, &first).await;
    assert_eq!(house.sign_in("ann", "a wrong horse").await.status, 401);
    house.get(&first, "/api/me").await.ok();
    let second = token(house.sign_in("ann", "correct horse").await.ok());
    assert_eq!(closed_within(&mut socket, SOON).await, Some(4401));
    assert_eq!(house.get(&first, "/api/me").await.status, 401);
    for other in [&second, &bob, &guest] {
        house.get(other, "/api/me").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_on_which_nothing_is_asked_ends_as_a_session_does() {
    let house = House::with("[sessions]\nidle_s = 2\nlongest_s = 5\n", None).await;
    let guest = house.guest().await;
    let since = Instant::now();
    let mut idle = open(&house, &guest).await;
    let active = house.guest().await;
    let mut busy = open(&house, &active).await;
    let ended = tokio::spawn(async move {
        loop {
            match idle.next().await {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| u16::from(frame.code)),
                Some(Ok(_)) => {}
                _ => return None,
            }
        }
    });
    // A client that keeps sending requests stays, but not beyond the maximum session duration. It sends from the
    // beginning: if it were idle for the two seconds, it would end with the other one.
    let asking = tokio::spawn(async move {
        while busy.send(Message::Text("{\"type\":\"resync\"}".into())).await.is_ok() {
            match tokio::time::timeout(Duration::from_secs(1), busy.next()).await {
                Ok(Some(Ok(Message::Close(_)))) | Ok(None) | Ok(Some(Err(_))) => break,
                _ => tokio::time::sleep(Duration::from_millis(300)).await,
            }
        }
        since.elapsed()
    });
    let code = tokio::time::timeout(Duration::from_secs(4), ended).await.expect("in time").expect("heard");
    assert_eq!(code, Some(4401), "idle");
    assert!(since.elapsed() >= Duration::from_millis(1900), "{:?}", since.elapsed());
    assert_eq!(house.get(&guest, "/api/me").await.status, 401);
    let lasted = tokio::time::timeout(Duration::from_secs(8), asking).await.expect("it ends").expect("heard");
    assert!(lasted >= Duration::from_millis(4500), "{lasted:?}");
    assert_eq!(house.get(&active, "/api/me").await.status, 401);
}
