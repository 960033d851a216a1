//! The exact house edge of the main game and of every side bet of a table.

use crate::play::provenance;
use crate::shoe::{CardsLeft, cards_left};
use crate::subject::{Subject, Violations};
use crate::tables::TableFile;
use crate::{Failure, Inputs, Stamped};
use exact::edge::{EdgeReport, Effect, edge_at, effects_told};
use exact::game::{Strategy, value_at};
use exact::stack::Stack;
use exact::table::{Attacked, Table};
use rules::ruling::RULINGS;
use rules::{Choices, SideBet};
use serde::Serialize;
use side::{
    Dealt, InsuranceReport, Shoe, SideReport, goes_by_values, insurance, insurance_from, side_wagers,
    side_wagers_from,
};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The values of a table under one strategy: for its main game either the whole report or only the expected net win.
pub struct Answer<M = EdgeReport> {
    pub strategy: Strategy,
    pub main: M,
    pub sides: Vec<SideReport>,
    pub insurance: Option<InsuranceReport>,
    /// The effect of each legal change of one option, if requested.
    pub effects: Vec<Effect>,
    /// The rest of the stack, if it is not full.
    pub stack: Option<Stack>,
    /// The side bets that cannot be priced from the rest of the stack, because suits are unknown or later rounds are
    /// dealt from other cards.
    pub open: Vec<&'static str>,
}

/// Computes all figures of a table. With `tell_effects`, also computes the effects of single changes, and calls it
/// with the number done and the total.
pub fn answer(
    rules: &Choices,
    strategy: Strategy,
    tell_effects: Option<&mut dyn FnMut(usize, usize)>,
) -> Answer {
    full(rules, strategy, tell_effects, edge_at)
}

/// Computes all figures of a table with its assumed rules, which concern the main game alone.
pub fn answer_assuming(rules: &Subject, strategy: Strategy) -> Result<Answer, Failure> {
    let strategy = rules.played_by(strategy)?;
    Ok(full(rules, strategy, None, |_, strategy| edge_at(&rules.judge(), strategy)))
}

/// Returns the values of the next round from the rest of the stack.
pub fn answer_from(choices: &Choices, strategy: Strategy, stack: Stack) -> Result<Answer, Failure> {
    left(choices, strategy, stack, edge_at)
}

/// Returns only the edges, without the standard deviation of the main game, which takes most of the time, and what
/// depends on it.
pub fn edges(
    choices: &Choices,
    strategy: Strategy,
    stack: Option<Stack>,
    tell_effects: Option<&mut dyn FnMut(usize, usize)>,
) -> Result<Answer<f64>, Failure> {
    match stack {
        None => Ok(full(choices, strategy, tell_effects, value_at::<f64>)),
        Some(stack) => left(choices, strategy, stack, value_at::<f64>),
    }
}

fn full<M>(
    rules: &Choices,
    strategy: Strategy,
    tell_effects: Option<&mut dyn FnMut(usize, usize)>,
    main: impl FnOnce(&Table<'_>, &Strategy) -> M,
) -> Answer<M> {
    let main = main(&Table::new(rules, Attacked::No), &strategy);
    let effects = tell_effects.map(|mut tell| effects_told(rules, &strategy, &mut tell)).unwrap_or_default();
    let (sides, insurance) = (side_wagers(rules), insurance(rules));
    Answer { main, sides, insurance, effects, strategy, stack: None, open: Vec::new() }
}

fn left<M>(
    choices: &Choices,
    strategy: Strategy,
    stack: Stack,
    main: impl FnOnce(&Table<'_>, &Strategy) -> M,
) -> Result<Answer<M>, Failure> {
    let table = Table::new(choices, Attacked::No).with_stack(&stack);
    let table = table.map_err(|why| Failure::RefusedFor(why.0))?;
    let dealt = Dealt::from(choices, Shoe::of(stack.left()));
    let (sides, open) = side_wagers_of(choices, &dealt, &stack);
    Ok(Answer {
        main: main(&table, &strategy),
        sides,
        insurance: insurance_from(&dealt),
        effects: Vec::new(),
        strategy,
        stack: Some(stack),
        open,
    })
}

/// Returns the side bets that can be priced from the rest of the stack, and the others.
pub fn side_wagers_of(
    choices: &Choices,
    dealt: &Dealt<'_>,
    stack: &Stack,
) -> (Vec<SideReport>, Vec<&'static str>) {
    let priced = |bet: SideBet| bet.streak().is_none() && (stack.knows_suits() || goes_by_values(bet));
    let bets = choices.side_wagers.keys().flat_map(|wager| wager.bets());
    let open = bets.filter(|bet| !priced(*bet)).map(|bet| bet.name()).collect();
    (side_wagers_from(dealt).into_iter().filter(|report| priced(report.bet)).collect(), open)
}

/// Returns the reason why some side bets have no figures from the rest of the stack.
pub fn not_priced(stack: Option<&Stack>) -> &'static str {
    match stack {
        Some(stack) if !stack.knows_suits() => {
            "suits and ranks matter here: list the removed cards with suits, --removed \"As Kd\"; later rounds of a \
                streak are dealt from other cards"
        }
        _ => "the later rounds of a streak are dealt from other cards",
    }
}

/// The exact house edge of a table.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Edge {
    /// The rules assumed in addition to the table's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The effect of each legal change of one option, if it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub effects: Option<Vec<EffectEdge>>,
    /// What the table violates, if it is not legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// Insurance, if the table offers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceFigures>,
    /// The main game.
    pub main: MainEdge,
    /// The side bets that have no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub not_priced: Option<NotPriced>,
    /// The cards left by rank, if the shoe is not full.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, u16>>, nullable = false)]
    pub shoe: Option<CardsLeft>,
    /// The side bets.
    pub side_wagers: Vec<SideFigures>,
    /// The table.
    pub table: TableFile,
}

