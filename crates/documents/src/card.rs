//! Computes a strategy card: the charts by total, and the exceptions for hands of exact cards.
//!
//! An exception is a hand of exact cards for which another action is better than the chart's, with the gain.
//! For games with two hands, the card also has a rule for switching that a person can remember. The house
//! edge on a card is the house edge of its printed charts.

use crate::stamp::{StrategyUsed, sorted};
use crate::strategy::{StrategyChart, StrategyCharts, StrategyRow};
use crate::subject::Violations;
use crate::tables::TableFile;
use crate::{Failure, Inputs, Stamped};
use exact::departures::{Departures, departures, letters};
use exact::game::{Strategy, value};
use exact::given::CompleteChart;
use exact::offers::total_dependent_chart;
use exact::strategy::strategy;
use exact::switching::{ChartLine, SwitchRule, switch_rule};
use exact::table::{Attacked, Table};
use exact::turn::Action;
use program::Chart;
use program::chart::row_label;
use program::moves::{Move, moves};
use rules::Choices;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The maximum cost of a switching rule on the card, as a fraction of both bets: 0.01 %.
pub const MOST_COST: f64 = 1e-4;
/// The maximum number of printed rules that depend on the number of cards in a hand.
const MOST_RULES: usize = 12;
/// The maximum number of printed exceptions for two-card hands.
const MOST_CARDS: usize = 24;
/// The hand sizes, in cards, that have their own section in a chart.
///
/// Larger hands are in the section `drawn`.
const SIZES: [u8; 3] = [3, 4, 5];

/// A strategy card: its printed contents, all exceptions, and the house edge for a player who follows the card.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct StrategyCard {
    /// The rules assumed in addition to the table's own; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub assumed: Option<Vec<String>>,
    /// The rules that replace the chart's action for hands with a minimum number of cards.
    pub by_cards: Vec<RuleByCards>,
    /// The charts by total, with the EV of the best action in each cell.
    #[serde(serialize_with = "sorted")]
    pub charts: Vec<StrategyChart>,
    /// The dealer's visible cards, one entry per chart column.
    pub columns: Vec<String>,
    /// The hands of exact cards for which another action is better than the chart's action.
    pub exceptions: Vec<HandException>,
    /// The house edge for a player who follows the printed charts, per initial bet.
    pub house_edge: f64,
    /// The house edge for a player who follows the best strategy for the exact cards, per initial bet.
    pub house_edge_by_cards: f64,
    /// The house edge for a player who follows the printed charts, rules and exceptions, per initial bet.
    pub house_edge_with_exceptions: f64,
    /// The clauses that the table violates; absent if the table is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hypothetical: Option<Violations>,
    /// The minimum gain of a listed exception, in initial bets per round.
    pub least: f64,
    /// The rules of the table that affect strategy, in words.
    pub rules: Vec<String>,
    /// The charts and the offers as they are printed on the card.
    pub sections: Vec<PrintedChart>,
    /// The rule for when to switch cards; null if the player has one hand per box.
    #[schema(required)]
    pub switching: Option<SwitchingRule>,
    /// The name of the table.
    pub table: String,
    /// The title of the card.
    pub title: String,
}

/// A printed chart, or an offer that is always or never taken.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PrintedChart {
    /// The name of the chart, such as `hard`, `switch` or `insurance`.
    pub chart: String,
    /// The dealer's visible cards, from two to ace; absent for an offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub columns: Option<Vec<String>>,
    /// The rows of the chart; absent for an offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rows: Option<Vec<PrintedRow>>,
    /// Whether to take the offer; absent for a chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub take: Option<bool>,
    /// The heading of the chart, such as `Hard totals`.
    pub title: String,
}

/// A row of a printed chart.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct PrintedRow {
    /// The cells of the row, one per column.
    pub cells: Vec<PrintedCell>,
    /// The label of the row: one hand, such as `16`, or several separated by spaces.
    pub row: String,
}

/// A cell of a printed chart.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum PrintedCell {
    /// The action to take, as letters of the chart such as `Ds`.
    Play(String),
    /// The points of a hand, in the chart for switching.
    Points(i32),
}

