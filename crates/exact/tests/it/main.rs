//! The solver from outside: against slow recursions, exact fractions, the rulebook and published figures.

mod games;
mod given;
mod isa;
mod pairs_seen;
mod plain;
mod rationals;
mod slow;
mod small_games;
mod small_shoes;
