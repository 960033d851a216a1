//! A house behind a proxy, and other deployment settings: whose address counts, private files, separate metrics, and
//! early refusals.

use crate::bot::fresh_id;
use crate::client::House;
use serde_json::json;
use std::path::Path;

#[tokio::test(flavor = "multi_thread")]
async fn each_visitor_behind_a_trusted_proxy_has_a_bucket() {
    let rates = "[rates]\nentries_per_minute = 5\n";
    let house = House::with(&format!("trusted_proxies = [\"127.0.0.1\"]\n{rates}"), None).await;
    let enter = async |house: &House, header: &str| {
        house.send("POST", "/api/guests", &format!("{header}\r\n"), None).await.status
    };
    for visitor in ["1.1.1.1", "2.2.2.2", "[2001:db8::7]"] {
        let header = format!("forwarded: for=\"{visitor}\"");
        for n in 0..6 {
            let expected = if n < 5 { 201 } else { 429 };
            assert_eq!(enter(&house, &header).await, expected, "{visitor} {n}");
        }
    }
    assert_eq!(enter(&house, "x-forwarded-for: 9.9.9.9, 3.3.3.3").await, 201);
    // A house without trusted proxies believes no header.
    let house = House::with(rates, None).await;
    for n in 0..6 {
        let expected = if n < 5 { 201 } else { 429 };
        assert_eq!(enter(&house, &format!("x-forwarded-for: 4.4.4.{n}")).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_names_no_host_or_ends_lines_by_half_is_refused() {
    let house = House::open().await;
    let refused = house.raw("GET /health HTTP/1.1\r\nconnection: close\r\n\r\n").await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "one-host"));
    let twice = house.raw("GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n").await;
    assert_eq!(twice.status, 400);
    for bare in ["GET /health HTTP/1.1\nhost: x\n\n", "GET /health HTTP/1.1\r\nhost: x\nx-a: b\r\n\r\n"] {
        assert_eq!(house.raw(bare).await.status, 400, "a line feed alone ends nothing: {bare:?}");
    }
}

/// Another site may point its own name at the house (DNS rebinding): the browser then takes the house for that site.
#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_another_host_is_refused_before_anything_else() {
    let house = House::with("trusted_proxies = [\"127.0.0.1\"]\nhosts = [\"Casino.example\"]\n", None).await;
    let port = house.address.rsplit(':').next().expect("a port");
    let asked = async |target: &str, host: &str| {
        let request = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        house.raw(&request).await
    };
    for host in ["localhost", &format!("localhost:{port}"), "127.0.0.1", "[::1]:80", "casino.example:443"] {
        assert_eq!(asked("/api/house", host).await.status, 200, "{host}");
    }
    for target in ["/", "/health", "/api/house", "/api/no-such"] {
        for host in ["evil.example", &format!("evil.example:{port}"), "www.casino.example", "192.0.2.1"] {
            let refused = asked(target, host).await;
            assert_eq!((refused.status, refused.code().as_str()), (421, "host"), "{target} of {host}");
            assert!(refused.body.contains("`hosts`"), "{}", refused.body);
        }
    }
    let proxied = "evil.example\r\nx-forwarded-host: localhost\r\nforwarded: for=9.9.9.9;host=localhost";
    assert_eq!(asked("/api/house", proxied).await.status, 421, "a proxy passes the host on as the host");
    assert_eq!(
        asked("http://evil.example/api/house", "localhost").await.status,
        421,
        "the target names one too"
    );
    let upgrade = "evil.example\r\nupgrade: websocket\r\norigin: http://evil.example";
    assert_eq!(asked("/api/tables/1/live", upgrade).await.status, 421);
}

/// Checks that only the owner may read what is in a directory, and returns the names of its files.
fn private(directory: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(directory).expect("there") {
        let entry = entry.expect("read");
        let mode = entry.metadata().expect("known").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{} {mode:o}", entry.path().display());
        match entry.file_type().expect("known").is_dir() {
            true => seen.extend(private(&entry.path())),
            false => seen.push(entry.file_name().into_string().expect("text")),
        }
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_house_are_its_own() {
    let house = House::open().await;
    let ann = house.player("ann").await;
    let drilled = json!({ "id": fresh_id(), "turn": 1, "known": {}, "days": {} });
    house.call(&ann, "PUT", "/api/training/memory/nj-blackjack", Some(drilled)).await.ok();
    let (data, options) = (house.options.data.clone(), house.options.clone());
    let backup = move || server::backup(&options, &options.data.join("backup"));
    tokio::task::spawn_blocking(backup).await.expect("ended").expect("backed up");
    let seen = private(&data);
    for file in ["house.sqlite", "lock", "practice.sqlite", "last-backup", "seal.key", "shoe.key"] {
        assert!(seen.iter().any(|name| name == file), "{file} is not among {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn common_passwords_are_refused() {
    let house = House::open().await;
    for password in ["password1", "P@ssw0rd!", "12345678", "barbara99", "qwertyuiop"] {
        let refused = house.post("", "/api/people", json!({ "name": "barbara", "password": password })).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, "common-password"), "{password}");
    }
    house.player("barbara").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_refills_at_once_fill_up_once() {
    let house = House::with("[timings]\nbetting_ms = 60000\n", None).await;
    let guest = house.guest().await;
    let wager = json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["500.00"] });
    house.post(&guest, "/api/tables/1/actions", wager).await.ok();
    let refills = (0..50).map(|_| house.post(&guest, "/api/me/refill", json!({ "id": fresh_id() })));
    for answer in futures_util::future::join_all(refills).await {
        answer.ok();
    }
    assert_eq!(house.get(&guest, "/api/me").await.ok()["play"], "1000.00");
}
