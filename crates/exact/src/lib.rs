//! Exact expected values of the games by combinatorial analysis: no sampling, no infinite decks.
#![forbid(unsafe_code)]

pub mod cards;
pub mod dealer;
pub mod hands;
pub mod joint;
pub mod judge;
pub mod num;
pub mod round;
pub mod solve;
pub mod split;
pub mod sum;
pub mod switch;
pub mod table;
pub mod turn;
