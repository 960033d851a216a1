//! Triple Attack Blackjack in New Jersey (19:46-1.13V and 19:47-36), in the order of the regulation.

use super::*;
use crate::card::Deck;
use crate::choice::*;
use crate::hand::Hand;
use crate::odds::Odds;
use crate::ruling::WinningHandVDealerBlackjack;
use crate::script::{Offer, Step};
use crate::settle::{Stake, Verdict};
use crate::wager::{Amounts, Extras, Moment, pairs, suits};
use std::cmp::Ordering;

/// The regulation of Triple Attack Blackjack in New Jersey, N.J.A.C. 19:47-36.
pub static TEXT: Text = Text {
    name: "nj-triple-attack",
    title: "Triple Attack",
    game: "triple-attack",
    jurisdiction: "nj",
    variations: &[],
    preset,
    // 19:46-1.13V
    licensee: Some(clause!("19:46-1.13V(b)1")),
    felt: &[
        Felt::new(
            rule!("felt-all-pay-even", "All 21's, including blackjack, pay 1 to 1"),
            clause!("19:46-1.13V(c)1"),
        ),
        Felt::new(
            rule!("felt-draws-to-soft-seventeen", "Dealer must draw to 16 and soft 17"),
            clause!("19:46-1.13V(c)2"),
        ),
        Felt::new(
            rule!("felt-push-against-over", "Player's hand of 20 or less is a push against a dealer's 22"),
            clause!("19:46-1.13V(c)3"),
        ),
        Felt::new(
            rule!("felt-insurance-suited", "Insurance pays 2 to 1, 5 to 1 for a dealer suited blackjack"),
            clause!("19:46-1.13V(c)4"),
        ),
    ],
    // 36.2
    cards: Cards {
        by: clause!("19:47-36.2(a)"),
        deck: Deck::FORTY_EIGHT,
        removed: Some(Removed {
            sentence: (
                rule!("tens-removed", "The tens are removed: each deck has 48 cards."),
                clause!("19:47-36.2(a)#5"),
            ),
            remove: clause!("19:47-36.3(b)"),
            verify: clause!("19:47-36.3(b)#2"),
            destroy: clause!("19:47-36.3(b)#3"),
            found: clause!("19:47-36.14(b)"),
            found_again: clause!("19:47-36.14(b)#2"),
        }),
    },
    // 36.3
    opening: Opening {
        inspect: clause!("19:47-36.3(a)"),
        spread: clause!("19:47-36.3(b)#4"),
        spread_for_device: clause!("19:47-36.3(b)#4"),
        wash: clause!("19:47-36.3(c)"),
        stack: None,
        seen: clause!("19:47-36.3(c)#2"),
        idle: Some(Idle {
            spread: clause!("19:47-36.4(h)"),
            turn_up: clause!("19:47-36.4(h)#2"),
            turn_down: clause!("19:47-36.4(h)#3"),
            wash: clause!("19:47-36.4(h)#3"),
            device: None,
        }),
        double_shoe: None,
    },
    // 36.4
    shuffle: Shuffling {
        by: clause!("19:47-36.4(a)"),
        at_cut_card: clause!("19:47-36.4(a)#2"),
        on_order: clause!("19:47-36.4(a)#2"),
        by_device: None,
        parts: &[],
        strip_early: clause!("19:47-36.4(a)"),
        swap: None,
        swap_each_round: None,
        device_only: None,
        own: None,
        empty_shoe: clause!("19:47-36.7(l)2"),
        bart_carter: None,
        ordered: clause!("19:47-36.4(g)#2"),
    },
    cut: Cutting {
        by: clause!("19:47-36.4(e)"),
        not_after_device: Some(clause!("19:47-36.4(b)1")),
        order: clause!("19:47-36.4(d)"),
        first_player: clause!("19:47-36.4(d)1"),
        at_player: clause!("19:47-36.4(d)2"),
        at_dealer: clause!("19:47-36.4(d)3"),
        after_ordered_shuffle: clause!("19:47-36.4(d)4"),
        offered_to_next: clause!("19:47-36.4(c)"),
        declined: clause!("19:47-36.4(c)#2"),
        by_dealer: clause!("19:47-36.4(c)#2"),
        dealer_instead: None,
        recut: clause!("19:47-36.4(f)"),
        recut_by: clause!("19:47-36.4(f)#2"),
        least: 10,
        clockwise: true,
        place: clause!("19:47-36.4(e)#4"),
        behind: 4,
        load: clause!("19:47-36.4(e)#5"),
        card_out: clause!("19:47-36.7(l)"),
        hand: None,
    },
    // 36.1, 36.5
    wagers: Wagers {
        required: clause!("19:47-36.1 \"First attack wager\""),
        below_minimum: clause!("19:47-36.1 \"First attack wager\""),
        hands: 1,
        dealer_hands: 1,
        several: None,
        one_amount: ONE_WAGER,
        chips: clause!("19:47-36.5(e.1)"),
        called_bet: clause!("19:47-36.5(e.1)#3"),
        coupon: clause!("19:47-36.5(e.1)#2"),
        unit: None,
        closed: clause!("19:47-36.5(d.2)"),
        confirmed: clause!("19:47-36.5(g)"),
        entry: clause!("19:47-36.5(h)"),
        admission: clause!("19:47-36.5(h)#2"),
        attacks: &[
            Attack {
                offer: Offer::SecondAttack,
                stake: Stake::SecondAttack,
                by: clause!("19:47-36.7(d.2)"),
                up_to: clause!("19:47-36.1 \"Second attack wager\""),
                shared: clause!("19:47-36.12(e)"),
                sentence: rule!(
                    "second-attack-up-to",
                    "After your first card, you may add a second attack bet of up to the first."
                ),
                equal_sentence: rule!(
                    "second-attack-equal",
                    "After your first card, you may add a second attack bet equal to the first."
                ),
            },
            Attack {
                offer: Offer::ThirdAttack,
                stake: Stake::ThirdAttack,
                by: clause!("19:47-36.7(e)"),
                up_to: clause!("19:47-36.1 \"Third attack wager\""),
                shared: clause!("19:47-36.12(e)"),
                sentence: rule!(
                    "third-attack-up-to",
                    "After the dealer's upcard, you may add a third attack bet of up to the first."
                ),
                equal_sentence: rule!(
                    "third-attack-equal",
                    "After the dealer's upcard, you may add a third attack bet equal to the first."
                ),
            },
        ],
        original: Original::WithAttacks,
        areas: &[
            Area { name: "First Attack", by: clause!("19:46-1.13V(b)2") },
            Area { name: "Second Attack", by: clause!("19:46-1.13V(b)2") },
            Area { name: "Third Attack", by: clause!("19:46-1.13V(b)2") },
        ],
    },
    settle: Settling {
        compare,
        bust: clause!("19:47-36.5(a)"),
        collects_bust: true,
        takes_cards: false,
        holds_busted_added_bets: true,
        attack_returned: None,
        pays_at_turn,
        dealer_can_change: |_, player| !always_wins(player),
        blackjack: Odds::EVEN,
        at_22: true,
        most_cards: 6,
    },
    results: &[
        (rule!("twenty-one-wins", "A 21 always wins."), clause!("19:47-36.5(b)")),
        (rule!("six-cards-win", "A six-card hand below 21 always wins."), clause!("19:47-36.5(b)#2")),
        (
            rule!("dealer-over-pushes", "A dealer total of 22 is a push against 20 or less."),
            clause!("19:47-36.5(d.1)#2"),
        ),
        (rule!("wins-pay-even", "Every win pays 1 to 1."), clause!("19:47-36.5(e.2)#3")),
    ],
    // 36.6
    sides: Sides {
        rows: &[
            Side {
                wager: SideWager::SuitedRoyals,
                by: clause!("19:47-36.6(a)1"),
                paytables: suits::SUITED_ROYALS,
                no_table: |_| clause!("19:47-36.6(d)#2"),
                beside_main: clause!("19:47-36.6(a)1"),
                ..BONUS
            },
            BONUS,
        ],
        refused: |_| clause!("19:47-36.6(a)"),
        exclusions: nj_blackjack::EXCLUSIONS,
        check: |_, _| {},
    },
    // 36.7
    deal: Dealing {
        script: |_| SCRIPT,
        burn: clause!("19:47-36.7(c)"),
        burn_again: clause!("19:47-36.7(c)#3"),
        burn_shown: clause!("19:47-36.7(c)#4"),
        first_card: clause!("19:47-36.7(d.1)#3"),
        up_card: clause!("19:47-36.7(d.2)#2"),
        next_card: clause!("19:47-36.7(e)#3"),
        hole_card: clause!("19:47-36.7(e)#3"),
        face_down: None,
        blackjacks: None,
        total: clause!("19:47-36.7(f)"),
        decisions: clause!("19:47-36.7(g)"),
        turns: clause!("19:47-36.7(g)"),
        drawn: clause!("19:47-36.7(h)"),
        new_total: Some(clause!("19:47-36.7(h)#2")),
        second: None,
        dealer_total: clause!("19:47-36.7(i)#2"),
        read_under: READ_UNDER_FACE_CARD,
        reader: clause!("19:47-36.7(k)#3"),
        turned: clause!("19:47-36.7(i)"),
        turned_blackjack: clause!("19:47-36.7(k)#5"),
        sevens_card: None,
        blackjack_ends: clause!("19:47-36.7(k)#5"),
        pick_up: clause!("19:47-36.7(j)"),
    },
    switch: None,
    // 36.7(g) lists the decisions, and surrender is not among them
    surrender: None,
    // 36.8
    double: Doubling {
        by: clause!("19:47-36.8(a)"),
        after_split: clause!("19:47-36.8(a)"),
        two_cards: None,
        not_blackjack: clause!("19:47-36.8(a)#2"),
        plain_21: false,
        split_21: true,
        split_ace: OnSplitAce::Allowed(clause!("19:47-36.9(e)#2")),
        not_after_split: clause!("19:47-36.8(a)#4"),
        totals: None,
        amount: clause!("19:47-36.8(a)#3"),
        card: clause!("19:47-36.8(a)#5"),
        face_up: clause!("19:47-36.8(a)#6"),
        turned: None,
        returned: clause!("19:47-36.8(c)"),
        sentence: (
            rule!("double-any-cards", "You may double on any number of cards."),
            clause!("19:47-36.8(a)"),
        ),
    },
    // 36.9
    split: Splitting {
        by: clause!("19:47-36.9(a)"),
        switched: None,
        again: clause!("19:47-36.9(c)#2"),
        once: None,
        limit: clause!("19:47-36.9(c)#3"),
        limit_at_seven: clause!("19:47-36.9(c)#3"),
        ace: clause!("19:47-36.9(e)"),
        aces_again: clause!("19:47-36.9(e)"),
        total: clause!("19:47-36.9(c)"),
        sevens: None,
        returned: clause!("19:47-36.9(d)"),
        may_share_original: true,
        ace_sentence: (
            rule!("split-ace-may-double", "Each split ace gets one card, and the hand may then be doubled."),
            clause!("19:47-36.9(e)"),
        ),
    },
    // 36.10
    insurance: Insurance {
        by: clause!("19:47-36.10(a)"),
        none: None,
        most: clause!("19:47-36.10(b)"),
        in_time: clause!("19:47-36.10(b)#3"),
        before_reader: clause!("19:47-36.10(b)#4"),
        cites_before_reader: false,
        after_losers: false,
        pays: Odds::to_1(2),
        won: clause!("19:47-36.10(c)"),
        suited: Some((Odds::to_1(5), clause!("19:47-36.10(c)#2"))),
        lost: clause!("19:47-36.10(d)"),
        sentence: (
            rule!(
                "insure-attack-bets",
                "Against an ace, you may take insurance for half your attack bets; it pays 2 to 1, or 5 to 1 if the \
                    dealer's blackjack is suited."
            ),
            clause!("19:47-36.10(c)"),
        ),
        even_money: clause!("19:47-36.7(g)"),
    },
    // 36.11
    draw: Drawing {
        by: clause!("19:47-36.11(a)"),
        at_21: clause!("19:47-36.11(a)1"),
        at_soft_21: clause!("19:47-36.11(a)"),
        doubled: clause!("19:47-36.11(a)2"),
        bust: clause!("19:47-36.11(a)"),
        dealer_stands: clause!("19:47-36.11(b)"),
        dealer_hits: clause!("19:47-36.11(b)"),
        needless: clause!("19:47-36.11(c)"),
    },
    // 36.12, 36.13
    sharing: Sharing {
        by: clause!("19:47-36.12(a)"),
        consent: clause!("19:47-36.12(a)#2"),
        limited: clause!("19:47-36.12(h)"),
        box_owner: clause!("19:47-36.12(b)"),
        double: clause!("19:47-36.12(d)"),
        split: clause!("19:47-36.12(f)"),
        boxes: clause!("19:47-36.13"),
        more_boxes: clause!("19:47-36.13#2"),
    },
    // 36.14
    irregular: Irregular {
        face_up: clause!("19:47-36.14(a)"),
        face_up_again: clause!("19:47-36.14(a)#2"),
        second_voids: true,
        unexposed: clause!("19:47-36.14(c)"),
        exposed: clause!("19:47-36.14(e)"),
        refused: clause!("19:47-36.14(e)#2"),
        burned: clause!("19:47-36.14(e)#3"),
        drew_on_standing: clause!("19:47-36.14(f)"),
        missed_own: clause!("19:47-36.14(d)"),
        missed_own_voids: true,
        missed_box: clause!("19:47-36.14(h)"),
        late_card: clause!("19:47-36.14(h)#2"),
        missed_draw: clause!("19:47-36.14(i)"),
        out_of_cards: clause!("19:47-36.14(g)"),
        reshuffle_burn: clause!("19:47-36.14(g)#2"),
        shuffler_failed: clause!("19:47-36.14(j)"),
        shuffler_removed: clause!("19:47-36.14(k)"),
        reader_notice: clause!("19:47-36.14(l)"),
        reader_seen: clause!("19:47-36.14(l)1"),
        reader_unseen: clause!("19:47-36.14(l)2"),
        reader_failed: clause!("19:47-36.14(m)"),
        burn_forgotten: None,
        misdelivered: clause!("19:47-36.14(e)"),
        misdelivered_remedies: None,
        wrong_side: None,
        up_card: None,
        light_failed: None,
        bonus_failed: None,
        double_dealt_up: None,
        void: clause!("19:47-36.14(a)#2"),
    },
    rulings: &[
        ("cobettor_attack", clause!("19:47-36.12(e)")),
        ("busted_v_dealer_blackjack", clause!("19:47-36.8(c)")),
        ("double_split_21", clause!("19:47-36.8(a)")),
    ],
    values: &[super::nj_triple_attack_values::VALUES],
    check: |_, _| {},
};

