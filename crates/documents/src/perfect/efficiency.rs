//! Computes the playing efficiency of a count as Griffin defines it.
//!
//! The playing efficiency is the gain of the count's index plays as a fraction of the gain of perfect play.

use super::Sampled;
use crate::Failure;
use crate::indices::compute;
use crate::progress::OnStep;
use crate::simulate::SimulationOptions;
use program::chart::{Chart, Take};
use rules::Choices;
use serde::Serialize;
use sim::report::Stakes;
use sim::{Hooks, Progress, simulate};
use utoipa::ToSchema;

/// The default number of rounds for each of two simulations: one with the index plays and one without.
pub const ROUNDS: u64 = 200_000_000;

/// The gain from a count's index plays, compared with the gain from perfect play. Both gains exclude insurance.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PlayingEfficiency {
    /// The name of the counting system, or its tags.
    pub count: String,
    /// The gain from the index plays as a fraction of the gain from perfect play.
    pub efficiency: f64,
    /// The standard error of `efficiency`.
    pub efficiency_error: f64,
    // simulated, since the count at a decision is that of the very cards in sight
    /// The simulated gain of the index plays over the chart of the full shoe, in initial bets per round.
    pub gain: f64,
    /// The standard error of `gain`.
    pub gain_error: f64,
    /// The number of index plays.
    pub index_plays: usize,
    /// The number of rounds in each of two simulations: one with the index plays and one without.
    pub rounds: u64,
}

/// Compares the gain from a count's index plays with the gain from perfect play.
///
/// `on_step` gets the number of compositions solved for the index plays and their total; `show` gets the progress
/// of each simulation of `rounds` rounds.
pub fn playing_efficiency(
    choices: &Choices,
    sampled: &Sampled,
    asked: &SimulationOptions,
    on_step: OnStep<'_>,
    (rounds, show): (u64, &mut dyn FnMut(&Progress)),
) -> Result<PlayingEfficiency, Failure> {
    let found = compute(choices, asked, on_step)?;
    let chart = found.with_plays(None);
    let index_plays = chart.indices.len();
    let asked = SimulationOptions { rounds: Some(rounds), side_wagers: vec!["none".into()], ..asked.clone() };
    let (by_count, count_error) = flat(choices, chart, &asked, show)?;
    let (charted, chart_error) = flat(choices, found.chart, &asked, show)?;
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
        rounds,
    })
}

/// Returns the simulated EV of a round under a chart without insurance, and its standard error.
fn flat(
    choices: &Choices,
    mut chart: Chart,
    asked: &SimulationOptions,
    show: &mut dyn FnMut(&Progress),
) -> Result<(f64, f64), Failure> {
    chart.insurance = Take::Never;
    let ready = asked.ready_with(choices.clone(), chart, Stakes::default())?;
    let hooks = Hooks { progress: Some(show), ..Hooks::default() };
    let played = simulate(ready.program()?, &ready.options, hooks).map_err(Failure::Refused)?;
    let told = ready.outcome(&played).document.summary;
    Ok((told.ev, told.std_error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perfect::{PerfectOptions, compute as sample};
    use crate::progress::ignore_progress;

    /// Compares the efficiency of Hi-Lo with one deck to Griffin's figure of 0.51.
    #[test]
    fn hi_lo_plays_half_as_well_as_possible() {
        let mut choices = rules::preset::preset("nj-blackjack-reader").unwrap();
        rules::file::set(&mut choices, "decks=1").unwrap();
        let wanted = PerfectOptions { rounds: 96, seed: 1, min_bet: 1, max_bet: 12 };
        let sampled = sample(&choices, &wanted, &ignore_progress).unwrap();
        let asked = SimulationOptions {
            count: Some("hi-lo".into()),
            rounds: Some(20_000),
            ..SimulationOptions::default()
        };
        let mut show = |_: &Progress| ();
        let rounds = 10_000_000;
        let found =
            playing_efficiency(&choices, &sampled, &asked, &ignore_progress, (rounds, &mut show)).unwrap();
        assert!(
            (found.rounds, found.count.as_str()) == (rounds, "hi-lo") && found.index_plays > 20,
            "{found:?}"
        );
        let playing = sampled.mean(|met| met.ev - met.insured - met.charted).0;
        assert!((found.efficiency * playing - found.gain).abs() < 1e-12 && playing > 0.005, "{found:?}");
        assert!(found.gain > 4.0 * found.gain_error, "{found:?}");
        let apart = (found.efficiency - 0.51) / found.efficiency_error;
        assert!(apart.abs() < 4.0 && found.efficiency_error < 0.12, "{found:?}");
    }
}
