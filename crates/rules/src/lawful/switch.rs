//! Lawful Blackjack Switch tables: 19:46-1.10C, 19:47-2A, and the rules of Massachusetts.

use super::Report;
use crate::choice::*;
use crate::wager::SideWager;

pub(super) fn check(choices: &Choices, report: &mut Report) {
    let nj = choices.jurisdiction == Jurisdiction::Nj;
    report.require(
        matches!(choices.decks, 6 | 8),
        clause!("19:47-2A.2(a)"),
        &["decks"],
        "Blackjack Switch is played with six or eight decks",
    );
    report.require(
        !nj || choices.positions <= 5,
        clause!("19:46-1.10C(a)"),
        &["positions"],
        "a Blackjack Switch table has at most five betting positions",
    );
    match choices.variation {
        Variation::Standard => {}
        Variation::SixToFive => report.violation(
            clause!("19:47-2A.5(g)#2"),
            &["variation"],
            "a blackjack is paid 1 to 1; the 6 to 5 variation belongs to blackjack",
        ),
        Variation::MultipleAction => report.violation(
            clause!("19:47-2A.5(i)#2"),
            &["variation"],
            "multiple action wagers may not be offered in Blackjack Switch",
        ),
    }
    report.require(
        choices.hole_card != HoleCard::Up,
        clause!("19:47-2A.7(l)1"),
        &["hole_card"],
        "the hole card is dealt after the players, or face down",
    );
    report.require(
        choices.soft_17 == Soft17::Hit,
        clause!("19:47-2A.12(b)"),
        &["soft_17"],
        "the dealer draws to a soft 17",
    );
    report.require(
        choices.even_money == Offered::No,
        clause!("19:47-2A.5(g)#2"),
        &["even_money"],
        "there is no even money option; every win is paid 1 to 1",
    );
    report.require(
        choices.bonus_payouts.is_none(),
        clause!("19:47-2A.5(g)#2"),
        &["bonus_payouts"],
        "every win is paid 1 to 1; there are no special odds",
    );
    report.require(
        choices.split_hands <= 4,
        clause!("19:47-2A.11(e)"),
        &["split_hands"],
        "pairs may be split up to three times, four hands from one",
    );
    report.require(
        choices.double_after_split.is_yes(),
        clause!("19:47-2A.11(c)"),
        &["double_after_split"],
        "a hand formed by a split may be doubled",
    );
    report.require(
        nj || choices.shuffle != Shuffle::BartCarter,
        clause!("19:47-2A.4(a)#2"),
        &["shuffle"],
        "Massachusetts does not know the Bart Carter shuffle",
    );
    report.require(
        !nj || choices.cut_by == CutBy::Players,
        clause!("19:47-2A.4(c)"),
        &["cut_by"],
        "the cut is offered to the players; only Massachusetts lets the dealer cut instead",
    );
    report.require(
        !nj || choices.offer(SideWager::Match).is_some(),
        clause!("19:46-1.10C(b)3"),
        &["side_wagers.match"],
        "every betting position has an area for the match wager",
    );
}
