//! Implements the hot loop of the fast engine: each lane steps through a transition table, one card at a time.

use super::Isa;
use crate::count::{BUCKETS, Counting};
use crate::rng::LANES;
use crate::shoe::Row;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// The state of all lanes (parallel shoes) while they step through the cards of their shoes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes {
    /// The number of each lane's current state ([`Stepper::of_state`]).
    pub states: [u32; LANES],
    /// Each lane's label: the count bucket at the start of its round, shifted left by [`Tagging::label_bits`].
    ///
    /// When the round ends, its code and the label together form a key ([`Keys`]).
    pub labels: [u32; LANES],
    /// The index in the shoe of the first card of each lane's round; a burn card may be that card.
    pub begun: [u32; LANES],
    /// The running count of each lane.
    pub running: [i16; LANES],
}

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes { states: [0; LANES], labels: [0; LANES], begun: [0; LANES], running: [0; LANES] }
    }
}

/// The count buckets of the running counts from -64 to 63.
///
/// Running counts outside this range are rare. Negative running counts come last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct CommonCounts(pub [u8; NEAR]);

/// The number of running counts that [`CommonCounts`] covers.
pub const NEAR: usize = 128;

impl CommonCounts {
    /// Returns the index of a running count in [`CommonCounts`], or `None` if the count is out of range.
    #[inline(always)]
    pub fn place(running: i16) -> Option<usize> {
        let near = running as u16 & (NEAR as u16 - 1);
        (-64..64).contains(&running).then_some(usize::from(near))
    }
}

/// The values for card counting during a walk: the tags of the cards, and the count bucket of each running count.
#[derive(Clone, Copy)]
pub struct Tagging<'c> {
    /// The tag of each face.
    pub tags: &'c [i8; LANES],
    /// The count buckets of the common running counts, indexed by number of cards dealt.
    pub near: &'c [CommonCounts],
    /// The lookup tables for running counts outside [`CommonCounts`].
    ///
    /// `None` is possible only if no decision depends on the count.
    pub counting: Option<&'c Counting>,
    /// The number of bits in a code; in a key, the label stands above these bits.
    pub label_bits: u32,
}

/// The keys of all rounds and waits that have ended, in the order of cards, then of lanes.
///
/// A key holds a code in its low bits, which says how the round ended, and above it the label of the lane.
pub struct Keys {
    keys: Box<[u32; Keys::ROOM]>,
    used: usize,
}

impl Default for Keys {
    fn default() -> Keys {
        Keys { keys: Box::new([0; Keys::ROOM]), used: 0 }
    }
}

impl Keys {
    const ROOM: usize = 1024;
    /// The space needed to add the keys of one row of cards, including the unused end of the last vector.
    const A_ROW: usize = LANES + 16;

    /// Returns all keys collected so far.
    pub fn all(&self) -> &[u32] {
        &self.keys[..self.used.min(Keys::ROOM)]
    }

    /// Removes all keys from the list.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Returns whether there may be too little space for the keys of another row of cards.
    pub fn is_full(&self) -> bool {
        self.used > Keys::ROOM - Keys::A_ROW
    }
}

/// The rows of cards to step through, and the tags to count them with.
#[derive(Clone, Copy)]
pub struct WalkInput<'w> {
    /// The rows of cards, with one card per lane.
    pub rows: &'w [Row],
    /// The index of the first row in `rows` within the whole shoe.
    pub first: usize,
    /// The tags for the running counts, or `None` if no cards are counted.
    pub tagging: Option<Tagging<'w>>,
    /// Whether the walk stops at every row of cards in which a lane reaches a code.
    pub each: bool,
}

/// The point where a walk through a shoe stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The index within the whole shoe of the row of cards to read next.
    pub at: usize,
    /// The bit mask of the lanes that reached a code at the last row of cards.
    ///
    /// The last keys in [`Keys`] belong to these lanes, in the order of the lanes.
    pub ended: u64,
    /// The bit mask of the lanes in `ended` whose next step is left to the caller, because they began no new
    /// round.
    pub open: u64,
}

