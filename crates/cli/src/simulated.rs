//! What a simulation came to, for people and as JSON; shared by `simulate` and `merge`.

use crate::failure::Failure;
use crate::output::Output;
use crate::simulate::compiled;
use program::Chart;
use program::hand::{LEAST_COUNT, MOST_COUNT};
use rules::{Rules, SideBet, file};
use serde_json::Value;
use sim::chunk::Job;
use sim::count::{Divisor, Ramp, Rounding, System};
use sim::report::{Making, Stakes, document};
use sim::{Options, Results};
use std::fmt::Write;

/// The table and how its figures are to be read.
pub struct Asked {
    pub rules: Rules,
    pub stakes: Stakes,
}

/// The JSON summary of a run, with the exact edges of the side wagers beside the simulated ones.
pub fn outcome(asked: &Asked, results: &Results) -> Value {
    let mut summary = summary(asked, &results.job, &results.part.tally, &Making::of(results));
    summary["stopped"] = results.stopped.into();
    summary["peak_memory"] = peak_memory().into();
    summary["chunks"] = results.part.chunks_json();
    summary
}

/// The most memory in bytes that this program has taken, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The same for sums that were merged.
pub fn summary(asked: &Asked, job: &Job, tally: &sim::tally::Tally, making: &Making) -> Value {
    let exact = if job.program.sides.is_empty() { Vec::new() } else { side::side_wagers(&asked.rules) };
    let edge =
        |name: &str| exact.iter().find(|report| report.wager() == name).map(|report| report.house_edge);
    document(job, tally, making, &asked.stakes, &edge)
}

/// The table and job that a part's file describes.
pub fn from_about(about: &Value) -> Result<(Asked, Job), Failure> {
    let wrong = || Failure::NotUnderstood("the file does not say how its simulation was made".into());
    let text = |key: &str| about.get(key).and_then(Value::as_str);
    let choices = file::parse(text("table").ok_or_else(wrong)?).map_err(|_| wrong())?;
    let rules = Rules::new(choices).map_err(|_| wrong())?;
    let chart = about.get("chart").map(Value::to_string).ok_or_else(wrong)?;
    let chart = Chart::from_json(&chart).map_err(|_| wrong())?;
    let names = about.get("bets").and_then(Value::as_array).ok_or_else(wrong)?;
    let bets: Vec<SideBet> = names.iter().filter_map(Value::as_str).filter_map(SideBet::from_name).collect();
    let mut system = text("count").map(System::parse).transpose().map_err(|_| wrong())?;
    if let Some(system) = &mut system {
        system.start = about.get("count_start").and_then(Value::as_i64).map(|start| start as i32);
        system.divisor = match text("divisor") {
            Some("HalfDecks") => Divisor::HalfDecks,
            Some("None") => Divisor::None,
            _ => Divisor::Decks,
        };
        system.rounding = match text("rounding") {
            Some("TowardsZero") => Rounding::TowardsZero,
            Some("Nearest") => Rounding::Nearest,
            _ => Rounding::Down,
        };
    }
    let options = Options {
        seed: about.get("seed").and_then(Value::as_u64).ok_or_else(wrong)?,
        boxes: about.get("boxes").and_then(Value::as_u64).ok_or_else(wrong)? as usize,
        fresh: about.get("fresh").and_then(Value::as_bool).ok_or_else(wrong)?,
        ramp: text("ramp").map(Ramp::parse).transpose().map_err(|_| wrong())?.unwrap_or_default(),
        system,
        ..Options::default()
    };
    let program = compiled(&rules, &chart, &bets)?;
    let job = sim::run::job(program, &options).map_err(Failure::Refused)?;
    let stakes = Stakes::default();
    Ok((Asked { rules, stakes }, job))
}

/// Prints the summary.
pub fn print(summary: &Value, job: &Job, output: &Output) -> Result<(), Failure> {
    if output.wants_json() { output.document(summary) } else { output.text(&for_people(summary, job)) }
}

