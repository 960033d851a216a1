//! The answers of the lab: exact figures, charts, and the progress and results of simulations.

use crate::error::ErrorDetail;
use exact::edge::{EdgeReport, Effect};
use exact::ev::{ActionEv, Answer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use side::SideReport;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The exact figures of a table: the main game, the side bets and insurance.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EdgeAnswer {
    /// The figures of the main game.
    pub main: MainFigures,
    /// The exact figures of the side bets.
    pub side_wagers: Vec<SideFigures>,
    /// The figures of insurance; absent if the table does not offer insurance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceFigures>,
}

/// The exact figures of the main game, per initial bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MainFigures {
    /// The player's expected net win, in initial bets.
    pub ev: f64,
    /// The house's average win, in initial bets.
    pub house_edge: f64,
    /// What the figures are stated per: `initial wager`.
    per: String,
    /// The standard deviation, in initial bets.
    std_dev: f64,
    /// What the standard deviation is measured over: `a round`, or `one wager` in Multiple Action.
    std_dev_of: String,
    /// The house edge as a fraction of the average amount staked in a round.
    element_of_risk: f64,
    /// The average amount staked in a round, in initial bets.
    staked: f64,
    /// The expected number of hands per round that end in each way, keyed by outcome; `busted` hands are also
    /// `lost`.
    outcomes: BTreeMap<String, f64>,
    /// The fraction of rounds in which each kind of decision is taken, keyed by the decision, such as a split.
    shares: BTreeMap<String, f64>,
    /// The name of the strategy that the figures assume.
    strategy: String,
    /// How long the calculation took, in seconds.
    seconds: f64,
}

impl From<&EdgeReport> for MainFigures {
    fn from(main: &EdgeReport) -> MainFigures {
        let pairs = |rows: &[(&'static str, f64)]| {
            rows.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        MainFigures {
            ev: main.ev,
            house_edge: main.house_edge,
            per: "initial wager".to_owned(),
            std_dev: main.std_dev,
            std_dev_of: main.std_dev_of.to_owned(),
            element_of_risk: main.element_of_risk,
            staked: main.staked,
            outcomes: pairs(&main.outcomes),
            shares: pairs(&main.shares),
            strategy: main.strategy.to_owned(),
            seconds: main.seconds + main.spread_seconds,
        }
    }
}

/// The exact figures of a side bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SideFigures {
    /// The side bet's key, such as `same-suit`.
    pub wager: String,
    /// The name of the paytable.
    paytable: String,
    /// The house's average win as a fraction of the bet.
    pub house_edge: f64,
    /// The exact house edge as a fraction; null if no exact fraction is known.
    #[schema(required)]
    exact_edge: Option<String>,
    /// The standard deviation, as a fraction of the bet.
    std_dev: f64,
    /// The winning outcomes, best first.
    outcomes: Vec<SideOutcome>,
    /// The probability that the bet loses.
    loses: f64,
    /// Notes about the figures, in English.
    notes: Vec<String>,
    /// The denomination of the bet, where the regulation pays several denominations separately; otherwise null.
    #[schema(required)]
    stake: Option<String>,
}

/// A winning outcome of a side bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SideOutcome {
    /// The winning outcome, in words.
    outcome: String,
    /// The probability of the outcome.
    probability: f64,
    /// What the outcome pays, in words.
    pays: String,
    /// The citation of the clause that prescribes the payout.
    clause: String,
    /// The exact probability as a fraction; null if no exact fraction is known.
    #[schema(required)]
    exact: Option<String>,
}

impl From<&SideReport> for SideFigures {
    fn from(report: &SideReport) -> SideFigures {
        let outcome = |of: &side::SideOutcome| SideOutcome {
            outcome: of.outcome.clone(),
            probability: of.probability,
            pays: of.pays.clone(),
            clause: of.by.citation().to_owned(),
            exact: of.exact.as_ref().map(ToString::to_string),
        };
        SideFigures {
            wager: report.wager().to_owned(),
            paytable: report.paytable.to_owned(),
            house_edge: report.house_edge,
            exact_edge: report.exact_edge.as_ref().map(ToString::to_string),
            std_dev: report.std_dev,
            outcomes: report.outcomes.iter().map(outcome).collect(),
            loses: report.loses,
            notes: report.notes.clone(),
            stake: report.stake.map(|stake| stake.to_string()),
        }
    }
}

/// The exact figures of insurance.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InsuranceFigures {
    /// The house's average win as a fraction of the insurance bet.
    pub house_edge: f64,
    /// The exact house edge as a fraction.
    pub exact_edge: String,
}

