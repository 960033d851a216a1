//! Defines the math report of a table as a document.

use crate::Stamped;
use crate::edge::BreakEvenMeter;
use crate::report_round::RoundResults;
use crate::stamp::sorted;
use crate::strategy::StrategyCharts;
use crate::subject::Violations;
use crate::tables::TableFile;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The math report of a table with its provenance.
pub type StampedReport = Stamped<Report>;

/// The math report of a table: its rules with their clauses, every bet with every outcome, and the assumed rulings.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Report {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The total-dependent strategy charts.
    #[serde(serialize_with = "sorted")]
    pub charts: StrategyCharts,
    /// The filing data and the method of every figure.
    pub filing: Filing,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The keys of the table file that apply to the table.
    pub rules: Vec<RuleInForce>,
    /// The rulings that apply to the table.
    pub rulings: Vec<AssumedRuling>,
    /// The time taken to solve the main game, in seconds.
    pub seconds: f64,
    /// The table as a table file, with every key written out.
    pub table: TableFile,
    /// The comparison with a simulation; absent if none was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verified: Option<Verified>,
    /// The bets: the main game, the side bets, and insurance if the table offers it.
    pub wagers: Vec<WagerReport>,
}

/// The filing data of a report, and how its figures were computed.
///
/// A report that is not filed has only the method.
#[derive(Clone, PartialEq, Serialize, ToSchema, Default, Debug)]
pub struct Filing {
    /// The name of the report's author; absent if it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub author: Option<String>,
    /// The date of the report, such as `2026-01-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    pub date: Option<String>,
    /// The document number; absent if it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub document: Option<String>,
    /// How the figures were computed.
    pub method: Vec<Method>,
    /// The SHA-256 of the program file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    pub program_sha256: Option<String>,
    /// The SHA-256 of the table file with every key written out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    pub table_sha256: Option<String>,
}

/// How some figures of a report were computed.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Method {
    /// Whether the figures are exact.
    pub exact: bool,
    /// How the figures were computed, in words, with the size of the error where it is known.
    pub how: String,
    /// The name of the figures.
    pub of: &'static str,
}

/// A key of the table file that applies to the table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RuleInForce {
    /// The meaning of the key, with the clauses about it in every text.
    pub about: &'static str,
    /// The clauses about the key in the table's own regulation.
    pub clauses: Vec<String>,
    /// The name of the key.
    pub key: &'static str,
    /// The clause that permits the key's value; null if no clause names the value.
    #[schema(required)]
    pub permitted_by: Option<&'static str>,
    /// The value of the key, as in the table file.
    pub value: Value,
}

/// A ruling that applies to the table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct AssumedRuling {
    /// The question that the ruling answers.
    pub about: &'static str,
    /// The assumed reading.
    pub assumed: &'static str,
    /// The clause that can be read in more than one way.
    pub clause: &'static str,
    /// The effects of all other readings.
    pub others: Vec<OtherRuling>,
    /// The name of the ruling.
    pub ruling: &'static str,
}

/// What another reading of a clause would change.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct OtherRuling {
    /// The changes of house edge, for each bet that depends on the ruling.
    pub changes: Vec<EdgeChange>,
    /// The other reading.
    pub reading: &'static str,
}

/// The change of a bet's house edge under another reading.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct EdgeChange {
    /// The house edge under the other reading minus the reported house edge.
    pub change: f64,
    /// The name of the bet.
    pub wager: &'static str,
}

/// The figures of one bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(remote = "Self")]
pub struct WagerReport {
    /// The figures that every bet has.
    #[serde(flatten)]
    pub figures: WagerFigures,
    /// The figures that only the main game has, or only the other bets.
    #[serde(flatten)]
    pub more: MoreFigures,
}

/// Serializes all figures as one object, with keys in alphabetical order.
impl Serialize for WagerReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told = WagerReport::serialize(self, serde_json::value::Serializer).map_err(S::Error::custom)?;
        told.serialize(serializer)
    }
}

impl WagerReport {
    /// Returns the figures of the main game, or `None` for another bet.
    pub fn main(&self) -> Option<&MainGame> {
        match &self.more {
            MoreFigures::Main(main) => Some(main),
            MoreFigures::Other(_) => None,
        }
    }

    /// Returns the figures that only a side bet or insurance has, or `None` for the main game.
    pub fn other(&self) -> Option<&OtherBet> {
        match &self.more {
            MoreFigures::Main(_) => None,
            MoreFigures::Other(other) => Some(other),
        }
    }
}

