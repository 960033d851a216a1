//! Tests `cutcard sweep` and `cutcard compare`, hypothetical tables, and hints.

use crate::{TableFile, cutcard, document, status, stderr, stdout};
use serde_json::{Value, json};

fn answer(arguments: &[&str]) -> Value {
    let output = cutcard(arguments);
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    document(&output)
}

fn house_edge(arguments: &[&str]) -> f64 {
    answer(&[&["edge", "--json"], arguments].concat())["main"]["house_edge"].as_f64().unwrap()
}

const VARY: [&str; 7] = [
    "sweep",
    "nj-blackjack",
    "--vary",
    "decks=6,8",
    "--vary",
    "soft_17=stand,hit",
    "--vary=surrender=false,true",
];

#[test]
fn long_every_lawful_combination_has_the_edge_of_its_table() {
    let found = answer(&[&VARY[..], &["--json", "--no-spread", "--sort", "house_edge"]].concat());
    let tables = found["tables"].as_array().unwrap();
    assert!(!tables.is_empty());
    let edges: Vec<f64> = tables.iter().map(|table| table["house_edge"].as_f64().unwrap()).collect();
    assert!(edges.is_sorted(), "{edges:?}");
    for table in tables {
        assert_eq!(table["lawful"], true);
        assert!(table["std_dev"].is_null());
        let set = |key: &str| match &table["set"][key] {
            Value::String(word) => format!("{key}={word}"),
            value => format!("{key}={value}"),
        };
        let (decks, soft_17, surrender) = (set("decks"), set("soft_17"), set("surrender"));
        let edge = house_edge(&["nj-blackjack", "--set", &decks, "--set", &soft_17, "--set", &surrender]);
        assert_eq!(table["house_edge"], json!(edge), "{table}");
    }
    // With `--all`, illegal tables are listed with their clauses, but without figures.
    let all = answer(&["sweep", "nj-double-attack", "--json", "--all", "--no-spread", "--vary", "decks=6,7"]);
    let [six, seven] = &all["tables"].as_array().unwrap()[..] else { panic!("{all}") };
    assert_eq!((six["lawful"].as_bool(), seven["lawful"].as_bool()), (Some(true), Some(false)));
    assert_eq!(seven["violations"][0]["clause"], "19:47-26.2(a)", "{seven}");
    assert!(seven["house_edge"].is_null());
}

#[test]
fn a_range_keeps_what_lies_in_it() {
    let all = answer(&[&VARY[..], &["--json", "--no-spread"]].concat());
    let edge = |table: &Value| table["house_edge"].as_f64().unwrap();
    let mut edges: Vec<f64> = all["tables"].as_array().unwrap().iter().map(edge).collect();
    edges.sort_by(f64::total_cmp);
    let middle = edges[edges.len() / 2];
    let within = format!("{}%..{}%", 100.0 * (middle - 1e-9), 100.0 * (middle + 1e-9));
    let some = answer(&[&VARY[..], &["--json", "--where", &within]].concat());
    let found = some["tables"].as_array().unwrap();
    assert!(found.iter().all(|table| (edge(table) - middle).abs() < 2e-9) && !found.is_empty(), "{some}");
    assert!(found[0]["std_dev"].as_f64().unwrap() > 1.0);
}

