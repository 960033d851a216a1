//! The licensee's own paytables, where the texts say "no less than": 2.22(j), 2.23(f), 2.24(f), 2A.6(c), MA 6(c).

use crate::{cards, table};
use rules::wager::{View, own};
use rules::{Odds, SideBet, SideWager, file, lawful, layout, limit};

fn violations(preset: &str, sets: &[&str]) -> Vec<String> {
    let report = lawful::check(&table(preset, sets));
    report.violations.iter().map(|found| found.clause.id().to_string()).collect()
}

/// A line below the minimum is refused by its own clause; the minimum itself and more are legal. Proves 19:47-2.22(j),
/// 19:47-2.23(f), 19:47-2.24(f), 19:47-2A.6(c), MA-BJS 6(c), 19:47-2.24(f) "Any 20", 19:47-2.23(f) "Eight-deck,
/// matching suit", 19:47-2A.6(c) 6-deck "Two pair", MA-BJS 6(c) 6-deck "Two pair".
#[test]
fn every_line_is_held_against_the_least() {
    let rows = [
        ("nj-blackjack", "streak", "two", 3, "19:47-2.22(j) \"Two consecutive winning hands\""),
        ("nj-blackjack", "streak", "five", 37, "19:47-2.22(j) \"Five consecutive winning hands\""),
        (
            "nj-blackjack",
            "match-the-dealer",
            "matching-suit",
            14,
            "19:47-2.23(f) \"Eight-deck, matching suit\"",
        ),
        (
            "nj-blackjack",
            "match-the-dealer",
            "non-matching-suit",
            3,
            "19:47-2.23(f) \"Eight-deck, non-matching suit\"",
        ),
        ("nj-blackjack-reader", "twenty-point", "any-20", 4, "19:47-2.24(f) \"Any 20\""),
        (
            "nj-blackjack-reader",
            "twenty-point",
            "queen-of-hearts-pair",
            125,
            "19:47-2.24(f) \"Queen of hearts pair\"",
        ),
        ("nj-switch", "match", "two-pair", 8, "19:47-2A.6(c) 6-deck \"Two pair\""),
        ("nj-switch", "match", "four-of-a-kind", 40, "19:47-2A.6(c) 6-deck \"Four-of-a-kind\""),
        ("ma-switch", "match", "two-pair", 8, "MA-BJS 6(c) 6-deck \"Two pair\""),
    ];
    for (preset, wager, line, least, clause) in rows {
        let set = |odds: u32| format!("side_wagers.{wager}.odds.{line}={odds} to 1");
        assert_eq!(violations(preset, &[&set(least - 1)]), [clause], "{wager} {line}");
        for lawful in [least, least + 1, 999] {
            assert!(violations(preset, &[&set(lawful)]).is_empty(), "{wager} {line} {lawful}");
        }
    }
    // 2.24(f): compared with the named paytable
    let b = ["side_wagers.twenty-point.paytable=B", "side_wagers.twenty-point.odds.suited-20=9"];
    assert_eq!(violations("nj-blackjack-reader", &b), ["19:47-2.24(f) \"Suited 20\""]);
}

/// If the text states odds without "no less than", no others are legal. Proves 19:47-2.17(e)1, 19:47-2.25(e),
/// 19:47-26.6(d)2, 19:47-36.6(e)#2.
#[test]
fn other_odds_are_those_of_the_text() {
    for (preset, wager, clause) in [
        ("nj-blackjack", SideWager::OverUnder13, "19:47-2.17(e)1"),
        ("nj-blackjack", SideWager::DealerBust, "19:47-2.25(e)"),
        ("nj-double-attack", SideWager::DealerBust, "19:47-26.6(d)2"),
        ("nj-triple-attack", SideWager::TripleMatch, "19:47-36.6(e)#2"),
    ] {
        let line = &own::names(wager)[0];
        let set = format!("side_wagers.{}.odds.{line}=999", wager.word());
        assert_eq!(violations(preset, &[&set]), [clause], "{set}");
    }
}

