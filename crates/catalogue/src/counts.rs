//! Counts the catalogue's requirements by state and kind.

use crate::entry::{Entry, KINDS, State};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The number of requirements in each state.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema, Debug)]
pub struct Tally {
    /// The number of requirements that a test proves.
    pub proven: usize,
    /// The number of requirements that people meet by making a register entry; a test shows that the server stores
    /// such entries.
    pub recorded: usize,
    /// The number of requirements that code cites, but no test proves.
    pub cited: usize,
    /// The number of requirements that neither code nor a test cites, but whose row explains why software cannot
    /// or need not honour them.
    pub explained: usize,
    /// The number of requirements without proof, register entry, citation or explanation.
    pub open: usize,
    /// The total number of requirements.
    pub total: usize,
    /// The number of requirements that code cites, in whatever state they are.
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

/// The number of requirements per state, in total and by kind.
#[derive(Clone, PartialEq, Eq, Default, Serialize, ToSchema, Debug)]
pub struct Counts {
    /// The counts for all requirements.
    pub all: Tally,
    /// The counts for each kind, such as `rule` or `procedure`.
    #[schema(value_type = BTreeMap<String, Tally>)]
    pub by_kind: BTreeMap<&'static str, Tally>,
}

impl Counts {
    /// Counts `entries` by state, in total and for each kind.
    pub fn of(entries: &[Entry]) -> Counts {
        let mut counts = Counts::default();
        for entry in entries {
            counts.all.add(entry);
            counts.by_kind.entry(entry.kind).or_default().add(entry);
        }
        counts
    }

    /// Returns the counts for each kind that occurs, in the order of [`KINDS`].
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
