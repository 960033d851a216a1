//! Defines the sums of a simulation.
//!
//! All sums are whole numbers, so that parts of a run give the same totals in any merging order.

use crate::round::Endings;
use serde_json::{Value, json};

/// The sum and sum of squares of observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    /// The number of observations.
    pub count: u64,
    /// The sum of the observations.
    pub sum: i128,
    /// The sum of squares.
    pub squares: u128,
}

impl Moments {
    /// Adds one observation.
    #[inline]
    pub fn add(&mut self, value: i64) {
        self.add_many(value, 1);
    }

    /// Adds `times` observations of the same value.
    #[inline]
    pub fn add_many(&mut self, value: i64, times: u64) {
        self.count += times;
        self.sum += i128::from(value) * i128::from(times);
        self.squares += u128::from(value.unsigned_abs()).pow(2) * u128::from(times);
    }

    /// Adds the observations of another part of the run.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the mean of the observations.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Returns the variance of the observations.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        (self.squares as f64 / self.count.max(1) as f64 - mean * mean).max(0.0)
    }

    /// Returns the standard error of the mean, or infinity with fewer than two observations.
    pub fn error(&self) -> f64 {
        if self.count < 2 { f64::INFINITY } else { (self.variance() / (self.count - 1) as f64).sqrt() }
    }
}

/// The sums of the rounds that began at one count; the bet ramp is not applied to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// The net wins of the rounds.
    pub net: Moments,
    /// The total amount bet in the rounds.
    pub staked: i128,
    /// The sum of squares of the net wins of single initial bets, of which a Switch box has two.
    pub wager_squares: u128,
    /// The net wins of insurance, in the rounds with insurance.
    pub insurance: Moments,
    /// The total amount bet on insurance.
    pub insured: i128,
}

impl Cell {
    fn merge(&mut self, other: &Cell) {
        self.net.merge(&other.net);
        self.staked += other.staked;
        self.wager_squares += other.wager_squares;
        self.insurance.merge(&other.insurance);
        self.insured += other.insured;
    }
}

/// The results of one side bet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideTally {
    /// The net wins of single bets.
    pub net: Moments,
    /// The number of bets by paytable line, with the losing line first.
    pub lines: Vec<u64>,
    /// The joint results of several boxes.
    pub rounds: JointResults,
}

/// The joint results of one side bet at several boxes, which are dealt the same cards.
///
/// The results of the boxes in a round depend on each other; those of different rounds do not. Each field is a sum
/// over all rounds: of the square of the boxes' joint net win, of that net win times the number of bets decided,
/// and of the square of that number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JointResults {
    squares: u128,
    products: i128,
    counts: u128,
}

impl JointResults {
    /// Adds a round in which `wagers` bets together won `net`.
    pub fn add(&mut self, net: i128, wagers: u64) {
        self.squares += net.unsigned_abs().pow(2);
        self.products += net * i128::from(wagers);
        self.counts += u128::from(wagers).pow(2);
    }

    fn merge(&mut self, other: &JointResults) {
        self.squares += other.squares;
        self.products += other.products;
        self.counts += other.counts;
    }
}

impl SideTally {
    /// Returns the standard error of the mean net win of a bet, also where several boxes share the cards.
    pub fn error(&self) -> f64 {
        if self.rounds == JointResults::default() || self.net.count < 2 {
            return self.net.error();
        }
        let mean = self.net.mean();
        let JointResults { squares, products, counts } = self.rounds;
        let left = squares as f64 - 2.0 * mean * products as f64 + mean * mean * counts as f64;
        left.max(0.0).sqrt() / self.net.count as f64
    }
}

/// The number of half initial bets that the distribution covers on each side of zero.
///
/// Results beyond this range are counted at the ends of the distribution.
const SPAN: usize = 128;

