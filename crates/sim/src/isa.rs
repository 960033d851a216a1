//! Instruction sets: the two hot loops, drawing and stepping, for each instruction set that is worth it.
//!
//! This is the only file with `unsafe`. Drawing is plain Rust over arrays of 64 lanes, compiled several times; stepping
//! has a twin with gathers beside the portable one. A twin is called only after the processor was found to understand
//! it, its reads stay within the table whatever it is given, and every test runs all of them.
#![allow(unsafe_code)]

use crate::rng::LANES;
use crate::shoe::{Row, Shoes};
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
    draw(shoes: &mut Shoes, rows: usize) => shoes.draw_rows(rows)
}

/// Entries hold where the round goes on above this many bits, and a code in them.
pub const CODE_BITS: u32 = 12;
/// The codes of all lanes after a step, zero for a round that goes on.
pub type Codes = [u32; LANES];

/// A table of entries to step through: one entry for each state and symbol.
pub struct Stepper {
    entries: Vec<u32>,
    /// Entries a state.
    stride: usize,
    symbol_of: [u8; LANES],
}

/// The state of each lane: the place of its first entry.
#[derive(Clone)]
#[repr(align(64))]
pub struct States(pub [u32; LANES]);

impl Stepper {
    /// A table of whole rows; the symbol of each face says which entry of a row a card selects.
    pub fn new(mut entries: Vec<u32>, stride: usize, symbols: &[u8]) -> Stepper {
        let stride = stride.next_power_of_two();
        entries.resize(entries.len().next_multiple_of(stride).max(stride), 0);
        let mut symbol_of = [0; LANES];
        for (place, symbol) in symbol_of.iter_mut().zip(symbols) {
            *place = *symbol & (stride - 1) as u8;
        }
        Stepper {
            entries,
            stride,
            symbol_of,
        }
    }

    /// The last place at which a row begins; no state is taken to lie behind it.
    fn last(&self) -> u32 {
        (self.entries.len() - self.stride) as u32
    }

    /// Every lane takes its card. The codes are written down; the result has a bit for every lane with one.
    #[inline]
    pub fn step(&self, isa: Isa, states: &mut States, row: &Row, codes: &mut Codes) -> u64 {
        match isa {
            // SAFETY: the value proves that the processor was found to have these instructions
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => unsafe { self.step_avx512(states, row, codes) },
            _ => self.step_portable(states, row, codes),
        }
    }

    fn step_portable(&self, states: &mut States, row: &Row, codes: &mut Codes) -> u64 {
        let last = self.last();
        let mut coded = 0;
        for lane in 0..LANES {
            let symbol = self.symbol_of[usize::from(row.0[lane]) % LANES];
            let entry = self.entries[states.0[lane].min(last) as usize + usize::from(symbol)];
            states.0[lane] = entry >> CODE_BITS;
            codes[lane] = entry & ((1 << CODE_BITS) - 1);
            coded |= u64::from(codes[lane] != 0) << lane;
        }
        coded
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
    fn step_avx512(&self, states: &mut States, row: &Row, codes: &mut Codes) -> u64 {
        let last = _mm512_set1_epi32(self.last() as i32);
        let code_mask = _mm512_set1_epi32((1 << CODE_BITS) - 1);
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
            let code: &mut [u32] = &mut codes[at * 16..at * 16 + 16];
            // SAFETY: the slices are 64 bytes long; a place is at most `last`, and `last` plus a symbol below the stride
            // lies within the entries
            unsafe {
                let place = _mm512_min_epu32(_mm512_loadu_si512(state.as_ptr().cast()), last);
                let place = _mm512_add_epi32(place, _mm512_cvtepu8_epi32(quarter));
                let entry = _mm512_i32gather_epi32::<4>(place, self.entries.as_ptr().cast());
                let found = _mm512_and_si512(entry, code_mask);
                _mm512_storeu_si512(state.as_mut_ptr().cast(), _mm512_srli_epi32::<CODE_BITS>(entry));
                _mm512_storeu_si512(code.as_mut_ptr().cast(), found);
                coded |= u64::from(_mm512_test_epi32_mask(found, found)) << (16 * at);
            }
        }
        coded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_steps_alike_and_stays_within_the_table() {
        let mut number = 1;
        let mut random = || crate::rng::mix(&mut number);
        let entries: Vec<u32> = (0..4096).map(|_| random() as u32).collect();
        let symbols: Vec<u8> = (0..52).map(|face| face % 13).collect();
        let stepper = Stepper::new(entries, 13, &symbols);
        for _ in 0..200 {
            let states = States(std::array::from_fn(|_| random() as u32));
            let row = Row(std::array::from_fn(|_| (random() % 52) as u8));
            let mut results = Vec::new();
            for isa in Isa::available() {
                let mut states = states.clone();
                let mut codes = [0; LANES];
                let coded = stepper.step(isa, &mut states, &row, &mut codes);
                results.push((states.0, codes, coded));
            }
            assert!(results.windows(2).all(|two| two[0] == two[1]));
        }
    }
}
