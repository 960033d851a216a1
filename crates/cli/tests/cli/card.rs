//! Checks strategy cards: the exceptions add up to the value of composition-dependent play, known exceptions are found,
//! and the drawings are readable.

use crate::{answer, cutcard, number, status, stderr, stdout};
use serde_json::Value;

/// Composition-dependent play is the chart plus all exceptions. Without splits, the exceptions add up to the
/// difference of the two edges; split hands gain more, but a card does not list them.
#[test]
fn exceptions_add_up_to_what_exact_cards_are_worth() {
    let table = ["nj-blackjack-reader", "--set", "decks=6", "--set", "split_hands=1", "--hypothetical"];
    let told = answer(&[&["card"], &table[..], &["--least", "0"]].concat());
    let all = told["exceptions"].as_array().expect("exceptions");
    let sum: f64 = all.iter().map(|one| number(&one["worth"])).sum();
    let difference = number(&told["house_edge"]) - number(&told["house_edge_by_cards"]);
    assert!((sum - difference).abs() < 1e-12 && difference > 1e-5, "{sum} {difference}");
    assert!(told["hypothetical"].is_array(), "no legal table splits nothing");
    let edges = ["total-dependent", "composition-dependent"]
        .map(|play| answer(&[&["edge"], &table[..], &["--strategy", play]].concat()));
    assert!((number(&edges[0]["main"]["house_edge"]) - number(&told["house_edge"])).abs() < 1e-12);
    assert!((number(&edges[1]["main"]["house_edge"]) - number(&told["house_edge_by_cards"])).abs() < 1e-12);
}

