//! The lab's tasks: how they are passed to a worker process, and how they are computed.

use super::Workbench;
use super::answers::{
    ActionValues, EdgeAnswer, InsuranceFigures, MainFigures, OptionEffect, SideFigures, SimulationState,
};
use crate::error::ErrorDetail;
use crate::wire::text_of;
use documents::strategy::StrategyCharts;
use exact::edge::{edge, effects};
use exact::ev::{Question, ev};
use exact::game::Strategy;
use exact::strategy::strategy;
use exact::table::Attacked;
use program::{CompileOptions, compile};
use rules::card::parse_cards;
use rules::{Rules, file, message};
use serde::{Deserialize, Serialize};
use sim::chunk::Job;
use sim::count::{Ramp, System};
use sim::report::{RunPerformance, Stakes, document};
use sim::{Hooks, Options, Progress, simulate};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A task for the lab: a question about one table.
///
/// The table is written as a table file, and cards are written as in a round file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Task {
    Edge { table: String },
    Effects { table: String },
    Strategy { table: String },
    Chart { table: String },
    Values { table: String, hand: String, other: String, up: String, removed: String, attacked: bool },
    Simulation { table: String, rounds: u64, seed: u64, count: Option<String>, ramp: Option<String> },
    Workbench { table: String, ask: Workbench },
}

/// The maximum number of rounds in one simulation on the CPU.
///
/// The limit keeps one simulation from occupying the CPU for long.
pub const MOST_ON_THE_PROCESSOR: u64 = 50_000_000;
/// The maximum number of rounds in one simulation on a GPU.
///
/// The limit keeps one simulation from occupying the GPU for long.
pub const MOST_ON_A_DEVICE: u64 = 100_000_000_000;

impl Task {
    /// Returns whether the task is a simulation with more rounds than the CPU may simulate.
    pub fn is_for_a_device(&self) -> bool {
        matches!(self, Task::Simulation { rounds, .. } if *rounds > MOST_ON_THE_PROCESSOR)
    }

    /// Returns the table file of a legal table, without the table's name.
    ///
    /// The name does not affect the figures.
    pub fn table(rules: &Rules) -> String {
        let mut choices = rules.choices().clone();
        choices.name.clear();
        file::show(&choices)
    }

    /// Returns whether the task takes long to compute, and so waits in the queue of long tasks.
    pub fn is_long(&self) -> bool {
        match self {
            Task::Effects { .. } | Task::Simulation { .. } => true,
            Task::Workbench { ask, .. } => ask.is_long(),
            _ => false,
        }
    }

    fn rules(&self) -> Result<Rules, ErrorDetail> {
        let (Task::Edge { table }
        | Task::Effects { table }
        | Task::Strategy { table }
        | Task::Chart { table }
        | Task::Values { table, .. }
        | Task::Simulation { table, .. }
        | Task::Workbench { table, .. }) = self;
        let choices = file::parse(table).map_err(|error| ErrorDetail::of(error.why()))?;
        let illegal = message!("not-a-legal-table", "not a legal table");
        Rules::new(choices).map_err(|_| ErrorDetail::of(illegal))
    }

    /// Computes the answer to the task as the text of a document.
    ///
    /// Returns an error with the reason if the task has no answer.
    pub fn work(
        &self,
        tell: &mut dyn FnMut(SimulationState),
        stop: &AtomicBool,
    ) -> Result<String, ErrorDetail> {
        let rules = self.rules()?;
        Ok(match self {
            Task::Workbench { ask, .. } => return ask.work(rules.choices().clone()),
            Task::Edge { .. } => text_of(&edge_report(&rules)),
            Task::Effects { .. } => text_of(&effects_report(&rules)),
            Task::Strategy { .. } => {
                text_of(&StrategyCharts::of(&strategy(&rules, &Strategy::TotalDependent)))
            }
            Task::Chart { .. } => strategy(&rules, &Strategy::TotalDependent).to_svg(),
            Task::Values { hand, other, up, removed, attacked, .. } => {
                let cards = |text: &str| parse_cards(text).map_err(|error| ErrorDetail::of(error.why()));
                let (hand, other, up, removed) = (cards(hand)?, cards(other)?, cards(up)?, cards(removed)?);
                let attacked = if *attacked { Attacked::Yes } else { Attacked::No };
                let question = Question { hand: &hand, other: &other, up: &up, removed: &removed, attacked };
                let answer = ev(&rules, &question).map_err(|refused| ErrorDetail::of(refused.0))?;
                text_of(&ActionValues::from(&answer))
            }
            Task::Simulation { rounds, seed, count, ramp, .. } => {
                let options = simulation((*rounds, *seed), count.as_deref(), ramp.as_deref());
                let options = options.map_err(no_value)?;
                return simulated(&rules, &options, tell, stop);
            }
        })
    }
}

