//! The format of responses: errors, headers, pages, probes, hostile clients.

use crate::client::House;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn every_error_has_one_shape() {
    let house = House::open().await;
    let ann = house.player("ann").await;
    let big = format!("{{\"name\":\"{}\"}}", "x".repeat(100_000));
    let post = |body: &str| {
        format!(
            "POST /api/sessions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let answers = [
        house.get("", "/api/me").await,
        house.get(&ann, "/api/staff/people").await,
        house.get(&ann, "/api/nowhere").await,
        house.get(&ann, "/api/me/statement?limit=x").await,
        house.post("", "/api/sessions", json!({ "name": 5 })).await,
        house.raw(&post("{")).await,
        house.raw(&post(&big)).await,
        house
            .raw("POST /api/sessions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            .await,
        house.call(&ann, "PUT", "/api/me", None).await,
    ];
    for answer in answers {
        assert!((400..500).contains(&answer.status), "{}", answer.status);
        let error = &answer.json()["error"];
        assert!(error["code"].is_string() && error["message"].is_string(), "{}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_strict_headers() {
    let house = House::open().await;
    for path in ["/", "/api", "/api.js", "/api/me", "/health", "/no/such/page", "/missing.js"] {
        let answer = house.get("", path).await;
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    assert_eq!(house.get("", "/missing.js").await.status, 404);
    let page = house.get("", "/").await;
    assert!(page.header("content-type").expect("a type").starts_with("text/html"));
    let tag = page.header("etag").expect("a tag").to_owned();
    assert_eq!(house.send("GET", "/", &format!("if-none-match: {tag}\r\n"), None).await.status, 304);
    assert!(house.get("", "/api.js").await.header("content-type").expect("a type").contains("javascript"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_packed_for_who_can_unpack_it() {
    let house = House::open().await;
    let plain = house.get("", "/page/felt/felt.js").await;
    assert_eq!(plain.header("content-encoding"), None);
    let packed = house.send("GET", "/page/felt/felt.js", "accept-encoding: br, gzip\r\n", None).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.header("vary"), Some("accept-encoding"));
    let size = |answer: &crate::client::Answer| answer.header("content-length").map(str::to_owned);
    let bytes = |answer| size(answer).expect("a length").parse::<usize>().expect("a number");
    assert!(bytes(&packed) * 2 < bytes(&plain), "{:?} of {:?}", size(&packed), size(&plain));
    assert_ne!(packed.header("etag"), plain.header("etag"), "two representations, two tags");
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_prefix_the_page_names_its_files_there() {
    let house =
        House::with("operator = \"Pier Seven Ltd\"\nlicence = \"17\"\npath_prefix = \"games/\"\n", None)
            .await;
    for path in ["/", "/table/3", "/api"] {
        let page = house.get("", path).await;
        assert!(page.body.contains("=\"/games/"), "{path}: {}", page.body);
        assert!(!page.body.contains("=\"/page/") && !page.body.contains("=\"/api"), "{path}: {}", page.body);
    }
    let told = house.get("", "/api/house").await.json();
    assert_eq!((&told["operator"], &told["licence"]), (&"Pier Seven Ltd".into(), &"17".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_other_sites_change_nothing() {
    let house = House::open().await;
    let answer = house.send("POST", "/api/guests", "sec-fetch-site: cross-site\r\n", None).await;
    assert_eq!((answer.status, answer.code().as_str()), (403, "other-site"));
    let answer = house.send("POST", "/api/guests", "origin: http://evil.example\r\n", None).await;
    assert_eq!(answer.status, 403);
    let own = format!("origin: http://{}\r\nsec-fetch-site: same-origin\r\n", house.address);
    assert_eq!(house.send("POST", "/api/guests", &own, None).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_come_in_pages_that_join_without_gap_or_overlap() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "aud", "auditor").await;
    for _ in 0..12 {
        house.guest().await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = house.get(&auditor, &format!("/api/journal?limit=5{cursor}")).await.ok();
        seen.extend(
            page["items"].as_array().expect("items").iter().map(|r| r["seq"].as_i64().expect("a number")),
        );
        match page["next"].as_i64() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let head = house.get("", "/api/journal/head").await.ok()["seq"].as_i64().expect("a number");
    assert_eq!(seen, (1..=head).collect::<Vec<_>>());
    let people = house.get(&supervisor, "/api/staff/people?limit=3").await.ok();
    let next = people["next"].as_str().expect("more");
    let more = house.get(&supervisor, &format!("/api/staff/people?limit=500&after={next}")).await.ok();
    assert_eq!(more["items"].as_array().expect("items").len(), 11);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_journal_is_searched_by_kind_person_table_and_day() {
    let house = House::open().await;
    let supervisor = house.first_supervisor().await;
    let auditor = house.hire(&supervisor, "aud", "auditor").await;
    house.guest().await;
    let all = house.get(&auditor, "/api/journal?limit=500").await.ok();
    let all = all["items"].as_array().expect("items").clone();
    for key in ["kind", "person", "table", "day"] {
        let wanted = all.iter().rev().map(|r| &r[key]).find(|v| !v.is_null()).expect("a record with it");
        let text = wanted.as_str().map_or_else(|| wanted.to_string(), str::to_owned);
        let found = house.get(&auditor, &format!("/api/journal?limit=500&{key}={text}")).await.ok();
        let fitting: Vec<_> = all.iter().filter(|r| r[key] == *wanted).cloned().collect();
        assert_eq!(found["items"].as_array().expect("items"), &fitting, "{key}={text}");
    }
    let none = house.get(&auditor, "/api/journal?kind=no-such-kind").await.ok();
    assert_eq!(none["items"].as_array().map(Vec::len), Some(0));
    assert_eq!(house.get(&auditor, "/api/journal?day=yesterday").await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_and_metrics_answer() {
    let port = crate::takeover::free_port();
    let house = House::with(&format!("metrics_listen = \"127.0.0.1:{port}\"\n"), None).await;
    house.get("", "/health").await.ok();
    house.get("", "/ready").await.ok();
    house.guest().await;
    let figures = crate::client::Peer { address: format!("127.0.0.1:{port}") };
    let text = figures.text("/metrics").await.expect("figures");
    for line in
        ["cutcard_ledger_healthy 1", "route=\"/api/guests\",status=\"201\"", "cutcard_request_seconds_bucket"]
    {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(
        text.contains(concat!("cutcard_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"")),
        "{text}"
    );
    every_figure_is_described(&text);
    let rebound = "GET /metrics HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    assert_eq!(figures.raw(rebound).await.expect("answered").status, 421, "not to a page of another site");
    let document = house.get("", "/api/openapi.json").await.ok();
    assert_eq!(document["paths"]["/api/staff/people"]["get"]["x-roles"], json!(["supervisor"]));
    assert!(house.get("", "/api").await.body.contains("/api.js"));
}

/// Checks that every sample follows the help and type of its own metric, and that no metric occurs twice.
pub fn every_figure_is_described(text: &str) {
    let (mut seen, mut helped, mut family) = (Vec::new(), "", "");
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').expect("a name and a text");
            assert!(help.len() > 10 && help.ends_with('.'), "{line}");
            assert!(!seen.contains(&name), "{name} comes twice");
            seen.push(name);
            helped = name;
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            family = rest.split_once(' ').expect("a name and a kind").0;
            assert_eq!(family, helped, "{line}");
        } else {
            let name = line.split(['{', ' ']).next().unwrap_or_default();
            let endings = ["", "_bucket", "_sum", "_count"];
            assert!(
                endings.iter().any(|ending| name.strip_suffix(ending) == Some(family)),
                "{line} under {family}"
            );
        }
    }
    assert!(seen.len() > 10, "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_or_silent_client_hurts_nobody_else() {
    let house = House::with("[rates]\nconnections = 30\nconnections_per_address = 30", None).await;
    let mut slow = Vec::new();
    for _ in 0..25 {
        let mut stream = TcpStream::connect(&house.address).await.expect("connects");
        stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\nx-").await.expect("sent");
        slow.push(stream);
    }
    house.get("", "/health").await.ok();
    let mut rest = Vec::new();
    let cut = tokio::time::timeout(Duration::from_secs(15), slow[0].read_to_end(&mut rest)).await;
    assert!(cut.is_ok(), "a client that never finishes its headers is cut off");
}

/// A page consists of dozens of files, and several people behind one address open it at once.
#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_page_are_not_counted_like_requests() {
    let house = House::with("[rates]\nrequests_per_second = 1\nrequests_at_once = 20\n", None).await;
    for _ in 0..120 {
        assert_eq!(house.get("", "/page/app.js").await.status, 200);
    }
    let mut refused = [0, 0];
    for (n, path) in ["/api/tables", "/api/no-such-thing"].iter().cycle().take(80).enumerate() {
        refused[n % 2] += usize::from(house.get("", path).await.status == 429);
    }
    assert!(refused.iter().all(|refused| *refused > 0), "requests are counted as before: {refused:?}");
}
