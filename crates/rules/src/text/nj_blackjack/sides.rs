//! The side wagers of blackjack: 2.17, 2.19, 2.20, 2.22 to 2.25. Their rows, which may share a table, and with which decks,
//! dealing and limits.

use crate::choice::*;
use crate::clause::Clause;
use crate::lawful::{Kind, Report, key};
use crate::odds::Cents;
use crate::ruling::TwentyPointDealing;
use crate::wager::{Amounts, Moment, Side, SideWager};
use crate::wager::{aces, bonus, dealer_bust, pairs, sevens, streak, suits, totals, twenty};

pub(super) const ROWS: &[Side] = &[
    Side {
        wager: SideWager::OverUnder13,
        by: clause!("19:47-2.17(a)1"),
        settles: Moment::Deal,
        paytables: totals::PAYTABLES,
        no_table: |_| clause!("19:47-2.17(e)1"),
        at_least: None,
        beside_main: clause!("19:47-2.17(b)"),
        amounts: Amounts::Any,
        chips: clause!("19:47-2.17(f)"),
        least: clause!("19:47-2.17(h)"),
        within_main: Some(clause!("19:47-2.17(g)1")),
        most: clause!("19:47-2.17(g)2"),
        lost: clause!("19:47-2.17(d)"),
        lost_on_two: None,
        area: clause!("19:47-2.17(a)1"),
        sign: clause!("19:47-2.17(h)"),
        once: None,
    },
    Side {
        wager: SideWager::SameSuit,
        by: clause!("19:47-2.17(a)2"),
        settles: Moment::Deal,
        paytables: suits::SAME_SUIT,
        no_table: same_suit_options,
        at_least: None,
        beside_main: clause!("19:47-2.17(b)"),
        amounts: Amounts::Any,
        chips: clause!("19:47-2.17(f)"),
        least: clause!("19:47-2.17(h)"),
        within_main: Some(clause!("19:47-2.17(g)1")),
        most: clause!("19:47-2.17(g)2"),
        lost: clause!("19:47-2.17(d)"),
        lost_on_two: None,
        area: clause!("19:47-2.17(a)2"),
        sign: clause!("19:47-2.17(h)"),
        once: None,
    },
    Side {
        wager: SideWager::Sevens,
        by: clause!("19:47-2.17(a)3"),
        settles: Moment::Decision,
        paytables: sevens::PAYTABLES,
        no_table: |_| clause!("19:47-2.17(e)3"),
        at_least: None,
        beside_main: clause!("19:47-2.17(b)"),
        amounts: Amounts::OneDollar(clause!("19:47-2.17(a)3.i"), "the sevens wager"),
        chips: clause!("19:47-2.17(f)"),
        least: clause!("19:47-2.17(h)"),
        within_main: Some(clause!("19:47-2.17(g)1")),
        most: clause!("19:47-2.17(g)2"),
        lost: clause!("19:47-2.17(d)"),
        lost_on_two: None,
        area: clause!("19:47-2.17(a)3"),
        sign: clause!("19:47-2.17(h)"),
        once: None,
    },
    Side {
        wager: SideWager::Progressive,
        by: clause!("19:47-2.19(a)"),
        settles: Moment::End,
        paytables: aces::PAYTABLES,
        no_table: |_| clause!("19:47-2.19(c)"),
        at_least: None,
        beside_main: clause!("19:47-2.19(f)"),
        amounts: Amounts::OneDollar(clause!("19:47-2.19(a)"), "the progressive wager"),
        chips: clause!("19:47-2.3(k)"),
        least: clause!("19:47-2.19(a)"),
        within_main: None,
        most: clause!("19:47-2.19(a)"),
        lost: clause!("19:47-2.19(c)"),
        lost_on_two: None,
        area: clause!("19:47-2.19(a)"),
        sign: clause!("19:47-2.19(a)"),
        once: None,
    },
    Side {
        wager: SideWager::BlackjackBonus,
        by: clause!("19:47-2.20(a)"),
        settles: Moment::Bonus,
        paytables: bonus::PAYTABLES,
        no_table: |_| clause!("19:47-2.20(j)"),
        at_least: None,
        beside_main: clause!("19:47-2.20(c)"),
        amounts: Amounts::Any,
        chips: clause!("19:47-2.20(b)"),
        least: clause!("19:47-2.20(a)"),
        within_main: None,
        most: clause!("19:47-2.20(a)"),
        lost: clause!("19:47-2.20(e)1"),
        lost_on_two: None,
        area: clause!("19:47-2.20(a)"),
        sign: clause!("19:47-2.20(a)"),
        once: None,
    },
    Side {
        wager: SideWager::Streak,
        by: clause!("19:47-2.22(a)"),
        settles: Moment::End,
        paytables: streak::PAYTABLES,
        no_table: |_| clause!("19:47-2.22(j)"),
        at_least: Some(clause!("19:47-2.22(j)")),
        beside_main: clause!("19:47-2.22(b)"),
        amounts: Amounts::Any,
        chips: clause!("19:47-2.22(b)"),
        least: clause!("19:47-2.22(b)"),
        within_main: None,
        most: clause!("19:47-2.22(b)"),
        lost: clause!("19:47-2.22(e)"),
        lost_on_two: None,
        area: clause!("19:47-2.22(a)"),
        sign: clause!("19:47-2.22(a)"),
        once: None,
    },
    Side {
        wager: SideWager::MatchTheDealer,
        by: clause!("19:47-2.23(a)"),
        settles: Moment::Deal,
        paytables: pairs::MATCH_THE_DEALER,
        no_table: |_| clause!("19:47-2.23(f)"),
        at_least: Some(clause!("19:47-2.23(f)")),
        beside_main: clause!("19:47-2.23(c)"),
        amounts: Amounts::Any,
        chips: clause!("19:47-2.23(d)"),
        least: clause!("19:47-2.23(c)#2"),
        within_main: None,
        most: clause!("19:47-2.23(c)#2"),
        lost: clause!("19:47-2.23(e)"),
        lost_on_two: None,
        area: clause!("19:47-2.23(a)"),
        sign: clause!("19:47-2.23(c)#2"),
        once: None,
    },
    Side {
        wager: SideWager::TwentyPoint,
        by: clause!("19:47-2.24(a)"),
        settles: Moment::AfterHoleCard,
        paytables: twenty::PAYTABLES,
        no_table: |_| clause!("19:47-2.24(f)"),
        at_least: Some(clause!("19:47-2.24(f)")),
        beside_main: clause!("19:47-2.24(c)"),
        amounts: Amounts::Any,
        chips: clause!("19:47-2.24(c)"),
        least: clause!("19:47-2.24(c)#3"),
        within_main: None,
        most: clause!("19:47-2.24(c)#3"),
        lost: clause!("19:47-2.24(d)#2"),
        lost_on_two: None,
        area: clause!("19:47-2.24(a)"),
        sign: clause!("19:47-2.24(c)#3"),
        once: None,
    },
    Side {
        wager: SideWager::DealerBust,
        by: clause!("19:47-2.25(a)"),
        settles: Moment::DealerThirdCard,
        paytables: dealer_bust::BLACKJACK,
        no_table: |_| clause!("19:47-2.25(e)"),
        at_least: None,
        beside_main: clause!("19:47-2.25(b)"),
        amounts: Amounts::FromOneDollar(clause!("19:47-2.25(c)"), "the bonus wager"),
        chips: clause!("19:47-2.25(b)"),
        least: clause!("19:47-2.25(c)"),
        within_main: Some(clause!("19:47-2.25(c)")),
        most: clause!("19:47-2.25(c)"),
        lost: clause!("19:47-2.25(d)#2"),
        lost_on_two: Some(clause!("19:47-2.25(d)")),
        area: clause!("19:47-2.25(a)"),
        sign: clause!("19:47-2.25(c)#2"),
        once: None,
    },
];

