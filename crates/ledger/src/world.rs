//! The house's environment: the machine's clock, randomness, and threads.
//!
//! A simulation replaces all three for the thread that it runs on, so that a seed determines everything that
//! happens.

use crate::ids::Moment;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A simulated environment.
///
/// The environment replaces the clock, randomness and threads.
pub trait World {
    /// Returns the time of the simulated machine's clock.
    fn wall_clock(&self) -> Moment;
    fn fill(&self, bytes: &mut [u8]);
    /// Returns how long the next background task takes in the simulation.
    fn pause(&self) -> Duration;
    /// Returns whether the simulated machine has power.
    ///
    /// Without power nothing more happens.
    fn alive(&self) -> bool;
}

thread_local! {
    static SIMULATED: RefCell<Option<Rc<dyn World>>> = const { RefCell::new(None) };
}

/// Puts this thread into a simulated environment, or into the real one if `world` is `None`.
pub fn enter(world: Option<Rc<dyn World>>) {
    SIMULATED.with(|simulated| *simulated.borrow_mut() = world);
}

/// Returns this thread's simulated environment, or `None` in the real environment.
pub(crate) fn simulated() -> Option<Rc<dyn World>> {
    // A house may be dropped while its thread ends, when the environment is already gone.
    SIMULATED.try_with(|simulated| simulated.borrow().clone()).ok().flatten()
}

/// Returns whether this thread is in the real environment.
pub fn is_real() -> bool {
    simulated().is_none()
}

pub(crate) fn wall_clock() -> Moment {
    if let Some(world) = simulated() {
        return world.wall_clock();
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Fills `bytes` with random data.
pub fn fill_random(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    match simulated() {
        Some(world) => {
            world.fill(bytes);
            Ok(())
        }
        None => getrandom::fill(bytes),
    }
}

/// The error for a background task that ended by a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a background task panicked")]
pub struct Panicked;

/// Runs `work`, which may block, on a thread for blocking work.
///
/// A simulation waits for a simulated pause instead, and then runs `work` on its own thread.
pub async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Panicked> {
    let result = Arc::new(Mutex::new(None));
    let written = Arc::clone(&result);
    let work = move || {
        let done = work();
        *written.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    };
    run_boxed(Box::new(work)).await?;
    let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
    result.take().ok_or(Panicked)
}

/// Runs work without a result as [`run_blocking`] does.
///
/// The code of a task is large and compiled for each type of closure; the box makes this one type.
async fn run_boxed(work: Box<dyn FnOnce() + Send>) -> Result<(), Panicked> {
    // Do not hold the environment across an await: the future may move to another thread.
    let pause = simulated().map(|world| world.pause());
    match pause {
        Some(pause) => {
            tokio::time::sleep(pause).await;
            work();
            Ok(())
        }
        None => tokio::task::spawn_blocking(work).await.map_err(|_| Panicked),
    }
}
