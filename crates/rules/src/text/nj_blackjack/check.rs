//! Lawful blackjack tables, with their variations and what needs a notice. The side wagers are in `sides`.

use crate::card::Card;
use crate::choice::*;
use crate::lawful::{Report, places_as_approved};
use crate::wager::SideWager;

pub(super) fn check(choices: &Choices, report: &mut Report) {
    report.require(choices.decks >= 1, clause!("19:47-2.2(a)"), &["decks"], "at least one deck is used");
    splits(choices, report);
    hole_card_up(choices, report);
    insurance(choices, report);
    special_odds(choices, report);
    shoes(choices, report);
    match choices.variation {
        Variation::Standard => {}
        Variation::SixToFive => six_to_five(choices, report),
        Variation::MultipleAction => multiple_action(choices, report),
    }
    report.require(
        choices.cut_by == CutBy::Players,
        clause!("19:47-2.5(b)"),
        &["cut_by"],
        "the cut is offered to the players; the dealer cuts only if all decline",
    );
}

/// 2.11(e): four hands with up to six boxes, three with seven; none foreseen for more (Q33).
fn splits(choices: &Choices, report: &mut Report) {
    let keys = &["split_hands", "positions"];
    match choices.positions {
        8.. => report.violation(clause!("19:47-2.11(e)"), &["positions"], "a table has at most seven boxes"),
        7 if choices.split_hands > 3 => {
            report.violation(
                clause!("19:47-2.11(e)#2"),
                keys,
                "with seven boxes a hand may become at most three hands",
            );
        }
        _ if choices.split_hands > 4 => {
            report.violation(clause!("19:47-2.11(e)"), keys, "a hand may become at most four hands");
        }
        _ => {}
    }
    if choices.resplit_aces.is_yes() && choices.split_hands == 2 {
        report.warning(
            clause!("19:47-2.11(e)#5"),
            &["resplit_aces", "split_hands"],
            "aces cannot be split again where no pair can",
        );
    }
    report.require(
        choices.double_after_split.is_yes() || choices.variation == Variation::SixToFive,
        clause!("19:47-2.10(a)#2"),
        &["double_after_split"],
        "doubling after a split may be prohibited only in the 6 to 5 variation",
    );
}

/// 2.6(k): what a face-up hole card excludes.
fn hole_card_up(choices: &Choices, report: &mut Report) {
    if choices.hole_card != HoleCard::Up {
        return;
    }
    report.require(
        choices.surrender == Offered::No,
        clause!("19:47-2.6(k)3"),
        &["surrender", "hole_card"],
        "with the hole card face up there is no surrender",
    );
    report.require(
        choices.even_money == Offered::No && choices.late_insurance == Offered::No,
        clause!("19:47-2.6(k)3#2"),
        &["even_money", "late_insurance", "hole_card"],
        "with the hole card face up there is no insurance, and so no even money",
    );
    report.require(
        choices.split_hands <= 2,
        clause!("19:47-2.6(k)5"),
        &["split_hands", "hole_card"],
        "with the hole card face up pairs may not be split again",
    );
}

/// 2.9(b): insurance at the player's own turn only where no reader is used.
fn insurance(choices: &Choices, report: &mut Report) {
    report.require(
        choices.late_insurance == Offered::No || choices.hole_card != HoleCard::Reader,
        clause!("19:47-2.9(b)#5"),
        &["late_insurance", "hole_card"],
        "with a card reader device all insurance is placed before the hole card is read",
    );
}

/// 2.3(e)1-4: special odds; the designated blackjack is one ace and one face card.
fn special_odds(choices: &Choices, report: &mut Report) {
    let designated = &choices.bonus_payouts.blackjacks;
    let proper = |pair: &[Card; 2]| {
        let [a, b] = *pair;
        (a.is_ace() && b.rank().is_face()) || (b.is_ace() && a.rank().is_face())
    };
    report.require(
        designated.len() <= 1,
        clause!("19:47-2.3(e)3"),
        &["bonus_payouts"],
        "a single blackjack combination may be designated",
    );
    report.require(
        designated.iter().all(proper),
        clause!("19:47-2.3(e)3"),
        &["bonus_payouts"],
        "the designated blackjack consists of an ace and a king, queen or jack",
    );
    report.require(
        choices.variation != Variation::SixToFive || choices.bonus_payouts.is_none(),
        clause!("19:47-2.3(e)#6"),
        &["bonus_payouts", "variation"],
        "special odds are not available in the 6 to 5 variation",
    );
}

