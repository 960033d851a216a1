//! What the program answers, as JSON documents: a question in words goes in, a document comes out that says what made it
//! and of what. The command line prints these documents, the lab of the house answers them and the Python package returns
//! them, so they are the same. Pages and drawings that are made of a document stand beside it.
//!
//! Reading order: [`failure`] and [`stamp`], what all have in common; [`load`], tables from names and files; then a file
//! for each question. Flags, what a terminal shows and exit statuses belong to the command line; every rule to `rules`.
#![forbid(unsafe_code)]

pub mod atlas;
pub mod by_count;
pub mod card;
pub mod card_drawing;
mod card_lines;
pub mod check;
pub mod clauses;
pub mod compare;
mod counted;
pub mod edge;
pub mod ev;
pub mod failure;
pub mod indices;
pub mod load;
pub mod next_round;
pub mod perfect;
pub mod play;
pub mod progress;
pub mod ramp;
pub mod removal;
pub mod replay;
pub mod report;
pub mod report_check;
pub mod report_page;
mod report_plays;
mod report_rules;
pub mod report_text;
mod report_verified;
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
pub use stamp::{Of, Stamped, built_from, made_by};
