//! Computes the variance of a round with several hands.
//!
//! Several dealer hands against one player's hand are computed exactly, several boxes of one player by a short
//! simulation.

use crate::Failure;
use crate::simulate::SimulationOptions;
use exact::dealer_hands;
use exact::game::Strategy;
use rules::Choices;
use sim::report::Stakes;
use sim::{Hooks, simulate};

/// The number of rounds to simulate with two boxes.
const TWO_BOXES: u64 = 4_000_000;

/// Returns the ratio of a round's variance to that of one bet.
///
/// The variance of the round is exact and per unit bet. That of a single bet is `one`. A round may have several bets,
/// each against its own dealer hand. The ratio is 1 if it has only one.
pub(crate) fn several_hands(choices: &Choices, strategy: &Strategy, one: f64) -> f64 {
    let bets = choices.dealer_hands();
    let of_round = || dealer_hands::variance(choices, strategy, bets);
    let several = if bets > 1 { of_round() } else { None };
    several.map_or(1.0, |variance| variance / (bets * bets) as f64 / one)
}

/// Returns the covariance between two boxes in the same round.
///
/// It comes from short simulations of two boxes and of one. Returns an error if a simulation fails.
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
