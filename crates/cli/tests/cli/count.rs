//! Tests counting: index plays against published ones, insurance by hand, ramps against simulations of them, and the
//! best tags.

use crate::{answer, cutcard, number, status, stderr, stdout};
use serde_json::Value;

const SIX_DECKS: [&str; 3] = ["nj-blackjack-reader", "--set", "decks=6"];

fn index<'d>(document: &'d Value, hand: &str, up: &str, play: &str) -> &'d Value {
    let all = document["indices"].as_array().expect("indices");
    all.iter()
        .find(|i| i["hand"] == hand && i["up"] == up && i["play"] == play)
        .unwrap_or_else(|| panic!("no index for {hand} v {up} {play}"))
}

/// The Illustrious 18 (D. Schlesinger, Blackjack Attack) for Hi-Lo. Published indices were found by simulation and
/// rounded in several ways, so each may differ by one; docs/counting.md lists both.
#[test]
fn the_illustrious_eighteen_are_found() {
    let found = answer(&[&["indices"], &SIX_DECKS[..], &["--count", "hi-lo"]].concat());
    let published = [
        ("hard 16", "T", "S", 0),
        ("hard 15", "T", "S", 4),
        ("pairs T", "5", "P", 5),
        ("pairs T", "6", "P", 4),
        ("hard 10", "T", "D", 4),
        ("hard 12", "3", "S", 2),
        ("hard 12", "2", "S", 3),
        ("hard 11", "A", "D", 1),
        ("hard 9", "2", "D", 1),
        ("hard 10", "A", "D", 4),
        ("hard 9", "7", "D", 3),
        ("hard 16", "9", "S", 5),
        ("hard 13", "2", "S", -1),
        ("hard 12", "4", "S", 0),
        ("hard 12", "5", "S", -2),
        ("hard 12", "6", "S", -1),
        ("hard 13", "3", "S", -2),
    ];
    for (hand, up, play, from) in published {
        let index = index(&found, hand, up, play);
        let apart = number(&index["from"]) - f64::from(from);
        assert!(apart.abs() <= 1.0, "{index}");
        assert!(number(&index["gain"]) >= 0.0 && number(&index["error"]) < 0.5, "{index}");
    }
    // With an ace gone, 311 of 312 cards are left, and insurance breaks even when a third of them are tens: 96 + 2.4 t
    // = 311 / 3, with the ace counted. This is for the expected shoe at that count; averaging over all depths and the
    // player's own cards hardly changes it.
    let above = (311.0 / 3.0 - 96.0) / 2.4;
    let exact = (6.0 * above - 1.0) * 52.0 / 311.0;
    assert!((number(&found["insurance"]["exact"]) - exact).abs() < 0.1, "{exact} {}", found["insurance"]);
    assert_eq!(found["insurance"]["from"], 3);
    // Hi-Lo's published betting correlation is 0.97, its insurance correlation 0.76
    assert!((number(&found["betting_correlation"]) - 0.97).abs() < 0.015, "{}", found["betting_correlation"]);
    assert!((number(&found["insurance_correlation"]) - 0.76).abs() < 0.01);
    assert!((0.4..0.8).contains(&number(&found["playing_correlation"])));
    crate::perfect::indices_agree_with_a_recursion(&found);
}

/// `simulate` reads the chart with index plays, plays it in the fast engine, and wins more than without them.
#[test]
fn long_index_plays_are_followed_and_gain() {
    let chart = cutcard(&[&["indices"], &SIX_DECKS[..], &["--count", "hi-lo", "--format", "chart"]].concat());
    assert_eq!(status(&chart), 0, "{}", stderr(&chart));
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("indexed.json");
    std::fs::write(&path, stdout(&chart)).expect("the temporary folder is writable");
    let run = |strategy: &str| {
        let options = [
            "--count",
            "hi-lo",
            "--ramp",
            "0:1,1:2,2:6,3:10,4:12",
            "--rounds",
            "2e7",
            "--strategy",
            strategy,
        ];
        answer(&[&["simulate"], &SIX_DECKS[..], &options].concat())
    };
    let (indexed, plain) = (run(path.to_str().expect("UTF-8")), run("exact"));
    assert_eq!(indexed["engine"], "fused");
    let gained = number(&indexed["ev"]) - number(&plain["ev"]);
    assert!(gained > 3.0 * number(&plain["std_error"]), "{gained} {}", plain["std_error"]);
    let _ = std::fs::remove_file(path);
}

