//! Boundary cases: the last value that is accepted, the first that is refused, and by which clause.

use crate::play_blackjack::doubled;
use crate::{dealt, split, table};
use rules::play::{Action, Situation, allows};
use rules::ruling::BonusPays;
use rules::settle::{HandEnd, SplitHand, Stake, against_blackjack};
use rules::wager::bonus::house_advantage;
use rules::wager::own;
use rules::{Cents, Clause, Hand, Odds, Origin, SideBet, SideWager, file, lawful, layout, limit, preset};

#[test]
fn the_largest_amount() {
    assert_eq!("10000000000".parse(), Ok(Cents::dollars(10_000_000_000)));
    assert_eq!("10000000000.99".parse(), Ok(Cents(1_000_000_000_099)));
    assert!("10000000001".parse::<Cents>().is_err());
    assert!("20000000000".parse::<Cents>().is_err());
}

#[test]
fn odds_as_a_number() {
    assert_eq!(Odds::new(3, 2).as_f64(), 1.5);
    assert_eq!(Odds::to_1(25).as_f64(), 25.0);
}

#[test]
fn a_refusal_says_why_and_by_which_clause() {
    let choices = table("nj-blackjack", &[]);
    let hand = dealt("Kc 6d");
    let refusal = allows(&choices, &Situation::fresh(&hand), Action::Split).expect_err("no pair");
    assert_eq!(refusal.to_string(), "only a first pair of equal value can be split (19:47-2.11(a))");
}

/// An empty hand is not a split ace.
#[test]
fn no_ace_in_an_empty_hand() {
    assert!(!Hand::empty(Origin::Split).is_split_ace());
    assert!(split("As").is_split_ace());
    assert!(!split("2s As").is_split_ace());
}

/// If a pair may be split only once, that is the reason, also for aces; elsewhere aces have their own clause.
/// Proves 19:47-2.11(c)1, 19:47-2.11(e)#5.
#[test]
fn a_second_split_of_aces() {
    let again = split("Ac Ad");
    let by = |hands: &str| {
        let choices = table("nj-blackjack", &[hands, "resplit_aces=false"]);
        let situation = Situation { hands: 2, ..Situation::fresh(&again) };
        allows(&choices, &situation, Action::Split).expect_err("aces").by.id()
    };
    assert_eq!(by("split_hands=2"), "19:47-2.11(c)1");
    assert_eq!(by("split_hands=4"), "19:47-2.11(e)#5");
}

/// The clause of a surrender: after a draw, on a hand formed by a split, on a doubled hand.
/// Proves 19:47-26.8(a), 19:47-26.8(a)#2, 19:47-26.8(a)#3, 19:47-26.8(a)#4.
#[test]
fn a_surrender_of_double_attack_at_each_stage() {
    let choices = table("nj-double-attack", &[]);
    let by = |situation: &Situation<'_>| allows(&choices, situation, Action::Surrender).expect("lawful").id();
    assert_eq!(by(&Situation::fresh(&dealt("Kc 6d"))), "19:47-26.8(a)");
    assert_eq!(by(&Situation::fresh(&dealt("5c 6d 5h"))), "19:47-26.8(a)#2");
    assert_eq!(by(&Situation { hands: 2, ..Situation::fresh(&split("8c 6d")) }), "19:47-26.8(a)#3");
    for hand in [dealt("5c 6d 5h"), split("8c 6d 2h")] {
        assert_eq!(by(&doubled(&hand)), "19:47-26.8(a)#4");
    }
}

/// Two surrendered hands of one split lose the one original bet, or everything on them, by ruling.
/// Proves 19:47-26.8(a)2, 19:47-26.10(d).
#[test]
fn surrendered_hands_of_a_split_against_a_blackjack() {
    let ten = Cents::dollars(10);
    let surrendered =
        |stake| SplitHand { end: HandEnd::Surrendered, ..SplitHand::played(split("8c 6d"), &[(stake, ten)]) };
    for (reading, second) in [("initial-only", Cents::ZERO), ("everything", ten)] {
        let choices =
            table("nj-double-attack", &[&format!("rulings.surrender_v_dealer_blackjack={reading}")]);
        let hands = [surrendered(Stake::Main), surrendered(Stake::Split)];
        let collected = against_blackjack(&choices, &dealt("Kd As"), ten, &hands);
        assert_eq!(collected[0][Stake::Main as usize].taken, ten, "{reading}");
        assert_eq!(collected[1][Stake::Split as usize].taken, second, "{reading}");
    }
    // the ruling is specific to Double Attack: elsewhere only the original is lost
    let choices = table("nj-switch", &["rulings.surrender_v_dealer_blackjack=everything"]);
    let collected =
        against_blackjack(&choices, &dealt("Kd As"), Cents::dollars(6), &[surrendered(Stake::Main)]);
    assert_eq!(collected[0][Stake::Main as usize].taken, Cents::dollars(6));
}

