//! Lawful Double Attack (19:47-26) and Triple Attack (19:46-1.13V, 19:47-36) tables.

use super::Report;
use crate::choice::*;

pub(super) fn double_attack(choices: &Choices, report: &mut Report) {
    new_jersey_only(choices, report);
    report.require(
        matches!(choices.decks, 6 | 8),
        clause!("19:47-26.2(a)"),
        &["decks"],
        "Double Attack is played with six or eight decks",
    );
    report.require(
        choices.hole_card != HoleCard::Up,
        clause!("19:47-26.7(g)#5"),
        &["hole_card"],
        "the dealer's second card is dealt after the players, or face down",
    );
    report.require(
        choices.soft_17 == Soft17::Stand,
        clause!("19:47-26.12(b)"),
        &["soft_17"],
        "the dealer stands on a soft 17",
    );
    report.require(
        choices.surrender.is_yes(),
        clause!("19:47-26.8(a)"),
        &["surrender"],
        "surrender is the player's right in Double Attack",
    );
    let most = match choices.positions {
        6 => Some((4, clause!("19:47-26.10(c)#4"))),
        7 => Some((3, clause!("19:47-26.10(c)#3"))),
        _ => {
            report.violation(
                clause!("19:47-26.10(c)#4"),
                &["positions"],
                "a table has six or seven player positions",
            );
            None
        }
    };
    if let Some((most, by)) = most {
        let keys = &["split_hands", "positions"];
        if choices.split_hands > most {
            report.violation(
                by,
                keys,
                format!("with {} positions a hand may become at most {most}", choices.positions),
            );
        } else if choices.split_hands < most {
            report.warning(by, keys, format!("the text lets a player split up to {most} hands"));
        }
    }
    report.require(
        choices.resplit_aces == Offered::No,
        clause!("19:47-26.10(e)#2"),
        &["resplit_aces"],
        "aces may be split only once",
    );
    report.require(
        choices.double_after_split.is_yes(),
        clause!("19:47-26.9(a)#4"),
        &["double_after_split"],
        "a hand formed by a split may be doubled",
    );
    every_win_even(choices, report, clause!("19:47-26.5(e)#2"));
    own_shuffle(choices, report, clause!("19:47-26.4(a)#3"));
    report.require(
        choices.cut_by == CutBy::Players,
        clause!("19:47-26.4(c)"),
        &["cut_by"],
        "the cut is offered to the players; the dealer cuts only if all decline",
    );
}

pub(super) fn triple_attack(choices: &Choices, report: &mut Report) {
    new_jersey_only(choices, report);
    report.require(
        choices.decks == 8,
        clause!("19:47-36.2(a)"),
        &["decks"],
        "Triple Attack is played with eight decks",
    );
    report.require(
        matches!(choices.positions, 6 | 7),
        clause!("19:46-1.13V(a)"),
        &["positions"],
        "a table has six or seven player positions",
    );
    report.require(
        matches!(choices.hole_card, HoleCard::Down | HoleCard::Reader),
        clause!("19:47-36.7(e)#3"),
        &["hole_card"],
        "the dealer's second card is dealt face down with the players' second cards",
    );
    report.require(
        choices.soft_17 == Soft17::Hit,
        clause!("19:47-36.11(b)"),
        &["soft_17"],
        "the dealer draws to a soft 17",
    );
    report.require(
        choices.surrender == Offered::No,
        clause!("19:47-36.7(g)"),
        &["surrender"],
        "Triple Attack has no surrender",
    );
    report.require(
        choices.split_hands <= 4,
        clause!("19:47-36.9(c)#3"),
        &["split_hands"],
        "pairs may be split at most three times, four hands in total",
    );
    if choices.split_hands == 2 {
        report.warning(
            clause!("19:47-36.9(c)#2"),
            &["split_hands"],
            "the text lets a player split at least once again",
        );
    }
    if choices.resplit_aces.is_yes() {
        report.warning(
            clause!("19:47-36.9(e)"),
            &["resplit_aces"],
            "each split ace receives only one card; the text does not mention splitting aces again",
        );
    }
    report.require(
        choices.double_after_split.is_yes(),
        clause!("19:47-36.8(a)#4"),
        &["double_after_split"],
        "a hand formed by a split may be doubled",
    );
    every_win_even(choices, report, clause!("19:47-36.5(e.2)#3"));
    own_shuffle(choices, report, clause!("19:47-36.4(a)#3"));
    report.require(
        choices.cut_by == CutBy::Players,
        clause!("19:47-36.4(c)"),
        &["cut_by"],
        "the cut is offered to the players; the dealer cuts only if all decline",
    );
}

fn new_jersey_only(choices: &Choices, report: &mut Report) {
    report.require(
        choices.jurisdiction == Jurisdiction::Nj,
        clause!("MA-BJS 5(i)"),
        &["game", "jurisdiction"],
        "the text of Massachusetts authorises Blackjack Switch only",
    );
}

/// 26.5(e), 36.5(e): wins pay 1 to 1, so no even money, no special odds and no 6 to 5.
fn every_win_even(choices: &Choices, report: &mut Report, by: crate::clause::Clause) {
    report.require(choices.even_money == Offered::No, by, &["even_money"], "there is no even money option");
    report.require(choices.bonus_payouts.is_none(), by, &["bonus_payouts"], "every win is paid 1 to 1");
    report.require(
        choices.variation == Variation::Standard,
        by,
        &["variation"],
        "the variations of blackjack do not exist in this game",
    );
}

/// 26.4(a), 36.4(a): by hand, by a device, or pre-shuffled.
fn own_shuffle(choices: &Choices, report: &mut Report, by: crate::clause::Clause) {
    report.require(
        choices.shuffle != Shuffle::BartCarter,
        by,
        &["shuffle"],
        "the Bart Carter shuffle belongs to blackjack and Blackjack Switch",
    );
}
