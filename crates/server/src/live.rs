//! Live views over WebSocket: the latest version of a table at once and after every change, acknowledgements when they are
//! durable. A slow reader skips versions; nothing queues up for it.

use crate::api::{Action, ActionAnswer, Me};
use crate::app::App;
use crate::daily::Writes;
use crate::error::{ApiError, ApiResult, ErrorBody, ErrorDetail};
use crate::session::Who;
use crate::share::{Payer, Payers, Share};
use crate::tables::{Published, TableHandle};
use crate::wire::{ClientId, Money, Path, text_of};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::SinkExt as _;
use futures_util::stream::{SplitSink, SplitStream, StreamExt as _};
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
/// The code with which a socket is closed whose session has ended.
const SESSION_ENDED: u16 = 4401;
/// How long a socket that is closed may take to hear of it.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Then it is looked at again.
const STORE_IS_AWAY: Duration = Duration::from_secs(1);
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// Signals to a person's sockets, as counters: recheck the session, or close.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    look_again: u64,
    pub leave: u64,
}

struct Open {
    count: u32,
    word: watch::Sender<Word>,
}

/// Sockets that each person has open.
#[derive(Default)]
pub struct Sockets(Mutex<HashMap<PersonId, Open>>);

impl Sockets {
    /// `None` when the person has as many as there may be.
    fn enter(&self, person: PersonId, most: u32) -> Option<watch::Receiver<Word>> {
        let mut open = self.0.lock().ok()?;
        let word = || watch::Sender::new(Word::default());
        let entry = open.entry(person).or_insert_with(|| Open { count: 0, word: word() });
        if entry.count >= most {
            return None;
        }
        entry.count += 1;
        Some(entry.word.subscribe())
    }

    fn left(&self, person: PersonId) {
        if let Ok(mut open) = self.0.lock()
            && let Some(entry) = open.get_mut(&person)
        {
            entry.count -= 1;
            if entry.count == 0 {
                open.remove(&person);
            }
        }
    }

    fn tell(&self, person: PersonId, change: impl FnOnce(&mut Word)) {
        if let Ok(open) = self.0.lock()
            && let Some(entry) = open.get(&person)
        {
            entry.word.send_modify(change);
        }
    }

    /// The person's sockets look whether their session goes on.
    pub fn look_again(&self, person: PersonId) {
        self.tell(person, |word| word.look_again += 1);
    }

    /// Everybody's sockets do.
    pub fn look_again_all(&self) {
        if let Ok(open) = self.0.lock() {
            open.values().for_each(|entry| entry.word.send_modify(|word| word.look_again += 1));
        }
    }

    /// The person's sockets end.
    pub fn leave_all(&self, person: PersonId) {
        self.tell(person, |word| word.leave += 1);
    }
}

/// Opens a live view. Messages out: `view`, `private` (own cards that lie face down), `balance`, `ack`,
/// `refused`; messages in: an action as for
/// `POST /api/tables/{table}/actions`, or `{"type":"resync"}`. It is closed with the code 4401 when the session ends.
/// `/api/asyncapi.json` describes every message.
#[utoipa::path(get, path = "/api/tables/{table}/live", tag = "tables", params(("table" = u32, Path)),
    responses((status = 101, description = "switches to WebSocket"), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn live(
    State(app): State<App>,
    me: Me,
    Path(table): Path<u32>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> ApiResult<Response> {
    let handle = crate::app::table_for(&app, table, me.asks()).await?;
    let upgrade = upgrade.map_err(|e| ApiError::bad("websocket", e.body_text()))?;
    let (place, word) = hold(&app, &me)?;
    let (who, payers) = (Arc::clone(&me.who), me.payers);
    let upgrade = upgrade
        .max_message_size(LARGEST_FRAME)
        .max_frame_size(LARGEST_FRAME)
        .read_buffer_size(READ_AT_ONCE)
        .write_buffer_size(HELD_BACK);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _place = place;
        app.metrics.sockets.fetch_add(1, Ordering::Relaxed);
        handle.note(&who, true);
        payers.charged(converse(&app, &handle, (Arc::clone(&who), payers, word), socket)).await;
        handle.note(&who, false);
        app.metrics.sockets.fetch_sub(1, Ordering::Relaxed);
    }))
}

