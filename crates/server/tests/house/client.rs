//! A house on a free port and a minimal client: just enough HTTP to send a request and read the response.

use crate::cluster;
use serde_json::Value;
use server::Options;
use std::path::Path;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub struct House {
    pub address: String,
    pub supervisor: Option<(String, String)>,
    pub options: Options,
    directory: Option<TempDir>,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.body);
        if self.body.is_empty() { Value::Null } else { self.json() }
    }
}

/// Returns where to keep a house for a test of both stores: SQLite, and a new database if there is PostgreSQL.
pub fn stores() -> Vec<Option<String>> {
    [None].into_iter().chain(cluster::shared().map(|cluster| Some(cluster.database()))).collect()
}

impl House {
    pub async fn open() -> House {
        House::with("", None).await
    }

    /// Opens a house with this house file; the rate limits are wide open unless it sets them.
    pub async fn with(file: &str, database: Option<String>) -> House {
        House::with_options(file, |options, _| options.database = database).await
    }

    /// Opens a house with changed options, which may name paths in the house's directory.
    pub async fn with_options(file: &str, change: impl FnOnce(&mut Options, &Path)) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let house = directory.path().join("house.toml");
        let rates =
            "[rates]\nrequests_per_second = 100000\nrequests_at_once = 100000\nentries_per_minute = 100000\n";
        let tables = if file.contains("[[table]]") { "" } else { "[[table]]\nrules = \"nj-blackjack\"\n" };
        let rates = if file.contains("[rates]") { "" } else { rates };
        std::fs::write(&house, format!("{file}\n{rates}{tables}")).expect("written");
        let mut options = Options {
            listen: "127.0.0.1:0".into(),
            data: directory.path().join("data"),
            house: Some(house),
            ..Options::default()
        };
        change(&mut options, directory.path());
        House::start(options, Some(directory)).await
    }

    /// Opens a node of a house on a database, with the keys of another node if given.
    pub async fn node(name: &str, file: &str, joined: (String, Option<&House>)) -> House {
        House::node_at(name, file, joined, ("127.0.0.1:0".into(), None)).await
    }

    /// Starts a node that listens for its peers here, and advertises the other address if there is one.
    pub async fn node_at(
        name: &str,
        file: &str,
        (database, first): (String, Option<&House>),
        (listen, address): (String, Option<String>),
    ) -> House {
        let directory = tempfile::tempdir().expect("temp dir");
        let house = directory.path().join("house.toml");
        std::fs::write(&house, file).expect("written");
        let data = directory.path().join("data");
        if let Some(first) = first {
            let keys = data.join("keys");
            std::fs::create_dir_all(&keys).expect("made");
            for name in ["seal.key", "shoe.key"] {
                std::fs::copy(first.options.data.join("keys").join(name), keys.join(name)).expect("copied");
            }
        }
        let options = Options {
            listen: "127.0.0.1:0".into(),
            data,
            database: Some(database),
            house: Some(house),
            node: Some(name.into()),
            peers_listen: Some(listen),
            peers_address: address,
            ..Options::default()
        };
        House::start(options, Some(directory)).await
    }

    async fn start(options: Options, directory: Option<TempDir>) -> House {
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = oneshot::channel();
        let asked = options.clone();
        let serving = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            let ready = |address: std::net::SocketAddr, supervisor: Option<&(String, String)>| {
                let _ = tell.send((address.to_string(), supervisor.cloned()));
            };
            server::serve(asked, stopped, ready).await.expect("serves");
        });
        let (address, supervisor) = told.await.expect("opens");
        House { address, supervisor, options, directory, stop: Some(stop), serving: Some(serving) }
    }

    /// Closes the house and reopens it on the same data.
    pub async fn reopened(self) -> House {
        self.reopened_after(|_| {}).await
    }

    /// Reopens the house, and calls `meanwhile` while it is closed.
    pub async fn reopened_after(mut self, meanwhile: impl FnOnce(&Options)) -> House {
        let (options, directory) = (self.options.clone(), self.directory.take());
        self.close().await;
        meanwhile(&options);
        House::start(options, directory).await
    }

    pub async fn close(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(serving) = self.serving.take() {
            serving.await.expect("closed cleanly");
        }
    }

    pub async fn raw(&self, request: &str) -> Answer {
        self.peer().raw(request).await.expect("answered")
    }

    fn peer(&self) -> Peer {
        Peer { address: self.address.clone() }
    }

    /// Sends a request with custom headers.
    pub async fn send(&self, method: &str, path: &str, headers: &str, body: Option<&Value>) -> Answer {
        self.peer().send(method, path, headers, body).await.expect("answered")
    }

    pub async fn call(&self, token: &str, method: &str, path: &str, body: Option<Value>) -> Answer {
        let headers =
            if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
        self.send(method, path, &headers, body.as_ref()).await
    }

    pub async fn get(&self, token: &str, path: &str) -> Answer {
        self.call(token, "GET", path, None).await
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> Answer {
        self.call(token, "POST", path, Some(body)).await
    }

    pub async fn guest(&self) -> String {
        token(self.call("", "POST", "/api/guests", None).await.ok())
    }

    pub async fn player(&self, name: &str) -> String {
        let body = serde_json::json!({ "name": name, "password": "correct horse" });
        token(self.post("", "/api/people", body).await.ok())
    }

    pub async fn sign_in(&self, name: &str, password: &str) -> Answer {
        self.post("", "/api/sessions", serde_json::json!({ "name": name, "password": password })).await
    }

    /// Returns the first supervisor's token, after a change of the one-time password.
    pub async fn first_supervisor(&self) -> String {
        let (name, once) = self.supervisor.clone().expect("the first start");
        self.settle_in(&name, &once).await
    }

    /// Signs in with a one-time password and changes it.
    pub async fn settle_in(&self, name: &str, once: &str) -> String {
        let token = token(self.sign_in(name, once).await.ok());
        let body = serde_json::json!({ "old": once, "new": "battery staple" });
        self.call(&token, "PUT", "/api/me/password", Some(body)).await.ok();
        token
    }

    /// Hires a person of this role, and returns their token.
    pub async fn hire(&self, supervisor: &str, name: &str, role: &str) -> String {
        let hired = self
            .post(supervisor, "/api/staff/people", serde_json::json!({ "name": name, "role": role }))
            .await
            .ok();
        self.settle_in(name, hired["one_time_password"].as_str().expect("a password")).await
    }
}

