//! Every paytable compared with the odds in the texts.

use crate::table;
use rules::text::TEXTS;
use rules::wager::{Pays, SideWager, paytable};
use rules::{Clause, Odds};

/// Returns the odds of a side bet's paytable, line by line.
fn odds(preset: &str, overrides: &[&str], wager: SideWager) -> Vec<(&'static str, Odds, &'static str)> {
    let choices = table(preset, overrides);
    let paytable = paytable(&choices, wager).expect("a pay table");
    paytable
        .lines
        .iter()
        .map(|line| match line.pays {
            Pays::Odds(odds) => (line.hand, odds, line.by.id()),
            other => panic!("{other}"),
        })
        .collect()
}

fn tenths(tenths: u32) -> Odds {
    Odds::new(tenths, 10)
}

/// Proves 19:47-2.17(e)#3, 19:47-2.17(e)2, 19:47-2.17(e)2.i, 19:47-2.17(e)2.i "Option 1", 19:47-2.17(e)2.i "Option 2",
/// 19:47-2.17(e)2.i "Option 3", 19:47-2.17(e)2.i "Option 4", 19:47-2.17(e)2.ii, 19:47-2.17(e)2.ii "Option 1",
/// 19:47-2.17(e)2.ii "Option 2", 19:47-2.17(e)2.ii "Option 3", 19:47-2.17(e)2.ii "Option 4", 19:47-2.17(e)2.iii,
/// 19:47-2.17(e)2.iii "Option 1", 19:47-2.17(e)2.iii "Option 2", 19:47-2.17(e)2.iii "Option 3",
/// 19:47-2.17(e)2.iii "Option 4", 19:47-2.17(e)2.iv, 19:47-2.17(e)2.iv "Option 1", 19:47-2.17(e)2.iv "Option 2",
/// 19:47-2.17(e)2.iv "Option 3", 19:47-2.17(e)2.iv "Option 4", 19:47-2.17(e)2.v, 19:47-2.17(e)2.v "Option 1",
/// 19:47-2.17(e)2.v "Option 2", 19:47-2.17(e)2.v "Option 3".
#[test]
fn same_suit() {
    // king and queen, and any two cards in tenths, option by option
    for (decks, item, options) in [
        (1, "i", &[(50, 25), (10, 30), (5, 30), (25, 25)][..]),
        (2, "ii", &[(10, 30), (5, 30), (25, 25), (20, 25)]),
        (4, "iii", &[(5, 30), (25, 25), (20, 25), (50, 20)]),
        (6, "iv", &[(5, 30), (25, 25), (20, 25), (15, 25)]),
        (8, "v", &[(5, 30), (25, 25), (50, 20)]),
    ] {
        for (at, &(king_queen, any)) in options.iter().enumerate() {
            let option = at + 1;
            let overrides =
                [format!("decks={decks}"), format!("side_wagers.same-suit.paytable=\"{option}\"")];
            let overrides = overrides.each_ref().map(String::as_str);
            let found = odds("nj-blackjack", &overrides, SideWager::SameSuit);
            let by = format!("19:47-2.17(e)2.{item} \"Option {option}\"");
            let by = Clause::find(&by).expect("a clause").id();
            let expected =
                [("king and queen", Odds::to_1(king_queen), by), ("any two cards", tenths(any), by)];
            assert_eq!(found, expected);
        }
    }
}

/// Proves 19:47-2.17(e)1, 19:47-2.17(e)3.
#[test]
fn over_under_and_sevens() {
    let over_under = odds("nj-blackjack", &["side_wagers.over-under-13=true"], SideWager::OverUnder13);
    assert!(over_under.iter().all(|(_, odds, _)| *odds == Odds::EVEN));
    let sevens = odds("nj-blackjack", &["side_wagers.sevens=true"], SideWager::Sevens);
    let sevens: Vec<Odds> = sevens.into_iter().map(|(_, odds, _)| odds).collect();
    assert_eq!(sevens, [5000, 500, 100, 50, 3].map(Odds::to_1));
}

/// Proves 19:47-2.23(a)1, 19:47-2.23(f), 19:47-2.23(f) "Six-deck, non-matching suit",
/// 19:47-2.23(f) "Six-deck, matching suit", 19:47-2.23(f) "Eight-deck, non-matching suit",
/// 19:47-2.23(f) "Eight-deck, matching suit".
#[test]
fn match_the_dealer() {
    // for each matching card: of the dealer's suit, of another
    for (decks, suited, other, name) in [(6, 11, 4, "Six"), (8, 14, 3, "Eight")] {
        let overrides = [format!("decks={decks}"), "side_wagers.match-the-dealer=true".to_string()];
        let found =
            odds("nj-blackjack", &overrides.each_ref().map(String::as_str), SideWager::MatchTheDealer);
        let expected = [2 * suited, suited + other, suited, 2 * other, other];
        let cited = [1, 1, 1, 0, 0];
        for ((_, odds, by), (expected, cited)) in found.into_iter().zip(expected.into_iter().zip(cited)) {
            assert_eq!(odds, Odds::to_1(expected));
            let suit = ["non-matching suit", "matching suit"][cited];
            assert_eq!(by, format!("19:47-2.23(f) \"{name}-deck, {suit}\""));
        }
    }
}

