//! libFuzzer over `targets::frames`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::frames(bytes));
