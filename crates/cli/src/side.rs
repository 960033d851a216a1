//! `cutcard side`: a side wager with a count of its own.

use crate::counts::{compositions, level};
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::side_count::{Asked, document};
use documents::subject::Subject;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The wager as it is bet: over-13, under-13, match, …
    #[arg(long, value_name = "NAME")]
    wager: String,
    /// The count: a system, or ten tags for A,2,…,9,T; the best whole tags for the wager if left out.
    #[arg(long, value_name = "SYSTEM", allow_hyphen_values = true)]
    count: Option<String>,
    /// The largest tag, where the best tags are looked for.
    #[arg(long, default_value = "2", value_parser = level())]
    level: i32,
    /// Compositions that are looked at; one round in about a hundred is.
    #[arg(long, value_parser = compositions, default_value = "4000")]
    rounds: u64,
    /// The seed of the simulation that they are met in.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let Args { wager, count, level, rounds, seed, .. } = args;
    let told = document(&table, &Asked { wager, count, level, rounds, seed })?;
    output.answer(&table, told, for_people)
}

fn for_people(table: &Subject, told: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let word = |key: &str| told[key].as_str().unwrap_or_default();
    let mut text = format!(
        "{}{}: {} by {}\n  every round {:+.4} %, correlation {:.4}\n",
        table.marked(),
        table.name,
        word("wager"),
        word("count"),
        100.0 * number(&told["flat"]),
        number(&told["correlation"])
    );
    match told["from"].as_i64() {
        Some(from) => {
            let _ = writeln!(
                text,
                "  from {from} on: {:.2} % of rounds, {:.4} units in a hundred rounds, {:.1} % of what full knowledge wins",
                100.0 * number(&told["share"]),
                number(&told["win_per_100"]),
                100.0 * number(&told["captured"])
            );
        }
        None => text.push_str("  at no count does it gain\n"),
    }
    text.push_str("\n  count   frequency          ev   Kelly's part\n");
    for row in told["by_count"].as_array().into_iter().flatten() {
        let _ = writeln!(
            text,
            "  {:>5}   {:>9.5}   {:>+8.3} %   {:>12.6}",
            row["count"],
            number(&row["frequency"]),
            100.0 * number(&row["ev"]),
            number(&row["kelly"])
        );
    }
    text
}
