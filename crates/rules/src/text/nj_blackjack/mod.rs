//! New Jersey blackjack, N.J.A.C. 19:47-2, in the order of the regulation.
//!
//! Its variations are derived from this regulation: `six_to_five` (2.6A), `face_up` (2.6(k)) and `multiple_action`
//! (2.18). Settlement, the side bets and the legality checks have their own files.

mod check;
mod face_up;
mod multiple_action;
mod settle;
mod sides;
mod six_to_five;
mod values;

pub use settle::blackjack_odds;
pub(super) use sides::EXCLUSIONS;

use super::*;
use crate::card::Deck;
use crate::choice::*;
use crate::odds::{Cents, Odds};
use crate::ruling::Rulings;
use crate::script::Step;
use crate::settle::Verdict;
use std::collections::BTreeMap;

/// The regulation of blackjack in New Jersey, N.J.A.C. 19:47-2.
pub static TEXT: Text = Text {
    variations: &[
        Amendment { when: Chosen::Variation(Variation::SixToFive), text: &six_to_five::TEXT },
        Amendment { when: Chosen::Variation(Variation::MultipleAction), text: &multiple_action::TEXT },
        Amendment { when: Chosen::HoleCard(HoleCard::Up), text: &face_up::TEXT },
    ],
    ..STANDARD
};

/// The clauses on a surrender that must be the first decision (2.8(a), (c)).
const FIRST_DECISION: FirstDecision = FirstDecision {
    by: clause!("19:47-2.8(a)#2"),
    not_offered: clause!("19:47-2.8(c)"),
    after_split: clause!("19:47-2.8(a)"),
};

/// Returns the clauses on surrender, with `not_offered` as the clause for tables that do not offer surrender.
const fn surrender_unless(not_offered: Clause) -> Surrender {
    Surrender { may: MaySurrender::First(FirstDecision { not_offered, ..FIRST_DECISION }), ..SURRENDER }
}

/// The clauses on a dealer's second card that is dealt after the players' decisions (2.6(h)).
const SECOND: DealersSecond =
    DealersSecond { by: clause!("19:47-2.6(h)"), always: false, announced: clause!("19:47-2.6(h)#2") };

/// The clauses on surrender (2.8).
const SURRENDER: Surrender = Surrender {
    may: MaySurrender::First(FIRST_DECISION),
    by: clause!("19:47-2.8(a)"),
    low: clause!("19:47-2.8(a)1"),
    high: clause!("19:47-2.8(a)2#2"),
    at_once: Some(SettledAtOnce { ruled_out: clause!("19:47-2.8(a)2#2"), waits: clause!("19:47-2.8(a)2") }),
    to_blackjack: |_, _| Verdict::lose(clause!("19:47-2.8(a)2#2")),
    too_late: clause!("19:47-2.8(a)#2"),
    notice: Some(clause!("19:47-2.8(c)#5")),
    halves_all: false,
    until_standing: false,
    if_offered: (
        rule!("surrender-offered", "As your first decision, you may surrender and lose half your bet."),
        clause!("19:47-2.8(a)"),
    ),
    if_not: (rule!("surrender-not-offered", "Surrender is not offered."), clause!("19:47-2.8(c)")),
};

