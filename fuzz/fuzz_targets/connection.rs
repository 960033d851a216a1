//! libFuzzer over the target `connection`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("connection").expect("a target")(bytes)));
