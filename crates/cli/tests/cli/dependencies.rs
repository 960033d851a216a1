//! Checks docs/decisions/dependencies.md against cargo: every direct dependency and every duplicate version has a
//! reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Returns the crates in the first column of the table under a heading of the document.
fn recorded(heading: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decisions/dependencies.md");
    let text = std::fs::read_to_string(path).expect("the record");
    let (_, section) = text.split_once(heading).expect("the heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")).skip(1);
    rows.filter_map(|row| row.split_once(" |"))
        .flat_map(|(names, _)| names.split(", "))
        .map(str::to_string)
        .collect()
}

#[test]
fn every_direct_dependency_has_its_reason() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--locked", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut direct = BTreeSet::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        let outside = dependencies.iter().filter(|dependency| dependency["path"].is_null());
        direct.extend(outside.filter_map(|dependency| dependency["name"].as_str().map(str::to_string)));
    }
    assert_eq!(recorded("## Direct dependencies"), direct);
}

#[test]
fn every_double_version_has_its_reason() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = std::fs::read_to_string(lock).expect("the lock file");
    let mut versions: BTreeMap<&str, u32> = BTreeMap::new();
    for name in lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')) {
        *versions.entry(name).or_default() += 1;
    }
    let double = versions.into_iter().filter(|(_, times)| *times > 1).map(|(name, _)| name.to_string());
    assert_eq!(recorded("## Crates in two versions"), double.collect());
}
