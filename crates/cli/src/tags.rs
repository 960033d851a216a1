//! `cutcard tags`: finds the best tags for every bet, and the integer tags closest to them.

use crate::counts::level;
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::subject::Subject;
use documents::tags::{Tags, document};
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

fn for_people(table: &Subject, told: &Tags) -> String {
    let mut text = format!("{}{}: tags for A,2,3,4,5,6,7,8,9,T\n", table.marked(), table.name);
    for wager in &told.wagers {
        let _ = writeln!(text, "\n  {}", wager.wager);
        let optimal: Vec<String> =
            wager.optimal.iter().map(|(card, tag)| format!("{card} {tag:+.3}")).collect();
        let _ = writeln!(text, "    optimal     {}", optimal.join("  "));
        for whole in &wager.whole {
            let _ = writeln!(
                text,
                "    level {:<5} {:<28} correlation {:.4}, misses {:.2} % of the variance",
                whole.level,
                whole.count,
                whole.correlation,
                100.0 * whole.lost
            );
        }
        for system in &wager.systems {
            let _ = writeln!(text, "    {:<40} correlation {:.4}", system.count, system.correlation);
        }
    }
    text
}
