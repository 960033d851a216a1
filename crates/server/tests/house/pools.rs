//! One address against each pool of the house: bodies, answers, connections, training and solo tables, pings, passwords,
//! lookups of tokens, the lab. While it holds its full share, a player at another address is refused nothing. The second
//! slowest of that player's hundred actions takes at most twice as long as before, plus 20 ms, in the best of up to five
//! runs. The queues of queries and of a table's requests have tests beside their code (`pool.rs`,
//! `tables/actor/handle.rs`).

use crate::bot::fresh_id;
use crate::ceiling::peak_of;
use crate::client::{Answer, Peer, parse};
use crate::kill::{Process, options, start};
use crate::socket::{Socket, connect_to, next_of, say};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// Latency that a busy machine may add to any answer.
const NOISE: Duration = Duration::from_millis(20);
/// Rate limits so wide that only the pool limits requests.
const FAST: &str = "requests_per_second = 100000\nrequests_at_once = 100000\n";
const ATTACKER: [u8; 4] = [127, 0, 0, 2];

struct House {
    process: Process,
    _directory: TempDir,
}

impl House {
    fn with(rates: &str) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        let text = format!(
            "[timings]\nbetting_ms = 600000\n[rates]\nentries_per_minute = 100000\n{rates}\n\
             [[table]]\nrules = \"nj-blackjack\"\n"
        );
        std::fs::write(&file, text).expect("written");
        let options = options(&directory.path().join("data"), &file, None);
        House { process: start(&options), _directory: directory }
    }

    fn address(&self) -> String {
        self.process.address.clone()
    }

    fn peer(&self) -> Peer {
        Peer { address: self.address() }
    }

    /// Returns a guest at the other address.
    async fn guest(&self) -> String {
        let entered = self.peer().try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
        entered["token"].as_str().expect("a token").to_owned()
    }

    /// Measures play before and during the attack, and compares the latencies.
    async fn compare<T>(&self, attack: impl Future<Output = T>) -> T {
        let token = self.guest().await;
        let mut socket = connect_to(&self.address(), &token, None).await.expect("connected");
        let quiet = self.play(&mut socket, &token).await;
        // a socket that nobody reads answers no ping, and is closed
        let mut attack = std::pin::pin!(attack);
        let held = loop {
            tokio::select! {
                held = &mut attack => break held,
                message = socket.next() => { message.expect("open").expect("a message"); }
            }
        };
        // other load on the machine slows a run now and then; an attack that holds a resource slows every run
        let mut busy = self.play(&mut socket, &token).await;
        for _ in 0..4 {
            if busy > 2 * quiet + NOISE {
                busy = busy.min(self.play(&mut socket, &token).await);
            }
        }
        println!("the slowest of a hundred: {quiet:?} before, {busy:?} during the attack");
        assert!(busy <= 2 * quiet + NOISE, "{busy:?} after {quiet:?}");
        println!("the house: {} KiB at most", peak_of(self.process.child.id()));
        held
    }

    /// Performs a hundred actions, over the socket and by separate requests; returns the time of the second slowest.
    async fn play(&self, socket: &mut Socket, token: &str) -> Duration {
        let mut times = Vec::new();
        for n in 0..100 {
            let action = match n % 2 {
                0 => json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] }),
                _ => json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 }),
            };
            let since = Instant::now();
            if n % 4 < 2 {
                say(socket, action).await;
                next_of(socket, "ack").await;
            } else {
                let (status, told) =
                    self.peer().try_post(token, "/api/tables/1/actions", action).await.expect("answered");
                assert_eq!(status, 200, "{told}");
            }
            times.push(since.elapsed());
            // As fast as one person may.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        times.sort();
        times[98]
    }
}

/// Connects from the attacker's address.
async fn dial(address: &str) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().ok()?;
    socket.bind((ATTACKER, 0).into()).ok()?;
    socket.connect(address.parse().expect("an address")).await.ok()
}

