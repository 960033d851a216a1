//! What a Blackjack Switch player may do with a hand, in both states: 2A.7, 2A.9 to 2A.12, MA 7, 9 to 12.

use crate::play_blackjack::{doubled, letters, refused};
use crate::settle::player_hands;
use crate::{dealt, split, switched, table};
use rules::play::{Action, Situation};
use rules::{Choices, Hand, Origin};

const BOTH: [&str; 2] = ["nj-switch", "ma-switch"];

/// Asserts which clause refuses, by the number in each state.
fn refuses(overrides: &[&str], hand: &Hand, hands: u8, action: Action, nj: &str, ma: &str) {
    for (preset, clause) in BOTH.into_iter().zip([nj, ma]) {
        let choices = table(preset, overrides);
        let situation = if hands == 1 { Situation::fresh(hand) } else { Situation::of_split(hand, hands) };
        assert_eq!(refused(&choices, &situation, action), clause, "{preset}: {hand:?}");
    }
}

/// Proves 19:47-2A.10(a), 19:47-2A.11(a), 19:47-2A.11(a)#2, 19:47-2A.12(a), 19:47-2A.12(a)1, 19:47-2A.9(a),
/// MA-BJS 10(a), MA-BJS 11(a), MA-BJS 11(a)#2, MA-BJS 12(a), MA-BJS 12(a)(1), MA-BJS 9(a).
#[test]
fn two_cards_dealt_or_switched() {
    for preset in BOTH {
        let choices = table(preset, &["surrender=true"]);
        for (cards, open) in [("5c 6d", "shdr"), ("8c 8d", "shdpr"), ("Tc Kd", "shdpr"), ("As 6d", "shdr")] {
            assert_eq!(letters(&choices, &Situation::fresh(&dealt(cards))), open, "{cards}");
            assert_eq!(letters(&choices, &Situation::fresh(&switched(cards))), open, "{cards} switched");
        }
        let blackjack = dealt("As Kd");
        assert_ne!(refused(&choices, &Situation::fresh(&blackjack), Action::Double), "ok");
        assert_ne!(refused(&choices, &Situation::fresh(&blackjack), Action::Hit), "ok");
    }
    refuses(&[], &dealt("8c 9d"), 1, Action::Split, "19:47-2A.11(a)", "MA-BJS 11(a)");
    refuses(&[], &switched("8c 9d"), 1, Action::Split, "19:47-2A.11(a)#2", "MA-BJS 11(a)#2");
    refuses(&[], &switched("As Kd"), 1, Action::Hit, "19:47-2A.12(a)1", "MA-BJS 12(a)(1)");
    refuses(&[], &dealt("As Kd"), 1, Action::Double, "19:47-2A.10(a)", "MA-BJS 10(a)");
}

/// A9: 2A.10(a) excludes only a blackjack from doubling, 2A.12(a)1 forbids drawing to any 21.
#[test]
fn doubling_a_switched_21() {
    let hand = switched("As Kd");
    refuses(&[], &hand, 1, Action::Double, "19:47-2A.10(a)", "MA-BJS 10(a)");
    let literal = &["rulings.double_two_card_21=allowed"];
    refuses(literal, &hand, 1, Action::Double, "ok", "ok");
    refuses(literal, &dealt("As Kd"), 1, Action::Double, "19:47-2A.10(a)", "MA-BJS 10(a)");
}

/// Proves 19:47-2A.12(a), 19:47-2A.12(a)1, MA-BJS 12(a), MA-BJS 12(a)(1).
#[test]
fn every_hand_after_a_draw() {
    for preset in BOTH {
        let choices = table(preset, &["surrender=true"]);
        for hand in player_hands(Origin::Switched).iter().filter(|hand| hand.len() > 2) {
            let open = if hand.points() < 21 { "sh" } else { "" };
            assert_eq!(letters(&choices, &Situation::fresh(hand)), open, "{hand:?}");
        }
    }
    refuses(
        &["surrender=true"],
        &dealt("5c 6d 2h"),
        1,
        Action::Surrender,
        "19:47-2A.9(a)#2",
        "MA-BJS 9(a)#2",
    );
}

/// Proves 19:47-2A.10(b), 19:47-2A.12(a)2, MA-BJS 10(b), MA-BJS 12(a)(2).
#[test]
fn a_doubled_hand_is_finished() {
    for (preset, clause) in BOTH.into_iter().zip(["19:47-2A.12(a)2", "MA-BJS 12(a)(2)"]) {
        let choices = table(preset, &[]);
        let hand = dealt("5c 6d 2h");
        assert_eq!(letters(&choices, &doubled(&hand)), "");
        assert_eq!(refused(&choices, &doubled(&hand), Action::Hit), clause);
    }
}

