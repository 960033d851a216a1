//! Checks the house edges that the notes and the catalogue state, to the stated digits.

use crate::{report, reports};
use side::SideReport;

fn percent(report: &SideReport) -> String {
    format!("{:.2}", report.house_edge * 100.0)
}

/// Proves 19:47-2.17(e)1, 19:47-2.17(b)1, 19:47-2.17(b)2, 19:47-2.17(c), 19:47-2.2(b)3.ii.
#[test]
fn over_and_under_13() {
    let settings = &["decks=6", "side_wagers.over-under-13.minimum=1"];
    let found: Vec<(&str, String)> =
        reports("nj-blackjack", settings).iter().map(|report| (report.wager(), percent(report))).collect();
    assert_eq!(found, [("over-13", "6.55".to_string()), ("under-13", "10.07".to_string())]);
}

/// Proves 19:47-2.17(e)2, 19:47-2.17(e)2.i, 19:47-2.17(e)2.ii, 19:47-2.17(e)2.iii, 19:47-2.17(e)2.iv, 19:47-2.17(e)2.v,
/// 19:47-2.17(e)2.i "Option 1", 19:47-2.17(e)2.i "Option 2", 19:47-2.17(e)2.i "Option 3", 19:47-2.17(e)2.i "Option 4",
/// 19:47-2.17(e)2.ii "Option 1", 19:47-2.17(e)2.ii "Option 2", 19:47-2.17(e)2.ii "Option 3", 19:47-2.17(e)2.ii "Option 4",
/// 19:47-2.17(e)2.iii "Option 1", 19:47-2.17(e)2.iii "Option 2", 19:47-2.17(e)2.iii "Option 3",
/// 19:47-2.17(e)2.iii "Option 4", 19:47-2.17(e)2.iv "Option 1", 19:47-2.17(e)2.iv "Option 2",
/// 19:47-2.17(e)2.iv "Option 3", 19:47-2.17(e)2.iv "Option 4", 19:47-2.17(e)2.v "Option 1",
/// 19:47-2.17(e)2.v "Option 2", 19:47-2.17(e)2.v "Option 3", 19:47-2.17(b)3.
#[test]
fn same_suit_by_deck_group_and_option() {
    let stated: [(u8, &[&str]); 5] = [
        (1, &["3.32", "3.77", "5.28", "10.86"]),
        (2, &["0.82", "2.32", "8.33", "9.82"]),
        (4, &["0.85", "7.08", "8.57", "11.82"]),
        (6, &["0.37", "6.67", "8.15", "9.63"]),
        (8, &["0.13", "6.46", "11.31"]),
    ];
    for (decks, edges) in stated {
        for (option, edge) in edges.iter().enumerate() {
            let decks = format!("decks={decks}");
            let option = format!("side_wagers.same-suit.paytable=\"{}\"", option + 1);
            let found = report("nj-blackjack", &[&decks, &option], "same-suit");
            assert_eq!(percent(&found), *edge, "{decks} {option}");
        }
    }
}

/// Proves 19:47-2.17(e)3 "One seven", 19:47-2.17(b)4.
#[test]
fn sevens_and_the_lone_seven() {
    let settings = &["decks=6", "side_wagers.sevens.minimum=1"];
    let found = report("nj-blackjack", settings, "sevens");
    assert_eq!(format!("{:.1}", found.house_edge * 100.0), "11.4");
    let either = &found.variants[0];
    assert_eq!(either.assuming, "rulings.lone_seven=either");
    assert_eq!(format!("{:.1}", either.house_edge * 100.0), "-17.1");
    let ruled = report(
        "nj-blackjack",
        &["decks=6", "side_wagers.sevens.minimum=1", "rulings.lone_seven=either"],
        "sevens",
    );
    assert_eq!(ruled.exact_edge, either.exact_edge);
    assert_eq!(ruled.variants[0].exact_edge, found.exact_edge);
}

