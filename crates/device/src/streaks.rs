//! Tracks all streak bets together: one number holds the progress of all of them.

use program::Program;
use program::side::{Effect, Record, Sees, Side};

/// The kernel's code for a round that leaves every streak unchanged.
pub const UNCHANGED: u32 = 2;
/// The number of possible packed records.
///
/// A packed record holds the numbers of hands won, lost and pushed, in four bits each.
pub const PACKED_RECORDS: u32 = 1 << 12;

/// The streak bets of a program.
pub struct Streaks<'p> {
    /// For each streak bet, its index among the side bets, the number of rounds in its streak, and its definition.
    wagers: Vec<(usize, u32, &'p Side)>,
}

impl<'p> Streaks<'p> {
    pub fn new(program: &'p Program) -> Streaks<'p> {
        let wagers = program.sides.iter().enumerate().filter_map(|(at, side)| match side.sees {
            Sees::Streak(hands) => Some((at, u32::from(hands), side)),
            _ => None,
        });
        Streaks { wagers: wagers.collect() }
    }

    /// Returns the number of joint states of the streak bets, or zero without streak bets.
    ///
    /// A joint state is one number that holds the wins in a row of every streak bet.
    pub fn states(&self) -> u32 {
        if self.wagers.is_empty() { 0 } else { self.wagers.iter().map(|wager| wager.1).product() }
    }

    /// Returns the effect of a round on all streaks: 0 if they lose, 1 if they advance, or else [`UNCHANGED`].
    pub fn effect(&self, record: Record) -> u32 {
        match self.wagers.first().map(|wager| wager.2.effect(record)) {
            Some(Effect::Loses) => 0,
            Some(Effect::Advances) => 1,
            Some(Effect::Holds) | None => UNCHANGED,
        }
    }

    /// Returns, for each joint state in turn, the next state after a loss and the next state after an advance.
    pub fn steps(&self) -> impl Iterator<Item = u32> + '_ {
        (0..2 * self.states()).map(|key| self.follow(key, |_, _| ()))
    }

    /// Returns the next joint state of all streaks.
    ///
    /// `key` is twice the current state, plus one if the streaks advance. Calls `decided` with the index and the
    /// paytable line of every bet that this round decides.
    pub fn follow(&self, key: u32, mut decided: impl FnMut(usize, usize)) -> u32 {
        let (mut state, advances) = (key / 2, key % 2 == 1);
        let (mut next, mut weight) = (0, 1);
        for &(at, hands, _) in &self.wagers {
            let won = state % hands;
            state /= hands;
            match advances {
                true if won + 1 < hands => next += weight * (won + 1),
                _ => decided(at, usize::from(advances)),
            }
            weight *= hands;
        }
        next
    }
}

/// Packs the numbers of hands won, lost and pushed into one number, in the same way as the kernel.
pub fn packed(won: u32, lost: u32, pushed: u32) -> u32 {
    won | lost << 4 | pushed << 8
}

/// Unpacks a number from [`packed`] into the numbers of hands won, lost and pushed.
pub fn record(packed: u32) -> Record {
    let field = |at: u32| (packed >> at & 15) as u8;
    Record { won: field(0), lost: field(4), pushed: field(8) }
}
