//! Work that takes its time: done in a thread of its own, so that the one that asked hears Ctrl-C meanwhile.

use crate::failure::{raised, refused};
use documents::Failure;
use exact::offers::by_totals;
use program::Chart;
use pyo3::prelude::*;
use rules::Choices;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// How long nobody looks whether Ctrl-C was pressed.
const DEAF: Duration = Duration::from_millis(50);

/// As much as the first thread of a program has.
const STACK: usize = 8 << 20;

/// Works something out without the interpreter's lock. Ctrl-C raises `KeyboardInterrupt` at once; what was begun is then
/// nobody's any more, and ends by itself.
pub fn worked<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (tell, mut hear) = channel();
    let begun = Builder::new().name("cutcard".into()).stack_size(STACK).spawn(move || {
        // whoever asked may have gone
        let _ = tell.send(work());
    });
    begun.map_err(|why| refused(py, &format!("no thread can be started: {why}"), None, None))?;
    loop {
        let heard;
        (heard, hear) = py.detach(move || (hear.recv_timeout(DEAF), hear));
        match heard {
            Ok(done) => return done.map_err(|failure| raised(py, &failure)),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(refused(py, "the work ended without an answer; please report this", None, None));
            }
        }
    }
}

/// The best chart by totals of a table, solved once however often it is asked for.
#[derive(Default)]
pub struct ByTotals(OnceLock<Chart>);

/// How many were solved.
static SOLVED: AtomicUsize = AtomicUsize::new(0);

impl ByTotals {
    pub fn of(&self, rules: &Choices) -> Chart {
        let solve = || {
            SOLVED.fetch_add(1, Ordering::Relaxed);
            by_totals(rules)
        };
        self.0.get_or_init(solve).clone()
    }
}

/// How many charts were solved in this process, for those who want to know that one was enough.
#[pyfunction]
pub fn charts_solved() -> usize {
    SOLVED.load(Ordering::Relaxed)
}
