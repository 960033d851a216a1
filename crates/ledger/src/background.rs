//! Runs a job repeatedly on its own thread.

use crate::world;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A job that runs repeatedly on its own thread.
///
/// When a `Background` is dropped, its job runs one last time and then stops.
pub enum Background {
    Thread(Sender<()>, Option<JoinHandle<()>>),
    /// The same job as an async task of a simulation, which has only one thread.
    Simulated(tokio::task::AbortHandle, Again),
}

type Again = Arc<Mutex<Box<dyn FnMut() + Send>>>;

impl Background {
    pub fn every(name: &str, pause: Duration, mut work: impl FnMut() + Send + 'static) -> Background {
        if world::simulated().is_some() {
            return Background::simulated(pause, Box::new(work));
        }
        let (stop, stopped) = channel();
        let again = move || {
            loop {
                let ended = stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
                work();
                if ended {
                    return;
                }
            }
        };
        Background::Thread(stop, std::thread::Builder::new().name(name.into()).spawn(again).ok())
    }

    fn simulated(pause: Duration, work: Box<dyn FnMut() + Send>) -> Background {
        let work: Again = Arc::new(Mutex::new(work));
        let again = Arc::clone(&work);
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(pause).await;
                once(&again);
            }
        });
        Background::Simulated(task.abort_handle(), work)
    }
}

fn once(work: &Again) {
    if let Ok(mut work) = work.lock() {
        work();
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        match self {
            Background::Thread(stop, thread) => {
                // The thread may have ended already.
                let _ = stop.send(());
                if let Some(thread) = thread.take() {
                    let _ = thread.join();
                }
            }
            Background::Simulated(task, work) => {
                task.abort();
                if world::simulated().is_some_and(|world| world.alive()) {
                    once(work);
                }
            }
        }
    }
}