/// The effect of changing one table option on the house edge.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionEffect {
    /// The key of the changed option in the table file.
    key: String,
    /// The value to which the option is changed.
    value: String,
    /// The house edge with the changed option, in initial bets.
    house_edge: f64,
    /// The house edge that the changed option adds, in initial bets.
    change: f64,
}

impl From<&Effect> for OptionEffect {
    fn from(effect: &Effect) -> OptionEffect {
        OptionEffect {
            key: effect.key.clone(),
            value: effect.value.clone(),
            house_edge: effect.house_edge,
            change: effect.change,
        }
    }
}

/// An action and its expected value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ValuedAction {
    /// The key of the action, as in a command.
    pub action: String,
    /// The expected value of the action, in initial bets.
    pub ev: f64,
}

impl From<&ActionEv> for ValuedAction {
    fn from(option: &ActionEv) -> ValuedAction {
        ValuedAction { action: option.action.to_owned(), ev: option.ev }
    }
}

/// The exact expected values of the actions that the player may take, per initial bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ActionValues {
    /// The legal actions on the hand, best first.
    pub actions: Vec<ValuedAction>,
    /// In Blackjack Switch, the legal actions on the box's other hand, best first.
    ///
    /// Empty in other games.
    pub other_actions: Vec<ValuedAction>,
    /// In Blackjack Switch, the values of keeping the cards and of switching them.
    ///
    /// Empty in other games.
    pub switch: Vec<ValuedAction>,
    /// The values of making and of declining the next attack bet; empty if no attack bet is offered.
    pub attack: Vec<ValuedAction>,
    /// The expected net win of one unit of insurance; null if insurance is not offered.
    #[schema(required)]
    pub insurance: Option<f64>,
    /// The expected net win of taking even money, in initial bets; null if even money is not offered.
    #[schema(required)]
    pub even_money: Option<f64>,
    /// The probability that the dealer has a blackjack, given the visible cards.
    pub dealer_blackjack: f64,
}

impl From<&Answer> for ActionValues {
    fn from(answer: &Answer) -> ActionValues {
        let list = |options: &[ActionEv]| options.iter().map(ValuedAction::from).collect();
        ActionValues {
            actions: list(&answer.actions),
            other_actions: list(&answer.other_actions),
            switch: list(&answer.switch),
            attack: list(&answer.attack),
            insurance: answer.insurance,
            even_money: answer.even_money,
            dealer_blackjack: answer.dealer_blackjack,
        }
    }
}

/// The progress or result of a simulation.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct SimulationState {
    /// The number that identifies the simulation.
    #[serde(default)]
    #[schema(required)]
    pub id: u64,
    /// Whether the simulation is finished.
    pub done: bool,
    /// The number of rounds simulated so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rounds: Option<u64>,
    /// The number of rounds requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub of: Option<u64>,
    /// How long the simulation has run, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seconds: Option<f64>,
    /// The player's average net win so far, in initial bets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ev: Option<f64>,
    /// The standard error of `ev`, in initial bets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_error: Option<f64>,
    /// Why the simulation failed, in English; absent if it did not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub failed: Option<String>,
    /// Why the simulation failed, with an error code; absent if it did not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub failure: Option<ErrorDetail>,
    /// Whether the simulation was stopped before it had played all rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stopped: Option<bool>,
    /// The result of the simulation; absent until it is finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<SimulationResult>)]
    pub result: Option<Value>,
    /// Map from a plot's name to its SVG; absent until the simulation finishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pictures: Option<BTreeMap<String, String>>,
}

/// The result of a simulation.
///
/// The result has more figures than this schema lists.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SimulationResult {
    /// The number of rounds simulated.
    rounds: u64,
    /// The player's average net win, in initial bets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ev: Option<f64>,
    /// The house's average win, in initial bets.
    house_edge: f64,
    /// The standard error of the average net win, in initial bets.
    std_error: f64,
    /// The standard deviation of the net win, in initial bets.
    std_dev: f64,
    /// How many rounds were simulated each second.
    rounds_per_second: f64,
    /// The average number of hands in a round.
    hands_per_round: f64,
    /// The average number of cards that a round uses.
    cards_per_round: f64,
    /// The simulated results of the side bets.
    side_wagers: Vec<SimulatedWager>,
    /// Pairs of a net result and the share of all rounds that end with this net result.
    ///
    /// The net result is in initial bets, rounded down to a multiple of one half.
    distribution: Vec<Vec<f64>>,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

/// The simulated results of a side bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SimulatedWager {
    /// The side bet's key, such as `same-suit`.
    wager: String,
    /// The house's average win as a fraction of the bet.
    house_edge: f64,
    /// The standard error of the house edge, as a fraction of the bet.
    std_error: f64,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}
