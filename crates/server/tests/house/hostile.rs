//! Clients that are oversized, slow or silent on purpose. During each attack somebody else plays, and all of their
//! actions are answered in time; the house, in its own process, stays within its memory limit.

use crate::bot::fresh_id;
use crate::ceiling::peak_of;
use crate::client::Peer;
use crate::kill::{Process, options, start};
use crate::lockout::memory_of;
use crate::socket::{Socket, connect_to, next_of, say};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// The time limit for another player's action during an attack, even in a test build on a busy machine.
const IN_TIME: Duration = Duration::from_secs(2);
/// The memory limit for all connections of an attack together, in KiB.
const MEMORY: u64 = 96 * 1024;
const FLOOD: Duration = Duration::from_secs(4);

struct House {
    process: Process,
    _directory: TempDir,
}

impl House {
    fn open() -> House {
        House::with("entries_per_minute = 1000")
    }

    fn with(rates: &str) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let file = directory.path().join("house.toml");
        // The other player comes from the same address.
        let rates = format!("[rates]\nconnections_per_address = 5000\n{rates}\n");
        std::fs::write(&file, format!("{rates}[[table]]\nrules = \"nj-blackjack\"\n")).expect("written");
        let options = options(&directory.path().join("data"), &file, None);
        House { process: start(&options), _directory: directory }
    }

    fn address(&self) -> &str {
        &self.process.address
    }

    async fn guest(&self) -> String {
        let peer = Peer { address: self.address().to_owned() };
        let entered = peer.try_post("", "/api/guests", Value::Null).await.expect("a guest").1;
        entered["token"].as_str().expect("a token").to_owned()
    }

    /// Connects and sends a text, which may be only the beginning of a request.
    async fn begin(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address()).await.expect("connects");
        stream.write_all(text.as_bytes()).await.expect("sent");
        stream
    }

    /// Opens a live view whose frames are written by hand.
    async fn live(&self, token: &str) -> TcpStream {
        let mut stream = self
            .begin(&format!(
                "GET /api/tables/1/live HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
                 upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n\
                 sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            ))
            .await;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.expect("answered");
        assert_eq!(&answer, b"HTTP/1.1 101");
        stream
    }

    /// Plays as another client during the attack.
    async fn meanwhile(&self, attack: impl Future<Output = ()>) {
        let before = memory_of(self.process.child.id(), "VmRSS:");
        let over = Arc::new(AtomicBool::new(false));
        let token = self.guest().await;
        let socket = connect_to(self.address(), &token, None).await.expect("connected");
        let playing = tokio::spawn(play(socket, (self.address().to_owned(), token), Arc::clone(&over)));
        attack.await;
        over.store(true, Ordering::Relaxed);
        let actions = playing.await.expect("all in time");
        assert!(actions > 3, "somebody else played: {actions}");
        let peak = peak_of(self.process.child.id());
        let grown = peak.saturating_sub(before);
        println!("{actions} actions of somebody else; {grown} KiB more, {peak} KiB at most");
        assert!(grown < MEMORY, "{grown} KiB");
    }
}

