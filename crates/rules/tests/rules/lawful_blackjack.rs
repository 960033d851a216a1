//! Legal and illegal blackjack tables, constraint by constraint: 19:47-2.

use crate::{lawful, table, unlawful, violations, warned, warnings};
use std::collections::BTreeSet;

const BLACKJACK: &str = "nj-blackjack";
const SIX_TO_FIVE: &str = "nj-six-to-five";
const MULTIPLE_ACTION: &str = "nj-multiple-action";

/// Proves 19:47-2.2(a), 19:47-2.2(a)1, 19:47-2.2(c), 19:47-2.2(d), 19:47-2.2(d)1.
#[test]
fn decks() {
    unlawful(BLACKJACK, &["decks=0"], "19:47-2.2(a)");
    for decks in 1..=12 {
        let decks_override = format!("decks={decks}");
        lawful(BLACKJACK, &[&decks_override]);
        // `decks` counts one side of a double shoe and one batch of a shuffler, so that both always hold two or more
        lawful(BLACKJACK, &[&decks_override, "shoe=double"]);
        lawful(BLACKJACK, &[&decks_override, "shuffle=automated"]);
        if decks > 2 {
            unlawful(SIX_TO_FIVE, &[&decks_override], "19:47-2.2(a)1");
        } else {
            lawful(SIX_TO_FIVE, &[&decks_override]);
        }
    }
}

/// Proves 19:47-2.2(e), 19:47-2.3(e)#6, 19:47-2.5(i)#2, 19:47-2.6(a)#2, 19:47-2.6A(a), 19:47-2.6A(c),
/// 19:46-1.19(b)2, 19:47-2.6A(h), 19:47-2.8(c)#3, 19:47-2.12(d), 19:47-2.10(d).
#[test]
fn the_six_to_five_variation() {
    for shuffle in ["manual", "bart-carter", "pre-shuffled"] {
        unlawful(SIX_TO_FIVE, &[&format!("shuffle={shuffle}")], "19:47-2.2(e)");
    }
    for payout in ["suited-678", "three-sevens", "five-card-21", "blackjack:As Ks"] {
        unlawful(SIX_TO_FIVE, &[&format!("bonus_payouts=[\"{payout}\"]")], "19:47-2.3(e)#6");
    }
    unlawful(SIX_TO_FIVE, &["cut_behind=0.3"], "19:47-2.5(i)#2");
    lawful(SIX_TO_FIVE, &["cut_behind=0.34"]);
    for shoe in ["single", "double", "continuous"] {
        assert!(violations(&table(SIX_TO_FIVE, &[&format!("shoe={shoe}")])).contains("19:47-2.6(a)#2"));
    }
    for hole_card in ["down", "up"] {
        unlawful(SIX_TO_FIVE, &[&format!("hole_card={hole_card}")], "19:47-2.6A(h)");
    }
    for hole_card in ["none", "reader"] {
        lawful(SIX_TO_FIVE, &[&format!("hole_card={hole_card}")]);
    }
    unlawful(SIX_TO_FIVE, &["soft_17=stand"], "19:47-2.12(d)");
    unlawful(SIX_TO_FIVE, &["surrender=true"], "19:47-2.8(c)#3");
    warned(SIX_TO_FIVE, &["double_after_split=false"], "19:47-2.10(d)");
    lawful(SIX_TO_FIVE, &["even_money=true", "hand_burn=each-round"]);
    unlawful(BLACKJACK, &["hand_burn=each-round"], "19:47-2.6A(c)");
    warned(SIX_TO_FIVE, &["minimum=7"], "19:47-2.3(d)#4");
}

/// Proves 19:47-2.6(a).
#[test]
fn cards_come_from_a_shoe() {
    unlawful(BLACKJACK, &["shoe=hand"], "19:47-2.6(a)");
    // dealing from the hand does not make it the 6 to 5 variation, so the quarter behind the cut card is missing too
    let both = violations(&table(BLACKJACK, &["shoe=hand", "cut_behind=0.2"]));
    assert!(both.contains("19:47-2.6(a)") && both.contains("19:47-2.5(d)#3"));
    unlawful(MULTIPLE_ACTION, &["shoe=hand"], "19:47-2.6(a)");
    for shoe in ["single", "double", "continuous"] {
        lawful(BLACKJACK, &[&format!("shoe={shoe}")]);
    }
}

