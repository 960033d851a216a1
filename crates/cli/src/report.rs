//! `cutcard report`: writes the math report of a table, for filing and for programs.

use crate::chromium;
use crate::filing::{FilingData, table_sha256};
use crate::load::TableArgs;
use crate::output::Output;
use documents::load::read_text;
use documents::report::{compute_with_progress, document, simulation};
use documents::report_check::{Difference, Differs, differences, table_of};
use documents::report_document::StampedReport;
use documents::subject::Subject;
use documents::{Failure, Inputs, Stamped};
use documents::{report_page, report_text};
use serde_json::Value;
use sim::{Hooks, simulate};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Preset name (see `cutcard tables`) or path of a table file; - reads standard input. Default with `--check`:
    /// the report's own table.
    #[arg(value_name = "TABLE", required_unless_present = "check")]
    table: Option<String>,
    /// Override an option: `--set decks=6`, `--set side_wagers.match.minimum=5`.
    #[arg(long = "set", value_name = "K=V", requires = "table")]
    overrides: Vec<String>,
    /// Accept an illegal table; every answer lists the clauses it violates.
    #[arg(long)]
    hypothetical: bool,
    /// Recompute every figure of a report written with `--format json`, and list the figures that differ.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "verify", "format"])]
    check: Option<String>,
    /// Output format; --json is the same as --format json.
    #[arg(long, value_enum, default_value_t = Format::Md)]
    format: Format,
    /// Write to FILE instead of standard output; required for PDF.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Verify by simulating this many rounds from full shoes (such as 1e9), and report the difference.
    #[arg(long, value_name = "ROUNDS", value_parser = crate::simulate::count)]
    verify: Option<u64>,
    /// Seed of the simulation for --verify.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Start CSV with a comment line, `# {…}`, that names the program and the table.
    #[arg(long)]
    provenance: bool,
    /// Document number, printed in the filing block.
    #[arg(long, value_name = "NUMBER")]
    document: Option<String>,
    /// Name of the document's author.
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Date of the document, such as 2026-01-31. Default: today.
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// Self-contained, printable HTML page.
    Html,
    /// Markdown.
    Md,
    /// CSV of every outcome of every bet.
    Csv,
    /// JSON document with all data of the report.
    Json,
    /// PDF of the HTML page (requires Chromium).
    Pdf,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.check {
        return checked(&args, path, output);
    }
    let format = if output.wants_json() { Format::Json } else { args.format };
    if format == Format::Pdf && args.out.is_none() {
        return Err(Failure::NotUnderstood("PDF cannot be printed; add --out report.pdf".into()));
    }
    let printer = if format == Format::Pdf { Some(chromium::found()?) } else { None };
    let table = args.subject()?;
    let mut report = report(&table, args.verify, args.seed)?;
    let Args { document, author, date, .. } = &args;
    let filing = FilingData { document: document.clone(), author: author.clone(), date: date.clone() };
    filing.file(&table, &mut report.document.filing)?;
    let text = match format {
        Format::Html | Format::Pdf => report_page::page(&report),
        Format::Md => report_text::markdown(&report),
        Format::Csv if args.provenance => {
            format!("{}{}", report.comment(), report_text::csv(&report.document))
        }
        Format::Csv => report_text::csv(&report.document),
        Format::Json => report.to_text()?,
    };
    match (&args.out, printer) {
        (Some(path), Some(printer)) => printer.print(&text, path)?,
        (Some(path), None) => std::fs::write(path, text)
            .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", path.display())))?,
        (None, _) => output.text(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn subject(&self) -> Result<Subject, Failure> {
        let table = self.table.clone().unwrap_or_default();
        TableArgs::new(table, self.overrides.clone(), self.hypothetical).subject()
    }
}

/// Recomputes every figure of the report file at `path`, and prints the figures that differ.
fn checked(args: &Args, path: &str, output: &Output) -> Result<ExitCode, Failure> {
    let reported: Value = serde_json::from_str(&read_text(path)?).map_err(|error| {
        Failure::NotUnderstood(format!("{path}: not a JSON report from --format json: {error}"))
    })?;
    let table = match &args.table {
        Some(_) => args.subject()?,
        None if reported["hypothetical"].is_array() => Subject::new(table_of(&reported)?)?,
        None => Subject::lawful(table_of(&reported)?)?,
    };
    let (verify, seed) = (reported["of"]["verify"].as_u64(), reported["of"]["seed"].as_u64());
    let mut computed = report(&table, verify, seed.unwrap_or(1))?;
    // a report that was not filed has no digest
    if !reported["filing"]["table_sha256"].is_null() {
        computed.document.filing.table_sha256 = Some(table_sha256(&table));
    }
    let computed = serde_json::to_value(&computed)
        .map_err(|error| Failure::Refused(format!("cannot convert the report to JSON: {error}")))?;
    let differs = differences(&reported, &computed);
    let reproduced = differs.is_empty();
    if output.wants_json() {
        output.document(&Stamped::new(Differs { differs }, Inputs::table(&table)))?;
    } else if reproduced {
        output.text(&format!("{path}: every figure was reproduced"))?;
    } else {
        let line = |one: &Difference| {
            format!("  {}: reported {}, computed {}\n", one.path, one.reported, one.computed)
        };
        let lines: String = differs.iter().map(line).collect();
        output.text(&format!("{path}: {} figures could not be reproduced\n{lines}", differs.len()))?;
    }
    Ok(if reproduced { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Computes the math report of a table, marked if the table is hypothetical.
///
/// `verify` is the number of rounds to simulate for comparison, or `None` for no simulation.
fn report(table: &Subject, verify: Option<u64>, seed: u64) -> Result<StampedReport, Failure> {
    let worked = compute_with_progress(table, &crate::progress::shown("steps done"))?;
    let mut report = match verify {
        None => document(&worked, None),
        Some(rounds) => {
            let ready = simulation(table, rounds, seed)?;
            let mut show = crate::simulate::shown();
            let hooks = Hooks { progress: Some(&mut show), ..Hooks::default() };
            let played = simulate(ready.program()?, &ready.options, hooks).map_err(Failure::Refused)?;
            let report = document(&worked, Some((&ready, &played, &mut show)));
            crate::simulate::clear();
            report
        }
    };
    table.mark(&mut report.document);
    Ok(report)
}