/// An address that may or may not answer.
pub struct Peer {
    pub address: String,
}

impl Peer {
    pub async fn raw(&self, request: &str) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.address).await.ok()?;
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.ok()?;
        parse(&bytes)
    }

    async fn send(&self, method: &str, path: &str, headers: &str, body: Option<&Value>) -> Option<Answer> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}{kind}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        ))
        .await
    }

    fn bearer(token: &str) -> String {
        if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") }
    }

    pub async fn try_get(&self, token: &str, path: &str) -> Option<Value> {
        let answer = self.send("GET", path, &Peer::bearer(token), None).await?;
        (answer.status == 200).then(|| serde_json::from_str(&answer.body).ok())?
    }

    /// Returns the response, whatever its status.
    pub async fn any(
        &self,
        token: &str,
        (method, path): (&str, &str),
        body: Option<&Value>,
    ) -> Option<Answer> {
        self.send(method, path, &Peer::bearer(token), body).await
    }

    pub async fn text(&self, path: &str) -> Option<String> {
        self.send("GET", path, "", None).await.filter(|answer| answer.status == 200).map(|answer| answer.body)
    }

    pub async fn try_post(&self, token: &str, path: &str, body: Value) -> Option<(u16, Value)> {
        let body = if body.is_null() { None } else { Some(&body) };
        let answer = self.send("POST", path, &Peer::bearer(token), body).await?;
        Some((answer.status, serde_json::from_str(&answer.body).ok()?))
    }
}

/// Waits until a condition holds, for at most half a minute: a busy machine is slow, not wrong.
pub async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let since = std::time::Instant::now();
    while !is_so().await {
        assert!(since.elapsed() < std::time::Duration::from_secs(30), "{what}: never");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

pub fn token(entered: Value) -> String {
    entered["token"].as_str().expect("a token").to_owned()
}

pub fn parse(bytes: &[u8]) -> Option<Answer> {
    let split = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|l| l.split(' ').nth(1)).and_then(|s| s.parse().ok())?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|l| l.split_once(": "))
        .map(|(n, v)| (n.to_ascii_lowercase(), v.to_owned()))
        .collect();
    let body = &bytes[split + 4..];
    let chunked = headers.iter().any(|(n, v)| n == "transfer-encoding" && v == "chunked");
    let body = if chunked { unchunk(body) } else { body.to_vec() };
    Some(Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
}

fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..end]), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    whole
}
