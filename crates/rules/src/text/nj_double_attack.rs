//! Double Attack Blackjack in New Jersey (19:47-26), in the order of the regulation.

use super::*;
use crate::card::Deck;
use crate::choice::*;
use crate::hand::Hand;
use crate::hand::Origin;
use crate::odds::Odds;
use crate::play::Refusal;
use crate::play::{Doubled, Situation};
use crate::ruling::{SplitAceSurrender, Surrender21, SurrenderVDealerBlackjack};
use crate::script::{Offer, Step};
use crate::settle::{Stake, Verdict};
use crate::wager::{Amounts, Extras, Moment, dealer_bust};
use std::cmp::Ordering;

/// The regulation of Double Attack Blackjack in New Jersey, N.J.A.C. 19:47-26.
pub static TEXT: Text = Text {
    name: "nj-double-attack",
    title: "Double Attack",
    game: "double-attack",
    jurisdiction: "nj",
    variations: &[],
    preset,
    // 26.2
    cards: Cards {
        by: clause!("19:47-26.2(a)"),
        deck: Deck::FORTY_EIGHT,
        removed: Some(Removed {
            sentence: (
                rule!("tens-removed", "The tens are removed: each deck has 48 cards."),
                clause!("19:47-26.2(a)#5"),
            ),
            remove: clause!("19:47-26.3(b)"),
            verify: clause!("19:47-26.3(b)#2"),
            destroy: clause!("19:47-26.3(b)#3"),
            found: clause!("19:47-26.15(b)"),
            found_again: clause!("19:47-26.15(b)#2"),
        }),
    },
    // 26.3
    opening: Opening {
        inspect: clause!("19:47-26.3(a)"),
        spread: clause!("19:47-26.3(b)#4"),
        spread_for_device: clause!("19:47-26.3(b)#4"),
        wash: clause!("19:47-26.3(c)"),
        stack: None,
        seen: clause!("19:47-26.3(c)#2"),
        idle: Some(Idle {
            spread: clause!("19:47-26.4(i)"),
            turn_up: clause!("19:47-26.4(i)#2"),
            turn_down: clause!("19:47-26.4(i)#3"),
            wash: clause!("19:47-26.4(i)#3"),
            device: None,
        }),
        double_shoe: None,
    },
    // 26.4
    shuffle: Shuffling {
        by: clause!("19:47-26.4(a)"),
        at_cut_card: clause!("19:47-26.4(a)#2"),
        on_order: clause!("19:47-26.4(a)#2"),
        by_device: None,
        parts: &[],
        strip_early: clause!("19:47-26.4(a)"),
        swap: None,
        swap_each_round: None,
        device_only: None,
        own: Some(clause!("19:47-26.4(h)")),
        empty_shoe: clause!("19:47-26.7(j)2"),
        bart_carter: None,
        ordered: clause!("19:47-26.4(g)#2"),
    },
    cut: Cutting {
        by: clause!("19:47-26.4(e)"),
        not_after_device: Some(clause!("19:47-26.4(b)1")),
        order: clause!("19:47-26.4(d)"),
        first_player: clause!("19:47-26.4(d)1"),
        at_player: clause!("19:47-26.4(d)2"),
        at_dealer: clause!("19:47-26.4(d)3"),
        after_ordered_shuffle: clause!("19:47-26.4(d)4"),
        offered_to_next: clause!("19:47-26.4(c)"),
        declined: clause!("19:47-26.4(c)#2"),
        by_dealer: clause!("19:47-26.4(c)#2"),
        dealer_instead: None,
        recut: clause!("19:47-26.4(f)"),
        recut_by: clause!("19:47-26.4(f)#2"),
        least: 10,
        clockwise: true,
        place: clause!("19:47-26.4(e)#4"),
        behind: 4,
        load: clause!("19:47-26.4(e)#5"),
        card_out: clause!("19:47-26.7(j)"),
        hand: None,
    },
    // 26.1, 26.5
    wagers: Wagers {
        required: clause!("19:47-26.1 \"Initial wager\""),
        below_minimum: clause!("19:47-26.1 \"Initial wager\""),
        hands: 1,
        dealer_hands: 1,
        several: None,
        one_amount: ONE_WAGER,
        chips: clause!("19:47-26.5(c)"),
        called_bet: clause!("19:47-26.5(c)#3"),
        coupon: clause!("19:47-26.5(c)#2"),
        unit: None,
        closed: clause!("19:47-26.5(d)"),
        confirmed: clause!("19:47-26.5(g)"),
        entry: clause!("19:47-26.5(h)"),
        admission: clause!("19:47-26.5(h)#2"),
        attacks: &[Attack {
            offer: Offer::Attack,
            stake: Stake::Attack,
            by: clause!("19:47-26.7(d)#3"),
            up_to: clause!("19:47-26.1 \"Double attack wager\""),
            shared: clause!("19:47-26.13(e)"),
            sentence: rule!(
                "double-attack-up-to",
                "After the dealer's first card is dealt face up, you may add a double attack bet of up to your bet."
            ),
            equal_sentence: rule!(
                "double-attack-equal",
                "After the dealer's first card is dealt face up, you may add a double attack bet equal to your bet."
            ),
        }],
        original: Original::Required,
        areas: &[
            Area { name: "Bet", by: clause!("19:47-26.7(d)") },
            Area { name: "Double Attack", by: clause!("19:47-26.7(d)#3") },
        ],
    },
    settle: Settling {
        compare,
        bust: clause!("19:47-26.5(e)"),
        collects_bust: false,
        takes_cards: false,
        holds_busted_added_bets: true,
        attack_returned: Some(clause!("19:47-26.5(b)#4")),
        pays_at_turn: |_, _, _| false,
        dealer_can_change: |_, player| !player.is_blackjack(),
        blackjack: Odds::EVEN,
        at_22: false,
        most_cards: 3,
    },
    results: &[
        (
            rule!("wins-pay-even-blackjack-too", "Every win pays 1 to 1, including a blackjack."),
            clause!("19:47-26.5(e)#2"),
        ),
        (
            rule!(
                "dealer-blackjack-returns-attack",
                "If the dealer has blackjack, you lose only your initial bet; the double attack bet is returned."
            ),
            clause!("19:47-26.5(b)#4"),
        ),
    ],
    licensee: None,
    felt: &[
        Felt::new(rule!("felt-blackjack-even", "Blackjack pays 1 to 1"), clause!("19:47-26.5(e)#2")),
        Felt::new(rule!("felt-insurance-five-to-two", "Insurance pays 5 to 2"), clause!("19:47-26.11(c)")),
        Felt::new(
            rule!("felt-stands-on-seventeen", "Dealer must draw to 16 and stand on all 17's"),
            clause!("19:47-26.12(b)"),
        ),
    ],
    // 26.6
    sides: Sides {
        rows: &[Side {
            wager: SideWager::DealerBust,
            by: clause!("19:47-26.6(a)"),
            settles: Moment::DealerThirdCard,
            paytables: dealer_bust::DOUBLE_ATTACK,
            no_table: |_| clause!("19:47-26.6(d)2"),
            at_least: None,
            beside_main: clause!("19:47-26.6(a)"),
            amounts: Amounts::FromOneDollar(clause!("19:47-26.6(b)#2"), "the bonus bet"),
            chips: clause!("19:47-26.6(c)"),
            least: clause!("19:47-26.6(b)#2"),
            within_main: Some(clause!("19:47-26.6(b)1")),
            most: clause!("19:47-26.6(b)2"),
            lost: clause!("19:47-26.6(d)1"),
            area: clause!("19:47-26.6(a)"),
            sign: clause!("19:47-26.6(b)2#2"),
            highest_line_only: None,
            extras: Extras::NONE,
        }],
        refused: |_| clause!("19:47-26.6(a)"),
        exclusions: nj_blackjack::EXCLUSIONS,
        check: |_, _| {},
    },
    // 26.7
    deal: Dealing {
        script: |table| if table.hole_card == HoleCard::None { NO_HOLE_CARD } else { HOLE_DOWN },
        burn: clause!("19:47-26.7(c)"),
        burn_again: clause!("19:47-26.7(c)#3"),
        burn_shown: clause!("19:47-26.7(c)#4"),
        first_card: clause!("19:47-26.7(d)1"),
        up_card: clause!("19:47-26.7(d)#2"),
        next_card: clause!("19:47-26.7(d)2"),
        hole_card: clause!("19:47-26.7(i)"),
        face_down: None,
        blackjacks: None,
        total: clause!("19:47-26.7(e)"),
        decisions: clause!("19:47-26.7(e)#2"),
        turns: clause!("19:47-26.7(e)#2"),
        drawn: clause!("19:47-26.7(f)"),
        new_total: Some(clause!("19:47-26.7(f)#2")),
        second: Some(DealersSecond {
            by: clause!("19:47-26.7(g)"),
            always: false,
            announced: clause!("19:47-26.7(g)#2"),
        }),
        dealer_total: clause!("19:47-26.7(g)#4"),
        read_under: READ_UNDER_FACE_CARD,
        reader: clause!("19:47-26.7(i)#3"),
        turned: clause!("19:47-26.7(i)#2"),
        turned_blackjack: clause!("19:47-26.7(i)#6"),
        sevens_card: None,
        blackjack_ends: clause!("19:47-26.7(i)#6"),
        pick_up: clause!("19:47-26.7(h)"),
    },
    switch: None,
    // 26.8
    surrender: Some(Surrender {
        may: MaySurrender::Own(may_surrender),
        by: clause!("19:47-26.8(a)"),
        low: clause!("19:47-26.8(a)1"),
        high: clause!("19:47-26.8(a)2#3"),
        at_once: Some(SettledAtOnce {
            ruled_out: clause!("19:47-26.8(a)3"),
            waits: clause!("19:47-26.8(a)3"),
        }),
        to_blackjack: surrender_to_blackjack,
        too_late: clause!("19:47-26.8(a)#5"),
        notice: None,
        halves_all: true,
        until_standing: true,
        if_offered: UNTIL_STANDING,
        if_not: UNTIL_STANDING,
    }),
    // 26.9
    double: Doubling {
        by: clause!("19:47-26.9(a)"),
        after_split: clause!("19:47-26.9(a)"),
        two_cards: None,
        not_blackjack: clause!("19:47-26.9(a)#2"),
        plain_21: false,
        split_21: true,
        split_ace: OnSplitAce::Ruled(clause!("19:47-26.10(e)")),
        not_after_split: clause!("19:47-26.9(a)#4"),
        totals: None,
        amount: clause!("19:47-26.9(a)#3"),
        card: clause!("19:47-26.9(a)#5"),
        face_up: clause!("19:47-26.9(a)#6"),
        turned: None,
        returned: clause!("19:47-26.9(c)"),
        sentence: (
            rule!("double-any-cards", "You may double on any number of cards."),
            clause!("19:47-26.9(a)"),
        ),
    },
    // 26.10
    split: Splitting {
        by: clause!("19:47-26.10(a)"),
        switched: None,
        again: clause!("19:47-26.10(c)#2"),
        once: None,
        limit: clause!("19:47-26.10(c)#4"),
        limit_at_seven: clause!("19:47-26.10(c)#3"),
        ace: clause!("19:47-26.10(e)"),
        aces_again: clause!("19:47-26.10(e)#2"),
        total: clause!("19:47-26.10(c)"),
        sevens: None,
        returned: clause!("19:47-26.10(d)"),
        may_share_original: false,
        ace_sentence: (
            rule!("split-ace-one-card", "Each split ace gets one card."),
            clause!("19:47-26.10(e)"),
        ),
    },
    // 26.11
    insurance: Insurance {
        by: clause!("19:47-26.11(a)"),
        none: None,
        most: clause!("19:47-26.11(b)"),
        in_time: clause!("19:47-26.11(b)#3"),
        before_reader: clause!("19:47-26.11(b)#4"),
        cites_before_reader: false,
        after_losers: false,
        pays: Odds::new(5, 2),
        won: clause!("19:47-26.11(c)"),
        suited: None,
        lost: clause!("19:47-26.11(d)"),
        sentence: (
            rule!(
                "insure-initial-bet",
                "Against an ace, you may take insurance for half your initial bet; insurance pays 5 to 2."
            ),
            clause!("19:47-26.11(c)"),
        ),
        even_money: clause!("19:47-26.7(e)#2"),
    },
    // 26.12
    draw: Drawing {
        by: clause!("19:47-26.12(a)"),
        at_21: clause!("19:47-26.12(a)1"),
        at_soft_21: clause!("19:47-26.12(a)"),
        doubled: clause!("19:47-26.12(a)2"),
        bust: clause!("19:47-26.12(a)"),
        dealer_stands: clause!("19:47-26.12(b)"),
        dealer_hits: clause!("19:47-26.12(b)"),
        needless: clause!("19:47-26.12(c)"),
    },
    // 26.13, 26.14
    sharing: Sharing {
        by: clause!("19:47-26.13(a)"),
        consent: clause!("19:47-26.13(a)#2"),
        limited: clause!("19:47-26.13(h)"),
        box_owner: clause!("19:47-26.13(b)"),
        double: clause!("19:47-26.13(d)"),
        split: clause!("19:47-26.13(f)"),
        boxes: clause!("19:47-26.14"),
        more_boxes: clause!("19:47-26.14#2"),
    },
    // 26.15
    irregular: Irregular {
        face_up: clause!("19:47-26.15(a)"),
        face_up_again: clause!("19:47-26.15(a)#2"),
        second_voids: true,
        unexposed: clause!("19:47-26.15(c)"),
        exposed: clause!("19:47-26.15(e)"),
        refused: clause!("19:47-26.15(e)#2"),
        burned: clause!("19:47-26.15(e)#3"),
        drew_on_standing: clause!("19:47-26.15(f)"),
        missed_own: clause!("19:47-26.15(d)"),
        missed_own_voids: true,
        missed_box: clause!("19:47-26.15(h)"),
        late_card: clause!("19:47-26.15(h)#2"),
        missed_draw: clause!("19:47-26.15(i)"),
        out_of_cards: clause!("19:47-26.15(g)"),
        reshuffle_burn: clause!("19:47-26.15(g)#2"),
        shuffler_failed: clause!("19:47-26.15(j)"),
        shuffler_removed: clause!("19:47-26.15(k)"),
        reader_notice: clause!("19:47-26.15(l)"),
        reader_seen: clause!("19:47-26.15(l)1"),
        reader_unseen: clause!("19:47-26.15(l)2"),
        reader_failed: clause!("19:47-26.15(m)"),
        burn_forgotten: None,
        misdelivered: clause!("19:47-26.15(e)"),
        misdelivered_remedies: None,
        wrong_side: None,
        up_card: None,
        light_failed: None,
        bonus_failed: None,
        double_dealt_up: None,
        void: clause!("19:47-26.15(a)#2"),
    },
    rulings: &[("busted_v_dealer_blackjack", clause!("19:47-26.9(c)"))],
    values: &[super::nj_double_attack_values::VALUES],
    check,
};

