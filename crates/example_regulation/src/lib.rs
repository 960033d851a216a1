//! Harbour Twenty-One, an invented sixth regulation that shows how to add a game.
//!
//! The game is played with one or two decks without twos and threes. A dealer's 22 pushes against 18 or less, and
//! a blackjack or a 21 in five or more cards pays 2 to 1.
//!
//! No code outside this crate knows the regulation. The tests check, play, replay, solve and simulate a table of
//! the game, and price its side bet, as `docs/a-game-of-your-own.md` describes.
#![forbid(unsafe_code)]

use rules::card::{Deck, Rank};
use rules::choice::{Choices, HoleCard, SideOffer, Soft17};
use rules::clause::{Clause, Row};
use rules::hand::Hand;
use rules::lawful::Report;
use rules::odds::Odds;
use rules::play::Refusal;
use rules::script::Step;
use rules::settle::{Stake, Verdict};
use rules::text::values::{KeyValues, Reason, Rejection, Value};
use rules::text::*;
use rules::wager::{Amounts, Extras, Moment, OwnBet, PayLine, PayTable, Side, SideWager, View};
use rules::{message, rule};
use std::cmp::Ordering;

const fn row(id: &'static str, summary: &'static str) -> Row {
    Row::new(id, "harbour", summary)
}

/// Every clause of the regulation. Citing a clause that is not listed does not compile.
pub static ROWS: [Row; 31] = [
    row("1(a)", "One or two decks are used; the twos and threes are left out."),
    row("2(a)", "A player makes one wager before the first card."),
    row("2(b)", "No wager may be made, changed or withdrawn after the first card."),
    row("2(c)", "A player who sat out a round may be barred until the shuffle."),
    row("3(a)", "The decks are inspected, spread and mixed before play."),
    row("3(b)", "At an open table without players, the cards are left spread out."),
    row("3(c)", "The cards are shuffled by hand."),
    row("3(d)", "The cut is offered to the players."),
    row("3(e)", "A quarter of the cards must lie behind the cutting card."),
    row("4(a)", "Cards are dealt face up: players, dealer, players; the dealer's second card comes last."),
    row("4(b)", "Players stand, draw, double or split, one after another."),
    row(
        "4(c)",
        "A player may draw on a total below 21; the dealer draws no card that cannot change the outcome.",
    ),
    row("4(d)", "There is no surrender."),
    row("4(e)", "The dealer draws to 16 and stands on every 17."),
    row("5(a)", "A hand above 21 loses."),
    row("5(b)", "A dealer's blackjack beats all but a blackjack."),
    row("5(c)", "Equal hands push."),
    row("5(d)", "A blackjack pays 2 to 1."),
    row("5(e)", "A 21 in five or more cards wins 2 to 1, whatever the dealer draws."),
    row("5(f)", "A dealer's 22 pushes a hand of 18 or less."),
    row(
        "5(g)",
        "A hand higher than the dealer's, or any other hand when the dealer is above 21, wins 1 to 1.",
    ),
    row("5(h)", "A hand lower than the dealer's loses."),
    row("6", "Against an ace, insurance of half the wager may be taken; it pays 2 to 1."),
    row("7(a)", "Any first two cards except 21 may be doubled."),
    row("7(b)", "A pair may be split, and split again up to four hands."),
    row("7(c)", "Each split ace gets one card, and aces are not split again."),
    row("7(d)", "If the dealer has blackjack, the player loses only the original wager."),
    row("8", "Up to three people may share a box."),
    row("9", "A card found face up or drawn in error is either not used or dealt next."),
    row("10", "A player may wager on cards that match the dealer's."),
    row(
        "11",
        "A player may wager that each of the player's first two cards counts more than the dealer's; an ace counts \
            one.",
    ),
];

const fn c(id: &str) -> Clause {
    Clause::among(&ROWS, id)
}

