//! Live views of tables over WebSocket.
//!
//! A socket sends the table's latest view at once and after every change, and the acknowledgement of each command
//! once the command is durable. A slow client skips views; no views queue up for it.

use crate::api::{Action, ActionAnswer, Me};
use crate::app::App;
use crate::daily::Writes;
use crate::error::{ApiError, ApiResult, ErrorBody, ErrorDetail};
use crate::session::SignedIn;
use crate::share::{Client, Clients, Share};
use crate::tables::{BoxView, Published, TableHandle};
use crate::wire::{ClientId, Money, Path, text_of};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::SinkExt as _;
use futures_util::stream::{SplitSink, SplitStream, StreamExt as _};
use ledger::PersonId;
use rules::message;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

const LARGEST_FRAME: usize = 16 * 1024;
const PING_EVERY: Duration = Duration::from_secs(5);
const SILENT_FOR: Duration = Duration::from_secs(15);
/// The heartbeat message of the page, which the server answers with `pong`.
///
/// The page needs it because scripts in a browser cannot see WebSocket pings.
pub const PING: &str = r#"{"type":"ping"}"#;
/// The size of a socket's read buffer, in bytes.
///
/// The buffer is cleared before every read: for a large buffer, that costs more than several small reads.
const READ_BUFFER: usize = 2048;
/// The size of a socket's write buffer, in bytes.
///
/// Messages that are queued together are sent together.
const WRITE_BUFFER: usize = 4096;
/// The WebSocket close code of a socket whose session has ended.
const SESSION_ENDED: u16 = 4401;
/// How long a closing socket waits for the client to receive the reason.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The time until the next session check while the database is unreachable.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// Counters whose increase makes a person's sockets recheck the session or close.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketSignal {
    recheck: u64,
    pub leave: u64,
}

struct Open {
    count: u32,
    signal: watch::Sender<SocketSignal>,
}

/// The open sockets of each person.
#[derive(Default)]
pub struct Sockets(Mutex<HashMap<PersonId, Open>>);

impl Sockets {
    /// Registers one more socket of a person, and returns the receiver of the signals to the person's sockets.
    ///
    /// Returns `None` if the person already has `most` sockets.
    fn enter(&self, person: PersonId, most: u32) -> Option<watch::Receiver<SocketSignal>> {
        let mut open = self.0.lock().ok()?;
        let signal = || watch::Sender::new(SocketSignal::default());
        let entry = open.entry(person).or_insert_with(|| Open { count: 0, signal: signal() });
        if entry.count >= most {
            return None;
        }
        entry.count += 1;
        Some(entry.signal.subscribe())
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

    fn tell(&self, person: PersonId, change: impl FnOnce(&mut SocketSignal)) {
        if let Ok(open) = self.0.lock()
            && let Some(entry) = open.get(&person)
        {
            entry.signal.send_modify(change);
        }
    }

    /// Makes all sockets of a person check again whether the person's session is valid.
    pub fn recheck(&self, person: PersonId) {
        self.tell(person, |signal| signal.recheck += 1);
    }

    /// Makes all sockets of the house check again whether their sessions are valid.
    pub fn recheck_all(&self) {
        if let Ok(open) = self.0.lock() {
            open.values().for_each(|entry| entry.signal.send_modify(|signal| signal.recheck += 1));
        }
    }

    /// Closes all sockets of a person.
    pub fn leave_all(&self, person: PersonId) {
        self.tell(person, |signal| signal.leave += 1);
    }
}

/// Opens a live view of a table.
///
/// Messages out: `view`, `private` (the caller's face-down cards), `balance`, `ack`, `refused`; messages in: an action
/// as for `POST /api/tables/{table}/actions`, `{"type":"resync"}`, or `{"type":"ping"}`, which is answered at once by
/// `{"type":"pong"}`. The socket is closed with the code 4401 when the session ends. `/api/asyncapi.json` describes
/// every message.
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
    let upgrade = upgrade?;
    let (place, signal) = reserve_socket(&app, &me)?;
    let (who, clients) = (Arc::clone(&me.who), me.clients);
    let upgrade = upgrade
        .max_message_size(LARGEST_FRAME)
        .max_frame_size(LARGEST_FRAME)
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _place = place;
        app.metrics.sockets.fetch_add(1, Ordering::Relaxed);
        handle.note(&who, true);
        clients.charged(serve_socket(&app, &handle, (Arc::clone(&who), clients, signal), socket)).await;
        handle.note(&who, false);
        app.metrics.sockets.fetch_sub(1, Ordering::Relaxed);
    }))
}

