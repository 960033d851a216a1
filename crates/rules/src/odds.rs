//! Exact amounts in whole cents, and exact odds. Money is never a float.

use crate::message::Message;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// An amount of money in whole cents, negative for a loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cents(pub i64);

impl Cents {
    /// The amount of zero cents.
    pub const ZERO: Cents = Cents(0);

    /// Returns this many dollars as an amount in cents.
    pub const fn dollars(dollars: i64) -> Cents {
        Cents(dollars * 100)
    }

    /// Returns half the amount, or `None` if the half is not in whole cents.
    pub const fn half(self) -> Option<Cents> {
        if self.0 % 2 == 0 { Some(Cents(self.0 / 2)) } else { None }
    }
}

impl Add for Cents {
    type Output = Cents;
    fn add(self, other: Cents) -> Cents {
        Cents(self.0 + other.0)
    }
}

impl Sub for Cents {
    type Output = Cents;
    fn sub(self, other: Cents) -> Cents {
        Cents(self.0 - other.0)
    }
}

impl Neg for Cents {
    type Output = Cents;
    fn neg(self) -> Cents {
        Cents(-self.0)
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Cents) {
        self.0 += other.0;
    }
}

impl SubAssign for Cents {
    fn sub_assign(&mut self, other: Cents) {
        self.0 -= other.0;
    }
}

impl std::iter::Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(amounts: I) -> Cents {
        amounts.fold(Cents::ZERO, Add::add)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100)
    }
}

impl fmt::Debug for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${self}")
    }
}

/// The error for a string that is neither an amount nor odds; it holds the string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAnAmount(pub String);

impl fmt::Display for NotAnAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why().text)
    }
}

impl NotAnAmount {
    /// Returns the error as a message that a page can translate.
    pub fn why(&self) -> Message {
        crate::message!(
            "amount-invalid",
            "invalid amount `{amount}`; expected dollars with at most two decimals, such as 10 or 12.50, up to \
             10000000000",
            amount = self.0
        )
    }
}

impl std::error::Error for NotAnAmount {}

/// The largest amount that can be parsed, in dollars.
///
/// The limit keeps sums of amounts times odds from overflowing.
const MOST_DOLLARS: i64 = 10_000_000_000;

impl FromStr for Cents {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Cents, NotAnAmount> {
        let bad = || NotAnAmount(text.to_string());
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        if !digits(whole) || !digits(part) || part.len() > 2 {
            return Err(bad());
        }
        let whole: i64 = whole.parse().map_err(|_| bad())?;
        let part: i64 = format!("{part:0<2}").parse().map_err(|_| bad())?;
        if whole > MOST_DOLLARS {
            return Err(bad());
        }
        Ok(Cents(whole * 100 + part))
    }
}

/// Odds of `pays` to `per`, such as 3 to 2 or 2.5 to 1.
///
/// The numbers are exactly those that a regulation states.
#[derive(Clone, Copy)]
pub struct Odds {
    pays: u32,
    per: u32,
}

impl Odds {
    /// The odds of 1 to 1.
    pub const EVEN: Odds = Odds::to_1(1);

    /// Returns odds of `pays` to 1.
    pub const fn to_1(pays: u32) -> Odds {
        Odds { pays, per: 1 }
    }

    /// Returns odds of `pays` to `per`: `Odds::new(3, 2)` is 3 to 2.
    ///
    /// Panics if `per` is zero.
    pub const fn new(pays: u32, per: u32) -> Odds {
        assert!(per > 0);
        Odds { pays, per }
    }

    /// Returns the first number of the odds: 3 for 3 to 2.
    ///
    /// This number is what a bet of [`Odds::per`] wins, without the bet itself.
    pub const fn pays(self) -> u32 {
        self.pays
    }

    /// Returns the second number of the odds: 2 for 3 to 2.
    pub const fn per(self) -> u32 {
        self.per
    }

    /// Returns the win on a stake, or `None` if the win is not in whole cents.
    ///
    /// No clause allows rounding a payment (Q36).
    pub const fn on(self, stake: Cents) -> Option<Cents> {
        let product = stake.0 * self.pays as i64;
        if product % self.per as i64 == 0 { Some(Cents(product / self.per as i64)) } else { None }
    }

