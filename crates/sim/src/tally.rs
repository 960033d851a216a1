//! What a simulation adds up: whole numbers only, so that parts of a run can be merged in any order without a difference.

use crate::round::Endings;
use serde_json::{Value, json};

/// Sum and sum of squares of a number of observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    pub count: u64,
    pub sum: i128,
    pub squares: u128,
}

impl Moments {
    #[inline]
    pub fn add(&mut self, value: i64) {
        self.add_many(value, 1);
    }

    /// The same observation a number of times.
    #[inline]
    pub fn add_many(&mut self, value: i64, times: u64) {
        self.count += times;
        self.sum += i128::from(value) * i128::from(times);
        self.squares += u128::from(value.unsigned_abs()).pow(2) * u128::from(times);
    }

    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        (self.squares as f64 / self.count.max(1) as f64 - mean * mean).max(0.0)
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        (self.variance() / self.count.max(1) as f64).sqrt()
    }
}

/// Rounds that began at one count: net wins for a stake of one initial wager a box, and all that was staked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    pub net: Moments,
    pub staked: i128,
}

/// What became of one side wager.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideTally {
    pub net: Moments,
    /// How often each line was reached, the lost wager first.
    pub lines: Vec<u64>,
}

/// Results of a whole round beyond this many halves of an initial wager are counted at the end of the distribution.
const SPAN: usize = 128;

/// All sums of a run or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// By count; a single cell where nothing is counted.
    pub cells: Vec<Cell>,
    pub shoes: u64,
    pub cards: u64,
    pub hands: u64,
    /// Rounds that could not be finished because the shoe ran out; nothing else of them is counted.
    pub void: u64,
    /// Blackjack, stood, bust, surrendered; won, pushed, lost.
    pub endings: [[u64; 3]; 4],
    /// Net of insurance, for rounds in which it was taken, and what was staked on it.
    pub insurance: Moments,
    pub insured: i128,
    pub sides: Vec<SideTally>,
    /// Rounds by their net result, in halves of the initial wager rounded down, from `-SPAN` on.
    pub distribution: Vec<u64>,
}

impl Tally {
    pub fn new(cells: usize, lines: &[usize]) -> Tally {
        Tally {
            cells: vec![Cell::default(); cells],
            shoes: 0,
            cards: 0,
            hands: 0,
            void: 0,
            endings: [[0; 3]; 4],
            insurance: Moments::default(),
            insured: 0,
            sides: lines
                .iter()
                .map(|&lines| SideTally { net: Moments::default(), lines: vec![0; lines] })
                .collect(),
            distribution: vec![0; 2 * SPAN + 1],
        }
    }

    pub fn rounds(&self) -> u64 {
        self.cells.iter().map(|cell| cell.net.count).sum()
    }

    pub fn add_endings(&mut self, endings: &Endings) {
        for (sums, counts) in self.endings.iter_mut().flatten().zip(endings.iter().flatten()) {
            *sums += u64::from(*counts);
        }
    }

    /// The place of a net result in the distribution.
    pub fn place(net: i64, unit: i64) -> usize {
        ((2 * net).div_euclid(unit) + SPAN as i64).clamp(0, 2 * SPAN as i64) as usize
    }

    /// The net result, in initial wagers, that a place of the distribution stands for.
    pub fn result_at(place: usize) -> f64 {
        (place as f64 - SPAN as f64) / 2.0
    }

    /// Adds another part of the same run.
    pub fn merge(&mut self, other: &Tally) {
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell.net.merge(&more.net);
            cell.staked += more.staked;
        }
        self.shoes += other.shoes;
        self.cards += other.cards;
        self.hands += other.hands;
        self.void += other.void;
        for (sum, more) in self.endings.iter_mut().flatten().zip(other.endings.iter().flatten()) {
            *sum += more;
        }
        self.insurance.merge(&other.insurance);
        self.insured += other.insured;
        for (side, more) in self.sides.iter_mut().zip(&other.sides) {
            side.net.merge(&more.net);
            for (line, n) in side.lines.iter_mut().zip(&more.lines) {
                *line += n;
            }
        }
        for (sum, more) in self.distribution.iter_mut().zip(&other.distribution) {
            *sum += more;
        }
    }

    pub fn to_json(&self) -> Value {
        let cells: Vec<Value> =
            self.cells.iter().map(|c| json!([moments_json(&c.net), c.staked.to_string()])).collect();
        let sides: Vec<Value> = self.sides.iter().map(|s| json!([moments_json(&s.net), s.lines])).collect();
        json!({
            "cells": cells, "shoes": self.shoes, "cards": self.cards, "hands": self.hands, "void": self.void,
            "endings": self.endings, "insurance": moments_json(&self.insurance), "insured": self.insured.to_string(),
            "sides": sides, "distribution": self.distribution,
        })
    }

    /// Reads back what [`Tally::to_json`] wrote.
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
            Some(Cell { net: moments(value.get(0)?)?, staked: value.get(1)?.as_str()?.parse().ok()? })
        };
        let side =
            |value: &Value| Some(SideTally { net: moments(value.get(0)?)?, lines: numbers(value.get(1)?)? });
        Some(Tally {
            cells: list("cells")?.iter().map(cell).collect::<Option<_>>()?,
            shoes: number("shoes")?,
            cards: number("cards")?,
            hands: number("hands")?,
            void: number("void")?,
            endings,
            insurance: moments(value.get("insurance")?)?,
            insured: value.get("insured")?.as_str()?.parse().ok()?,
            sides: list("sides")?.iter().map(side).collect::<Option<_>>()?,
            distribution: numbers(value.get("distribution")?)?,
        })
    }
}

// sums may exceed what JSON numbers carry exactly, so they are written as text
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
