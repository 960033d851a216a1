//! A strategy card: the charts by total, where exact cards are better played differently and how much that gains, and
//! for two hands a rule for switching that a person can remember. The edge on a card is that of its printed charts.

use crate::tables::table_json;
use crate::{Failure, Inputs, Stamped};
use exact::departures::{Departures, departures, letters};
use exact::game::{Strategy, value};
use exact::given::CompleteChart;
use exact::offers::by_totals;
use exact::strategy::strategy;
use exact::switching::{SwitchRule, switch_rule};
use exact::table::{Attacked, Table};
use exact::turn::Action;
use program::Chart;
use program::chart::row_label;
use program::moves::{Move, moves};
use rules::Choices;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The maximum cost of a switching rule: 0.01 %.
pub const MOST_COST: f64 = 1e-4;
/// The maximum number of rules by the number of cards, and of single two-card hands, on a card.
const MOST_RULES: usize = 12;
const MOST_CARDS: usize = 24;
/// The numbers of cards with their own section in a chart; larger hands are `drawn`.
const SIZES: [u64; 3] = [3, 4, 5];

/// Returns the document of a card; omits departures that gain less than `least` of a bet per round.
pub fn document(choices: &Choices, least: f64) -> Result<Stamped<Value>, Failure> {
    let chart = by_totals(choices);
    let given = CompleteChart::new(choices, chart.clone()).map_err(refused)?;
    let charts = strategy(choices, &Strategy::Given(Box::new(given))).to_json();
    let charts: Value = serde_json::from_str(&charts)
        .map_err(|error| Failure::Refused(format!("cannot parse the charts: {error}")))?;
    let table = Table::new(choices, Attacked::No);
    let found = departures(&table, &chart, least);
    let rule = (choices.hands_per_box() > 1).then(|| switch_rule(&table, MOST_COST)).flatten();
    let sections = sections(choices, &charts, rule.as_ref());
    let printed = read_back(&sections)?;
    let (rules, cards) = (by_cards(&found), exceptions(&found));
    let with_exceptions = edge(choices, &followed(&printed, &rules, &cards)?)?;
    let document = json!({
        "table": choices.name,
        "title": card_title(choices),
        "rules": in_words(choices),
        "house_edge": edge(choices, &printed)?,
        "house_edge_with_exceptions": with_exceptions,
        "house_edge_by_cards": -value(choices, &Strategy::CompositionDependent),
        "sections": sections,
        "columns": charts["columns"],
        "charts": charts["charts"],
        "exceptions": cards,
        "by_cards": rules,
        "least": least,
        "switching": rule.as_ref().map(switching),
    });
    Ok(Stamped::new(document, Inputs::table(choices).with("strategy", "total-dependent")))
}

fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(error.to_string())
}

fn edge(choices: &Choices, chart: &Chart) -> Result<f64, Failure> {
    let given = CompleteChart::new(choices, chart.clone()).map_err(refused)?;
    Ok(-value(choices, &Strategy::Given(Box::new(given))))
}

/// Returns every chart of a card, in order: columns two to ace, one text for each cell.
fn sections(choices: &Choices, charts: &Value, rule: Option<&SwitchRule>) -> Vec<Value> {
    let mut order: Vec<(usize, &str)> =
        list(&charts["columns"]).iter().filter_map(Value::as_str).enumerate().collect();
    order.sort_by_key(|(at, up)| (up.starts_with('A'), *at));
    let columns: Vec<&str> = order.iter().map(|(_, up)| *up).collect();
    let mut sections: Vec<Value> = Vec::new();
    for chart in list(&charts["charts"]).iter().filter(|chart| chart["chart"] != "switch") {
        let row = |row: &Value| {
            let cells = list(&row["cells"]);
            let cells: Vec<&Value> =
                order.iter().filter_map(|(at, _)| Some(&cells.get(*at)?["action"])).collect();
            json!({ "row": row["row"], "cells": cells })
        };
        let rows: Vec<Value> = list(&chart["rows"]).iter().map(row).collect();
        if !rows.is_empty() {
            let title = title(chart["chart"].as_str().unwrap_or_default());
            sections
                .push(json!({ "chart": chart["chart"], "title": title, "columns": columns, "rows": rows }));
        }
    }
    if let Some(rule) = rule {
        // the points of every hand in every column, as printed
        let rows = rule.lines.iter().map(|line| json!({ "row": line.hands.join(" "), "cells": line.points }));
        let title = "Switch if the two new hands have more points than the two as dealt";
        let rows: Vec<Value> = rows.collect();
        sections.push(json!({ "chart": "switch", "title": title, "columns": rule.columns, "rows": rows }));
    }
    if moves(choices).contains(&Move::Insurance) {
        sections.push(json!({ "chart": "insurance", "title": "Insurance", "take": false }));
    }
    if choices.even_money.is_yes() {
        let take = charts["even_money"] == true;
        sections.push(json!({ "chart": "even money", "title": "Even money for a blackjack", "take": take }));
    }
    sections
}

/// Returns the heading of a chart for people.
fn title(chart: &str) -> String {
    let (kind, hands) = chart.split_once(", ").unwrap_or((chart, ""));
    let kind = match kind {
        "hard" => "Hard totals",
        "soft" => "Soft totals",
        "pairs" => "Pairs",
        "attack" => "Double attack wager, by upcard",
        "second attack" => "Second attack wager, by your first card",
        "third attack" => "Third attack wager, by your first card and the upcard",
        other => other,
    };
    match hands {
        "" => kind.to_string(),
        "doubled" => format!("{kind}, after doubling: give up?"),
        "more cards" => format!("{kind}, 6 or more cards"),
        hands => format!("{kind}, {hands}"),
    }
}

