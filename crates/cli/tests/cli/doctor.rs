//! Tests `cutcard doctor` on a healthy house and on broken ones.

use crate::keeper::open;
use crate::{cutcard, document, status, stdout};
use serde_json::Value;
use std::fs::{Permissions, remove_file, set_permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

fn asked(data: &Path) -> (i32, Vec<Value>) {
    let output = cutcard(&["doctor", "--data", data.to_str().expect("UTF-8"), "--json"]);
    let checks = document(&output)["checks"].as_array().expect("a list").clone();
    assert!(checks.iter().all(|found| found["message"].as_str().is_some_and(|text| !text.is_empty())));
    (status(&output), checks)
}

/// Returns the failed checks, each with its message.
fn wrong(checks: &[Value]) -> Vec<(&str, &str)> {
    let bad = checks.iter().filter(|found| found["ok"] == false);
    bad.filter_map(|found| Some((found["check"].as_str()?, found["message"].as_str()?))).collect()
}

#[test]
fn a_house_that_is_well_passes_every_check_and_one_that_is_not_says_why() {
    let directory = tempfile::tempdir().expect("temp dir");
    let data = directory.path().join("data");
    let (code, checks) = asked(&data);
    let found = wrong(&checks);
    assert!(code == 1 && found[0].0 == "store" && found[0].1.contains("no house found in"), "{found:?}");

    open(&data, &[]).close();
    let (code, checks) = asked(&data);
    assert_eq!((code, wrong(&checks)), (0, vec![]));
    let names: Vec<&str> = checks.iter().filter_map(|found| found["check"].as_str()).collect();
    assert_eq!(names, ["program", "schema", "keys", "permissions", "disk", "clock"]);
    let told = cutcard(&["doctor", "--data", data.to_str().expect("UTF-8")]);
    assert!(stdout(&told).lines().all(|line| line.starts_with("ok ")), "{}", stdout(&told));

    let key = data.join("keys/seal.key");
    set_permissions(&key, Permissions::from_mode(0o644)).expect("opened to all");
    let (code, checks) = asked(&data);
    let found = wrong(&checks);
    assert_eq!((code, found.len(), found[0].0), (1, 1, "permissions"), "{found:?}");
    assert!(found[0].1.contains("chmod 600") && found[0].1.contains("seal.key"), "{found:?}");

    remove_file(&key).expect("removed");
    let (code, checks) = asked(&data);
    let found = wrong(&checks);
    assert_eq!((code, found.len(), found[0].0), (1, 1, "keys"), "{found:?}");
    assert!(found[0].1.contains("seal.key"), "{found:?}");
}
