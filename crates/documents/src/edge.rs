//! Computes the exact house edge of the main game and of every side bet of a table.

use crate::play::provenance;
use crate::shoe::{CardsLeft, cards_left};
use crate::subject::{Subject, Violations};
use crate::tables::TableFile;
use crate::{Failure, Inputs, Stamped};
use exact::edge::{EdgeReport, Effect, edge_at, effects_with_progress};
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

/// The figures of a table under one strategy.
///
/// `M` is either a whole report on the main game, or only the player's expected net win.
pub struct EdgeFigures<M = EdgeReport> {
    pub strategy: Strategy,
    pub main: M,
    pub sides: Vec<SideReport>,
    pub insurance: Option<InsuranceReport>,
    /// The effect of each legal change of one option on the house edge; empty if the effects were not requested.
    pub effects: Vec<Effect>,
    /// The cards left in the shoe, or `None` if the shoe is full.
    pub stack: Option<Stack>,
    /// The names of the side bets without figures.
    ///
    /// A side bet has no figures if it depends on suits that are unknown, or if its later rounds are dealt from
    /// other cards.
    pub not_priced: Vec<&'static str>,
}

/// Computes all figures of a table under a strategy, from a full shoe.
///
/// If `on_effect` is given, also computes the effect of each legal change of one option. Calls `on_effect` with
/// the number of changes solved and their total.
pub fn figures(
    rules: &Choices,
    strategy: Strategy,
    on_effect: Option<&mut dyn FnMut(usize, usize)>,
) -> EdgeFigures {
    full_stack_figures(rules, strategy, on_effect, edge_at)
}

/// Computes all figures of a table with assumed rules, from a full shoe.
///
/// The assumed rules concern only the main game. Returns an error if the strategy cannot be valued under them.
pub fn figures_assuming(rules: &Subject, strategy: Strategy) -> Result<EdgeFigures, Failure> {
    let strategy = rules.played_by(strategy)?;
    Ok(full_stack_figures(rules, strategy, None, |_, strategy| edge_at(&rules.solver_table(), strategy)))
}

/// Computes the figures of the next round from the cards left in the shoe.
///
/// Returns an error if the main game cannot be solved with these cards.
pub fn figures_from_stack(
    choices: &Choices,
    strategy: Strategy,
    stack: Stack,
) -> Result<EdgeFigures, Failure> {
    stack_figures(choices, strategy, stack, edge_at)
}

/// Computes only the house edges of a table's main game and side bets, from `stack` or else a full shoe.
///
/// Leaves out the standard deviation and the figures that depend on it, which would take most of the time.
pub fn edges(
    choices: &Choices,
    strategy: Strategy,
    stack: Option<Stack>,
    on_effect: Option<&mut dyn FnMut(usize, usize)>,
) -> Result<EdgeFigures<f64>, Failure> {
    match stack {
        None => Ok(full_stack_figures(choices, strategy, on_effect, value_at)),
        Some(stack) => stack_figures(choices, strategy, stack, value_at),
    }
}

