//! Exact fractions of any size, written `n/d` in lowest terms.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};

/// A rational number of unlimited size, on which no operation rounds or overflows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction(BigRational);

impl Fraction {
    /// Returns `numerator` over `denominator`, or `None` if the denominator is zero.
    pub fn of(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Option<Fraction> {
        let denominator = denominator.into();
        (!denominator.is_zero()).then(|| Fraction(BigRational::new(numerator.into(), denominator)))
    }

    /// Returns a whole number as a fraction.
    pub fn whole(number: impl Into<BigInt>) -> Fraction {
        Fraction(BigRational::from_integer(number.into()))
    }

    /// Returns zero.
    pub fn zero() -> Fraction {
        Fraction::whole(0)
    }

    /// Returns one.
    pub fn one() -> Fraction {
        Fraction::whole(1)
    }

    /// Returns whether the fraction is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Returns whether the fraction is greater than zero.
    pub fn is_positive(&self) -> bool {
        self.0.is_positive()
    }

    /// Divides this fraction by `other`, or returns `None` if `other` is zero.
    pub fn over(&self, other: &Fraction) -> Option<Fraction> {
        (!other.is_zero()).then(|| Fraction(&self.0 / &other.0))
    }

    /// Returns the nearest `f64`.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// Rounds up to an integer, or returns `None` if the result does not fit into an `i64`.
    pub fn ceil(&self) -> Option<i64> {
        self.0.ceil().to_integer().to_i64()
    }

    /// Rounds down to an integer, or returns `None` if the result does not fit into an `i64`.
    pub fn floor(&self) -> Option<i64> {
        self.0.floor().to_integer().to_i64()
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.numer(), self.0.denom())
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Add for Fraction {
    type Output = Fraction;
    fn add(self, other: Fraction) -> Fraction {
        Fraction(self.0 + other.0)
    }
}

impl Sub for Fraction {
    type Output = Fraction;
    fn sub(self, other: Fraction) -> Fraction {
        Fraction(self.0 - other.0)
    }
}

impl Mul for Fraction {
    type Output = Fraction;
    fn mul(self, other: Fraction) -> Fraction {
        Fraction(self.0 * other.0)
    }
}

impl Neg for Fraction {
    type Output = Fraction;
    fn neg(self) -> Fraction {
        Fraction(-self.0)
    }
}

impl Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(terms: I) -> Fraction {
        terms.fold(Fraction::zero(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_written_in_lowest_terms() {
        assert_eq!(Fraction::of(6, 4).unwrap().to_string(), "3/2");
        assert_eq!(Fraction::of(-6, 4).unwrap().to_string(), "-3/2");
        assert_eq!(Fraction::whole(5).to_string(), "5/1");
        assert_eq!(Fraction::of(1, 0), None);
        assert_eq!(Fraction::one().over(&Fraction::zero()), None);
        assert_eq!(Fraction::of(1, 3).unwrap().to_f64(), 1.0 / 3.0);
        assert_eq!(Fraction::of(-7, 2).unwrap().floor(), Some(-4));
        assert_eq!(Fraction::of(7, 2).unwrap().ceil(), Some(4));
    }
}
