//! Live views over WebSocket.

use crate::bot::{Bot, fresh_id};
use crate::client::{House, eventually};
use crate::play::persons;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

pub async fn connect(house: &House, token: &str, origin: Option<&str>) -> Result<Socket, String> {
    connect_to(&house.address, token, origin).await
}

pub async fn connect_to(address: &str, token: &str, origin: Option<&str>) -> Result<Socket, String> {
    let address = format!("ws://{address}/api/tables/1/live");
    let mut request = address.into_client_request().expect("a request");
    let cookie = format!("cutcard_session={token}");
    request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().expect("a header"));
    }
    connect_async(request).await.map(|(socket, _)| socket).map_err(|e| e.to_string())
}

async fn next(socket: &mut Socket) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(10), socket.next()).await.expect("in time");
        match message.expect("open").expect("a message") {
            Message::Text(text) => return serde_json::from_str(&text).expect("json"),
            Message::Close(_) => panic!("closed"),
            _ => {}
        }
    }
}

pub async fn next_of(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let message = next(socket).await;
        if message["type"] == kind {
            return message;
        }
    }
}

pub async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::Text(message.to_string().into())).await.expect("sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_see_one_truth_in_rising_versions() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    let (ann, bob) = (house.guest().await, house.guest().await);
    let mut first = connect(&house, &ann, None).await.expect("connected");
    let mut second = connect(&house, &bob, None).await.expect("connected");
    let start = next_of(&mut first, "view").await;
    let id = fresh_id();
    say(&mut first, json!({ "id": id, "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] })).await;
    let mut balance = None;
    let ack = loop {
        let message = next(&mut first).await;
        match message["type"].as_str() {
            Some("ack") => break message,
            Some("balance") => balance = Some(message),
            _ => {}
        }
    };
    assert_eq!((ack["id"].as_str(), ack["done"]["balance"].as_str()), (Some(id.as_str()), Some("990.00")));
    let seen = loop {
        let view = next_of(&mut second, "view").await;
        if view["version"].as_u64() > start["version"].as_u64() {
            break view;
        }
    };
    assert_eq!(seen["boxes"][0]["bettors"][0]["main"][0], "10.00");
    assert_eq!(seen["version"], ack["done"]["version"]);
    if balance.is_none() {
        balance = Some(next_of(&mut first, "balance").await);
    }
    assert_eq!(balance.expect("told")["balance"], "990.00");
    say(&mut second, json!({ "type": "resync" })).await;
    assert_eq!(next_of(&mut second, "view").await["version"], seen["version"]);
    say(&mut second, json!({ "id": fresh_id(), "round": seen["round"], "do": "hit", "box": 1 })).await;
    let refused = next_of(&mut second, "refused").await;
    assert_eq!(refused["error"]["code"], "not-your-box");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_frames_are_answered_and_hurt_nobody() {
    let house = House::open().await;
    let guest = house.guest().await;
    let mut socket = connect(&house, &guest, None).await.expect("connected");
    next_of(&mut socket, "view").await;
    for bad in [
        "",
        "{",
        "[]",
        "null",
        "{\"type\":5}",
        "{\"id\":\"x\",\"do\":\"dance\"}",
        "{\"id\":\"\u{0}\",\"do\":\"deal\"}",
        "{\"id\":\"a\",\"do\":\"wager\",\"box\":300,\"amounts\":[]}",
        "{\"id\":\"a\",\"do\":\"wager\",\"box\":1,\"amounts\":[\"1e9\"]}",
    ] {
        socket.send(Message::Text(bad.into())).await.expect("sent");
        assert!(next_of(&mut socket, "refused").await["error"]["code"].is_string(), "{bad}");
    }
    socket.send(Message::Binary(vec![0; 100].into())).await.expect("sent");
    next_of(&mut socket, "refused").await;
    let _ = socket.send(Message::Text("x".repeat(100_000).into())).await;
    let ended = tokio::time::timeout(Duration::from_secs(10), async {
        while let Some(Ok(_)) = socket.next().await {}
    })
    .await;
    assert!(ended.is_ok(), "a frame that is too large ends the socket");
    house.get("", "/health").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_need_a_session_and_our_own_page_and_have_a_limit() {
    let house = House::with(
        "[rates]\nsockets_per_person = 3\nrequests_at_once = 1000\nentries_per_minute = 1000",
        None,
    )
    .await;
    assert!(connect(&house, "nobody", None).await.is_err());
    let guest = house.guest().await;
    assert!(connect(&house, &guest, Some("http://evil.example")).await.is_err());
    let own = format!("http://{}", house.address);
    let mut open = vec![connect(&house, &guest, Some(&own)).await.expect("connected")];
    for _ in 0..2 {
        open.push(connect(&house, &guest, None).await.expect("connected"));
    }
    assert!(connect(&house, &guest, None).await.is_err(), "one too many");
    drop(open.pop());
    eventually("room again", async || connect(&house, &guest, None).await.is_ok()).await;
    let mut house = house;
    let closing = tokio::time::timeout(Duration::from_secs(8), house.close()).await;
    assert!(closing.is_ok(), "open sockets do not keep the house from closing");
}

/// Ann and Bob have names and chips, and a third person watches; each sees who sits where, and nothing else about the
/// others.
#[tokio::test(flavor = "multi_thread")]
async fn others_are_told_a_players_name_and_nothing_private() {
    let house = House::with("[timings]\nbetting_ms = 60000\ndecision_ms = 60000\n", None).await;
    let supervisor = house.first_supervisor().await;
    let cashier = house.hire(&supervisor, "cora", "cashier").await;
    let mut people = Vec::new();
    for (name, amount, place) in [("ann", "137.42", 1), ("bob", "251.77", 3)] {
        let token = house.player(name).await;
        let order = json!({ "id": fresh_id(), "patron": name, "amount": amount });
        house.post(&cashier, "/api/cashier/buy-ins", order).await.ok();
        let socket = connect(&house, &token, None).await.expect("connected");
        people.push((name, token, place, socket));
    }
    let looker = house.guest().await;
    let mut watching = connect(&house, &looker, None).await.expect("connected");
    for (_, _, place, socket) in &mut people {
        say(
            socket,
            json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": place, "amounts": ["10.00"] }),
        )
        .await;
        next_of(socket, "ack").await;
    }
    let full = |view: &Value| view["boxes"].as_array().is_some_and(|boxes| boxes.len() == 2);
    // Collects all messages to each of them until both bets are placed.
    let mut heard: Vec<(&str, Vec<Value>)> = Vec::new();
    let sockets = people.iter_mut().map(|(name, _, _, socket)| (*name, socket));
    for (name, socket) in sockets.chain([("looker", &mut watching)]) {
        let mut told = vec![house.get("", "/api/tables/1").await.ok()["view"].clone()];
        say(socket, json!({ "type": "resync" })).await;
        loop {
            told.push(next(socket).await);
            if told.last().is_some_and(full) {
                break;
            }
        }
        heard.push((name, told));
    }
    for (who, messages) in &heard {
        let view = messages.iter().rev().find(|message| full(message)).expect("a view of both");
        for (at, name, place) in [(0, "ann", 1), (1, "bob", 3)] {
            let (found, bettor) = (&view["boxes"][at], &view["boxes"][at]["bettors"][0]);
            assert_eq!((&found["box"], &bettor["name"]), (&json!(place), &json!(name)), "{who} is told");
            let mut keys: Vec<&String> = bettor.as_object().expect("a bettor").keys().collect();
            keys.sort();
            let public = ["answered", "caller", "even_money", "insurance", "main", "name", "person", "side"];
            assert_eq!(keys, public, "what is told of a bettor");
        }
        let others: Vec<String> =
            messages.iter().filter(|m| m["type"] != "balance").map(Value::to_string).collect();
        for message in &others {
            for secret in ["137.42", "127.42", "251.77", "241.77", "token", "password", "session"] {
                assert!(!message.contains(secret), "{who} was told {secret}: {message}");
            }
        }
        for message in messages.iter().filter(|m| m["type"] == "balance") {
            let own = if *who == "ann" { "127.42" } else { "241.77" };
            assert!(*who != "looker" && message.to_string().contains(own), "{who}: {message}");
        }
    }
}

/// A live view names others by numbers of its table alone: nobody can tell who sits at another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_live_view_has_no_lasting_number_of_another_person() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    let bots = [Bot::guest(&house, 1, 1).await, Bot::guest(&house, 1, 3).await];
    let stranger = house.guest().await;
    let readers = [(bots[0].token.as_str(), 0), (bots[1].token.as_str(), 1), (stranger.as_str(), 2), ("", 2)];
    let mut sockets = Vec::new();
    for (token, _) in readers.iter().filter(|(token, _)| !token.is_empty()) {
        sockets.push(connect(&house, token, None).await.expect("connected"));
    }
    for bot in &bots {
        let wager =
            json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": bot.seat, "amounts": ["10.00"] });
        house.post(&bot.token, "/api/tables/1/actions", wager).await.ok();
    }
    let mut views = Vec::new();
    for (token, own) in readers {
        views.push((own, house.get(token, "/api/tables/1").await.body));
    }
    for (socket, (_, own)) in sockets.iter_mut().zip(readers) {
        say(socket, json!({ "type": "resync" })).await;
        loop {
            let view = next(socket).await;
            views.push((own, view.to_string()));
            if view["boxes"].as_array().is_some_and(|boxes| boxes.len() == 2) {
                break;
            }
        }
    }
    let mut seen = 0;
    for (own, view) in views {
        let mut found = BTreeSet::new();
        persons(&serde_json::from_str(&view).expect("json"), &mut found);
        for (at, bot) in bots.iter().enumerate().filter(|(at, _)| *at != own) {
            assert!(!found.contains(&bot.person), "{own} reads the number of {at}: {view}");
            assert!(
                !view.contains(&format!("guest-{:x}", bot.person)),
                "{own} reads the name of {at}: {view}"
            );
        }
        seen += usize::from(bots.get(own).is_some_and(|bot| found.contains(&bot.person)));
        assert!(found.iter().filter(|number| **number < 0).all(|number| *number >= -2), "{found:?}");
    }
    assert!(seen >= 4, "everyone reads their own number: {seen}");
}
