//! Tests any shoe: `--removed`, `--shoe`, `--shoes`, cards without suits, effects of removal. The expected values come
//! from thin_shoes.py beside this file, a recursion over single cards in exact fractions.

use crate::{cutcard, document, status, stderr, stdout};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// The table that thin_shoes.py deals.
const READER: [&str; 6] =
    ["nj-blackjack-reader", "--hypothetical", "--set", "decks=1", "--set", "split_hands=2"];

/// Card counts by value, ace first, and the EV of a round as a fraction.
const ROUNDS: [([u8; 10], (i64, i64)); 3] = [
    ([2, 0, 0, 0, 2, 3, 0, 2, 3, 8], (8_166_397, 79_361_100)),
    ([4, 0, 0, 0, 0, 0, 3, 0, 0, 12], (82_183, 293_930)),
    ([1, 1, 2, 0, 0, 2, 2, 2, 2, 9], (450_852_991, 6_666_332_400)),
];

/// The index into `ROUNDS`, the hand, the upcard, and the EV of every action.
type Asked = (usize, &'static str, &'static str, &'static [(&'static str, f64)]);

const HANDS: [Asked; 4] = [
    (
        0,
        "6 T",
        "T",
        &[("stand", -0.5877777777777777), ("hit", -0.7146031746031746), ("double", -1.4292063492063491)],
    ),
    (
        2,
        "88",
        "6",
        &[
            ("stand", 0.25694833488951135),
            ("hit", -0.6278711484593837),
            ("double", -1.2557422969187675),
            ("split", 1.3689153439153439),
        ],
    ),
    (
        1,
        "A A",
        "K",
        &[
            ("stand", -1.0),
            ("hit", -0.7858712715855573),
            ("double", -1.8857142857142857),
            ("split", 0.8380952380952381),
        ],
    ),
    (
        0,
        "5h6d",
        "9s",
        &[("stand", -0.6970588235294117), ("hit", 0.42129928894634777), ("double", 0.7724089635854342)],
    ),
];

fn answer(arguments: &[&str]) -> Value {
    let output = cutcard(arguments);
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    document(&output)
}

/// Returns the exit status and the message on standard error.
fn refused(arguments: &[&str]) -> (i32, String) {
    let output = cutcard(arguments);
    (status(&output), stderr(&output).to_string())
}

fn counts(shoe: &[u8; 10]) -> String {
    let letters = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"];
    letters.iter().zip(shoe).map(|(letter, n)| format!("{letter}={n}")).collect::<Vec<_>>().join(",")
}

#[test]
fn rounds_from_thin_shoes_have_the_value_that_a_recursion_finds() {
    for (shoe, (n, d)) in ROUNDS {
        let found = answer(&[&["edge", "--json", "--shoe", &counts(&shoe)], &READER[..]].concat());
        let (ev, expected) = (found["main"]["ev"].as_f64().unwrap(), n as f64 / d as f64);
        assert!((ev - expected).abs() < 1e-13, "{shoe:?}: {ev} {expected}");
        assert_eq!(found["shoe"]["T"], json!(shoe[9]));
        assert!(found["hypothetical"].is_array() || found["hypothetical"].is_null());
    }
}

#[test]
fn every_action_from_a_thin_shoe_has_the_value_that_a_recursion_finds() {
    for (which, hand, up, expected) in HANDS {
        let shoe = counts(&ROUNDS[which].0);
        let asked = ["ev", "--json", "--hand", hand, "--up", up, "--shoe", &shoe];
        let found = answer(&[&asked[..], &READER[..]].concat());
        let actions = found["actions"].as_array().unwrap();
        for (action, value) in expected {
            let ev = actions.iter().find(|a| a["action"] == *action).map(|a| a["ev"].as_f64().unwrap());
            let ev = ev.unwrap_or_else(|| panic!("{hand} v {up}: no {action} in {found}"));
            assert!((ev - value).abs() < 1e-13, "{hand} v {up}: {action} {ev} {value}");
        }
        assert_eq!(actions.len(), expected.len(), "{found}");
    }
}