#[test]
fn a_sweep_as_csv_parquet_and_picture() {
    let csv = cutcard(&[&VARY[..], &["--no-spread", "--format", "csv"]].concat());
    let lines: Vec<&str> = stdout(&csv).lines().collect();
    assert_eq!(lines[0], "decks,soft_17,surrender,house_edge,std_dev,breaks");
    assert!(lines[1].starts_with("6,stand,false,0.00"), "{}", lines[1]);
    let commented = cutcard(&[&VARY[..], &["--no-spread", "--format", "csv", "--provenance"]].concat());
    let (comment, rest) = stdout(&commented).split_once('\n').unwrap();
    let said: Value = serde_json::from_str(comment.strip_prefix("# ").unwrap()).unwrap();
    assert_eq!((&said["made_by"]["program"], &said["of"]["table"]["decks"]), (&json!("cutcard"), &json!(8)));
    assert_eq!(rest, stdout(&csv));
    let svg = cutcard(&[&VARY[..], &["--no-spread", "--format", "svg"]].concat());
    assert!(stdout(&svg).starts_with("<svg") && stdout(&svg).matches("<circle").count() == lines.len() - 1);
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep.parquet");
    let parquet = [&VARY[..], &["--no-spread", "--format", "parquet"]].concat();
    assert_eq!(status(&cutcard(&parquet)), 2);
    let written = cutcard(&[&parquet[..], &["--out", path.to_str().unwrap()]].concat());
    assert_eq!(status(&written), 0, "{}", stderr(&written));
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    // a missing standard deviation is stored as missing, not as NaN; the footer names the program
    assert!(!bytes.windows(8).any(|window| window == f64::NAN.to_le_bytes()));
    assert!(bytes.windows(7).any(|window| window == b"made_by"));
    let _ = std::fs::remove_file(&path);
}

#[test]
fn the_parts_of_a_difference_add_up_to_it() {
    let found = answer(&["compare", "nj-blackjack", "nj-six-to-five", "--json"]);
    let parts = found["by_option"].as_array().unwrap();
    let sum: f64 = parts.iter().map(|part| part["value"].as_f64().unwrap()).sum();
    let difference = found["difference"].as_f64().unwrap();
    assert!((sum - difference).abs() < 1e-12 && !parts.is_empty(), "{found}");
    assert_eq!(found["a"]["house_edge"], json!(house_edge(&["nj-blackjack"])));
    assert_eq!(found["b"]["house_edge"], json!(house_edge(&["nj-six-to-five"])));
    // One option: its part is the whole difference. Two options: the mean over both orders.
    let two =
        ["compare", "nj-blackjack", "nj-blackjack", "--json", "--set-b", "decks=6", "--set-b", "soft_17=hit"];
    let found = answer(&two);
    let of = |sets: &[&str]| house_edge(&[&["nj-blackjack"], sets].concat());
    let (none, both) = (of(&[]), of(&["--set", "decks=6", "--set", "soft_17=hit"]));
    let (decks, soft_17) = (of(&["--set", "decks=6"]), of(&["--set", "soft_17=hit"]));
    let part = |option: &str| {
        let found =
            found["by_option"].as_array().unwrap().iter().find(|part| part["option"] == option).unwrap();
        found["value"].as_f64().unwrap()
    };
    assert!((part("decks") - ((decks - none) + (both - soft_17)) / 2.0).abs() < 1e-15);
    assert!((part("soft_17") - ((soft_17 - none) + (both - decks)) / 2.0).abs() < 1e-15);
    let games = answer(&["compare", "nj-double-attack", "nj-triple-attack", "--json"]);
    assert_eq!(games["by_option"].as_array().unwrap().len(), 1);
    assert_eq!(games["by_option"][0]["option"], "game");
}

#[test]
fn hypothetical_tables_are_marked_with_the_clauses_that_they_break() {
    let seven = ["nj-double-attack", "--set", "decks=7"];
    let output = cutcard(&[&["edge"], &seven[..]].concat());
    assert_eq!(status(&output), 1);
    let edge = answer(&[&["edge", "--json", "--hypothetical"], &seven[..]].concat());
    let clause = edge["hypothetical"][0]["clause"].as_str().unwrap().to_string();
    assert_eq!(clause, "19:47-26.2(a)", "{edge}");
    let six = house_edge(&["nj-double-attack", "--set", "decks=6"]);
    let eight = house_edge(&["nj-double-attack", "--set", "decks=8"]);
    let between = edge["main"]["house_edge"].as_f64().unwrap();
    assert!(six.min(eight) < between && between < six.max(eight), "{six} {between} {eight}");
    let ev = answer(&[&["ev", "--json", "--hypothetical", "--hand", "T6", "--up", "T"], &seven[..]].concat());
    assert_eq!(ev["hypothetical"][0]["clause"], clause);
    let chart = cutcard(&[&["strategy", "--hypothetical"], &seven[..]].concat());
    assert!(stdout(&chart).contains(&format!("hypothetical: violates {clause}")), "{}", stdout(&chart));
    let text = cutcard(&[&["edge", "--hypothetical"], &seven[..]].concat());
    assert!(stdout(&text).starts_with("hypothetical table"), "{}", stdout(&text));
    // A legal table is not marked, and a table beyond the solver is refused.
    assert!(answer(&["edge", "--json", "--hypothetical", "nj-six-to-five"])["hypothetical"].is_null());
    for set in ["decks=0", "decks=13", "split_hands=5"] {
        let output = cutcard(&["edge", "--hypothetical", "nj-blackjack", "--set", set]);
        assert_eq!(status(&output), 1, "{set}");
    }
}

