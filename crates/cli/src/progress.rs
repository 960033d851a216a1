//! How far a long answer is, on a terminal.

use std::io::{self, IsTerminal, Write};

/// Tells people at a terminal how many steps are done; standard error that goes elsewhere is left alone.
pub fn shown(what: &'static str) -> impl Fn(usize, usize) + Sync {
    let terminal = io::stderr().is_terminal();
    move |done, all| {
        if !terminal {
            return;
        }
        let mut out = io::stderr().lock();
        // the last one leaves an empty line behind
        let _ = match done < all {
            true => write!(out, "\r{done} of {all} {what}"),
            false => write!(out, "\r\x1b[K"),
        };
        let _ = out.flush();
    }
}
