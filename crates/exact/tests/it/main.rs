//! The solver from outside: against slow recursions, exact fractions, the rulebook and published figures.

mod games;
mod plain;
mod rationals;
mod slow;
mod small_shoes;
