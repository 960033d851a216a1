//! Side bets on equal ranks: the match bet (2A.6), Match the Dealer (2.23) and Triple Match (36.6(a)2).

use super::{Bet, Kind, PayLine, PayTable, Pays, Sees, SideBet, SideWager, own, paytable};
use crate::card::Card;
use crate::clause::Clause;
use crate::odds::Odds;

macro_rules! match_lines {
    ($text:literal, $column:literal, $four:literal, $two_pair:literal, $three:literal, $pair:literal) => {
        &[
            PayLine::odds("four-of-a-kind", $four, clause!(concat!($text, $column, " \"Four-of-a-kind\""))),
            PayLine::odds("two pair", $two_pair, clause!(concat!($text, $column, " \"Two pair\""))),
            PayLine::odds(
                "three-of-a-kind",
                $three,
                clause!(concat!($text, $column, " \"Three-of-a-kind\"")),
            ),
            PayLine::odds("one pair", $pair, clause!(concat!($text, $column, " \"One pair\""))),
        ]
    };
}

/// The paytables of the match bet of Switch (2A.6(c)).
pub(crate) const MATCH: &[PayTable] = &[
    PayTable { name: "6-deck", decks: &[6], lines: match_lines!("19:47-2A.6(c) ", "6-deck", 40, 8, 5, 1) },
    PayTable { name: "8-deck", decks: &[8], lines: match_lines!("19:47-2A.6(c) ", "8-deck", 50, 7, 5, 1) },
];

/// The paytables of the match bet in Massachusetts (MA 6(c)).
pub(crate) const MATCH_IN_MASSACHUSETTS: &[PayTable] = &[
    PayTable { name: "6-deck", decks: &[6], lines: match_lines!("MA-BJS 6(c) ", "6-deck", 40, 8, 5, 1) },
    PayTable { name: "8-deck", decks: &[8], lines: match_lines!("MA-BJS 6(c) ", "8-deck", 50, 7, 5, 1) },
];

/// Returns the best-paid line of the match bet for four cards, or `None` for a loss.
///
/// The cards are compared by rank (2A.6(a), (d)); 10, J, Q and K are different ranks (2A.2(c)). Four of a kind
/// also reaches the line of each lower combination, because a licensee may pay more for a lower one.
pub fn match_wager(lines: &[PayLine], four: [Card; 4]) -> Option<PayLine> {
    // among the six pairs of cards: four of a kind makes six, three of a kind three, two pairs two, one pair one
    let mut equal = 0;
    for (at, card) in four.iter().enumerate() {
        equal += four[..at].iter().filter(|other| other.rank() == card.rank()).count();
    }
    // in the order of the paytable: four of a kind, two pair, three of a kind, one pair
    let reached: &[usize] = match equal {
        6 => &[0, 1, 2, 3],
        3 => &[2, 3],
        2 => &[1, 3],
        1 => &[3],
        _ => &[],
    };
    let odds = |line: &PayLine| match line.pays {
        Pays::Odds(odds) => odds,
        _ => Odds::EVEN,
    };
    // the first among equals
    reached.iter().rev().filter_map(|&at| lines.get(at).copied()).max_by_key(odds)
}

const fn dealer_lines(suited: u32, other: u32, by_suited: Clause, by_other: Clause) -> [PayLine; 5] {
    [
        PayLine { sum: &[2, 2], ..PayLine::odds("two cards of matching suit", 2 * suited, by_suited) },
        PayLine {
            sum: &[2, 4],
            ..PayLine::odds("one card of matching suit, one of another", suited + other, by_suited)
        },
        PayLine::odds("one card of matching suit", suited, by_suited),
        PayLine { sum: &[4, 4], ..PayLine::odds("two cards of non-matching suit", 2 * other, by_other) },
        PayLine::odds("one card of non-matching suit", other, by_other),
    ]
}

/// The paytables of Match the Dealer, which pay for every matching card (2.23(a)2, 2.23(f)).
pub(crate) const MATCH_THE_DEALER: &[PayTable] = &[
    PayTable {
        name: "6-deck",
        decks: &[6],
        lines: &const {
            dealer_lines(
                11,
                4,
                clause!("19:47-2.23(f) \"Six-deck, matching suit\""),
                clause!("19:47-2.23(f) \"Six-deck, non-matching suit\""),
            )
        },
    },
    PayTable {
        name: "8-deck",
        decks: &[8],
        lines: &const {
            dealer_lines(
                14,
                3,
                clause!("19:47-2.23(f) \"Eight-deck, matching suit\""),
                clause!("19:47-2.23(f) \"Eight-deck, non-matching suit\""),
            )
        },
    },
];

