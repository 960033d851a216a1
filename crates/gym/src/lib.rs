//! Tables for agents. [`live`] drives the table machine itself, one step after the other, for programs that want every
//! event with its clause. The other way is fast: [`compile`] asks `rules` everything once, and a [`seat`] follows the
//! tables that come of it ([`core`]), by itself or among thousands in [`vector`]; [`expert`] answers by a chart. Both
//! ways show the same [`sight`], and the tests play one against the other.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod cards;
pub mod compile;
pub mod core;
pub mod expert;
pub mod live;
mod look;
pub mod seat;
mod settle;
pub mod sight;
mod stage;
pub mod vector;
