//! Computes the variance of a round in which the player has several bets.
//!
//! The variance of one player's hand against several dealer hands is exact. The variance of several boxes of one
//! player comes from simulations.

use crate::Failure;
use crate::simulate::SimulationOptions;
use exact::dealer_hands;
use exact::game::Strategy;
use rules::Choices;
use sim::report::Stakes;
use sim::{Hooks, simulate};

/// The number of rounds in each of the two simulations that estimate the covariance of two boxes.
const TWO_BOXES: u64 = 4_000_000;

/// Returns the variance of a round divided by the variance of a single bet, both per unit bet.
///
/// A round may have several bets, each against its own dealer hand; its variance is exact. `one` is the
/// variance of a single bet. The ratio is 1 if the round has only one bet or its variance cannot be computed.
pub(crate) fn several_hands(choices: &Choices, strategy: &Strategy, one: f64) -> f64 {
    let bets = choices.dealer_hands();
    let of_round = || dealer_hands::variance(choices, strategy, bets);
    let several = if bets > 1 { of_round() } else { None };
    several.map_or(1.0, |variance| variance / (bets * bets) as f64 / one)
}

/// Returns the covariance between the net wins of two boxes in the same round, in units of the bet squared.
///
/// The covariance is estimated from short simulations with two boxes and with one. Returns an error if a
/// simulation fails.
pub fn covariance(choices: &Choices) -> Result<f64, Failure> {
    Ok(variance(choices, 2, TWO_BOXES)? / 2.0 - variance(choices, 1, TWO_BOXES)?)
}

/// Returns the variance of a round with `boxes` boxes from fresh shoes, in units of the bet on one box.
fn variance(choices: &Choices, boxes: usize, rounds: u64) -> Result<f64, Failure> {
    let asked = SimulationOptions {
        rounds: Some(rounds),
        fresh_shoes: true,
        boxes,
        side_wagers: vec!["none".into()],
        ..SimulationOptions::default()
    };
    let ready = asked.ready(choices.clone(), Stakes::default())?;
    let played = simulate(ready.program()?, &ready.options, Hooks::default()).map_err(Failure::Refused)?;
    let deviation = ready.outcome(&played).document.summary.std_dev;
    Ok(deviation * deviation)
}
