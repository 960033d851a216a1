//! Prints the results of a simulation as text; shared by `simulate` and `merge`.

use crate::output::Output;
use documents::report_text::grouped;
use documents::subject::Subject;
use documents::{Failure, Stamped};
use program::hand::{LEAST_COUNT, MOST_COUNT};
use serde_json::Value;
use sim::chunk::Job;
use sim::report::Stakes;
use sim::tally::Tally;
use std::fmt::Write;
use std::io;
use std::path::Path;

/// How to scale the figures.
#[derive(clap::Args)]
pub struct StakesArgs {
    /// Rounds per hour.
    #[arg(long, default_value_t = 80.0)]
    pace: f64,
    /// Bankroll, in units of the initial bet.
    #[arg(long, default_value_t = 200.0)]
    bankroll: f64,
    /// Rounds per trip.
    #[arg(long, default_value_t = 400.0)]
    trip: f64,
    /// Accepted risk of ruin.
    #[arg(long, default_value_t = 0.05)]
    risk: f64,
}

impl StakesArgs {
    pub fn stakes(&self) -> Result<Stakes, Failure> {
        let &StakesArgs { pace, bankroll, trip, risk } = self;
        if ![pace, bankroll, trip, risk].iter().all(|n| *n > 0.0 && n.is_finite()) || risk >= 1.0 {
            return Err(Failure::NotUnderstood(
                "--pace, --bankroll and --trip must be greater than 0, and --risk between 0 and 1".into(),
            ));
        }
        Ok(Stakes { pace, bankroll, trip, risk })
    }
}

