//! Something that is done again and again on a thread of its own.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Ends when it is dropped, after a last time.
pub struct Background {
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    pub fn every(name: &str, pause: Duration, mut work: impl FnMut() + Send + 'static) -> Background {
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
        Background { stop, thread: std::thread::Builder::new().name(name.into()).spawn(again).ok() }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
