//! Wagers on rounds won in a row, all followed at once: how far each has come is one number.

use program::Program;
use program::side::{Effect, Record, Sees, Side};

/// What the kernel calls a round that leaves every streak as it is.
pub const HOLDS: u32 = 2;
/// Records as the kernel writes them: hands won, lost and pushed in four bits each.
pub const RECORDS: u32 = 1 << 12;

/// The streak wagers of a program.
pub struct Streaks<'p> {
    /// Which side wager it is, and how many rounds it takes.
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

    /// How many numbers there are for how far all wagers have come; none without such wagers.
    pub fn states(&self) -> u32 {
        if self.wagers.is_empty() { 0 } else { self.wagers.iter().map(|wager| wager.1).product() }
    }

    /// What a round does to all streaks: they are lost, go on, or hold.
    pub fn effect(&self, record: Record) -> u32 {
        match self.wagers.first().map(|wager| wager.2.effect(record)) {
            Some(Effect::Loses) => 0,
            Some(Effect::Advances) => 1,
            Some(Effect::Holds) | None => HOLDS,
        }
    }

    /// From each state, lost and gone on: the state that follows.
    pub fn steps(&self) -> impl Iterator<Item = u32> + '_ {
        (0..2 * self.states()).map(|key| self.follow(key, |_, _| ()))
    }

    /// The wagers that are decided by a step, each with the line it reaches; and the state that follows.
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

/// A record as the kernel writes it.
pub fn packed(won: u32, lost: u32, pushed: u32) -> u32 {
    won | lost << 4 | pushed << 8
}

/// What the kernel's number says.
pub fn record(packed: u32) -> Record {
    let field = |at: u32| (packed >> at & 15) as u8;
    Record { won: field(0), lost: field(4), pushed: field(8) }
}
