//! Throttles the lab while table responses are slow.
//!
//! The lab's worker processes are suspended, and resumed for a short slice at intervals so that lab answers still
//! arrive. A low priority alone is not enough: with a thousand people at the tables, any other running process
//! delays some of them.

use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The time between two readings of the number of slow table responses.
const LOOK: Duration = Duration::from_millis(20);
/// The number of slow table responses between two readings from which the workers are throttled.
const MANY: u64 = 4;
/// How long the workers stay throttled after the last two readings with many slow responses between them.
const CALM_AFTER: Duration = Duration::from_millis(200);
/// The length of one cycle of suspending and resuming the workers.
const PERIOD: Duration = Duration::from_millis(400);
/// The part of each cycle, at its end, in which the workers run.
const SLICE: Duration = Duration::from_millis(20);

/// The worker processes that are running, which can be suspended, resumed and killed together.
pub struct Workers {
    at_work: watch::Sender<Vec<u32>>,
    /// Whether the house is closing; locked while signals are sent.
    signals: Mutex<bool>,
}

impl Default for Workers {
    fn default() -> Workers {
        Workers { at_work: watch::Sender::new(Vec::new()), signals: Mutex::default() }
    }
}

/// A worker process that receives signals until this value is dropped.
///
/// After the drop, the process may be reaped, and its number may be reused.
pub struct RunningWorker<'a> {
    workers: &'a Workers,
    process: u32,
}

impl Drop for RunningWorker<'_> {
    fn drop(&mut self) {
        let _signals = self.workers.signals.lock();
        self.workers.at_work.send_modify(|at_work| at_work.retain(|process| *process != self.process));
    }
}

impl Workers {
    pub fn add(&self, child: &Child) -> RunningWorker<'_> {
        let process = child.id();
        let closes = self.signals.lock().unwrap_or_else(PoisonError::into_inner);
        self.at_work.send_modify(|at_work| at_work.push(process));
        if *closes {
            end(process);
        }
        RunningWorker { workers: self, process }
    }

    /// Kills all workers, also suspended workers and those added later.
    ///
    /// A closing house does not wait for their results.
    pub fn end_all(&self) {
        let mut closes = self.signals.lock().unwrap_or_else(PoisonError::into_inner);
        *closes = true;
        self.at_work.borrow().iter().copied().for_each(end);
    }

    /// Suspends all workers, or resumes them if `suspended` is `false`.
    fn set_suspended(&self, suspended: bool) {
        let Ok(_signals) = self.signals.lock() else { return };
        for process in self.at_work.borrow().iter() {
            signal(*process, suspended);
        }
    }
}

#[cfg(unix)]
fn end(process: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // A worker that has exited needs no signal.
        let _ = kill_process(process, Signal::KILL);
    }
}

/// Does nothing: on other systems a worker ends when its input closes, that is, when the house is gone.
#[cfg(not(unix))]
fn end(_: u32) {}

#[cfg(target_os = "linux")]
fn signal(process: u32, suspend: bool) {
    use rustix::process::{Pid, Signal, kill_process};
    let signal = if suspend { Signal::STOP } else { Signal::CONT };
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // A worker that has exited needs no signal.
        let _ = kill_process(process, signal);
    }
}

/// Does nothing: on other systems workers are never suspended.
///
/// Nothing would end a suspended process after the house is gone.
#[cfg(not(target_os = "linux"))]
fn signal(_: u32, _: bool) {}

/// Throttles the running workers while table responses are slow.
///
/// `slow` returns the number of slow table responses since the house started.
pub async fn throttle(workers: Arc<Workers>, slow: impl Fn() -> u64) {
    let mut at_work = workers.at_work.subscribe();
    let mut schedule = Schedule::default();
    let mut suspended = false;
    while at_work.wait_for(|at_work| !at_work.is_empty()).await.is_ok() {
        let before = slow();
        tokio::time::sleep(LOOK).await;
        let suspend = schedule.should_suspend(Instant::now(), slow() - before >= MANY);
        // Signals again at each count, so that workers started since the last one are suspended too.
        if suspend || suspended {
            workers.set_suspended(suspend);
        }
        suspended = suspend;
    }
}

/// The times that decide when the workers are suspended: the last reading with many slow responses, and the start
/// of throttling.
#[derive(Default)]
struct Schedule {
    late: Option<Instant>,
    since: Option<Instant>,
}

impl Schedule {
    fn should_suspend(&mut self, now: Instant, late: bool) -> bool {
        if late {
            self.late = Some(now);
        }
        if self.late.is_none_or(|late| now - late > CALM_AFTER) {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        (now - since).as_millis() % PERIOD.as_millis() < (PERIOD - SLICE).as_millis()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_house_leaves_the_lab_a_twentieth() {
        let (begun, mut schedule) = (Instant::now(), Schedule::default());
        let at = |ms: u64| begun + Duration::from_millis(ms);
        assert!(!schedule.should_suspend(at(0), false), "the lab runs while no table is slow");
        let suspended = (0..4_000).filter(|ms| schedule.should_suspend(at(*ms), true)).count();
        assert_eq!(suspended, 3_800, "the lab gets a twentieth of the time, however slow the tables are");
        assert!(
            schedule.should_suspend(at(4_100), false),
            "the lab still pauses shortly after a slow answer"
        );
        assert!(!schedule.should_suspend(at(4_300), false), "the lab runs again after a calm period");
        assert!(
            schedule.should_suspend(at(5_000), true),
            "the lab pauses at once when a table is slow again"
        );
    }

    /// Returns whether the kernel reports the process as stopped.
    #[cfg(target_os = "linux")]
    fn is_stopped(child: &Child) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
    }

    #[cfg(target_os = "linux")]
    fn until(child: &Child, stopped: bool) {
        for _ in 0..2_000 {
            if is_stopped(child) == stopped {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the worker never {}", if stopped { "stops" } else { "resumes" });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn workers_stand_still_and_go_on_as_they_are_told() {
        let workers = Workers::default();
        let mut child = std::process::Command::new("sleep").arg("600").spawn().expect("starts");
        let at_work = workers.add(&child);
        workers.set_suspended(true);
        until(&child, true);
        workers.set_suspended(false);
        until(&child, false);
        workers.set_suspended(true);
        until(&child, true);
        drop(at_work);
        workers.set_suspended(false);
        assert!(is_stopped(&child), "a worker that was removed is not resumed");
        child.kill().and_then(|()| child.wait()).expect("ended");
    }

    /// Simulates many slow table responses, then none.
    #[cfg(target_os = "linux")]
    #[tokio::test(flavor = "multi_thread")]
    async fn the_lab_stands_still_while_the_tables_are_slow() {
        use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
        let (workers, late) = (Arc::new(Workers::default()), Arc::new(AtomicBool::new(true)));
        let (slow, is_late) = (AtomicU64::new(0), Arc::clone(&late));
        let slow =
            move || slow.fetch_add(if is_late.load(Ordering::Relaxed) { MANY } else { 0 }, Ordering::Relaxed);
        let watching = tokio::spawn(throttle(Arc::clone(&workers), slow));
        let mut child = std::process::Command::new("sleep").arg("600").spawn().expect("starts");
        let at_work = workers.add(&child);
        until(&child, true);
        late.store(false, Ordering::Relaxed);
        until(&child, false);
        std::thread::sleep(2 * CALM_AFTER);
        until(&child, false);
        drop(at_work);
        watching.abort();
        child.kill().and_then(|()| child.wait()).expect("ended");
    }
}
