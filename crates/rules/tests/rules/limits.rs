//! Betting limits: 2.3(d), 2.9(b), 2.10(a), 2.17(g), 2A.5, 2A.8(b), 26.1, 26.9(a), 26.11(b), 36.1, 36.8(a), 36.10(b).

use crate::table;
use rules::limit;
use rules::play::Refusal;
use rules::script::Offer;
use rules::{Cents, Choices, Odds, SideBet};

fn amount(text: &str) -> Cents {
    text.parse().expect("an amount")
}

fn id(outcome: Result<(), Refusal>) -> &'static str {
    match outcome {
        Ok(()) => "ok",
        Err(refusal) => refusal.by.id(),
    }
}

/// Proves 19:47-2A.5(a)#2, MA-BJS 5(a)#2, 19:47-26.1 "Initial wager", 19:47-36.1 "First attack wager".
#[test]
fn the_required_wager_lies_between_the_posted_limits() {
    for (preset, low, high) in [
        ("nj-blackjack", "19:47-2.3(a)", "19:47-2.3(a)"),
        ("nj-multiple-action", "19:47-2.18(b)", "19:47-2.18(b)"),
        ("nj-switch", "19:47-2A.5(a)#2", "19:47-2A.5(a)"),
        ("ma-switch", "MA-BJS 5(a)#2", "MA-BJS 5(a)"),
        ("nj-double-attack", "19:47-26.1 \"Initial wager\"", "19:47-26.1 \"Initial wager\""),
        ("nj-triple-attack", "19:47-36.1 \"First attack wager\"", "19:47-36.1 \"First attack wager\""),
    ] {
        let choices = table(preset, &[]);
        for (wager, expected) in [("10", "ok"), ("500", "ok"), ("9.98", low), ("0", low), ("500.02", high)] {
            assert_eq!(id(limit::required_wager(&choices, amount(wager))), expected, "{preset}: {wager}");
        }
    }
}

/// Proves 19:47-2.3(d)#4.
#[test]
fn six_to_five_takes_multiples_of_five_dollars() {
    let choices = table("nj-six-to-five", &["side_wagers.streak=true"]);
    let clause = "19:47-2.3(d)#4";
    for (wager, expected) in [("10", "ok"), ("15", "ok"), ("12", clause), ("10.50", clause)] {
        assert_eq!(id(limit::required_wager(&choices, amount(wager))), expected);
    }
    assert_eq!(id(limit::double(&choices, amount("7"), amount("10"))), clause);
    assert_eq!(id(limit::double(&choices, amount("5"), amount("10"))), "ok");
    assert_eq!(id(limit::side_wager(&choices, SideBet::Streak2, amount("3"), amount("10"))), clause);
    assert_eq!(id(limit::side_wager(&choices, SideBet::Streak2, amount("5"), amount("10"))), "ok");
    assert_eq!(id(limit::insurance(&choices, amount("3"), amount("10"))), clause);
}

/// Returns a table whose smallest chip is a cent.
fn in_cents(preset: &str, overrides: &[&str]) -> Choices {
    table(preset, &[overrides, &["chip=0.01"]].concat())
}

/// Amounts that chips cannot make, bet by bet: 2.3(d) and counterparts. Proves 19:47-2.3(d), 19:47-2A.5(d),
/// MA-BJS 5(d), 19:47-26.5(c), 19:47-36.5(e.1), 19:47-26.6(c), 19:47-36.6(c), 19:47-2A.6(b)#2, MA-BJS 6(b)#2,
/// 19:47-2.17(f).
#[test]
fn every_amount_is_made_of_chips() {
    for (preset, clause, side, side_clause) in [
        ("nj-blackjack", "19:47-2.3(d)", SideBet::SameSuit, "19:47-2.17(f)"),
        ("nj-blackjack-reader", "19:47-2.3(d)", SideBet::SameSuit, "19:47-2.17(f)"),
        ("nj-multiple-action", "19:47-2.3(d)", SideBet::SameSuit, "19:47-2.17(f)"),
        ("nj-switch", "19:47-2A.5(d)", SideBet::Match, "19:47-2A.6(b)#2"),
        ("ma-switch", "MA-BJS 5(d)", SideBet::Match, "MA-BJS 6(b)#2"),
        ("nj-double-attack", "19:47-26.5(c)", SideBet::DealerBust, "19:47-26.6(c)"),
        ("nj-triple-attack", "19:47-36.5(e.1)", SideBet::TripleMatch, "19:47-36.6(c)"),
    ] {
        let offer = format!("side_wagers.{}=true", side.name());
        let choices = table(preset, &["chip=5", &offer]);
        for (wager, expected) in [("10", "ok"), ("15", "ok"), ("12", clause), ("10.50", clause)] {
            assert_eq!(id(limit::required_wager(&choices, amount(wager))), expected, "{preset}: {wager}");
            assert_eq!(
                id(limit::double(&choices, amount(wager), amount("20"))),
                expected,
                "{preset}: {wager}"
            );
            assert_eq!(
                id(limit::insurance(&choices, amount(wager), amount("30"))),
                expected,
                "{preset}: {wager}"
            );
            let side_expected = if expected == "ok" { "ok" } else { side_clause };
            let placed = limit::side_wager(&choices, side, amount(wager), amount("20"));
            assert_eq!(id(placed), side_expected, "{preset}: {wager}");
            for attack in choices.text().wagers.attacks {
                let made = limit::attack(&choices, attack.offer, amount(wager), amount("20"));
                assert_eq!(id(made), expected, "{preset}: {wager}");
            }
        }
        assert_eq!(limit::in_chips(&choices, amount("12.50")), amount("10"));
    }
    let six = table("nj-six-to-five", &["chip=2"]);
    assert_eq!(limit::in_chips(&six, amount("19")), amount("10"));
}

