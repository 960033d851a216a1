//! Instruction sets: the two hot loops, drawing and stepping, for each instruction set that is worth it.
//!
//! This is the only file with `unsafe`. Drawing is plain Rust over arrays of 64 lanes, compiled several times; stepping
//! has a twin with gathers beside the portable one. A twin is called only after the processor was found to understand
//! it, its reads stay within the table whatever it is given, and every test runs all of them.
#![allow(unsafe_code)]

use crate::rng::{LANES, STREAMS};
use crate::shoe::{ByTotals, Row, Shoes};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// What every processor of the architecture has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Found),
    #[cfg(target_arch = "x86_64")]
    Avx512(Found),
}

/// Proof that a processor was asked; only this file can make one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found(());

impl Isa {
    /// All instruction sets of this processor, the portable one first.
    pub fn available() -> Vec<Isa> {
        let mut all = vec![Isa::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Isa::Avx2(Found(())));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("bmi2")
            {
                all.push(Isa::Avx512(Found(())));
            }
        }
        all
    }

    /// The fastest.
    pub fn best() -> Isa {
        Isa::available().last().copied().unwrap_or(Isa::Portable)
    }

    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
        }
    }

    pub fn from_name(name: &str) -> Option<Isa> {
        Isa::available().into_iter().find(|isa| isa.name() == name)
    }
}

/// The words in quarters, the lowest of each word first.
#[inline(always)]
pub(crate) fn quarters(mut words: [u64; STREAMS]) -> [u16; LANES] {
    for word in &mut words {
        *word = word.to_le();
    }
    // SAFETY: both are arrays of 128 bytes in which every bit pattern is a value
    let mut row = unsafe { std::mem::transmute::<[u64; STREAMS], [u16; LANES]>(words) };
    for quarter in &mut row {
        *quarter = u16::from_le(*quarter);
    }
    row
}

/// A function with one body, compiled for each instruction set.
macro_rules! for_each_isa {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) => $body:expr) => {
        $(#[$doc])*
        pub(crate) fn $name(isa: Isa, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi2")]
            fn avx2($($arg: $type),*) { $body }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
            fn avx512($($arg: $type),*) { $body }
            match isa {
                Isa::Portable => $body,
                // SAFETY: the value proves that the processor was found to have these instructions
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2(_) => unsafe { avx2($($arg),*) },
                // SAFETY: as above
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512(_) => unsafe { avx512($($arg),*) },
            }
        }
    };
}

for_each_isa! {
    /// Draws rows until there are this many.
    draw_plainly(shoes: &mut Shoes, rows: usize) => shoes.draw_rows(rows)
}

/// Draws rows until there are this many.
pub(crate) fn draw(isa: Isa, shoes: &mut Shoes, rows: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Isa::Avx512(_) = isa
        && let Some(draw) = shoes.by_totals(rows, &[9, 12])
    {
        // SAFETY: the value proves that the processor was found to have these instructions
        return match draw.totals.len() {
            9 => unsafe { draw_avx512::<9>(draw) },
            _ => unsafe { draw_avx512::<12>(draw) },
        };
    }
    draw_plainly(isa, shoes, rows);
}

