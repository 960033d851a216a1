//! A strategy card: the charts by totals, where exact cards are better played otherwise and what that is worth, and for
//! two hands a rule for switching that a person can keep.

use crate::tables::table_json;
use crate::{Failure, Of, Stamped};
use exact::departures::{Departures, departures, letters};
use exact::game::{Strategy, value};
use exact::offers::by_totals;
use exact::strategy::strategy;
use exact::switching::{SwitchRule, switch_rule};
use exact::table::{Attacked, Table};
use exact::turn::Action;
use program::chart::row_label;
use rules::Choices;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a rule for switching may cost: a hundredth of a percent.
pub const MOST_COST: f64 = 1e-4;

/// The document of a card; departures that are worth less than `least` of a wager a round are left out.
pub fn document(choices: &Choices, least: f64) -> Result<Stamped<Value>, Failure> {
    let charts = strategy(choices, &Strategy::TotalDependent).to_json();
    let charts: Value = serde_json::from_str(&charts)
        .map_err(|error| Failure::Refused(format!("the charts cannot be read back: {error}")))?;
    let table = Table::new(choices, Attacked::No);
    let [by_chart, best] =
        [Strategy::TotalDependent, Strategy::CompositionDependent].map(|s| value(choices, &s));
    let found = departures(&table, &by_totals(choices), least);
    let rule = (choices.hands_per_box() > 1).then(|| switch_rule(&table, MOST_COST)).flatten();
    let document = json!({
        "table": choices.name,
        "rules": in_words(choices),
        "house_edge": -by_chart,
        "house_edge_by_cards": -best,
        "columns": charts["columns"],
        "charts": charts["charts"],
        "exceptions": exceptions(&found),
        "by_cards": by_cards(&found),
        "least": least,
        "switching": rule.as_ref().map(switching),
    });
    Ok(Stamped::new(document, Of::table(choices).with("strategy", "total-dependent")))
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

fn exceptions(found: &Departures) -> Vec<Value> {
    let told = found.cards.iter().map(|one| {
        json!({
            "cards": letters(&one.cards), "up": one.column, "play": letter(one.play),
            "otherwise": letter(one.otherwise), "chance": one.chance, "worth": one.worth,
        })
    });
    told.collect()
}

fn by_cards(found: &Departures) -> Vec<Value> {
    let told = found.by_cards.iter().map(|one| {
        json!({
            "hand": row_label(one.row), "up": one.column, "cards": one.from_cards, "play": letter(one.play),
            "otherwise": letter(one.otherwise), "chance": one.chance, "worth": one.worth,
        })
    });
    told.collect()
}

fn switching(rule: &SwitchRule) -> Value {
    let rows = rule.lines.iter().map(|line| json!({ "hands": line.hands, "points": line.points }));
    // the same by column, for those who carry one list for each up card
    let groups = rule.columns.iter().enumerate().map(|(at, ups)| {
        let mut levels: BTreeMap<i32, Vec<&String>> = BTreeMap::new();
        rule.lines.iter().for_each(|line| levels.entry(line.points[at]).or_default().extend(&line.hands));
        let levels = levels.iter().rev().map(|(points, hands)| json!({ "points": points, "hands": hands }));
        json!({ "up": ups, "points": levels.collect::<Vec<_>>() })
    });
    json!({
        "rule": "switch where the two new hands have more points than the two as dealt",
        "chart": { "columns": rule.columns, "rows": rows.collect::<Vec<_>>() },
        "groups": groups.collect::<Vec<_>>(), "cost": rule.cost, "lines": rule.lines.len(), "never": rule.never,
    })
}

/// The rules that matter for play, short enough for a card.
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
