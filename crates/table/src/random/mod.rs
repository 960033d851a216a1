//! Random play at any legal table, for the tests, the fuzz targets, the benchmark and the marathon.
//!
//! People choose at random among the legal actions, cards are drawn at random without replacement, and dealers make
//! errors.
//!
//! Reading order: [`chance`] (the source of choices), [`tables`] (legal tables), [`cards`] (the actual stack),
//! [`people`] (legal commands), [`mishaps`] (irregularities), [`anything`] (nonsensical commands), [`driver`]; then
//! [`awaited`], [`money`], [`order`] and [`invariants`], which state what must always hold.

pub mod awaited;
pub mod cards;
pub mod chance;
pub mod driver;
pub mod invariants;
pub mod mishaps;
pub mod money;
pub mod nonsense;
pub mod order;
pub mod people;
pub mod tables;

pub use chance::Chance;
pub use driver::{Driver, Style};
pub use invariants::Watch;

/// Returns the size of a test: `usual`, times the environment variable `CUTCARD_TEST_SIZE` if it is set.
///
/// `./test deep` sets the variable.
pub fn sized(usual: u64) -> u64 {
    let times = std::env::var("CUTCARD_TEST_SIZE").ok().and_then(|text| text.parse().ok());
    usual.saturating_mul(times.unwrap_or(1))
}
