//! The summary of a run, as programs read it.

use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The results of a simulation, in units of the initial bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Summary {
    /// The boxes played.
    pub boxes: usize,
    /// The results at each count, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by_count: Option<Vec<CountSummary>>,
    /// The cards of a round.
    pub cards_per_round: f64,
    /// The range that has the EV with a probability of 95 percent.
    pub confidence_95: [f64; 2],
    /// The processor time of all threads together.
    pub cpu_seconds: f64,
    /// The devices that played, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub devices: Option<Vec<String>>,
    /// Net results, in initial bets rounded down to halves, each with its fraction of rounds.
    pub distribution: Vec<(f64, f64)>,
    /// The house edge in units of the average total bet.
    pub element_of_risk: f64,
    /// What played the rounds; null for merged parts.
    #[schema(required)]
    pub engine: Option<&'static str>,
    /// The EV of an initial bet.
    pub ev: f64,
    /// Whether every round began with a full shoe.
    pub fresh_shoes: bool,
    /// How hands ended, per round.
    pub hands: Endings,
    /// The hands of a round.
    pub hands_per_round: f64,
    /// The house edge.
    pub house_edge: f64,
    /// The initial bets of a round, all boxes together.
    pub initial_wagers_per_round: f64,
    /// The instructions that the processor was given; null for merged parts.
    #[schema(required)]
    pub instruction_set: Option<&'static str>,
    /// Insurance, if it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceSummary>,
    /// The risk of these bets.
    pub risk: Risk,
    /// The rounds played.
    pub rounds: u64,
    /// The rounds played in a second of this run.
    pub rounds_per_second: f64,
    /// The rounds of a shoe.
    pub rounds_per_shoe: f64,
    /// The time that the run took.
    pub seconds: f64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The shoes dealt.
    pub shoes: u64,
    /// The side bets.
    pub side_wagers: Vec<SideSummary>,
    /// The total bet of a round.
    pub staked_per_round: f64,
    /// The standard deviation of a round.
    pub std_dev: f64,
    /// The standard deviation of a hundred rounds.
    pub std_dev_100: f64,
    /// The standard deviation of one bet, where a box makes several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev_wager: Option<f64>,
    /// The standard error of `ev`.
    pub std_error: f64,
    /// The threads that played; 0 for merged parts.
    pub threads: usize,
    /// The rounds that were void because the cards ran out.
    pub void_rounds: u64,
}

/// The results of a side bet, in units of the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideSummary {
    /// The results by the side bet's own count, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by_count: Option<Vec<SideCountSummary>>,
    /// What the exact edge assumes, if the player may do otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exact_assumes: Option<&'static str>,
    /// The exact house edge; null if it is not known.
    #[schema(required)]
    pub exact_edge: Option<f64>,
    /// The house edge.
    pub house_edge: f64,
    /// How often each line was paid.
    pub outcomes: Vec<LineSummary>,
    /// The results of bets by that count, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stakes: Option<SideStakesSummary>,
    /// The standard deviation; null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_dev: f64,
    /// The standard error of `house_edge`; null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_error: f64,
    /// The side bet.
    pub wager: &'static str,
    /// The number of bets.
    pub wagers: u64,
}

/// How often a line of a paytable was paid.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct LineSummary {
    /// The fraction of bets.
    pub frequency: f64,
    /// The line.
    pub outcome: &'static str,
}

/// A side bet at a count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideCountSummary {
    /// The count.
    pub count: i32,
    /// The EV of the bet.
    pub ev: f64,
    /// The fraction of rounds.
    pub frequency: f64,
    /// The bet at this count.
    pub stake: u32,
    /// The standard deviation of a round.
    pub std_dev: f64,
    /// The standard error of `ev`; null for a single round.
    #[schema(required)]
    pub std_error: Option<f64>,
}

/// The results of betting a side bet by a count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideStakesSummary {
    /// The average bet of a round.
    pub average_stake: f64,
    /// The counting system.
    pub count: String,
    /// The house edge of these bets; null if none was made.
    #[schema(required)]
    pub house_edge: Option<f64>,
    /// The rounds after which the win is one standard deviation; null if nothing is won.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The standard deviation of a hundred rounds.
    pub std_dev_100: f64,
    /// The fraction of rounds with a bet.
    pub wagered: f64,
    /// The win in a hundred rounds.
    pub win_per_100: f64,
    /// The standard error of `win_per_100`.
    pub win_per_100_error: f64,
}

/// The results of insurance, at the bets of the ramp.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceSummary {
    /// The house edge, in units of the bet.
    pub house_edge: f64,
    /// The net win per round of all, in initial bets.
    pub net_per_round: f64,
    /// The rounds with insurance.
    pub rounds: u64,
}

/// How hands ended.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Endings {
    /// Hands with a blackjack.
    pub blackjack: Ways,
    /// Hands that busted.
    pub bust: Ways,
    /// Hands that stood.
    pub stood: Ways,
    /// Hands that were surrendered.
    pub surrendered: Ways,
}

/// Wins, pushes and losses, per round.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Ways {
    /// Hands that lost.
    pub lose: f64,
    /// Hands that pushed.
    pub push: f64,
    /// Hands that won.
    pub win: f64,
}

/// The results at a count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct CountSummary {
    /// The count.
    pub count: i32,
    /// The EV of a unit.
    pub ev: f64,
    /// The fraction of rounds.
    pub frequency: f64,
    /// The house edge of insurance at this count, if it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance_edge: Option<f64>,
    /// The bet at this count, in units.
    pub stake: u32,
    /// The standard deviation of a round; null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_dev: f64,
    /// The standard error of `ev`; null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_error: f64,
}

/// N0, the hourly win, and the risk of ruin by the usual formulas for a random walk with drift.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Risk {
    /// The accepted risk of ruin.
    pub accepted_risk: f64,
    /// The bankroll assumed, in initial bets.
    pub bankroll: f64,
    /// The rounds after which the expected win or loss is one standard deviation; null if it is zero.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The bankroll that has this risk; null if nothing is won.
    #[schema(required)]
    pub required_bankroll: Option<f64>,
    /// The chance that the bankroll is lost sooner or later.
    pub risk_of_ruin: f64,
    /// The pace assumed.
    pub rounds_per_hour: f64,
    /// The standard deviation of an hour.
    pub std_dev_per_hour: f64,
    /// The result of a trip at the quantiles 5, 25, 50, 75 and 95.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub trip_quantiles: BTreeMap<&'static str, f64>,
    /// The chance that the bankroll is lost during a trip.
    pub trip_risk_of_ruin: f64,
    /// The rounds of a trip.
    pub trip_rounds: f64,
    /// The win in an hour.
    pub win_per_hour: f64,
}
