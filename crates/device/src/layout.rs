//! Lays out the lookup tables of a job for the kernel: constants as source text, and a few arrays.

mod compiled;

use compiled::Compiled;
use program::chart::Take;
use program::outcome::Outcome;
use program::side::Sees;
use sim::chunk::Job;
use sim::count::BUCKETS;
use std::fmt::Write;

/// The highest number of card faces for which a shoe is stored as running totals, as in `sim::shoe`.
const FEW: usize = 16;
/// The highest number of cards in a shoe whose running totals fit into the kernel's bit fields.
const MOST_CARDS: usize = 511;
/// The maximum number of threads in a block.
///
/// This many threads hide each other's latency, even if some values of a thread no longer fit into registers.
pub const MOST_THREADS: usize = 1024;

/// The number of threads in a block and the shared memory that the block may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The number of threads in a block, a multiple of 32.
    ///
    /// A multiprocessor runs one block at a time.
    pub threads: usize,
    /// The shared memory available to a block, in bytes.
    pub shared: usize,
}

/// The kernel's inputs for one job, and the positions of its counters.
pub struct Layout {
    /// The constants, as source text that precedes the kernel's source.
    pub constants: String,
    /// The step table: the next state or code for each state and card.
    pub table: Table,
    /// The kernel's smaller arrays, concatenated; the constants hold their positions.
    pub rest: Vec<u32>,
    /// The labels of the count buckets, indexed by the number of cards dealt, then by the running count.
    pub buckets: Vec<u8>,
    /// The set of paytable lines that the side bets reach, for each sequence of first cards.
    pub lines: Vec<u16>,
    /// For each number of cards dealt, the number left and, in the upper half, 65,536 modulo that number.
    pub left: Vec<u32>,
    /// The number of 64-bit words that the kernel's counters take.
    pub words: usize,
    /// The number of threads in a block.
    pub threads: usize,
    /// The shared memory per block, in bytes.
    pub shared: usize,
    /// The shared memory for a block's shoes in bytes, or zero if shoes are not stored as lists.
    pub list_bytes: usize,
    /// The number of shoes of one chunk that a group of threads plays in sequence.
    ///
    /// The number is more than one if the table has streak bets, because a streak continues in the next shoe.
    pub in_order: u64,
    pub(crate) places: CounterPlaces,
}