/// Proves 19:47-2.5(d)#3.
#[test]
fn a_quarter_lies_behind_the_cutting_card() {
    unlawful(BLACKJACK, &["cut_behind=0.2"], "19:47-2.5(d)#3");
    lawful(BLACKJACK, &["cut_behind=0.25"]);
    lawful(BLACKJACK, &["cut_behind=0.5"]);
    // 2.5(d)#5, 2.21: neither the Bart Carter shuffle nor a continuous shuffler uses a cut card
    lawful(BLACKJACK, &["cut_behind=0.1", "shuffle=bart-carter"]);
    lawful(BLACKJACK, &["cut_behind=0.1", "shoe=continuous"]);
}

/// Proves 19:47-2.21, 19:47-2.3(i), 19:47-2.5(a)#2, 19:47-2.5(g)#2.
#[test]
fn shufflers_and_who_may_enter() {
    for shuffle in ["manual", "automated", "bart-carter", "pre-shuffled"] {
        lawful(BLACKJACK, &[&format!("shuffle={shuffle}")]);
    }
    warned(BLACKJACK, &["shoe=continuous"], "19:47-2.21#2");
    lawful(BLACKJACK, &["mid_shoe_entry=false"]);
    unlawful(BLACKJACK, &["mid_shoe_entry=false", "shoe=continuous"], "19:47-2.3(i)");
    unlawful(BLACKJACK, &["shuffle=bart-carter", "shoe=continuous"], "19:47-2.21");
    for recut_by in ["last-cutter", "next-entitled"] {
        lawful(BLACKJACK, &[&format!("recut_by={recut_by}")]);
    }
    unlawful(BLACKJACK, &["cut_by=dealer"], "19:47-2.5(b)");
}

/// Proves 19:47-2.11(e), 19:47-2.11(e)#2, 19:47-2.11(e)#5.
#[test]
fn splits_by_the_number_of_boxes() {
    for positions in 1..=10_u8 {
        for hands in 2..=6_u8 {
            let overrides = [format!("positions={positions}"), format!("split_hands={hands}")];
            let found = violations(&table(BLACKJACK, &overrides.each_ref().map(String::as_str)));
            let expected = match (positions, hands) {
                (..=6, ..=4) | (7, ..=3) => None,
                // five hands and more are rejected for any number of boxes
                (7, 4) => Some("19:47-2.11(e)#2"),
                _ => Some("19:47-2.11(e)"),
            };
            assert_eq!(found, expected.into_iter().collect::<BTreeSet<_>>(), "{overrides:?}");
        }
    }
    unlawful(BLACKJACK, &["split_hands=1"], "19:47-2.11(a)");
    lawful(BLACKJACK, &["resplit_aces=true"]);
    warned(BLACKJACK, &["resplit_aces=true", "split_hands=2"], "19:47-2.11(e)#5");
    warned(BLACKJACK, &["split_hands=3"], "19:47-2.11(e)#3");
}

/// Proves 19:47-2.6(k)3, 19:47-2.6(k)3#2, 19:47-2.6(k)5.
#[test]
fn the_face_up_hole_card() {
    let preset = "nj-blackjack-face-up";
    warned(preset, &[], "19:47-2.6(k)#2");
    unlawful(preset, &["surrender=true"], "19:47-2.6(k)3");
    unlawful(preset, &["even_money=true"], "19:47-2.6(k)3#2");
    unlawful(preset, &["late_insurance=true"], "19:47-2.6(k)3#2");
    unlawful(preset, &["split_hands=3"], "19:47-2.6(k)5");
    lawful(
        preset,
        &["bonus_payouts=[\"five-card-21\", \"suited-678\", \"three-sevens\", \"blackjack:Ah Jd\"]"],
    );
}

/// Proves 19:47-2.9(b)#4, 19:47-2.7(c), 19:47-2.10(c), 19:47-2.10(c)#2, 19:47-2.8(c).
#[test]
fn options_on_notice() {
    for hole_card in ["none", "down"] {
        warned(BLACKJACK, &["late_insurance=true", &format!("hole_card={hole_card}")], "19:47-2.9(b)#4");
    }
    unlawful(BLACKJACK, &["late_insurance=true", "hole_card=reader"], "19:47-2.9(b)#5");
    warned(BLACKJACK, &["even_money=true"], "19:47-2.7(c)#2");
    warned(BLACKJACK, &["surrender=true"], "19:47-2.8(c)#5");
    for double_card in ["down", "on-request"] {
        warned(BLACKJACK, &[&format!("double_card={double_card}")], "19:47-2.10(c)#5");
    }
    lawful(BLACKJACK, &["double_card=up"]);
    for settled in ["at-once", "at-disclosure"] {
        lawful("nj-blackjack-reader", &["surrender=true", &format!("surrender_settled={settled}")]);
    }
    unlawful(BLACKJACK, &["surrender=true", "surrender_settled=at-once"], "19:47-2.8(a)2");
}

