//! Connections between nodes: one HTTP/2 connection to each peer, with one stream per followed table.
//!
//! A secret that only the nodes of the house have authenticates both ends.

use super::line::{FollowerMessage, LONGEST, OwnerMessage, PeerView};
use super::secret::Secret;
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::login_throttle::Network;
use crate::share::{Clients, Shares};
use crate::tables::{Published, TableHandle, ask_admitted};
use crate::wire::{Path, text_of};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use axum::routing::post;
use futures_util::stream::{StreamExt as _, unfold};
use hyper::client::conn::http2 as client;
use hyper::server::conn::http2 as server;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use ledger::PersonId;
use rules::message;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio_rustls::rustls::pki_types::ServerName;
use tower::ServiceExt as _;

/// The time limit for connecting to a peer or opening a stream to it; a peer that takes longer counts as absent.
const REACHED_WITHIN: Duration = Duration::from_millis(1_500);
/// The interval between pings on a connection to a peer.
const PING_EVERY: Duration = Duration::from_millis(500);
/// How long a peer may leave a ping unanswered before the connection to it is closed.
const SILENT_FOR: Duration = Duration::from_millis(1_500);
/// The maximum number of tables that one peer may follow at this node.
const STREAMS: u32 = 4_096;
/// The maximum number of connections whose peer has not yet proved that it holds the house's keys.
///
/// One address may have a sixteenth of these connections.
const UNPROVEN: usize = 256;
/// The minimum interval between log messages about refused connections.
const LOGGED_EVERY: Duration = Duration::from_secs(60);

type Sender = client::SendRequest<Body>;

/// This node's connections to its peers, opened on first use.
pub struct Peers {
    secret: Secret,
    open: Mutex<HashMap<String, Arc<tokio::sync::Mutex<PeerConnection>>>>,
}

/// The connection to one peer, and when the last attempt to open it failed.
#[derive(Default)]
struct PeerConnection {
    sender: Option<Sender>,
    /// When the last connection attempt failed, or `None` if it succeeded.
    failed: Option<Instant>,
}

/// A two-way stream to follow a table at a peer.
pub struct FollowStream {
    pub sender: UnboundedSender<Bytes>,
    pub lines: Lines,
}

impl Peers {
    pub fn new(secret: Secret) -> Peers {
        Peers { secret, open: Mutex::default() }
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    async fn to(&self, address: &str) -> io::Result<Sender> {
        let way = {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(open.entry(address.to_owned()).or_default())
        };
        let asked = Instant::now();
        let mut way = way.lock().await;
        if let Some(sender) = way.sender.as_ref().filter(|sender| !sender.is_closed()) {
            return Ok(sender.clone());
        }
        let late = || io::Error::from(io::ErrorKind::TimedOut);
        // One attempt serves all tables that wait for this peer; otherwise the last of them would wait for as many
        // attempts.
        if way.failed.is_some_and(|failed| failed > asked) {
            return Err(late());
        }
        let tried = tokio::time::timeout(REACHED_WITHIN, self.connected(address)).await;
        let reached = tried.unwrap_or_else(|_| Err(late()));
        way.failed = reached.is_err().then(Instant::now);
        way.sender = Some(reached?);
        way.sender.clone().ok_or_else(late)
    }

    /// Returns whether the peer at this address can be reached, and connects to it if there is no connection yet.
    pub async fn reaches(&self, address: &str) -> bool {
        self.to(address).await.is_ok()
    }

    async fn connected(&self, address: &str) -> io::Result<Sender> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let name = ServerName::try_from("node").map_err(io::Error::other)?;
        let stream = self.secret.connect.connect(name, stream).await?;
        let (sender, connection) = client::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(SILENT_FOR)
            .keep_alive_while_idle(true)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(io::Error::other)?;
        let peer = address.to_owned();
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, peer, "the connection to a peer ended");
            }
        });
        Ok(sender)
    }

    /// Opens a stream through which this node follows a table that the peer at `address` owns.
    ///
    /// Returns an error if the peer cannot be reached or does not own the table.
    pub async fn follow(&self, address: &str, table: u32) -> io::Result<FollowStream> {
        let mut connection = self.to(address).await?;
        let (sender, sent) = unbounded_channel();
        let request = Request::post(format!("https://node/peer/tables/{table}"))
            .body(body_of(sent))
            .map_err(io::Error::other)?;
        let asked = tokio::time::timeout(REACHED_WITHIN, connection.send_request(request)).await;
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let response = asked.map_err(late)?.map_err(io::Error::other)?;
        match response.status() {
            StatusCode::OK => Ok(FollowStream { sender, lines: Lines::of(Body::new(response.into_body())) }),
            status => Err(io::Error::other(format!("the peer answered {status}"))),
        }
    }
}

fn body_of(lines: UnboundedReceiver<Bytes>) -> Body {
    let next = |mut lines: UnboundedReceiver<Bytes>| async move {
        lines.recv().await.map(|line| (Ok::<_, Infallible>(line), lines))
    };
    Body::from_stream(unfold(lines, next))
}

/// Serializes a value as one line of JSON.
pub fn line(value: &impl Serialize) -> Bytes {
    let mut text = text_of(value);
    text.push('\n');
    text.into()
}

/// A peer's messages, one per line, read as they arrive.
pub struct Lines {
    body: axum::body::BodyDataStream,
    rest: Vec<u8>,
}

