//! Lists the requirements of the regulations (the clause catalogue).

use crate::{Inputs, Stamped};
use catalogue::{Counts, Entry, Filter, entries};
use serde::Serialize;
use utoipa::ToSchema;

/// The requirements of the regulations that match a filter, with their numbers.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub struct Clauses {
    /// The numbers of the listed requirements, by kind and state.
    pub counts: Counts,
    /// The listed requirements, in the order of the regulations.
    pub clauses: Vec<Entry>,
}

/// Returns the document of the requirements that match a filter, with their numbers by kind and state.
pub fn document(filter: &Filter) -> Stamped<Clauses> {
    let clauses = entries(filter);
    Stamped::new(Clauses { counts: Counts::of(&clauses), clauses }, Inputs::nothing())
}
