//! Checks the atlas that the page ships, `web/page/atlas`, against the solver.

use crate::{answer, number};
use rules::preset::PRESETS;
use std::path::Path;

/// Every preset has an atlas with its own table in it, and sampled rows have the edge that the solver computes today.
/// A file that is out of date is made again with `crates/server/browser/atlas`.
#[test]
fn the_page_ships_an_atlas_of_every_preset() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/web/page/atlas");
    for (preset, _) in PRESETS {
        let text = std::fs::read_to_string(folder.join(format!("{preset}.csv"))).expect("an atlas");
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let names = lines.next().expect("a head");
        let edge = names.iter().position(|name| *name == "house_edge").expect("a column");
        let rows: Vec<Vec<&str>> = lines.collect();
        for row in [&rows[0], &rows[rows.len() / 2], &rows[rows.len() - 1]] {
            let set: Vec<String> =
                names[..edge].iter().zip(row).map(|(key, value)| format!("{key}={value}")).collect();
            let vary: Vec<&str> = set.iter().flat_map(|one| ["--vary", one.as_str()]).collect();
            let told = answer(&[&["sweep", preset, "--no-spread"], &vary[..]].concat());
            let computed = number(&told["tables"][0]["house_edge"]);
            let shipped: f64 = row[edge].parse().expect("a number");
            // the last bits depend on which tables are solved together
            assert!(same(computed, shipped), "{preset} {set:?}: {computed}, the page has {shipped}");
        }
        let own = answer(&["edge", preset]);
        let edge_of_preset = number(&own["main"]["house_edge"]);
        let is_own = |row: &Vec<&str>| row[edge].parse().is_ok_and(|has| same(has, edge_of_preset));
        assert!(rows.iter().any(is_own), "{preset}: {edge_of_preset}");
    }
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}
