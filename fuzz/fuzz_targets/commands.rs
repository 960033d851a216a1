//! libFuzzer over `targets::commands`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::commands(bytes));
