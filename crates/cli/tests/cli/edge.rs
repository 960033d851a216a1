//! `cutcard edge --strategy FILE`: tests the edge of a chart that is read from a file.

use crate::{cutcard, document, status, stderr, stdout};
use std::path::PathBuf;

fn main_game(arguments: &[&str]) -> serde_json::Value {
    let output = cutcard(&[&["edge", "--json"], arguments].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    document(&output)["main"].clone()
}

/// Returns the cell for hard 17 against a six in a printed chart.
fn hard_17_v_6(printed: &mut serde_json::Value) -> &mut serde_json::Value {
    let columns = printed["columns"].as_array().expect("columns");
    let six = columns.iter().position(|column| column == "6").expect("a six");
    let charts = printed["charts"].as_array_mut().expect("charts");
    let hard = charts.iter_mut().find(|chart| chart["chart"] == "hard").expect("hard totals");
    let mut rows = hard["rows"].as_array_mut().expect("rows").iter_mut();
    &mut rows.find(|row| row["row"] == "17").expect("seventeen")["cells"][six]["action"]
}

/// The total-dependent chart that `strategy` prints, read by `edge` from a file, has exactly the figures of
/// total-dependent play. With one cell changed, it is worse.
#[test]
fn a_printed_chart_has_the_edge_of_its_play() {
    for table in ["nj-six-to-five", "nj-double-attack"] {
        let printed = cutcard(&["strategy", table, "--json"]);
        assert_eq!(status(&printed), 0, "{}", stderr(&printed));
        let chart = stdout(&printed);
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{table}-chart.json"));
        let path = file.to_str().expect("UTF-8");
        std::fs::write(&file, chart).expect("the temporary folder is writable");
        let by_name = main_game(&[table, "--strategy", "total-dependent"]);
        let by_file = main_game(&[table, "--strategy", path]);
        for figure in ["ev", "house_edge", "std_dev", "variance", "staked", "element_of_risk", "outcomes"] {
            assert!(!by_name[figure].is_null(), "{table} {figure}");
            assert_eq!(by_name[figure], by_file[figure], "{table} {figure}");
        }
        let mut worse: serde_json::Value = serde_json::from_str(chart).expect("JSON");
        let action = hard_17_v_6(&mut worse);
        assert_eq!(action, "S");
        *action = "H".into();
        std::fs::write(&file, worse.to_string()).expect("the temporary folder is writable");
        let worse = main_game(&[table, "--strategy", path]);
        let edge = |main: &serde_json::Value| main["house_edge"].as_f64().expect("a number");
        assert!(edge(&worse) > edge(&by_name) + 0.001, "{table}");
        let _ = std::fs::remove_file(&file);
    }
}