#[test]
fn cards_that_are_gone_are_those_of_the_counts() {
    let removed = answer(&["edge", "--json", "nj-blackjack", "--removed", "A A T 5x4"]);
    let counted = answer(&["edge", "--json", "nj-blackjack", "--shoe", "A=30,5=28,T=127"]);
    assert_eq!(removed["main"]["ev"], counted["main"]["ev"]);
    let with_suits = answer(&["edge", "--json", "nj-blackjack", "--removed", "As Ad Kh 5cx4"]);
    assert_eq!(removed["main"]["ev"], with_suits["main"]["ev"]);
    let whole = answer(&["edge", "--json", "nj-blackjack"]);
    assert_ne!(removed["main"]["ev"], whole["main"]["ev"]);
    let ev = |cards: &str, up: &str| {
        answer(&["ev", "--json", "nj-blackjack", "--hand", cards, "--up", up])["actions"].clone()
    };
    assert_eq!(ev("T6", "T"), ev("Ks 6d", "Th"));
    assert_eq!(ev("9 7", "A"), ev("9s7h", "Ad"));
}

#[test]
fn a_shoe_that_cannot_be_is_refused_in_one_sentence() {
    for (arguments, status, why) in [
        (["--shoe", "A=33"], 1, "33 aces cannot be left"),
        (["--removed", "5x33"], 1, "only 32 fives"),
        (["--shoe", "A=0,2=0,3=0,4=0,5=0,6=0,7=0,8=0,9=0,T=0"], 1, "are needed to evaluate a round"),
        (["--shoe", "B=3"], 2, "invalid count `B=3`"),
        (["--shoe", "A=3,A=4"], 2, "rank A is given twice"),
        (["--removed", "Zs"], 2, "is not a card"),
    ] {
        let (found, told) = refused(&[&["edge", "nj-blackjack"], &arguments[..]].concat());
        assert_eq!(found, status, "{arguments:?}: {told}");
        assert!(told.contains(why) && told.trim_end().lines().count() == 1, "{arguments:?}: {told}");
    }
    let suits =
        ["ev", "nj-blackjack", "--set", "bonus_payouts=[\"suited-678\"]", "--hand", "6 7", "--up", "T"];
    let (found, told) = refused(&suits);
    assert_eq!(found, 1);
    assert!(told.contains("suits are required"), "{told}");
}

#[test]
fn side_wagers_want_suits_where_they_matter() {
    let by_value = answer(&["edge", "--json", "nj-switch", "--removed", "A A"]);
    assert_eq!(by_value["side_wagers"], json!([]));
    assert_eq!(by_value["not_priced"]["wagers"], json!(["match"]));
    let with_suits = answer(&["edge", "--json", "nj-switch", "--removed", "As As"]);
    assert_eq!(with_suits["side_wagers"][0]["wager"], "match");
    let over =
        ["edge", "--json", "nj-blackjack", "--set", "decks=1", "--set", "side_wagers.over-under-13=true"];
    let found = answer(&[&over[..], &["--removed", "T"]].concat());
    // One deck without a ten: of 51 · 50 ordered pairs, those that total more than 13 with aces as 1.
    let left = [4, 4, 4, 4, 4, 4, 4, 4, 4, 15];
    let mut won = 0;
    for a in 0..10 {
        for b in (0..10).filter(|b| a + b + 2 > 13) {
            won += left[a] * (left[b] - i32::from(a == b));
        }
    }
    let edge = 1.0 - f64::from(2 * won) / f64::from(51 * 50);
    let side =
        found["side_wagers"].as_array().unwrap().iter().find(|side| side["wager"] == "over-13").unwrap();
    assert!((side["house_edge"].as_f64().unwrap() - edge).abs() < 1e-14, "{side} {edge}");
}

