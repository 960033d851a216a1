//! What the lab answers: exact figures, charts, and how far a simulation is.

use crate::error::ErrorDetail;
use exact::edge::{EdgeReport, Effect};
use exact::ev::{Answer, Option_};
use exact::strategy::{ChartBox, Charts, Section};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use side::SideReport;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The exact house edge of a table and of every side bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EdgeAnswer {
    /// The figures of the main game.
    pub main: MainFigures,
    /// The side bets.
    pub side_wagers: Vec<SideFigures>,
    /// The figures of insurance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceFigures>,
}

/// The exact figures of the main game, per initial bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MainFigures {
    /// The expected value, in initial bets.
    pub ev: f64,
    /// The house edge: the average win of the house per initial bet.
    pub house_edge: f64,
    /// The unit that the figures are fractions of.
    per: String,
    /// The standard deviation, in initial bets.
    std_dev: f64,
    /// What the standard deviation refers to.
    std_dev_of: String,
    /// The house edge as a part of everything that is staked in a round.
    element_of_risk: f64,
    /// The average amount staked in a round, in initial bets.
    staked: f64,
    /// The outcomes with their probabilities.
    outcomes: BTreeMap<String, f64>,
    /// The share of each event.
    shares: BTreeMap<String, f64>,
    /// The strategy that is played.
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
    /// The bet's key: `main`, or a side bet.
    pub wager: String,
    /// The pay table.
    paytable: String,
    /// The house edge: the average win of the house per initial bet.
    pub house_edge: f64,
    /// The exact house edge as a fraction; null where it has none.
    #[schema(required)]
    exact_edge: Option<String>,
    /// The standard deviation, in initial bets.
    std_dev: f64,
    /// The outcomes with their probabilities.
    outcomes: Vec<SideOutcome>,
    /// The chance that the wager loses.
    loses: f64,
    /// Notes about the figures.
    notes: Vec<String>,
    /// The meaning of one bet; null if it is a single amount.
    #[schema(required)]
    stake: Option<String>,
}

/// An outcome of a side bet.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SideOutcome {
    /// The outcome in words.
    outcome: String,
    /// The probability.
    probability: f64,
    /// What the outcome pays.
    pays: String,
    /// The clause that says so.
    clause: String,
    /// The probability as a fraction; null where it has none.
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
    /// The house edge: the average win of the house per initial bet.
    pub house_edge: f64,
    /// The exact house edge as a fraction; null where it has none.
    pub exact_edge: String,
}

/// The effect of changing one option on the house edge.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionEffect {
    /// A key of the table file.
    key: String,
    /// The value.
    value: String,
    /// The house edge: the average win of the house per initial bet.
    house_edge: f64,
    /// The change of the house edge.
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

/// An action and its EV in initial bets.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ValuedAction {
    /// The action, by its key in a command.
    pub action: String,
    /// The expected value, in initial bets.
    pub ev: f64,
}

impl From<&Option_> for ValuedAction {
    fn from(option: &Option_) -> ValuedAction {
        ValuedAction { action: option.action.to_owned(), ev: option.ev }
    }
}

/// Returns the exact value of every legal action, best first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ActionValues {
    /// The legal actions.
    pub actions: Vec<ValuedAction>,
    /// The values of the actions on the other hand in Switch.
    pub other_actions: Vec<ValuedAction>,
    /// The values of keeping and of switching.
    pub switch: Vec<ValuedAction>,
    /// The EV of attacking and of passing.
    pub attack: Vec<ValuedAction>,
    /// The value of insurance; null where it is not offered.
    #[schema(required)]
    pub insurance: Option<f64>,
    /// The value of even money; null where it is not offered.
    #[schema(required)]
    pub even_money: Option<f64>,
    /// The chance that the dealer has a blackjack.
    pub dealer_blackjack: f64,
}

