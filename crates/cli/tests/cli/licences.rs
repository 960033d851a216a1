//! Checks that every dependency has a permissive license, so that it may be used, changed and sold with the project.

use std::process::Command;

/// The permitted licenses; `deny.toml` has the same list for `cargo deny`.
const PERMISSIVE: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "0BSD",
    "Unlicense",
    "BSL-1.0",
    "CC0-1.0",
];

/// Returns whether a license expression is permissive: all parts joined by AND, and at least one of those joined by OR.
fn permissive(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    plain.split(" AND ").all(|part| {
        let mut licences =
            part.split(" OR ").map(|licence| licence.split(" WITH ").next().unwrap_or_default().trim());
        licences.any(|licence| PERMISSIVE.contains(&licence))
    })
}

#[test]
fn expressions_are_understood() {
    for yes in ["MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "LGPL-2.1-or-later OR MIT"] {
        assert!(permissive(yes), "{yes}");
    }
    for no in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND AGPL-3.0", "MITTEN"] {
        assert!(!permissive(no), "{no}");
    }
}

#[test]
fn every_dependency_is_permissive() {
    let ask = |more: &[&str]| {
        Command::new(env!("CARGO"))
            .args(["metadata", "--format-version=1", "--locked"])
            .args(more)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo starts")
    };
    // A build downloads only this platform's packages; those of other platforms may still have to be downloaded.
    let here = ask(&["--offline"]);
    let output = if here.status.success() { here } else { ask(&[]) };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "{}", packages.len());
    let others: Vec<String> = packages
        .iter()
        .map(|package| (package["name"].to_string(), package["license"].as_str().unwrap_or_default()))
        .filter(|(_, licence)| !permissive(licence))
        .map(|(name, licence)| format!("{name}: {licence}"))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn the_list_for_cargo_deny_is_the_same() {
    let file =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deny.toml")).expect("deny.toml");
    let (_, list) = file.split_once("allow = [").expect("a list");
    let (list, _) = list.split_once(']').expect("its end");
    let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(listed, PERMISSIVE);
}
