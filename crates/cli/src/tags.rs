//! `cutcard tags`: finds the best possible tags for every bet, and integer tags close to them.

use crate::counts::level;
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::subject::Subject;
use documents::tags::document;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Largest tag to consider.
    #[arg(long, default_value = "3", value_parser = level())]
    level: i32,
    /// Allow unbalanced tags.
    #[arg(long)]
    unbalanced: bool,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let told = document(&table, args.level, !args.unbalanced)?;
    output.answer(&table, told, for_people)
}

fn for_people(table: &Subject, told: &Value) -> String {
    let mut text = format!("{}{}: tags for A,2,3,4,5,6,7,8,9,T\n", table.marked(), table.name);
    for wager in told["wagers"].as_array().into_iter().flatten() {
        let _ = writeln!(text, "\n  {}", wager["wager"].as_str().unwrap_or_default());
        let optimal = wager["optimal"].as_object().into_iter().flatten();
        let optimal: Vec<String> =
            optimal.map(|(card, tag)| format!("{card} {:+.3}", tag.as_f64().unwrap_or(0.0))).collect();
        let _ = writeln!(text, "    optimal     {}", optimal.join("  "));
        for whole in wager["whole"].as_array().into_iter().flatten() {
            let number = |key: &str| whole[key].as_f64().unwrap_or(0.0);
            let _ = writeln!(
                text,
                "    level {:<5} {:<28} correlation {:.4}, {:.2} % lost",
                number("level"),
                whole["count"].as_str().unwrap_or_default(),
                number("correlation"),
                100.0 * number("lost")
            );
        }
        for system in wager["systems"].as_array().into_iter().flatten() {
            let _ = writeln!(
                text,
                "    {:<40} correlation {:.4}",
                system["count"].as_str().unwrap_or_default(),
                system["correlation"].as_f64().unwrap_or(0.0)
            );
        }
    }
    text
}
