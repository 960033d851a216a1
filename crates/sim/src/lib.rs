//! Monte Carlo over a compiled [`program::Program`]: whole shoes, any number of boxes, counts and side wagers.
//!
//! The crate names no rule. It draws cards, follows tables and adds up whole numbers.
#![deny(unsafe_code)]

pub mod isa;
pub mod rng;
pub mod shoe;
