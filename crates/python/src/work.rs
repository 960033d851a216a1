//! Runs long computations in a separate thread, so that the calling thread can react to Ctrl-C.

use crate::failure::{raised, refused};
use documents::Failure;
use exact::cancel::{Flag, cancellable};
use exact::offers::total_dependent_chart;
use program::Chart;
use pyo3::prelude::*;
use rules::Choices;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// The interval at which the calling thread checks for Ctrl-C.
const CTRL_C_INTERVAL: Duration = Duration::from_millis(50);

/// The stack size of the computing thread in bytes, the usual stack size of a main thread.
const STACK: usize = 8 << 20;

/// Runs a computation in a separate thread with the interpreter lock released.
///
/// Ctrl-C cancels the computation and raises `KeyboardInterrupt` after at most `CTRL_C_INTERVAL`.
pub fn run_cancellable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (tell, mut hear) = channel();
    let cancel = Flag::default();
    let flag = cancel.clone();
    let begun = Builder::new().name("cutcard".into()).stack_size(STACK).spawn(move || {
        // nobody waits any more if it is cancelled
        if let Ok(done) = cancellable(flag, work) {
            let _ = tell.send(done);
        }
    });
    begun.map_err(|why| refused(py, &format!("cannot start a thread: {why}"), None, None))?;
    loop {
        let heard;
        (heard, hear) = py.detach(move || (hear.recv_timeout(CTRL_C_INTERVAL), hear));
        match heard {
            Ok(done) => return done.map_err(|failure| raised(py, &failure)),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(refused(
                    py,
                    "the computation ended without a result; please report this",
                    None,
                    None,
                ));
            }
        }
    }
}

/// The best total-dependent chart of a table, solved on first use and then cached.
#[derive(Default)]
pub struct TotalDependentChart(OnceLock<Chart>);

/// The number of charts solved so far in this process.
static SOLVED: AtomicUsize = AtomicUsize::new(0);

impl TotalDependentChart {
    pub fn of(&self, rules: &Choices) -> Chart {
        let solve = || {
            SOLVED.fetch_add(1, Ordering::Relaxed);
            total_dependent_chart(rules)
        };
        self.0.get_or_init(solve).clone()
    }
}

/// Returns the number of charts solved so far in this process.
///
/// Tests use the number to check that no chart is solved twice.
#[pyfunction]
pub fn charts_solved() -> usize {
    SOLVED.load(Ordering::Relaxed)
}
