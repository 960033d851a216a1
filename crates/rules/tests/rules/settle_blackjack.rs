//! Settlement of blackjack: section 5 of the notes, from 2.3, 2.6(k), 2.7 and 2.16.

use crate::settle::{Row, class, holds, nj};
use crate::{card, dealt, split, table};
use rules::settle::{self, Outcome, Stake, SurrenderTo};
use rules::{Clause, Odds, Origin, Rank, Suit};

const ORIGINS: [Origin; 2] = [Origin::Dealt, Origin::Split];

#[rustfmt::skip]
const STANDARD: [Row; 5] = [
    //              blackjack      21           lower        equal       higher  22           23+
    ("blackjack",  ["P 2.7(b)#3",  "3/2 2.7*",  "3/2 2.7*",  "-",        "-",    "3/2 2.7*",  "3/2 2.7*"]),
    ("split A-T",  ["L 2.3(b)#2",  "W 2.3(a)3", "W 2.3(a)2", "-",        "-",    "W 2.3(a)1", "W 2.3(a)1"]),
    ("21",         ["L 2.3(b)#2",  "P 2.3(b)",  "W 2.3(a)2", "-",        "-",    "W 2.3(a)1", "W 2.3(a)1"]),
    ("20 or less", ["L",           "L",         "W 2.3(a)2", "P 2.3(b)", "L",    "W 2.3(a)1", "W 2.3(a)1"]),
    ("over 21",    ["L",           "L",         "L",         "L",        "L",    "L",         "L"]),
];

/// Proves 19:47-2.3(a), 19:47-2.3(a)1, 19:47-2.3(a)2, 19:47-2.3(a)3, 19:47-2.3(b), 19:47-2.3(b)#2, 19:47-2.3(e)#2,
/// 19:47-2.3(e)#3, 19:47-2.7(a), 19:47-2.7(b)#2, 19:47-2.7(b)#3, 19:47-2.6(j)1.
#[test]
fn standard_blackjack() {
    for hole_card in ["hole_card=none", "hole_card=down", "hole_card=reader"] {
        holds(&table("nj-blackjack", &[hole_card]), &ORIGINS, class, &STANDARD, nj);
    }
}

/// The other reading of 2.3(a)3: a split ace and ten-value card against a drawn 21 is an equal score.
#[test]
fn standard_blackjack_split_21_pushes() {
    let choices = table("nj-blackjack", &["rulings.split_two_card_21=push"]);
    let mut rows = STANDARD;
    rows[1].1[1] = "P 2.3(b)";
    holds(&choices, &ORIGINS, class, &rows, nj);
}

/// Proves 19:47-2.3(e)#4.
#[test]
fn six_to_five() {
    let mut rows = STANDARD;
    for cell in [1, 2, 5, 6] {
        rows[0].1[cell] = "6/5 2.3(e)#4";
    }
    rows[4].1 = ["L 2.6A(e)3"; 7];
    holds(&table("nj-six-to-five", &[]), &ORIGINS, class, &rows, nj);
}

/// Proves 19:47-2.18(f)#2.
#[test]
fn multiple_action() {
    let mut rows = STANDARD;
    rows[4].1 = ["L 2.18(f)#2"; 7];
    holds(&table("nj-multiple-action", &[]), &ORIGINS, class, &rows, nj);
}

#[rustfmt::skip]
const FACE_UP: [Row; 5] = [
    //              blackjack        21              lower          equal          higher  22             23+
    ("blackjack",  ["W 2.6(k)1#2",   "W 2.6(k)2",    "W 2.6(k)2",   "-",           "-",    "W 2.6(k)2",   "W 2.6(k)2"]),
    ("split A-T",  ["L 2.6(k)6",     "W 2.3(a)3",    "W 2.3(a)2",   "-",           "-",    "W 2.3(a)1",   "W 2.3(a)1"]),
    ("21",         ["L 2.6(k)6",     "L 2.6(k)1",    "W 2.3(a)2",   "-",           "-",    "W 2.3(a)1",   "W 2.3(a)1"]),
    ("20 or less", ["L 2.6(k)6",     "L",            "W 2.3(a)2",   "L 2.6(k)1",   "L",    "W 2.3(a)1",   "W 2.3(a)1"]),
    ("over 21",    ["L",             "L",            "L",           "L",           "L",    "L",           "L"]),
];

