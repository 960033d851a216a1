//! Checks the atlas against a sweep of the same options, and its number of tables against a count made here.

use crate::{answer, cutcard, number, status};
use serde_json::Value;

const FEW: [&str; 10] = [
    "--only",
    "decks=6,8",
    "--only",
    "hole_card=none,reader",
    "--only",
    "split_hands=1,2",
    "--only",
    "bonus_payouts=[]",
    "--only",
    "attack_amount=up-to",
];

/// The atlas counts tables that differ only in a choice without effect as one: resplitting aces without resplits, and
/// doubling after a split without splits. All other tables are distinct.
#[test]
fn the_atlas_counts_tables_once() {
    let narrow =
        [&FEW[..], &["--only", "surrender=false", "--only", "soft_17=stand", "--only", "even_money=false"]];
    let told = answer(&[&["atlas", "nj-blackjack"], &narrow.concat()[..]].concat());
    // decks, hole card, number of split hands, resplit aces, double after split
    assert_eq!(told["combinations"], 2 * 2 * 2 * 2 * 2);
    let tables = told["tables"].as_array().expect("tables");
    let mut edges: Vec<f64> = tables.iter().map(|table| number(&table["house_edge"])).collect();
    assert!(edges.windows(2).all(|two| two[0] <= two[1]), "{edges:?}");
    assert_eq!((edges.len(), &told["distinct"]), (tables.len(), &Value::from(edges.len())));
    // some tables share an edge: where a dealer blackjack takes only the original bet, peeking has the same EV as no
    // hole card
    edges.dedup();
    assert_eq!(told["edges"], edges.len());
    assert!(number(&told["lawful"]) >= number(&told["distinct"]));
    // a sweep of the same options finds the same number of distinct edges
    let varied = [
        "decks=6,8",
        "hole_card=none,reader",
        "split_hands=1,2",
        "resplit_aces=false,true",
        "double_after_split=false,true",
    ];
    let vary: Vec<&str> = varied.iter().flat_map(|vary| ["--vary", vary]).collect();
    let swept = answer(&[&["sweep", "nj-blackjack", "--no-spread"], &vary[..]].concat());
    let mut others: Vec<f64> = swept["tables"]
        .as_array()
        .expect("tables")
        .iter()
        .map(|table| number(&table["house_edge"]))
        .collect();
    others.sort_by(f64::total_cmp);
    others.dedup();
    assert_eq!(edges, others);
}

#[test]
fn an_atlas_may_be_counted_alone() {
    let told = answer(&[&["atlas", "nj-blackjack", "--most", "0"], &FEW[..]].concat());
    assert_eq!((&told["solved"], told["tables"].as_array().map(Vec::len)), (&Value::from(0), Some(0)));
    assert!(number(&told["distinct"]) > 8.0, "{told}");
    assert_eq!(status(&cutcard(&["atlas", "nj-blackjack", "--only", "positions=5"])), 2);
}

/// An interrupted atlas resumes from its checkpoint. A truncated line is solved again, a complete line is taken as it
/// is, and a checkpoint of another table is refused.
#[test]
fn an_atlas_goes_on_from_its_checkpoint() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("noted");
    let path = file.to_str().expect("a name");
    let few = ["--only", "decks=6", "--only", "surrender=false", "--only", "even_money=false"];
    let asked = |table: &'static str| [&["atlas", table], &FEW[2..], &few, &["--checkpoint", path]].concat();
    let whole = answer(&asked("nj-blackjack"));
    let noted = std::fs::read_to_string(&file).expect("a checkpoint");
    let lines: Vec<&str> = noted.lines().collect();
    assert_eq!(Value::from(lines.len() - 1), whole["distinct"]);
    // truncate the last line, and give the first table an edge that no table has, to show that the line is read
    let mut told: Value = serde_json::from_str(lines[1]).expect("a line");
    told["house_edge"] = Value::from(0.5);
    let cut = [lines[0], &told.to_string(), &lines[2][..30]].join("\n");
    std::fs::write(&file, cut).expect("written");
    let again = answer(&asked("nj-blackjack"));
    let edges = |told: &Value| -> Vec<f64> {
        told["tables"].as_array().expect("tables").iter().map(|table| number(&table["house_edge"])).collect()
    };
    let (whole, mut again) = (edges(&whole), edges(&again));
    assert_eq!(again.pop(), Some(0.5));
    assert_eq!(again.len() + 1, whole.len());
    assert!(again.iter().all(|edge| whole.contains(edge)));
    assert_eq!(status(&cutcard(&asked("nj-blackjack-reader"))), 1);
}
