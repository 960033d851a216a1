//! `cutcard verify-shoe`: verifies a finished shoe against the house's commitment.
//!
//! If a shoe verifies, the house could not choose any part of the order of its cards after the commitment.

use crate::output::Output;
use documents::load::read_text;
use documents::{Failure, Inputs, Stamped};
use serde::de::DeserializeOwned;
use server::{Against, BrowserNotes, Opening, verify};
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Opening of the shoe (JSON), as published after its last round is settled.
    file: String,
    /// Your browser's log of the shoe, as exported by the page (JSON).
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
    /// Commitment you saved before the first card.
    #[arg(long, value_name = "HASH")]
    commitment: Option<String>,
    /// Your nonce; checks that it was mixed into the order.
    #[arg(long, value_name = "HEX")]
    nonce: Option<String>,
}

fn read<T: DeserializeOwned>(file: &str, what: &str) -> Result<T, Failure> {
    serde_json::from_str(&read_text(file)?)
        .map_err(|error| Failure::NotUnderstood(format!("{file} is not {what}: {error}")))
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let opening: Opening = read(&args.file, "the opening of a shoe")?;
    let log: Option<BrowserNotes> =
        args.log.as_deref().map(|file| read(file, "a browser's log of a shoe")).transpose()?;
    let (commitment, nonce) = (args.commitment.as_deref(), args.nonce.as_deref());
    let verdict = verify(&opening, Against { log: log.as_ref(), commitment, nonce });
    if output.wants_json() {
        output.document(&Stamped::new(&verdict, Inputs::nothing()))?;
    } else {
        let mut text = String::new();
        for check in &verdict.checks {
            let mark = if check.holds { "holds" } else { "FAILS" };
            let _ = writeln!(text, "{:<12} {mark}  {}", check.check, check.message);
        }
        for unchecked in &verdict.unchecked {
            let _ = writeln!(text, "{:<12} not checked: {}", unchecked.check, unchecked.message);
        }
        text.push_str(match (verdict.holds, verdict.unchecked.is_empty()) {
            (true, true) => "The shoe verifies.\n",
            (true, false) => "The shoe verifies, but it is not proven to you: a check was not made.\n",
            (false, _) => "The shoe does not verify.\n",
        });
        output.text(&text)?;
    }
    Ok(if verdict.holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