pub static TEXT: Text = Text {
    name: "harbour",
    title: "Harbour Twenty-One",
    game: "harbour",
    jurisdiction: "harbour",
    variations: &[],
    preset,
    cards: Cards { by: c("1(a)"), deck: Deck::without(&[Rank::Two, Rank::Three]), removed: None },
    wagers: Wagers {
        required: c("2(a)"),
        below_minimum: c("2(a)"),
        hands: 1,
        dealer_hands: 1,
        several: None,
        one_amount: ONE_WAGER,
        chips: c("2(a)"),
        called_bet: c("2(a)"),
        coupon: c("2(a)"),
        unit: None,
        closed: c("2(b)"),
        confirmed: c("2(b)"),
        entry: c("2(c)"),
        admission: c("2(c)"),
        attacks: &[],
        original: Original::Required,
        areas: &[Area { name: "Bet", by: c("2(a)") }],
    },
    settle: Settling {
        compare,
        bust: c("5(a)"),
        collects_bust: true,
        takes_cards: false,
        holds_busted_added_bets: true,
        attack_returned: None,
        pays_at_turn: |_, _, _| false,
        dealer_can_change: |_, player| !player.is_blackjack() && !is_long_21(player),
        blackjack: Odds::to_1(2),
        at_22: true,
        most_cards: 5,
    },
    results: &[
        (
            rule!(
                "harbour-pays",
                "A blackjack and a 21 in five or more cards pay 2 to 1; other wins pay 1 to 1."
            ),
            c("5(d)"),
        ),
        (rule!("harbour-pushes", "A dealer total of 22 is a push against 18 or less."), c("5(f)")),
    ],
    licensee: None,
    felt: &[Felt::new(
        rule!("harbour-felt", "Blackjack pays 2 to 1, dealer pushes 18 or less on 22"),
        c("5(f)"),
    )],
    opening: Opening {
        inspect: c("3(a)"),
        spread: c("3(a)"),
        spread_for_device: c("3(a)"),
        wash: c("3(a)"),
        stack: Some(c("3(a)")),
        seen: c("3(a)"),
        idle: Some(Idle {
            spread: c("3(b)"),
            turn_up: c("3(b)"),
            turn_down: c("3(b)"),
            wash: c("3(b)"),
            device: None,
        }),
        double_shoe: None,
    },
    shuffle: Shuffling {
        by: c("3(c)"),
        at_cut_card: c("3(c)"),
        on_order: c("3(c)"),
        by_device: None,
        parts: &[],
        strip_early: c("3(c)"),
        swap: Some(c("3(c)")),
        swap_each_round: None,
        device_only: None,
        own: None,
        empty_shoe: c("3(c)"),
        bart_carter: None,
        ordered: c("3(c)"),
    },
    cut: Cutting {
        by: c("3(d)"),
        not_after_device: None,
        order: c("3(d)"),
        first_player: c("3(d)"),
        at_player: c("3(d)"),
        at_dealer: c("3(d)"),
        after_ordered_shuffle: c("3(d)"),
        offered_to_next: c("3(d)"),
        declined: c("3(d)"),
        by_dealer: c("3(d)"),
        dealer_instead: None,
        recut: c("3(d)"),
        recut_by: c("3(d)"),
        least: 10,
        clockwise: true,
        place: c("3(e)"),
        behind: 4,
        load: c("3(d)"),
        card_out: c("3(d)"),
        hand: None,
    },
    deal: Dealing {
        script: |_| SCRIPT,
        burn: c("4(a)"),
        burn_again: c("4(a)"),
        burn_shown: c("4(a)"),
        first_card: c("4(a)"),
        up_card: c("4(a)"),
        next_card: c("4(a)"),
        hole_card: c("4(a)"),
        face_down: None,
        blackjacks: None,
        total: c("4(a)"),
        decisions: c("4(b)"),
        turns: c("4(b)"),
        drawn: c("4(a)"),
        new_total: Some(c("4(a)")),
        second: Some(DealersSecond { by: c("4(a)"), always: false, announced: c("4(a)") }),
        dealer_total: c("4(a)"),
        read_under: READ_UNDER_TEN_VALUE,
        reader: c("4(a)"),
        turned: c("4(a)"),
        turned_blackjack: c("4(a)"),
        sevens_card: None,
        blackjack_ends: c("4(a)"),
        pick_up: c("4(a)"),
    },
    surrender: Some(Surrender {
        may: MaySurrender::Own(|_, _| {
            Err(Refusal::new(
                c("4(d)"),
                message!("harbour-no-surrender", "Harbour Twenty-One has no surrender"),
            ))
        }),
        by: c("4(d)"),
        low: c("4(d)"),
        high: c("4(d)"),
        at_once: None,
        to_blackjack: |_, _| Verdict::lose(c("4(d)")),
        too_late: c("4(d)"),
        notice: None,
        halves_all: false,
        until_standing: false,
        if_offered: (rule!("no-surrender", "There is no surrender."), c("4(d)")),
        if_not: (rule!("no-surrender", "There is no surrender."), c("4(d)")),
    }),
    insurance: Insurance {
        by: c("6"),
        none: None,
        most: c("6"),
        in_time: c("6"),
        before_reader: c("6"),
        cites_before_reader: false,
        after_losers: false,
        pays: Odds::to_1(2),
        won: c("6"),
        suited: None,
        lost: c("6"),
        sentence: (
            rule!(
                "insure-for-half",
                "Against an ace, you may take insurance for half your bet; insurance pays 2 to 1."
            ),
            c("6"),
        ),
        even_money: c("6"),
    },
    double: Doubling {
        by: c("7(a)"),
        after_split: c("7(a)"),
        two_cards: Some(c("7(a)")),
        not_blackjack: c("7(a)"),
        plain_21: false,
        split_21: false,
        split_ace: OnSplitAce::Refused(c("7(a)")),
        not_after_split: c("7(a)"),
        totals: None,
        amount: c("7(a)"),
        card: c("7(a)"),
        face_up: c("7(a)"),
        turned: None,
        returned: c("7(d)"),
        sentence: (
            rule!("double-but-twenty-one", "You may double on any first two cards except 21."),
            c("7(a)"),
        ),
    },
    split: Splitting {
        by: c("7(b)"),
        switched: None,
        again: c("7(b)"),
        once: Some(c("7(b)")),
        limit: c("7(b)"),
        limit_at_seven: c("7(b)"),
        ace: c("7(c)"),
        aces_again: c("7(c)"),
        total: c("7(b)"),
        sevens: None,
        returned: c("7(d)"),
        may_share_original: false,
        ace_sentence: (rule!("split-ace-one-card", "Each split ace gets one card."), c("7(b)")),
    },
    switch: None,
    draw: Drawing {
        by: c("4(c)"),
        at_21: c("4(c)"),
        at_soft_21: c("4(c)"),
        doubled: c("4(c)"),
        bust: c("4(c)"),
        dealer_stands: c("4(e)"),
        dealer_hits: c("4(e)"),
        needless: c("4(c)"),
    },
    sharing: Sharing {
        by: c("8"),
        consent: c("8"),
        limited: c("8"),
        box_owner: c("8"),
        double: c("8"),
        split: c("8"),
        boxes: c("8"),
        more_boxes: c("8"),
    },
    irregular: Irregular {
        face_up: c("9"),
        face_up_again: c("9"),
        second_voids: false,
        unexposed: c("9"),
        exposed: c("9"),
        refused: c("9"),
        burned: c("9"),
        drew_on_standing: c("9"),
        missed_own: c("9"),
        missed_own_voids: false,
        missed_box: c("9"),
        late_card: c("9"),
        missed_draw: c("9"),
        out_of_cards: c("9"),
        reshuffle_burn: c("9"),
        shuffler_failed: c("9"),
        shuffler_removed: c("9"),
        reader_notice: c("9"),
        reader_seen: c("9"),
        reader_unseen: c("9"),
        reader_failed: c("9"),
        burn_forgotten: Some(c("9")),
        misdelivered: c("9"),
        misdelivered_remedies: None,
        wrong_side: None,
        up_card: None,
        light_failed: None,
        bonus_failed: None,
        double_dealt_up: None,
        void: c("9"),
    },
    sides: Sides {
        rows: &[
            Side {
                wager: SideWager::MatchTheDealer,
                by: c("10"),
                settles: Moment::Deal,
                paytables: &[PayTable { name: "harbour", decks: &[], lines: &MATCH }],
                no_table: |_| c("10"),
                at_least: None,
                beside_main: c("10"),
                amounts: Amounts::Any,
                chips: c("10"),
                least: c("10"),
                within_main: Some(c("10")),
                most: c("10"),
                lost: c("10"),
                area: c("10"),
                sign: c("10"),
                highest_line_only: None,
                extras: Extras::NONE,
            },
            HIGH_TIDE,
        ],
        refused: |_| c("10"),
        exclusions: &[],
        check: |_, _| {},
    },
    rulings: &[],
    values: &[&[
        KeyValues {
            key: "shoe",
            keys: &["shoe"],
            values: &[Value { is: "single", by: c("4(a)"), asks: &[] }],
            rejects: &[Rejection {
                is: "",
                by: c("4(a)"),
                why: Reason::Fixed(message!("one-shoe", "the cards must be dealt from a single shoe")),
            }],
        },
        KeyValues {
            key: "double_card",
            keys: &["double_card"],
            values: &[Value { is: "up", by: c("7(a)"), asks: &[] }],
            rejects: &[Rejection {
                is: "",
                by: c("7(a)"),
                why: Reason::Fixed(message!("card-face-up", "the card must be dealt face up")),
            }],
        },
        KeyValues {
            key: "bettors_per_box",
            keys: &["bettors_per_box"],
            values: &[Value { is: "1..=3", by: c("8"), asks: &[] }],
            rejects: &[Rejection {
                is: "",
                by: c("8"),
                why: Reason::Fixed(message!("one-to-three", "one to three people may bet on one box")),
            }],
        },
        KeyValues {
            key: "boxes_per_player",
            keys: &["boxes_per_player"],
            values: &[Value { is: "1..", by: c("8"), asks: &[] }],
            rejects: &[Rejection {
                is: "",
                by: c("8"),
                why: Reason::Fixed(message!(
                    "one-box",
                    "a player must be allowed to bet on at least one box"
                )),
            }],
        },
    ]],
    check,
};

