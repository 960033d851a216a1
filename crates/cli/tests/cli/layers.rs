//! Checks which crate depends on which: the arrows of ARCHITECTURE.md, read from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The direct dependencies of each crate of the workspace; the list is exact.
#[rustfmt::skip]
const KNOWS: [(&str, &[&str]); 18] = [
    ("rules", &[]),
    ("commit", &[]),
    ("catalogue", &["rules"]),
    ("table", &["rules"]),
    ("program", &["rules"]),
    ("side", &["exact", "rules"]),
    ("exact", &["program", "rules"]),
    ("sim", &["program"]),
    ("device", &["program", "sim"]),
    ("ledger", &["rules"]),
    ("server", &["rules", "catalogue", "table", "program", "side", "exact", "sim", "ledger", "documents"]),
    ("documents", &["rules", "catalogue", "table", "program", "side", "exact", "sim"]),
    ("cli", &["rules", "catalogue", "table", "program", "side", "exact", "sim", "device", "server", "documents", "commit"]),
    ("gym", &["rules", "table", "program", "sim"]),
    ("python", &["rules", "catalogue", "table", "program", "exact", "sim", "documents", "gym", "commit"]),
    ("example_regulation", &["rules"]),
    ("fuzz", &["rules", "table", "server"]),
    ("simtest", &["ledger", "server"]),
];

/// Dependencies for the outermost layers only: runtime, network, databases.
const OUTER_ONLY: [&str; 8] = ["tokio", "axum", "hyper", "tower", "sqlx", "rusqlite", "reqwest", "getrandom"];

/// The only crates that may depend on them, directly or indirectly.
const OUTER: [&str; 5] = ["server", "ledger", "cli", "fuzz", "simtest"];

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc names its host").to_string()
}

struct Graph {
    /// The name and the direct dependencies of every package by its id, without dev-dependencies.
    packages: BTreeMap<String, (String, Vec<String>)>,
    members: Vec<String>,
}

impl Graph {
    fn read() -> Graph {
        // only this platform's packages, which are already downloaded, so that the test needs no network
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version=1", "--locked", "--offline"])
            .args(["--filter-platform", &host()])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
        // crates are published as `cutcard-rules`, but their directories have no prefix
        let folder = |name: &str| name.strip_prefix("cutcard-").unwrap_or(name).to_string();
        let names: BTreeMap<String, String> =
            list(&metadata["packages"]).iter().map(|p| (text(&p["id"]), folder(&text(&p["name"])))).collect();
        let packages = list(&metadata["resolve"]["nodes"])
            .iter()
            .map(|node| {
                let in_use =
                    |dep: &&serde_json::Value| list(&dep["dep_kinds"]).iter().any(|k| k["kind"] != "dev");
                let deps = list(&node["deps"]);
                let deps = deps.iter().filter(in_use).map(|dep| text(&dep["pkg"])).collect();
                let id = text(&node["id"]);
                (id.clone(), (names[&id].clone(), deps))
            })
            .collect();
        Graph { packages, members: list(&metadata["workspace_members"]).iter().map(text).collect() }
    }

    fn name(&self, id: &str) -> &str {
        &self.packages[id].0
    }

    fn direct(&self, id: &str) -> &[String] {
        &self.packages[id].1
    }

    fn reachable(&self, id: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            for next in self.direct(id) {
                if seen.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        seen.into_iter().map(|id| self.name(id)).collect()
    }
}

#[test]
fn every_crate_knows_what_the_map_says() {
    let graph = Graph::read();
    let members: BTreeSet<&str> = graph.members.iter().map(|id| graph.name(id)).collect();
    for id in &graph.members {
        let name = graph.name(id);
        let (_, said) = KNOWS
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} is not on the map"));
        let known = graph.direct(id).iter().map(|id| graph.name(id));
        let known: BTreeSet<&str> = known.filter(|next| members.contains(next)).collect();
        assert_eq!(known, said.iter().copied().collect(), "{name}");
    }
}

#[test]
fn only_the_outer_crates_reach_a_runtime_network_or_database() {
    let graph = Graph::read();
    for id in &graph.members {
        let name = graph.name(id);
        let reached = graph.reachable(id);
        for outer in OUTER_ONLY {
            assert!(OUTER.contains(&name) || !reached.contains(outer), "{name} pulls in {outer}");
        }
    }
}

/// The `rules` crate depends only on a CSV reader, a TOML reader and a spelling distance, so that its readers need not
/// read more.
#[test]
fn the_rulebook_stays_small() {
    let graph = Graph::read();
    let rules = graph.members.iter().find(|id| graph.name(id) == "rules").expect("rules");
    let direct: BTreeSet<&str> = graph.direct(rules).iter().map(|id| graph.name(id)).collect();
    assert_eq!(direct, BTreeSet::from(["csv", "strsim", "toml"]));
}