#[test]
fn a_file_that_says_nothing_is_no_table() {
    for (name, text) in [("empty", ""), ("comment", "# a table\n\n")] {
        let file = TableFile::new(name, text);
        let output = cutcard(&["edge", file.path()]);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains("the table file is empty"), "{}", stderr(&output));
    }
    assert_eq!(status(&cutcard(&["edge", "/dev/null"])), 2);
}

#[test]
fn a_name_is_hinted_at_only_when_it_is_near() {
    let told = |table: &str| stderr(&cutcard(&["edge", table])).to_string();
    assert!(told("nj-blackjak").contains("the nearest preset is `nj-blackjack`"));
    assert!(!told("table-12").contains("nearest"), "{}", told("table-12"));
    let unknown = cutcard(&["edge", "nj-blackjack", "--set", "colour_of_the_felt=1"]);
    assert!(!stderr(&unknown).contains("nearest"), "{}", stderr(&unknown));
}

/// The regulation does not limit the number of decks. Every command solves what it can, and reports a table beyond the
/// limit in one sentence without stopping.
#[test]
fn more_than_eight_decks_are_worked_out() {
    let edge = |decks: &str| house_edge(&["nj-blackjack", "--set", decks]);
    let edges = ["decks=8", "decks=9", "decks=12"].map(edge);
    assert!(edges[0] < edges[1] && edges[1] < edges[2] && edges[2] < edges[0] + 3e-4, "{edges:?}");
    let swept = answer(&[
        "sweep",
        "nj-blackjack",
        "--json",
        "--no-spread",
        "--vary",
        "decks=8,9,13",
        "--sort",
        "decks",
    ]);
    let [eight, nine, many] = &swept["tables"].as_array().unwrap()[..] else { panic!("{swept}") };
    assert_eq!((&eight["house_edge"], &nine["house_edge"]), (&json!(edges[0]), &json!(edges[1])));
    let limit = many["not_solved"].as_str().expect("a reason");
    assert!(many["house_edge"].is_null() && limit.contains("1 to 12 decks"), "{many}");
    for command in [&["edge"][..], &["simulate", "--rounds", "1000"], &["strategy"], &["card"], &["report"]] {
        let told = cutcard(&[command, &["nj-blackjack", "--set", "decks=13"]].concat());
        assert_eq!(status(&told), 1, "{command:?}");
        assert!(stderr(&told).contains(limit), "{command:?}: {}", stderr(&told));
    }
    let narrow = ["--only", "bonus_payouts=[]", "--only", "split_hands=4", "--only", "hole_card=none"];
    let atlas = answer(
        &[&["atlas", "nj-blackjack", "--json", "--most", "1", "--only", "decks=9,13"], &narrow[..]].concat(),
    );
    assert_eq!(atlas["not_solved"]["reason"], limit);
    assert_eq!(atlas["tables"][0]["set"]["decks"], 9, "{atlas}");
    let played = answer(&[
        "simulate",
        "nj-blackjack",
        "--json",
        "--set",
        "decks=12",
        "--fresh-shoes",
        "--rounds",
        "2e7",
        "--strategy",
        "exact",
    ]);
    let apart = (played["house_edge"].as_f64().unwrap() - edges[2]) / played["std_error"].as_f64().unwrap();
    assert!(apart.abs() < 4.0, "{apart}");
}

