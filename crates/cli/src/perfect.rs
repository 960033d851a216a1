//! `cutcard perfect`: computes the value of perfect play, which uses full knowledge of the cards left.

use crate::counts::{compositions, second_count, spread};
use crate::load::TableArgs;
use crate::output::Output;
use documents::Failure;
use documents::perfect::efficiency::{ROUNDS, playing_efficiency};
use documents::perfect::{Estimate, Favourable, Perfect, PerfectOptions, compute, document_with};
use documents::simulate::SimulationOptions;
use documents::subject::Subject;
use sim::count::System;
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
    /// Also show the playing efficiency (Griffin) of this counting system or these ten tags.
    #[arg(long, value_name = "SYSTEM", allow_hyphen_values = true)]
    playing: Option<String>,
    /// Also combine each system with a second count, such as aces: a card value (A, 2 to 9, T) or ten tags.
    #[arg(long, value_name = "VALUE|TAGS", allow_hyphen_values = true, value_parser = second_count)]
    second_count: Option<System>,
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let (least, most) = args.spread;
    let wanted = PerfectOptions { rounds: args.rounds, seed: args.seed, min_bet: least, max_bet: most };
    let sampled = compute(&table, &wanted, &crate::progress::shown("compositions solved"))?;
    let mut told = document_with(&table, &wanted, &sampled, args.second_count.as_ref());
    if let Some(count) = args.playing {
        let asked = SimulationOptions { count: Some(count), seed: args.seed, ..SimulationOptions::default() };
        asked.options()?;
        let shown = crate::progress::shown("compositions played with the count");
        let mut show = crate::simulate::shown();
        let efficiency = playing_efficiency(&table, &sampled, &asked, &shown, (ROUNDS, &mut show));
        crate::simulate::clear();
        let efficiency = efficiency?;
        told.document.playing_efficiency = Some(efficiency);
    }
    output.answer(&table, told, for_people)
}

fn for_people(table: &Subject, told: &Perfect) -> String {
    let number = |found: Option<f64>| found.unwrap_or(f64::NAN);
    let mut text = format!(
        "{}{}: {} compositions sampled at the start of rounds\n",
        table.marked(),
        table.name,
        told.rounds
    );
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<44}{value}");
    };
    let with_error =
        |found: &Estimate| format!("{:+.4} % (error {:.4})", 100.0 * found.ev, 100.0 * found.std_error);
    row("full-shoe chart, flat bet", with_error(&told.chart));
    row("gain from perfect play", with_error(&told.playing));
    row("gain from perfect insurance", with_error(&told.insurance));
    row("perfect play, flat", with_error(&told.flat));
    let Favourable { share, ev, std_error } = told.favourable;
    row("rounds with a player advantage", format!("{:.2} %", 100.0 * share));
    row("win per round, betting 1 unit on only these", with_error(&Estimate { ev, std_error }));
    row(
        &format!("win per 100 rounds, spread {}", told.spread),
        format!("{:.3} units (error {:.3})", told.win_per_100, told.win_per_100_error),
    );
    row(
        "SCORE of the best bets, sitting out",
        format!("{:.2} (error {:.2})", number(told.score), told.score_error),
    );
    if let Some(found) = &told.playing_efficiency {
        row(
            &format!("gain from playing by {}", found.count),
            format!(
                "{:+.4} % (error {:.4}) with {} index plays",
                100.0 * found.gain,
                100.0 * found.gain_error,
                found.index_plays
            ),
        );
        row("playing efficiency", format!("{:.3} (error {:.3})", found.efficiency, found.efficiency_error));
    }
    text.push_str(
        "\n  count       correlation with the exact EV      share of all winnings     SCORE     error\n",
    );
    for count in &told.counts {
        let _ = writeln!(
            text,
            "  {:<12}{:>31.4}   {:>20.1} %   {:>7.2}   {:>7.2}",
            count.count,
            count.correlation,
            100.0 * count.captured,
            number(count.score),
            number(count.score_error)
        );
    }
    for (nth, count) in told.two_counts.iter().flatten().enumerate() {
        if nth == 0 {
            text.push_str(
                "\n  with a second count         weight   correlation   of all that can be won     SCORE     error\n",
            );
        }
        let _ = writeln!(
            text,
            "  {:<24}{:>10.3}{:>14.4}{:>23.1} %   {:>7.2}   {:>7.2}",
            count.count,
            count.weight,
            count.correlation,
            100.0 * count.captured,
            number(count.score),
            number(count.score_error)
        );
    }
    text
}
