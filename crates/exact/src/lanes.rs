//! The inner loop of the sums: several removed hands side by side, with the widest vectors of the machine.
//!
//! The loop is written once. It is compiled a second and third time for wider vectors, and the processor is asked which
//! one it can run. All of them do the same operations in the same order, so the bits of the results are the same.

use crate::num::Real;
use std::ops::{Index, IndexMut};

/// Removed hands that are worked out side by side.
pub const LANES: usize = 4;

/// One number for each of the removed hands side by side, laid out so that no vector of four crosses a cache line.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub struct Lanes<R>(pub [R; LANES]);

impl<R> Lanes<R> {
    /// One number for each lane.
    #[inline(always)]
    pub fn new(f: impl FnMut(usize) -> R) -> Self {
        Lanes(std::array::from_fn(f))
    }
}

impl<R> Index<usize> for Lanes<R> {
    type Output = R;

    #[inline(always)]
    fn index(&self, lane: usize) -> &R {
        &self.0[lane]
    }
}

impl<R> IndexMut<usize> for Lanes<R> {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut R {
        &mut self.0[lane]
    }
}

/// What a partial sum does where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is the first to come there.
    Sets,
    /// It adds to what is there.
    Adds,
}

/// Partial sums that take the same weight.
pub struct Run {
    /// The first of them.
    pub from: usize,
    /// Behind the last of them.
    pub to: usize,
    /// Cards of the value that is summed.
    pub cards: usize,
    /// Cards of the whole multiset, known where the last value is summed.
    pub length: usize,
    /// Whether they are the first to come where they go.
    pub reach: Reach,
}

/// One summation: partial sums before, where each goes, and the weight of each run.
pub struct Contraction<'a, R> {
    /// The runs, which cover all partial sums before.
    pub runs: &'a [Run],
    /// The weight of each run.
    pub weights: &'a [Lanes<R>],
    /// For each partial sum before, the one after that it adds to.
    pub into: &'a [u32],
    /// The partial sums before.
    pub before: &'a [Lanes<R>],
    /// The lane of `before` that is read.
    pub lane: usize,
}

/// Sets what is reached of `after` to the sums.
#[inline(always)]
pub fn contract<R: Real>(c: &Contraction<'_, R>, after: &mut [Lanes<R>]) {
    let lane = c.lane % LANES;
    for (run, weight) in c.runs.iter().zip(c.weights) {
        // A copy of its own, so that the compiler sees that writing the sums does not change it.
        let weight = weight.clone();
        let each = c.before[run.from..run.to].iter().zip(&c.into[run.from..run.to]);
        match run.reach {
            Reach::Sets => {
                for (before, &into) in each {
                    let after = &mut after[into as usize];
                    for l in 0..LANES {
                        after[l] = before[lane].clone() * weight[l].clone();
                    }
                }
            }
            Reach::Adds => {
                for (before, &into) in each {
                    let after = &mut after[into as usize];
                    for l in 0..LANES {
                        after[l] = after[l].clone() + before[lane].clone() * weight[l].clone();
                    }
                }
            }
        }
    }
}

/// The same with the vectors that this processor has.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub fn contract_f64(c: &Contraction<'_, f64>, after: &mut [Lanes<f64>]) {
    if std::arch::is_x86_feature_detected!("avx2") {
        // Safety: the processor has just said that it has these instructions.
        unsafe { contract_avx2(c, after) }
    } else {
        contract(c, after);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn contract_avx2(c: &Contraction<'_, f64>, after: &mut [Lanes<f64>]) {
    contract(c, after);
}

/// The same where nothing is known of the processor.
#[cfg(not(target_arch = "x86_64"))]
pub fn contract_f64(c: &Contraction<'_, f64>, after: &mut [Lanes<f64>]) {
    contract(c, after);
}
