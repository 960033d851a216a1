//! libFuzzer over `targets::table_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::table_file(bytes));
