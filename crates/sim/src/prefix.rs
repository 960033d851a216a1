//! Merges the chunks of a run in order, until the goal of the run is reached.
//!
//! Chunks may be played anywhere and in any order, but are merged here from the first one on. The last chunk is
//! played only as far as the requested number of rounds. So the tasks of a cluster give the same sums as the
//! threads of one machine.

use crate::chunk::Job;
use crate::identity::identity;
use crate::part::RunPart;
use crate::report::ev_and_error;
use crate::run::{Options, Progress};
use crate::tally::{Moments, Tally};
use serde_json::{Value, json};
use std::ops::{Deref, Range};

/// The conditions under which a run ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Goal {
    /// The number of rounds after which the run ends.
    pub rounds: u64,
    /// The standard error at which the run ends early, or `None` to play all rounds.
    pub until_error: Option<f64>,
    /// The range of chunks to play, or `None` if the number of rounds decides.
    pub chunks: Option<Range<u64>>,
}

impl Goal {
    /// Returns the goal that follows from the options of a run.
    pub fn of(options: &Options) -> Goal {
        let rounds = if options.chunks.is_some() { u64::MAX } else { options.rounds };
        Goal { rounds, until_error: options.until_error, chunks: options.chunks.clone() }
    }
}

/// The merged beginning of a run: its first chunks, up to the next one to merge. The job is borrowed or owned.
pub struct Prefix<J> {
    /// The job that is played.
    pub job: J,
    goal: Goal,
    /// The merged chunks with their sums.
    pub part: RunPart,
    /// The number of the next chunk to merge.
    next: u64,
}

impl<J: Deref<Target = Job>> Prefix<J> {
    /// Starts a run, or resumes it from a saved part.
    pub fn new(job: J, goal: Goal, part: RunPart) -> Prefix<J> {
        let first = goal.chunks.as_ref().map_or(0, |chunks| chunks.start);
        let next = part.chunks.last().map_or(first, |row| row.end);
        Prefix { job, goal, part, next }
    }

    /// Returns the number of the next chunk to merge.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Returns the goal of the run.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the end (exclusive) of the goal's range of chunks, or `u64::MAX` if the goal has no such range.
    pub fn end(&self) -> u64 {
        self.goal.chunks.as_ref().map_or(u64::MAX, |chunks| chunks.end)
    }

    fn has_enough(&self, tally: &Tally) -> bool {
        let close = |most: f64| ev_and_error(&self.job, tally).1 <= most;
        tally.rounds() >= self.goal.rounds || self.goal.until_error.is_some_and(close)
    }

    /// Returns whether the run has reached its goal.
    pub fn is_enough(&self) -> bool {
        self.next >= self.end() || self.has_enough(&self.part.tally)
    }

    /// Merges the next chunk, and returns whether another chunk is needed.
    ///
    /// A chunk that would exceed the goal's number of rounds is not merged.
    pub fn add(&mut self, tally: &Tally) -> bool {
        if self.part.tally.rounds() + tally.rounds() > self.goal.rounds {
            return false;
        }
        self.add_row(self.next..self.next + 1, tally);
        !self.is_enough()
    }

    /// Merges a range of chunks that were summed together.
    ///
    /// The range must end before the last chunk of the run.
    pub fn add_row(&mut self, chunks: Range<u64>, tally: &Tally) {
        self.next = chunks.end;
        self.part.add(chunks, tally);
    }

    /// Returns whether the run would end, or be about to end, if `tally` were added.
    ///
    /// A run is about to end if its standard error is at most `times` times the target.
    pub fn would_end(&self, tally: &Tally, times: f64) -> bool {
        let mut sum = self.part.tally.clone();
        sum.merge(tally);
        let close = |most: f64| ev_and_error(&self.job, &sum).1 <= most * times;
        sum.rounds() > self.goal.rounds || self.goal.until_error.is_some_and(close)
    }

    /// Merges a piece: chunks that were played elsewhere. Returns whether more chunks are needed.
    ///
    /// If the run ends within the piece, its chunks are played again here, one by one. Returns an error if the
    /// piece belongs to another run or does not begin with the next chunk.
    pub fn add_piece(&mut self, piece: &Piece) -> Result<bool, String> {
        if piece.identity != self.part.identity {
            return Err("a part comes from a different version or belongs to a different run".into());
        }
        if piece.chunks.start != self.next || !piece.tally.has_shape_of(&self.part.tally) {
            return Err(format!("expected chunk {} next, not {}", self.next, piece.chunks.start));
        }
        let mut trial = self.part.tally.clone();
        let ends_here = piece.heads.iter().any(|head| {
            let too_many = trial.rounds() + head.rounds() > self.goal.rounds;
            head.add_to(&mut trial);
            too_many || self.has_enough(&trial)
        });
        if !ends_here {
            self.add_row(piece.chunks.clone(), &piece.tally);
            return Ok(!self.is_enough());
        }
        for chunk in piece.chunks.clone() {
            let tally = self.job.chunk(chunk);
            if !self.add(&tally) {
                return Ok(false);
            }
        }
        Ok(!self.is_enough())
    }

