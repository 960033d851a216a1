//! The AsyncAPI document: what is said over the WebSockets of a house.

use super::fields::{object, title};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

const ABOUT: &str = "Live views of a house. A table sends its newest version at once and after every change; `version` only rises. \
Nothing queues up for a slow reader: it skips versions, and each version is whole. Whoever was away opens the \
socket again, or sends `resync`, and has everything again with one `view`. Actions are answered by `ack` when \
they are durable, or by `refused`; repeating an id is harmless, also on a new socket. A socket lasts as long \
as the session with which it was opened and is then closed with the code 4401; a socket that says nothing for \
60 seconds, not even a pong, is closed. Frames are JSON texts of at most 16 KiB.";

/// Frames from a table: the word of their type, what they are, fields besides.
const FROM_TABLE: &[(&str, &str, &str)] = &[
    ("private", "My boxes whose cards lie face down, as I see them.", "version boxes=BoxView[]"),
    ("balance", "My chips, where the last step changed them.", "version chips balance"),
    ("ack", "An action is done and durable.", "id=ClientId done=ActionAnswer"),
    ("refused", "An action, or a frame without an id, is refused.", "id=ClientId~ error=ErrorDetail"),
];

/// Returns the document, built once.
pub fn asyncapi() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(document);
    &DOCUMENT
}

/// The address of the sockets for a client: the host of the request, whether TLS protects it, and the path prefix.
pub struct Server {
    pub host: String,
    pub secure: bool,
    pub prefix: String,
}

impl Server {
    /// Returns the document with this server in it. An invalid host is left out, since anybody may send any.
    pub fn asyncapi(&self) -> Value {
        let mut document = asyncapi().clone();
        let server = &mut document["servers"]["house"];
        let of_a_host = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
        if !self.host.is_empty() && self.host.len() <= 255 && self.host.chars().all(of_a_host) {
            server["host"] = json!(self.host);
            server["description"] = json!("The house that answers with this document.");
        }
        server["protocol"] = json!(if self.secure { "wss" } else { "ws" });
        if !self.prefix.is_empty() {
            server["pathname"] = json!(self.prefix);
        }
        document
    }
}

fn frame(word: &str, about: &str, fields: &str) -> Value {
    let mut schema = object(about, &format!("type {fields}"));
    schema["properties"]["type"] = json!({ "type": "string", "const": word });
    schema
}

fn document() -> Value {
    let mut schemas = schemas();
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
        json!({ "type": "refused", "id": "8", "error": {
            "code": "refused", "message": "the hand has 21", "clause": "19:47-2.9(a)" } }),
    ];
    let mut from_table = vec!["View".to_owned()];
    for ((word, about, fields), example) in FROM_TABLE.iter().zip(examples) {
        let name = format!("Frame{}", title(word));
        schemas.insert(name.clone(), frame(word, about, fields));
        message(&name, about, example);
        from_table.push(name);
    }
    let view = super::openapi()
        .pointer("/paths/~1api~1tables~1{table}/get/responses/200/content/application~1json/example/view");
    message("View", "A version of the table, the same for everyone.", view.cloned().unwrap_or_default());
    schemas.insert("FrameResync".into(), frame("resync", "Asks for the newest version again.", ""));
    message("FrameResync", "Asks for the newest version again.", json!({ "type": "resync" }));
    message(
        "Action",
        "Does something at the table.",
        json!({ "id": "7", "round": 12, "do": "stand", "box": 1 }),
    );
    schemas.insert(
        "FrameCalls".into(),
        frame("calls", "Every table that waits for the floor.", "now=time calls=FloorCall[]"),
    );
    message(
        "FrameCalls",
        "Every table that waits for the floor, whenever one changes.",
        json!({ "type": "calls", "now": "2026-11-15T02:30:00.123Z", "calls": [] }),
    );
    json!({
        "asyncapi": "3.0.0",
        "id": "urn:cutcard:house:live",
        "info": { "title": "Cutcard house, live", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT,
            "license": { "name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0" } },
        "defaultContentType": "application/json",
        "servers": { "house": { "host": "127.0.0.1:8080", "protocol": "ws", "description": "A house on this machine.",
            "security": [{ "$ref": "#/components/securitySchemes/token" }, { "$ref": "#/components/securitySchemes/cookie" }] } },
        "channels": {
            "table": {
                "address": "/api/tables/{table}/live", "title": "A table",
                "parameters": { "table": { "description": "The table's number." } },
                "messages": refs(from_table.iter().map(String::as_str).chain(["Action", "FrameResync"])),
            },
            "calls": { "address": "/api/calls/live", "title": "Calls for the floor", "messages": refs(["FrameCalls"].into_iter()) },
        },
        "operations": {
            "watch": operation("send", "table", from_table.iter().map(String::as_str)),
            "act": operation("receive", "table", ["Action", "FrameResync"].into_iter()),
            "calls": operation("send", "calls", ["FrameCalls"].into_iter()),
        },
        "components": {
            "schemas": schemas, "messages": messages,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "The token that signing in answers." },
                "cookie": { "type": "httpApiKey", "name": crate::session::COOKIE, "in": "cookie",
                    "description": "The cookie of a session, as browsers send it." },
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

/// The schemas of the other document that frames need, and those that these need. The word that tells kinds apart is named
/// there by an object, here by the word itself.
fn schemas() -> Map<String, Value> {
    let all = super::openapi()["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let mut wanted: Vec<String> = [
        "View",
        "BoxView",
        "Action",
        "ActionAnswer",
        "ErrorDetail",
        "ClientId",
        "FloorCall",
        "Money",
        "Time",
    ]
    .map(String::from)
    .into();
    let mut taken = Map::new();
    while let Some(name) = wanted.pop() {
        let (Some(schema), false) = (all.get(&name), taken.contains_key(&name)) else { continue };
        let mut schema = schema.clone();
        if let Some(by) = schema["discriminator"]["propertyName"].as_str().map(str::to_owned) {
            schema["discriminator"] = json!(by);
        }
        let text = schema.to_string();
        let found = text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
        wanted.extend(found.map(str::to_owned));
        taken.insert(name, schema);
    }
    taken
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