const UNTIL_STANDING: CitedRule = (
    rule!(
        "surrender-until-standing",
        "Until you stand, you may surrender a hand and lose half of all bets on it."
    ),
    clause!("19:47-26.8(a)"),
);

/// The script without a hole card: the dealer's card first, then the double attack bet (26.7(d)-(g)).
const NO_HOLE_CARD: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(Up),
        Ask(Attack),
        Deal(EachBox),
        Deal(EachBox),
        Ask(Insurance),
        Play,
        SecondCard,
        DealerDraws,
        Settle,
        PickUp,
    ]
};

/// The script with a hole card that is dealt face down (26.7(i)).
const HOLE_DOWN: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(Up),
        Ask(Attack),
        Deal(EachBox),
        Deal(EachBox),
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

/// Returns the preset of Double Attack (26.2(a), 26.8(a), 26.10(c), 26.12(b)).
fn preset() -> Choices {
    Choices {
        text: &TEXT,
        surrender: Offered::Yes,
        side_wagers: SideOffer::all(&[SideWager::DealerBust]),
        ..nj_blackjack::preset()
    }
}

/// Returns the verdict on the player's hand against the dealer's (26.5(a)-(b)).
///
/// Every win, even a blackjack, pays 1 to 1 (26.5(e)).
fn compare(_: &Choices, player: &Hand, dealer: &Hand, _: Stake) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return Verdict::lose(clause!("19:47-26.5(e)"));
    }
    if dealer.is_blackjack() {
        return if player.is_blackjack() {
            Verdict::push(clause!("19:47-26.5(b)#2"))
        } else {
            Verdict::lose(clause!("19:47-26.5(b)#3"))
        };
    }
    if dealer.is_bust() {
        return win(clause!("19:47-26.5(a)1"));
    }
    match player.points().cmp(&dealer.points()) {
        Ordering::Greater => win(clause!("19:47-26.5(a)2")),
        Ordering::Equal if player.is_blackjack() => win(clause!("19:47-26.5(a)3")),
        Ordering::Equal => Verdict::push(clause!("19:47-26.5(b)")),
        Ordering::Less => Verdict::lose(clause!("19:47-26.5(e)")),
    }
}