/// A hand of exact cards for which another action is better than the chart's action.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct HandException {
    /// The cards of the hand, one letter each, such as `T2`.
    pub cards: String,
    /// The frequency of this hand, as a fraction of all rounds.
    pub chance: f64,
    /// The letter of the chart's action, such as `S`.
    pub otherwise: &'static str,
    /// The letter of the better action, such as `H`.
    pub play: &'static str,
    /// Whether the exception is printed on the card.
    pub printed: bool,
    /// The dealer's visible cards, such as `T`.
    pub up: String,
    /// The gain from the better action, in initial bets per round.
    pub worth: f64,
}

/// A rule for hands with at least `cards` cards: another action is better than the chart's action for the row.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct RuleByCards {
    /// The minimum number of cards in the hand.
    pub cards: u8,
    /// The frequency of the hands that the rule covers, as a fraction of all rounds.
    pub chance: f64,
    /// The hand as a row of the chart, such as `hard 16`.
    pub hand: String,
    /// The letter of the chart's action, such as `H`.
    pub otherwise: &'static str,
    /// The letter of the better action, such as `S`.
    pub play: &'static str,
    /// Whether the rule is printed on the card.
    pub printed: bool,
    /// The dealer's visible cards, such as `T`.
    pub up: String,
    /// The gain from the better action, in initial bets per round.
    pub worth: f64,
}

/// A rule, simple enough to remember, for when to switch cards between two hands.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SwitchingRule {
    /// The points of every hand, with hands of equal points in one row.
    pub chart: SwitchingChart,
    /// The loss from following the rule instead of switching optimally, as a fraction of both initial bets.
    pub cost: f64,
    /// The points of every hand against each group of upcards.
    pub groups: Vec<SwitchingGroup>,
    /// The number of rows of the chart.
    pub lines: usize,
    /// The loss from never switching instead of switching optimally, as a fraction of both initial bets.
    pub never: f64,
    /// The rule for when to switch, in words.
    pub rule: &'static str,
}

/// The points of every hand for the switching decision.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SwitchingChart {
    /// The dealer's upcards that share a column, as strings such as `45` for 4 and 5.
    pub columns: Vec<String>,
    /// The rows of the chart, with the most points first.
    pub rows: Vec<SwitchingRow>,
}

/// Hands with the same points in every column.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SwitchingRow {
    /// The hands of the row, such as `15` or `A8`.
    pub hands: Vec<String>,
    /// The points of these hands, one number per column.
    pub points: Vec<i32>,
}

/// The points of all hands against a group of upcards.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SwitchingGroup {
    /// The hands grouped by their points, most points first.
    pub points: Vec<SwitchingLevel>,
    /// The dealer's upcards, as a string such as `45` for 4 and 5.
    pub up: String,
}

/// Hands with the same points against a group of upcards.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct SwitchingLevel {
    /// The hands, such as `15` or `A8`.
    pub hands: Vec<String>,
    /// The points of these hands.
    pub points: i32,
}

/// The printed parts of a strategy card, without the exceptions, and the strategies behind them.
struct Printed {
    /// The total-dependent chart of the table, from which the printed charts are made.
    total_dependent: Chart,
    charts: StrategyCharts,
    rule: Option<SwitchRule>,
    sections: Vec<PrintedChart>,
    /// The strategy that a reader finds in the printed sections, parsed back from them.
    parsed_strategy: Chart,
}

impl Printed {
    fn of(choices: &Choices) -> Result<Printed, Failure> {
        let total_dependent = total_dependent_chart(choices);
        let given = CompleteChart::new(choices, total_dependent.clone()).map_err(refused)?;
        let charts = StrategyCharts::of(&strategy(choices, &Strategy::Given(Box::new(given))));
        let table = Table::new(choices, Attacked::No);
        let rule = (choices.hands_per_box() > 1).then(|| switch_rule(&table, MOST_COST)).flatten();
        let sections = sections(choices, &charts, rule.as_ref());
        let parsed_strategy = read_back(&sections)?;
        Ok(Printed { total_dependent, charts, rule, sections, parsed_strategy })
    }
}

/// Returns the house edge of a table for a player who follows the charts and the switching rule of its printed
/// card.
pub(crate) fn printed_edge(choices: &Choices) -> Result<f64, Failure> {
    edge(choices, &Printed::of(choices)?.parsed_strategy)
}