/// A transition table, with one entry for each state and each symbol, the group of cards that act alike.
///
/// Entries below `coded` are the numbers of next states, entries from `coded` on are codes, and entries from
/// `consulted` on are questions that the count decides. After a code, the lane continues in the state `after`.
pub struct Stepper {
    /// The entries, row by row, and two unused ones at the end, because an entry is read together with the next
    /// one.
    entries: Vec<u16>,
    /// The number of bits by which a state's number is shifted left to find the state's row.
    shift: u32,
    /// The difference between the numbers of two consecutive states.
    apart: usize,
    last_state: u32,
    coded: u16,
    /// The lowest entry whose code need not stop the walk, because the lane may begin its next round at once.
    plain: u16,
    /// The state in which a lane continues after a code.
    after: u16,
    symbol_of: [u8; LANES],
    /// The lowest entry that stands for a question.
    ///
    /// The entry to use instead is found in `answers`.
    consulted: u32,
    /// The entry to use for each question, indexed by question, then by count bucket.
    ///
    /// None of these entries is itself a question.
    answers: Vec<u16>,
    /// For each question, the face of the dealer's unseen hole card, or [`NO_FACE`] if every card is seen.
    hidden: Vec<u8>,
}

/// The face number that stands for no card, and whose tag is zero.
const NO_FACE: u8 = LANES as u8 - 1;

/// A point of the round at which the count decides how the round continues.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The face of the dealer's unseen hole card, whose tag is not counted, or `None` if every card is seen.
    pub hidden: Option<u8>,
    /// The entry to continue with, indexed by count bucket.
    ///
    /// None of these entries is itself a question.
    pub entries: Vec<Entry>,
}

/// What follows in the transition table when a lane in one state receives a card of one symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// The lane moves to the state with this index.
    State(usize),
    /// The lane's round or wait ends with this code, counted from 1.
    Code(u32),
    /// The count decides by the question with this index.
    Consult(usize),
}

impl Stepper {
    /// Builds a transition table from its rows, or returns `None` if the entries do not fit into 16 bits.
    ///
    /// `rows` has an entry for each state and symbol; `symbol_of` gives the symbol of each face. `after` is the
    /// state in which a lane continues after a code, and codes from `plain` on need not stop the walk.
    pub fn new(
        (rows, questions): (&[Entry], &[Question]),
        symbols: usize,
        symbol_of: &[u8],
        after: usize,
        plain: u32,
    ) -> Option<Stepper> {
        let states = rows.len() / symbols;
        let answers = questions.iter().flat_map(|question| &question.entries);
        let codes = rows.iter().chain(answers);
        let codes = codes.map(|entry| if let Entry::Code(code) = entry { *code as usize } else { 0 });
        let codes = codes.max().unwrap_or(0);
        // place the rows as close together as the state numbers allow
        let apart = |shift: u32| symbols.div_ceil(1 << shift);
        let shift = (0..8).find(|&shift| states * apart(shift) + codes <= usize::from(u16::MAX))?;
        let apart = apart(shift);
        let coded = states * apart;
        let mut entries = vec![0; (coded << shift) + 2];
        let consulted = coded + codes;
        let number = |entry: &Entry| match *entry {
            Entry::State(state) => state * apart,
            Entry::Code(code) => coded + code as usize - 1,
            Entry::Consult(question) => consulted + question,
        };
        // entries that depend on the count come after all others, and must also fit into 16 bits
        if rows.iter().any(|entry| number(entry) > usize::from(u16::MAX)) {
            return None;
        }
        for (row, from) in entries.chunks_exact_mut(apart << shift).zip(rows.chunks_exact(symbols)) {
            for (place, entry) in row.iter_mut().zip(from) {
                *place = number(entry) as u16;
            }
        }
        let mut answers = Vec::with_capacity(questions.len() * BUCKETS);
        for question in questions {
            // an answer must not depend on the count again; a count beyond the last one gets the last answer
            let plain = |entry: &Entry| (number(entry) < consulted).then(|| number(entry) as u16);
            let found: Vec<u16> = question.entries.iter().map(plain).collect::<Option<_>>()?;
            answers.extend((0..BUCKETS).filter_map(|count| found.get(count).or(found.last())));
        }
        let mut symbols_of_all = [0; LANES];
        for (place, &symbol) in symbols_of_all.iter_mut().zip(symbol_of) {
            *place = symbol.min(symbols as u8 - 1);
        }
        Some(Stepper {
            entries,
            shift,
            apart,
            last_state: ((states - 1) * apart) as u32,
            coded: coded as u16,
            plain: (coded + plain as usize - 1) as u16,
            after: (after * apart) as u16,
            symbol_of: symbols_of_all,
            consulted: consulted as u32,
            answers,
            hidden: questions.iter().map(|question| question.hidden.unwrap_or(NO_FACE)).collect(),
        })
    }