/// Q36: no clause rounds a payment, so a bet that would produce a fraction of a cent is refused when it is made.
#[test]
fn nothing_is_ever_paid_in_fractions_of_a_cent() {
    let odd = amount("10.01");
    let refused =
        |preset: &str, overrides: &[&str]| limit::required_wager(&in_cents(preset, overrides), odd).is_err();
    assert!(refused("nj-blackjack", &[]), "3 to 2 on an odd cent");
    assert!(refused("nj-switch", &["surrender=true"]), "half of an odd cent");
    assert!(!refused("nj-switch", &[]));
    assert!(!refused("nj-triple-attack", &[]));
    assert!(!refused("nj-blackjack-face-up", &[]));
    let sevens = "bonus_payouts=[\"three-sevens\"]";
    assert!(refused("nj-blackjack-face-up", &[sevens]), "three sevens at 3 to 2");
    let choices = in_cents("nj-blackjack", &[sevens]);
    assert!(limit::double(&choices, amount("5.01"), amount("10")).is_err(), "three sevens doubled");
    assert!(limit::double(&choices, amount("5.02"), amount("10")).is_ok());
    let choices = in_cents("nj-blackjack", &[]);
    assert!(limit::double(&choices, amount("5.01"), amount("10")).is_ok());
    let double_attack = in_cents("nj-double-attack", &[]);
    assert!(
        limit::double(&double_attack, amount("5.01"), amount("10")).is_err(),
        "half of it in a surrender"
    );
    assert!(limit::attack(&double_attack, Offer::Attack, amount("5.01"), amount("10")).is_err());
    assert!(limit::insurance(&double_attack, amount("2.51"), amount("10")).is_err(), "5 to 2");
    let same_suit = in_cents("nj-blackjack", &["side_wagers.same-suit.paytable=2"]);
    assert!(
        limit::side_wager(&same_suit, SideBet::SameSuit, amount("1.01"), amount("10")).is_err(),
        "2.5 to 1"
    );
}

/// Proves 19:47-2.10(a)#3, 19:47-26.9(a)#3, 19:47-36.8(a)#3, 19:47-2A.10(a), MA-BJS 10(a).
#[test]
fn a_double_is_any_amount_up_to_the_wager() {
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.10(a)#3"),
        ("nj-switch", "19:47-2A.10(a)"),
        ("ma-switch", "MA-BJS 10(a)"),
        ("nj-double-attack", "19:47-26.9(a)#3"),
        ("nj-triple-attack", "19:47-36.8(a)#3"),
    ] {
        let choices = in_cents(preset, &[]);
        for (double, expected) in
            [("0.02", "ok"), ("7", "ok"), ("20", "ok"), ("20.02", clause), ("0", clause)]
        {
            assert_eq!(id(limit::double(&choices, amount(double), amount("20"))), expected, "{preset}");
        }
    }
}

