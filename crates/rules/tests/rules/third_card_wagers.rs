//! Side bets that later cards, the dealer or later rounds decide: dealer bust, progressive, queens of hearts, streaks.

use crate::{card, cards, table};
use rules::choice::Choices;
use rules::ruling::StreakSplits;
use rules::wager::streak::{Effect, Record, effect};
use rules::wager::{View, aces, dealer_bust, sevens, streak, twenty};
use rules::{Cents, SideBet};
use std::collections::BTreeMap;

/// The two-card totals that the dealer draws to and that one more card can bust: pairs of values, by total. A hand with
/// an ace cannot bust on its third card.
const STIFF: [(u8, &[(u8, u8)]); 5] = [
    (12, &[(2, 10), (3, 9), (4, 8), (5, 7), (6, 6)]),
    (13, &[(3, 10), (4, 9), (5, 8), (6, 7)]),
    (14, &[(4, 10), (5, 9), (6, 8), (7, 7)]),
    (15, &[(5, 10), (6, 9), (7, 8)]),
    (16, &[(6, 10), (7, 9), (8, 8)]),
];

/// Returns the number of ordered ways in which the dealer busts on a third card of this value, from a full stack.
fn busts_with(third: u8, of_value: impl Fn(u8) -> u64) -> u64 {
    let mut ways = 0;
    for (total, pairs) in STIFF {
        if total + third <= 21 {
            continue;
        }
        for &(a, b) in pairs {
            let two = if a == b { of_value(a) * (of_value(a) - 1) } else { 2 * of_value(a) * of_value(b) };
            ways += two * (of_value(third) - u64::from(a == third) - u64::from(b == third));
        }
    }
    ways
}

fn dealer_bust_counts(choices: &Choices) -> BTreeMap<&'static str, u64> {
    let types: Vec<_> = choices.deck().cards().collect();
    let decks = u64::from(choices.decks);
    let mut counts = BTreeMap::new();
    for &first in &types {
        for &second in &types {
            for &third in &types {
                let dealer = [first, second, third];
                let weight = decks
                    * (decks - u64::from(second == first))
                    * (decks - u64::from(third == first) - u64::from(third == second));
                let view = View { cards: &[], dealer: &dealer };
                if let Some(line) = SideBet::DealerBust.line(choices, &view) {
                    *counts.entry(line.hand).or_default() += weight;
                }
            }
        }
    }
    counts
}

/// Proves 19:47-2.25(a), 19:47-2.25(d), 19:47-2.25(d)#2, 19:47-2.25(d)#3, 19:47-2.25(e) "Ten", 19:47-2.25(e) "Nine",
/// 19:47-2.25(e) "Eight", 19:47-2.25(e) "Seven", 19:47-2.25(e) "Six", 19:47-2.25(f),
/// 19:47-2.25(f) "Three eights of the same color", 19:47-2.25(f) "Three eights of the same suit", 19:47-26.6(a),
/// 19:47-26.6(d)1, 19:47-26.6(d)2#2, 19:47-26.6(d)3, 19:47-26.6(d)3#2.
#[test]
fn dealer_bust_on_every_three_cards() {
    for (preset, tens) in [("nj-blackjack", 16), ("nj-double-attack", 12)] {
        for n in [6, 8] {
            let choices = table(preset, &["side_wagers.dealer-bust=true", &format!("decks={n}")]);
            let of_value = |value: u8| n * if value == 10 { tens } else { 4 };
            let one_suit = 4 * n * (n - 1) * (n - 2);
            let one_colour = 2 * (2 * n) * (2 * n - 1) * (2 * n - 2) - one_suit;
            let expected = BTreeMap::from([
                ("three eights of the same suit", one_suit),
                ("three eights of the same color", one_colour),
                ("third card a ten", busts_with(10, of_value)),
                ("third card a nine", busts_with(9, of_value)),
                ("third card an eight", busts_with(8, of_value) - one_suit - one_colour),
                ("third card a seven", busts_with(7, of_value)),
                ("third card a six", busts_with(6, of_value)),
            ]);
            assert_eq!(dealer_bust_counts(&choices), expected, "{preset} at {n} decks");
        }
    }
}