/// The paytable lines of Match the Dealer. If both cards match, the line pays for both matches (10).
const MATCH: [PayLine; 5] = [
    PayLine::odds("two cards of matching suit", 24, c("10")),
    PayLine::odds("one card of matching suit, one of another", 15, c("10")),
    PayLine::odds("one card of matching suit", 12, c("10")),
    PayLine::odds("two cards of non-matching suit", 6, c("10")),
    PayLine::odds("one card of non-matching suit", 3, c("10")),
];

/// High Tide, a side bet that no other regulation has (11).
///
/// The paytable line with the higher payout is for two cards of one suit.
const HIGH_TIDE: Side = Side {
    wager: SideWager::Own,
    by: c("11"),
    settles: Moment::Deal,
    paytables: &[PayTable {
        name: "tide",
        decks: &[],
        lines: &[PayLine::odds("spring tide", 5, c("11")), PayLine::odds("high tide", 1, c("11"))],
    }],
    no_table: |_| c("11"),
    at_least: None,
    beside_main: c("11"),
    amounts: Amounts::Any,
    chips: c("11"),
    least: c("11"),
    within_main: None,
    most: c("11"),
    lost: c("11"),
    area: c("11"),
    sign: c("11"),
    highest_line_only: None,
    extras: Extras { own: Some(OwnBet { title: "High Tide", line: high_tide }), ..Extras::NONE },
};

