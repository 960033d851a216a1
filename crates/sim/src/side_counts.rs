//! Follows side bets with counting systems of their own.
//!
//! Sums the net win of each side bet per round, by its count before the round.

use crate::count::{BUCKETS, Counting, Ramp, System};
use crate::tally::{Moments, Tally};
use program::Program;
use program::side::Sees;

/// A side bet with its own counting system and bet ramp.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideStakes {
    /// The name of the side bet, such as `over-13`.
    pub wager: String,
    /// The counting system of the side bet.
    pub system: System,
    /// The bet ramp, in units of the side bet.
    pub ramp: Ramp,
}

/// A side bet's own counting system, compiled for a table.
#[derive(Clone, Debug)]
pub struct SideCount {
    /// The side bet's index in the run's list of side bets.
    pub side: usize,
    /// The compiled counting system and bet ramp.
    pub counting: Counting,
}

/// Compiles the counting systems of side bets for a run.
///
/// Returns an error if the run does not make such a side bet, or if the side bet spans several rounds.
pub fn prepared(program: &Program, wanted: &[SideStakes]) -> Result<Vec<SideCount>, String> {
    let one = |wanted: &SideStakes| {
        let name = &wanted.wager;
        let found = program.sides.iter().position(|side| side.bet.name() == name);
        let side = found.ok_or_else(|| {
            let made: Vec<&str> = program.sides.iter().map(|side| side.bet.name()).collect();
            let made = if made.is_empty() { "none".to_string() } else { made.join(", ") };
            format!(
                "this run does not make the side bet `{name}`, so it cannot have a count; it makes {made}"
            )
        })?;
        if matches!(program.sides[side].sees, Sees::Streak(_)) {
            return Err(format!("`{name}` spans several rounds, so it cannot be bet by count"));
        }
        Ok(SideCount { side, counting: Counting::new(program, &wanted.system, &wanted.ramp) })
    };
    wanted.iter().map(one).collect()
}

/// The running count of each side bet with a counting system of its own, in the current shoe.
pub struct RunningCounts<'j> {
    counts: &'j [SideCount],
    running: Vec<i32>,
    /// For each side bet, its count bucket and its total net win before the round.
    before: Vec<(usize, i128)>,
}

impl<'j> RunningCounts<'j> {
    /// Creates the running counts before the first shoe.
    pub fn new(counts: &'j [SideCount]) -> RunningCounts<'j> {
        RunningCounts { counts, running: vec![0; counts.len()], before: vec![(0, 0); counts.len()] }
    }

    /// Resets the running counts for a new shoe.
    pub fn shuffled(&mut self) {
        for (running, count) in self.running.iter_mut().zip(self.counts) {
            *running = count.counting.start;
        }
    }

    /// Records the state before a round that begins after `dealt` cards: each side bet's count bucket and net win.
    pub fn begin(&mut self, dealt: usize, tally: &Tally) {
        for ((before, running), count) in self.before.iter_mut().zip(&self.running).zip(self.counts) {
            *before = (count.counting.bucket(*running, dealt), tally.sides[count.side].net.sum);
        }
    }

    /// Adds the side bets' net wins in the round to the tally, in the bucket of the count before the round.
    pub fn end(&self, tally: &mut Tally) {
        for (nth, (count, (bucket, won))) in self.counts.iter().zip(&self.before).enumerate() {
            let net = tally.sides[count.side].net.sum - won;
            tally.side_counts[nth][*bucket].add(net as i64);
        }
    }

    /// Adds a card to the running counts, given its face.
    pub fn see(&mut self, face: u8) {
        for (running, count) in self.running.iter_mut().zip(self.counts) {
            *running += count.counting.tags[usize::from(face)];
        }
    }
}

/// Returns empty sums for side bets with their own counting systems.
pub fn empty(counts: &[SideCount]) -> Vec<Vec<Moments>> {
    vec![vec![Moments::default(); BUCKETS]; counts.len()]
}
