//! Monte Carlo over a compiled [`program::Program`]: whole shoes, any number of boxes, counts and side wagers.
//!
//! The crate names no rule. It draws cards, follows tables and adds up whole numbers.
//!
//! Reading order: [`rng`] and [`shoe`], where cards come from; [`count`]; [`round`] and [`sides`], the general engine;
//! [`lane`] and [`abreast`], the fast ones; [`tally`], [`chunk`], [`run`], [`device`], [`prefix`] and [`part`], how a run
//! is put together; [`identity`], what makes two runs the same; [`report`], [`plot`] and [`shoes_file`], what comes out.
//! Instruction sets and all `unsafe` are in [`isa`].
#![deny(unsafe_code)]

pub mod abreast;
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
pub mod sides;
pub mod tally;

pub use run::{Hooks, Options, Progress, Results, simulate};
