//! Settlement of Blackjack Switch in both states: section 3 of the notes, from 2A.5 and MA 5.

use crate::settle::{Row, class, holds};
use crate::{card, dealt, split, switched, table};
use rules::settle::{self, Outcome, Stake, SurrenderTo};
use rules::{Clause, Odds, Origin};

const ORIGINS: [Origin; 3] = [Origin::Dealt, Origin::Switched, Origin::Split];

#[rustfmt::skip]
const ROWS: [Row; 6] = [
    //                blackjack   21         lower      equal     higher  22           23+
    ("blackjack",    ["P (b)",    "W (a)3",  "W (a)2",  "-",      "-",    "W (c)#2",   "W (a)1"]),
    ("switched A-T", ["P (b)",    "P (b)",   "W (a)2",  "-",      "-",    "P (c)",     "W (a)1"]),
    ("split A-T",    ["P (b)",    "P (b)",   "W (a)2",  "-",      "-",    "P (c)",     "W (a)1"]),
    ("21",           ["L (b)1",   "P (b)",   "W (a)2",  "-",      "-",    "P (c)",     "W (a)1"]),
    ("20 or less",   ["L",        "L",       "W (a)2",  "P (b)",  "L",    "P (c)",     "W (a)1"]),
    ("over 21",      ["L",        "L",       "L",       "L",      "L",    "L (b)2",    "L (b)2"]),
];

/// Returns a paragraph of 2A.5, or of section 5 of Massachusetts, which has them in brackets.
fn nj(paragraph: &str) -> String {
    crate::settle::nj(&format!("2A.5{paragraph}"))
}

fn ma(paragraph: &str) -> String {
    let id = match paragraph {
        "(a)1" => "MA-BJS 5(a)(1)",
        "(a)2" => "MA-BJS 5(a)(2)",
        "(a)3" => "MA-BJS 5(a)(3)",
        "(b)" => "MA-BJS 5(b)",
        "(b)1" => "MA-BJS 5(b)(1)",
        "(b)2" => "MA-BJS 5(b)(2)",
        "(c)" => "MA-BJS 5(c)",
        "(c)#2" => "MA-BJS 5(c)#2",
        other => panic!("{other}"),
    };
    assert!(Clause::find(id).is_some());
    id.to_string()
}

/// Proves 19:47-2A.5(a)#3, 19:47-2A.5(a)1, 19:47-2A.5(a)2, 19:47-2A.5(a)3, 19:47-2A.5(b), 19:47-2A.5(b)1,
/// 19:47-2A.5(b)2, 19:47-2A.5(c), 19:47-2A.5(c)#2, 19:47-2A.5(g)#2, 19:47-2A.1 "Push", MA-BJS 5(a)#3, MA-BJS 5(a)(1),
/// MA-BJS 5(a)(2), MA-BJS 5(a)(3), MA-BJS 5(b), MA-BJS 5(b)(1), MA-BJS 5(b)(2), MA-BJS 5(c), MA-BJS 5(c)#2,
/// MA-BJS 5(g)#2, MA-BJS 1 "Push".
#[test]
fn every_hand_against_every_dealer() {
    for hole_card in ["hole_card=none", "hole_card=down", "hole_card=reader"] {
        holds(&table("nj-switch", &[hole_card]), &ORIGINS, class, &ROWS, nj);
        holds(&table("ma-switch", &[hole_card]), &ORIGINS, class, &ROWS, ma);
    }
}

/// The other reading of 2A.5(b)1: a switched or split ace and ten-value card loses to a blackjack.
#[test]
fn two_card_21_loses_to_a_blackjack_by_ruling() {
    let mut rows = ROWS;
    rows[1].1[0] = "L (b)1";
    rows[2].1[0] = "L (b)1";
    let ruling = "rulings.two_card_21_v_dealer_blackjack=lose";
    holds(&table("nj-switch", &[ruling]), &ORIGINS, class, &rows, nj);
    holds(&table("ma-switch", &[ruling]), &ORIGINS, class, &rows, ma);
}

/// Proves 19:47-2A.8(a)#2, 19:47-2A.8(a)#3, 19:47-2A.8(d), MA-BJS 8(a)#2, MA-BJS 8(a)#3, MA-BJS 8(d).
#[test]
fn insurance_on_every_hole_card() {
    for (preset, wins, loses) in
        [("nj-switch", "19:47-2A.8(d)", "19:47-2A.8(c)"), ("ma-switch", "MA-BJS 8(d)", "MA-BJS 8(c)")]
    {
        let choices = table(preset, &[]);
        for hole in rules::Deck::FIFTY_TWO.cards() {
            let verdict = settle::insurance(&choices, card("Ad"), hole);
            let expected = if "TJQK".contains(hole.rank().letter()) {
                (Outcome::Win(Odds::to_1(2)), wins)
            } else {
                (Outcome::Lose, loses)
            };
            let by = verdict.by.id();
            assert_eq!((verdict.outcome, by), expected, "{hole}");
        }
    }
}

/// Proves 19:47-2A.9(a), 19:47-2A.9(a)1, 19:47-2A.9(a)2#2, MA-BJS 9(a), MA-BJS 9(a)(1), MA-BJS 9(a)(2)#2.
#[test]
fn surrender_takes_half_or_all() {
    for (preset, low, high) in [
        ("nj-switch", "19:47-2A.9(a)1", "19:47-2A.9(a)2#2"),
        ("ma-switch", "MA-BJS 9(a)(1)", "MA-BJS 9(a)(2)#2"),
    ] {
        let choices = table(preset, &["surrender=true"]);
        for (to, expected) in [
            (SurrenderTo::LowCard, (Outcome::LoseHalf, low)),
            (SurrenderTo::NoBlackjack, (Outcome::LoseHalf, high)),
            (SurrenderTo::Blackjack, (Outcome::Lose, high)),
        ] {
            let verdict = settle::surrender(&choices, to, Stake::Main);
            let by = verdict.by.id();
            assert_eq!((verdict.outcome, by), expected);
        }
    }
}

/// Proves 19:47-2A.12(c), MA-BJS 12(c).
#[test]
fn which_hands_the_dealer_draws_for() {
    for preset in ["nj-switch", "ma-switch"] {
        let choices = table(preset, &[]);
        assert!(!settle::depends_on_dealer(&choices, &dealt("Kc 9d 5h")));
        assert!(!settle::depends_on_dealer(&choices, &dealt("As Kd")));
        assert!(settle::depends_on_dealer(&choices, &switched("As Kd")));
        assert!(settle::depends_on_dealer(&choices, &split("As Kd")));
        assert!(settle::depends_on_dealer(&choices, &dealt("Kc 2d")));
    }
}
