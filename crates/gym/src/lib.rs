//! Provides tables for agents. [`live`] drives the table's state machine itself, step by step, for programs that want
//! every event with its clause. The fast way uses compiled tables: [`compile`] evaluates every case of `rules` once,
//! and a [`seat`] follows the resulting tables ([`core`]), alone or among thousands in a [`vector`]; [`expert`] answers
//! by a chart. Both ways produce the same observation ([`observation`]), and the tests compare them.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod cards;
pub mod compile;
pub mod core;
pub mod expert;
pub mod live;
pub mod observation;
mod observe;
pub mod seat;
mod settle;
mod stage;
pub mod vector;
