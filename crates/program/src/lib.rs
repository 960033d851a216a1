//! Compiles rules and a strategy into flat lookup tables, for programs that play or evaluate many rounds.
//!
//! The crate enumerates every hand that can arise at a table by calling the pure functions of `rules`, takes the
//! player's decisions from a [`chart`], and stores the results as arrays. Code that runs the arrays needs no
//! knowledge of the rules.
//!
//! Reading order: the cards that a table can tell apart ([`face`]), what the player sees of the dealer
//! ([`view`]), the strategy ([`chart`]); finished hands and their payoffs ([`class`]), the enumeration of
//! unfinished hands ([`hand`]), the dealer ([`dealer`]), the procedure ([`moves`]), the side bets ([`side`]); a
//! round of one box fused into a single lookup table ([`single_box`], [`consult`], [`minimise`]), and the rounds
//! that the fused table does not finish ([`resplit`]); a strategy for tables that come without one
//! ([`infinite_deck`]).
//!
//! ```
//! // Compute a strategy for a table that comes without one, and compile both.
//! let choices = rules::preset::preset("nj-blackjack").unwrap();
//! let chart = program::infinite_deck::infinite_deck_chart(&choices);
//! let program = program::compile(&choices, &chart, &program::CompileOptions::default()).unwrap();
//! assert_eq!((program.decks, program.dealer_hands), (u32::from(choices.decks), 1));
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod chart;
pub mod class;
pub mod compile;
pub mod consult;
pub mod dealer;
pub mod face;
pub mod hand;
pub mod infinite_deck;
pub mod minimise;
pub mod moves;
mod numbers;
pub mod outcome;
pub mod resplit;
pub mod side;
pub mod single_box;
pub mod solved;
pub mod view;

pub use chart::Chart;
pub use compile::{CompileOptions, Program, compile};
