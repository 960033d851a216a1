//! `cutcard replay`: plays a round file, and prints every decision and every settlement with its clause.

use crate::output::Output;
use documents::Failure;
use documents::replay::ReplayInput;
use std::process::ExitCode;
use table::notation::show::show;

#[derive(clap::Args)]
pub struct Args {
    /// Round file: `table`, `cards`, `bet` and decisions, one per line.
    file: String,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let asked = ReplayInput::read(&args.file)?;
    match asked.play()? {
        Ok(played) if output.wants_json() => output.document(&asked.document(&played))?,
        Ok(played) => output.text(&show(&played))?,
        Err(refused) if output.wants_json() => {
            output.document(&asked.refusal(refused))?;
            return Ok(ExitCode::from(1));
        }
        Err(refused) => {
            let (line, text, clause, reason) = (refused.line, refused.text, refused.clause, refused.reason);
            let file = args.file;
            let message = format!("{file}: line {line}: `{text}` is refused by {clause}: {reason}");
            return Err(Failure::Refused(message));
        }
    }
    Ok(ExitCode::SUCCESS)
}
