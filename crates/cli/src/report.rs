//! `cutcard report`: the math report of a table, for people who file it and for programs.

use crate::chromium;
use crate::load::TableArgs;
use crate::output::Output;
use documents::report::{document, simulation, work_out};
use documents::subject::Subject;
use documents::{Failure, Stamped};
use documents::{report_page, report_text};
use serde_json::Value;
use sim::{Hooks, Progress, simulate};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The form of the report; `--json` is the same as `--format json`.
    #[arg(long, value_enum, default_value_t = Format::Md)]
    format: Format,
    /// Write it into this file instead of standard output; a PDF needs one.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Play so many rounds from fresh shoes, like 1e9, and say how far they are from what was worked out.
    #[arg(long, value_name = "ROUNDS", value_parser = crate::simulate::count)]
    verify: Option<u64>,
    /// The seed of that simulation.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// One page without anything from elsewhere, which prints well.
    Html,
    /// Markdown.
    Md,
    /// Every line of every wager.
    Csv,
    /// Everything, for programs.
    Json,
    /// The page on paper, by Chromium.
    Pdf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let format = if output.wants_json() { Format::Json } else { args.format };
    if format == Format::Pdf && args.out.is_none() {
        return Err(Failure::NotUnderstood("a PDF is no text: name a file, --out report.pdf".into()));
    }
    let printer = if format == Format::Pdf { Some(chromium::found()?) } else { None };
    let table = args.table.subject()?;
    let report = report(&table, args.verify, args.seed)?;
    let text = match format {
        Format::Html | Format::Pdf => report_page::page(&of(&report)?),
        Format::Md => report_text::markdown(&of(&report)?),
        Format::Csv => report_text::csv(&report.document),
        Format::Json => report.to_text()?,
    };
    match (&args.out, printer) {
        (Some(path), Some(printer)) => printer.print(&text, path)?,
        (Some(path), None) => std::fs::write(path, text)
            .map_err(|error| Failure::Refused(format!("{} cannot be written: {error}", path.display())))?,
        (None, _) => output.text(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The report, marked where the table is hypothetical.
fn report(table: &Subject, verify: Option<u64>, seed: u64) -> Result<Stamped<Value>, Failure> {
    let worked = work_out(table)?;
    let mut report = match verify {
        None => document(&worked, None),
        Some(rounds) => {
            let ready = simulation(table, rounds, seed)?;
            let mut show = |progress: &Progress| crate::simulate::tell(progress);
            let hooks =
                Hooks { progress: io::stderr().is_terminal().then_some(&mut show), ..Hooks::default() };
            let played = simulate(ready.program()?, &ready.options, hooks).map_err(Failure::Refused)?;
            document(&worked, Some((&ready, &played)))
        }
    };
    table.mark(&mut report.document);
    Ok(report)
}

/// The document with what made it, as the forms for people tell it.
fn of(report: &Stamped<Value>) -> Result<Value, Failure> {
    serde_json::to_value(report)
        .map_err(|error| Failure::Refused(format!("the report cannot be written as JSON: {error}")))
}
