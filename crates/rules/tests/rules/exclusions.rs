//! The exclusion matrices: every pair of optional side bets and variations, written down from the texts.
//!
//! `ok` means that no clause forbids the pair; otherwise the clauses that do. A bar stated in one section binds both.

use crate::{table, violations};
use rules::{Choices, Clause, file, preset};
use std::collections::BTreeSet;

const WAGERS: [&str; 9] = [
    "over-under-13",
    "same-suit",
    "sevens",
    "progressive",
    "blackjack-bonus",
    "streak",
    "match-the-dealer",
    "twenty-point",
    "dealer-bust",
];

/// Every pair of the side bets above.
#[rustfmt::skip]
const PAIRS: [(&str, &str, &str); 36] = [
    ("over-under-13", "same-suit", "2.17(a)"),
    ("over-under-13", "sevens", "2.17(a)"),
    ("over-under-13", "progressive", "2.17(a)#2"),
    ("over-under-13", "blackjack-bonus", "ok"),
    ("over-under-13", "streak", "ok"),
    ("over-under-13", "match-the-dealer", "ok"),
    ("over-under-13", "twenty-point", "ok"),
    ("over-under-13", "dealer-bust", "ok"),
    ("same-suit", "sevens", "2.17(a)"),
    ("same-suit", "progressive", "2.17(a)#2"),
    ("same-suit", "blackjack-bonus", "ok"),
    ("same-suit", "streak", "ok"),
    ("same-suit", "match-the-dealer", "ok"),
    ("same-suit", "twenty-point", "ok"),
    ("same-suit", "dealer-bust", "ok"),
    ("sevens", "progressive", "2.17(a)#2"),
    ("sevens", "blackjack-bonus", "ok"),
    ("sevens", "streak", "ok"),
    ("sevens", "match-the-dealer", "ok"),
    ("sevens", "twenty-point", "ok"),
    ("sevens", "dealer-bust", "ok"),
    ("progressive", "blackjack-bonus", "2.20(l)#2"),
    ("progressive", "streak", "2.22(l)#2"),
    ("progressive", "match-the-dealer", "ok"),
    ("progressive", "twenty-point", "2.24(i)#2"),
    ("progressive", "dealer-bust", "2.25(h)#2"),
    ("blackjack-bonus", "streak", "2.20(l)#3 2.22(l)#3"),
    ("blackjack-bonus", "match-the-dealer", "ok"),
    ("blackjack-bonus", "twenty-point", "2.20(l)#4 2.24(i)#3"),
    ("blackjack-bonus", "dealer-bust", "2.20(l)#5 2.25(h)#3"),
    ("streak", "match-the-dealer", "ok"),
    ("streak", "twenty-point", "2.22(l)#4 2.24(i)#4"),
    ("streak", "dealer-bust", "2.22(l)#5 2.25(h)#4"),
    ("match-the-dealer", "twenty-point", "ok"),
    ("match-the-dealer", "dealer-bust", "2.23(g) 2.25(h)#5"),
    ("twenty-point", "dealer-bust", "2.24(i)#5 2.25(h)#6"),
];

fn ids(cell: &str) -> BTreeSet<&'static str> {
    if cell == "ok" {
        return BTreeSet::new();
    }
    cell.split(' ')
        .map(|clause| clause.trim_start_matches("19:47-"))
        .map(|clause| Clause::find(&format!("19:47-{clause}")).unwrap_or_else(|| panic!("{clause}")).id())
        .collect()
}

/// Returns a table that offers these side bets, dealt as they require: twenty point with the hole card down, all others
/// without.
fn offering(base: &str, wagers: &[&str]) -> Choices {
    let mut choices = preset::preset(base).expect("a preset");
    file::set(&mut choices, "split_hands=2").expect("a key");
    for wager in wagers {
        file::set(&mut choices, &format!("side_wagers.{wager}=true")).expect("a wager");
        if *wager == "twenty-point" && base == "nj-blackjack" {
            file::set(&mut choices, "hole_card=down").expect("a key");
        }
    }
    choices
}

/// Proves 19:47-2.17(a), 19:47-2.17(a)#2, 19:47-2.20(l)#2, 19:47-2.20(l)#3, 19:47-2.20(l)#4, 19:47-2.20(l)#5,
/// 19:47-2.22(l)#2, 19:47-2.22(l)#3, 19:47-2.22(l)#4, 19:47-2.22(l)#5, 19:47-2.23(g), 19:47-2.24(i)#2,
/// 19:47-2.24(i)#3, 19:47-2.24(i)#4, 19:47-2.24(i)#5, 19:47-2.25(h)#2, 19:47-2.25(h)#3, 19:47-2.25(h)#4,
/// 19:47-2.25(h)#5, 19:47-2.25(h)#6, 19:47-2.23(a), 19:47-2.22(a), 19:47-2.20(a), 19:47-2.19(a).
#[test]
fn every_pair_of_side_wagers() {
    for wager in WAGERS {
        assert_eq!(violations(&offering("nj-blackjack", &[wager])), BTreeSet::new(), "{wager} alone");
    }
    let mut pairs = BTreeSet::new();
    for (one, other, cell) in PAIRS {
        let mut expected = ids(cell);
        // the progressive bet and the twenty point bonus bet also need different dealing
        if one == "progressive" && other == "twenty-point" {
            expected.insert("19:47-2.6(j)2");
        }
        assert_eq!(violations(&offering("nj-blackjack", &[one, other])), expected, "{one} and {other}");
        pairs.insert([one, other]);
    }
    let all =
        WAGERS.iter().enumerate().flat_map(|(at, one)| WAGERS[at + 1..].iter().map(|other| [*one, *other]));
    assert_eq!(pairs, all.collect());
}

