//! Counts the same probabilities by hand with binomials, independently of the enumeration.

use crate::{chance, choose, fraction, report};

/// Returns the number of two-card flushes with `n` decks of `ranks` ranks.
fn same_suit_pairs(n: i128, ranks: i128) -> i128 {
    4 * choose(n * ranks, 2)
}

/// Proves 19:47-2.17(b)3, 19:47-2.17(e)2.
#[test]
fn same_suit() {
    for decks in [1, 2, 4, 6, 8] {
        let settings = [format!("decks={decks}"), "side_wagers.same-suit.paytable=\"1\"".to_string()];
        let found = report("nj-blackjack", &[&settings[0], &settings[1]], "same-suit");
        let (n, pairs) = (decks, choose(52 * decks, 2));
        assert_eq!(chance(&found, "king and queen"), fraction(4 * n * n, pairs));
        assert_eq!(chance(&found, "any two cards"), fraction(same_suit_pairs(n, 13) - 4 * n * n, pairs));
    }
}

/// Proves 19:47-2.17(b)1, 19:47-2.17(b)2, 19:47-2.17(c).
#[test]
fn over_and_under_13() {
    for decks in 1..=8 {
        let settings = [format!("decks={decks}"), "side_wagers.over-under-13.minimum=1".to_string()];
        let settings = [settings[0].as_str(), settings[1].as_str()];
        let n = i128::from(decks);
        let pairs = choose(52 * n, 2);
        // thirteen, with the ace as one: 3+T 4+9 5+8 6+7, with 16n ten-value cards
        let thirteen = 4 * n * 16 * n + 3 * (4 * n) * (4 * n);
        // under: two values from 1 to 9 with a sum of 12 or less, or a ten-value card with an ace or a two
        let mut under = 2 * (4 * n) * (16 * n);
        for low in 1..=9 {
            for high in low..=9 {
                if low + high <= 12 {
                    under += if low == high { choose(4 * n, 2) } else { 16 * n * n };
                }
            }
        }
        let found = report("nj-blackjack", &settings, "under-13");
        assert_eq!(chance(&found, "under 13"), fraction(under, pairs), "{decks}");
        let found = report("nj-blackjack", &settings, "over-13");
        assert_eq!(chance(&found, "over 13"), fraction(pairs - under - thirteen, pairs), "{decks}");
    }
}

/// Proves 19:47-2.17(e)3 "Three sevens of the same suit", 19:47-2.17(e)3 "Three sevens of any suit",
/// 19:47-2.17(e)3 "Two sevens of the same suit", 19:47-2.17(e)3 "Two sevens of any suit", 19:47-2.17(e)3 "One seven".
#[test]
fn sevens() {
    for decks in [4, 5, 6, 7, 8] {
        let settings = [format!("decks={decks}"), "side_wagers.sevens.minimum=1".to_string()];
        let found = report("nj-blackjack", &[&settings[0], &settings[1]], "sevens");
        let n = i128::from(decks);
        let (cards, sevens) = (52 * n, 4 * n);
        let three = choose(cards, 3);
        let suited_threes = 4 * choose(n, 3);
        assert_eq!(chance(&found, "three sevens of the same suit"), fraction(suited_threes, three));
        assert_eq!(
            chance(&found, "three sevens of any suit"),
            fraction(choose(sevens, 3) - suited_threes, three)
        );
        let ordered = cards * (cards - 1) * (cards - 2);
        let suited = 4 * n * (n - 1) * (cards - sevens);
        let pairs = sevens * (sevens - 1) * (cards - sevens);
        assert_eq!(chance(&found, "two sevens of the same suit"), fraction(suited, ordered));
        assert_eq!(chance(&found, "two sevens of any suit"), fraction(pairs - suited, ordered));
        assert_eq!(chance(&found, "one seven"), fraction(sevens * (cards - sevens), cards * (cards - 1)));
    }
}

/// Proves 19:47-2.23(a)#2, 19:47-2.23(a)#3, 19:47-2.23(a)2.
#[test]
fn match_the_dealer() {
    for n in [6, 8] {
        let settings = [format!("decks={n}"), "side_wagers.match-the-dealer.minimum=1".to_string()];
        let found = report("nj-blackjack", &[&settings[0], &settings[1]], "match-the-dealer");
        // apart from the upcard there are n-1 cards like it, 3n of its rank in other suits, and 48n others
        let (same, other, rest) = (n - 1, 3 * n, 48 * n);
        let pairs = choose(52 * n - 1, 2);
        assert_eq!(chance(&found, "two cards of matching suit"), fraction(choose(same, 2), pairs));
        assert_eq!(
            chance(&found, "one card of matching suit, one of another"),
            fraction(same * other, pairs)
        );
        assert_eq!(chance(&found, "one card of matching suit"), fraction(same * rest, pairs));
        assert_eq!(chance(&found, "two cards of non-matching suit"), fraction(choose(other, 2), pairs));
        assert_eq!(chance(&found, "one card of non-matching suit"), fraction(other * rest, pairs));
    }
}

/// Proves 19:47-2.24(f), 19:47-2.24(g)1, 19:47-2.24(g)2, 19:47-2.24(g)3.
#[test]
fn twenty_point() {
    for n in 2..=8 {
        let settings = [format!("decks={n}"), "side_wagers.twenty-point.paytable=\"A\"".to_string()];
        let found = report("nj-blackjack-reader", &[&settings[0], &settings[1]], "twenty-point");
        let pairs = choose(52 * n, 2);
        // without the two queens of hearts: 4n aces and 16n - 2 ten-value cards among 52n - 2 cards
        let blackjack = fraction(4 * n * (16 * n - 2), choose(52 * n - 2, 2));
        let queens = fraction(choose(n, 2), pairs);
        let both = queens.clone() * blackjack;
        assert_eq!(chance(&found, "queen of hearts pair and dealer blackjack"), both);
        assert_eq!(chance(&found, "queen of hearts pair"), queens - both);
        assert_eq!(chance(&found, "matched 20"), fraction(15 * choose(n, 2), pairs));
        let suited = 4 * (choose(4 * n, 2) - 4 * choose(n, 2)) + 4 * n * n;
        assert_eq!(chance(&found, "suited 20"), fraction(suited, pairs));
        let mixed = choose(16 * n, 2) - 4 * choose(4 * n, 2) + 12 * n * n;
        assert_eq!(chance(&found, "any 20"), fraction(mixed, pairs));
    }
}