/// A simulation of a ramp wins what `ramp` predicts.
#[test]
fn a_ramp_is_worth_what_it_says() {
    let arguments = [&SIX_DECKS[..], &["--count", "hi-lo"]].concat();
    let options = ["--bankroll", "1000", "--spread", "1-12", "--rounds", "2e6", "--index-plays", "0"];
    let told = answer(&[&["ramp"], &arguments[..], &options].concat());
    rises_with_the_count(&told, 0);
    let ramp = told["ramp_text"].as_str().expect("a ramp");
    let run = ["--ramp", ramp, "--rounds", "2e7", "--bankroll", "1000", "--side-wager", "none"];
    let played = answer(&[&["simulate"], &arguments[..], &run].concat());
    // `ramp` insures by the count and the plain chart does not; the difference is small compared with the error
    let win = number(&played["ev"]) * number(&played["initial_wagers_per_round"]) * 100.0;
    assert!((number(&told["win_per_100"]) - win).abs() < 1.0, "{} {win}", told["win_per_100"]);
    let deviation = number(&played["std_dev"]) * 10.0;
    assert!(
        (number(&told["std_dev_100"]) / deviation - 1.0).abs() < 0.02,
        "{} {deviation}",
        told["std_dev_100"]
    );
    let (mean, spread) = (number(&told["win_per_100"]) / 100.0, number(&told["std_dev_100"]) / 10.0);
    let n0 = spread * spread / (mean * mean);
    assert!(
        (number(&told["n0"]) / n0 - 1.0).abs() < 1e-9
            && (number(&told["score"]) * n0 / 1e6 - 1.0).abs() < 1e-9
    );
    let ruin = (-2.0 * mean * 1000.0 / (spread * spread)).exp();
    assert!((number(&told["risk_of_ruin"]) - ruin).abs() < 1e-12);
    assert!(number(&told["c_score"]) >= number(&told["score"]) * 0.999);
    let refused = cutcard(&[&["ramp"], &arguments[..], &["--spread", "12-1"]].concat());
    assert_eq!(status(&refused), 2);
    // even flat bets exceed this risk of ruin with a small bankroll
    let asked = ["--bankroll", "20", "--risk", "0.001", "--rounds", "2e5", "--json"];
    let one_deck = ["nj-blackjack-reader", "--set", "decks=1", "--count", "hi-lo"];
    let refused = cutcard(&[&["ramp"], &one_deck[..], &asked].concat());
    assert_eq!(status(&refused), 1, "{}", stdout(&refused));
    let told: Value = serde_json::from_str(stdout(&refused)).expect("a document");
    let least = number(&told["refused"]["least_risk"]);
    assert!((0.001..=1.0).contains(&least), "{told}");
    let reason = told["refused"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("risk of ruin") && stderr(&refused).contains(reason), "{reason}");
}

/// Checks that bets rise with the count from the least to the most, by values whose errors are small.
fn rises_with_the_count(told: &Value, falls: usize) {
    let rows = told["ramp"].as_array().expect("rows");
    let stakes: Vec<f64> = rows.iter().map(|row| number(&row["stake"])).collect();
    assert!(stakes.windows(2).all(|two| two[0] <= two[1]), "{stakes:?}");
    assert!(stakes[0] == 1.0 && stakes[stakes.len() - 1] == 12.0, "{stakes:?}");
    for row in rows.iter().filter(|row| number(&row["frequency"]) > 0.01) {
        assert!(number(&row["ev_error"]) > 0.0 && number(&row["ev_error"]) < 1e-4, "{row}");
    }
    let often = rows.iter().filter(|row| number(&row["frequency"]) > 0.005);
    let values: Vec<f64> = often.map(|row| number(&row["ev"])).collect();
    assert!(values.windows(2).filter(|two| two[0] >= two[1]).count() <= falls, "{values:?}");
}

