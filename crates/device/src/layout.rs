//! Lays out the tables of a job for the kernel: constants as text that precedes its source, and a few arrays.

use crate::lines::Lines;
use crate::streaks::{RECORDS, Streaks, packed, record};
use program::chart::Take;
use program::face::Symbol;
use program::outcome::Outcome;
use program::resplit::{End, Resplit, SplitStep};
use program::side::Sees;
use program::single_box::{SingleBox, Step};
use sim::chunk::Job;
use sim::count::BUCKETS;
use std::fmt::Write;

/// The highest number of faces for which a shoe is stored as running totals, as in `sim::shoe`.
const FEW: usize = 16;
/// The highest number of cards whose totals fit into their fields.
const MOST_CARDS: usize = 511;
/// The number of final hands of the dealer.
const LASTS: u32 = 8;
/// Code in a control of `program::resplit`, in place of a state, that starts the dealer's turn.
const DEALER: u32 = u32::MAX;
const SECOND: u32 = u32::MAX - 1;

/// The highest number of threads in a block on any device. This many hide each other's latency, even if some values of
/// each then no longer fit into registers.
pub const MOST_THREADS: usize = 1024;

/// How the kernel is distributed over a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The threads of a block, a multiple of 32. A multiprocessor runs one block at a time.
    pub threads: usize,
    /// The bytes of shared memory that a block may use.
    pub shared: usize,
}

/// Everything that the kernel needs, and what is needed to interpret its counters.
pub struct Layout {
    /// The constants, which precede the kernel's source.
    pub constants: String,
    pub table: Table,
    pub rest: Vec<u32>,
    pub buckets: Vec<u8>,
    pub lines: Vec<u16>,
    pub left: Vec<u32>,
    /// The number of words that the kernel counts in.
    pub words: usize,
    pub threads: usize,
    /// The bytes of shared memory per block.
    pub shared: usize,
    /// The bytes for the shoes of one block that are stored as lists.
    pub list_bytes: usize,
    /// The number of shoes of a chunk that one group of threads plays in sequence, because a streak outlives the shoe.
    pub in_order: u64,
    pub(crate) places: Places,
}

