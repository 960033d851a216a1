//! The AsyncAPI document: the WebSocket messages of a house.

use super::unions::{self, title};
use crate::api::Action;
use crate::calls::CallsMessage;
use crate::live::{FramePing, FrameResync, Outgoing};
use crate::tables::View;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use utoipa::OpenApi;

const ABOUT: &str = "Live views of a house. A table sends its newest version at once and after every change; \
    `version` only rises. A slow reader skips versions; nothing is queued for it, and each version is complete. After \
    a disconnect, open the socket again or send `resync` to get everything in one `view`. Actions are answered by \
    `ack` when they are durable, or by `refused`; repeating an id is harmless, also on a new socket. When the session \
    ends, its sockets are closed with code 4401. A socket that sends nothing for 15 seconds, not even a pong, is \
    closed. A client that cannot see WebSocket pings sends `ping`, which is answered by `pong` at once. Frames are JSON \
    texts of at most 16 KiB.";

/// The schemas of the WebSocket messages.
#[derive(OpenApi)]
#[openapi(components(schemas(Action, View, Outgoing, FrameResync, FramePing, CallsMessage)))]
struct Frames;

/// Returns the AsyncAPI document without a server's address; the document is built once.
pub fn asyncapi() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(document);
    &DOCUMENT
}

/// The address of the WebSockets for one client: the request's host, whether it uses TLS, and the path prefix.
pub struct Server {
    pub host: String,
    pub secure: bool,
    pub prefix: String,
}

impl Server {
    /// Returns the AsyncAPI document with this server's address.
    ///
    /// An invalid host is left out, because a client may send any text as the host.
    pub fn asyncapi(&self) -> Value {
        let mut document = asyncapi().clone();
        let server = &mut document["servers"]["house"];
        let of_a_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
        if !self.host.is_empty() && self.host.len() <= 255 && self.host.chars().all(of_a_host) {
            server["host"] = json!(self.host);
            server["description"] = json!("The server that returned this document.");
        }
        server["protocol"] = json!(if self.secure { "wss" } else { "ws" });
        if !self.prefix.is_empty() {
            server["pathname"] = json!(self.prefix);
        }
        document
    }
}

fn document() -> Value {
    let schemas = schemas();
    let mut messages = Map::new();
    let mut message = |name: &str, summary: &str, example: Value| {
        let payload = json!({ "$ref": format!("#/components/schemas/{name}") });
        let told = json!({
            "name": name, "title": name, "summary": summary, "contentType": "application/json", "payload": payload,
            "examples": [{ "payload": example }],
        });
        messages.insert(name.to_owned(), told);
    };
    let money = "110.00";
    let examples = [
        json!({ "type": "private", "version": 18, "boxes": [] }),
        json!({ "type": "balance", "version": 18, "chips": "play", "balance": money }),
        json!({ "type": "ack", "id": "7", "done": { "seq": 41, "version": 18, "repeated": false, "balance": money } }),
        json!({ "type": "pong" }),
        json!({ "type": "refused", "id": "8", "error": {
            "code": "insurance-too-high", "message": "insurance may be at most 5.00, half of 10.00",
            "params": { "most": "5.00", "bet": "10.00" }, "clause": "19:47-2.9(b)" } }),
    ];
    let about = |name: &str| schemas[name]["description"].as_str().unwrap_or_default().to_owned();
    let mut from_table = vec!["View".to_owned()];
    for example in examples {
        let name = format!("Frame{}", title(example["type"].as_str().unwrap_or_default()));
        message(&name, &about(&name), example);
        from_table.push(name);
    }
    let view = super::openapi()
        .pointer("/paths/~1api~1tables~1{table}/get/responses/200/content/application~1json/example/view");
    message("View", &about("View"), view.cloned().unwrap_or_default());
    message("FrameResync", &about("FrameResync"), json!({ "type": "resync" }));
    message("FramePing", &about("FramePing"), json!({ "type": "ping" }));
    message("Action", &about("Action"), json!({ "id": "7", "round": 12, "do": "stand", "box": 1 }));
    let calls = json!({ "type": "calls", "now": "2026-11-15T02:30:00.123Z", "calls": [] });
    message("FrameCalls", &about("FrameCalls"), calls);
    json!({
        "asyncapi": "3.0.0",
        "id": "urn:cutcard:house:live",
        "info": { "title": "Cutcard house, live", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT,
            "license": { "name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0" } },
        "defaultContentType": "application/json",
        "servers": { "house": { "host": "127.0.0.1:8080", "protocol": "ws", "description": "A server on this machine.",
            "security": [{ "$ref": "#/components/securitySchemes/token" }, { "$ref": "#/components/securitySchemes/cookie" }] } },
        "channels": {
            "table": {
                "address": "/api/tables/{table}/live", "title": "A table",
                "parameters": { "table": { "description": "The table's number." } },
                "messages": refs(from_table.iter().map(String::as_str).chain(["Action", "FrameResync", "FramePing"])),
            },
            "calls": { "address": "/api/calls/live", "title": "Calls for the floor", "messages": refs(["FrameCalls", "FramePing", "FramePong"].into_iter()) },
        },
        "operations": {
            "watch": operation("send", "table", from_table.iter().map(String::as_str)),
            "act": operation("receive", "table", ["Action", "FrameResync", "FramePing"].into_iter()),
            "calls": operation("send", "calls", ["FrameCalls", "FramePong"].into_iter()),
            "beat": operation("receive", "calls", ["FramePing"].into_iter()),
        },
        "components": {
            "schemas": schemas, "messages": messages,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "The token returned at sign-in." },
                "cookie": { "type": "httpApiKey", "name": crate::session::COOKIE, "in": "cookie",
                    "description": "The session cookie that browsers send." },
            },
        },
    })
}

