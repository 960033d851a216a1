//! Playing efficiency as Griffin defines it: the share of the gain of perfect play that playing by a count gains.

use super::Sampled;
use crate::Failure;
use crate::indices::work_out;
use crate::progress::Tell;
use crate::simulate::SimulationOptions;
use program::chart::{Chart, Take};
use rules::Choices;
use serde::Serialize;
use sim::report::Stakes;
use sim::{Hooks, simulate};
use utoipa::ToSchema;

/// The number of rounds played with the index plays, and again without them.
const ROUNDS: u64 = 200_000_000;

/// What playing by a count gains, without insurance.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PlayingEfficiency {
    /// The counting system.
    pub count: String,
    /// The gain as a part of the gain of perfect play.
    pub efficiency: f64,
    /// The standard error of `efficiency`.
    pub efficiency_error: f64,
    // simulated, since the count at a decision is that of the very cards in sight
    /// The simulated gain of a round of one unit over the chart of the full shoe.
    pub gain: f64,
    /// The standard error of `gain`.
    pub gain_error: f64,
    /// The number of index plays.
    pub index_plays: usize,
    /// The number of rounds simulated.
    pub rounds: u64,
}

/// Compares the play by all index plays of a count with perfect play of the sampled compositions.
pub fn playing_efficiency(
    choices: &Choices,
    sampled: &Sampled,
    asked: &SimulationOptions,
    tell: Tell<'_>,
) -> Result<PlayingEfficiency, Failure> {
    let found = work_out(choices, asked, tell)?;
    let chart = found.with_plays(None);
    let index_plays = chart.indices.len();
    let (by_count, count_error) = flat(choices, chart, asked)?;
    let (charted, chart_error) = flat(choices, found.chart, asked)?;
    let (gain, gain_error) = (by_count - charted, count_error.hypot(chart_error));
    let (playing, playing_error) = sampled.mean(|met| met.ev - met.insured - met.charted);
    let efficiency = if playing > 0.0 { gain / playing } else { 0.0 };
    Ok(PlayingEfficiency {
        count: found.by_count.system.name.clone(),
        index_plays,
        gain,
        gain_error,
        efficiency,
        efficiency_error: if playing > 0.0 {
            (gain_error / playing).hypot(efficiency * playing_error / playing)
        } else {
            0.0
        },
        rounds: ROUNDS,
    })
}

/// Returns the value of a round of one unit under a chart without insurance, and its standard error.
fn flat(choices: &Choices, mut chart: Chart, asked: &SimulationOptions) -> Result<(f64, f64), Failure> {
    chart.insurance = Take::Never;
    let asked = SimulationOptions { rounds: Some(ROUNDS), side_wagers: vec!["none".into()], ..asked.clone() };
    let ready = asked.ready_with(choices.clone(), chart, Stakes::default())?;
    let played = simulate(ready.program()?, &ready.options, Hooks::default()).map_err(Failure::Refused)?;
    let told = ready.outcome(&played).document.summary;
    Ok((told.ev, told.std_error))
}
