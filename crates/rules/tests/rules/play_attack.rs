//! What a player may do in Double Attack and Triple Attack: 26.8 to 26.12, 36.7 to 36.11.

use crate::play_blackjack::{doubled, letters, refused};
use crate::settle::player_hands;
use crate::{dealt, split, table};
use rules::play::{Action, Doubled, Situation};
use rules::{Origin, Total};

const DOUBLE: &str = "nj-double-attack";
const TRIPLE: &str = "nj-triple-attack";

/// Proves 19:47-26.7(e)#2, 19:47-26.8(a), 19:47-26.8(a)#2, 19:47-26.9(a), 19:47-26.9(a)#2, 19:47-26.10(a),
/// 19:47-26.12(a), 19:47-26.12(a)1, 19:47-36.7(g), 19:47-36.8(a), 19:47-36.8(a)#2, 19:47-36.9(a), 19:47-36.11(a),
/// 19:47-36.11(a)1.
#[test]
fn every_hand_as_dealt_and_after_draws() {
    let (double, triple) = (table(DOUBLE, &[]), table(TRIPLE, &[]));
    for hand in player_hands(Origin::Dealt) {
        // doubling is allowed below 21 with any number of cards, surrender at 21 too; a pair is the first two cards
        let pair = hand.len() == 2 && hand.cards()[0].value() == hand.cards()[1].value();
        let (in_double, in_triple) = match (hand.points(), pair) {
            (22.., _) => ("", ""),
            (21, _) => ("sr", ""),
            (_, true) => ("shdpr", "shdp"),
            (_, false) => ("shdr", "shd"),
        };
        let situation = Situation::fresh(&hand);
        assert_eq!(letters(&double, &situation), in_double, "{hand:?}");
        assert_eq!(letters(&triple, &situation), in_triple, "{hand:?}");
        if hand.points() == 21 {
            // (a)1 names a blackjack and a hard 21; a soft one is not below 21, which (a) asks for
            let soft = hand.len() > 2 && matches!(hand.total(), Total::Soft(_));
            let item = if soft { "" } else { "1" };
            assert_eq!(refused(&double, &situation, Action::Hit), format!("19:47-26.12(a){item}"));
            assert_eq!(refused(&triple, &situation, Action::Hit), format!("19:47-36.11(a){item}"));
        }
    }
    assert_eq!(refused(&triple, &Situation::fresh(&dealt("Kc 6d")), Action::Surrender), "19:47-36.7(g)");
    // 26.10(a), 36.9(a): value decides, not rank
    assert_eq!(letters(&double, &Situation::fresh(&dealt("Kc Jd"))), "shdpr");
}

/// Proves 19:47-26.9(a)#5, 19:47-26.12(a)2, 19:47-26.8(a)#4, 19:47-36.8(a)#5, 19:47-36.11(a)2.
#[test]
fn after_a_double() {
    let (double, triple) = (table(DOUBLE, &[]), table(TRIPLE, &[]));
    let hand = dealt("5c 6d 2h");
    assert_eq!(letters(&double, &doubled(&hand)), "sr");
    assert_eq!(letters(&triple, &doubled(&hand)), "");
    assert_eq!(refused(&double, &doubled(&hand), Action::Hit), "19:47-26.12(a)2");
    assert_eq!(refused(&triple, &doubled(&hand), Action::Hit), "19:47-36.11(a)2");
    let twenty_one = dealt("5c 6d Kh");
    assert_eq!(letters(&double, &doubled(&twenty_one)), "sr");
    let complete = table(DOUBLE, &["rulings.surrender_21=refused"]);
    assert_eq!(letters(&complete, &doubled(&twenty_one)), "");
}

/// Proves 19:47-26.8(a)#3, 19:47-26.9(a)#4, 19:47-36.8(a)#4.
#[test]
fn split_hands_play_like_others() {
    let (double, triple) = (table(DOUBLE, &[]), table(TRIPLE, &[]));
    for hand in player_hands(Origin::Split).iter().filter(|hand| !hand.is_split_ace()) {
        // at the maximum number of hands, so that a pair cannot be split again
        let (in_double, in_triple) = match (hand.points(), hand.len()) {
            (22.., _) => ("", ""),
            // an ace and a ten-value card: not a blackjack, and soft
            (21, 2) => ("sdr", "sd"),
            (21, _) => ("sr", ""),
            _ => ("shdr", "shd"),
        };
        assert_eq!(letters(&double, &Situation::of_split(hand, 4)), in_double, "{hand:?}");
        assert_eq!(letters(&triple, &Situation::of_split(hand, 4)), in_triple, "{hand:?}");
    }
}

