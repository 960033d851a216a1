//! Runs simulations and returns their results to Python.

use crate::arrow::{Column, Columns};
use crate::failure::{not_understood, raised};
use documents::Failure;
use documents::simulate::{DIVISORS, ROUNDINGS, Ready, SimulationOptions};
use program::hand::LEAST_COUNT;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use sim::part::RunPart;
use sim::plot;
use sim::report::Stakes;
use sim::{Hooks, Progress, Results, simulate};
use std::sync::atomic::{AtomicBool, Ordering};

/// The options for a simulation, named after the program's flags.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct RunOptions {
    pub rounds: Option<u64>,
    pub seed: u64,
    pub threads: Option<usize>,
    pub fresh_shoes: bool,
    pub boxes: usize,
    pub strategy: String,
    pub side_wagers: Vec<String>,
    pub count: Option<String>,
    pub count_by: Option<String>,
    pub count_start: Option<i32>,
    pub rounding: String,
    pub ramp: Option<String>,
    pub side_counts: Vec<String>,
    pub side_ramps: Vec<String>,
    pub until_error: Option<f64>,
    pub isa: Option<String>,
    pub pace: f64,
    pub bankroll: f64,
    pub trip: f64,
    pub risk: f64,
    pub shoes: bool,
}

fn word<T: Copy>(py: Python<'_>, what: &str, words: &[(&str, T)], given: &str) -> PyResult<T> {
    let found = words.iter().find(|row| row.0 == given).map(|row| row.1);
    found.ok_or_else(|| {
        let all: Vec<&str> = words.iter().map(|row| row.0).collect();
        not_understood(py, &format!("{what}: unknown `{given}`; expected one of {}", all.join(", ")))
    })
}

impl RunOptions {
    pub fn asked(&self, py: Python<'_>) -> PyResult<(SimulationOptions, Stakes)> {
        let count_by = self.count_by.as_deref().map(|by| word(py, "count_by", &DIVISORS, by)).transpose()?;
        let asked = SimulationOptions {
            rounds: self.rounds,
            seed: self.seed,
            threads: self.threads,
            fresh_shoes: self.fresh_shoes,
            boxes: self.boxes,
            strategy: self.strategy.clone(),
            side_wagers: self.side_wagers.clone(),
            count: self.count.clone(),
            count_by,
            count_start: self.count_start,
            rounding: word(py, "rounding", &ROUNDINGS, &self.rounding)?,
            ramp: self.ramp.clone(),
            side_counts: self.side_counts.clone(),
            side_ramps: self.side_ramps.clone(),
            until_error: self.until_error,
            chunks: None,
            isa: self.isa.clone(),
        };
        let stakes = Stakes { pace: self.pace, bankroll: self.bankroll, trip: self.trip, risk: self.risk };
        Ok((asked, stakes))
    }
}

/// The results of a simulation, with the run that they belong to.
#[pyclass(frozen, module = "cutcard._native")]
pub struct Run {
    ready: Ready,
    results: Results,
    shoes: Option<Shoes>,
}

/// The results of single shoes, as columns with one value per shoe.
#[derive(Default)]
struct Shoes {
    chunk: Vec<i64>,
    lane: Vec<i64>,
    shoe: Vec<i64>,
    rounds: Vec<i64>,
    cards: Vec<i64>,
    net: Vec<f64>,
}

impl Run {
    /// Creates a run from finished results, without the results of single shoes.
    pub fn of(ready: Ready, results: Results) -> Run {
        Run { ready, results, shoes: None }
    }

