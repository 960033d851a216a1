//! The arithmetic that the whole crate is generic over: `f64` for speed, exact rationals for proof.
//!
//! Only the four operations and comparison are used, and never a fused multiply-add, so that the same program gives the
//! same bits with every instruction set.

use crate::isa;
use crate::lanes::{self, Contraction, Lanes};
use std::ops::{Add, Div, Mul, Sub};

/// A number type for expected values.
pub trait Real:
    Clone
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// Returns the whole number `n`.
    fn int(n: i64) -> Self;

    /// Returns the fraction `n / d`, where `d` must not be zero.
    fn ratio(n: i64, d: i64) -> Self {
        Self::int(n) / Self::int(d)
    }

    /// Returns zero.
    fn zero() -> Self {
        Self::int(0)
    }

    /// Returns one.
    fn one() -> Self {
        Self::int(1)
    }

    /// Returns the nearest double, for reports.
    fn to_f64(&self) -> f64;

    /// Runs the inner loop of the sums.
    ///
    /// The `f64` version uses vector instructions.
    fn contract(c: &Contraction<'_, Self>, after: &mut [Lanes<Self>]) {
        lanes::contract(c, after, c.used);
    }
}

impl Real for f64 {
    #[inline(always)]
    fn int(n: i64) -> Self {
        n as f64
    }

    #[inline(always)]
    fn to_f64(&self) -> f64 {
        *self
    }

    fn contract(c: &Contraction<'_, Self>, after: &mut [Lanes<Self>]) {
        isa::contract_f64(c, after);
    }
}

/// Returns `1 / n`, or zero if `n` is not positive, because an impossible event has no weight.
pub(crate) fn inverse<R: Real>(n: i64) -> R {
    if n > 0 { R::one() / R::int(n) } else { R::zero() }
}
