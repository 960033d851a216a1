//! A live view over the simulated network: it is opened, acted through, looked at, and dropped without a word.

use crate::network::{PATIENCE, PEER, ROOM};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use server::Opened;
use tokio::io::DuplexStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// Refusals after which nobody knows whether it will be done: it is asked again.
const ASK_AGAIN: [&str; 5] = ["stopped", "outcome-unknown", "busy", "clock", "internal"];

pub struct Line {
    socket: WebSocketStream<DuplexStream>,
    /// Views that came since they were last looked at.
    pub views: Vec<Value>,
}

impl Line {
    pub async fn open(opened: &Opened, table: u32, token: &str) -> Option<Line> {
        let (here, there) = tokio::io::duplex(ROOM);
        tokio::spawn(server::attend_to(opened, there, PEER));
        let mut request = format!("ws://localhost/api/tables/{table}/live").into_client_request().ok()?;
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().ok()?);
        let opening = tokio_tungstenite::client_async(request, here);
        let (socket, _) = timeout(PATIENCE, opening).await.ok()?.ok()?;
        Some(Line { socket, views: Vec::new() })
    }

    pub async fn say(&mut self, body: &Value) -> Option<()> {
        self.socket.send(Message::text(body.to_string())).await.ok()
    }

    /// Asks for something and waits for its answer, as a status and a body; nothing when the line is dead.
    pub async fn ask(&mut self, body: &Value) -> Option<(u16, Value)> {
        self.say(body).await?;
        loop {
            let mut said = timeout(PATIENCE, self.hear()).await.ok()??;
            let about_it = said["id"] == body["id"];
            match said["type"].as_str() {
                Some("ack") if about_it => return Some((200, said["done"].take())),
                Some("refused") if about_it => {
                    let code = said["error"]["code"].as_str().unwrap_or_default();
                    let status = if ASK_AGAIN.contains(&code) { 503 } else { 409 };
                    return Some((status, said["error"].take()));
                }
                _ => {}
            }
        }
    }

    /// The next thing that the house says; views are kept.
    async fn hear(&mut self) -> Option<Value> {
        loop {
            let Message::Text(text) = self.socket.next().await?.ok()? else { continue };
            let mut said: Value = serde_json::from_str(&text).ok()?;
            if said["type"] == "view" {
                self.views.push(said["view"].take());
            }
            return Some(said);
        }
    }
}
