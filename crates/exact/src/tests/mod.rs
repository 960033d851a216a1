//! Tests of the solver against slow recursions, exact fractions, the rulebook and published figures.
//!
//! The layers of its modules are tested too.

pub(crate) mod documented;
mod games;
mod layers;
mod pairs_seen;
mod plain;
mod rationals;
mod slow;
mod small_games;
mod small_shoes;
mod thin_shoes;
