//! `cutcard side`: finds a count for a side bet, and computes the EV of the bet at each count.

use crate::counts::{compositions, level, spread};
use crate::load::TableArgs;
use crate::output::Output;
use crate::ramp::checked;
use documents::Failure;
use documents::ramp::RampGoal;
use documents::side_count::{SideCount, SideCountOptions, Staked, document};
use documents::subject::Subject;
use sim::count::Ramp;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Side bet: over-13, under-13, match, …
    #[arg(long, value_name = "NAME")]
    wager: String,
    /// Counting system, or ten tags for A,2,…,9,T. Default: the best integer tags for this bet.
    #[arg(long, value_name = "SYSTEM", allow_hyphen_values = true)]
    count: Option<String>,
    /// Largest tag to consider when searching for the best tags.
    #[arg(long, default_value = "2", value_parser = level())]
    level: i32,
    /// Shoe compositions to sample (about one round in a hundred).
    #[arg(long, value_parser = compositions, default_value = "4000")]
    rounds: u64,
    /// Seed of the simulation that supplies the compositions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Bet ramp for the side bet, such as 2:0,3:1,5:4; its results are shown.
    #[arg(long, value_name = "COUNT:STAKE,…", allow_hyphen_values = true, conflicts_with = "bankroll")]
    ramp: Option<String>,
    /// Find the best bet ramp for this bankroll, in units.
    #[arg(long)]
    bankroll: Option<f64>,
    /// Bet spread on the side bet in units; 0 sits out.
    #[arg(long, value_name = "A-B", default_value = "0-10", value_parser = spread, requires = "bankroll")]
    spread: (u32, u32),
    /// Fraction of full Kelly bets to use.
    #[arg(long, default_value_t = 1.0, conflicts_with = "risk", requires = "bankroll")]
    kelly: f64,
    /// Bet for this risk of ruin instead of a Kelly fraction, such as 0.05.
    #[arg(long, requires = "bankroll")]
    risk: Option<f64>,
}

impl Args {
    fn staked(&self) -> Result<Option<Staked>, Failure> {
        let (least, most) = self.spread;
        let Args { kelly, risk, .. } = *self;
        let found = |bankroll| RampGoal {
            bankroll,
            min_bet: least,
            max_bet: most,
            kelly,
            risk,
            sit_out_below: None,
            rising: false,
        };
        match (&self.ramp, self.bankroll) {
            (Some(ramp), _) => Ok(Some(Staked::By(Ramp::parse(ramp).map_err(Failure::NotUnderstood)?))),
            (None, Some(bankroll)) => Ok(Some(Staked::Best(checked(found(bankroll))?))),
            (None, None) => Ok(None),
        }
    }
}

pub fn run(args: Args, output: &Output) -> Result<ExitCode, Failure> {
    let table = args.table.subject()?;
    let staked = args.staked()?;
    let Args { wager, count, level, rounds, seed, .. } = args;
    let told = document(&table, &SideCountOptions { wager, count, level, rounds, seed, staked })?;
    output.answer(&table, told, for_people)
}

fn for_people(table: &Subject, told: &SideCount) -> String {
    let mut text = format!(
        "{}{}: {} by {}\n  every round {:+.4} %, correlation {:.4}\n",
        table.marked(),
        table.name,
        told.wager,
        told.count,
        100.0 * told.flat,
        told.correlation
    );
    match told.from {
        Some(from) => {
            let _ = writeln!(
                text,
                "  from {from} on: {:.2} % of rounds, {:.4} units per 100 rounds, {:.1} % of the win with perfect \
                 knowledge",
                100.0 * told.share,
                told.win_per_100,
                100.0 * told.captured
            );
        }
        None => text.push_str("  no count is profitable\n"),
    }
    if let Some(staked) = &told.stakes {
        let _ = writeln!(
            text,
            "bets {}: {:.4} units per 100 rounds, standard deviation {:.2}, SCORE {:.2}",
            staked.ramp_text, staked.win_per_100, staked.std_dev_100, staked.score
        );
    }
    text.push_str("\n  count   frequency          ev      Kelly bet\n");
    for row in &told.by_count {
        let _ = writeln!(
            text,
            "  {:>5}   {:>9.5}   {:>+8.3} %   {:>12.6}",
            row.count,
            row.frequency,
            100.0 * row.ev,
            row.kelly
        );
    }
    text
}
