//! Blackjack tables for agents, in two implementations that produce the same [`observation`].
//!
//! [`live`] drives the table's state machine itself, step by step, for programs that want every event with its
//! clause. Compiled tables are faster: [`compile`] calls the functions of `rules` once for every case, and a
//! [`seat`] follows the resulting lookup tables ([`core`]), alone or among thousands in a [`vector`]. An
//! [`expert`] answers by a chart. Tests compare the two implementations.
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
