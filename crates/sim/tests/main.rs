//! The engines against each other, against the rulebook and against known figures.

mod engines;
