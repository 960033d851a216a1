//! What the program answers, as JSON documents: a question in words goes in, a document comes out that says what made it
//! and of what. The command line prints these documents and the Python package returns them, so they are the same.
//!
//! Reading order: [`failure`] and [`stamp`], what all have in common; [`load`], tables from names and files; then a file
//! for each question. Text for people, flags and exit statuses belong to the command line; every rule to `rules`.
#![forbid(unsafe_code)]

pub mod atlas;
pub mod card;
pub mod check;
pub mod clauses;
pub mod compare;
mod counted;
pub mod edge;
pub mod ev;
pub mod failure;
pub mod indices;
pub mod load;
pub mod perfect;
pub mod play;
pub mod ramp;
pub mod removal;
pub mod replay;
pub mod report;
pub mod shoe;
pub mod side_count;
pub mod simulate;
pub mod stamp;
pub mod strategy;
pub mod subject;
pub mod sweep;
pub mod tables;
pub mod tags;

pub use failure::Failure;
pub use stamp::{Of, Stamped};