/// 2.17(e)2: the options of each deck count.
fn same_suit_options(decks: u8) -> Clause {
    match decks {
        1 => clause!("19:47-2.17(e)2.i"),
        2 => clause!("19:47-2.17(e)2.ii"),
        4 => clause!("19:47-2.17(e)2.iii"),
        6 => clause!("19:47-2.17(e)2.iv"),
        _ => clause!("19:47-2.17(e)2.v"),
    }
}

/// Returns the clause that refuses a wager of another game: the one that offers it there.
pub(super) fn refused(wager: SideWager) -> Clause {
    match wager {
        SideWager::Match => clause!("19:47-2A.6(a)"),
        SideWager::SuitedRoyals => clause!("19:47-36.6(a)1"),
        SideWager::TripleMatch => clause!("19:47-36.6(a)2"),
        own => ROWS.iter().find(|side| side.wager == own).map_or(clause!("19:47-2.17(a)"), |side| side.by),
    }
}

/// Pairs of wagers that may not be offered at one table, with every clause that says so. A bar stated in one section
/// binds both (Q37).
#[rustfmt::skip]
pub(crate) const EXCLUSIONS: &[(SideWager, SideWager, Clause)] = {
    use SideWager::*;
    &[
        (OverUnder13, SameSuit, clause!("19:47-2.17(a)")),
        (OverUnder13, Sevens, clause!("19:47-2.17(a)")),
        (SameSuit, Sevens, clause!("19:47-2.17(a)")),
        (OverUnder13, Progressive, clause!("19:47-2.17(a)#2")),
        (SameSuit, Progressive, clause!("19:47-2.17(a)#2")),
        (Sevens, Progressive, clause!("19:47-2.17(a)#2")),
        (BlackjackBonus, Progressive, clause!("19:47-2.20(l)#2")),
        (BlackjackBonus, Streak, clause!("19:47-2.20(l)#3")),
        (BlackjackBonus, TwentyPoint, clause!("19:47-2.20(l)#4")),
        (BlackjackBonus, DealerBust, clause!("19:47-2.20(l)#5")),
        (Streak, Progressive, clause!("19:47-2.22(l)#2")),
        (Streak, BlackjackBonus, clause!("19:47-2.22(l)#3")),
        (Streak, TwentyPoint, clause!("19:47-2.22(l)#4")),
        (Streak, DealerBust, clause!("19:47-2.22(l)#5")),
        (MatchTheDealer, DealerBust, clause!("19:47-2.23(g)")),
        (TwentyPoint, Progressive, clause!("19:47-2.24(i)#2")),
        (TwentyPoint, BlackjackBonus, clause!("19:47-2.24(i)#3")),
        (TwentyPoint, Streak, clause!("19:47-2.24(i)#4")),
        (TwentyPoint, DealerBust, clause!("19:47-2.24(i)#5")),
        (DealerBust, Progressive, clause!("19:47-2.25(h)#2")),
        (DealerBust, BlackjackBonus, clause!("19:47-2.25(h)#3")),
        (DealerBust, Streak, clause!("19:47-2.25(h)#4")),
        (DealerBust, MatchTheDealer, clause!("19:47-2.25(h)#5")),
        (DealerBust, TwentyPoint, clause!("19:47-2.25(h)#6")),
    ]
};

