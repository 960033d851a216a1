//! Connections: accepted up to a number, of all and of each address, live views among them. Each has a limit on how slowly
//! it may send its headers and on how long it may leave answers unread, and may finish when the house closes.

use crate::attempts::Network;
use crate::crlf::Lines;
use crate::proxies::Proxies;
use crate::share::{Payers, Share, Shares};
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
use tokio::time::Sleep;
use tower::ServiceExt as _;

const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// The headers of a request, and what is read at once.
const LARGEST_HEADERS: usize = 16 * 1024;
const FINISH_WITHIN: Duration = Duration::from_secs(2);
/// Somebody to whom not one more byte can be sent for so long is gone.
const READ_WITHIN: Duration = Duration::from_secs(20);

/// Serves until `stop` is ready, then lets open requests finish.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    (room, proxies): (Shares, Proxies),
    stop: impl Future<Output = ()>,
) {
    let (closing, closed) = watch::channel(false);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors: wait for some to come back instead of spinning.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Beyond the limit a connection is dropped at once, so that it costs nothing.
        let address = peer.ip().to_canonical();
        let payers = match proxies.trusts(address) {
            true => Payers::nobody(),
            false => Payers::new(Network::of(address), None),
        };
        let Ok(place) = room.take(payers, 1) else {
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "nodelay");
        }
        let router = router.clone();
        tokio::spawn(attend(stream, peer, router, (closed.clone(), place)));
    }
    // Nobody listens when there is no connection.
    let _ = closing.send(true);
    drop(closed);
    if tokio::time::timeout(FINISH_WITHIN, closing.closed()).await.is_err() {
        tracing::warn!("some connections were cut off");
    }
}

/// Attends to one connection that was not made by a network, until the house closes.
pub fn attend_to<S: Carries>(
    opened: &crate::serve::Opened,
    stream: S,
    peer: SocketAddr,
) -> impl Future<Output = ()> + Send + use<S> {
    let (router, closing) = (opened.router.clone(), opened.app.closing.subscribe());
    let place = opened.app.connections.take(Payers::nobody(), 1);
    async move {
        let Ok(place) = place else { return };
        attend(stream, peer, router, (closing, place)).await;
    }
}

/// Whatever carries bytes in both directions.
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
        tracing::debug!(%error, "a connection ended");
    }
}

/// A stream that gives a peer up who reads nothing, and takes no line that ends with a line feed alone.
struct Impatient<S> {
    stream: S,
    /// Set while nothing more can be written.
    stalled: Option<Pin<Box<Sleep>>>,
    lines: Lines,
    /// Goes with the stream where the connection becomes a live view: that counts as long as it is open.
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
