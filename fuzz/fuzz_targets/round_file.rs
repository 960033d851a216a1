//! libFuzzer over the target `round_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("round_file").expect("a target")(bytes)));