/// The kernel's step table, whose entries have two bytes if two are enough, and four otherwise.
pub enum Table {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// The positions of the kernel's counters, and what each counter counts.
pub(crate) struct CounterPlaces {
    pub outcomes: Vec<Outcome>,
    pub parts: Vec<program::resplit::SplitResult>,
    pub sets: Vec<Vec<(u8, u8)>>,
    /// The count buckets in the kernel's order; the index of a bucket in this list is its label.
    pub labels: Vec<usize>,
    pub streaks_at: usize,
    pub side_at: usize,
    pub aspects: usize,
    pub parts_at: usize,
    pub nets_at: usize,
    pub least_net: i32,
    pub nets: usize,
    pub insured_at: usize,
    /// The insurance bets of rounds outside the fused table, as pairs of bet and net win.
    pub insurances: Vec<(i32, i32)>,
    pub cards_at: usize,
    pub void_at: usize,
}

impl CounterPlaces {
    /// Returns the number of 64-bit words for the kernel's counters.
    fn words(&self) -> usize {
        self.void_at + 1
    }
}

/// The kernel's smaller arrays, concatenated, with a constant for the position of each.
#[derive(Default)]
struct SmallArrays {
    words: Vec<u32>,
    constants: String,
}

impl SmallArrays {
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
    /// Lays out a job for the kernel, or returns an error with the reason why the job must run on the CPU.
    pub fn new(job: &Job, shape: Shape) -> Result<Layout, String> {
        refuse(job)?;
        let compiled = Compiled::new(job)?;
        let places = compiled.places();
        let fit = BlockFit::new(shape, &compiled, &places)?;
        let SmallArrays { words: rest, mut constants } = compiled.rest();
        compiled.put_states(&mut constants);
        compiled.put_counters(&mut constants, &places);
        fit.put(&mut constants);
        Ok(Layout {
            constants,
            table: compiled.table(),
            rest,
            buckets: buckets(job, &compiled.labels),
            in_order: compiled.in_order(),
            lines: compiled.lines.of,
            left: (1..=job.program.stack.cards as u32)
                .rev()
                .map(|left| left | (65_536 % left) << 16)
                .chain([0])
                .collect(),
            words: places.words(),
            threads: fit.threads,
            shared: fit.bytes,
            list_bytes: fit.list_bytes,
            places,
        })
    }
}

/// Returns an error with the reason if the kernel does not support the job.
fn refuse(job: &Job) -> Result<(), String> {
    let program = &job.program;
    let offers = &program.offers;
    let insures =
        offers.insurance != Take::Never || (program.even_money.is_some() && offers.even_money != Take::Never);
    let on_dealer = |sees: Sees| matches!(sees, Sees::DealerThree | Sees::TwoAndBlackjack | Sees::Streak(_));
    let reasons = [
        (job.boxes > 1, "the GPU cannot play more than one box"),
        (!job.side_counts.is_empty(), "the GPU cannot bet side bets by separate counts"),
        (
            insures && program.dealer_hands > 1,
            "the GPU cannot take insurance against more than one dealer hand",
        ),
        (program.classes.change(), "the GPU cannot turn over face-down double cards between dealer hands"),
        (program.stack.cards > MOST_CARDS, "the shoe has too many cards for a GPU"),
        (
            program.stack.burned_each_round > 0 && (job.counting.is_some() || !program.sides.is_empty()),
            "the GPU cannot count cards or play side bets if a card is burned before each round",
        ),
        (
            program.dealer_hands > 1 && program.sides.iter().any(|side| on_dealer(side.sees)),
            "the GPU cannot play a side bet that depends on more than one dealer hand",
        ),
        (
            program.dealer_hands > 1 && program.hands_per_box > 1,
            "the GPU cannot play several hands against several dealer hands",
        ),
    ];
    reasons.iter().find(|reason| reason.0).map_or(Ok(()), |reason| Err(reason.1.into()))
}

/// Returns the count buckets in use, from the nearest to the starting count to the farthest.
///
/// The nearest buckets are the most frequent.
fn labels(job: &Job) -> Vec<usize> {
    if job.counting.is_none() {
        return vec![0];
    }
    let mut labels: Vec<usize> = (0..BUCKETS).collect();
    let start = job.counting.as_ref().map_or(0, |counting| counting.bucket(counting.start, 0));
    labels.sort_by_key(|&bucket| bucket.abs_diff(start));
    labels
}

/// Returns the labels of the count buckets, indexed by the number of cards dealt, then by the running count.
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

/// Returns each face with the number of its cards in a full stack.
fn full(job: &Job) -> impl Iterator<Item = (usize, u32)> {
    job.program.faces.faces.iter().map(|face| face.1 * job.program.decks).enumerate()
}

/// Returns the face for each card number that the kernel uses.
///
/// If shoes are lists, a card number is the face itself. If shoes are running totals, it is the number of totals
/// beyond the drawn position; numbers that never occur map to an arbitrary face.
fn card_faces(faces: usize) -> Vec<usize> {
    if faces > FEW {
        return (0..faces).collect();
    }
    let fields = (faces - 1).next_multiple_of(3);
    (0..=fields).map(|behind| (fields - behind).min(faces - 1)).collect()
}

/// Stores the count tag of each card number.
///
/// If the tags fit into one word with three bits each, also stores them as a constant.
fn put_tags(rest: &mut SmallArrays, job: &Job, cards: &[usize]) {
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

/// Returns 512 minus the running total of each face but the last, in words of three ten-bit fields.
///
/// Fields that pad the last word stand for no face, and no drawn position matches them.
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

/// Returns the faces of all cards of a full stack, four per word.
fn list(job: &Job) -> Vec<u32> {
    let mut faces: Vec<u8> =
        full(job).flat_map(|(face, cards)| std::iter::repeat_n(face as u8, cards as usize)).collect();
    faces.resize(faces.len().next_multiple_of(4), 0);
    faces.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// How many threads, counters and states fit into a block's shared memory.
struct BlockFit {
    threads: usize,
    ended: usize,
    sided: usize,
    parted: usize,
    states: usize,
    list_bytes: usize,
    bytes: usize,
}

impl BlockFit {
    fn new(shape: Shape, compiled: &Compiled, places: &CounterPlaces) -> Result<BlockFit, String> {
        let small = || "this device has too little shared memory for the table".to_string();
        let lists = compiled.lists();
        let keys = compiled.single.outcomes.len() * compiled.labels.len();
        let row = compiled.columns().len() * compiled.entry_bytes();
        let lane = compiled.job.program.stack.cards.next_multiple_of(4);
        let sided = (compiled.streak_keys() + compiled.line_keys()).min(2048);
        // counters of the most frequent outcomes; a list needs the space itself
        let ended = keys.min(if lists { 1024 } else { shape.shared / 16 });
        let parted = (places.cards_at - places.parts_at).min(if lists { 0 } else { shape.shared / 64 });
        let counters = 4 * (ended + sided + parted);
        // for each of four lanes: where its round began, and two words for rounds that leave the table
        let per_thread = if lists { 4 * lane + 48 } else { 48 };
        let room = shape.shared.checked_sub(counters).ok_or_else(small)?;
        let threads = (room / per_thread).min(shape.threads) / 32 * 32;
        if threads == 0 {
            return Err(small());
        }
        let used = counters + threads * per_thread;
        let states = compiled.codes.states as usize;
        let near = match ((shape.shared - used) / row).min(states) {
            // half a table there would take the cache from the other half; lists have taken it already
            part if part < states && !lists => 0,
            part => part,
        };
        let list_bytes = if lists { threads * 4 * lane } else { 0 };
        Ok(BlockFit { threads, ended, sided, parted, states: near, list_bytes, bytes: used + near * row })
    }

    /// Writes the constants that tell the kernel what the shared memory holds.
    fn put(&self, text: &mut String) {
        for (name, value) in [
            ("LIST_STRIDE", 4 * 4 * self.threads),
            ("LIST_BYTES", self.list_bytes),
            ("THREADS", self.threads),
            ("ENDED_NEAR", self.ended),
            ("SIDED_NEAR", self.sided),
            ("PARTED_NEAR", self.parted),
            ("NEAR_STATES", self.states),
        ] {
            constant(text, name, format!("{value}u"));
        }
    }
}
