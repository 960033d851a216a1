//! Provides a socket to the house over the simulated network.
//!
//! Over the socket, a person follows a live view of a table and sends commands. The connection may drop without
//! being closed.

use crate::network::{BUFFER_BYTES, PEER, TIMEOUT};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use server::Opened;
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// The error codes that leave open whether a command was executed, so that the person sends the command again.
const ASK_AGAIN: [&str; 7] =
    ["stopped", "outcome-unknown", "busy", "table-busy", "too-much-at-once", "clock", "internal"];

/// How long a socket must be silent before all its frames count as received.
const QUIET: Duration = Duration::from_millis(2);

pub struct SimSocket {
    socket: WebSocketStream<DuplexStream>,
    /// The views received since the last check.
    pub views: Vec<Value>,
}

impl SimSocket {
    /// Opens a live view of a table, or returns `None` if that fails.
    pub async fn open(opened: &Opened, table: u32, token: &str) -> Option<SimSocket> {
        SimSocket::connect(opened, &format!("/api/tables/{table}/live"), token).await
    }

    /// Opens the socket at `path`, or returns `None` if that fails.
    pub async fn connect(opened: &Opened, path: &str, token: &str) -> Option<SimSocket> {
        let (here, there) = tokio::io::duplex(BUFFER_BYTES);
        tokio::spawn(server::attend_to(opened, there, PEER));
        let mut request = format!("ws://localhost{path}").into_client_request().ok()?;
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().ok()?);
        let opening = tokio_tungstenite::client_async(request, here);
        let (socket, _) = timeout(TIMEOUT, opening).await.ok()?.ok()?;
        Some(SimSocket { socket, views: Vec::new() })
    }

    pub async fn send(&mut self, body: &Value) -> Option<()> {
        self.socket.send(Message::text(body.to_string())).await.ok()
    }

    /// Sends a command, and returns the status and body of the house's response.
    ///
    /// Returns `None` if the socket is dead.
    pub async fn ask(&mut self, body: &Value) -> Option<(u16, Value)> {
        self.send(body).await?;
        loop {
            let mut message = timeout(TIMEOUT, self.next_message()).await.ok()??;
            let about_it = message["id"] == body["id"];
            match message["type"].as_str() {
                Some("ack") if about_it => return Some((200, message["done"].take())),
                Some("refused") if about_it => {
                    let code = message["error"]["code"].as_str().unwrap_or_default();
                    let status = if ASK_AGAIN.contains(&code) { 503 } else { 409 };
                    return Some((status, message["error"].take()));
                }
                _ => {}
            }
        }
    }

    /// Returns all new text frames. Also answers the house's heartbeats.
    pub async fn frames(&mut self) -> Vec<String> {
        let mut frames = Vec::new();
        while let Ok(Some(Ok(message))) = timeout(QUIET, self.socket.next()).await {
            if let Message::Text(text) = message {
                frames.push(text.to_string());
            }
        }
        frames
    }

    /// Returns the next message of the house, and stores the message if it is a view.
    ///
    /// Returns `None` if the socket is dead.
    async fn next_message(&mut self) -> Option<Value> {
        loop {
            let Message::Text(text) = self.socket.next().await?.ok()? else { continue };
            let mut message: Value = serde_json::from_str(&text).ok()?;
            if message["type"] == "view" {
                self.views.push(message["view"].take());
            }
            return Some(message);
        }
    }
}
