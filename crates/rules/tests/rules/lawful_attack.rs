//! Legal and illegal Double Attack and Triple Attack tables: 19:47-26, 19:46-1.13V, 19:47-36.

use crate::{lawful, table, unlawful, violations, warned, warnings};
use std::collections::BTreeSet;

const DOUBLE: &str = "nj-double-attack";
const TRIPLE: &str = "nj-triple-attack";

/// Proves 19:47-26.2(a), 19:47-36.2(a).
#[test]
fn decks() {
    for decks in 0..=10 {
        let decks_override = format!("decks={decks}");
        if [6, 8].contains(&decks) {
            lawful(DOUBLE, &[&decks_override]);
        } else {
            unlawful(DOUBLE, &[&decks_override], "19:47-26.2(a)");
        }
        if decks == 8 {
            lawful(TRIPLE, &[&decks_override]);
        } else {
            unlawful(TRIPLE, &[&decks_override], "19:47-36.2(a)");
        }
    }
}

/// Proves 19:47-26.10(c), 19:47-26.10(c)#3, 19:47-26.10(c)#4, 19:46-1.13V(a), 19:47-36.9(c)#3.
#[test]
fn positions_and_splits() {
    for positions in 1..=9_u8 {
        for hands in 2..=6_u8 {
            let overrides = [format!("positions={positions}"), format!("split_hands={hands}")];
            let overrides = overrides.each_ref().map(String::as_str);
            // 26.10(c): four hands with six positions, three with seven; the licensee has no choice
            let mut expected = BTreeSet::new();
            if !(3..=4).contains(&hands) {
                expected.insert("19:47-26.10(c)");
            }
            match (positions, hands) {
                (6, 3) => expected.extend(["19:47-26.10(c)#4"]),
                (7, 4) => expected.extend(["19:47-26.10(c)#3"]),
                (6 | 7, _) => {}
                _ => expected.extend(["19:47-26.10(c)#4"]),
            }
            assert_eq!(violations(&table(DOUBLE, &overrides)), expected, "{overrides:?}");
            let mut expected = BTreeSet::new();
            if ![6, 7].contains(&positions) {
                expected.insert("19:46-1.13V(a)");
            }
            if hands > 4 {
                expected.insert("19:47-36.9(c)#3");
            }
            assert_eq!(violations(&table(TRIPLE, &overrides)), expected, "{overrides:?}");
        }
    }
}

/// 36.9(c) and (e) can be read against one split only, and against splitting aces again: the check permits both (A22),
/// warns of them, and needs no entry in the register.
#[test]
fn doubtful_splits_of_triple_attack_are_warned_of() {
    let preset = warnings(&table(TRIPLE, &[]));
    lawful(TRIPLE, &["split_hands=3"]);
    assert_eq!(warnings(&table(TRIPLE, &["split_hands=3"])), preset);
    for (set, by) in [("split_hands=2", "19:47-36.9(c)#2"), ("resplit_aces=true", "19:47-36.9(e)")] {
        assert!(!preset.contains(by), "{by}");
        warned(TRIPLE, &[set], by);
        let found = rules::lawful::check(&table(TRIPLE, &[set])).warnings;
        assert!(found.iter().all(|finding| finding.clause.id() != by || !finding.entry), "{set}");
    }
    unlawful(DOUBLE, &["split_hands=2"], "19:47-26.10(c)");
}

/// Proves 19:47-26.7(i), 19:47-26.7(g)#5, 19:47-36.7(k), 19:47-36.7(i)#3.
#[test]
fn how_the_second_card_is_dealt() {
    lawful(DOUBLE, &["hole_card=none"]);
    for hole_card in ["down", "reader"] {
        warned(DOUBLE, &[&format!("hole_card={hole_card}")], "19:47-26.7(i)#7");
    }
    unlawful(DOUBLE, &["hole_card=up"], "19:47-26.7(g)#5");
    lawful(TRIPLE, &["hole_card=down"]);
    warned(TRIPLE, &["hole_card=reader"], "19:47-36.7(k)#6");
    for hole_card in ["none", "up"] {
        unlawful(TRIPLE, &[&format!("hole_card={hole_card}")], "19:47-36.7(e)#3");
    }
}

