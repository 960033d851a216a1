//! libFuzzer over the target `forwarded`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("forwarded").expect("a target")(bytes)));
