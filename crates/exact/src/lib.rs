//! Exact expected values of the games by combinatorial analysis: no sampling, no infinite decks.
#![deny(unsafe_code)]

pub mod cards;
pub mod chart;
pub mod dealer;
pub mod edge;
pub mod ev;
pub mod game;
pub mod hands;
pub mod joint;
pub mod judge;
pub mod lanes;
pub mod num;
pub mod render;
pub mod round;
pub mod solve;
pub mod split;
pub mod spread;
pub mod strategy;
pub mod sum;
pub mod switch;
pub mod table;
pub mod turn;