/// Proves 19:47-2A.5(i)#3, 19:47-2A.5(i)#4, 19:47-2A.5(i)#5, 19:47-2A.5(i)#6.
#[test]
fn what_a_side_wager_of_another_game_is_refused_by() {
    let refused = |preset: &str| {
        let text = table(preset, &[]).text();
        let named = SideWager::ALL.iter().map(|&wager| (wager.word(), (text.sides.refused)(wager).id()));
        named.collect::<std::collections::BTreeMap<_, _>>()
    };
    let own = [
        ("over-under-13", "19:47-2A.5(i)"),
        ("same-suit", "19:47-2A.5(i)"),
        ("sevens", "19:47-2A.5(i)"),
        ("progressive", "19:47-2A.5(i)#3"),
        ("blackjack-bonus", "19:47-2A.5(i)#4"),
        ("streak", "19:47-2A.5(i)#5"),
        ("dealer-bust", "19:47-2A.5(i)#6"),
    ];
    for (wager, by) in refused("nj-switch") {
        let wanted = own.iter().find(|(own, _)| *own == wager).map_or("19:47-2A.6(a)", |(_, by)| by);
        assert_eq!(by, wanted, "{wager}");
    }
    for (wager, by) in refused("ma-switch") {
        assert_eq!(by, if wager == "match" { "MA-BJS 6(a)" } else { "MA-BJS 5(i)" }, "{wager}");
    }
}

/// 8,192 of 172,640 pairs of cards of eight decks are a blackjack: an award of ten leaves the house 52.5486 percent of a
/// dollar, one of 25 costs it 18.6283, and one of 20 leaves it 5.0973. Proves 19:47-2.20(k).
#[test]
fn the_house_advantage_of_a_bonus_to_the_hundredth() {
    let said = |award: u32, pays: &str| {
        let awards = format!("side_wagers.blackjack-bonus.awards={{\"1\"={{\"{award}\"=1}}}}");
        let choices = table("nj-blackjack", &["decks=8", &awards, &format!("rulings.bonus_pays={pays}")]);
        let report = lawful::check(&choices);
        let found = report.violations.iter().find(|found| found.message.contains("house advantage"));
        found.map(|found| found.message.clone()).unwrap_or_default()
    };
    let outside = |percent: &str| {
        format!("the house advantage on a bet of 1.00 is {percent} percent, not between 0 and 30 percent")
    };
    assert_eq!(said(10, "for-one"), outside("52.54"));
    assert_eq!(said(10, "to-one"), outside("47.80"));
    assert_eq!(said(25, "for-one"), outside("-18.62"));
    assert_eq!(said(20, "for-one"), "");
    assert_eq!(said(21, "to-one"), outside("-4.39"));
}

/// Of 172,640 pairs 8,192 are a blackjack: a mean award of 14 and 385/512 dollars leaves the house exactly 30 percent
/// of a dollar, one of 21 and 19/256 exactly nothing, and both are legal; if the dollar is returned too, a dollar less
/// of each. Proves 19:47-2.20(k).
#[test]
fn the_bounds_of_the_house_advantage_are_lawful_themselves() {
    for (pays, less) in [("for-one", 0), ("to-one", 1)] {
        let outside = |low: u32, [first, second]: [u32; 2]| {
            let (low, high) = (low - less, low - less + 1);
            let awards = format!("{{\"1\"={{\"{low}\"={first},\"{high}\"={second}}}}}");
            let awards = format!("side_wagers.blackjack-bonus.awards={awards}");
            let ruling = format!("rulings.bonus_pays={pays}");
            let report = lawful::check(&table("nj-blackjack", &["decks=8", &awards, &ruling]));
            report.violations.iter().any(|found| found.message.contains("house advantage"))
        };
        assert!(!outside(14, [127, 385]), "30 percent, {pays}");
        assert!(outside(14, [128, 384]), "more than 30 percent, {pays}");
        assert!(!outside(21, [237, 19]), "nothing, {pays}");
        assert!(outside(21, [236, 20]), "less than nothing, {pays}");
    }
}

/// There is no advantage without a bet or an award.
#[test]
fn no_house_advantage_without_a_wager_or_an_award() {
    let awards = [(Cents::dollars(20), 1)].into();
    let of = |wager, awards| house_advantage(wager, awards, 8, BonusPays::ForOne);
    assert!(of(Cents::dollars(1), &awards).is_some());
    assert_eq!(of(Cents::ZERO, &awards), None);
    assert_eq!(of(Cents::dollars(1), &[].into()), None);
    assert_eq!(house_advantage(Cents::dollars(1), &awards, 0, BonusPays::ForOne), None);
}

