//! Defines the report of a bet: its outcomes with their probabilities, house edge, variance, break-even and other
//! readings.

use crate::fraction::Fraction;
use rules::{Cents, Clause, SideBet};

/// One winning outcome of a bet.
#[derive(Clone, PartialEq, Debug)]
pub struct SideOutcome {
    /// The combination, in the words of the regulation.
    pub outcome: String,
    /// The probability of the outcome.
    pub probability: f64,
    /// The exact probability; `None` for streaks, whose probability is not a ratio of two counts.
    pub exact: Option<Fraction>,
    /// The payoff as the regulation writes it: `"40 to 1"`, `"$2500.00"`.
    pub pays: String,
    /// The net win, in units of the bet.
    pub net: f64,
    /// The clause that pays the outcome.
    pub by: Clause,
}

/// The figures of a side bet under another reading or with another way to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// The ruling, such as `rulings.lone_seven=either`, or the assumption in words.
    pub assuming: String,
    /// The negative of the expected net win per unit.
    pub house_edge: f64,
    /// The house edge as a fraction, if it is one.
    pub exact_edge: Option<Fraction>,
}

impl Variant {
    pub(crate) fn new(assuming: impl Into<String>, edge: Fraction) -> Variant {
        Variant { assuming: assuming.into(), house_edge: edge.to_f64(), exact_edge: Some(edge) }
    }
}

/// The amount at which the house edge is zero.
#[derive(Clone, PartialEq, Debug)]
pub struct BreakEven {
    /// What the amount is: `meter` or `mean award`.
    pub of: &'static str,
    /// The amount in dollars.
    pub dollars: f64,
    /// The amount in dollars as a fraction.
    pub exact: Fraction,
}

/// The exact odds of one bet from a given shoe.
#[derive(Clone, PartialEq, Debug)]
pub struct SideReport {
    /// The bet.
    pub bet: SideBet,
    /// The name of the paytable in use.
    pub paytable: &'static str,
    /// The denomination, if the regulation pays several separately: 2.20(a).
    pub stake: Option<Cents>,
    /// The negative of the expected net win per unit bet.
    pub house_edge: f64,
    /// The house edge as a fraction, if it is one.
    pub exact_edge: Option<Fraction>,
    /// The variance of the net win per unit.
    pub variance: f64,
    /// The standard deviation of the net win per unit.
    pub std_dev: f64,
    /// The winning outcomes, best first.
    pub outcomes: Vec<SideOutcome>,
    /// The probability that the bet loses: one minus that of all winning outcomes.
    pub loses: f64,
    /// The probability that the bet loses as a fraction, if it is one.
    pub exact_loses: Option<Fraction>,
    /// The amount at which the bet is fair, if it has a meter or awards.
    pub break_even: Option<BreakEven>,
    /// The figures under other readings and with other ways to play.
    pub variants: Vec<Variant>,
    /// Notes for the reader of the figures.
    pub notes: Vec<String>,
}

impl SideReport {
    /// Returns the name of the bet in the API: `over-13`, `streak-3`.
    pub const fn wager(&self) -> &'static str {
        self.bet.name()
    }
}

/// One winning outcome, before it is converted into a report.
#[derive(Clone, Debug)]
pub(crate) struct Prize {
    pub outcome: String,
    pub chance: Fraction,
    pub pays: String,
    pub net: Fraction,
    pub by: Clause,
}

/// Returns the negative of the expected net win: one unit minus what the prizes return.
pub(crate) fn edge(prizes: &[Prize]) -> Fraction {
    let brought: Fraction =
        prizes.iter().map(|prize| prize.chance.clone() * (prize.net.clone() + Fraction::one())).sum();
    Fraction::one() - brought
}

fn variance(prizes: &[Prize], edge: &Fraction) -> Fraction {
    let squares: Fraction =
        prizes.iter().map(|prize| prize.chance.clone() * (prize.net.clone() * prize.net.clone())).sum();
    loses(prizes) + squares - edge.clone() * edge.clone()
}

fn loses(prizes: &[Prize]) -> Fraction {
    Fraction::one() - prizes.iter().map(|prize| prize.chance.clone()).sum()
}

/// Converts a bet whose probabilities are all fractions into a report.
pub(crate) fn write_up(bet: SideBet, paytable: &'static str, prizes: &[Prize]) -> SideReport {
    let edge = edge(prizes);
    let (variance, loses) = (variance(prizes, &edge).to_f64(), loses(prizes));
    let outcomes = prizes.iter().map(|prize| SideOutcome {
        outcome: prize.outcome.clone(),
        probability: prize.chance.to_f64(),
        exact: Some(prize.chance.clone()),
        pays: prize.pays.clone(),
        net: prize.net.to_f64(),
        by: prize.by,
    });
    SideReport {
        bet,
        paytable,
        stake: None,
        house_edge: edge.to_f64(),
        variance,
        std_dev: variance.max(0.0).sqrt(),
        outcomes: outcomes.collect(),
        loses: loses.to_f64(),
        exact_loses: Some(loses),
        exact_edge: Some(edge),
        break_even: None,
        variants: Vec::new(),
        notes: Vec::new(),
    }
}
