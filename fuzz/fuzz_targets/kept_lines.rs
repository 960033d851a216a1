//! libFuzzer over the target `kept_lines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("kept_lines").expect("a target")(bytes)));
