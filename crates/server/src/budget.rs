//! Limits the memory for request bodies and responses.
//!
//! The bytes of a body are counted as they arrive, not as announced: a client that announces a large body and
//! sends nothing uses up no budget.

use crate::app::App;
use crate::share::{Clients, Full, Share};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::Response as HttpResponse;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

/// Maximum number of bytes of request bodies in memory.
pub const REQUESTS: usize = 24 << 20;
/// Maximum number of bytes of responses in memory.
pub const ANSWERS: usize = 48 << 20;
/// The size in bytes up to which a response does not count against the budget.
const SMALL: u64 = 4 * 1024;

/// Marks a response whose body all clients share in memory, so that the body does not count against the budget.
#[derive(Clone, Copy)]
pub struct Shared;

/// Charges the bytes of a request and its response to the client's shares of the memory budget.
///
/// This layer runs after the gate, which identifies the client.
pub async fn within_budget(State(app): State<App>, request: Request, next: Next) -> Response {
    let clients = request.extensions().get::<Clients>().copied().unwrap_or_default();
    let arrived = match app.bodies.take(clients, 0) {
        Ok(share) => Arc::new(Mutex::new(Arrived { share, full: None })),
        Err(full) => return crate::error::ApiError::from(full).into_response(),
    };
    let counted = Arc::clone(&arrived);
    let response = next.run(request.map(|body| Body::new(Counted { body, arrived: counted }))).await;
    let full = arrived.lock().ok().and_then(|arrived| arrived.full);
    drop(arrived);
    if let Some(full) = full {
        return crate::error::ApiError::from(full).into_response();
    }
    let size = response.body().size_hint().lower();
    if size <= SMALL || response.extensions().get::<Shared>().is_some() {
        return response;
    }
    match app.answers.take(clients, usize::try_from(size).unwrap_or(usize::MAX)) {
        Ok(held) => held_until_sent(response, held),
        Err(full) => crate::error::ApiError::from(full).into_response(),
    }
}

/// The bytes of a request received so far, and why further bytes are rejected, if they are.
struct Arrived {
    share: Share,
    full: Option<Full>,
}

/// A request body whose bytes count against the budget until the request is answered.
struct Counted {
    body: Body,
    arrived: Arc<Mutex<Arrived>>,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let (Poll::Ready(Some(Ok(frame))), Ok(mut arrived)) = (&polled, self.arrived.lock())
            && let Err(full) = arrived.share.grow(frame.data_ref().map_or(0, Bytes::len))
        {
            arrived.full = Some(full);
            return Poll::Ready(Some(Err(axum::Error::new(std::io::Error::other(
                "server is out of memory for request \
                bodies",
            )))));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn held_until_sent(response: Response, held: Share) -> Response {
    let (parts, body) = response.into_parts();
    HttpResponse::from_parts(parts, Body::new(CountedBody { body, held: Arc::new(held) }))
}

/// A response body whose bytes count against the budget until the last byte is sent or dropped.
///
/// The bytes outlive the body: the HTTP server drops the body as soon as it has queued the bytes, however long the
/// client leaves the bytes unread.
struct CountedBody {
    body: Body,
    held: Arc<Share>,
}

/// A part of a response body, with the share of the budget that its bytes are charged to.
struct CountedBytes {
    bytes: Bytes,
    _held: Arc<Share>,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let counted = |bytes| Bytes::from_owner(CountedBytes { bytes, _held: Arc::clone(&self.held) });
        polled.map(|next| next.map(|frame| frame.map(|frame| frame.map_data(counted))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login_throttle::Network;
    use crate::share::Shares;
    use futures_util::StreamExt as _;
    use std::net::IpAddr;

    /// Checks that the bytes of a response count after the HTTP server has queued them and dropped the body.
    #[tokio::test]
    async fn a_response_counts_until_its_last_byte_is_gone() {
        let clients = Clients::new(Network::of(IpAddr::from([10, 0, 0, 1])), None);
        let pool = Shares::new(100, 100);
        let held = pool.take(clients, 100).expect("there is room");
        let response = held_until_sent(Response::new(Body::from("x".repeat(100))), held);
        let mut body = response.into_body().into_data_stream();
        let bytes = body.next().await.expect("a frame").expect("data");
        drop(body);
        assert_eq!(bytes.len(), 100);
        assert!(pool.take(clients, 1).is_err(), "the client has not read the body yet");
        drop(bytes);
        assert!(pool.take(clients, 1).is_ok());
    }
}
