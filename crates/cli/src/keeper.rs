//! `cutcard keeper`: keeps a house's keys, on a machine of its own if wanted, and signs for it; a line for each question.

use crate::output::Output;
use documents::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// The directory with `seal.key` and `shoe.key`; they are made when they are first asked for.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    if output.wants_json() {
        return Err(Failure::NotUnderstood("a keeper speaks lines; leave --json away".into()));
    }
    let directory = args.directory.display().to_string();
    server::keep_keys(&args.directory).map_err(|error| Failure::Refused(format!("{directory}: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