/// The figures of the main game, in units of the initial bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct MainEdge {
    /// The house edge in units of the average total bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub element_of_risk: Option<f64>,
    /// The player's EV.
    pub ev: f64,
    /// The house edge.
    pub house_edge: f64,
    /// The part of the EV that comes from insurance, if the strategy takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insured: Option<f64>,
    /// The expected number of hands of a round that end in each way; `busted` hands are also `lost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub outcomes: Option<BTreeMap<String, f64>>,
    /// The unit of the figures.
    pub per: &'static str,
    /// The reading of every ambiguous clause.
    #[schema(value_type = BTreeMap<String, String>)]
    pub rulings: BTreeMap<&'static str, &'static str>,
    /// The time that the solution took, without the spread of split hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seconds: Option<f64>,
    /// The fraction of rounds in which each option of the game is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub shares: Option<BTreeMap<String, f64>>,
    /// The time for the spread of split hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spread_seconds: Option<f64>,
    /// The average total bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub staked: Option<f64>,
    /// The standard deviation of a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev: Option<f64>,
    /// What the standard deviation is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev_of: Option<&'static str>,
    /// The strategy played.
    pub strategy: &'static str,
    /// The variance of a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub variance: Option<f64>,
}

/// The figures of a side bet, in units of the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideFigures {
    /// The amount at which the bet is fair, if it has a meter or awards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub break_even: Option<BreakEvenMeter>,
    /// The house edge as a fraction, if it is one.
    #[schema(required)]
    pub exact_edge: Option<String>,
    /// The probability that the bet loses as a fraction, if it is one.
    #[schema(required)]
    pub exact_loses: Option<String>,
    /// The house edge.
    pub house_edge: f64,
    /// The probability that the bet loses.
    pub loses: f64,
    /// Notes for the reader of the figures.
    pub notes: Vec<String>,
    /// Every way to win.
    pub outcomes: Vec<PayLine>,
    /// The side bet's paytable.
    pub paytable: &'static str,
    /// The denomination, where several are paid separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stake: Option<String>,
    /// The standard deviation.
    pub std_dev: f64,
    /// The variance.
    pub variance: f64,
    /// The figures under other readings and with other ways to play.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub variants: Option<Vec<OtherReading>>,
    /// The side bet.
    pub wager: &'static str,
}

/// One way to win a side bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PayLine {
    /// The clause that pays the outcome.
    pub clause: &'static str,
    /// The probability of the outcome as a fraction, if it is one.
    #[schema(required)]
    pub exact: Option<String>,
    /// The winning outcome.
    pub outcome: String,
    /// What the outcome pays, in words.
    pub pays: String,
    /// The probability of the outcome.
    pub probability: f64,
}

/// The amount at which a side bet is fair.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct BreakEvenMeter {
    /// The amount in dollars.
    pub dollars: f64,
    /// The amount as a fraction.
    pub exact: String,
    /// What the amount is: `meter` or `mean award`.
    pub of: &'static str,
}

/// A side bet under another assumption.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct OtherReading {
    /// The assumption.
    pub assuming: String,
    /// The house edge as a fraction, if it is one.
    #[schema(required)]
    pub exact_edge: Option<String>,
    /// The house edge.
    pub house_edge: f64,
}

/// The figures of insurance, in units of the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceFigures {
    /// The house edge as a fraction.
    pub exact_edge: String,
    /// The house edge.
    pub house_edge: f64,
    /// The standard deviation.
    pub std_dev: f64,
}

/// The effect of one change.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct EffectEdge {
    /// By how much the house edge changes.
    pub change: f64,
    /// The house edge with the change.
    pub house_edge: f64,
    /// The key of the table file.
    pub key: String,
    /// The changed value of the key.
    pub value: String,
}

