//! The inner loop of the sums, over several removed hands side by side.
//!
//! This version serves every arithmetic and every processor; `isa` has versions for wider vectors.

use std::ops::{Add, Index, IndexMut, Mul};

/// The number of SIMD lanes: removed hands whose sums are computed side by side.
pub const LANES: usize = 8;

/// A vector of numbers, one for each of the removed hands that are computed side by side.
///
/// The numbers are aligned so that no vector of them crosses a cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Lanes<R>(pub [R; LANES]);

impl<R> Lanes<R> {
    /// Returns lanes filled with `f(lane)`.
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

/// Whether a partial sum replaces the value of its target or is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// The partial sum is the first to reach its target and replaces its value.
    Set,
    /// The partial sum is added to its target.
    Add,
}

/// A run of consecutive partial sums that have the same weight.
pub struct Run {
    /// Index of the first partial sum.
    pub from: usize,
    /// Index after the last partial sum.
    pub to: usize,
    /// The index of the run's weight.
    pub weight: usize,
    /// Whether the partial sums replace the values of their targets or are added to them.
    pub mode: WriteMode,
}

/// The input of one summation: the partial sums before it, the target of each, and the weights of the runs.
pub struct Contraction<'a, R> {
    /// The runs, which cover all partial sums in `before`.
    pub runs: &'a [Run],
    /// The weights to which the runs refer.
    pub weights: &'a [Lanes<R>],
    /// For each partial sum in `before`, the index of its target.
    pub into: &'a [u32],
    /// The partial sums before the summation.
    pub before: &'a [Lanes<R>],
    /// For each output lane, the lane of `before` that it reads.
    pub from: [u8; LANES],
    /// The number of lanes in use. Results in the other lanes are ignored.
    pub used: usize,
}

/// Writes the sums to their targets in `after`, in the first `lanes` lanes.
///
/// Targets that no run reaches stay unchanged.
#[inline(always)]
pub fn contract<R>(c: &Contraction<'_, R>, after: &mut [Lanes<R>], lanes: usize)
where
    R: Clone + Add<Output = R> + Mul<Output = R>,
{
    let from = c.from.map(|lane| usize::from(lane) % LANES);
    for run in c.runs {
        let weight = &c.weights[run.weight];
        let each = c.before[run.from..run.to].iter().zip(&c.into[run.from..run.to]);
        match run.mode {
            WriteMode::Set => {
                for (before, &into) in each {
                    let after = &mut after[into as usize];
                    for l in 0..lanes {
                        after[l] = before[from[l]].clone() * weight[l].clone();
                    }
                }
            }
            WriteMode::Add => {
                for (before, &into) in each {
                    let after = &mut after[into as usize];
                    for l in 0..lanes {
                        after[l] = after[l].clone() + before[from[l]].clone() * weight[l].clone();
                    }
                }
            }
        }
    }
}