/// Wagers that may not be offered with multiple action, with every clause that says so.
#[rustfmt::skip]
const NOT_WITH_MULTIPLE_ACTION: &[(SideWager, Clause)] = {
    use SideWager::*;
    &[
        (Progressive, clause!("19:47-2.18(a)#3")),
        (BlackjackBonus, clause!("19:47-2.18(a)#4")),
        (BlackjackBonus, clause!("19:47-2.20(l)")),
        (Streak, clause!("19:47-2.18(a)#5")),
        (Streak, clause!("19:47-2.22(l)")),
        (MatchTheDealer, clause!("19:47-2.18(a)#6")),
        (TwentyPoint, clause!("19:47-2.18(a)#7")),
        (TwentyPoint, clause!("19:47-2.24(i)")),
        (DealerBust, clause!("19:47-2.18(a)#8")),
        (DealerBust, clause!("19:47-2.25(h)")),
    ]
};

/// Wagers whose prescribed settlement cannot be followed with cards dealt face down from the hand (Q13).
#[rustfmt::skip]
const NOT_FROM_THE_HAND: &[(SideWager, Clause)] = {
    use SideWager::*;
    &[
        (OverUnder13, clause!("19:47-2.17(d)")),
        (SameSuit, clause!("19:47-2.17(d)")),
        (BlackjackBonus, clause!("19:47-2.20(b)#3")),
        (BlackjackBonus, clause!("19:47-2.20(e)")),
        (TwentyPoint, clause!("19:47-2.24(d)")),
    ]
};

