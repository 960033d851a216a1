//! Citations: what tests claim to prove exists, and Massachusetts is cited by its own numbers.

use rules::Clause;
use rules::choice::Jurisdiction;
use rules::clause::catalogue;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The ids after `Proves` in the documentation of tests: separated by commas that stand outside quotation marks.
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

/// A claim to prove something that is not in the catalogue proves nothing.
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

/// In Massachusetts a clause of New Jersey becomes one of the same kind, where it has a counterpart.
#[test]
fn massachusetts_counterparts_are_of_one_kind() {
    let mut differing = Vec::new();
    for row in catalogue().iter().filter(|row| row.text == "nj-switch") {
        let counterpart = row.clause().in_force(Jurisdiction::Ma);
        assert_eq!(row.clause().in_force(Jurisdiction::Nj), row.clause());
        let same_kind = counterpart.rows().any(|other| other.kind == row.kind);
        if counterpart != row.clause() && !same_kind {
            differing.push((row.clause(), counterpart));
        }
    }
    assert!(differing.len() <= 20, "{differing:#?}");
}