/// Returns the document of a table's strategy card.
///
/// Omits exceptions that gain less than `least` initial bets per round.
pub fn document(choices: &Choices, least: f64) -> Result<Stamped<StrategyCard>, Failure> {
    let Printed { total_dependent, charts, rule, sections, parsed_strategy: printed } = Printed::of(choices)?;
    let found = departures(&Table::new(choices, Attacked::No), &total_dependent, least);
    let (rules, cards) = (by_cards(&found), exceptions(&found));
    let document = StrategyCard {
        assumed: None,
        house_edge: edge(choices, &printed)?,
        house_edge_with_exceptions: edge(choices, &followed(&printed, &rules, &cards)?)?,
        house_edge_by_cards: -value(choices, &Strategy::CompositionDependent),
        by_cards: rules,
        charts: charts.charts,
        columns: charts.columns,
        exceptions: cards,
        hypothetical: None,
        least,
        rules: in_words(choices),
        sections,
        switching: rule.as_ref().map(switching),
        table: choices.name.clone(),
        title: card_title(choices),
    };
    let strategy = Some(StrategyUsed::Named("total-dependent"));
    Ok(Stamped::new(document, Inputs { strategy, ..Inputs::table(choices) }))
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(error.to_string())
}

/// Returns the house edge of a table for a player who follows `chart`.
pub(crate) fn edge(choices: &Choices, chart: &Chart) -> Result<f64, Failure> {
    let given = CompleteChart::new(choices, chart.clone()).map_err(refused)?;
    Ok(-value(choices, &Strategy::Given(Box::new(given))))
}

/// Returns all charts and offers of a card in printing order, with columns from two to ace.
fn sections(choices: &Choices, charts: &StrategyCharts, rule: Option<&SwitchRule>) -> Vec<PrintedChart> {
    let mut order: Vec<(usize, &String)> = charts.columns.iter().enumerate().collect();
    order.sort_by_key(|(at, up)| (up.starts_with('A'), *at));
    let columns: Vec<String> = order.iter().map(|(_, up)| (*up).clone()).collect();
    let row = |row: &StrategyRow| {
        let cells = order.iter().filter_map(|(at, _)| row.cells.get(*at));
        let cells = cells.map(|cell| PrintedCell::Play(cell.action.clone())).collect();
        PrintedRow { cells, row: row.row.clone() }
    };
    let mut sections: Vec<PrintedChart> = Vec::new();
    for chart in charts.charts.iter().filter(|chart| chart.chart != "switch" && !chart.rows.is_empty()) {
        let rows = chart.rows.iter().map(row).collect();
        sections.push(PrintedChart::new(&chart.chart, title(&chart.chart), columns.clone(), rows));
    }
    if let Some(rule) = rule {
        // the points of every hand in every column, as printed
        let row = |line: &ChartLine| PrintedRow {
            cells: line.points.iter().map(|points| PrintedCell::Points(*points)).collect(),
            row: line.hands.join(" "),
        };
        let title = "Switch if the two new hands have more points than the two as dealt";
        let rows = rule.lines.iter().map(row).collect();
        sections.push(PrintedChart::new("switch", title.into(), rule.columns.clone(), rows));
    }
    if moves(choices).contains(&Move::Insurance) {
        sections.push(PrintedChart::offer("insurance", "Insurance", false));
    }
    if choices.even_money.is_yes() {
        let take = charts.even_money == Some(true);
        sections.push(PrintedChart::offer("even money", "Even money for a blackjack", take));
    }
    sections
}

impl PrintedChart {
    /// Returns the printed form of a chart with rows.
    pub(crate) fn new(
        chart: &str,
        title: String,
        columns: Vec<String>,
        rows: Vec<PrintedRow>,
    ) -> PrintedChart {
        PrintedChart { chart: chart.into(), columns: Some(columns), rows: Some(rows), take: None, title }
    }

    /// Returns the printed form of an offer, which the player always takes if `take` is set and otherwise never.
    pub(crate) fn offer(chart: &str, title: &str, take: bool) -> PrintedChart {
        PrintedChart { chart: chart.into(), columns: None, rows: None, take: Some(take), title: title.into() }
    }
}

/// Returns the heading under which a chart is printed, such as `Hard totals` for `hard`.
fn title(chart: &str) -> String {
    let (kind, hands) = chart.split_once(", ").unwrap_or((chart, ""));
    let kind = match kind {
        "hard" => "Hard totals",
        "soft" => "Soft totals",
        "pairs" => "Pairs",
        "attack" => "Double Attack: when to make the attack bet, by upcard",
        "second attack" => "Second attack bet, by your first card",
        "third attack" => "Third attack bet, by your first card and the upcard",
        other => other,
    };
    match hands {
        "" => kind.to_string(),
        "doubled" => format!("{kind}, after doubling: give up?"),
        "more cards" => format!("{kind}, 6 or more cards"),
        hands => format!("{kind}, {hands}"),
    }
}

