//! Settlement of Double Attack and Triple Attack: sections 2 and 3 of the notes, from 26.5, 26.8, 26.11, 36.5, 36.10.

use crate::settle::{COLUMNS, Row, class, column, dealer_hands, holds, nj, player_hands};
use crate::{card, dealt, split, table};
use rules::settle::{self, Outcome, Stake, SurrenderTo};
use rules::{Hand, Odds, Origin};

const ORIGINS: [Origin; 2] = [Origin::Dealt, Origin::Split];

#[rustfmt::skip]
const DOUBLE_ATTACK: [Row; 5] = [
    //              blackjack        21             lower          equal        higher  22             23+
    ("blackjack",  ["P 26.5(b)#2",   "W 26.5(a)3",  "W 26.5(a)2",  "-",         "-",    "W 26.5(a)1",  "W 26.5(a)1"]),
    ("split A-T",  ["L 26.5(b)#3",   "P 26.5(b)",   "W 26.5(a)2",  "-",         "-",    "W 26.5(a)1",  "W 26.5(a)1"]),
    ("21",         ["L 26.5(b)#3",   "P 26.5(b)",   "W 26.5(a)2",  "-",         "-",    "W 26.5(a)1",  "W 26.5(a)1"]),
    ("20 or less", ["L 26.5(b)#3",   "L",           "W 26.5(a)2",  "P 26.5(b)", "L",    "W 26.5(a)1",  "W 26.5(a)1"]),
    ("over 21",    ["L",             "L",           "L",           "L",         "L",    "L",           "L"]),
];

/// Proves 19:47-26.5(a)1, 19:47-26.5(a)2, 19:47-26.5(a)3, 19:47-26.5(b), 19:47-26.5(b)#2, 19:47-26.5(b)#3,
/// 19:47-26.5(e)#2, 19:47-26.7(i)#6, 19:47-26.9(b).
#[test]
fn double_attack() {
    for hole_card in ["hole_card=none", "hole_card=down", "hole_card=reader"] {
        holds(&table("nj-double-attack", &[hole_card]), &ORIGINS, class, &DOUBLE_ATTACK, nj);
    }
}

/// The clauses are paragraphs of 36.5.
#[rustfmt::skip]
const TRIPLE_ATTACK: [Row; 5] = [
    //              blackjack   21         lower      equal      higher     22          23+
    ("blackjack",  ["W (b)",    "W (b)",   "W (b)",   "-",       "-",       "W (b)",    "W (b)"]),
    ("21",         ["W (b)",    "W (b)",   "W (b)",   "-",       "-",       "W (b)",    "W (b)"]),
    ("six cards",  ["W (b)#2",  "W (b)#2", "W (b)#2", "W (b)#2", "W (b)#2", "W (b)#2",  "W (b)#2"]),
    ("20 or less", ["L",        "L",       "W (c)",   "P (d.1)", "L",       "P (d.1)#2", "W (c)#2"]),
    ("over 21",    ["L (a)",    "L (a)",   "L (a)",   "L (a)",   "L (a)",   "L (a)",    "L (a)"]),
];

fn paragraph(paragraph: &str) -> String {
    nj(&format!("36.5{paragraph}"))
}

fn triple_class(hand: &Hand) -> &'static str {
    match (hand.points(), hand.len(), hand.origin()) {
        (22.., ..) => "over 21",
        (21, 2, Origin::Dealt) => "blackjack",
        (21, ..) => "21",
        (_, 6.., _) => "six cards",
        _ => "20 or less",
    }
}

/// Proves 19:47-36.5(a), 19:47-36.5(b), 19:47-36.5(b)#2, 19:47-36.5(c), 19:47-36.5(c)#2, 19:47-36.5(d.1),
/// 19:47-36.5(d.1)#2, 19:47-36.5(e.2)#3, 19:47-36.7(k)#5, 19:47-36.8(b).
#[test]
fn triple_attack() {
    for hole_card in ["hole_card=down", "hole_card=reader"] {
        holds(&table("nj-triple-attack", &[hole_card]), &ORIGINS, triple_class, &TRIPLE_ATTACK, paragraph);
    }
}

/// The other reading of 36.5(b): a dealer's blackjack beats anything but a blackjack.
#[test]
fn triple_attack_a_blackjack_beats_21_by_ruling() {
    let choices = table("nj-triple-attack", &["rulings.winning_hand_v_dealer_blackjack=loses"]);
    let mut rows = TRIPLE_ATTACK;
    rows[1].1[0] = "L";
    rows[2].1[0] = "L";
    holds(&choices, &ORIGINS, triple_class, &rows, paragraph);
}

