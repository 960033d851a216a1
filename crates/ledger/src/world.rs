//! What a house takes from the world around it: the machine's clock, chance, and threads beside its own. A simulation puts
//! a world of its own in their place, for the one thread that it runs on; then a seed decides everything that happens.

use crate::ids::Moment;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A world that somebody has made up.
pub trait World {
    /// Returns the time of the machine's clock.
    fn wall(&self) -> Moment;
    fn fill(&self, bytes: &mut [u8]);
    /// Returns how long the next background task takes.
    fn pause(&self) -> Duration;
    /// Returns whether the power is on; without it nothing more is done.
    fn alive(&self) -> bool;
}

thread_local! {
    static MADE_UP: RefCell<Option<Rc<dyn World>>> = const { RefCell::new(None) };
}

/// Moves this thread to a simulated world, or back to the real one.
pub fn enter(world: Option<Rc<dyn World>>) {
    MADE_UP.with(|made_up| *made_up.borrow_mut() = world);
}

/// Returns the simulated world of this thread.
pub(crate) fn made_up() -> Option<Rc<dyn World>> {
    // A house may be dropped when its thread ends, and what was made up for it has gone.
    MADE_UP.try_with(|made_up| made_up.borrow().clone()).ok().flatten()
}

/// Does this thread live in the real world?
pub fn is_real() -> bool {
    made_up().is_none()
}

pub(crate) fn wall() -> Moment {
    if let Some(world) = made_up() {
        return world.wall();
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Fills these bytes with what nobody can foresee.
pub fn chance(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    match made_up() {
        Some(world) => {
            world.fill(bytes);
            Ok(())
        }
        None => getrandom::fill(bytes),
    }
}

/// A background task ended by a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work ended by a panic")]
pub struct Panicked;

/// Does what takes longer than an async thread may be held on a thread beside it.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Panicked> {
    // Not held while it waits: whatever waits may be carried to another thread.
    let pause = made_up().map(|world| world.pause());
    match pause {
        Some(pause) => {
            tokio::time::sleep(pause).await;
            Ok(work())
        }
        None => tokio::task::spawn_blocking(work).await.map_err(|_| Panicked),
    }
}
