//! Prints the results of a simulation as text; shared by `simulate` and `merge`.

use crate::output::Output;
use documents::report_text::grouped;
use documents::simulate::Simulation;
use documents::subject::Subject;
use documents::{Failure, Stamped};
use program::hand::{LEAST_COUNT, MOST_COUNT};
use sim::chunk::Job;
use sim::report::Stakes;
use sim::summary::{CountSummary, Endings, Risk, Summary, Ways};
use sim::tally::Tally;
use std::fmt::Write;
use std::io;
use std::path::Path;

/// The arguments that scale the figures of a simulation.
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

/// Writes the plots of a run to a directory as SVG files.
pub fn pictures(directory: &Path, (job, tally): (&Job, &Tally), stakes: &Stakes) -> Result<(), Failure> {
    let cannot =
        |path: &Path, error: io::Error| Failure::Refused(format!("cannot write {}: {error}", path.display()));
    std::fs::create_dir_all(directory).map_err(|error| cannot(directory, error))?;
    let drawn = sim::plot::plots(job, tally).into_iter();
    for picture in drawn.chain([sim::plot::risk(job, tally, stakes)]) {
        let path = directory.join(picture.file);
        std::fs::write(&path, picture.svg()).map_err(|error| cannot(&path, error))?;
    }
    Ok(())
}

/// Prints the results of a simulation, as JSON if the user asked for it and as text otherwise.
pub fn print(
    summary: &Stamped<Simulation>,
    (job, table): (&Job, &Subject),
    output: &Output,
) -> Result<(), Failure> {
    if output.wants_json() {
        output.document(summary)
    } else {
        output.text(&format!("{}{}", table.marked(), for_people(&summary.document.summary, job)))
    }
}

fn for_people(summary: &Summary, job: &Job) -> String {
    let rounds = grouped(summary.rounds);
    let mut text = format!("{}, seed {}: {rounds} rounds", job.program.name, job.seed);
    // writing to a string cannot fail
    let _ = match summary.seconds {
        0.0 => writeln!(text),
        seconds => writeln!(text, " in {seconds:.1} s, {:.1} M/s", summary.rounds_per_second / 1e6),
    };
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<26}{value}");
    };
    let [least, most] = summary.confidence_95.map(|ev| percent(-ev));
    let (edge, error) = (percent(summary.house_edge), percent_or_unknown(summary.std_error));
    row("house edge", format!("{edge} ± {error} (standard error)"));
    row("95 % confidence interval", format!("{most} to {least}"));
    row("element of risk", percent(summary.element_of_risk));
    row(
        "bet per round (units)",
        format!("initial {:.5}, all bets {:.5}", summary.initial_wagers_per_round, summary.staked_per_round),
    );
    let boxes = if job.boxes > 1 { format!(" of {} boxes", job.boxes) } else { String::new() };
    row(
        "standard deviation",
        format!("{:.5} per round{boxes}, {:.4} per 100 rounds", summary.std_dev, summary.std_dev_100),
    );
    if let Some(wager) = summary.std_dev_wager {
        row("  of a single bet", format!("{wager:.5}"));
    }
    row("hands, cards per round", format!("{:.4}, {:.4}", summary.hands_per_round, summary.cards_per_round));
    row("rounds per shoe", format!("{:.3}", summary.rounds_per_shoe));
    if summary.void_rounds > 0 {
        row("void (shoe ran out)", grouped(summary.void_rounds));
    }
    row("hands per 100 rounds", format!("{:>10}{:>10}{:>10}", "won", "pushed", "lost"));
    let Endings { blackjack, bust, stood, surrendered } = &summary.hands;
    let endings = [("blackjack", blackjack), ("bust", bust), ("stood", stood), ("surrendered", surrendered)];
    for (name, Ways { win, push, lose }) in endings {
        row(
            &format!("  {name}"),
            format!("{:>10.4}{:>10.4}{:>10.4}", 100.0 * win, 100.0 * push, 100.0 * lose),
        );
    }
    if let Some(insurance) = &summary.insurance {
        let rounds = insurance.rounds as f64 / summary.rounds as f64;
        let edge = percent(insurance.house_edge);
        row("insurance", format!("{edge} edge, taken in {} of rounds", percent(rounds)));
    }
    for side in &summary.side_wagers {
        let exact = side.exact_edge.map_or(String::new(), |edge| format!(" (exact {})", percent(edge)));
        let error = percent_or_unknown(side.std_error);
        row(side.wager, format!("{} ± {error}{exact}", percent(side.house_edge)));
        if let Some(assumed) = side.exact_assumes {
            row("", format!("(exact: {assumed})"));
        }
        if let Some(stakes) = &side.stakes {
            let (won, error) = (stakes.win_per_100, stakes.win_per_100_error);
            let made = percent(stakes.wagered);
            row(
                "  by its count",
                format!("{won:+.4} ± {error:.4} units per 100 rounds, bet made in {made} of rounds"),
            );
        }
    }
    risk_for_people(&summary.risk, &mut row);
    row("unit", "initial bet per box when the ramp bets 1".into());
    if let Some(rows) = &summary.by_count {
        by_count_for_people(rows, &mut row);
    }
    text
}

