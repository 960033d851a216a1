//! The lab's queue, which runs one short and one long task at a time and lets a few more wait, limited per client.
//!
//! Answers are cached, so that a repeated question costs nothing.

use super::answers::SimulationState;
use super::task::{MOST_ON_A_DEVICE, MOST_ON_THE_PROCESSOR, Task};
use super::throttle::Workers;
use super::worker::WorkerMessage;
use crate::error::{ApiError, ApiResult, ErrorDetail};
use crate::share::{Clients, Shares};
use axum::body::Bytes;
use rules::message;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// The maximum size of all cached answers, in bytes.
const MOST_CACHED: usize = 8 << 20;
/// The maximum number of questions that may wait in the queue.
const MOST_WAITING: usize = 64;

/// The line that tells a worker process to end its task with the result so far.
const STOP: &str = "stop";

#[derive(Default)]
struct AnswerCache {
    answers: HashMap<String, Bytes>,
    bytes: usize,
}

/// A running task of the lab, which can be stopped.
#[derive(Default)]
pub struct Running {
    stopped: AtomicBool,
    worker: Mutex<Option<ChildStdin>>,
}

impl Running {
    /// Stops the task, which then ends with the result so far.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Ok(mut worker) = self.worker.lock()
            && let Some(worker) = worker.as_mut()
        {
            // If the write fails, the worker has already ended.
            let _ = writeln!(worker, "{STOP}");
        }
    }
}

pub struct Lab {
    /// The command that starts a worker process, or `None` to compute on threads of this process.
    worker: Option<Vec<OsString>>,
    /// The maximum number of rounds in one simulation.
    pub most_rounds: u64,
    cache: Mutex<AnswerCache>,
    waiting: Shares,
    short: Arc<Semaphore>,
    long: Arc<Semaphore>,
    pub workers: Arc<Workers>,
}

impl Lab {
    pub fn new(worker: Option<Vec<OsString>>, device: bool) -> Lab {
        let turns = || Arc::new(Semaphore::new(1));
        Lab {
            worker,
            most_rounds: if device { MOST_ON_A_DEVICE } else { MOST_ON_THE_PROCESSOR },
            cache: Mutex::default(),
            waiting: Shares::of(MOST_WAITING),
            short: turns(),
            long: turns(),
            workers: Arc::default(),
        }
    }

    fn look_up(&self, key: &str) -> Option<Bytes> {
        self.cache.lock().ok()?.answers.get(key).cloned()
    }

    fn keep(&self, key: String, answer: &Bytes) {
        let Ok(mut cache) = self.cache.lock() else { return };
        let size = key.len() + answer.len();
        if cache.bytes + size > MOST_CACHED {
            *cache = AnswerCache::default();
        }
        cache.bytes += size;
        cache.answers.insert(key, answer.clone());
    }

    /// Returns the answer to a task, computed now or taken from the cache.
    ///
    /// A calculation is finished and cached even if the client has stopped waiting. Returns an error if too many
    /// tasks wait, or if the task has no answer.
    pub async fn answer(self: &Arc<Lab>, clients: Clients, task: Task) -> ApiResult<Bytes> {
        let key = crate::wire::text_of(&task);
        if let Some(answer) = self.look_up(&key) {
            return Ok(answer);
        }
        let waits = self.waiting.take(clients, 1)?;
        let turns = if task.is_long() { &self.long } else { &self.short };
        let turn = Arc::clone(turns).acquire_owned().await.map_err(|_| ApiError::stopped())?;
        drop(waits);
        let lab = Arc::clone(self);
        let worked = tokio::task::spawn_blocking(move || -> Result<Bytes, ErrorDetail> {
            let _turn = turn;
            if let Some(answer) = lab.look_up(&key) {
                return Ok(answer);
            }
            let answer = Bytes::from(lab.work(&task, &mut |_| {}, &Running::default())?);
            lab.keep(key, &answer);
            Ok(answer)
        });
        let answer = worked.await.map_err(|_| ApiError::stopped())?;
        answer.map_err(ApiError::unanswered)
    }

    /// Runs a task in a worker process if one is configured, otherwise on this thread.
    ///
    /// Returns an error if the task has no answer, or if the calculation ends early.
    pub fn work(
        &self,
        task: &Task,
        tell: &mut dyn FnMut(SimulationState),
        run: &Running,
    ) -> Result<String, ErrorDetail> {
        match &self.worker {
            Some(command) => run_in_worker(command, task, tell, run, &self.workers),
            None => {
                let work = std::panic::AssertUnwindSafe(|| task.work(tell, &run.stopped));
                std::panic::catch_unwind(work).unwrap_or_else(|_| Err(ended()))
            }
        }
    }
}

fn ended() -> ErrorDetail {
    ErrorDetail::of(message!(
        "calculation-failed",
        "the calculation failed: it needs more memory than the lab has, or its process ended"
    ))
}

fn run_in_worker(
    command: &[OsString],
    task: &Task,
    tell: &mut dyn FnMut(SimulationState),
    run: &Running,
    workers: &Workers,
) -> Result<String, ErrorDetail> {
    let no_worker = |error: std::io::Error| {
        let why = ErrorDetail::of(message!("no-lab-worker", "cannot start a lab worker"));
        why.in_english(format!("cannot start a lab worker: {error}"))
    };
    let (program, arguments) = command.split_first().ok_or_else(ended)?;
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(no_worker)?;
    let at_work = workers.add(&child);
    let mut input = child.stdin.take().ok_or_else(ended)?;
    let handed = writeln!(input, "{}", crate::wire::text_of(task)).and_then(|()| input.flush());
    if let Ok(mut worker) = run.worker.lock() {
        *worker = Some(input);
    }
    // The run may have been stopped before it began.
    if run.stopped.load(Ordering::Relaxed) {
        run.stop();
    }
    let mut told = Err(ended());
    if let (Ok(()), Some(output)) = (handed, child.stdout.take()) {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            match serde_json::from_str::<WorkerMessage>(&line) {
                Ok(WorkerMessage::Progress(progress)) => tell(progress),
                Ok(WorkerMessage::Document(document)) => told = Ok(document),
                Ok(WorkerMessage::Refused(why)) => told = Err(why),
                Err(_) => {}
            }
        }
    }
    if let Ok(mut worker) = run.worker.lock() {
        worker.take();
    }
    drop(at_work);
    // The worker's output has ended, so it has exited or is about to.
    let _ = child.kill();
    let _ = child.wait();
    told
}
