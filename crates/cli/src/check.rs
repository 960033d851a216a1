//! `cutcard check`: reports whether a table is legal, with the clause of every violation.
//!
//! Also lists the requirements that a table file cannot show, such as notices.

use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::check::document;
use rules::Choices;
use rules::lawful::{self, Finding, Report};
use rules::text::entries::Entry;
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
        output.text(&for_people(&choices, &report))?;
    }
    Ok(ExitCode::from(u8::from(!report.is_lawful())))
}

fn for_people(choices: &Choices, report: &Report) -> String {
    let name = &choices.name;
    let mut text = match report.violations.len() {
        0 => format!("{name} is legal.\n"),
        1 => format!("{name} is not legal: one violation.\n"),
        many => format!("{name} is not legal: {many} violations.\n"),
    };
    text.extend(report.violations.iter().map(line));
    if !report.warnings.is_empty() {
        text.push_str("Requirements that a table file cannot show:\n");
        text.extend(report.warnings.iter().map(line));
    }
    let entries = choices.text().entries(choices);
    if !entries.is_empty() {
        text.push_str(
            "Register entries required before a table with a human dealer accepts purchased chips:\n",
        );
        text.extend(entries.into_iter().map(entry_line));
    }
    text
}

fn line(finding: &Finding) -> String {
    format!("  {}: {} ({})\n", finding.clause, finding.message, finding.keys.join(", "))
}

fn entry_line(entry: &Entry) -> String {
    format!("  {}: {} ({})\n", entry.by, entry.sentence(), entry.kind.word())
}
