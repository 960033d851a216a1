//! Divides work between threads.
//!
//! The results do not depend on the number of threads.

use crate::cancel;
use rules::Choices;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
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
pub(crate) fn each<T: Sync, V: Send>(items: &[T], threads: usize, f: impl Fn(&T) -> V + Sync) -> Vec<V> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let f = |item: &T| {
        cancel::check();
        f(item)
    };
    std::thread::scope(|scope| {
        let f = &f;
        let parts: Vec<_> = items
            .chunks(share)
            .map(|part| start(scope, move || part.iter().map(f).collect::<Vec<V>>()))
            .collect();
        parts.into_iter().flat_map(join).collect()
    })
}

/// Applies `f` to items of very different cost on several threads, each of which takes the next item when it is
/// free.
///
/// Returns the results in the order of the items.
pub fn each_in_turn<T: Sync, V: Send>(items: &[T], threads: usize, f: impl Fn(&T) -> V + Sync) -> Vec<V> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((i, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?)))
        {
            cancel::check();
            done.push((i, f(item)));
        }
        done
    };
    let mut done: Vec<(usize, V)> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads.clamp(1, items.len().max(1))).map(|_| start(scope, work)).collect();
        all.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, v)| v).collect()
}

/// Applies `f` to owned items on several threads, and returns the results in the order of the items.
pub(crate) fn each_owned<T: Send, V: Send>(
    items: Vec<T>,
    threads: usize,
    f: impl Fn(T) -> V + Sync,
) -> Vec<V> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let mut items = items.into_iter();
    let f = |item: T| {
        cancel::check();
        f(item)
    };
    std::thread::scope(|scope| {
        let f = &f;
        let mut parts = Vec::new();
        loop {
            let part: Vec<T> = items.by_ref().take(share).collect();
            if part.is_empty() {
                break;
            }
            parts.push(start(scope, move || part.into_iter().map(f).collect::<Vec<V>>()));
        }
        parts.into_iter().flat_map(join).collect()
    })
}