/// Bets and withdraws, and opens new connections, until the attack is over; checks that every answer comes in time.
async fn play(mut socket: Socket, (address, token): (String, String), over: Arc<AtomicBool>) -> u32 {
    let mut actions = 0;
    while !over.load(Ordering::Relaxed) || actions < 4 {
        let action = match actions % 2 {
            0 => json!({ "id": fresh_id(), "round": 1, "do": "wager", "box": 1, "amounts": ["10.00"] }),
            _ => json!({ "id": fresh_id(), "round": 1, "do": "withdraw", "box": 1 }),
        };
        let since = Instant::now();
        say(&mut socket, action).await;
        next_of(&mut socket, "ack").await;
        assert!(since.elapsed() < IN_TIME, "an action took {:?}", since.elapsed());
        let since = Instant::now();
        Peer { address: address.clone() }.try_get(&token, "/api/tables").await.expect("answered");
        assert!(since.elapsed() < IN_TIME, "a new connection took {:?}", since.elapsed());
        actions += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    actions
}

/// Returns what is still received before the connection closes, which must be within this time.
async fn rest_within(stream: &mut TcpStream, limit: Duration) -> String {
    let mut rest = Vec::new();
    // A reset counts as closed, too.
    let ended = tokio::time::timeout(limit, stream.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection is not ended within {limit:?}");
    String::from_utf8_lossy(&rest).into_owned()
}

/// Sends these bytes repeatedly until the connection is cut off, which must be within this time.
async fn until_cut_off(stream: &mut TcpStream, bytes: &[u8], (pause, limit): (Duration, Duration)) {
    let cut = tokio::time::timeout(limit, async {
        while stream.write_all(bytes).await.is_ok() {
            tokio::time::sleep(pause).await;
        }
    });
    assert!(cut.await.is_ok(), "it is not cut off within {limit:?}");
}

fn frame(first: u8, length: &[u8], content: &[u8]) -> Vec<u8> {
    // Masked, as a client's frames must be, with a mask of zeros.
    [&[first], length, &[0; 4], content].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_oversized_body_is_refused_and_not_read() {
    let house = House::open();
    let head = "POST /api/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let attack = async {
        let mut all = JoinSet::new();
        for n in 0..40 {
            let declared = format!("{head}content-length: 1000000000\r\n\r\n");
            let chunked =
                format!("{head}transfer-encoding: chunked\r\n\r\n20000\r\n\"{}", "x".repeat(0x1ffff));
            let mut stream = house.begin(if n % 2 == 0 { &declared } else { &chunked }).await;
            all.spawn(async move {
                let mut answer = [0; 12];
                stream.read_exact(&mut answer).await.expect("answered");
                assert_eq!(&answer, b"HTTP/1.1 413");
                until_cut_off(&mut stream, &[b'x'; 65536], (Duration::ZERO, Duration::from_secs(15))).await;
            });
        }
        all.join_all().await;
    };
    house.meanwhile(attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_never_end_are_cut_off() {
    let house = House::open();
    let attack = async {
        let mut all = JoinSet::new();
        for _ in 0..200 {
            let mut stream = house.begin("GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ").await;
            all.spawn(async move {
                until_cut_off(&mut stream, b"x", (Duration::from_millis(500), Duration::from_secs(15))).await;
            });
        }
        // A client that sends as fast as it can is cut off too.
        let mut fast = house.begin("GET /health HTTP/1.1\r\nhost: localhost\r\nx-fast: ").await;
        until_cut_off(&mut fast, &[b'x'; 65536], (Duration::ZERO, Duration::from_secs(5))).await;
        all.join_all().await;
    };
    house.meanwhile(attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_never_ends_is_given_up() {
    let house = House::open();
    let attack = async {
        let mut all = JoinSet::new();
        for _ in 0..100 {
            let head = "POST /api/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
            let stream = house.begin(&format!("{head}content-length: 60000\r\n\r\n{{")).await;
            all.spawn(async move {
                let (mut reading, mut writing) = stream.into_split();
                let slow = tokio::spawn(async move {
                    while writing.write_all(b" ").await.is_ok() {
                        tokio::time::sleep(Duration::from_millis(500)).await;
                    }
                });
                let mut answer = Vec::new();
                let told = tokio::time::timeout(Duration::from_secs(50), reading.read_to_end(&mut answer));
                // A reset counts as closed, too.
                let _ = told.await.expect("in time");
                let answer = String::from_utf8_lossy(&answer);
                assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"timed-out\""), "{answer}");
                let ended = tokio::time::timeout(Duration::from_secs(15), slow).await;
                assert!(ended.is_ok(), "nothing more is taken");
            });
        }
        all.join_all().await;
    };
    house.meanwhile(attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_oversized_frame_ends_the_socket() {
    let house = House::open();
    let token = house.guest().await;
    let attack = async {
        for _ in 0..10 {
            // A frame that claims to be long, one that is long, and many that make up one message.
            let mut claims = house.live(&token).await;
            let length = [&[0xff_u8][..], &(1_u64 << 40).to_be_bytes()].concat();
            claims.write_all(&frame(0x81, &length, b"{")).await.expect("sent");
            rest_within(&mut claims, Duration::from_secs(5)).await;

            let mut long = house.live(&token).await;
            let length = [&[0xff_u8][..], &100_000_u64.to_be_bytes()].concat();
            long.write_all(&frame(0x81, &length, &[b' '; 100_000])).await.ok();
            rest_within(&mut long, Duration::from_secs(5)).await;

            let mut parts = house.live(&token).await;
            let length = [&[0xfe_u8][..], &1000_u16.to_be_bytes()].concat();
            parts.write_all(&frame(0x01, &length, &[b' '; 1000])).await.expect("sent");
            let part = frame(0x00, &length, &[b' '; 1000]);
            until_cut_off(&mut parts, &part, (Duration::ZERO, Duration::from_secs(5))).await;
        }
    };
    house.meanwhile(attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_frames_is_held_back() {
    let house = House::open();
    let token = house.guest().await;
    let attack = async {
        let mut all = JoinSet::new();
        let mut sockets = Vec::new();
        for _ in 0..16 {
            sockets.push(house.live(&token).await);
        }
        for (n, socket) in sockets.into_iter().enumerate() {
            let (mut reading, mut writing) = socket.into_split();
            all.spawn(async move {
                let mut heard = vec![0; 1 << 16];
                let listening = async { while reading.read(&mut heard).await.is_ok_and(|n| n > 0) {} };
                let _ = tokio::time::timeout(FLOOD, listening).await;
            });
            let text: &[u8] = match n % 3 {
                0 => b"{\"type\":\"resync\"}",
                1 => b"{\"id\":\"flood\",\"do\":\"stand\",\"box\":1}",
                _ => b"{{{{{{",
            };
            let flood = frame(0x81, &[0x80 | text.len() as u8], text).repeat(100);
            all.spawn(async move {
                let flooding = async { while writing.write_all(&flood).await.is_ok() {} };
                let _ = tokio::time::timeout(FLOOD, flooding).await;
            });
        }
        all.join_all().await;
    };
    house.meanwhile(attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_queues_up_for_a_reader_that_never_reads() {
    // The rate limits are wide open, so that there is enough to read.
    let house = House::with("requests_per_second = 1000000\nrequests_at_once = 1000000");
    let token = house.guest().await;
    let attack = async {
        // Live views, and documents requested one after another.
        let mut asking = Vec::new();
        for _ in 0..4 {
            let text = b"{\"type\":\"resync\"}";
            asking.push((house.live(&token).await, frame(0x81, &[0x80 | text.len() as u8], text)));
            let ask = "GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
            asking.push((house.begin(ask).await, ask.as_bytes().to_vec()));
        }
        let mut all = JoinSet::new();
        for (mut stream, ask) in asking {
            let bytes = ask.repeat(20);
            all.spawn(async move {
                until_cut_off(&mut stream, &bytes, (Duration::from_millis(10), Duration::from_secs(60)))
                    .await;
            });
        }
        all.join_all().await;
    };
    house.meanwhile(attack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_half_open_connections_cost_little_and_end() {
    let house = House::open();
    let attack = async {
        let mut open = Vec::new();
        for n in 0..room().min(4000) {
            open.push(house.begin(if n % 2 == 0 { "" } else { "GET /health HTTP/1.1\r\nho" }).await);
        }
        for stream in &mut open {
            rest_within(stream, Duration::from_secs(20)).await;
        }
    };
    house.meanwhile(attack).await;
}

/// Returns how many connections this process may open while other tests run.
fn room() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").expect("Linux");
    let files = limits.lines().find_map(|l| l.strip_prefix("Max open files")).expect("such a line");
    let soft = files.split_whitespace().next().and_then(|n| n.parse::<usize>().ok());
    soft.unwrap_or(usize::MAX) / 2
}

/// Long invalid input is rejected quickly, and delays nobody who plays.
#[tokio::test(flavor = "multi_thread")]
async fn long_nonsense_holds_nobody_up() {
    let house = House::with("entries_per_minute = 1000\nrequests_per_second = 1000\nrequests_at_once = 1000");
    let (one, two) = (house.guest().await, house.guest().await);
    let long = "x".repeat(60_000);
    let half = "x".repeat(19_990);
    let changes: Vec<String> = (0..100).map(|n| format!("{}{n}=1", "y".repeat(390))).collect();
    let asked = [
        ("/api/training", json!({ "rules": format!("{long} = 1") }), 400),
        ("/api/training", json!({ "rules": format!("{half} = 1") }), 400),
        ("/api/training", json!({ "rules": "nj-blackjack", "set": changes }), 400),
        ("/api/lab/check", json!({ "table": "nj-blackjack", "set": changes }), 400),
        ("/api/lab/check", json!({ "table": long, "set": [] }), 404),
        ("/api/coach", json!({ "table": "nj-blackjack", "hand": long, "up": "6h" }), 400),
        ("/api/lab/simulations", json!({ "table": "nj-blackjack", "rounds": 10, "count": long }), 400),
        ("/api/sessions", json!({ "name": long, "password": "x" }), 400),
    ];
    let attack = async {
        let until = Instant::now() + FLOOD;
        let mut all = JoinSet::new();
        for (n, token) in [&one, &two].into_iter().cycle().take(8).enumerate() {
            let (address, token, asked) = (house.address().to_owned(), token.clone(), asked.clone());
            all.spawn(async move {
                for (path, body, status) in asked.iter().cycle().skip(n) {
                    if Instant::now() > until {
                        break;
                    }
                    let peer = Peer { address: address.clone() };
                    let (found, _) = peer.try_post(&token, path, body.clone()).await.expect("answered");
                    assert!([*status, 429, 503].contains(&found), "{path}: {found}");
                }
            });
        }
        all.join_all().await;
        let words = "a%20".repeat(3_000);
        let peer = Peer { address: house.address().to_owned() };
        assert!(peer.text(&format!("/api/clauses?q={words}")).await.is_none(), "too many words");
    };
    house.meanwhile(attack).await;
}
