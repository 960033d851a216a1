//! Legal and illegal side bets by deck count, paytable, limits, meter and awards.

use crate::{lawful, table, unlawful, violations, warned};
use std::collections::BTreeSet;

/// Proves 19:47-2.2(a)2, 19:47-2.2(a)3, 19:47-2.2(a)3#2, 19:47-2.2(a)4, 19:47-2.2(a)4#2, 19:47-2.17(e)2.
#[test]
fn every_side_wager_at_every_deck_count() {
    for decks in 1..=10_u8 {
        for (wager, enough, id) in [
            ("over-under-13", true, ""),
            ("same-suit", [1, 2, 4, 6, 8].contains(&decks), "19:47-2.17(e)2"),
            ("sevens", decks >= 4, "19:47-2.2(a)3"),
            ("progressive", decks >= 4, "19:47-2.2(a)3#2"),
            ("streak", true, ""),
            ("match-the-dealer", [6, 8].contains(&decks), "19:47-2.2(a)4"),
            ("twenty-point", decks >= 2, "19:47-2.2(a)2"),
            ("dealer-bust", [6, 8].contains(&decks), "19:47-2.2(a)4#2"),
        ] {
            let hole_card = if wager == "twenty-point" { "hole_card=down" } else { "hole_card=none" };
            let overrides =
                [format!("decks={decks}"), hole_card.to_string(), format!("side_wagers.{wager}=true")];
            let found = violations(&table("nj-blackjack", &overrides.each_ref().map(String::as_str)));
            let expected: BTreeSet<&str> = if enough { BTreeSet::new() } else { BTreeSet::from([id]) };
            assert_eq!(found, expected, "{wager} at {decks} decks");
        }
    }
}

/// Proves 19:47-2.17(e)2#3, 19:47-2.17(e)2.i, 19:47-2.17(e)2.ii, 19:47-2.17(e)2.iii, 19:47-2.17(e)2.iv,
/// 19:47-2.17(e)2.v.
#[test]
fn same_suit_options_by_deck_count() {
    for (decks, options, id) in [
        (1, 4, "19:47-2.17(e)2.i"),
        (2, 4, "19:47-2.17(e)2.ii"),
        (4, 4, "19:47-2.17(e)2.iii"),
        (6, 4, "19:47-2.17(e)2.iv"),
        (8, 3, "19:47-2.17(e)2.v"),
    ] {
        for option in 0..=5 {
            let overrides = [format!("decks={decks}"), format!("side_wagers.same-suit.paytable={option}")];
            let overrides = overrides.each_ref().map(String::as_str);
            if (1..=options).contains(&option) {
                warned("nj-blackjack", &overrides, "19:47-2.17(e)2#3");
            } else {
                unlawful("nj-blackjack", &overrides, id);
            }
        }
    }
}

/// Proves 19:47-2.24(f), 19:47-2A.6(c), MA-BJS 6(c), 19:47-2.23(f), 19:47-36.6(d)#2, 19:47-36.6(e)#2.
#[test]
fn pay_tables_are_those_of_the_text() {
    for name in ["A", "B"] {
        lawful("nj-blackjack", &["hole_card=down", &format!("side_wagers.twenty-point.paytable={name}")]);
        lawful("nj-triple-attack", &[&format!("side_wagers.suited-royals.paytable={name}")]);
        lawful("nj-triple-attack", &[&format!("side_wagers.triple-match.paytable={name}")]);
    }
    unlawful("nj-blackjack", &["hole_card=down", "side_wagers.twenty-point.paytable=C"], "19:47-2.24(f)");
    unlawful("nj-triple-attack", &["side_wagers.suited-royals.paytable=C"], "19:47-36.6(d)#2");
    unlawful("nj-triple-attack", &["side_wagers.triple-match.paytable=C"], "19:47-36.6(e)#2");
    // the column follows the decks: the other one would pay some line below its minimum
    for (preset, id) in [("nj-switch", "19:47-2A.6(c)"), ("ma-switch", "MA-BJS 6(c)")] {
        for decks in [6, 8] {
            for column in [6, 8] {
                let overrides =
                    [format!("decks={decks}"), format!("side_wagers.match.paytable={column}-deck")];
                let overrides = overrides.each_ref().map(String::as_str);
                if decks == column {
                    lawful(preset, &overrides);
                } else {
                    unlawful(preset, &overrides, id);
                }
            }
        }
    }
    unlawful("nj-blackjack", &["decks=6", "side_wagers.match-the-dealer.paytable=8-deck"], "19:47-2.23(f)");
    for (wager, id) in [
        ("over-under-13", "19:47-2.17(e)1"),
        ("sevens", "19:47-2.17(e)3"),
        ("progressive", "19:47-2.19(c)"),
        ("blackjack-bonus", "19:47-2.20(j)"),
        ("streak", "19:47-2.22(j)"),
        ("dealer-bust", "19:47-2.25(e)"),
    ] {
        unlawful("nj-blackjack", &[&format!("side_wagers.{wager}.paytable=Z")], id);
    }
    unlawful("nj-double-attack", &["side_wagers.dealer-bust.paytable=Z"], "19:47-26.6(d)2");
}