/// Sends a request from the attacker, and returns the response if there is one.
async fn ask(address: &str, token: &str, (method, path): (&str, &str), body: &Value) -> Option<Answer> {
    let mut stream = dial(address).await?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let bearer = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{bearer}\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.ok()?;
    parse(&bytes)
}

/// Returns a guest at the attacker's address.
async fn enter(address: &str) -> String {
    let answer = ask(address, "", ("POST", "/api/guests"), &Value::Null).await.expect("answered");
    answer.ok()["token"].as_str().expect("a token").to_owned()
}

/// Opens a live view of the attacker, whose frames are written by hand; `None` if it is refused.
async fn live(address: &str, token: &str) -> Option<TcpStream> {
    let mut stream = dial(address).await?;
    let head = format!(
        "GET /api/tables/1/live HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.ok()?;
    (&answer == b"HTTP/1.1 101").then_some(stream)
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_bodies_of_one_address_keep_nobody_from_sending() {
    let house = House::with(&format!("{FAST}connections_per_address = 1000"));
    let address = house.address();
    let held = house
        .compare(async {
            let head = format!(
                "POST /api/sessions HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
                 content-length: 65000\r\n\r\n"
            );
            let mut held = Vec::new();
            for n in 0..500 {
                let mut stream = dial(&address).await.expect("connects");
                // Half of them send all but the end of the announced body, the others nothing.
                let sent = if n % 2 == 0 { " ".repeat(64_900) } else { String::new() };
                let text = format!("{head}{sent}");
                let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(text.as_bytes())).await;
                held.push(stream);
            }
            held
        })
        .await;
    drop(held);
}

/// Many long answers, of which one address reads nothing.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_one_address_does_not_read_keep_nobody_from_reading() {
    let house = House::with("requests_per_second = 1000\nrequests_at_once = 1000");
    let (address, ann, path) = (house.address(), house.guest().await, "/api/clauses?limit=500");
    let held = house
        .compare(async {
            // More than the sockets' buffers hold.
            let requests = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").repeat(40);
            let mut held = Vec::new();
            for _ in 0..16 {
                let mut stream = dial(&address).await.expect("connects");
                stream.write_all(requests.as_bytes()).await.expect("sent");
                held.push(stream);
            }
            let full = async {
                loop {
                    let answer = ask(&address, "", ("GET", path), &Value::Null).await.expect("answered");
                    if answer.code() == "too-much-at-once" {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(15), full).await.expect("its share is full");
            held
        })
        .await;
    assert!(house.peer().try_get(&ann, path).await.is_some(), "another address");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_a_sixteenth_of_the_connections_and_live_views_count() {
    let house = House::with("connections = 64\nsockets_per_person = 16");
    let address = house.address();
    let token = enter(&address).await;
    let views = house
        .compare(async {
            let mut views = Vec::new();
            for _ in 0..140 {
                views.extend(live(&address, &token).await);
            }
            views
        })
        .await;
    assert!((1..=4).contains(&views.len()), "{} live views", views.len());
    assert!(ask(&address, "", ("GET", "/health"), &Value::Null).await.is_none(), "nothing more from there");
    drop(views);
    let again = async {
        while live(&address, &token).await.is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), again).await.expect("there is room again");
}

#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_guests_at_one_address_take_nobodys_training_table() {
    let house = House::with(FAST);
    let (address, ann) = (house.address(), house.guest().await);
    let opened = json!({ "rules": "nj-blackjack" });
    for path in ["/api/training", "/api/rehearsal"] {
        assert_eq!(house.peer().try_post(&ann, path, opened.clone()).await.expect("answered").0, 200);
    }
    house
        .compare(async {
            for _ in 0..520 {
                let guest = enter(&address).await;
                for path in ["/api/training", "/api/rehearsal"] {
                    let answer = ask(&address, &guest, ("POST", path), &opened).await.expect("answered");
                    assert_eq!(answer.status, 200, "of the same address one goes: {}", answer.body);
                }
            }
        })
        .await;
    house.peer().try_get(&ann, "/api/training").await.expect("hers is still there");
    let wagers = house.peer().try_post(&ann, "/api/rehearsal/wagers", Value::Null).await.expect("answered");
    assert_ne!(wagers.0, 404, "{}", wagers.1);
}

/// Floods sixteen sockets of one address with a frame while somebody else plays; at most as many frames may be answered
/// as the address may send requests. `answer` is part of every answer to the frame.
async fn flood(frame: [u8; 8], answer: &'static [u8]) {
    let house = House::with("");
    let address = house.address();
    let (over, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let flooding = house
        .compare(async {
            // All sockets are open before the first one floods: during the flood the address is refused new requests.
            let mut views = Vec::new();
            for _ in 0..16 {
                let guest = enter(&address).await;
                views.push(live(&address, &guest).await.expect("a view"));
            }
            let mut flooding = JoinSet::new();
            for view in views {
                let (mut reading, mut writing) = view.into_split();
                let (over, answered) = (Arc::clone(&over), Arc::clone(&answered));
                flooding.spawn(async move {
                    let mut heard = vec![0; 1 << 16];
                    while let Ok(Ok(n @ 1..)) =
                        tokio::time::timeout(Duration::from_secs(30), reading.read(&mut heard)).await
                    {
                        let answers = heard[..n].windows(answer.len()).filter(|part| *part == answer);
                        answered.fetch_add(answers.count(), Ordering::Relaxed);
                    }
                });
                flooding.spawn(async move {
                    let frames = frame.repeat(200);
                    // Never interrupted: half a frame would end the socket.
                    while !over.load(Ordering::Relaxed) && writing.write_all(&frames).await.is_ok() {}
                });
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            let early = answered.swap(0, Ordering::Relaxed);
            (flooding, Instant::now(), early)
        })
        .await;
    let (mut flooding, since, early) = flooding;
    let (seconds, answered) = (since.elapsed().as_secs_f64(), answered.load(Ordering::Relaxed) as f64);
    over.store(true, Ordering::Relaxed);
    flooding.abort_all();
    println!("{answered} frames answered in {seconds:.1} s");
    assert!(early > 0 && answered > 0.0, "a flood is slowed down, not silenced");
    // Each person's burst, and then ten times a person's rate for the address.
    assert!(answered <= 16.0 * 200.0 + 600.0 * seconds, "{answered} in {seconds} s");
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_are_answered_at_the_rate_of_requests() {
    // A ping with payload `pp`, and its pong.
    flood([0x89, 0x82, 0, 0, 0, 0, b'p', b'p'], &[0x8a, 2, b'p', b'p']).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn binary_frames_are_answered_at_the_rate_of_requests() {
    flood([0x82, 0x82, 0, 0, 0, 0, b'p', b'p'], b"\"code\":\"frame-not-text\"").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_a_sixteenth_of_the_solo_tables() {
    let house = House::with("solo_tables = 32");
    let (address, ann) = (house.address(), house.guest().await);
    let opened = house
        .compare(async {
            let mut opened = 0;
            for _ in 0..10 {
                let guest = enter(&address).await;
                let answer = ask(&address, &guest, ("POST", "/api/tables/1/solo"), &json!({})).await;
                let answer = answer.expect("answered");
                match answer.status {
                    200 => opened += 1,
                    status => assert_eq!(
                        (status, answer.code().as_str()),
                        (429, "too-much-at-once"),
                        "{}",
                        answer.body
                    ),
                }
            }
            opened
        })
        .await;
    assert_eq!(opened, 2);
    let (status, told) =
        house.peer().try_post(&ann, "/api/tables/1/solo", json!({})).await.expect("answered");
    assert_eq!(status, 200, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_of_one_address_keep_nobody_from_coming_in() {
    let house = House::with(&format!("{FAST}connections_per_address = 1000"));
    let address = house.address();
    let (coming, ann) = house
        .compare(async {
            let mut coming = JoinSet::new();
            for n in 0..400 {
                let address = address.clone();
                coming.spawn(async move {
                    let body = json!({ "name": format!("crowd-{n}"), "password": "correct horse" });
                    ask(&address, "", ("POST", "/api/people"), &body)
                        .await
                        .map(|answer| (answer.status, answer.code()))
                });
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            let peer = house.peer();
            let ann = tokio::spawn(async move {
                let ann = json!({ "name": "ann", "password": "correct horse" });
                peer.try_post("", "/api/people", ann).await
            });
            (coming, ann)
        })
        .await;
    let (status, told) = ann.await.expect("ended").expect("answered");
    assert!((200..300).contains(&status), "{status} {told}");
    let answers: Vec<_> = coming.join_all().await.into_iter().flatten().collect();
    let refused =
        answers.iter().filter(|(status, code)| (*status, code.as_str()) == (429, "too-much-at-once")).count();
    assert!(refused > 100, "the address asked for more than its share: {refused}");
    assert!(answers.iter().all(|(status, _)| *status < 300 || *status == 429), "{answers:?}");
}

/// A made-up token costs a database query, even on routes without a rate limit, so it is charged to the address.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_somebody_makes_up_are_charged_to_the_address() {
    let house = House::with("requests_per_second = 1\nrequests_at_once = 10");
    let address = house.address();
    let mut refused = None;
    for n in 0..400 {
        let answer = ask(&address, &format!("{n:064x}"), ("GET", "/health"), &Value::Null).await;
        let answer = answer.expect("answered");
        if answer.status != 200 {
            refused = Some((answer.status, answer.code()));
            break;
        }
    }
    assert_eq!(refused, Some((429, "too-many".to_owned())));
    let answer = ask(&address, "", ("GET", "/health"), &Value::Null).await.expect("answered");
    assert_eq!(answer.status, 200, "without a token nothing is looked up");
    let guest = house.guest().await;
    assert!(house.peer().try_get(&guest, "/api/me").await.is_some(), "another address");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_somebody_makes_up_slow_nobody_down() {
    let house = House::with("");
    let address = house.address();
    let flooding = house
        .compare(async {
            let mut flooding = JoinSet::new();
            for task in 0..8_u64 {
                let address = address.clone();
                flooding.spawn(async move {
                    for n in 0_u64.. {
                        let token = format!("{task:032x}{n:032x}");
                        ask(&address, &token, ("GET", "/health"), &Value::Null).await;
                    }
                });
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
            flooding
        })
        .await;
    drop(flooding);
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_at_one_address_do_not_fill_the_lab() {
    let house = House::with("");
    let (address, ann) = (house.address(), house.guest().await);
    let (asking, refused) = house
        .compare(async {
            let refused = Arc::new(AtomicUsize::new(0));
            let mut asking = JoinSet::new();
            for n in 0..60_u32 {
                let (guest, address, refused) =
                    (enter(&address).await, address.clone(), Arc::clone(&refused));
                let ask = async move |path: &'static str, body: Value| {
                    let answer = ask(&address, &guest, ("POST", path), &body).await;
                    refused
                        .fetch_add(usize::from(answer.is_some_and(|a| a.status == 429)), Ordering::Relaxed);
                };
                asking.spawn(async move {
                    ask("/api/lab/simulations", json!({ "table": "nj-blackjack", "rounds": 2_000_000 }))
                        .await;
                    let removed =
                        "2s ".repeat(usize::try_from(n % 8).unwrap_or(0)) + &"3h ".repeat((n / 8) as usize);
                    ask("/api/lab/shoe", json!({ "table": "nj-blackjack", "removed": removed.trim() })).await;
                });
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            (asking, refused)
        })
        .await;
    let simulation = json!({ "table": "nj-blackjack", "rounds": 1000 });
    let (status, told) =
        house.peer().try_post(&ann, "/api/lab/simulations", simulation).await.expect("answered");
    assert_eq!(status, 202, "{told}");
    let coach = json!({ "table": "nj-blackjack", "hand": "As 7d", "up": "6h" });
    let (status, told) = house.peer().try_post(&ann, "/api/coach", coach).await.expect("answered");
    assert!(status == 200 || status == 408, "{status} {told}");
    assert!(refused.load(Ordering::Relaxed) > 20, "the address asked for more than its share");
    drop(asking);
}
