//! The clause catalogue.

use crate::{Inputs, Stamped};
use catalogue::{Counts, Entry, Filter, entries};
use serde::Serialize;
use utoipa::ToSchema;

/// The clause catalogue, or a part of it.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Clauses {
    /// How many requirements there are, by kind and state.
    pub counts: Counts,
    /// The requirements, in the order of the regulations.
    pub clauses: Vec<Entry>,
}

/// Returns the clauses that match a filter, with their counts.
pub fn document(filter: &Filter) -> Stamped<Clauses> {
    let clauses = entries(filter);
    Stamped::new(Clauses { counts: Counts::of(&clauses), clauses }, Inputs::nothing())
}
