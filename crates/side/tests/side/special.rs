//! Tests progressive, blackjack bonus, and the sevens bet as the main game is played.

use crate::{chance, choices, fraction, report, reports};
use rules::wager::bonus;
use rules::{Action, Card, Rules};
use side::{Fraction, MainGame, side_wagers_with};

fn falling(n: i128, k: i128) -> i128 {
    (0..k).map(|taken| n - taken).product()
}

/// Proves 19:47-2.19(c), 19:47-2.19(c) "Four black or four red aces in the first four cards",
/// 19:47-2.19(c) "Three aces of the same suit in the first three cards",
/// 19:47-2.19(c) "Any three aces in the first three cards", 19:47-2.19(c) "Two aces of the same suit in the first two cards",
/// 19:47-2.19(c) "Any two aces in the first two cards", 19:47-2.19(e).
#[test]
fn aces_in_a_row() {
    for n in 4..=8 {
        let settings = [format!("decks={n}"), "side_wagers.progressive.minimum=1".to_string()];
        let found = report("nj-blackjack", &[&settings[0], &settings[1]], "progressive");
        let (all, aces) = (falling(52 * n, 4), 4 * n);
        let meter = 2 * falling(2 * n, 4);
        // three of one suit, without a fourth of the same color
        let suited = 4 * falling(n, 3);
        let suited_meter = suited * (2 * n - 3);
        let rest = 52 * n - 3;
        let three_suited = suited * rest - suited_meter;
        let three = (falling(aces, 3) - suited) * rest - (meter - suited_meter);
        let third = (52 * n - aces) * rest;
        let two_suited = 4 * falling(n, 2) * third;
        let two = falling(aces, 2) * third - two_suited;
        let ways = [meter, three_suited, three, two_suited, two];
        let chances: Vec<Fraction> = found.outcomes.iter().filter_map(|found| found.exact.clone()).collect();
        assert_eq!(chances, ways.map(|ways| fraction(ways, all)), "{n} decks");
        // amounts in cents that include the dollar; the meter is at its seed
        let paid: i128 = [500_000, 250_000, 25_000, 10_000, 2_500].iter().zip(ways).map(|(a, w)| a * w).sum();
        assert_eq!(found.exact_edge, Some(fraction(100 * all - paid, 100 * all)));
    }
}

#[test]
fn the_break_even_meter_breaks_even() {
    for ruling in ["for-one", "to-one"] {
        let ruling = format!("rulings.progressive_pays={ruling}");
        let settings = ["decks=6", &ruling, "side_wagers.progressive.meter=\"20000.00\""];
        let found = report("nj-blackjack", &settings, "progressive");
        let even = found.break_even.unwrap();
        let chance = chance(
            &report("nj-blackjack", &settings, "progressive"),
            "four black or four red aces in the first four cards",
        );
        let at_meter = found.exact_edge.unwrap();
        let shift = even.exact.clone() - fraction(2_000_000, 100);
        assert_eq!(at_meter - chance * shift, Fraction::zero(), "{ruling}");
        // the player has the edge just above the break-even meter, the house just below
        let above = format!("side_wagers.progressive.meter=\"{:.2}\"", even.dollars + 0.01);
        let below = format!("side_wagers.progressive.meter=\"{:.2}\"", even.dollars - 1.0);
        assert!(report("nj-blackjack", &["decks=6", &ruling, &above], "progressive").house_edge < 0.0);
        assert!(report("nj-blackjack", &["decks=6", &ruling, &below], "progressive").house_edge > 0.0);
    }
}

/// A higher rate lowers the edge; splitting the aces costs the player.
#[test]
fn the_readings_of_the_progressive_wager() {
    let found = report("nj-blackjack", &["side_wagers.progressive.minimum=1"], "progressive");
    let edge = |assuming: &str| {
        let named = |variant: &&side::Variant| variant.assuming.contains(assuming);
        found.variants.iter().find(named).unwrap().house_edge
    };
    assert!(edge("to-one") < found.house_edge);
    assert!(edge("including this bet's contribution") < found.house_edge);
    assert!(edge("split") > found.house_edge);
    // two aces of eight decks: 4 x 8 x 7 suited at 100 and the rest of 32 x 31 at 25, for one
    let two = 1.0 - (224.0 * 100.0 + 768.0 * 25.0) / (416.0 * 415.0);
    assert!((edge("split") - two).abs() < 1e-15);
    let long_run = edge("many jackpots");
    let richer = report("nj-blackjack", &["side_wagers.progressive.rate=80"], "progressive");
    let named = |variant: &&side::Variant| variant.assuming.contains("many jackpots");
    let richer = richer.variants.iter().find(named).unwrap().house_edge;
    assert!((long_run - richer - 0.1).abs() < 1e-12);
}

