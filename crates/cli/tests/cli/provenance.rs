//! Checks that every JSON document states which program made it, and from what.

use crate::{TableFile, cutcard, document};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const ROUND: &str = "table nj-blackjack decks=6\ncards Ts 6h 9d Qs 9c\nbet 1 ann 10\n1 stand\n";

fn answered(arguments: &[&str]) -> Value {
    document(&cutcard(arguments))
}

#[test]
fn every_document_is_stamped() {
    let round = TableFile::new("provenance-round", ROUND);
    let commands: [&[&str]; 13] = [
        &["tables"],
        &["tables", "nj-switch"],
        &["check", "nj-blackjack"],
        &["check", "nj-blackjack", "--set", "decks=3"],
        &["check", "nj-poker"],
        &["edge", "nj-six-to-five"],
        &["edge", "nj-blackjack", "--set", "decks=3"],
        &["ev", "nj-blackjack", "--hand", "Ts 6d", "--up", "Th"],
        &["strategy", "nj-six-to-five"],
        &["simulate", "nj-blackjack", "--rounds", "1e5", "--strategy", "quick"],
        &["replay", round.path()],
        &["clauses", "--kind", "rule", "--game", "switch"],
        &["audit", "--data", "there-is-no-house-here"],
    ];
    for command in commands {
        let document = answered(&[command, &["--json"]].concat());
        let made_by = &document["made_by"];
        assert_eq!(made_by["program"], "cutcard", "{command:?}");
        assert_eq!(made_by["version"], env!("CARGO_PKG_VERSION"), "{command:?}");
        let commit = &made_by["commit"];
        assert!(commit.is_null() || commit.as_str().is_some_and(|c| c.len() == 40), "{command:?}: {commit}");
        assert!(document["of"].is_object(), "{command:?}");
    }
}

/// A document contains the complete table, with its overrides.
#[test]
fn a_document_says_of_which_table_it_is() {
    let round = TableFile::new("provenance-table", ROUND);
    let commands: [&[&str]; 5] = [
        &["check", "nj-blackjack", "--set", "decks=6"],
        &["ev", "nj-blackjack", "--set", "decks=6", "--hand", "Ts 6d", "--up", "Th"],
        &["strategy", "nj-blackjack", "--set", "decks=6"],
        &["simulate", "nj-blackjack", "--set", "decks=6", "--rounds", "1e5", "--strategy", "quick"],
        &["replay", round.path()],
    ];
    let tables: Vec<Value> =
        commands.map(|command| answered(&[command, &["--json"]].concat())["of"]["table"].clone()).into();
    assert_eq!(tables[0]["decks"], 6);
    assert!(tables[0]["rulings"]["split_two_card_21"].is_string());
    assert!(tables.iter().all(|table| *table == tables[0]), "{tables:?}");
}

#[test]
fn a_simulation_says_its_strategy_count_ramp_seed_and_engine() {
    let run = ["simulate", "nj-blackjack", "--json", "--rounds", "1e5", "--strategy", "quick", "--seed", "7"];
    let of = answered(&[&run[..], &["--count", "ko", "--ramp", "1:1,2:4"]].concat())["of"].clone();
    let keys = ["strategy", "count", "count_by", "rounding", "ramp", "seed"];
    let told: Vec<&Value> = keys.iter().map(|key| &of[*key]).collect();
    assert_eq!(json!(told), json!(["quick", "ko", "running", "down", "1:1,2:4", 7]));
    assert!(of["engine"].is_string());
    let plain = answered(&run)["of"].clone();
    assert!(plain.get("count").is_none() && plain.get("ramp").is_none(), "{plain}");
}

/// Other commands can read a chart that `strategy` prints, provenance included.
#[test]
fn stamped_charts_can_be_given_back() {
    let printed = cutcard(&["strategy", "nj-six-to-five", "--json"]);
    let file = TableFile::new("provenance-chart", &printed.stdout);
    let edge = answered(&["edge", "nj-six-to-five", "--strategy", file.path(), "--json"]);
    assert!(edge["of"]["strategy"]["sections"].is_object(), "{}", edge["of"]["strategy"]);
    assert_eq!(document(&printed)["of"]["strategy"], "total-dependent");
}

/// Commands without a JSON document: they run a server, speak a line protocol, write bytes, or describe the program
/// itself.
const WITHOUT_SCHEMA: [&str; 6] = ["serve", "keeper", "random", "completions", "man", "help"];