/// Proves 19:47-2.17(a)3.i, 19:47-2.19(a), 19:47-2.25(c), 19:47-26.6(b)#2, 19:47-36.6(b)#2.
#[test]
fn least_and_most() {
    for (preset, wager, id) in
        [("nj-blackjack", "sevens", "19:47-2.17(a)3.i"), ("nj-blackjack", "progressive", "19:47-2.19(a)")]
    {
        unlawful(preset, &[&format!("side_wagers.{wager}.maximum=2")], id);
        unlawful(preset, &[&format!("side_wagers.{wager}.minimum=0.50")], id);
    }
    for (preset, wager, id) in [
        ("nj-blackjack", "dealer-bust", "19:47-2.25(c)"),
        ("nj-double-attack", "dealer-bust", "19:47-26.6(b)#2"),
        ("nj-triple-attack", "suited-royals", "19:47-36.6(b)#2"),
        ("nj-triple-attack", "triple-match", "19:47-36.6(b)#2"),
    ] {
        unlawful(preset, &[&format!("side_wagers.{wager}.minimum=0.99")], id);
        lawful(preset, &[&format!("side_wagers.{wager}.minimum=1")]);
    }
    unlawful("nj-blackjack", &["side_wagers.streak.minimum=30"], "19:47-2.22(a)");
    unlawful("nj-blackjack", &["side_wagers.streak.minimum=0"], "19:47-2.22(a)");
}

/// Proves 19:47-2.19(i), 19:47-2.19(i)#3, 19:47-2.19(a)#2.
#[test]
fn the_progressive_meter() {
    let set = |key: &str| format!("side_wagers.progressive.{key}");
    warned("nj-blackjack", &["side_wagers.progressive=true"], "19:47-2.19(a)#2");
    for rate in ["70", "75.5", "100"] {
        lawful("nj-blackjack", &[&set(&format!("rate={rate}"))]);
    }
    for rate in ["69.99", "0", "100.01"] {
        unlawful("nj-blackjack", &[&set(&format!("rate={rate}"))], "19:47-2.19(i)");
    }
    lawful("nj-blackjack", &[&set("seed=5000"), &set("meter=5000")]);
    unlawful("nj-blackjack", &[&set("seed=4999.99")], "19:47-2.19(i)#3");
    unlawful("nj-blackjack", &[&set("meter=4999.99")], "19:47-2.19(i)#3");
}

/// Proves 19:47-2.20(a), 19:47-2.20(j), 19:47-2.20(j) "$1.00", 19:47-2.20(j) "$5.00", 19:47-2.20(k).
#[test]
fn the_awards_of_the_bonus_wager() {
    let awards = |text: &str| format!("side_wagers.blackjack-bonus.awards={text}");
    // paid to 1 and won on 128 of 2652 hands with one deck, 8192 of 172640 with eight: the mean award plus the bet is
    // between 70 and 100 percent of 2652/128 and 172640/8192, which is 13.503 to 19.719 and 13.752 to 20.074
    for (decks, award, id) in [
        (1, "13.51", ""),
        (1, "13.50", "19:47-2.20(k)"),
        (1, "19.71", ""),
        (1, "19.72", "19:47-2.20(k)"),
        (8, "13.76", ""),
        (8, "13.75", "19:47-2.20(k)"),
        (8, "20.07", ""),
        (8, "20.08", "19:47-2.20(k)"),
    ] {
        let overrides = [format!("decks={decks}"), awards(&format!("{{ \"1\" = {{ \"{award}\" = 1 }} }}"))];
        let found = violations(&table("nj-blackjack", &overrides.each_ref().map(String::as_str)));
        let expected: BTreeSet<&str> = if id.is_empty() { BTreeSet::new() } else { BTreeSet::from([id]) };
        assert_eq!(found, expected, "{award} at {decks} decks");
    }
    // every award within its limits, and denominations of one and five dollars only
    let one = |text: &str| awards(&format!("{{ \"1\" = {{ {text} }} }}"));
    let five = |text: &str| awards(&format!("{{ \"5\" = {{ {text} }} }}"));
    lawful("nj-blackjack", &[&one("\"5\" = 989, \"1000\" = 11")]);
    unlawful("nj-blackjack", &[&one("\"4.99\" = 989, \"1000\" = 11")], "19:47-2.20(j) \"$1.00\"");
    unlawful("nj-blackjack", &[&one("\"5\" = 989, \"1000.01\" = 11")], "19:47-2.20(j) \"$1.00\"");
    lawful("nj-blackjack", &[&five("\"50\" = 994, \"5000\" = 6")]);
    unlawful("nj-blackjack", &[&five("\"49.99\" = 994, \"5000\" = 6")], "19:47-2.20(j) \"$5.00\"");
    unlawful("nj-blackjack", &[&five("\"50\" = 994, \"5000.01\" = 6")], "19:47-2.20(j) \"$5.00\"");
    unlawful("nj-blackjack", &[&awards("{ \"2\" = { \"30\" = 1 } }")], "19:47-2.20(a)");
    unlawful("nj-blackjack", &[&awards("{ }")], "19:47-2.20(a)");
    assert!(violations(&table("nj-blackjack", &[&one("\"16\" = 0")])).contains("19:47-2.20(k)"));
    for decks in 1..=8 {
        lawful("nj-blackjack", &["side_wagers.blackjack-bonus=true", &format!("decks={decks}")]);
    }
}