/// Proves 19:47-26.1 "Double attack wager", 19:47-36.1 "Second attack wager", 19:47-36.1 "Third attack wager".
#[test]
fn attack_wagers_do_not_exceed_the_first() {
    for (preset, offer, up_to, equal) in [
        ("nj-double-attack", Offer::Attack, "19:47-26.1 \"Double attack wager\"", "19:47-26.7(d)#3"),
        ("nj-triple-attack", Offer::SecondAttack, "19:47-36.1 \"Second attack wager\"", "19:47-36.7(d.2)"),
        ("nj-triple-attack", Offer::ThirdAttack, "19:47-36.1 \"Third attack wager\"", "19:47-36.7(e)"),
    ] {
        let choices = table(preset, &[]);
        for (attack, expected) in [("10", "ok"), ("1", "ok"), ("10.02", up_to), ("0", up_to)] {
            assert_eq!(id(limit::attack(&choices, offer, amount(attack), amount("10"))), expected);
        }
        // A1: the stricter setting satisfies both texts
        let choices = table(preset, &["attack_amount=equal"]);
        for (attack, expected) in [("10", "ok"), ("1", equal), ("10.02", up_to)] {
            assert_eq!(id(limit::attack(&choices, offer, amount(attack), amount("10"))), expected);
        }
    }
}

/// Proves 19:47-2.9(b), 19:47-2.9(b)#2, 19:47-2A.8(b), 19:47-2A.8(b)#2, MA-BJS 8(b), MA-BJS 8(b)#2, 19:47-26.11(b),
/// 19:47-26.11(b)#2, 19:47-36.10(b), 19:47-36.10(b)#2.
#[test]
fn insurance_is_half_or_the_next_chip() {
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.9(b)"),
        ("nj-switch", "19:47-2A.8(b)"),
        ("ma-switch", "MA-BJS 8(b)"),
        ("nj-double-attack", "19:47-26.11(b)"),
        ("nj-triple-attack", "19:47-36.10(b)"),
    ] {
        // the smallest chip, the bet, and the maximum insurance
        for (chip, wager, most) in [
            ("1", "10", "5"),
            ("1", "15", "8"),
            ("0.50", "15", "7.50"),
            ("5", "25", "15"),
            ("5", "10", "5"),
            ("2.50", "25", "12.50"),
            ("25", "25", "25"),
        ] {
            let choices = table(preset, &[&format!("chip={chip}")]);
            let (wager, most) = (amount(wager), amount(most));
            assert_eq!(limit::most_insurance(&choices, wager), most, "{preset}: chip {chip}");
            assert_eq!(id(limit::insurance(&choices, most, wager)), "ok");
            let more = most + Cents(2);
            assert_eq!(id(limit::insurance(&choices, more, wager)), clause);
            assert_eq!(id(limit::insurance(&choices, Cents::ZERO, wager)), clause);
        }
    }
    // Q14: at 6 to 5 the next unit is five dollars
    assert_eq!(limit::most_insurance(&table("nj-six-to-five", &[]), amount("15")), amount("10"));
}

/// Proves 19:47-2.9(a), 19:47-2.6(k)3#2, 19:47-2A.8(a), MA-BJS 8(a), 19:47-26.11(a), 19:47-36.10(a).
#[test]
fn the_right_to_insure() {
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.9(a)"),
        ("nj-blackjack-face-up", "19:47-2.6(k)3#2"),
        ("nj-switch", "19:47-2A.8(a)"),
        ("ma-switch", "MA-BJS 8(a)"),
        ("nj-double-attack", "19:47-26.11(a)"),
        ("nj-triple-attack", "19:47-36.10(a)"),
    ] {
        let choices = table(preset, &[]);
        assert_eq!(choices.text().insurance.by.id(), clause);
    }
}

