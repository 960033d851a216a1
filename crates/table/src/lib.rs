//! The table: every round of the five games, played by the book and replayable.
//!
//! A table is an event-sourced machine. Cards, choices and procedure steps arrive as commands from outside, so that a
//! virtual shoe, a physical one, a script and an exhaustive test all drive the same machine. Every rule is asked of
//! `rules`; this crate knows only whose turn it is.
//!
//! Reading order: [`command`], [`event`], [`vocabulary`] (a word for each of them), [`table`] (the four functions),
//! [`round`] and [`shoe`] (the state), `next`, `decide`, `apply`, `settlement`, [`irregular`]; then [`notation`], the round
//! file, and `random`, play at random under the laws of the machine, which only tests know (feature `rig`).
#![forbid(unsafe_code)]

pub mod command;
pub mod event;
pub mod ids;
pub mod irregular;
pub mod notation;
#[cfg(any(test, feature = "rig"))]
pub mod random;
pub mod round;
pub mod shoe;
pub mod table;
pub mod vocabulary;

mod apply;
mod decide;
mod keep;
mod next;
mod settlement;
mod streak;

pub use command::{Command, Decision};
pub use event::{Ending, Event, Fact, Settlement, When};
pub use ids::{Bettor, BoxId, HandNumber, Person, Place, Role, Side, Spot, Wager};
pub use irregular::Irregularity;
pub use table::{Awaiting, Table};
pub use vocabulary::{Spoken, Word};
