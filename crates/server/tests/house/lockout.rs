//! Password guessing: however many attempts are made at once, there are three tries; nobody can lock somebody else out;
//! and the cost of attempts is bounded.

use crate::ceiling::{peak_of, the_house_stayed_below_its_ceiling};
use crate::client::{Answer, House, parse, token};
use crate::kill::{options, start};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use tokio::task::JoinSet;

/// Sends a request from another address of this machine.
async fn send_from(
    ip: &str,
    house: &str,
    (method, path, headers): (&str, &str, &str),
    body: &Value,
) -> Answer {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(format!("{ip}:0").parse().expect("an address")).expect("bound");
    let mut stream = socket.connect(house.parse().expect("an address")).await.expect("connects");
    let body = body.to_string();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}content-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.expect("answered");
    parse(&bytes).expect("an answer")
}

async fn sign_in_from(ip: &str, house: &str, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password });
    send_from(ip, house, ("POST", "/api/sessions", ""), &body).await
}

/// Tries eighty wrong passwords at once.
async fn guess(ip: &'static str, house: &str, name: &'static str) -> Vec<u16> {
    let mut all = JoinSet::new();
    for n in 0..80 {
        let house = house.to_owned();
        all.spawn(async move { sign_in_from(ip, &house, name, &format!("guess number {n}")).await.status });
    }
    all.join_all().await
}

#[tokio::test(flavor = "multi_thread")]
async fn eighty_guesses_at_once_are_no_more_than_three() {
    let house = House::open().await;
    let token = house.player("ann").await;
    let statuses = guess("127.0.0.1", &house.address, "ann").await;
    assert!(statuses.iter().all(|s| *s == 401), "{statuses:?}");
    assert_eq!(house.sign_in("ann", "correct horse").await.status, 401, "the right one comes too late");
    let elsewhere = sign_in_from("127.0.0.2", &house.address, "ann", "correct horse").await;
    assert_eq!(elsewhere.status, 200, "she herself comes in from elsewhere");
    // The same through a session that an attacker has stolen.
    let bearer = format!("authorization: Bearer {token}\r\n");
    let mut all = JoinSet::new();
    for n in 0..80 {
        let (house, bearer) = (house.address.clone(), bearer.clone());
        all.spawn(async move {
            let body = json!({ "old": format!("guess number {n}"), "new": "a password of my own" });
            send_from("127.0.0.3", &house, ("PUT", "/api/me/password", &bearer), &body).await.status
        });
    }
    assert!(all.join_all().await.iter().all(|s| *s == 401));
    let body = json!({ "old": "correct horse", "new": "a password of my own" });
    let late = send_from("127.0.0.3", &house.address, ("PUT", "/api/me/password", &bearer), &body).await;
    assert_eq!(late.status, 401, "the right one comes too late here as well");
    the_house_stayed_below_its_ceiling();
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_keeps_the_supervisor_out_by_guessing() {
    let house = House::open().await;
    let (name, once) = house.supervisor.clone().expect("the first start");
    guess("127.0.0.7", &house.address, "supervisor").await;
    let entered = sign_in_from("127.0.0.1", &house.address, &name, &once).await.ok();
    let supervisor = token(entered);
    let body = json!({ "old": once, "new": "a password of my own" });
    house.call(&supervisor, "PUT", "/api/me/password", Some(body)).await.ok();
    let supervisor = token(house.sign_in(&name, "a password of my own").await.ok());
    // Many addresses together lock the account, but not for addresses that its owner has used before.
    for n in 10..30 {
        for _ in 0..3 {
            let status = sign_in_from(&format!("127.0.0.{n}"), &house.address, &name, "guess").await.status;
            assert_eq!(status, 401);
        }
    }
    let right = "a password of my own";
    assert_eq!(
        sign_in_from("127.0.0.99", &house.address, &name, right).await.status,
        401,
        "locked elsewhere"
    );
    let events = house.get(&supervisor, "/api/significant-events?limit=500").await.ok();
    let locked: Vec<&Value> = events["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|item| item["event"]["what"] == "locked-out")
        .map(|item| &item["event"]["details"]["address"])
        .collect();
    assert_eq!(locked.iter().filter(|a| **a == "all").count(), 1, "{locked:?}");
    assert!(locked.iter().filter(|a| **a == "127.0.0.7").count() == 1, "{locked:?}");
    sign_in_from("127.0.0.1", &house.address, &name, right).await.ok();
}

/// Returns a line of a process's status, in KiB.
pub fn memory_of(process: u32, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let found = status.lines().find_map(|l| l.strip_prefix(line)).expect("such a line");
    found.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number")
}

/// A hash takes 19 MiB, and two are computed at once, however many clients sign in.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_sign_ins_at_once_cost_two_buffers() {
    let directory = tempfile::tempdir().expect("temp dir");
    let file = directory.path().join("house.toml");
    let rates = "[rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n\
                 connections_per_address = 5000\n";
    std::fs::write(&file, format!("{rates}[[table]]\nrules = \"nj-blackjack\"\n")).expect("written");
    let process = start(&options(&directory.path().join("data"), &file, None));
    let before = memory_of(process.child.id(), "VmRSS:");
    let mut all = JoinSet::new();
    for n in 0..1000 {
        let address = process.address.clone();
        all.spawn(async move { sign_in_from("127.0.0.1", &address, &format!("nobody-{n}"), "guess").await });
    }
    let answers = all.join_all().await;
    let (tried, busy): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.status == 401);
    assert!(!tried.is_empty());
    for answer in &busy {
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (429, "too-much-at-once"),
            "all of them come from one address"
        );
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let peak = peak_of(process.child.id());
    let grown = peak.saturating_sub(before);
    println!(
        "{} tried, {} told to come again; {grown} KiB more, {peak} KiB at most",
        tried.len(),
        busy.len()
    );
    assert!(grown < 96 * 1024, "{grown} KiB");
}
