//! Random play: any lawful table, people who choose at random among what they may do, cards drawn at random without
//! replacement, mistakes of the dealer thrown in. It drives the tests, the fuzz targets, the benchmark and the marathon.
//!
//! Reading order: [`chance`] (where choices come from), [`tables`] (lawful tables), [`cards`] (the real stack), [`people`]
//! (what may be done now), [`mishaps`] (irregularities), [`anything`] (commands without sense), [`driver`]; then
//! [`awaited`], [`money`], [`order`] and [`laws`], which say what must hold whatever happens.

pub mod anything;
pub mod awaited;
pub mod cards;
pub mod chance;
pub mod driver;
pub mod laws;
pub mod mishaps;
pub mod money;
pub mod order;
pub mod people;
pub mod tables;

pub use chance::Chance;
pub use driver::{Driver, Style};
pub use laws::Watch;

/// Returns how many of something a test tries: as many as usual, times `CUTCARD_TEST_SIZE` where that is set, as
/// `./test deep` does.
pub fn sized(usual: u64) -> u64 {
    let times = std::env::var("CUTCARD_TEST_SIZE").ok().and_then(|text| text.parse().ok());
    usual.saturating_mul(times.unwrap_or(1))
}
