//! What Blackjack Switch is in both jurisdictions: the comparison, the script, the check and the preset. New Jersey and
//! Massachusetts number the same rules each in their own way; the numbers are in the files of the two texts.

use super::Text;
use crate::choice::*;
use crate::clause::Clause;
use crate::hand::Hand;
use crate::lawful::Report;
use crate::odds::Odds;
use crate::ruling::TwoCard21VDealerBlackjack;
use crate::script::Step;
use crate::settle::{Verdict, bust};
use crate::wager::SideWager;
use std::cmp::Ordering;

/// The clauses of the comparison: 2A.5(a)-(c), (g), MA 5.
pub(super) struct Results {
    pub dealer_over: Clause,
    pub higher: Clause,
    pub blackjack_v_21: Clause,
    pub equal: Clause,
    pub plain_21_v_blackjack: Clause,
    pub dealer_22: Clause,
    pub blackjack_v_22: Clause,
    pub lower: Clause,
}

/// Player against dealer; every win is 1 to 1.
pub(super) fn compare(by: &Results, choices: &Choices, player: &Hand, dealer: &Hand) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return bust(choices);
    }
    if dealer.is_blackjack() {
        return match player.points() {
            21 if player.is_blackjack() => Verdict::push(by.equal),
            21 if player.is_two_card_21() => match choices.rulings.two_card_21_v_dealer_blackjack {
                TwoCard21VDealerBlackjack::Push => Verdict::push(by.equal),
                TwoCard21VDealerBlackjack::Lose => Verdict::lose(by.plain_21_v_blackjack),
            },
            21 => Verdict::lose(by.plain_21_v_blackjack),
            _ => Verdict::lose(by.lower),
        };
    }
    match (dealer.points(), player.points().cmp(&dealer.points())) {
        // 2A.5(c): dealer 22 pushes all but a blackjack without switching
        (22, _) if player.is_blackjack() => win(by.blackjack_v_22),
        (22, _) => Verdict::push(by.dealer_22),
        (23.., _) => win(by.dealer_over),
        (_, Ordering::Greater) => win(by.higher),
        // 2A.5(a)3: a blackjack without switching beats a drawn 21
        (21, Ordering::Equal) if player.is_blackjack() => win(by.blackjack_v_21),
        (_, Ordering::Equal) => Verdict::push(by.equal),
        (_, Ordering::Less) => Verdict::lose(by.lower),
    }
}

/// 2A.7(d)-(l), MA 7: the switch is offered at each player's turn; the match wager is settled before the hole card (A7).
pub(super) fn script(choices: &Choices) -> &'static [Step] {
    if choices.hole_card == HoleCard::None { NO_HOLE_CARD } else { HOLE_DOWN }
}

const NO_HOLE_CARD: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Deal(Up),
        Deal(EachBox),
        InitialSideWagers,
        Ask(Insurance),
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        PickUp,
    ]
};

const HOLE_DOWN: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Deal(Up),
        Deal(EachBox),
        InitialSideWagers,
        Deal(HoleDown),
        Ask(Insurance),
        Peek,
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        PickUp,
    ]
};

/// 19:46-1.10C(a), 2A.2(a), 2A.11(c)1, 2A.12(b), MA 2(a).
pub(super) fn preset(text: &'static Text) -> Choices {
    Choices {
        text,
        jurisdiction: text.jurisdiction,
        decks: 6,
        positions: 5,
        soft_17: Soft17::Hit,
        split_hands: 2,
        side_wagers: SideOffer::all(&[SideWager::Match]),
        ..super::nj_blackjack::preset()
    }
}

/// The clauses by which a table is unlawful. What only one jurisdiction asks is an `Option`.
pub(super) struct Lawful {
    pub decks: Clause,
    pub positions: Option<Clause>,
    pub multiple_action: Clause,
    pub hole_up: Clause,
    pub soft_17: Clause,
    pub even: Clause,
    pub splits: Clause,
    pub double_after_split: Clause,
    pub no_bart_carter: Option<Clause>,
    pub players_cut: Option<Clause>,
    pub match_area: Option<Clause>,
    pub surrender_notice: Clause,
    pub aces_notice: Clause,
}

pub(super) fn check(by: &Lawful, choices: &Choices, report: &mut Report) {
    let unless = |report: &mut Report, asked: Option<Clause>, holds: bool, key: &str, message: &str| {
        if let Some(by) = asked {
            report.require(holds, by, &[key], message);
        }
    };
    report.require(
        matches!(choices.decks, 6 | 8),
        by.decks,
        &["decks"],
        "Blackjack Switch is played with six or eight decks",
    );
    let message = "a Blackjack Switch table has at most five betting positions";
    unless(report, by.positions, choices.positions <= 5, "positions", message);
    match choices.variation {
        Variation::Standard => {}
        Variation::SixToFive => report.violation(
            by.even,
            &["variation"],
            "a blackjack is paid 1 to 1; the 6 to 5 variation belongs to blackjack",
        ),
        Variation::MultipleAction => report.violation(
            by.multiple_action,
            &["variation"],
            "multiple action wagers may not be offered in Blackjack Switch",
        ),
    }
    let rows = [
        (
            choices.hole_card != HoleCard::Up,
            by.hole_up,
            "hole_card",
            "the hole card is dealt after the players, or face down",
        ),
        (choices.soft_17 == Soft17::Hit, by.soft_17, "soft_17", "the dealer draws to a soft 17"),
        (
            choices.even_money == Offered::No,
            by.even,
            "even_money",
            "there is no even money option; every win is paid 1 to 1",
        ),
        (
            choices.bonus_payouts.is_none(),
            by.even,
            "bonus_payouts",
            "every win is paid 1 to 1; there are no special odds",
        ),
        (
            choices.split_hands <= 4,
            by.splits,
            "split_hands",
            "pairs may be split up to three times, four hands from one",
        ),
        (
            choices.double_after_split.is_yes(),
            by.double_after_split,
            "double_after_split",
            "a hand formed by a split may be doubled",
        ),
    ];
    for (holds, by, key, message) in rows {
        report.require(holds, by, &[key], message);
    }
    let message = "Massachusetts does not know the Bart Carter shuffle";
    unless(report, by.no_bart_carter, choices.shuffle != Shuffle::BartCarter, "shuffle", message);
    let message = "the cut is offered to the players; only Massachusetts lets the dealer cut instead";
    unless(report, by.players_cut, choices.cut_by == CutBy::Players, "cut_by", message);
    let offered = choices.offer(SideWager::Match).is_some();
    let message = "every betting position has an area for the match wager";
    unless(report, by.match_area, offered, "side_wagers.match", message);
}

pub(super) fn notices(by: &Lawful, choices: &Choices, report: &mut Report) {
    if choices.surrender.is_yes() {
        report.warning(by.surrender_notice, &["surrender"], "starting or ending surrender needs notice");
    }
    if choices.split_hands > 2 && !choices.resplit_aces.is_yes() {
        report.warning(by.aces_notice, &["resplit_aces"], "limiting aces to one split needs notice");
    }
}