/// A later card changes nothing, and two cards of 17 or more lose even if the dealer hits soft 17 (Q24).
#[test]
fn only_the_third_card_counts() {
    let choices = table("nj-blackjack", &["side_wagers.dealer-bust=true", "soft_17=hit"]);
    let line = |dealer: &str| {
        let dealer = cards(dealer);
        SideBet::DealerBust.line(&choices, &View { cards: &[], dealer: &dealer }).map(|line| line.hand)
    };
    assert_eq!(line("Kd 6c 6h"), Some("third card a six"));
    assert_eq!(line("Kd 2c 2h 9s"), None);
    assert_eq!(line("As 6c Kh 9s"), None);
    assert_eq!(line("Kd 7c"), None);
    assert_eq!(line("As Kc"), None);
    for (dealer, decided) in
        [("Kd 7c", true), ("As 6c", true), ("As Kc", true), ("Kd 6c", false), ("As 5d", false)]
    {
        assert_eq!(dealer_bust::is_decided_on_two(&cards(dealer)), decided, "{dealer}");
    }
}

/// Proves 19:47-2.19(c), 19:47-2.19(c) "Four black or four red aces in the first four cards",
/// 19:47-2.19(c) "Three aces of the same suit in the first three cards",
/// 19:47-2.19(c) "Any three aces in the first three cards",
/// 19:47-2.19(c) "Two aces of the same suit in the first two cards",
/// 19:47-2.19(c) "Any two aces in the first two cards", 19:47-2.19(e).
#[test]
fn every_series_of_aces() {
    let other = card("9c");
    for index in 0..5_usize.pow(4) {
        let suits = [index % 5, index / 5 % 5, index / 25 % 5, index / 125];
        // the suits c d h s, and a card that is not an ace
        let series: Vec<_> = suits
            .iter()
            .map(|&suit| ["Ac", "Ad", "Ah", "As"].get(suit).map_or(other, |ace| card(ace)))
            .collect();
        let aces = suits.iter().take_while(|&&suit| suit < 4).count();
        let black = |suit: &usize| [0, 3].contains(suit);
        let one_suit = |n: usize| suits[..n].iter().all(|suit| *suit == suits[0]);
        let one_colour = suits.iter().all(black) || !suits.iter().any(black);
        let expected = match aces {
            4 if one_colour => Some("the progressive meter"),
            3 | 4 if one_suit(3) => Some("$2500.00"),
            3 | 4 => Some("$250.00"),
            2 if one_suit(2) => Some("$100.00"),
            2 => Some("$25.00"),
            _ => None,
        };
        let found = aces::progressive(&series).map(|line| line.pays.to_string());
        assert_eq!(found.as_deref(), expected, "{series:?}");
        // a player who stands on fewer cards is paid for these
        let two = aces::progressive(&series[..2]).map(|line| line.pays.to_string());
        let expected = (aces >= 2).then_some(if one_suit(2) { "$100.00" } else { "$25.00" });
        assert_eq!(two.as_deref(), expected);
    }
}

/// The meter gains exactly its rate: 2.19(i).
#[test]
fn the_meter_gains_its_rate() {
    assert_eq!(aces::contribution(1, 7_000), Cents(70));
    assert_eq!(aces::contribution(3, 7_500), Cents(225));
    assert_eq!(aces::contribution(2, 10_000), Cents(200));
}

/// Proves 19:47-2.24(f) "Queen of hearts pair and dealer blackjack", 19:47-2.24(f) "Queen of hearts pair",
/// 19:47-2.24(e)1.
#[test]
fn queens_of_hearts_and_the_dealer() {
    let choices = table("nj-blackjack", &["hole_card=down", "side_wagers.twenty-point=true"]);
    let line = |player: &str, dealer: &str| {
        let (cards, dealer) = (cards(player), cards(dealer));
        let line = SideBet::TwentyPoint.line(&choices, &View { cards: &cards, dealer: &dealer });
        line.map(|line| (line.hand, line.pays.to_string()))
    };
    let pays = |hand, odds: &str| Some((hand, odds.to_string()));
    let jackpot = "queen of hearts pair and dealer blackjack";
    assert_eq!(line("Qh Qh", "As Kd"), pays(jackpot, "1000 to 1"));
    assert_eq!(line("Qh Qh", "Kd As"), pays(jackpot, "1000 to 1"));
    assert_eq!(line("Qh Qh", "Kd 9s"), pays("queen of hearts pair", "125 to 1"));
    assert_eq!(line("Qs Qs", "Kd As"), pays("matched 20", "19 to 1"));
    let queens = [card("Qh"), card("Qh")];
    for up in rules::Deck::FIFTY_TWO.cards() {
        let high = "ATJQK".contains(up.rank().letter());
        assert_eq!(twenty::waits(queens, up), high, "{up}");
        assert!(!twenty::waits([card("Qh"), card("Qs")], up));
    }
}