fn full_stack_figures<M>(
    rules: &Choices,
    strategy: Strategy,
    on_effect: Option<&mut dyn FnMut(usize, usize)>,
    main: impl FnOnce(&Table<'_>, &Strategy) -> M,
) -> EdgeFigures<M> {
    let main = main(&Table::new(rules, Attacked::No), &strategy);
    let effects = on_effect
        .map(|mut on_effect| effects_with_progress(rules, &strategy, &mut on_effect))
        .unwrap_or_default();
    let (sides, insurance) = (side_wagers(rules), insurance(rules));
    EdgeFigures { main, sides, insurance, effects, strategy, stack: None, not_priced: Vec::new() }
}

fn stack_figures<M>(
    choices: &Choices,
    strategy: Strategy,
    stack: Stack,
    main: impl FnOnce(&Table<'_>, &Strategy) -> M,
) -> Result<EdgeFigures<M>, Failure> {
    let table = Table::new(choices, Attacked::No).with_stack(&stack);
    let table = table.map_err(|why| Failure::RefusedFor(why.0))?;
    let dealt = Dealt::from(choices, Shoe::of(stack.left()));
    let (sides, not_priced) = side_wagers_of(choices, &dealt, &stack);
    Ok(EdgeFigures {
        main: main(&table, &strategy),
        sides,
        insurance: insurance_from(&dealt),
        effects: Vec::new(),
        strategy,
        stack: Some(stack),
        not_priced,
    })
}

/// Returns the figures of the side bets whose odds follow from the cards left, and the names of all other side
/// bets.
///
/// Streak bets are among the others, and so are bets on suits and faces if the suits of the cards left are
/// unknown.
pub fn side_wagers_of(
    choices: &Choices,
    dealt: &Dealt<'_>,
    stack: &Stack,
) -> (Vec<SideReport>, Vec<&'static str>) {
    let priced = |bet: SideBet| bet.streak().is_none() && (stack.knows_suits() || goes_by_values(bet));
    let bets = choices.side_wagers.keys().flat_map(|wager| wager.bets());
    let not_priced = bets.filter(|bet| !priced(*bet)).map(|bet| bet.name()).collect();
    (side_wagers_from(dealt).into_iter().filter(|report| priced(report.bet)).collect(), not_priced)
}

/// Returns the reason, in words, why some side bets have no figures for the cards left in the shoe.
pub fn not_priced_reason(stack: Option<&Stack>) -> &'static str {
    match stack {
        Some(stack) if !stack.knows_suits() => {
            "these bets depend on suits and ranks, so list the removed cards with suits, as in --removed \"As Kd\"; \
             streak bets cannot be priced, because later rounds are dealt from other cards"
        }
        _ => "streak bets cannot be priced from one shoe, because later rounds are dealt from other cards",
    }
}

/// The exact house edges of a table's main game and side bets.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Edge {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The effect of each legal change of one option on the house edge; absent if the effects were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub effects: Option<Vec<EffectEdge>>,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The figures of insurance; absent if the table does not offer it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance: Option<InsuranceFigures>,
    /// The figures of the main game.
    pub main: MainEdge,
    /// The side bets that have no figures, with the reason; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub not_priced: Option<NotPriced>,
    /// Map from ranks to numbers of cards left; absent if the shoe is full.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, u16>>, nullable = false)]
    pub shoe: Option<CardsLeft>,
    /// The figures of each side bet.
    pub side_wagers: Vec<SideFigures>,
    /// The table as a table file, with every key written out.
    pub table: TableFile,
}

/// The figures of the main game, in units of the initial bet.
///
/// The figures that take long to compute are absent if only the house edges were requested.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct MainEdge {
    /// The house edge divided by the average total bet of a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub element_of_risk: Option<f64>,
    /// The player's expected net win per round.
    pub ev: f64,
    /// The house edge, equal to `-ev`.
    pub house_edge: f64,
    /// The part of the EV that comes from insurance; absent if it is zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insured: Option<f64>,
    /// The expected number of hands per round, by result. `busted` hands are also `lost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub outcomes: Option<BTreeMap<String, f64>>,
    /// The unit of the figures: `initial wager`.
    pub per: &'static str,
    /// Map from the name of each ruling to the reading of its clause that the figures assume.
    #[schema(value_type = BTreeMap<String, String>)]
    pub rulings: BTreeMap<&'static str, &'static str>,
    /// The time taken to solve the game, in seconds, not counting `spread_seconds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seconds: Option<f64>,
    /// Map from player options, such as doubling, to the fraction of rounds in which they are used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub shares: Option<BTreeMap<String, f64>>,
    /// The additional time taken to compute the variance of split hands, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub spread_seconds: Option<f64>,
    /// The average total bet per round, in initial bets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub staked: Option<f64>,
    /// The standard deviation of the net win, in units of the initial bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev: Option<f64>,
    /// What `std_dev` and `variance` refer to: `a round`, or `one wager` if a round has several required bets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub std_dev_of: Option<&'static str>,
    /// The name of the evaluated strategy, such as `total-dependent`.
    pub strategy: &'static str,
    /// The variance of the net win, the square of `std_dev`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub variance: Option<f64>,
}

/// The figures of a side bet, in units of the bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SideFigures {
    /// The meter or award at which the bet is fair; absent if the bet has neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub break_even: Option<BreakEvenMeter>,
    /// The house edge as an exact fraction; null if it is known only in decimals.
    #[schema(required)]
    pub exact_edge: Option<String>,
    /// The probability that the bet loses as an exact fraction; null if it is known only in decimals.
    #[schema(required)]
    pub exact_loses: Option<String>,
    /// The house edge, in units of the bet.
    pub house_edge: f64,
    /// The probability that the bet loses.
    pub loses: f64,
    /// Notes on how to read the figures.
    pub notes: Vec<String>,
    /// The winning outcomes of the bet.
    pub outcomes: Vec<PayLine>,
    /// The name of the side bet's paytable.
    pub paytable: &'static str,
    /// The denomination of the bet in dollars; absent unless the regulation sets payouts by denomination.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stake: Option<String>,
    /// The standard deviation of the net win, in units of the bet.
    pub std_dev: f64,
    /// The variance of the net win, the square of `std_dev`.
    pub variance: f64,
    /// The house edges under other rulings, or if the player plays another way; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub variants: Option<Vec<OtherReading>>,
    /// The name of the side bet, such as `over-13`.
    pub wager: &'static str,
}

