//! `cutcard compare`: explains the difference in house edge between two tables, option by option.

use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::compare::{Compared, compared, document};
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    /// Preset name or path of a table file.
    a: String,
    /// Table to compare with.
    b: String,
    /// Override an option of the first table.
    #[arg(long, value_name = "K=V")]
    set_a: Vec<String>,
    /// Override an option of the second table.
    #[arg(long, value_name = "K=V")]
    set_b: Vec<String>,
    /// Override an option of both tables.
    #[arg(long = "set", value_name = "K=V")]
    overrides: Vec<String>,
    /// Accept illegal tables.
    #[arg(long)]
    hypothetical: bool,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = |name: &str, own: &[String]| {
        let overrides = args.overrides.iter().chain(own).cloned().collect();
        TableArgs::new(name.to_string(), overrides, args.hypothetical).subject()
    };
    let (a, b) = (table(&args.a, &args.set_a)?, table(&args.b, &args.set_b)?);
    let found = compared(&a, &b)?;
    if output.wants_json() {
        output.document(&document(&a, &b, &found))?;
    } else {
        output.text(&for_people(&a.named(), &b.named(), &found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn for_people(a: &str, b: &str, found: &Compared) -> String {
    let percent = |share: f64| format!("{:+.6} %", 100.0 * share);
    let (of_a, of_b) = found.house_edges;
    let mut text = format!("{:<44}{:>14}\n", format!("house edge of {a}"), percent(of_a));
    for (option, value) in found.options.iter().zip(&found.values) {
        let change = format!("  {}: {} -> {}", option.option, option.a, option.b);
        let _ = writeln!(text, "{change:<44}{:>14}", percent(*value));
    }
    let _ = writeln!(text, "{:<44}{:>14}", format!("house edge of {b}"), percent(of_b));
    let _ = writeln!(text, "{:<44}{:>14}", "difference", percent(of_b - of_a));
    text
}