/// Every command that prints a document has a schema, and every schema has a command.
#[test]
fn every_command_has_a_schema() {
    let schemas = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let help = cutcard(&["--help"]);
    let text = crate::stdout(&help);
    let listed =
        text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"sweep") && commands.contains(&"help"), "{commands:?}");
    for command in &commands {
        let has = schemas.join(format!("{command}.json")).is_file();
        assert_eq!(has, !WITHOUT_SCHEMA.contains(command), "{command}");
    }
    for schema in std::fs::read_dir(&schemas).expect("schemas").filter_map(Result::ok) {
        let name = schema.file_name().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".json") else { continue };
        assert!(name == "error" || commands.contains(&name), "{name} is no command");
    }
}

/// The results of single shoes have the provenance of their summary: CSV in a first line if asked, Parquet in its footer.
#[test]
fn single_shoes_are_stamped() {
    let directory = tempfile::tempdir().expect("temp dir");
    let written = |file: &str, more: &[&str]| {
        let path = directory.path().join(file);
        let run = [
            "simulate",
            "nj-six-to-five",
            "--rounds",
            "1e4",
            "--strategy",
            "quick",
            "--seed",
            "39",
            "--json",
        ];
        let told = answered(&[&run[..], &["--shoes", path.to_str().expect("UTF-8")], more].concat());
        (told, std::fs::read(path).expect("the shoes"))
    };
    let (told, csv) = written("shoes.csv", &["--provenance"]);
    let csv = String::from_utf8(csv).expect("UTF-8");
    let (first, rest) = csv.split_once('\n').expect("lines");
    let stamp: Value = serde_json::from_str(first.strip_prefix("# ").expect("a comment")).expect("JSON");
    assert_eq!(stamp, json!({ "made_by": told["made_by"], "of": told["of"] }));
    assert_eq!((&stamp["of"]["seed"], &stamp["of"]["engine"]), (&json!(39), &json!("general")));
    // without the flag, the first line is the head
    assert_eq!(String::from_utf8(written("plain.csv", &[]).1).expect("UTF-8"), rest);
    let (told, parquet) = written("shoes.parquet", &[]);
    for key in ["made_by", "of"] {
        let said = told[key].to_string();
        assert!(parquet.windows(said.len()).any(|part| part == said.as_bytes()), "{said}");
    }
    let alone = cutcard(&["simulate", "nj-six-to-five", "--provenance"]);
    assert_eq!(crate::status(&alone), 2);
}

/// Charts of illegal tables are marked as hypothetical, in JSON and in every drawing.
#[test]
fn hypothetical_charts_are_marked() {
    let table = ["nj-blackjack", "--set", "double_after_split=false", "--hypothetical"];
    let told = answered(&[&["strategy"], &table[..], &["--json"]].concat());
    assert_eq!(told["hypothetical"][0]["keys"], json!(["double_after_split"]), "{}", told["hypothetical"]);
    assert!(answered(&["strategy", "nj-six-to-five", "--json"]).get("hypothetical").is_none());
    for format in ["svg", "html", "text"] {
        let drawn = cutcard(&[&["strategy"], &table[..], &["--format", format]].concat());
        assert!(crate::stdout(&drawn).contains("hypothetical: violates"), "{format}");
    }
    let vary =
        ["sweep", "nj-blackjack", "--vary", "double_after_split=true,false", "--hypothetical", "--no-spread"];
    let drawn = cutcard(&[&vary[..], &["--format", "svg"]].concat());
    assert!(
        crate::stdout(&drawn).contains("hypothetical: double_after_split false"),
        "{}",
        crate::stdout(&drawn)
    );
}

#[test]
fn a_house_records_the_program_that_runs_it() {
    let directory = tempfile::tempdir().expect("temp dir");
    let [data, into] = ["data", "exported"].map(|name| directory.path().join(name));
    crate::keeper::open(&data, &[]).close();
    let [data, exported] = [&data, &into].map(|path| path.to_str().expect("UTF-8"));
    cutcard(&["export", "--data", data, exported]);
    let program = std::fs::read(env!("CARGO_BIN_EXE_cutcard")).expect("readable");
    let sha256: String = Sha256::digest(&program).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut files = std::fs::read_dir(&into).expect("exported").map(|file| file.expect("a file").path());
    assert!(
        files.any(|file| std::fs::read_to_string(file).is_ok_and(|text| text.contains(&sha256))),
        "{sha256}"
    );
}