/// Proves 19:47-2.19(a)#2, 19:47-2.20(a)#2, 19:47-2.22(a)#2.
#[test]
fn wagers_that_need_equipment_say_so() {
    warned("nj-blackjack", &["side_wagers.progressive=true"], "19:47-2.19(a)#2");
    warned("nj-blackjack", &["side_wagers.blackjack-bonus=true"], "19:47-2.20(a)#2");
    warned("nj-blackjack", &["side_wagers.streak=true"], "19:47-2.22(a)#2");
}

/// Proves 19:47-2.24(h)#2.
#[test]
fn the_maximum_for_queens_of_hearts() {
    let set = |key: &str| format!("side_wagers.twenty-point.{key}");
    // the greater of 25,000 and a thousand times the minimum bet
    for (minimum, cap, lawful_cap) in
        [(1, "25000", true), (1, "24999.99", false), (30, "30000", true), (30, "29999", false)]
    {
        let overrides = [
            "hole_card=down",
            &set(&format!("minimum={minimum}")),
            &set("maximum=100"),
            &set(&format!("cap={cap}")),
        ];
        if lawful_cap {
            lawful("nj-blackjack", &overrides);
        } else {
            unlawful("nj-blackjack", &overrides, "19:47-2.24(h)#2");
        }
    }
}

/// 2.24(d) prescribes a face-down hole card (Q11); by ruling its absence is only a warning.
#[test]
fn twenty_point_without_a_hole_card_by_ruling() {
    let any = "rulings.twenty_point_dealing=any";
    for hole_card in ["none", "up"] {
        let overrides = [
            format!("hole_card={hole_card}"),
            "side_wagers.twenty-point=true".into(),
            "split_hands=2".into(),
        ];
        let mut overrides = overrides.iter().map(String::as_str).collect::<Vec<_>>();
        unlawful("nj-blackjack", &overrides, "19:47-2.24(d)");
        overrides.push(any);
        warned("nj-blackjack", &overrides, "19:47-2.24(d)");
    }
}

/// A finding names the keys of the table file that it is about.
#[test]
fn a_finding_names_its_keys() {
    let keys = |name: &str, overrides: &[&str]| -> Vec<String> {
        let report = rules::lawful::check(&table(name, overrides));
        report.violations.iter().map(|finding| finding.keys.join(" ")).collect()
    };
    assert_eq!(keys("nj-switch", &["side_wagers.streak=true"]), ["side_wagers.streak game"]);
    assert_eq!(
        keys("nj-blackjack", &["side_wagers.streak=true", "side_wagers.dealer-bust=true"]),
        ["side_wagers.streak side_wagers.dealer-bust", "side_wagers.dealer-bust side_wagers.streak"]
    );
    assert_eq!(
        keys("nj-switch", &["side_wagers.match.paytable=\"9\""]),
        ["side_wagers.match.paytable decks"]
    );
    assert_eq!(
        keys("nj-switch", &["side_wagers.match.minimum=50", "side_wagers.match.maximum=5"]),
        ["side_wagers.match.minimum side_wagers.match.maximum"]
    );
}
