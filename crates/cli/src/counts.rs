//! Arguments shared by the commands about counts: the counting system, bet spread, tags and sample size.

use crate::simulate::{CountBy, Round, divisor, rounding};
use documents::Failure;
use documents::by_count::second::{SecondCount, SecondCountWeights};
use documents::simulate::SimulationOptions;
use documents::tags::MOST_LEVEL;
use exact::stack::LETTERS;
use sim::count::System;

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

/// The arguments for a second count, which the player keeps beside the main count.
#[derive(clap::Args)]
pub struct SecondArgs {
    /// Second count to keep beside the first, such as aces: a card value (A, 2 to 9, T) or ten tags. Bets, insurance and
    /// each index play add its surplus with their best weight.
    #[arg(long, value_name = "VALUE|TAGS", allow_hyphen_values = true, value_parser = second_count)]
    second_count: Option<System>,
    /// Weight of the second count for bets, instead of the best one.
    #[arg(long, value_name = "W", allow_hyphen_values = true, requires = "second_count")]
    second_weight: Option<f64>,
}

impl SecondArgs {
    /// Returns the second count, or `None` if the player keeps only one count.
    ///
    /// Returns an error if the weight is not a number from -9 to 9.
    pub fn second(&self) -> Result<Option<SecondCount>, Failure> {
        if self.second_weight.is_some_and(|weight| !(-9.0..=9.0).contains(&weight)) {
            return Err(Failure::NotUnderstood("--second-weight must be -9 to 9".into()));
        }
        let second = |system: &System| SecondCount { system: system.clone(), weight: self.second_weight };
        Ok(self.second_count.as_ref().map(second))
    }
}

/// Parses a second count: one card value, such as `A`, or ten tags.
pub fn second_count(text: &str) -> Result<System, String> {
    match LETTERS.iter().position(|letter| text.trim().eq_ignore_ascii_case(&letter.to_string())) {
        Some(at) => System::parse(
            &LETTERS
                .iter()
                .enumerate()
                .map(|(n, _)| if n == at { "1" } else { "0" })
                .collect::<Vec<_>>()
                .join(","),
        ),
        None => System::parse(text),
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

/// Returns a line about a second count and its weights.
pub fn second_for_people(second: &SecondCountWeights) -> String {
    let insurance =
        second.insurance_weight.map_or_else(String::new, |weight| format!(", for insurance {weight:+.3}"));
    format!(
        "{}: weight for bets {:+.3}{insurance}; betting correlation of both {:.4}",
        second.count, second.weight, second.betting_correlation
    )
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
