#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| glushkov_fuzz::npy(data));
