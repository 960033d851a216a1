//! The side bets over 13 and under 13 (2.17(a)1, (b)1-2, (c), (e)1).

use super::{Bet, Kind, PayLine, PayTable, Sees, SideBet, SideWager};
use crate::card::Card;

const OVER: PayLine = PayLine::odds("over 13", 1, clause!("19:47-2.17(b)1"));
const UNDER: PayLine = PayLine::odds("under 13", 1, clause!("19:47-2.17(b)2"));

/// The paytable of the bets over 13 and under 13 (2.17(e)1).
///
/// Both bets pay 1 to 1.
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &[OVER, UNDER] }];

/// Returns the total of the first two cards, with an ace as one (2.2(b)3.ii).
fn total(two: [Card; 2]) -> u8 {
    two[0].value() + two[1].value()
}

/// Returns whether the first two cards total exactly 13, so that both bets lose (2.17(c)).
pub fn is_13(two: [Card; 2]) -> bool {
    total(two) == 13
}

/// Returns the paytable line of over 13 if the cards total more than 13, or `None` for a loss (2.17(b)1, (c)).
pub fn over_13(two: [Card; 2]) -> Option<PayLine> {
    (total(two) > 13).then_some(OVER)
}

/// Returns the paytable line of under 13 if the cards total less than 13, or `None` for a loss (2.17(b)2, (c)).
pub fn under_13(two: [Card; 2]) -> Option<PayLine> {
    (total(two) < 13).then_some(UNDER)
}

/// The definition of the bets over 13 and under 13, on the total of the player's first two cards.
pub(super) const KIND: Kind = Kind {
    by_values: true,
    ..Kind::plain(
        SideWager::OverUnder13,
        "over-under-13",
        "Over / Under 13",
        &[
            Bet {
                bet: SideBet::Over13,
                name: "over-13",
                sees: Sees::Two,
                line: |_, view| over_13(view.first_two()?),
            },
            Bet {
                bet: SideBet::Under13,
                name: "under-13",
                sees: Sees::Two,
                line: |_, view| under_13(view.first_two()?),
            },
        ],
        Card::value,
    )
};
