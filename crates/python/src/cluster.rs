//! Distributes a simulation: tasks play ranges of chunks, and a coordinator merges their sums in the order of
//! chunks.

use crate::failure::{raised, refused};
use crate::run::{Run, RunOptions};
use crate::table::Table;
use documents::Failure;
use documents::simulate::Ready;
use pyo3::prelude::*;
use serde_json::Value;
use sim::Results;
use sim::chunk::Job;
use sim::isa::Isa;
use sim::part::RunPart;
use sim::prefix::{Goal, Piece, Prefix};
use sim::report::Stakes;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

fn wrong(py: Python<'_>, why: &str) -> PyErr {
    refused(py, why, None, None)
}

/// The job of a run on one worker, built from the description of the run.
///
/// The description contains the chart, so that the worker need not solve the chart again.
#[pyclass(frozen, module = "cutcard._native")]
pub struct Task {
    job: Job,
}

#[pymethods]
impl Task {
    #[new]
    #[pyo3(signature = (about, isa = None))]
    fn new(py: Python<'_>, about: &str, isa: Option<&str>) -> PyResult<Task> {
        let about: Value = serde_json::from_str(about).map_err(|error| wrong(py, &error.to_string()))?;
        let mut ready =
            Ready::from_about(&about, Stakes::default()).map_err(|failure| raised(py, &failure))?;
        if let Some(name) = isa {
            let known = Isa::from_name(name);
            ready.options.isa = Some(known.ok_or_else(|| wrong(py, &format!("no `{name}` here")))?);
        }
        ready.job().map(|job| Task { job }).map_err(|failure| raised(py, &failure))
    }

    /// Plays the chunks from `first` up to but not including `end`, and returns their sums as text.
    ///
    /// `whole` is true if a target standard error decides when the run ends.
    fn play(&self, py: Python<'_>, first: u64, end: u64, whole: bool) -> String {
        py.detach(|| Piece::play(&self.job, first..end, whole).to_text())
    }

    #[getter]
    fn instruction_set(&self) -> &'static str {
        self.job.isa.name()
    }
}

/// Joins the sums of consecutive ranges of chunks into one text.
#[pyfunction]
pub fn join(py: Python<'_>, pieces: Vec<String>) -> PyResult<String> {
    let joined = py.detach(|| {
        let mut pieces = pieces.iter().map(|text| Piece::from_text(text));
        let mut first = pieces.next().ok_or_else(|| "no parts to join".to_string())??;
        for piece in pieces {
            first.join(&piece?)?;
        }
        Ok(first.to_text())
    });
    joined.map_err(|why: String| wrong(py, &why))
}

/// A coordinator that assigns ranges of chunks to workers and merges the sums that the workers return.
///
/// The coordinator never assigns a range too far ahead of the chunks already merged.
#[pyclass(module = "cutcard._native")]
pub struct Coordinator {
    /// The state of the run, or `None` after `finish`.
    going: Option<ActiveRun>,
    enough: bool,
    begun: Instant,
}

struct ActiveRun {
    ready: Ready,
    prefix: Prefix<Box<Job>>,
    /// The index of the next chunk to assign.
    out: u64,
    waiting: BTreeMap<u64, Piece>,
}

impl ActiveRun {
    fn of(ready: Ready, goal: Goal) -> Result<ActiveRun, Failure> {
        let job = ready.job()?;
        let part = RunPart::empty(&job);
        let prefix = Prefix::new(Box::new(job), goal, part);
        Ok(ActiveRun { ready, out: prefix.next(), prefix, waiting: BTreeMap::new() })
    }

    fn take(&mut self, chunks: u64, window: u64) -> Option<Range<u64>> {
        let (goal, merged) = (self.prefix.goal(), self.prefix.next());
        let mut last = merged.saturating_add(window);
        let mut row = chunks.max(1);
        // with a target number of rounds, ranges become shorter towards the end, and none extends far beyond it
        if goal.until_error.is_none() {
            let rounds = self.prefix.part.tally.rounds();
            let each = rounds.checked_div(merged).unwrap_or(1 << 17);
            let left = goal.rounds.saturating_sub(rounds) / each.max(1);
            last = last.min(merged.saturating_add(left).saturating_add(2));
            row = row.min((last.saturating_sub(self.out) / 16).max(1));
        }
        if self.prefix.is_enough() || self.out >= last {
            return None;
        }
        self.out += row;
        Some(self.out - row..self.out)
    }

    fn give(&mut self, piece: &str) -> Result<bool, String> {
        let piece = Piece::from_text(piece)?;
        self.waiting.insert(piece.chunks.start, piece);
        let mut more = !self.prefix.is_enough();
        while let (true, Some(piece)) = (more, self.waiting.remove(&self.prefix.next())) {
            more = self.prefix.add_piece(&piece)?;
        }
        Ok(more)
    }
}

