//! `cutcard lab-worker`: the process that an open house starts for each piece of its lab's work. Nobody types it.

use crate::output::Output;
use documents::Failure;
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: Args, _: &Output) -> Result<ExitCode, Failure> {
    server::work_for_a_house();
    Ok(ExitCode::SUCCESS)
}

/// This program, asked to be such a process.
pub fn command() -> Option<Vec<OsString>> {
    let program = std::env::current_exe().ok()?;
    Some(vec![program.into_os_string(), "lab-worker".into()])
}
