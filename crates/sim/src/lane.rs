//! The fast engine: sixty-four lanes (shoes) step through the fused lookup table of one box, one card at a time.
//!
//! The general engine plays a round that the lookup table cannot finish, again from its first card. The lane then
//! waits until the other lanes have passed the cards of that round. So all lanes stay at the same card, and both
//! engines give the same results card for card.

use crate::chunk::{Begun, Job, LaneSource};
use crate::isa::{Entry, Keys, Lanes, Question, Stepper, Stop, Tagging, WalkInput};
use crate::rng::{LANES, shoe_seed};
use crate::round::Player;
use crate::shoe::{Row, Shoes};
use crate::sides::{Layout, Memory};
use crate::tally::Tally;
use program::Program;
use program::outcome::Outcome;
use program::side::Effect;
use program::single_box::{SingleBox, Step};

/// The code that a lane reaches when its wait is over and its next round begins with the next card.
const BEGIN: u32 = 1;
/// The code that a lane reaches when the general engine must play its round again.
const REPLAY: u32 = 2;
/// The code of the round's first outcome; the codes of the other outcomes follow.
const OUTCOME: u32 = 3;
/// The number of counters for each key (see [`Keys`]).
///
/// Consecutive keys use these counters in turn, so that one increment need not wait for the previous one.
const PLACES: usize = 4;
/// The number of cards per lane that are drawn at a time.
const AT_ONCE: usize = 64;
/// An upper bound on the number of cards that a lane lets pass after the general engine has played its round.
const MOST_WAITING: usize = 128;

/// The fused lookup table of a round, in the form that the fast engine uses.
pub struct Table {
    stepper: Stepper,
    outcomes: Vec<Outcome>,
    /// The effect of an outcome on a streak bet, indexed by outcome, then by side bet.
    effects: Vec<Effect>,
    /// The state in which a lane lets one card pass before its next round.
    ///
    /// The states in which a lane lets more cards pass follow.
    waiting: usize,
    idle: usize,
    /// The state of a lane before the first card of a round, or before the first of the round's burn cards.
    start: usize,
    layout: Layout,
    /// The number of bits that hold the code in a key.
    code_bits: u32,
}

impl Table {
    /// Builds the lookup table for a program, or returns `None` if the program's rounds cannot be fused.
    pub fn new(program: &Program) -> Option<Table> {
        SingleBox::fitting(program, |solo| Table::of(program, solo))
    }

    fn of(program: &Program, solo: SingleBox) -> Option<Table> {
        let (symbols, states) = (solo.symbols, solo.steps.len() / solo.symbols);
        // the states after those of the round: first for the cards burned before it, then for a waiting lane
        let burned = program.stack.burned_each_round;
        let start = if burned == 0 { 0 } else { states };
        let (waiting, idle) = (states + burned, states + burned + MOST_WAITING);
        let entry = |step: &Step| match *step {
            Step::Go(next) => Entry::State(next as usize),
            Step::End(outcome) => Entry::Code(OUTCOME + u32::from(outcome)),
            Step::Consult(at) => Entry::Consult(usize::from(at)),
            Step::Replay | Step::Leave(_) => Entry::Code(REPLAY),
        };
        let round = solo.steps.iter().map(entry);
        let consults: Vec<Question> = solo
            .consults
            .iter()
            .map(|consult| Question {
                hidden: consult.hidden.map(|symbol| program.face_of_symbol(symbol) as u8),
                entries: consult.steps.iter().map(entry).collect(),
            })
            .collect();
        let burns = (1..=burned).map(|burn| Entry::State(if burn < burned { states + burn } else { 0 }));
        let waits = (0..MOST_WAITING).map(|left| match left {
            0 => Entry::Code(BEGIN),
            _ => Entry::State(waiting + left - 1),
        });
        let alike = burns.chain(waits).chain([Entry::State(idle)]);
        let rows: Vec<Entry> =
            round.chain(alike.flat_map(|entry| std::iter::repeat_n(entry, symbols))).collect();
        let effects = solo.outcomes.iter().flat_map(|outcome| {
            let record = outcome.record();
            program.sides.iter().map(move |side| side.effect(record))
        });
        Some(Table {
            effects: effects.collect(),
            stepper: Stepper::new((&rows, &consults), symbols, &program.faces.symbol_of, start, OUTCOME)?,
            code_bits: (solo.outcomes.len() + OUTCOME as usize).next_power_of_two().trailing_zeros(),
            outcomes: solo.outcomes,
            waiting,
            idle,
            start,
            layout: Layout::new(program, 1),
        })
    }