/// Returns the error for a question that has no answer, with the reason `why` in English.
///
/// This function is for reasons that have no error code of their own.
pub(crate) fn no_value(why: String) -> ErrorDetail {
    ErrorDetail::of(message!("no-value", "this question has no answer")).in_english(why)
}

/// Returns the options for a simulation on one thread.
///
/// Returns an error if the counting system or the bet ramp cannot be parsed, or if a ramp has no counting system.
fn simulation(
    (rounds, seed): (u64, u64),
    count: Option<&str>,
    ramp: Option<&str>,
) -> Result<Options, String> {
    let (system, ramp) = (count.map(System::parse).transpose()?, ramp.map(Ramp::parse).transpose()?);
    if system.is_none() && ramp.is_some() {
        return Err("a bet ramp needs a count".to_owned());
    }
    Ok(Options { rounds, seed, threads: 1, system, ramp: ramp.unwrap_or_default(), ..Options::default() })
}

fn edge_report(rules: &Rules) -> EdgeAnswer {
    let insurance = side::insurance(rules).map(|insurance| InsuranceFigures {
        house_edge: insurance.house_edge,
        exact_edge: insurance.exact_edge.to_string(),
    });
    EdgeAnswer {
        main: MainFigures::from(&edge(rules, &Strategy::CompositionDependent)),
        side_wagers: side::side_wagers(rules).iter().map(SideFigures::from).collect(),
        insurance,
    }
}

fn effects_report(rules: &Rules) -> Vec<OptionEffect> {
    effects(rules, &Strategy::CompositionDependent).iter().map(OptionEffect::from).collect()
}

fn simulated(
    rules: &Rules,
    options: &Options,
    tell: &mut dyn FnMut(SimulationState),
    stop: &AtomicBool,
) -> Result<String, ErrorDetail> {
    let compile_options = CompileOptions { bets: program::side::offered(rules), stake: None };
    let program = compile(rules, &exact::offers::total_dependent_chart(rules), &compile_options)
        .map_err(|error| no_value(error.to_string()))?;
    let mut show = |p: &Progress| {
        tell(SimulationState {
            rounds: Some(p.rounds),
            of: p.of,
            seconds: Some(p.seconds),
            ev: Some(p.ev),
            std_error: Some(p.error),
            ..SimulationState::default()
        });
    };
    let mut devices = |job: &Job| match sim::device::registered(job, options) {
        none if none.is_empty() && options.rounds > MOST_ON_THE_PROCESSOR => Err(format!(
            "no GPU supports this table; the CPU limit is {} million rounds",
            MOST_ON_THE_PROCESSOR / 1_000_000
        )),
        devices => Ok(devices),
    };
    let hooks = Hooks {
        progress: Some(&mut show),
        stop: Some(stop),
        devices: Some(&mut devices),
        ..Hooks::default()
    };
    let results = simulate(program, options, hooks).map_err(no_value)?;
    let tally = &results.part.tally;
    let summary = document(&results.job, tally, &RunPerformance::of(&results), &Stakes::default(), &|_| None);
    let pictures: BTreeMap<String, String> = sim::plot::plots(&results.job, tally)
        .into_iter()
        .map(|picture| (picture.file.trim_end_matches(".svg").to_owned(), picture.svg()))
        .collect();
    Ok(text_of(&SimulationState {
        done: true,
        stopped: Some(results.stopped),
        result: serde_json::to_value(summary).ok(),
        pictures: Some(pictures),
        ..SimulationState::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the CPU refuses a very long run after the house has lost its GPU.
    #[test]
    fn only_a_device_plays_very_long_runs() {
        let choices = rules::preset::preset("nj-six-to-five").expect("a preset");
        let table = Task::table(&Rules::new(choices).expect("lawful"));
        let task =
            |rounds| Task::Simulation { table: table.clone(), rounds, seed: 1, count: None, ramp: None };
        assert!(task(MOST_ON_THE_PROCESSOR + 1).is_for_a_device() && !task(1_000).is_for_a_device());
        let mut tell = |_: SimulationState| ();
        let refused = task(MOST_ON_A_DEVICE).work(&mut tell, &AtomicBool::new(false)).unwrap_err();
        assert!(refused.message.ends_with("the CPU limit is 50 million rounds"), "{}", refused.message);
    }
}
