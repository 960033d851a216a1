//! The solver looked at from inside: against slow recursions, exact fractions, the rulebook and published figures; and
//! its modules in layers.

mod games;
mod layers;
mod pairs_seen;
mod plain;
mod rationals;
mod slow;
mod small_games;
mod small_shoes;
mod thin_shoes;
