//! The streak bet (2.22).

use super::{Bet, Kind, PayLine, PayTable, Sees, SideBet, SideWager, own};
use crate::choice::Choices;
use crate::clause::Clause;
use crate::ruling::StreakSplits;

const LINES: [PayLine; 4] = [
    PayLine::odds(
        "two consecutive winning hands",
        3,
        clause!("19:47-2.22(j) \"Two consecutive winning hands\""),
    ),
    PayLine::odds(
        "three consecutive winning hands",
        7,
        clause!("19:47-2.22(j) \"Three consecutive winning hands\""),
    ),
    PayLine::odds(
        "four consecutive winning hands",
        17,
        clause!("19:47-2.22(j) \"Four consecutive winning hands\""),
    ),
    PayLine::odds(
        "five consecutive winning hands",
        37,
        clause!("19:47-2.22(j) \"Five consecutive winning hands\""),
    ),
];

/// The paytable of the streak bet (2.22(j)).
pub(crate) const PAYTABLES: &[PayTable] = &[PayTable { name: "1", decks: &[], lines: &LINES }];

/// The four bets on winning two to five rounds in a row.
pub const BETS: [SideBet; 4] = [SideBet::Streak2, SideBet::Streak3, SideBet::Streak4, SideBet::Streak5];

/// Returns the paytable line for a streak of `hands` rounds at the table's odds, or `None` unless it is two to
/// five rounds.
pub fn line(choices: &Choices, hands: u8) -> Option<PayLine> {
    let line = LINES.get(usize::from(hands).checked_sub(2)?)?;
    Some(own::paid(choices, SideWager::Streak, *line))
}

/// The clause under which a streak ends because the player does not complete the next hand.
pub const ABANDONED: Clause = clause!("19:47-2.22(f)");

/// The clause that forbids adding a streak bet while another streak bet is pending.
pub const PENDING: Clause = clause!("19:47-2.22(k)2");

/// Returns the clause under which a streak bet loses.
///
/// `split` says whether the round was lost with the hands of a split.
pub const fn lost_by(split: bool) -> Clause {
    if split { clause!("19:47-2.22(h)") } else { clause!("19:47-2.22(e)") }
}

/// Returns the clause on moving the lammer after `wins` wins in a row.
///
/// `longest` is the length of the longest streak that was bet on; `pays` says whether a streak bet is paid now.
pub const fn lammer_by(wins: u8, longest: u8, pays: bool) -> Clause {
    match longest {
        _ if wins == 1 => clause!("19:47-2.22(d)"),
        _ if pays => clause!("19:47-2.22(k)3"),
        3 => clause!("19:47-2.22(d)2#2"),
        4 => clause!("19:47-2.22(d)3#2"),
        _ => clause!("19:47-2.22(d)4#2"),
    }
}

/// The effect of a round on the pending streak bets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The streak grows by one win (2.22(d)).
    Advances,
    /// The streak neither advances nor loses (2.22(g), (h)#2).
    Holds,
    /// The streak bet loses (2.22(e), (h)).
    Loses,
}

/// How many of a box's hands won, lost and pushed in a round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Record {
    /// The number of the box's hands that won.
    pub won: u8,
    /// The number of the box's hands that lost.
    pub lost: u8,
    /// The number of the box's hands that pushed.
    pub pushed: u8,
}

/// Returns the effect of a round on the streak bets (2.22(d)-(h)).
///
/// A win advances the streak, a loss ends it, and a push leaves it unchanged. After a split, the number of hands
/// won is compared with the number of hands lost.
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

const fn bet(bet: SideBet, name: &'static str, hands: u8) -> Bet {
    Bet { bet, name, sees: Sees::Streak(hands), line: |_, _| None }
}

/// The definition of the streak bets on two to five rounds, which no cards decide.
pub(super) const KIND: Kind = Kind {
    by_values: true,
    ..Kind::plain(
        SideWager::Streak,
        "streak",
        "Streak",
        &[
            bet(SideBet::Streak2, "streak-2", 2),
            bet(SideBet::Streak3, "streak-3", 3),
            bet(SideBet::Streak4, "streak-4", 4),
            bet(SideBet::Streak5, "streak-5", 5),
        ],
        |_| 0,
    )
};
