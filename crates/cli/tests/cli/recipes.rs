//! Checks that the deployment files for several nodes use only options that the program has.

use crate::{cutcard, stderr, stdout};
use std::process::Command;

const RECIPES: [&str; 2] = [
    include_str!("../../../../docs/nodes/cutcard@.service"),
    include_str!("../../../../docs/nodes/kubernetes.yaml"),
];

#[test]
fn every_option_of_a_recipe_is_one_of_the_programs() {
    let help = cutcard(&["serve", "--help"]);
    let known = stdout(&help);
    for recipe in RECIPES {
        let given: Vec<&str> = recipe
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.split([' ', '=', '"']))
            .filter(|word| word.starts_with("--") && word.len() > 3)
            .collect();
        assert!(given.len() > 7, "{given:?}");
        for option in given {
            assert!(known.contains(option), "{option}");
        }
    }
}

const UNITS: [&str; 2] = ["docs/nodes/cutcard@.service", "packaging/debian/cutcard.service"];

/// Limits the exposure level that `systemd-analyze security` reports; a service without any restriction has 10.
#[test]
fn the_units_leave_little_exposed() {
    for unit in UNITS {
        let path = format!("{}/../../{unit}", env!("CARGO_MANIFEST_DIR"));
        let Ok(told) =
            Command::new("systemd-analyze").args(["security", "--offline=yes", "--no-pager", &path]).output()
        else {
            println!("skipped: systemd-analyze is not installed");
            return;
        };
        if stderr(&told).contains("unrecognized option") {
            println!("skipped: this systemd-analyze is older than 250 and cannot judge a file");
            return;
        }
        let exposure: f64 = stdout(&told)
            .rsplit_once("Overall exposure level for ")
            .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok())
            .unwrap_or_else(|| panic!("{unit}: {}{}", stdout(&told), stderr(&told)));
        assert!(exposure < 3.0, "{unit}: {exposure}\n{}", stdout(&told));
    }
}

/// The units restart without limit, since a database may be away for longer than systemd's default of five starts in
/// ten seconds.
#[test]
fn the_units_start_again_for_as_long_as_it_takes() {
    for unit in UNITS {
        let path = format!("{}/../../{unit}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the unit");
        let lines: Vec<&str> = text.lines().collect();
        for wanted in ["StartLimitIntervalSec=0", "Restart=always", "RestartSec=1"] {
            assert!(lines.contains(&wanted), "{unit}: {wanted}");
        }
    }
}

/// Checks the settings that Kubernetes requires in a namespace labeled `restricted`, and those that keep a node from a
/// restart loop.
#[test]
fn the_manifest_meets_the_restricted_profile() {
    let lines: Vec<&str> = RECIPES[1].lines().map(str::trim).collect();
    for wanted in [
        "runAsNonRoot: true",
        "seccompProfile: {type: RuntimeDefault}",
        "allowPrivilegeEscalation: false",
        "capabilities: {drop: [ALL]}",
        "readOnlyRootFilesystem: true",
        "automountServiceAccountToken: false",
        "kind: NetworkPolicy",
        "startupProbe:",
    ] {
        assert!(lines.contains(&wanted), "{wanted}");
    }
    assert!(lines.iter().any(|line| line.starts_with("limits: {cpu:")), "no limits");
}
