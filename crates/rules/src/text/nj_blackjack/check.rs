//! Lawful blackjack tables, with their variations and what needs a notice. The side wagers are in `sides`.

use crate::card::Card;
use crate::choice::*;
use crate::lawful::{Kind, Report, key, places_as_approved};
use crate::wager::SideWager;

pub(super) fn check(choices: &Choices, report: &mut Report) {
    splits(choices, report);
    insurance(choices, report);
    special_odds(choices, report);
    shoes(choices, report);
    match choices.variation {
        Variation::Standard => {}
        Variation::SixToFive => six_to_five(choices, report),
        Variation::MultipleAction => report.require(
            matches!(choices.multiple_action_required, 2 | 3),
            clause!("19:47-2.18(b)"),
            &["multiple_action.required"],
            "two wagers are required, or all three",
        ),
    }
}

/// 2.11(e): four hands with up to six boxes, three with seven; none foreseen for more (Q33).
fn splits(choices: &Choices, report: &mut Report) {
    if choices.positions == 7 && choices.split_hands == 4 && choices.variation != Variation::MultipleAction {
        report.violation(
            clause!("19:47-2.11(e)#2"),
            &["split_hands", "positions"],
            "with seven boxes a hand may become at most three hands",
        );
    }
    if choices.resplit_aces.is_yes() && choices.split_hands == 2 {
        report.warning(
            Kind::Notice,
            clause!("19:47-2.11(e)#5"),
            &["resplit_aces", "split_hands"],
            "aces cannot be split again where no pair can",
        );
    }
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

/// 2.21: a continuous shuffler.
fn shoes(choices: &Choices, report: &mut Report) {
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

/// 2.3(d), 2.5(i).
fn six_to_five(choices: &Choices, report: &mut Report) {
    report.require(
        choices.cut_behind.0 >= 333_000 || places_as_approved(choices),
        clause!("19:47-2.5(i)#2"),
        &["cut_behind"],
        "at least one third of the cards must lie behind the second cutting card",
    );
    if choices.minimum.0 % 500 != 0 {
        report.warning(
            Kind::Equipment,
            clause!("19:47-2.3(d)#4"),
            &["minimum"],
            "wagers are multiples of five dollars, so the minimum cannot be wagered",
        );
    }
}

/// Warns of every notice and approval that the text requires and a table file cannot show.
pub(super) fn notices(choices: &Choices, report: &mut Report) {
    let offered = |wager| choices.offer(wager).is_some();
    if !choices.bonus_payouts.is_none() {
        report.requires(
            Kind::Notice,
            clause!("19:47-2.3(e)#7"),
            &["bonus_payouts"],
            "special odds need notice",
        );
    }
    let rows = [
        (
            SideWager::Progressive,
            clause!("19:47-2.19(a)#2"),
            "the progressive wager needs its equipment and approved amounts",
        ),
        (SideWager::BlackjackBonus, clause!("19:47-2.20(a)#2"), "the bonus wager needs its equipment"),
        (SideWager::Streak, clause!("19:47-2.22(a)#2"), "the streak wager needs its layout and lammers"),
    ];
    for (wager, by, message) in rows {
        if offered(wager) {
            report.requires(Kind::Equipment, by, &[&key(wager)], message);
        }
    }
    if offered(SideWager::SameSuit) {
        report.warning(
            Kind::Notice,
            clause!("19:47-2.17(e)2#3"),
            &["side_wagers.same-suit"],
            "all tables with as many decks must use the same option",
        );
    }
}
