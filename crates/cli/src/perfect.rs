//! `cutcard perfect`: computes the value of perfect play, with bets and plays that use full knowledge of the remaining
//! cards.

use crate::counts::{compositions, spread};
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::perfect::{Wanted, document, work_out};
use documents::subject::Subject;
use serde_json::Value;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Shoe compositions to solve (about one round in a hundred is sampled).
    #[arg(long, value_parser = compositions, default_value = "400")]
    rounds: u64,
    /// Seed of the simulation that supplies the compositions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Bet spread in units: 1-12.
    #[arg(long, value_name = "A-B", default_value = "1-12", value_parser = spread)]
    spread: (u32, u32),
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let (least, most) = args.spread;
    let wanted = Wanted { rounds: args.rounds, seed: args.seed, least, most };
    let sampled = work_out(&table, &wanted, &crate::progress::shown("compositions solved"))?;
    let told = document(&table, &wanted, &sampled);
    output.answer(&table, told, for_people)
}

fn for_people(table: &Subject, told: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let mut text = format!(
        "{}{}: {} compositions met at the beginning of rounds\n",
        table.marked(),
        table.name,
        told["rounds"]
    );
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<44}{value}");
    };
    let with_error = |value: &Value| {
        format!("{:+.4} % (error {:.4})", 100.0 * number(&value["ev"]), 100.0 * number(&value["std_error"]))
    };
    row("the chart of the full shoe, flat", with_error(&told["chart"]));
    row("play by the cards left adds", with_error(&told["playing"]));
    row("insurance by the cards left adds", with_error(&told["insurance"]));
    row("perfect play, flat", with_error(&told["flat"]));
    row("rounds in favour of the player", format!("{:.2} %", 100.0 * number(&told["favourable"]["share"])));
    row("one unit in these alone wins a round", with_error(&told["favourable"]));
    let stakes = told["spread"].as_str().unwrap_or_default();
    row(
        &format!("win per 100 rounds, spread {stakes}"),
        format!(
            "{:.3} units (error {:.3})",
            number(&told["win_per_100"]),
            number(&told["win_per_100_error"])
        ),
    );
    row(
        "SCORE of the best stakes, sitting out",
        format!("{:.2} (error {:.2})", number(&told["score"]), number(&told["score_error"])),
    );
    text.push_str(
        "\n  count       correlation with the exact value   of all that can be won     SCORE     error\n",
    );
    for count in told["counts"].as_array().into_iter().flatten() {
        let _ = writeln!(
            text,
            "  {:<12}{:>31.4}   {:>20.1} %   {:>7.2}   {:>7.2}",
            count["count"].as_str().unwrap_or_default(),
            number(&count["correlation"]),
            100.0 * number(&count["captured"]),
            number(&count["score"]),
            number(&count["score_error"])
        );
    }
    text
}
