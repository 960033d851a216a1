//! Compiles the two hot loops, drawing cards and stepping lanes, for each instruction set that makes them faster.
//!
//! Only this file and `walk` contain `unsafe` code. Drawing is plain Rust over arrays of 64 lanes, compiled
//! several times. Stepping has a portable version and one with vector gathers. A version for an instruction set is
//! called only after the processor was found to support the set. Its reads stay within the lookup table whatever
//! its input, and every test runs all versions.
#![allow(unsafe_code)]

mod walk;

use crate::rng::{LANES, STREAMS};
use crate::shoe::{ByTotals, Shoes};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
pub use walk::{CommonCounts, Entry, Keys, Lanes, NEAR, Question, Stepper, Stop, Tagging, WalkInput};

/// An instruction set that the simulator can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// The baseline that every processor of the architecture supports.
    Portable,
    /// AVX2, with vectors of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2(Detected),
    /// AVX-512, with vectors of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512(Detected),
}

/// A proof that the processor supports an instruction set.
///
/// Only this file can create one, after it has queried the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detected(());

impl Isa {
    /// Returns all instruction sets of this processor, the portable one first.
    pub fn available() -> Vec<Isa> {
        let mut all = vec![Isa::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Isa::Avx2(Detected(())));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
            {
                all.push(Isa::Avx512(Detected(())));
            }
        }
        all
    }

    /// Returns the fastest instruction set of this processor.
    pub fn best() -> Isa {
        Isa::available().last().copied().unwrap_or(Isa::Portable)
    }

    /// Returns the name of the instruction set on the command line and in documents, such as `avx2`.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512(_) => "avx512",
        }
    }

    /// Returns the instruction set named `name`, or `None` if this machine does not have it.
    pub fn from_name(name: &str) -> Option<Isa> {
        Isa::available().into_iter().find(|isa| isa.name() == name)
    }
}

/// Splits 64-bit words into 16-bit numbers, starting with the lowest 16 bits of the first word.
#[inline(always)]
pub(crate) fn quarters(mut words: [u64; STREAMS]) -> [u16; LANES] {
    for word in &mut words {
        *word = word.to_le();
    }
    // SAFETY: both are arrays of 128 bytes in which every bit pattern is valid
    let mut row = unsafe { std::mem::transmute::<[u64; STREAMS], [u16; LANES]>(words) };
    for quarter in &mut row {
        *quarter = u16::from_le(*quarter);
    }
    row
}

/// Defines a function with one body, compiled for each instruction set.
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
                // SAFETY: the `Detected` value proves that the processor supports these instructions
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
    /// Draws cards until `rows` rows are drawn.
    draw_plainly(shoes: &mut Shoes, rows: usize) => shoes.draw_rows(rows)
}

/// Draws cards until `rows` rows are drawn, with the fastest version available.
pub(crate) fn draw(isa: Isa, shoes: &mut Shoes, rows: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Isa::Avx512(_) = isa
        && let Some(draw) = shoes.by_totals(rows, &[9, 12])
    {
        // SAFETY: the `Detected` value proves that the processor supports these instructions
        return match draw.totals.len() {
            9 => unsafe { draw_avx512::<9>(draw) },
            _ => unsafe { draw_avx512::<12>(draw) },
        };
    }
    draw_plainly(isa, shoes, rows);
}

/// Draws rows of cards like [`Shoes::draw_rows`], but with AVX-512 and the running totals kept in registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,bmi2")]
fn draw_avx512<const TOTALS: usize>(draw: ByTotals<'_>) {
    // SAFETY: every pointer leads to an array of whole vectors
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
    // restores the order of the groups of eight lanes after packing
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
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
                // nothing saturates; the compiler would turn a plain subtraction into a longer sequence
                total[half] = _mm512_mask_subs_epi16(total[half], before, total[half], one);
                faces[half] = _mm512_mask_subs_epi16(faces[half], before, faces[half], one);
            }
        }
        let bytes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(faces[0], faces[1]));
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