/// The sums of a run or part of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The sums of the rounds, indexed by count bucket; a single cell if no cards are counted.
    pub cells: Vec<Cell>,
    /// The number of shoes dealt.
    pub shoes: u64,
    /// The number of cards dealt.
    pub cards: u64,
    /// The number of hands played.
    pub hands: u64,
    /// The number of rounds that were void because the shoe ran out; these rounds are counted nowhere else.
    pub void: u64,
    /// The number of hands by ending, then by result.
    ///
    /// The endings are blackjack, stood, bust and surrendered; the results are won, pushed and lost.
    pub endings: [[u64; 3]; 4],
    /// The results of the side bets.
    pub sides: Vec<SideTally>,
    /// The net wins of the rounds at all boxes, indexed by side bet, then by the bucket of the side bet's own
    /// count.
    ///
    /// Only side bets with a count of their own are included. Each box bets one unit.
    pub side_counts: Vec<Vec<Moments>>,
    /// The number of rounds by net result, from `-SPAN` to `SPAN` half initial bets, rounded down.
    pub distribution: Vec<u64>,
}

impl Tally {
    /// Returns an empty tally with `cells` count buckets.
    ///
    /// `lines` holds the number of paytable lines of each side bet.
    pub fn new(cells: usize, lines: &[usize]) -> Tally {
        Tally {
            cells: vec![Cell::default(); cells],
            shoes: 0,
            cards: 0,
            hands: 0,
            void: 0,
            endings: [[0; 3]; 4],
            sides: lines
                .iter()
                .map(|&lines| SideTally { lines: vec![0; lines], ..SideTally::default() })
                .collect(),
            side_counts: Vec::new(),
            distribution: vec![0; 2 * SPAN + 1],
        }
    }

    /// Returns the number of rounds at all counts together.
    pub fn rounds(&self) -> u64 {
        self.cells.iter().map(|cell| cell.net.count).sum()
    }

    /// Adds the endings of a round's hands.
    pub fn add_endings(&mut self, endings: &Endings) {
        for (sums, counts) in self.endings.iter_mut().flatten().zip(endings.iter().flatten()) {
            *sums += u64::from(*counts);
        }
    }

    /// Returns the index of a net result in the distribution, if an initial bet has `unit` parts.
    pub fn place(net: i64, unit: i64) -> usize {
        ((2 * net).div_euclid(unit) + SPAN as i64).clamp(0, 2 * SPAN as i64) as usize
    }

    /// Returns the net result at an index of the distribution, in initial bets.
    pub fn result_at(place: usize) -> f64 {
        (place as f64 - SPAN as f64) / 2.0
    }

    /// Returns whether two tallies have the same numbers of counts, side bets and paytable lines.
    pub fn has_shape_of(&self, other: &Tally) -> bool {
        let shape = |t: &Tally| (t.cells.len(), t.distribution.len(), t.sides.len(), t.side_counts.len());
        let lines = |t: &Tally| t.sides.iter().map(|side| side.lines.len()).collect::<Vec<_>>();
        shape(self) == shape(other) && lines(self) == lines(other)
    }

