//! Tests the engines against each other, against the rulebook and against known figures.

mod against_exact;
mod against_table;
mod devices;
mod engines;
mod reports;
