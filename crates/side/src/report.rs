//! Defines the report on a side bet: outcomes, house edge, variance, break-even amount and variants.

use crate::fraction::Fraction;
use rules::{Cents, Clause, SideBet};

/// One winning outcome of a side bet.
#[derive(Clone, PartialEq, Debug)]
pub struct SideOutcome {
    /// The winning combination of cards, in the words of the regulation.
    pub outcome: String,
    /// The probability of the outcome.
    pub probability: f64,
    /// The exact probability, or `None` for streaks, whose probability is not a ratio of two counts.
    pub exact: Option<Fraction>,
    /// The payoff as the regulation writes it, such as `40 to 1` or `$2500.00`.
    pub pays: String,
    /// The net win of the outcome, in units of the bet.
    pub net: f64,
    /// The clause that sets the payoff for the outcome.
    pub by: Clause,
}

/// The house edge of a side bet under another ruling, or if the player plays another way.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// The ruling, such as `rulings.lone_seven=either`, or the assumption in words.
    pub assuming: String,
    /// The house edge: the expected loss per unit bet.
    pub house_edge: f64,
    /// The house edge as an exact fraction, or `None` if it is known only in decimals.
    pub exact_edge: Option<Fraction>,
}

impl Variant {
    pub(crate) fn new(assuming: impl Into<String>, edge: Fraction) -> Variant {
        Variant { assuming: assuming.into(), house_edge: edge.to_f64(), exact_edge: Some(edge) }
    }
}

/// The progressive meter or the mean award at which the house edge of a side bet is zero.
#[derive(Clone, PartialEq, Debug)]
pub struct BreakEven {
    /// The kind of amount: `meter` or `mean award`.
    pub of: &'static str,
    /// The meter or mean award at which the house edge is zero, in dollars.
    pub dollars: f64,
    /// The meter or mean award at which the house edge is zero, in dollars, as an exact fraction.
    pub exact: Fraction,
}

/// The exact odds of one side bet, dealt from one shoe.
#[derive(Clone, PartialEq, Debug)]
pub struct SideReport {
    /// The side bet whose odds these are.
    pub bet: SideBet,
    /// The name of the paytable in use.
    pub paytable: &'static str,
    /// The denomination of the bet, or `None` unless the regulation sets awards by denomination (2.20(a)).
    pub stake: Option<Cents>,
    /// The house edge: the expected loss per unit bet.
    pub house_edge: f64,
    /// The house edge as an exact fraction, or `None` if it is known only in decimals.
    pub exact_edge: Option<Fraction>,
    /// The variance of the net win per unit bet.
    pub variance: f64,
    /// The standard deviation of the net win per unit bet.
    pub std_dev: f64,
    /// The winning outcomes, best first.
    pub outcomes: Vec<SideOutcome>,
    /// The probability that the bet loses.
    pub loses: f64,
    /// The probability that the bet loses, as an exact fraction, or `None` if it is known only in decimals.
    pub exact_loses: Option<Fraction>,
    /// The meter or mean award at which the house edge is zero, or `None` if the bet has neither.
    pub break_even: Option<BreakEven>,
    /// The house edges under other rulings, and if the player plays another way.
    pub variants: Vec<Variant>,
    /// Remarks on the figures, as sentences for people.
    pub notes: Vec<String>,
}

impl SideReport {
    /// Returns the name of the bet in the API, such as `over-13` or `streak-3`.
    pub const fn wager(&self) -> &'static str {
        self.bet.name()
    }

    /// Returns the name of the bet, followed by its denomination if the bet has one: `blackjack-bonus of 1.00`.
    pub fn label(&self) -> String {
        match self.stake {
            Some(stake) => format!("{} of {stake}", self.wager()),
            None => self.wager().to_string(),
        }
    }
}

/// A winning outcome of a side bet, in exact fractions.
#[derive(Clone, Debug)]
pub(crate) struct Prize {
    pub outcome: String,
    pub chance: Fraction,
    pub pays: String,
    pub net: Fraction,
    pub by: Clause,
}

/// Returns the house edge of a bet with these prizes: one unit minus the mean amount returned, the bet included.
pub(crate) fn edge(prizes: &[Prize]) -> Fraction {
    let brought: Fraction =
        prizes.iter().map(|prize| prize.chance.clone() * (prize.net.clone() + Fraction::one())).sum();
    Fraction::one() - brought
}

fn variance(prizes: &[Prize], edge: &Fraction) -> Fraction {
    let squares: Fraction =
        prizes.iter().map(|prize| prize.chance.clone() * (prize.net.clone() * prize.net.clone())).sum();
    loss_probability(prizes) + squares - edge.clone() * edge.clone()
}

fn loss_probability(prizes: &[Prize]) -> Fraction {
    Fraction::one() - prizes.iter().map(|prize| prize.chance.clone()).sum()
}

/// Returns the report on a side bet whose prizes have exact probabilities.
pub(crate) fn side_report(bet: SideBet, paytable: &'static str, prizes: &[Prize]) -> SideReport {
    let edge = edge(prizes);
    let (variance, loses) = (variance(prizes, &edge).to_f64(), loss_probability(prizes));
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
