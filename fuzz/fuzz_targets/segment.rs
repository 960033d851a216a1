//! libFuzzer over the target `segment`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("segment").expect("a target")(bytes)));
