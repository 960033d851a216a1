//! `cutcard check`.

use crate::{TableFile, cutcard, document, status, stderr, stdout};
use std::time::{Duration, Instant};

#[test]
fn a_lawful_table() {
    let output = cutcard(&["check", "nj-blackjack"]);
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).starts_with("nj-blackjack is legal."));
    assert!(stderr(&output).is_empty());
    let report = document(&cutcard(&["check", "nj-blackjack", "--json"]));
    assert_eq!(report["lawful"], true);
    assert_eq!(report["violations"], serde_json::json!([]));
    assert!(report["warnings"].is_array());
}

/// The entries that play depends on are findings with their kind, and change neither verdict nor exit status.
#[test]
fn required_entries_are_told_with_their_kind() {
    for (arguments, kind, clause) in [
        (&["nj-blackjack"][..], "approval", "19:47-2.2(a)"),
        (&["nj-blackjack-reader"], "approval", "19:47-2.6(j)"),
        (&["nj-switch"], "approval", "19:47-2A.2(a)"),
        (&["nj-switch"], "staffing", "19:47-2A.3(b)"),
        (&["nj-blackjack", "--set", "side_wagers.streak=true"], "approval", "19:47-2.22(d)"),
        (
            &["nj-blackjack", "--set", "hole_card=down", "--set", "side_wagers.twenty-point.cap=30000"],
            "approval",
            "19:47-2.24(h)",
        ),
    ] {
        let output = cutcard(&[&["check"][..], arguments, &["--json"]].concat());
        assert_eq!(status(&output), 0, "{arguments:?}");
        let report = document(&output);
        let warnings = report["warnings"].as_array().expect("a list");
        let found = warnings.iter().any(|entry| entry["kind"] == kind && entry["clause"] == clause);
        assert!(found, "{arguments:?}: no {kind} by {clause} in {warnings:?}");
        let people = cutcard(&[&["check"][..], arguments].concat());
        let people = stdout(&people);
        let (_, entries) = people.split_once("Register entries required").expect("the entries for people");
        let said = |line: &str| line.contains(clause) && line.ends_with(&format!("({kind})"));
        assert!(entries.lines().any(said), "{arguments:?}: {entries}");
    }
    let none = cutcard(&["check", "ma-switch"]);
    let none = stdout(&none);
    assert!(!none.contains("Register entries required"), "{none}");
}

#[test]
fn every_violation_is_told_with_its_clause_and_keys() {
    let file = TableFile::new(
        "two-wagers",
        "decks = 4\n[side_wagers.match-the-dealer]\nminimum = \"1.00\"\n[side_wagers.dealer-bust]\n",
    );
    let output = cutcard(&["check", file.path(), "--json"]);
    assert_eq!(status(&output), 1);
    let report = document(&output);
    assert_eq!(report["lawful"], false);
    let violations = report["violations"].as_array().expect("a list");
    let clauses: Vec<&str> = violations.iter().map(|v| v["clause"].as_str().expect("a citation")).collect();
    for clause in ["19:47-2.23(g)", "19:47-2.25(h)", "19:47-2.2(a)4"] {
        assert!(clauses.contains(&clause), "{clause} in {clauses:?}");
    }
    let exclusion = violations.iter().find(|v| v["clause"] == "19:47-2.23(g)").expect("found above");
    assert_eq!(
        exclusion["keys"],
        serde_json::json!(["side_wagers.match-the-dealer", "side_wagers.dealer-bust"])
    );
    for field in ["clause", "keys", "message"] {
        assert!(exclusion.get(field).is_some(), "{field}");
    }
    let people = cutcard(&["check", file.path()]);
    assert_eq!(status(&people), 1);
    assert!(stdout(&people).contains("19:47-2.23(g)"), "{}", stdout(&people));
}

#[test]
fn overrides_are_applied_in_order() {
    let last_wins = cutcard(&["check", "nj-switch", "--set", "decks=7", "--set", "decks=8"]);
    assert_eq!(status(&last_wins), 0);
    let last_loses = cutcard(&["check", "nj-switch", "--set", "decks=8", "--set", "decks=7"]);
    assert_eq!(status(&last_loses), 1);
}

#[test]
fn massachusetts_is_cited_by_its_own_numbers() {
    let report = document(&cutcard(&["check", "ma-switch", "--set", "shoe=hand", "--json"]));
    assert_eq!(report["violations"][0]["clause"], "MA-BJS 7(a)");
}

#[test]
fn input_that_is_not_understood_is_status_2_and_one_sentence() {
    let not_toml = TableFile::new("not-toml", "decks = = 6\n");
    let unknown = TableFile::new("unknown-key", "deks = 6\n");
    let binary = TableFile::new("binary", [0xff, 0xfe, 0x00]);
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (arguments, expected) in [
        (&["check", "nj-blackjak"][..], "`nj-blackjack`"),
        (&["check", not_toml.path()], "line 1"),
        (&["check", unknown.path()], "`decks`"),
        (&["check", binary.path()], "UTF-8"),
        (&["check", folder], "cannot read "),
        (&["check", ""], "no preset or file"),
        (&["check", "nj-blackjack", "--set", "decks"], "expected KEY=VALUE"),
        (&["check", "nj-blackjack", "--set", "decks=many"], "expected an integer"),
    ] {
        let output = cutcard(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stdout(&output).is_empty(), "{arguments:?}");
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        let with_json = cutcard(&[arguments, &["--json"]].concat());
        assert_eq!(status(&with_json), 2);
        assert!(document(&with_json)["error"].is_string());
    }
}

#[test]
fn a_check_answers_at_once() {
    // take the best of several runs, so that a busy machine does not fail the test; the limit is 20 ms in a release
    // build
    let quickest = (0..10)
        .map(|_| {
            let start = Instant::now();
            cutcard(&["check", "nj-triple-attack", "--json"]);
            start.elapsed()
        })
        .min();
    assert!(quickest < Some(Duration::from_millis(20)), "{quickest:?}");
}