/// Reserves one of the sockets that a person and an address may have.
///
/// Returns the reservation and the receiver of the socket's signals. The reservation counts until it is dropped,
/// even if the connection never becomes a socket. Returns an error if the person or the address already has too
/// many sockets.
pub fn reserve_socket(app: &App, me: &Me) -> ApiResult<(SocketSlot, watch::Receiver<SocketSignal>)> {
    let many = || {
        let status = axum::http::StatusCode::TOO_MANY_REQUESTS;
        ApiError::new(status, message!("sockets", "too many live connections"))
    };
    let from_here = app.views.take(me.clients.at_address(), 1).map_err(|_| many())?;
    let most = app.limiter.share_of(app.file.rates.sockets_per_person);
    let signal = app.sockets.enter(me.id, most).ok_or_else(many)?;
    Ok((SocketSlot { app: Arc::clone(app), person: me.id, _from_here: from_here }, signal))
}

pub struct SocketSlot {
    app: App,
    person: PersonId,
    _from_here: Share,
}

impl Drop for SocketSlot {
    fn drop(&mut self) {
        self.app.sockets.left(self.person);
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Incoming {
    Action(Box<Action>),
    Resync(FrameResync),
    Ping(FramePing),
}

/// A client's request to send the newest view again.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct FrameResync {
    /// The type of the message.
    #[serde(rename = "type")]
    _type: ResyncType,
}

/// The type of the message.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum ResyncType {
    Resync,
}

/// A client's message that asks whether the server is there.
///
/// The server immediately answers with `pong`.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct FramePing {
    /// The type of the message.
    #[serde(rename = "type")]
    _type: PingType,
}

/// The type of the message.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum PingType {
    Ping,
}

/// A message to one client, apart from the views.
///
/// Views are not among these messages, because all viewers of a table share them.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Frame)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Outgoing<'a> {
    /// The caller's new chip balance, sent if the last step of the table changed it.
    Balance {
        /// The version of the table's view to which the balance belongs; it grows with every change.
        version: u64,
        /// The class of chips: `cash` or `play`.
        chips: String,
        /// The caller's balance, in chips of this class.
        balance: Money,
    },
    /// The caller's own face-down cards, by box.
    Private {
        /// The version of the table's view to which the cards belong; it grows with every change.
        version: u64,
        /// The caller's boxes, with the face-down cards of the caller's hands.
        #[schema(value_type = Vec<BoxView>)]
        boxes: &'a serde_json::Value,
    },
    /// The acknowledgement that an action was carried out and is durable.
    Ack {
        /// The client's id of the command; a repeated id is not carried out again.
        #[schema(value_type = ClientId)]
        id: &'a ClientId,
        /// The outcome of the command.
        done: ActionAnswer,
    },
    /// The answer to `ping`, which shows that the server is there.
    Pong {},
    /// The refusal of an action, or of any other message that the server rejects.
    Refused {
        /// The client's id of the refused command; null if the message had no readable id.
        #[schema(required, value_type = Option<ClientId>)]
        id: Option<&'a ClientId>,
        /// The error.
        #[schema(value_type = ErrorDetail)]
        error: &'a ErrorDetail,
    },
}

/// Returns the message that answers a ping, as JSON.
pub fn pong() -> String {
    text_of(&Outgoing::Pong {})
}

type Sink = SplitSink<WebSocket, Message>;

