//! Finds the strategies that the solver can value, by name or from a file.

use crate::Failure;
use crate::load::read_chart;
use crate::stamp::StrategyUsed;
use exact::game::Strategy;
use exact::given::CompleteChart;
use rules::Choices;

/// The name of each strategy that the solver knows, and its description.
pub const PLAYS: [(&str, &str); 4] = [
    ("composition-dependent", "Best for the exact cards; split hands are played as if dealt (CDZ-)"),
    ("cdp1", "Split hands are played best for one split (CDP1)"),
    ("cdp", "Split hands are played best for the pair cards seen (CDP)"),
    ("total-dependent", "Best by total only"),
];

/// Returns the solver's strategy named `name`, or `None` if no strategy has this name.
pub fn named(name: &str) -> Option<Strategy> {
    let plays = [
        Strategy::CompositionDependent,
        Strategy::AfterFirstSplit,
        Strategy::AfterPairsSeen,
        Strategy::TotalDependent,
    ];
    PLAYS.iter().zip(plays).find(|(play, _)| play.0 == name).map(|(_, play)| play)
}

/// Returns the strategy named `name`, or else the strategy in the chart file at the path `name`.
///
/// Returns an error if the file is not a chart, or if the chart leaves a hand undecided.
pub fn strategy(choices: &Choices, name: &str) -> Result<Strategy, Failure> {
    if let Some(play) = named(name) {
        return Ok(play);
    }
    let given = CompleteChart::new(choices, read_chart(name)?);
    given
        .map(|given| Strategy::Given(Box::new(given)))
        .map_err(|error| Failure::Refused(format!("{name}: {error}")))
}

/// Returns a strategy as documents state it: by name, or as a whole chart if the user supplied it.
pub fn provenance(strategy: &Strategy) -> StrategyUsed {
    StrategyUsed::Named(match strategy {
        Strategy::Given(given) => return StrategyUsed::chart(given.chart()),
        Strategy::CompositionDependent => PLAYS[0].0,
        Strategy::AfterFirstSplit => PLAYS[1].0,
        Strategy::AfterPairsSeen => PLAYS[2].0,
        Strategy::TotalDependent => PLAYS[3].0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_play_is_told_by_the_name_it_is_asked_by() {
        for (name, _) in PLAYS {
            assert_eq!(provenance(&named(name).unwrap()), StrategyUsed::Named(name));
        }
        assert_eq!(named("best"), None);
    }
}