/// All attack bets are settled like the required bet, as long as the dealer has no blackjack.
#[test]
fn attack_wagers_follow_the_hand() {
    for (preset, stakes) in [
        ("nj-double-attack", &[Stake::Attack][..]),
        ("nj-triple-attack", &[Stake::SecondAttack, Stake::ThirdAttack]),
    ] {
        let choices = table(preset, &[]);
        let dealers = dealer_hands();
        for player in player_hands(Origin::Dealt) {
            for dealer in dealers.iter().filter(|dealer| column(&player, dealer) < COLUMNS) {
                let main = settle::compare(&choices, &player, dealer, Stake::Main);
                for &stake in stakes {
                    assert_eq!(settle::compare(&choices, &player, dealer, stake), main);
                }
            }
        }
    }
}

/// Proves 19:47-26.11(a)#2, 19:47-26.11(a)#3, 19:47-26.11(c), 19:47-36.10(a)#2, 19:47-36.10(a)#3, 19:47-36.10(c),
/// 19:47-36.10(c)#2.
#[test]
fn insurance_on_every_second_card() {
    let (double, triple) = (table("nj-double-attack", &[]), table("nj-triple-attack", &[]));
    for up in ["Ac", "Ad", "Ah", "As"].map(card) {
        for second in rules::Deck::FORTY_EIGHT.cards() {
            let face = "JQK".contains(second.rank().letter());
            let suited = second.suit() == up.suit();
            let expected = if face { Outcome::Win(Odds::new(5, 2)) } else { Outcome::Lose };
            assert_eq!(settle::insurance(&double, up, second).outcome, expected, "{up} {second}");
            let expected = match (face, suited) {
                (true, true) => Outcome::Win(Odds::to_1(5)),
                (true, false) => Outcome::Win(Odds::to_1(2)),
                (false, _) => Outcome::Lose,
            };
            assert_eq!(settle::insurance(&triple, up, second).outcome, expected, "{up} {second}");
        }
    }
}

/// Proves 19:47-26.8(a), 19:47-26.8(a)1, 19:47-26.8(a)2#2, 19:47-26.8(a)2#3, 19:47-26.8(a)3.
#[test]
fn surrender_in_double_attack() {
    let all = [Stake::Main, Stake::Attack, Stake::Split, Stake::Double];
    let choices = table("nj-double-attack", &[]);
    for (to, by) in [
        (SurrenderTo::LowCard, "19:47-26.8(a)1"),
        (SurrenderTo::NoBlackjack, "19:47-26.8(a)2#3"),
        (SurrenderTo::RuledOut, "19:47-26.8(a)3"),
    ] {
        for stake in all {
            let verdict = settle::surrender(&choices, to, stake);
            assert_eq!((verdict.outcome, verdict.by.id()), (Outcome::LoseHalf, by), "{stake:?}");
        }
    }
    // A3: the initial bet is lost whole, the double attack bet is void, doubling money is returned
    let to = |stake| settle::surrender(&choices, SurrenderTo::Blackjack, stake);
    assert_eq!((to(Stake::Main).outcome, to(Stake::Main).by.id()), (Outcome::Lose, "19:47-26.8(a)2#2"));
    assert_eq!((to(Stake::Attack).outcome, to(Stake::Attack).by.id()), (Outcome::Void, "19:47-26.5(b)#4"));
    assert_eq!((to(Stake::Double).outcome, to(Stake::Double).by.id()), (Outcome::Void, "19:47-26.9(c)"));
    let everything = table("nj-double-attack", &["rulings.surrender_v_dealer_blackjack=everything"]);
    for stake in all {
        assert_eq!(settle::surrender(&everything, SurrenderTo::Blackjack, stake).outcome, Outcome::Lose);
    }
}

/// Proves 19:47-26.12(c), 19:47-36.11(c).
#[test]
fn which_hands_the_dealer_draws_for() {
    let (double, triple) = (table("nj-double-attack", &[]), table("nj-triple-attack", &[]));
    for (hand, in_double, in_triple) in [
        (dealt("Kc 9d 5h"), false, false),
        (dealt("As Kd"), false, false),
        (split("As Kd"), true, false),
        (dealt("7c 7d 7h"), true, false),
        (dealt("2c 2d 2h 3s 3c 3d"), true, false),
        (dealt("Kc 2d"), true, true),
        (dealt("2c 2d 2h 3s 3c"), true, true),
    ] {
        assert_eq!(settle::depends_on_dealer(&double, &hand), in_double, "{hand:?}");
        assert_eq!(settle::depends_on_dealer(&triple, &hand), in_triple, "{hand:?}");
    }
}
