//! Tests insurance and even money.

use crate::{choices, fraction};
use rules::Card;
use side::{Fraction, even_money, insurance, insurance_given};

fn card(name: &str) -> Card {
    name.parse().unwrap()
}

/// Proves 19:47-2.9(c), 19:47-2A.8(d), 19:47-26.11(c), 19:47-36.10(c), 19:47-36.10(c)#2, 19:47-2.6(k)3#2.
#[test]
fn insurance_in_every_game() {
    for n in [6, 8] {
        let decks = format!("decks={n}");
        let edge = |preset: &str| insurance(&choices(preset, &[&decks])).map(|found| found.exact_edge);
        // 2 to 1 on 16n of the other 52n - 1 cards
        let plain = fraction(52 * n - 1 - 3 * 16 * n, 52 * n - 1);
        for preset in ["nj-blackjack", "nj-blackjack-reader", "nj-switch", "ma-switch"] {
            assert_eq!(edge(preset), Some(plain.clone()), "{preset}");
        }
        // 5 to 2 on 12n of 48n - 1
        assert_eq!(edge("nj-double-attack"), Some(fraction(2 * (48 * n - 1) - 7 * 12 * n, 2 * (48 * n - 1))));
        // 5 to 1 on the 3n of the ace's suit, 2 to 1 on the other 9n
        assert_eq!(edge("nj-triple-attack"), Some(fraction(48 * n - 1 - 6 * 3 * n - 3 * 9 * n, 48 * n - 1)));
        assert_eq!(edge("nj-blackjack-face-up"), None);
    }
    let two = insurance(&choices("nj-six-to-five", &[])).unwrap();
    assert_eq!(two.exact_edge, fraction(103 - 96, 103));
    assert!(
        (two.variance - (96.0 / 103.0 * 4.0 / 3.0 + 71.0 / 103.0 - (7.0f64 / 103.0).powi(2))).abs() < 1e-12
    );
}

#[test]
fn insurance_with_cards_seen() {
    let table = choices("nj-blackjack", &["decks=1"]);
    let given = |up: &str, seen: &[&str]| {
        let seen: Vec<Card> = seen.iter().map(|name| card(name)).collect();
        insurance_given(&table, card(up), &seen)
    };
    // a twenty in hand leaves 14 ten-value cards among 49, two small cards leave 16 among 49
    assert_eq!(given("As", &["Kh", "Qh"]).unwrap().unwrap().exact_edge, fraction(49 - 42, 49));
    assert_eq!(given("As", &["2h", "3h"]).unwrap().unwrap().exact_edge, fraction(49 - 48, 49));
    assert!(given("As", &["As"]).is_err());
    assert_eq!(given("Ks", &[]).unwrap(), None);
    let triple = choices("nj-triple-attack", &[]);
    let edge = |seen: &str| insurance_given(&triple, card("As"), &[card(seen)]).unwrap().unwrap().house_edge;
    assert!(edge("Ks") > edge("Kh"), "a card of the ace's suit is worth more");
    assert!(insurance_given(&triple, card("As"), &[card("Th")]).is_err(), "there are no tens");
}

/// Proves 19:47-2.7(c).
#[test]
fn even_money_against_three_to_two_and_six_to_five() {
    for n in [6, 8] {
        let decks = format!("decks={n}");
        let found = even_money(&choices("nj-blackjack", &[&decks, "even_money=true"])).unwrap();
        let no_blackjack = fraction(52 * n - 3 - (16 * n - 1), 52 * n - 3);
        assert_eq!(found.taken, Fraction::one());
        assert_eq!(found.declined, fraction(3, 2) * no_blackjack);
        // at 3 to 2, insuring for half the bet is the same as even money, whatever the second card is
        assert_eq!(found.insured, found.taken);
        assert!(found.declined > found.taken);
    }
    let found = even_money(&choices("nj-six-to-five", &["even_money=true"])).unwrap();
    let no_blackjack = fraction(101 - 31, 101);
    assert_eq!(found.declined, fraction(6, 5) * no_blackjack);
    // 6/5 - 1/2 without a dealer blackjack, 1 with it
    assert_eq!(found.insured, fraction(7, 10) * fraction(70, 101) + fraction(31, 101));
    assert!(found.taken > found.declined && found.declined > found.insured);
    assert_eq!(even_money(&choices("nj-blackjack", &[])), None);
    let designated = ["even_money=true", "bonus_payouts=[\"blackjack:As Ks\"]"];
    let richer = even_money(&choices("nj-blackjack", &designated)).unwrap();
    let plain = even_money(&choices("nj-blackjack", &["even_money=true"])).unwrap();
    assert!(richer.declined > plain.declined);
}

/// The solver's report and the counts here agree on the same figure.
#[test]
fn the_solver_says_the_same() {
    for (name, _) in rules::preset::PRESETS {
        let choices = choices(name, &[]);
        let solver = exact::edge::insurance(&choices).map(|found| found.house_edge);
        match (solver, insurance(&choices)) {
            (Some(solver), Some(counted)) => assert!((solver - counted.house_edge).abs() < 1e-15, "{name}"),
            (solver, counted) => assert!(solver.is_none() && counted.is_none(), "{name}"),
        }
    }
}
