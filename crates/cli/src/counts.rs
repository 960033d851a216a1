//! The arguments that several commands about counts have: a count, stakes, tags and samples.

use crate::simulate::{CountBy, Round, divisor, rounding};
use documents::simulate::Asked;
use documents::tags::MOST_LEVEL;

/// A counting system and how its counts are read.
#[derive(clap::Args)]
pub struct CountArgs {
    /// Count cards: hi-lo, ko, hi-opt-1, hi-opt-2, omega-2, zen, or ten tags for A,2,…,9,T, fractions like 0.5 too.
    #[arg(long, value_name = "SYSTEM", allow_hyphen_values = true)]
    pub count: String,
    /// What the running count is divided by.
    #[arg(long, value_enum)]
    count_by: Option<CountBy>,
    /// The running count of a full shoe; 0, and for KO 4 less for each deck beyond the first, if left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(i32).range(-1000..=1000))]
    count_start: Option<i32>,
    /// How the true count is rounded.
    #[arg(long, value_enum, default_value_t = Round::Down)]
    rounding: Round,
    /// The seed of what is simulated.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl CountArgs {
    /// A simulation with this count.
    pub fn asked(&self) -> Asked {
        Asked {
            seed: self.seed,
            count: Some(self.count.clone()),
            count_by: self.count_by.map(divisor),
            count_start: self.count_start,
            rounding: rounding(self.rounding),
            ..Asked::default()
        }
    }
}

/// Two whole numbers with a hyphen between them.
pub fn spread(text: &str) -> Result<(u32, u32), String> {
    let bounds =
        text.split_once('-').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match bounds {
        Some((least, most)) if least <= most && (1..=1000).contains(&most) => Ok((least, most)),
        _ => Err(format!("`{text}` is no spread; write 1-12, at most 1000")),
    }
}

/// How many compositions are looked at: two, so that they have a spread, to a million.
pub fn compositions(text: &str) -> Result<u64, String> {
    match crate::simulate::count(text)? {
        found @ 2..=1_000_000 => Ok(found),
        _ => Err("take 2 to 1e6 compositions".into()),
    }
}

/// The largest tag of a count.
pub fn level() -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(1..=i64::from(MOST_LEVEL))
}