/// Proves 19:47-2.24(f), 19:47-2.24(f) "Matched 20", 19:47-2.24(f) "Suited 20", 19:47-2.24(f) "Any 20".
#[test]
fn twenty_point() {
    for (name, expected) in [("A", [1000, 125, 19, 9, 4]), ("B", [1000, 200, 25, 10, 4])] {
        let overrides = ["hole_card=down".to_string(), format!("side_wagers.twenty-point.paytable={name}")];
        let found = odds("nj-blackjack", &overrides.each_ref().map(String::as_str), SideWager::TwentyPoint);
        let found: Vec<Odds> = found.into_iter().map(|(_, odds, _)| odds).collect();
        assert_eq!(found, expected.map(Odds::to_1));
    }
}

/// Proves 19:47-2A.6(c), 19:47-2A.6(c) 6-deck "One pair", 19:47-2A.6(c) 6-deck "Three-of-a-kind",
/// 19:47-2A.6(c) 6-deck "Two pair", 19:47-2A.6(c) 6-deck "Four-of-a-kind", 19:47-2A.6(c) 8-deck "One pair",
/// 19:47-2A.6(c) 8-deck "Three-of-a-kind", 19:47-2A.6(c) 8-deck "Two pair", 19:47-2A.6(c) 8-deck "Four-of-a-kind",
/// MA-BJS 6(c), MA-BJS 6(c) 6-deck "One pair", MA-BJS 6(c) 6-deck "Three-of-a-kind", MA-BJS 6(c) 6-deck "Two pair",
/// MA-BJS 6(c) 6-deck "Four-of-a-kind", MA-BJS 6(c) 8-deck "One pair", MA-BJS 6(c) 8-deck "Three-of-a-kind",
/// MA-BJS 6(c) 8-deck "Two pair", MA-BJS 6(c) 8-deck "Four-of-a-kind".
#[test]
fn match_wager() {
    for (preset, section) in [("nj-switch", "19:47-2A.6(c)"), ("ma-switch", "MA-BJS 6(c)")] {
        for (decks, expected) in [(6, [40, 8, 5, 1]), (8, [50, 7, 5, 1])] {
            let found = odds(preset, &[&format!("decks={decks}")], SideWager::Match);
            let names = ["Four-of-a-kind", "Two pair", "Three-of-a-kind", "One pair"];
            for ((_, odds, by), (name, expected)) in found.into_iter().zip(names.into_iter().zip(expected)) {
                assert_eq!(odds, Odds::to_1(expected));
                assert_eq!(by, format!("{section} {decks}-deck \"{name}\""));
            }
        }
    }
}

/// Proves 19:47-26.6(d)2#3, 19:47-26.6(d)2#4, 19:47-26.6(d)2#5, 19:47-26.6(d)2#6, 19:47-26.6(d)2#7, 19:47-26.6(d)3,
/// 19:47-26.6(d)3#2.
#[test]
fn dealer_bust() {
    let of = |preset| {
        let found = odds(preset, &["side_wagers.dealer-bust=true"], SideWager::DealerBust);
        found.into_iter().map(|(_, odds, _)| odds).collect::<Vec<_>>()
    };
    // three eights of one suit, of one color, then a third card of ten, nine, eight, seven, six
    assert_eq!(of("nj-blackjack"), [200, 50, 3, 5, 7, 9, 15].map(Odds::to_1));
    assert_eq!(of("nj-double-attack"), [200, 50, 3, 6, 8, 10, 15].map(Odds::to_1));
}

/// Proves 19:47-36.6(a), 19:47-36.6(d)#2, 19:47-36.6(d)#3, 19:47-36.6(d)#4, 19:47-36.6(d)#5, 19:47-36.6(e)#2,
/// 19:47-36.6(e)#3, 19:47-36.6(e)#4, 19:47-36.6(e)#5, 19:47-36.6(e)#6.
#[test]
fn triple_attack_bonus_wagers() {
    let of = |name: &str, paytable: &str, wager| {
        let found = odds("nj-triple-attack", &[&format!("side_wagers.{name}.paytable={paytable}")], wager);
        found.into_iter().map(|(_, odds, _)| odds).collect::<Vec<_>>()
    };
    assert_eq!(of("suited-royals", "A", SideWager::SuitedRoyals), [40, 10, 2].map(Odds::to_1));
    assert_eq!(of("suited-royals", "B", SideWager::SuitedRoyals), [30, 12, 2].map(Odds::to_1));
    assert_eq!(of("triple-match", "A", SideWager::TripleMatch), [150, 20, 4, 2].map(Odds::to_1));
    assert_eq!(of("triple-match", "B", SideWager::TripleMatch), [50, 8, 6, 2].map(Odds::to_1));
}

/// Only a game whose text has a side bet offers it.
#[test]
fn wagers_belong_to_their_games() {
    for wager in SideWager::ALL {
        let expected: &[&str] = match wager {
            SideWager::Match => &["nj-switch", "ma-switch"],
            SideWager::SuitedRoyals | SideWager::TripleMatch => &["nj-triple-attack"],
            SideWager::DealerBust => &["nj-blackjack", "nj-double-attack"],
            _ => &["nj-blackjack"],
        };
        let having: Vec<&str> =
            TEXTS.iter().filter(|text| text.side(*wager).is_some()).map(|text| text.name).collect();
        assert_eq!(having, expected);
        assert!(wager.bets().count() >= 1);
    }
}