/// Returns the clause that allows surrender, or the refusal (26.8(a)).
///
/// A player may surrender until standing, even after drawing, splitting or doubling.
fn may_surrender(choices: &Choices, situation: &Situation<'_>) -> Result<Clause, Refusal> {
    let hand = situation.hand;
    let by = match (situation.doubled, hand.origin(), hand.len()) {
        (Doubled::Yes, ..) => clause!("19:47-26.8(a)#4"),
        (_, Origin::Split, _) => clause!("19:47-26.8(a)#3"),
        (_, _, 2) => clause!("19:47-26.8(a)"),
        _ => clause!("19:47-26.8(a)#2"),
    };
    if choices.surrender == Offered::No || hand.is_bust() {
        return Err(Refusal::new(
            by,
            message!("no-surrender-over-twenty-one", "a busted hand cannot be surrendered"),
        ));
    }
    if hand.points() == 21 && choices.rulings.surrender_21 == Surrender21::Refused {
        return Err(Refusal::new(
            by,
            message!("no-surrender-of-twenty-one", "a hand of 21 is complete and cannot be surrendered"),
        ));
    }
    if hand.is_split_ace() && choices.rulings.split_ace_surrender == SplitAceSurrender::Refused {
        return Err(Refusal::new(
            clause!("19:47-26.10(e)"),
            message!("split-ace-no-surrender", "a split ace gets one card and cannot be surrendered"),
        ));
    }
    Ok(by)
}

