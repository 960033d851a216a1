//! Runs many seats in parallel.
//!
//! Each step takes one answer per seat and fills the caller's buffers. A seat whose round is over starts its next
//! round in the same step or in the following step.

use crate::cards::{Cards, CountedShoe, ListedShoe, MAX_COUNTED_FACES};
use crate::core::Core;
use crate::expert::Expert;
use crate::observation::Question;
use crate::seat::Seat;
use sim::rng::mix;
use std::iter::repeat_with;
use std::sync::Arc;

/// The output buffers of a step, with one row per seat.
pub struct Buffers<'b> {
    /// The observation of each seat, one number per feature in the order of [`FEATURES`], then of [`SUITS`] if the
    /// observations show suits.
    ///
    /// [`FEATURES`]: crate::observation::FEATURES
    /// [`SUITS`]: crate::observation::SUITS
    pub observations: &'b mut [i16],
    /// The action mask of each seat, one byte per action: 1 for a legal action, 0 for an illegal action.
    pub masks: &'b mut [i8],
    /// The net win of each seat, in initial bets, if its round ended in the last step; 0 otherwise.
    pub rewards: &'b mut [f32],
    /// Whether each seat's round ended in the last step: 1 if it ended, 0 otherwise.
    pub terminated: &'b mut [u8],
    /// The final observations of the rounds that ended, for seats that started their next round in the same step.
    ///
    /// This buffer may be empty if the caller does not need final observations.
    pub finals: &'b mut [i16],
}

/// The step in which a seat starts its next round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextRound {
    /// The next round starts in the step that ends the previous one.
    SameStep,
    /// The next round starts in the following step, whatever the seat answers.
    NextStep,
}

#[derive(Clone)]
enum Seats {
    Counted(Vec<Seat<CountedShoe>>),
    Listed(Vec<Seat<ListedShoe>>),
}

/// Seats that play in parallel, each with its own shoe; a clone continues with the same cards.
#[derive(Clone)]
pub struct Vector {
    core: Arc<Core>,
    next_round: NextRound,
    seats: Seats,
    /// The legal actions of each seat, one bit per action.
    open: Vec<u32>,
    scratch: Scratch,
}

/// The working lists of a step, reused to avoid allocation.
#[derive(Clone, Default)]
struct Scratch {
    /// The indices of the seats, grouped by their answers.
    order: Vec<u32>,
    /// The indices of the seats whose rounds are over.
    over: Vec<u32>,
    /// The indices of the seats whose dealers are still drawing.
    drawing: Vec<u32>,
}

/// The error for an illegal action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAllowed {
    /// The index of the seat that answered.
    pub seat: usize,
    /// The number of the illegal action.
    pub action: i64,
    /// The name of the question that the seat was asked.
    pub question: &'static str,
}

impl Vector {
    /// Returns one seat per seed, each with its own shoe shuffled by the seed.
    pub fn new(core: Arc<Core>, seeds: &[u64], next_round: NextRound) -> Vector {
        let seeds = seeds.iter().map(|&seed| mix(&mut { seed }));
        let seats = if core.full().len() <= MAX_COUNTED_FACES {
            let full = CountedShoe::new(core.full(), 0);
            Seats::Counted(seeds.map(|seed| Seat::new(&core, full.full_copy(seed))).collect())
        } else {
            Seats::Listed(seeds.map(|seed| Seat::new(&core, ListedShoe::new(core.full(), seed))).collect())
        };
        let open = match &seats {
            Seats::Counted(seats) => seats.iter().map(|seat| seat.mask(&core)).collect(),
            Seats::Listed(seats) => seats.iter().map(|seat| seat.mask(&core)).collect(),
        };
        Vector { core, next_round, seats, open, scratch: Scratch::default() }
    }

    /// Replaces each seat that has a seed in `seeds` by a new seat with this seed.
    pub fn reseat(&mut self, seeds: &[Option<u64>]) {
        let given: Vec<u64> = seeds.iter().copied().flatten().collect();
        let new = Vector::new(self.core.clone(), &given, self.next_round);
        match (&mut self.seats, new.seats) {
            (Seats::Counted(seats), Seats::Counted(new)) => replace_seats(seats, new, seeds),
            (Seats::Listed(seats), Seats::Listed(new)) => replace_seats(seats, new, seeds),
            (seats, new) => *seats = new,
        }
    }

    /// Returns the number of seats.
    pub fn seats(&self) -> usize {
        match &self.seats {
            Seats::Counted(seats) => seats.len(),
            Seats::Listed(seats) => seats.len(),
        }
    }

    /// Returns the compiled table that all seats share.
    pub fn core(&self) -> &Arc<Core> {
        &self.core
    }

