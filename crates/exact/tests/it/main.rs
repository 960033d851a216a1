//! The solver from outside: charts that are given, and instruction sets.

mod given;
mod isa;