/// Writes the plots of a run to a directory.
pub fn pictures(directory: &Path, (job, tally): (&Job, &Tally), stakes: &Stakes) -> Result<(), Failure> {
    let cannot = |path: &Path, error: io::Error| {
        Failure::Refused(format!("{} cannot be written: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| cannot(directory, error))?;
    let drawn = sim::plot::pictures(job, tally).into_iter();
    for picture in drawn.chain([sim::plot::risk(job, tally, stakes)]) {
        let path = directory.join(picture.file);
        std::fs::write(&path, picture.svg()).map_err(|error| cannot(&path, error))?;
    }
    Ok(())
}

/// Prints the summary, as JSON or as text.
pub fn print(
    summary: &Stamped<Value>,
    (job, table): (&Job, &Subject),
    output: &Output,
) -> Result<(), Failure> {
    if output.wants_json() {
        output.document(summary)
    } else {
        output.text(&format!("{}{}", table.marked(), for_people(&summary.document, job)))
    }
}

fn for_people(summary: &Value, job: &Job) -> String {
    let number = |key: &str| summary[key].as_f64().unwrap_or(0.0);
    let rounds = grouped(summary["rounds"].as_u64().unwrap_or(0));
    let mut text = format!("{}, seed {}: {rounds} rounds", job.program.name, job.seed);
    // writing to a string cannot fail
    let _ = match number("seconds") {
        0.0 => writeln!(text),
        seconds => writeln!(text, " in {seconds:.1} s, {:.1} M/s", number("rounds_per_second") / 1e6),
    };
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<26}{value}");
    };
    let interval = |nth: usize| percent(-summary["confidence_95"][nth].as_f64().unwrap_or(0.0));
    let (edge, error) = (percent(number("house_edge")), percent(number("std_error")));
    row("house edge", format!("{edge} ± {error} (standard error)"));
    row("95 % confidence interval", format!("{} to {}", interval(1), interval(0)));
    row("element of risk", percent(number("element_of_risk")));
    row(
        "staked per round (units)",
        format!(
            "{:.5} initial bets, {:.5} in all",
            number("initial_wagers_per_round"),
            number("staked_per_round")
        ),
    );
    let boxes = if job.boxes > 1 { format!(" of {} boxes", job.boxes) } else { String::new() };
    row(
        "standard deviation",
        format!("{:.5} per round{boxes}, {:.4} per 100 rounds", number("std_dev"), number("std_dev_100")),
    );
    if let Some(wager) = summary["std_dev_wager"].as_f64() {
        row("  of a single bet", format!("{wager:.5}"));
    }
    row(
        "hands, cards per round",
        format!("{:.4}, {:.4}", number("hands_per_round"), number("cards_per_round")),
    );
    row("rounds per shoe", format!("{:.3}", number("rounds_per_shoe")));
    if number("void_rounds") > 0.0 {
        row("void (shoe ran out)", grouped(number("void_rounds") as u64));
    }
    row("hands per 100 rounds", format!("{:>10}{:>10}{:>10}", "won", "pushed", "lost"));
    for (name, ways) in summary["hands"].as_object().into_iter().flatten() {
        let share = |way: &str| 100.0 * ways[way].as_f64().unwrap_or(0.0);
        row(
            &format!("  {name}"),
            format!("{:>10.4}{:>10.4}{:>10.4}", share("win"), share("push"), share("lose")),
        );
    }
    if let Some(edge) = summary["insurance"]["house_edge"].as_f64() {
        let rounds = summary["insurance"]["rounds"].as_f64().unwrap_or(0.0) / number("rounds");
        row("insurance", format!("{} edge, taken in {} of rounds", percent(edge), percent(rounds)));
    }
    for side in summary["side_wagers"].as_array().into_iter().flatten() {
        let value = |key: &str| side[key].as_f64();
        let exact = value("exact_edge").map_or(String::new(), |edge| format!(" (exact {})", percent(edge)));
        let name = side["wager"].as_str().unwrap_or_default();
        let error = value("std_error").map_or("?".to_string(), percent);
        row(name, format!("{} ± {error}{exact}", percent(value("house_edge").unwrap_or(0.0))));
        if let Some(assumed) = side["exact_assumes"].as_str() {
            row("", format!("(exact: {assumed})"));
        }
        let staked = |key: &str| side["stakes"][key].as_f64();
        if let Some((won, error)) = staked("win_per_100").zip(staked("win_per_100_error")) {
            let made = percent(staked("wagered").unwrap_or(0.0));
            row("  by its count", format!("{won:+.4} ± {error:.4} units per 100 rounds, bet in {made}"));
        }
    }
    risk_for_people(&summary["risk"], &mut row);
    row("unit", "initial bet per box at a stake of 1".into());
    if let Some(rows) = summary["by_count"].as_array() {
        by_count_for_people(rows, &mut row);
    }
    text
}

/// Counts rarer than this appear only in the JSON output.
const LEAST_FREQUENCY: f64 = 1e-5;

fn by_count_for_people(rows: &[Value], row: &mut dyn FnMut(&str, String)) {
    let insured = rows.iter().any(|cell| cell["insurance_edge"].is_number());
    let heads = format!("{:>11}{:>7}{:>13}{:>11}{:>10}", "rounds", "stake", "player's ev", "± error", "sd");
    row("by count", if insured { format!("{heads}{:>17}", "ev of insurance") } else { heads });
    let (often, rare): (Vec<&Value>, Vec<&Value>) =
        rows.iter().partition(|cell| cell["frequency"].as_f64() >= Some(LEAST_FREQUENCY));
    for cell in often {
        let value = |key: &str| cell[key].as_f64().unwrap_or(0.0);
        let error = cell["std_error"].as_f64().map_or("?".to_string(), |e| format!("{:.3} %", 100.0 * e));
        // the lowest and the highest row include all counts beyond them
        let beyond = match value("count") as i32 {
            LEAST_COUNT => "≤",
            MOST_COUNT => "≥",
            _ => "",
        };
        let mut columns = format!(
            "{:>9.4} %{:>7}{:>11.3} %{error:>11}{:>10.4}",
            100.0 * value("frequency"),
            value("stake"),
            100.0 * value("ev"),
            value("std_dev"),
        );
        if let Some(edge) = cell["insurance_edge"].as_f64() {
            // writing to a string cannot fail
            let _ = write!(columns, "{:>15.2} %", -100.0 * edge);
        }
        row(&format!("  {:>4}", format!("{beyond}{}", value("count"))), columns);
    }
    if !rare.is_empty() {
        let share: f64 = rare.iter().filter_map(|cell| cell["frequency"].as_f64()).sum();
        row("  rarer", format!("{:>9.4} %  in {} counts (see --json)", 100.0 * share, rare.len()));
    }
}

fn percent(value: f64) -> String {
    format!("{:.5} %", 100.0 * value)
}

/// Writes the rows about bankroll and risk, in units.
fn risk_for_people(risk: &Value, row: &mut dyn FnMut(&str, String)) {
    let of = |key: &str| risk[key].as_f64().unwrap_or(0.0);
    row(
        "win per hour",
        format!(
            "{:.4} ± {:.4} units in {} rounds",
            of("win_per_hour"),
            of("std_dev_per_hour"),
            of("rounds_per_hour")
        ),
    );
    row(
        "risk of ruin",
        format!("{} with a bankroll of {} units", percent(of("risk_of_ruin")), of("bankroll")),
    );
    row("  in a trip", format!("{} in {} rounds", percent(of("trip_risk_of_ruin")), of("trip_rounds")));
    let quantile = |of: &str| format!("{:.1}", risk["trip_quantiles"][of].as_f64().unwrap_or(0.0));
    let quantiles: Vec<String> =
        ["5", "25", "50", "75", "95"].iter().map(|of| format!("{of} %: {}", quantile(of))).collect();
    row("  result of a trip", quantiles.join(", "));
    if let Some(bankroll) = risk["required_bankroll"].as_f64() {
        row(
            "bankroll required",
            format!("{bankroll:.0} units for a risk of {}", percent(of("accepted_risk"))),
        );
    }
    if let Some(n0) = risk["n0"].as_f64() {
        row("N0", format!("{} rounds", grouped(n0 as u64)));
    }
}
