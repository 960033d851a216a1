//! Load on a house in a process of its own, over real sockets and a real disk: the time from an action to its durable
//! acknowledgement, idle sockets, and a restart with many stored rounds.
//!
//! `cargo bench -p server -- play 200 40`   clients at tables, all playing as fast as they are asked
//! `cargo bench -p server -- idle 5000`     sockets that only listen, and the memory of the house
//! `cargo bench -p server -- restart 1000000`   rounds stored first, then the time from start to the first action

use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use server::Options;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

const SECONDS: u64 = 10;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |at: usize, usual: usize| arguments.get(at).and_then(|a| a.parse().ok()).unwrap_or(usual);
    match arguments.first().map(String::as_str) {
        Some("serve") => serve(Path::new(&arguments[1])),
        Some("play") => run(play(number(1, 200), number(2, 40))),
        Some("idle") => run(idle(number(1, 5000))),
        Some("restart") => run(restart(number(1, 1_000_000) as u64)),
        _ => {
            run(play(200, 40));
            run(play(1000, 150));
            run(idle(5000));
        }
    }
}

fn run(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("runs")
        .block_on(work);
}

fn options(directory: &Path) -> Options {
    Options {
        listen: "127.0.0.1:0".into(),
        data: directory.join("data"),
        database: std::env::var("CUTCARD_BENCH_DATABASE").ok(),
        house: Some(directory.join("house.toml")),
        secure_cookies: false,
    }
}

fn serve(directory: &Path) {
    run(async {
        let ready = |address: std::net::SocketAddr, _: Option<&(String, String)>| println!("open {address}");
        server::serve(options(directory), server::asked_to_stop(), ready).await.expect("serves");
    });
}

fn directory(tables: usize) -> tempfile::TempDir {
    let place: PathBuf = std::env::var_os("CUTCARD_BENCH_DIR").map_or_else(std::env::temp_dir, Into::into);
    let directory = tempfile::Builder::new().prefix("load").tempdir_in(place).expect("temp dir");
    let mut file = String::from(
        "guest_chips = \"100000000.00\"\n[timings]\nbetting_ms = 60000\ndecision_ms = 60000\npause_ms = 0\n[rates]\n\
         requests_per_second = 1000000\nrequests_at_once = 1000000\nentries_per_minute = 1000000\nconnections = 20000\n\
         sockets_per_person = 20000\n",
    );
    for _ in 0..tables {
        file.push_str("[[table]]\nrules = \"nj-blackjack\"\nset = [\"positions=7\", \"split_hands=3\"]\n");
    }
    std::fs::write(directory.path().join("house.toml"), file).expect("written");
    directory
}

struct Process {
    child: Child,
    address: String,
}