    /// Returns the entry to use instead of the question `entry`, given the running count after `at` cards.
    #[inline]
    fn answered(&self, entry: u32, running: i16, at: usize, tagging: &Tagging<'_>) -> u16 {
        let question = (entry - self.consulted) as usize;
        let hidden = self.hidden.get(question).copied().unwrap_or(NO_FACE);
        let running = running - i16::from(tagging.tags[usize::from(hidden) % LANES]);
        let bucket = match (CommonCounts::place(running), tagging.counting) {
            (Some(place), _) => tagging.near.get(at).map_or(0, |near| usize::from(near.0[place])),
            (None, Some(counting)) => counting.bucket(i32::from(running), at),
            (None, None) => 0,
        };
        self.answers.get(question * BUCKETS + bucket).copied().unwrap_or(self.after)
    }

    /// Returns the number that [`Lanes::states`] holds for the state with this index.
    pub fn of_state(&self, state: usize) -> u32 {
        (state * self.apart) as u32
    }

    /// Returns the index of the state for which [`Lanes::states`] holds this number.
    pub fn state(&self, number: u32) -> usize {
        number as usize / self.apart
    }

    /// Steps all lanes through the rows of cards, one row at a time, and returns where the walk stopped.
    ///
    /// Stops after the last row, if the caller must handle a lane that reached a code, or if there may be no space
    /// for more keys. Other lanes that reach a code begin their next round at once, and their start and label are
    /// recorded.
    #[inline]
    pub fn walk(&self, isa: Isa, way: WalkInput<'_>, lanes: &mut Lanes, keys: &mut Keys) -> Stop {
        match (isa, way.tagging, self.hidden.is_empty()) {
            // SAFETY: the `Detected` value proves that the processor supports these instructions
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512(_), None, true) => unsafe {
                self.walk_avx512::<false, false>(way, NO_TAGS, lanes, keys)
            },
            // SAFETY: as above
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512(_), None, false) => unsafe {
                self.walk_avx512::<false, true>(way, NO_TAGS, lanes, keys)
            },
            // SAFETY: as above
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512(_), Some(tagging), true) => unsafe {
                self.walk_avx512::<true, false>(way, tagging, lanes, keys)
            },
            // SAFETY: as above
            #[cfg(target_arch = "x86_64")]
            (Isa::Avx512(_), Some(tagging), false) => unsafe {
                self.walk_avx512::<true, true>(way, tagging, lanes, keys)
            },
            _ => self.walk_portable(way, lanes, keys),
        }
    }

    fn walk_portable(&self, way: WalkInput<'_>, lanes: &mut Lanes, keys: &mut Keys) -> Stop {
        let WalkInput { rows, first, tagging, each } = way;
        let mut stop = Stop { at: first, ended: 0, open: 0 };
        for row in rows {
            if keys.is_full() || stop.open != 0 {
                break;
            }
            (stop.at, stop.ended) = (stop.at + 1, 0);
            let mut plain = 0;
            if let Some(Tagging { tags, .. }) = tagging {
                for (sum, &face) in lanes.running.iter_mut().zip(&row.0) {
                    *sum += i16::from(tags[usize::from(face) % LANES]);
                }
            }
            for lane in 0..LANES {
                let symbol = self.symbol_of[usize::from(row.0[lane]) % LANES];
                let state = lanes.states[lane].min(self.last_state) as usize;
                let mut entry = self.entries[(state << self.shift) + usize::from(symbol)];
                if u32::from(entry) >= self.consulted {
                    let tagging = tagging.as_ref().unwrap_or(&NO_TAGS);
                    entry = self.answered(u32::from(entry), lanes.running[lane], stop.at, tagging);
                }
                let ends = entry >= self.coded;
                lanes.states[lane] = u32::from(if ends { self.after } else { entry });
                let code = u32::from(entry.wrapping_sub(self.coded)) + 1;
                keys.keys[keys.used % Keys::ROOM] = code | lanes.labels[lane];
                keys.used += usize::from(ends);
                stop.ended |= u64::from(ends) << lane;
                plain |= u64::from(entry >= self.plain) << lane;
            }
            let mut begins = if each { 0 } else { plain };
            for lane in crate::lane::lanes_of(begins) {
                if let Some(Tagging { near, label_bits, .. }) = tagging {
                    let Some(place) = CommonCounts::place(lanes.running[lane]) else {
                        begins &= !(1 << lane);
                        continue;
                    };
                    lanes.labels[lane] = u32::from(near[stop.at].0[place]) << label_bits;
                }
                lanes.begun[lane] = stop.at as u32;
            }
            stop.open = stop.ended & !begins;
        }
        stop
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2,popcnt")]
    fn walk_avx512<const TAGS: bool, const ASKS: bool>(
        &self,
        WalkInput { rows, first, each, .. }: WalkInput<'_>,
        tagging: Tagging<'_>,
        lanes: &mut Lanes,
        keys: &mut Keys,
    ) -> Stop {
        let all = |value: u32| _mm512_set1_epi32(value as i32);
        let (last, after) = (all(self.last_state), all(u32::from(self.after)));
        let (coded, plain) = (all(u32::from(self.coded)), all(u32::from(self.plain)));
        let consulted = all(self.consulted);
        let (before_codes, low_half) = (_mm512_sub_epi32(coded, all(1)), all(0xffff));
        let (shift, label_bits) = (all(self.shift), all(tagging.label_bits));
        // SAFETY: every pointer leads to an array of that many whole vectors
        let load = |from: *const u8, at: usize| unsafe { _mm512_loadu_si512(from.add(64 * at).cast()) };
        let store =
            |to: *mut u8, at: usize, v: __m512i| unsafe { _mm512_storeu_si512(to.add(64 * at).cast(), v) };
        let some = |to: &mut [u32; LANES], at: usize, which: u64, v: __m512i| unsafe {
            let which = (which >> (16 * at)) as u16;
            _mm512_mask_storeu_epi32(to.as_mut_ptr().add(16 * at).cast(), which, v)
        };
        let symbol_of = load(self.symbol_of.as_ptr(), 0);
        let tags = load(tagging.tags.as_ptr().cast(), 0);
        let states: *mut u8 = lanes.states.as_mut_ptr().cast();
        let running: *mut u8 = lanes.running.as_mut_ptr().cast();
        let mut state = [0, 1, 2, 3].map(|at| load(states, at));
        let mut sums = [load(running, 0), load(running, 1)];
        let mut stop = Stop { at: first, ended: 0, open: 0 };
        for row in rows {
            if keys.is_full() || stop.open != 0 {
                break;
            }
            (stop.at, stop.ended) = (stop.at + 1, 0);
            let faces = load(row.0.as_ptr(), 0);
            let symbols = _mm512_permutexvar_epi8(faces, symbol_of);
            let quarters = [
                _mm512_castsi512_si128(symbols),
                _mm512_extracti32x4_epi32::<1>(symbols),
                _mm512_extracti32x4_epi32::<2>(symbols),
                _mm512_extracti32x4_epi32::<3>(symbols),
            ];
            if TAGS {
                let found = _mm512_permutexvar_epi8(faces, tags);
                let high = _mm512_extracti64x4_epi64::<1>(found);
                sums[0] = _mm512_add_epi16(sums[0], _mm512_cvtepi8_epi16(_mm512_castsi512_si256(found)));
                sums[1] = _mm512_add_epi16(sums[1], _mm512_cvtepi8_epi16(high));
            }
            let (mut entries, mut asks) = ([_mm512_setzero_si512(); 4], 0u64);
            for (at, quarter) in quarters.into_iter().enumerate() {
                let start = _mm512_sllv_epi32(_mm512_min_epu32(state[at], last), shift);
                let place = _mm512_add_epi32(start, _mm512_cvtepu8_epi32(quarter));
                // SAFETY: a state is at most the last one, whose row lies within the entries, and two more bytes after
                // the last entry can be read
                let entry = unsafe { _mm512_i32gather_epi32::<2>(place, self.entries.as_ptr().cast()) };
                entries[at] = _mm512_and_si512(entry, low_half);
                if ASKS {
                    asks |= u64::from(_mm512_cmpge_epu32_mask(entries[at], consulted)) << (16 * at);
                }
            }
            if ASKS && asks != 0 {
                // few lanes consult the count at a time, so they are resolved one by one
                let (mut found, mut running) = (Words([0; LANES]), Halves([0; LANES]));
                (0..4).for_each(|at| store(found.0.as_mut_ptr().cast(), at, entries[at]));
                (0..2).for_each(|at| store(running.0.as_mut_ptr().cast(), at, sums[at]));
                for lane in crate::lane::lanes_of(asks) {
                    let answer = self.answered(found.0[lane], running.0[lane], stop.at, &tagging);
                    found.0[lane] = u32::from(answer);
                }
                (0..4).for_each(|at| entries[at] = load(found.0.as_ptr().cast(), at));
            }
            let mut begins = 0;
            for (at, entry) in entries.into_iter().enumerate() {
                let ends = _mm512_cmpge_epu32_mask(entry, coded);
                state[at] = _mm512_mask_mov_epi32(entry, ends, after);
                let label = load(lanes.labels.as_ptr().cast(), at);
                let key = _mm512_or_si512(_mm512_sub_epi32(entry, before_codes), label);
                // SAFETY: `is_full` left room for all keys of this row and for one vector beyond them
                unsafe {
                    let to = keys.keys.as_mut_ptr().cast::<u32>().add(keys.used);
                    _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi32(ends, key));
                }
                keys.used += ends.count_ones() as usize;
                stop.ended |= u64::from(ends) << (16 * at);
                begins |= u64::from(_mm512_cmpge_epu32_mask(entry, plain)) << (16 * at);
            }
            if each {
                begins = 0;
            }
            if TAGS && !each {
                let (least, width) = (_mm512_set1_epi16(64), _mm512_set1_epi16(NEAR as i16));
                let near = sums.map(|sum| _mm512_cmplt_epu16_mask(_mm512_add_epi16(sum, least), width));
                begins &= u64::from(near[0]) | u64::from(near[1]) << 32;
                let [low, high] = sums.map(|sum| _mm512_cvtepi16_epi8(sum));
                let places = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
                let labels = tagging.near[stop.at].0.as_ptr();
                let labels = _mm512_permutex2var_epi8(load(labels, 0), places, load(labels, 1));
                let labels = [
                    _mm512_castsi512_si128(labels),
                    _mm512_extracti32x4_epi32::<1>(labels),
                    _mm512_extracti32x4_epi32::<2>(labels),
                    _mm512_extracti32x4_epi32::<3>(labels),
                ];
                for (at, label) in labels.into_iter().enumerate() {
                    let label = _mm512_sllv_epi32(_mm512_cvtepu8_epi32(label), label_bits);
                    some(&mut lanes.labels, at, begins, label);
                }
            }
            let next = all(stop.at as u32);
            (0..4).for_each(|at| some(&mut lanes.begun, at, begins, next));
            stop.open = stop.ended & !begins;
        }
        (0..4).for_each(|at| store(states, at, state[at]));
        (0..2).for_each(|at| store(running, at, sums[at]));
        stop
    }
}