/// Lets a person open one more socket, with the word by which it is told to end. Counted until the place is dropped, also
/// where the connection never becomes a socket.
pub fn hold(app: &App, me: &Me) -> ApiResult<(Place, watch::Receiver<Word>)> {
    let many = || {
        let status = axum::http::StatusCode::TOO_MANY_REQUESTS;
        ApiError::new(status, "sockets", "too many live connections")
    };
    let from_here = app.views.take(me.payers.at_address(), 1).map_err(|_| many())?;
    let most = app.limiter.share_of(app.file.rates.sockets_per_person);
    let word = app.sockets.enter(me.id, most).ok_or_else(many)?;
    Ok((Place { app: Arc::clone(app), person: me.id, _from_here: from_here }, word))
}

pub struct Place {
    app: App,
    person: PersonId,
    _from_here: Share,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.app.sockets.left(self.person);
    }
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

/// A socket lasts as long as the session with which it was opened, and its holder's role.
async fn converse(
    app: &App,
    table: &TableHandle,
    (who, payers, mut word): (Arc<Who>, Payers, watch::Receiver<Word>),
    socket: WebSocket,
) {
    let who = &who;
    let (mut sink, mut stream) = socket.split();
    let mut views = table.published.clone();
    views.mark_changed();
    let mut ping = tokio::time::interval(PING_EVERY);
    let mut closing = app.closing.subscribe();
    let mut heard = tokio::time::Instant::now();
    // Looked at first of all: something may have changed since the gate.
    let mut look_again = std::pin::pin!(tokio::time::sleep(Duration::ZERO));
    let left_before = word.borrow().leave;
    let mut ended = false;
    // What was said while an answer was awaited.
    let mut held: Option<Message> = None;
    loop {
        let going_on = tokio::select! {
            // In this order, so that one seed gives one history; who says a lot holds up only what they are shown.
            biased;
            _ = closing.changed() => false,
            _ = ping.tick() => {
                heard.elapsed() < SILENT_FOR && send(&mut sink, Message::Ping(Vec::new().into())).await
            }
            changed = word.changed() => {
                ended = changed.is_err() || word.borrow_and_update().leave > left_before;
                look_again.as_mut().reset(tokio::time::Instant::now());
                !ended
            }
            () = &mut look_again => match standing(app, who, false).await {
                Some((left, _)) => {
                    look_again.as_mut().reset(tokio::time::Instant::now() + left);
                    true
                }
                None => {
                    ended = true;
                    false
                }
            },
            message = next_of(&mut held, &mut stream) => match message {
                Some(Ok(message)) => {
                    heard = tokio::time::Instant::now();
                    let asks = matches!(message, Message::Text(_));
                    if matches!(message, Message::Ping(_) | Message::Pong(_) | Message::Binary(_)) {
                        // Who pings too often, or sends too much that is no text, is answered late, and what follows is
                        // read later.
                        let _ = app.limiter.ping(payers).await;
                    }
                    // Who asks is whoever the house knows now: the chips to wager may be others.
                    let known = match asks {
                        true => standing(app, who, true).await.map(|(_, known)| known),
                        false => Some(Arc::clone(who)),
                    };
                    ended = known.is_none();
                    match known {
                        Some(who) => {
                            let answered = answer(app, table, (&who, payers), (&mut sink, &mut views), message);
                            unless_gone(answered, &mut held, &mut stream).await
                        }
                        None => false,
                    }
                }
                _ => false,
            },
            changed = views.changed() => changed.is_ok() && show(&mut sink, &mut views, who).await,
        };
        if !going_on {
            break;
        }
    }
    if ended {
        let reason =
            CloseFrame { code: SESSION_ENDED, reason: "the session has ended; sign in again".into() };
        send(&mut sink, Message::Close(Some(reason))).await;
        // What is still on its way is read and thrown away: otherwise the connection is reset and the reason is lost.
        let rest = async { while matches!(stream.next().await, Some(Ok(_))) {} };
        let _ = tokio::time::timeout(LAST_WORDS, rest).await;
    }
    let _ = tokio::time::timeout(Duration::from_secs(1), sink.close()).await;
}

