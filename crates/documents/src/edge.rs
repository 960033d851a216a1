//! The exact house edge of the main game and of every side bet of a table.

use crate::play::provenance;
use crate::shoe::shoe_json;
use crate::subject::Subject;
use crate::tables::table_json;
use crate::{Failure, Inputs, Stamped};
use exact::edge::{EdgeReport, Effect, edge_at, effects_told};
use exact::game::{Strategy, value_at};
use exact::stack::Stack;
use exact::table::{Attacked, Table};
use rules::ruling::RULINGS;
use rules::{Choices, SideBet};
use serde::Serialize;
use serde_json::{Map, Value, json};
use side::{
    Dealt, InsuranceReport, Shoe, SideReport, goes_by_values, insurance, insurance_from, side_wagers,
    side_wagers_from,
};

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
    let table = table.map_err(|why| Failure::Refused(why.to_string()))?;
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

/// Returns the document of an answer.
pub fn document(rules: &Choices, answer: &Answer) -> Stamped<Value> {
    stamped(rules, answer, main_json(&answer.main))
}

/// Returns the document of the edges alone, without the figures that were not computed.
pub fn edges_document(rules: &Choices, answer: &Answer<f64>) -> Stamped<Value> {
    let main = json!({
        "ev": answer.main, "house_edge": -answer.main, "per": PER, "strategy": answer.strategy.name(),
    });
    stamped(rules, answer, main)
}

fn stamped<M>(rules: &Choices, answer: &Answer<M>, main: Value) -> Stamped<Value> {
    let of = Inputs::table(rules).with("strategy", provenance(&answer.strategy));
    Stamped::new(told(rules, answer, main), of)
}

/// The unit of the main game's figures.
const PER: &str = "initial wager";

#[derive(Serialize)]
struct Outcome<'a> {
    outcome: &'a str,
    probability: f64,
    exact: Option<String>,
    pays: &'a str,
    clause: &'static str,
}

fn main_json(main: &EdgeReport) -> Value {
    let pairs = |rows: &[(&'static str, f64)]| -> Map<String, Value> {
        rows.iter().map(|(name, value)| ((*name).to_string(), json!(value))).collect()
    };
    let mut told = json!({
        "ev": main.ev, "house_edge": main.house_edge, "per": PER,
        "std_dev": main.std_dev, "std_dev_of": main.std_dev_of, "variance": main.variance,
        "element_of_risk": main.element_of_risk, "staked": main.staked, "outcomes": pairs(&main.outcomes), "shares": pairs(&main.shares),
        "strategy": main.strategy, "seconds": main.seconds, "spread_seconds": main.spread_seconds,
    });
    if main.insured != 0.0 {
        told["insured"] = json!(main.insured);
    }
    told
}

fn told<M>(rules: &Choices, answer: &Answer<M>, mut main: Value) -> Value {
    let Answer { sides, effects, .. } = answer;
    let words = RULINGS.iter().map(|ruling| (ruling.key.to_string(), json!(rules.rulings.word(ruling.key))));
    main["rulings"] = Value::Object(words.collect());
    let mut document = json!({
        "table": table_json(rules),
        "main": main,
        "side_wagers": sides.iter().map(side_json).collect::<Vec<_>>(),
    });
    if let Some(insurance) = &answer.insurance {
        let exact = insurance.exact_edge.to_string();
        document["insurance"] =
            json!({ "house_edge": insurance.house_edge, "exact_edge": exact, "std_dev": insurance.std_dev });
    }
    if !effects.is_empty() {
        document["effects"] = effects
            .iter()
            .map(
                |e| json!({ "key": e.key, "value": e.value, "house_edge": e.house_edge, "change": e.change }),
            )
            .collect();
    }
    if let Some(stack) = &answer.stack {
        document["shoe"] = shoe_json(stack);
    }
    if !answer.open.is_empty() {
        document["not_priced"] = json!({ "wagers": answer.open, "why": not_priced(answer.stack.as_ref()) });
    }
    document
}

fn side_json(report: &SideReport) -> Value {
    let outcomes: Vec<Outcome> = report
        .outcomes
        .iter()
        .map(|o| Outcome {
            outcome: &o.outcome,
            probability: o.probability,
            exact: o.exact.as_ref().map(ToString::to_string),
            pays: &o.pays,
            clause: o.by.citation(),
        })
        .collect();
    let mut entry = json!({
        "wager": report.wager(), "paytable": report.paytable, "house_edge": report.house_edge,
        "exact_edge": report.exact_edge.as_ref().map(ToString::to_string),
        "std_dev": report.std_dev, "variance": report.variance, "outcomes": outcomes,
        "loses": report.loses, "exact_loses": report.exact_loses.as_ref().map(ToString::to_string),
        "notes": report.notes,
    });
    if let Some(stake) = report.stake {
        entry["stake"] = json!(stake.to_string());
    }
    if let Some(even) = &report.break_even {
        entry["break_even"] =
            json!({ "of": even.of, "dollars": even.dollars, "exact": even.exact.to_string() });
    }
    if !report.variants.is_empty() {
        let variant = |v: &side::Variant| json!({ "assuming": v.assuming, "house_edge": v.house_edge, "exact_edge": v.exact_edge.as_ref().map(ToString::to_string) });
        entry["variants"] = report.variants.iter().map(variant).collect();
    }
    entry
}
