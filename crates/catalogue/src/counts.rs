//! How many requirements of each kind are in which state.

use crate::entry::{Entry, KINDS, State};
use serde::Serialize;
use std::collections::BTreeMap;

/// Requirements by state; `cited_in_code` counts those that code cites, proven or not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Tally {
    /// A test proves them.
    pub proven: usize,
    /// The house keeps a record that shows them.
    pub recorded: usize,
    /// Code cites them.
    pub cited: usize,
    /// The catalogue says how they are honoured.
    pub explained: usize,
    /// Nothing is said of them.
    pub open: usize,
    /// All of them.
    pub total: usize,
    /// Those that code cites, whatever else there is.
    pub cited_in_code: usize,
}

impl Tally {
    fn add(&mut self, entry: &Entry) {
        *match entry.state {
            State::Proven => &mut self.proven,
            State::Recorded => &mut self.recorded,
            State::Cited => &mut self.cited,
            State::Explained => &mut self.explained,
            State::Open => &mut self.open,
        } += 1;
        self.total += 1;
        self.cited_in_code += usize::from(!entry.cited_in.is_empty());
    }
}

/// The tally of each kind, and of all.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Counts {
    /// All requirements.
    pub all: Tally,
    /// By their kind: `rule`, `procedure`, and so on.
    pub by_kind: BTreeMap<&'static str, Tally>,
}

impl Counts {
    /// Counts these.
    pub fn of(entries: &[Entry]) -> Counts {
        let mut counts = Counts::default();
        for entry in entries {
            counts.all.add(entry);
            counts.by_kind.entry(entry.kind).or_default().add(entry);
        }
        counts
    }

    /// Each kind that occurs with its tally, in the order of [`KINDS`].
    pub fn kinds(&self) -> impl Iterator<Item = (&'static str, Tally)> {
        KINDS.iter().filter_map(|kind| self.by_kind.get(kind).map(|tally| (*kind, *tally)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Filter, entries};

    #[test]
    fn every_requirement_is_counted_once() {
        let all = entries(&Filter::default());
        let counts = Counts::of(&all);
        let Tally { proven, recorded, cited, explained, open, total, .. } = counts.all;
        assert_eq!(proven + recorded + cited + explained + open, total);
        assert_eq!(total, all.len());
        assert_eq!(counts.kinds().map(|(_, tally)| tally.total).sum::<usize>(), total);
    }
}
