//! Work that takes longer than an async thread may be held: a few at a time on threads of their own, a bounded number
//! waiting, and whoever comes after those is told to come again.

use crate::error::{ApiError, ApiResult};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

pub struct Pool {
    turns: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most: usize,
}

/// Counts as waiting until it is dropped.
struct Waits(Arc<AtomicUsize>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    /// So many at once, and so many waiting.
    pub fn new(at_once: usize, most: usize) -> Pool {
        Pool { turns: Arc::new(Semaphore::new(at_once)), waiting: Arc::default(), most }
    }

    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
        let waits = Waits(Arc::clone(&self.waiting));
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.most {
            return Err(ApiError::busy("the house has too much to do now; try again in a moment"));
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| ApiError::stopped())?;
        drop(waits);
        let worked = ledger::world::aside(move || {
            // Held until it is done, also if whoever asked has gone.
            let _turn = turn;
            work()
        });
        worked.await.map_err(|_| {
            tracing::error!("work of a request ended by a panic");
            ApiError::new(
                axum::http::StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "something is wrong in the house",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
