//! Arguments shared by the commands about counts: the counting system, bet spread, tags and sample size.

use crate::simulate::{CountBy, Round, divisor, rounding};
use documents::simulate::SimulationOptions;
use documents::tags::MOST_LEVEL;

/// The arguments for a counting system and its rounding.
#[derive(clap::Args)]
pub struct CountArgs {
    /// Counting system: hi-lo, ko, hi-opt-1, hi-opt-2, omega-2, zen, or ten tags for A,2,…,9,T (fractions such as 0.5
    /// allowed).
    #[arg(long, value_name = "SYSTEM", allow_hyphen_values = true)]
    pub count: String,
    /// Divisor of the running count.
    #[arg(long, value_enum)]
    count_by: Option<CountBy>,
    /// Initial running count. Default: 0; for KO, 4 less for each deck after the first.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-1000..=1000))]
    count_start: Option<i32>,
    /// Rounding of the true count.
    #[arg(long, value_enum, default_value_t = Round::Down)]
    rounding: Round,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl CountArgs {
    /// Returns the options of a simulation with this counting system.
    pub fn options(&self) -> SimulationOptions {
        SimulationOptions {
            seed: self.seed,
            count: Some(self.count.clone()),
            count_by: self.count_by.map(divisor),
            count_start: self.count_start,
            rounding: rounding(self.rounding),
            ..SimulationOptions::default()
        }
    }
}

/// Parses a bet spread such as `1-12`.
///
/// Returns an error unless the text is `MIN-MAX`, in whole units, with MIN at most MAX and MAX from 1 to 1000.
pub fn spread(text: &str) -> Result<(u32, u32), String> {
    let bounds =
        text.split_once('-').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match bounds {
        Some((least, most)) if least <= most && (1..=1000).contains(&most) => Ok((least, most)),
        _ => Err(format!("invalid spread `{text}`; expected MIN-MAX up to 1000, such as 1-12")),
    }
}

/// Parses the number of shoe compositions to sample, from two to a million.
///
/// A standard error requires at least two compositions.
pub fn compositions(text: &str) -> Result<u64, String> {
    match crate::simulate::count(text)? {
        found @ 2..=1_000_000 => Ok(found),
        _ => Err("must be 2 to 1e6".into()),
    }
}

/// Returns a parser for the largest tag of a count.
pub fn level() -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(1..=i64::from(MOST_LEVEL))
}
