//! Reports the progress of long computations.

use exact::threads::each;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A callback that is called after every step with the number of steps done and the total number of steps.
pub type OnStep<'t> = &'t (dyn Fn(usize, usize) + Sync);

/// Ignores the progress of a computation.
pub fn ignore_progress(_: usize, _: usize) {}

/// Applies `f` to all items on several threads, and calls `on_step` after each item.
///
/// The results are in the order of the items.
pub fn map_with_progress<T: Sync, V: Send>(
    items: &[T],
    threads: usize,
    on_step: OnStep<'_>,
    f: impl Fn(&T) -> V + Sync,
) -> Vec<V> {
    let done = AtomicUsize::new(0);
    each(items, threads, |item| {
        let found = f(item);
        on_step(done.fetch_add(1, Ordering::Relaxed) + 1, items.len());
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_step_is_told_once() {
        let told = Mutex::new(Vec::new());
        let on_step = |done: usize, all: usize| told.lock().unwrap().push((done, all));
        assert_eq!(map_with_progress(&[3, 1, 2], 2, &on_step, |n| n * 2), [6, 2, 4]);
        let mut told = told.into_inner().unwrap();
        told.sort_unstable();
        assert_eq!(told, [(1, 3), (2, 3), (3, 3)]);
    }
}