/// Proves 19:47-2.18(a), 19:47-2.18(a)#3, 19:47-2.18(a)#4, 19:47-2.18(a)#5, 19:47-2.18(a)#6, 19:47-2.18(a)#7,
/// 19:47-2.18(a)#8, 19:47-2.20(l), 19:47-2.22(l), 19:47-2.24(i), 19:47-2.25(h).
#[test]
fn multiple_action_with_every_side_wager() {
    for (wager, cell) in WAGERS.into_iter().zip([
        "ok",
        "ok",
        "ok",
        "19:47-2.18(a)#3",
        "19:47-2.18(a)#4 19:47-2.20(l)",
        "19:47-2.18(a)#5 19:47-2.22(l)",
        "19:47-2.18(a)#6",
        "19:47-2.18(a)#7 19:47-2.24(i) 2.24(d)",
        "19:47-2.18(a)#8 19:47-2.25(h)",
    ]) {
        assert_eq!(violations(&offering("nj-multiple-action", &[wager])), ids(cell), "{wager}");
    }
}

/// What a table may do besides its side bets, as overrides.
const FEATURES: [(&str, &[&str]); 8] = [
    ("surrender", &["surrender=true"]),
    ("resplit", &["split_hands=4"]),
    ("hole up", &["hole_card=up"]),
    ("hole down", &["hole_card=down"]),
    ("card reader", &["hole_card=reader"]),
    ("no hole card", &["hole_card=none"]),
    ("shared box", &["bettors_per_box=3"]),
    ("double shoe", &["shoe=double"]),
];

#[rustfmt::skip]
const WITH_FEATURES: [[&str; 8]; 9] = [
    //  surrender    resplit  hole up      hole down   card reader  no hole     shared box     double shoe
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
    ["2.8(c)#4",    "ok", "19:47-2.6(k)#3", "19:47-2.6(j)2", "2.6(j)2", "ok",  "2.13(a)#4",   "ok"],
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
    ["ok",          "ok",    "2.24(d)",   "ok",       "ok",        "2.24(d)",  "ok",          "ok"],
    ["ok",          "ok",    "ok",        "ok",       "ok",        "ok",       "ok",          "ok"],
];

/// Proves 19:47-2.8(c)#4, 19:47-2.6(k)#3, 19:47-2.6(j)2, 19:47-2.13(a)#4.
#[test]
fn every_side_wager_with_every_way_to_deal_and_play() {
    for (wager, row) in WAGERS.into_iter().zip(WITH_FEATURES) {
        for ((feature, overrides), cell) in FEATURES.into_iter().zip(row) {
            let mut choices = offering("nj-blackjack", &[wager]);
            for assignment in overrides {
                file::set(&mut choices, assignment).expect("a key");
            }
            assert_eq!(violations(&choices), ids(cell), "{wager} with {feature}");
        }
    }
}

/// The 6 to 5 variation is dealt face down from the hand, with one or two decks (Q13).
#[test]
fn six_to_five_with_every_side_wager() {
    for (wager, cell) in WAGERS.into_iter().zip([
        "2.17(d)",
        "2.17(d)",
        "2.2(a)3",
        "2.2(a)3#2",
        "2.20(b)#3 2.20(e)",
        "ok",
        "2.2(a)4",
        "2.24(d)",
        "2.2(a)4#2",
    ]) {
        assert_eq!(violations(&offering("nj-six-to-five", &[wager])), ids(cell), "{wager}");
    }
}

