//! Logs a store outage when it begins and when it ends, and counts the failures in between.

use crate::db::DbError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts failures to read or write the store.
///
/// Logs when an outage begins and ends.
#[derive(Debug)]
pub struct Outage {
    way: &'static str,
    /// The number of failures since the store last worked, or 0 while the store works.
    since: AtomicU64,
    total: AtomicU64,
}

impl Outage {
    pub fn of(way: &'static str) -> Outage {
        Outage { way, since: AtomicU64::new(0), total: AtomicU64::new(0) }
    }

    /// Counts a failure.
    ///
    /// Logs the outage if the store worked before.
    pub fn failed(&self, error: &DbError) {
        self.total.fetch_add(1, Ordering::Relaxed);
        if self.since.fetch_add(1, Ordering::Relaxed) == 0 {
            let way = self.way;
            tracing::error!(%error, way, "the store is failing; until it recovers, further failures are counted but \
                not logged");
        }
    }

    /// Records that the store worked. If an outage ends thereby, logs its end and its number of failures.
    pub fn worked(&self) {
        if self.since.load(Ordering::Relaxed) == 0 {
            return;
        }
        let failures = self.since.swap(0, Ordering::Relaxed);
        if failures > 0 {
            tracing::info!(failures, way = self.way, "the store has recovered");
        }
    }

    /// Returns the number of failures since the start.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    /// Counts log lines: errors and others.
    #[derive(Clone, Default)]
    struct Lines(Arc<[AtomicU64; 2]>);

    impl Subscriber for Lines {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            let kind = usize::from(*event.metadata().level() != Level::ERROR);
            self.0[kind].fetch_add(1, Ordering::Relaxed);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn an_outage_is_one_line_and_its_end_another() {
        let (lines, outage) = (Lines::default(), Outage::of("writing"));
        let told = || [0, 1].map(|kind: usize| lines.0[kind].load(Ordering::Relaxed));
        tracing::subscriber::with_default(lines.clone(), || {
            outage.worked();
            assert_eq!(told(), [0, 0]);
            for round in 1..=2 {
                (0..100).for_each(|_| outage.failed(&DbError::Lost("away".into())));
                assert_eq!(told(), [round, round - 1]);
                outage.worked();
                outage.worked();
                assert_eq!(told(), [round, round]);
            }
        });
        assert_eq!(outage.total(), 200);
    }
}
