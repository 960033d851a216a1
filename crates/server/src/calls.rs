//! Calls for the floor: shows floor supervisors and supervisors which tables wait for one of them.
//!
//! The database stores an open call as a setting, so that the call survives a restart. The table's journal records
//! what matters about the call.

use crate::api::Me;
use crate::app::{App, House};
use crate::error::{ApiResult, ErrorBody};
use crate::live::{PING, SocketSignal, pong, reserve_socket, session_left};
use crate::session::SignedIn;
use crate::share::Clients;
use crate::wire::{Time, text_of};
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use ledger::Moment;
use ledger::people::RowChange;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

const PING_EVERY: Duration = Duration::from_secs(20);
const SEND_WITHIN: Duration = Duration::from_secs(10);
const LARGEST_FRAME: usize = 1024;

/// A call for the floor from a waiting table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = FloorCall)]
pub struct Call {
    /// The number of the table.
    pub table: u32,
    /// The name of the table.
    pub table_name: String,
    /// The number of the round in which the floor was called.
    pub round: i64,
    /// The reason why the floor was called.
    pub reason: String,
    /// The name of the person who called the floor.
    pub caller: String,
    /// The time of the call, in milliseconds since 1970.
    pub at_ms: i64,
    /// The answer to the call, or null while the call has none.
    #[schema(required)]
    pub answered: Option<Answered>,
}

/// The floor supervisor's answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = FloorAnswer)]
pub struct Answered {
    /// The name of the floor supervisor who is on the way.
    pub name: String,
    /// How long the call waited before the floor supervisor answered, in milliseconds.
    pub after_ms: i64,
}

impl Call {
    pub fn waited_ms(&self) -> i64 {
        (Moment::now().0 - self.at_ms).max(0)
    }
}

/// Returns the name of the setting that stores a table's open call.
pub fn setting(table: u32) -> String {
    format!("call/{table}")
}

/// Returns the setting that stores a table's open call.
///
/// If `call` is `None`, the setting's value is empty, which means that the table has no open call.
pub fn to_setting(table: u32, call: Option<&Call>) -> RowChange {
    let value = call.and_then(|call| serde_json::to_vec(call).ok()).unwrap_or_default();
    RowChange::Setting { name: setting(table), value }
}

/// The open calls for the floor, keyed by table number.
pub struct Calls(watch::Sender<Arc<BTreeMap<u32, Call>>>);

impl Default for Calls {
    fn default() -> Calls {
        Calls(watch::Sender::new(Arc::default()))
    }
}

impl Calls {
    pub fn of(&self, table: u32) -> Option<Call> {
        self.0.borrow().get(&table).cloned()
    }

    pub fn set(&self, table: u32, call: Option<Call>) {
        self.0.send_modify(|calls| {
            let calls = Arc::make_mut(calls);
            match call {
                Some(call) => calls.insert(table, call),
                None => calls.remove(&table),
            };
        });
    }
}

impl House {
    /// Reads a table's open call from the database, for example after a restart.
    pub async fn recall(&self, table: u32) -> ApiResult<()> {
        let kept = self.read(move |db| ledger::people::setting(db, &setting(table))).await?;
        let call = kept.and_then(|value| serde_json::from_slice(&value).ok());
        if call.is_some() || self.calls.of(table).is_some() {
            self.calls.set(table, call);
        }
        Ok(())
    }
}

/// Streams the open floor calls of all tables, at once and after every change.
///
/// The server sends messages of type `calls`. Send `answer-call` to the table when you are on the way, and
/// `end-call` when you are there.
#[utoipa::path(get, path = "/api/calls/live", tag = "tables", operation_id = "calls",
    responses((status = 101, description = "switches to WebSocket"), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
pub async fn live(
    State(app): State<App>,
    me: Me,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> ApiResult<Response> {
    let upgrade = upgrade?;
    let (place, mut signal) = reserve_socket(&app, &me)?;
    let (who, clients) = (Arc::clone(&me.who), me.clients);
    let upgrade = upgrade.max_message_size(LARGEST_FRAME).max_frame_size(LARGEST_FRAME);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _place = place;
        tell(&app, (&who, clients), &mut signal, socket).await;
    }))
}

/// The WebSocket message with the open calls of all tables.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = FrameCalls)]
pub struct CallsMessage<'a> {
    /// The type of the message, always `calls`.
    r#type: CallsType,
    /// The time on the house's clock.
    now: Time,
    /// The open calls.
    #[schema(value_type = Vec<Call>)]
    calls: Vec<&'a Call>,
}

/// The type of the message with the open calls.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum CallsType {
    Calls,
}

/// Sends the open calls to a socket at once and after every change, until the socket's session ends.
async fn tell(
    app: &App,
    (who, clients): (&Arc<SignedIn>, Clients),
    signal: &mut watch::Receiver<SocketSignal>,
    mut socket: WebSocket,
) {
    let left_before = *signal.borrow();
    let mut calls = app.calls.0.subscribe();
    calls.mark_changed();
    let mut closing = app.closing.subscribe();
    let mut ping = tokio::time::interval(PING_EVERY);
    loop {
        let message = tokio::select! {
            changed = calls.changed() => match changed {
                Ok(()) => {
                    let calls = Arc::clone(&calls.borrow_and_update());
                    let (now, calls) = (Time(Moment::now()), calls.values().collect());
                    let told = CallsMessage { r#type: CallsType::Calls, now, calls };
                    Message::Text(text_of(&told).into())
                }
                Err(_) => break,
            },
            _ = ping.tick() => match session_left(app, who, false).await {
                Some(_) => Message::Ping(Vec::new().into()),
                None => break,
            },
            changed = signal.changed() => {
                let left = signal.borrow_and_update().leave > left_before.leave;
                if changed.is_err() || left || session_left(app, who, false).await.is_none() {
                    break;
                }
                continue;
            }
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) if text.as_str() == PING => {
                    let _ = app.limiter.ping(clients).await;
                    Message::Text(pong().into())
                }
                // Clients have nothing else to send here: any other message closes the socket.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    let _ = app.limiter.ping(clients).await;
                    continue;
                }
                _ => break,
            },
            _ = closing.changed() => break,
        };
        if !matches!(tokio::time::timeout(SEND_WITHIN, socket.send(message)).await, Ok(Ok(()))) {
            break;
        }
    }
}