/// 2.2(c)-(e), 2.6(a), 2.21.
fn shoes(choices: &Choices, report: &mut Report) {
    let six_to_five = choices.variation == Variation::SixToFive;
    report.require(
        six_to_five || choices.shoe != Shoe::Hand,
        clause!("19:47-2.6(a)"),
        &["shoe"],
        "cards are dealt from a dealing shoe; only the 6 to 5 variation is dealt from the hand",
    );
    if choices.shoe == Shoe::Continuous {
        report.require(
            choices.mid_shoe_entry.is_yes(),
            clause!("19:47-2.3(i)"),
            &["mid_shoe_entry", "shoe"],
            "a bar until the next reshuffle would never end with a continuous shuffler",
        );
        report.require(
            choices.shuffle != Shuffle::BartCarter,
            clause!("19:47-2.21"),
            &["shuffle", "shoe"],
            "a continuous shuffler leaves no cards for the Bart Carter shuffle",
        );
    }
}

/// 2.2(a)1, 2.2(e), 2.3(d)-(e), 2.5(i), 2.6A, 2.8(c), 2.12(d).
fn six_to_five(choices: &Choices, report: &mut Report) {
    report.require(
        matches!(choices.decks, 1 | 2),
        clause!("19:47-2.2(a)1"),
        &["decks", "variation"],
        "the 6 to 5 variation uses one or two decks",
    );
    report.require(
        choices.shuffle == Shuffle::Automated,
        clause!("19:47-2.2(e)"),
        &["shuffle", "variation"],
        "the 6 to 5 variation uses an automated card shuffling device",
    );
    report.require(
        choices.shoe == Shoe::Hand,
        clause!("19:47-2.6(a)#2"),
        &["shoe", "variation"],
        "the 6 to 5 variation is dealt from the dealer's hand",
    );
    report.require(
        matches!(choices.hole_card, HoleCard::None | HoleCard::Reader),
        clause!("19:47-2.6A(h)"),
        &["hole_card", "variation"],
        "from the hand the dealer's second card is dealt after the players, or face down with a card reader device",
    );
    report.require(
        choices.soft_17 == Soft17::Hit,
        clause!("19:47-2.12(d)"),
        &["soft_17", "variation"],
        "in the 6 to 5 variation the dealer draws to a soft 17",
    );
    report.require(
        choices.surrender == Offered::No,
        clause!("19:47-2.8(c)#3"),
        &["surrender", "variation"],
        "there is no surrender in the 6 to 5 variation",
    );
    report.require(
        choices.cut_behind.0 >= 333_000 || places_as_approved(choices),
        clause!("19:47-2.5(i)#2"),
        &["cut_behind"],
        "at least one third of the cards must lie behind the second cutting card",
    );
    if choices.minimum.0 % 500 != 0 {
        report.warning(
            clause!("19:47-2.3(d)#4"),
            &["minimum"],
            "wagers are multiples of five dollars, so the minimum cannot be wagered",
        );
    }
}

/// 2.18: no surrender, no resplit, and the dealing of 2.6(h).
fn multiple_action(choices: &Choices, report: &mut Report) {
    report.require(
        choices.surrender == Offered::No,
        clause!("19:47-2.8(c)#2"),
        &["surrender", "variation"],
        "there is no surrender in multiple action",
    );
    report.require(
        choices.split_hands <= 2,
        clause!("19:47-2.11(e)#4"),
        &["split_hands", "variation"],
        "in multiple action pairs may not be split again",
    );
    report.require(
        choices.hole_card == HoleCard::None,
        clause!("19:47-2.18(e)"),
        &["hole_card", "variation"],
        "in multiple action the dealer's second card is dealt after the players' decisions",
    );
    report.require(
        matches!(choices.multiple_action_required, 2 | 3),
        clause!("19:47-2.18(b)"),
        &["multiple_action.required"],
        "two wagers are required, or all three",
    );
}

/// What the text wants noticed or approved, and a table file cannot show.
pub(super) fn notices(choices: &Choices, report: &mut Report) {
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
            report.warning(by, &[key], message);
        }
    }
}
