//! The side bets that the initial cards decide, counted over every hand and upcard at every deck count and compared
//! with formulas written from the texts. `n` is the number of decks; a 52-card stack holds `4n` cards of each rank and
//! `16n` of value ten.

use crate::table;
use rules::wager::View;
use rules::{Card, Choices, SideBet, Suit};
use std::collections::BTreeMap;

/// Returns the number of ways to choose `k` of `n`.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

/// The number of hands of each line, by its name.
type Counts = BTreeMap<&'static str, u64>;

/// Counts every ordered draw of `draws` cards from the stack by the line of `bet`. The first two are the player's; the
/// third is the dealer's upcard, or the player's if the side bet depends on three cards.
fn count(choices: &Choices, bet: SideBet, draws: usize, third_is_up: bool) -> Counts {
    let types: Vec<Card> = choices.deck().cards().collect();
    let decks = u64::from(choices.decks);
    let mut counts = Counts::new();
    let mut add = |cards: &[Card], weight: u64| {
        if weight == 0 {
            return;
        }
        let (player, dealer) = cards.split_at(if third_is_up { 2 } else { cards.len() });
        if let Some(line) = bet.line(choices, &View { cards: player, dealer }) {
            *counts.entry(line.hand).or_default() += weight;
        }
    };
    for &first in &types {
        for &second in &types {
            let two = decks * (decks - u64::from(second == first));
            if draws == 2 {
                add(&[first, second], two);
                continue;
            }
            for &third in &types {
                let same = u64::from(third == first) + u64::from(third == second);
                add(&[first, second, third], if decks > same { two * (decks - same) } else { 0 });
            }
        }
    }
    counts
}

