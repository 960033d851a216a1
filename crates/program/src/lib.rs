//! Rules and a strategy compiled to flat tables, for programs that play or weigh many rounds.
//!
//! The crate walks every hand that can arise at a table by calling the pure functions of `rules`, lets a [`chart`]
//! decide, and writes down what it finds as arrays. Whoever runs the arrays needs to know no rule.
//!
//! Reading order: what the cards look like to a table ([`face`]), what the player sees of the dealer ([`view`]), the
//! strategy ([`chart`]); finished hands and their pay ([`class`]), the walk over unfinished ones ([`hand`]), the dealer
//! ([`dealer`]), the procedure ([`moves`]), the side wagers ([`side`]); a round of one box fused into a single table
//! ([`solo`], [`consult`], [`minimise`]) and what lies beyond it ([`beyond`]); a strategy for tables that come without one
//! ([`reckon`]).
//!
//! ```
//! // A strategy for a table that comes without one, and both as tables.
//! let choices = rules::preset::preset("nj-blackjack").unwrap();
//! let chart = program::reckon::reckon(&choices);
//! let program = program::compile(&choices, &chart, &program::Wish::default()).unwrap();
//! assert_eq!((program.decks, program.spots), (u32::from(choices.decks), 1));
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod beyond;
pub mod chart;
pub mod class;
pub mod compile;
pub mod consult;
pub mod dealer;
pub mod face;
pub mod hand;
pub mod minimise;
pub mod moves;
mod numbers;
pub mod outcome;
pub mod reckon;
pub mod side;
pub mod solo;
pub mod solved;
pub mod view;

pub use chart::Chart;
pub use compile::{Program, Wish, compile};
