//! Strategy cards: exceptions add up to what exact cards are worth, published ones are found, drawings are drawings.

use crate::{cutcard, document, status, stderr, stdout};
use serde_json::Value;

fn answer(arguments: &[&str]) -> Value {
    let output = cutcard(&[arguments, &["--json"]].concat());
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    document(&output)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Play by exact cards is the chart and all exceptions: what they are worth adds up to the difference of the two edges,
/// but for the hundredth part of it that split hands gain, which have no place on a card.
#[test]
fn exceptions_add_up_to_what_exact_cards_are_worth() {
    let table = ["nj-blackjack-reader", "--set", "decks=6", "--set", "split_hands=2"];
    let told = answer(&[&["card"], &table[..], &["--least", "0"]].concat());
    let all = told["exceptions"].as_array().expect("exceptions");
    let sum: f64 = all.iter().map(|one| number(&one["worth"])).sum();
    let difference = number(&told["house_edge"]) - number(&told["house_edge_by_cards"]);
    assert!(sum > 0.97 * difference && sum <= difference && difference > 1e-5, "{sum} {difference}");
    let edges = ["total-dependent", "composition-dependent"]
        .map(|play| answer(&[&["edge"], &table[..], &["--strategy", play]].concat()));
    assert!((number(&edges[0]["main"]["house_edge"]) - number(&told["house_edge"])).abs() < 1e-12);
    assert!((number(&edges[1]["main"]["house_edge"]) - number(&told["house_edge_by_cards"])).abs() < 1e-12);
}

/// Sixteen of three and more cards stands against a ten, as every book has it.
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

#[test]
fn a_card_is_drawn_in_its_size() {
    for (table, word) in [("nj-double-attack", "Attack"), ("nj-triple-attack", "Third attack")] {
        for (size, wide) in [("credit", "108mm"), ("letter", "215.9mm")] {
            let output = cutcard(&["card", table, "--size", size]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            let svg = stdout(&output);
            assert!(svg.starts_with("<svg") && svg.contains(wide) && svg.contains(word), "{table} {size}");
        }
    }
    let page = cutcard(&["card", "nj-blackjack", "--format", "html"]);
    assert!(stdout(&page).contains("@page{size:108mm 85.6mm"), "{}", stdout(&page));
    assert_eq!(status(&cutcard(&["card", "nj-blackjack", "--format", "png"])), 2);
    assert_eq!(status(&cutcard(&["card", "nj-blackjack-face-up"])), 1);
    assert_eq!(status(&cutcard(&["card", "nj-blackjack", "--least", "-1"])), 2);
}

/// For two hands there is a rule for switching that costs less than a hundredth of a percent.
#[test]
fn switching_has_a_rule_that_people_can_keep() {
    let told = answer(&["card", "nj-switch"]);
    let rule = &told["switching"];
    assert!(number(&rule["cost"]) < 1e-4 && number(&rule["never"]) > 0.05, "{rule}");
    let groups = rule["groups"].as_array().expect("groups");
    let ups: String = groups.iter().filter_map(|group| group["up"].as_str()).collect();
    assert_eq!(ups.len(), 10, "{ups}");
}