/// 26.8(a), 26.9(a), 36.8(a) on a 21: both readings of both.
#[test]
fn a_21_by_ruling() {
    let split_21 = split("Kc Ad");
    for (surrender, double, in_double, in_triple) in [
        ("allowed", "allowed", "sdr", "sd"),
        ("allowed", "refused", "sr", ""),
        ("refused", "allowed", "sd", "sd"),
        ("refused", "refused", "", ""),
    ] {
        let overrides =
            [format!("rulings.surrender_21={surrender}"), format!("rulings.double_split_21={double}")];
        let overrides = overrides.each_ref().map(String::as_str);
        let situation = Situation::of_split(&split_21, 2);
        assert_eq!(letters(&table(DOUBLE, &overrides), &situation), in_double, "{overrides:?}");
        assert_eq!(letters(&table(TRIPLE, &overrides), &situation), in_triple, "{overrides:?}");
    }
}

/// Proves 19:47-26.10(c)#2, 19:47-26.10(c)#3, 19:47-26.10(c)#4, 19:47-36.9(c)#2, 19:47-36.9(c)#3.
#[test]
fn splitting_again() {
    let pair = split("8c 8d");
    for (preset, overrides, most, clause) in [
        (DOUBLE, &["split_hands=4", "positions=6"][..], 4, "19:47-26.10(c)#4"),
        (DOUBLE, &["split_hands=3", "positions=7"], 3, "19:47-26.10(c)#3"),
        (TRIPLE, &["split_hands=4"], 4, "19:47-36.9(c)#3"),
        (TRIPLE, &["split_hands=3"], 3, "19:47-36.9(c)#3"),
    ] {
        let choices = table(preset, overrides);
        for hands in 2..=5 {
            let expected = if hands < most { "ok" } else { clause };
            assert_eq!(refused(&choices, &Situation::of_split(&pair, hands), Action::Split), expected);
        }
    }
}

/// Proves 19:47-26.10(e), 19:47-26.10(e)#2, 19:47-36.9(e), 19:47-36.9(e)#2.
#[test]
fn split_aces() {
    let (double, triple) = (table(DOUBLE, &[]), table(TRIPLE, &[]));
    let ace = split("Ac 5d");
    let situation = Situation::of_split(&ace, 2);
    // Double Attack: one card, then stand or surrender; Triple Attack: one card, then stand or double once
    assert_eq!(letters(&double, &situation), "sr");
    assert_eq!(letters(&triple, &situation), "sd");
    assert_eq!(refused(&double, &situation, Action::Hit), "19:47-26.10(e)");
    assert_eq!(refused(&double, &situation, Action::Double), "19:47-26.10(e)");
    assert_eq!(refused(&triple, &situation, Action::Hit), "19:47-36.9(e)");
    let aces = split("Ac Ad");
    assert_eq!(refused(&double, &Situation::of_split(&aces, 2), Action::Split), "19:47-26.10(e)#2");
    assert_eq!(refused(&triple, &Situation::of_split(&aces, 2), Action::Split), "19:47-36.9(e)");
    let third = split("Ac 5d 3h");
    let after = Situation { doubled: Doubled::Yes, ..Situation::of_split(&third, 2) };
    assert_eq!(letters(&triple, &after), "");
}

/// 26.8(a) against 26.10(e), 26.9(a) against 26.10(e): both readings of both.
#[test]
fn split_aces_by_ruling() {
    let ace = split("Ac 5d");
    for (surrender, double, open) in [
        ("allowed", "refused", "sr"),
        ("refused", "refused", ""),
        ("allowed", "allowed", "sdr"),
        ("refused", "allowed", "sd"),
    ] {
        let overrides = [
            format!("rulings.split_ace_surrender={surrender}"),
            format!("rulings.split_ace_double={double}"),
        ];
        let choices = table(DOUBLE, &overrides.each_ref().map(String::as_str));
        assert_eq!(letters(&choices, &Situation::of_split(&ace, 2)), open, "{overrides:?}");
    }
}
