//! Limits the code that asks which game it is dealing with. Regulations are data that the code reads rather than
//! recognizes: outside the texts, the keys of the table file and the presets, only a few places ask how a round is
//! structured, each for a stated reason.

use std::fs;
use std::path::{Path, PathBuf};

const MOST: usize = 27;

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
const MAY_ASK: [(&str, usize, &str); 8] = [
    (
        "crates/exact/src",
        12,
        "a round of each form is summed, thinned, told by result, asked about and drawn as charts in its own way, and by count",
    ),
    (
        "crates/documents/src/subject.rs",
        1,
        "the dealer's open cards of a hypothetical table are solved for one hand only",
    ),
    (
        "crates/documents/src/report_verified.rs",
        1,
        "where attack wagers follow the first card, what is insured differs from box to box, and so does its edge",
    ),
    ("crates/program/src", 3, "a chart has a switch or an attack only where the round has one"),
    ("crates/side/src", 1, "streaks and sevens are followed through rounds of one hand only"),
    ("crates/table/src/apply", 1, "a box is offered the switch where the text has one"),
    ("crates/table/src/random", 3, "random tables and their laws choose by variation"),
    ("crates/rules/src/lawful", 1, "a text governs in its own jurisdiction"),
];

/// Where regulations are defined, selected by name or listed.
const TEXTS: [&str; 4] =
    ["crates/rules/src/text/", "crates/rules/src/file/", "crates/rules/src/preset.rs", "crates/sixth/"];

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
