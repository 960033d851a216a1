//! libFuzzer over the target `table_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("table_file").expect("a target")(bytes)));
