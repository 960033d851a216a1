//! The inner loop of the sums in `f64`, for each instruction set of the processor that makes it faster.
//!
//! This is the only file with `unsafe`. All versions do the same operations in the same order, without fused
//! multiply-add, so the results are the same bit for bit. A version is called only after the processor was found
//! to support it.

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Contraction, LANES, Lanes, WriteMode, contract};
use std::sync::atomic::{AtomicU8, Ordering};

/// A vector instruction set of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Isa {
    /// The baseline that every processor of the architecture supports.
    Portable,
    /// AVX2, with vectors of four numbers.
    Avx2,
    /// AVX-512, with vectors of eight numbers, which one instruction can permute.
    Avx512,
}

/// The widest instruction set that may be used, as set by tests and benchmarks.
static WIDEST: AtomicU8 = AtomicU8::new(Isa::Avx512 as u8);

impl Isa {
    /// Returns the instruction sets that this processor supports, the portable one first.
    pub fn available() -> Vec<Isa> {
        [Isa::Portable, Isa::Avx2, Isa::Avx512].into_iter().filter(|isa| isa.is_found()).collect()
    }

    /// Limits all threads to this instruction set and narrower ones.
    pub fn at_most(self) {
        WIDEST.store(self as u8, Ordering::Relaxed);
    }

    /// Returns the instruction set in use.
    pub fn used() -> Isa {
        let widest = WIDEST.load(Ordering::Relaxed);
        let usable = |isa: &Isa| *isa as u8 <= widest && isa.is_found();
        [Isa::Avx512, Isa::Avx2].into_iter().find(usable).unwrap_or(Isa::Portable)
    }

    fn is_found(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// Runs the inner loop of summation with the instruction set in use.
#[allow(unsafe_code)]
pub fn contract_f64(c: &Contraction<'_, f64>, after: &mut [Lanes<f64>]) {
    match Isa::used() {
        // Safety: the processor reports that it supports these instructions.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { contract_avx512(c, after) },
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { contract_avx2(c, after) },
        _ => contract(c, after, LANES),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn contract_avx2(c: &Contraction<'_, f64>, after: &mut [Lanes<f64>]) {
    contract(c, after, LANES);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)]
fn contract_avx512(c: &Contraction<'_, f64>, after: &mut [Lanes<f64>]) {
    use std::arch::x86_64::*;
    // Safety of both: the pointer leads to eight numbers, aligned to their size.
    let load = |lanes: &Lanes<f64>| unsafe { _mm512_load_pd(lanes.0.as_ptr()) };
    let store = |lanes: &mut Lanes<f64>, x| unsafe { _mm512_store_pd(lanes.0.as_mut_ptr(), x) };
    let [a, b, c_, d, e, f, g, h] = c.from.map(i64::from);
    let from = _mm512_setr_epi64(a, b, c_, d, e, f, g, h);
    for run in c.runs {
        let weight = load(&c.weights[run.weight]);
        let each = c.before[run.from..run.to].iter().zip(&c.into[run.from..run.to]);
        match run.mode {
            WriteMode::Set => {
                for (before, &into) in each {
                    let read = _mm512_permutexvar_pd(from, load(before));
                    store(&mut after[into as usize], _mm512_mul_pd(read, weight));
                }
            }
            WriteMode::Add => {
                for (before, &into) in each {
                    let read = _mm512_permutexvar_pd(from, load(before));
                    let after = &mut after[into as usize];
                    store(after, _mm512_add_pd(load(after), _mm512_mul_pd(read, weight)));
                }
            }
        }
    }
}
