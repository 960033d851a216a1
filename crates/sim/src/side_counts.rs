//! Side bets that follow counts of their own: the net win of each per round, by its count before the round.

use crate::count::{BUCKETS, Counting, Ramp, System};
use crate::tally::{Moments, Tally};
use program::Program;
use program::side::Sees;

/// A side bet by its name, with its count and its bet ramp.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideStakes {
    /// The name of the side bet, such as `over-13`.
    pub wager: String,
    /// The counting system of the side bet.
    pub system: System,
    /// The bets by count, in units of the side bet.
    pub ramp: Ramp,
}

/// A side bet's count, prepared for a table.
#[derive(Clone, Debug)]
pub struct SideCount {
    /// The index of the side bet among those of the run.
    pub side: usize,
    /// The count and the ramp.
    pub counting: Counting,
}

/// Prepares the counts of side bets for a run. Refuses a bet that is not made in the run, or that is not decided round
/// by round.
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

/// The running counts of the current shoe.
pub struct Running<'j> {
    counts: &'j [SideCount],
    running: Vec<i32>,
    /// For each count, its bucket before the round, and the net win of its side bet until then.
    before: Vec<(usize, i128)>,
}

impl<'j> Running<'j> {
    /// Returns the counts before the first shoe.
    pub fn new(counts: &'j [SideCount]) -> Running<'j> {
        Running { counts, running: vec![0; counts.len()], before: vec![(0, 0); counts.len()] }
    }

    /// Starts a new shoe.
    pub fn shuffled(&mut self) {
        for (running, count) in self.running.iter_mut().zip(self.counts) {
            *running = count.counting.start;
        }
    }

    /// Begins a round after `dealt` cards.
    pub fn begin(&mut self, dealt: usize, tally: &Tally) {
        for ((before, running), count) in self.before.iter_mut().zip(&self.running).zip(self.counts) {
            *before = (count.counting.bucket(*running, dealt), tally.sides[count.side].net.sum);
        }
    }

    /// Adds the net win of the round at each count.
    pub fn end(&self, tally: &mut Tally) {
        for (nth, (count, (bucket, won))) in self.counts.iter().zip(&self.before).enumerate() {
            let net = tally.sides[count.side].net.sum - won;
            tally.side_counts[nth][*bucket].add(net as i64);
        }
    }

    /// Counts a card of the round, by face.
    pub fn see(&mut self, face: u8) {
        for (running, count) in self.running.iter_mut().zip(self.counts) {
            *running += count.counting.tags[usize::from(face)];
        }
    }
}

/// Returns empty sums for these counts.
pub fn empty(counts: &[SideCount]) -> Vec<Vec<Moments>> {
    vec![vec![Moments::default(); BUCKETS]; counts.len()]
}