/// Parses the strategy of a player who reads the printed sections of a card.
///
/// Returns an error if the sections are not a valid chart.
pub fn read_back(sections: &[PrintedChart]) -> Result<Chart, Failure> {
    let mut charts: Vec<Value> = Vec::new();
    let mut columns: &[String] = &[];
    let mut switch: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for section in sections {
        let (Some(ups), Some(rows)) = (&section.columns, &section.rows) else { continue };
        if section.chart != "switch" {
            columns = ups;
            let row = |row: &PrintedRow| {
                let cells: Vec<Value> = row.cells.iter().map(|cell| json!({ "action": cell })).collect();
                json!({ "row": row.row, "cells": cells })
            };
            let rows: Vec<Value> = rows.iter().map(row).collect();
            charts.push(json!({ "chart": section.chart, "rows": rows }));
            continue;
        }
        for row in rows {
            for (ups, cell) in ups.iter().zip(&row.cells) {
                let PrintedCell::Points(points) = *cell else { continue };
                for up in ups.chars() {
                    for hands in row.row.split(' ').map(two_cards) {
                        let column = switch.entry(up.to_string()).or_default();
                        column.extend(hands.into_iter().map(|hand| (hand, f64::from(points))));
                    }
                }
            }
        }
    }
    let takes = |name: &str| {
        sections.iter().find(|section| section.chart == name).is_some_and(|offer| offer.take == Some(true))
    };
    let text = json!({
        "strategy": "total-dependent", "columns": columns, "charts": charts, "switch": switch,
        "insurance": takes("insurance"), "even_money": takes("even money"),
    });
    Chart::from_json(&text.to_string()).map_err(refused)
}

/// Returns the two-card hands that a row label of the switching chart stands for, such as `69` and `78` for `15`.
fn two_cards(kind: &str) -> Vec<String> {
    const LETTERS: [char; 10] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T'];
    match kind.parse::<usize>() {
        // hard totals of two different cards, no aces
        Ok(total) if total < 22 => (2..=10)
            .filter(|low| total.checked_sub(*low).is_some_and(|high| *low < high && high <= 10))
            .map(|low| format!("{}{}", LETTERS[low - 1], LETTERS[total - low - 1]))
            .collect(),
        _ if kind == "blackjack" => vec!["BJ".to_string()],
        _ => vec![kind.to_string()],
    }
}

/// Returns the chart of the printed strategy, changed by the printed rules and the printed exceptions.
pub(crate) fn followed(
    printed: &Chart,
    rules: &[RuleByCards],
    cards: &[HandException],
) -> Result<Chart, Failure> {
    let mut told = printed.to_json();
    for rule in rules.iter().filter(|rule| rule.printed) {
        let Some((kind, row)) = rule.hand.split_once(' ') else { continue };
        let places =
            SIZES.map(|n| (format!("cards-{n}"), n)).into_iter().chain([("drawn".to_string(), u8::MAX)]);
        for (name, size) in places {
            let here = told["sections"][&name][kind][row][&rule.up].as_str().map(str::to_string);
            let before = here
                .or_else(|| told["sections"]["initial"][kind][row][&rule.up].as_str().map(str::to_string));
            let cell = if size >= rule.cards { rule.play.to_string() } else { before.unwrap_or_default() };
            told["sections"][&name][kind][row][&rule.up] = cell.into();
        }
    }
    let printed = cards.iter().filter(|one| one.printed);
    told["exceptions"] =
        printed.map(|one| json!({ "cards": one.cards, "up": one.up, "play": one.play })).collect();
    Chart::from_json(&told.to_string()).map_err(refused)
}

fn letter(action: Action) -> &'static str {
    match action {
        Action::Stand => "S",
        Action::Hit => "H",
        Action::Double => "D",
        Action::Split => "P",
        Action::Surrender => "R",
    }
}