fn refs<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    names
        .map(|name| (name.to_owned(), json!({ "$ref": format!("#/components/messages/{name}") })))
        .collect::<Map<_, _>>()
        .into()
}

fn operation<'a>(action: &str, channel: &str, names: impl Iterator<Item = &'a str>) -> Value {
    let of = |name: &str| json!({ "$ref": format!("#/channels/{channel}/messages/{name}") });
    json!({
        "action": action, "channel": { "$ref": format!("#/channels/{channel}") }, "messages": names.map(of).collect::<Vec<_>>(),
    })
}

/// Returns the schemas of the frames in the form that AsyncAPI requires.
///
/// In OpenAPI a discriminator is an object; in AsyncAPI it is the name of a field.
fn schemas() -> Map<String, Value> {
    let mut document = serde_json::to_value(Frames::openapi()).unwrap_or_default();
    let Value::Object(mut all) = document["components"]["schemas"].take() else { return Map::new() };
    unions::expand(&mut all);
    let roots =
        json!(["View", "Frame", "FrameResync", "FramePing", "FrameCalls", "Action"].map(unions::named));
    let mut schemas = unions::used(&all, &roots);
    schemas.remove("Frame");
    for schema in schemas.values_mut() {
        if let Some(by) = schema["discriminator"]["propertyName"].as_str().map(str::to_owned) {
            schema["discriminator"] = json!(by);
        }
    }
    super::about::schemas(&mut schemas);
    schemas
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(host: &str, secure: bool, prefix: &str) -> Value {
        let server = Server { host: host.into(), secure, prefix: prefix.into() };
        server.asyncapi()["servers"]["house"].clone()
    }

    #[test]
    fn the_server_is_the_one_that_was_asked() {
        let here = server("house.example:8443", true, "/blackjack");
        assert_eq!((&here["host"], &here["protocol"]), (&json!("house.example:8443"), &json!("wss")));
        assert_eq!(here["pathname"], "/blackjack");
        let plain = server("[::1]:8080", false, "");
        assert_eq!((&plain["host"], &plain["protocol"]), (&json!("[::1]:8080"), &json!("ws")));
        assert!(plain["pathname"].is_null());
        for wrong in ["", "a b", "evil.example/path", "x\"y", &"x".repeat(256)] {
            assert_eq!(server(wrong, false, "")["host"], "127.0.0.1:8080", "{wrong}");
        }
    }

    #[test]
    fn programs_sign_in_with_a_bearer() {
        let document = asyncapi();
        assert_eq!(document["components"]["securitySchemes"]["token"]["scheme"], "bearer");
        for way in document["servers"]["house"]["security"].as_array().expect("ways") {
            let place = way["$ref"].as_str().expect("a reference");
            assert!(document.pointer(&place[1..]).is_some(), "{place}");
        }
    }
}