/// The regulation of blackjack without its variations.
const STANDARD: Text = Text {
    name: "nj-blackjack",
    title: "Blackjack",
    game: "blackjack",
    jurisdiction: "nj",
    variations: &[],
    preset,
    // 2.2
    cards: Cards { by: clause!("19:47-2.2(a)"), deck: Deck::FIFTY_TWO, removed: None },
    // 2.3
    wagers: Wagers {
        required: clause!("19:47-2.3(a)"),
        below_minimum: clause!("19:47-2.3(a)"),
        hands: 1,
        dealer_hands: 1,
        several: None,
        one_amount: ONE_WAGER,
        chips: clause!("19:47-2.3(d)"),
        called_bet: clause!("19:47-2.3(d)#2"),
        coupon: clause!("19:47-2.3(d)"),
        unit: None,
        closed: clause!("19:47-2.3(c)"),
        confirmed: clause!("19:47-2.3(g)"),
        entry: clause!("19:47-2.3(i)"),
        admission: clause!("19:47-2.3(i)"),
        attacks: &[],
        original: Original::Required,
        areas: &[Area { name: "Bet", by: clause!("19:47-2.3(d)") }],
    },
    settle: Settling {
        compare: settle::compare,
        bust: clause!("19:47-2.3(a)"),
        collects_bust: true,
        takes_cards: false,
        holds_busted_added_bets: true,
        attack_returned: None,
        pays_at_turn: |_, _, _| false,
        dealer_can_change: |_, player| !player.is_blackjack(),
        blackjack: Odds::new(3, 2),
        at_22: false,
        most_cards: 3,
    },
    results: &[
        (
            rule!("blackjack-pays-three-to-two", "A blackjack pays 3 to 2, other wins 1 to 1."),
            clause!("19:47-2.3(e)#3"),
        ),
        (rule!("equal-totals-push", "Equal totals push."), clause!("19:47-2.3(b)")),
        (
            rule!(
                "dealer-blackjack-takes-original",
                "If the dealer has blackjack, you lose only your original bet."
            ),
            clause!("19:47-2.10(b)"),
        ),
    ],
    licensee: None,
    felt: &[
        Felt::new(rule!("felt-blackjack-three-to-two", "Blackjack pays 3 to 2"), clause!("19:47-2.3(e)#3")),
        FELT_STANDS,
        FELT_HITS,
        FELT_INSURANCE,
    ],
    // 2.4
    opening: Opening {
        inspect: clause!("19:47-2.4(a)"),
        spread: clause!("19:47-2.4(b)"),
        spread_for_device: clause!("19:47-2.4(e)"),
        wash: clause!("19:47-2.4(c)"),
        stack: Some(clause!("19:47-2.4(e)#2")),
        seen: clause!("19:47-2.4(c)"),
        idle: Some(Idle {
            spread: clause!("19:47-2.5(j)"),
            turn_up: clause!("19:47-2.5(j)#2"),
            turn_down: clause!("19:47-2.5(j)#3"),
            wash: clause!("19:47-2.5(j)1"),
            device: Some(IdleDevice {
                stack: clause!("19:47-2.5(j)2"),
                swap: clause!("19:47-2.5(j)2#2"),
                on_request: Some(clause!("19:47-2.5(j)2#3")),
            }),
        }),
        double_shoe: Some(DoubleShoe {
            spread: clause!("19:47-2.4(d)"),
            wash: clause!("19:47-2.4(d)#2"),
            empty: clause!("19:47-2.6(l)2.ii"),
            same_side: clause!("19:47-2.6(d)2"),
            other_side: clause!("19:47-2.6(d)2#2"),
        }),
    },
    // 2.5
    shuffle: Shuffling {
        by: clause!("19:47-2.5(a)"),
        at_cut_card: clause!("19:47-2.5(a)#3"),
        on_order: clause!("19:47-2.5(a)#2"),
        by_device: Some(clause!("19:47-2.2(d)3")),
        parts: &[],
        strip_early: clause!("19:47-2.5(a)"),
        swap: Some(clause!("19:47-2.2(d)4")),
        swap_each_round: None,
        device_only: None,
        own: Some(clause!("19:47-2.5(k)")),
        empty_shoe: clause!("19:47-2.6(l)2.i"),
        bart_carter: Some([clause!("19:47-2.6(m)"), clause!("19:47-2.6(m)#2")]),
        ordered: clause!("19:47-2.5(h)1"),
    },
    cut: Cutting {
        by: clause!("19:47-2.5(c)"),
        not_after_device: None,
        order: clause!("19:47-2.5(e)"),
        first_player: clause!("19:47-2.5(e)1"),
        at_player: clause!("19:47-2.5(e)2"),
        at_dealer: clause!("19:47-2.5(e)3"),
        after_ordered_shuffle: clause!("19:47-2.5(e)4"),
        offered_to_next: clause!("19:47-2.5(f)"),
        declined: clause!("19:47-2.5(f)"),
        by_dealer: clause!("19:47-2.5(f)#2"),
        dealer_instead: None,
        recut: clause!("19:47-2.5(g)"),
        recut_by: clause!("19:47-2.5(g)#2"),
        least: 10,
        clockwise: true,
        place: clause!("19:47-2.5(d)#3"),
        behind: 4,
        load: clause!("19:47-2.5(d)#4"),
        card_out: clause!("19:47-2.6(l)"),
        hand: Some([clause!("19:47-2.5(i)"), clause!("19:47-2.6A(b)")]),
    },
    // 2.6
    deal: Dealing {
        script: |table| if table.hole_card == HoleCard::None { NO_HOLE_CARD } else { HOLE_DOWN },
        burn: clause!("19:47-2.6(c)"),
        burn_again: clause!("19:47-2.6(c)#2"),
        burn_shown: clause!("19:47-2.6(c)#3"),
        first_card: clause!("19:47-2.6(e)1"),
        up_card: clause!("19:47-2.6(e)2"),
        next_card: clause!("19:47-2.6(e)3"),
        hole_card: clause!("19:47-2.6(j)"),
        face_down: None,
        blackjacks: Some(DealtBlackjacks {
            announced: clause!("19:47-2.7(a)"),
            waiting: clause!("19:47-2.7(b)"),
            removed: clause!("19:47-2.7(a)#2"),
        }),
        total: clause!("19:47-2.6(f)"),
        decisions: clause!("19:47-2.6(f)#2"),
        turns: clause!("19:47-2.6(f)#2"),
        drawn: clause!("19:47-2.6(g)"),
        new_total: Some(clause!("19:47-2.6(g)#2")),
        second: Some(SECOND),
        dealer_total: clause!("19:47-2.6(h)#3"),
        read_under: READ_UNDER_TEN_VALUE,
        reader: clause!("19:47-2.6(j)#4"),
        turned: clause!("19:47-2.6(j)#2"),
        turned_blackjack: clause!("19:47-2.6(j)#2"),
        sevens_card: Some(clause!("19:47-2.6(j)3")),
        blackjack_ends: clause!("19:47-2.6(j)1"),
        pick_up: clause!("19:47-2.6(i)"),
    },
    // 2.8
    surrender: Some(SURRENDER),
    // 2.7(c), 2.9
    insurance: Insurance {
        by: clause!("19:47-2.9(a)"),
        none: None,
        most: clause!("19:47-2.9(b)"),
        in_time: clause!("19:47-2.9(b)#3"),
        before_reader: clause!("19:47-2.9(b)#5"),
        cites_before_reader: true,
        after_losers: false,
        pays: Odds::to_1(2),
        won: clause!("19:47-2.9(c)"),
        suited: None,
        lost: clause!("19:47-2.9(d)"),
        sentence: (
            rule!(
                "insure-for-half",
                "Against an ace, you may take insurance for half your bet; insurance pays 2 to 1."
            ),
            clause!("19:47-2.9(c)"),
        ),
        even_money: clause!("19:47-2.7(c)"),
    },
    // 2.10
    double: Doubling {
        by: clause!("19:47-2.10(a)"),
        after_split: clause!("19:47-2.10(a)#2"),
        two_cards: Some(clause!("19:47-2.10(a)")),
        not_blackjack: clause!("19:47-2.10(a)"),
        plain_21: false,
        split_21: false,
        split_ace: OnSplitAce::Refused(clause!("19:47-2.11(c)2")),
        not_after_split: clause!("19:47-2.10(d)"),
        totals: None,
        amount: clause!("19:47-2.10(a)#3"),
        card: clause!("19:47-2.6(g)"),
        face_up: clause!("19:47-2.10(c)"),
        turned: Some(clause!("19:47-2.10(c)#7")),
        returned: clause!("19:47-2.10(b)"),
        sentence: (
            rule!("double-but-twenty-one", "You may double on any first two cards except 21."),
            clause!("19:47-2.10(a)"),
        ),
    },
    // 2.11
    split: Splitting {
        by: clause!("19:47-2.11(a)"),
        switched: None,
        again: clause!("19:47-2.11(e)"),
        once: Some(clause!("19:47-2.11(c)1")),
        limit: clause!("19:47-2.11(e)"),
        limit_at_seven: clause!("19:47-2.11(e)#2"),
        ace: clause!("19:47-2.11(c)2"),
        aces_again: clause!("19:47-2.11(e)#5"),
        total: clause!("19:47-2.11(c)"),
        sevens: Some(clause!("19:47-2.11(f)")),
        returned: clause!("19:47-2.11(d)"),
        may_share_original: false,
        ace_sentence: (
            rule!("split-ace-one-card", "Each split ace gets one card."),
            clause!("19:47-2.11(c)2"),
        ),
    },
    switch: None,
    // 2.12
    draw: Drawing {
        by: clause!("19:47-2.12(a)"),
        at_21: clause!("19:47-2.12(a)1"),
        at_soft_21: clause!("19:47-2.12(a)1"),
        doubled: clause!("19:47-2.12(a)2"),
        bust: clause!("19:47-2.12(a)"),
        dealer_stands: clause!("19:47-2.12(b)1"),
        dealer_hits: clause!("19:47-2.12(b)2"),
        needless: clause!("19:47-2.12(c)"),
    },
    // 2.13, 2.14
    sharing: Sharing {
        by: clause!("19:47-2.13(a)"),
        consent: clause!("19:47-2.13(a)#2"),
        limited: clause!("19:47-2.13(g)#2"),
        box_owner: clause!("19:47-2.13(b)"),
        double: clause!("19:47-2.13(d)"),
        split: clause!("19:47-2.13(e)"),
        boxes: clause!("19:47-2.14"),
        more_boxes: clause!("19:47-2.14#2"),
    },
    // 2.15
    irregular: Irregular {
        face_up: clause!("19:47-2.15(a)"),
        face_up_again: clause!("19:47-2.15(a)"),
        second_voids: false,
        unexposed: clause!("19:47-2.15(b)"),
        exposed: clause!("19:47-2.15(c)"),
        refused: clause!("19:47-2.15(c)#2"),
        burned: clause!("19:47-2.15(c)#3"),
        drew_on_standing: clause!("19:47-2.15(d)"),
        missed_own: clause!("19:47-2.15(e)"),
        missed_own_voids: false,
        missed_box: clause!("19:47-2.15(g)"),
        late_card: clause!("19:47-2.15(g)#2"),
        missed_draw: clause!("19:47-2.15(i)"),
        out_of_cards: clause!("19:47-2.15(f)"),
        reshuffle_burn: clause!("19:47-2.15(f)"),
        shuffler_failed: clause!("19:47-2.5(a)"),
        shuffler_removed: clause!("19:47-2.5(a)"),
        reader_notice: clause!("19:47-2.15(j)"),
        reader_seen: clause!("19:47-2.15(j)1"),
        reader_unseen: clause!("19:47-2.15(j)2"),
        reader_failed: clause!("19:47-2.15(k)"),
        burn_forgotten: None,
        misdelivered: clause!("19:47-2.15(c)"),
        misdelivered_remedies: None,
        wrong_side: Some(clause!("19:47-2.15(h)")),
        up_card: Some(UpCardMove {
            missed: clause!("19:47-2.15(l)"),
            discarded: clause!("19:47-2.15(m)"),
            notified: clause!("19:47-2.15(m)"),
            found: clause!("19:47-2.15(m)#2"),
            put_back: clause!("19:47-2.15(m)#3"),
        }),
        light_failed: Some(clause!("19:47-2.15(n)")),
        bonus_failed: Some(clause!("19:47-2.15(o)")),
        double_dealt_up: Some(clause!("19:47-2.15(p)")),
        void: clause!("19:47-2.15(j)1"),
    },
    // 2.17, 2.19, 2.20, 2.22-2.25
    sides: Sides {
        rows: sides::ROWS,
        refused: sides::refused,
        exclusions: sides::EXCLUSIONS,
        check: sides::check,
    },
    rulings: &[],
    values: &[values::VALUES, sides::VALUES],
    check: check::check,
};