    /// Plays a run and reports its progress to the callback `tell`.
    ///
    /// Ctrl-C ends the run and keeps its results so far.
    pub fn play(py: Python<'_>, ready: Ready, wants_shoes: bool, tell: Option<Py<PyAny>>) -> PyResult<Run> {
        let mut interrupted: Option<PyErr> = None;
        let played = py.detach(|| -> Result<Run, Failure> {
            let program = ready.program()?;
            let unit = program.initial() as f64;
            let stop = AtomicBool::new(false);
            let mut shoes = Shoes::default();
            let mut each = |shoe: &sim::chunk::ShoeResult| {
                shoes.chunk.push(shoe.chunk as i64);
                shoes.lane.push(i64::from(shoe.lane));
                shoes.shoe.push(i64::from(shoe.shoe));
                shoes.rounds.push(i64::from(shoe.rounds));
                shoes.cards.push(i64::from(shoe.cards));
                shoes.net.push(shoe.net as f64 / unit);
            };
            let mut show = |progress: &Progress| {
                if let Err(error) = report(tell.as_ref(), progress) {
                    stop.store(true, Ordering::Relaxed);
                    interrupted.get_or_insert(error);
                }
            };
            let hooks = Hooks {
                progress: Some(&mut show),
                stop: Some(&stop),
                shoes: wants_shoes.then_some(&mut each),
                ..Hooks::default()
            };
            let results = simulate(program, &ready.options, hooks).map_err(Failure::Refused)?;
            Ok(Run { ready, results, shoes: wants_shoes.then_some(shoes) })
        });
        match interrupted {
            // Ctrl-C returns the results so far
            Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
            _ => played.map_err(|failure| raised(py, &failure)),
        }
    }
}

/// Checks for Ctrl-C, and reports the progress to the callback `tell` if there is one.
fn report(tell: Option<&Py<PyAny>>, progress: &Progress) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        if let Some(tell) = tell {
            let Progress { rounds, share, seconds, rate, ev, error, .. } = *progress;
            tell.call1(py, (rounds, share, seconds, rate, ev, error))?;
        }
        Ok(())
    })
}

