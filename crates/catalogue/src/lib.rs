//! Presents the clause catalogue to people.
//!
//! The crate says how each requirement is honoured, where code cites it and which tests prove it. The rows come
//! from [`mod@rules::clause`]; citations and proofs come from `regulations/coverage.csv`, which a test of this
//! crate generates and checks against the sources. Nothing in this crate reads a file at run time.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod counts;
pub mod coverage;
mod entry;

pub use counts::{Counts, Tally};
pub use entry::{Entry, Filter, KINDS, State, entries};