    /// Writes the seats' current observations and masks into the buffers.
    pub fn observe(&mut self, out: &mut Buffers<'_>) {
        match &self.seats {
            Seats::Counted(seats) => observe(&self.core, seats, &mut self.open, out),
            Seats::Listed(seats) => observe(&self.core, seats, &mut self.open, out),
        }
    }

    /// Writes the expert's answer to each seat's current question into `answers`.
    pub fn advise(&self, expert: &Expert, answers: &mut [i64]) {
        match &self.seats {
            Seats::Counted(seats) => advise(&self.core, expert, seats, answers),
            Seats::Listed(seats) => advise(&self.core, expert, seats, answers),
        }
    }

    /// Carries out one answer per seat, and fills the buffers.
    ///
    /// A seat whose round is over starts its next round, whatever its answer. If any answer is illegal, returns an
    /// error and changes no seat.
    pub fn step(&mut self, answers: &[i64], out: &mut Buffers<'_>) -> Result<(), NotAllowed> {
        let refused = |(&open, &action): (&u32, &i64)| {
            open != 0 && (!(0..32).contains(&action) || open >> action & 1 == 0)
        };
        if let Some(seat) = self.open.iter().zip(answers).position(refused) {
            let question = match &self.seats {
                Seats::Counted(seats) => seats[seat].question(),
                Seats::Listed(seats) => seats[seat].question(),
            };
            return Err(NotAllowed { seat, action: answers[seat], question: question.word() });
        }
        let (core, how, answered) = (&self.core, self.next_round, (answers, &mut self.open[..]));
        match &mut self.seats {
            Seats::Counted(seats) => self.scratch.step_all(core, how, seats, answered, out),
            Seats::Listed(seats) => self.scratch.step_all(core, how, seats, answered, out),
        }
        Ok(())
    }
}

fn replace_seats<C>(seats: &mut [Seat<C>], new: Vec<Seat<C>>, seeds: &[Option<u64>]) {
    let places = seats.iter_mut().zip(seeds).filter(|(_, seed)| seed.is_some());
    for ((place, _), seat) in places.zip(new) {
        *place = seat;
    }
}

fn advise<C: Cards>(core: &Core, expert: &Expert, seats: &[Seat<C>], answers: &mut [i64]) {
    for (seat, answer) in seats.iter().zip(answers) {
        *answer = expert.answer(core, seat) as i64;
    }
}

/// An upper bound on the number of different actions.
const MAX_ACTIONS: usize = 32;

/// Writes each bit of `bits` as one byte of `mask`, lowest bit first.
#[inline]
fn bits_to_bytes(bits: u32, mask: &mut [i8]) {
    let length = mask.len();
    if let (8..=16, Some((first, _))) = (length, mask.split_first_chunk_mut()) {
        *first = BITS_AS_BYTES[bits as usize % 256];
        if let Some((_, last)) = mask.split_last_chunk_mut() {
            *last = BITS_AS_BYTES[(bits >> (length - 8)) as usize % 256];
        }
        return;
    }
    for (at, place) in mask.iter_mut().enumerate() {
        *place = (bits >> at & 1) as i8;
    }
}

/// The bits of every byte value as one byte each, lowest bit first.
static BITS_AS_BYTES: [[i8; 8]; 256] = {
    let mut all = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        all[at / 8][at % 8] = ((at / 8) >> (at % 8) & 1) as i8;
        at += 1;
    }
    all
};

fn observe<C: Cards>(core: &Core, seats: &[Seat<C>], open: &mut [u32], out: &mut Buffers<'_>) {
    let seats = seats.iter().zip(open).zip(out.masks.chunks_exact_mut(core.actions()));
    let show_mask = |seat: &Seat<C>, open: &mut u32, mask: &mut [i8]| {
        *open = seat.mask(core);
        bits_to_bytes(*open, mask);
    };
    if core.suits {
        for (((seat, open), mask), row) in seats.zip(out.observations.chunks_exact_mut(core.features())) {
            write_with_suits(core, seat, row);
            show_mask(seat, open, mask);
        }
        return;
    }
    for (((seat, open), mask), row) in seats.zip(out.observations.as_chunks_mut().0) {
        seat.write(core, row);
        show_mask(seat, open, mask);
    }
}

/// Writes a seat's observation with the suits into `row`.
fn write_with_suits<C: Cards>(core: &Core, seat: &Seat<C>, row: &mut [i16]) {
    if let Some((numbers, suits)) = row.split_first_chunk_mut() {
        seat.write(core, numbers);
        if let Some((suits, _)) = suits.split_first_chunk_mut() {
            seat.write_suits(core, suits);
        }
    }
}