/// The frequency below which the text output merges counts; the JSON output lists every count.
const LEAST_FREQUENCY: f64 = 1e-5;

fn by_count_for_people(rows: &[CountSummary], row: &mut dyn FnMut(&str, String)) {
    let insured = rows.iter().any(|cell| cell.insurance_edge.is_some());
    let heads = format!("{:>11}{:>7}{:>13}{:>11}{:>10}", "rounds", "bet", "player's ev", "± error", "sd");
    row("by count", if insured { format!("{heads}{:>17}", "ev of insurance") } else { heads });
    let (often, rare): (Vec<&CountSummary>, Vec<&CountSummary>) =
        rows.iter().partition(|cell| cell.frequency >= LEAST_FREQUENCY);
    for cell in often {
        let error = match cell.std_error.is_finite() {
            true => format!("{:.3} %", 100.0 * cell.std_error),
            false => "?".to_string(),
        };
        // the lowest and the highest row include all counts beyond them
        let beyond = match cell.count {
            LEAST_COUNT => "≤",
            MOST_COUNT => "≥",
            _ => "",
        };
        let mut columns = format!(
            "{:>9.4} %{:>7}{:>11.3} %{error:>11}{:>10.4}",
            100.0 * cell.frequency,
            cell.stake,
            100.0 * cell.ev,
            cell.std_dev,
        );
        if let Some(edge) = cell.insurance_edge {
            // writing to a string cannot fail
            let _ = write!(columns, "{:>15.2} %", -100.0 * edge);
        }
        row(&format!("  {:>4}", format!("{beyond}{}", cell.count)), columns);
    }
    if !rare.is_empty() {
        let share: f64 = rare.iter().map(|cell| cell.frequency).sum();
        row("  rarer", format!("{:>9.4} %  in {} counts (see --json)", 100.0 * share, rare.len()));
    }
}

/// Formats a fraction in percent, or as `?` if too few rounds were played to know it.
fn percent_or_unknown(value: f64) -> String {
    if value.is_finite() { percent(value) } else { "?".to_string() }
}

fn percent(value: f64) -> String {
    format!("{:.5} %", 100.0 * value)
}

/// Passes the label and the value of every row about bankroll and risk to `row`.
fn risk_for_people(risk: &Risk, row: &mut dyn FnMut(&str, String)) {
    row(
        "win per hour",
        format!(
            "{:.4} ± {:.4} units in {} rounds",
            risk.win_per_hour, risk.std_dev_per_hour, risk.rounds_per_hour
        ),
    );
    row("risk of ruin", format!("{} with a bankroll of {} units", percent(risk.risk_of_ruin), risk.bankroll));
    row("  in a trip", format!("{} in {} rounds", percent(risk.trip_risk_of_ruin), risk.trip_rounds));
    let quantile = |of: &str| risk.trip_quantiles.get(of).copied().unwrap_or_default();
    let quantiles: Vec<String> =
        ["5", "25", "50", "75", "95"].iter().map(|of| format!("{of} %: {:.1}", quantile(of))).collect();
    row("  result of a trip", quantiles.join(", "));
    if let Some(bankroll) = risk.required_bankroll {
        row(
            "bankroll required",
            format!("{bankroll:.0} units for a risk of {}", percent(risk.accepted_risk)),
        );
    }
    if let Some(n0) = risk.n0 {
        row("N0", format!("{} rounds", grouped(n0 as u64)));
    }
}
