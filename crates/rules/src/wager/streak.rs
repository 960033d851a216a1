//! The streak wager: 2.22.

use super::{Line, PayTable, SideWager, own};
use crate::choice::Choices;
use crate::ruling::StreakSplits;

const LINES: [Line; 4] = [
    Line::odds(
        "two consecutive winning hands",
        3,
        clause!("19:47-2.22(j) \"Two consecutive winning hands\""),
    ),
    Line::odds(
        "three consecutive winning hands",
        7,
        clause!("19:47-2.22(j) \"Three consecutive winning hands\""),
    ),
    Line::odds(
        "four consecutive winning hands",
        17,
        clause!("19:47-2.22(j) \"Four consecutive winning hands\""),
    ),
    Line::odds(
        "five consecutive winning hands",
        37,
        clause!("19:47-2.22(j) \"Five consecutive winning hands\""),
    ),
];

/// 2.22(j).
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &LINES }];

/// Returns the line of a streak of two to five, at the table's odds.
pub fn line(choices: &Choices, hands: u8) -> Option<Line> {
    let line = LINES.get(usize::from(hands).checked_sub(2)?)?;
    Some(own::paid(choices, SideWager::Streak, *line))
}

/// What a round does to a pending streak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// 2.22(d): one more consecutive win.
    Advances,
    /// 2.22(g), (h)#2: neither advances nor loses.
    Holds,
    /// 2.22(e), (h): the streak wager loses.
    Loses,
}

/// How the hands of a player's box ended in a round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Record {
    /// Hands that won.
    pub won: u8,
    /// Hands that lost.
    pub lost: u8,
    /// Hands that were returned.
    pub pushed: u8,
}

/// Returns the effect of a round on a streak: a win advances, a loss loses, a push holds: 2.22(d)-(h). After a
/// split, hands won are weighed against hands lost.
pub fn effect(record: Record, splits: StreakSplits) -> Effect {
    let Record { won, lost, pushed } = record;
    let majority = u16::from(won) * 2 > u16::from(won) + u16::from(lost) + u16::from(pushed);
    match splits {
        _ if won == lost => Effect::Holds,
        StreakSplits::Compare if won > lost => Effect::Advances,
        StreakSplits::Majority if majority => Effect::Advances,
        _ => Effect::Loses,
    }
}
