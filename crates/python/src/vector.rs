//! Plays many independent seats in parallel, and fills the buffers of NumPy arrays.
//!
//! The only `unsafe` here makes slices of these buffers.

use crate::failure::{not_understood, refused};
use crate::table::Table;
use gym::core::{Core, Options};
use gym::expert::Expert;
use gym::observation::{ACTIONS, FEATURES, MOST, SUITS};
use gym::vector::{self, Buffers, NextRound};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use rules::{Rules, SideBet};
use sim::count::System;
use std::sync::Arc;

/// Returns the names of all actions, the name and the highest value of each feature of an observation, and the names
/// of the suits.
#[pyfunction]
pub fn features() -> (Vec<&'static str>, Vec<&'static str>, Vec<i16>, Vec<&'static str>) {
    (ACTIONS.to_vec(), FEATURES.to_vec(), MOST.to_vec(), SUITS.to_vec())
}

/// Seats that play at tables with the same rules in parallel, each with its own shoe.
#[pyclass(module = "cutcard._native")]
pub struct Vector {
    table: Py<Table>,
    rules: Rules,
    options: Options,
    next_round: NextRound,
    core: Arc<Core>,
    expert: Option<Expert>,
    vector: vector::Vector,
    observations: PyBuffer<i16>,
    masks: PyBuffer<i8>,
    rewards: PyBuffer<f32>,
    terminated: PyBuffer<u8>,
    finals: PyBuffer<i16>,
}

/// A saved state of all seats of a vector: hands, shoes, and the cards still to come.
#[pyclass(frozen, module = "cutcard._native")]
pub struct VectorState {
    rules: Rules,
    options: Options,
    next_round: NextRound,
    vector: vector::Vector,
}

/// Returns the values of a buffer for reading.
fn read<T: Element>(buffer: &PyBuffer<T>) -> &[T] {
    // SAFETY: the buffer is contiguous (checked when it was accepted) and outlives the borrow; NumPy does not resize an
    // array while one of its buffers is held
    unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.item_count()) }
}

/// Returns the values of a buffer for writing.
fn write<T: Element>(buffer: &mut PyBuffer<T>) -> &mut [T] {
    // SAFETY: as above; the arrays belong to one environment, which takes one step at a time
    unsafe { std::slice::from_raw_parts_mut(buffer.buf_ptr().cast(), buffer.item_count()) }
}

fn fits<T: Element>(py: Python<'_>, buffer: &PyBuffer<T>, what: &str, items: usize) -> PyResult<()> {
    if !buffer.is_c_contiguous() || buffer.readonly() || buffer.item_count() != items {
        return Err(not_understood(py, &format!("{what}: expected a contiguous array of {items} numbers")));
    }
    Ok(())
}

impl Vector {
    fn parts(&mut self) -> (&mut vector::Vector, Buffers<'_>) {
        let buffers = Buffers {
            observations: write(&mut self.observations),
            masks: write(&mut self.masks),
            rewards: write(&mut self.rewards),
            terminated: write(&mut self.terminated),
            finals: write(&mut self.finals),
        };
        (&mut self.vector, buffers)
    }
}

