//! Over and under 13: 2.17(a)1, (b)1-2, (c), (e)1.

use super::{Line, PayTable};
use crate::card::Card;

const OVER: Line = Line::odds("over 13", 1, clause!("19:47-2.17(b)1"));
const UNDER: Line = Line::odds("under 13", 1, clause!("19:47-2.17(b)2"));

/// 2.17(e)1: one to one.
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &[OVER, UNDER] }];

/// 2.2(b)3.ii: for this wager an ace among the initial two cards counts one.
fn total(two: [Card; 2]) -> u8 {
    two[0].value() + two[1].value()
}

/// Returns whether the total is exactly 13, on which both over and under lose: 2.17(c).
pub fn is_13(two: [Card; 2]) -> bool {
    total(two) == 13
}

/// Returns the winning line if the total is above 13; 13 loses: 2.17(b)1, (c).
pub fn over_13(two: [Card; 2]) -> Option<Line> {
    (total(two) > 13).then_some(OVER)
}

/// Returns the winning line if the total is below 13; 13 loses: 2.17(b)2, (c).
pub fn under_13(two: [Card; 2]) -> Option<Line> {
    (total(two) < 13).then_some(UNDER)
}
