//! Exact expected values of the games: no sampling, no infinite decks.
//!
//! Reading order: [`cards`] and [`num`], what is counted and in which arithmetic; [`sum`] and [`lanes`], sums over cards
//! drawn without replacement; [`dealer`], where the dealer's hand ends. [`hands`], [`judge`], [`turn`], [`solve`]: the
//! player's hands, what the rules say of them, one decision, all decisions. [`split`], [`arrange`] and [`joint`]: the hands
//! of a split. [`round`], [`switch`], [`game`], [`spread`]: whole rounds. [`table`] puts the judge's questions to `rules`.
//! For users: [`edge`], [`ev`], [`strategy`] with [`chart`] and [`render`].
#![deny(unsafe_code)]

pub mod arrange;
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
