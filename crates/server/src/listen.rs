//! Accepts connections, up to a limit in total and per address. Live views count, too.
//!
//! Each connection has a time limit for sending its headers and another for reading its responses. When the house
//! closes, open requests may finish.

use crate::crlf::Lines;
use crate::login_throttle::Network;
use crate::proxies::Proxies;
use crate::share::{Clients, Share, Shares};
use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::Future;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};
use tower::ServiceExt as _;

const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Maximum size of a request's headers, in bytes, which is also the size of the read buffer.
const LARGEST_HEADERS: usize = 16 * 1024;
const FINISH_WITHIN: Duration = Duration::from_secs(2);
/// The time after which a peer that reads none of a response is disconnected.
const READ_WITHIN: Duration = Duration::from_secs(20);

/// Accepts and serves connections until `stop` completes.
///
/// Open requests may then finish until the time that `stop` returned, but for at most `FINISH_WITHIN`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    (room, proxies): (Shares, Proxies),
    stop: impl Future<Output = Instant>,
) {
    let (closing, closed) = watch::channel(false);
    let mut stop = std::pin::pin!(stop);
    let until = loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            until = &mut stop => break until,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors: waits for some to be freed instead of spinning.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Drops connections beyond the limit at once, so that they cost nothing.
        let address = peer.ip().to_canonical();
        let clients = match proxies.trusts(address) {
            true => Clients::none(),
            false => Clients::new(Network::of(address), None),
        };
        let Ok(place) = room.take(clients, 1) else {
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "nodelay");
        }
        let router = router.clone();
        tokio::spawn(attend(stream, peer, router, (closed.clone(), place)));
    };
    // There are no receivers if no connection is open.
    let _ = closing.send(true);
    drop(closed);
    let until = until.min(Instant::now() + FINISH_WITHIN);
    if tokio::time::timeout_at(until, closing.closed()).await.is_err() {
        tracing::warn!("shutdown closed some connections before they finished");
    }
}

/// Serves one connection that does not come from a listener, until it ends or the house closes.
pub fn attend_to<S: Carries>(
    opened: &crate::serve::Opened,
    stream: S,
    peer: SocketAddr,
) -> impl Future<Output = ()> + Send + use<S> {
    let (router, closing) = (opened.router.clone(), opened.app.closing.subscribe());
    let place = opened.app.connections.take(Clients::none(), 1);
    async move {
        let Ok(place) = place else { return };
        attend(stream, peer, router, (closing, place)).await;
    }
}

/// A bidirectional byte stream that can carry an HTTP connection.
pub trait Carries: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + 'static> Carries for T {}

async fn attend(
    stream: impl Carries,
    peer: SocketAddr,
    router: Router,
    (mut closed, place): (watch::Receiver<bool>, Share),
) {
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(LARGEST_HEADERS);
    let stream = Impatient { stream, stalled: None, lines: Lines::default(), _place: place };
    let serving = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut serving = std::pin::pin!(serving);
    let ended = tokio::select! {
        biased;
        ended = &mut serving => ended,
        _ = closed.changed() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended with an error");
    }
}

/// A connection's stream, which disconnects a peer that stops reading, and rejects lines that end in a bare line
/// feed.
struct Impatient<S> {
    stream: S,
    /// The timer that disconnects the peer, or `None` while writes are not blocked.
    stalled: Option<Pin<Box<Sleep>>>,
    lines: Lines,
    /// The connection's share of the limit on open connections.
    ///
    /// A connection that becomes a live view keeps its share, so that the view counts while it is open.
    _place: Share,
}

impl<S> Impatient<S> {
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(READ_WITHIN)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        self.lines.follow(&mut into.filled_mut()[before..]);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
