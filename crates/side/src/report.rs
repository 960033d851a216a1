//! What is reported of a bet: its outcomes with their chances, house edge, variance, break-even and other readings.

use crate::fraction::Fraction;
use rules::{Cents, Clause, SideBet};

/// One winning outcome of a bet.
#[derive(Clone, PartialEq, Debug)]
pub struct SideOutcome {
    /// The combination, in the words of the text.
    pub outcome: String,
    /// Its chance.
    pub probability: f64,
    /// Absent where the chance is not the ratio of two counts: streaks.
    pub exact: Option<Fraction>,
    /// As the regulation writes it: `"40 to 1"`, `"$2500.00"`.
    pub pays: String,
    /// What is won beside the wager, in units of the wager.
    pub net: f64,
    /// The clause that pays it.
    pub by: Clause,
}

/// The same bet under another reading or another way to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// `rulings.lone_seven=either`, or what is assumed in words.
    pub assuming: String,
    /// Minus the expected net win of a unit.
    pub house_edge: f64,
    /// The same as a fraction, where it is one.
    pub exact_edge: Option<Fraction>,
}

impl Variant {
    pub(crate) fn new(assuming: impl Into<String>, edge: Fraction) -> Variant {
        Variant { assuming: assuming.into(), house_edge: edge.to_f64(), exact_edge: Some(edge) }
    }
}

/// The amount at which the house edge is nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct BreakEven {
    /// `meter` or `mean award`.
    pub of: &'static str,
    /// In dollars.
    pub dollars: f64,
    /// The same as a fraction, in dollars.
    pub exact: Fraction,
}

/// The exact odds of one bet from a fresh full shoe.
#[derive(Clone, PartialEq, Debug)]
pub struct SideReport {
    /// The bet.
    pub bet: SideBet,
    /// The pay table in use.
    pub paytable: &'static str,
    /// The denomination, where the law has several that are paid apart: 2.20(a).
    pub stake: Option<Cents>,
    /// Minus the expected net win for each unit wagered.
    pub house_edge: f64,
    /// The same as a fraction, where it is one.
    pub exact_edge: Option<Fraction>,
    /// The variance of the net win of a unit.
    pub variance: f64,
    /// Its root.
    pub std_dev: f64,
    /// The winning outcomes, best first.
    pub outcomes: Vec<SideOutcome>,
    /// The chance that the bet loses: one less all outcomes.
    pub loses: f64,
    /// The same as a fraction, where it is one.
    pub exact_loses: Option<Fraction>,
    /// The amount at which the bet is fair, where it has a meter or awards.
    pub break_even: Option<BreakEven>,
    /// Other readings and other ways to play.
    pub variants: Vec<Variant>,
    /// What a reader of the figures should know.
    pub notes: Vec<String>,
}

impl SideReport {
    /// The bet's name in the contract: `over-13`, `streak-3`.
    pub const fn wager(&self) -> &'static str {
        self.bet.name()
    }
}

/// One winning outcome before it is written up.
#[derive(Clone, Debug)]
pub(crate) struct Prize {
    pub outcome: String,
    pub chance: Fraction,
    pub pays: String,
    pub net: Fraction,
    pub by: Clause,
}

/// Minus the expected net win: the chance to lose one unit less what the prizes bring.
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

/// Writes up a bet whose chances are all fractions.
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