/// Proves 19:47-2.20(a).
#[test]
fn a_table_posts_no_bonus_wager_of_more_than_five_dollars() {
    for (least, most, refused) in [(1, 5, 0), (5, 5, 0), (1, 6, 1), (6, 6, 2), (6, 5, 1)] {
        let [least, most] = [("minimum", least), ("maximum", most)]
            .map(|(key, dollars)| format!("side_wagers.blackjack-bonus.{key}={dollars}"));
        let report = lawful::check(&table("nj-blackjack", &[&least, &most]));
        let found =
            report.violations.iter().filter(|found| found.message == "the bonus bet must be 1.00 or 5.00");
        assert_eq!(found.count(), refused, "{least} {most}");
    }
}

/// A licensee's own odds apply to lines that pay odds; amounts and the meter stay as the law has them.
#[test]
fn own_odds_change_no_amount() {
    let line = own::names(SideWager::Progressive).remove(0);
    let plain = table("nj-blackjack", &["side_wagers.progressive=true"]);
    let own_odds = format!("side_wagers.progressive.odds.{line}=50 to 1");
    let other = table("nj-blackjack", &["side_wagers.progressive=true", &own_odds]);
    let pays = |choices| own::lines(choices, SideWager::Progressive).into_iter().map(|line| line.pays);
    assert_eq!(pays(&other).collect::<Vec<_>>(), pays(&plain).collect::<Vec<_>>());
    assert!(pays(&plain).count() > 1);
}

/// Proves 19:47-2.10(c)#5.
#[test]
fn a_notice_says_how_the_double_card_lies() {
    let said = |how: &str| {
        let signs = layout::signs(&table("nj-blackjack", &[&format!("double_card={how}")]));
        let of_doubles = signs.into_iter().filter(|sign| sign.by.id() == "19:47-2.10(c)#5");
        of_doubles.map(|sign| sign.text.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(said("down"), ["The card of a doubled hand is dealt face down"]);
    assert_eq!(said("on-request"), ["The card of a doubled hand is dealt face down on request"]);
    assert_eq!(said("up"), [""; 0]);
}

/// A side bet that the preset offers and this table does not stays withdrawn when its file is parsed.
#[test]
fn what_is_withdrawn_is_written_down() {
    for (name, _) in preset::PRESETS {
        let plain = table(name, &[]);
        let written = file::show(&plain);
        assert_eq!(file::parse(&written).as_ref(), Ok(&plain), "{name}");
        assert!(!written.contains("[side_wagers]\n"), "{name}: nothing is withdrawn\n{written}");
        for wager in plain.side_wagers.keys() {
            let without = table(name, &[&format!("side_wagers.{}=false", wager.word())]);
            assert_eq!(file::parse(&file::show(&without)).as_ref(), Ok(&without), "{name}");
        }
    }
}

/// A bet of zero is refused, even if a file posts no minimum.
#[test]
fn a_side_wager_of_nothing_is_none() {
    let choices = table("nj-blackjack", &["side_wagers.over-under-13.minimum=0"]);
    let by = |amount: Cents| limit::side_wager(&choices, SideBet::Over13, amount, Cents::dollars(10));
    assert!(by(Cents::ZERO).is_err());
    assert!(by(Cents::dollars(-1)).is_err());
    assert_eq!(by(Cents::dollars(1)), Ok(()));
}

/// A split ace may be doubled with its one card, and no later. Proves 19:47-36.9(e).
#[test]
fn a_split_ace_of_triple_attack_is_doubled_on_two_cards() {
    let choices = table("nj-triple-attack", &[]);
    let double = |text: &str| {
        let hand = split(text);
        allows(&choices, &Situation { hands: 2, ..Situation::fresh(&hand) }, Action::Double).is_ok()
    };
    assert!(double("As 5c"));
    assert!(!double("As"));
    assert!(!double("As 5c 3d"));
}

/// Any table name is written so that it can be parsed.
#[test]
fn a_name_with_a_control_character_is_written_down() {
    let mut choices = table("nj-blackjack", &[]);
    choices.name = "pit\u{7} \"two\"".to_string();
    let written = file::show(&choices);
    assert!(written.contains("pit\\u0007 \\\"two\\\""), "{written}");
    assert_eq!(file::parse(&written), Ok(choices));
}

#[test]
fn odds_are_equal_as_fractions_and_clauses_in_order_by_their_ids() {
    assert_eq!(Odds::new(6, 4), Odds::new(3, 2));
    assert_ne!(Odds::new(6, 5), Odds::new(3, 2));
    let [first, second] = ["19:47-2.1", "19:47-2.3(a)"].map(|id| Clause::find(id).expect(id));
    assert!(first < second);
    assert!(second > first);
}

/// At least a third must be behind the cut card, to three decimal places. Proves 19:47-2.5(i)#2.
#[test]
fn the_second_cutting_card_has_a_third_behind_it() {
    crate::lawful("nj-six-to-five", &["cut_behind=0.333"]);
    crate::unlawful("nj-six-to-five", &["cut_behind=0.332999"], "19:47-2.5(i)#2");
}
