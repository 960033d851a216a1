//! What the law leaves to notices, approvals and equipment: warnings, because a table file cannot show them.

use super::Report;
use crate::choice::*;
use crate::wager::SideWager;

pub(super) fn warn(choices: &Choices, report: &mut Report) {
    match choices.game {
        Game::Blackjack => blackjack(choices, report),
        Game::Switch => switch(choices, report),
        Game::DoubleAttack => {
            if choices.hole_card != HoleCard::None {
                notice(
                    report,
                    clause!("19:47-26.7(i)#7"),
                    "hole_card",
                    "this dealing procedure needs notice",
                );
            }
        }
        Game::TripleAttack => {
            if choices.hole_card == HoleCard::Reader {
                notice(
                    report,
                    clause!("19:47-36.7(k)#6"),
                    "hole_card",
                    "this dealing procedure needs notice",
                );
            }
        }
    }
    if choices.boxes_per_player > choices.positions {
        let by = match choices.game {
            Game::Blackjack => clause!("19:47-2.14#2"),
            Game::Switch => clause!("19:47-2A.14"),
            Game::DoubleAttack => clause!("19:47-26.14#2"),
            Game::TripleAttack => clause!("19:47-36.13#2"),
        };
        report.warning(
            by,
            &["boxes_per_player", "positions"],
            "a player cannot wager on more boxes than the table has",
        );
    }
}

fn notice(report: &mut Report, by: crate::clause::Clause, key: &str, message: &str) {
    report.warning(by, &[key], message);
}

fn blackjack(choices: &Choices, report: &mut Report) {
    let offered = |wager| choices.offer(wager).is_some();
    let rows = [
        (
            !choices.bonus_payouts.is_none(),
            clause!("19:47-2.3(e)#7"),
            "bonus_payouts",
            "special odds need notice",
        ),
        (
            choices.hole_card == HoleCard::Up,
            clause!("19:47-2.6(k)#2"),
            "hole_card",
            "the face-up hole card needs notice",
        ),
        (
            choices.even_money.is_yes(),
            clause!("19:47-2.7(c)#2"),
            "even_money",
            "the even money option needs notice",
        ),
        (
            choices.surrender.is_yes(),
            clause!("19:47-2.8(c)#5"),
            "surrender",
            "starting or ending surrender needs notice",
        ),
        (
            choices.late_insurance.is_yes(),
            clause!("19:47-2.9(b)#4"),
            "late_insurance",
            "insurance at the own turn needs notice",
        ),
        (
            choices.double_card != DoubleCard::Up,
            clause!("19:47-2.10(c)#5"),
            "double_card",
            "the dealing of the double card is posted",
        ),
        (
            !choices.double_after_split.is_yes(),
            clause!("19:47-2.10(d)"),
            "double_after_split",
            "the prohibition needs notice",
        ),
        (choices.split_hands > 2, clause!("19:47-2.11(e)#3"), "split_hands", "splitting again needs notice"),
        (
            choices.shoe == Shoe::Continuous,
            clause!("19:47-2.21#2"),
            "shoe",
            "the device and its procedures need approval",
        ),
        (
            offered(SideWager::Progressive),
            clause!("19:47-2.19(a)#2"),
            "side_wagers.progressive",
            "the progressive wager needs its equipment and approved amounts",
        ),
        (
            offered(SideWager::BlackjackBonus),
            clause!("19:47-2.20(a)#2"),
            "side_wagers.blackjack-bonus",
            "the bonus wager needs its equipment",
        ),
        (
            offered(SideWager::Streak),
            clause!("19:47-2.22(a)#2"),
            "side_wagers.streak",
            "the streak wager needs its layout and lammers",
        ),
        (
            offered(SideWager::SameSuit),
            clause!("19:47-2.17(e)2#3"),
            "side_wagers.same-suit",
            "all tables with as many decks must use the same option",
        ),
    ];
    for (applies, by, key, message) in rows {
        if applies {
            notice(report, by, key, message);
        }
    }
}

fn switch(choices: &Choices, report: &mut Report) {
    if choices.surrender.is_yes() {
        notice(report, clause!("19:47-2A.9(c)#2"), "surrender", "starting or ending surrender needs notice");
    }
    if choices.split_hands > 2 && !choices.resplit_aces.is_yes() {
        notice(
            report,
            clause!("19:47-2A.11(e)#3"),
            "resplit_aces",
            "limiting aces to one split needs notice",
        );
    }
}