const FELT_STANDS: Felt = Felt {
    text: rule!("felt-stands-on-seventeen", "Dealer must draw to 16 and stand on all 17's"),
    by: clause!("19:47-2.12(b)1"),
    soft_17: Some(Soft17::Stand),
};
const FELT_HITS: Felt = Felt {
    text: rule!("felt-draws-to-soft-seventeen", "Dealer must draw to 16 and soft 17"),
    by: clause!("19:47-2.12(b)2"),
    soft_17: Some(Soft17::Hit),
};
const FELT_INSURANCE: Felt =
    Felt::new(rule!("felt-insurance-two-to-one", "Insurance pays 2 to 1"), clause!("19:47-2.9(c)"));

/// The script in which the dealer's second card is dealt after the players' decisions (2.6(h)).
const NO_HOLE_CARD: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Deal(Up),
        Deal(EachBox),
        InitialSideWagers,
        HoleCardSideWagers,
        EarlyBlackjacks,
        Ask(Insurance),
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        BonusButtons,
        PickUp,
    ]
};

/// The script with the hole card face down (2.6(j)).
///
/// At a table with a card reader, the step `Peek` checks the hole card.
const HOLE_DOWN: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Deal(Up),
        Deal(EachBox),
        InitialSideWagers,
        Deal(HoleDown),
        HoleCardSideWagers,
        EarlyBlackjacks,
        Ask(Insurance),
        Peek,
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        BonusButtons,
        PickUp,
    ]
};

