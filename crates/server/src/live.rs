//! Live views over WebSocket: the latest version of a table at once and after every change, acknowledgements when they are
//! durable. A slow reader skips versions; nothing queues up for it.

use crate::api::{Action, ActionAnswer, Me};
use crate::app::App;
use crate::error::{ApiError, ApiResult, ErrorBody, ErrorDetail};
use crate::session::Who;
use crate::tables::{Ask, Published, Request, TableHandle};
use crate::wire::{ClientId, Money, Path, text_of};
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::SinkExt as _;
use futures_util::stream::{SplitSink, StreamExt as _};
use ledger::PersonId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

const LARGEST_FRAME: usize = 16 * 1024;
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENT_FOR: Duration = Duration::from_secs(60);
/// The buffer is cleared before every read, so that a large one costs more than what is read.
const READ_AT_ONCE: usize = 2048;
/// What is said together leaves together.
const HELD_BACK: usize = 4096;
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// Sockets that each person has open.
#[derive(Default)]
pub struct Sockets(Mutex<HashMap<PersonId, u32>>);

impl Sockets {
    fn enter(&self, person: PersonId, most: u32) -> bool {
        let Ok(mut open) = self.0.lock() else { return false };
        let count = open.entry(person).or_default();
        let room = *count < most;
        *count += u32::from(room);
        room
    }

    fn leave(&self, person: PersonId) {
        if let Ok(mut open) = self.0.lock()
            && let Some(count) = open.get_mut(&person)
        {
            *count -= 1;
            if *count == 0 {
                open.remove(&person);
            }
        }
    }
}

