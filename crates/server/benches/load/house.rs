//! The house under load, in its own process, and the clients' connections to it.

use serde_json::Value;
use server::Options;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// Environment variable with the name of a node process, if there are several.
const NODE: &str = "CUTCARD_BENCH_NODE";

pub fn options(directory: &Path) -> Options {
    let node = std::env::var(NODE).ok();
    let data = node.as_deref().unwrap_or("data");
    // All nodes use the keys of the first.
    let keys = node.as_deref().filter(|node| *node != "node-0").map(|_| directory.join("node-0/keys"));
    Options {
        listen: "127.0.0.1:0".into(),
        data: directory.join(data),
        database: std::env::var("CUTCARD_BENCH_DATABASE").ok(),
        keys,
        peers_listen: node.as_ref().map(|_| "127.0.0.1:0".into()),
        node,
        house: Some(directory.join("house.toml")),
        secure_cookies: false,
        lab_worker: Some(vec![
            std::env::current_exe().expect("this program").into_os_string(),
            "lab-worker".into(),
        ]),
        ..Options::default()
    }
}

pub fn directory(tables: usize) -> tempfile::TempDir {
    let place: PathBuf = std::env::var_os("CUTCARD_BENCH_DIR").map_or_else(std::env::temp_dir, Into::into);
    let directory = tempfile::Builder::new().prefix("load").tempdir_in(place).expect("temp dir");
    write_house_file(directory.path(), tables, 60_000);
    directory
}

/// Writes a house file; `window_ms` is the time limit for bets and decisions.
pub fn write_house_file(directory: &Path, tables: usize, window_ms: u32) {
    let mut file = format!(
        "guest_chips = \"100000000.00\"\n[timings]\nbetting_ms = {window_ms}\ndecision_ms = {window_ms}\n\
         pause_ms = 0\n[rates]\nrequests_per_second = 1000000\nrequests_at_once = 1000000\n\
         entries_per_minute = 1000000\nconnections = 20000\nconnections_per_address = 20000\nsockets_per_person = 20000\n",
    );
    for _ in 0..tables {
        file.push_str("[[table]]\nrules = \"nj-blackjack\"\nset = [\"positions=7\", \"split_hands=3\"]\n");
    }
    std::fs::write(directory.join("house.toml"), file).expect("written");
}

pub struct Process {
    child: Child,
    pub address: String,
}

pub fn start(directory: &Path) -> Process {
    begin(Command::new(std::env::current_exe().expect("this program")), directory)
}

/// Starts one of several nodes on a database.
pub fn start_node(directory: &Path, database: &str, n: usize) -> Process {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env("CUTCARD_BENCH_DATABASE", database).env(NODE, format!("node-{n}"));
    begin(command, directory)
}

fn begin(mut command: Command, directory: &Path) -> Process {
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

impl Process {
    pub fn resident_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
    }

    /// Returns the CPU seconds that the house has used.
    pub fn processor(&self) -> f64 {
        processor(&self.child.id().to_string())
    }
}

/// Returns the CPU seconds of a process, in steps of a hundredth; `self` means this process.
pub fn processor(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|word| word.parse::<u64>().ok());
    ticks.sum::<u64>() as f64 / 100.0
}

/// Kills the process, like a power failure.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub async fn post(address: &str, token: &str, path: &str, body: &str) -> Value {
    ask(address, token, ("POST", path), body).await
}

pub async fn get(address: &str, token: &str, path: &str) -> Value {
    ask(address, token, ("GET", path), "").await
}

async fn ask(address: &str, token: &str, (method, path): (&str, &str), body: &str) -> Value {
    let mut stream = TcpStream::connect(address).await.expect("connects");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("answered");
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or(Value::Null)
}

pub type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<TcpStream>>;

pub async fn connect(address: &str, token: &str, table: usize) -> Socket {
    let mut request =
        format!("ws://{address}/api/tables/{table}/live").into_client_request().expect("a request");
    let bearer = format!("Bearer {token}");
    request.headers_mut().insert("authorization", bearer.parse().expect("a header"));
    // The buffer is cleared before every read; a view takes a few kilobytes.
    let config = WebSocketConfig::default().read_buffer_size(8192);
    let connected = tokio_tungstenite::connect_async_with_config(request, Some(config), true).await;
    connected.expect("connected").0
}

pub async fn guest(address: &str) -> String {
    post(address, "", "/api/guests", "").await["token"].as_str().expect("a token").to_owned()
}
