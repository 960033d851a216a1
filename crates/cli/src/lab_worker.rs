//! `cutcard lab-worker`: the worker process that the server starts for each lab task.
//!
//! Users do not call it.

use crate::output::Output;
use documents::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: Args, _: &Output) -> Result<ExitCode, Failure> {
    server::run_worker();
    Ok(ExitCode::SUCCESS)
}

/// Returns the command line that starts this program as a lab worker.
///
/// Returns `None` if the path of the program is unknown.
pub fn command() -> Option<Vec<OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into_os_string(), "lab-worker".into()])
}
