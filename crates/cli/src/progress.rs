//! Shows the progress of long computations on a terminal.

use std::io::{self, IsTerminal, Write};

/// Returns a callback that shows a line such as "3 of 20 steps done" on a terminal; `what` is "steps done".
///
/// The callback prints nothing if standard error is redirected.
pub fn shown(what: &'static str) -> impl Fn(usize, usize) + Sync {
    let terminal = io::stderr().is_terminal();
    move |done, all| {
        if !terminal {
            return;
        }
        let mut out = io::stderr().lock();
        // the last step clears the line
        let _ = match done < all {
            true => write!(out, "\r{done} of {all} {what}"),
            false => write!(out, "\r\x1b[K"),
        };
        let _ = out.flush();
    }
}
