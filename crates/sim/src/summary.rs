//! Defines the summary of a run, in the form that other programs read.

use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The results of a simulation, in units of the initial bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Summary {
    /// The number of boxes played.
    pub boxes: usize,
    /// The results by count at the start of a round; absent if no cards were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by_count: Option<Vec<CountSummary>>,
    /// The average number of cards dealt in a round.
    pub cards_per_round: f64,
    /// The 95 % confidence interval of `ev`: its lower and upper end.
    pub confidence_95: [f64; 2],
    /// The processor time of all threads together, in seconds.
    pub cpu_seconds: f64,
    /// The names of the devices that played the run; absent if the processor played it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub devices: Option<Vec<String>>,
    /// The net results of a round, each with the fraction of rounds that had it.
    ///
    /// Net results are in initial bets, rounded down to halves.
    pub distribution: Vec<(f64, f64)>,
    /// The average loss as a fraction of the average total bet.
    pub element_of_risk: f64,
    /// The engine that played the rounds, or null for merged parts.
    #[schema(required)]
    pub engine: Option<&'static str>,
    /// The expected net win per initial bet.
    pub ev: f64,
    /// Whether every round began with a full shoe.
    pub fresh_shoes: bool,
    /// The number of hands per round, by ending.
    pub hands: Endings,
    /// The average number of hands in a round.
    pub hands_per_round: f64,
    /// The house edge: the average loss as a fraction of the initial bet.
    pub house_edge: f64,
    /// The average initial bet of a round, all boxes together.
    pub initial_wagers_per_round: f64,
    /// The instruction set that the processor used, or null for merged parts.
    #[schema(required)]
    pub instruction_set: Option<&'static str>,
    /// The results of insurance; absent if no insurance was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceSummary>,
    /// The hourly win and the risk of ruin, at the bets of the run.
    pub risk: Risk,
    /// The number of rounds played.
    pub rounds: u64,
    /// The number of rounds played per second of this run.
    pub rounds_per_second: f64,
    /// The average number of rounds in a shoe.
    pub rounds_per_shoe: f64,
    /// The time that the run took, in seconds.
    pub seconds: f64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of shoes dealt.
    pub shoes: u64,
    /// The results of the side bets.
    pub side_wagers: Vec<SideSummary>,
    /// The average total bet of a round.
    pub staked_per_round: f64,
    /// The standard deviation of a round's net win.
    pub std_dev: f64,
    /// The standard deviation of the net win in 100 rounds.
    pub std_dev_100: f64,
    /// The standard deviation of one bet's net win; absent if a box makes only one bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev_wager: Option<f64>,
    /// The standard error of `ev`.
    pub std_error: f64,
    /// The number of threads that played, or 0 for merged parts.
    pub threads: usize,
    /// The number of rounds that were void because the cards ran out.
    pub void_rounds: u64,
}

/// The results of a side bet, in units of the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideSummary {
    /// The results by the side bet's own count; absent if it has no count of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by_count: Option<Vec<SideCountSummary>>,
    /// The assumption about the player's decisions behind `exact_edge`; absent if none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exact_assumes: Option<&'static str>,
    /// The exact house edge of the bet, or null if it is not known.
    #[schema(required)]
    pub exact_edge: Option<f64>,
    /// The house edge of the bet in this simulation.
    pub house_edge: f64,
    /// The frequencies of the paytable lines.
    pub outcomes: Vec<LineSummary>,
    /// The results with bets by the side bet's own count; absent if it has no count of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stakes: Option<SideStakesSummary>,
    /// The standard deviation of a bet's net win, or null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_dev: f64,
    /// The standard error of `house_edge`, or null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_error: f64,
    /// The name of the side bet.
    pub wager: &'static str,
    /// The number of bets that were decided.
    pub wagers: u64,
}

/// The frequency of one paytable line, or of losing.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct LineSummary {
    /// The fraction of bets that ended on this line.
    pub frequency: f64,
    /// The name of the line's combination, or `lost`.
    pub outcome: &'static str,
}