#[test]
fn a_stream_of_shoes_is_answered_line_by_line() {
    let mut asking = Command::new(env!("CARGO_BIN_EXE_cutcard"))
        .args(["edge", "nj-blackjack", "--shoes", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = "{\"A\":30,\"5\":28,\"T\":127}\nnonsense\n{}\n{\"A\":99}\n{\"5\":28,\"A\":30,\"T\":127}\n";
    asking.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = asking.wait_with_output().expect("an end");
    let told: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.len(), 5, "{told:?}");
    let counted = answer(&["edge", "--json", "nj-blackjack", "--shoe", "A=30,5=28,T=127"]);
    let whole = answer(&["edge", "--json", "nj-blackjack"]);
    assert_eq!(told[0]["main"]["ev"], counted["main"]["ev"]);
    assert_eq!(told[0]["insurance"]["house_edge"], counted["insurance"]["house_edge"]);
    assert_eq!(told[2]["main"]["ev"], whole["main"]["ev"]);
    assert_eq!(told[4], told[0]);
    // every line states its table and strategy
    assert_eq!(
        (&told[0]["of"]["table"], &told[0]["of"]["strategy"]),
        (&whole["of"]["table"], &whole["of"]["strategy"])
    );
    assert_eq!(told[0]["of"]["table"]["decks"], 8);
    assert!(told[1]["error"].as_str().unwrap().starts_with("line 2: expected a JSON object of counts"));
    assert!(told[3]["error"].as_str().unwrap().starts_with("line 4: 99 aces cannot be left"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn removal_is_the_difference_that_a_card_makes() {
    let found = answer(&["removal", "--json", "nj-blackjack", "--set", "decks=6"]);
    let ev = |removed: &str| {
        let asked = ["edge", "--json", "nj-blackjack", "--set", "decks=6", "--removed", removed];
        answer(&asked)["main"]["ev"].as_f64().unwrap()
    };
    let whole =
        answer(&["edge", "--json", "nj-blackjack", "--set", "decks=6"])["main"]["ev"].as_f64().unwrap();
    for card in ["A", "5", "T"] {
        let effect = found["main"][card].as_f64().unwrap();
        assert!((effect - (ev(card) - whole)).abs() < 1e-15, "{card}: {effect}");
    }
    // Removing a five helps the player, removing a ten or an ace hurts.
    assert!(found["main"]["5"].as_f64() > Some(0.0) && found["main"]["T"].as_f64() < Some(0.0));
    // Insurance pays 2 to 1: with an ace up, 96 of 311 cards are tens, or 96 of 310 once a five is removed.
    let five = 3.0 * 96.0 / 310.0 - 3.0 * 96.0 / 311.0;
    assert!((found["insurance"]["5"].as_f64().unwrap() - five).abs() < 1e-15);
    // The full-shoe strategy cannot beat the re-optimized one, and is hardly worse.
    let fixed = answer(&["removal", "--json", "nj-blackjack", "--set", "decks=6", "--fixed-play"]);
    for card in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"] {
        let (anew, fixed) = (found["main"][card].as_f64().unwrap(), fixed["main"][card].as_f64().unwrap());
        assert!(fixed <= anew + 1e-15 && fixed > anew - 1e-4, "{card}: {fixed} {anew}");
    }
}

/// With fixed play, the effects of removal weighted by the number of cards add up to zero: a round from a shoe without
/// one random card has the same EV as a round from the full shoe.
#[test]
fn effects_of_fixed_play_add_up_to_nothing() {
    for table in ["nj-blackjack", "nj-double-attack", "nj-triple-attack"] {
        let found =
            answer(&["removal", "--json", table, "--set", "decks=6", "--fixed-play", "--hypothetical"]);
        let tens = if table == "nj-blackjack" { 96.0 } else { 72.0 };
        let effect = |card: &str| found["main"][card].as_f64().unwrap();
        let others: f64 = ["A", "2", "3", "4", "5", "6", "7", "8", "9"].into_iter().map(effect).sum();
        let sum = 24.0 * others + tens * effect("T");
        assert!(sum.abs() < 1e-12, "{table}: {sum}");
    }
}
