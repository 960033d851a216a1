//! What a simulation came to, for people and as JSON; shared by `simulate` and `merge`.

use crate::failure::Failure;
use crate::output::Output;
use crate::simulate::compiled;
use program::Chart;
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
    let making =
        Making { threads: results.threads, seconds: results.seconds, cpu_seconds: results.cpu_seconds };
    let mut summary = summary(asked, &results.job, &results.part.tally, &making);
    summary["stopped"] = results.stopped.into();
    summary["chunks"] = serde_json::json!([results.part.chunks.start, results.part.chunks.end]);
    summary
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
    let percent = |value: f64| format!("{:.5} %", 100.0 * value);
    let mut text = String::new();
    let mut row = |label: &str, value: String| {
        // writing to a string cannot fail
        let _ = writeln!(text, "  {label:<34}{value}");
    };
    row(
        "rounds",
        format!(
            "{} in {:.1} s, {:.1} M/s",
            summary["rounds"],
            number("seconds"),
            number("rounds_per_second") / 1e6
        ),
    );
    row("house edge", format!("{} ± {}", percent(number("house_edge")), percent(number("std_error"))));
    row("element of risk", percent(number("element_of_risk")));
    row(
        "standard deviation",
        format!("{:.5} a round, {:.4} a hundred", number("std_dev"), number("std_dev_100")),
    );
    row(
        "hands, cards a round",
        format!("{:.4}, {:.4}", number("hands_per_round"), number("cards_per_round")),
    );
    row("rounds a shoe", format!("{:.3}", number("rounds_per_shoe")));
    for (name, ways) in summary["hands"].as_object().into_iter().flatten() {
        let share = |way: &str| 100.0 * ways[way].as_f64().unwrap_or(0.0);
        let all = [share("win"), share("push"), share("lose")];
        row(
            &format!("hands {name}: won, pushed, lost"),
            format!("{:.4} %, {:.4} %, {:.4} %", all[0], all[1], all[2]),
        );
    }
    for side in summary["side_wagers"].as_array().into_iter().flatten() {
        let value = |key: &str| side[key].as_f64();
        let exact = value("exact_edge").map_or(String::new(), |edge| format!(" (exact {})", percent(edge)));
        let name = side["wager"].as_str().unwrap_or_default();
        let simulated = (value("house_edge").unwrap_or(0.0), value("std_error").unwrap_or(0.0));
        row(name, format!("{} ± {}{exact}", percent(simulated.0), percent(simulated.1)));
    }
    let risk = &summary["risk"];
    let of = |key: &str| risk[key].as_f64();
    row("win an hour", format!("{:.4} initial wagers", of("win_per_hour").unwrap_or(0.0)));
    row(
        "risk of ruin, in a trip",
        format!(
            "{}, {}",
            percent(of("risk_of_ruin").unwrap_or(1.0)),
            percent(of("trip_risk_of_ruin").unwrap_or(0.0))
        ),
    );
    if let (Some(n0), Some(bankroll)) = (of("n0"), of("required_bankroll")) {
        row("N0, required bankroll", format!("{n0:.0} rounds, {bankroll:.0} initial wagers"));
    }
    if let Some(rows) = summary["by_count"].as_array() {
        row("count: frequency, stake, edge", String::new());
        for cell in rows {
            let value = |key: &str| cell[key].as_f64().unwrap_or(0.0);
            row(
                &format!("{:>5}", value("count")),
                format!(
                    "{:>9.5} % {:>6} {:>9.4} % ± {:.4}",
                    100.0 * value("frequency"),
                    value("stake"),
                    100.0 * value("ev"),
                    100.0 * value("std_error")
                ),
            );
        }
    }
    format!("{}, seed {}\n{text}", job.program.name, job.seed)
}