/// Proves 19:47-2.24(h), 19:47-2.24(h)#3.
#[test]
fn queens_of_hearts_share_the_maximum() {
    let dollars = Cents::dollars;
    let share = |wager, all| {
        twenty::capped(
            dollars(1000 * wager),
            dollars(wager),
            dollars(1000 * all),
            dollars(all),
            Some(dollars(25_000)),
        )
    };
    // alone under the maximum, alone above it, three together above it in proportion to their bets
    assert_eq!(share(25, 25), dollars(25_000));
    assert_eq!(share(50, 50), dollars(25_000));
    assert_eq!(share(10, 50), dollars(5_000));
    assert_eq!(share(40, 50), dollars(20_000));
    assert_eq!(share(10, 20), dollars(10_000));
    assert_eq!(
        twenty::capped(dollars(50_000), dollars(50), dollars(50_000), dollars(50), None),
        dollars(50_000)
    );
}

/// Only two sevens wait for the player's decision.
#[test]
fn two_sevens_wait() {
    assert!(sevens::waits(&cards("7c 7d")));
    assert!(!sevens::waits(&cards("7c 8d")));
    assert!(!sevens::waits(&cards("8c 7d")));
    assert!(!sevens::waits(&cards("7c 7d 7h")));
}

/// Proves 19:47-2.22(d)1, 19:47-2.22(d)2, 19:47-2.22(d)2#3, 19:47-2.22(d)3, 19:47-2.22(d)3#3, 19:47-2.22(d)4,
/// 19:47-2.22(d)4#3, 19:47-2.22(j), 19:47-2.22(j) "Two consecutive winning hands",
/// 19:47-2.22(j) "Three consecutive winning hands", 19:47-2.22(j) "Four consecutive winning hands",
/// 19:47-2.22(j) "Five consecutive winning hands".
#[test]
fn streaks_of_two_to_five() {
    let choices = table("nj-blackjack", &["side_wagers.streak=true"]);
    let bets = [SideBet::Streak2, SideBet::Streak3, SideBet::Streak4, SideBet::Streak5];
    for (bet, (hands, odds)) in bets.into_iter().zip([(2, 3), (3, 7), (4, 17), (5, 37)]) {
        assert_eq!(bet.streak(), Some(hands));
        let line = streak::line(&choices, hands).expect("a streak");
        assert_eq!(line.pays.to_string(), format!("{odds} to 1"));
    }
    assert_eq!((streak::line(&choices, 1), streak::line(&choices, 6)), (None, None));
}

/// Proves 19:47-2.22(e), 19:47-2.22(g), 19:47-2.22(h), 19:47-2.22(h)#2, 19:47-2.22(h)#3.
#[test]
fn what_a_round_does_to_a_streak() {
    let (advances, holds, loses) = (Effect::Advances, Effect::Holds, Effect::Loses);
    // hands won, lost and pushed; then the effect by comparison, and by the majority of all hands
    for (won, lost, pushed, compare, majority) in [
        (1, 0, 0, advances, advances),
        (0, 1, 0, loses, loses),
        (0, 0, 1, holds, holds),
        (2, 0, 0, advances, advances),
        (1, 1, 0, holds, holds),
        (0, 2, 0, loses, loses),
        (1, 0, 1, advances, loses),
        (0, 1, 1, loses, loses),
        (0, 0, 2, holds, holds),
        (2, 1, 0, advances, advances),
        (1, 2, 0, loses, loses),
        (1, 1, 1, holds, holds),
        (2, 1, 1, advances, loses),
        (2, 0, 1, advances, advances),
        (2, 2, 0, holds, holds),
        (3, 1, 0, advances, advances),
        (1, 0, 3, advances, loses),
    ] {
        let record = Record { won, lost, pushed };
        assert_eq!(effect(record, StreakSplits::Compare), compare, "{record:?}");
        assert_eq!(effect(record, StreakSplits::Majority), majority, "{record:?}");
    }
}