pub(super) fn check(choices: &Choices, report: &mut Report) {
    let offered: Vec<SideWager> = choices.side_wagers.keys().copied().collect();
    with_the_game(choices, &offered, report);
    decks(choices, &offered, report);
    progressive(choices, report);
    blackjack_bonus(choices, report);
    twenty_point(choices, report);
}

/// What the variation, the dealing and the shared boxes exclude.
fn with_the_game(choices: &Choices, offered: &[SideWager], report: &mut Report) {
    if choices.variation == Variation::MultipleAction {
        for &(wager, by) in NOT_WITH_MULTIPLE_ACTION.iter().filter(|(wager, _)| offered.contains(wager)) {
            let message = format!("{} may not be offered with multiple action", wager.word());
            report.violation(by, &[&key(wager), "variation"], message);
        }
    }
    if choices.variation == Variation::SixToFive {
        for &(wager, by) in NOT_FROM_THE_HAND.iter().filter(|(wager, _)| offered.contains(wager)) {
            let message =
                format!("{} cannot be settled as prescribed when cards are dealt face down", wager.word());
            report.violation(by, &[&key(wager), "variation"], message);
        }
    }
    if offered.contains(&SideWager::Progressive) {
        let key = key(SideWager::Progressive);
        let hole_card = match choices.hole_card {
            HoleCard::None => None,
            HoleCard::Down | HoleCard::Reader => Some(clause!("19:47-2.6(j)2")),
            HoleCard::Up => Some(clause!("19:47-2.6(k)#3")),
        };
        if let Some(by) = hole_card {
            report.violation(
                by,
                &[&key, "hole_card"],
                "a progressive table deals the dealer's second card after the players",
            );
        }
        report.require(
            choices.surrender == Offered::No,
            clause!("19:47-2.8(c)#4"),
            &[&key, "surrender"],
            "there is no surrender at a progressive table",
        );
        report.require(
            choices.bettors_per_box <= 1,
            clause!("19:47-2.13(a)#4"),
            &[&key, "bettors_per_box"],
            "boxes are not shared at a progressive table",
        );
    }
}

/// 2.2(a)2-4, 2.17(e)2.
fn decks(choices: &Choices, offered: &[SideWager], report: &mut Report) {
    let decks = choices.decks;
    let rows = [
        (SideWager::TwentyPoint, decks >= 2, clause!("19:47-2.2(a)2"), "at least two decks"),
        (SideWager::Sevens, decks >= 4, clause!("19:47-2.2(a)3"), "at least four decks"),
        (SideWager::Progressive, decks >= 4, clause!("19:47-2.2(a)3#2"), "at least four decks"),
        (SideWager::MatchTheDealer, matches!(decks, 6 | 8), clause!("19:47-2.2(a)4"), "six or eight decks"),
        (SideWager::DealerBust, matches!(decks, 6 | 8), clause!("19:47-2.2(a)4#2"), "six or eight decks"),
        (
            SideWager::SameSuit,
            matches!(decks, 1 | 2 | 4 | 6 | 8),
            clause!("19:47-2.17(e)2"),
            "1, 2, 4, 6 or 8 decks",
        ),
    ];
    for (wager, enough, by, needs) in rows {
        if offered.contains(&wager) {
            report.require(enough, by, &[&key(wager), "decks"], &format!("{} needs {needs}", wager.word()));
        }
    }
}

