//! Counts the requirements of each kind by state.

use crate::entry::{Entry, KINDS, State};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The number of requirements in each state. `cited_in_code` counts those that code cites, proven or not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema, Debug)]
pub struct Tally {
    /// Requirements that a test proves.
    pub proven: usize,
    /// Requirements for which the house keeps a record.
    pub recorded: usize,
    /// Requirements that code cites.
    pub cited: usize,
    /// Requirements for which the catalogue explains how they are honoured.
    pub explained: usize,
    /// Requirements without proof, record, citation or explanation.
    pub open: usize,
    /// All requirements.
    pub total: usize,
    /// Requirements that code cites, whatever their state.
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

/// The tally of each kind, and of all requirements.
#[derive(Clone, PartialEq, Eq, Default, Serialize, ToSchema, Debug)]
pub struct Counts {
    /// All requirements.
    pub all: Tally,
    /// By kind: `rule`, `procedure`, and so on.
    #[schema(value_type = BTreeMap<String, Tally>)]
    pub by_kind: BTreeMap<&'static str, Tally>,
}

impl Counts {
    /// Counts these requirements.
    pub fn of(entries: &[Entry]) -> Counts {
        let mut counts = Counts::default();
        for entry in entries {
            counts.all.add(entry);
            counts.by_kind.entry(entry.kind).or_default().add(entry);
        }
        counts
    }

    /// Returns each kind that occurs with its tally, in the order of [`KINDS`].
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