/// The buffers of observations, action masks, rewards, terminated flags and final observations, in this order.
type Arrays = (PyBuffer<i16>, PyBuffer<i8>, PyBuffer<f32>, PyBuffer<u8>, PyBuffer<i16>);

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (table, seats, stakes, sides, count, fresh, suits, next_step, buffers))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        table: Bound<'_, Table>,
        seats: usize,
        stakes: Vec<u16>,
        sides: Vec<String>,
        count: Option<&str>,
        fresh: bool,
        suits: bool,
        next_step: bool,
        buffers: Arrays,
    ) -> PyResult<Vector> {
        let bet = |name: &String| {
            SideBet::from_name(name).ok_or_else(|| not_understood(py, &format!("unknown side bet `{name}`")))
        };
        let system = count.map(System::parse).transpose().map_err(|error| not_understood(py, &error))?;
        if stakes.len() + sides.len() > 16 {
            return Err(not_understood(py, "expected at most 16 stakes and side bets together"));
        }
        let sides = sides.iter().map(bet).collect::<PyResult<_>>()?;
        let options = Options { stakes, sides, count: system, fresh, suits };
        let rules = table.get().rules(py)?;
        let core = py.detach(|| Core::new(&rules, &options)).map_err(|why| refused(py, &why, None, None))?;
        let core = Arc::new(core);
        let (observations, masks, rewards, terminated, finals) = buffers;
        fits(py, &observations, "observations", seats * core.features())?;
        fits(py, &masks, "masks", seats * core.actions())?;
        fits(py, &rewards, "rewards", seats)?;
        fits(py, &terminated, "terminated", seats)?;
        fits(py, &finals, "finals", seats * core.features())?;
        let next_round = if next_step { NextRound::NextStep } else { NextRound::SameStep };
        let vector = vector::Vector::new(core.clone(), &vec![0; seats], next_round);
        Ok(Vector {
            table: table.unbind(),
            rules,
            options,
            next_round,
            core,
            expert: None,
            vector,
            observations,
            masks,
            rewards,
            terminated,
            finals,
        })
    }

    /// Gives a new shoe to every seat that has a seed in `seeds`, and asks each of these seats for its bet.
    fn reset(&mut self, py: Python<'_>, seeds: Vec<Option<u64>>) -> PyResult<()> {
        if seeds.len() != self.vector.seats() {
            let seats = self.vector.seats();
            return Err(not_understood(py, &format!("expected {seats} seeds, one per seat")));
        }
        let (vector, mut buffers) = self.parts();
        for (at, _) in seeds.iter().enumerate().filter(|(_, seed)| seed.is_some()) {
            (buffers.rewards[at], buffers.terminated[at]) = (0.0, 0);
        }
        vector.reseat(&seeds);
        vector.observe(&mut buffers);
        Ok(())
    }

    /// Returns the current state of all seats.
    fn state(&self) -> VectorState {
        let Vector { rules, options, next_round, vector, .. } = self;
        VectorState {
            rules: rules.clone(),
            options: options.clone(),
            next_round: *next_round,
            vector: vector.clone(),
        }
    }

    /// Restores a state of all seats that `state` returned.
    ///
    /// Raises an error unless the state belongs to an environment with the same rules, options and number of seats.
    fn restore(&mut self, py: Python<'_>, state: &VectorState) -> PyResult<()> {
        let same = state.rules == self.rules
            && state.options == self.options
            && state.next_round == self.next_round
            && state.vector.seats() == self.vector.seats();
        if !same {
            return Err(not_understood(py, "state: the state belongs to a different environment"));
        }
        (self.core, self.vector) = (state.vector.core().clone(), state.vector.clone());
        let (vector, mut buffers) = self.parts();
        vector.observe(&mut buffers);
        Ok(())
    }

    /// Takes one action for every seat from `answers`, and fills the buffers with the resulting observations and
    /// rewards.
    fn step(&mut self, py: Python<'_>, answers: PyBuffer<i64>) -> PyResult<()> {
        if !answers.is_c_contiguous() || answers.item_count() != self.vector.seats() {
            let seats = self.vector.seats();
            return Err(not_understood(py, &format!("expected {seats} actions, one per seat")));
        }
        let (vector, mut buffers) = self.parts();
        let given = read(&answers);
        py.detach(|| vector.step(given, &mut buffers)).map_err(|no| {
            let message = format!(
                "action {} of seat {} is not an answer to the question {}",
                no.action, no.seat, no.question
            );
            refused(py, &message, None, None)
        })
    }

    /// Writes the action that the exact total-dependent chart takes for every seat into `answers`.
    fn expert(&mut self, py: Python<'_>, mut answers: PyBuffer<i64>) -> PyResult<()> {
        fits(py, &answers, "answers", self.vector.seats())?;
        if self.expert.is_none() {
            let (rules, chart) = (&self.rules, self.table.get().chart(py)?);
            let made = py.detach(|| Expert::new(rules, &chart, &self.core.tree));
            self.expert = Some(made.map_err(|why| refused(py, &why, None, None))?);
        }
        if let Some(expert) = &self.expert {
            self.vector.advise(expert, write(&mut answers));
        }
        Ok(())
    }

    #[getter]
    fn actions(&self) -> usize {
        self.core.actions()
    }
}