/// Asserts the counts of unordered hands, each of which was counted `orders` times.
fn holds(found: &Counts, orders: u64, expected: &[(&'static str, u64)], what: &str) {
    let expected: Counts =
        expected.iter().filter(|(_, ways)| *ways > 0).map(|&(hand, ways)| (hand, ways * orders)).collect();
    assert_eq!(*found, expected, "{what}");
}

/// Proves 19:47-2.17(a)1, 19:47-2.17(b)1, 19:47-2.17(b)2, 19:47-2.17(c), 19:47-2.2(b)3.ii, 19:47-2.2(b)3.ii#2.
#[test]
fn over_and_under_13() {
    for n in 1..=8 {
        let choices = table("nj-blackjack", &["side_wagers.over-under-13=true", &format!("decks={n}")]);
        // over: 5-9 6-8 6-9 7-8 7-9 8-9, 4 to 9 with a ten, pairs of 7 8 9 and tens
        let over = 6 * 16 * n * n + 6 * 64 * n * n + 3 * choose(4 * n, 2) + choose(16 * n, 2);
        // under, an ace counting one: an ace with 2 to 9, 2 with 3 to 9, 3 with 4 to 9, 4 with 5 to 8, 5 with 6 7;
        // an ace or a two with a ten; pairs up to sixes
        let under = (8 + 7 + 6 + 4 + 2) * 16 * n * n + 2 * 64 * n * n + 6 * choose(4 * n, 2);
        // exactly 13: 3 and ten, 4-9 5-8 6-7
        let thirteen = 64 * n * n + 3 * 16 * n * n;
        assert_eq!(over + under + thirteen, choose(52 * n, 2));
        holds(&count(&choices, SideBet::Over13, 2, false), 2, &[("over 13", over)], "over");
        holds(&count(&choices, SideBet::Under13, 2, false), 2, &[("under 13", under)], "under");
    }
}

/// Proves 19:47-2.17(a)2, 19:47-2.17(b)3.
#[test]
fn same_suit() {
    for n in [1, 2, 4, 6, 8] {
        let choices = table("nj-blackjack", &["side_wagers.same-suit=true", &format!("decks={n}")]);
        let king_queen = 4 * n * n;
        let any = 4 * choose(13 * n, 2) - king_queen;
        let found = count(&choices, SideBet::SameSuit, 2, false);
        holds(&found, 2, &[("king and queen", king_queen), ("any two cards", any)], "same suit");
    }
}

/// Proves 19:47-2.17(a)3, 19:47-2.17(b)4, 19:47-2.17(e)3, 19:47-2.17(e)3 "Three sevens of the same suit",
/// 19:47-2.17(e)3 "Three sevens of any suit", 19:47-2.17(e)3 "Two sevens of the same suit",
/// 19:47-2.17(e)3 "Two sevens of any suit", 19:47-2.17(e)3 "One seven".
#[test]
fn sevens() {
    for n in 4..=8 {
        let decks = format!("decks={n}");
        let offer = &["side_wagers.sevens=true", &decks];
        let (sevens, others) = (4 * n, 48 * n);
        // in dealing order, the third card always taken
        let three_suited = 4 * n * (n - 1) * (n - 2);
        let three = sevens * (sevens - 1) * (sevens - 2) - three_suited;
        let two_suited = 4 * n * (n - 1) * others;
        let two = sevens * (sevens - 1) * others - two_suited;
        let one = sevens * others * (52 * n - 2);
        let mut expected = [
            ("three sevens of the same suit", three_suited),
            ("three sevens of any suit", three),
            ("two sevens of the same suit", two_suited),
            ("two sevens of any suit", two),
            ("one seven", one),
        ];
        let found = count(&table("nj-blackjack", offer), SideBet::Sevens, 3, false);
        holds(&found, 1, &expected, "sevens");
        // the other reading also pays a lone seven as the second card
        expected[4].1 = 2 * one;
        let either = table("nj-blackjack", &[offer[0], offer[1], "rulings.lone_seven=either"]);
        holds(&count(&either, SideBet::Sevens, 3, false), 1, &expected, "sevens, either");
    }
}

/// Proves 19:47-2.20(d).
#[test]
fn blackjack_bonus() {
    for n in 1..=8 {
        let choices = table("nj-blackjack", &["side_wagers.blackjack-bonus=true", &format!("decks={n}")]);
        let found = count(&choices, SideBet::BlackjackBonus, 2, false);
        holds(&found, 2, &[("blackjack", 4 * n * 16 * n)], "bonus");
        let (hit, all) = rules::wager::bonus::blackjack_chance(n as u8);
        assert_eq!(hit * choose(52 * n, 2), 4 * n * 16 * n * all);
    }
}

/// Proves 19:47-2.23(a)#2, 19:47-2.23(a)#3, 19:47-2.23(a)2.
#[test]
fn match_the_dealer() {
    for n in [6, 8] {
        let choices = table("nj-blackjack", &["side_wagers.match-the-dealer=true", &format!("decks={n}")]);
        // besides the upcard there are n-1 like it, 3n of its rank in other suits and 48n others
        let (same, rank, others) = (n - 1, 3 * n, 48 * n);
        let expected = [
            ("two cards of matching suit", choose(same, 2)),
            ("one card of matching suit, one of another", same * rank),
            ("one card of matching suit", same * others),
            ("two cards of non-matching suit", choose(rank, 2)),
            ("one card of non-matching suit", rank * others),
        ];
        let found = count(&choices, SideBet::MatchTheDealer, 3, true);
        holds(&found, 2 * 52 * n, &expected, "match the dealer");
    }
}

/// Proves 19:47-2.24(a), 19:47-2.24(g), 19:47-2.24(g)1, 19:47-2.24(g)2, 19:47-2.24(g)3.
#[test]
fn twenty_point() {
    for n in 2..=8 {
        let decks = format!("decks={n}");
        let offer = ["hole_card=down", "side_wagers.twenty-point=true", &decks];
        // sixteen ten-value cards, one of them the queen of hearts
        let matched = 15 * choose(n, 2);
        let suited_tens = 4 * choose(4, 2) * n * n;
        let other_tens = choose(16 * n, 2) - 4 * choose(4 * n, 2);
        let (suited_nine, other_nine) = (4 * n * n, 12 * n * n);
        let expected = |nine: u64| {
            [
                ("queen of hearts pair", choose(n, 2)),
                ("matched 20", matched),
                ("suited 20", suited_tens + nine * suited_nine),
                ("any 20", other_tens + nine * other_nine),
            ]
        };
        let found = count(&table("nj-blackjack", &offer), SideBet::TwentyPoint, 2, false);
        holds(&found, 2, &expected(1), "twenty point");
        let mut without = offer.to_vec();
        without.push("rulings.ace_nine_twenty=does-not-count");
        let found = count(&table("nj-blackjack", &without), SideBet::TwentyPoint, 2, false);
        holds(&found, 2, &expected(0), "twenty point without ace and nine");
    }
}

/// Proves 19:47-2A.6(a), 19:47-2A.6(a)1, 19:47-2A.6(a)2, 19:47-2A.6(a)3, 19:47-2A.6(a)4, 19:47-2A.6(d),
/// 19:47-2A.2(c), 19:47-2A.2(c)#2, MA-BJS 6(a), MA-BJS 6(a)(1), MA-BJS 6(a)(2), MA-BJS 6(a)(3), MA-BJS 6(a)(4),
/// MA-BJS 6(d), MA-BJS 2(c), MA-BJS 2(c)#2.
#[test]
fn match_wager_of_switch() {
    for preset in ["nj-switch", "ma-switch"] {
        for n in [6_u64, 8] {
            let choices = table(preset, &[&format!("decks={n}")]);
            let expected = [
                ("four-of-a-kind", 13 * choose(4 * n, 4)),
                ("three-of-a-kind", 13 * choose(4 * n, 3) * 48 * n),
                ("two pair", choose(13, 2) * choose(4 * n, 2) * choose(4 * n, 2)),
                ("one pair", 13 * choose(4 * n, 2) * choose(12, 2) * 4 * n * 4 * n),
            ];
            // suits do not matter: all different, all the same
            for suits in [Suit::ALL, [Suit::Hearts; 4]] {
                holds(&match_by_rank(&choices, suits), 24, &expected, "match");
            }
        }
    }
}

/// Counts every four ranks in order, with these suits, weighted by the number of cards of those ranks.
fn match_by_rank(choices: &Choices, suits: [Suit; 4]) -> Counts {
    let mut counts = Counts::new();
    let of_a_rank = 4 * u64::from(choices.decks);
    for index in 0..13_usize.pow(4) {
        let ranks = [index % 13, index / 13 % 13, index / 169 % 13, index / 2197];
        let cards: Vec<Card> =
            ranks.iter().zip(suits).map(|(&rank, suit)| Card::new(rules::Rank::ALL[rank], suit)).collect();
        let weight: u64 = (0..4)
            .map(|at| of_a_rank - ranks[..at].iter().filter(|&&rank| rank == ranks[at]).count() as u64)
            .product();
        if let Some(line) = SideBet::Match.line(choices, &View { cards: &cards, dealer: &[] }) {
            *counts.entry(line.hand).or_default() += weight;
        }
    }
    counts
}

/// Proves 19:47-36.6(a)1, 19:47-36.6(a)1i, 19:47-36.6(a)1ii, 19:47-36.6(a)1iii, 19:47-36.6(d).
#[test]
fn suited_royals() {
    let n = 8;
    for paytable in ["A", "B"] {
        let choices = table("nj-triple-attack", &[&format!("side_wagers.suited-royals.paytable={paytable}")]);
        let expected = [
            ("king-queen suited", 4 * n * n),
            ("two suited face cards", 4 * (choose(3 * n, 2) - n * n)),
            ("two-card flush", 4 * (choose(12 * n, 2) - choose(3 * n, 2))),
        ];
        holds(&count(&choices, SideBet::SuitedRoyals, 2, false), 2, &expected, "suited royals");
    }
}

/// Proves 19:47-36.6(a)2, 19:47-36.6(a)2i, 19:47-36.6(a)2ii, 19:47-36.6(a)2iii, 19:47-36.6(a)2iv, 19:47-36.6(e),
/// 19:47-36.1 "Rank".
#[test]
fn triple_match() {
    let n = 8;
    for paytable in ["A", "B"] {
        let choices = table("nj-triple-attack", &[&format!("side_wagers.triple-match.paytable={paytable}")]);
        // twelve ranks of 4n cards, 48 distinct cards, n of each
        let suited = 48 * choose(n, 3);
        let pairs_suited = 48 * choose(n, 2);
        let expected = [
            ("three-of-a-kind suited", suited),
            ("three-of-a-kind unsuited", 12 * choose(4 * n, 3) - suited),
            ("pair suited", pairs_suited * 44 * n),
            ("pair unsuited", (12 * choose(4 * n, 2) - pairs_suited) * 44 * n),
        ];
        holds(&count(&choices, SideBet::TripleMatch, 3, true), 6, &expected, "triple match");
    }
}