/// [`Shoes::draw_rows`] with the running totals kept in registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
fn draw_avx512<const TOTALS: usize>(draw: ByTotals<'_>) {
    // SAFETY: every pointer is to an array of whole vectors
    let load = |from: *const u8, at: usize| unsafe { _mm512_loadu_si512(from.add(64 * at).cast()) };
    let store =
        |to: *mut u8, at: usize, v: __m512i| unsafe { _mm512_storeu_si512(to.add(64 * at).cast(), v) };
    let words: *mut u8 = draw.rng.state.as_mut_ptr().cast();
    let mut state = [[_mm512_setzero_si512(); 2]; 4];
    for (w, word) in state.iter_mut().enumerate() {
        *word = [load(words, 2 * w), load(words, 2 * w + 1)];
    }
    let mut totals = [[_mm512_setzero_si512(); 2]; TOTALS];
    for (total, from) in totals.iter_mut().zip(draw.totals.iter()) {
        *total = [load(from.0.as_ptr().cast(), 0), load(from.0.as_ptr().cast(), 1)];
    }
    let mut next = |half: usize| {
        let [a, b, c, d] = &mut state;
        let sum = _mm512_rol_epi64::<23>(_mm512_add_epi64(a[half], d[half]));
        let number = _mm512_add_epi64(sum, a[half]);
        let t = _mm512_slli_epi64::<17>(b[half]);
        c[half] = _mm512_xor_si512(c[half], a[half]);
        d[half] = _mm512_xor_si512(d[half], b[half]);
        b[half] = _mm512_xor_si512(b[half], c[half]);
        a[half] = _mm512_xor_si512(a[half], d[half]);
        c[half] = _mm512_xor_si512(c[half], t);
        d[half] = _mm512_rol_epi64::<45>(d[half]);
        number
    };
    let one = _mm512_set1_epi16(1);
    for (row, &(left, reject)) in draw.rows.iter_mut().zip(draw.left) {
        let (left, reject) = (_mm512_set1_epi16(left as i16), _mm512_set1_epi16(reject as i16));
        let mut numbers = [next(0), next(1)];
        loop {
            let refused = [
                _mm512_cmplt_epu16_mask(_mm512_mullo_epi16(numbers[0], left), reject),
                _mm512_cmplt_epu16_mask(_mm512_mullo_epi16(numbers[1], left), reject),
            ];
            if refused[0] | refused[1] == 0 {
                break;
            }
            for half in 0..2 {
                numbers[half] = _mm512_mask_mov_epi16(numbers[half], refused[half], next(half));
            }
        }
        let mut faces = [_mm512_set1_epi16(TOTALS as i16); 2];
        for half in 0..2 {
            let position = _mm512_mulhi_epu16(numbers[half], left);
            for total in &mut totals {
                let before = _mm512_cmplt_epi16_mask(position, total[half]);
                total[half] = _mm512_mask_sub_epi16(total[half], before, total[half], one);
                faces[half] = _mm512_mask_sub_epi16(faces[half], before, faces[half], one);
            }
        }
        let bytes = _mm512_inserti64x4::<1>(
            _mm512_castsi256_si512(_mm512_cvtepi16_epi8(faces[0])),
            _mm512_cvtepi16_epi8(faces[1]),
        );
        store(row.0.as_mut_ptr(), 0, bytes);
    }
    for (w, word) in state.into_iter().enumerate() {
        store(words, 2 * w, word[0]);
        store(words, 2 * w + 1, word[1]);
    }
    for (to, total) in draw.totals.iter_mut().zip(totals) {
        store(to.0.as_mut_ptr().cast(), 0, total[0]);
        store(to.0.as_mut_ptr().cast(), 1, total[1]);
    }
}

/// The codes of all lanes after a step, zero for a round that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Codes(pub [u32; LANES]);

/// A table to step through: one entry for each state and symbol. An entry is the next state; from `coded` on it is a code
/// instead, and the lane goes on in the state that belongs to the code.
pub struct Stepper {
    /// Two more than there are states for, because entries are read in fours of bytes.
    entries: Vec<u16>,
    /// The state that follows a code.
    after: u16,
    coded: u16,
    /// Entries a state, as a power of two.
    stride_bits: u32,
    last_state: u32,
    symbol_of: [u8; LANES],
}

/// The state of each lane.
#[derive(Clone)]
#[repr(align(64))]
pub struct States(pub [u32; LANES]);

impl Stepper {
    /// A table of whole rows; the symbol of each face says which entry of a row a card selects.
    pub fn new(mut entries: Vec<u16>, stride: usize, symbols: &[u8], coded: u16, after: u16) -> Stepper {
        let stride = stride.next_power_of_two();
        let states = entries.len().div_ceil(stride).max(1);
        entries.resize(states * stride + 2, 0);
        let mut symbol_of = [0; LANES];
        for (place, symbol) in symbol_of.iter_mut().zip(symbols) {
            *place = *symbol & (stride - 1) as u8;
        }
        Stepper {
            entries,
            after,
            coded,
            stride_bits: stride.trailing_zeros(),
            last_state: states as u32 - 1,
            symbol_of,
        }
    }

    /// Every lane takes its card. The codes are written down, one and up; the result has a bit for every lane with one.
    #[inline]
    pub fn step(&self, isa: Isa, states: &mut States, row: &Row, codes: &mut Codes) -> u64 {
        match isa {
            // SAFETY: the value proves that the processor was found to have these instructions
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => unsafe { self.step_avx512(states, row, codes) },
            _ => self.step_portable(states, row, codes),
        }
    }

    /// Adds the tag of every lane's card to the lane's running count.
    #[inline]
    pub fn add_tags(&self, isa: Isa, running: &mut [i16; LANES], row: &Row, tags: &[i8; LANES]) {
        let mut found = [0; LANES];
        match isa {
            // SAFETY: the value proves that the processor was found to have these instructions
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => return unsafe { add_tags_avx512(running, row, tags) },
            _ => {
                for (place, &face) in found.iter_mut().zip(&row.0) {
                    *place = tags[usize::from(face) % LANES];
                }
            }
        }
        for (sum, tag) in running.iter_mut().zip(found) {
            *sum += i16::from(tag);
        }
    }