pub(crate) fn preset() -> Choices {
    Choices {
        name: "nj-blackjack".to_string(),
        text: &TEXT,
        variation: Variation::Standard,
        jurisdiction: "nj",
        decks: 8,
        positions: 6,
        hole_card: HoleCard::None,
        soft_17: Soft17::Stand,
        surrender: Offered::No,
        even_money: Offered::No,
        late_insurance: Offered::No,
        split_hands: 4,
        resplit_aces: Offered::No,
        double_after_split: Offered::Yes,
        double_card: DoubleCard::Up,
        bonus_payouts: BonusPayouts::NONE,
        shoe: Shoe::Single,
        shuffle: Shuffle::Manual,
        cut_behind: Millionths(250_000),
        minimum: Cents::dollars(10),
        maximum: Cents::dollars(500),
        chip: Cents::dollars(1),
        bettors_per_box: 1,
        boxes_per_player: 1,
        shared_boxes: None,
        mid_shoe_entry: Offered::Yes,
        attack_amount: AttackAmount::UpTo,
        multiple_action_required: 2,
        cut_by: CutBy::Players,
        recut_by: RecutBy::LastCutter,
        reader_reveals: ReaderReveals::Nothing,
        surrender_settled: SurrenderSettled::AtDisclosure,
        insurance_collected: InsuranceCollected::AtDisclosure,
        hand_burn: HandBurn::None,
        own_procedures: Vec::new(),
        approval: String::new(),
        side_wagers: BTreeMap::new(),
        rulings: Rulings::DEFAULT,
    }
}
