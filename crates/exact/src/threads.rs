//! Divides work between threads.
//!
//! The results do not depend on the number of threads.

use crate::cancel;
use rules::Choices;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

/// Starts a thread that shares the cancellation of its parent.
pub(crate) fn start<'s, V: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> V + Send + 's,
) -> ScopedJoinHandle<'s, V> {
    let flag = cancel::flag();
    scope.spawn(move || {
        cancel::inherit(flag);
        work()
    })
}

/// Waits for the result of a thread and propagates its panic.
pub(crate) fn join<V>(thread: ScopedJoinHandle<'_, V>) -> V {
    thread.join().unwrap_or_else(|why| resume_unwind(why))
}

/// Returns the number of threads for solving a whole game.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

/// Returns how many tables with options like `choices` to solve in parallel.
///
/// It is 1 for a game that already uses several threads per table.
pub fn at_once(choices: &Choices) -> usize {
    if choices.hands_per_box() > 1 { 1 } else { threads() }
}

/// Applies `f` to all items on several threads, and returns the results in the order of the items.
///
/// Each thread takes the next item when it is free, so the items may differ much in cost.
pub fn each<T: Sync, V: Send>(items: &[T], threads: usize, f: impl Fn(&T) -> V + Sync) -> Vec<V> {
    let done: Vec<Mutex<Option<V>>> = items.iter().map(|_| Mutex::new(None)).collect();
    for_each_index(items.len(), threads, &|i| *lock(&done[i]) = Some(f(&items[i])));
    done.into_iter().filter_map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Applies `f` to owned items on several threads, and returns the results in the order of the items.
pub(crate) fn each_owned<T: Send, V: Send>(
    items: Vec<T>,
    threads: usize,
    f: impl Fn(T) -> V + Sync,
) -> Vec<V> {
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let taken = |item: &Mutex<Option<T>>| lock(item).take();
    each(&items, threads, |item| taken(item).map(&f)).into_iter().flatten().collect()
}

/// Work on the item with this index.
type Work<'w> = dyn Fn(usize) + Sync + 'w;

/// Runs `work` for every index below `count`, on several threads.
///
/// Generic code is compiled once for each computation, and starting threads is much code, so this is not generic.
fn for_each_index(count: usize, threads: usize, work: &Work<'_>) {
    let next = AtomicUsize::new(0);
    let work_on = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return;
            }
            cancel::check();
            work(i);
        }
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads.clamp(1, count.max(1))).map(|_| start(scope, work_on)).collect();
        all.into_iter().for_each(join);
    });
}

fn lock<T>(one: &Mutex<T>) -> MutexGuard<'_, T> {
    one.lock().unwrap_or_else(PoisonError::into_inner)
}
