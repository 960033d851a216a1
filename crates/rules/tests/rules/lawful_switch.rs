//! Legal and illegal Blackjack Switch tables in both states: 19:46-1.10C, 19:47-2A and the rules of Massachusetts.

use crate::{lawful, table, unlawful, violations, warned};
use std::collections::BTreeSet;

/// Asserts that both states refuse this, each by its own clause.
fn both_refuse(overrides: &[&str], nj: &str, ma: &str) {
    unlawful("nj-switch", overrides, nj);
    unlawful("ma-switch", overrides, ma);
}

fn both_allow(overrides: &[&str]) {
    lawful("nj-switch", overrides);
    lawful("ma-switch", overrides);
}

/// Proves 19:47-2A.2(a), MA-BJS 2(a).
#[test]
fn six_or_eight_decks() {
    for decks in 0..=10 {
        let decks_override = format!("decks={decks}");
        if [6, 8].contains(&decks) {
            both_allow(&[&decks_override]);
        } else {
            both_refuse(&[&decks_override], "19:47-2A.2(a)", "MA-BJS 2(a)");
        }
    }
}

/// Proves 19:46-1.10C(a).
#[test]
fn at_most_five_positions_in_new_jersey() {
    for positions in 1..=5 {
        both_allow(&[&format!("positions={positions}")]);
    }
    for positions in [6, 7, 12] {
        unlawful("nj-switch", &[&format!("positions={positions}")], "19:46-1.10C(a)");
        lawful("ma-switch", &[&format!("positions={positions}")]);
    }
}

/// Proves 19:47-2A.12(b), MA-BJS 12(b), 19:47-2A.5(g)#2, MA-BJS 5(g)#2.
#[test]
fn what_blackjack_has_and_switch_has_not() {
    both_refuse(&["soft_17=stand"], "19:47-2A.12(b)", "MA-BJS 12(b)");
    both_refuse(&["even_money=true"], "19:47-2A.5(g)#2", "MA-BJS 5(g)#2");
    both_refuse(&["variation=six-to-five"], "19:47-2A.5(g)#2", "MA-BJS 5(g)#2");
    for payout in ["suited-678", "three-sevens", "five-card-21", "blackjack:As Ks"] {
        both_refuse(&[&format!("bonus_payouts=[\"{payout}\"]")], "19:47-2A.5(g)#2", "MA-BJS 5(g)#2");
    }
    both_refuse(&["late_insurance=true"], "19:47-2A.8(a)2", "MA-BJS 8(a)(2)");
    for double_card in ["down", "on-request"] {
        both_refuse(&[&format!("double_card={double_card}")], "19:47-2A.10(b)#2", "MA-BJS 10(b)#2");
    }
    both_refuse(&["hole_card=up"], "19:47-2A.7(l)1", "MA-BJS 7(l)(1)");
    for shoe in ["hand", "double", "continuous"] {
        both_refuse(&[&format!("shoe={shoe}")], "19:47-2A.7(a)", "MA-BJS 7(a)");
    }
    both_refuse(&["double_after_split=false"], "19:47-2A.11(c)#2", "MA-BJS 11(c)#2");
}

/// Proves 19:47-2A.7(l)1, MA-BJS 7(l)(1), 19:46-1.10C(f).
#[test]
fn three_ways_to_deal_the_hole_card() {
    for hole_card in ["none", "down", "reader"] {
        both_allow(&[&format!("hole_card={hole_card}")]);
    }
}

/// Proves 19:47-2A.11(e), MA-BJS 11(e), 19:47-2A.11(e)#2, MA-BJS 11(e)#2, 19:47-2A.11(e)#3, MA-BJS 11(e)#3.
#[test]
fn up_to_three_splits() {
    for hands in 2..=4 {
        both_allow(&[&format!("split_hands={hands}"), "resplit_aces=true"]);
    }
    both_refuse(&["split_hands=5"], "19:47-2A.11(e)", "MA-BJS 11(e)");
    both_refuse(&["split_hands=1"], "19:47-2A.11(a)", "MA-BJS 11(a)");
    warned("nj-switch", &["split_hands=4"], "19:47-2A.11(e)#3");
    warned("ma-switch", &["split_hands=4"], "MA-BJS 11(e)#3");
}

/// Proves 19:47-2A.9(c), 19:47-2A.9(c)#2, MA-BJS 9(c), MA-BJS 9(c)#2.
#[test]
fn surrender_on_notice() {
    warned("nj-switch", &["surrender=true"], "19:47-2A.9(c)#2");
    warned("ma-switch", &["surrender=true"], "MA-BJS 9(c)#2");
    both_allow(&["surrender=false"]);
}

/// Proves 19:47-2A.1 "Bart Carter shuffle", 19:47-2A.4(a)#2, MA-BJS 4(a)#2, 19:46-1.19(c).
#[test]
fn how_the_cards_are_shuffled() {
    for shuffle in ["manual", "automated", "pre-shuffled"] {
        both_allow(&[&format!("shuffle={shuffle}")]);
    }
    lawful("nj-switch", &["shuffle=bart-carter"]);
    unlawful("ma-switch", &["shuffle=bart-carter"], "MA-BJS 4(a)#2");
}

/// Proves 19:47-2A.4(f)#4, MA-BJS 4(f)#4, MA-BJS 4(c), MA-BJS 4(c)#2, 19:47-2A.4(g)#2, MA-BJS 4(g)#2.
#[test]
fn who_cuts_and_where() {
    both_refuse(&["cut_behind=0.2"], "19:47-2A.4(f)#4", "MA-BJS 4(f)#4");
    both_allow(&["cut_behind=0.25"]);
    unlawful("nj-switch", &["cut_by=dealer"], "19:47-2A.4(c)");
    lawful("ma-switch", &["cut_by=dealer"]);
    both_allow(&["cut_by=players"]);
    for recut_by in ["last-cutter", "next-entitled"] {
        both_allow(&[&format!("recut_by={recut_by}")]);
    }
}

/// The layout of New Jersey has an area for the match bet at every position: 19:46-1.10C(b)3.
#[test]
fn the_match_wager_is_always_offered_in_new_jersey() {
    unlawful("nj-switch", &["side_wagers.match=false"], "19:46-1.10C(b)3");
    lawful("ma-switch", &["side_wagers.match=false"]);
}

/// Proves 19:47-2A.13(a), MA-BJS 13(a), 19:47-2A.14, MA-BJS 14.
#[test]
fn spots_and_bettors() {
    for bettors in 1..=3 {
        both_allow(&[&format!("bettors_per_box={bettors}")]);
    }
    both_refuse(&["bettors_per_box=4"], "19:47-2A.13(a)", "MA-BJS 13(a)");
    both_allow(&["boxes_per_player=3"]);
    both_refuse(&["boxes_per_player=0"], "19:47-2A.14", "MA-BJS 14");
    warned("nj-switch", &["boxes_per_player=6"], "19:47-2A.14");
    warned("ma-switch", &["boxes_per_player=6"], "MA-BJS 14");
}

/// Proves 19:47-2A.5(h), MA-BJS 5(h).
#[test]
fn who_sat_out_may_be_barred() {
    both_allow(&["mid_shoe_entry=false"]);
}

#[test]
fn every_violation_at_once() {
    let found = violations(&table("ma-switch", &["decks=7", "soft_17=stand", "hole_card=up", "shoe=hand"]));
    let expected = BTreeSet::from(["MA-BJS 2(a)", "MA-BJS 12(b)", "MA-BJS 7(l)(1)", "MA-BJS 7(a)"]);
    assert_eq!(found, expected);
}