    /// Adds the sums of another part of the same run.
    pub fn merge(&mut self, other: &Tally) {
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell.merge(more);
        }
        self.shoes += other.shoes;
        self.cards += other.cards;
        self.hands += other.hands;
        self.void += other.void;
        for (sum, more) in self.endings.iter_mut().flatten().zip(other.endings.iter().flatten()) {
            *sum += more;
        }
        for (side, more) in self.sides.iter_mut().zip(&other.sides) {
            side.net.merge(&more.net);
            side.rounds.merge(&more.rounds);
            for (line, n) in side.lines.iter_mut().zip(&more.lines) {
                *line += n;
            }
        }
        for (sum, more) in self.side_counts.iter_mut().flatten().zip(other.side_counts.iter().flatten()) {
            sum.merge(more);
        }
        for (sum, more) in self.distribution.iter_mut().zip(&other.distribution) {
            *sum += more;
        }
    }

    /// Returns the tally as JSON, for merging with others.
    pub fn to_json(&self) -> Value {
        let cell = |c: &Cell| {
            let (staked, squares, insured) =
                (c.staked.to_string(), c.wager_squares.to_string(), c.insured.to_string());
            json!([moments_json(&c.net), staked, squares, moments_json(&c.insurance), insured])
        };
        let side = |s: &SideTally| {
            let JointResults { squares, products, counts } = s.rounds;
            let rounds = [squares.to_string(), products.to_string(), counts.to_string()];
            json!([moments_json(&s.net), s.lines, rounds])
        };
        let cells: Vec<Value> = self.cells.iter().map(cell).collect();
        let sides: Vec<Value> = self.sides.iter().map(side).collect();
        let counted = |buckets: &Vec<Moments>| -> Value { buckets.iter().map(moments_json).collect() };
        let mut told = json!({
            "cells": cells, "shoes": self.shoes, "cards": self.cards, "hands": self.hands, "void": self.void,
            "endings": self.endings, "sides": sides, "distribution": self.distribution,
        });
        if !self.side_counts.is_empty() {
            told["side_counts"] = self.side_counts.iter().map(counted).collect();
        }
        told
    }

    /// Parses the JSON that [`Tally::to_json`] returns, or returns `None` if it is malformed.
    pub fn from_json(value: &Value) -> Option<Tally> {
        let list = |key: &str| value.get(key)?.as_array();
        let number = |key: &str| value.get(key)?.as_u64();
        let numbers =
            |value: &Value| value.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let mut endings = [[0; 3]; 4];
        for (row, counts) in endings.iter_mut().zip(list("endings")?) {
            *row = numbers(counts)?.try_into().ok()?;
        }
        let cell = |value: &Value| {
            Some(Cell {
                net: moments(value.get(0)?)?,
                staked: value.get(1)?.as_str()?.parse().ok()?,
                wager_squares: value.get(2)?.as_str()?.parse().ok()?,
                insurance: moments(value.get(3)?)?,
                insured: value.get(4)?.as_str()?.parse().ok()?,
            })
        };
        let side = |value: &Value| {
            let rounds = value.get(2)?;
            Some(SideTally {
                net: moments(value.get(0)?)?,
                lines: numbers(value.get(1)?)?,
                rounds: JointResults {
                    squares: rounds.get(0)?.as_str()?.parse().ok()?,
                    products: rounds.get(1)?.as_str()?.parse().ok()?,
                    counts: rounds.get(2)?.as_str()?.parse().ok()?,
                },
            })
        };
        let counted = |value: &Value| value.as_array()?.iter().map(moments).collect::<Option<Vec<_>>>();
        Some(Tally {
            side_counts: match value.get("side_counts") {
                Some(counts) => counts.as_array()?.iter().map(counted).collect::<Option<_>>()?,
                None => Vec::new(),
            },
            cells: list("cells")?.iter().map(cell).collect::<Option<_>>()?,
            shoes: number("shoes")?,
            cards: number("cards")?,
            hands: number("hands")?,
            void: number("void")?,
            endings,
            sides: list("sides")?.iter().map(side).collect::<Option<_>>()?,
            distribution: numbers(value.get("distribution")?)?,
        })
    }
}

// sums may exceed the exact range of JSON numbers, so they are written as text
fn moments_json(m: &Moments) -> Value {
    json!([m.count, m.sum.to_string(), m.squares.to_string()])
}

fn moments(value: &Value) -> Option<Moments> {
    Some(Moments {
        count: value.get(0)?.as_u64()?,
        sum: value.get(1)?.as_str()?.parse().ok()?,
        squares: value.get(2)?.as_str()?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wagers_that_win_and_lose_together_are_no_more_certain_than_one() {
        // six boxes with the same outcome, against one box
        let (mut one, mut six) = (SideTally::default(), SideTally::default());
        for round in 0..1000 {
            let net = if round % 3 == 0 { 2 } else { -1 };
            one.net.add(net);
            six.net.add_many(net, 6);
            six.rounds.add(6 * i128::from(net), 6);
        }
        assert!((six.error() / one.error() - 1.0).abs() < 1e-3, "{} {}", six.error(), one.error());
        assert!(six.net.error() < one.error() / 2.0);
    }

    #[test]
    fn one_observation_has_no_error() {
        let mut moments = Moments::default();
        moments.add(3);
        assert!(moments.error().is_infinite());
        moments.add(5);
        assert!((moments.error() - 1.0).abs() < 1e-12);
    }
}
