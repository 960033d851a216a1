//! `cutcard tables`: lists the presets, each a complete legal table file.

use crate::output::Output;
use documents::{Failure, tables};
use rules::{file, preset};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Print this preset as a table file.
    name: Option<String>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    match &args.name {
        Some(name) => one(name, output)?,
        None => all(output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn one(name: &str, output: &Output) -> Result<(), Failure> {
    let (Some(document), Some(choices)) = (tables::one(name), preset::preset(name)) else {
        let names: Vec<&str> = preset::PRESETS.iter().map(|(name, _)| *name).collect();
        let message = format!("unknown preset `{name}`; the presets are {}", names.join(", "));
        return Err(Failure::NotUnderstood(message));
    };
    if output.wants_json() { output.document(&document) } else { output.text(&file::show(&choices)) }
}

fn all(output: &Output) -> Result<(), Failure> {
    if output.wants_json() {
        return output.document(&tables::all());
    }
    let lines = preset::PRESETS.iter().map(|(name, about)| format!("{name:<22}{about}\n"));
    output.text(&lines.collect::<String>())
}
