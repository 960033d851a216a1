//! libFuzzer over the target `peer_lines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(targets::target("peer_lines").expect("a target")(bytes)));
