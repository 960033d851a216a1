//! libFuzzer over the target `socket`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("socket").expect("a target")(bytes)));
