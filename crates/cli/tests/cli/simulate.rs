//! Tests `cutcard simulate` and `cutcard merge`.

use crate::{cutcard, document, status, stderr};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The memory limit of any run.
const MOST_MEMORY: u64 = 64 << 20;

/// Returns the path of a test's file.
fn place(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("UTF-8").to_string()
}

fn simulated(arguments: &[&str]) -> Value {
    let output = cutcard(&[&["simulate", "--json"], arguments].concat());
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    document(&output)
}

/// Every preset stays within the limit with the solver's strategy, and so do plots and single-shoe results in both
/// formats.
#[test]
fn no_run_takes_more_than_64_mib() {
    let mut runs: Vec<(String, Vec<String>)> = Vec::new();
    for preset in rules::preset::PRESETS {
        runs.push((preset.0.into(), vec![]));
    }
    for (option, file) in [("--shoes", "many.csv"), ("--shoes", "many.parquet"), ("--plots", "pictures")] {
        let options = ["--strategy", "quick", "--fresh-shoes", option, &place(file)].map(String::from);
        runs.push(("nj-blackjack".into(), options.to_vec()));
    }
    for (table, options) in runs {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let summary =
            simulated(&[&[table.as_str(), "--rounds", "2e6", "--threads", "2"], &options[..]].concat());
        assert_eq!(summary["rounds"], 2_000_000);
        // systems other than Linux do not report their peak memory
        let Some(memory) = summary["peak_memory"].as_u64() else { return };
        assert!(memory < MOST_MEMORY, "{table} {options:?}: {} MiB", memory >> 20);
    }
}

/// The summary has the keys that CONTRACT.md promises.
#[test]
fn the_summary_has_what_is_promised() {
    let summary = simulated(&["nj-switch", "--strategy", "quick", "--rounds", "1e5", "--boxes", "2"]);
    for key in ["rounds_per_second", "threads", "cpu_seconds", "ev", "std_error", "std_dev", "house_edge"] {
        assert!(summary[key].is_number(), "{key}");
    }
    assert_eq!((&summary["rounds"], &summary["seed"]), (&json!(100_000), &json!(1)));
    assert!(summary["hands_per_round"].as_f64() > Some(4.0));
    let side = &summary["side_wagers"][0];
    assert!(side["wager"] == "match" && side["house_edge"].is_number() && side["std_error"].is_number());
}

