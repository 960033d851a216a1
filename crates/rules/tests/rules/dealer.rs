//! The dealer: when to draw, when to peek, and the order of the deal.

use crate::table;
use rules::hand::Total;
use rules::play::{dealer_draws, dealer_draws_by, may_be_blackjack, peeks};
use rules::script::{Offer, Slot, Step, script};

/// Checks, for every total that a dealer can hold, whether the dealer draws to it.
fn draws(preset: &str, overrides: &[&str], soft_17: bool) {
    let choices = table(preset, overrides);
    for points in 2..=26 {
        assert_eq!(dealer_draws(&choices, Total::Hard(points)), points <= 16, "{preset}: hard {points}");
    }
    for points in 12..=21 {
        let expected = points <= 16 || (points == 17 && soft_17);
        assert_eq!(dealer_draws(&choices, Total::Soft(points)), expected, "{preset}: soft {points}");
    }
}

/// Proves 19:47-2.12(b), 19:47-2.12(b)1, 19:47-2.12(b)2, 19:47-2.12(b)2.i, 19:47-2.12(b)2.ii, 19:47-2.12(d),
/// 19:47-2A.12(b), MA-BJS 12(b), 19:47-26.12(b), 19:47-26.12(b)#2, 19:47-36.11(b), 19:47-36.11(b)#2.
#[test]
fn the_dealer_draws_to_every_total_as_the_text_says() {
    draws("nj-blackjack", &["soft_17=stand"], false);
    draws("nj-blackjack", &["soft_17=hit"], true);
    draws("nj-blackjack-reader", &[], false);
    draws("nj-blackjack-face-up", &[], false);
    draws("nj-multiple-action", &[], false);
    draws("nj-six-to-five", &[], true);
    draws("nj-switch", &[], true);
    draws("ma-switch", &[], true);
    draws("nj-double-attack", &[], false);
    draws("nj-triple-attack", &[], true);
}

#[test]
fn the_drawing_rule_is_cited() {
    for (preset, overrides, clause) in [
        ("nj-blackjack", &["soft_17=stand"][..], "19:47-2.12(b)1"),
        ("nj-blackjack", &["soft_17=hit"], "19:47-2.12(b)2"),
        ("nj-six-to-five", &[], "19:47-2.12(d)"),
        ("nj-switch", &[], "19:47-2A.12(b)"),
        ("ma-switch", &[], "MA-BJS 12(b)"),
        ("nj-double-attack", &[], "19:47-26.12(b)"),
        ("nj-triple-attack", &[], "19:47-36.11(b)"),
    ] {
        let choices = table(preset, overrides);
        assert_eq!(dealer_draws_by(&choices).id(), clause);
    }
}

/// Proves 19:47-2.6(j)#3, 19:47-2.6A(h), 19:46-1.10C(f), 19:47-36.7(i)#3, 19:47-26.7(g)#5.
#[test]
fn a_reader_is_used_for_aces_and_ten_values_only() {
    for (preset, clause) in [
        ("nj-blackjack", "19:47-2.6(j)#4"),
        ("nj-six-to-five", "19:47-2.6A(h)"),
        ("nj-switch", "19:47-2A.7(l)2"),
        ("ma-switch", "MA-BJS 7(l)(2)"),
        ("nj-double-attack", "19:47-26.7(i)#3"),
        ("nj-triple-attack", "19:47-36.7(k)#3"),
    ] {
        let reader = table(preset, &["hole_card=reader"]);
        let down = table(preset, &["hole_card=down"]);
        for up in reader.deck().cards() {
            let high = "ATJQK".contains(up.rank().letter());
            assert_eq!(peeks(&reader, up), high, "{preset}: {up}");
            assert_eq!(may_be_blackjack(up), high);
            assert!(!peeks(&down, up));
        }
        assert_eq!(reader.text().deal.reader.id(), clause);
    }
}

/// Returns the deals and offers of a script, one letter each: `e` each box, `u` upcard, `d` hole card down, `U` hole
/// card up, `1` `2` `3` attack offers, `i` insurance, `s` initial side bets, `p` peek, `P` play, `c` second card.
fn steps(preset: &str, overrides: &[&str]) -> String {
    script(&table(preset, overrides))
        .iter()
        .filter_map(|step| match step {
            Step::Deal(Slot::EachBox) => Some('e'),
            Step::Deal(Slot::Up) => Some('u'),
            Step::Deal(Slot::HoleDown) => Some('d'),
            Step::Deal(Slot::HoleUp) => Some('U'),
            Step::Ask(Offer::Attack) => Some('1'),
            Step::Ask(Offer::SecondAttack) => Some('2'),
            Step::Ask(Offer::ThirdAttack) => Some('3'),
            Step::Ask(Offer::Insurance) => Some('i'),
            Step::InitialSideWagers => Some('s'),
            Step::Peek => Some('p'),
            Step::Play => Some('P'),
            Step::SecondCard => Some('c'),
            _ => None,
        })
        .collect()
}

/// Proves 19:47-2.6(h)#4, 19:47-2.6(j), 19:47-2.6(k), 19:47-2A.7(l)1, MA-BJS 7(l)(1), 19:47-2A.1 "Hole card",
/// MA-BJS 1 "Hole card", 19:47-26.7(i), 19:47-36.7(k), 19:47-36.7(e)#2.
#[test]
fn cards_and_offers_come_in_the_order_of_the_text() {
    for (preset, hole_card, expected) in [
        ("nj-blackjack", "none", "euesiPc"),
        ("nj-blackjack", "down", "euesdipPc"),
        ("nj-blackjack", "reader", "euesdipPc"),
        ("nj-blackjack-face-up", "up", "euesUPc"),
        ("nj-six-to-five", "none", "euesiPc"),
        ("nj-six-to-five", "reader", "euesdipPc"),
        ("nj-multiple-action", "none", "euesiPc"),
        ("nj-switch", "none", "euesiPc"),
        ("nj-switch", "down", "euesdipPc"),
        ("ma-switch", "reader", "euesdipPc"),
        ("nj-double-attack", "none", "u1eeiPc"),
        ("nj-double-attack", "down", "u1eedipPc"),
        ("nj-triple-attack", "down", "e2u3edipPc"),
        ("nj-triple-attack", "reader", "e2u3edipPc"),
    ] {
        assert_eq!(steps(preset, &[&format!("hole_card={hole_card}")]), expected, "{preset} {hole_card}");
    }
}

/// Every script begins with betting, ends with the pick-up and settles in between.
#[test]
fn a_round_begins_with_wagers_and_ends_with_the_pick_up() {
    for (preset, _) in rules::preset::PRESETS {
        let steps = script(&table(preset, &[]));
        assert_eq!((steps.first(), steps.last()), (Some(&Step::Wagers), Some(&Step::PickUp)));
        assert!(steps.contains(&Step::Settle) && steps.contains(&Step::DealerDraws));
    }
}
