//! Tests `cutcard report`: sums, independently computed figures, and every format of the report. A report takes seconds
//! to compute, so each test computes few of them, and writes one in several formats by itself.

use crate::{cutcard, document, number, status, stderr, stdout};
use documents::report;
use documents::report_document::StampedReport;
use documents::report_page::page;
use documents::report_text::{csv, markdown};
use documents::subject::Subject;
use serde_json::Value;
use std::path::PathBuf;

fn report(arguments: &[&str]) -> Value {
    let output = cutcard(&[&["report", "--json"], arguments].concat());
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    document(&output)
}

/// Computes the report of a preset with these options here, without the command line.
fn computed(preset: &str, sets: &[&str]) -> StampedReport {
    let mut choices = rules::preset::preset(preset).expect("a preset");
    sets.iter().for_each(|set| rules::file::set(&mut choices, set).expect("an option"));
    let table = Subject::new(choices).expect("a table that can be solved");
    let mut report = report::document(&report::compute(&table).expect("a report"), None);
    table.mark(&mut report.document);
    report
}

fn wager<'r>(report: &'r Value, name: &str) -> &'r Value {
    let all = report["wagers"].as_array().expect("wagers");
    all.iter().find(|wager| wager["wager"] == name).unwrap_or_else(|| panic!("no wager {name}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Asserts that probabilities add up to one and contributions to minus the house edge, and that the spread follows from
/// the lines.
fn adds_up(report: &Value) {
    for wager in list(&report["wagers"]) {
        let name = &wager["wager"];
        let sum = |f: &dyn Fn(&Value) -> f64| list(&wager["outcomes"]).iter().map(f).sum::<f64>();
        let chances = sum(&|line| number(&line["probability"]));
        assert!((chances - 1.0).abs() < 1e-11, "{name}: {chances}");
        let edge = number(&wager["house_edge"]);
        let contributed = sum(&|line| number(&line["contribution"]));
        assert!((contributed + edge).abs() < 1e-11, "{name}: {contributed} {edge}");
        let variance = number(&wager["variance"]);
        if name != "main" {
            let squares = sum(&|line| number(&line["probability"]) * number(&line["net"]).powi(2));
            assert!((squares - edge * edge - variance).abs() < 1e-9, "{name}: {squares} {variance}");
            let hit =
                sum(&|line| if number(&line["net"]) > 0.0 { number(&line["probability"]) } else { 0.0 });
            assert!((hit - number(&wager["hit_frequency"])).abs() < 1e-12, "{name}");
        }
        assert!((number(&wager["volatility_index"]) - 1.645 * variance.sqrt()).abs() < 1e-12, "{name}");
        let intervals = list(&wager["intervals"]);
        assert_eq!(intervals.len(), 6, "{name}");
        for (interval, rounds) in intervals.iter().zip([1e4, 1e5, 1e6, 1e7, 1e8, 1e9]) {
            assert_eq!(number(&interval["rounds"]), rounds);
            let wide = 1.959964 * (variance / rounds).sqrt();
            assert!((number(&interval["low"]) - (1.0 - edge - wide)).abs() < 1e-8, "{name}");
            assert!((number(&interval["high"]) - (1.0 - edge + wide)).abs() < 1e-8, "{name}");
        }
    }
}

/// Asserts that every line adds up, that the printed card costs little, and that the method of the variance is named.
fn holds(report: &Value, exact_variance: bool) {
    adds_up(report);
    let main = wager(report, "main");
    let card = list(&main["plays"]).iter().find(|play| play["play"] == "printed card").expect("a card");
    let costs = number(&card["house_edge"]) - number(&main["house_edge"]);
    assert!((0.0..1e-3).contains(&costs), "{costs}");
    let methods = list(&report["filing"]["method"]);
    let of_variance = methods.iter().find(|row| row["of"] == "variance of the main game");
    assert_eq!(of_variance.expect("a method")["exact"], exact_variance);
}

/// The other games are in the tests below, which need their reports anyway.
#[test]
fn long_every_line_adds_up_at_blackjack_and_switch() {
    // side bets that the regulation does not allow together, to test many at once
    let side_bets = ["over-under-13", "same-suit", "sevens", "match-the-dealer", "dealer-bust"]
        .map(|bet| format!("side_wagers.{bet}.minimum=1"));
    let sets: Vec<&str> = side_bets.iter().flat_map(|set| ["--set", set]).collect();
    holds(&report(&[&["nj-blackjack", "--hypothetical", "--set", "decks=6"][..], &sets].concat()), true);
    // the variance of Switch takes its hands as independent
    holds(&report(&["nj-switch"]), false);
}

/// Asserts that simulated rounds end with the exact net results.
fn ends_with_its_nets(report: &Value) {
    let nets = &report["verified"]["net_result"];
    // by chance, one p-value in a hundred thousand is this small
    assert!(number(&nets["p_value"]) > 1e-5 && number(&nets["degrees_of_freedom"]) > 3.0, "{nets}");
}

/// The variance and the edge of a blackjack table follow from the nets of a round, as a reader of the sheet adds them
/// up; a simulation of rounds wins as many.
#[test]
fn the_variance_follows_from_the_nets_of_a_round() {
    let told = report(&["nj-blackjack-reader", "--verify", "4e6"]);
    let main = wager(&told, "main");
    let sum = |f: &dyn Fn(f64, f64) -> f64| {
        let nets = list(&main["round"]["nets"]).iter();
        nets.map(|row| f(number(&row["net"]), number(&row["probability"]))).sum::<f64>()
    };
    let (all, mean, square) = (sum(&|_, p| p), sum(&|net, p| net * p), sum(&|net, p| net * net * p));
    assert!((all - 1.0).abs() < 1e-9 && (mean + number(&main["house_edge"])).abs() < 1e-9, "{all} {mean}");
    assert!((square - mean * mean - number(&main["variance"])).abs() < 1e-7, "{square}");
    let won = number(&told["verified"]["rounds_won"]);
    assert!((won - number(&main["round"]["won"])).abs() < 4.0 * (0.25f64 / 4e6).sqrt(), "{won}");
    ends_with_its_nets(&told);
}

/// A round of multiple action has bets that win and lose together: the sheet has the exact variance of all of them, and
/// the simulation has the same.
#[test]
fn long_the_spread_of_several_bets_is_exact() {
    let told = report(&["nj-multiple-action", "--verify", "4e6"]);
    holds(&told, true);
    let main = wager(&told, "main");
    let round = &main["round"];
    let per_bet = number(&round["variance"]) / number(&round["bets"]).powi(2);
    assert!((per_bet - number(&main["variance"])).abs() < 1e-9, "{per_bet}");
    let spreads: Vec<f64> = list(&main["spreads"]).iter().map(|spread| number(&spread["variance"])).collect();
    assert!(spreads.len() == 2 && spreads[0] > spreads[1], "{spreads:?}");
    assert!((spreads[1] - number(&main["variance"])).abs() < 1e-12, "{spreads:?}");
    ends_with_its_nets(&told);
    let variance = &told["verified"]["variance"];
    assert!(number(&variance["errors_apart"]).abs() < 5.0, "{variance}");
}

/// Printed pages have a head and a page number, and each chart stays with its heading.
#[test]
fn a_printed_report_has_running_heads() {
    let page = cutcard(&["report", "nj-six-to-five", "--format", "html", "--document", "A</style>\"1"]);
    let page = stdout(&page);
    for part in
        ["@top-left{content:\"Math report: nj-six-to-five\"", "counter(page)", "A\\00003c\\00002fstyle"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<div class=\"block\">").count(), page.matches("<table class=\"chart").count());
}

/// Checks ways counted by hand. With eight decks and one ace gone, 128 of 415 cards are tens; the first two cards are
/// sevens with 32/416 times 31/415, and so on.
#[test]
fn ways_are_those_counted_by_hand() {
    let report = report(&["nj-blackjack", "--set", "side_wagers.over-under-13.minimum=1"]);
    let insurance = wager(&report, "insurance");
    assert_eq!(insurance["outcomes"][0]["ways"], "128/415");
    assert_eq!(insurance["outcomes"][1]["ways"], "287/415");
    assert_eq!(insurance["exact_edge"], "31/415");
    // of 416 * 415 ordered pairs, those that total more than 13 with aces as 1
    let value = |rank: i64| if rank > 10 { 10 } else { rank };
    let mut over = 0;
    for a in 1..=13 {
        for b in 1..=13 {
            if value(a) + value(b) > 13 {
                over += 32 * if a == b { 31 } else { 32 };
            }
        }
    }
    let line = &wager(&report, "over-13")["outcomes"][0];
    assert!((number(&line["probability"]) - f64::from(over) / (416.0 * 415.0)).abs() < 1e-15, "{line}");
    let ways = line["ways"].as_str().expect("ways");
    let (n, d) = ways.split_once('/').expect("a fraction");
    let (n, d): (i64, i64) = (n.parse().expect("whole"), d.parse().expect("whole"));
    assert_eq!(n * 416 * 415, i64::from(over) * d);
}

/// A simulation agrees with the report on edges, lines and the variance, and on insurance where every bet is insured
/// alike; the report states its length.
#[test]
fn a_report_is_verified_by_a_simulation() {
    for (table, tested) in [
        ("nj-triple-attack", ["main", "suited-royals", "triple-match"]),
        ("nj-double-attack", ["dealer-bust", "insurance", "main"]),
    ] {
        let report = report(&[table, "--verify", "2e6", "--seed", "7"]);
        holds(&report, true);
        let verified = &report["verified"];
        assert_eq!((&verified["rounds"], &verified["seed"]), (&Value::from(2_000_000), &Value::from(7)));
        assert_eq!(report["of"]["seed"], 7);
        let wagers = list(&verified["wagers"]);
        let mut names: Vec<&str> = wagers.iter().filter_map(|wager| wager["wager"].as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, tested);
        for wager in wagers {
            assert!(number(&wager["errors_apart"]).abs() < 5.0, "{wager}");
            assert!(number(&wager["std_error"]) > 0.0);
            // by chance, one p-value in a hundred thousand is this small
            let lines = &wager["lines"];
            assert!(
                number(&lines["p_value"]) > 1e-5 && number(&lines["degrees_of_freedom"]) >= 1.0,
                "{wager}"
            );
        }
        // whole shoes differ from fresh shoes by the cut-card effect, which is small
        let shoes = &verified["whole_shoes"];
        let effect = number(&shoes["house_edge"]) - number(&report["wagers"][0]["by_totals"]["house_edge"]);
        assert!(
            (effect - number(&shoes["cut_card_effect"])).abs() < 1e-15 && shoes["simulated"] == true,
            "{shoes}"
        );
        assert!(effect.abs() < 0.001 + 5.0 * number(&shoes["cut_card_effect_error"]), "{shoes}");
        let variance = &verified["variance"];
        assert!(number(&variance["errors_apart"]).abs() < 5.0, "{variance}");
        assert!(number(&variance["std_error"]) > 0.0, "{variance}");
        ends_with_its_nets(&report);
    }
}

/// Mimicking the dealer costs more than never busting, which costs more than the printed card, whose edge `card` has
/// too.
#[test]
fn long_other_plays_are_worse_than_the_best() {
    let told = report(&["nj-blackjack"]);
    let main = wager(&told, "main");
    let edges: Vec<f64> = list(&main["plays"]).iter().map(|play| number(&play["house_edge"])).collect();
    assert!(
        edges.len() == 3 && edges[0] > edges[1] && edges[1] > number(&main["house_edge"]) + 0.02,
        "{edges:?}"
    );
    let card = crate::answer(&["card", "nj-blackjack"]);
    assert!((edges[2] - number(&card["house_edge"])).abs() < 1e-14, "{edges:?}");
    says_what_other_rulings_would_change(&told);
}

fn says_what_other_rulings_would_change(report: &Value) {
    let rulings = list(&report["rulings"]);
    let of = |key: &str| rulings.iter().find(|ruling| ruling["ruling"] == key).expect("a ruling");
    let split = of("split_two_card_21");
    assert_eq!((&split["assumed"], &split["clause"]), (&Value::from("wins"), &Value::from("19:47-2.3(a)3")));
    let change = number(&split["others"][0]["changes"][0]["change"]);
    let edge = |set: &[&str]| {
        let told = document(&cutcard(&[&["edge", "nj-blackjack", "--json"], set].concat()));
        number(&told["main"]["house_edge"])
    };
    let other = edge(&["--set", "rulings.split_two_card_21=push"]);
    assert!((other - edge(&[]) - change).abs() < 1e-14, "{change}");
    // rulings that change nothing at this table are omitted
    assert!(!rulings.iter().any(|ruling| ruling["ruling"] == "lone_seven"));
    let decks = list(&report["rules"]).iter().find(|rule| rule["key"] == "decks").expect("decks");
    assert_eq!((&decks["value"], &decks["clauses"]), (&Value::from(8), &Value::from(vec!["2.2"])));
}

/// Every format has what it must, and the command line writes what is tested here.
#[test]
fn every_format_is_written() {
    let mut told = computed("nj-double-attack", &["name=\"<b>Pit & 1\""]);
    told.document.filing.date = Some("2026-01-31".into());
    let head = "wager,paytable,outcome,ways,probability,pays,contribution,house_edge,variance,break_even";
    let lines = csv(&told.document);
    assert_eq!(lines.lines().next(), Some(head));
    let columns = |line: &str| line.split(',').count();
    assert!(lines.lines().count() > 12 && lines.lines().all(|line| columns(line) >= 10));
    let parts = [
        "# Math report",
        "## Filing",
        "## Method and exactness",
        "## Summary",
        "## Rules",
        "## main game",
        "of the rounds win",
        "Play \"mimic the dealer\"",
        "## dealer-bust",
        "## Rulings",
    ];
    for part in parts {
        assert!(markdown(&told).contains(part), "{part}");
    }
    let html = page(&told);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("&lt;b&gt;Pit &amp; 1"), "{}", &html[..300]);
    // the page loads nothing from elsewhere
    assert!(!html.contains("http") && !html.contains("<script") && !html.contains("<b>Pit"));

    let cheap = computed("nj-six-to-five", &[]);
    let figures = |text: &str| text.split_once("Summary").expect("a summary").1.trim_end().to_string();
    for (format, expected) in [("md", markdown(&cheap)), ("html", page(&cheap))] {
        let written = stdout(&cutcard(&["report", "nj-six-to-five", "--format", format])).to_string();
        assert_eq!(figures(&written), figures(&expected), "{format}");
        assert!(written.contains("SHA-256 of the program"), "{format}");
    }
    let written = cutcard(&["report", "nj-six-to-five", "--format", "csv"]);
    assert_eq!(stdout(&written).trim_end(), csv(&cheap.document).trim_end());
    let refused = cutcard(&["report", "nj-double-attack", "--format", "pdf"]);
    assert_eq!(status(&refused), 2);
    assert!(stderr(&refused).contains("--out"), "{}", stderr(&refused));
}

