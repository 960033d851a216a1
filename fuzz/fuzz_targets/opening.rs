//! libFuzzer over the target `opening`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("opening").expect("a target")(bytes)));