fn start(directory: &Path) -> Process {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    let mut child = command
        .arg("serve")
        .arg(directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let address = lines.find_map(|l| l.strip_prefix("open ").map(str::to_owned)).expect("opens");
    Process { child, address }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn post(address: &str, token: &str, path: &str, body: &str) -> Value {
    let mut stream = TcpStream::connect(address).await.expect("connects");
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("answered");
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or(Value::Null)
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<TcpStream>>;

async fn connect(address: &str, token: &str, table: usize) -> Socket {
    let mut request =
        format!("ws://{address}/api/tables/{table}/live").into_client_request().expect("a request");
    let bearer = format!("Bearer {token}");
    request.headers_mut().insert("authorization", bearer.parse().expect("a header"));
    tokio_tungstenite::connect_async(request).await.expect("connected").0
}

async fn guest(address: &str) -> String {
    post(address, "", "/api/guests", "").await["token"].as_str().expect("a token").to_owned()
}

#[derive(Deserialize)]
struct Seen {
    r#type: String,
    #[serde(default)]
    awaiting: Option<Awaited>,
    #[serde(default)]
    boxes: Vec<Placed>,
}

#[derive(Deserialize)]
struct Awaited {
    what: String,
    #[serde(default)]
    r#box: Option<usize>,
    #[serde(default)]
    offer: Option<String>,
    #[serde(default)]
    asked: Vec<Placed>,
}

#[derive(Deserialize)]
struct Placed {
    r#box: usize,
}

/// What this seat has to say to what it sees, if anything.
fn reply(seen: &Seen, seat: usize, wagered: bool) -> Option<Value> {
    let awaiting = seen.awaiting.as_ref()?;
    match awaiting.what.as_str() {
        "wagers" if !wagered && !seen.boxes.iter().any(|b| b.r#box == seat) => {
            Some(json!({ "do": "wager", "box": seat, "amounts": ["10.00"] }))
        }
        "wagers" if seen.boxes.iter().any(|b| b.r#box == seat) => Some(json!({ "do": "deal" })),
        "decision" if awaiting.r#box == Some(seat) => Some(json!({ "do": "stand", "box": seat })),
        "offer" if awaiting.asked.iter().any(|b| b.r#box == seat) => {
            Some(json!({ "do": "decline", "box": seat, "offer": awaiting.offer }))
        }
        _ => None,
    }
}

async fn player(mut socket: Socket, seat: usize, stop: Arc<AtomicBool>, name: String) -> Vec<Duration> {
    let mut waits = Vec::new();
    let mut sent: Option<Instant> = None;
    let mut turn = 0u64;
    let mut last: Option<Seen> = None;
    while !stop.load(Ordering::Relaxed) {
        let message = match tokio::time::timeout(Duration::from_millis(500), socket.next()).await {
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Ok(_))) | Err(_) => continue,
            _ => break,
        };
        let Ok(seen) = serde_json::from_str::<Seen>(&message) else {
            continue;
        };
        match seen.r#type.as_str() {
            "ack" => {
                if let Some(at) = sent.take() {
                    waits.push(at.elapsed());
                }
            }
            "refused" => sent = None,
            "view" => last = Some(seen),
            _ => continue,
        }
        if sent.is_none()
            && let Some(view) = &last
            && let Some(mut action) = reply(view, seat, false)
        {
            turn += 1;
            action["id"] = format!("{name}-{turn}").into();
            let dealing = action["do"] == "deal";
            if socket.send(Message::Text(action.to_string().into())).await.is_err() {
                break;
            }
            sent = Some(Instant::now());
            if dealing {
                last = None;
            }
        }
    }
    waits
}

async fn play(clients: usize, tables: usize) {
    let directory = directory(tables);
    let process = start(directory.path());
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = Vec::new();
    for n in 0..clients {
        let token = guest(&process.address).await;
        let socket = connect(&process.address, &token, n % tables + 1).await;
        players.push((socket, n / tables + 1, format!("c{n}")));
    }
    let begun = Instant::now();
    let tasks: Vec<_> = players
        .into_iter()
        .map(|(socket, seat, name)| tokio::spawn(player(socket, seat, Arc::clone(&stop), name)))
        .collect();
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    stop.store(true, Ordering::Relaxed);
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.expect("ended"));
    }
    let seconds = begun.elapsed().as_secs_f64();
    waits.sort();
    let at = |part: f64| waits.get((waits.len() as f64 * part) as usize).copied().unwrap_or_default();
    println!(
        "{clients} clients at {tables} tables: {:.0} actions/s, p50 {:?}, p99 {:?}, longest {:?}",
        waits.len() as f64 / seconds,
        at(0.5),
        at(0.99),
        waits.last().copied().unwrap_or_default()
    );
}

fn resident_mib(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.child.id())).unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
}

async fn idle(sockets: usize) {
    let directory = directory(10);
    let process = start(directory.path());
    let token = guest(&process.address).await;
    let before = resident_mib(&process);
    let mut open = Vec::new();
    for n in 0..sockets {
        open.push(connect(&process.address, &token, n % 10 + 1).await);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("{sockets} idle sockets: {} MiB resident, {before} MiB before", resident_mib(&process));
}

async fn restart(rounds: u64) {
    let directory = directory(10);
    let stored = AtomicU64::new(0);
    let options = options(directory.path());
    let begun = Instant::now();
    server::store_rounds(&options, rounds, &stored).await.expect("stored");
    let size =
        std::fs::metadata(directory.path().join("data/house.sqlite")).map(|m| m.len() >> 20).unwrap_or(0);
    println!("stored {} rounds in {:.0?}, {size} MiB", stored.load(Ordering::Relaxed), begun.elapsed());
    for _ in 0..3 {
        let begun = Instant::now();
        let process = start(directory.path());
        let opened = begun.elapsed();
        let token = guest(&process.address).await;
        let body = json!({ "id": "first", "do": "wager", "box": 1, "amounts": ["10.00"] }).to_string();
        let answer = post(&process.address, &token, "/api/tables/1/actions", &body).await;
        println!("open after {opened:.0?}, first action after {:.0?}: {answer}", begun.elapsed());
    }
}