/// Every format states the meter at which a progressive has no edge: 2,776,849 / 13 dollars with eight decks.
#[test]
fn the_break_even_meter_is_told_in_every_form() {
    let told = computed("nj-blackjack", &["side_wagers.progressive=true"]);
    let json = serde_json::to_value(&told).expect("a document");
    let even = &wager(&json, "progressive")["break_even"];
    assert_eq!((&even["of"], &even["exact"]), (&Value::from("meter"), &Value::from("2776849/13")));
    for text in [page(&told), markdown(&told)] {
        assert!(text.contains("zero at a meter of $213603.77, exactly 2776849/13"), "{text}");
    }
    for line in csv(&told.document).lines().skip(1) {
        let told = line.rsplit(',').next().expect("a last cell");
        assert_eq!(told.starts_with("213603.769"), line.starts_with("progressive,"), "{line}");
    }
}

/// The JSON, HTML and Markdown reports contain the document number, author, date and digests; `--check` compares only
/// the digest of the table.
#[test]
fn a_report_says_what_is_filed() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("report.json");
    let name = path.to_str().expect("a name");
    let filed =
        ["nj-six-to-five", "--document", "GLI-11/4711", "--author", "A. Person", "--date", "2026-02-28"];
    let told = report(&filed);
    let filing = &told["filing"];
    let said = ["document", "author", "date"].map(|key| filing[key].as_str().unwrap_or_default());
    assert_eq!(said, ["GLI-11/4711", "A. Person", "2026-02-28"]);
    let digests =
        ["table_sha256", "program_sha256"].map(|key| filing[key].as_str().unwrap_or_default().to_string());
    assert!(digests.iter().all(|digest| digest.len() == 64), "{digests:?}");
    let exact: Vec<bool> = list(&filing["method"]).iter().filter_map(|of| of["exact"].as_bool()).collect();
    assert!(exact.contains(&true) && exact.contains(&false), "{filing}");
    let mut printed = computed("nj-six-to-five", &[]);
    let block = &mut printed.document.filing;
    (block.document, block.author, block.date) =
        (Some(said[0].into()), Some(said[1].into()), Some(said[2].into()));
    (block.table_sha256, block.program_sha256) = (Some(digests[0].clone()), Some(digests[1].clone()));
    for text in [page(&printed), markdown(&printed)] {
        for part in
            ["GLI-11/4711", "A. Person", "2026-02-28", &digests[0], &digests[1], "Method and exactness"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    // the table's digest depends on the table, the program's does not
    let other = report(&["nj-six-to-five", "--set", "minimum=25"]);
    assert_ne!(other["filing"]["table_sha256"], digests[0].as_str());
    assert_eq!(other["filing"]["program_sha256"], digests[1].as_str());
    assert_eq!(other["filing"]["date"].as_str().map(str::len), Some(10));
    std::fs::write(&path, told.to_string()).expect("it is written");
    let same = cutcard(&["report", "--check", name]);
    assert_eq!(status(&same), 0, "{} {}", stdout(&same), stderr(&same));
    let wrong = cutcard(&["report", "nj-six-to-five", "--date", "2026-02-30"]);
    assert_eq!(status(&wrong), 2);
    assert!(stderr(&wrong).contains("--date 2026-02-30"), "{}", stderr(&wrong));
}

/// The report is printed as PDF if Chromium is installed; otherwise an error says so.
#[test]
fn a_report_is_printed_where_chromium_is() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("report.pdf");
    let output =
        cutcard(&["report", "nj-six-to-five", "--format", "pdf", "--out", path.to_str().expect("UTF-8")]);
    if status(&output) == 0 {
        let bytes = std::fs::read(&path).expect("the report");
        assert!(bytes.starts_with(b"%PDF") && bytes.len() > 10_000, "{} bytes", bytes.len());
        let _ = std::fs::remove_file(&path);
    } else {
        assert!(stderr(&output).contains("Chromium"), "{}", stderr(&output));
    }
}

