//! Simulates a network with delays and dropped connections.
//!
//! A request travels as bytes to the house's own listener, and the response travels back, unless the connection
//! drops.

use crate::dice::Dice;
use serde_json::Value;
use server::Opened;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// One in this many connections, on average, drops before the response arrives.
const DROPS: u64 = 40;
const LONGEST_DELAY_MS: u64 = 80;
pub const TIMEOUT: Duration = Duration::from_secs(30);
pub const BUFFER_BYTES: usize = 64 * 1024;

/// The source address of all requests.
pub const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

pub struct SimRequest<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub token: &'a str,
    pub body: Option<&'a Value>,
}

impl SimRequest<'_> {
    fn bytes(&self) -> Vec<u8> {
        let body = self.body.map(Value::to_string).unwrap_or_default();
        let bearer = match self.token {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let (method, path, length) = (self.method, self.path, body.len());
        format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{bearer}{kind}content-length: {length}\r\n\r\n{body}"
        )
        .into_bytes()
    }
}

/// Sends a request over the simulated network, and returns the status and JSON body of the house's response.
///
/// Returns `None` if the connection dropped or no response came in time.
pub async fn ask(opened: &Opened, request: SimRequest<'_>, dice: &mut Dice) -> Option<(u16, Value)> {
    let delay = Duration::from_millis(dice.below(LONGEST_DELAY_MS));
    let dropped_after = dice.one_in(DROPS).then(|| Duration::from_millis(dice.below(20)));
    tokio::time::sleep(delay).await;
    carry(opened, request, dropped_after.unwrap_or(TIMEOUT)).await.and_then(|answer| parse(&answer))
}

/// Sends a request without delays or drops, and returns the status and JSON body, or `None` if there is no
/// response.
pub async fn ask_steadily(opened: &Opened, request: SimRequest<'_>) -> Option<(u16, Value)> {
    carry(opened, request, TIMEOUT).await.and_then(|answer| parse(&answer))
}

/// Sends a request without delays or drops, and returns the status and text, or `None` if there is no response.
pub async fn text_of(opened: &Opened, request: SimRequest<'_>) -> Option<(u16, String)> {
    let answer = carry(opened, request, TIMEOUT).await?;
    let (status, body) = split(&answer)?;
    Some((status, String::from_utf8_lossy(body).into_owned()))
}

async fn carry(opened: &Opened, request: SimRequest<'_>, limit: Duration) -> Option<Vec<u8>> {
    let (mut here, there) = tokio::io::duplex(BUFFER_BYTES);
    let talk = async {
        here.write_all(&request.bytes()).await.ok()?;
        let mut answer = Vec::new();
        here.read_to_end(&mut answer).await.ok()?;
        Some(answer)
    };
    tokio::select! {
        biased;
        answer = talk => answer,
        () = tokio::time::sleep(limit) => None,
        () = serve(opened, there) => None,
    }
}

/// Serves the house's end of a connection, and does not return before the client has read everything.
async fn serve(opened: &Opened, there: tokio::io::DuplexStream) {
    server::attend_to(opened, there, PEER).await;
    tokio::time::sleep(TIMEOUT).await;
}

fn parse(bytes: &[u8]) -> Option<(u16, Value)> {
    let (status, body) = split(bytes)?;
    Some((status, serde_json::from_slice(body).unwrap_or(Value::Null)))
}

/// Splits the bytes of a response into its status and body, or returns `None` if they are malformed.
fn split(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let split = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..split]).ok()?;
    Some((head.split(' ').nth(1)?.parse().ok()?, &bytes[split + 4..]))
}