/// Returns the paytable line for the player's cards that match the upcard, or `None` if neither card matches.
///
/// Cards match if they have the same rank; the same value is not enough (2.23(a)).
pub fn match_the_dealer(paytable: &PayTable, two: [Card; 2], up: Card) -> Option<PayLine> {
    let suited = two.iter().filter(|&&card| card == up).count();
    let matching = two.iter().filter(|card| card.rank() == up.rank()).count();
    match (suited, matching - suited) {
        (2, _) => Some(paytable.lines[0]),
        (1, 1) => Some(paytable.lines[1]),
        (1, _) => Some(paytable.lines[2]),
        (0, 2) => Some(paytable.lines[3]),
        (0, 1) => Some(paytable.lines[4]),
        _ => None,
    }
}

const fn triple_lines(three_suited: u32, three: u32, pair_suited: u32, pair: u32) -> [PayLine; 4] {
    [
        PayLine::odds("three-of-a-kind suited", three_suited, clause!("19:47-36.6(e)#3")),
        PayLine::odds("three-of-a-kind unsuited", three, clause!("19:47-36.6(e)#4")),
        PayLine::odds("pair suited", pair_suited, clause!("19:47-36.6(e)#5")),
        PayLine::odds("pair unsuited", pair, clause!("19:47-36.6(e)#6")),
    ]
}

/// The paytables of Triple Match (36.6(e)).
pub(crate) const TRIPLE_MATCH: &[PayTable] = &[
    PayTable { name: "A", decks: &[], lines: &const { triple_lines(150, 20, 4, 2) } },
    PayTable { name: "B", decks: &[], lines: &const { triple_lines(50, 8, 6, 2) } },
];

/// Returns the highest paytable line of Triple Match, or `None` if no two of the three cards have the same rank.
///
/// The cards are the player's first two and the dealer's upcard (36.6(a)2, (e)).
pub fn triple_match(paytable: &PayTable, two: [Card; 2], up: Card) -> Option<PayLine> {
    let three = [two[0], two[1], up];
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let ranks = pairs.iter().filter(|&&(a, b)| three[a].rank() == three[b].rank()).count();
    let same = pairs.iter().filter(|&&(a, b)| three[a] == three[b]).count();
    match (ranks, same) {
        (3, 3) => Some(paytable.lines[0]),
        (3, _) => Some(paytable.lines[1]),
        (1, 1) => Some(paytable.lines[2]),
        (1, _) => Some(paytable.lines[3]),
        _ => None,
    }
}

/// The definition of Match the Dealer, on the player's first two cards and the upcard.
pub(super) const MATCH_THE_DEALER_KIND: Kind = Kind::plain(
    SideWager::MatchTheDealer,
    "match-the-dealer",
    "Match the Dealer",
    &[Bet {
        bet: SideBet::MatchTheDealer,
        name: "match-the-dealer",
        sees: Sees::TwoAndUp,
        line: |choices, view| {
            match_the_dealer(paytable(choices, SideWager::MatchTheDealer)?, view.first_two()?, view.up()?)
        },
    }],
    Card::index,
);

/// The definition of the match bet of Switch, on the four cards of a box.
pub(super) const MATCH_KIND: Kind = Kind::plain(
    SideWager::Match,
    "match",
    "Match",
    &[Bet {
        bet: SideBet::Match,
        name: "match",
        sees: Sees::Four,
        line: |choices, view| {
            match_wager(&own::lines(choices, SideWager::Match), view.cards.first_chunk().copied()?)
        },
    }],
    |card| card.rank() as u8,
);

/// The definition of Triple Match, on the player's first two cards and the upcard.
pub(super) const TRIPLE_MATCH_KIND: Kind = Kind::plain(
    SideWager::TripleMatch,
    "triple-match",
    "Triple Match",
    &[Bet {
        bet: SideBet::TripleMatch,
        name: "triple-match",
        sees: Sees::TwoAndUp,
        line: |choices, view| {
            triple_match(paytable(choices, SideWager::TripleMatch)?, view.first_two()?, view.up()?)
        },
    }],
    Card::index,
);