#[test]
fn a_line_that_there_is_not_is_named_with_those_that_there_are() {
    let mut choices = table("nj-switch", &[]);
    let error = file::set(&mut choices, "side_wagers.match.odds.five-of-a-kind=60").expect_err("unknown");
    assert!(error.message.contains("\"four-of-a-kind\""), "{error}");
    let error = file::set(&mut choices, "side_wagers.match.odds.two-pair=8 for 1").expect_err("no odds");
    assert!(error.message.contains("3 to 2"), "{error}");
}

/// 2A.6(d): "the highest payoff", not the highest hand. Proves 19:47-2A.6(d), MA-BJS 6(d).
#[test]
fn four_of_a_kind_is_paid_as_three_where_that_pays_more() {
    for preset in ["nj-switch", "ma-switch"] {
        let choices = table(preset, &["side_wagers.match.odds.three-of-a-kind=60"]);
        let pays = |four: &str| {
            let line = SideBet::Match.line(&choices, &View { cards: &cards(four), dealer: &[] });
            line.map(|line| (line.hand, line.pays.to_string()))
        };
        let three = Some(("three-of-a-kind", "60 to 1".to_string()));
        assert_eq!(pays("8c 8d 8h 8s"), three);
        assert_eq!(pays("8c 8d 8h 9s"), three);
        assert_eq!(pays("8c 8d 9h 9s"), Some(("two pair", "8 to 1".to_string())));
    }
}

/// Each matching card is paid at the table's own odds, 2.23(a)2; so is a streak, 2.22(j).
#[test]
fn sums_and_streaks_follow_the_own_odds() {
    let choices = table(
        "nj-blackjack",
        &["side_wagers.match-the-dealer.odds.matching-suit=31 to 2", "side_wagers.streak.odds.three=8"],
    );
    let pays = |two: &str| {
        let view = View { cards: &cards(two), dealer: &cards("8h") };
        SideBet::MatchTheDealer.line(&choices, &view).map(|line| line.pays.to_string())
    };
    assert_eq!(pays("8h 2c").as_deref(), Some("31 to 2"));
    assert_eq!(pays("8h 8c").as_deref(), Some("37 to 2"));
    assert_eq!(pays("8c 2c").as_deref(), Some("3 to 1"));
    let both: Odds = "31 to 1".parse().expect("odds");
    let two = SideBet::MatchTheDealer.line(&choices, &View { cards: &cards("8h 8h"), dealer: &cards("8h") });
    assert_eq!(two.map(|line| line.pays), Some(rules::wager::Pays::Odds(both)));
    let three = rules::wager::streak::line(&choices, 3).expect("a streak");
    assert_eq!(three.pays.to_string(), "8 to 1");
    // a bet that would be paid in fractions of a cent is refused
    assert!(
        limit::side_wager(&choices, SideBet::MatchTheDealer, rules::Cents(101), rules::Cents(1000)).is_err()
    );
}

/// The posted odds are what is paid, and the table file records them. Proves 19:47-2.24(f)#2.
#[test]
fn own_odds_are_posted_and_written() {
    let choices = table("nj-blackjack-reader", &["side_wagers.twenty-point.odds.matched-20=26"]);
    let posted = layout::posted_odds(&choices, SideWager::TwentyPoint);
    let matched = posted.iter().find(|(hand, ..)| hand == "matched 20").expect("a line");
    assert_eq!(matched.1, "26 to 1");
    let file = file::show(&choices);
    assert!(file.contains("odds = { \"matched-20\" = \"26 to 1\" }"), "{file}");
    assert_eq!(file::parse(&file).expect("our own file"), choices);
}

/// The aggregate maximum depends on the table's own odds: 2.24(h)#2.
#[test]
fn the_least_aggregate_maximum_follows_the_own_odds() {
    let sets = |cap: &str| {
        [
            "side_wagers.twenty-point.minimum=25".to_string(),
            "side_wagers.twenty-point.odds.queen-of-hearts-pair-and-dealer-blackjack=2000".to_string(),
            format!("side_wagers.twenty-point.cap={cap}"),
        ]
    };
    let found = |cap| {
        let sets = sets(cap);
        violations("nj-blackjack-reader", &sets.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(found("49999"), ["19:47-2.24(h)#2"]);
    assert!(found("50000").is_empty());
}