/// Proves 19:47-2.6(k)#4, 19:47-2.6(k)1, 19:47-2.6(k)1#2, 19:47-2.6(k)2, 19:47-2.6(k)6.
#[test]
fn hole_card_face_up() {
    holds(&table("nj-blackjack-face-up", &[]), &ORIGINS, class, &FACE_UP, nj);
    let mut rows = FACE_UP;
    rows[1].1[1] = "L 2.6(k)1";
    let split_only = table("nj-blackjack-face-up", &["rulings.split_two_card_21=push"]);
    holds(&split_only, &ORIGINS, class, &rows, nj);
    rows[0].1[1] = "L 2.6(k)1";
    let proviso = table("nj-blackjack-face-up", &["rulings.face_up_blackjack_v_21=loses"]);
    holds(&proviso, &ORIGINS, class, &rows, nj);
}

fn main_wager(preset: &str, overrides: &[&str], player: &str, dealer: &str) -> (Outcome, &'static str) {
    let verdict = settle::compare(&table(preset, overrides), &dealt(player), &dealt(dealer), Stake::Main);
    (verdict.outcome, verdict.by.id())
}

fn win(pays: u32, per: u32) -> Outcome {
    Outcome::Win(Odds::new(pays, per))
}

/// Proves 19:47-2.3(e)1, 19:47-2.3(e)2, 19:47-2.3(e)#5.
#[test]
fn special_odds_of_three_cards() {
    let offered = &["bonus_payouts=[\"suited-678\", \"three-sevens\"]"];
    for (player, expected) in [
        ("6h 7h 8h", (win(2, 1), "19:47-2.3(e)1")),
        ("8s 6s 7s", (win(2, 1), "19:47-2.3(e)1")),
        ("6h 7h 8d", (win(1, 1), "19:47-2.3(a)2")),
        ("7c 7d 7h", (win(3, 2), "19:47-2.3(e)2")),
        ("7s 7s 7s", (win(3, 2), "19:47-2.3(e)2")),
        ("5h 7h 9h", (win(1, 1), "19:47-2.3(a)2")),
        ("6h 7h 8h 8d", (Outcome::Lose, "19:47-2.3(a)")),
    ] {
        assert_eq!(main_wager("nj-blackjack", offered, player, "Kd 9c"), expected, "{player}");
    }
    // only winning hands: an equal 21 is void, and nothing is paid unless chosen
    assert_eq!(main_wager("nj-blackjack", offered, "6h 7h 8h", "Kd 5c 6c"), (Outcome::Push, "19:47-2.3(b)"));
    assert_eq!(main_wager("nj-blackjack", &[], "7c 7d 7h", "Kd 9c"), (win(1, 1), "19:47-2.3(a)2"));
}

/// Proves 19:47-2.3(e)3.
#[test]
fn every_blackjack_against_one_designated() {
    for ace in Suit::ALL {
        for face in [Rank::Jack, Rank::Queen, Rank::King] {
            let designated = format!("blackjack:A{} {}s", ace.letter(), face.letter());
            let overrides = [format!("bonus_payouts=[{designated:?}]")];
            let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
            for rank in [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King] {
                for suit in Suit::ALL {
                    let ten = format!("{}{}", rank.letter(), suit.letter());
                    let hand = format!("{ten} A{}", ace.letter());
                    let expected = if rank == face && suit == Suit::Spades { win(2, 1) } else { win(3, 2) };
                    let found = main_wager("nj-blackjack", &overrides, &hand, "Kd 9c").0;
                    assert_eq!(found, expected, "{hand}, {designated}");
                }
            }
        }
    }
    let offered = &["bonus_payouts=[\"blackjack:As Ks\"]"];
    assert_eq!(main_wager("nj-blackjack", offered, "As Ks", "Ad Kc").0, Outcome::Push);
    assert_eq!(main_wager("nj-blackjack-face-up", offered, "As Ks", "Ad Kc").0, win(2, 1));
    assert_eq!(main_wager("nj-blackjack-face-up", offered, "As Qs", "7d Kc").0, win(1, 1));
}