/// The number of seats stepped together, small enough that they stay in the cache while their dealers draw.
const GROUP_SIZE: usize = 128;

impl Scratch {
    /// Steps all seats and writes their observations, one group at a time.
    fn step_all<C: Cards>(
        &mut self,
        core: &Core,
        next_round: NextRound,
        seats: &mut [Seat<C>],
        (answers, open): (&[i64], &mut [u32]),
        out: &mut Buffers<'_>,
    ) {
        let parts =
            seats.chunks_mut(GROUP_SIZE).zip(answers.chunks(GROUP_SIZE)).zip(open.chunks_mut(GROUP_SIZE));
        // if the caller passes no buffer for final observations, every group gets an empty one
        let finals = out.finals.chunks_mut(GROUP_SIZE * core.features()).chain(repeat_with(Default::default));
        let rows = out
            .observations
            .chunks_mut(GROUP_SIZE * core.features())
            .zip(out.masks.chunks_mut(GROUP_SIZE * core.actions()))
            .zip(out.rewards.chunks_mut(GROUP_SIZE))
            .zip(out.terminated.chunks_mut(GROUP_SIZE))
            .zip(finals);
        for (((seats, answers), open), ((((observations, masks), rewards), terminated), finals)) in
            parts.zip(rows)
        {
            let mut out = Buffers { observations, masks, rewards, terminated, finals };
            self.sort_by_answer(answers);
            self.step(core, next_round, seats, answers, &mut out);
            observe(core, seats, open, &mut out);
        }
    }

    /// Orders the seats by their answers.
    ///
    /// Seats with equal answers take similar paths through the code, which helps branch prediction.
    fn sort_by_answer(&mut self, answers: &[i64]) {
        let mut from = [0; MAX_ACTIONS + 1];
        for &action in answers {
            from[(action as usize % MAX_ACTIONS) + 1] += 1;
        }
        for kind in 0..MAX_ACTIONS {
            from[kind + 1] += from[kind];
        }
        self.order.resize(answers.len(), 0);
        for (seat, &action) in answers.iter().enumerate() {
            let place = &mut from[action as usize % MAX_ACTIONS];
            self.order[*place] = seat as u32;
            *place += 1;
        }
    }

    /// Carries out every seat's answer, then lets the dealers of all finished rounds draw in parallel.
    fn step<C: Cards>(
        &mut self,
        core: &Core,
        next_round: NextRound,
        seats: &mut [Seat<C>],
        answers: &[i64],
        out: &mut Buffers<'_>,
    ) {
        out.rewards.fill(0.0);
        out.terminated.fill(0);
        self.over.clear();
        for &at in &self.order {
            let seat = &mut seats[at as usize];
            if seat.question() == Question::Nothing {
                seat.begin(core);
            } else if seat.take(core, answers[at as usize] as usize) {
                self.over.push(at);
            }
        }
        for dealer_hand in 0..core.tree.program.dealer_hands as u8 {
            self.play_dealer_hand(core, dealer_hand, seats);
        }
        for &at in &self.over {
            let seat = &mut seats[at as usize];
            out.rewards[at as usize] = seat.win(core) as f32;
            out.terminated[at as usize] = 1;
            if next_round == NextRound::SameStep {
                let first = at as usize * core.features();
                if let Some(last) = out.finals.get_mut(first..first + core.features()) {
                    write_with_suits(core, seat, last);
                }
                seat.begin(core);
            }
        }
    }

    /// Plays dealer hand `dealer_hand` of every finished round, one card per round at a time.
    fn play_dealer_hand<C: Cards>(&mut self, core: &Core, dealer_hand: u8, seats: &mut [Seat<C>]) {
        self.drawing.resize(self.over.len(), 0);
        let mut left = 0;
        for &at in &self.over {
            let seat = &mut seats[at as usize];
            if dealer_hand < seat.ending.dealer_hands {
                seat.second_card(core, dealer_hand);
                self.drawing[left] = at;
                left += usize::from(seat.draws_on());
            }
        }
        while left > 0 {
            let drawing = left;
            left = 0;
            for place in 0..drawing {
                let at = self.drawing[place];
                let seat = &mut seats[at as usize];
                seat.draw_on(core, dealer_hand);
                self.drawing[left] = at;
                left += usize::from(seat.draws_on());
            }
        }
        for &at in &self.over {
            let seat = &mut seats[at as usize];
            if dealer_hand < seat.ending.dealer_hands {
                seat.add(core, dealer_hand);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_gets_a_byte() {
        for bits in 0..=255u8 {
            assert_eq!(
                BITS_AS_BYTES[usize::from(bits)],
                std::array::from_fn(|at| (bits >> at & 1) as i8),
                "{bits:b}"
            );
        }
    }
}
