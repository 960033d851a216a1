//! The variance of several hands at once, from short simulations: dealer hands of one bet, and boxes of one player.

use crate::Failure;
use crate::simulate::SimulationOptions;
use rules::Choices;
use sim::report::Stakes;
use sim::{Hooks, simulate};

/// The rounds of a simulation of several dealer hands, and of two boxes.
const ROUNDS: u64 = 20_000_000;
const TWO_BOXES: u64 = 4_000_000;

/// Returns the ratio of the variance of a round with several dealer hands to that of one bet, from a short simulation.
pub(crate) fn several_hands(choices: &Choices, one: f64) -> Result<f64, Failure> {
    if choices.spots() == 1 {
        return Ok(1.0);
    }
    Ok(variance(choices, 1, ROUNDS)? / one)
}

/// Returns the covariance of two boxes of one round, from a short simulation of two boxes and one.
pub fn covariance(choices: &Choices) -> Result<f64, Failure> {
    Ok(variance(choices, 2, TWO_BOXES)? / 2.0 - variance(choices, 1, TWO_BOXES)?)
}

/// Returns the variance of a round of so many boxes from fresh shoes, in units of one box.
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
    let deviation = ready.outcome(&played).document["std_dev"].as_f64().unwrap_or_default();
    Ok(deviation * deviation)
}