fn over(py: Python<'_>) -> PyErr {
    wrong(py, "the run is over")
}

impl Coordinator {
    fn begin(py: Python<'_>, going: Result<ActiveRun, Failure>) -> PyResult<Coordinator> {
        let going = going.map_err(|failure| raised(py, &failure))?;
        Ok(Coordinator { enough: going.prefix.is_enough(), going: Some(going), begun: Instant::now() })
    }

    fn going(&self, py: Python<'_>) -> PyResult<&ActiveRun> {
        self.going.as_ref().ok_or_else(|| over(py))
    }

    fn going_mut(&mut self, py: Python<'_>) -> PyResult<&mut ActiveRun> {
        self.going.as_mut().ok_or_else(|| over(py))
    }
}

#[pymethods]
impl Coordinator {
    #[new]
    fn new(py: Python<'_>, table: &Table, wanted: RunOptions) -> PyResult<Coordinator> {
        let (asked, stakes) = wanted.asked(py)?;
        let goal = Goal::of(&asked.options().map_err(|failure| raised(py, &failure))?);
        let ready = table.ready(py, asked, stakes)?;
        Coordinator::begin(py, py.detach(|| ActiveRun::of(ready, goal)))
    }

    /// Creates a coordinator from the description of a run, a number of rounds and a target standard error.
    ///
    /// With a target standard error, `rounds` is the maximum number of rounds.
    #[staticmethod]
    #[pyo3(signature = (about, rounds, until_error))]
    fn from_about(
        py: Python<'_>,
        about: &str,
        rounds: u64,
        until_error: Option<f64>,
    ) -> PyResult<Coordinator> {
        let about: Value = serde_json::from_str(about).map_err(|error| wrong(py, &error.to_string()))?;
        let ready = Ready::from_about(&about, Stakes::default());
        let goal = Goal { rounds, until_error, chunks: None };
        Coordinator::begin(py, ready.and_then(|ready| ActiveRun::of(ready, goal)))
    }

    /// Returns the description of the run, from which workers build their tasks.
    fn about(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.going(py)?.ready.about.to_string())
    }

    #[getter]
    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("{:016x}", self.going(py)?.prefix.part.identity))
    }

    /// Returns whether a target standard error decides when the run ends, and so must be known after every chunk.
    #[getter]
    fn whole(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.going(py)?.prefix.goal().until_error.is_some())
    }

    /// Returns whether enough chunks are merged for the run to end.
    ///
    /// If so, `finish` plays as much of the last chunk as the goal needs.
    #[getter]
    fn enough(&self) -> bool {
        self.enough
    }

    /// Returns the next range of at most `chunks` chunks to play, or `None`.
    ///
    /// `None` means that the run needs no more chunks, or that the range would begin `window` or more chunks ahead
    /// of the merged chunks.
    fn take(&mut self, py: Python<'_>, chunks: u64, window: u64) -> PyResult<Option<(u64, u64)>> {
        Ok(self.going_mut(py)?.take(chunks, window).map(|row| (row.start, row.end)))
    }

    /// Merges the sums that a worker returned, and returns whether the run needs more chunks.
    ///
    /// Sums wait until all earlier chunks are merged.
    fn give(&mut self, py: Python<'_>, piece: &str) -> PyResult<bool> {
        let going = self.going_mut(py)?;
        let more = py.detach(|| going.give(piece)).map_err(|why| wrong(py, &why))?;
        self.enough = !more;
        Ok(more)
    }

    /// Returns the progress of the merged run as (rounds, fraction done, seconds, rounds per second, EV, standard
    /// error).
    fn progress(&self, py: Python<'_>) -> PyResult<(u64, f64, f64, f64, f64, f64)> {
        let told = self.going(py)?.prefix.progress(0, self.begun.elapsed().as_secs_f64());
        Ok((told.rounds, told.share, told.seconds, told.rate, told.ev, told.error))
    }

    /// Ends the run and returns its results.
    ///
    /// Unless `stopped` is true, plays as much of the last chunk as the goal needs. `threads` and `cpu_seconds`
    /// are the totals of the workers.
    fn finish(&mut self, py: Python<'_>, threads: usize, cpu_seconds: f64, stopped: bool) -> PyResult<Run> {
        let ActiveRun { ready, mut prefix, .. } = self.going.take().ok_or_else(|| over(py))?;
        if !stopped {
            py.detach(|| prefix.finish());
        }
        let (job, part) = (*prefix.job, prefix.part);
        let played = part.tally.rounds();
        let seconds = self.begun.elapsed().as_secs_f64();
        let devices = Vec::new();
        let results = Results { job, part, played, threads, seconds, cpu_seconds, stopped, devices };
        Ok(Run::of(ready, results))
    }
}
