//! `--assume`: tests rules of other places at hypothetical tables.

use crate::{answer, cutcard, status, stderr, stdout};

const READER: &str = "nj-blackjack-reader";

/// Returns the house edge in percent, by exact cards, with assumed rules.
fn edge(sets: &[&str], assumed: &[&str]) -> f64 {
    let mut arguments = vec!["edge", READER, "--hypothetical", "--set", "rulings.split_two_card_21=push"];
    sets.iter().for_each(|set| arguments.extend(["--set", set]));
    assumed.iter().for_each(|rule| arguments.extend(["--assume", rule]));
    100.0 * answer(&arguments)["main"]["house_edge"].as_f64().unwrap()
}

/// Asserts that docs/exact.md has this figure beside the published one.
fn is_documented(ours: &str, published: &str) {
    let row = format!("| {ours} | {published} |");
    assert!(include_str!("../../../../docs/exact.md").contains(&row), "{row}");
}

/// Whole tables of the Wizard of Odds: six decks without a hole card, where a dealer's blackjack takes every bet
/// (appendix 9), and the tables of the Spielbank Bad Homburg (question 294).
#[test]
fn published_tables_without_a_hole_card_are_reproduced() {
    let takes_all = "dealer_blackjack=takes-all";
    let six = ["decks=6", "soft_17=hit", "split_hands=4"];
    let found = edge(&six, &[takes_all]);
    assert!((found - 0.727_05).abs() < 0.001, "{found}");
    is_documented(&format!("{found:.5}"), "0.72705");
    let found = edge(&[&six[..], &["double_after_split=false"]].concat(), &[takes_all]);
    assert!((found - 0.869_75).abs() < 0.001, "{found}");
    is_documented(&format!("{found:.5}"), "0.86975");
    let homburg = ["decks=6", "split_hands=4", "resplit_aces=true"];
    let found = edge(&homburg, &[takes_all, "double=9-11"]);
    assert!((found - 0.55).abs() < 0.01, "{found}");
    is_documented(&format!("{found:.4}"), "0.55");
}

#[test]
fn an_answer_names_the_rules_that_it_assumes() {
    let arguments =
        ["edge", READER, "--hypothetical", "--assume", "blackjack=6:5", "--assume", "double=10-11"];
    let told = answer(&arguments);
    assert_eq!(told["assumed"], serde_json::json!(["blackjack=6:5", "double=10-11"]));
    let output = cutcard(&arguments);
    assert!(
        stdout(&output).contains("no regulation here has\n  blackjack=6:5, double=10-11\n"),
        "{}",
        stdout(&output)
    );
    // early surrender of 16 against an ace loses half, whatever the dealer has
    let hand = ["ev", READER, "--hand", "T6", "--up", "A", "--hypothetical", "--assume", "surrender=early"];
    let told = answer(&hand);
    assert_eq!((&told["best"], &told["actions"][0]["ev"]), (&"surrender".into(), &(-0.5).into()));
    let charts = ["strategy", READER, "--strategy", "composition-dependent", "--hypothetical"];
    let output = cutcard(&[&charts[..], &["--assume", "surrender=early"]].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("assuming surrender=early"), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_assumed_is_refused_in_a_sentence() {
    for (arguments, code, expected) in [
        (&["edge", READER, "--assume", "blackjack=6:5"][..], 2, "--hypothetical"),
        (&["edge", READER, "--hypothetical", "--assume", "blackjack"], 2, "split_aces=draw"),
        (&["edge", READER, "--hypothetical", "--assume", "split_hands=99"], 2, "split_hands=2 to 8"),
        (&["edge", "nj-switch", "--hypothetical", "--assume", "blackjack=6:5"], 1, "one dealer hand"),
        (&["edge", "nj-blackjack-face-up", "--hypothetical", "--assume", "surrender=early"], 1, "hole card"),
        (
            &["edge", READER, "--hypothetical", "--assume", "double=9-11", "--strategy", "total-dependent"],
            1,
            "composition-dependent",
        ),
        (&["edge", READER, "--hypothetical", "--assume", "double=9-11", "--removed", "5"], 2, "full shoe"),
    ] {
        let output = cutcard(arguments);
        assert_eq!(status(&output), code, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

/// `edge`, `ev` and `strategy` answer with every assumed rule, and every other command refuses `--assume`.
#[test]
fn three_commands_take_assumed_rules() {
    let rules = [
        "blackjack=1:1",
        "blackjack=6:5",
        "blackjack=7:5",
        "blackjack=2:1",
        "double=9-11",
        "double=10-11",
        "surrender=early",
        "dealer_blackjack=takes-all",
        "split_aces=draw",
        "split_hands=3",
    ];
    let value = |hand: &str, up: &str, action: &str, assumed: &[&str]| -> Option<f64> {
        let told = answer(&[&["ev", READER, "--hypothetical", "--hand", hand, "--up", up], assumed].concat());
        let actions = told["actions"].as_array().expect("actions").clone();
        actions.iter().find(|row| row["action"] == action).map(|row| row["ev"].as_f64().expect("a number"))
    };
    for rule in rules {
        let hand = ["ev", READER, "--hypothetical", "--hand", "AA", "--up", "6", "--assume", rule];
        assert_eq!(answer(&hand)["assumed"], serde_json::json!([rule]));
        let chart = ["strategy", READER, "--hypothetical", "--strategy", "cdp1", "--assume", rule];
        let output = cutcard(&chart);
        assert!(stdout(&output).contains(&format!("assuming {rule} ")), "{}", stdout(&output));
    }
    let told = answer(&["edge", READER, "--hypothetical", "--assume", "split_hands=2", "--strategy", "cdp1"]);
    assert_eq!(told["assumed"], serde_json::json!(["split_hands=2"]));
    let two_to_one = value("AT", "6", "stand", &["--assume", "blackjack=2:1"]);
    assert_eq!(two_to_one, Some(2.0));
    assert!(value("98", "6", "double", &[]).is_some());
    assert_eq!(value("98", "6", "double", &["--assume", "double=9-11"]), None);
    assert!(value("AA", "6", "split", &["--assume", "split_aces=draw"]) > value("AA", "6", "split", &[]));
    assert!(value("88", "6", "split", &["--assume", "split_hands=2"]) < value("88", "6", "split", &[]));
    let takes_all = ["--assume", "dealer_blackjack=takes-all"];
    assert!(value("92", "T", "double", &takes_all) < value("92", "T", "hit", &takes_all));
    let others: [&[&str]; 9] = [
        &["simulate"],
        &["report"],
        &["card"],
        &["removal"],
        &["compare", READER],
        &["perfect"],
        &["indices", "--count", "hi-lo"],
        &["ramp", "--count", "hi-lo"],
        &["tags"],
    ];
    for other in others {
        let output = cutcard(&[other, &[READER, "--hypothetical", "--assume", "blackjack=6:5"]].concat());
        assert_eq!(status(&output), 2, "{other:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("unexpected argument '--assume'"), "{other:?}: {}", stderr(&output));
    }
}
