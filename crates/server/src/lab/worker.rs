//! The process that works for a house: a task comes in as a line, what becomes of it goes out as lines of JSON. A line
//! `stop` ends a simulation with what there is. The end of the input, because the house is gone, ends the process.

use super::task::Task;
use serde_json::{Value, json};
use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A tenth of what anybody else gets who wants the processor too; with less, an answer might never come.
#[cfg(unix)]
const PRIORITY: i32 = 10;
/// What a piece of work may take: the exact figures of Switch take 280 MiB.
#[cfg(unix)]
const MEMORY: u64 = 512 << 20;

/// Works for the house at the other end of standard input and output, until it is done with what it was handed.
pub fn work_for_a_house() {
    step_back();
    let mut first = String::new();
    if std::io::stdin().lock().read_line(&mut first).is_err() {
        return;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // It ends with the process.
    std::thread::spawn(move || {
        // Whatever comes next means stop; when nothing comes any more the house is gone.
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
            task.work(&mut |progress| say(&json!({ "progress": progress })), &stop)
        }
        Err(error) => Err(error.to_string()),
    };
    say(&match told {
        Ok(document) => json!({ "document": document }),
        Err(why) => json!({ "refused": why }),
    });
}

fn say(value: &Value) {
    let mut out = std::io::stdout().lock();
    // If nobody listens the work is for nothing, and the end of the input says so.
    let _ = writeln!(out, "{value}");
    let _ = out.flush();
}

/// Leaves the processors to whoever wants them.
fn step_back() {
    #[cfg(unix)]
    {
        // What the system refuses to take away stays with the process; the house goes on all the same.
        let _ = rustix::process::setpriority_process(None, PRIORITY);
    }
    // One that stands still would not hear that the house is gone.
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
}

/// Leaves the memory to them too.
fn limit_memory() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let _ = setrlimit(Resource::Data, Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) });
    }
}
