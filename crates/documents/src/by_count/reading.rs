//! The options of a counting player: which rounds to play, a second count, and how accurately to estimate the decks
//! left.

use super::second::SecondCount;

/// The rounds that a counting player plays, and the second count that the player keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountingPlayer {
    /// The counts at which the player starts and stops playing, or `None` to play every round.
    pub back_counting: Option<BackCounting>,
    /// The count that the player keeps beside the main count, or `None` for the main count alone.
    pub second: Option<SecondCount>,
}

/// The counts at which a back-counting player starts and stops playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackCounting {
    /// The lowest count, at the start of a round, at which the player starts playing.
    pub enter: i32,
    /// The lowest count, at the start of a round, at which the player continues playing.
    ///
    /// A player who has stopped may start again in the same shoe.
    pub leave: i32,
}

impl BackCounting {
    /// Returns whether the player plays a round that starts at `count`.
    ///
    /// `before` says whether the player played the previous round of the shoe.
    pub fn plays(self, before: bool, count: i32) -> bool {
        if before { count >= self.leave } else { count >= self.enter }
    }
}

/// How accurately a player estimates the decks left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeckReading {
    /// The standard deviation of the estimate, in decks.
    pub error: f64,
    /// The fraction of a deck to which the estimate is rounded, or `None` if it is not rounded.
    pub nearest: Option<f64>,
}

/// Five points of the standard normal distribution with their weights (Gauss-Hermite quadrature).
///
/// Means over these points are exact for polynomials up to degree 9.
const NORMAL: [(f64, f64); 5] = [
    (-2.856_970_013_872_806, 0.011_257_411_327_720_69),
    (-1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (0.0, 0.533_333_333_333_333_3),
    (1.355_626_179_974_266, 0.222_075_922_005_612_6),
    (2.856_970_013_872_806, 0.011_257_411_327_720_69),
];
/// The lowest number of decks that a player estimates to be left.
const LEAST: f64 = 0.25;

impl DeckReading {
    /// Returns whether the player knows the number of decks left exactly.
    pub fn is_exact(&self) -> bool {
        *self == DeckReading::default()
    }

    /// Returns the errors that the player's estimate can have, in decks, each with its probability.
    pub fn errors(&self) -> Vec<(f64, f64)> {
        if self.error == 0.0 {
            return vec![(0.0, 1.0)];
        }
        NORMAL.iter().map(|(at, weight)| (at * self.error, *weight)).collect()
    }

    /// Returns the player's estimate of the decks left, given the true number `left` and the error before
    /// rounding.
    pub fn read(&self, left: f64, error: f64) -> f64 {
        let guess = (left + error).max(LEAST);
        match self.nearest {
            Some(part) => ((guess / part).round() * part).max(part),
            None if error == 0.0 => left,
            None => guess,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_enters_at_one_count_and_leaves_at_another() {
        let at = BackCounting { enter: 2, leave: 0 };
        let mut plays = false;
        let counts = [1, 2, 1, 0, -1, 0, 1, 3];
        let played = counts.map(|count| {
            plays = at.plays(plays, count);
            plays
        });
        assert_eq!(played, [false, true, true, true, false, false, false, true]);
    }

    #[test]
    fn errors_have_the_mean_and_the_spread_that_are_wanted() {
        let reading = DeckReading { error: 0.5, nearest: None };
        let sum = |of: fn(f64) -> f64| reading.errors().iter().map(|(e, p)| p * of(*e)).sum::<f64>();
        assert!((sum(|_| 1.0) - 1.0).abs() < 1e-12 && sum(|e| e).abs() < 1e-12);
        assert!((sum(|e| e * e) - 0.25).abs() < 1e-12 && (sum(|e| e.powi(4)) - 3.0 * 0.0625).abs() < 1e-9);
    }

    #[test]
    fn estimates_are_rounded_and_never_nothing() {
        let half = DeckReading { error: 0.0, nearest: Some(0.5) };
        assert_eq!([3.3, 3.2, 0.1].map(|left| half.read(left, 0.0)), [3.5, 3.0, 0.5]);
        assert_eq!(DeckReading { error: 1.0, nearest: None }.read(1.0, -2.0), 0.25);
        assert_eq!(DeckReading::default().read(0.1, 0.0), 0.1);
    }
}