/// Proves 19:47-2A.11(c)#2, 19:47-2A.11(c)1, 19:47-2A.11(c)2, MA-BJS 11(c)#2, MA-BJS 11(c)(1), MA-BJS 11(c)(2).
#[test]
fn split_hands() {
    for preset in BOTH {
        let choices = table(preset, &["surrender=true"]);
        for (cards, open) in
            [("8c 3d", "shd"), ("8c 8d", "shd"), ("8c 3d 2h", "sh"), ("Ac 5d", ""), ("Ac Kd", "")]
        {
            assert_eq!(letters(&choices, &Situation::of_split(&split(cards), 2)), open, "{cards}");
        }
    }
    refuses(&[], &split("8c 8d"), 2, Action::Split, "19:47-2A.11(c)1", "MA-BJS 11(c)(1)");
    refuses(&[], &split("Ac 5d"), 2, Action::Hit, "19:47-2A.11(c)2", "MA-BJS 11(c)(2)");
    refuses(&[], &split("Ac 5d"), 2, Action::Double, "19:47-2A.11(c)2", "MA-BJS 11(c)(2)");
    refuses(&["surrender=true"], &split("8c 9d"), 2, Action::Surrender, "19:47-2A.11(c)", "MA-BJS 11(c)");
}

/// Proves 19:47-2A.11(e), 19:47-2A.11(e)#2, 19:47-2A.11(e)#4, MA-BJS 11(e), MA-BJS 11(e)#2, MA-BJS 11(e)#4.
#[test]
fn splitting_again() {
    let pair = split("8c 8d");
    for hands in 2..=3 {
        refuses(&["split_hands=4"], &pair, hands, Action::Split, "ok", "ok");
    }
    refuses(&["split_hands=4"], &pair, 4, Action::Split, "19:47-2A.11(e)", "MA-BJS 11(e)");
    let aces = split("Ac Ad");
    refuses(&["split_hands=4"], &aces, 2, Action::Split, "19:47-2A.11(e)#2", "MA-BJS 11(e)#2");
    refuses(&["split_hands=4", "resplit_aces=true"], &aces, 2, Action::Split, "ok", "ok");
    for preset in BOTH {
        let choices: Choices = table(preset, &["split_hands=4"]);
        assert_eq!(letters(&choices, &Situation::of_split(&split("8c 3d"), 4)), "shd");
    }
}

/// Proves 19:47-2A.9(c), MA-BJS 9(c).
#[test]
fn surrender() {
    let hand = dealt("Tc 6d");
    refuses(&[], &hand, 1, Action::Surrender, "19:47-2A.9(c)", "MA-BJS 9(c)");
    refuses(&["surrender=true"], &hand, 1, Action::Surrender, "ok", "ok");
    // A5: each hand by itself, or both before any other decision
    for (ruling, expected) in [("per-hand", "ok"), ("before-both-hands", "19:47-2A.9(a)#2")] {
        let choices = table("nj-switch", &["surrender=true", &format!("rulings.surrender_timing={ruling}")]);
        let second = Situation { other_hand_played: true, ..Situation::fresh(&hand) };
        assert_eq!(refused(&choices, &second, Action::Surrender), expected);
        assert_eq!(refused(&choices, &Situation::fresh(&hand), Action::Surrender), "ok");
    }
}

/// Proves 19:47-2A.1 "Switch", MA-BJS 1 "Switch", 19:47-2A.7(g)1, MA-BJS 7(g)(1), 19:47-2A.7(g)2, MA-BJS 7(g)(2).
#[test]
fn a_switch_exchanges_the_second_cards_and_can_be_undone() {
    for (first, second, switched_first, switched_second) in [
        ("8s 3c", "Kd 9h", "8s 9h", "Kd 3c"),
        ("As 9c", "8d Kh", "As Kh", "8d 9c"),
        ("As Kc", "Ad Qh", "As Qh", "Ad Kc"),
    ] {
        let hands = Hand::switched(&dealt(first), &dealt(second));
        assert_eq!(hands, [switched(switched_first), switched(switched_second)]);
        assert!(hands.iter().all(|hand| !hand.is_blackjack()));
        let restored = Hand::restored(&hands[0], &hands[1]);
        assert_eq!(restored, [dealt(first), dealt(second)]);
    }
    assert!(Hand::restored(&switched("As Qh"), &switched("Ad Kc")).iter().all(Hand::is_blackjack));
}