/// Proves 19:47-2.20(d), 19:47-2.20(j), 19:47-2.20(k).
#[test]
fn the_bonus_agrees_with_the_rulebook() {
    for decks in 1..=8 {
        for ruling in ["to-one", "for-one"] {
            let settings = [
                format!("decks={decks}"),
                "side_wagers.blackjack-bonus.minimum=1".to_string(),
                format!("rulings.bonus_pays={ruling}"),
            ];
            let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
            let choices = choices("nj-blackjack", &settings);
            let found = side::bonus::blackjack_bonus(&side::Dealt::fresh(&choices));
            let stakes: Vec<_> = found.iter().map(|report| report.stake.unwrap().0).collect();
            assert_eq!(stakes, [100, 500]);
            let awards = &choices.offer(rules::SideWager::BlackjackBonus).unwrap().awards;
            for report in found {
                let wager = report.stake.unwrap();
                let (n, d) =
                    bonus::house_advantage(wager, &awards[&wager], decks, choices.rulings.bonus_pays)
                        .unwrap();
                assert_eq!(report.exact_edge, Some(fraction(n, d)), "{decks} {ruling} {wager}");
                let (hit, all) = bonus::blackjack_chance(decks);
                let wins: Fraction = report.outcomes.iter().filter_map(|outcome| outcome.exact.clone()).sum();
                assert_eq!(wins, fraction(hit.into(), all.into()));
            }
        }
    }
}

/// Proves 19:47-2.20(k).
#[test]
fn the_lawful_mean_awards_are_those_of_the_notes() {
    for (decks, least, most) in [("decks=1", "13.50", "19.72"), ("decks=8", "13.75", "20.07")] {
        let choices = choices("nj-blackjack", &[decks, "side_wagers.blackjack-bonus.minimum=1"]);
        let [low, high] = side::bonus::lawful_means(&choices, rules::Cents::dollars(1)).unwrap();
        assert_eq!(
            (format!("{:.2}", low.to_f64()), format!("{:.2}", high.to_f64())),
            (least.to_string(), most.to_string())
        );
        let [low5, high5] = side::bonus::lawful_means(&choices, rules::Cents::dollars(5)).unwrap();
        assert_eq!((low5, high5), (low * Fraction::whole(5), high * Fraction::whole(5)));
    }
}

/// Always and never drawing bound every other play; the card of 2.6(j)3 and 2.6(k)6#2 is in between.
#[test]
fn the_third_seven_as_it_is_played() {
    for preset in ["nj-blackjack", "nj-blackjack-reader", "nj-blackjack-face-up"] {
        let settings = ["decks=6", "side_wagers.sevens.minimum=1"];
        let rules = Rules::new(choices(preset, &settings)).unwrap();
        let edge_when = |play: &dyn Fn(&[Card]) -> Action| {
            let main = MainGame { sevens: Some(play), ..MainGame::default() };
            let found = side_wagers_with(&rules, &main).remove(0);
            let played = found.variants.last().unwrap().clone();
            let never = &found.variants[1];
            assert_eq!(never.assuming, "the player takes no third card with a pair of sevens");
            (found.exact_edge.unwrap(), played.exact_edge.unwrap(), never.exact_edge.clone().unwrap())
        };
        let (always, played, _) = edge_when(&|_| Action::Hit);
        assert_eq!(always, played, "{preset}");
        let (_, played, never) = edge_when(&|_| Action::Split);
        // where a dealer blackjack is known early, the regulation offers a card that even a player who splits can take
        if preset == "nj-blackjack" {
            assert_eq!(played, never);
        } else {
            assert!(played < never && played > always);
        }
        let (_, played, _) = edge_when(&|dealer| {
            if dealer[0].value() <= 7 { Action::Split } else { Action::Hit }
        });
        assert!(played < never && played > always, "{preset}");
    }
}

#[test]
fn every_report_is_whole() {
    let tables: [(&str, &[&str]); 6] = [
        ("nj-blackjack", &["side_wagers.over-under-13.minimum=1", "side_wagers.dealer-bust.minimum=1"]),
        ("nj-blackjack", &["side_wagers.progressive.minimum=1", "side_wagers.match-the-dealer.minimum=1"]),
        ("nj-blackjack-reader", &["side_wagers.twenty-point.paytable=\"B\"", "side_wagers.sevens.minimum=1"]),
        ("nj-switch", &[]),
        ("nj-double-attack", &[]),
        ("nj-triple-attack", &[]),
    ];
    for (preset, settings) in tables {
        for report in reports(preset, settings) {
            let wins: Fraction = report.outcomes.iter().filter_map(|outcome| outcome.exact.clone()).sum();
            assert_eq!(wins + report.exact_loses.clone().unwrap(), Fraction::one());
            let mean: f64 = report.outcomes.iter().map(|o| o.probability * o.net).sum::<f64>() - report.loses;
            let square: f64 =
                report.outcomes.iter().map(|o| o.probability * o.net * o.net).sum::<f64>() + report.loses;
            assert!((mean + report.house_edge).abs() < 1e-12, "{}", report.wager());
            assert!((square - mean * mean - report.variance).abs() < 1e-9 * square, "{}", report.wager());
            assert!((report.std_dev * report.std_dev - report.variance).abs() < 1e-9 * square);
            assert!(!report.paytable.is_empty());
        }
    }
}
