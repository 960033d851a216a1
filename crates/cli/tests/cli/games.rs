//! Limits the code that asks which game it is dealing with. Regulations are data that the code reads rather than
//! recognizes: outside the texts, the keys of the table file and the presets, only a few places ask how a round is
//! structured, each for a stated reason.

use std::fs;
use std::path::{Path, PathBuf};

const MOST: usize = 29;

/// Expressions that ask which game, variation or jurisdiction a table has.
const ASKS: [&str; 10] = [
    ".form()",
    ".text.name",
    ".text().name",
    ".text.game ==",
    ".text().game ==",
    ".switch.is_some()",
    ".switch.is_none()",
    ".jurisdiction ==",
    "Variation::SixToFive",
    "Variation::MultipleAction",
];

/// Directories and files that may ask, with the maximum number of times and the reason.
const MAY_ASK: [(&str, usize, &str); 9] = [
    (
        "crates/exact/src",
        13,
        "a round of each form is summed, thinned, told by result, asked about and drawn as charts in its own way, and by count",
    ),
    (
        "crates/documents/src/subject.rs",
        2,
        "the dealer's open cards of a hypothetical table and the rules of other places are solved for one hand only",
    ),
    (
        "crates/documents/src/risk_averse.rs",
        1,
        "the squares of a play are exact for one hand against one hand of the dealer",
    ),
    (
        "crates/documents/src/report_verified.rs",
        1,
        "where attack bets follow the first card, what is insured differs from box to box, and so does its edge",
    ),
    ("crates/program/src", 3, "a chart has a switch or an attack only where the round has one"),
    (
        "crates/side/src",
        2,
        "streaks and sevens are followed through rounds of one hand only, and the nets of a round are summed by its form",
    ),
    ("crates/table/src/apply", 1, "a box is offered the switch where the text has one"),
    ("crates/table/src/random", 3, "random tables and their invariants choose by variation"),
    ("crates/rules/src/lawful", 1, "a text governs in its own jurisdiction"),
];

/// Where regulations are defined, selected by name or listed.
const TEXTS: [&str; 4] = [
    "crates/rules/src/text/",
    "crates/rules/src/file/",
    "crates/rules/src/preset.rs",
    "crates/example_regulation/",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("tests") && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Counts the questions in a file, up to its tests and without comments.
fn asked(text: &str) -> usize {
    let program = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = program.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| ASKS.iter().map(|ask| line.matches(ask).count()).sum::<usize>()).sum()
}

#[test]
fn few_ask_which_game_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut paths = Vec::new();
    sources(&root.join("crates"), &mut paths);
    let mut counts = [0; MAY_ASK.len()];
    let mut faults = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&root).expect("inside").to_string_lossy().replace('\\', "/");
        if TEXTS.iter().any(|text| name.starts_with(text)) {
            continue;
        }
        let asked = asked(&fs::read_to_string(path).expect("a source file"));
        match MAY_ASK.iter().position(|(folder, ..)| name.starts_with(folder)) {
            Some(at) => counts[at] += asked,
            None if asked > 0 => faults.push(format!("{name} asks {asked} times which game it is; why?")),
            None => {}
        }
    }
    for ((folder, most, why), count) in MAY_ASK.iter().zip(counts) {
        if count > *most {
            faults.push(format!("{folder} asks {count} times, not {most}: {why}"));
        }
    }
    let all: usize = counts.iter().sum();
    assert!(faults.is_empty() && all <= MOST, "{all} of {MOST}\n{}", faults.join("\n"));
}

/// Where side bets are named: the rules, the made-up text, and the random play of tests.
const NAMES_SIDE_BETS: [&str; 3] =
    ["crates/rules/src/", "crates/example_regulation/", "crates/table/src/random/"];

/// Returns the side bets that a file names, up to its tests: `SideBet::Match`, but not `SideBet::ALL`.
fn named(text: &str) -> Vec<String> {
    let program = text.split("#[cfg(test)]").next().unwrap_or_default();
    let name = |rest: &str| rest.chars().take_while(|letter| letter.is_alphanumeric()).collect::<String>();
    let of = |kind: &str| program.split(kind).skip(1).map(name).collect::<Vec<_>>();
    let mut names = of("SideBet::");
    // commands have a variant of this name
    names.extend(of("rules::SideWager::").into_iter().chain(of("(SideWager::")));
    let is_variant =
        |name: &String| name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    names.into_iter().filter(is_variant).collect()
}

/// A side bet is a row that every crate reads; no crate asks which one it is.
#[test]
fn nobody_asks_which_side_bet_it_is() {
    assert_eq!(named("let bet = SideBet::Match; SideBet::ALL; SideBet::from_name"), ["Match"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut paths = Vec::new();
    sources(&root.join("crates"), &mut paths);
    let mut faults = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&root).expect("inside").to_string_lossy().replace('\\', "/");
        let tests = ["/tests/", "/benches/", "/examples/"].iter().any(|folder| name.contains(folder));
        if tests || !name.contains("/src/") || NAMES_SIDE_BETS.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let found = named(&fs::read_to_string(path).expect("a source file"));
        faults.extend(found.into_iter().map(|bet| format!("{name} names {bet}")));
    }
    assert!(faults.is_empty(), "read its row instead:\n{}", faults.join("\n"));
}
