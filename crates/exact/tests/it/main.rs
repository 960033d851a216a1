//! Tests of the solver from outside: given charts, and instruction sets.

mod given;
mod isa;

/// Returns whether this is `./test deep`, which looks at more games.
fn deep() -> bool {
    std::env::var_os("CUTCARD_TEST_SIZE").is_some()
}