/// A winning outcome of a side bet: its probability and its payout.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PayLine {
    /// The citation of the clause that sets the payout.
    pub clause: &'static str,
    /// The probability of the outcome as an exact fraction; null if it is known only in decimals.
    #[schema(required)]
    pub exact: Option<String>,
    /// The name of the winning outcome.
    pub outcome: String,
    /// The payout, in words, such as `2 to 1`.
    pub pays: String,
    /// The probability of the outcome.
    pub probability: f64,
}

/// The meter or award at which a side bet has no house edge.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct BreakEvenMeter {
    /// The meter or mean award at which the house edge is zero, in dollars.
    pub dollars: f64,
    /// The meter or mean award at which the house edge is zero, in dollars, as an exact fraction.
    pub exact: String,
    /// The kind of amount: `meter` or `mean award`.
    pub of: &'static str,
}

impl BreakEvenMeter {
    pub(crate) fn of(even: &side::BreakEven) -> BreakEvenMeter {
        BreakEvenMeter { dollars: even.dollars, exact: even.exact.to_string(), of: even.of }
    }
}

/// The house edge of a side bet under another ruling, or if the player plays another way.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct OtherReading {
    /// The other ruling, such as `rulings.lone_seven=either`, or the assumption in words.
    pub assuming: String,
    /// The house edge as an exact fraction; null if it is known only in decimals.
    #[schema(required)]
    pub exact_edge: Option<String>,
    /// The house edge, in units of the bet.
    pub house_edge: f64,
}

/// The odds of insurance, in units of the insurance bet.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct InsuranceFigures {
    /// The house edge as an exact fraction.
    pub exact_edge: String,
    /// The house edge, in units of the insurance bet.
    pub house_edge: f64,
    /// The standard deviation of the net win, in units of the insurance bet.
    pub std_dev: f64,
}

/// A legal change of one option, and its effect on the house edge.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct EffectEdge {
    /// The house edge after the change minus the house edge of the unchanged table.
    pub change: f64,
    /// The house edge after the change.
    pub house_edge: f64,
    /// The key of the option in the table file, such as `soft_17`.
    pub key: String,
    /// The value of the option after the change, such as `hit`.
    pub value: String,
}

/// The side bets that have no figures, with the reason.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct NotPriced {
    /// The names of the side bets without figures.
    pub wagers: Vec<&'static str>,
    /// The reason why these side bets have no figures, in words.
    pub why: &'static str,
}

/// Returns the document of all figures of a table under a strategy.
pub fn document(rules: &Choices, figures: &EdgeFigures) -> Stamped<Edge> {
    let main = &figures.main;
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
        ..edge_alone(rules, main.ev, &figures.strategy)
    };
    stamped(rules, figures, main)
}

/// Returns the document of a table's house edges, without the figures that [`edges`] leaves out.
pub fn edges_document(rules: &Choices, figures: &EdgeFigures<f64>) -> Stamped<Edge> {
    stamped(rules, figures, edge_alone(rules, figures.main, &figures.strategy))
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

fn stamped<M>(rules: &Choices, figures: &EdgeFigures<M>, main: MainEdge) -> Stamped<Edge> {
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
    let (not_priced, stack) = (&figures.not_priced, figures.stack.as_ref());
    let document = Edge {
        assumed: None,
        effects: (!figures.effects.is_empty()).then(|| figures.effects.iter().map(effect).collect()),
        hypothetical: None,
        insurance: figures.insurance.as_ref().map(insurance),
        main,
        not_priced: (!not_priced.is_empty())
            .then(|| NotPriced { wagers: not_priced.clone(), why: not_priced_reason(stack) }),
        shoe: stack.map(cards_left),
        side_wagers: figures.sides.iter().map(side).collect(),
        table: TableFile::of(rules),
    };
    Stamped::new(document, Inputs { strategy: Some(provenance(&figures.strategy)), ..Inputs::table(rules) })
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
    let variant = |v: &side::Variant| OtherReading {
        assuming: v.assuming.to_string(),
        exact_edge: fraction(&v.exact_edge),
        house_edge: v.house_edge,
    };
    let variants = &report.variants;
    SideFigures {
        break_even: report.break_even.as_ref().map(BreakEvenMeter::of),
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
