//! The fast engine: sixty-four shoes step through the fused table of a round of one box, a card each at a time.
//!
//! Rounds that the table cannot finish are played again from their first card by the general engine; the lane then
//! waits until the other lanes have passed the cards of that round. So the lanes stay abreast, and both engines give the
//! same results card for card.

use crate::chunk::{Begun, Job, LaneSource};
use crate::isa::{Codes, States, Stepper};
use crate::rng::{LANES, shoe_seed};
use crate::round::Player;
use crate::shoe::{Row, Shoes};
use crate::sides::{Layout, Memory};
use crate::tally::Tally;
use program::Program;
use program::solo::{Outcome, Solo, Step};

/// The code of a lane that has waited long enough: a round begins with its next card.
const BEGIN: u32 = 1;
/// The code of a round that must be played again.
const REPLAY: u32 = 2;
/// The code of the first outcome.
const OUTCOME: u32 = 3;
/// More codes than a table can have.
const MOST_CODES: usize = 1 << 12;
/// Neighbouring lanes count in places of their own, so that one count need not wait for another.
const PLACES: usize = 8;
/// Every bucket has a bit.
const _: () = assert!(crate::count::BUCKETS <= u128::BITS as usize);
/// More cards than a round can run ahead of the other lanes.
const MOST_WAITING: usize = 128;

/// The fused table, made ready to step through.
pub struct Table {
    stepper: Stepper,
    outcomes: Vec<Outcome>,
    /// The state in which a lane waits for one card; those for more cards follow.
    waiting: u32,
    idle: u32,
    /// Where a round begins: at once, or behind a card that is burned.
    start: u32,
    layout: Layout,
    /// Codes in use, as a power of two.
    code_bits: u32,
}

impl Table {
    /// The table for a program, if its rounds can be fused.
    pub fn new(program: &Program) -> Option<Table> {
        let solo = Solo::new(program)?;
        let states = solo.steps.len() / solo.symbols;
        // behind the states of the round: those in which cards are burned before it, then those of a lane that waits
        let burned = program.stack.burned_each_round;
        let start = if burned == 0 { 0 } else { states };
        let (waiting, idle) = (states + burned, states + burned + MOST_WAITING);
        // an entry is a state, or behind all states a code
        let coded = idle + 1;
        if coded + MOST_CODES > usize::from(u16::MAX) || solo.outcomes.len() + OUTCOME as usize >= MOST_CODES
        {
            return None;
        }
        let code = |code: u32| (coded + code as usize - 1) as u16;
        let stride = solo.symbols.next_power_of_two();
        let mut entries = vec![idle as u16; (idle + 1) * stride];
        for state in 0..states {
            for symbol in 0..solo.symbols {
                entries[state * stride + symbol] = match solo.steps[state * solo.symbols + symbol] {
                    Step::Go(next) => next as u16,
                    Step::End(outcome) => code(OUTCOME + u32::from(outcome)),
                    Step::Replay => code(REPLAY),
                };
            }
        }
        for burn in 0..burned {
            let next = if burn + 1 < burned { states + burn + 1 } else { 0 };
            entries[(states + burn) * stride..][..stride].fill(next as u16);
        }
        for left in 0..MOST_WAITING {
            let at = (waiting + left) * stride;
            entries[at..at + stride].fill(if left == 0 { code(BEGIN) } else { (waiting + left - 1) as u16 });
        }
        Some(Table {
            stepper: Stepper::new(entries, stride, &program.faces.symbol_of, coded as u16, start as u16),
            code_bits: (solo.outcomes.len() + OUTCOME as usize).next_power_of_two().trailing_zeros(),
            outcomes: solo.outcomes,
            waiting: waiting as u32,
            idle: idle as u32,
            start: start as u32,
            layout: Layout::new(program),
        })
    }

    /// The state of a lane that lets this many cards pass before its next round.
    fn after(&self, cards: usize) -> u32 {
        match cards {
            0 => self.start,
            _ => self.waiting + cards.min(MOST_WAITING) as u32 - 1,
        }
    }
}

/// Plays the shoes of a chunk, all lanes abreast, as long as they cannot exceed this number of rounds.
pub fn whole_shoes(job: &Job, table: &Table, chunk: u64, most: u64) -> Begun {
    let Begun { memories, tally, .. } = Begun::new(job, chunk);
    let mut run = Run {
        job,
        table,
        shoes: Shoes::new(&job.program, job.isa),
        player: Player::new(&job.program, job.counting.as_ref(), 1),
        memories,
        ended: vec![0; (tally.cells.len().next_power_of_two() << table.code_bits) * PLACES],
        reached: 1,
        tally,
        rounds: 0,
        playing: 0,
        states: States([0; LANES]),
        begun: [0; LANES],
        running: [0; LANES],
        buckets: [0; LANES],
        tags: tags(job),
    };
    let most_in_a_shoe = (job.last_start() - job.program.stack.burned).div_ceil(table.layout.cards);
    let most_at_once = (LANES * most_in_a_shoe) as u64;
    let mut shoe = 0;
    while shoe < job.shoes && run.rounds + most_at_once <= most {
        run.shoes.shuffle(shoe_seed(job.seed, chunk, shoe));
        run.shoe();
        shoe += 1;
    }
    run.add_up();
    Begun { chunk, shoe, memories: run.memories, tally: run.tally }
}