/// The tagging with which nothing is counted.
const NO_TAGS: Tagging<'static> = Tagging { tags: &[0; LANES], near: &[], counting: None, label_bits: 0 };

/// A vector-aligned buffer with one number per lane.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
struct Words([u32; LANES]);

#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
struct Halves([i16; LANES]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_walks_alike_and_stays_within_the_table() {
        let mut number = 1;
        let mut random = || crate::rng::mix(&mut number);
        let entries: Vec<Entry> = (0..13 * 400)
            .map(|_| match random() % 50 {
                0 => Entry::Consult(random() as usize % 30),
                1..10 => Entry::Code(1 + random() as u32 % 40),
                _ => Entry::State(random() as usize % 400),
            })
            .collect();
        let answer = |random: u64| match random % 3 {
            0 => Entry::Code(1 + (random >> 8) as u32 % 40),
            _ => Entry::State((random >> 8) as usize % 400),
        };
        let questions: Vec<Question> = (0..30)
            .map(|nth| Question {
                hidden: (nth % 3 == 0).then_some(random() as u8 % 52),
                entries: (0..BUCKETS).map(|_| answer(random())).collect(),
            })
            .collect();
        let symbols: Vec<u8> = (0..52).map(|face| face % 13).collect();
        let asking = |plain| Stepper::new((&entries, &questions), 13, &symbols, 7, plain).unwrap();
        let (watched, unwatched) = (asking(3), asking(1));
        let tags = std::array::from_fn(|face| face as i8 % 11 - 5);
        let near: Vec<CommonCounts> = (0..=100)
            .map(|_| CommonCounts(std::array::from_fn(|_| random() as u8 % BUCKETS as u8)))
            .collect();
        let (mut attended, mut full, mut through) = (0, 0, 0);
        for nth in 0..600 {
            let lanes = Lanes {
                states: std::array::from_fn(|_| random() as u32),
                labels: std::array::from_fn(|_| (random() as u32 % 128) << 12),
                begun: [0; LANES],
                running: std::array::from_fn(|_| (random() % 100) as i16 - 50),
            };
            let rows = 1 + random() as usize % 100;
            let rows: Vec<Row> =
                (0..rows).map(|_| Row(std::array::from_fn(|_| (random() % 52) as u8))).collect();
            let first = 100 - rows.len();
            let tagging =
                (nth % 3 > 0).then_some(Tagging { tags: &tags, near: &near, counting: None, label_bits: 12 });
            let (each, stepper) = (nth % 7 == 0, if nth % 5 == 0 { &watched } else { &unwatched });
            let results = Isa::available().into_iter().map(|isa| {
                let (mut lanes, mut keys) = (lanes.clone(), Keys::default());
                let way = WalkInput { rows: &rows, first, tagging, each };
                let stop = stepper.walk(isa, way, &mut lanes, &mut keys);
                (stop, keys.is_full(), lanes, keys.all().to_vec())
            });
            let results: Vec<_> = results.collect();
            assert!(results.windows(2).all(|two| two[0] == two[1]));
            let (stop, is_full, ..) = results[0];
            assert!(!each || stop.open == stop.ended);
            attended += usize::from(stop.open != 0);
            full += usize::from(stop.open == 0 && is_full);
            through += usize::from(stop.at == 100);
        }
        assert!(attended > 100 && full > 10 && through > 50, "{attended} {full} {through}");
    }
}
