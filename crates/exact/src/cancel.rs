//! Cancels a computation from another thread.
//!
//! An unfinished solve has no result to return, so a cancelled solve unwinds its threads, without printing a panic
//! message.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that cancels a computation once another thread sets it to true.
pub type Flag = Arc<AtomicBool>;

/// The error that a cancelled computation returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

thread_local! {
    static FLAG: RefCell<Option<Flag>> = const { RefCell::new(None) };
}

/// Runs `work` until it ends or `flag` cancels it, along with all threads that it started.
///
/// Returns an error if the computation was cancelled.
pub fn cancellable<T>(flag: Flag, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    let before = FLAG.replace(Some(flag));
    let done = catch_unwind(AssertUnwindSafe(work));
    FLAG.set(before);
    done.or_else(|why| if why.is::<Cancelled>() { Err(Cancelled) } else { resume_unwind(why) })
}

/// Returns the flag that can cancel this thread and the threads that it starts, or `None` if nothing can cancel
/// them.
pub(crate) fn flag() -> Option<Flag> {
    FLAG.with_borrow(Clone::clone)
}

/// Sets the cancellation flag of this thread to that of the thread that started it.
pub(crate) fn inherit(flag: Option<Flag>) {
    FLAG.set(flag);
}

/// Unwinds this thread if its computation was cancelled.
pub(crate) fn check() {
    if FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))) {
        resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Strategy, figures, value};
    use rules::preset::preset;
    use std::time::{Duration, Instant};

    #[test]
    fn a_cancelled_solve_ends_early_with_its_threads() {
        let switch = preset("nj-switch").expect("a preset");
        let flag = Flag::default();
        let set = flag.clone();
        let alarm = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            set.store(true, Ordering::Relaxed);
            Instant::now()
        });
        // the figures of Switch take a minute and more
        let done = cancellable(flag, || figures(&switch, &Strategy::CompositionDependent));
        let after = alarm.join().expect("an alarm").elapsed();
        assert_eq!(done.err(), Some(Cancelled));
        assert!(after < Duration::from_secs(3), "{after:?}");
        assert!(super::flag().is_none());
    }

    #[test]
    fn a_solve_that_nobody_cancels_has_the_same_value() {
        let table = preset("nj-blackjack").expect("a preset");
        let value = || value(&table, &Strategy::CompositionDependent);
        assert_eq!(cancellable(Flag::default(), value), Ok(value()));
    }
}
