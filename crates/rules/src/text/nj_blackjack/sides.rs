//! The side bets of blackjack (2.17, 2.19, 2.20, 2.22 to 2.25), and the checks on them.

use crate::choice::*;
use crate::clause::Clause;
use crate::lawful::{Kind, Report, key};
use crate::message::Fixed;
use crate::odds::Cents;
use crate::ruling::TwentyPointDealing;
use crate::text::values::{KeyValues, Rejection, Requirement, Value};
use crate::text::why;
use crate::wager::{Amounts, ButtonSteps, Cap, Extras, LostOn, MeterSteps, Moment, Side, SideWager};
use crate::wager::{aces, bonus, dealer_bust, pairs, sevens, streak, suits, totals, twenty};

const fn equipment(by: Clause, what: Fixed) -> Requirement {
    Requirement { kind: Kind::Equipment, by, with: &[], register: true, what }
}

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
        area: clause!("19:47-2.17(a)1"),
        sign: clause!("19:47-2.17(h)"),
        highest_line_only: None,
        extras: Extras {
            lost_on: &[LostOn {
                is: |view| view.first_two().is_some_and(totals::is_13),
                by: clause!("19:47-2.17(c)"),
            }],
            one_of: Some(clause!("19:47-2.17(a)")),
            withdrawn: Some(clause!("19:47-2.17(a)#3")),
            ..Extras::NONE
        },
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
        area: clause!("19:47-2.17(a)2"),
        sign: clause!("19:47-2.17(h)"),
        highest_line_only: None,
        extras: Extras {
            withdrawn: Some(clause!("19:47-2.17(a)#3")),
            changed: Some(clause!("19:47-2.17(e)2#2")),
            same_paytable: Some(clause!("19:47-2.17(e)2#3")),
            ..Extras::NONE
        },
    },
    Side {
        wager: SideWager::Sevens,
        by: clause!("19:47-2.17(a)3"),
        settles: Moment::Decision,
        paytables: sevens::PAYTABLES,
        no_table: |_| clause!("19:47-2.17(e)3"),
        at_least: None,
        beside_main: clause!("19:47-2.17(b)"),
        amounts: Amounts::OneDollar(clause!("19:47-2.17(a)3.i"), "the sevens bet"),
        chips: clause!("19:47-2.17(f)"),
        least: clause!("19:47-2.17(h)"),
        within_main: Some(clause!("19:47-2.17(g)1")),
        most: clause!("19:47-2.17(g)2"),
        lost: clause!("19:47-2.17(d)"),
        area: clause!("19:47-2.17(a)3"),
        sign: clause!("19:47-2.17(h)"),
        highest_line_only: None,
        extras: Extras { withdrawn: Some(clause!("19:47-2.17(a)#3")), ..Extras::NONE },
    },
    Side {
        wager: SideWager::Progressive,
        by: clause!("19:47-2.19(a)"),
        settles: Moment::End,
        paytables: aces::PAYTABLES,
        no_table: |_| clause!("19:47-2.19(c)"),
        at_least: None,
        beside_main: clause!("19:47-2.19(f)"),
        amounts: Amounts::OneDollar(clause!("19:47-2.19(a)"), "the progressive bet"),
        chips: clause!("19:47-2.3(k)"),
        least: clause!("19:47-2.19(a)"),
        within_main: None,
        most: clause!("19:47-2.19(a)"),
        lost: clause!("19:47-2.19(c)"),
        area: clause!("19:47-2.19(a)"),
        sign: clause!("19:47-2.19(a)"),
        highest_line_only: None,
        extras: Extras {
            asks: &[equipment(
                clause!("19:47-2.19(a)#2"),
                message!(
                    "progressive-equipment",
                    "the progressive bet needs its equipment and approved amounts"
                ),
            )],
            no_more_bets: Some(clause!("19:47-2.19(b)#4")),
            approved: Some(clause!("19:47-2.19(g)3")),
            meter: Some(MeterSteps {
                light_on: clause!("19:47-2.19(b)#2"),
                counted: clause!("19:47-2.19(b)#3"),
                raised: clause!("19:47-2.19(b)#4"),
                cards: clause!("19:47-2.19(g)1"),
                light: clause!("19:47-2.19(g)2"),
                reset: clause!("19:47-2.19(i)#2"),
            }),
            ..Extras::NONE
        },
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
        area: clause!("19:47-2.20(a)"),
        sign: clause!("19:47-2.20(a)"),
        highest_line_only: None,
        extras: Extras {
            asks: &[equipment(
                clause!("19:47-2.20(a)#2"),
                message!("bonus-bet-equipment", "the bonus bet needs its equipment"),
            )],
            no_more_bets: Some(clause!("19:47-2.20(b)#3")),
            approved: Some(clause!("19:47-2.20(g)4")),
            button: Some(ButtonSteps {
                cards_under_bet: clause!("19:47-2.20(e)2"),
                placed: clause!("19:47-2.20(f)#2"),
                shown: clause!("19:47-2.20(f)#3"),
                listed: clause!("19:47-2.20(j)"),
                cards: clause!("19:47-2.20(g)1"),
                amount: clause!("19:47-2.20(g)2"),
                announced: clause!("19:47-2.20(g)3"),
                paid: clause!("19:47-2.20(d)"),
                picked_up: clause!("19:47-2.20(h)"),
            }),
            ..Extras::NONE
        },
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
        area: clause!("19:47-2.22(a)"),
        sign: clause!("19:47-2.22(a)"),
        highest_line_only: None,
        extras: Extras {
            asks: &[equipment(
                clause!("19:47-2.22(a)#2"),
                message!("streak-bet-equipment", "the streak bet needs its layout and lammers"),
            )],
            ..Extras::NONE
        },
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
        area: clause!("19:47-2.23(a)"),
        sign: clause!("19:47-2.23(c)#2"),
        highest_line_only: None,
        extras: Extras::NONE,
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
        area: clause!("19:47-2.24(a)"),
        sign: clause!("19:47-2.24(c)#3"),
        highest_line_only: None,
        extras: Extras {
            no_more_bets: Some(clause!("19:47-2.24(d)")),
            approved: Some(clause!("19:47-2.24(e)#2")),
            cap: Some(Cap {
                line: clause!("19:47-2.24(f) \"Queen of hearts pair and dealer blackjack\""),
                sign: clause!("19:47-2.24(h)#4"),
                decreased: clause!("19:47-2.24(h)#5"),
            }),
            ..Extras::NONE
        },
    },
    Side {
        wager: SideWager::DealerBust,
        by: clause!("19:47-2.25(a)"),
        settles: Moment::DealerThirdCard,
        paytables: dealer_bust::BLACKJACK,
        no_table: |_| clause!("19:47-2.25(e)"),
        at_least: None,
        beside_main: clause!("19:47-2.25(b)"),
        amounts: Amounts::FromOneDollar(clause!("19:47-2.25(c)"), "the bonus bet"),
        chips: clause!("19:47-2.25(b)"),
        least: clause!("19:47-2.25(c)"),
        within_main: Some(clause!("19:47-2.25(c)")),
        most: clause!("19:47-2.25(c)"),
        lost: clause!("19:47-2.25(d)#2"),
        area: clause!("19:47-2.25(a)"),
        sign: clause!("19:47-2.25(c)#2"),
        highest_line_only: None,
        extras: Extras {
            lost_on: &[LostOn {
                is: |view| dealer_bust::is_decided_on_two(view.dealer),
                by: clause!("19:47-2.25(d)"),
            }],
            ..Extras::NONE
        },
    },
];

