//! Caches the result of expensive work for a short time.
//!
//! If several callers need the result at the same time, one of them computes it for all.

use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

pub struct Recent<T>(Mutex<Option<(Instant, T)>>);

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(Mutex::new(None))
    }
}

impl<T: Clone> Recent<T> {
    /// Returns the cached result if it is younger than `lasts`, or else runs `work` and caches its result.
    pub async fn get(&self, lasts: Duration, work: impl Future<Output = T>) -> T {
        let mut last = self.0.lock().await;
        if let Some((at, answer)) = &*last
            && at.elapsed() < lasts
        {
            return answer.clone();
        }
        let answer = work.await;
        *last = Some((Instant::now(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn many_who_ask_get_one_answer_for_a_while() {
        let (recent, asked) = (Recent::default(), AtomicU32::new(0));
        let ask = async |lasts: Duration| {
            let work = async {
                tokio::task::yield_now().await;
                asked.fetch_add(1, Ordering::Relaxed) + 1
            };
            recent.get(lasts, work).await
        };
        let long = Duration::from_secs(600);
        let answers = futures_util::future::join_all((0..100).map(|_| ask(long))).await;
        assert_eq!(answers, vec![1; 100]);
        assert_eq!(ask(Duration::ZERO).await, 2, "the stored answer is too old");
        assert_eq!(ask(long).await, 2);
    }
}