    /// Returns the number of a last chunk that is played only in part, and how many of its rounds to play.
    ///
    /// Returns `None` if the run ends with a whole chunk.
    pub fn cut(&self) -> Option<(u64, u64)> {
        let left = self.goal.rounds.saturating_sub(self.part.tally.rounds());
        let whole = self.goal.chunks.is_some() || left == 0 || self.is_enough();
        (!whole).then_some((self.next, left))
    }

    /// Returns the progress of a run that has taken `seconds` seconds.
    ///
    /// `before` is the number of rounds in the saved part from which the run resumed.
    pub fn progress(&self, before: u64, seconds: f64) -> Progress {
        let (ev, error) = ev_and_error(&self.job, &self.part.tally);
        let (rounds, goal) = (self.part.tally.rounds(), &self.goal);
        let of = (goal.chunks.is_none() && goal.until_error.is_none()).then_some(goal.rounds);
        let by_error = goal.until_error.map_or(0.0, |least| (least / error).powi(2));
        let by_number = match &goal.chunks {
            Some(all) => (self.next - all.start) as f64 / (all.end - all.start) as f64,
            None => rounds as f64 / goal.rounds as f64,
        };
        let rate = (rounds - before) as f64 / seconds.max(1e-9);
        Progress { rounds, of, share: by_number.max(by_error).min(1.0), seconds, rate, ev, error }
    }

    /// Plays the remaining rounds of the last chunk.
    pub fn finish(&mut self) {
        if let Some((chunk, left)) = self.cut() {
            self.part.tally.merge(&self.job.chunk_up_to(chunk, left));
        }
    }
}

/// The sums of a chunk that decide whether the run ends there.
///
/// The sums are the number of rounds and, where a standard error ends the run, the sums by count.
#[derive(Clone, PartialEq, Debug)]
pub struct Head(Vec<(u32, Moments)>);

impl Head {
    fn of(tally: &Tally, whole: bool) -> Head {
        if !whole {
            return Head(vec![(0, Moments { count: tally.rounds(), ..Moments::default() })]);
        }
        let cells = tally.cells.iter().enumerate().filter(|(_, cell)| cell.net.count > 0);
        Head(cells.map(|(at, cell)| (at as u32, cell.net)).collect())
    }

    fn rounds(&self) -> u64 {
        self.0.iter().map(|(_, moments)| moments.count).sum()
    }

    fn add_to(&self, tally: &mut Tally) {
        for (at, moments) in &self.0 {
            if let Some(cell) = tally.cells.get_mut(*at as usize) {
                cell.net.merge(moments);
            }
        }
    }

    fn to_json(&self) -> Value {
        let row = |(at, m): &(u32, Moments)| json!([at, m.count, m.sum.to_string(), m.squares.to_string()]);
        self.0.iter().map(row).collect()
    }

    fn from_json(value: &Value) -> Option<Head> {
        let row = |row: &Value| {
            let number = |at: usize| row.get(at)?.as_str();
            let moments = Moments {
                count: row.get(1)?.as_u64()?,
                sum: number(2)?.parse().ok()?,
                squares: number(3)?.parse().ok()?,
            };
            Some((u32::try_from(row.get(0)?.as_u64()?).ok()?, moments))
        };
        value.as_array()?.iter().map(row).collect::<Option<_>>().map(Head)
    }
}

/// Consecutive chunks with their sums, as sent to the coordinator.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// The identity of the piece's run.
    pub identity: u64,
    /// The range of chunks that were played.
    pub chunks: Range<u64>,
    /// The sums that decide where the run ends, one entry per chunk.
    pub heads: Vec<Head>,
    /// The joint sums of the chunks.
    pub tally: Tally,
}

impl Piece {
    /// Plays a range of chunks and returns its sums as a piece.
    ///
    /// `whole` says whether a standard error ends the run, so that each head needs the sums by count.
    pub fn play(job: &Job, chunks: Range<u64>, whole: bool) -> Piece {
        let mut piece =
            Piece { identity: identity(job), chunks: chunks.clone(), heads: Vec::new(), tally: job.empty() };
        for chunk in chunks {
            let tally = job.chunk(chunk);
            piece.heads.push(Head::of(&tally, whole));
            piece.tally.merge(&tally);
        }
        piece
    }