/// The figures that every bet has, per unit bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct WagerFigures {
    /// The probability that the bet wins; for the main game, the fraction of hands that win.
    pub hit_frequency: f64,
    /// The house edge.
    pub house_edge: f64,
    /// The 95 % confidence intervals of the return after several numbers of rounds.
    pub intervals: Vec<ReturnInterval>,
    /// Every outcome of the bet.
    pub outcomes: Vec<WagerOutcome>,
    /// The unit of the figures: `initial wager` or `wager`.
    pub per: &'static str,
    /// The return to player, 1 minus the house edge.
    #[serde(rename = "return")]
    pub returned: f64,
    /// The standard deviation of the net win.
    pub std_dev: f64,
    /// The variance of the net win.
    pub variance: f64,
    /// The volatility index: 1.645 standard deviations.
    pub volatility_index: f64,
    /// The name of the bet: `main`, `insurance` or that of a side bet.
    pub wager: &'static str,
}

/// The figures that only the main game has, or only the other bets.
#[derive(Clone, PartialEq, Serialize, Debug)]
#[serde(untagged)]
pub enum MoreFigures {
    Main(Box<MainGame>),
    Other(OtherBet),
}

/// Describes one object with the figures of both, none of them required: clients read a bet as one type.
impl PartialSchema for MoreFigures {
    fn schema() -> RefOr<Schema> {
        match (MainGame::schema(), OtherBet::schema()) {
            (RefOr::T(Schema::Object(mut all)), RefOr::T(Schema::Object(other))) => {
                all.properties.extend(other.properties);
                all.required.clear();
                all.description =
                    Some("The figures that only the main game has, or only the other bets.".into());
                all.into()
            }
            (main, _) => main,
        }
    }
}

impl ToSchema for MoreFigures {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        MainGame::schemas(schemas);
        OtherBet::schemas(schemas);
    }
}

/// The figures that only the main game has, in units of the initial bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct MainGame {
    /// The figures under the total-dependent charts.
    pub by_totals: ByTotals,
    /// The house edge divided by the average total bet of a round.
    pub element_of_risk: f64,
    /// The expected number of hands per round, by result. `busted` hands are also `lost`.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub hands: BTreeMap<&'static str, f64>,
    /// What the hit frequency refers to.
    pub hit_frequency_of: &'static str,
    /// The house edges of well-known strategies.
    pub plays: Vec<WellKnownPlay>,
    /// The net win of a whole round; absent if its distribution cannot be computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub round: Option<RoundResults>,
    /// Map from player options, such as doubling, to the fraction of rounds in which they are used.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub shares: BTreeMap<&'static str, f64>,
    /// The spread of a round for each number of bets; absent if a round has one bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spreads: Option<Vec<SpreadOfBets>>,
    /// The average total bet per round, in initial bets.
    pub staked: f64,
    /// What `std_dev` and `variance` refer to.
    pub std_dev_of: &'static str,
    /// The name of the evaluated strategy.
    pub strategy: &'static str,
}

/// The figures of the main game under the total-dependent charts.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema, Debug)]
pub struct ByTotals {
    /// The house edge.
    pub house_edge: f64,
    /// The variance of a round.
    pub variance: f64,
}

/// The value of a well-known strategy.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct WellKnownPlay {
    /// The house edge.
    pub house_edge: f64,
    /// What the player does, in words.
    pub how: &'static str,
    /// The name of the strategy.
    pub play: &'static str,
    /// The return to player.
    #[serde(rename = "return")]
    pub returned: f64,
}

/// The spread of a round with several bets, each against its own dealer hand, per unit bet.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema, Debug)]
pub struct SpreadOfBets {
    /// The number of bets.
    pub bets: usize,
    /// The standard deviation of the net win of all bets together.
    pub std_dev: f64,
    /// The variance of the net win of all bets together.
    pub variance: f64,
}

/// The figures that only a side bet or insurance has.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct OtherBet {
    /// The meter or award at which the bet is fair; absent if the bet has neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub break_even: Option<BreakEvenMeter>,
    /// The house edge as an exact fraction; null if it is known only in decimals.
    #[schema(required)]
    pub exact_edge: Option<String>,
    /// Notes on how to read the figures.
    pub notes: Vec<String>,
    /// The name of the paytable; absent for insurance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub paytable: Option<&'static str>,
    /// The denomination of the bet in dollars; absent unless the regulation sets payouts by denomination.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stake: Option<String>,
}

/// A 95 % confidence interval of the return to player.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema, Debug)]
pub struct ReturnInterval {
    /// The upper end.
    pub high: f64,
    /// The lower end.
    pub low: f64,
    /// The number of rounds played.
    pub rounds: u64,
}