/// A running count starts at full shoes, which are worth more than the counts next to it.
#[test]
fn long_stakes_rise_with_a_running_count() {
    let asked = [&["ramp"], &SIX_DECKS[..], &["--count", "ko", "--bankroll", "1000"]].concat();
    rises_with_the_count(&answer(&asked), 1);
}

/// The best tags fit the bet: for over 13, small cards are bad (a count of the Crush type); for insurance, only tens
/// matter.
#[test]
fn the_best_tags_are_those_of_the_wager() {
    let told =
        answer(&["tags", "nj-blackjack", "--level", "2", "--set", "side_wagers.over-under-13.minimum=1"]);
    let wager = |name: &str| {
        let all = told["wagers"].as_array().expect("wagers");
        all.iter().find(|wager| wager["wager"] == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let insurance = &wager("insurance")["whole"][1];
    assert!(number(&insurance["correlation"]) > 0.95, "{insurance}");
    for name in ["main", "over-13", "under-13", "insurance"] {
        let [one, two] = [0, 1].map(|at| number(&wager(name)["whole"][at]["correlation"]));
        assert!(two >= one - 1e-12 && one > 0.8, "{name}: {one} {two}");
        let systems = wager(name)["systems"].as_array().expect("systems");
        assert!(systems.iter().all(|system| number(&system["correlation"]) <= 1.0), "{name}");
    }
    // a card that helps over 13 hurts under 13
    let over = number(&wager("over-13")["optimal"]["2"]);
    assert!(over > 0.0 && number(&wager("under-13")["optimal"]["2"]) < 0.0, "{over}");
    assert_eq!(status(&cutcard(&["tags", "nj-blackjack", "--level", "0"])), 2);
}

/// A side bet can follow its own count while the main game follows another. The simulated EV agrees with the exact EV
/// of the remaining cards, the main game is unaffected, and with a count that carries no information the side bet has
/// its full-shoe EV, computed here.
#[test]
fn side_wagers_are_staked_by_counts_of_their_own() {
    let offered = ["nj-blackjack", "--set", "side_wagers.over-under-13.minimum=1"];
    let main = ["--side-wager", "over-13", "--strategy", "quick", "--count", "hi-lo", "--ramp", "1:1,2:4"];
    let run = |more: &[&str]| answer(&[&["simulate"], &offered[..], &main, more].concat());
    let (tags, ramp) = ("1,1,1,1,0,0,0,0,0,-1", "1:0,2:1,4:3");
    let (own, staked) = (format!("over-13={tags}"), format!("over-13={ramp}"));
    let rounds = ["--rounds", "1e6"];
    let told = run(&[&rounds[..], &["--side-count", &own, "--side-ramp", &staked]].concat());
    let side = &told["side_wagers"][0];
    let rows = side["by_count"].as_array().expect("counts");
    // the rows add up to all rounds, and the reported results follow from their bets
    let sum =
        |of: &dyn Fn(&Value) -> f64| rows.iter().map(|row| number(&row["frequency"]) * of(row)).sum::<f64>();
    let flat = sum(&|row| number(&row["ev"]));
    assert!((flat + number(&side["house_edge"])).abs() < 1e-9, "{flat} {side}");
    let won = sum(&|row| number(&row["stake"]) * number(&row["ev"]));
    assert!((100.0 * won - number(&side["stakes"]["win_per_100"])).abs() < 1e-9, "{won} {side}");
    let stake = |count: i64| if count < 2 { 0 } else { 1 + 2 * i64::from(count >= 4) };
    assert!(rows.iter().all(|row| row["stake"] == stake(row["count"].as_i64().expect("a count"))), "{side}");
    // exact values from the remaining cards, sampled by another simulation
    let asked = ["--wager", "over-13", "--count", tags, "--rounds", "2000", "--seed", "5"];
    let exact = answer(&[&["side"], &offered[..], &asked].concat());
    let mut compared = 0;
    for there in exact["by_count"].as_array().expect("counts") {
        let here = rows.iter().find(|row| row["count"] == there["count"]);
        let Some(here) = here.filter(|_| number(&there["frequency"]) > 0.05) else { continue };
        let apart = number(&here["ev"]) - number(&there["ev"]);
        // compositions at one count differ little: a hundred of them estimate the mean to a third of a percent
        assert!(apart.abs() < 4.0 * number(&here["std_error"]) + 0.004, "{here} {there}");
        compared += 1;
    }
    assert!(compared >= 4, "{exact}");
    let ev = |count: i64| number(&rows.iter().find(|row| row["count"] == count).expect("a row")["ev"]);
    assert!(ev(3) > ev(0) + 0.02 && ev(0) > ev(-3) + 0.02, "{rows:?}");
    // the main game is unaffected by the side count
    let without = run(&rounds);
    for key in ["ev", "std_error", "by_count", "hands"] {
        assert_eq!(told[key], without[key], "{key}");
    }
    assert_eq!((&told["engine"], &without["engine"]), (&Value::from("general"), &Value::from("fused")));
    // with a constant count: the first two cards of eight decks total more than 13, aces count 1
    let nothing =
        run(&[&rounds[..], &["--side-count", "over-13=0,0,0,0,0,0,0,0,0,0", "--side-ramp", "over-13=0:2"]]
            .concat());
    let cards: Vec<(i64, i64)> = (1..=10).map(|value| (value, if value == 10 { 128 } else { 32 })).collect();
    let pairs = cards
        .iter()
        .flat_map(|&(a, n)| cards.iter().map(move |&(b, m)| (a + b, n * (m - i64::from(a == b)))));
    let net: i64 = pairs.map(|(total, ways)| if total > 13 { ways } else { -ways }).sum();
    let expected = 200.0 * net as f64 / (416.0 * 415.0);
    let stakes = &nothing["side_wagers"][0]["stakes"];
    let apart = number(&stakes["win_per_100"]) - expected;
    assert!(apart.abs() < 4.0 * number(&stakes["win_per_100_error"]), "{stakes} {expected}");
    assert_eq!(stakes["average_stake"], 2.0);
}

/// A side ramp without a count, a count for a bet not made in the run, and one without a bet's name are refused; parts
/// with side counts can be merged.
#[test]
fn counts_of_side_wagers_are_refused_where_there_can_be_none() {
    let quick = ["simulate", "nj-blackjack", "--strategy", "quick", "--rounds", "1000"];
    for (more, code, says) in [
        (["--side-ramp", "over-13=1:1"], 2, "--side-count"),
        (["--side-count", "over-13=hi-lo"], 1, "this run does not make"),
        (["--side-count", "hi-lo"], 2, "expected a side bet"),
    ] {
        let told = cutcard(&[&quick[..], &more].concat());
        assert_eq!(status(&told), code, "{more:?}");
        assert!(stderr(&told).contains(says), "{}", stderr(&told));
    }
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name).to_str().expect("a name").to_string();
    let staked = ["--side-count", "match=hi-lo", "--side-ramp", "match=0:1,1:3"];
    let parts: Vec<String> = ["0..1", "1..2"]
        .iter()
        .map(|chunks| {
            let out = file(chunks);
            let asked = ["simulate", "nj-switch", "--strategy", "quick", "--chunks", chunks, "--out", &out];
            answer(&[&asked[..], &staked].concat());
            out
        })
        .collect();
    let merged = answer(&["merge", &parts[0], &parts[1]]);
    let whole = file("whole");
    let asked = ["simulate", "nj-switch", "--strategy", "quick", "--chunks", "0..2", "--out", &whole];
    let whole = answer(&[&asked[..], &staked].concat());
    assert_eq!(merged["side_wagers"], whole["side_wagers"]);
    assert!(number(&whole["side_wagers"][0]["stakes"]["average_stake"]) > 1.0, "{}", whole["side_wagers"]);
}

/// Aces counted beside Hi-Opt I, which does not count them, raise its betting correlation; each index play has a weight.
#[test]
fn long_a_second_count_joins_the_first() {
    let table = ["nj-blackjack-reader", "--set", "decks=1", "--count", "hi-opt-1"];
    let aces = ["--second-count", "A"];
    let ramp = ["--rounds", "1e5", "--index-plays", "0"];
    let told = answer(&[&["ramp"], &table[..], &aces, &ramp, &["--second-weight", "-1"]].concat());
    let second = &told["second_count"];
    assert_eq!((&second["weight"], &second["count"]), (&(-1.0).into(), &"1,0,0,0,0,0,0,0,0,0".into()));
    assert_eq!(told["of"]["second_count"], second["count"]);
    let (one, both) = (number(&told["betting_correlation"]), number(&second["betting_correlation"]));
    assert!(one < 0.9 && both > one + 0.05, "{one} {both}");
    let told = answer(&[&["indices"], &table[..], &aces].concat());
    let best = number(&told["second_count"]["betting_correlation"]);
    assert!(best >= both && number(&told["second_count"]["weight"]) < 0.0, "{told}");
    // a missing ace is a ten more among the other cards: insurance is worth more with aces gone
    assert!(number(&told["second_count"]["insurance_weight"]) > 0.0, "{}", told["second_count"]);
    let rows = told["indices"].as_array().expect("indices");
    assert!(rows.iter().all(|row| number(&row["second_weight"]).abs() <= 5.0), "{rows:?}");
}

/// docs/counting.md tells what a side count of aces adds to Hi-Opt I.
#[test]
fn long_a_side_count_of_aces_is_worth_what_is_documented() {
    let hi_opt = [&["ramp"], &SIX_DECKS[..], &["--count", "hi-opt-1"]].concat();
    let row = |named: &str, told: &Value, correlation: &Value, published: &str| {
        let (score, error) = (number(&told["score"]), number(&told["score_error"]));
        let row = format!("| {named} | {:.3} | {published} | {score:.1} | {error:.1} |", number(correlation));
        assert!(include_str!("../../../../docs/counting.md").contains(&row), "{row}");
        (score, error)
    };
    let alone = answer(&hi_opt);
    let one = row("Hi-Opt I", &alone, &alone["betting_correlation"], "0.88");
    let aces = answer(&[&hi_opt[..], &["--second-count", "A"]].concat());
    let two = row("Hi-Opt I with aces", &aces, &aces["second_count"]["betting_correlation"], "0.97");
    assert!(two.0 - one.0 > 3.0 * one.1.hypot(two.1), "{one:?} {two:?}");
}

#[test]
fn a_second_count_that_cannot_be_is_refused() {
    let table = ["nj-blackjack-reader", "--set", "decks=1", "--count", "hi-opt-1"];
    for (more, code, says) in [
        (&["indices", "--second-count", "A", "--format", "chart"][..], 2, "--format chart"),
        (&["indices", "--second-count", "A", "--risk-averse"], 2, "--risk-averse"),
        (&["indices", "--second-count", "B"], 2, "unknown count"),
        (&["ramp", "--second-weight", "1"], 2, "--second-count"),
        (&["ramp", "--second-count", "A", "--second-weight", "nan"], 2, "-9 to 9"),
        (&["ramp", "--set", "decks=8", "--second-count", "9,8,7,6,5,4,3,2,1,-9"], 1, "too many values"),
    ] {
        let output = cutcard(&[&more[..1], &table[..], &more[1..]].concat());
        assert_eq!(status(&output), code, "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{more:?}: {}", stderr(&output));
    }
}
