//! `cutcard ramp`: finds the best bet ramp for a bankroll and a bet spread, with its win rate and risk.

use crate::counts::{CountArgs, SecondArgs, second_for_people, spread};
use crate::load::TableArgs;
use crate::output::Output;
use crate::seat::{SeatArgs, prospects_for_people};
use documents::Failure;
use documents::by_count::reading::CountingPlayer;
use documents::indices::{compute_for, of};
use documents::ramp::{BestRamp, RampGoal, document_seated};
use documents::subject::Subject;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    count: CountArgs,
    #[command(flatten)]
    second: SecondArgs,
    /// Bankroll, in units of the minimum bet.
    #[arg(long, default_value_t = 1000.0)]
    bankroll: f64,
    /// Bet spread in units: 1-12.
    #[arg(long, value_name = "A-B", default_value = "1-12", value_parser = spread)]
    spread: (u32, u32),
    /// Fraction of full Kelly bets to use.
    #[arg(long, default_value_t = 1.0, conflicts_with = "risk")]
    kelly: f64,
    /// Bet for this risk of ruin instead of a Kelly fraction, such as 0.05.
    #[arg(long)]
    risk: Option<f64>,
    /// Sit out below this count.
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    sit_out_below: Option<i32>,
    /// Use the N most valuable index plays; default all, 0 for none.
    #[arg(long, value_name = "N")]
    index_plays: Option<usize>,
    /// Rounds to simulate to measure how often each count occurs.
    #[arg(long, value_parser = crate::simulate::count, default_value = "2e6")]
    rounds: u64,
    #[command(flatten)]
    seat: SeatArgs,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let wanted = wanted(&args)?;
    let mut asked = args.count.options();
    asked.rounds = Some(args.rounds);
    asked.options()?;
    let player = CountingPlayer { back_counting: args.seat.back_counting()?, second: args.second.second()? };
    let seat = args.seat.seat(&table)?;
    let found = compute_for(&table, &asked, &player, &crate::progress::shown("compositions solved"))?;
    match document_seated(&table, (&asked, &wanted, &seat), &found, args.index_plays) {
        Ok(told) => output.answer(&table, told, for_people),
        Err(refused) => output.refusal(&refused.document(of(&table, &found)), &refused.reason),
    }
}

fn wanted(args: &Args) -> Result<RampGoal, Failure> {
    let (least, most) = args.spread;
    let Args { bankroll, kelly, risk, sit_out_below, .. } = *args;
    checked(RampGoal { bankroll, min_bet: least, max_bet: most, kelly, risk, sit_out_below, rising: true })
}

/// Returns the goal of a ramp unchanged if its bankroll, Kelly fraction and risk of ruin are valid.
///
/// Otherwise returns an error that names the invalid argument.
pub fn checked(wanted: RampGoal) -> Result<RampGoal, Failure> {
    let wrong = |why: &str| Err(Failure::NotUnderstood(why.into()));
    if !(wanted.bankroll > 0.0 && wanted.bankroll.is_finite()) {
        return wrong("--bankroll must be greater than 0");
    }
    if !(wanted.kelly > 0.0 && wanted.kelly <= 10.0) {
        return wrong("--kelly must be greater than 0 and at most 10");
    }
    if wanted.risk.is_some_and(|risk| !(risk > 0.0 && risk < 1.0)) {
        return wrong("--risk must be between 0 and 1");
    }
    Ok(wanted)
}

fn for_people(table: &Subject, told: &BestRamp) -> String {
    let mut text = format!("{}{}\n", table.marked(), table.name);
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<32}{value}");
    };
    row("ramp", told.ramp_text.clone());
    row(
        "win per 100 rounds, in units",
        format!(
            "{:.4} (error {:.4}), standard deviation {:.2}",
            told.win_per_100, told.win_per_100_error, told.std_dev_100
        ),
    );
    row(
        "SCORE",
        format!(
            "{:.2} (error {:.2}, c-SCORE {:.2}, desirability index {:.3})",
            told.score, told.score_error, told.c_score, told.desirability_index
        ),
    );
    row("N0, in rounds", n0_in_words(told.n0));
    row("risk of ruin", format!("{:.4} %", 100.0 * told.risk_of_ruin));
    row("average bet", format!("{:.4}", told.average_stake));
    row(
        "correlations",
        format!(
            "betting {:.4}, playing {:.4}, insurance {:.4}",
            told.betting_correlation,
            told.playing_correlation,
            told.insurance_correlation.unwrap_or(f64::NAN)
        ),
    );
    if let Some(second) = &told.second_count {
        row("second count", second_for_people(second));
    }
    text.push_str(&prospects_for_people(told));
    text.push_str("\n  count     bet   frequency          ev       error   deviation\n");
    for at in told.ramp.iter().filter(|at| at.frequency > 1e-4) {
        let stake = match at.hands {
            Some(hands @ 2..) => format!("{hands} x {}", at.stake),
            _ => at.stake.to_string(),
        };
        let _ = writeln!(
            text,
            "  {:>5}   {:>5}   {:>9.5}   {:>+9.4} %   {:>7.4} %   {:>9.4}",
            at.count,
            stake,
            at.frequency,
            100.0 * at.ev,
            100.0 * at.ev_error,
            at.std_dev
        );
    }
    text
}

/// Formats N0 as a number of rounds, or as "never" with the reason if the player does not win.
fn n0_in_words(n0: Option<f64>) -> String {
    n0.map_or_else(|| "never: the player does not win".into(), |n0| format!("{n0:.0}"))
}

#[cfg(test)]
mod tests {
    use super::n0_in_words;

    #[test]
    fn n0_without_a_win_is_told_in_words() {
        assert_eq!(n0_in_words(None), "never: the player does not win");
        assert_eq!(n0_in_words(Some(1234.4)), "1234");
    }
}