/// The results of a side bet at one count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideCountSummary {
    /// The side bet's own count before the round.
    pub count: i32,
    /// The expected net win per unit of the side bet.
    pub ev: f64,
    /// The fraction of rounds that began at this count.
    pub frequency: f64,
    /// The bet at this count, in units of the side bet.
    pub stake: u32,
    /// The standard deviation of a round's net win.
    pub std_dev: f64,
    /// The standard error of `ev`, or null for a single round.
    #[schema(required)]
    pub std_error: Option<f64>,
}

/// The results of a side bet played with a count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideStakesSummary {
    /// The average bet of a round, in units of the side bet.
    pub average_stake: f64,
    /// The name of the counting system.
    pub count: String,
    /// The house edge of the bets made, or null if no bet was made.
    #[schema(required)]
    pub house_edge: Option<f64>,
    /// The number of rounds after which the expected win is one standard deviation, or null if no win is expected.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The standard deviation of the net win in 100 rounds.
    pub std_dev_100: f64,
    /// The fraction of rounds with a bet.
    pub wagered: f64,
    /// The average net win in 100 rounds.
    pub win_per_100: f64,
    /// The standard error of `win_per_100`.
    pub win_per_100_error: f64,
}

/// The results of insurance, at the bets of the ramp.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceSummary {
    /// The house edge of insurance, as a fraction of the insurance bet.
    pub house_edge: f64,
    /// The average net win of insurance per round of the run, in initial bets.
    pub net_per_round: f64,
    /// The number of rounds in which insurance was taken.
    pub rounds: u64,
}

/// The number of hands per round, by ending.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Endings {
    /// The hands with a blackjack.
    pub blackjack: Ways,
    /// The hands that busted.
    pub bust: Ways,
    /// The hands that stood.
    pub stood: Ways,
    /// The hands that were surrendered.
    pub surrendered: Ways,
}

/// The numbers of hands per round that won, pushed and lost.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Ways {
    /// The number of hands per round that lost.
    pub lose: f64,
    /// The number of hands per round that pushed.
    pub push: f64,
    /// The number of hands per round that won.
    pub win: f64,
}

/// The results of the rounds that began at one count.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct CountSummary {
    /// The count at which the rounds began.
    pub count: i32,
    /// The expected net win per initial bet.
    pub ev: f64,
    /// The fraction of rounds that began at this count.
    pub frequency: f64,
    /// The house edge of insurance at this count; absent if no insurance was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance_edge: Option<f64>,
    /// The bet at this count, in initial bets.
    pub stake: u32,
    /// The standard deviation of a round's net win, or null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_dev: f64,
    /// The standard error of `ev`, or null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_error: f64,
}

/// The hourly win and risk of ruin, if the net win is treated as a random walk with drift.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Risk {
    /// The accepted risk of ruin, as a probability.
    pub accepted_risk: f64,
    /// The assumed bankroll, in initial bets.
    pub bankroll: f64,
    /// The number of rounds after which the expected win or loss is one standard deviation.
    ///
    /// The number is null if the expected win is zero.
    #[schema(required)]
    pub n0: Option<f64>,
    /// The bankroll for the accepted risk of ruin, or null if no win is expected.
    #[schema(required)]
    pub required_bankroll: Option<f64>,
    /// The probability that the bankroll is lost sooner or later.
    pub risk_of_ruin: f64,
    /// The assumed number of rounds per hour.
    pub rounds_per_hour: f64,
    /// The standard deviation of the hourly net win.
    pub std_dev_per_hour: f64,
    /// The 5th, 25th, 50th, 75th and 95th percentiles of a trip's net win.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub trip_quantiles: BTreeMap<&'static str, f64>,
    /// The probability that the bankroll is lost during a trip.
    pub trip_risk_of_ruin: f64,
    /// The number of rounds in a trip.
    pub trip_rounds: f64,
    /// The expected hourly net win.
    pub win_per_hour: f64,
}
