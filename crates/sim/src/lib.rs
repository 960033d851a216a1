//! Simulates (Monte Carlo) a compiled [`program::Program`]: whole shoes, any number of boxes, counts and side bets.
//!
//! The crate contains no game rules. It draws cards, follows lookup tables and adds up whole numbers.
//!
//! Reading order: [`rng`] and [`shoe`], where cards come from; [`count`]; [`round`] and [`sides`], the general engine;
//! [`lane`] and [`batch`], the fast ones; [`tally`], [`chunk`], [`run`], [`device`], [`prefix`] and [`part`], how a run
//! is put together; [`identity`], what makes two runs the same; [`report`], [`plot`] and [`shoes_file`], the output.
//! Instruction sets and all `unsafe` are in [`isa`].
//!
//! ```
//! let choices = rules::preset::preset("nj-blackjack").unwrap();
//! let chart = program::infinite_deck::infinite_deck_chart(&choices);
//! let program = program::compile(&choices, &chart, &program::CompileOptions::default()).unwrap();
//! let options = sim::Options { rounds: 100_000, seed: 7, threads: 1, ..sim::Options::default() };
//! let results = sim::simulate(program, &options, sim::Hooks::default()).unwrap();
//! assert_eq!(results.part.tally.rounds(), 100_000);
//! let (ev, error) = sim::report::ev_and_error(&results.job, &results.part.tally);
//! assert!((-0.03..0.02).contains(&ev) && error < 0.005);
//! ```
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod batch;
pub mod chunk;
pub mod count;
pub mod device;
pub mod identity;
pub mod isa;
pub mod lane;
pub mod parquet;
pub mod part;
pub mod plot;
pub mod prefix;
pub mod report;
pub mod rng;
pub mod round;
pub mod run;
pub mod shoe;
pub mod shoes_file;
pub mod side_counts;
pub mod sides;
pub mod summary;
pub mod tally;

pub use run::{Hooks, Options, Progress, Results, simulate};