/// The tag of every face, for all bytes that a face can be.
fn tags(job: &Job) -> [i8; LANES] {
    let mut tags = [0; LANES];
    if let Some(counting) = &job.counting {
        for (place, &tag) in tags.iter_mut().zip(&counting.tags) {
            *place = tag as i8;
        }
    }
    tags
}

/// The lanes whose bit is set.
#[inline(always)]
pub(crate) fn lanes_of(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            lane
        })
    })
}

/// What these cards of a lane count.
fn sum_of_tags(tags: &[i8; LANES], rows: &[Row], lane: usize) -> i32 {
    rows.iter().map(|row| i32::from(tags[usize::from(row.0[lane]) % LANES])).sum()
}

struct Run<'j> {
    job: &'j Job,
    table: &'j Table,
    shoes: Shoes,
    player: Player<'j>,
    memories: Vec<Memory>,
    /// How often a round with this bucket and code ended.
    ended: Vec<u32>,
    /// A bit for each bucket that a round began in.
    reached: u128,
    tally: Tally,
    /// Rounds that were played to their end.
    rounds: u64,
    /// Lanes that are not done with their shoe.
    playing: usize,
    states: States,
    /// The card with which each lane's round began; it may be one that is burned.
    begun: [u32; LANES],
    running: [i16; LANES],
    buckets: [u32; LANES],
    tags: [i8; LANES],
}