/// Returns the number of ways to form a two-card hand below 17 that busts with this third card.
fn busts(n: i128, tens_per_deck: i128, third: i128) -> i128 {
    let count = |value: i128| if value == 10 { tens_per_deck * n } else { 4 * n };
    let mut ways = 0;
    for first in 2..=10 {
        for second in 2..=10 {
            let two = first + second;
            if two <= 16 && two + third > 21 {
                let second_left = count(second) - i128::from(first == second);
                let third_left = count(third) - i128::from(first == third) - i128::from(second == third);
                ways += count(first) * second_left * third_left;
            }
        }
    }
    ways
}

/// Proves 19:47-2.25(d), 19:47-2.25(d)#2, 19:47-2.25(d)#3, 19:47-2.25(e), 19:47-2.25(f), 19:47-26.6(d), 19:47-26.6(d)2,
/// 19:47-26.6(d)3, 19:47-26.6(d)3#2.
///
/// A two-card hand with an ace is soft, or 17 and more, and no third card busts it.
#[test]
fn dealer_bust() {
    for (preset, cards, tens) in [("nj-blackjack", 52, 16), ("nj-double-attack", 48, 12)] {
        for n in [6, 8] {
            let settings = [format!("decks={n}"), "side_wagers.dealer-bust.minimum=1".to_string()];
            let found = report(preset, &[&settings[0], &settings[1]], "dealer-bust");
            let orders = cards * n * (cards * n - 1) * (cards * n - 2);
            let suited = 4 * n * (n - 1) * (n - 2);
            let coloured = 2 * (2 * n) * (2 * n - 1) * (2 * n - 2) - suited;
            assert_eq!(chance(&found, "three eights of the same suit"), fraction(suited, orders));
            assert_eq!(chance(&found, "three eights of the same color"), fraction(coloured, orders));
            let thirds = [(10, "a ten"), (9, "a nine"), (8, "an eight"), (7, "a seven"), (6, "a six")];
            for (third, name) in thirds {
                let apart = if third == 8 { suited + coloured } else { 0 };
                let name = format!("third card {name}");
                assert_eq!(chance(&found, &name), fraction(busts(n, tens, third) - apart, orders), "{name}");
            }
        }
    }
}

/// Proves 19:47-36.6(a)1, 19:47-36.6(d), 19:47-36.6(d)#3, 19:47-36.6(d)#4, 19:47-36.6(d)#5.
#[test]
fn suited_royals() {
    for (n, table) in [(8, "A"), (8, "B")] {
        let settings = [format!("decks={n}"), format!("side_wagers.suited-royals.paytable=\"{table}\"")];
        let found = report("nj-triple-attack", &[&settings[0], &settings[1]], "suited-royals");
        let pairs = choose(48 * n, 2);
        let faces = 4 * choose(3 * n, 2);
        let (royal, flush) = (4 * n * n, same_suit_pairs(n, 12));
        assert_eq!(chance(&found, "king-queen suited"), fraction(royal, pairs));
        assert_eq!(chance(&found, "two suited face cards"), fraction(faces - royal, pairs));
        assert_eq!(chance(&found, "two-card flush"), fraction(flush - faces, pairs));
        let [top, middle] = if table == "A" { [40, 10] } else { [30, 12] };
        let lost = pairs - flush;
        let edge = fraction(lost - top * royal - middle * (faces - royal) - 2 * (flush - faces), pairs);
        assert_eq!(found.exact_edge, Some(edge));
    }
}

/// Proves 19:47-36.6(a)2, 19:47-36.6(e), 19:47-36.6(e)#3, 19:47-36.6(e)#4, 19:47-36.6(e)#5, 19:47-36.6(e)#6.
#[test]
fn triple_match() {
    for (n, table) in [(8, "A"), (8, "B")] {
        let settings = [format!("decks={n}"), format!("side_wagers.triple-match.paytable=\"{table}\"")];
        let found = report("nj-triple-attack", &[&settings[0], &settings[1]], "triple-match");
        let triples = choose(48 * n, 3);
        let suited = 48 * choose(n, 3);
        let kind = 12 * choose(4 * n, 3);
        let pair_suited = 48 * choose(n, 2) * (44 * n);
        let pair = 12 * choose(4 * n, 2) * (44 * n);
        assert_eq!(chance(&found, "three-of-a-kind suited"), fraction(suited, triples));
        assert_eq!(chance(&found, "three-of-a-kind unsuited"), fraction(kind - suited, triples));
        assert_eq!(chance(&found, "pair suited"), fraction(pair_suited, triples));
        assert_eq!(chance(&found, "pair unsuited"), fraction(pair - pair_suited, triples));
        let odds = if table == "A" { [150, 20, 4, 2] } else { [50, 8, 6, 2] };
        let ways = [suited, kind - suited, pair_suited, pair - pair_suited];
        let won: i128 = odds.iter().zip(ways).map(|(odds, ways)| odds * ways).sum();
        assert_eq!(found.exact_edge, Some(fraction(triples - kind - pair - won, triples)));
    }
}
