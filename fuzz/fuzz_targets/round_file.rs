//! libFuzzer over `targets::round_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::round_file(bytes));