/// The steps of a round, in two bytes each if that is enough.
pub enum Table {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// The positions of the kernel's counters, and the meaning of each.
pub(crate) struct Places {
    pub outcomes: Vec<Outcome>,
    pub parts: Vec<program::resplit::SplitResult>,
    pub sets: Vec<Vec<(u8, u8)>>,
    /// The count buckets in the order of their labels.
    pub labels: Vec<usize>,
    pub streaks_at: usize,
    pub side_at: usize,
    pub aspects: usize,
    pub parts_at: usize,
    pub nets_at: usize,
    pub least_net: i32,
    pub nets: usize,
    pub insured_at: usize,
    /// The amounts bet on insurance in rounds that leave the fused table, and their net wins.
    pub insurances: Vec<(i32, i32)>,
    pub cards_at: usize,
    pub void_at: usize,
}

/// The numbers of codes of each kind, in the order in which the kernel distinguishes them. The codes follow the states.
struct Codes {
    round_states: u32,
    states: u32,
    outcomes: u32,
    exits: u32,
    consults: u32,
    insurances: u32,
    classes: u32,
    asks: u32,
    lines: u32,
    spots: u32,
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
            SplitStep::End(End { spot, last, line, insurance }) => {
                let place = u32::from(spot) * self.lines + u32::from(line);
                let place = place * self.insurances + u32::from(insurance);
                asks + self.asks + place * LASTS + u32::from(last)
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
            + self.lines * self.spots * self.insurances * LASTS
    }
}

/// Concatenated arrays, with their positions as constants.
#[derive(Default)]
struct Rest {
    words: Vec<u32>,
    constants: String,
}

impl Rest {
    fn put(&mut self, name: &str, words: impl IntoIterator<Item = u32>) {
        constant(&mut self.constants, name, self.words.len());
        self.words.extend(words);
    }
}

fn constant(text: &mut String, name: &str, value: impl std::fmt::Display) {
    // writing to a string cannot fail
    let _ = writeln!(text, "#define {name} {value}");
}

impl Layout {
    /// Lays out a job, or returns the reason why it must run on the CPU.
    pub fn new(job: &Job, shape: Shape) -> Result<Layout, String> {
        let program = &job.program;
        refuse(job)?;
        let lines = Lines::new(program, &card_faces(program.faces.faces.len()))?;
        let large = || "a round has too many states for a GPU".to_string();
        let solo = SingleBox::with_exits(program).ok_or_else(large)?;
        if solo.steps.contains(&Step::Replay) {
            return Err("only the CPU supports the way its rounds draw cards".into());
        }
        let beyond = Resplit::new(program, &solo.exits).ok_or_else(large)?;
        let (symbols, faces) = (solo.symbols, &program.faces.faces);
        let lists = faces.len() > FEW;
        // after the states of a round: one in which nothing happens, and those in which cards are burned before a round
        let (hot, burned) = ((solo.steps.len() / symbols) as u32, program.stack.burned_each_round as u32);
        let third = program.sides.iter().find(|side| side.sees == Sees::DealerThree);
        let codes = Codes {
            round_states: hot + 1 + burned,
            states: hot + 1 + burned + (beyond.steps.len() / symbols) as u32,
            outcomes: solo.outcomes.len() as u32,
            exits: beyond.entries.len() as u32,
            consults: solo.consults.len() as u32,
            insurances: beyond.insurances.len() as u32,
            classes: beyond.classes.len() as u32,
            asks: beyond.asks.len() as u32,
            lines: third.map_or(1, |side| side.lines.len() as u32),
            spots: program.spots as u32,
        };
        let burns = (1..=burned).map(|burn| if burn < burned { hot + 1 + burn } else { 0 });
        let alike = std::iter::once(hot).chain(burns).flat_map(|next| std::iter::repeat_n(next, symbols));
        let rows = solo.steps.iter().map(|&step| codes.step(step)).chain(alike);
        let rows: Vec<u32> = rows.chain(beyond.steps.iter().map(|&then| codes.then(then))).collect();
        // with few faces, a column is a face, which saves a lookup
        let cards = card_faces(faces.len());
        let columns: Vec<usize> = match lists {
            true => (0..symbols).collect(),
            false => cards.iter().map(|&face| usize::from(program.faces.symbol_of[face])).collect(),
        };
        let table: Vec<u32> =
            rows.chunks_exact(symbols).flat_map(|row| columns.iter().map(|&symbol| row[symbol])).collect();
        let entry_bytes = if codes.last() <= u32::from(u16::MAX) { 2 } else { 4 };

        let labels = labels(job);
        let used = labels.len();
        let mut rest = Rest::default();
        rest.put("SYMBOL_AT", program.faces.symbol_of.iter().map(|&symbol| u32::from(symbol)));
        put_tags(&mut rest, job, &cards);
        let aspect =
            |outcome: &Outcome| u32::from(outcome.third_card_line) * 2 + u32::from(outcome.dealer_blackjack);
        rest.put("ASPECT_AT", solo.outcomes.iter().map(aspect));
        let streaks = Streaks::new(program);
        if streaks.states() > 0 {
            rest.put("EFFECT_AT", solo.outcomes.iter().map(|outcome| streaks.effect(outcome.record())));
            rest.put("RECORD_AT", (0..RECORDS).map(|packed| streaks.effect(record(packed))));
            rest.put("STREAK_AT", streaks.steps());
        }
        rest.put(
            "EXIT_AT",
            beyond.entries.iter().flat_map(|entry| {
                [codes.then(entry.then), entry.control | entry.pending << 16, entry.sum | entry.first << 16]
            }),
        );
        rest.put(
            "CONSULT_AT",
            solo.consults.iter().flat_map(|consult| {
                let hidden = consult.hidden.map_or(0, |symbol| tag(job, symbol)) as u32;
                let answers = labels.iter().map(|&bucket| codes.step(consult.steps[bucket]));
                std::iter::once(hidden).chain(answers).collect::<Vec<u32>>()
            }),
        );
        rest.put("INSURANCE_AT", beyond.insurances.iter().map(|&(_, net)| net as u32));
        put_controls(&mut rest, job, &beyond, &codes);
        rest.put("ADD_AT", beyond.adds.iter().copied());
        rest.put("FLAG_AT", beyond.sums.iter().map(|sum| u32::from(sum.depends) * 2 + u32::from(sum.waits)));
        rest.put(
            "PART_AT",
            beyond.part_of.iter().flat_map(|&at| {
                let part = &beyond.parts[at as usize];
                let ways = |way: usize| part.endings.iter().skip(way).step_by(3).map(|&n| u32::from(n)).sum();
                [at, part.net as u32, packed(ways(0), ways(2), ways(1))]
            }),
        );
        let by_label =
            |ask: &Vec<SplitStep>| labels.iter().map(|&bucket| codes.then(ask[bucket])).collect::<Vec<_>>();
        rest.put("ASK_AT", beyond.asks.iter().flat_map(by_label));
        rest.put("TOTAL_AT", if lists { vec![] } else { totals(job) });
        rest.put("LIST_AT", if lists { list(job) } else { vec![] });

        let nets = || beyond.parts.iter().map(|part| part.net);
        let at_once = (program.hands_per_box * program.spots) as i32;
        let insurance = || beyond.insurances.iter().map(|&(_, net)| net);
        let least = nets().min().unwrap_or(0).min(0) * at_once + insurance().min().unwrap_or(0);
        let most = nets().max().unwrap_or(0).max(0) * at_once + insurance().max().unwrap_or(0);
        let by_lines = program.sides.iter().any(|side| !matches!(side.sees, Sees::Streak(_)));
        let line_keys = if by_lines { lines.sets.len() * codes.lines as usize * 2 } else { 0 };
        let streak_keys = 2 * streaks.states() as usize;
        let sides = streak_keys + line_keys;
        let keys = solo.outcomes.len() * used;
        let streaks_at = keys;
        let side_at = streaks_at + streak_keys;
        let parts_at = streaks_at + sides;
        let nets_at = parts_at + beyond.parts.len() * used;
        let insured_at = nets_at + (most - least + 1) as usize * used;
        let cards_at = insured_at + beyond.insurances.len() * used;
        let places = Places {
            outcomes: solo.outcomes,
            parts: beyond.parts,
            sets: lines.sets,
            streaks_at,
            side_at,
            aspects: codes.lines as usize * 2,
            parts_at,
            nets_at,
            least_net: least,
            nets: (most - least + 1) as usize,
            insured_at,
            insurances: beyond.insurances,
            cards_at,
            void_at: cards_at + 1,
            labels,
        };
        let fit =
            Fit::new(job, shape, lists, keys, sides, columns.len() * entry_bytes, codes.states as usize)?;
        let in_order = if streak_keys > 0 { job.shoes } else { 1 };
        let stack = &program.stack;
        let mut constants = std::mem::take(&mut rest.constants);
        let c = &mut constants;
        for (name, value) in [
            ("ENTRY_BYTES", entry_bytes),
            ("COLUMNS", columns.len()),
            ("CARDS_APART", cards.len()),
            ("CARDS", stack.cards),
            ("BURNED", stack.burned),
            ("LAST_START", job.last_start()),
            ("SHOES", job.shoes as usize),
            ("STATES", codes.states as usize),
            ("START", if burned == 0 { 0 } else { hot as usize + 1 }),
            ("IDLE", hot as usize),
            ("OUTCOMES", codes.outcomes as usize),
            ("EXITS", codes.exits as usize),
            ("CONSULTS", codes.consults as usize),
            ("INSURANCES", codes.insurances as usize),
            ("CLASSES", codes.classes as usize),
            ("ASKS", codes.asks as usize),
            ("LINES", codes.lines as usize),
            ("SPOTS", program.spots),
            ("TWO_HANDS", usize::from(program.hands_per_box > 1)),
            ("BLACKJACK_ASKED", usize::from(program.sides.iter().any(|s| s.sees == Sees::TwoAndBlackjack))),
            ("CONTROL_WORDS", CONTROL_DEALER + 4 * program.spots),
            ("CONTROL_SPLIT", CONTROL_SPLIT),
            ("CONTROL_DEALER", CONTROL_DEALER),
            ("DEALER", DEALER as usize),
            ("SECOND", SECOND as usize),
            ("COUNTING", usize::from(job.counting.is_some())),
            ("BUCKETS", used),
            ("BUCKETS_USED", used),
            ("LINE_KEYS", line_keys),
            ("STREAK_KEYS", streak_keys),
            ("IN_ORDER", in_order as usize),
            ("ASPECTS", places.aspects),
            ("DEALT", usize::from(lines.cards > 0)),
            ("DEALT_LIMIT", cards.len().pow(lines.cards as u32)),
            ("SIDE_AT", streaks_at),
            ("PARTS_AT", parts_at),
            ("NETS_AT", nets_at),
            ("INSURED_AT", insured_at),
            ("CARDS_AT", cards_at),
            ("VOID_AT", cards_at + 1),
            ("OUT_WORDS", cards_at + 2),
            ("LISTS", usize::from(lists)),
            ("WORDS", (faces.len() - 1).div_ceil(3)),
            ("LIST_WORDS", stack.cards.div_ceil(4)),
            ("LIST_STRIDE", 4 * 4 * fit.threads),
            ("LIST_BYTES", fit.list_bytes),
            ("THREADS", fit.threads),
            ("ENDED_NEAR", fit.ended),
            ("SIDED_NEAR", fit.sided),
            ("NEAR_STATES", fit.states),
        ] {
            constant(c, name, format!("{value}u"));
        }
        constant(c, "NET_LEAST", format!("({least})"));
        if let Some(counting) = &job.counting {
            constant(c, "REACH", counting.reach());
            constant(c, "COUNT_START", format!("({})", counting.start));
        }
        Ok(Layout {
            constants,
            table: match entry_bytes {
                2 => Table::Narrow(table.iter().map(|&entry| entry as u16).collect()),
                _ => Table::Wide(table),
            },
            rest: rest.words,
            buckets: buckets(job, &places.labels),
            lines: lines.of,
            left: (1..=stack.cards as u32)
                .rev()
                .map(|left| left | (65_536 % left) << 16)
                .chain([0])
                .collect(),
            words: cards_at + 2,
            threads: fit.threads,
            shared: fit.bytes,
            list_bytes: fit.list_bytes,
            in_order,
            places,
        })
    }
}

/// Returns the reason if the device does not support the job.
fn refuse(job: &Job) -> Result<(), String> {
    let program = &job.program;
    let offers = &program.offers;
    let insures =
        offers.insurance != Take::Never || (program.even_money.is_some() && offers.even_money != Take::Never);
    let on_dealer = |sees: Sees| matches!(sees, Sees::DealerThree | Sees::TwoAndBlackjack | Sees::Streak(_));
    let reasons = [
        (job.boxes > 1, "more than one box is in play"),
        (!job.side_counts.is_empty(), "side bets use separate counts"),
        (insures && program.spots > 1, "insurance is taken against more than one dealer hand"),
        (program.classes.change(), "face-down double cards are turned over between dealer hands"),
        (program.stack.cards > MOST_CARDS, "the shoe has too many cards"),
        (
            program.stack.burned_each_round > 0 && (job.counting.is_some() || !program.sides.is_empty()),
            "cards are burned before each round, with counting or side bets",
        ),
        (
            program.spots > 1 && program.sides.iter().any(|side| on_dealer(side.sees)),
            "a side bet depends on more than one dealer hand",
        ),
        (program.spots > 1 && program.hands_per_box > 1, "player and dealer both have several hands"),
    ];
    reasons.iter().find(|reason| reason.0).map_or(Ok(()), |reason| Err(reason.1.into()))
}

const CONTROL_SPLIT: usize = 5;
const CONTROL_DEALER: usize = CONTROL_SPLIT + 20;

/// Returns the count tag of a card.
fn tag(job: &Job, symbol: Symbol) -> i32 {
    job.counting.as_ref().map_or(0, |counting| counting.tags[job.program.face_of_symbol(symbol)])
}

fn put_controls(rest: &mut Rest, job: &Job, beyond: &Resplit, codes: &Codes) {
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

/// Returns the count buckets in use, those around the starting count first, because they are the most frequent.
fn labels(job: &Job) -> Vec<usize> {
    if job.counting.is_none() {
        return vec![0];
    }
    let mut labels: Vec<usize> = (0..BUCKETS).collect();
    let start = job.counting.as_ref().map_or(0, |counting| counting.bucket(counting.start, 0));
    labels.sort_by_key(|&bucket| bucket.abs_diff(start));
    labels
}

/// The label of the bucket, by cards dealt and running count.
fn buckets(job: &Job, labels: &[usize]) -> Vec<u8> {
    let Some(counting) = &job.counting else { return vec![0] };
    let mut label_of = [0; BUCKETS];
    labels.iter().enumerate().for_each(|(label, &bucket)| label_of[bucket] = label as u8);
    let running = || -counting.reach()..=counting.reach();
    let gone = 0..=job.program.stack.cards;
    gone.flat_map(|gone| running().map(move |running| (running, gone)))
        .map(|(running, gone)| label_of[counting.bucket(running, gone)])
        .collect()
}

/// Returns the number of cards of each face in a full stack.
fn full(job: &Job) -> impl Iterator<Item = (usize, u32)> {
    job.program.faces.faces.iter().map(|face| face.1 * job.program.decks).enumerate()
}

/// Returns the face for each card number of the kernel. With a list, a card number is the face itself. With running
/// totals, it is the number of totals beyond the card; numbers that never occur map to some face.
fn card_faces(faces: usize) -> Vec<usize> {
    if faces > FEW {
        return (0..faces).collect();
    }
    let fields = (faces - 1).next_multiple_of(3);
    (0..=fields).map(|behind| (fields - behind).min(faces - 1)).collect()
}

/// Stores the count tags by card: three bits each in one word if they fit.
fn put_tags(rest: &mut Rest, job: &Job, cards: &[usize]) {
    let tags: Vec<i32> = match &job.counting {
        Some(counting) => cards.iter().map(|&face| counting.tags[face]).collect(),
        None => Vec::new(),
    };
    rest.put("TAG_AT", tags.iter().map(|&tag| tag as u32));
    let least = tags.iter().copied().min().unwrap_or(0);
    if !tags.is_empty() && tags.len() <= 10 && tags.iter().all(|tag| tag - least < 8) {
        let packed = tags.iter().rev().fold(0u32, |packed, tag| packed << 3 | (tag - least) as u32);
        constant(&mut rest.constants, "TAGS", format!("{packed:#x}u"));
        constant(&mut rest.constants, "TAG_BIAS", format!("({})", -least));
    }
}

/// Returns 512 minus the running total for each face but the last, in fields of ten bits. Fields without a face never
/// match.
fn totals(job: &Job) -> Vec<u32> {
    let mut sum = 0;
    let mut fields: Vec<u32> = full(job)
        .map(|(_, cards)| {
            sum += cards;
            sum
        })
        .collect();
    fields.pop();
    fields.resize(fields.len().next_multiple_of(3), MOST_CARDS as u32);
    fields.chunks_exact(3).map(|f| f.iter().rev().fold(0, |word, total| word << 10 | (512 - total))).collect()
}

/// Returns the faces of a full stack, four per word.
fn list(job: &Job) -> Vec<u32> {
    let mut faces: Vec<u8> =
        full(job).flat_map(|(face, cards)| std::iter::repeat_n(face as u8, cards as usize)).collect();
    faces.resize(faces.len().next_multiple_of(4), 0);
    faces.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// The parts that are placed in shared memory.
struct Fit {
    threads: usize,
    ended: usize,
    sided: usize,
    states: usize,
    list_bytes: usize,
    bytes: usize,
}

impl Fit {
    fn new(
        job: &Job,
        shape: Shape,
        lists: bool,
        keys: usize,
        sides: usize,
        row: usize,
        states: usize,
    ) -> Result<Fit, String> {
        let small = || "this device has too little shared memory".to_string();
        let lane = job.program.stack.cards.next_multiple_of(4);
        let sided = sides.min(2048);
        // counters of the most frequent outcomes; a list needs the space itself
        let ended = keys.min(if lists { 1024 } else { shape.shared / 16 });
        let counters = 4 * (ended + sided);
        let per_thread = if lists { 4 * lane + 32 } else { 32 };
        let room = shape.shared.checked_sub(counters).ok_or_else(small)?;
        let threads = (room / per_thread).min(shape.threads) / 32 * 32;
        if threads == 0 {
            return Err(small());
        }
        let used = counters + threads * per_thread;
        let near = ((shape.shared - used) / row).min(states);
        let list_bytes = if lists { threads * 4 * lane } else { 0 };
        Ok(Fit { threads, ended, sided, states: near, list_bytes, bytes: used + near * row })
    }
}