/// Serves a socket until its session ends, the client disconnects, the house closes, or the person's role changes.
async fn serve_socket(
    app: &App,
    table: &TableHandle,
    (who, clients, mut signal): (Arc<SignedIn>, Clients, watch::Receiver<SocketSignal>),
    socket: WebSocket,
) {
    let who = &who;
    let (mut sink, mut stream) = socket.split();
    let mut views = table.published.clone();
    views.mark_changed();
    let mut ping = tokio::time::interval(PING_EVERY);
    let mut closing = app.closing.subscribe();
    let mut heard = tokio::time::Instant::now();
    // The first check runs at once: the session may have changed since the gate.
    let mut recheck = std::pin::pin!(tokio::time::sleep(Duration::ZERO));
    let left_before = signal.borrow().leave;
    let mut ended = false;
    // A message received while an answer was pending.
    let mut held: Option<Message> = None;
    loop {
        let going_on = tokio::select! {
            // Polled in this order, so that one seed gives one history; a client who sends a lot delays only its own
            // views.
            biased;
            _ = closing.changed() => false,
            _ = ping.tick() => {
                heard.elapsed() < SILENT_FOR && send(&mut sink, Message::Ping(Vec::new().into())).await
            }
            changed = signal.changed() => {
                ended = changed.is_err() || signal.borrow_and_update().leave > left_before;
                recheck.as_mut().reset(tokio::time::Instant::now());
                !ended
            }
            () = &mut recheck => match session_left(app, who, false).await {
                Some((left, _)) => {
                    recheck.as_mut().reset(tokio::time::Instant::now() + left);
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
                    let asks = matches!(message, Message::Text(_)) && !is_ping(&message);
                    if !asks && !matches!(message, Message::Close(_)) {
                        // Delays a client that pings too often or sends too many frames that are not text; its later
                        // messages wait.
                        let _ = app.limiter.ping(clients).await;
                    }
                    // Uses the person's current data: the chips they bet with may have changed.
                    let known = match asks {
                        true => session_left(app, who, true).await.map(|(_, known)| known),
                        false => Some(Arc::clone(who)),
                    };
                    ended = known.is_none();
                    match known {
                        Some(who) => {
                            let answered = answer(app, table, (&who, clients), message);
                            match answer_unless_disconnected(answered, (&mut held, &mut stream), &mut sink).await {
                                Some(reply) => say(&mut sink, &mut views, (&who, reply)).await,
                                None => false,
                            }
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
        // Reads and discards what is still in flight; otherwise the connection is reset and the close reason is lost.
        let rest = async { while matches!(stream.next().await, Some(Ok(_))) {} };
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, rest).await;
    }
    let _ = tokio::time::timeout(Duration::from_secs(1), sink.close()).await;
}

type Stream = SplitStream<WebSocket>;

/// Returns the message in `held`, or else waits for the next one from the client.
///
/// Returns `None` if the client disconnects.
async fn next_of(held: &mut Option<Message>, stream: &mut Stream) -> Option<Result<Message, axum::Error>> {
    match held.take() {
        Some(message) => Some(Ok(message)),
        None => stream.next().await,
    }
}

/// Waits for the reply to a request, or returns `None` if the client disconnects first.
///
/// The pending request of a closed socket is dropped, so that a table without an owner does not perform it later.
/// Meanwhile the function answers heartbeats, puts the first other message into `held`, and then reads no more.
async fn answer_unless_disconnected(
    answered: impl Future<Output = Reply>,
    (held, stream): (&mut Option<Message>, &mut Stream),
    sink: &mut Sink,
) -> Option<Reply> {
    let mut answered = std::pin::pin!(answered);
    loop {
        tokio::select! {
            biased;
            reply = &mut answered => return Some(reply),
            message = stream.next(), if held.is_none() => match message {
                Some(Ok(message)) if is_ping(&message) => {
                    if !send_text(sink, pong()).await {
                        return None;
                    }
                }
                None | Some(Err(_) | Ok(Message::Close(_))) => return None,
                Some(Ok(message)) => *held = Some(message),
            },
        }
    }
}

/// Returns the time until the session ends if no further request follows, and the person's current data.
///
/// `asks` is true for a request, which extends the session. Returns `None` if the session has ended, or if the
/// person's role or obligation to set a password or second factor has changed since the socket was opened. No
/// session ends while the database is unreachable.
pub async fn session_left(app: &App, who: &Arc<SignedIn>, asks: bool) -> Option<(Duration, Arc<SignedIn>)> {
    match app.session_state(who.session, asks).await {
        Ok(Some(state)) => {
            let may = |who: &SignedIn| (who.role, who.must_change, who.must_set_factor);
            let same = may(&state.who) == may(who);
            let left = state.ends.0.saturating_sub(app.ledger.now().0).max(1);
            same.then(|| (Duration::from_millis(left.unsigned_abs()), state.who))
        }
        Ok(None) => None,
        Err(_) => Some((RECHECK_INTERVAL, Arc::clone(who))),
    }
}

async fn send(sink: &mut Sink, message: Message) -> bool {
    matches!(tokio::time::timeout(SEND_WITHIN, sink.send(message)).await, Ok(Ok(())))
}

async fn send_text(sink: &mut Sink, text: String) -> bool {
    send(sink, Message::Text(text.into())).await
}

/// Queues a message to be sent together with the next one, and returns whether the socket accepted the message.
async fn say_with_next(sink: &mut Sink, text: String) -> bool {
    let said = sink.feed(Message::Text(text.into()));
    matches!(tokio::time::timeout(SEND_WITHIN, said).await, Ok(Ok(())))
}

async fn show(sink: &mut Sink, views: &mut watch::Receiver<Published>, who: &SignedIn) -> bool {
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
    send(sink, Message::Text(published.view_of(who.id))).await
}

fn is_ping(message: &Message) -> bool {
    matches!(message, Message::Text(text) if text.as_str() == PING)
}

/// The reply to a message from the client.
enum Reply {
    Nothing,
    Text(String),
    /// A text message, then the table's view if the view has changed.
    Acted(String),
    View,
    /// No message; the socket is closed.
    Close,
}

/// Sends a reply, and returns whether the socket stays open.
async fn say(
    sink: &mut Sink,
    views: &mut watch::Receiver<Published>,
    (who, reply): (&SignedIn, Reply),
) -> bool {
    match reply {
        Reply::Nothing => true,
        Reply::Text(text) => send_text(sink, text).await,
        Reply::Acted(text) => match views.has_changed() {
            Ok(true) => say_with_next(sink, text).await && show(sink, views, who).await,
            _ => send_text(sink, text).await,
        },
        Reply::View => show(sink, views, who).await,
        Reply::Close => false,
    }
}

/// Carries out one message from the client, and returns the reply.
async fn answer(
    app: &App,
    table: &TableHandle,
    (who, clients): (&Arc<SignedIn>, Clients),
    message: Message,
) -> Reply {
    if is_ping(&message) {
        return Reply::Text(pong());
    }
    let wrong = |error: ApiError| Reply::Text(refused(None, &error));
    let text = match message {
        Message::Text(text) => text,
        Message::Ping(_) | Message::Pong(_) => return Reply::Nothing,
        Message::Binary(_) => {
            return wrong(ApiError::bad("frame", message!("frame-not-text", "send text")));
        }
        Message::Close(_) => return Reply::Close,
    };
    if let Err(error) = app.limiter.request(Client::Person(who.id)).await {
        return wrong(error);
    }
    match serde_json::from_str::<Incoming>(&text) {
        Ok(Incoming::Action(action)) => {
            let id = action.id.clone();
            let counted = app.writes(clients, Some(who.role), Writes::Table);
            let acted = match counted {
                Ok(()) => act((app, table), who, *action).await,
                Err(error) => Err(error),
            };
            Reply::Acted(match acted {
                Ok(done) => text_of(&Outgoing::Ack { id: &id, done }),
                Err(error) => refused(Some(&id), &error),
            })
        }
        Ok(Incoming::Resync(_)) => Reply::View,
        Ok(Incoming::Ping(_)) => Reply::Text(pong()),
        Err(_) => wrong(ApiError::bad("message", message!("unknown-message", "unknown message"))),
    }
}

async fn act(
    (app, table): (&App, &TableHandle),
    who: &Arc<SignedIn>,
    action: Action,
) -> ApiResult<ActionAnswer> {
    let ask = action.of(who)?;
    Ok(crate::tables::ask(app, table, ask).await?.into())
}

fn refused(id: Option<&ClientId>, error: &ApiError) -> String {
    text_of(&Outgoing::Refused { id, error: &error.detail })
}
