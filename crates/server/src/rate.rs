//! Rate limits: one bucket a person, one an address for those without a session, and a narrow one for entering.

use crate::attempts::Network;
use crate::error::ApiError;
use crate::house_file::Rates;
use axum::http::StatusCode;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ledger::PersonId;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

const HELD_BACK: Duration = Duration::from_millis(100);

/// Whose bucket a request is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payer {
    Person(PersonId),
    Address(IpAddr),
}

pub struct Limiter {
    requests: DefaultKeyedRateLimiter<Payer>,
    entries: DefaultKeyedRateLimiter<IpAddr>,
}

impl Limiter {
    pub fn new(rates: &Rates) -> Limiter {
        let at_least_one = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let requests = Quota::per_second(at_least_one(rates.requests_per_second))
            .allow_burst(at_least_one(rates.requests_at_once));
        let entries = Quota::per_minute(at_least_one(rates.entries_per_minute));
        Limiter { requests: RateLimiter::keyed(requests), entries: RateLimiter::keyed(entries) }
    }

    /// Who asks too often hears so after a moment, in which nothing more of theirs is read: a flood costs little.
    pub async fn request(&self, payer: Payer) -> Result<(), ApiError> {
        if self.requests.check_key(&payer).is_ok() {
            return Ok(());
        }
        tokio::time::sleep(HELD_BACK).await;
        Err(too_many())
    }

    /// Signing in and up, and making guests.
    pub fn entry(&self, address: IpAddr) -> Result<(), ApiError> {
        self.entries.check_key(&Network::of(address).address()).map_err(|_| too_many())
    }

    /// Drops buckets that are full again.
    pub fn tidy(&self) {
        self.requests.retain_recent();
        self.entries.retain_recent();
    }
}

fn too_many() -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "too many requests; wait a moment")
}
