//! Bets are independent: side bets, insurance, surrender and the main bet are each settled alone.

use crate::settle::{dealer_hands, player_hands};
use crate::{card, cards, table};
use rules::settle::{self, Outcome, Stake, SurrenderTo};
use rules::wager::View;
use rules::{Cents, Deck, Odds, Origin, SideBet, Suit, limit};

/// Tables with side bets that may share a table, by preset.
const SHARED: [(&str, &[&str]); 5] = [
    ("nj-blackjack", &["over-under-13", "match-the-dealer", "blackjack-bonus"]),
    ("nj-blackjack", &["sevens", "streak", "match-the-dealer"]),
    ("nj-switch", &["match"]),
    ("nj-double-attack", &["dealer-bust"]),
    ("nj-triple-attack", &["suited-royals", "triple-match"]),
];

/// Proves 19:47-2.17(i), 19:47-2.20(i), 19:47-2.22(i), 19:47-2.23(b), 19:47-2.24(b), 19:47-2.25(g), 19:47-2.19(d),
/// 19:47-2A.6(e), MA-BJS 6(e), 19:47-26.6(e), 19:47-36.6(f).
#[test]
fn the_main_wager_does_not_know_the_side_wagers() {
    let more: [(&str, &[&str]); 4] = [
        ("nj-blackjack", &["same-suit", "dealer-bust"]),
        ("nj-blackjack", &["progressive"]),
        ("nj-blackjack-reader", &["twenty-point", "match-the-dealer"]),
        ("ma-switch", &["match"]),
    ];
    let dealers = dealer_hands();
    let players = player_hands(Origin::Dealt);
    for (preset, wagers) in SHARED.into_iter().chain(more) {
        let offers: Vec<String> = wagers.iter().map(|wager| format!("side_wagers.{wager}=true")).collect();
        let offered = table(preset, &offers.iter().map(String::as_str).collect::<Vec<_>>());
        let mut without = offered.clone();
        without.side_wagers.clear();
        // every seventh hand is enough to cover each class against each dealer
        for player in players.iter().step_by(7) {
            for dealer in &dealers {
                let verdict = settle::compare(&offered, player, dealer, Stake::Main);
                assert_eq!(verdict, settle::compare(&without, player, dealer, Stake::Main));
            }
        }
    }
}

/// Proves 19:47-2.19(d), 19:47-2.20(i).
#[test]
fn a_side_wager_on_the_own_cards_does_not_know_the_dealer() {
    let choices = table(
        "nj-blackjack",
        &[
            "side_wagers.progressive=true",
            "side_wagers.blackjack-bonus=true",
            "side_wagers.over-under-13=true",
        ],
    );
    let bets = [SideBet::Progressive, SideBet::BlackjackBonus, SideBet::Over13, SideBet::Under13];
    for own in ["As Kd", "Ac Ad", "Ac Ad Ah", "7c 7d", "Kc 9d"].map(cards) {
        for bet in bets {
            let alone = bet.line(&choices, &View { cards: &own, dealer: &[] });
            for dealer in dealer_hands() {
                let view = View { cards: &own, dealer: dealer.cards() };
                assert_eq!(bet.line(&choices, &view), alone);
            }
        }
    }
}

/// Offering another side bet, or none, changes no line of a side bet.
#[test]
fn side_wagers_do_not_know_each_other() {
    for (preset, wagers) in SHARED {
        let offers: Vec<String> = wagers.iter().map(|wager| format!("side_wagers.{wager}=true")).collect();
        let together = table(preset, &offers.iter().map(String::as_str).collect::<Vec<_>>());
        for bet in SideBet::ALL.into_iter().filter(|bet| wagers.contains(&bet.wager().word())) {
            let mut alone = together.clone();
            alone.side_wagers.retain(|wager, _| *wager == bet.wager());
            for own in ["Kh Qh 7c 7d", "7c 7d 7h 2s", "As Ks 5d 5c", "Jh Kh 2c 3c"].map(cards) {
                for dealer in ["7h Kd 6c", "8c 8s 8c", "Kd As"].map(cards) {
                    let view = View { cards: &own, dealer: &dealer };
                    assert_eq!(bet.line(&together, &view), bet.line(&alone, &view));
                }
            }
        }
    }
}

/// Proves 19:47-2.8(b), 19:47-2A.9(b), MA-BJS 9(b), 19:47-26.8(b).
#[test]
fn insurance_and_surrender_are_settled_apart() {
    for (preset, odds) in [
        ("nj-blackjack", Odds::to_1(2)),
        ("nj-switch", Odds::to_1(2)),
        ("ma-switch", Odds::to_1(2)),
        ("nj-double-attack", Odds::new(5, 2)),
    ] {
        let choices = table(preset, &["surrender=true"]);
        let up = card("As");
        // a bet of 20, surrendered and insured for 10: a blackjack takes all of it and pays the insurance; otherwise
        // half of it and all of the insurance is lost
        let (wager, insured) = (Cents::dollars(20), Cents::dollars(10));
        let blackjack = settle::insurance(&choices, up, card("Kd"));
        assert_eq!(blackjack.outcome, Outcome::Win(odds));
        assert_eq!(settle::surrender(&choices, SurrenderTo::Blackjack, Stake::Main).net(wager), Some(-wager));
        let other = settle::insurance(&choices, up, card("9d"));
        assert_eq!(other.net(insured), Some(-insured));
        let half = settle::surrender(&choices, SurrenderTo::NoBlackjack, Stake::Main).net(wager);
        assert_eq!(half, Some(-Cents::dollars(10)));
    }
}

/// Proves 19:47-2.9(e), 19:47-2.9(f), 19:47-2A.8(e), MA-BJS 8(e).
#[test]
fn insurance_covers_the_main_wager_only() {
    for (preset, offer) in [
        ("nj-blackjack", "side_wagers.progressive=true"),
        ("nj-blackjack", "side_wagers.over-under-13=true"),
        ("nj-switch", "side_wagers.match=true"),
        ("ma-switch", "side_wagers.match=true"),
    ] {
        let (plain, offered) = (table(preset, &[]), table(preset, &[offer]));
        for dollars in [10, 15, 25, 500] {
            let wager = Cents::dollars(dollars);
            assert_eq!(limit::most_insurance(&offered, wager), limit::most_insurance(&plain, wager));
        }
    }
}

/// Proves 19:47-2A.1 "Suit", MA-BJS 1 "Suit", 19:47-26.1 "Suit", 19:47-36.1 "Suit", 19:47-2A.2(a)#4, 19:46-1.17(h)#2.
#[test]
fn four_suits_and_no_joker() {
    assert_eq!(Suit::ALL.map(Suit::name), ["clubs", "diamonds", "hearts", "spades"]);
    for (preset, size) in
        [("nj-switch", 52), ("ma-switch", 52), ("nj-double-attack", 48), ("nj-triple-attack", 48)]
    {
        let deck: Deck = table(preset, &[]).deck();
        assert_eq!(deck.cards().count(), size);
        for suit in Suit::ALL {
            assert_eq!(deck.cards().filter(|card| card.suit() == suit).count(), size / 4);
        }
    }
    for joker in ["*", "Jo", "XX", "Wj", "1s"] {
        assert!(joker.parse::<rules::Card>().is_err());
    }
}

/// Proves 19:47-2.14, 19:47-26.14, 19:47-36.13.
#[test]
fn one_box_unless_the_table_allows_more() {
    for (preset, _) in rules::preset::PRESETS {
        assert_eq!(table(preset, &[]).boxes_per_player, 1);
    }
}
