//! What a blackjack player may do with a hand: 2.8, 2.10, 2.11, 2.12, 2.6(k).

use crate::settle::player_hands;
use crate::{dealt, split, table};
use rules::play::{Action, Doubled, Situation, actions, allows};
use rules::{Choices, Hand, Origin};

/// Returns the available actions as letters: stand, hit, double, sPlit, surrendeR.
pub fn letters(choices: &Choices, situation: &Situation<'_>) -> String {
    let open = actions(choices, situation);
    open.iter()
        .map(|action| match action {
            Action::Stand => 's',
            Action::Hit => 'h',
            Action::Double => 'd',
            Action::Split => 'p',
            Action::Surrender => 'r',
        })
        .collect()
}

pub fn doubled(hand: &Hand) -> Situation<'_> {
    Situation { doubled: Doubled::Yes, ..Situation::fresh(hand) }
}

/// Returns the id of the refusing clause, or `ok`.
pub fn refused(choices: &Choices, situation: &Situation<'_>, action: Action) -> &'static str {
    match allows(choices, situation, action) {
        Ok(_) => "ok",
        Err(refusal) => refusal.by.id(),
    }
}

/// Proves 19:47-2.10(a), 19:47-2.11(a), 19:47-2.12(a), 19:47-2.12(a)1, 19:47-2.8(a).
#[test]
fn the_first_two_cards() {
    let choices = table("nj-blackjack", &["surrender=true"]);
    for (cards, open) in [
        ("5c 6d", "shdr"),
        ("As 6d", "shdr"),
        ("8c 8d", "shdpr"),
        ("Tc Kd", "shdpr"),
        ("Ac Ad", "shdpr"),
        ("9c Kd", "shdr"),
        ("As Kd", ""),
        ("Kd As", ""),
    ] {
        assert_eq!(letters(&choices, &Situation::fresh(&dealt(cards))), open, "{cards}");
    }
}

/// Proves 19:47-2.12(a), 19:47-2.12(a)1, 19:47-2.10(a), 19:47-2.8(a)#2.
#[test]
fn every_hand_after_a_draw() {
    let choices = table("nj-blackjack", &["surrender=true"]);
    for hand in player_hands(Origin::Dealt).iter().filter(|hand| hand.len() > 2) {
        let open = if hand.points() < 21 { "sh" } else { "" };
        assert_eq!(letters(&choices, &Situation::fresh(hand)), open, "{hand:?}");
        let refused = |action| refused(&choices, &Situation::fresh(hand), action);
        if hand.points() < 21 {
            assert_eq!(refused(Action::Double), "19:47-2.10(a)");
            assert_eq!(refused(Action::Surrender), "19:47-2.8(a)#2");
        } else if hand.points() == 21 {
            assert_eq!(refused(Action::Hit), "19:47-2.12(a)1");
        }
        assert_eq!(refused(Action::Split), "19:47-2.11(a)");
    }
}

/// Proves 19:47-2.10(a)#4, 19:47-2.12(a)2.
#[test]
fn a_doubled_hand_is_finished() {
    let choices = table("nj-blackjack", &["surrender=true"]);
    let hand = dealt("5c 6d 2h");
    assert_eq!(letters(&choices, &doubled(&hand)), "");
    assert_eq!(refused(&choices, &doubled(&hand), Action::Hit), "19:47-2.12(a)2");
    assert_eq!(refused(&choices, &doubled(&hand), Action::Double), "19:47-2.10(a)");
}

/// Proves 19:47-2.10(a)#2, 19:47-2.11(c)1, 19:47-2.11(c)2, 19:47-2.12(a)3.
#[test]
fn split_hands() {
    let choices = table("nj-blackjack", &["split_hands=2", "surrender=true"]);
    for (cards, open) in [
        ("8c", "sh"),
        ("8c 3d", "shd"),
        ("8c 8d", "shd"),
        ("8c 3d 2h", "sh"),
        ("Kc As", ""),
        ("Ac 5d", ""),
        ("Ac Kd", ""),
        ("Ac Ad", ""),
    ] {
        let hand = split(cards);
        // a hand of one card has no decision yet, but asking must not fail
        let found = letters(&choices, &Situation::of_split(&hand, 2));
        if hand.len() > 1 {
            assert_eq!(found, open, "{cards}");
        }
    }
    let refused = |cards, action| refused(&choices, &Situation::of_split(&split(cards), 2), action);
    assert_eq!(refused("8c 8d", Action::Split), "19:47-2.11(c)1");
    assert_eq!(refused("Ac 5d", Action::Hit), "19:47-2.11(c)2");
    assert_eq!(refused("Ac 5d", Action::Double), "19:47-2.11(c)2");
    assert_eq!(refused("8c 3d", Action::Surrender), "19:47-2.8(a)");
}

/// Proves 19:47-2.11(e), 19:47-2.11(e)#2, 19:47-2.11(e)#5, 19:47-2.11(e)#6.
#[test]
fn splitting_again() {
    let pair = split("8c 8d");
    for (overrides, most, clause) in [
        (&["split_hands=4"][..], 4, "19:47-2.11(e)"),
        (&["split_hands=3"], 3, "19:47-2.11(e)"),
        (&["split_hands=3", "positions=7"], 3, "19:47-2.11(e)#2"),
        (&["split_hands=2"], 2, "19:47-2.11(c)1"),
    ] {
        let choices = table("nj-blackjack", overrides);
        for hands in 2..=6 {
            let expected = if hands < most { "ok" } else { clause };
            let situation = Situation::of_split(&pair, hands);
            assert_eq!(
                refused(&choices, &situation, Action::Split),
                expected,
                "{overrides:?}, {hands} hands"
            );
        }
    }
    let aces = split("Ac Ad");
    let once = table("nj-blackjack", &["split_hands=4"]);
    assert_eq!(refused(&once, &Situation::of_split(&aces, 2), Action::Split), "19:47-2.11(e)#5");
    let again = table("nj-blackjack", &["split_hands=4", "resplit_aces=true"]);
    assert_eq!(letters(&again, &Situation::of_split(&aces, 2)), "sp");
    assert_eq!(letters(&again, &Situation::of_split(&aces, 4)), "");
    // other rules apply to every further hand
    assert_eq!(letters(&once, &Situation::of_split(&split("8c 3d"), 4)), "shd");
}

/// Proves 19:47-2.6(k)4, 19:47-2.6(k)5.
#[test]
fn hole_card_face_up() {
    let choices = table("nj-blackjack-face-up", &[]);
    let allowed = table("nj-blackjack-face-up", &["rulings.face_up_soft_doubles=allowed"]);
    for hand in player_hands(Origin::Dealt).iter().filter(|hand| hand.len() == 2) {
        let total = hand.total();
        let hard = !total.is_soft() && (9..=11).contains(&total.points());
        let soft = total.is_soft() && (19..=20).contains(&total.points());
        let situation = Situation::fresh(hand);
        let expected = |open| if open { "ok" } else { "19:47-2.6(k)4" };
        if hand.points() < 21 {
            assert_eq!(refused(&choices, &situation, Action::Double), expected(hard), "{hand:?}");
            assert_eq!(refused(&allowed, &situation, Action::Double), expected(hard || soft), "{hand:?}");
        }
    }
    assert_eq!(refused(&choices, &Situation::fresh(&dealt("Tc 6d")), Action::Surrender), "19:47-2.6(k)3");
    let pair = split("8c 8d");
    assert_eq!(refused(&choices, &Situation::of_split(&pair, 2), Action::Split), "19:47-2.6(k)5");
}

/// Proves 19:47-2.8(c), 19:47-2.8(c)#2, 19:47-2.8(c)#3, 19:47-2.10(d), 19:47-2.18(c)#2.
#[test]
fn what_a_table_does_not_offer() {
    let hand = dealt("Tc 6d");
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.8(c)"),
        ("nj-multiple-action", "19:47-2.8(c)#2"),
        ("nj-six-to-five", "19:47-2.8(c)#3"),
    ] {
        let choices = table(preset, &[]);
        assert_eq!(refused(&choices, &Situation::fresh(&hand), Action::Surrender), clause);
        assert_eq!(letters(&choices, &Situation::fresh(&dealt("8c 8d"))), "shdp");
    }
    let prohibited = table("nj-six-to-five", &["double_after_split=false"]);
    let after_split = split("8c 3d");
    assert_eq!(refused(&prohibited, &Situation::of_split(&after_split, 2), Action::Double), "19:47-2.10(d)");
    assert_eq!(refused(&prohibited, &Situation::fresh(&dealt("8c 3d")), Action::Double), "ok");
    let multiple = table("nj-multiple-action", &[]);
    assert_eq!(
        refused(&multiple, &Situation::of_split(&split("8c 8d"), 2), Action::Split),
        "19:47-2.11(e)#4"
    );
}

/// A busted hand has no decisions left, in any game, whatever its origin.
#[test]
fn a_busted_hand_decides_nothing() {
    for (preset, _) in rules::preset::PRESETS {
        let choices = table(preset, &[]);
        for origin in [Origin::Dealt, Origin::Split, Origin::Switched] {
            for hand in player_hands(origin).iter().filter(|hand| hand.is_bust()) {
                assert_eq!(letters(&choices, &Situation::fresh(hand)), "", "{preset}: {hand:?}");
                for action in Action::ALL {
                    assert_ne!(refused(&choices, &Situation::fresh(hand), action), "ok");
                }
            }
        }
    }
}