/// Opens a live view. Messages out: `view`, `private` (own cards that lie face down), `balance`, `ack`,
/// `refused`; messages in: an action as for
/// `POST /api/tables/{table}/actions`, or `{"type":"resync"}`.
#[utoipa::path(get, path = "/api/tables/{table}/live", tag = "tables", params(("table" = u32, Path)),
    responses((status = 101, description = "switches to WebSocket"), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn live(
    State(app): State<App>,
    me: Me,
    Path(table): Path<u32>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> ApiResult<Response> {
    let handle = app.table(table)?.clone();
    let upgrade = upgrade.map_err(|e| ApiError::bad("websocket", e.body_text()))?;
    if !app.sockets.enter(me.id, app.file.rates.sockets_per_person) {
        return Err(ApiError::new(
            axum::http::StatusCode::TOO_MANY_REQUESTS,
            "sockets",
            "too many live views are open",
        ));
    }
    let who = Arc::clone(&me.0);
    let upgrade = upgrade
        .max_message_size(LARGEST_FRAME)
        .max_frame_size(LARGEST_FRAME)
        .read_buffer_size(READ_AT_ONCE)
        .write_buffer_size(HELD_BACK);
    Ok(upgrade.on_upgrade(move |socket| async move {
        app.metrics.sockets.fetch_add(1, Ordering::Relaxed);
        converse(&app, &handle, &who, socket).await;
        app.metrics.sockets.fetch_sub(1, Ordering::Relaxed);
        app.sockets.leave(who.id);
    }))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Incoming {
    Action(Box<Action>),
    Other { r#type: String },
}

/// What is said besides the views, which are the same for everyone.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Outgoing<'a> {
    Balance { version: u64, chips: String, balance: Money },
    Private { version: u64, boxes: &'a serde_json::Value },
    Ack { id: &'a ClientId, done: ActionAnswer },
    Refused { id: Option<&'a ClientId>, error: &'a ErrorDetail },
}

type Sink = SplitSink<WebSocket, Message>;

async fn converse(app: &App, table: &TableHandle, who: &Arc<Who>, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let mut views = table.published.clone();
    views.mark_changed();
    let mut ping = tokio::time::interval(PING_EVERY);
    let mut closing = app.closing.subscribe();
    let mut heard = tokio::time::Instant::now();
    loop {
        let going_on = tokio::select! {
            changed = views.changed() => changed.is_ok() && show(&mut sink, &mut views, who).await,
            message = stream.next() => match message {
                Some(Ok(message)) => {
                    heard = tokio::time::Instant::now();
                    answer(app, table, who, (&mut sink, &mut views), message).await
                }
                _ => false,
            },
            _ = ping.tick() => {
                heard.elapsed() < SILENT_FOR && send(&mut sink, Message::Ping(Vec::new().into())).await
            }
            _ = closing.changed() => false,
        };
        if !going_on {
            break;
        }
    }
    let _ = tokio::time::timeout(Duration::from_secs(1), sink.close()).await;
}

async fn send(sink: &mut Sink, message: Message) -> bool {
    matches!(tokio::time::timeout(SEND_WITHIN, sink.send(message)).await, Ok(Ok(())))
}

async fn send_text(sink: &mut Sink, text: String) -> bool {
    send(sink, Message::Text(text.into())).await
}

/// Says something that leaves together with what is said next.
async fn say_with_next(sink: &mut Sink, text: String) -> bool {
    let said = sink.feed(Message::Text(text.into()));
    matches!(tokio::time::timeout(SEND_WITHIN, said).await, Ok(Ok(())))
}

async fn show(sink: &mut Sink, views: &mut watch::Receiver<Published>, who: &Who) -> bool {
    let published = views.borrow_and_update().clone();
    if let Some((chips, balance)) = published.balances.get(&who.id) {
        let (chips, balance) = (chips.to_string(), Money(*balance));
        let news = Outgoing::Balance { version: published.version, chips, balance };
        if !say_with_next(sink, text_of(&news)).await {
            return false;
        }
    }
    if let Some(boxes) = published.private.get(&who.id) {
        let news = Outgoing::Private { version: published.version, boxes };
        if !say_with_next(sink, text_of(&news)).await {
            return false;
        }
    }
    send(sink, Message::Text(published.view)).await
}

/// Answers one message; `false` ends the conversation.
async fn answer(
    app: &App,
    table: &TableHandle,
    who: &Arc<Who>,
    (sink, views): (&mut Sink, &mut watch::Receiver<Published>),
    message: Message,
) -> bool {
    let text = match message {
        Message::Text(text) => text,
        Message::Ping(_) | Message::Pong(_) => return true,
        Message::Binary(_) => {
            return send_text(sink, refused(None, &ApiError::bad("frame", "send text"))).await;
        }
        Message::Close(_) => return false,
    };
    if let Err(error) = app.limiter.request(crate::rate::Payer::Person(who.id)).await {
        return send_text(sink, refused(None, &error)).await;
    }
    match serde_json::from_str::<Incoming>(&text) {
        Ok(Incoming::Action(action)) => {
            let Action { id, request } = *action;
            let reply = match act(table, who, &id, request).await {
                Ok(done) => text_of(&Outgoing::Ack { id: &id, done }),
                Err(error) => refused(Some(&id), &error),
            };
            match views.has_changed() {
                Ok(true) => say_with_next(sink, reply).await && show(sink, views, who).await,
                _ => send_text(sink, reply).await,
            }
        }
        Ok(Incoming::Other { r#type }) if r#type == "resync" => show(sink, views, who).await,
        _ => {
            send_text(sink, refused(None, &ApiError::bad("message", "this message is not understood"))).await
        }
    }
}

async fn act(
    table: &TableHandle,
    who: &Arc<Who>,
    id: &ClientId,
    request: Request,
) -> ApiResult<ActionAnswer> {
    let ask = Ask { who: Arc::clone(who), id: id.lawful()?, request };
    Ok(table.ask(ask).await?.into())
}

fn refused(id: Option<&ClientId>, error: &ApiError) -> String {
    text_of(&Outgoing::Refused { id, error: &error.detail })
}
