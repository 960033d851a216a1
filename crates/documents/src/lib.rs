//! Computes the results of the program's commands as JSON documents.
//!
//! Each module takes a request as text and returns a document with its provenance. The command line prints
//! these documents, the house's lab serves them and the Python package returns them, so that all three agree.
//! Pages and drawings made from a document are next to it.
//!
//! Reading order: [`failure`] and [`stamp`], which every document uses; [`load`], which loads tables by name
//! or from files; then one file for each kind of document. Flags, terminal output and exit codes belong to
//! the command line; all rules of the games belong to `rules`.
#![forbid(unsafe_code)]

pub mod atlas;
pub mod by_count;
pub mod card;
pub mod card_drawing;
mod card_lines;
pub mod check;
pub mod clauses;
pub mod compare;
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
pub mod report_document;
pub mod report_page;
mod report_plays;
mod report_round;
mod report_rules;
pub mod report_text;
mod report_verified;
pub mod risk_averse;
pub mod schema;
pub mod seat;
pub mod shoe;
pub mod side_count;
pub mod side_score;
mod side_value;
pub mod simulate;
pub mod stamp;
pub mod strategy;
pub mod subject;
pub mod sweep;
mod system_tags;
pub mod table_values;
pub mod tables;
pub mod tags;

pub use failure::Failure;
pub use stamp::{Inputs, Stamped, made_by, set_commit};
