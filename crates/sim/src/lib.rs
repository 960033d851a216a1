//! Monte Carlo over a compiled [`program::Program`]: whole shoes, any number of boxes, counts and side wagers.
//!
//! The crate names no rule. It draws cards, follows tables and adds up whole numbers.
#![deny(unsafe_code)]

pub mod chunk;
pub mod count;
pub mod isa;
pub mod lane;
pub mod rng;
pub mod round;
pub mod shoe;
pub mod sides;
pub mod tally;
