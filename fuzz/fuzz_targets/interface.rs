//! libFuzzer over the target `interface`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("interface").expect("a target")(bytes)));
