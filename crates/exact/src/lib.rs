//! Exact expected values of the games: no sampling, no infinite decks.
//!
//! Reading order: [`cards`] and [`num`], what is counted and in which arithmetic; [`sum`], [`lanes`] and [`isa`], sums
//! over cards drawn without replacement; [`dealer`], where the dealer's hand ends. [`hands`], [`judge`], [`turn`],
//! [`solve`]: the player's hands, what the rules say of them, one decision, all decisions. [`split`], [`plan`],
//! [`arrange`], [`fold`], [`tally`], [`improve`]: the hands of a split, [`joint`]: all of them against a blackjack,
//! [`two_hands`]: two of them at a time. [`round`], [`switch`], [`game`], [`spread`]:
//! whole rounds. [`table`] puts the judge's questions to `rules`. [`play`], [`given`], [`total`], [`offers`]: what the
//! player does, charts that are given, the best chart by totals. For users: [`edge`], [`ev`], [`strategy`] with
//! [`render`].
#![deny(unsafe_code)]

pub mod arrange;
pub mod cards;
pub mod dealer;
pub mod edge;
pub mod ev;
pub mod fold;
pub mod game;
pub mod given;
pub mod hands;
pub mod improve;
pub mod isa;
pub mod joint;
pub mod judge;
pub mod lanes;
pub mod num;
pub mod offers;
pub mod one_order;
pub mod plan;
pub mod play;
pub mod render;
pub mod round;
pub mod solve;
pub mod split;
pub mod spread;
pub mod strategy;
pub mod sum;
pub mod switch;
mod switch_figures;
pub mod table;
pub mod tally;
pub mod total;
pub mod turn;
pub mod two_hands;
