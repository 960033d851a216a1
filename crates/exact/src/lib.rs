//! Exact expected values of the games: no sampling, no infinite decks.
//!
//! Reading order:
//! - [`vocabulary`], [`cards`] and [`num`]: the basic types, cards as counts, and the arithmetic; [`cancel`]: how a
//!   caller ends a solve early;
//! - [`sum`], `lanes` and [`isa`]: sums over cards drawn without replacement; `dealer`: the dealer's final hand;
//! - `hands`, [`judge`], [`turn`], [`solve`]: the player's hands, the rules about them, one decision, all decisions;
//! - [`split`], `plan`, `arrange`, `split_weights`, `tally`, `improve`: the hands of a split; `joint`: all of them
//!   against a blackjack; `two_hands`: two of them at a time;
//! - [`round`], `switch`, [`game`], `spread`, [`dealer_hands`]: whole rounds; [`table`] puts the judge's questions to
//!   `rules`;
//! - [`play`], [`given`], `total`, [`offers`]: the player's decisions, given charts, the best total-dependent chart;
//! - for users: [`edge`], [`results`], [`ev`], [`strategy`] with `render`.
//!
//! ```
//! use exact::ev::{Question, ev};
//! use exact::table::Attacked;
//!
//! // Sixteen against a ten, from a full shoe: every legal action with its exact value, best first.
//! let choices = rules::preset::preset("nj-blackjack").unwrap();
//! let card = |code: &str| code.parse::<rules::Card>().unwrap();
//! let (hand, up) = ([card("Ts"), card("6h")], [card("Td")]);
//! let question = Question { hand: &hand, other: &[], up: &up, removed: &[], attacked: Attacked::No };
//! let answer = ev(&choices, &question).unwrap();
//! assert_eq!((answer.actions[0].action, answer.actions[1].action), ("hit", "stand"));
//! // without a hole card, the value includes the loss to a dealer's blackjack
//! assert!((-0.58..-0.57).contains(&answer.actions[0].ev));
//! ```
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod arrange;
pub mod assume;
pub mod cancel;
pub mod cards;
pub mod cells;
mod dealer;
pub mod dealer_hands;
pub mod dealers;
pub mod departures;
pub mod edge;
pub mod ev;
mod figures;
mod fixed;
pub mod game;
pub mod given;
mod hands;
mod improve;
pub mod isa;
mod joint;
pub mod judge;
mod lanes;
pub mod nets;
pub mod num;
pub mod offers;
pub mod one_order;
mod plan;
pub mod play;
pub mod removal;
mod render;
pub mod result;
pub mod results;
pub mod round;
pub mod seen;
pub mod signature;
pub mod solve;
pub mod split;
mod split_weights;
mod spread;
pub mod stack;
pub mod strategy;
pub mod sum;
mod switch;
mod switch_figures;
pub mod switching;
pub mod table;
mod tally;
pub mod threads;
mod total;
pub mod turn;
mod two_hands;
pub mod vocabulary;
mod whole;

#[cfg(test)]
mod tests;