/// The permitted values of keys that belong to one side bet.
pub(super) const VALUES: &[KeyValues] = &[
    KeyValues {
        key: "side_wagers.progressive.rate",
        keys: &["side_wagers.progressive.rate"],
        values: &[Value { is: "70..=100", by: clause!("19:47-2.19(i)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.19(i)"), why: why::METER_SHARE }],
    },
    KeyValues {
        key: "side_wagers.progressive.seed",
        keys: &["side_wagers.progressive.seed"],
        values: &[Value { is: "5000..", by: clause!("19:47-2.19(i)#3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.19(i)#3"), why: why::METER_AT_LEAST }],
    },
    KeyValues {
        key: "side_wagers.progressive.meter",
        keys: &["side_wagers.progressive.meter"],
        values: &[Value { is: "5000..", by: clause!("19:47-2.19(i)#3"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.19(i)#3"), why: why::METER_AT_LEAST }],
    },
    KeyValues {
        key: "side_wagers.blackjack-bonus.minimum",
        keys: &["side_wagers.blackjack-bonus.minimum"],
        values: &[Value { is: "0.01..=5.00", by: clause!("19:47-2.20(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.20(a)"), why: why::BONUS_BET_ONE_OR_FIVE }],
    },
    KeyValues {
        key: "side_wagers.blackjack-bonus.maximum",
        keys: &["side_wagers.blackjack-bonus.maximum"],
        values: &[Value { is: "0.01..=5.00", by: clause!("19:47-2.20(a)"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.20(a)"), why: why::BONUS_BET_ONE_OR_FIVE }],
    },
    KeyValues {
        key: "side_wagers.blackjack-bonus.awards",
        keys: &["side_wagers.blackjack-bonus.awards"],
        values: &[
            Value { is: "1.00", by: clause!("19:47-2.20(a)"), asks: &[] },
            Value { is: "5.00", by: clause!("19:47-2.20(a)"), asks: &[] },
        ],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.20(a)"), why: why::BONUS_AWARD_BETS }],
    },
    KeyValues {
        key: "side_wagers.blackjack-bonus.awards.1.00",
        keys: &["side_wagers.blackjack-bonus.awards"],
        values: &[Value { is: "5..=1000", by: clause!("19:47-2.20(j) \"$1.00\""), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.20(j) \"$1.00\""),
            why: why::BONUS_AWARDS_OF_ONE_DOLLAR,
        }],
    },
    KeyValues {
        key: "side_wagers.blackjack-bonus.awards.5.00",
        keys: &["side_wagers.blackjack-bonus.awards"],
        values: &[Value { is: "50..=5000", by: clause!("19:47-2.20(j) \"$5.00\""), asks: &[] }],
        rejects: &[Rejection {
            is: "",
            by: clause!("19:47-2.20(j) \"$5.00\""),
            why: why::BONUS_AWARDS_OF_FIVE_DOLLARS,
        }],
    },
    KeyValues {
        key: "side_wagers.twenty-point.cap",
        keys: &["side_wagers.twenty-point.cap"],
        values: &[Value { is: "25000..", by: clause!("19:47-2.24(h)#2"), asks: &[] }],
        rejects: &[Rejection { is: "", by: clause!("19:47-2.24(h)#2"), why: why::TWENTY_POINT_CAP }],
    },
];

/// Returns the clause that lists the payout options of Same Suit for a number of decks (2.17(e)2).
fn same_suit_options(decks: u8) -> Clause {
    match decks {
        1 => clause!("19:47-2.17(e)2.i"),
        2 => clause!("19:47-2.17(e)2.ii"),
        4 => clause!("19:47-2.17(e)2.iii"),
        6 => clause!("19:47-2.17(e)2.iv"),
        _ => clause!("19:47-2.17(e)2.v"),
    }
}

/// Returns the clause that refuses a side bet that the table does not offer.
pub(super) fn refused(wager: SideWager) -> Clause {
    ROWS.iter().find(|side| side.wager == wager).map_or(clause!("19:47-2.17(a)"), |side| side.by)
}

/// The pairs of side bets that may not be offered at one table, each with the clause that says so.
///
/// A pair is forbidden even if the section of only one of its bets says so (Q37).
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

/// The side bets that may not be offered with multiple action, each with a clause that forbids it.
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

/// The side bets that cannot be settled as prescribed when cards are dealt face down from the hand (Q13).
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
    blackjack_bonus(choices, report);
    twenty_point(choices, report);
}

/// Checks that each side bet may be offered with the table's variation, hole card, surrender and shared boxes.
fn with_the_game(choices: &Choices, offered: &[SideWager], report: &mut Report) {
    if choices.variation == Variation::MultipleAction {
        for &(wager, by) in NOT_WITH_MULTIPLE_ACTION.iter().filter(|(wager, _)| offered.contains(wager)) {
            let message = message!(
                "side-bet-not-with-multiple-action",
                "{side_bet} may not be offered with multiple action",
                side_bet = wager.word()
            );
            report.violation(by, &[&key(wager), "variation"], message);
        }
    }
    if choices.variation == Variation::SixToFive {
        for &(wager, by) in NOT_FROM_THE_HAND.iter().filter(|(wager, _)| offered.contains(wager)) {
            let message = message!(
                "side-bet-not-face-down",
                "{side_bet} cannot be settled as the regulation prescribes when cards are dealt face down",
                side_bet = wager.word()
            );
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
                message!(
                    "progressive-hole-card",
                    "at a progressive table, the dealer's second card must be dealt after all players have finished"
                ),
            );
        }
        report.require(
            choices.surrender == Offered::No,
            clause!("19:47-2.8(c)#4"),
            &[&key, "surrender"],
            message!("progressive-no-surrender", "surrender may not be offered at a progressive table"),
        );
        report.require(
            choices.bettors_per_box <= 1,
            clause!("19:47-2.13(a)#4"),
            &[&key, "bettors_per_box"],
            message!("progressive-no-sharing", "boxes may not be shared at a progressive table"),
        );
    }
}

/// Checks that each side bet is offered with enough decks (2.2(a)2-4, 2.17(e)2).
fn decks(choices: &Choices, offered: &[SideWager], report: &mut Report) {
    let decks = choices.decks;
    let least = |wager: SideWager, decks: u8| {
        let side_bet = wager.word();
        message!("side-bet-least-decks", "{side_bet} requires at least {decks} decks", side_bet, decks)
    };
    let six_or_eight = |wager: SideWager| {
        message!(
            "side-bet-six-or-eight-decks",
            "{side_bet} requires six or eight decks",
            side_bet = wager.word()
        )
    };
    let same_suit = message!(
        "side-bet-deck-counts",
        "{side_bet} requires 1, 2, 4, 6 or 8 decks",
        side_bet = SideWager::SameSuit.word()
    );
    let (twenty, sevens, progressive) = (SideWager::TwentyPoint, SideWager::Sevens, SideWager::Progressive);
    let (matched, bust) = (SideWager::MatchTheDealer, SideWager::DealerBust);
    let big_shoe = matches!(decks, 6 | 8);
    let rows = [
        (twenty, decks >= 2, clause!("19:47-2.2(a)2"), least(twenty, 2)),
        (sevens, decks >= 4, clause!("19:47-2.2(a)3"), least(sevens, 4)),
        (progressive, decks >= 4, clause!("19:47-2.2(a)3#2"), least(progressive, 4)),
        (matched, big_shoe, clause!("19:47-2.2(a)4"), six_or_eight(matched)),
        (bust, big_shoe, clause!("19:47-2.2(a)4#2"), six_or_eight(bust)),
        (SideWager::SameSuit, matches!(decks, 1 | 2 | 4 | 6 | 8), clause!("19:47-2.17(e)2"), same_suit),
    ];
    for (wager, enough, by, message) in rows {
        if offered.contains(&wager) {
            report.require(enough, by, &[&key(wager), "decks"], message);
        }
    }
}

/// Checks that the house advantage of the blackjack bonus is between 0 and 30 percent (2.20(k)).
///
/// The rows of permitted values cover the denominations and the awards.
fn blackjack_bonus(choices: &Choices, report: &mut Report) {
    let Some(offer) = choices.offer(SideWager::BlackjackBonus) else {
        return;
    };
    let key = "side_wagers.blackjack-bonus.awards";
    for (&wager, awards) in &offer.awards {
        if !bonus::LIMITS.iter().any(|(denomination, ..)| *denomination == wager) {
            continue;
        }
        match bonus::house_advantage(wager, awards, choices.decks, choices.rulings.bonus_pays) {
            Some((numerator, denominator)) if numerator >= 0 && numerator * 100 <= denominator * 30 => {}
            advantage => {
                let message = match advantage {
                    Some((n, d)) => {
                        let basis_points = n * 10_000 / d;
                        let sign = if basis_points < 0 { "-" } else { "" };
                        let (whole, part) = (basis_points.abs() / 100, basis_points.abs() % 100);
                        message!(
                            "bonus-house-advantage",
                            "the house advantage on a bet of {amount} is {advantage} percent, not between 0 and 30 \
                                percent",
                            amount = wager,
                            advantage = format!("{sign}{whole}.{part:02}")
                        )
                    }
                    None => message!(
                        "bonus-house-advantage-undefined",
                        "the house advantage on a bet of {amount} is undefined, not between 0 and 30 percent",
                        amount = wager
                    ),
                };
                report.violation(clause!("19:47-2.20(k)"), &[key, "decks"], message);
            }
        }
    }
}

/// Checks that the twenty point bonus has a face-down hole card (2.24(d), 2.6(j), Q11) and a legal maximum (2.24(h)).
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
                    message!(
                        "twenty-point-hole-card",
                        "the twenty point bonus bet requires the hole card to be dealt face down"
                    ),
                );
            }
            TwentyPointDealing::Any => {
                report.warning(
                    Kind::Approval,
                    by,
                    keys,
                    message!(
                        "twenty-point-by-ruling",
                        "by ruling, the twenty point bonus bet is dealt without a face-down hole card"
                    ),
                );
            }
        }
    }
    // the row of permitted values has the 25,000.00 below which no cap may be
    if let Some(cap) = offer.cap.filter(|cap| *cap >= Cents::dollars(25_000)) {
        let least = twenty::least_cap(choices, offer.minimum);
        report.require(
            cap >= least,
            clause!("19:47-2.24(h)#2"),
            &["side_wagers.twenty-point.cap", "side_wagers.twenty-point.minimum"],
            message!(
                "twenty-point-cap-by-minimum",
                "the maximum for all queen of hearts pairs with a dealer blackjack must be at least {least}",
                least
            ),
        );
    }
}