    /// Returns the sum of two odds, which a stake wins if it is paid at both, as for two matching cards
    /// (2.23(a)2).
    pub const fn and(self, other: Odds) -> Odds {
        Odds { pays: self.pays * other.per + other.pays * self.per, per: self.per * other.per }
    }

    /// Returns the win per unit bet as a floating-point number, for expected values.
    pub fn as_f64(self) -> f64 {
        f64::from(self.pays) / f64::from(self.per)
    }
}

/// Parses odds: `3 to 2`, `2.5 to 1`, or `40` for 40 to 1.
///
/// The first number is at most 10000 and the second at most 10, so that a stake times odds cannot overflow.
impl FromStr for Odds {
    type Err = NotAnAmount;

    fn from_str(text: &str) -> Result<Odds, NotAnAmount> {
        let number = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?;
        let (pays, per) = text.split_once(" to ").unwrap_or((text, "1"));
        let (pays, per) = match (pays.split_once('.'), per) {
            (Some((whole, tenth)), "1") if tenth.len() == 1 => (number(&format!("{whole}{tenth}")), Some(10)),
            _ => (number(pays), number(per)),
        };
        match (pays, per) {
            (Some(pays @ 1..=10_000), Some(per @ 1..=10)) => Ok(Odds::new(pays, per)),
            _ => Err(NotAnAmount(text.to_string())),
        }
    }
}

impl PartialOrd for Odds {
    fn partial_cmp(&self, other: &Odds) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Odds {
    fn cmp(&self, other: &Odds) -> std::cmp::Ordering {
        let (mine, others) = (u64::from(self.pays), u64::from(other.pays));
        (mine * u64::from(other.per)).cmp(&(others * u64::from(self.per)))
    }
}

impl PartialEq for Odds {
    fn eq(&self, other: &Odds) -> bool {
        u64::from(self.pays) * u64::from(other.per) == u64::from(other.pays) * u64::from(self.per)
    }
}

impl Eq for Odds {}

impl fmt::Display for Odds {
    /// Writes tenths as decimals, such as "2.5 to 1" in 2.17(e)2.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.per {
            10 => write!(f, "{}.{} to 1", self.pays / 10, self.pays % 10),
            per => write!(f, "{} to {per}", self.pays),
        }
    }
}

impl fmt::Debug for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_reads_as_it_is_written() {
        for (text, cents) in [("10", 1000), ("12.5", 1250), ("12.50", 1250), ("0.01", 1), ("007", 700)] {
            assert_eq!(text.parse(), Ok(Cents(cents)));
        }
        for text in ["", ".", "1.", ".5", "-1", "+1", "1.234", "1e3", "12,5", "99999999999999999999", "٣"] {
            assert!(text.parse::<Cents>().is_err(), "{text}");
        }
        assert_eq!(Cents(-1250).to_string(), "-12.50");
        assert_eq!(Cents(-5).to_string(), "-0.05");
    }

    #[test]
    fn odds_read_as_they_are_written() {
        for (text, odds) in [
            ("3 to 2", Odds::new(3, 2)),
            ("40", Odds::to_1(40)),
            ("2.5 to 1", Odds::new(5, 2)),
            ("10000 to 1", Odds::to_1(10_000)),
        ] {
            assert_eq!(text.parse(), Ok(odds));
            assert_eq!(odds.to_string().parse(), Ok(odds));
        }
        for text in
            ["", "0", "3 to 0", "-1", "3:2", "10001", "1 to 11", "2.55 to 1", "2.5 to 2", "+3 to 2", "x to 1"]
        {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
        assert!(Odds::new(3, 2) < Odds::to_1(2) && Odds::new(25, 10) > Odds::to_1(2));
    }

    #[test]
    fn odds_are_exact_or_nothing() {
        assert_eq!(Odds::new(3, 2).on(Cents(1500)), Some(Cents(2250)));
        assert_eq!(Odds::new(3, 2).on(Cents(1)), None);
        assert_eq!(Odds::new(25, 10).on(Cents(100)), Some(Cents(250)));
        assert_eq!(Odds::new(25, 10).to_string(), "2.5 to 1");
        assert_eq!(Odds::new(25, 10), Odds::new(5, 2));
        assert_eq!(Odds::to_1(11).and(Odds::to_1(4)), Odds::to_1(15));
    }
}
