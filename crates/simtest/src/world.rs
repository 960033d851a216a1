//! Provides the environment of a simulated house: its clock, its random numbers and its delays.
//!
//! The clock can jump, the random numbers come from a seed, and background work is delayed, now and then for long.

use crate::dice::Dice;
use crate::disk;
use ledger::Moment;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use tokio::time::Instant;

/// The average number of background steps from one stall to the next.
const STALLS: u64 = 400;
const LONGEST_STALL_MS: u64 = 2_500;
const LONGEST_PAUSE_US: u64 = 3_000;

pub struct SimWorld {
    dice: RefCell<Dice>,
    since: Instant,
    /// The true time, without the clock's error, at the instant `since`.
    at: Moment,
    clock_error_ms: Cell<i64>,
}

impl SimWorld {
    pub fn new(dice: Dice, at: Moment) -> SimWorld {
        SimWorld { dice: RefCell::new(dice), since: Instant::now(), at, clock_error_ms: Cell::new(0) }
    }

    /// Draws all random numbers from `dice` from now on.
    pub fn draw_from(&self, dice: Dice) {
        self.dice.replace(dice);
    }

    /// Shifts the machine's clock by `ms` milliseconds, as a mistaken operator or an empty battery would.
    pub fn jump(&self, ms: i64) {
        self.clock_error_ms.set(self.clock_error_ms.get() + ms);
    }

    /// Sets the machine's clock to the true time.
    pub fn correct_clock(&self) {
        self.clock_error_ms.set(0);
    }

    pub fn clock_error_ms(&self) -> i64 {
        self.clock_error_ms.get()
    }

    /// Returns the true time.
    pub fn true_time(&self) -> Moment {
        self.at.plus_ms(i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX))
    }
}

impl ledger::world::World for SimWorld {
    fn wall_clock(&self) -> Moment {
        self.true_time().plus_ms(self.clock_error_ms.get())
    }

    fn fill(&self, bytes: &mut [u8]) {
        let mut dice = self.dice.borrow_mut();
        for part in bytes.chunks_mut(8) {
            let word = dice.word().to_le_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
    }

    fn pause(&self) -> Duration {
        let mut dice = self.dice.borrow_mut();
        match dice.one_in(STALLS) {
            true => Duration::from_millis(dice.below(LONGEST_STALL_MS)),
            false => Duration::from_micros(dice.below(LONGEST_PAUSE_US)),
        }
    }

    fn alive(&self) -> bool {
        disk::with(|disk| disk.is_on()).unwrap_or(true)
    }
}