    /// Returns the number of the state in which a lane lets `cards` cards pass before its next round.
    fn after(&self, cards: usize) -> u32 {
        self.stepper.of_state(match cards {
            0 => self.start,
            _ => self.waiting + cards.min(MOST_WAITING) - 1,
        })
    }
}

/// Plays whole shoes of a chunk in all lanes, and returns the chunk as far as it was played.
///
/// Stops before a shoe with which the chunk could exceed `most` rounds.
pub fn whole_shoes(job: &Job, table: &Table, chunk: u64, most: u64) -> Begun {
    let Begun { memories, tally, .. } = Begun::new(job, chunk);
    let mut run = Run {
        job,
        table,
        shoes: Shoes::new(&job.program, job.isa),
        player: Player::new(&job.program, job.counting.as_ref(), 1),
        memories,
        ended: vec![0; (tally.cells.len().next_power_of_two() << table.code_bits) * PLACES],
        tally,
        counted: 0,
        no_rounds: 0,
        playing: 0,
        lanes: Lanes::default(),
        keys: Keys::default(),
        each: !job.program.sides.is_empty() || job.program.stack.burned_each_round > 0,
    };
    let most_in_a_shoe = (job.last_start() - job.program.stack.burned).div_ceil(table.layout.cards);
    let most_at_once = (LANES * most_in_a_shoe) as u64;
    let mut shoe = 0;
    while shoe < job.shoes && run.rounds() + most_at_once <= most {
        run.shoes.shuffle(shoe_seed(job.seed, chunk, shoe));
        run.shoe();
        shoe += 1;
    }
    run.add_up();
    Begun { chunk, shoe, memories: run.memories, tally: run.tally }
}

/// Returns the numbers of the lanes whose bit is set in `bits`, in ascending order.
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

/// Returns the sum of the tags of a lane's cards in `rows`.
fn sum_of_tags(tags: &[i8; LANES], rows: &[Row], lane: usize) -> i32 {
    rows.iter().map(|row| i32::from(tags[usize::from(row.0[lane]) % LANES])).sum()
}

struct Run<'j> {
    job: &'j Job,
    table: &'j Table,
    shoes: Shoes,
    player: Player<'j>,
    memories: Vec<Memory>,
    /// The number of times that each key occurred, in [`PLACES`] counters per key.
    ended: Vec<u32>,
    tally: Tally,
    /// The number of keys counted so far.
    ///
    /// The number includes `no_rounds` keys that do not stand for a finished round.
    counted: u64,
    no_rounds: u64,
    /// The number of lanes that have not finished their shoe.
    playing: usize,
    lanes: Lanes,
    keys: Keys,
    /// Whether the walk stops at every row of cards in which a round ends, for example to settle side bets.
    each: bool,
}

