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
    /// What each seat may answer, a bit an action.
    open: Vec<u32>,
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
            let full = Counted::new(core.full(), 0);
            Seats::Counted((0..seats).map(|_| Seat::new(&core, full.another(seed()))).collect())
        } else {
            Seats::Listed((0..seats).map(|_| Seat::new(&core, Listed::new(core.full(), seed()))).collect())
        };
        let open = match &seats {
            Seats::Counted(seats) => seats.iter().map(|seat| seat.mask(&core)).collect(),
            Seats::Listed(seats) => seats.iter().map(|seat| seat.mask(&core)).collect(),
        };
        Vector { actions: core.actions(), core, seats, open }
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
            Seats::Counted(seats) => step(&self.core, self.actions, (seats, &mut self.open), answers, out),
            Seats::Listed(seats) => step(&self.core, self.actions, (seats, &mut self.open), answers, out),
        }
    }
}

fn advise<C: Cards>(core: &Core, expert: &Expert, seats: &[Seat<C>], answers: &mut [i64]) {
    for (seat, answer) in seats.iter().zip(answers) {
        *answer = expert.answer(core, seat) as i64;
    }
}

#[inline]
fn show<C: Cards>(core: &Core, seat: &Seat<C>, observation: &mut [i16], mask: &mut [i8]) -> u32 {
    seat.write(core, observation);
    let bits = seat.mask(core);
    for (bits, places) in bits.to_le_bytes().into_iter().zip(mask.chunks_mut(8)) {
        let spread = apart(bits);
        match <&mut [i8; 8]>::try_from(&mut *places) {
            Ok(eight) => *eight = spread,
            Err(_) => places.copy_from_slice(&spread[..places.len()]),
        }
    }
    bits
}

/// The bits of a byte, a byte each.
#[inline]
fn apart(bits: u8) -> [i8; 8] {
    let each = (u64::from(bits) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // whatever is not zero carries into the highest bit of its byte
    let set = ((each & !0x8080_8080_8080_8080) + 0x7F7F_7F7F_7F7F_7F7F) | each;
    ((set >> 7) & 0x0101_0101_0101_0101).to_le_bytes().map(|byte| byte as i8)
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
    (seats, open): (&mut [Seat<C>], &mut [u32]),
    answers: &[i64],
    out: &mut Buffers<'_>,
) -> Result<(), NotAllowed> {
    let refused = |(&open, &action): (&u32, &i64)| !(0..32).contains(&action) || open >> action & 1 == 0;
    if let Some(at) = open.iter().zip(answers).position(refused) {
        return Err(NotAllowed { seat: at, action: answers[at], question: seats[at].question().word() });
    }
    let rows = out.observations.chunks_exact_mut(FEATURES.len()).zip(out.masks.chunks_exact_mut(actions));
    let ends = out.rewards.iter_mut().zip(out.terminated.iter_mut());
    for ((((seat, open), &action), (observation, mask)), (reward, terminated)) in
        seats.iter_mut().zip(open).zip(answers).zip(rows).zip(ends)
    {
        let won = seat.answer(core, action as usize);
        *reward = won.unwrap_or(0.0) as f32;
        *terminated = u8::from(won.is_some());
        if won.is_some() {
            seat.begin(core);
        }
        *open = show(core, seat, observation, mask);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_gets_a_byte() {
        for bits in 0..=255u8 {
            assert_eq!(apart(bits), std::array::from_fn(|at| (bits >> at & 1) as i8), "{bits:b}");
        }
    }
}