    /// Appends the piece `other`, which must follow directly.
    ///
    /// Returns an error if `other` does not follow, or belongs to another run.
    pub fn join(&mut self, other: &Piece) -> Result<(), String> {
        if other.identity != self.identity || other.chunks.start != self.chunks.end {
            return Err("the parts do not follow one another".into());
        }
        if !other.tally.has_shape_of(&self.tally) {
            return Err("the parts have different layouts".into());
        }
        self.chunks.end = other.chunks.end;
        self.heads.extend_from_slice(&other.heads);
        self.tally.merge(&other.tally);
        Ok(())
    }

    /// Returns the piece as text, for a file or the network.
    pub fn to_text(&self) -> String {
        json!({
            "cutcard": "piece of a simulation", "identity": format!("{:016x}", self.identity),
            "chunks": [self.chunks.start, self.chunks.end],
            "heads": self.heads.iter().map(Head::to_json).collect::<Vec<_>>(), "tally": self.tally.to_json(),
        })
        .to_string()
    }

    /// Parses the text that [`Piece::to_text`] returns.
    ///
    /// Returns an error if the text is not a piece of a simulation.
    pub fn from_text(text: &str) -> Result<Piece, String> {
        let read = || {
            let document: Value = serde_json::from_str(text).ok()?;
            let chunks = document.get("chunks")?;
            Some(Piece {
                identity: u64::from_str_radix(document.get("identity")?.as_str()?, 16).ok()?,
                chunks: chunks.get(0)?.as_u64()?..chunks.get(1)?.as_u64()?,
                heads: document
                    .get("heads")?
                    .as_array()?
                    .iter()
                    .map(Head::from_json)
                    .collect::<Option<_>>()?,
                tally: Tally::from_json(document.get("tally")?)?,
            })
        };
        let in_order = |piece: &Piece| {
            piece.chunks.end.checked_sub(piece.chunks.start) == Some(piece.heads.len() as u64)
        };
        read().filter(in_order).ok_or_else(|| "the text is not a piece of a simulation".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Hooks, job, simulate};
    use program::{CompileOptions, Program, compile, infinite_deck::infinite_deck_chart};

    fn program() -> Program {
        let choices = rules::preset::preset("nj-blackjack").unwrap();
        compile(&choices, &infinite_deck_chart(&choices), &CompileOptions::default()).unwrap()
    }

    /// Checks that ranges of chunks, sent as text and joined, give the same sums as threads.
    #[test]
    fn pieces_come_to_the_same_as_threads() {
        let by_rounds = Options { rounds: 1_700_001, ..Options::default() };
        let by_error = Options { rounds: u64::MAX, until_error: Some(0.0012), ..Options::default() };
        for options in [by_rounds, by_error] {
            let whole = simulate(program(), &options, Hooks::default()).unwrap().part;
            let job = job(program(), &options).unwrap();
            for length in [1, 3, 64] {
                let mut prefix = Prefix::new(&job, Goal::of(&options), RunPart::empty(&job));
                let mut more = true;
                while more {
                    let (first, middle) = (prefix.next(), prefix.next() + length);
                    let decides = options.until_error.is_some();
                    let mut piece = Piece::play(&job, first..middle, decides);
                    piece.join(&Piece::play(&job, middle..middle + 1, decides)).unwrap();
                    piece = Piece::from_text(&piece.to_text()).unwrap();
                    more = prefix.add_piece(&piece).unwrap();
                }
                prefix.finish();
                assert_eq!(prefix.part, whole, "{length}");
            }
        }
    }

    #[test]
    fn pieces_of_other_runs_are_refused() {
        let (one, other) = (Options::default(), Options { seed: 2, ..Options::default() });
        let (mine, theirs) = (job(program(), &one).unwrap(), job(program(), &other).unwrap());
        let mut prefix = Prefix::new(&mine, Goal::of(&one), RunPart::empty(&mine));
        assert!(prefix.add_piece(&Piece::play(&theirs, 0..1, false)).is_err());
        assert!(prefix.add_piece(&Piece::play(&mine, 1..2, false)).is_err());
        assert!(prefix.add_piece(&Piece::play(&mine, 0..1, false)).unwrap());
        assert!(Piece::from_text("{\"chunks\":[0,9]}").is_err());
    }
}