/// A side bet: the table, the bet, then amounts with a main bet of 10 and their results.
type Case = (&'static str, &'static [&'static str], SideBet, &'static [(&'static str, &'static str)]);

/// Proves 19:47-2.17(a)3.i, 19:47-2.17(g), 19:47-2.17(g)1, 19:47-2.17(g)2, 19:47-2.19(a), 19:47-2.20(a), 19:47-2.25(c),
/// 19:47-2A.6(b)#3, MA-BJS 6(b)#3, 19:47-26.6(b)#2, 19:47-26.6(b)1, 19:47-26.6(b)2, 19:47-36.6(b)#2, 19:47-36.6(b)1,
/// 19:47-36.6(b)2.
#[test]
fn side_wagers_and_their_limits() {
    let cases: [Case; 12] = [
        (
            "nj-blackjack",
            &["side_wagers.over-under-13.minimum=2", "side_wagers.over-under-13.maximum=8"],
            SideBet::Over13,
            &[
                ("2", "ok"),
                ("8", "ok"),
                ("1", "19:47-2.17(h)"),
                ("9", "19:47-2.17(g)2"),
                ("11", "19:47-2.17(g)1"),
            ],
        ),
        (
            "nj-blackjack",
            &["side_wagers.same-suit.maximum=50"],
            SideBet::SameSuit,
            &[("10", "ok"), ("12", "19:47-2.17(g)1"), ("60", "19:47-2.17(g)1")],
        ),
        (
            "nj-blackjack",
            &["side_wagers.sevens=true"],
            SideBet::Sevens,
            &[("1", "ok"), ("0.50", "19:47-2.17(a)3.i"), ("2", "19:47-2.17(a)3.i")],
        ),
        (
            "nj-blackjack",
            &["side_wagers.progressive=true"],
            SideBet::Progressive,
            &[("1", "ok"), ("0.50", "19:47-2.19(a)"), ("2", "19:47-2.19(a)")],
        ),
        (
            "nj-blackjack",
            &["side_wagers.blackjack-bonus=true"],
            SideBet::BlackjackBonus,
            &[("1", "ok"), ("5", "ok"), ("2", "19:47-2.20(a)"), ("10", "19:47-2.20(a)")],
        ),
        (
            "nj-blackjack",
            &["side_wagers.streak=true"],
            SideBet::Streak3,
            &[("1", "ok"), ("25", "ok"), ("0.50", "19:47-2.22(b)"), ("26", "19:47-2.22(b)")],
        ),
        (
            "nj-blackjack",
            &["side_wagers.match-the-dealer=true"],
            SideBet::MatchTheDealer,
            &[("1", "ok"), ("25", "ok"), ("26", "19:47-2.23(c)#2")],
        ),
        (
            "nj-blackjack",
            &["side_wagers.dealer-bust=true"],
            SideBet::DealerBust,
            &[
                ("1", "ok"),
                ("10", "ok"),
                ("0.99", "19:47-2.25(c)"),
                ("11", "19:47-2.25(c)"),
                ("26", "19:47-2.25(c)"),
            ],
        ),
        (
            "nj-switch",
            &["side_wagers.match.minimum=5"],
            SideBet::Match,
            &[("5", "ok"), ("20", "ok"), ("4", "19:47-2A.6(b)#3")],
        ),
        (
            "ma-switch",
            &["side_wagers.match.minimum=5"],
            SideBet::Match,
            &[("5", "ok"), ("20", "ok"), ("4", "MA-BJS 6(b)#3")],
        ),
        (
            "nj-double-attack",
            &["side_wagers.dealer-bust.maximum=8"],
            SideBet::DealerBust,
            &[("1", "ok"), ("0.98", "19:47-26.6(b)#2"), ("11", "19:47-26.6(b)1"), ("9", "19:47-26.6(b)2")],
        ),
        (
            "nj-triple-attack",
            &["side_wagers.triple-match.maximum=8"],
            SideBet::TripleMatch,
            &[("1", "ok"), ("0.98", "19:47-36.6(b)#2"), ("11", "19:47-36.6(b)1"), ("9", "19:47-36.6(b)2")],
        ),
    ];
    for (preset, overrides, bet, amounts) in cases {
        let choices = table(preset, overrides);
        for (wager, expected) in amounts {
            let found = id(limit::side_wager(&choices, bet, amount(wager), amount("10")));
            assert_eq!(found, *expected, "{preset}: {} {wager}", bet.name());
        }
    }
}

/// A side bet that the table does not offer is refused, whatever the amount.
#[test]
fn what_is_not_offered_is_refused() {
    for (preset, _) in rules::preset::PRESETS {
        let choices = table(preset, &[]);
        for bet in SideBet::ALL {
            let offered = choices.offer(bet.wager()).is_some();
            let accepted = limit::side_wager(&choices, bet, amount("1"), amount("10")).is_ok();
            assert_eq!(offered, accepted, "{preset}: {}", bet.name());
        }
    }
}

/// Half is half, whatever the chips, and odds are compared as fractions.
#[test]
fn half_of_ten_in_cents_and_odds_in_order() {
    let cents = table("nj-blackjack", &["chip=0.01"]);
    assert_eq!(limit::most_insurance(&cents, Cents::dollars(10)), Cents(500));
    assert_eq!(limit::most_insurance(&cents, Cents(1001)), Cents(501));
    let rising = [Odds::new(1, 1), Odds::new(6, 5), Odds::new(3, 2), Odds::new(2, 1), Odds::new(5, 2)];
    assert!(rising.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(rising.windows(2).all(|pair| pair[1] > pair[0]));
}