/// Proves 19:47-2.6(k)3, 19:47-2.6(k)5, 19:47-2.8(c)#2, 19:47-2.8(c)#3, 19:47-2.11(e)#4, 19:47-2.8(c).
#[test]
fn every_pair_of_ways_to_deal_and_play() {
    for (overrides, cell) in [
        (&["surrender=true", "split_hands=4"][..], "ok"),
        (&["surrender=true", "hole_card=up"], "2.6(k)3"),
        (&["surrender=true", "hole_card=down"], "ok"),
        (&["surrender=true", "hole_card=reader"], "ok"),
        (&["surrender=true", "hole_card=none"], "ok"),
        (&["surrender=true", "bettors_per_box=3"], "ok"),
        (&["surrender=true", "shoe=double"], "ok"),
        (&["split_hands=4", "hole_card=up"], "2.6(k)5"),
        (&["split_hands=4", "hole_card=down"], "ok"),
        (&["split_hands=4", "hole_card=reader"], "ok"),
        (&["split_hands=4", "hole_card=none"], "ok"),
        (&["split_hands=4", "bettors_per_box=3"], "ok"),
        (&["split_hands=4", "shoe=double"], "ok"),
        (&["hole_card=up", "bettors_per_box=3"], "ok"),
        (&["hole_card=up", "shoe=double"], "ok"),
        (&["hole_card=down", "bettors_per_box=3"], "ok"),
        (&["hole_card=down", "shoe=double"], "ok"),
        (&["hole_card=reader", "bettors_per_box=3"], "ok"),
        (&["hole_card=reader", "shoe=double"], "ok"),
        (&["hole_card=none", "bettors_per_box=3"], "ok"),
        (&["bettors_per_box=3", "shoe=double"], "ok"),
    ] {
        let mut all = vec!["split_hands=2"];
        all.extend(overrides);
        assert_eq!(violations(&table("nj-blackjack", &all)), ids(cell), "{overrides:?}");
    }
    for (preset, overrides, cell) in [
        ("nj-six-to-five", "surrender=true", "2.8(c)#3"),
        ("nj-six-to-five", "split_hands=4", "ok"),
        ("nj-six-to-five", "hole_card=up", "2.6A(h)"),
        ("nj-six-to-five", "hole_card=down", "2.6A(h)"),
        ("nj-six-to-five", "hole_card=reader", "ok"),
        ("nj-six-to-five", "hole_card=none", "ok"),
        ("nj-six-to-five", "bettors_per_box=3", "ok"),
        ("nj-six-to-five", "shoe=double", "2.6(a)#2"),
        ("nj-multiple-action", "surrender=true", "2.8(c)#2"),
        ("nj-multiple-action", "split_hands=3", "2.11(e)#4"),
        ("nj-multiple-action", "hole_card=up", "2.18(e)"),
        ("nj-multiple-action", "hole_card=down", "2.18(e)"),
        ("nj-multiple-action", "hole_card=reader", "2.18(e)"),
        ("nj-multiple-action", "hole_card=none", "ok"),
        ("nj-multiple-action", "bettors_per_box=3", "ok"),
        ("nj-multiple-action", "shoe=double", "ok"),
    ] {
        let overrides = [overrides];
        assert_eq!(violations(&table(preset, &overrides)), ids(cell), "{preset} {overrides:?}");
    }
}

/// Proves 19:47-2A.5(i), 19:47-2A.5(i)#2, 19:47-2A.5(i)#3, 19:47-2A.5(i)#4, 19:47-2A.5(i)#5, 19:47-2A.5(i)#6,
/// MA-BJS 5(i).
#[test]
fn switch_offers_the_match_wager_only() {
    let others = ["suited-royals", "triple-match"];
    for (wager, id) in WAGERS.into_iter().chain(others).zip([
        "19:47-2A.5(i)",
        "19:47-2A.5(i)",
        "19:47-2A.5(i)",
        "19:47-2A.5(i)#3",
        "19:47-2A.5(i)#4",
        "19:47-2A.5(i)#5",
        "19:47-2A.6(a)",
        "19:47-2A.6(a)",
        "19:47-2A.5(i)#6",
        "19:47-2A.6(a)",
        "19:47-2A.6(a)",
    ]) {
        let offer = format!("side_wagers.{wager}=true");
        assert_eq!(violations(&table("nj-switch", &[&offer])), BTreeSet::from([id]), "{wager}");
        assert_eq!(violations(&table("ma-switch", &[&offer])), BTreeSet::from(["MA-BJS 5(i)"]), "{wager}");
    }
    let multiple = "variation=multiple-action";
    assert_eq!(violations(&table("nj-switch", &[multiple])), BTreeSet::from(["19:47-2A.5(i)#2"]));
    assert_eq!(violations(&table("ma-switch", &[multiple])), BTreeSet::from(["MA-BJS 5(i)"]));
}

/// The attack games refuse every side bet of another game.
#[test]
fn the_attack_games_offer_their_own_wagers_only() {
    for (preset, own) in
        [("nj-double-attack", &["dealer-bust"][..]), ("nj-triple-attack", &["suited-royals", "triple-match"])]
    {
        for wager in WAGERS.into_iter().chain(["match", "suited-royals", "triple-match"]) {
            let choices = table(preset, &[&format!("side_wagers.{wager}=true")]);
            assert_eq!(violations(&choices).is_empty(), own.contains(&wager), "{preset}: {wager}");
        }
    }
    for wager in ["match", "suited-royals", "triple-match"] {
        assert!(!violations(&table("nj-blackjack", &[&format!("side_wagers.{wager}=true")])).is_empty());
    }
}
