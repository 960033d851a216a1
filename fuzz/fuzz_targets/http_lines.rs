//! libFuzzer over the target `http_lines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("http_lines").expect("a target")(bytes)));