    fn step_portable(&self, states: &mut States, row: &Row, codes: &mut Codes) -> u64 {
        let mut coded = 0;
        for lane in 0..LANES {
            let symbol = self.symbol_of[usize::from(row.0[lane]) % LANES];
            let state = states.0[lane].min(self.last_state) as usize;
            let entry = self.entries[(state << self.stride_bits) + usize::from(symbol)];
            let ends = entry >= self.coded;
            states.0[lane] = u32::from(if ends { self.after } else { entry });
            codes.0[lane] = if ends { u32::from(entry - self.coded) + 1 } else { 0 };
            coded |= u64::from(ends) << lane;
        }
        coded
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
    fn step_avx512(&self, states: &mut States, row: &Row, codes: &mut Codes) -> u64 {
        let last = _mm512_set1_epi32(self.last_state as i32);
        let after = _mm512_set1_epi32(i32::from(self.after));
        let first_code = _mm512_set1_epi32(i32::from(self.coded));
        let before_codes = _mm512_set1_epi32(i32::from(self.coded) - 1);
        let stride_bits = _mm_cvtsi32_si128(self.stride_bits as i32);
        // SAFETY: both arrays are 64 bytes long
        let symbols = unsafe {
            let faces = _mm512_loadu_si512(row.0.as_ptr().cast());
            _mm512_permutexvar_epi8(faces, _mm512_loadu_si512(self.symbol_of.as_ptr().cast()))
        };
        let quarters = [
            _mm512_castsi512_si128(symbols),
            _mm512_extracti32x4_epi32::<1>(symbols),
            _mm512_extracti32x4_epi32::<2>(symbols),
            _mm512_extracti32x4_epi32::<3>(symbols),
        ];
        let mut coded = 0;
        for (at, quarter) in quarters.into_iter().enumerate() {
            let state: &mut [u32] = &mut states.0[at * 16..at * 16 + 16];
            let code: &mut [u32] = &mut codes.0[at * 16..at * 16 + 16];
            // SAFETY: the slices are 64 bytes long; a state is at most the last, whose row lies within the entries, and
            // behind the last entry there are two more bytes to read
            unsafe {
                let place = _mm512_min_epu32(_mm512_loadu_si512(state.as_ptr().cast()), last);
                let place =
                    _mm512_add_epi32(_mm512_sll_epi32(place, stride_bits), _mm512_cvtepu8_epi32(quarter));
                let entry = _mm512_i32gather_epi32::<2>(place, self.entries.as_ptr().cast());
                let entry = _mm512_and_si512(entry, _mm512_set1_epi32(0xffff));
                let ends = _mm512_cmpge_epu32_mask(entry, first_code);
                let next = _mm512_mask_mov_epi32(entry, ends, after);
                let found = _mm512_maskz_sub_epi32(ends, entry, before_codes);
                _mm512_storeu_si512(state.as_mut_ptr().cast(), next);
                _mm512_storeu_si512(code.as_mut_ptr().cast(), found);
                coded |= u64::from(ends) << (16 * at);
            }
        }
        coded
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
fn add_tags_avx512(running: &mut [i16; LANES], row: &Row, tags: &[i8; LANES]) {
    // SAFETY: the arrays are one vector long, the sums two
    unsafe {
        let faces = _mm512_loadu_si512(row.0.as_ptr().cast());
        let found = _mm512_permutexvar_epi8(faces, _mm512_loadu_si512(tags.as_ptr().cast()));
        let sums: *mut __m512i = running.as_mut_ptr().cast();
        let low = _mm512_cvtepi8_epi16(_mm512_castsi512_si256(found));
        let high = _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64::<1>(found));
        _mm512_storeu_si512(sums, _mm512_add_epi16(_mm512_loadu_si512(sums), low));
        _mm512_storeu_si512(sums.add(1), _mm512_add_epi16(_mm512_loadu_si512(sums.add(1)), high));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_steps_alike_and_stays_within_the_table() {
        let mut number = 1;
        let mut random = || crate::rng::mix(&mut number);
        let entries: Vec<u16> = (0..4096).map(|_| random() as u16).collect();
        let symbols: Vec<u8> = (0..52).map(|face| face % 13).collect();
        let stepper = Stepper::new(entries, 13, &symbols, 40_000, 7);
        for _ in 0..200 {
            let states = States(std::array::from_fn(|_| random() as u32));
            let row = Row(std::array::from_fn(|_| (random() % 52) as u8));
            let mut results = Vec::new();
            for isa in Isa::available() {
                let mut states = states.clone();
                let mut codes = Codes([0; LANES]);
                let coded = stepper.step(isa, &mut states, &row, &mut codes);
                results.push((states.0, codes, coded));
            }
            assert!(results.windows(2).all(|two| two[0] == two[1]));
        }
    }
}
