//! Many seats at once: a step takes an answer of each and fills the buffers of the caller. A seat whose round is over is
//! asked for its next wager in the same step.

use crate::cards::{Cards, Counted, FEW, Listed};
use crate::core::{Core, Seat};
use crate::expert::Expert;
use crate::sight::FEATURES;
use sim::rng::mix;
use std::sync::Arc;

/// Where a step writes, one row a seat.
pub struct Buffers<'b> {
    /// What each seat sees.
    pub observations: &'b mut [i16],
    /// One for every action that the seat may take.
    pub masks: &'b mut [i8],
    /// What the last step won, in initial wagers.
    pub rewards: &'b mut [f32],
    /// One where the round is over.
    pub terminated: &'b mut [u8],
}

enum Seats {
    Counted(Vec<Seat<Counted>>),
    Listed(Vec<Seat<Listed>>),
}

/// Seats that play side by side, each from a shoe of its own.
pub struct Vector {
    core: Arc<Core>,
    seats: Seats,
    actions: usize,
}

/// An answer that was not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAllowed {
    /// The seat.
    pub seat: usize,
    /// What it was to do.
    pub action: i64,
    /// What it was asked.
    pub question: &'static str,
}

impl Vector {
    /// So many seats, each with a stack of its own that follows from the seed.
    pub fn new(core: Arc<Core>, seats: usize, seed: u64) -> Vector {
        let mut state = seed;
        let mut seed = || mix(&mut state);
        let seats = if core.full().len() <= FEW {
            Seats::Counted((0..seats).map(|_| Seat::new(&core, Counted::new(core.full(), seed()))).collect())
        } else {
            Seats::Listed((0..seats).map(|_| Seat::new(&core, Listed::new(core.full(), seed()))).collect())
        };
        Vector { actions: core.actions(), core, seats }
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        match &self.seats {
            Seats::Counted(seats) => seats.len(),
            Seats::Listed(seats) => seats.len(),
        }
    }

    /// The table that all of them play at.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Fills the buffers with what every seat is asked now.
    pub fn look(&self, out: &mut Buffers<'_>) {
        match &self.seats {
            Seats::Counted(seats) => look(&self.core, self.actions, seats, out),
            Seats::Listed(seats) => look(&self.core, self.actions, seats, out),
        }
    }

    /// What an expert would answer in every seat.
    pub fn advise(&self, expert: &Expert, answers: &mut [i64]) {
        match &self.seats {
            Seats::Counted(seats) => advise(&self.core, expert, seats, answers),
            Seats::Listed(seats) => advise(&self.core, expert, seats, answers),
        }
    }

    /// Takes an answer of every seat. Nothing moves if any of them is not allowed.
    pub fn step(&mut self, answers: &[i64], out: &mut Buffers<'_>) -> Result<(), NotAllowed> {
        match &mut self.seats {
            Seats::Counted(seats) => step(&self.core, self.actions, seats, answers, out),
            Seats::Listed(seats) => step(&self.core, self.actions, seats, answers, out),
        }
    }
}

fn advise<C: Cards>(core: &Core, expert: &Expert, seats: &[Seat<C>], answers: &mut [i64]) {
    for (seat, answer) in seats.iter().zip(answers) {
        *answer = expert.answer(core, seat) as i64;
    }
}

#[inline]
fn show<C: Cards>(core: &Core, seat: &Seat<C>, observation: &mut [i16], mask: &mut [i8]) {
    seat.write(core, observation);
    let bits = seat.mask(core);
    for (bit, place) in mask.iter_mut().enumerate() {
        *place = (bits >> bit & 1) as i8;
    }
}

fn look<C: Cards>(core: &Core, actions: usize, seats: &[Seat<C>], out: &mut Buffers<'_>) {
    let rows = out.observations.chunks_exact_mut(FEATURES.len()).zip(out.masks.chunks_exact_mut(actions));
    for (seat, (observation, mask)) in seats.iter().zip(rows) {
        show(core, seat, observation, mask);
    }
}

fn step<C: Cards>(
    core: &Core,
    actions: usize,
    seats: &mut [Seat<C>],
    answers: &[i64],
    out: &mut Buffers<'_>,
) -> Result<(), NotAllowed> {
    for (at, (seat, &action)) in seats.iter().zip(answers).enumerate() {
        let known = (0..actions as i64).contains(&action);
        if !known || seat.mask(core) >> action & 1 == 0 {
            return Err(NotAllowed { seat: at, action, question: seat.question().word() });
        }
    }
    let rows = out.observations.chunks_exact_mut(FEATURES.len()).zip(out.masks.chunks_exact_mut(actions));
    let ends = out.rewards.iter_mut().zip(out.terminated.iter_mut());
    for (((seat, &action), (observation, mask)), (reward, terminated)) in
        seats.iter_mut().zip(answers).zip(rows).zip(ends)
    {
        let won = seat.answer(core, action as usize);
        *reward = won.unwrap_or(0.0) as f32;
        *terminated = u8::from(won.is_some());
        if won.is_some() {
            seat.begin(core);
        }
        show(core, seat, observation, mask);
    }
    Ok(())
}
