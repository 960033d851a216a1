//! `cutcard completions`: prints a shell completion script, generated from the program's own argument definition.

use crate::output::Output;
use clap_complete::{Shell, generate};
use documents::Failure;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Shell. Example: `cutcard completions bash > /etc/bash_completion.d/cutcard`.
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut crate::definition(), "cutcard", &mut script);
    output.text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