/// Proves 19:47-2.23(f) "Six-deck, non-matching suit", 19:47-2.23(f) "Six-deck, matching suit",
/// 19:47-2.23(f) "Eight-deck, non-matching suit", 19:47-2.23(f) "Eight-deck, matching suit", 19:47-2.23(a)2.
#[test]
fn match_the_dealer() {
    for (decks, edge) in [("decks=6", "4.06"), ("decks=8", "3.67")] {
        let found =
            report("nj-blackjack", &[decks, "side_wagers.match-the-dealer.minimum=1"], "match-the-dealer");
        assert_eq!(percent(&found), edge, "{decks}");
    }
}

/// Proves 19:47-2.24(f) "Queen of hearts pair and dealer blackjack", 19:47-2.24(f) "Queen of hearts pair",
/// 19:47-2.24(f) "Matched 20", 19:47-2.24(f) "Suited 20", 19:47-2.24(f) "Any 20", 19:47-2.24(a).
#[test]
fn twenty_point_tables_and_ace_nine() {
    for (table, edge) in [("A", "24.71"), ("B", "17.64")] {
        let table = format!("side_wagers.twenty-point.paytable=\"{table}\"");
        let found = report("nj-blackjack-reader", &["decks=6", &table], "twenty-point");
        assert_eq!(percent(&found), edge, "{table}");
    }
    let without =
        ["decks=6", "side_wagers.twenty-point.paytable=\"A\"", "rulings.ace_nine_twenty=does-not-count"];
    let found = report("nj-blackjack-reader", &without, "twenty-point");
    assert_eq!(percent(&found), "32.13");
}

/// Proves 19:47-2.25(d), 19:47-2.25(d)#2, 19:47-2.25(d)#3, 19:47-2.25(e) "Ten", 19:47-2.25(e) "Nine", 19:47-2.25(e) "Eight",
/// 19:47-2.25(e) "Seven", 19:47-2.25(e) "Six", 19:47-2.25(f) "Three eights of the same color",
/// 19:47-2.25(f) "Three eights of the same suit".
#[test]
fn dealer_bust() {
    for (decks, edge) in [("decks=6", "6.91"), ("decks=8", "6.81")] {
        let found = report("nj-blackjack", &[decks, "side_wagers.dealer-bust.minimum=1"], "dealer-bust");
        assert_eq!(percent(&found), edge, "{decks}");
    }
}

/// Proves 19:47-2A.6(c), MA-BJS 6(c), 19:47-2A.6(c) 6-deck "One pair", 19:47-2A.6(c) 6-deck "Three-of-a-kind",
/// 19:47-2A.6(c) 6-deck "Two pair", 19:47-2A.6(c) 6-deck "Four-of-a-kind", 19:47-2A.6(c) 8-deck "One pair",
/// 19:47-2A.6(c) 8-deck "Three-of-a-kind", 19:47-2A.6(c) 8-deck "Two pair", 19:47-2A.6(c) 8-deck "Four-of-a-kind",
/// MA-BJS 6(c) 6-deck "One pair", MA-BJS 6(c) 6-deck "Three-of-a-kind", MA-BJS 6(c) 6-deck "Two pair",
/// MA-BJS 6(c) 6-deck "Four-of-a-kind", MA-BJS 6(c) 8-deck "One pair", MA-BJS 6(c) 8-deck "Three-of-a-kind",
/// MA-BJS 6(c) 8-deck "Two pair", MA-BJS 6(c) 8-deck "Four-of-a-kind".
#[test]
fn the_match_wager_of_switch() {
    // the counts of four-card sets and the expected values that the catalogue states
    let stated = [
        ("decks=6", [138_138, 5_941_728, 7_577_856, 136_401_408], 387_278_970, "126536/4965115"),
        ("decks=8", [467_480, 19_189_248, 24_760_320, 435_781_632], 1_229_930_520, "646/24485"),
    ];
    for preset in ["nj-switch", "ma-switch"] {
        for (decks, counts, sets, edge) in stated {
            let found = report(preset, &[decks], "match");
            let hands = ["four-of-a-kind", "two pair", "three-of-a-kind", "one pair"];
            for (hand, count) in hands.into_iter().zip(counts) {
                assert_eq!(
                    crate::chance(&found, hand),
                    crate::fraction(count, sets),
                    "{preset} {decks} {hand}"
                );
            }
            assert_eq!(found.exact_edge.unwrap().to_string(), edge);
        }
    }
}