/// Parts merged pairwise, at first with a gap, give the same file as the whole run.
#[test]
fn parts_are_merged_in_any_order() {
    let part = |chunks: &str| {
        let file = place(&format!("part-{chunks}.json"));
        simulated(&["nj-blackjack", "--strategy", "quick", "--chunks", chunks, "--out", &file]);
        file
    };
    let [first, second, third, whole] = ["0..1", "1..3", "3..4", "0..4"].map(part);
    let (gap, all) = (place("gap.json"), place("all.json"));
    let merge = |files: [&str; 2], out: &str| {
        let output = cutcard(&["merge", files[0], files[1], "--out", out, "--json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        document(&output)
    };
    assert_eq!(merge([&third, &first], &gap)["chunks"], json!([[0, 1], [3, 4]]));
    assert_eq!(merge([&gap, &second], &all)["chunks"], json!([[0, 4]]));
    let read = |path: &str| std::fs::read_to_string(path).expect("a file");
    assert!(read(&all) == read(&whole));
    // a merged part accepts the same options as a run
    let pictures = place("merged pictures");
    let asked = cutcard(&["merge", &all, "--json", "--pace", "160", "--bankroll", "7", "--plots", &pictures]);
    let risk = &document(&asked)["risk"];
    assert_eq!((&risk["rounds_per_hour"], &risk["bankroll"]), (&json!(160.0), &json!(7.0)));
    assert!(document(&asked)["engine"].is_null(), "nobody played here");
    for name in ["bankroll", "distribution", "risk"] {
        assert!(read(&format!("{pictures}/{name}.svg")).contains("</svg>"), "{name}");
    }
    assert_eq!(status(&cutcard(&["merge", &gap, &third])), 1);
}

/// Index plays can be added to the charts that `cutcard strategy` prints; they require a count and an existing column.
#[test]
fn index_plays_are_followed_or_refused() {
    let printed = cutcard(&["strategy", "nj-six-to-five", "--format", "json"]);
    let mut chart = document(&printed);
    let file = place("indices.json");
    let mut run = |index: Value, more: &[&str]| {
        chart["indices"] = json!([index]);
        std::fs::write(&file, chart.to_string()).expect("the temporary folder is writable");
        let arguments = ["simulate", "nj-six-to-five", "--json", "--rounds", "1e5", "--strategy", &file];
        cutcard(&[&arguments[..], more].concat())
    };
    let hit_always = json!({"hand": "hard 16", "up": "6", "from": -99, "play": "H"});
    let never = json!({"hand": "hard 16", "up": "6", "from": 99, "play": "H"});
    let busts = |output: &std::process::Output| document(output)["hands"]["bust"]["lose"].as_f64();
    let (hit, stood) = (run(hit_always, &["--count", "hi-lo"]), run(never, &["--count", "hi-lo"]));
    assert!(busts(&hit) > busts(&stood));
    let from_zero = json!({"hand": "hard 16", "up": "T", "from": 0, "play": "S"});
    assert!(stderr(&run(from_zero, &[])).contains("--count"));
    let ten = run(json!({"hand": "hard 16", "up": "10", "from": 0, "play": "S"}), &["--count", "hi-lo"]);
    assert!(status(&ten) == 1 && stderr(&ten).contains("hard 16 v 10"), "{}", stderr(&ten));
}

/// Both commands state what their standard deviation refers to.
#[test]
fn the_spread_of_multiple_action_is_of_one_wager_in_both_commands() {
    let edge = document(&cutcard(&["edge", "nj-multiple-action", "--json"]));
    assert_eq!(edge["main"]["std_dev_of"], "one wager");
    let summary = simulated(&["nj-multiple-action", "--rounds", "2e6"]);
    let of = |value: &Value| value.as_f64().expect("a number");
    let (exact, wager, round) =
        (of(&edge["main"]["std_dev"]), of(&summary["std_dev_wager"]), of(&summary["std_dev"]));
    assert!((wager / exact - 1.0).abs() < 0.005, "{wager} is not {exact}");
    assert!(round < 0.9 * wager);
}

/// The starting value only shifts an undivided running count, also after merging.
#[test]
fn a_count_begins_where_it_is_told_to() {
    let run = |start: &str| {
        let file = place(&format!("count-start{start}.json"));
        let count = ["--count", "ko", "--count-start", start, "--chunks", "0..1", "--out", &file];
        let summary = simulated(&[&["nj-blackjack", "--strategy", "quick"], &count[..]].concat());
        let merged = document(&cutcard(&["merge", "--json", &file]));
        assert_eq!(merged["by_count"], summary["by_count"], "{start}");
        summary
    };
    let (zero, below) = (run("0"), run("-7"));
    let rows = |summary: &Value, shift: i64| -> Vec<Value> {
        let mut rows = summary["by_count"].as_array().expect("rows").clone();
        for row in &mut rows {
            row["count"] = json!(row["count"].as_i64().expect("a count") + shift);
        }
        rows
    };
    assert_eq!(rows(&zero, -7), rows(&below, 0));
    assert!(rows(&zero, 0).len() > 20 && zero["ev"] == below["ev"]);
    let refused = cutcard(&["simulate", "nj-blackjack", "--count-start", "3"]);
    assert!(status(&refused) != 0 && stderr(&refused).contains("--count"), "{}", stderr(&refused));
}

/// A checkpoint is first written to a temporary file in the same directory; files with similar names are not touched.
#[test]
fn a_checkpoint_touches_no_other_file() {
    let folder = PathBuf::from(place("checkpoints"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let own = folder.join("run.json");
    let others = ["run.new", "run.json.new", "run.json~", "run"].map(|name| folder.join(name));
    for other in &others {
        std::fs::write(other, "somebody's").expect("a file");
    }
    let own = own.to_str().expect("UTF-8");
    for rounds in ["4e5", "6e5"] {
        let run = ["nj-blackjack", "--strategy", "quick", "--rounds", rounds, "--checkpoint", own];
        assert_eq!(simulated(&run)["rounds"].as_f64(), rounds.parse().ok());
    }
    for other in &others {
        assert_eq!(std::fs::read_to_string(other).expect("a file"), "somebody's", "{}", other.display());
    }
    let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(left.len(), others.len() + 1, "{left:?}");
}
