//! Side bets on suits: Same Suit (2.17(a)2, (e)2) and Suited Royals (36.6(a)1, (d)).

use super::kinds::of_two;
use super::{Bet, Kind, PayLine, PayTable, Pays, Sees, SideBet, SideWager};
use crate::card::{Card, Rank};
use crate::clause::Clause;
use crate::odds::Odds;

/// Returns the two paytable lines of one payout option of Same Suit (2.17(e)2).
///
/// `king_queen` is what a suited king and queen pays to 1; `any` is what other suited cards pay, in tenths to 1.
const fn option(king_queen: u32, any: u32, by: Clause) -> [PayLine; 2] {
    [
        PayLine { hand: "king and queen", pays: Pays::Odds(Odds::to_1(king_queen)), by, sum: &[] },
        PayLine { hand: "any two cards", pays: Pays::Odds(tenths(any)), by, sum: &[] },
    ]
}

const fn tenths(tenths: u32) -> Odds {
    if tenths.is_multiple_of(10) { Odds::to_1(tenths / 10) } else { Odds::new(tenths, 10) }
}

macro_rules! options {
    ($decks:literal, $item:literal, $($name:literal: $king_queen:literal $any:literal),+) => {
        [$(PayTable {
            name: $name,
            decks: &[$decks],
            lines: &const {
                let by = clause!(concat!("19:47-2.17(e)2.", $item, " \"Option ", $name, "\""));
                option($king_queen, $any, by)
            },
        }),+]
    };
}

const ONE_DECK: [PayTable; 4] = options!(1, "i", "1": 50 25, "2": 10 30, "3": 5 30, "4": 25 25);
const TWO_DECKS: [PayTable; 4] = options!(2, "ii", "1": 10 30, "2": 5 30, "3": 25 25, "4": 20 25);
const FOUR_DECKS: [PayTable; 4] = options!(4, "iii", "1": 5 30, "2": 25 25, "3": 20 25, "4": 50 20);
const SIX_DECKS: [PayTable; 4] = options!(6, "iv", "1": 5 30, "2": 25 25, "3": 20 25, "4": 15 25);
const EIGHT_DECKS: [PayTable; 3] = options!(8, "v", "1": 5 30, "2": 25 25, "3": 50 20);

/// The paytables of Same Suit, by number of decks (2.17(e)2.i to v).
pub(crate) const SAME_SUIT: &[PayTable] = &{
    let mut all = [ONE_DECK[0]; 19];
    let groups: [&[PayTable]; 5] = [&ONE_DECK, &TWO_DECKS, &FOUR_DECKS, &SIX_DECKS, &EIGHT_DECKS];
    let (mut group, mut at) = (0, 0);
    while group < groups.len() {
        let mut row = 0;
        while row < groups[group].len() {
            all[at] = groups[group][row];
            (at, row) = (at + 1, row + 1);
        }
        group += 1;
    }
    all
};

/// Returns the paytable line of Same Suit, or `None` if the suits differ (2.17(b)3).
///
/// A king and queen reach the higher line.
pub fn same_suit(paytable: &PayTable, two: [Card; 2]) -> Option<PayLine> {
    suited(two).then(|| paytable.lines[usize::from(!is_king_queen(two))])
}

const fn royals(king_queen: u32, faces: u32) -> [PayLine; 3] {
    [
        PayLine::odds("king-queen suited", king_queen, clause!("19:47-36.6(d)#3")),
        PayLine::odds("two suited face cards", faces, clause!("19:47-36.6(d)#4")),
        PayLine::odds("two-card flush", 2, clause!("19:47-36.6(d)#5")),
    ]
}

/// The paytables of Suited Royals (36.6(d)).
pub(crate) const SUITED_ROYALS: &[PayTable] = &[
    PayTable { name: "A", decks: &[], lines: &const { royals(40, 10) } },
    PayTable { name: "B", decks: &[], lines: &const { royals(30, 12) } },
];

/// Returns the highest paytable line of Suited Royals, or `None` if the suits differ (36.6(d)).
///
/// The lines are for king and queen, two face cards, and any two cards of one suit (36.6(a)1).
pub fn suited_royals(paytable: &PayTable, two: [Card; 2]) -> Option<PayLine> {
    if !suited(two) {
        return None;
    }
    let line = match two {
        _ if is_king_queen(two) => 0,
        [first, second] if first.rank().is_face() && second.rank().is_face() => 1,
        _ => 2,
    };
    Some(paytable.lines[line])
}

fn suited(two: [Card; 2]) -> bool {
    two[0].suit() == two[1].suit()
}

fn is_king_queen(two: [Card; 2]) -> bool {
    matches!((two[0].rank(), two[1].rank()), (Rank::King, Rank::Queen) | (Rank::Queen, Rank::King))
}

/// Returns a number for the card's suit and, if the card is a king, queen or jack, its rank.
///
/// All other cards of one suit share a number.
fn suit_and_face(card: Card) -> u8 {
    card.suit() as u8 * 4 + (card.rank() as u8).saturating_sub(9)
}

/// The definition of Same Suit, on the player's first two cards.
pub(super) const SAME_SUIT_KIND: Kind = Kind::plain(
    SideWager::SameSuit,
    "same-suit",
    "Same Suit",
    &[Bet {
        bet: SideBet::SameSuit,
        name: "same-suit",
        sees: Sees::Two,
        line: |choices, view| of_two(choices, SideWager::SameSuit, view, same_suit),
    }],
    suit_and_face,
);

/// The definition of Suited Royals, on the player's first two cards.
pub(super) const SUITED_ROYALS_KIND: Kind = Kind::plain(
    SideWager::SuitedRoyals,
    "suited-royals",
    "Suited Royals",
    &[Bet {
        bet: SideBet::SuitedRoyals,
        name: "suited-royals",
        sees: Sees::Two,
        line: |choices, view| of_two(choices, SideWager::SuitedRoyals, view, suited_royals),
    }],
    suit_and_face,
);
