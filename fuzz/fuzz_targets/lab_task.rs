//! libFuzzer over the target `lab_task`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("lab_task").expect("a target")(bytes)));
