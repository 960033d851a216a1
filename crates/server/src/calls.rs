//! Calls for the floor: which tables wait for somebody, told at once to every page that the floor and the supervisors have
//! open. A call is a row beside the journal, so that it outlives the house's being closed; what is journalled about it is
//! the table's business.

use crate::api::Me;
use crate::app::{App, House};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::live::{Word, hold, standing};
use crate::session::Who;
use crate::share::Payers;
use crate::wire::{Time, text_of};
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use ledger::Moment;
use ledger::people::Keep;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

const PING_EVERY: Duration = Duration::from_secs(20);
const SEND_WITHIN: Duration = Duration::from_secs(10);
const LARGEST_FRAME: usize = 1024;

/// A table that waits for the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub table: u32,
    pub table_name: String,
    pub round: i64,
    pub reason: String,
    pub caller: String,
    /// Milliseconds of the clock.
    pub at_ms: i64,
    pub answered: Option<Answered>,
}

/// Who comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub name: String,
    /// How long the call had waited.
    pub after_ms: i64,
}

impl Call {
    pub fn waited_ms(&self) -> i64 {
        (Moment::now().0 - self.at_ms).max(0)
    }
}

/// Where a table's call is kept.
pub fn setting(table: u32) -> String {
    format!("call/{table}")
}

/// The row with which a call, or the end of one, is kept.
pub fn kept(table: u32, call: Option<&Call>) -> Keep {
    let value = call.and_then(|call| serde_json::to_vec(call).ok()).unwrap_or_default();
    Keep::Setting { name: setting(table), value }
}

/// All calls that are not over, by table.
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
    /// Reads back the call that a table had when the house was closed.
    pub async fn recall(&self, table: u32) -> ApiResult<()> {
        let kept = self.read(move |db| ledger::people::setting(db, &setting(table))).await?;
        let call = kept.and_then(|value| serde_json::from_slice(&value).ok());
        if call.is_some() || self.calls.of(table).is_some() {
            self.calls.set(table, call);
        }
        Ok(())
    }
}

/// The calls of all tables, now and whenever one changes. Messages out: `calls`. Answer one at its table with
/// `answer-call`, and `end-call` when you are there.
#[utoipa::path(get, path = "/api/calls/live", tag = "tables", operation_id = "calls",
    responses((status = 101, description = "switches to WebSocket"), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
pub async fn live(
    State(app): State<App>,
    me: Me,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> ApiResult<Response> {
    let upgrade = upgrade.map_err(|e| ApiError::bad("websocket", e.body_text()))?;
    let (place, mut word) = hold(&app, &me)?;
    let (who, payers) = (Arc::clone(&me.who), me.payers);
    let upgrade = upgrade.max_message_size(LARGEST_FRAME).max_frame_size(LARGEST_FRAME);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _place = place;
        tell(&app, (&who, payers), &mut word, socket).await;
    }))
}

#[derive(Serialize)]
struct Told<'a> {
    r#type: &'static str,
    now: Time,
    calls: Vec<&'a Call>,
}

/// Lasts as long as the session with which it was opened.
async fn tell(
    app: &App,
    (who, payers): (&Arc<Who>, Payers),
    word: &mut watch::Receiver<Word>,
    mut socket: WebSocket,
) {
    let left_before = *word.borrow();
    let mut calls = app.calls.0.subscribe();
    calls.mark_changed();
    let mut closing = app.closing.subscribe();
    let mut ping = tokio::time::interval(PING_EVERY);
    loop {
        let message = tokio::select! {
            changed = calls.changed() => match changed {
                Ok(()) => {
                    let calls = Arc::clone(&calls.borrow_and_update());
                    let told = Told { r#type: "calls", now: Time(Moment::now()), calls: calls.values().collect() };
                    Message::Text(text_of(&told).into())
                }
                Err(_) => break,
            },
            _ = ping.tick() => match standing(app, who, false).await {
                Some(_) => Message::Ping(Vec::new().into()),
                None => break,
            },
            changed = word.changed() => {
                let left = word.borrow_and_update().leave > left_before.leave;
                if changed.is_err() || left || standing(app, who, false).await.is_none() {
                    break;
                }
                continue;
            }
            heard = socket.recv() => match heard {
                // Nothing is asked here, and whoever talks all the same is not listened to.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                    let _ = app.limiter.ping(payers).await;
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
