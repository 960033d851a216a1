//! Tests of the solver from outside: given charts, and instruction sets.

mod given;
mod isa;