impl Run<'_> {
    /// Plays one shoe in every lane.
    fn shoe(&mut self) {
        let first = self.job.program.stack.burned;
        let last_start = self.job.last_start();
        let cards = self.shoes.cards();
        self.lanes.states = [self.table.after(0); LANES];
        self.lanes.begun = [first as u32; LANES];
        self.playing = LANES;
        if let Some(counting) = &self.job.counting {
            let bucket = counting.bucket(counting.start, first) as u32;
            self.lanes.running = [counting.start as i16; LANES];
            self.lanes.labels = [bucket << self.table.code_bits; LANES];
        }
        let mut at = first;
        while at < last_start {
            // few enough to still be in the L1 cache when they are walked through
            let to = last_start.min(at / AT_ONCE * AT_ONCE + AT_ONCE);
            self.shoes.draw_to(to);
            while at < to {
                at = self.walk(at, to).at;
            }
        }
        // finish the rounds in progress; a lane between rounds is done
        for lane in 0..LANES {
            self.stop_between(lane, last_start);
        }
        while self.playing > 0 && at < cards {
            self.shoes.draw_to(at + 1);
            let stop = self.walk(at, at + 1);
            at = stop.at;
            for lane in lanes_of(stop.ended) {
                self.stop_between(lane, at);
            }
        }
        // a lane that still plays has run out of cards
        for lane in 0..LANES {
            if self.playing > 0 && self.state(lane) != self.table.idle {
                self.void(lane);
            }
        }
        self.count_keys();
        self.tally.shoes += LANES as u64;
    }

    fn state(&self, lane: usize) -> usize {
        self.table.stepper.state(self.lanes.states[lane])
    }

    /// Takes a lane out of play if the lane is between rounds after `gone` cards.
    fn stop_between(&mut self, lane: usize, gone: usize) {
        let state = self.state(lane);
        if state == self.table.start || (self.table.waiting..self.table.idle).contains(&state) {
            let waits = (state + 1).saturating_sub(self.table.waiting);
            self.stop(lane, gone + waits);
        }
    }

    /// Voids the lane's round, because the shoe ran out before the round was over.
    fn void(&mut self, lane: usize) {
        self.tally.void += 1;
        self.stop(lane, self.lanes.begun[lane] as usize);
    }

    fn stop(&mut self, lane: usize, end: usize) {
        self.lanes.states[lane] = self.table.stepper.of_state(self.table.idle);
        self.playing -= 1;
        self.tally.cards += (end - self.job.program.stack.burned) as u64;
    }

    /// Steps all lanes through the cards from `from` to at most `to`, and handles the lanes that need the caller.
    #[inline]
    fn walk(&mut self, from: usize, to: usize) -> Stop {
        if self.keys.is_full() {
            self.count_keys();
        }
        let tagging = self.job.counting.as_ref().map(|counting| Tagging {
            tags: &counting.tag_of,
            near: &counting.near,
            counting: Some(counting),
            label_bits: self.table.code_bits,
        });
        let way = WalkInput { rows: &self.shoes.rows()[from..to], first: from, tagging, each: self.each };
        let stop = self.table.stepper.walk(self.job.isa, way, &mut self.lanes, &mut self.keys);
        if stop.open != 0 {
            let first = self.keys.all().len() - stop.ended.count_ones() as usize;
            for lane in lanes_of(stop.open) {
                let before = stop.ended & ((1 << lane) - 1);
                self.ended(lane, stop.at, first + before.count_ones() as usize);
            }
        }
        stop
    }

    /// Handles a lane that reached a code with the card before `at`; `key` is the index of its key.
    fn ended(&mut self, lane: usize, at: usize, key: usize) {
        let code = self.keys.all()[key] & ((1 << self.table.code_bits) - 1);
        match code {
            REPLAY => return self.replay(lane, at),
            BEGIN => self.no_rounds += 1,
            _ if self.job.program.sides.is_empty() => {}
            _ => self.settle_sides(lane, code),
        }
        self.begin(lane, at);
    }

    fn bucket(&self, lane: usize) -> usize {
        (self.lanes.labels[lane] >> self.table.code_bits) as usize
    }

    #[inline(always)]
    fn begin(&mut self, lane: usize, at: usize) {
        let before = std::mem::replace(&mut self.lanes.begun[lane], at as u32) as usize;
        if let Some(counting) = &self.job.counting {
            // the cards burned before the last round were not seen, so they do not count
            let burned = &self.shoes.rows()[before..before + self.job.program.stack.burned_each_round];
            self.lanes.running[lane] -= sum_of_tags(&counting.tag_of, burned, lane) as i16;
            let bucket = counting.bucket(i32::from(self.lanes.running[lane]), at) as u32;
            self.lanes.labels[lane] = bucket << self.table.code_bits;
        }
    }

    /// Plays the lane's round again with the general engine, and lets the lane wait for the other lanes.
    #[inline(never)]
    fn replay(&mut self, lane: usize, at: usize) {
        let end = self.play_again(lane, at);
        if end > self.shoes.cards() {
            self.no_rounds += 1;
            return self.void(lane);
        }
        let bucket = self.bucket(lane);
        self.job.count_round(&self.player, bucket, &mut self.tally);
        self.memories[lane].settle(&self.job.program, &self.player.round, 0, &mut self.tally.sides);
        debug_assert!(end >= at);
        self.lanes.states[lane] = self.table.after(end - at);
        if end == at {
            self.begin(lane, end);
        }
    }

    /// Plays the lane's round with the general engine, and returns the position after its last card.
    fn play_again(&mut self, lane: usize, at: usize) -> usize {
        let begun = self.lanes.begun[lane] as usize;
        if let Some(counting) = &self.job.counting {
            // the count at the start of the round: without the cards that the lane has passed since
            let passed = sum_of_tags(&counting.tag_of, &self.shoes.rows()[begun..at], lane);
            self.player.running = i32::from(self.lanes.running[lane]) - passed;
        }
        self.play_from(lane, begun)
    }

    /// Plays the round that began at `begun` with the general engine, and returns the position after its last card.
    fn play_from(&mut self, lane: usize, begun: usize) -> usize {
        let first = begun + self.job.program.stack.burned_each_round;
        let mut source = LaneSource::new(&mut self.shoes, lane, first);
        self.player.play(&mut source);
        source.at
    }

    /// Settles the side bets of a round that the lookup table has finished.
    #[inline(never)]
    fn settle_sides(&mut self, lane: usize, code: u32) {
        let nth = (code - OUTCOME) as usize;
        let begun = self.lanes.begun[lane] as usize;
        let rows = self.shoes.rows();
        let dealt = self.table.layout.read(0, |card| rows[begun + card].0[lane]);
        if self.memories[lane].needs_cards(&self.job.program, &dealt) {
            self.play_from(lane, begun);
            self.memories[lane].settle(&self.job.program, &self.player.round, 0, &mut self.tally.sides);
        } else {
            let (outcome, sides) = (&self.table.outcomes[nth], self.job.program.sides.len());
            let effects = &self.table.effects[nth * sides..][..sides];
            let tallies = &mut self.tally.sides;
            self.memories[lane].settle_dealt(&self.job.program, &dealt, outcome, effects, tallies);
        }
    }

    /// Returns the number of finished rounds among the keys counted so far.
    fn rounds(&self) -> u64 {
        self.counted - self.no_rounds
    }

    /// Counts the keys in the list and empties the list. Consecutive keys use the [`PLACES`] counters in turn.
    fn count_keys(&mut self) {
        let (keys, last) = (self.keys.all(), self.ended.len() - 1);
        self.counted += keys.len() as u64;
        for four in keys.chunks(PLACES) {
            for (place, &key) in four.iter().enumerate() {
                self.ended[(key as usize * PLACES + place) & last] += 1;
            }
        }
        self.keys.clear();
    }

    /// Adds the rounds that the lookup table has finished to the tally.
    fn add_up(&mut self) {
        let initial = self.job.initial();
        for bucket in 0..self.tally.cells.len() {
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
                if outcome.insured > 0 {
                    cell.insurance.add_many(i64::from(outcome.insurance), times);
                    cell.insured += i128::from(outcome.insured) * i128::from(times);
                }
                cell.wager_squares += u128::from(outcome.wager_squares) * u128::from(times);
                self.tally.hands += u64::from(outcome.hands) * times;
                for &(ending, way) in &outcome.endings {
                    self.tally.endings[usize::from(ending)][usize::from(way)] += times;
                }
                self.tally.distribution[Tally::place(net, initial)] += times;
            }
        }
        debug_assert_eq!(self.tally.rounds(), self.rounds());
    }
}