/// 2.8(a)2 and 2.9(d) do not grant settling after the reader in words, as 26.8(a)3 does. Q17 and Q18 permit it, and the
/// check warns of it.
#[test]
fn settling_after_the_reader_is_warned_of() {
    let reader = "nj-blackjack-reader";
    for (set, by) in
        [("surrender_settled=at-once", "19:47-2.8(a)2"), ("insurance_collected=after-reader", "19:47-2.9(d)")]
    {
        assert!(!warnings(&table(reader, &["surrender=true"])).contains(by), "{by}");
        warned(reader, &["surrender=true", set], by);
        let found = rules::lawful::check(&table(reader, &["surrender=true", set])).warnings;
        assert!(found.iter().all(|finding| finding.clause.id() != by || !finding.entry), "{set}");
    }
    assert!(
        !warnings(&table("nj-double-attack", &["hole_card=reader", "surrender_settled=at-once"]))
            .contains("19:47-26.8(a)3")
    );
}

/// Proves 19:47-2.10(a)#2.
#[test]
fn doubling_after_a_split_is_a_right() {
    unlawful(BLACKJACK, &["double_after_split=false"], "19:47-2.10(a)#2");
    unlawful(MULTIPLE_ACTION, &["double_after_split=false"], "19:47-2.10(a)#2");
}

/// Proves 19:47-2.3(e)#5, 19:47-2.3(e)1, 19:47-2.3(e)2, 19:47-2.3(e)3, 19:47-2.3(e)4, 19:47-2.16(c).
#[test]
fn special_odds() {
    let all = ["suited-678", "three-sevens", "five-card-21", "blackjack:As Ks"];
    // any combination of them
    for chosen in 0..16_u8 {
        let list: Vec<String> =
            (0..4).filter(|at| chosen & 1 << at != 0).map(|at| format!("{:?}", all[at])).collect();
        lawful(BLACKJACK, &[&format!("bonus_payouts=[{}]", list.join(", "))]);
    }
    unlawful(BLACKJACK, &["bonus_payouts=[\"blackjack:As Ks\", \"blackjack:Ad Kd\"]"], "19:47-2.3(e)3");
    for pair in ["As Ts", "As 9s", "Ks Qs", "As Ad", "Ts As"] {
        unlawful(BLACKJACK, &[&format!("bonus_payouts=[\"blackjack:{pair}\"]")], "19:47-2.3(e)3");
    }
    for pair in ["As Js", "Qd Ac", "Ah Kh"] {
        lawful(BLACKJACK, &[&format!("bonus_payouts=[\"blackjack:{pair}\"]")]);
    }
}

/// Proves 19:47-2.18(a), 19:47-2.18(b), 19:47-2.18(b)#2.
#[test]
fn multiple_action() {
    for required in [2, 3] {
        lawful(MULTIPLE_ACTION, &[&format!("multiple_action.required={required}")]);
    }
    for required in [0, 1, 4] {
        unlawful(MULTIPLE_ACTION, &[&format!("multiple_action.required={required}")], "19:47-2.18(b)");
    }
    assert_eq!(table(MULTIPLE_ACTION, &[]).dealer_hands(), 3);
    assert_eq!(table(BLACKJACK, &[]).dealer_hands(), 1);
}

/// Proves 19:47-2.13(a), 19:47-2.14#2.
#[test]
fn boxes_and_bettors() {
    for bettors in 1..=3 {
        lawful(BLACKJACK, &[&format!("bettors_per_box={bettors}")]);
    }
    for bettors in [0, 4, 200] {
        unlawful(BLACKJACK, &[&format!("bettors_per_box={bettors}")], "19:47-2.13(a)");
    }
    lawful(BLACKJACK, &["boxes_per_player=6"]);
    warned(BLACKJACK, &["boxes_per_player=7"], "19:47-2.14#2");
    unlawful(BLACKJACK, &["boxes_per_player=0"], "19:47-2.14");
}

#[test]
fn limits_make_sense() {
    for overrides in [&["minimum=0"][..], &["minimum=20", "maximum=10"]] {
        unlawful(BLACKJACK, overrides, "19:47-2.3(a)");
    }
    unlawful(BLACKJACK, &["chip=0"], "19:47-2.3(d)");
    unlawful(BLACKJACK, &["positions=0"], "19:47-2.3(a)");
}

/// Massachusetts has a text for Blackjack Switch and for no other game.
#[test]
fn blackjack_is_a_game_of_new_jersey() {
    unlawful(BLACKJACK, &["jurisdiction=ma"], "MA-BJS 5(i)");
}
