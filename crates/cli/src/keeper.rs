//! `cutcard keeper`: runs a remote signer, which holds a house's keys and signs for the house.
//!
//! The signer may run on another machine. The protocol is one line per request.

use crate::output::Output;
use documents::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Directory of `seal.key` and `shoe.key`; created on first use.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    if output.wants_json() {
        return Err(Failure::NotUnderstood("`cutcard keeper` does not support --json".into()));
    }
    let directory = args.directory.display().to_string();
    server::keep_keys(&args.directory).map_err(|error| Failure::Refused(format!("{directory}: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