impl Run<'_> {
    /// Plays one shoe in every lane.
    fn shoe(&mut self) {
        let first = self.job.program.stack.burned;
        let last_start = self.job.last_start();
        let cards = self.shoes.cards();
        self.states.0 = [self.table.start; LANES];
        self.begun = [first as u32; LANES];
        self.playing = LANES;
        if let Some(counting) = &self.job.counting {
            self.running = [counting.start as i16; LANES];
            let bucket = counting.bucket(counting.start, first);
            self.reached |= 1 << bucket;
            self.buckets = [bucket as u32; LANES];
        }
        self.shoes.draw_to(last_start);
        let mut codes = Codes([0; LANES]);
        for at in first..last_start {
            self.step(at, &mut codes);
        }
        // rounds in progress are finished; a lane between rounds is done
        for lane in 0..LANES {
            self.stop_between(lane, last_start);
        }
        let mut at = last_start;
        while self.playing > 0 && at < cards {
            self.shoes.draw_to(at + 1);
            let coded = self.step(at, &mut codes);
            at += 1;
            for lane in lanes_of(coded) {
                self.stop_between(lane, at);
            }
        }
        // whoever still plays has no cards left
        for lane in 0..LANES {
            if self.playing > 0 && self.states.0[lane] != self.table.idle {
                self.void(lane);
            }
        }
        self.tally.shoes += LANES as u64;
    }

    /// Takes a lane out of play if it is between rounds when so many cards are gone.
    fn stop_between(&mut self, lane: usize, gone: usize) {
        let state = self.states.0[lane];
        if state == self.table.start || (self.table.waiting..self.table.idle).contains(&state) {
            let waits = (state + 1).saturating_sub(self.table.waiting);
            self.stop(lane, gone + waits as usize);
        }
    }

    /// The shoe ran out before the lane's round was over.
    fn void(&mut self, lane: usize) {
        self.tally.void += 1;
        self.stop(lane, self.begun[lane] as usize);
    }

    fn stop(&mut self, lane: usize, end: usize) {
        self.states.0[lane] = self.table.idle;
        self.playing -= 1;
        self.tally.cards += (end - self.job.program.stack.burned) as u64;
    }

    /// Every lane takes the card with this number.
    #[inline]
    fn step(&mut self, at: usize, codes: &mut Codes) -> u64 {
        let row = &self.shoes.rows()[at];
        let coded = self.table.stepper.step(self.job.isa, &mut self.states, row, codes);
        if self.job.counting.is_some() {
            self.table.stepper.add_tags(self.job.isa, &mut self.running, row, &self.tags);
        }
        let simple = self.job.counting.is_none() && self.job.program.sides.is_empty();
        self.rounds += u64::from(coded.count_ones());
        for lane in lanes_of(coded) {
            self.ended(lane, at, codes.0[lane], simple);
        }
        coded
    }

    /// A lane's round has ended with this card, or begins with the next.
    #[inline(always)]
    fn ended(&mut self, lane: usize, at: usize, code: u32, simple: bool) {
        let bucket = if simple { 0 } else { self.buckets[lane] };
        let place = ((bucket << self.table.code_bits | code) as usize * PLACES) | (lane % PLACES);
        let all = self.ended.len() - 1;
        self.ended[place & all] += 1;
        if code < OUTCOME {
            return self.special(lane, at, code);
        }
        if simple {
            self.begun[lane] = at as u32 + 1;
            return;
        }
        if !self.job.program.sides.is_empty() {
            self.settle_sides(lane, code);
        }
        self.begin(lane, at + 1);
    }

    #[inline(never)]
    fn special(&mut self, lane: usize, at: usize, code: u32) {
        if code == REPLAY {
            self.replay(lane, at);
        } else {
            self.rounds -= 1;
            self.begin(lane, at + 1);
        }
    }

    #[inline(always)]
    fn begin(&mut self, lane: usize, at: usize) {
        let before = std::mem::replace(&mut self.begun[lane], at as u32) as usize;
        if let Some(counting) = &self.job.counting {
            // nobody has seen the cards that were burned before the last round
            let burned = &self.shoes.rows()[before..before + self.job.program.stack.burned_each_round];
            self.running[lane] -= sum_of_tags(&self.tags, burned, lane) as i16;
            let bucket = counting.bucket(i32::from(self.running[lane]), at);
            self.reached |= 1 << bucket;
            self.buckets[lane] = bucket as u32;
        }
    }

    /// Plays the lane's round again from its first card, and lets the lane wait behind it.
    #[inline(never)]
    fn replay(&mut self, lane: usize, at: usize) {
        let begun = self.begun[lane] as usize;
        let end = self.play_again(lane, at);
        if end > self.shoes.cards() {
            self.rounds -= 1;
            return self.void(lane);
        }
        let bucket = self.buckets[lane] as usize;
        self.job.count_round(&self.player, bucket, &mut self.tally);
        self.memories[lane].settle(&self.job.program, &self.player, 0, &mut self.tally.sides);
        debug_assert!(end > begun && end > at);
        self.states.0[lane] = self.table.after(end - at - 1);
        if end == at + 1 {
            self.begin(lane, end);
        }
    }

    /// The general engine plays the lane's round; the position behind its last card.
    fn play_again(&mut self, lane: usize, at: usize) -> usize {
        let begun = self.begun[lane] as usize;
        // the count when the round began: without the cards that the lane has passed since
        let passed = sum_of_tags(&self.tags, &self.shoes.rows()[begun..=at], lane);
        self.player.running = i32::from(self.running[lane]) - passed;
        self.play_from(lane, begun)
    }

    /// The general engine plays the round that began with this card; the position behind its last card.
    fn play_from(&mut self, lane: usize, begun: usize) -> usize {
        let first = begun + self.job.program.stack.burned_each_round;
        let mut source = LaneSource::new(&mut self.shoes, lane, first);
        self.player.play(&mut source);
        source.at
    }

    /// Side wagers of a round that the table has finished.
    #[inline(never)]
    fn settle_sides(&mut self, lane: usize, code: u32) {
        let outcome = &self.table.outcomes[(code - OUTCOME) as usize];
        let begun = self.begun[lane] as usize;
        let rows = self.shoes.rows();
        let dealt = self.table.layout.read(|card| rows[begun + card].0[lane]);
        if self.memories[lane].needs_cards(&self.job.program, &dealt) {
            self.play_from(lane, begun);
            self.memories[lane].settle(&self.job.program, &self.player, 0, &mut self.tally.sides);
        } else {
            self.memories[lane].settle_dealt(&self.job.program, &dealt, outcome, &mut self.tally.sides);
        }
    }

    /// Adds up the rounds that the table has finished.
    fn add_up(&mut self) {
        let initial = self.job.initial();
        for bucket in (0..self.tally.cells.len()).filter(|bucket| self.reached >> bucket & 1 == 1) {
            for (at, outcome) in self.table.outcomes.iter().enumerate() {
                let code = bucket << self.table.code_bits | (OUTCOME as usize + at);
                let times: u64 = self.ended[code * PLACES..][..PLACES].iter().map(|&n| u64::from(n)).sum();
                if times == 0 {
                    continue;
                }
                let net = i64::from(outcome.net);
                let cell = &mut self.tally.cells[bucket];
                cell.net.add_many(net, times);
                cell.staked += i128::from(outcome.staked) * i128::from(times);
                cell.wager_squares += u128::from(outcome.wager_squares) * u128::from(times);
                self.tally.hands += u64::from(outcome.hands) * times;
                for &(ending, way) in &outcome.endings {
                    self.tally.endings[usize::from(ending)][usize::from(way)] += times;
                }
                self.tally.distribution[Tally::place(net, initial)] += times;
            }
        }
        debug_assert_eq!(self.tally.rounds(), self.rounds);
    }
}
