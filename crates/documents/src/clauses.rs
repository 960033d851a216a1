//! The clause catalogue.

use crate::{Inputs, Stamped};
use catalogue::{Counts, Entry, Filter, entries};
use serde::Serialize;

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Clauses {
    pub counts: Counts,
    pub clauses: Vec<Entry>,
}

/// Returns the clauses that match a filter, with their counts.
pub fn document(filter: &Filter) -> Stamped<Clauses> {
    let clauses = entries(filter);
    Stamped::new(Clauses { counts: Counts::of(&clauses), clauses }, Inputs::nothing())
}