/// The side bet Triple Match (36.6(b), 36.7(f)).
///
/// Suited Royals has the same terms, but depends on other cards.
const BONUS: Side = Side {
    wager: SideWager::TripleMatch,
    by: clause!("19:47-36.6(a)2"),
    settles: Moment::Turn,
    paytables: pairs::TRIPLE_MATCH,
    no_table: |_| clause!("19:47-36.6(e)#2"),
    at_least: None,
    beside_main: clause!("19:47-36.6(a)2"),
    amounts: Amounts::FromOneDollar(clause!("19:47-36.6(b)#2"), "a bonus bet"),
    chips: clause!("19:47-36.6(c)"),
    least: clause!("19:47-36.6(b)#2"),
    within_main: Some(clause!("19:47-36.6(b)1")),
    most: clause!("19:47-36.6(b)2"),
    lost: clause!("19:47-36.7(f)#3"),
    area: clause!("19:46-1.13V(b)2"),
    sign: clause!("19:47-36.6(b)2#2"),
    highest_line_only: None,
    extras: Extras::NONE,
};

/// The script: the second attack bet after the first card, the third after the upcard, then the hole card face
/// down (36.7(d.1)-(e)).
const SCRIPT: &[Step] = {
    use crate::script::{Offer::*, Slot::*, Step::*};
    &[
        Wagers,
        Deal(EachBox),
        Ask(SecondAttack),
        Deal(Up),
        Ask(ThirdAttack),
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

/// Returns the preset of Triple Attack (36.2(a), 36.7(e), 36.9(c), 36.11(b)).
fn preset() -> Choices {
    Choices {
        text: &TEXT,
        hole_card: HoleCard::Down,
        soft_17: Soft17::Hit,
        side_wagers: SideOffer::all(&[SideWager::SuitedRoyals, SideWager::TripleMatch]),
        ..nj_blackjack::preset()
    }
}

/// Returns whether a hand always wins: any 21, or six or more cards below 21 (36.5(b)).
fn always_wins(player: &Hand) -> bool {
    player.points() == 21 || (player.len() >= 6 && player.points() < 21)
}

/// Returns the verdict on the player's hand against the dealer's (36.5(a)-(d)).
///
/// Every win pays 1 to 1 (36.5(e)).
fn compare(choices: &Choices, player: &Hand, dealer: &Hand, _: Stake) -> Verdict {
    let win = |by| Verdict::win(Odds::EVEN, by);
    if player.is_bust() {
        return Verdict::lose(clause!("19:47-36.5(a)"));
    }
    if always_wins(player) {
        // A6: the other reading lets a dealer's blackjack beat anything but a blackjack
        let beaten = dealer.is_blackjack()
            && !player.is_blackjack()
            && choices.rulings.winning_hand_v_dealer_blackjack == WinningHandVDealerBlackjack::Loses;
        return match player.points() {
            _ if beaten => Verdict::lose(clause!("19:47-36.5(e.2)#2")),
            21 => win(clause!("19:47-36.5(b)")),
            _ => win(clause!("19:47-36.5(b)#2")),
        };
    }
    match (dealer.points(), player.points().cmp(&dealer.points())) {
        (22, _) => Verdict::push(clause!("19:47-36.5(d.1)#2")),
        (23.., _) => win(clause!("19:47-36.5(c)#2")),
        (_, Ordering::Greater) => win(clause!("19:47-36.5(c)")),
        (_, Ordering::Equal) => Verdict::push(clause!("19:47-36.5(d.1)")),
        (_, Ordering::Less) => Verdict::lose(clause!("19:47-36.5(e.2)#2")),
    }
}

/// Returns whether the attack bets on a hand are paid as soon as the hand's total is announced (36.7(h)#3).
///
/// The attack bets are paid then on a blackjack, and on a 21 in three or more cards unless, by ruling, a dealer's
/// blackjack can still beat that 21.
fn pays_at_turn(choices: &Choices, hand: &Hand, dealer_blackjack_possible: bool) -> bool {
    let early = hand.is_blackjack() || (hand.points() == 21 && hand.len() >= 3);
    // by the other reading of 36.5(b) a dealer's blackjack beats every hand but a blackjack
    let at_risk = choices.rulings.winning_hand_v_dealer_blackjack == WinningHandVDealerBlackjack::Loses
        && dealer_blackjack_possible
        && !hand.is_blackjack();
    early && !at_risk
}