/// Parses the strategy from the sections of a card.
pub fn read_back(sections: &[Value]) -> Result<Chart, Failure> {
    let named = |name: &str| sections.iter().find(|section| section["chart"] == name);
    let mut columns: Vec<Value> = Vec::new();
    let mut charts: Vec<Value> = Vec::new();
    let mut switch: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for section in sections.iter().filter(|section| section["rows"].is_array()) {
        if section["chart"] != "switch" {
            columns = list(&section["columns"]).to_vec();
            let row = |row: &Value| {
                let cells: Vec<Value> =
                    list(&row["cells"]).iter().map(|cell| json!({ "action": cell })).collect();
                json!({ "row": row["row"], "cells": cells })
            };
            let rows: Vec<Value> = list(&section["rows"]).iter().map(row).collect();
            charts.push(json!({ "chart": section["chart"], "rows": rows }));
            continue;
        }
        for row in list(&section["rows"]) {
            for (ups, points) in list(&section["columns"]).iter().zip(list(&row["cells"])) {
                for up in ups.as_str().unwrap_or_default().chars() {
                    for hands in row["row"].as_str().unwrap_or_default().split(' ').map(two_cards) {
                        let column = switch.entry(up.to_string()).or_default();
                        column.extend(hands.into_iter().map(|hand| (hand, points.as_f64().unwrap_or(0.0))));
                    }
                }
            }
        }
    }
    let takes = |name: &str| named(name).is_some_and(|section| section["take"] == true);
    let text = json!({
        "strategy": "total-dependent", "columns": columns, "charts": charts, "switch": switch,
        "insurance": takes("insurance"), "even_money": takes("even money"),
    });
    Chart::from_json(&text.to_string()).map_err(refused)
}

/// Returns the two-card hands in a row of the switching chart: `15` is 69 and 78.
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

/// Returns the printed charts with the printed exceptions.
fn followed(printed: &Chart, rules: &[Value], cards: &[Value]) -> Result<Chart, Failure> {
    let mut told = printed.to_json();
    for rule in rules.iter().filter(|rule| rule["printed"] == true) {
        let (Some((kind, row)), Some(up)) =
            (rule["hand"].as_str().and_then(|hand| hand.split_once(' ')), rule["up"].as_str())
        else {
            continue;
        };
        let from = rule["cards"].as_u64().unwrap_or(3);
        let places =
            SIZES.map(|n| (format!("cards-{n}"), n)).into_iter().chain([("drawn".to_string(), u64::MAX)]);
        for (name, size) in places {
            let here = told["sections"][&name][kind][row][up].as_str().map(str::to_string);
            let before =
                here.or_else(|| told["sections"]["initial"][kind][row][up].as_str().map(str::to_string));
            let play = rule["play"].as_str().unwrap_or_default();
            let cell = if size >= from { play.to_string() } else { before.unwrap_or_default() };
            told["sections"][&name][kind][row][up] = json!(cell);
        }
    }
    let printed = cards.iter().filter(|one| one["printed"] == true);
    told["exceptions"] =
        printed.map(|one| json!({ "cards": one["cards"], "up": one["up"], "play": one["play"] })).collect();
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

/// Returns the exact hands that are better played differently. Two-card hands are easy to recognize and are printed;
/// the rules by number of cards cover larger hands.
fn exceptions(found: &Departures) -> Vec<Value> {
    let mut left = MOST_CARDS;
    let told = found.cards.iter().map(|one| {
        let cards = letters(&one.cards);
        let printed = cards.len() == 2 && left > 0;
        left -= usize::from(printed);
        json!({
            "cards": cards, "up": one.column, "play": letter(one.play),
            "otherwise": letter(one.otherwise), "chance": one.chance, "worth": one.worth, "printed": printed,
        })
    });
    told.collect()
}

fn by_cards(found: &Departures) -> Vec<Value> {
    let told = found.by_cards.iter().enumerate().map(|(nth, one)| {
        json!({
            "hand": row_label(one.row), "up": one.column, "cards": one.from_cards, "play": letter(one.play),
            "otherwise": letter(one.otherwise), "chance": one.chance, "worth": one.worth,
            "printed": nth < MOST_RULES,
        })
    });
    told.collect()
}

fn switching(rule: &SwitchRule) -> Value {
    let rows = rule.lines.iter().map(|line| json!({ "hands": line.hands, "points": line.points }));
    // the same by column, for people who carry one list per upcard
    let groups = rule.columns.iter().enumerate().map(|(at, ups)| {
        let mut levels: BTreeMap<i32, Vec<&String>> = BTreeMap::new();
        rule.lines.iter().for_each(|line| levels.entry(line.points[at]).or_default().extend(&line.hands));
        let levels = levels.iter().rev().map(|(points, hands)| json!({ "points": points, "hands": hands }));
        json!({ "up": ups, "points": levels.collect::<Vec<_>>() })
    });
    json!({
        "rule": "switch if the two new hands have more points than the two as dealt",
        "chart": { "columns": rule.columns, "rows": rows.collect::<Vec<_>>() },
        "groups": groups.collect::<Vec<_>>(), "cost": rule.cost, "lines": rule.lines.len(), "never": rule.never,
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the title of a card: the house's name for the table, or its game and jurisdiction if it has a preset's name.
fn card_title(choices: &Choices) -> String {
    if !rules::preset::PRESETS.iter().any(|(preset, _)| *preset == choices.name) {
        return choices.name.clone();
    }
    let table = table_json(choices);
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

/// Returns the rules that matter for play, short enough for a card.
fn in_words(choices: &Choices) -> Vec<String> {
    let table = table_json(choices);
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