type Stream = SplitStream<WebSocket>;

/// The message that was held back, or the next one.
async fn next_of(held: &mut Option<Message>, stream: &mut Stream) -> Option<Result<Message, axum::Error>> {
    match held.take() {
        Some(message) => Some(Ok(message)),
        None => stream.next().await,
    }
}

/// Waits for an answer, but not for somebody who has gone: what a closed socket asked is dropped, so that no table that
/// comes back later carries it out. One message that comes meanwhile is held back, and no more is read.
async fn unless_gone(
    answered: impl Future<Output = bool>,
    held: &mut Option<Message>,
    stream: &mut Stream,
) -> bool {
    let mut answered = std::pin::pin!(answered);
    loop {
        tokio::select! {
            biased;
            going_on = &mut answered => return going_on,
            message = stream.next(), if held.is_none() => match message {
                Some(Ok(message)) => *held = Some(message),
                _ => return false,
            },
        }
    }
}

/// How long the session goes on if nothing is asked; `None` when it is over, or its holder is somebody else to the house
/// than when the socket was opened. While the store is away nobody's session ends.
pub async fn standing(app: &App, who: &Arc<Who>, asks: bool) -> Option<(Duration, Arc<Who>)> {
    match app.standing(who.session, asks).await {
        Ok(Some(standing)) => {
            let may = |who: &Who| (who.role, who.must_change, who.must_set_factor);
            let same = may(&standing.who) == may(who);
            let left = standing.ends.0.saturating_sub(app.ledger.now().0).max(1);
            same.then(|| (Duration::from_millis(left.unsigned_abs()), standing.who))
        }
        Ok(None) => None,
        Err(_) => Some((STORE_IS_AWAY, Arc::clone(who))),
    }
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
    (who, payers): (&Arc<Who>, Payers),
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
    if let Err(error) = app.limiter.request(Payer::Person(who.id)).await {
        return send_text(sink, refused(None, &error)).await;
    }
    match serde_json::from_str::<Incoming>(&text) {
        Ok(Incoming::Action(action)) => {
            let id = action.id.clone();
            let counted = app.writes(payers, Some(who.role), Writes::Table);
            let acted = match counted {
                Ok(()) => act((app, table), who, *action).await,
                Err(error) => Err(error),
            };
            let reply = match acted {
                Ok(done) => text_of(&Outgoing::Ack { id: &id, done }),
                Err(error) => refused(Some(&id), &error),
            };
            match views.has_changed() {
                Ok(true) => say_with_next(sink, reply).await && show(sink, views, who).await,
                _ => send_text(sink, reply).await,
            }
        }
        Ok(Incoming::Other { r#type }) if r#type == "resync" => show(sink, views, who).await,
        _ => send_text(sink, refused(None, &ApiError::bad("message", "unknown message"))).await,
    }
}

async fn act((app, table): (&App, &TableHandle), who: &Arc<Who>, action: Action) -> ApiResult<ActionAnswer> {
    let ask = action.of(who)?;
    crate::needs::admit(app, table, &ask).await?;
    Ok(table.ask(ask).await?.into())
}

fn refused(id: Option<&ClientId>, error: &ApiError) -> String {
    text_of(&Outgoing::Refused { id, error: &error.detail })
}
