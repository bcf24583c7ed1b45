#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| glushkov_fuzz::derivation(data));