/// Proves 19:47-2.3(e)4, 19:47-2.16(a), 19:47-2.16(b), 19:47-2.16(b)#2, 19:47-2.16(c).
#[test]
fn five_cards_totalling_21() {
    let offered = &["bonus_payouts=[\"five-card-21\"]"];
    let five = "2c 3d 4h 5s 7c";
    for (player, dealer, expected) in [
        (five, "Kd 9c", (win(2, 1), "19:47-2.16(a)")),
        (five, "Kd 6c Qh", (win(2, 1), "19:47-2.16(a)")),
        (five, "Kd 5c 6h", (Outcome::Push, "19:47-2.16(b)#2")),
        (five, "Kd As", (Outcome::Lose, "19:47-2.3(b)#2")),
        ("2c 3d 4h 5s 6c As", "Kd 9c", (win(1, 1), "19:47-2.3(a)2")),
        ("2c 3d 4h 5s 6c", "Kd 9c", (win(1, 1), "19:47-2.3(a)2")),
        ("2c 3d 4h 2s As 9c", "Kd 9c", (win(1, 1), "19:47-2.3(a)2")),
    ] {
        assert_eq!(main_wager("nj-blackjack", offered, player, dealer), expected, "{player} v {dealer}");
    }
    assert_eq!(main_wager("nj-blackjack", &[], five, "Kd 9c").0, win(1, 1));
    // with the hole card face up, 2.6(k)1 takes precedence over the void of 2.16(b)
    assert_eq!(
        main_wager("nj-blackjack-face-up", offered, five, "Kd 5c 6h"),
        (Outcome::Lose, "19:47-2.6(k)1")
    );
}

/// Whether special odds are paid on doubling money is a ruling on 2.3(e): the whole stake, or the original part.
#[test]
fn special_odds_on_doubling_money() {
    let offered = "bonus_payouts=[\"three-sevens\"]";
    let (player, dealer) = (dealt("7c 7d 7h"), dealt("Kd 9c"));
    for (reading, on_double) in [("whole-stake", win(3, 2)), ("original", win(1, 1))] {
        let choices = table("nj-blackjack", &[offered, &format!("rulings.special_odds_on={reading}")]);
        assert_eq!(settle::compare(&choices, &player, &dealer, Stake::Main).outcome, win(3, 2));
        assert_eq!(settle::compare(&choices, &player, &dealer, Stake::Double).outcome, on_double);
    }
}

/// A split hand's 21 is never a standard blackjack, whatever is designated.
#[test]
fn a_split_hand_has_no_blackjack_odds() {
    let choices = table("nj-blackjack", &["bonus_payouts=[\"blackjack:As Ks\"]"]);
    let verdict = settle::compare(&choices, &split("As Ks"), &dealt("Kd 9c"), Stake::Main);
    assert_eq!(verdict.outcome, Outcome::Win(Odds::EVEN));
}

/// Proves 19:47-2.9(a)#2, 19:47-2.9(a)#3, 19:47-2.9(c).
#[test]
fn insurance_on_every_second_card() {
    let choices = table("nj-blackjack", &[]);
    for second in rules::Deck::FIFTY_TWO.cards() {
        let verdict = settle::insurance(&choices, card("As"), second);
        let ten = "TJQK".contains(second.rank().letter());
        let expected = if ten { win(2, 1) } else { Outcome::Lose };
        assert_eq!(verdict.outcome, expected, "{second}");
    }
}

/// Proves 19:47-2.7(c).
#[test]
fn even_money_pays_1_to_1() {
    let verdict = settle::even_money();
    assert_eq!((verdict.outcome, verdict.by), (win(1, 1), Clause::cited("19:47-2.7(c)")));
}

/// Proves 19:47-2.8(a), 19:47-2.8(a)1, 19:47-2.8(a)2#2.
#[test]
fn surrender_takes_half_or_all() {
    let choices = table("nj-blackjack", &["surrender=true"]);
    for (to, outcome, by) in [
        (SurrenderTo::LowCard, Outcome::LoseHalf, "19:47-2.8(a)1"),
        (SurrenderTo::NoBlackjack, Outcome::LoseHalf, "19:47-2.8(a)2#2"),
        (SurrenderTo::Blackjack, Outcome::Lose, "19:47-2.8(a)2#2"),
    ] {
        let verdict = settle::surrender(&choices, to, Stake::Main);
        assert_eq!((verdict.outcome, verdict.by.id()), (outcome, by));
    }
}

/// Proves 19:47-2.12(c).
#[test]
fn which_hands_the_dealer_draws_for() {
    let choices = table("nj-blackjack", &[]);
    assert!(!settle::depends_on_dealer(&choices, &dealt("Kc 9d 5h")));
    assert!(!settle::depends_on_dealer(&choices, &dealt("As Kd")));
    assert!(settle::depends_on_dealer(&choices, &split("As Kd")));
    assert!(settle::depends_on_dealer(&choices, &dealt("7c 7d 7h")));
    assert!(settle::depends_on_dealer(&choices, &dealt("Kc 2d")));
    let literal = table("nj-blackjack-face-up", &["rulings.face_up_blackjack_v_21=loses"]);
    assert!(settle::depends_on_dealer(&literal, &dealt("As Kd")));
}
