//! What may be held in memory for requests that come in and answers that go out, all together. Whoever would need more is
//! told to come again, so that slow senders and slow readers cannot fill the house, however many they are.

use crate::error::ApiError;
use crate::guard::LARGEST_BODY;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{Response as HttpResponse, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bodies of requests, in KiB.
const REQUESTS_KIB: usize = 24 * 1024;
/// Answers, in KiB.
const ANSWERS_KIB: usize = 48 * 1024;
/// Answers up to this size are not worth counting.
const SMALL: u64 = 4 * 1024;

static REQUESTS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(REQUESTS_KIB)));
static ANSWERS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(ANSWERS_KIB)));

/// Marks an answer that lies in memory once, however many read it.
#[derive(Clone, Copy)]
pub struct Shared;

fn take(of: &Arc<Semaphore>, bytes: u64) -> Result<OwnedSemaphorePermit, ApiError> {
    let kib = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX);
    let full = |_| ApiError::busy("too much is being sent at once; try again in a moment");
    Arc::clone(of).try_acquire_many_owned(kib).map_err(full)
}

/// How large a request's body may become.
fn announced(request: &Request) -> u64 {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    match length {
        Some(length) => length.min(LARGEST_BODY as u64),
        None if request.headers().contains_key(header::TRANSFER_ENCODING) => LARGEST_BODY as u64,
        None => 0,
    }
}

pub async fn within_budget(request: Request, next: Next) -> Response {
    let body = match take(&REQUESTS, announced(&request)) {
        Ok(body) => body,
        Err(busy) => return busy.into_response(),
    };
    let response = next.run(request).await;
    drop(body);
    let size = response.body().size_hint().lower();
    if size <= SMALL || response.extensions().get::<Shared>().is_some() {
        return response;
    }
    match take(&ANSWERS, size) {
        Ok(held) => held_until_sent(response, held),
        Err(busy) => busy.into_response(),
    }
}

fn held_until_sent(response: Response, held: OwnedSemaphorePermit) -> Response {
    let (parts, body) = response.into_parts();
    HttpResponse::from_parts(parts, Body::new(Held { body, _held: held }))
}

/// A body that counts until it has been sent or dropped.
struct Held {
    body: Body,
    _held: OwnedSemaphorePermit,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}
