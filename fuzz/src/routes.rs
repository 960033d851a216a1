//! Fuzzes a whole house: every route in every role, connections with any bytes, and sockets with any frames.
//!
//! No input may cause a panic or an internal error.

use serde_json::{Value, json};
use server::{Opened, Options};
use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Runtime;

const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
const ROOM: usize = 256 * 1024;
const PASSWORD: &str = "battery staple 7";
/// The timeout of a request, which is never reached unless the server hangs. A connection with arbitrary bytes is
/// dropped after `LINGERS`.
const PATIENCE: Duration = Duration::from_secs(30);
const LINGERS: Duration = Duration::from_millis(40);
/// The number of inputs after which a new house replaces the current house, whose journal has grown large.
const MOST_ASKED: u32 = 20_000;
const HOUSE: &str = "[rates]\nrequests_per_second = 1000000\nrequests_at_once = 1000000\n\
    entries_per_minute = 1000000\n[[table]]\nrules = \"nj-blackjack\"\n\
    [[table]]\nrules = \"nj-switch\"\nname = \"Dora\"\ndealing = \"dealer\"\n";
const STAFF: [&str; 4] = ["dealer", "floor", "cashier", "auditor"];
/// The number of roles: nobody, a guest, the supervisor, and the staff.
const PEOPLE: usize = 3 + STAFF.len();

struct House {
    runtime: Runtime,
    opened: Opened,
    place: PathBuf,
    tokens: [String; PEOPLE],
    hired: u32,
    asked: u32,
}

impl Drop for House {
    fn drop(&mut self) {
        self.opened.ledger().close();
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

thread_local! {
    static HELD: RefCell<Option<House>> = const { RefCell::new(None) };
}

fn with<T>(work: impl FnOnce(&mut House) -> T) -> T {
    HELD.with(|held| {
        let mut house = match held.take() {
            Some(house) if house.asked < MOST_ASKED => house,
            _ => House::open(),
        };
        house.asked += 1;
        let came = work(&mut house);
        // Discard the house if the input signed its supervisor out.
        if !house.tokens[2].is_empty() {
            held.replace(Some(house));
        }
        came
    })
}

/// The routes of the house, as method and path, in a fixed order.
static ROUTES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let access = server::access();
    access.all().map(|(path, method, _)| (method.to_string(), path.to_owned())).collect()
});

fn request(method: &str, path: &str, token: &str, body: &[u8]) -> Vec<u8> {
    let bearer = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
         {bearer}content-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn parse(answer: &[u8]) -> Option<(u16, Value)> {
    let split = answer.windows(4).position(|w| w == b"\r\n\r\n")?;
    let status = std::str::from_utf8(&answer[..split]).ok()?.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_slice(&answer[split + 4..]).unwrap_or(Value::Null)))
}