/// Proves 19:47-26.7(a), 19:47-36.7(a), 19:47-26.12(b), 19:47-36.11(b), 19:47-26.8(a), 19:47-36.7(g),
/// 19:47-26.10(e)#2, 19:47-26.9(a)#4, 19:47-36.8(a)#4, 19:47-26.5(e)#2, 19:47-36.5(e.2)#3,
/// 19:46-1.19(b).
#[test]
fn what_the_texts_fix() {
    unlawful(DOUBLE, &["soft_17=hit"], "19:47-26.12(b)");
    unlawful(TRIPLE, &["soft_17=stand"], "19:47-36.11(b)");
    unlawful(DOUBLE, &["surrender=false"], "19:47-26.8(a)");
    unlawful(TRIPLE, &["surrender=true"], "19:47-36.7(g)");
    unlawful(DOUBLE, &["resplit_aces=true"], "19:47-26.10(e)#2");
    unlawful(DOUBLE, &["double_after_split=false"], "19:47-26.9(a)#4");
    unlawful(TRIPLE, &["double_after_split=false"], "19:47-36.8(a)#4");
    for overrides in [
        "even_money=true",
        "bonus_payouts=[\"five-card-21\"]",
        "variation=six-to-five",
        "variation=multiple-action",
    ] {
        unlawful(DOUBLE, &[overrides], "19:47-26.5(e)#2");
        unlawful(TRIPLE, &[overrides], "19:47-36.5(e.2)#3");
    }
    unlawful(DOUBLE, &["shoe=hand"], "19:47-26.7(a)");
    let by_hand = violations(&table(TRIPLE, &["shoe=hand"]));
    assert_eq!(by_hand, BTreeSet::from(["19:46-1.19(b)", "19:47-36.7(a)"]));
    for (key, double, triple) in [
        ("shoe=double", "19:47-26.7(a)", "19:47-36.7(a)"),
        ("shoe=continuous", "19:47-26.7(a)", "19:47-36.7(a)"),
        ("late_insurance=true", "19:47-26.11(b)#3", "19:47-36.10(b)#3"),
        ("double_card=down", "19:47-26.9(a)#6", "19:47-36.8(a)#6"),
        ("jurisdiction=ma", "MA-BJS 5(i)", "MA-BJS 5(i)"),
        ("cut_by=dealer", "19:47-26.4(c)", "19:47-36.4(c)"),
    ] {
        unlawful(DOUBLE, &[key], double);
        unlawful(TRIPLE, &[key], triple);
    }
}

/// Proves 19:47-26.4(a)#3, 19:47-36.4(a)#3, 19:47-26.4(e)#4, 19:47-36.4(e)#4, 19:46-1.19(c),
/// 19:47-26.4(f)#2, 19:47-36.4(f)#2.
#[test]
fn shuffle_and_cut() {
    for preset in [DOUBLE, TRIPLE] {
        for shuffle in ["manual", "automated", "pre-shuffled"] {
            lawful(preset, &[&format!("shuffle={shuffle}")]);
        }
        for recut_by in ["last-cutter", "next-entitled"] {
            lawful(preset, &[&format!("recut_by={recut_by}")]);
        }
        lawful(preset, &["cut_behind=0.25"]);
    }
    unlawful(DOUBLE, &["shuffle=bart-carter"], "19:47-26.4(a)#3");
    unlawful(TRIPLE, &["shuffle=bart-carter"], "19:47-36.4(a)#3");
    unlawful(DOUBLE, &["cut_behind=0.24"], "19:47-26.4(e)#4");
    unlawful(TRIPLE, &["cut_behind=0.24"], "19:47-36.4(e)#4");
}

/// Proves 19:47-26.8(a)3.
#[test]
fn surrender_settled_at_once_needs_a_reader() {
    lawful(DOUBLE, &["hole_card=reader", "surrender_settled=at-once"]);
    for hole_card in ["none", "down"] {
        unlawful(DOUBLE, &[&format!("hole_card={hole_card}"), "surrender_settled=at-once"], "19:47-26.8(a)3");
    }
}

/// Proves 19:47-26.13(a), 19:47-36.12(a), 19:47-26.14#2, 19:47-36.13#2, 19:47-26.5(h), 19:47-36.5(h).
#[test]
fn boxes_bettors_and_entry() {
    for preset in [DOUBLE, TRIPLE] {
        for bettors in 1..=3 {
            lawful(preset, &[&format!("bettors_per_box={bettors}")]);
        }
        lawful(preset, &["boxes_per_player=4"]);
        lawful(preset, &["mid_shoe_entry=false"]);
        for amount in ["up-to", "equal"] {
            lawful(preset, &[&format!("attack_amount={amount}")]);
        }
    }
    unlawful(DOUBLE, &["bettors_per_box=4"], "19:47-26.13(a)");
    unlawful(TRIPLE, &["bettors_per_box=4"], "19:47-36.12(a)");
    warned(DOUBLE, &["boxes_per_player=7"], "19:47-26.14#2");
    warned(TRIPLE, &["boxes_per_player=7"], "19:47-36.13#2");
    // a player may play all boxes, but no more than the table has
    for (preset, id) in [(DOUBLE, "19:47-26.14#2"), (TRIPLE, "19:47-36.13#2")] {
        let all = table(preset, &["boxes_per_player=6", "positions=6"]);
        assert!(!warnings(&all).contains(id), "{preset}");
    }
}
