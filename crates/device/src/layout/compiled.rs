//! Compiles a job into the arrays and constants of the kernel.

use super::{CounterPlaces, FEW, SmallArrays, Table, card_faces, constant, labels, list, put_tags, totals};
use crate::lines::Lines;
use crate::streaks::{PACKED_RECORDS, Streaks, packed, record};
use program::face::Symbol;
use program::outcome::Outcome;
use program::resplit::{End, Resplit, SplitStep};
use program::side::Sees;
use program::single_box::{SingleBox, Step};
use sim::chunk::Job;

/// The number of possible final results of a dealer hand.
const FINALS: u32 = 8;
/// The code that starts the dealer's turn; a control of `program::resplit` can have it in place of a state.
const DEALER: u32 = u32::MAX;
const SECOND: u32 = u32::MAX - 1;

const CONTROL_SPLIT: usize = 5;
const CONTROL_DEALER: usize = CONTROL_SPLIT + 20;

/// The number of codes of each kind.
///
/// The codes are numbered after the states, one kind after the other, in the kernel's order.
pub(super) struct Codes {
    round_states: u32,
    pub(super) states: u32,
    outcomes: u32,
    exits: u32,
    consults: u32,
    insurances: u32,
    classes: u32,
    asks: u32,
    lines: u32,
    dealer_hands: u32,
}

impl Codes {
    fn then(&self, then: SplitStep) -> u32 {
        let exits = self.states + self.outcomes;
        let classes = exits + self.exits + self.consults;
        let asks = classes + self.classes + 10;
        match then {
            SplitStep::Go(state) => self.round_states + state,
            SplitStep::Done(class) => classes + class,
            SplitStep::Split(value) => classes + self.classes + u32::from(value) - 1,
            SplitStep::Ask(at) => asks + at,
            SplitStep::End(End { dealer_hand, last, line, insurance }) => {
                let place = u32::from(dealer_hand) * self.lines + u32::from(line);
                let place = place * self.insurances + u32::from(insurance);
                asks + self.asks + place * FINALS + u32::from(last)
            }
            SplitStep::Dealer => DEALER,
            SplitStep::Second => SECOND,
        }
    }

    fn step(&self, step: Step) -> u32 {
        match step {
            Step::Go(state) => state,
            Step::End(outcome) => self.states + u32::from(outcome),
            Step::Leave(exit) => self.states + self.outcomes + exit,
            Step::Consult(at) => self.states + self.outcomes + self.exits + u32::from(at),
            // a table with exits contains no replay
            Step::Replay => self.states - 1,
        }
    }

    fn last(&self) -> u32 {
        self.states
            + self.outcomes
            + self.exits
            + self.consults
            + self.classes
            + 10
            + self.asks
            + self.lines * self.dealer_hands * self.insurances * FINALS
    }
}

/// The compiled lookup tables of a job, and the kernel's codes for their entries.
pub(super) struct Compiled<'a> {
    pub(super) job: &'a Job,
    pub(super) single: SingleBox,
    resplit: Resplit,
    pub(super) lines: Lines,
    streaks: Streaks<'a>,
    pub(super) codes: Codes,
    /// The count buckets in the kernel's order; the index of a bucket in this list is its label.
    pub(super) labels: Vec<usize>,
    /// The face for each card number that the kernel uses.
    cards: Vec<usize>,
    /// The state in which nothing happens; the states that burn cards before a round come after it.
    idle: u32,
}