/// Returns the verdict on a surrendered stake against a dealer's blackjack (26.8(a)2).
///
/// The initial bet loses, the double attack bet is void (26.5(b)) and doubling money is returned (26.9(c)); a
/// ruling can make every bet lose (A3).
fn surrender_to_blackjack(choices: &Choices, stake: Stake) -> Verdict {
    let everything = choices.rulings.surrender_v_dealer_blackjack == SurrenderVDealerBlackjack::Everything;
    match stake {
        _ if everything => Verdict::lose(clause!("19:47-26.8(a)2#2")),
        Stake::Attack => Verdict::void(clause!("19:47-26.5(b)#4")),
        Stake::Double => Verdict::void(clause!("19:47-26.9(c)")),
        _ => Verdict::lose(clause!("19:47-26.8(a)2#2")),
    }
}

fn check(choices: &Choices, report: &mut Report) {
    // 26.10(c): the text derives it from the positions and leaves the licensee no choice
    let most = match choices.positions {
        6 => Some((4, clause!("19:47-26.10(c)#4"))),
        7 => Some((3, clause!("19:47-26.10(c)#3"))),
        _ => None,
    };
    if let Some((most, by)) =
        most.filter(|(most, _)| (3..=4).contains(&choices.split_hands) && choices.split_hands != *most)
    {
        let message = message!(
            "split-hands-by-boxes",
            "with {boxes} positions, players may split a hand into up to {most} hands",
            boxes = choices.positions,
            most
        );
        report.violation(by, &["split_hands", "positions"], message);
    }
}