/// One outcome of a bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct WagerOutcome {
    /// The clause that sets the payout; absent if no single clause does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub clause: Option<&'static str>,
    /// The probability times the net win.
    pub contribution: f64,
    /// The net win, in units of the bet.
    pub net: f64,
    /// The name of the outcome.
    pub outcome: String,
    /// The payout, in words.
    pub pays: String,
    /// The probability of the outcome.
    #[schema(minimum = 0, maximum = 1.000001)]
    pub probability: f64,
    /// The probability as an exact fraction; null if it is known only in decimals.
    #[schema(required, pattern = "^-?[0-9]+/[0-9]+$")]
    pub ways: Option<String>,
}

/// The comparison of exact figures with a simulation.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Verified {
    /// The net results of a round, each with the fraction of rounds that had it.
    ///
    /// Net results are in initial bets, rounded down to halves.
    #[schema(value_type = Vec<Vec<f64>>)]
    pub distribution: Vec<(f64, f64)>,
    /// The engine that played the rounds.
    #[schema(required)]
    pub engine: Option<&'static str>,
    /// The test of the net results of whole rounds; null if their exact distribution is not known.
    #[schema(required)]
    pub net_result: Option<ChiSquare>,
    /// The number of rounds played.
    pub rounds: u64,
    /// The fraction of rounds that won.
    pub rounds_won: f64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The shoes from which rounds were dealt: `fresh`, a full shoe for every round.
    pub shoes: &'static str,
    /// The simulated standard deviation of a round.
    pub std_dev: f64,
    /// The strategy that was played: `total-dependent`.
    pub strategy: &'static str,
    /// The variance of a round.
    pub variance: VerifiedVariance,
    /// The house edge of every bet.
    pub wagers: Vec<VerifiedWager>,
    /// The figures of whole shoes; null if every round of the game is dealt from a full shoe.
    #[schema(required)]
    pub whole_shoes: Option<WholeShoes>,
}

/// The simulated and exact house edges of a bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct VerifiedWager {
    /// The difference in standard errors; null if there is no error.
    #[schema(required)]
    pub errors_apart: Option<f64>,
    /// The exact house edge; null if it is not known.
    #[schema(required)]
    pub exact: Option<f64>,
    /// The assumption about the player's decisions behind `exact`; absent if none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exact_assumes: Option<&'static str>,
    /// The simulated house edge.
    pub house_edge: f64,
    /// The number of rounds in which insurance was taken; absent for other bets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insured: Option<u64>,
    /// The test of the bet's outcomes; absent if they are not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lines: Option<ChiSquare>,
    /// The standard error of the simulated house edge; null for a single round.
    #[schema(value_type = Option<f64>, required)]
    pub std_error: f64,
    /// The name of the bet.
    pub wager: &'static str,
}

/// The simulated and exact variances of a round.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema, Debug)]
pub struct VerifiedVariance {
    /// The difference in standard errors; null if there is no error.
    #[schema(required)]
    pub errors_apart: Option<f64>,
    /// The exact variance.
    pub exact: f64,
    /// The simulated variance.
    pub simulated: f64,
    /// The standard error of the simulated variance.
    pub std_error: f64,
}

/// The result of a chi-square test.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema, Debug)]
pub struct ChiSquare {
    /// The statistic.
    #[schema(minimum = 0)]
    pub chi_square: f64,
    /// The number of degrees of freedom.
    #[schema(minimum = 1)]
    pub degrees_of_freedom: usize,
    /// The probability that chance alone causes a larger deviation.
    #[schema(minimum = 0, maximum = 1)]
    pub p_value: f64,
}

/// The simulated figures of whole shoes, dealt to the cut card.
#[derive(Clone, Copy, PartialEq, Serialize, ToSchema, Debug)]
pub struct WholeShoes {
    /// The house edge in whole shoes minus the exact house edge from full shoes.
    pub cut_card_effect: f64,
    /// The standard error of the cut-card effect.
    pub cut_card_effect_error: f64,
    /// The house edge.
    pub house_edge: f64,
    /// The number of rounds played.
    pub rounds: u64,
    /// The average number of rounds in a shoe.
    pub rounds_per_shoe: f64,
    /// Always true, since these figures have no exact counterpart.
    pub simulated: bool,
    /// The standard error of the house edge.
    pub std_error: f64,
    /// The fraction of the handle that the house keeps.
    pub theoretical_hold: f64,
    /// The standard error of the theoretical hold.
    pub theoretical_hold_error: f64,
}
