//! The clause catalogue as people read it: each requirement, how it is honoured, where code cites it and which tests
//! prove it.
//!
//! The rows come from [`mod@rules::clause`], citations and proofs from `regulations/coverage.csv`, which the test of this
//! crate writes and holds against the sources. Nothing here reads a file when it runs.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod counts;
pub mod coverage;
mod entry;

pub use counts::{Counts, Tally};
pub use entry::{Entry, Filter, KINDS, State, entries};