impl From<&Answer> for ActionValues {
    fn from(answer: &Answer) -> ActionValues {
        let list = |options: &[Option_]| options.iter().map(ValuedAction::from).collect();
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

/// A table's strategy as charts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StrategyAnswer {
    /// The name of the table.
    table: String,
    /// The strategy that is played.
    strategy: String,
    /// Whether even money is taken; absent where it is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    even_money: Option<bool>,
    /// The dealer's cards, in the order of the cells.
    columns: Vec<String>,
    /// The strategy charts.
    charts: Vec<StrategyChart>,
}

/// A chart: one row per hand, one cell per upcard.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StrategyChart {
    /// The name of the chart.
    chart: String,
    /// The meaning of the letters.
    legend: String,
    /// The rows of the chart.
    rows: Vec<ChartRow>,
}

/// A row of a chart.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChartRow {
    /// The player's hand.
    row: String,
    /// A cell for each card of the dealer's.
    cells: Vec<ChartCell>,
}

/// The play in one cell of a chart.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChartCell {
    /// The action, by its key in a command.
    action: String,
    /// The value of the best action; null where it was not worked out.
    #[schema(required)]
    ev: Option<f64>,
    /// The second best action; null where there is none.
    #[schema(required)]
    second: Option<String>,
    /// The loss from taking the second best action.
    #[schema(required)]
    loss: Option<f64>,
    /// Hands for which another action is better.
    exceptions: Vec<String>,
}

impl From<&Charts> for StrategyAnswer {
    fn from(charts: &Charts) -> StrategyAnswer {
        let known = |number: f64| Some(number).filter(|number| number.is_finite());
        let cell = |cell: &ChartBox| ChartCell {
            action: cell.action.clone(),
            ev: known(cell.ev),
            second: cell.second.clone(),
            loss: known(cell.loss),
            exceptions: cell.exceptions.clone(),
        };
        let row = |row: &exact::strategy::ChartRow| ChartRow {
            row: row.label.clone(),
            cells: row.boxes.iter().map(cell).collect(),
        };
        let chart = |section: &Section| StrategyChart {
            chart: section.title.clone(),
            legend: section.legend.to_owned(),
            rows: section.rows.iter().map(row).collect(),
        };
        StrategyAnswer {
            table: charts.table.clone(),
            strategy: charts.strategy.to_owned(),
            even_money: charts.even_money,
            columns: charts.columns.clone(),
            charts: charts.sections.iter().map(chart).collect(),
        }
    }
}

/// The progress or result of a simulation.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct SimulationState {
    /// The number of the simulation.
    #[serde(default)]
    #[schema(required)]
    pub id: u64,
    /// Whether the simulation is finished.
    pub done: bool,
    /// How many rounds are played by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rounds: Option<u64>,
    /// How many rounds were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub of: Option<u64>,
    /// How long the calculation took, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seconds: Option<f64>,
    /// The expected value, in initial bets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ev: Option<f64>,
    /// The standard error of the mean, in initial bets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_error: Option<f64>,
    /// Why the simulation failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub failed: Option<String>,
    /// Why the simulation failed, with its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub failure: Option<ErrorDetail>,
    /// Whether the simulation was stopped before it had played all rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stopped: Option<bool>,
    /// The result of the simulation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<SimulationResult>)]
    pub result: Option<Value>,
    /// Pictures as SVG, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pictures: Option<BTreeMap<String, String>>,
}

/// The result of a simulation; it has more figures than this schema names.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SimulationResult {
    /// How many rounds.
    rounds: u64,
    /// The expected value, in initial bets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ev: Option<f64>,
    /// The house edge: the average win of the house per initial bet.
    house_edge: f64,
    /// The standard error of the mean, in initial bets.
    std_error: f64,
    /// The standard deviation, in initial bets.
    std_dev: f64,
    /// How many rounds were simulated each second.
    rounds_per_second: f64,
    /// The average number of hands in a round.
    hands_per_round: f64,
    /// The average number of cards that a round uses.
    cards_per_round: f64,
    /// The side bets as they came out.
    side_wagers: Vec<SimulatedWager>,
    /// Each result and its share of all rounds.
    distribution: Vec<Vec<f64>>,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

/// A side bet's simulated results.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SimulatedWager {
    /// The bet's key: `main`, or a side bet.
    wager: String,
    /// The house edge: the average win of the house per initial bet.
    house_edge: f64,
    /// The standard error of the mean, in initial bets.
    std_error: f64,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}