/// Returns the paytable line for two cards that both count more than the upcard (11).
///
/// Returns `None` if a card counts no more than the upcard.
fn high_tide(paytable: &PayTable, view: &View<'_>) -> Option<PayLine> {
    let ([first, second], up) = (view.first_two()?, view.up()?);
    let high = first.value().min(second.value()) > up.value();
    high.then(|| paytable.lines[usize::from(first.suit() != second.suit())])
}

const SCRIPT: &[Step] = {
    use rules::script::{Offer::*, Slot::*, Step::*};
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

fn preset() -> Choices {
    Choices {
        name: "harbour".to_string(),
        text: &TEXT,
        jurisdiction: TEXT.jurisdiction,
        decks: 2,
        positions: 5,
        side_wagers: SideOffer::all(&[SideWager::MatchTheDealer, SideWager::Own]),
        ..(nj_blackjack::TEXT.preset)()
    }
}

/// Returns whether the hand is a 21 in five or more cards (5(e)).
fn is_long_21(player: &Hand) -> bool {
    player.len() >= 5 && player.points() == 21
}

/// Returns the verdict on the player's hand against the dealer's hand (5).
fn compare(_: &Choices, player: &Hand, dealer: &Hand, _: Stake) -> Verdict {
    if player.is_bust() {
        return Verdict::lose(c("5(a)"));
    }
    match (player.is_blackjack(), dealer.is_blackjack()) {
        (true, true) => return Verdict::push(c("5(c)")),
        (false, true) => return Verdict::lose(c("5(b)")),
        (true, false) => return Verdict::win(Odds::to_1(2), c("5(d)")),
        (false, false) => {}
    }
    match (dealer.points(), player.points().cmp(&dealer.points())) {
        _ if is_long_21(player) => Verdict::win(Odds::to_1(2), c("5(e)")),
        (22, _) if player.points() <= 18 => Verdict::push(c("5(f)")),
        (22.., _) | (_, Ordering::Greater) => Verdict::win(Odds::EVEN, c("5(g)")),
        (_, Ordering::Equal) => Verdict::push(c("5(c)")),
        (_, Ordering::Less) => Verdict::lose(c("5(h)")),
    }
}

fn check(choices: &Choices, report: &mut Report) {
    report.require(
        matches!(choices.decks, 1 | 2),
        c("1(a)"),
        &["decks"],
        message!("one-or-two-decks", "the game must use one or two decks"),
    );
    report.require(
        choices.hole_card == HoleCard::None,
        c("4(a)"),
        &["hole_card"],
        message!("second-card-last", "the dealer's second card must be dealt last"),
    );
    report.require(
        choices.soft_17 == Soft17::Stand,
        c("4(e)"),
        &["soft_17"],
        message!("stands-on-soft", "the dealer must stand on soft 17"),
    );
    report.require(
        !choices.surrender.is_yes(),
        c("4(d)"),
        &["surrender"],
        message!("no-surrender", "there is no surrender"),
    );
    report.require(
        choices.split_hands <= 4,
        c("7(b)"),
        &["split_hands"],
        message!("four-hands", "a hand may be split into at most four hands"),
    );
    report.require(
        choices.bonus_payouts.is_none(),
        c("5(e)"),
        &["bonus_payouts"],
        message!("odds-fixed", "the odds are fixed by the regulation"),
    );
}
