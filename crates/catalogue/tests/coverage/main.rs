//! Checks coverage in both directions: which code cites each clause, and which test or case proves it, as stored in
//! `regulations/coverage.csv`.
//!
//! `UPDATE=1 cargo test -p cutcard-catalogue` rewrites the file, unless fewer clauses of a kind would be cited or
//! proven than before; `UPDATE=lower` rewrites it even then.

mod citations;
mod expectations;
mod notes;
mod proofs;
mod source;
mod vocabulary;

use catalogue::coverage::{self, CoverageRow};
use citations::Macros;
use proofs::Claim;
use rules::clause::{Clause, catalogue};
use source::Token;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns every file below this folder whose name ends with `ending`, sorted, or none if the folder does not exist.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| {
            if path.is_dir() {
                files(&path, ending)
            } else if path.to_string_lossy().ends_with(ending) {
                vec![path]
            } else {
                vec![]
            }
        })
        .collect()
}

/// Returns a path in the form that the coverage file uses.
fn name(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("a file of the repository");
    path.to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_known(id: &str) -> bool {
    Clause::find(id).is_some()
}

/// Returns the Rust files of the workspace as tokens, by name, except those of this crate, which cites and proves
/// nothing.
fn sources() -> Vec<(String, Vec<Token>)> {
    files(&root().join("crates"), ".rs")
        .into_iter()
        .map(|path| (name(&path), source::tokens(&read(&path))))
        .filter(|(name, _)| !name.starts_with("crates/catalogue/"))
        .collect()
}

/// Returns the files that cite each clause.
fn citations(sources: &[(String, Vec<Token>)]) -> BTreeMap<String, BTreeSet<String>> {
    let program: Vec<(&String, Vec<Token>)> = sources
        .iter()
        .filter(|(name, _)| name.contains("/src/") && !name.ends_with("/tests.rs"))
        .map(|(name, tokens)| (name, source::without_tests(tokens)))
        .collect();
    let mut macros = Macros::default();
    for (_, tokens) in &program {
        macros.read(tokens);
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, tokens) in &program {
        for id in citations::cited(tokens, &macros, &is_known) {
            found.entry(id).or_default().insert((*name).clone());
        }
    }
    found
}

/// Returns the tests and cases that prove each clause, and those that show that its register entries are kept.
/// Massachusetts clauses need proofs of their own.
fn proofs(sources: &[(String, Vec<Token>)]) -> [BTreeMap<String, BTreeSet<String>>; 2] {
    let mut claims = Vec::new();
    for (name, tokens) in sources {
        claims.extend(proofs::of_tests(tokens).into_iter().map(|proof| (name.clone(), proof)));
    }
    for path in files(&root().join("cases"), ".md") {
        let proofs = proofs::of_cases(&read(&path));
        claims.extend(proofs.into_iter().map(|proof| (name(&path), proof)));
    }
    let mut found: [BTreeMap<String, BTreeSet<String>>; 2] = Default::default();
    let mut faults = Vec::new();
    for (file, proof) in claims {
        match proof {
            Err(fault) => faults.push(format!("{file}: {fault}")),
            Ok(proof) => {
                for id in proof.ids {
                    if is_known(&id) {
                        let by = format!("{file}: {}", proof.name);
                        let kept = usize::from(proof.claim == Claim::Records);
                        found[kept].entry(id).or_default().insert(by);
                    } else {
                        faults.push(format!(
                            "{file}: {} claims to prove `{id}`, which is no clause",
                            proof.name
                        ));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    found
}

fn lines() -> Vec<CoverageRow> {
    let sources = sources();
    let cited = citations(&sources);
    let [proven, recorded] = proofs(&sources);
    let of = |map: &BTreeMap<String, BTreeSet<String>>, id: &str| map.get(id).cloned().unwrap_or_default();
    catalogue()
        .iter()
        .map(|row| CoverageRow {
            id: row.id.to_string(),
            text: row.text.to_string(),
            kind: row.kind.to_string(),
            cited_in: of(&cited, row.id),
            proven_by: of(&proven, row.id),
            recorded_by: of(&recorded, row.id),
        })
        .collect()
}

/// Returns the kinds of which fewer clauses are cited or proven than before.
fn fallen(before: &[CoverageRow], now: &[CoverageRow]) -> Vec<String> {
    type Has = fn(&CoverageRow) -> bool;
    let measures: [(&str, Has); 3] = [
        ("cited", |line| !line.cited_in.is_empty()),
        ("proven", |line| !line.proven_by.is_empty()),
        ("proven or recorded", |line| !line.proven_by.is_empty() || !line.recorded_by.is_empty()),
    ];
    let mut fallen = Vec::new();
    for kind in catalogue::KINDS {
        for (word, has) in measures {
            let count = |lines: &[CoverageRow]| lines.iter().filter(|l| l.kind == kind && has(l)).count();
            let (before, now) = (count(before), count(now));
            if now < before {
                fallen.push(format!("{kind}: {now} clauses are {word}, {before} were"));
            }
        }
    }
    fallen
}

/// Describes the lines that differ.
fn differences(before: &[CoverageRow], now: &[CoverageRow]) -> String {
    let before: BTreeMap<(&str, &str), &CoverageRow> =
        before.iter().map(|line| ((line.text.as_str(), line.id.as_str()), line)).collect();
    let mut text = String::new();
    for line in now {
        let old = before.get(&(line.text.as_str(), line.id.as_str()));
        if old.is_none_or(|old| *old != line) {
            text += &format!(
                "  {} {}: cited in {:?}, proven by {:?}, recorded by {:?}\n",
                line.text, line.id, line.cited_in, line.proven_by, line.recorded_by
            );
        }
    }
    text
}

#[test]
fn the_coverage_file_is_true_and_nothing_is_lost() {
    let path = root().join("regulations/coverage.csv");
    let update = std::env::var("UPDATE").unwrap_or_default();
    let before = match coverage::parse(&read(&path)) {
        Ok(lines) => lines,
        // a merge may corrupt the file, and it can always be regenerated
        Err(_) if !update.is_empty() => Vec::new(),
        Err(error) => panic!("regulations/coverage.csv: {error}"),
    };
    let now = lines();
    let fallen = fallen(&before, &now);
    if update == "lower" || (!update.is_empty() && fallen.is_empty()) {
        fs::write(&path, coverage::write(&now)).expect("the repository is writable");
        return;
    }
    assert!(fallen.is_empty(), "\n{}\n{}", fallen.join("\n"), differences(&before, &now));
    assert!(
        coverage::write(&now) == read(&path),
        "\nregulations/coverage.csv is stale; UPDATE=1 cargo test -p cutcard-catalogue rewrites it\n{}",
        differences(&before, &now)
    );
}

/// The number of proven clauses that no proof names in an expectation: definitions, orders, what a table may offer.
/// Where the program cites a clause, write the citation into an expectation and lower this number. Never raise it.
const UNNAMED: usize = 406;

#[test]
fn proofs_name_their_clauses() {
    let mut told: BTreeMap<String, BTreeMap<String, String>> =
        sources().iter().map(|(name, tokens)| (name.clone(), expectations::by_tests(tokens))).collect();
    for path in files(&root().join("cases"), ".md") {
        told.insert(name(&path), expectations::by_cases(&read(&path)));
    }
    let names = |proof: &String, id: &str| {
        let (file, test) = proof.split_once(": ").unwrap_or_default();
        told.get(file).and_then(|tests| tests.get(test)).is_some_and(|text| expectations::names(text, id))
    };
    let unnamed: Vec<String> = lines()
        .into_iter()
        .filter(|line| !line.proven_by.is_empty() && !line.proven_by.iter().any(|by| names(by, &line.id)))
        .map(|line| line.id)
        .collect();
    assert!(
        unnamed.len() <= UNNAMED,
        "{} proven clauses are named by none of their proofs, {UNNAMED} were:\n{}",
        unnamed.len(),
        unnamed.join("\n")
    );
    assert_eq!(unnamed.len(), UNNAMED, "fewer than before: lower UNNAMED, so that it stays so");
}