impl Lines {
    fn of(body: Body) -> Lines {
        Lines { body: body.into_data_stream(), rest: Vec::new() }
    }

    /// Returns the next message, or `None` at the end of the stream or if the next line cannot be parsed.
    ///
    /// If the future is dropped, no received data is lost.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Option<T> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let value = serde_json::from_slice(&self.rest[..end]);
                self.rest.drain(..=end);
                return value
                    .inspect_err(|error| tracing::warn!(%error, "a peer sent an invalid message"))
                    .ok();
            }
            if self.rest.len() > LONGEST {
                return None;
            }
            self.rest.extend_from_slice(&self.body.next().await?.ok()?);
        }
    }
}

/// Accepts connections from peers, and serves them.
pub async fn listen(listener: TcpListener, app: App) {
    let Some(nodes) = app.nodes.get() else { return };
    let accept = nodes.peers.secret().accept.clone();
    let router = Router::new().route("/peer/tables/{table}", post(table)).with_state(Arc::clone(&app));
    let (unproven, logged) = (Shares::of(UNPROVEN), Arc::new(Mutex::new(None::<Instant>)));
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Drops connections beyond the limit at once, so that they cost nothing.
        let from = Clients::new(Network::of(peer.ip().to_canonical()), None);
        let Ok(place) = unproven.take(from, 1) else { continue };
        let (accept, router, logged) = (accept.clone(), router.clone(), Arc::clone(&logged));
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let shaken = tokio::time::timeout(REACHED_WITHIN, accept.accept(stream)).await;
            drop(place);
            let Ok(Ok(stream)) = shaken else {
                let mut last = logged.lock().unwrap_or_else(PoisonError::into_inner);
                if last.is_none_or(|last| last.elapsed() > LOGGED_EVERY) {
                    *last = Some(Instant::now());
                    tracing::warn!(%peer, "refused a connection that does not use this house's keys");
                }
                return;
            };
            let service = hyper::service::service_fn(move |request| router.clone().oneshot(request));
            let served = server::Builder::new(TokioExecutor::new())
                .timer(TokioTimer::new())
                .keep_alive_interval(PING_EVERY)
                .keep_alive_timeout(SILENT_FOR)
                .max_concurrent_streams(STREAMS)
                .serve_connection(TokioIo::new(stream), service);
            if let Err(error) = served.await {
                tracing::debug!(%error, %peer, "a peer's connection ended");
            }
        });
    }
}

/// Lets a peer follow a table for as long as this node owns it.
///
/// The peer receives every version of the table's view, and the replies to the requests that it forwards. Returns
/// an error if this node does not own the table.
async fn table(State(app): State<App>, Path(table): Path<u32>, body: Body) -> ApiResult<Response> {
    let handle = app.table(table)?;
    if !*handle.owned.borrow() {
        return Err(ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            message!("not-the-owner", "this node does not own the table"),
        ));
    }
    let (answer, answers) = unbounded_channel();
    tokio::spawn(serve_follower((app, handle.clone()), Lines::of(body), answer));
    let mut views = handle.published.clone();
    views.mark_changed();
    let stream = PeerStream { views, owned: handle.owned.clone(), answers };
    let stream = unfold(stream, |mut stream| async move {
        stream.next().await.map(|line| (Ok::<_, Infallible>(line), stream))
    });
    Ok(Response::new(Body::from_stream(stream)))
}

/// The stream of messages to a peer that follows a table: views of the table and replies to the peer's requests.
///
/// The stream ends when this node no longer owns the table.
struct PeerStream {
    views: watch::Receiver<Published>,
    owned: watch::Receiver<bool>,
    answers: UnboundedReceiver<OwnerMessage>,
}

impl PeerStream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if !*self.owned.borrow_and_update() {
                return None;
            }
            tokio::select! {
                // Polls the views first, so that a client sees a change before it is told that its command is done.
                biased;
                changed = self.views.changed() => {
                    changed.ok()?;
                    let shown = PeerView::of(&self.views.borrow_and_update());
                    return Some(line(&OwnerMessage::Shown(Box::new(shown))));
                }
                answer = self.answers.recv() => return answer.map(|answer| line(&answer)),
                changed = self.owned.changed() => changed.ok()?,
            }
        }
    }
}

/// Handles the messages of a peer that follows a table, until the peer disconnects.
///
/// Then counts as closed all views that people had open through that peer.
async fn serve_follower(
    (app, handle): (App, TableHandle),
    mut lines: Lines,
    answer: UnboundedSender<OwnerMessage>,
) {
    let mut here: HashMap<PersonId, (crate::role::Role, i64)> = HashMap::new();
    while let Some(said) = lines.next::<FollowerMessage>().await {
        match said {
            FollowerMessage::Here { person, role, views } => {
                here.entry(person).or_insert((role, 0)).1 += views;
                handle.count(person, role, views);
            }
            FollowerMessage::Ask(asked) => {
                let n = asked.n;
                let Some(ask) = asked.ask() else { break };
                let (app, handle, answer) = (Arc::clone(&app), handle.clone(), answer.clone());
                tokio::spawn(async move {
                    // The peer may have disconnected; it retries elsewhere.
                    let _ = answer.send(OwnerMessage::of(n, ask_admitted(&app, &handle, ask).await));
                });
            }
        }
    }
    for (person, (role, views)) in here {
        handle.count(person, role, -views);
    }
}
