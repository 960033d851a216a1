//! libFuzzer over the target `commands`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("commands").expect("a target")(bytes)));
