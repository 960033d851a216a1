//! `cutcard check`: reports whether a table is legal, with the clause of every violation, then the requirements that a
//! table file cannot show, such as notices.

use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::check::document;
use rules::lawful::{self, Finding, Report};
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let choices = args.table.choices()?;
    let report = lawful::check(&choices);
    if output.wants_json() {
        output.document(&document(&choices, &report))?;
    } else {
        output.text(&for_people(&choices.name, &report))?;
    }
    Ok(ExitCode::from(u8::from(!report.is_lawful())))
}

fn for_people(name: &str, report: &Report) -> String {
    let mut text = match report.violations.len() {
        0 => format!("{name} is legal.\n"),
        1 => format!("{name} is not legal: one violation.\n"),
        many => format!("{name} is not legal: {many} violations.\n"),
    };
    text.extend(report.violations.iter().map(line));
    if !report.warnings.is_empty() {
        text.push_str("Beyond what a table file can show:\n");
        text.extend(report.warnings.iter().map(line));
    }
    text
}

fn line(finding: &Finding) -> String {
    format!("  {}: {} ({})\n", finding.clause, finding.message, finding.keys.join(", "))
}