fn for_people(summary: &Value, job: &Job) -> String {
    let number = |key: &str| summary[key].as_f64().unwrap_or(0.0);
    let mut text = format!("{}, seed {}: {} rounds", job.program.name, job.seed, summary["rounds"]);
    // writing to a string cannot fail
    let _ = match number("seconds") {
        0.0 => writeln!(text),
        seconds => writeln!(text, " in {seconds:.1} s, {:.1} M/s", number("rounds_per_second") / 1e6),
    };
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<26}{value}");
    };
    let interval = |nth: usize| percent(-summary["confidence_95"][nth].as_f64().unwrap_or(0.0));
    row("house edge", format!("{} ± {}", percent(number("house_edge")), percent(number("std_error"))));
    row("95 % interval", format!("{} to {}", interval(1), interval(0)));
    row("element of risk", percent(number("element_of_risk")));
    let boxes = if job.boxes > 1 { format!(" of {} boxes", job.boxes) } else { String::new() };
    row(
        "standard deviation",
        format!("{:.5} a round{boxes}, {:.4} a hundred rounds", number("std_dev"), number("std_dev_100")),
    );
    if let Some(wager) = summary["std_dev_wager"].as_f64() {
        row("  of one wager by itself", format!("{wager:.5}"));
    }
    row(
        "hands, cards a round",
        format!("{:.4}, {:.4}", number("hands_per_round"), number("cards_per_round")),
    );
    row("rounds a shoe", format!("{:.3}", number("rounds_per_shoe")));
    if number("void_rounds") > 0.0 {
        row("void, the shoe ran out", summary["void_rounds"].to_string());
    }
    row("hands a hundred rounds", format!("{:>10}{:>10}{:>10}", "won", "pushed", "lost"));
    for (name, ways) in summary["hands"].as_object().into_iter().flatten() {
        let share = |way: &str| 100.0 * ways[way].as_f64().unwrap_or(0.0);
        row(
            &format!("  {name}"),
            format!("{:>10.4}{:>10.4}{:>10.4}", share("win"), share("push"), share("lose")),
        );
    }
    if let Some(edge) = summary["insurance"]["house_edge"].as_f64() {
        let rounds = summary["insurance"]["rounds"].as_f64().unwrap_or(0.0) / number("rounds");
        row("insurance", format!("{} edge, taken in {} of the rounds", percent(edge), percent(rounds)));
    }
    for side in summary["side_wagers"].as_array().into_iter().flatten() {
        let value = |key: &str| side[key].as_f64();
        let exact = value("exact_edge").map_or(String::new(), |edge| format!(" (exact {})", percent(edge)));
        let name = side["wager"].as_str().unwrap_or_default();
        let error = value("std_error").map_or("?".to_string(), percent);
        row(name, format!("{} ± {error}{exact}", percent(value("house_edge").unwrap_or(0.0))));
        if let Some(assumed) = side["exact_assumes"].as_str() {
            row("", format!("(the exact figure: {assumed})"));
        }
    }
    risk_for_people(&summary["risk"], &mut row);
    if let Some(rows) = summary["by_count"].as_array() {
        row("by count", format!("{:>11}{:>7}{:>11}{:>12}{:>10}", "rounds", "stake", "edge", "± error", "sd"));
        for cell in rows {
            let value = |key: &str| cell[key].as_f64().unwrap_or(0.0);
            let error = cell["std_error"].as_f64().map_or("?".to_string(), |e| format!("{:.3} %", 100.0 * e));
            // the counts at either end stand for all beyond them
            let beyond = match value("count") as i32 {
                LEAST_COUNT => "≤",
                MOST_COUNT => "≥",
                _ => "",
            };
            row(
                &format!("  {:>4}", format!("{beyond}{}", value("count"))),
                format!(
                    "{:>9.4} %{:>7}{:>9.3} %{error:>12}{:>10.4}",
                    100.0 * value("frequency"),
                    value("stake"),
                    100.0 * value("ev"),
                    value("std_dev"),
                ),
            );
        }
    }
    text
}

fn percent(value: f64) -> String {
    format!("{:.5} %", 100.0 * value)
}

/// What the run means for a bankroll, in initial wagers.
fn risk_for_people(risk: &Value, row: &mut dyn FnMut(&str, String)) {
    let of = |key: &str| risk[key].as_f64().unwrap_or(0.0);
    row(
        "win an hour",
        format!(
            "{:.4} ± {:.4} initial wagers at {} rounds",
            of("win_per_hour"),
            of("std_dev_per_hour"),
            of("rounds_per_hour")
        ),
    );
    row(
        "risk of ruin",
        format!("{} for good with {} initial wagers", percent(of("risk_of_ruin")), of("bankroll")),
    );
    row("  in a trip", format!("{} in {} rounds", percent(of("trip_risk_of_ruin")), of("trip_rounds")));
    let quantile = |of: &str| format!("{:.1}", risk["trip_quantiles"][of].as_f64().unwrap_or(0.0));
    let quantiles: Vec<String> =
        ["5", "25", "50", "75", "95"].iter().map(|of| format!("{of} %: {}", quantile(of))).collect();
    row("  result of a trip", quantiles.join(", "));
    if let Some(bankroll) = risk["required_bankroll"].as_f64() {
        row(
            "bankroll required",
            format!("{bankroll:.0} initial wagers for a risk of {}", percent(of("accepted_risk"))),
        );
    }
    if let Some(n0) = risk["n0"].as_f64() {
        row("N0", format!("{n0:.0} rounds"));
    }
}
