//! Citations: what tests claim to prove exists, and a text cites only itself.

use rules::Clause;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the ids after `Proves` in the doc comments of tests, separated by commas outside quotation marks.
fn proven(text: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("/// Proves ") else {
            continue;
        };
        let mut claim = first.to_string();
        while !claim.ends_with('.') {
            let Some(more) = lines.next().and_then(|line| line.strip_prefix("/// ")) else {
                panic!("a claim must end in a full stop: {claim}");
            };
            claim.push(' ');
            claim.push_str(more);
        }
        claim.pop();
        let mut quoted = false;
        let mut id = String::new();
        for letter in claim.chars() {
            quoted ^= letter == '"';
            if letter == ',' && !quoted {
                ids.push(std::mem::take(&mut id).trim().to_string());
            } else {
                id.push(letter);
            }
        }
        ids.push(id.trim().to_string());
    }
    ids
}

fn rust_files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// A claim to prove an unknown clause is an error.
#[test]
fn every_claim_names_a_clause() {
    let mut sources = Vec::new();
    for folder in ["src", "tests"] {
        rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut sources);
    }
    let claims: BTreeSet<String> = sources.iter().flat_map(|source| proven(source)).collect();
    let unknown: Vec<&String> = claims.iter().filter(|id| Clause::find(id).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(claims.len() > 500, "only {} claims", claims.len());
}

/// Returns the citations of a source file.
fn cited(source: &str) -> Vec<&str> {
    source.split("clause!(\"").skip(1).filter_map(|rest| rest.split("\")").next()).collect()
}

/// A regulation is cited by its own numbers: the file of a text contains only that text.
#[test]
fn a_text_cites_itself() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/text");
    let files = [
        ("nj_blackjack/mod.rs", ["19:47-2.", "19:47-2."]),
        ("nj_blackjack/six_to_five.rs", ["19:47-2.", "19:47-2."]),
        ("nj_blackjack/multiple_action.rs", ["19:47-2.", "19:47-2."]),
        ("nj_blackjack/face_up.rs", ["19:47-2.", "19:47-2."]),
        ("nj_switch.rs", ["19:47-2A.", "19:46-1.10C"]),
        ("ma_switch.rs", ["MA-BJS ", "MA-BJS "]),
        ("nj_double_attack.rs", ["19:47-26.", "19:47-26."]),
        ("nj_triple_attack.rs", ["19:47-36.", "19:46-1.13V"]),
    ];
    for (file, own) in files {
        let source = fs::read_to_string(folder.join(file)).expect("the file of a text");
        let cited = cited(&source);
        assert!(cited.len() > 10, "{file}");
        let foreign: Vec<_> = cited.iter().filter(|id| !own.iter().any(|own| id.starts_with(own))).collect();
        assert!(foreign.is_empty(), "{file}: {foreign:?}");
    }
}

/// Texts are equal only to themselves.
#[test]
fn texts_are_told_apart() {
    for one in rules::text::TEXTS {
        for other in rules::text::TEXTS {
            assert_eq!(one == other, one.name == other.name, "{} and {}", one.name, other.name);
        }
    }
}
