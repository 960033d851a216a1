//! Runs work that would block an async thread.
//!
//! A few jobs run at the same time, each on its own thread; a limited number wait in a queue, and the rest are
//! asked to try again.

use crate::error::{ApiError, ApiResult};
use crate::share::{Clients, Share, Shares};
use rules::message;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub struct Pool {
    turns: Arc<Semaphore>,
    places: Shares,
}

impl Pool {
    /// Returns a pool that runs `at_once` jobs at the same time, with a queue for at most `most` more.
    ///
    /// One address or person may hold a sixteenth of all the places of the pool.
    pub fn new(at_once: usize, most: usize) -> Pool {
        Pool { turns: Arc::new(Semaphore::new(at_once)), places: Shares::of(at_once + most) }
    }

    /// Waits for a place in the pool, runs `work` on a blocking thread, and returns the result of `work`.
    ///
    /// Returns an error if the queue is full.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
        let turn = self.turn().await?;
        let worked = ledger::world::run_blocking(move || {
            // Held until the work is done, even if the caller has disconnected.
            let _held = turn;
            work()
        });
        worked.await.map_err(|_| panicked())
    }

    /// Waits until one more job may run, and returns the job's place and its permit, which it holds while it runs.
    async fn turn(&self) -> ApiResult<(Share, OwnedSemaphorePermit)> {
        let place = self.places.take(Clients::asking(), 1)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| ApiError::stopped())?;
        Ok((place, turn))
    }
}

fn panicked() -> ApiError {
    tracing::error!("the work of a request panicked");
    ApiError::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, message!("internal", "internal error"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login_throttle::Network;
    use std::net::IpAddr;
    use std::time::Duration;

    #[tokio::test(flavor = "multi_thread")]
    async fn some_work_some_wait_and_the_others_come_again() {
        let pool = Arc::new(Pool::new(2, 3));
        let (release, held) = std::sync::mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        let mut begun = Vec::new();
        for _ in 0..5 {
            let (pool, held) = (Arc::clone(&pool), Arc::clone(&held));
            begun.push(tokio::spawn(async move {
                pool.run(move || held.lock().is_ok_and(|held| held.recv().is_ok())).await
            }));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let refused = pool.run(|| true).await.expect_err("full");
        assert_eq!((refused.status.as_u16(), refused.detail.code.as_str()), (503, "busy"));
        for _ in 0..5 {
            release.send(()).expect("held");
        }
        for one in begun {
            assert_eq!(one.await.expect("ran"), Ok(true));
        }
        assert_eq!(pool.run(|| true).await, Ok(true), "there is room again");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_address_has_a_sixteenth_of_the_places() {
        let from = |address: u8| Clients::new(Network::of(IpAddr::from([10, 0, 0, address])), None);
        let pool = Arc::new(Pool::new(8, 24));
        let (release, held) = std::sync::mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        let mut begun = Vec::new();
        for _ in 0..2 {
            let (pool, held) = (Arc::clone(&pool), Arc::clone(&held));
            begun.push(tokio::spawn(from(1).charged(async move {
                pool.run(move || held.lock().is_ok_and(|held| held.recv().is_ok())).await
            })));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let refused = from(1).charged(pool.run(|| true)).await.expect_err("its share");
        assert_eq!((refused.status.as_u16(), refused.detail.code.as_str()), (429, "too-much-at-once"));
        assert_eq!(from(2).charged(pool.run(|| true)).await, Ok(true), "another address");
        assert_eq!(pool.run(|| true).await, Ok(true), "the house itself");
        for _ in 0..2 {
            release.send(()).expect("held");
        }
        for one in begun {
            assert_eq!(one.await.expect("ran"), Ok(true));
        }
        assert_eq!(from(1).charged(pool.run(|| true)).await, Ok(true), "there is room again");
    }
}
