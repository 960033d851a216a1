//! `cutcard tables`.

use crate::{TableFile, cutcard, document, status, stderr, stdout};

const PRESETS: [&str; 9] = [
    "nj-blackjack",
    "nj-blackjack-reader",
    "nj-blackjack-face-up",
    "nj-six-to-five",
    "nj-multiple-action",
    "nj-switch",
    "ma-switch",
    "nj-double-attack",
    "nj-triple-attack",
];

#[test]
fn every_preset_is_listed() {
    let output = cutcard(&["tables"]);
    assert_eq!(status(&output), 0);
    let names: Vec<&str> =
        stdout(&output).lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, PRESETS);
    let listed = document(&cutcard(&["tables", "--json"]));
    let listed = listed["tables"].as_array().expect("a list of tables");
    assert_eq!(listed.len(), PRESETS.len());
    assert_eq!(listed[5]["table"]["game"], "switch");
    assert_eq!(listed[5]["table"]["side_wagers"]["match"]["minimum"], "1.00");
}

#[test]
fn a_preset_printed_is_a_lawful_table_file() {
    for preset in PRESETS {
        let printed = cutcard(&["tables", preset]);
        assert_eq!(status(&printed), 0);
        let file = TableFile::new(&format!("preset-{preset}"), &printed.stdout);
        let checked = cutcard(&["check", file.path()]);
        assert_eq!(status(&checked), 0, "{preset}: {}{}", stdout(&checked), stderr(&checked));
    }
}

#[test]
fn a_preset_that_does_not_exist_is_status_2() {
    let output = cutcard(&["tables", "nv-blackjack"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("nj-blackjack"), "{}", stderr(&output));
}
