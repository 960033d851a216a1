//! libFuzzer over the target `house_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("house_file").expect("a target")(bytes)));