/// The side bets that have no figures.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct NotPriced {
    /// The side bets.
    pub wagers: Vec<&'static str>,
    /// Why.
    pub why: &'static str,
}

/// Returns the document of an answer.
pub fn document(rules: &Choices, answer: &Answer) -> Stamped<Edge> {
    let main = &answer.main;
    let by_name = |rows: &[(&'static str, f64)]| {
        Some(rows.iter().map(|(name, value)| ((*name).to_string(), *value)).collect())
    };
    let main = MainEdge {
        std_dev: Some(main.std_dev),
        std_dev_of: Some(main.std_dev_of),
        variance: Some(main.variance),
        element_of_risk: Some(main.element_of_risk),
        staked: Some(main.staked),
        outcomes: by_name(&main.outcomes),
        shares: by_name(&main.shares),
        strategy: main.strategy,
        seconds: Some(main.seconds),
        spread_seconds: Some(main.spread_seconds),
        insured: (main.insured != 0.0).then_some(main.insured),
        house_edge: main.house_edge,
        ..edge_alone(rules, main.ev, &answer.strategy)
    };
    stamped(rules, answer, main)
}

/// Returns the document of the edges alone, without the figures that were not computed.
pub fn edges_document(rules: &Choices, answer: &Answer<f64>) -> Stamped<Edge> {
    stamped(rules, answer, edge_alone(rules, answer.main, &answer.strategy))
}

fn edge_alone(rules: &Choices, ev: f64, strategy: &Strategy) -> MainEdge {
    MainEdge {
        element_of_risk: None,
        ev,
        house_edge: -ev,
        insured: None,
        outcomes: None,
        per: PER,
        rulings: RULINGS.iter().filter_map(|one| Some((one.key, rules.rulings.word(one.key)?))).collect(),
        seconds: None,
        shares: None,
        spread_seconds: None,
        staked: None,
        std_dev: None,
        std_dev_of: None,
        strategy: strategy.name(),
        variance: None,
    }
}

fn stamped<M>(rules: &Choices, answer: &Answer<M>, main: MainEdge) -> Stamped<Edge> {
    let effect = |e: &Effect| EffectEdge {
        change: e.change,
        house_edge: e.house_edge,
        key: e.key.clone(),
        value: e.value.clone(),
    };
    let insurance = |found: &InsuranceReport| InsuranceFigures {
        exact_edge: found.exact_edge.to_string(),
        house_edge: found.house_edge,
        std_dev: found.std_dev,
    };
    let (open, stack) = (&answer.open, answer.stack.as_ref());
    let document = Edge {
        assumed: None,
        effects: (!answer.effects.is_empty()).then(|| answer.effects.iter().map(effect).collect()),
        hypothetical: None,
        insurance: answer.insurance.as_ref().map(insurance),
        main,
        not_priced: (!open.is_empty()).then(|| NotPriced { wagers: open.clone(), why: not_priced(stack) }),
        shoe: stack.map(cards_left),
        side_wagers: answer.sides.iter().map(side).collect(),
        table: TableFile::of(rules),
    };
    Stamped::new(document, Inputs { strategy: Some(provenance(&answer.strategy)), ..Inputs::table(rules) })
}

/// The unit of the main game's figures.
const PER: &str = "initial wager";

fn side(report: &SideReport) -> SideFigures {
    let fraction = |exact: &Option<side::Fraction>| exact.as_ref().map(ToString::to_string);
    let line = |o: &side::SideOutcome| PayLine {
        clause: o.by.citation(),
        exact: fraction(&o.exact),
        outcome: o.outcome.clone(),
        pays: o.pays.clone(),
        probability: o.probability,
    };
    let even = |even: &side::BreakEven| BreakEvenMeter {
        dollars: even.dollars,
        exact: even.exact.to_string(),
        of: even.of,
    };
    let variant = |v: &side::Variant| OtherReading {
        assuming: v.assuming.to_string(),
        exact_edge: fraction(&v.exact_edge),
        house_edge: v.house_edge,
    };
    let variants = &report.variants;
    SideFigures {
        break_even: report.break_even.as_ref().map(even),
        exact_edge: fraction(&report.exact_edge),
        exact_loses: fraction(&report.exact_loses),
        house_edge: report.house_edge,
        loses: report.loses,
        notes: report.notes.clone(),
        outcomes: report.outcomes.iter().map(line).collect(),
        paytable: report.paytable,
        stake: report.stake.map(|stake| stake.to_string()),
        std_dev: report.std_dev,
        variance: report.variance,
        variants: (!variants.is_empty()).then(|| variants.iter().map(variant).collect()),
        wager: report.wager(),
    }
}