/// `--score` reports what a count wins at every table: deeper cuts are more vulnerable, at the same edge.
#[test]
fn long_a_sweep_tells_how_vulnerable_tables_are() {
    let told = answer(&[
        "sweep",
        "nj-blackjack-reader",
        "--json",
        "--no-spread",
        "--set",
        "decks=6",
        "--vary",
        "cut_behind=0.5,0.25",
        "--score",
        "hi-lo",
        "--spread",
        "1-8,1-16",
    ]);
    let [shallow, deep] = &told["tables"].as_array().unwrap()[..] else { panic!("{told}") };
    let of = |table: &Value, key: &str| table[key].as_f64().unwrap();
    assert_eq!(shallow["house_edge"], deep["house_edge"]);
    assert!(of(deep, "score") > 2.0 * of(shallow, "score") && of(shallow, "score") >= 0.0, "{told}");
    assert!(of(deep, "score_error") > 0.0 && of(deep, "score_error") < 0.2 * of(deep, "score"), "{told}");
    // each table lists every spread: the first is its `score`, and a wider one wins more
    let [narrow, wide] = &deep["scores"].as_array().unwrap()[..] else { panic!("{deep}") };
    assert_eq!((&narrow["spread"], &wide["spread"]), (&json!("1-8"), &json!("1-16")));
    assert_eq!((&narrow["score"], &narrow["score_error"]), (&deep["score"], &deep["score_error"]));
    assert!(of(wide, "score") > of(narrow, "score"), "{deep}");
    assert_eq!(status(&cutcard(&["sweep", "nj-blackjack", "--vary", "decks=6", "--score", "hilo"])), 2);
}

/// Every side bet has a SCORE, by its own best count and by Hi-Lo, as docs/counting.md tells.
#[test]
fn long_a_sweep_tells_how_vulnerable_side_bets_are() {
    let of = |table: &Value, key: &str| table[key].as_f64().unwrap();
    let swept = |more: &[&str]| {
        let asked = ["sweep", "nj-blackjack", "--json", "--no-spread", "--score", "hi-lo"];
        answer(&[&asked[..], &["--set", "side_wagers.over-under-13=true"], more].concat())
    };
    let told = swept(&["--vary", "decks=2,6"]);
    let [two, six] = &told["tables"].as_array().unwrap()[..] else { panic!("{told}") };
    let is_documented = |row: String| {
        assert!(include_str!("../../../../docs/counting.md").contains(&row), "{row}");
    };
    for table in [two, six] {
        let (decks, edge) = (&table["set"]["decks"], 100.0 * of(table, "house_edge"));
        let main = format!("{:.1} ({:.1})", of(table, "score"), of(table, "score_error"));
        is_documented(format!("| {decks} | main game | {edge:.2} | | {main} |"));
        for name in ["over-13", "under-13"] {
            let score = &table["side_scores"][name];
            assert!(of(score, "score") > of(score, "score_by_main_count"), "{name}: {score}");
            let error = of(score, "score_error");
            assert!(error > 0.0 && error < 0.2 * of(score, "score"), "{name}: {score}");
            let edge = 100.0 * of(&table["side_wagers"], name);
            let own = format!("{:.0} ({error:.0})", of(score, "score"));
            let by_main = of(score, "score_by_main_count");
            let by_main = format!("{by_main:.1} ({:.1})", of(score, "score_by_main_count_error"));
            is_documented(format!("| {decks} | `{name}` | {edge:.2} | {own} | {by_main} |"));
        }
    }
    let over = |table: &Value| of(&table["side_scores"]["over-13"], "score");
    assert!(over(two) > over(six), "{told}");
    let told = swept(&["--set", "side_wagers.streak=true", "--vary", "decks=1"]);
    let one = &told["tables"][0];
    assert!(one["side_wagers"]["streak-2"].is_number() && one["side_scores"]["streak-2"].is_null(), "{one}");
}