impl<'a> Compiled<'a> {
    pub(super) fn new(job: &'a Job) -> Result<Compiled<'a>, String> {
        let program = &job.program;
        let cards = card_faces(program.faces.faces.len());
        let lines = Lines::new(program, &cards)?;
        let large = || "a round has too many states for a GPU".to_string();
        let single = SingleBox::with_exits(program).ok_or_else(large)?;
        if single.steps.contains(&Step::Replay) {
            return Err("the GPU does not support the way this table's rounds draw cards".into());
        }
        let resplit = Resplit::new(program, &single.exits).ok_or_else(large)?;
        let idle = (single.steps.len() / single.symbols) as u32;
        let round_states = idle + 1 + program.stack.burned_each_round as u32;
        let third = program.sides.iter().find(|side| side.sees == Sees::DealerThree);
        let codes = Codes {
            round_states,
            states: round_states + (resplit.steps.len() / single.symbols) as u32,
            outcomes: single.outcomes.len() as u32,
            exits: resplit.entries.len() as u32,
            consults: single.consults.len() as u32,
            insurances: resplit.insurances.len() as u32,
            classes: resplit.classes.len() as u32,
            asks: resplit.asks.len() as u32,
            lines: third.map_or(1, |side| side.lines.len() as u32),
            dealer_hands: program.dealer_hands as u32,
        };
        let (streaks, labels) = (Streaks::new(program), labels(job));
        Ok(Compiled { job, single, resplit, lines, streaks, codes, labels, cards, idle })
    }

    /// Returns whether shoes are stored as lists of cards, as they are if the deck has many faces.
    pub(super) fn lists(&self) -> bool {
        self.job.program.faces.faces.len() > FEW
    }

    /// Returns the number of states that burn a card before a round.
    fn burned(&self) -> u32 {
        self.job.program.stack.burned_each_round as u32
    }

    /// Returns the symbol of each column of the step table.
    ///
    /// If the deck has few faces, each column stands for a face, which saves a lookup.
    pub(super) fn columns(&self) -> Vec<usize> {
        if self.lists() {
            return (0..self.single.symbols).collect();
        }
        let symbol_of = &self.job.program.faces.symbol_of;
        self.cards.iter().map(|&face| usize::from(symbol_of[face])).collect()
    }

    pub(super) fn entry_bytes(&self) -> usize {
        if self.codes.last() <= u32::from(u16::MAX) { 2 } else { 4 }
    }

    /// Returns the step table, whose entry for a state and a card is the next state or a code for what follows.
    pub(super) fn table(&self) -> Table {
        let (codes, symbols) = (&self.codes, self.single.symbols);
        let burned = self.burned();
        let burns = (1..=burned).map(|burn| if burn < burned { self.idle + 1 + burn } else { 0 });
        let alike =
            std::iter::once(self.idle).chain(burns).flat_map(|next| std::iter::repeat_n(next, symbols));
        let round = self.single.steps.iter().map(|&step| codes.step(step));
        let after = self.resplit.steps.iter().map(|&then| codes.then(then));
        let rows: Vec<u32> = round.chain(alike).chain(after).collect();
        let columns = self.columns();
        let entries = rows.chunks_exact(symbols).flat_map(|row| columns.iter().map(|&symbol| row[symbol]));
        match self.entry_bytes() {
            2 => Table::Narrow(entries.map(|entry| entry as u16).collect()),
            _ => Table::Wide(entries.collect()),
        }
    }

    /// Returns the kernel's arrays other than the step table.
    pub(super) fn rest(&self) -> SmallArrays {
        let (job, codes, outcomes) = (self.job, &self.codes, &self.single.outcomes);
        let mut rest = SmallArrays::default();
        rest.put("SYMBOL_AT", job.program.faces.symbol_of.iter().map(|&symbol| u32::from(symbol)));
        put_tags(&mut rest, job, &self.cards);
        let aspect =
            |outcome: &Outcome| u32::from(outcome.third_card_line) * 2 + u32::from(outcome.dealer_blackjack);
        rest.put("ASPECT_AT", outcomes.iter().map(aspect));
        if self.streaks.states() > 0 {
            rest.put("EFFECT_AT", outcomes.iter().map(|outcome| self.streaks.effect(outcome.record())));
            rest.put("RECORD_AT", (0..PACKED_RECORDS).map(|packed| self.streaks.effect(record(packed))));
            rest.put("STREAK_AT", self.streaks.steps());
        }
        self.put_exits(&mut rest);
        rest.put("INSURANCE_AT", self.resplit.insurances.iter().map(|&(_, net)| net as u32));
        put_controls(&mut rest, job, &self.resplit, codes);
        self.put_parts(&mut rest);
        rest.put("TOTAL_AT", if self.lists() { vec![] } else { totals(job) });
        rest.put("LIST_AT", if self.lists() { list(job) } else { vec![] });
        rest
    }

    /// Stores how rounds continue after they leave the fused table, and what they do at the points where the count
    /// decides.
    fn put_exits(&self, rest: &mut SmallArrays) {
        let codes = &self.codes;
        rest.put(
            "EXIT_AT",
            self.resplit.entries.iter().flat_map(|entry| {
                // most rounds leave the table to split a pair: the exit leads behind the split
                let (then, control) = match entry.then {
                    SplitStep::Split(value) => {
                        let (state, control) =
                            self.resplit.controls[entry.control as usize].split[usize::from(value) - 1];
                        (SplitStep::Go(state), control)
                    }
                    then => (then, entry.control),
                };
                [codes.then(then), control | entry.pending << 16, entry.sum | entry.first << 16]
            }),
        );
        rest.put(
            "CONSULT_AT",
            self.single.consults.iter().flat_map(|consult| {
                let hidden = consult.hidden.map_or(0, |symbol| tag(self.job, symbol)) as u32;
                let answers = self.labels.iter().map(|&bucket| codes.step(consult.steps[bucket]));
                std::iter::once(hidden).chain(answers).collect::<Vec<u32>>()
            }),
        );
    }

    /// Stores how the results of split hands add up to the result of their initial hand.
    fn put_parts(&self, rest: &mut SmallArrays) {
        let resplit = &self.resplit;
        rest.put("ADD_AT", resplit.adds.iter().copied());
        rest.put("FLAG_AT", resplit.sums.iter().map(|sum| u32::from(sum.depends) * 2 + u32::from(sum.waits)));
        rest.put(
            "PART_AT",
            resplit.part_of.iter().flat_map(|&at| {
                let part = &resplit.parts[at as usize];
                let ways = |way: usize| part.endings.iter().skip(way).step_by(3).map(|&n| u32::from(n)).sum();
                [at, part.net as u32, packed(ways(0), ways(2), ways(1))]
            }),
        );
        let by_label = |ask: &Vec<SplitStep>| {
            self.labels.iter().map(|&bucket| self.codes.then(ask[bucket])).collect::<Vec<_>>()
        };
        rest.put("ASK_AT", resplit.asks.iter().flat_map(by_label));
    }

    /// Returns the lowest and the highest possible net win of a round that leaves the fused table.
    fn nets(&self) -> (i32, i32) {
        let at_once = (self.job.program.hands_per_box * self.job.program.dealer_hands) as i32;
        let parts = || self.resplit.parts.iter().map(|part| part.net);
        let insurance = || self.resplit.insurances.iter().map(|&(_, net)| net);
        (
            parts().min().unwrap_or(0).min(0) * at_once + insurance().min().unwrap_or(0),
            parts().max().unwrap_or(0).max(0) * at_once + insurance().max().unwrap_or(0),
        )
    }

    /// Returns the number of counters for streak bets.
    pub(super) fn streak_keys(&self) -> usize {
        2 * self.streaks.states() as usize
    }

    /// Returns the number of counters for side bets other than streaks.
    pub(super) fn line_keys(&self) -> usize {
        let by_lines = self.job.program.sides.iter().any(|side| !matches!(side.sees, Sees::Streak(_)));
        if by_lines { self.lines.sets.len() * self.codes.lines as usize * 2 } else { 0 }
    }

    /// Returns the positions of the kernel's counters.
    ///
    /// The counters are, in order, for outcomes, streaks, side bets, parts and net wins of resplits, insurance and
    /// cards.
    pub(super) fn places(&self) -> CounterPlaces {
        let used = self.labels.len();
        let (least_net, most_net) = self.nets();
        let nets = (most_net - least_net + 1) as usize;
        let streaks_at = self.single.outcomes.len() * used;
        let side_at = streaks_at + self.streak_keys();
        let parts_at = side_at + self.line_keys();
        let nets_at = parts_at + self.resplit.parts.len() * used;
        let insured_at = nets_at + nets * used;
        let cards_at = insured_at + self.resplit.insurances.len() * used;
        CounterPlaces {
            outcomes: self.single.outcomes.clone(),
            parts: self.resplit.parts.clone(),
            sets: self.lines.sets.clone(),
            labels: self.labels.clone(),
            streaks_at,
            side_at,
            aspects: self.codes.lines as usize * 2,
            parts_at,
            nets_at,
            least_net,
            nets,
            insured_at,
            insurances: self.resplit.insurances.clone(),
            cards_at,
            void_at: cards_at + 1,
        }
    }

    /// Returns the number of shoes that a group of threads plays in sequence.
    pub(super) fn in_order(&self) -> u64 {
        if self.streak_keys() > 0 { self.job.shoes } else { 1 }
    }

    /// Writes the constants for the stack and the states.
    pub(super) fn put_states(&self, text: &mut String) {
        let (job, codes, program) = (self.job, &self.codes, &self.job.program);
        let stack = &program.stack;
        for (name, value) in [
            ("ENTRY_BYTES", self.entry_bytes()),
            ("COLUMNS", self.columns().len()),
            ("CARDS_APART", self.cards.len()),
            ("CARDS", stack.cards),
            ("BURNED", stack.burned),
            ("LAST_START", job.last_start()),
            ("SHOES", job.shoes as usize),
            ("STATES", codes.states as usize),
            ("START", if self.burned() == 0 { 0 } else { self.idle as usize + 1 }),
            ("IDLE", self.idle as usize),
            ("OUTCOMES", codes.outcomes as usize),
            ("EXITS", codes.exits as usize),
            ("CONSULTS", codes.consults as usize),
            ("INSURANCES", codes.insurances as usize),
            ("CLASSES", codes.classes as usize),
            ("ASKS", codes.asks as usize),
            ("LINES", codes.lines as usize),
            ("DEALER_HANDS", program.dealer_hands),
            ("TWO_HANDS", usize::from(program.hands_per_box > 1)),
            ("BLACKJACK_ASKED", usize::from(program.sides.iter().any(|s| s.sees == Sees::TwoAndBlackjack))),
            ("CONTROL_WORDS", CONTROL_DEALER + 4 * program.dealer_hands),
            ("CONTROL_SPLIT", CONTROL_SPLIT),
            ("CONTROL_DEALER", CONTROL_DEALER),
            ("DEALER", DEALER as usize),
            ("SECOND", SECOND as usize),
            ("LISTS", usize::from(self.lists())),
            ("WORDS", (program.faces.faces.len() - 1).div_ceil(3)),
            ("LIST_WORDS", stack.cards.div_ceil(4)),
        ] {
            constant(text, name, format!("{value}u"));
        }
    }

    /// Writes the constants that say what the kernel counts, and at which positions.
    pub(super) fn put_counters(&self, text: &mut String, places: &CounterPlaces) {
        let job = self.job;
        for (name, value) in [
            ("COUNTING", usize::from(job.counting.is_some())),
            ("BUCKETS", self.labels.len()),
            ("BUCKETS_USED", self.labels.len()),
            ("LINE_KEYS", self.line_keys()),
            ("STREAK_KEYS", self.streak_keys()),
            ("IN_ORDER", self.in_order() as usize),
            ("ASPECTS", places.aspects),
            ("DEALT", usize::from(self.lines.cards > 0)),
            ("DEALT_LIMIT", self.cards.len().pow(self.lines.cards as u32)),
            ("SIDE_AT", places.streaks_at),
            ("PARTS_AT", places.parts_at),
            ("NETS_AT", places.nets_at),
            ("INSURED_AT", places.insured_at),
            ("CARDS_AT", places.cards_at),
            ("VOID_AT", places.void_at),
            ("OUT_WORDS", places.words()),
        ] {
            constant(text, name, format!("{value}u"));
        }
        constant(text, "NET_LEAST", format!("({})", places.least_net));
        if let Some(counting) = &job.counting {
            constant(text, "REACH", counting.reach());
            constant(text, "COUNT_START", format!("({})", counting.start));
        }
    }
}

/// Returns the count tag of a card, given its symbol, or zero if no cards are counted.
fn tag(job: &Job, symbol: Symbol) -> i32 {
    job.counting.as_ref().map_or(0, |counting| counting.tags[job.program.face_of_symbol(symbol)])
}

fn put_controls(rest: &mut SmallArrays, job: &Job, beyond: &Resplit, codes: &Codes) {
    let (mut words, mut seconds) = (Vec::new(), Vec::new());
    for control in &beyond.controls {
        let hidden = control.hidden.map_or(0, |symbol| tag(job, symbol));
        words.extend([codes.then(control.done.0), control.done.1, seconds.len() as u32]);
        words.extend([u32::from(control.attacks), hidden as u32]);
        words
            .extend(control.split.iter().flat_map(|&(state, next)| [codes.then(SplitStep::Go(state)), next]));
        words.extend(control.dealer.iter().flatten().flatten().map(|&then| codes.then(then)));
        seconds.extend(control.second.iter().map(|&then| codes.then(then)));
    }
    rest.put("CONTROL_AT", words);
    rest.put("SECOND_AT", seconds);
}