/// Returns the hands of exact cards for which another action is better than the chart's action.
///
/// Only two-card hands are marked for printing, because players recognize them easily; the rules by number of
/// cards cover larger hands.
fn exceptions(found: &Departures) -> Vec<HandException> {
    let mut left = MOST_CARDS;
    let told = found.cards.iter().map(|one| {
        let cards = letters(&one.cards);
        let printed = cards.len() == 2 && left > 0;
        left -= usize::from(printed);
        HandException {
            cards,
            chance: one.chance,
            otherwise: letter(one.otherwise),
            play: letter(one.play),
            printed,
            up: one.column.clone(),
            worth: one.worth,
        }
    });
    told.collect()
}

fn by_cards(found: &Departures) -> Vec<RuleByCards> {
    let told = found.by_cards.iter().enumerate().map(|(nth, one)| RuleByCards {
        cards: one.from_cards,
        chance: one.chance,
        hand: row_label(one.row),
        otherwise: letter(one.otherwise),
        play: letter(one.play),
        printed: nth < MOST_RULES,
        up: one.column.clone(),
        worth: one.worth,
    });
    told.collect()
}

fn switching(rule: &SwitchRule) -> SwitchingRule {
    let row = |line: &ChartLine| SwitchingRow { hands: line.hands.clone(), points: line.points.clone() };
    // the same by column, for people who carry one list per upcard
    let groups = rule.columns.iter().enumerate().map(|(at, up)| {
        let mut levels: BTreeMap<i32, Vec<String>> = BTreeMap::new();
        let each =
            |line: &ChartLine| levels.entry(line.points[at]).or_default().extend_from_slice(&line.hands);
        rule.lines.iter().for_each(each);
        let levels = levels.into_iter().rev().map(|(points, hands)| SwitchingLevel { hands, points });
        SwitchingGroup { points: levels.collect(), up: up.clone() }
    });
    SwitchingRule {
        chart: SwitchingChart { columns: rule.columns.clone(), rows: rule.lines.iter().map(row).collect() },
        cost: rule.cost,
        groups: groups.collect(),
        lines: rule.lines.len(),
        never: rule.never,
        rule: "switch if the two new hands have more points than the two as dealt",
    }
}

/// Returns the title of a table's card: its name, or its game and jurisdiction if the name is that of a preset.
pub(crate) fn card_title(choices: &Choices) -> String {
    if !rules::preset::PRESETS.iter().any(|(preset, _)| *preset == choices.name) {
        return choices.name.clone();
    }
    let table = TableFile::of(choices);
    let table = table.keys();
    let word = |key: &str| table[key].as_str().unwrap_or_default().to_string();
    let game = match (word("game").as_str(), word("variation").as_str()) {
        ("blackjack", "six-to-five") => "Blackjack, 6 to 5".to_string(),
        ("blackjack", "multiple-action") => "Multiple Action Blackjack".to_string(),
        ("blackjack", _) => "Blackjack".to_string(),
        ("switch", _) => "Blackjack Switch".to_string(),
        ("double-attack", _) => "Double Attack Blackjack".to_string(),
        ("triple-attack", _) => "Triple Attack Blackjack".to_string(),
        (other, _) => other.to_string(),
    };
    match word("jurisdiction").as_str() {
        "nj" => format!("{game}, New Jersey"),
        "ma" => format!("{game}, Massachusetts"),
        other => format!("{game}, {other}"),
    }
}

/// Returns the rules of a table that affect strategy, in words short enough for a card.
fn in_words(choices: &Choices) -> Vec<String> {
    let table = TableFile::of(choices);
    let table = table.keys();
    let word = |key: &str| table[key].as_str().unwrap_or_default().to_string();
    let yes = |key: &str| table[key].as_bool().unwrap_or(false);
    let decks = if choices.decks == 1 { "1 deck".to_string() } else { format!("{} decks", choices.decks) };
    let mut rules = vec![
        decks,
        format!("dealer {}s soft 17", word("soft_17")),
        match word("hole_card").as_str() {
            "none" => "no hole card".to_string(),
            "reader" => "blackjack read before play".to_string(),
            other => format!("hole card {other}"),
        },
    ];
    let most = choices.split_hands;
    rules.push(if most > 1 { format!("split to {most} hands") } else { "no splits".to_string() });
    rules.push(format!("{}double after split", if yes("double_after_split") { "" } else { "no " }));
    rules.push(format!("aces {}resplit", if yes("resplit_aces") { "" } else { "not " }));
    rules.push(format!("{}surrender", if yes("surrender") { "" } else { "no " }));
    rules
}
