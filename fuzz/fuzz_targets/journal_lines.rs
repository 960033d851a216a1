//! libFuzzer over the target `journal_lines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("journal_lines").expect("a target")(bytes)));
