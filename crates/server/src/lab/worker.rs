//! The worker process of the lab: reads a task as one line, and writes progress and the result as lines of JSON.
//!
//! A line `stop` ends a simulation with the result so far. The end of input means that the house is gone, and ends the
//! process.

use super::answers::SimulationState;
use super::task::{Task, no_value};
use crate::error::ErrorDetail;
use serde::{Deserialize, Serialize};
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The niceness of a worker process, which leaves the process about a tenth of a contested CPU.
///
/// At a higher niceness an answer might never arrive.
#[cfg(unix)]
const PRIORITY: i32 = 10;
/// The memory limit of a task, in bytes; the exact figures of Blackjack Switch take 280 MiB.
#[cfg(unix)]
const MEMORY: u64 = 512 << 20;

/// A line that a worker process writes to the house.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerMessage {
    Progress(SimulationState),
    Document(String),
    Refused(ErrorDetail),
}

/// Reads one task from standard input, performs it, and writes the answer to standard output.
pub fn run_worker() {
    lower_priority();
    let mut first = String::new();
    if std::io::stdin().lock().read_line(&mut first).is_err() {
        return;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // This thread ends with the process.
    std::thread::spawn(move || {
        // Any further line means stop; end of input means that the house is gone.
        while std::io::stdin().lock().read_line(&mut String::new()).is_ok_and(|read| read > 0) {
            heard.store(true, Ordering::Relaxed);
        }
        std::process::exit(0);
    });
    let told = match serde_json::from_str::<Task>(&first) {
        Ok(task) => {
            // CUDA maps more memory than it uses
            if !task.is_for_a_device() {
                limit_memory();
            }
            task.work(&mut |progress| say(&WorkerMessage::Progress(progress)), &stop)
        }
        Err(error) => Err(no_value(error.to_string())),
    };
    say(&match told {
        Ok(document) => WorkerMessage::Document(document),
        Err(why) => WorkerMessage::Refused(why),
    });
}

fn say(said: &WorkerMessage) {
    let mut out = std::io::stdout().lock();
    // If nobody reads the output, the end of input ends the process.
    let _ = writeln!(out, "{}", crate::wire::text_of(said));
    let _ = out.flush();
}

/// Lowers the priority of this process, and makes it end when its parent ends.
fn lower_priority() {
    #[cfg(unix)]
    {
        // If the system refuses, the worker runs at its old priority.
        let _ = rustix::process::setpriority_process(None, PRIORITY);
    }
    // A suspended worker could not notice the end of its input.
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
}

/// Limits the memory of this process.
fn limit_memory() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let _ = setrlimit(Resource::Data, Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) });
    }
}
