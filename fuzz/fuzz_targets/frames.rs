//! libFuzzer over the target `frames`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("frames").expect("a target")(bytes)));