/// 2.19(i): rate, initial and reset amount.
fn progressive(choices: &Choices, report: &mut Report) {
    let Some(offer) = choices.offer(SideWager::Progressive) else {
        return;
    };
    let key = |name: &str| format!("side_wagers.progressive.{name}");
    report.require(
        (7_000..=10_000).contains(&offer.rate),
        clause!("19:47-2.19(i)"),
        &[&key("rate")],
        "at least 70 percent of each wager goes to the meter",
    );
    let least = Cents::dollars(5_000);
    report.require(
        offer.seed >= least && offer.meter.is_none_or(|meter| meter >= least),
        clause!("19:47-2.19(i)#3"),
        &[&key("seed"), &key("meter")],
        "the initial and reset amounts are at least 5,000.00, so the meter never shows less",
    );
}

/// 2.20(a), (j), (k): denominations, awards and house advantage.
fn blackjack_bonus(choices: &Choices, report: &mut Report) {
    let Some(offer) = choices.offer(SideWager::BlackjackBonus) else {
        return;
    };
    let key = "side_wagers.blackjack-bonus.awards";
    report.require(
        !offer.awards.is_empty(),
        clause!("19:47-2.20(a)"),
        &[key],
        "there must be awards for a wager of 1.00 or 5.00",
    );
    for (&wager, awards) in &offer.awards {
        let Some(&(_, least, most)) = bonus::LIMITS.iter().find(|(denomination, ..)| *denomination == wager)
        else {
            report.violation(
                clause!("19:47-2.20(a)"),
                &[key],
                format!("the bonus wager is 1.00 or 5.00, not {wager}"),
            );
            continue;
        };
        if awards.is_empty() || awards.keys().any(|award| !(least..=most).contains(award)) {
            let by = if wager == Cents::dollars(1) {
                clause!("19:47-2.20(j) \"$1.00\"")
            } else {
                clause!("19:47-2.20(j) \"$5.00\"")
            };
            report.violation(by, &[key], format!("awards for {wager} lie between {least} and {most}"));
        }
        match bonus::house_advantage(wager, awards, choices.decks, choices.rulings.bonus_pays) {
            Some((numerator, denominator)) if numerator >= 0 && numerator * 100 <= denominator * 30 => {}
            advantage => {
                let found = advantage.map_or("undefined".to_string(), |(n, d)| {
                    let basis_points = n * 10_000 / d;
                    format!(
                        "{}{}.{:02} percent",
                        if basis_points < 0 { "-" } else { "" },
                        basis_points.abs() / 100,
                        basis_points.abs() % 100
                    )
                });
                report.violation(
                    clause!("19:47-2.20(k)"),
                    &[key, "decks"],
                    format!(
                        "the house advantage on a wager of {wager} is {found}, not between 0 and 30 percent"
                    ),
                );
            }
        }
    }
    if offer.minimum > Cents::dollars(5) || offer.maximum > Cents::dollars(5) {
        report.warning(
            Kind::Equipment,
            clause!("19:47-2.20(a)"),
            &["side_wagers.blackjack-bonus"],
            "the bonus wager is 1.00 or 5.00",
        );
    }
}

/// 2.24(d): dealing by 2.6(j) (Q11); 2.24(h): the aggregate maximum.
fn twenty_point(choices: &Choices, report: &mut Report) {
    let Some(offer) = choices.offer(SideWager::TwentyPoint) else {
        return;
    };
    if !matches!(choices.hole_card, HoleCard::Down | HoleCard::Reader) {
        let keys = &["side_wagers.twenty-point", "hole_card"];
        let by = clause!("19:47-2.24(d)");
        match choices.rulings.twenty_point_dealing {
            TwentyPointDealing::HoleDown => {
                report.violation(
                    by,
                    keys,
                    "the twenty point bonus wager is dealt with the hole card face down",
                );
            }
            TwentyPointDealing::Any => {
                report.warning(
                    Kind::Approval,
                    by,
                    keys,
                    "by ruling, the twenty point bonus wager is dealt without a face-down hole card",
                );
            }
        }
    }
    if let Some(cap) = offer.cap {
        let least = twenty::least_cap(choices, offer.minimum);
        report.require(
            cap >= least,
            clause!("19:47-2.24(h)#2"),
            &["side_wagers.twenty-point.cap"],
            &format!("the maximum for all queen of hearts pairs with a dealer blackjack is at least {least}"),
        );
    }
}