impl House {
    fn open() -> House {
        let memory = PathBuf::from("/dev/shm");
        let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let place = base.join(format!("cutcard-fuzz-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("a directory");
        std::fs::write(place.join("house.toml"), HOUSE).expect("written");
        let options = Options {
            data: place.join("data"),
            house: Some(place.join("house.toml")),
            // Lab tasks are parsed and handed to a worker that fails at once, so that nothing is computed.
            lab_worker: Some(vec!["false".into()]),
            ..Options::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let opened = runtime.block_on(server::open(&options)).expect("the house opens");
        let (name, once) = opened.first_supervisor.clone().expect("a first start");
        let mut house = House { runtime, opened, place, tokens: Default::default(), hired: 0, asked: 0 };
        house.tokens[2] = house.enter(&name, &once);
        for role in 0..PEOPLE {
            house.renew(role);
        }
        house
    }

    /// Sends bytes over a new connection, and returns the house's answer.
    ///
    /// Reads the answer until the connection closes or `patience` runs out.
    fn say(&self, bytes: &[u8], patience: Duration) -> Vec<u8> {
        let (mut here, there) = tokio::io::duplex(ROOM);
        self.runtime.block_on(async {
            let attending = tokio::spawn(server::attend_to(&self.opened, there, PEER));
            let mut answer = Vec::new();
            let talk = async {
                here.write_all(bytes).await?;
                let mut piece = [0; 8192];
                loop {
                    match here.read(&mut piece).await? {
                        0 => return std::io::Result::Ok(()),
                        read => answer.extend_from_slice(&piece[..read]),
                    }
                }
            };
            let _ = tokio::time::timeout(patience, talk).await;
            drop(here);
            let ended = tokio::time::timeout(PATIENCE, attending).await;
            assert!(matches!(ended, Ok(Ok(()))), "the connection panicked or did not end");
            answer
        })
    }

    fn ask(&self, method: &str, path: &str, token: &str, body: &[u8]) -> Option<(u16, Value)> {
        parse(&self.say(&request(method, path, token, body), PATIENCE))
    }

    fn must(&self, method: &str, path: &str, token: &str, body: Value) -> Value {
        match self.ask(method, path, token, body.to_string().as_bytes()) {
            Some((200..=299, answer)) => answer,
            other => panic!("{path} returned {other:?}"),
        }
    }

    fn enter(&self, name: &str, once: &str) -> String {
        let entered = self.must("POST", "/api/sessions", "", json!({ "name": name, "password": once }));
        let token = entered["token"].as_str().unwrap_or_default().to_owned();
        self.must("PUT", "/api/me/password", &token, json!({ "old": once, "new": PASSWORD }));
        token
    }

    /// Signs a new person in for a role whose session the input may have ended.
    ///
    /// The supervisor cannot be replaced: if the supervisor's session has ended, the house is discarded.
    fn renew(&mut self, person: usize) {
        let role = match person {
            0 => return,
            1 => {
                let guest = self.must("POST", "/api/guests", "", Value::Null);
                return self.tokens[1] = guest["token"].as_str().unwrap_or_default().to_owned();
            }
            2 => {
                let known = self.ask("GET", "/api/me", &self.tokens[2], b"");
                if known.is_none_or(|(status, _)| status != 200) {
                    self.tokens[2].clear();
                }
                return;
            }
            person => STAFF[person - 3],
        };
        self.hired += 1;
        let name = format!("{role}{}", self.hired);
        let hire = json!({ "name": name, "role": role }).to_string();
        match self.ask("POST", "/api/staff/people", &self.tokens[2], hire.as_bytes()) {
            Some((200..=299, hired)) => {
                let once = hired["one_time_password"].as_str().unwrap_or_default();
                self.tokens[person] = self.enter(&name, once);
            }
            // Without its supervisor the house cannot hire, so it is discarded.
            _ => self.tokens[2].clear(),
        }
    }
}

/// Sends one request that is built from the bytes.
///
/// The first byte selects the route and the second the role. Of the rest, the first line fills the path's
/// parameters and the query, and the other lines are the body.
pub fn interface(bytes: &[u8]) -> String {
    let [route, person, rest @ ..] = bytes else { return String::new() };
    let (method, path) = &ROUTES[usize::from(*route) % ROUTES.len()];
    let person = usize::from(*person) % PEOPLE;
    let (line, body) = match rest.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &b""[..]),
    };
    let line = String::from_utf8_lossy(line);
    let path = filled(path, &line);
    with(|house| {
        let Some((status, answer)) = house.ask(method, &path, &house.tokens[person].clone(), body) else {
            return String::new();
        };
        assert!(status < 500 || status == 503, "{method} {path} returned {status} {answer}");
        if status >= 400 && !path.contains('?') {
            assert!(answer["error"]["code"].is_string() || answer.is_null(), "{method} {path}: {answer}");
        }
        if status == 401 || method == "DELETE" || path.ends_with("/password") || path.contains("/staff/") {
            house.renew(person);
        }
        let why = answer["error"]["message"].as_str().unwrap_or_default();
        format!("{route} {person} {status} {why}")
    })
}

/// Fills the parameters of a path with the words of `line`, and appends the next word as the query.
fn filled(path: &str, line: &str) -> String {
    let mut words = line.split(' ').map(encoded);
    let mut filled = String::new();
    for part in path.split('/').skip(1) {
        filled.push('/');
        match part.starts_with('{') {
            true => filled.push_str(&words.next().filter(|word| !word.is_empty()).unwrap_or("1".into())),
            false => filled.push_str(part),
        }
    }
    if let Some(query) = words.next().filter(|query| !query.is_empty()) {
        filled.push('?');
        filled.push_str(&query);
    }
    filled
}

/// Percent-encodes the bytes that a URL may not contain.
fn encoded(word: &str) -> String {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%=&+,:;@!$'()*".contains(&byte);
    word.bytes()
        .map(|byte| if fits(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Sends the bytes over a connection. Panics if the house answers with an internal error.
pub fn connection(bytes: &[u8]) -> String {
    with(|house| {
        let answer = house.say(bytes, LINGERS);
        let status = parse(&answer).map_or(400, |(status, _)| status);
        assert!(status != 500, "{}", String::from_utf8_lossy(&answer));
        let heads = answer.windows(9).filter(|w| w == b"HTTP/1.1 ").count();
        format!("{status} {heads}")
    })
}

/// Opens a table's WebSocket in the role that the first byte selects, and sends the other bytes, frames or not.
pub fn socket(bytes: &[u8]) -> String {
    let [person, frames @ ..] = bytes else { return String::new() };
    with(|house| {
        let token = &house.tokens[1 + usize::from(*person) % (PEOPLE - 1)];
        let opening = format!(
            "GET /api/tables/1/live HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             authorization: Bearer {token}\r\n\r\n"
        );
        let answer = house.say(&[opening.as_bytes(), frames].concat(), LINGERS);
        let said = String::from_utf8_lossy(&answer);
        let words = ["\"ack\"", "\"refused\"", "\"code\":", "\"type\":\"view\"", "\"balance\""];
        words.iter().map(|word| format!("{} ", said.matches(word).count().min(3))).collect()
    })
}

/// Encodes `text` as a WebSocket frame of a client, with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    let mut frame = vec![0x81, 0x80 | 126];
    frame.extend(length.to_be_bytes());
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    frame
}

/// Returns an input for every route of the API description: the example request, in a role that may use the route.
pub fn interface_corpus() -> Vec<Vec<u8>> {
    let document = server::openapi();
    let mut corpus = Vec::new();
    for (at, (method, path)) in ROUTES.iter().enumerate() {
        let operation = &document["paths"][path][method.to_lowercase()];
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let of = |place: &str| -> Vec<(String, String)> {
            let of = parameters.iter().filter(|p| p["in"] == place && !p["example"].is_null());
            of.map(|p| (text(&p["name"]), text(&p["example"]))).collect()
        };
        let mut words: Vec<String> = of("path").into_iter().map(|(_, value)| value).collect();
        let query: Vec<String> = of("query").iter().map(|(name, value)| format!("{name}={value}")).collect();
        words.push(query.join("&"));
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let roles = operation["x-roles"].to_string();
        let people = ["anyone", "signed-in", "supervisor", "dealer", "floor", "cashier", "auditor"];
        let person = people.iter().rposition(|name| roles.contains(name)).unwrap_or(1);
        let person = if roles.contains("player") { 1 } else { person };
        let head = [at as u8, person as u8];
        corpus.push([&head[..], words.join(" ").as_bytes(), b"\n", body.as_bytes()].concat());
    }
    corpus
}

pub fn connection_corpus() -> Vec<Vec<u8>> {
    let chunked = "POST /api/guests HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let two = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nGET /ready HTTP/1.1\r\nhost: localhost\r\nforwarded: for=1\r\n\r\n";
    vec![
        request("GET", "/api/house", "", b""),
        request("POST", "/api/sessions", "", b"{\"name\":\"ann\",\"password\":\"x\"}"),
        request("GET", "/?a=%41&b=%ff", "0".repeat(64).as_str(), b""),
        chunked.into(),
        two.into(),
    ]
}

pub fn socket_corpus() -> Vec<Vec<u8>> {
    let frames = [
        r#"{"id":"a","do":"wager","box":1,"amounts":["10.00"]}"#,
        r#"{"type":"resync"}"#,
        r#"{"id":"b","do":"deal"}"#,
        r#"{"id":"c","round":1,"do":"stand","box":1}"#,
        "not json",
    ];
    let all: Vec<u8> = frames.iter().flat_map(|text| frame(text)).collect();
    let mut corpus: Vec<Vec<u8>> = frames.iter().map(|text| [&[0][..], &frame(text)].concat()).collect();
    corpus.push([&[0][..], &all].concat());
    corpus.push(vec![0, 0x89, 0x80, 0, 0, 0, 0, 0x88, 0x82, 0, 0, 0, 0, 3, 232]);
    corpus
}
