//! Rate limits, as token buckets.
//!
//! There is one bucket per person, and one per address for clients without a session. Each also has a larger
//! bucket for files of the page, and each address has a small one for sign-ins, sign-ups and new guests.

use crate::error::ApiError;
use crate::house_file::Rates;
use crate::login_throttle::Network;
use crate::share::{Client, Clients};
use axum::http::StatusCode;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use rules::message;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const REFUSAL_DELAY: Duration = Duration::from_millis(100);
/// The factor by which the rate limit of page files exceeds that of other requests.
///
/// A page needs dozens of files that cost little, and does not work without each of them.
const FILES: u32 = 10;

pub struct Limiter {
    requests: DefaultKeyedRateLimiter<Client>,
    files: DefaultKeyedRateLimiter<Client>,
    entries: DefaultKeyedRateLimiter<IpAddr>,
    /// The number of nodes among which the rate limits are divided.
    ///
    /// Each request takes this number of tokens, as if the client made the request at every node.
    nodes: AtomicU32,
    /// The burst limits of requests, entries and files, in this order.
    at_once: [NonZeroU32; 3],
}

impl Limiter {
    pub fn new(rates: &Rates) -> Limiter {
        let at_least_one = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let requests = Quota::per_second(at_least_one(rates.requests_per_second))
            .allow_burst(at_least_one(rates.requests_at_once));
        let files = Quota::per_second(at_least_one(rates.requests_per_second.saturating_mul(FILES)))
            .allow_burst(at_least_one(rates.requests_at_once.saturating_mul(FILES)));
        let entries = Quota::per_minute(at_least_one(rates.entries_per_minute));
        Limiter {
            requests: RateLimiter::keyed(requests),
            files: RateLimiter::keyed(files),
            entries: RateLimiter::keyed(entries),
            nodes: AtomicU32::new(1),
            at_once: [requests.burst_size(), entries.burst_size(), files.burst_size()],
        }
    }

    /// Divides the rate limits among `nodes`, the number of live nodes.
    pub fn share_among(&self, nodes: usize) {
        self.nodes.store(u32::try_from(nodes).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// Returns `number` divided among the nodes, rounded up.
    pub fn share_of(&self, number: u32) -> u32 {
        number.div_ceil(self.nodes.load(Ordering::Relaxed).max(1))
    }

    fn has_room<K: Clone + Eq + Hash>(
        &self,
        bucket: &DefaultKeyedRateLimiter<K>,
        key: &K,
        most: NonZeroU32,
    ) -> bool {
        let cost = NonZeroU32::new(self.nodes.load(Ordering::Relaxed)).unwrap_or(NonZeroU32::MIN);
        matches!(bucket.check_key_n(key, cost.min(most)), Ok(Ok(())))
    }

    /// Counts a request, or returns an error if the client is over the limit.
    ///
    /// The error comes after a delay in which the connection is not read, so that a flood of requests costs
    /// little.
    pub async fn request(&self, client: Client) -> Result<(), ApiError> {
        delay_if_refused(self.has_room(&self.requests, &client, self.at_once[0])).await
    }

    /// Counts a request for a file of the page, or returns an error if the client is over the limit.
    pub async fn file(&self, client: Client) -> Result<(), ApiError> {
        delay_if_refused(self.has_room(&self.files, &client, self.at_once[2])).await
    }

    /// Counts a WebSocket ping, or returns an error if the person or the address is over the limit.
    ///
    /// The ping counts toward the person's request limit, or toward the address's if nobody is signed in. For the
    /// address it also counts toward the limit on files, which is higher, because many people may share an
    /// address.
    pub async fn ping(&self, clients: Clients) -> Result<(), ApiError> {
        let own =
            clients.first().is_none_or(|client| self.has_room(&self.requests, &client, self.at_once[0]));
        let all = clients.address().is_none_or(|client| self.has_room(&self.files, &client, self.at_once[2]));
        delay_if_refused(own && all).await
    }

    /// Counts a sign-in, a sign-up or a new guest, or returns an error if `address` is over the limit.
    pub fn entry(&self, address: IpAddr) -> Result<(), ApiError> {
        let from = Network::of(address).address();
        self.has_room(&self.entries, &from, self.at_once[1]).then_some(()).ok_or_else(too_many)
    }

    /// Drops the token buckets that are full again, because a new bucket starts full.
    pub fn tidy(&self) {
        self.requests.retain_recent();
        self.files.retain_recent();
        self.entries.retain_recent();
    }
}

async fn delay_if_refused(has_room: bool) -> Result<(), ApiError> {
    if has_room {
        return Ok(());
    }
    tokio::time::sleep(REFUSAL_DELAY).await;
    Err(too_many())
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        message!("too-many", "too many requests; try again in a moment"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_of_several_nodes_has_its_share() {
        let rates =
            Rates { requests_per_second: 1, requests_at_once: 12, entries_per_minute: 6, ..Rates::default() };
        for (nodes, requests, entries) in [(0, 12, 6), (1, 12, 6), (3, 4, 2), (50, 1, 1)] {
            let limiter = Limiter::new(&rates);
            limiter.share_among(nodes);
            let here: IpAddr = "10.0.0.1".parse().expect("an address");
            let mut let_in = [0, 0];
            for _ in 0..20 {
                let_in[0] += u32::from(limiter.has_room(
                    &limiter.requests,
                    &Client::Address(here),
                    limiter.at_once[0],
                ));
                let_in[1] += u32::from(limiter.entry(here).is_ok());
            }
            assert_eq!(let_in, [requests, entries], "{nodes} nodes");
            assert_eq!(limiter.share_of(16), 16u32.div_ceil(nodes.max(1) as u32));
        }
    }

    #[tokio::test]
    async fn files_are_many_and_have_a_limit_too() {
        let rates = Rates { requests_per_second: 1, requests_at_once: 12, ..Rates::default() };
        let limiter = Limiter::new(&rates);
        let here = Client::Address("10.0.0.1".parse().expect("an address"));
        for _ in 0..12 * FILES {
            limiter.file(here).await.expect("there is room");
        }
        limiter.request(here).await.expect("files and requests have separate limits");
        let let_in = (0..200).filter(|_| limiter.has_room(&limiter.files, &here, limiter.at_once[2])).count();
        assert!(let_in < 100, "{let_in}");
    }
}