#[test]
fn a_hypothetical_table_is_marked_in_every_form() {
    let table = ["nj-six-to-five", "--hypothetical", "--set", "soft_17=hit", "--set", "decks=3"];
    let told = report(&table);
    let clauses = list(&told["hypothetical"]);
    assert!(!clauses.is_empty());
    let clause = clauses[0]["clause"].as_str().expect("a clause");
    let told_here = computed("nj-six-to-five", &["soft_17=hit", "decks=3"]);
    for text in [page(&told_here), markdown(&told_here)] {
        assert!(text.contains(clause), "{text}");
    }
    let simulated =
        cutcard(&[&["simulate", "--json", "--rounds", "1e4", "--strategy", "quick"], &table[..]].concat());
    assert_eq!(document(&simulated)["hypothetical"], told["hypothetical"]);
}

/// `--check` recomputes a report figure by figure, its simulation and the digest of its table included, and names the
/// path of a changed figure.
#[test]
fn a_filed_report_is_checked() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("report.json");
    let name = path.to_str().expect("a name");
    // another kind of processor plays the same rounds
    let mut written = report(&["nj-six-to-five", "--set", "minimum=25", "--verify", "1e5", "--author", "A."]);
    written["verified"]["engine"] = "device".into();
    std::fs::write(&path, written.to_string()).expect("it is written");
    let same = cutcard(&["report", "--check", name, "--json"]);
    assert_eq!(status(&same), 0, "{} {}", stdout(&same), stderr(&same));
    assert_eq!(document(&same)["differs"].as_array().map(Vec::len), Some(0));
    let mut changed = written.clone();
    let edge = number(&written["wagers"][0]["house_edge"]);
    changed["wagers"][0]["house_edge"] = Value::from(edge + 1e-6);
    changed["filing"]["table_sha256"] = "0".repeat(64).into();
    changed["filing"]["method"][0]["exact"] = false.into();
    std::fs::write(&path, changed.to_string()).expect("it is written");
    let other = cutcard(&["report", "--check", name, "--json"]);
    assert_eq!(status(&other), 1, "{}", stdout(&other));
    let told = document(&other);
    let differs = list(&told["differs"]);
    let mut paths: Vec<&str> = differs.iter().filter_map(|one| one["path"].as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["filing.method[0].exact", "filing.table_sha256", "wagers[0].house_edge"]);
    let found = differs.iter().find(|one| one["path"] == "wagers[0].house_edge").expect("the edge");
    assert!((number(&found["computed"]) - edge).abs() < 1e-12, "{found}");
    assert_eq!(status(&cutcard(&["report", "--check", "no-such-file.json"])), 2);
    assert_eq!(status(&cutcard(&["report"])), 2);
}