/// A picture: its name, its SVG, and its shapes (title, names of the axes, bars, lines).
type Drawn = (&'static str, String, (String, [&'static str; 2], Vec<Bar>, Vec<Line>));
type Bar = (f64, f64, f64, &'static str);
type Line = (Vec<(f64, f64)>, &'static str, String);

/// The columns of the shoe results: chunk, lane, shoe, rounds, cards, net.
type ShoeColumns = (Vec<i64>, Vec<i64>, Vec<i64>, Vec<i64>, Vec<i64>, Vec<f64>);

#[pymethods]
impl Run {
    /// Restores a run from the values that `part` and `shoe_columns` returned.
    ///
    /// Raises an error if the sums belong to a different table.
    #[staticmethod]
    #[pyo3(signature = (part, stopped, shoes))]
    fn from_part(py: Python<'_>, part: &str, stopped: bool, shoes: Option<ShoeColumns>) -> PyResult<Run> {
        let (part, about) = RunPart::from_text(part).map_err(|why| not_understood(py, &why))?;
        let made = Ready::from_about(&about, Stakes::default()).and_then(|ready| Ok((ready.job()?, ready)));
        let (job, ready) = made.map_err(|failure| raised(py, &failure))?;
        if part.identity != RunPart::empty(&job).identity {
            return Err(not_understood(py, "the part belongs to a different table"));
        }
        let played = part.tally.rounds();
        let devices = Vec::new();
        let results =
            Results { job, part, played, threads: 1, seconds: 0.0, cpu_seconds: 0.0, stopped, devices };
        let shoes = shoes.map(|(chunk, lane, shoe, rounds, cards, net)| Shoes {
            chunk,
            lane,
            shoe,
            rounds,
            cards,
            net,
        });
        Ok(Run { ready, results, shoes })
    }

    /// Returns the results of single shoes as one list per column, or `None` if they were not requested.
    fn shoe_columns(&self) -> Option<ShoeColumns> {
        let Shoes { chunk, lane, shoe, rounds, cards, net } = self.shoes.as_ref()?;
        Some((chunk.clone(), lane.clone(), shoe.clone(), rounds.clone(), cards.clone(), net.clone()))
    }

    /// Returns the document that the program prints for the run.
    fn document(&self, py: Python<'_>) -> PyResult<String> {
        self.ready.outcome(&self.results).to_text().map_err(|failure| raised(py, &failure))
    }

    /// Returns the sums of the run in the format of a part file.
    fn part(&self) -> String {
        self.results.part.to_text(&self.ready.about)
    }

    #[getter]
    fn stopped(&self) -> bool {
        self.results.stopped
    }

    /// Returns the pictures of the run, each as its name, its SVG, and the shapes in it.
    fn pictures(&self, py: Python<'_>) -> Vec<Drawn> {
        let (job, tally) = (&self.results.job, &self.results.part.tally);
        let risk = || plot::risk(job, tally, &self.ready.stakes);
        let pictures = py.detach(|| plot::plots(job, tally).into_iter().chain([risk()]).collect::<Vec<_>>());
        let drawn = |picture: plot::Plot| {
            let name = picture.file.strip_suffix(".svg").unwrap_or(picture.file);
            let svg = picture.svg();
            let bars = picture.bars.iter().map(|bar| (bar.at, bar.width, bar.to, bar.colour)).collect();
            let lines =
                picture.lines.into_iter().map(|line| (line.points, line.colour, line.label)).collect();
            (name, svg, (picture.title, picture.names, bars, lines))
        };
        pictures.into_iter().map(drawn).collect()
    }

    /// Returns one row of results for each count at which rounds started.
    ///
    /// The columns are empty if the run counted no cards.
    fn by_count(&self) -> Columns {
        let (job, tally) = (&self.results.job, &self.results.part.tally);
        let (unit, n) = (job.initial() as f64, tally.rounds().max(1) as f64);
        let boxes = job.boxes as f64;
        let rows = || {
            let counted = job.counting.is_some();
            tally.cells.iter().enumerate().filter(move |row| counted && row.1.net.count > 0)
        };
        Columns::new(vec![
            ("count", Column::Whole(rows().map(|(at, _)| at as i64 + i64::from(LEAST_COUNT)).collect())),
            ("rounds", Column::Whole(rows().map(|(_, cell)| cell.net.count as i64).collect())),
            ("frequency", Column::Real(rows().map(|(_, cell)| cell.net.count as f64 / n).collect())),
            ("stake", Column::Whole(rows().map(|(at, _)| i64::from(job.stake(at))).collect())),
            ("ev", Column::Real(rows().map(|(_, cell)| cell.net.mean() / unit / boxes).collect())),
            ("std_error", Column::Real(rows().map(|(_, cell)| cell.net.error() / unit / boxes).collect())),
            ("std_dev", Column::Real(rows().map(|(_, cell)| cell.net.variance().sqrt() / unit).collect())),
        ])
    }

    /// Returns one row of results for each side bet of the run.
    fn side_wagers(&self) -> Columns {
        let (job, tally) = (&self.results.job, &self.results.part.tally);
        let rows = || job.program.sides.iter().zip(&tally.sides);
        Columns::new(vec![
            ("wager", Column::texts(rows().map(|(side, _)| side.bet.name()))),
            ("wagers", Column::Whole(rows().map(|(_, tally)| tally.net.count as i64).collect())),
            (
                "house_edge",
                Column::Real(rows().map(|(side, tally)| -tally.net.mean() / side.unit as f64).collect()),
            ),
            (
                "std_error",
                Column::Real(rows().map(|(side, tally)| tally.error() / side.unit as f64).collect()),
            ),
            (
                "std_dev",
                Column::Real(
                    rows().map(|(side, tally)| tally.net.variance().sqrt() / side.unit as f64).collect(),
                ),
            ),
        ])
    }

    /// Returns the results of single shoes as columns, or `None` if they were not requested.
    fn shoes(&self) -> Option<Columns> {
        let shoes = self.shoes.as_ref()?;
        Some(Columns::new(vec![
            ("chunk", Column::Whole(shoes.chunk.clone())),
            ("lane", Column::Whole(shoes.lane.clone())),
            ("shoe", Column::Whole(shoes.shoe.clone())),
            ("rounds", Column::Whole(shoes.rounds.clone())),
            ("cards", Column::Whole(shoes.cards.clone())),
            ("net", Column::Real(shoes.net.clone())),
        ]))
    }
}
