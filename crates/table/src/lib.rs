//! Plays rounds of the five games at a table, strictly by the regulations.
//!
//! A table is an event-sourced state machine. Cards, decisions and procedure steps arrive as commands, so that a
//! virtual shoe, a physical one, a script and an exhaustive test all drive the same machine. All rules come from the
//! crate `rules`; this crate knows only whose turn it is.
//!
//! Reading order: [`command`], [`event`], [`vocabulary`] (the words for commands and events), [`table`] (the four
//! functions of a table), [`round`] and [`shoe`] (the state), `next`, `decide`, `apply`, `settlement`, [`irregular`];
//! then [`notation`], the round file, and `random`, random play that checks the machine's invariants, for tests only
//! (feature `testkit`).
//!
//! ```
//! use std::sync::Arc;
//! use table::notation;
//!
//! // A round file: the cards in the order in which they are dealt, and people's bets and decisions.
//! let file = "table nj-blackjack\ncards Th 6s 9c Kd Jd\nbet 1 ann 10\n1 stand\n";
//! let read = notation::parse::parse(file).unwrap();
//! let rules = rules::Rules::new(rules::preset::preset(&read.table.table).unwrap()).unwrap();
//! let played = notation::play(&read, Arc::new(rules)).unwrap();
//! let wager = &played.rounds[0].wagers[0];
//! assert_eq!((wager.net, wager.clause.id()), (rules::Cents::dollars(10), "19:47-2.3(a)1"));
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod command;
pub mod event;
pub mod ids;
pub mod irregular;
pub mod notation;
#[cfg(any(test, feature = "testkit"))]
pub mod random;
pub mod round;
pub mod shoe;
mod stakes;
pub mod table;
pub mod vocabulary;

mod apply;
mod decide;
mod next;
mod settlement;
mod snapshot;
mod streak;

pub use command::{Command, Decision};
pub use event::{Ending, Event, Fact, SettledAt, Settlement};
pub use ids::{Bettor, BoxId, CardPlace, HandNumber, Person, Role, Side, Spot, Spots, Wager};
pub use irregular::Irregularity;
pub use table::{Awaiting, Table};
pub use vocabulary::{LineCodec, Word};
