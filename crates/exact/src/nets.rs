//! The net results of a whole round, each with its probability.

use std::collections::BTreeMap;

/// The net results of a round with their probabilities, in units of one initial bet.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundNets {
    /// Each net with its probability, the worst net first.
    pub nets: Vec<NetChance>,
    /// The expected net, which is the average over `nets`.
    pub ev: f64,
    /// The variance of the net over `nets`.
    pub variance: f64,
}

/// One net result of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetChance {
    /// The net in units of one initial bet.
    pub net: f64,
    /// The probability of this net.
    pub probability: f64,
    /// The part of `probability` from rounds with a split.
    pub split: f64,
}

/// The number of parts of one bet to which nets are rounded. Nets that round to the same number share an entry.
const PARTS: f64 = 60_000.0;

/// A collection of net results of rounds with their probabilities, to which callers add one result after another.
#[derive(Clone, Debug, Default)]
pub struct NetSums(BTreeMap<i64, NetChance>);

impl NetSums {
    /// Adds a net with its probability.
    ///
    /// `split` is the part of the probability from rounds with a split.
    pub fn add(&mut self, net: f64, probability: f64, split: f64) {
        let new = NetChance { net, probability: 0.0, split: 0.0 };
        let at = self.0.entry((net * PARTS).round() as i64).or_insert(new);
        at.probability += probability;
        at.split += split;
    }

    /// Adds all nets of another collection.
    pub fn add_all(&mut self, other: &NetSums) {
        other.0.values().for_each(|at| self.add(at.net, at.probability, at.split));
    }

    /// Returns the sum of all probabilities.
    pub fn probability(&self) -> f64 {
        self.0.values().map(|at| at.probability).sum()
    }

    /// Returns the nets that have a nonzero probability, with their expected value and variance.
    pub fn done(self) -> RoundNets {
        let nets: Vec<NetChance> = self.0.into_values().filter(|at| at.probability > 0.0).collect();
        let sum = |of: fn(&NetChance) -> f64| nets.iter().map(of).sum::<f64>();
        let ev = sum(|at| at.probability * at.net);
        let variance = sum(|at| at.probability * at.net * at.net) - ev * ev;
        RoundNets { nets, ev, variance }
    }
}
