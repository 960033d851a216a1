//! Runs that are played elsewhere: tasks play rows of chunks, and the coordinator merges them from the first one on.

use crate::failure::{raised, refused};
use crate::run::{Run, Wanted};
use crate::table::Table;
use documents::Failure;
use documents::simulate::Ready;
use pyo3::prelude::*;
use serde_json::Value;
use sim::chunk::Job;
use sim::identity::identity;
use sim::isa::Isa;
use sim::part::Part;
use sim::prefix::{Goal, Piece, Prefix};
use sim::report::Stakes;
use sim::{Options, Results};
use std::collections::BTreeMap;
use std::time::Instant;

fn wrong(py: Python<'_>, why: &str) -> PyErr {
    refused(py, why, None, None)
}

/// A job from its description, as workers make it: the chart is in it, so nothing is solved again.
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

    /// Plays a row of chunks. `whole` if the error decides when the run ends.
    fn play(&self, py: Python<'_>, first: u64, end: u64, whole: bool) -> String {
        py.detach(|| Piece::play(&self.job, first..end, whole).to_text())
    }

    #[getter]
    fn instruction_set(&self) -> &'static str {
        self.job.isa.name()
    }
}

/// One piece of several that follow each other.
#[pyfunction]
pub fn join(py: Python<'_>, pieces: Vec<String>) -> PyResult<String> {
    let joined = py.detach(|| {
        let mut pieces = pieces.iter().map(|text| Piece::from_text(text));
        let mut first = pieces.next().ok_or_else(|| "there is nothing to join".to_string())??;
        for piece in pieces {
            first.join(&piece?)?;
        }
        Ok(first.to_text())
    });
    joined.map_err(|why: String| wrong(py, &why))
}

/// Hands out rows of chunks, never too far ahead of what is merged, and merges what comes back.
#[pyclass(module = "cutcard._native")]
pub struct Coordinator {
    ready: Option<Ready>,
    job: Option<Job>,
    goal: Goal,
    part: Part,
    /// The next chunk to hand out.
    out: u64,
    waiting: BTreeMap<u64, Piece>,
    enough: bool,
    begun: Instant,
}

impl Coordinator {
    fn of(ready: Ready, goal: Goal) -> Result<Coordinator, Failure> {
        let job = ready.job()?;
        let part = Part::empty(&job);
        let prefix = Prefix::new(&job, goal.clone(), part.clone());
        let (out, enough) = (prefix.next(), prefix.is_enough());
        let waiting = BTreeMap::new();
        Ok(Coordinator {
            ready: Some(ready),
            job: Some(job),
            goal,
            part,
            out,
            waiting,
            enough,
            begun: Instant::now(),
        })
    }

    /// Lends the job and what is merged to somebody who merges further.
    fn merge<T>(&mut self, work: impl FnOnce(&mut Prefix<'_>, &mut BTreeMap<u64, Piece>) -> T) -> Option<T> {
        let job = self.job.as_ref()?;
        let mut prefix = Prefix::new(job, self.goal.clone(), self.part.clone());
        let done = work(&mut prefix, &mut self.waiting);
        self.part = prefix.part;
        Some(done)
    }
}

fn over(py: Python<'_>) -> PyErr {
    wrong(py, "the run is over")
}

#[pymethods]
impl Coordinator {
    #[new]
    fn new(py: Python<'_>, table: &Table, wanted: Wanted) -> PyResult<Coordinator> {
        let (asked, stakes) = wanted.asked(py)?;
        let rules = table.rules(py)?;
        py.detach(|| {
            let options: Options = asked.options()?;
            Coordinator::of(asked.ready(rules.choices().clone(), stakes)?, Goal::of(&options))
        })
        .map_err(|failure| raised(py, &failure))
    }

    /// From a description alone, as the program hands it over.
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
        ready.and_then(|ready| Coordinator::of(ready, goal)).map_err(|failure| raised(py, &failure))
    }

    /// The description that tasks are made from.
    fn about(&self, py: Python<'_>) -> PyResult<String> {
        self.ready.as_ref().map(|ready| ready.about.to_string()).ok_or_else(|| over(py))
    }

    #[getter]
    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        self.job.as_ref().map(|job| format!("{:016x}", identity(job))).ok_or_else(|| over(py))
    }

    /// Whether single chunks must be told apart by their errors.
    #[getter]
    fn whole(&self) -> bool {
        self.goal.until_error.is_some()
    }

    #[getter]
    fn enough(&self) -> bool {
        self.enough
    }

    /// The next row of at most so many chunks, if no more than `window` of them are then ahead of what is merged.
    fn take(&mut self, chunks: u64, window: u64) -> Option<(u64, u64)> {
        let merged = self.part.chunks.last().map_or(0, |row| row.end);
        let mut last = merged.saturating_add(window);
        let mut row = chunks.max(1);
        // where a number of rounds is wanted, rows become shorter towards its end, and none lies far beyond it
        if self.goal.until_error.is_none() {
            let rounds = self.part.tally.rounds();
            let each = if merged == 0 { 1 << 17 } else { rounds / merged };
            last = last.min(merged.saturating_add((self.goal.rounds - rounds) / each.max(1) + 2));
            row = row.min((last.saturating_sub(self.out) / 16).max(1));
        }
        if self.enough || self.out >= last {
            return None;
        }
        self.out += row;
        Some((self.out - row, self.out))
    }

    /// Takes a piece that was played; whether more are wanted.
    fn give(&mut self, py: Python<'_>, piece: &str) -> PyResult<bool> {
        let more = py.detach(|| -> Result<bool, String> {
            let piece = Piece::from_text(piece)?;
            self.waiting.insert(piece.chunks.start, piece);
            let merged = self.merge(|prefix, waiting| {
                let mut more = !prefix.is_enough();
                while let (true, Some(piece)) = (more, waiting.remove(&prefix.next())) {
                    more = prefix.add_piece(&piece)?;
                }
                Ok(more)
            });
            merged.unwrap_or_else(|| Err("the run is over".into()))
        });
        let more = more.map_err(|why| wrong(py, &why))?;
        self.enough = !more;
        Ok(more)
    }

    /// How far it is: rounds, share, seconds, rate, value, error.
    fn progress(&mut self) -> Option<(u64, f64, f64, f64, f64, f64)> {
        let job = self.job.as_ref()?;
        let prefix = Prefix::new(job, self.goal.clone(), self.part.clone());
        let told = prefix.progress(self.begun.elapsed().as_secs_f64());
        Some((told.rounds, told.share, told.seconds, told.rate, told.ev, told.error))
    }

    /// Ends the run: the last chunk is cut, unless it was stopped. `threads` and `cpu_seconds` are what others used.
    fn finish(&mut self, py: Python<'_>, threads: usize, cpu_seconds: f64, stopped: bool) -> PyResult<Run> {
        py.detach(|| {
            self.merge(|prefix, _| {
                if !stopped {
                    prefix.finish()
                }
            })
        })
        .ok_or_else(|| over(py))?;
        let (Some(ready), Some(job)) = (self.ready.take(), self.job.take()) else { return Err(over(py)) };
        let part = std::mem::replace(&mut self.part, Part::empty(&job));
        let played = part.tally.rounds();
        let seconds = self.begun.elapsed().as_secs_f64();
        let devices = Vec::new();
        let results = Results { job, part, played, threads, seconds, cpu_seconds, stopped, devices };
        Ok(Run::of(ready, results))
    }
}