/// The sections of a card form a strategy whose edge is the one that the card prints.
#[test]
fn the_edge_of_a_card_is_that_of_its_sections() {
    for table in [
        "nj-blackjack",
        "nj-blackjack-reader",
        "nj-blackjack-face-up",
        "nj-six-to-five",
        "nj-multiple-action",
        "nj-double-attack",
        "nj-triple-attack",
    ] {
        let told = answer(&["card", table]);
        let mut columns = Value::Null;
        let mut charts: Vec<Value> = Vec::new();
        for section in told["sections"].as_array().expect("sections") {
            let Some(rows) = section["rows"].as_array() else {
                assert_eq!(section["take"], false, "{section}");
                continue;
            };
            columns = section["columns"].clone();
            let row = |row: &Value| {
                let cells = row["cells"].as_array().expect("cells").iter();
                let cells: Vec<Value> = cells.map(|cell| serde_json::json!({ "action": cell })).collect();
                serde_json::json!({ "row": row["row"], "cells": cells })
            };
            let rows: Vec<Value> = rows.iter().map(row).collect();
            charts.push(serde_json::json!({ "chart": section["chart"], "rows": rows }));
        }
        // with both cards face up there is a column for every two cards
        if table != "nj-blackjack-face-up" {
            assert_eq!(columns, serde_json::json!(["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"]));
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        let strategy = serde_json::json!({ "columns": columns, "charts": charts });
        std::fs::write(file.path(), strategy.to_string()).expect("it is written");
        let path = file.path().to_str().expect("a path");
        let edge = answer(&["edge", table, "--strategy", path]);
        let (played, printed) = (number(&edge["main"]["house_edge"]), number(&told["house_edge"]));
        assert!((played - printed).abs() < 1e-12, "{table}: {played} {printed}");
    }
}

/// A sixteen of three or more cards stands against a ten, as every book says.
#[test]
fn sixteen_of_three_cards_stands_against_a_ten() {
    let told = answer(&["card", "nj-blackjack-reader", "--set", "decks=6"]);
    let rules = told["by_cards"].as_array().expect("rules by cards");
    let sixteen = rules.iter().find(|rule| rule["hand"] == "hard 16" && rule["up"] == "T").expect("16 v T");
    assert_eq!((&sixteen["cards"], &sixteen["play"]), (&Value::from(3), &Value::from("S")));
    assert!(number(&sixteen["worth"]) > 1e-5, "{sixteen}");
    let all = told["exceptions"].as_array().expect("exceptions");
    assert!(all.iter().any(|one| one["cards"].as_str().is_some_and(|cards| cards.len() == 3)));
    assert!(told["switching"].is_null());
}

/// Asserts that all text is at least 5.5 points high, on the card, and within one panel.
fn readable(svg: &str, size: &str) {
    let attribute = |text: &str, name: &str| -> f64 {
        let after = text.split(&format!(" {name}=\"")).nth(1).expect(name);
        after.split('"').next().expect("a value").trim_end_matches("mm").parse().expect("a number")
    };
    let whole = svg.lines().next().expect("a first line");
    let (wide, high) = (attribute(whole, "width"), attribute(whole, "height"));
    assert!(size == "letter" || wide % 54.0 == 0.0, "{wide}");
    for text in svg.lines().filter(|line| line.starts_with("<text")) {
        let [x, y, letters] = ["x", "y", "font-size"].map(|name| attribute(text, name));
        let words = text.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
        // Helvetica's letters are about half as wide as high
        let long = words.replace("&lt;", "<").chars().count() as f64 * letters * 0.52;
        let (from, to) = match () {
            () if text.contains("\"end\"") => (x - long, x),
            () if text.contains("\"middle\"") => (x - long / 2.0, x + long / 2.0),
            () => (x, x + long),
        };
        assert!(letters >= 5.5 * 25.4 / 72.0, "{text}");
        assert!(y <= high && y > 0.0 && from > -0.5 && to < wide + 0.5, "{text}");
        let side = |x: f64| (x / 54.0).floor();
        assert!(size == "letter" || side(from + 1.0) == side(to - 1.0), "across a fold: {text}");
    }
}

#[test]
fn a_card_is_drawn_in_its_size() {
    for (table, word) in [("nj-double-attack", "Double Attack: when"), ("nj-triple-attack", "Third attack")] {
        for (size, high) in [("credit", "85.6mm"), ("letter", "279.4mm")] {
            let output = cutcard(&["card", table, "--size", size]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            let svg = stdout(&output);
            assert!(svg.starts_with("<svg") && svg.contains(high) && svg.contains(word), "{table} {size}");
            readable(svg, size);
        }
    }
    let page = cutcard(&["card", "nj-blackjack", "--format", "html"]);
    assert!(stdout(&page).contains("mm 85.6mm;margin:0"), "{}", stdout(&page));
    assert_eq!(status(&cutcard(&["card", "nj-blackjack", "--format", "png"])), 2);
    assert_eq!(status(&cutcard(&["card", "nj-blackjack-face-up"])), 1);
    assert_eq!(status(&cutcard(&["card", "nj-blackjack", "--least", "-1"])), 2);
}

/// Switch has a simple rule for switching that costs less than 0.01 % of the bet.
#[test]
fn long_switching_has_a_rule_that_people_can_keep() {
    let told = answer(&["card", "nj-switch"]);
    let rule = &told["switching"];
    assert!(number(&rule["cost"]) < 1e-4 && number(&rule["never"]) > 0.05, "{rule}");
    let groups = rule["groups"].as_array().expect("groups");
    let ups: String = groups.iter().filter_map(|group| group["up"].as_str()).collect();
    assert_eq!(ups.len(), 10, "{ups}");
    // no longer than a strategy chart, with every hand in exactly one row
    let rows = rule["chart"]["rows"].as_array().expect("rows");
    assert!(rows.len() <= 25 && rule["lines"] == rows.len(), "{}", rows.len());
    let mut hands: Vec<&str> = rows
        .iter()
        .flat_map(|row| row["hands"].as_array().expect("hands"))
        .filter_map(Value::as_str)
        .collect();
    hands.sort_unstable();
    // hard 5 to 19, soft hands with 2 to 9, ten pairs, and ace-ten as 21 and as blackjack
    assert_eq!(hands.len(), 15 + 8 + 10 + 2, "{hands:?}");
    hands.dedup();
    assert_eq!(hands.len(), 35);
    for size in ["credit", "letter"] {
        readable(stdout(&cutcard(&["card", "nj-switch", "--size", size])), size);
    }
}
